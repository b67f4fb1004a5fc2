"""Tight sets: k items that together have only k choices, and so use up all of them.

Naked subsets (cells and values), hidden subsets (values and cells) and fish (rows and columns) are
tight sets. The smallest tight set around an item is unique: it is what can be reached from the item
in a matching, no matter which matching (Dulmage & Mendelsohn 1958; Régin 1994 has the same for
all-different). So all tight sets of any size are found at once, without trying subsets.

References
----------
A. L. Dulmage, N. S. Mendelsohn: Coverings of bipartite graphs. Canadian J. Math., 1958.
J.-C. Régin: A filtering algorithm for constraints of difference in CSPs. AAAI 1994.
"""

from __future__ import annotations

from collections.abc import Sequence

from csp_sudoku.strategies.bits import members


class NoMatching(Exception):  # noqa: N818 - a finding, not an error of the program
    """Some items together have fewer choices than their number."""

    def __init__(self, items: int, choices: int) -> None:
        super().__init__("too few choices")
        self.items = items
        self.choices = choices


def tight_sets(choices: Sequence[int]) -> list[tuple[int, int]]:
    """The smallest tight set around each item that has one: its items and their choices.

    Parameters
    ----------
    choices
        For each item the set of its choices. A choice can be used by one item only.

    Examples
    --------
    >>> [(bin(items), bin(used)) for items, used in tight_sets([0b011, 0b011, 0b110, 0b1110])]
    [('0b11', '0b11'), ('0b111', '0b111'), ('0b1111', '0b1111')]
    """
    holder: dict[int, int] = {}
    for item in range(len(choices)):
        seen: set[int] = set()
        if not _place(item, choices, holder, seen):
            items = {item} | {holder[choice] for choice in seen}
            raise NoMatching(sum(1 << i for i in items), sum(1 << c for c in seen))
    found: dict[int, int] = {}
    for item in range(len(choices)):
        reached, used, front = 1 << item, 0, [item]
        while front:
            fresh = choices[front.pop()] & ~used
            used |= fresh
            for choice in members(fresh):
                other = holder.get(choice)
                if other is None:  # a free choice: the set is not tight
                    break
                if not reached >> other & 1:
                    reached |= 1 << other
                    front.append(other)
            else:
                continue
            break
        else:
            found[reached] = used
    return list(found.items())


def _place(item: int, choices: Sequence[int], holder: dict[int, int], seen: set[int]) -> bool:
    """Find a choice for an item, and move others if necessary (Kuhn's augmenting path)."""
    for choice in members(choices[item]):
        if choice not in seen:
            seen.add(choice)
            other = holder.get(choice)
            if other is None or _place(other, choices, holder, seen):
                holder[choice] = item
                return True
    return False
