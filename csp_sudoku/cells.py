"""Cells, named variables, cells of layers, as people write them: ``R1C1-R1C4 $x region:R1C1``."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import total_ordering
from typing import NamedTuple, TypeAlias, TypeGuard

from csp_sudoku.errors import ConstraintError
from csp_sudoku.integers import as_int, as_ints

_NAME = r"[A-Za-z_][A-Za-z_0-9]*"


class Cell(NamedTuple):
    """A place in the grid, 0-based in code and 1-based in text.

    Examples
    --------
    >>> print(Cell(0, 8))
    R1C9
    """

    row: int
    col: int

    def __str__(self) -> str:
        return f"R{self.row + 1}C{self.col + 1}"

    def __repr__(self) -> str:  # lists of cells are shown everywhere
        return str(self)


@total_ordering
@dataclass(frozen=True, slots=True)
class Var:
    """A named variable outside the grid: part of every solution, usable wherever a cell is.

    Examples
    --------
    >>> print(Var("total"))
    $total
    """

    name: str

    def __post_init__(self) -> None:
        check_name(self.name, "named variable")

    def __str__(self) -> str:
        return f"${self.name}"

    @property
    def order(self) -> tuple[str, float, float, str]:
        """What sorts variables: named ones first, then the layers, each row by row."""
        return "", 0, 0, self.name

    def __lt__(self, other: Var) -> bool:
        return self.order < other.order


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class LayerCell(Var):
    """A cell of a layer: a further value that stands in a cell of the grid, such as its shading.

    Like a named variable it is part of every solution, and usable wherever a cell is. A layer may
    also have values on edges and corners of cells. Their row or column ends in a half:
    ``R1C1.5`` is the edge between R1C1 and R1C2, ``R1.5C1.5`` the lower right corner of R1C1.

    Examples
    --------
    >>> print(LayerCell("shaded", 0, 8))
    shaded:R1C9
    >>> print(LayerCell("wall", 0, 0.5))
    wall:R1C1.5
    >>> LayerCell("shaded", 0, 8).cell
    R1C9
    """

    layer: str
    row: float
    col: float

    def __init__(self, layer: str, row: float, col: float) -> None:
        check_name(layer, "layer")
        sides = _half(row), _half(col)
        if None in sides:
            raise ConstraintError(f"layer {layer!r}: {(row, col)!r} is no cell, edge or corner")
        for name, value in zip(("layer", "row", "col"), (layer, *sides), strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "name", f"{layer}:R{self.row + 1}C{self.col + 1}")

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"LayerCell({self.layer!r}, {self.row}, {self.col})"

    @property
    def order(self) -> tuple[str, float, float, str]:
        return self.layer, self.row, self.col, ""

    @property
    def cell(self) -> Cell | None:
        """The cell of the grid on which it stands; None for an edge or a corner."""
        if isinstance(self.row, int) and isinstance(self.col, int):
            return Cell(self.row, self.col)
        return None


def check_name(name: object, kind: str) -> None:
    """Refuse a name of a variable or layer that cannot be written and read back."""
    if not isinstance(name, str) or not re.fullmatch(_NAME, name, flags=re.ASCII):
        raise ConstraintError(
            f"{kind} {reprlib.repr(name)}: a name is letters, digits and _, not a digit first"
        )


def _half(number: float) -> float | None:
    """A whole number as an int, or a half as a float; None for any other."""
    if (whole := as_int(number)) is not None:
        return whole
    return number if isinstance(number, float) and number % 1 == 0.5 else None


Place: TypeAlias = Cell | Var
# What users may give as cells: text, one cell, or any nesting of these.
CellsLike: TypeAlias = "str | Place | Iterable[CellsLike]"

# The rows and columns that a step takes: to the cells beside one, and to those at its corners.
SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
DIAGONALS = {"NE": (-1, 1), "SE": (1, 1), "SW": (1, -1), "NW": (-1, -1)}

#: The most cells of a range: far more than any rule has. A short text can stand for many cells.
MOST_CELLS = 10_000

_CELL = re.compile(r"[Rr]([1-9][0-9]{0,3})[Cc]([1-9][0-9]{0,3})", re.ASCII)
_ON_LAYER = re.compile(r"[Rr]([0-9]{1,4}(?:\.5)?)[Cc]([0-9]{1,4}(?:\.5)?)", re.ASCII)
_WORD = re.compile(r"[\s,]+")


def cell(text: str | Place) -> Place:
    """Read one cell or named variable.

    Examples
    --------
    >>> cell("r2c10")
    R2C10
    """
    if isinstance(text, Var):
        return text
    if isinstance(text, tuple) and len(text) == 2:
        if type(text) is Cell and type(text[0]) is type(text[1]) is int:
            return text
        if (pair := as_ints(text)) is not None:
            return Cell(*pair)
    if not isinstance(text, str):
        raise ConstraintError(
            f"{reprlib.repr(text)} is not a cell; write one as R1C1 or Cell(0, 0)"
        )
    if text.startswith("$"):
        return Var(text[1:])
    if ":" in text:
        return _layer_cell(*text.split(":", 1))
    if not (found := _CELL.fullmatch(text)):
        raise ConstraintError(
            f"{reprlib.repr(text)} is not a cell; write one as R1C1 (row 1, column 1)"
        )
    return Cell(int(found[1]) - 1, int(found[2]) - 1)


def _layer_cell(layer: str, place: str) -> LayerCell:
    if not (found := _ON_LAYER.fullmatch(place)):
        raise ConstraintError(
            f"{reprlib.repr(layer + ':' + place)} is not a cell of a layer; write one as "
            f"shaded:R1C1, an edge as shaded:R1C1.5"
        )
    row, col = [float(part) - 1 if "." in part else int(part) - 1 for part in found.groups()]
    return LayerCell(layer, row, col)


def cells(*places: CellsLike) -> tuple[Place, ...]:
    """Read cells in order. A range ``A-B`` is the rectangle from A to B, walked row by row.

    Examples
    --------
    >>> [str(c) for c in cells("R1C1-R1C3 R2C1")]
    ['R1C1', 'R1C2', 'R1C3', 'R2C1']
    >>> [str(c) for c in cells("R2C2-R1C1", (0, 5))]
    ['R2C2', 'R2C1', 'R1C2', 'R1C1', 'R1C6']
    >>> [str(c) for c in cells("shaded:R1C1-R1C3")]
    ['shaded:R1C1', 'shaded:R1C2', 'shaded:R1C3']
    """
    found: list[Place] = []
    for place in places:
        if isinstance(place, str):
            for word in _WORD.split(place.strip(" \t\n,")):
                if word:
                    found.extend(_word(word))
        elif isinstance(place, Cell | Var) or _is_pair(place):
            found.append(cell(place))
        elif isinstance(place, Iterable):
            found.extend(cells(*place))
        else:
            raise ConstraintError(
                f"{reprlib.repr(place)} is not a cell; write one as R1C1 or Cell(0, 0)"
            )
    return tuple(found)


def _is_pair(place: object) -> TypeGuard[Place]:
    """Whether this is a row and a column, which are read as a cell."""
    return isinstance(place, tuple) and len(place) == 2 and as_ints(place) is not None


def _word(word: str) -> list[Place]:
    first, dash, last = word.partition("-")
    if not dash:
        return [cell(first)]
    layer = first.partition(":")[0] if ":" in first else ""
    a, b = cell(first), cell(f"{layer}:{last}" if layer and ":" not in last else last)
    if isinstance(a, Cell | LayerCell) and isinstance(b, Cell | LayerCell):
        size = (abs(a.row - b.row) + 1) * (abs(a.col - b.col) + 1)
        if size > MOST_CELLS:
            raise ConstraintError(f"{word}: a range has at most {MOST_CELLS:,} cells")
    if isinstance(a, Cell) and isinstance(b, Cell):
        return [Cell(row, col) for row in _walk(a.row, b.row) for col in _walk(a.col, b.col)]
    if isinstance(a, LayerCell) and isinstance(b, LayerCell) and a.layer == b.layer:
        across = [*_steps(a.col, b.col)]
        return [LayerCell(layer, row, col) for row in _steps(a.row, b.row) for col in across]
    raise ConstraintError(f"{reprlib.repr(word)} is not a range of cells; write one as R1C1-R1C4")


def _walk(start: int, end: int) -> range:
    return range(start, end + 1) if start <= end else range(start, end - 1, -1)


def _steps(start: float, end: float) -> Iterator[float]:
    """From one row or column to another; both are whole, or both are halves."""
    if (end - start) % 1:
        raise ConstraintError("a range of a layer goes from cell to cell, or from edge to edge")
    return (start + step for step in _walk(0, int(end - start)))
