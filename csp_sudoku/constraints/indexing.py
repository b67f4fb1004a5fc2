"""Cells that say where their own row, column or position stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import CellConstraint, Constraint, Values
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


@dataclass(frozen=True, init=False)
class _Indexing(CellConstraint):
    """A cell at position p of a line holds v exactly when position v of the line holds p.

    Positions count from 1; a value that is no position is forbidden.
    """

    def lines(self, grid: Grid, place: Cell) -> list[tuple[Cell, ...]]:
        """The line of the cell within a grid that it belongs to, if there is one."""
        raise ConstraintError(f"{type(self).__name__} does not say its lines")

    def _lines(self, puzzle: Puzzle) -> Iterator[tuple[Cell, tuple[Cell, ...]]]:
        """Every cell with its line; where grids overlap it may have several."""
        for place in dict.fromkeys(self.cells):
            if isinstance(place, Cell):
                for grid in puzzle.grids:
                    for line in self.lines(grid, place) if _inside(grid, place) else ():
                        yield place, line

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        found = [p for place, line in self._lines(puzzle) for p in (place, *line)]
        return tuple(dict.fromkeys(found))

    def check(self, puzzle: Puzzle) -> None:
        """Every cell has a line."""
        with_line = {place for place, _ in self._lines(puzzle)}
        for place in self.cells:
            if not puzzle.has(place):
                raise ConstraintError(f"{self.label}: {puzzle.no_such_place(place)}")
            if place not in with_line:
                raise ConstraintError(f"{self.label}: {self.missing(place)}")

    def missing(self, place: Place) -> str:
        """What is said of a place without a line."""
        return f"{place} is not a cell of the grid"

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        for place, line in self._lines(puzzle):
            position = line.index(place) + 1
            if not 1 <= values[place] <= len(line):
                return False
            for i, other in enumerate(line, 1):
                if (values[place] == i) != (values[other] == position):
                    return False
        return True

    def lower(self, ctx: Lowering) -> None:
        """A relation for each position v of the line: this cell is v if and only if that is p."""
        for place, line in self._lines(ctx.puzzle):
            position = line.index(place) + 1
            positions = range(1, len(line) + 1)
            ctx.add_condition(place, positions.__contains__)
            for i, other in enumerate(line, 1):
                if other != place:
                    ctx.add_relation(place, other, _Points(i, position))


@dataclass(frozen=True, init=False)
class ColumnIndexing(_Indexing):
    """A cell in column C with value V says that its row holds C in column V, and only there.

    Examples
    --------
    >>> from csp_sudoku import ColumnIndexing, Puzzle, count
    >>> count(Puzzle.blank(4).add(ColumnIndexing("R1C1 R1C2"))).value
    120
    """

    name = "column-indexing"

    def lines(self, grid: Grid, place: Cell) -> list[tuple[Cell, ...]]:
        """Its row."""
        return [grid.row(place.row - grid.top)]

    def describe(self, puzzle: Puzzle) -> str:
        return f"each of {self.listing} holds the column in which its row holds its own column"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (ColumnIndexing("R1C1"), ColumnIndexing("R2C3 R2C1 R2C3"))


@dataclass(frozen=True, init=False)
class RowIndexing(_Indexing):
    """A cell in row R with value V says that its column holds R in row V, and only there.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, RowIndexing, count
    >>> count(Puzzle.blank(4).add(RowIndexing("R1C1"))).value
    144
    """

    name = "row-indexing"

    def lines(self, grid: Grid, place: Cell) -> list[tuple[Cell, ...]]:
        """Its column."""
        return [grid.column(place.col - grid.left)]

    def describe(self, puzzle: Puzzle) -> str:
        return f"each of {self.listing} holds the row in which its column holds its own row"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (RowIndexing("R1C1"), RowIndexing("R2C3 R4C3"))


@dataclass(frozen=True, init=False)
class BoxIndexing(_Indexing):
    """A cell at position P of its box with value V says that position V holds P, and no other.

    Positions are counted in reading order.

    Examples
    --------
    >>> from csp_sudoku import BoxIndexing, Puzzle, count
    >>> count(Puzzle.blank(4).add(BoxIndexing("R1C1"))).value
    144
    """

    name = "box-indexing"

    def lines(self, grid: Grid, place: Cell) -> list[tuple[Cell, ...]]:
        """Its box or region, in reading order."""
        return [tuple(sorted(box)) for box in grid.boxes if place in box]

    def missing(self, place: Place) -> str:
        """What is said of a place without a box."""
        return f"{place} stands in no box or region; it needs a grid with boxes"

    def describe(self, puzzle: Puzzle) -> str:
        return f"each of {self.listing} holds the position of its box that holds its own position"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (BoxIndexing("R1C1"), BoxIndexing("R3C4 R4C4"))


@dataclass(frozen=True)
class _Points:
    """One value is i exactly when the other is p. Equal where these are, so tables are shared."""

    i: int
    p: int

    def __call__(self, a: int, b: int) -> bool:
        return (a == self.i) == (b == self.p)


def _inside(grid: Grid, place: Cell) -> bool:
    row, col = place.row - grid.top, place.col - grid.left
    return 0 <= row < grid.rows and 0 <= col < grid.columns
