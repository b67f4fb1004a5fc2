"""What a film is made of: the board at one moment, and what happens there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from csp_sudoku.cells import Cell
from csp_sudoku.puzzle import Puzzle

Candidates: TypeAlias = Mapping[Any, Iterable[int]]


@dataclass(frozen=True)
class Frame:
    """One moment.

    Attributes
    ----------
    kind
        ``start``, ``step``, ``choice``, ``dead end``, ``undo``, ``solution`` or ``end``.
    text
        What happens, in a sentence.
    candidates
        The values left in each cell.
    looked_at, changed
        The cells that the step looks at, and those that it changes.
    removed
        The values that go, by cell.
    depth
        How many choices stand.
    lines
        More to read beside the board, such as ties or the queue.
    shares
        For a relaxation: the fraction of each value, by cell.
    item, hidden, chosen
        For dancing links: the number of the item that is covered or uncovered, and those of the
        options that are hidden and of those that are chosen.
    """

    kind: str
    text: str
    candidates: Candidates
    looked_at: Sequence[Any] = ()
    changed: Sequence[Any] = ()
    removed: Sequence[tuple[Any, int]] = ()
    depth: int = 0
    lines: Sequence[str] = ()
    shares: Mapping[Any, Mapping[int, float]] = field(default_factory=dict)
    item: int | None = None
    hidden: Sequence[int] = ()
    chosen: Sequence[int] = ()

    def record(self, puzzle: Puzzle) -> dict[str, Any]:
        """Return it as the player reads it: short names, places by their numbers."""
        number = {place: i for i, place in enumerate(puzzle.cells)}

        def numbers(places: Iterable[Any]) -> list[int]:
            return [number[place] for place in places if place in number]

        found: dict[str, Any] = {"k": self.kind, "t": self.text, "d": self.depth}
        found["c"] = [list(self.candidates[place]) for place in puzzle.cells]
        found["l"], found["m"] = numbers(self.looked_at), numbers(self.changed)
        found["r"] = [[number[place], value] for place, value in self.removed if place in number]
        if self.lines:
            found["n"] = list(self.lines)
        if self.shares:
            found["f"] = [
                [[value, round(share, 3)] for value, share in self.shares[place].items()]
                for place in puzzle.cells
            ]
        if self.hidden or self.chosen:
            found["h"], found["o"] = list(self.hidden), list(self.chosen)
        if self.item is not None:
            found["i"] = self.item
        return found


def shown(values: Mapping[Any, Iterable[int]]) -> dict[Any, tuple[int, ...]]:
    """Return a copy of the values of all cells, as they are now."""
    return {place: tuple(left) for place, left in values.items() if isinstance(place, Cell)}
