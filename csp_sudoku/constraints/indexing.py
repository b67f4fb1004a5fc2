"""Indexing: a cell says where its own row, column or position stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from csp_sudoku import pictures
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.aspects import marks_in_cells
from csp_sudoku.constraints.base import CellConstraint, Constraint, in_grid
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import FPuzzles, Iss, SudokuMaker

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle


class _Indexing(CellConstraint):
    """A cell at position p of a line holds v if and only if position v of the line holds p.

    Positions count from 1. A value that is not a position is forbidden.
    """

    def lines(self, grid: Grid, place: Cell) -> list[tuple[Cell, ...]]:
        """The line of a cell in a grid; empty if it has none."""
        raise ConstraintError(f"{type(self).__name__} must define lines()")

    def _lines(self, puzzle: Puzzle) -> Iterator[tuple[Cell, tuple[Cell, ...]]]:
        """Every cell with its line; a cell of several grids has several."""
        for place in dict.fromkeys(self.cells):
            if isinstance(place, Cell):
                for grid in puzzle.grids:
                    for line in self.lines(grid, place) if _inside(grid, place) else ():
                        yield place, line

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        found = [p for place, line in self._lines(puzzle) for p in (place, *line)]
        return tuple(dict.fromkeys(found))

    def check(self, puzzle: Puzzle) -> None:
        """Require that every cell has a line."""
        with_line = {place for place, _ in self._lines(puzzle)}
        for place in self.cells:
            if not puzzle.has(place):
                raise ConstraintError(f"{self.label}: {puzzle.no_such_place(place)}")
            if place not in with_line:
                raise ConstraintError(f"{self.label}: {self.missing(place)}")

    def missing(self, place: Place) -> str:
        """The error for a place without a line."""
        return f"{place} is not a cell of the grid"

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        for place, line in self._lines(puzzle):
            position = line.index(place) + 1
            if not 1 <= values[place] <= len(line):
                return False
            for i, other in enumerate(line, 1):
                if (values[place] == i) != (values[other] == position):
                    return False
        return True

    def lower(self, ctx: Lowering) -> None:
        """Add a relation for each position v: this cell holds v if and only if that one holds p."""
        for place, line in self._lines(ctx.puzzle):
            position = line.index(place) + 1
            positions = range(1, len(line) + 1)
            ctx.add_condition(place, positions.__contains__)
            for i, other in enumerate(line, 1):
                if other != place:
                    ctx.add_relation(place, other, Points(i, position))

    hue: ClassVar[str]
    letter: ClassVar[str]

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        places = in_grid(dict.fromkeys(self.cells))
        notes = [pictures.Note(place, self.letter) for place in places]
        return [pictures.Shade(places, self.hue), *notes]

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        return {"cells": maker.grid_cells(maker.rng.randint(1, 3))}


class ColumnIndexing(_Indexing):
    """Column indexing: if a cell in column C holds V, then its row holds C in column V.

    And the other way round: its row holds C nowhere else.

    Examples
    --------
    >>> from csp_sudoku import ColumnIndexing, Puzzle, count
    >>> count(Puzzle.blank(4).add(ColumnIndexing("R1C1 R1C2"))).value
    120
    """

    name = "column-indexing"
    aliases = ("column-indexer",)

    def lines(self, grid: Grid, place: Cell) -> list[tuple[Cell, ...]]:
        """The row of the cell."""
        return [grid.row(place.row - grid.top)]

    def describe(self, puzzle: Puzzle) -> str:
        return f"each of {self.listing} says in which column its row holds the number of its column"

    hue, letter = "red", "c"
    placing = marks_in_cells()

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (ColumnIndexing("R1C1"), ColumnIndexing("R2C3 R2C1 R2C3"))

    formats = (
        FPuzzles("columnindexer", "cells"),
        SudokuMaker(601, "cells"),
        Iss("Indexing", "cells", when={"axis": "C"}, houses=True),
    )


class RowIndexing(_Indexing):
    """Row indexing: if a cell in row R holds V, then its column holds R in row V.

    And the other way round: its column holds R nowhere else.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, RowIndexing, count
    >>> count(Puzzle.blank(4).add(RowIndexing("R1C1"))).value
    144
    """

    name = "row-indexing"
    aliases = ("row-indexer",)

    def lines(self, grid: Grid, place: Cell) -> list[tuple[Cell, ...]]:
        """The column of the cell."""
        return [grid.column(place.col - grid.left)]

    def describe(self, puzzle: Puzzle) -> str:
        return f"each of {self.listing} says in which row its column holds the number of its row"

    hue, letter = "teal", "r"
    placing = marks_in_cells()

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (RowIndexing("R1C1"), RowIndexing("R2C3 R4C3"))

    formats = (
        FPuzzles("rowindexer", "cells"),
        SudokuMaker(600, "cells"),
        Iss("Indexing", "cells", when={"axis": "R"}, houses=True),
    )


class BoxIndexing(_Indexing):
    """Box indexing: if a cell at position P of its box holds V, then position V holds P.

    And the other way round: no other cell of the box holds P. Positions are counted in reading
    order.

    Examples
    --------
    >>> from csp_sudoku import BoxIndexing, Puzzle, count
    >>> count(Puzzle.blank(4).add(BoxIndexing("R1C1"))).value
    144
    """

    name = "box-indexing"
    aliases = ("box-indexer",)

    def lines(self, grid: Grid, place: Cell) -> list[tuple[Cell, ...]]:
        """The box or region of the cell, in reading order."""
        return [tuple(sorted(box)) for box in grid.boxes if place in box]

    def missing(self, place: Place) -> str:
        """The error for a place without a box."""
        return f"{place} is in no box or region; needs a grid with boxes"

    def describe(self, puzzle: Puzzle) -> str:
        return f"each of {self.listing} says at which position its box holds the cell's position"

    hue, letter = "gold", "b"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (BoxIndexing("R1C1"), BoxIndexing("R3C4 R4C4"))

    formats = (FPuzzles("boxindexer", "cells"),)


@dataclass(frozen=True)
class Points:
    """The test: one value is i if and only if the other is p. Equal tests share a table."""

    i: int
    p: int

    def __call__(self, a: int, b: int) -> bool:
        return (a == self.i) == (b == self.p)


def _inside(grid: Grid, place: Cell) -> bool:
    row, col = place.row - grid.top, place.col - grid.left
    return 0 <= row < grid.rows and 0 <= col < grid.columns
