"""A solution: a value for every cell and named variable of a puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from csp_sudoku.cells import Cell, Place, cell

if TYPE_CHECKING:
    from csp_sudoku.puzzle import Puzzle


class Solution(Mapping[Place, int]):
    """Maps places to values; ``s["R1C1"]`` works too. Equal when all values are equal.

    Examples
    --------
    >>> from csp_sudoku import solve
    >>> s = solve("0100 3001 4002 0040").solutions[0]
    >>> s.text
    '2134342143121243'
    >>> s.rows[0], s["R1C1"]
    ((2, 1, 3, 4), 2)
    """

    __slots__ = ("_hash", "_values")

    def __init__(self, values: Mapping[Any, int], puzzle: Puzzle) -> None:
        self._values = {place: values[place] for place in puzzle.variables}
        self._hash: int | None = None

    def __getitem__(self, place: str | Place) -> int:
        return self._values[cell(place)]

    def __iter__(self) -> Iterator[Place]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solution) and self._values == other._values

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self._values.items()))
        return self._hash

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The values of the cells, row by row (where grids overlap: of the cells there are)."""
        found: dict[int, list[int]] = {}
        for place, value in self._values.items():
            if isinstance(place, Cell):
                found.setdefault(place.row, []).append(value)
        return tuple(tuple(row) for row in found.values())

    @property
    def text(self) -> str:
        """All cells in one line; values are separated by blanks when any has two characters."""
        words = [str(v) for place, v in self._values.items() if isinstance(place, Cell)]
        return ("" if all(len(word) == 1 for word in words) else " ").join(words)

    @property
    def named(self) -> dict[str, int]:
        """The values of the named variables."""
        return {p.name: v for p, v in self._values.items() if not isinstance(p, Cell)}

    def __repr__(self) -> str:
        return f"Solution({self.text!r})"
