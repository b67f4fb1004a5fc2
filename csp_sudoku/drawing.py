"""Grids drawn with lines: boxes, irregular regions, overlapping grids, any size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from csp_sudoku.cells import Cell, Place
from csp_sudoku.puzzle import Puzzle

if TYPE_CHECKING:
    from rich.text import Text

Boxes = tuple[tuple[int, int], ...]
Role = Literal["border", "given", "value", "blank"]

# A corner by the lines that meet there: 1 up, 2 right, 4 down, 8 left.
UNICODE = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
ASCII = " |-+||++-+-+++++"

_STYLES = {"border": "dim", "given": "bold", "value": "green", "blank": "dim"}


class Span(NamedTuple):
    """A piece of a drawing, and what it shows."""

    text: str
    role: Role


def draw(puzzle: Puzzle, values: Mapping[Place, int] | None = None, *, signs: str = UNICODE) -> str:
    """Draw a puzzle with its givens, or with the values of a solution.

    Lines stand between regions. `signs` is :data:`UNICODE` or :data:`ASCII`.

    Examples
    --------
    >>> from csp_sudoku import read
    >>> print(draw(read("1... .... ..3. ....")))
    ┌─────┬─────┐
    │ 1 . │ . . │
    │ . . │ . . │
    ├─────┼─────┤
    │ . . │ 3 . │
    │ . . │ . . │
    └─────┴─────┘
    """
    lines = spans(puzzle, values, signs=signs)
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def styled(puzzle: Puzzle, values: Mapping[Place, int] | None = None) -> Text:
    """The drawing for a terminal: givens and found values look different."""
    from rich.text import Text

    lines = [
        Text.assemble(*((span.text, _STYLES[span.role]) for span in line))
        for line in spans(puzzle, values)
    ]
    return Text("\n").join(lines)


def spans(
    puzzle: Puzzle, values: Mapping[Place, int] | None = None, *, signs: str = UNICODE
) -> Iterator[list[Span]]:
    """The drawing line by line, in pieces."""
    return _Drawing(puzzle, puzzle.givens if values is None else values, signs).lines()


class _Drawing:
    """The lines between regions, on the rows and columns that hold cells.

    Line ``i`` lies above the i-th of these rows, and the last one below all of them; the same
    goes for columns. A line on which nothing is drawn is left out.
    """

    def __init__(self, puzzle: Puzzle, values: Mapping[Place, int], signs: str) -> None:
        self._givens = puzzle.givens
        self._values = values
        self._signs = signs
        self._rows = _with_gaps(sorted({place.row for place in puzzle.cells}))
        self._columns = _with_gaps(sorted({place.col for place in puzzle.cells}))
        self._regions = _regions(puzzle)
        widths = [len(str(v)) for place in puzzle.cells for v in puzzle.values_of(place)]
        self._width = max([*widths, *(len(str(values.get(place, ""))) for place in puzzle.cells)])
        # Between irregular regions every column has room for a line, so that all are alike.
        irregular = any(grid.regions for grid in puzzle.grids)
        self._upright = [
            irregular or any(self._right(i, j) for i in range(len(self._rows)))
            for j in range(len(self._columns) + 1)
        ]

    def lines(self) -> Iterator[list[Span]]:
        """The lines from top to bottom."""
        last = len(self._rows)
        for i in range(last + 1):
            if any(self._below(i, c) for c in range(len(self._columns))):
                yield list(self._rule(i))
            if i < last:
                yield list(self._row(i))

    def _row(self, i: int) -> Iterator[Span]:
        for j, column in enumerate(self._columns):
            if self._upright[j]:
                yield Span(self._signs[5] if self._right(i, j) else " ", "border")
            yield Span(" ", "border")
            yield self._cell(Cell(self._rows[i], column))
            if self._upright[j + 1]:
                yield Span(" ", "border")
        if self._right(i, len(self._columns)):
            yield Span(self._signs[5], "border")

    def _rule(self, i: int) -> Iterator[Span]:
        """A line between rows; a corner stands where an upright line is drawn anywhere."""
        text = []
        for j in range(len(self._columns) + 1):
            left, right = self._below(i, j - 1), self._below(i, j)
            if self._upright[j]:
                up, down = self._right(i - 1, j), self._right(i, j)
                text.append(self._signs[up + 2 * right + 4 * down + 8 * left])
            if j < len(self._columns):
                between = self._width + 1 + self._upright[j + 1]
                text.append(self._signs[10 * right] * between)
        yield Span("".join(text), "border")

    def _cell(self, place: Cell) -> Span:
        if place not in self._regions:
            return Span(" " * self._width, "blank")
        if place not in self._values:
            return Span(".".rjust(self._width), "blank")
        role: Role = "given" if place in self._givens else "value"
        return Span(str(self._values[place]).rjust(self._width), role)

    def _below(self, i: int, j: int) -> bool:
        """Whether a line runs above row i, in column j."""
        return self._region(i - 1, j) != self._region(i, j)

    def _right(self, i: int, j: int) -> bool:
        """Whether a line runs before column j, in row i."""
        return self._region(i, j - 1) != self._region(i, j)

    def _region(self, i: int, j: int) -> Boxes | None:
        if 0 <= i < len(self._rows) and 0 <= j < len(self._columns):
            return self._regions.get(Cell(self._rows[i], self._columns[j]))
        return None


def _regions(puzzle: Puzzle) -> dict[Cell, Boxes]:
    """For each cell the boxes it stands in, of all grids; equal ones need no line between."""
    found: dict[Cell, Boxes] = dict.fromkeys(puzzle.cells, ())
    for number, grid in enumerate(puzzle.grids):
        for box, places in enumerate(grid.boxes):
            for place in places:
                found[place] = (*found[place], (number, box))
    return found


def _with_gaps(used: list[int]) -> list[int]:
    """The rows or columns in use, and one for every gap between them."""
    found = used[:1]
    for index in used[1:]:
        if index > found[-1] + 1:
            found.append(index - 1)
        found.append(index)
    return found
