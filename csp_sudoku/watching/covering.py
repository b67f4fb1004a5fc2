"""Dancing links, from the events of Algorithm X: what is covered, and what comes back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from csp_encodings.exact_cover import encode
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.textbook import Backtracked, Chosen, Covered, Uncovered, trace
from csp_sudoku.watching.frames import Frame

# A larger matrix cannot be read.
_MOST_ITEMS, _MOST_OPTIONS = 120, 150
# How many covers and uncovers before a choice are listed.
_LINES = 12


class Covering:
    """The matrix of a puzzle as it is covered and uncovered."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        problem = encode(shared_graph(puzzle))
        starts, members = problem.starts.tolist(), problem.members.tolist()
        colours = problem.colours.tolist()
        self._options = [
            list(zip(members[a:b], colours[a:b], strict=True)) for a, b in pairwise(starts)
        ]
        self._meanings = problem.meanings
        self._items = len(problem.items)

    @property
    def matrix(self) -> dict[str, Any]:
        """The matrix for the player; empty if it is too large to be read."""
        if self._items > _MOST_ITEMS or len(self._options) > _MOST_OPTIONS:
            return {}
        names = ["{}={}".format(*m) if m else "step" for m in self._meanings]
        rows = [[item for item, _ in option] for option in self._options]
        return {"items": self._items, "options": names, "rows": rows}

    def frames(self) -> Iterator[Frame]:
        """Yield a frame for each choice, with what is covered for it, and for each undoing."""
        chosen: list[int] = []
        depth, said = 0, list[str]()
        yield self._frame("start", "the whole matrix", chosen)
        for event in trace(self._puzzle, "x"):
            if isinstance(event, Covered | Uncovered):
                said.append(str(event))
                continue
            if isinstance(event, Chosen | Backtracked):
                del chosen[event.depth - 1 :]
            if isinstance(event, Chosen):
                chosen.append(event.choice.number)
                depth = event.depth
                kind, text = "choice", f"{event.place} has the fewest options: take {event.choice}"
            elif isinstance(event, Backtracked):
                depth = event.depth - 1
                kind, text = "undo", f"all options of {event.place} were tried: uncover it"
            else:
                kind, text = "solution", "all items are covered: a solution"
            yield self._frame(kind, text, chosen, depth=depth, lines=said[-_LINES:])
            said = []
            if kind == "solution":
                return
        yield self._frame("end", "the whole tree was searched", chosen)

    def _frame(
        self,
        kind: str,
        text: str,
        chosen: list[int],
        *,
        depth: int = 0,
        lines: Sequence[str] = (),
    ) -> Frame:
        # An option is in the matrix as long as none of the chosen ones shares an item with it.
        taken = dict[int, int]()
        for number in chosen:
            taken.update(self._options[number])
        left: dict[Any, list[int]] = {place: [] for place in self._puzzle.cells}
        for number, meaning in enumerate(self._meanings):
            free = all(
                item not in taken or (colour and taken[item] == colour)
                for item, colour in self._options[number]
            )
            if meaning and meaning[0] in left and (free or number in chosen):
                left[meaning[0]].append(meaning[1])
        last = self._meanings[chosen[-1]] if chosen else None
        if kind == "choice" and any(not values for values in left.values()):
            kind, text = "dead end", f"{text}; now a cell has no option left"
        return Frame(
            kind,
            text,
            left,
            changed=[last[0]] if last else [],
            depth=depth,
            lines=lines,
            covered=sorted(taken),
            chosen=list(chosen),
        )
