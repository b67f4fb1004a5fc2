"""What the caller knows of a grid, what a text says of it, and errors about its size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isqrt
from typing import TYPE_CHECKING, TypeAlias

from csp_sudoku.errors import FormatError
from csp_sudoku.grid import MAX_SIDE

if TYPE_CHECKING:
    from csp_sudoku.puzzle import Puzzle

#: What a text says of a cell: the values it may have, or None where it says nothing.
Entry: TypeAlias = tuple[int, ...] | None
#: The rows and columns of a grid.
GridSize: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Wanted:
    """What the caller knows of a grid; None for what is not known.

    ``cells`` is the number of cells, also of grids that overlap and so are no rectangle.
    ``has_rules`` is whether the caller says which rules the puzzle has.
    """

    rows: int | None = None
    columns: int | None = None
    cells: int | None = None
    values: tuple[int, ...] | None = None
    dialect: str | None = None
    has_rules: bool = field(default=False, compare=False)

    @classmethod
    def like(cls, puzzle: Puzzle, dialect: str | None = None) -> Wanted:
        """What is known of a grid that belongs to a puzzle."""
        grid, *others = puzzle.grids
        if not others:
            return cls(grid.rows, grid.columns, len(grid.cells), grid.values, dialect)
        # Of all cells: a 0 is a blank only if no cell can hold it.
        values = tuple(sorted({v for place in puzzle.cells for v in puzzle.values_of(place)}))
        return cls(None, None, len(puzzle.cells), values, dialect)

    def shape(self, count: int) -> GridSize | None:
        """The size of a grid with `count` cells: as known, or a square; None if neither fits."""
        if self.cells is not None:
            return (self.rows or 1, self.columns or count) if count == self.cells else None
        side = isqrt(count)
        # A single character is a mistake, not a grid of one cell.
        return (side, side) if side * side == count and 1 < side <= MAX_SIDE else None

    def check_rows(self, what: str, rows: Sequence[tuple[int, int]]) -> None:
        """Refuse rows, given as (number, cells), that are too few or of different lengths."""
        if self.cells is not None and self.rows is None:
            return
        counts = [count for _, count in rows]
        columns = self.columns or Counter(counts).most_common(1)[0][0]
        for number, count in rows:
            if count != columns:
                raise FormatError(f"{what} {number} has {count} cells where {columns} are needed")
        needed = self.rows or columns
        if len(rows) != needed:
            raise FormatError(
                f"{len(rows)} {what}s of {columns} cells; a {needed}×{columns} grid has {needed}"
            )

    def wrong_count(self, count: int, what: str) -> str:
        """A sentence for a number of cells that no grid has."""
        if self.rows is not None:
            return f"{count} {what} where a {self.rows}×{self.columns} grid has {self.cells}"
        if self.cells is not None:
            return f"{count} {what} where the puzzle has {self.cells} cells"
        if count > MAX_SIDE**2:
            return f"{count} {what} are too many; the largest grid is {MAX_SIDE}×{MAX_SIDE}"
        side = max(2, isqrt(count))
        near = [side] if count < 4 or side == MAX_SIDE else [side, side + 1]
        squares = either([f"{n * n} ({n}×{n})" for n in near])
        return f"a grid of {count} {what} is no square, as {squares} are; other shapes need a size"


@dataclass(frozen=True)
class GridText:
    """What a text says of a grid: each cell, and perhaps the values and the regions."""

    rows: int
    columns: int
    entries: tuple[Entry, ...]
    values: tuple[int, ...] | None = None
    regions: str | None = None


def shown(value: object) -> str:
    """A value for an error message, short and printable."""
    text = ascii(value[:50] if isinstance(value, str) else value)
    return text if len(text) <= 40 else f"{text[:37]}…"


def either(words: Sequence[str]) -> str:
    """Words joined by commas and a last "or"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
