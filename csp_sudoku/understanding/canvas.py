"""What a picture of a puzzle is made of, in whichever program it was drawn.

Coordinates are (row, column) in cells: the centre of R1C1 is (0.5, 0.5), its corners are whole
numbers. Colours are written as in CSS: ``#rgb``, ``#rgba``, ``#rrggbb`` or ``#rrggbbaa``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from csp_sudoku.cells import Cell

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Stroke:
    """A line through points, perhaps with the head of an arrow at its end."""

    points: tuple[Point, ...]
    colour: str = ""
    head: bool = False


@dataclass(frozen=True)
class Shape:
    """A round or rectangular shape, a text, or both. `angle` is in degrees."""

    centre: Point
    width: float = 0.0
    height: float = 0.0
    round: bool = False
    fill: str = ""
    border: str = ""
    text: str = ""
    angle: float = 0.0


@dataclass(frozen=True)
class Outline:
    """A cage: a line around some cells, with a text in its corner.

    `unique` says whether the document forbids repeats in it; None if it says nothing.
    """

    cells: tuple[Cell, ...]
    text: str = ""
    unique: bool | None = None
    colour: str = ""


@dataclass(frozen=True)
class Canvas:
    """All that is drawn on a grid."""

    rows: int
    columns: int
    strokes: tuple[Stroke, ...] = ()
    shapes: tuple[Shape, ...] = ()
    outlines: tuple[Outline, ...] = ()

    def has(self, cell: Cell) -> bool:
        """Whether the grid has this cell."""
        return 0 <= cell.row < self.rows and 0 <= cell.col < self.columns
