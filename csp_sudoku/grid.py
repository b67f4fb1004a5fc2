"""The shape of a grid: its size, its values and its houses."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import isqrt

from csp_sudoku.cells import Cell, CellsLike, cells
from csp_sudoku.errors import ConstraintError, PuzzleError
from csp_sudoku.integers import as_int, as_ints

MAX_SIDE = 64
MAX_VALUES = 64


@dataclass(frozen=True)
class Grid:
    """A rectangle of cells with values and houses; several may overlap in one puzzle.

    ``box`` is the (rows, columns) of a box; ``regions`` are irregular houses instead of boxes.
    ``top`` and ``left`` place the grid in the coordinates of the puzzle.

    Examples
    --------
    >>> grid = Grid(6, 6, tuple(range(1, 7)), box=(2, 3))
    >>> [str(c) for c in grid.boxes[1]]
    ['R1C4', 'R1C5', 'R1C6', 'R2C4', 'R2C5', 'R2C6']
    """

    rows: int
    columns: int
    values: tuple[int, ...]
    box: tuple[int, int] | None = None
    regions: tuple[tuple[Cell, ...], ...] = ()
    row_houses: bool = True
    column_houses: bool = True
    top: int = 0
    left: int = 0

    def __post_init__(self) -> None:
        rows, columns = check_size(self.rows, self.columns)
        shape = {"rows": rows, "columns": columns, "values": self._values(), "box": self._box()}
        for name in ("top", "left"):
            offset = as_int(getattr(self, name))
            if offset is None or offset < 0:
                raise PuzzleError(
                    f"grid: {name} {getattr(self, name)!r} must be a whole number from 0 on"
                )
            shape[name] = offset
        vars(self).update(shape)
        if not isinstance(self.regions, tuple) or not all(
            isinstance(region, tuple) for region in self.regions
        ):
            raise PuzzleError(f"regions {reprlib.repr(self.regions)}: must be tuples of cells")
        inside = set(self.cells)
        for i, region in enumerate(self.regions, 1):
            for place in region:
                if not isinstance(place, Cell) or place not in inside:
                    shown = place if isinstance(place, Cell) else reprlib.repr(place)
                    raise PuzzleError(f"region {i}: {shown} is outside the {self.size} grid")
            if len(set(region)) < len(region):
                raise PuzzleError(f"region {i}: a cell is named twice")

    @property
    def size(self) -> str:
        """The size as people write it: ``9×9``."""
        return f"{self.rows}×{self.columns}"

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return tuple(
            Cell(self.top + r, self.left + c) for r in range(self.rows) for c in range(self.columns)
        )

    def row(self, index: int) -> tuple[Cell, ...]:
        """The cells of a row, 0-based."""
        index = check_index("row", index, self.rows)
        return self.cells[index * self.columns : (index + 1) * self.columns]

    def column(self, index: int) -> tuple[Cell, ...]:
        """The cells of a column, 0-based."""
        index = check_index("column", index, self.columns)
        return self.cells[index :: self.columns]

    @cached_property
    def boxes(self) -> tuple[tuple[Cell, ...], ...]:
        """The cells of every box, or of every irregular region if there are any."""
        if self.regions:
            return self.regions
        if self.box is None:
            return ()
        height, width = self.box
        return tuple(
            tuple(
                Cell(self.top + r, self.left + c)
                for r in range(top, top + height)
                for c in range(left, left + width)
            )
            for top in range(0, self.rows, height)
            for left in range(0, self.columns, width)
        )

    def box_at(self, index: int) -> tuple[Cell, ...]:
        """The cells of a box or irregular region, 0-based."""
        return self.boxes[check_index("box", index, len(self.boxes))]

    def _values(self) -> tuple[int, ...]:
        values = as_ints(self.values)
        if values is None:
            raise PuzzleError(f"grid: the values {reprlib.repr(self.values)} must be whole numbers")
        if not 1 <= len(values) <= MAX_VALUES:
            raise PuzzleError(f"grid: {len(values)} values; 1 to {MAX_VALUES} are possible")
        if any(a >= b for a, b in pairwise(values)):
            raise PuzzleError("grid: the values must be ascending, without repeats")
        return values

    def _box(self) -> tuple[int, int] | None:
        if self.box is None:
            return None
        if self.regions:
            raise PuzzleError("grid: either boxes or irregular regions, not both")
        sides = as_ints(self.box) if isinstance(self.box, tuple) else None
        if sides is None or len(sides) != 2 or min(sides) < 1:
            raise PuzzleError(f"box {self.box!r}: give (rows, columns), as (3, 3), or None")
        height, width = sides
        if self.rows % height or self.columns % width:
            raise PuzzleError(f"boxes of {height}×{width} do not tile a {self.size} grid")
        return height, width


def check_size(rows: object, columns: object) -> tuple[int, int]:
    """Refuse a size that no grid can have; return it as two ints."""
    sides = []
    for what, size in (("rows", rows), ("columns", columns)):
        side = as_int(size)
        if side is None or not 1 <= side <= MAX_SIDE:
            raise PuzzleError(f"grid of {size} {what}: 1 to {MAX_SIDE} are possible")
        sides.append(side)
    return sides[0], sides[1]


def default_box(rows: int, columns: int, size: int | None = None) -> tuple[int, int] | None:
    """Return the usual box of a grid: as square as possible, and wide rather than high.

    It has `size` cells, by default as many as the longer side of the grid; None if no such box
    tiles the grid.

    Examples
    --------
    >>> default_box(9, 9), default_box(6, 6), default_box(7, 7), default_box(2, 8, size=4)
    ((3, 3), (2, 3), None, (2, 2))
    """
    size = max(rows, columns) if size is None else size
    for short in range(isqrt(size), 1, -1):
        if size % short == 0:
            for box in ((short, size // short), (size // short, short)):
                if rows % box[0] == 0 and columns % box[1] == 0:
                    return box
    return None


def read_regions(
    regions: str | Sequence[str] | Iterable[CellsLike], rows: int, columns: int
) -> tuple[tuple[Cell, ...], ...]:
    """Read irregular regions: a layout with one character per cell, or lists of cells.

    In a layout, cells with equal characters are one region, and ``.`` belongs to none. The regions
    come in the order of their first cells.

    Examples
    --------
    >>> [len(region) for region in read_regions("AAB ABB", 2, 3)]
    [3, 3]
    """
    if isinstance(regions, str):
        layout = "".join(regions.split())
        if len(layout) != rows * columns:
            raise PuzzleError(
                f"regions: {len(layout)} characters for a {rows}×{columns} grid; "
                f"{rows * columns} are needed"
            )
        found: dict[str, list[Cell]] = {}
        for i, mark in enumerate(layout):
            if mark != ".":
                found.setdefault(mark, []).append(Cell(*divmod(i, columns)))
        return tuple(map(tuple, found.values()))
    if not isinstance(regions, Iterable):
        raise PuzzleError(f"regions {reprlib.repr(regions)}: must be a layout or lists of cells")
    read = []
    for i, region in enumerate(regions, 1):
        try:
            places = cells(region)
        except ConstraintError as error:
            raise PuzzleError(f"region {i}: {error}") from None
        if not all(isinstance(place, Cell) for place in places):
            raise PuzzleError(f"region {i}: a named variable cannot be part of a region")
        read.append(tuple(place for place in places if isinstance(place, Cell)))
    return tuple(read)


def check_index(what: str, index: object, size: int, whole: str = "the grid") -> int:
    """Return the number of a row, a column or the like; refuse one that is not there."""
    number = as_int(index)
    if number is None or not 0 <= number < size:
        known = f"{what}s 0 to {size - 1} (counted from 0)" if size else f"no {what}"
        raise PuzzleError(f"{what} {reprlib.repr(index)}: {whole} has {known}")
    return number
