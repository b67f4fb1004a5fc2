"""A solution: a value for every cell and named variable of a puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

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

    __slots__ = ("_dict", "_numbers", "_places")

    def __init__(self, values: Mapping[Any, int], puzzle: Puzzle) -> None:
        self._places = puzzle.variables
        self._numbers = tuple(map(values.__getitem__, self._places))
        self._dict: dict[Place, int] | None = None

    @classmethod
    def of(cls, numbers: Iterable[int], places: tuple[Place, ...]) -> Self:
        """The solution that has these values at these places, in their order."""
        found = cls.__new__(cls)
        found._places = places
        found._numbers = tuple(numbers)
        found._dict = None
        return found

    @property
    def _values(self) -> dict[Place, int]:
        # Made when it is needed: many a solution is only printed.
        if self._dict is None:
            self._dict = dict(zip(self._places, self._numbers, strict=True))
        return self._dict

    def __getitem__(self, place: str | Place) -> int:
        return self._values[cell(place)]

    def __iter__(self) -> Iterator[Place]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return False
        return self._numbers == other._numbers and self._places == other._places

    def __hash__(self) -> int:
        return hash((self._places, self._numbers))

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
        held: Iterable[int] = self._numbers
        if not isinstance(self._places[-1], Cell):  # named variables come last
            held = [value for place, value in self._values.items() if isinstance(place, Cell)]
        words = [*map(str, held)]
        text = "".join(words)
        return text if len(text) == len(words) else " ".join(words)

    @property
    def named(self) -> dict[str, int]:
        """The values of the named variables."""
        return {p.name: v for p, v in self._values.items() if not isinstance(p, Cell)}

    def _repr_svg_(self) -> str:
        from csp_sudoku.pictures.render import solution_svg

        return solution_svg(self)

    def __repr__(self) -> str:
        return f"Solution({self.text!r})"
