"""Cells and named variables, and the text in which people write them: ``R1C1-R1C4 R2C1 $x``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeGuard

from csp_sudoku.errors import ConstraintError
from csp_sudoku.integers import as_ints


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


@dataclass(frozen=True, slots=True, order=True)
class Var:
    """A named variable outside the grid: part of every solution, usable wherever a cell is.

    Examples
    --------
    >>> print(Var("total"))
    $total
    """

    name: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", self.name, flags=re.ASCII):
            raise ConstraintError(
                f"named variable {self.name!r}: a name is letters, digits and _, not a digit first"
            )

    def __str__(self) -> str:
        return f"${self.name}"


Place: TypeAlias = Cell | Var
# What users may give as cells: text, one cell, or any nesting of these.
CellsLike: TypeAlias = "str | Place | Iterable[CellsLike]"

# The rows and columns that a step takes: to the cells beside one, and to those at its corners.
SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
DIAGONALS = {"NE": (-1, 1), "SE": (1, 1), "SW": (1, -1), "NW": (-1, -1)}

_CELL = re.compile(r"[Rr]([1-9][0-9]{0,3})[Cc]([1-9][0-9]{0,3})", re.ASCII)
_WORD = re.compile(r"[\s,]+")


def cell(text: str | Place) -> Place:
    """Read one cell or named variable.

    Examples
    --------
    >>> cell("r2c10")
    Cell(row=1, col=9)
    """
    if isinstance(text, Var):
        return text
    if isinstance(text, tuple) and len(text) == 2:
        if type(text) is Cell and type(text[0]) is type(text[1]) is int:
            return text
        if (pair := as_ints(text)) is not None:
            return Cell(*pair)
    if not isinstance(text, str):
        raise ConstraintError(f"{text!r} is not a cell; write one as R1C1 or Cell(0, 0)")
    if text.startswith("$"):
        return Var(text[1:])
    if not (found := _CELL.fullmatch(text)):
        raise ConstraintError(f"{text!r} is not a cell; write one as R1C1 (row 1, column 1)")
    return Cell(int(found[1]) - 1, int(found[2]) - 1)


def cells(*places: CellsLike) -> tuple[Place, ...]:
    """Read cells in order. A range ``A-B`` is the rectangle from A to B, walked row by row.

    Examples
    --------
    >>> [str(c) for c in cells("R1C1-R1C3 R2C1")]
    ['R1C1', 'R1C2', 'R1C3', 'R2C1']
    >>> [str(c) for c in cells("R2C2-R1C1", (0, 5))]
    ['R2C2', 'R2C1', 'R1C2', 'R1C1', 'R1C6']
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
            raise ConstraintError(f"{place!r} is not a cell; write one as R1C1 or Cell(0, 0)")
    return tuple(found)


def _is_pair(place: object) -> TypeGuard[Place]:
    """Whether this is a row and a column, which are read as a cell."""
    return isinstance(place, tuple) and len(place) == 2 and as_ints(place) is not None


def _word(word: str) -> list[Place]:
    first, dash, last = word.partition("-")
    if not dash:
        return [cell(first)]
    a, b = cell(first), cell(last)
    if not (isinstance(a, Cell) and isinstance(b, Cell)):
        raise ConstraintError(f"{word!r} is not a range of cells; write one as R1C1-R1C4")
    return [Cell(row, col) for row in _walk(a.row, b.row) for col in _walk(a.col, b.col)]


def _walk(start: int, end: int) -> range:
    return range(start, end + 1) if start <= end else range(start, end - 1, -1)
