"""The marks of rules as SudokuPad draws them: lines, arrows, underlays, overlays and cages.

A rule names its marks in its ``picture``. A point is a row and a column in cells, with the corner
of the grid at (0, 0); the thickness of a line is in pixels, 64 to a cell.
"""

from __future__ import annotations

import re
from itertools import count
from math import hypot

from csp_sudoku import pictures
from csp_sudoku.cells import DIAGONALS, Cell
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.formats.loose import Object
from csp_sudoku.pictures.theme import colour
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.understanding.canvas import Point

_PIXELS = 64
_BLACK, _WHITE, _NONE = "#000000", "#ffffff", "#ffffff00"
# A shade lets its ground show through.
_LIGHT = "98"
# How far a circle reaches from the centre of its cell.
_EDGE = 0.37
# A number after a sign that says what kind of clue it is: X5, Σ7.
_NUMBER = re.compile(r"[^0-9-]?(-?[0-9]+)")
_SIGNS = {(0, 1): ">", (0, -1): "<", (1, 0): "v", (-1, 0): "^"}
_WAYS = {"NE": "↗", "SE": "↘", "SW": "↙", "NW": "↖"}
# Marks with one centre are read as one mark, so a second one stands a little aside.
_ASIDE = {"cell": (0.06, 0.06), "row": (0.0, 0.14), "column": (0.14, 0.0)}
_FEW = 3


class Painter:
    """Draws the marks of rules into lists of items, as a SudokuPad document has them.

    What another painter has drawn `beside` keeps its places.
    """

    def __init__(self, puzzle: Puzzle, beside: Painter | None = None) -> None:
        self.puzzle = puzzle
        self.grid = puzzle.grids[0]
        self.items: dict[str, list[Object]] = {
            key: [] for key in ("lines", "arrows", "underlays", "overlays", "cages")
        }
        self._centres: set[tuple[int, int]] = set(beside._centres) if beside else set()

    def paint(self, rule: Constraint, hue: str = "", *, said: bool = False) -> None:
        """Draw a rule, in a colour of its own if one is named.

        A sentence that is `said` of the drawing says the numbers of the rule and what kind of clue
        it is, so the drawing leaves them out.
        """
        for mark in pictures.marks_of(rule, self.puzzle):
            match mark:
                case pictures.Cage():
                    self._cage(rule, mark, hue, _plain(mark.text) if said else mark.text)
                case pictures.Clue():
                    self._clue(mark, hue, _plain(mark.text) if said else mark.text)
                case pictures.DiagonalClue():
                    self._diagonal(mark, hue)
                case pictures.Note() if not said:
                    self._text((mark.cell.row + 0.18, mark.cell.col + 0.22), mark.text, 14)
                case pictures.Dot() | pictures.Chevron() | pictures.Corner():
                    self._sign(mark, hue)
                case _:
                    self._on_cells(mark, hue)

    def _on_cells(self, mark: pictures.Mark, hue: str) -> None:
        """Draw a mark that covers cells."""
        match mark:
            case pictures.Line():
                self._line(mark, hue or mark.hue)
            case pictures.Arrow():
                points = [_centre(cell) for cell in mark.cells]
                points[0] = _at_edge(*points[:2])
                self._stroke("arrows", points, hue or mark.hue, 0.05)
            case pictures.Shape():
                self._form(mark.cell, mark.form, hue or mark.hue, mark.size)
            case pictures.Pill():
                self._pill(mark.cells, hue or mark.hue)
            case pictures.Shade():
                for cell in dict.fromkeys(mark.cells):
                    self._shade(cell, hue or mark.hue)
            case pictures.Wedges():
                self._shade(mark.cell, hue or "grey")

    def _sign(self, mark: pictures.Dot | pictures.Chevron | pictures.Corner, hue: str) -> None:
        """Draw a mark between cells."""
        if isinstance(mark, pictures.Dot):
            self._dot(mark, hue or mark.ground)
        elif isinstance(mark, pictures.Chevron):
            rows = mark.smaller.row - mark.greater.row
            step = (_signum(rows), _signum(mark.smaller.col - mark.greater.col))
            self._text(_middle(mark.greater, mark.smaller), _SIGNS.get(step, ">"), 24)
        else:
            point = _middle(*dict.fromkeys(mark.cells))
            self._shape(
                "overlays",
                point,
                (0.5, 0.5),
                rounded=True,
                fill=_WHITE,
                border=_BLACK,
                text=mark.text,
                font=16 if len(mark.text) < 4 else 12,
            )

    # Lines

    def _line(self, line: pictures.Line, hue: str) -> None:
        points = [_centre(cell) for cell in line.cells]
        if line.loop:
            points.append(points[0])
        if line.through and len(points) > 1:
            first, last = points[0], points[-1]
            points = [_moved(first, last, -0.5), _moved(last, first, -0.5)]
        self._stroke("arrows" if line.head else "lines", points, hue, line.width)
        if line.bulb:
            self._form(line.cells[0], "circle", hue, 0.74)
        for cell in dict.fromkeys((line.cells[0], line.cells[-1])) if line.ends else ():
            self._form(cell, line.ends or "ring", hue, 0.74, fill=_WHITE)

    def _stroke(self, key: str, points: list[Point], hue: str, width: float) -> None:
        item: Object = {
            "wayPoints": [list(point) for point in points],
            "color": code(hue),
            "thickness": round(width * _PIXELS, 1),
        }
        if key == "arrows":
            item["headLength"] = 0.3
        self._add(key, item)

    # Shapes

    def _form(self, cell: Cell, form: str, hue: str, size: float, fill: str = _NONE) -> None:
        hollow = form in ("ring", "diamond")
        side = size if form != "diamond" else 0.7 * size
        self._shape(
            "overlays" if hollow else "underlays",
            _centre(cell),
            (side, side),
            rounded=form in ("ring", "circle"),
            fill=fill if hollow else code(hue),
            border=code(hue) if hollow else "",
            angle=45 if form == "diamond" else 0,
        )

    def _pill(self, cells: tuple[Cell, ...], hue: str) -> None:
        rows, columns = [cell.row for cell in cells], [cell.col for cell in cells]
        size = (max(columns) - min(columns) + 0.74, max(rows) - min(rows) + 0.74)
        centre = ((min(rows) + max(rows) + 1) / 2, (min(columns) + max(columns) + 1) / 2)
        border = code(hue)
        self._shape("underlays", centre, size, rounded=True, fill=_WHITE, border=border)

    def _shade(self, cell: Cell, hue: str) -> None:
        self._shape("underlays", _centre(cell), (1, 1), fill=code(hue) + _LIGHT)

    def _dot(self, dot: pictures.Dot, hue: str) -> None:
        point = _middle(dot.first, dot.second)
        if hue == "none":
            self._text(point, dot.text, 22)
            return
        fill, border = code(hue), _BLACK
        self._shape("overlays", point, (0.3, 0.3), rounded=True, fill=fill, border=border,
                    text=dot.text)  # fmt: skip

    def _text(self, point: Point, text: str, size: int) -> None:
        self._shape("overlays", point, (0, 0), text=text, font=size)

    def _shape(
        self,
        key: str,
        centre: Point,
        size: tuple[float, float],
        *,
        rounded: bool = False,
        fill: str = "",
        border: str = "",
        text: str = "",
        angle: int = 0,
        font: int = 16,
    ) -> None:
        width, height = size
        item: Object = {"center": list(centre), "width": width, "height": height}
        if rounded:
            item["rounded"] = True
        if fill:
            item["backgroundColor"] = fill
        if border:
            item["borderColor"] = border
        if text:
            item.update(text=text, fontSize=font)
            if fill == _BLACK:
                item["color"] = _WHITE
        if angle:
            item["angle"] = angle
        if item not in self.items[key]:
            self._add(key, {**item, "center": list(self._free(centre))})

    def _free(self, centre: Point) -> Point:
        """A point near a centre where no other mark has its own; the centre itself at best."""
        row, column = centre
        inside = 0 < row < self.grid.rows and 0 < column < self.grid.columns
        between = "row" if row % 1 == 0 else "column" if column % 1 == 0 else "cell"
        aside = _ASIDE[between] if inside else (0.0, 0.0)
        for steps in range(_FEW):
            there = (row + steps * aside[0], column + steps * aside[1])
            if _key(there) not in self._centres:
                self._centres.add(_key(there))
                return there
        return centre

    # Cages, and clues beside the grid

    def _cage(self, rule: Constraint, cage: pictures.Cage, hue: str, text: str) -> None:
        cells = dict.fromkeys(cage.cells)
        item: Object = {"cells": [list(cell) for cell in cells]}
        if text:
            item["value"] = text
        total = getattr(rule, "sum", getattr(rule, "total", None))
        if isinstance(total, int) and text == str(total):  # other numbers are no sums
            item["sum"] = total
        houses = rule.different(self.puzzle)
        item["unique"] = any(set(cage.cells) <= set(group) for group in houses)
        if hue or cage.hue != "ink":
            item["outlineC"] = code(hue or cage.hue)
        self._add("cages", item)

    def _clue(self, clue: pictures.Clue, hue: str, text: str) -> None:
        row, column = _centre(clue.cell)
        away = {"left": (0, -1), "right": (0, 1), "top": (-1, 0), "bottom": (1, 0)}[clue.side]
        # Several clues of one row stand in a queue.
        queue = ((row + n * away[0], column + n * away[1]) for n in count(1))
        self._framed(next(p for p in queue if _key(p) not in self._centres), text, hue)

    def _diagonal(self, clue: pictures.DiagonalClue, hue: str) -> None:
        rows, columns = DIAGONALS[clue.direction]
        row, column = _centre(clue.cell)
        before = (row - rows, column - columns)
        if 0 < before[0] < self.grid.rows and 0 < before[1] < self.grid.columns:
            self._text((row - 0.32, column - 0.28), f"{_WAYS[clue.direction]}{clue.text}", 14)
            return
        self._framed(before, clue.text, hue)
        tail, tip = (_moved(before, (row, column), share) for share in (0.3, 0.6))
        self._stroke("arrows", [tail, tip], "ink", 0.04)

    def _framed(self, point: Point, text: str, hue: str) -> None:
        if hue:
            self._shape("underlays", point, (0.7, 0.7), fill=code(hue), text=text, font=24)
        else:
            self._text(point, text, 24)

    def _add(self, key: str, item: Object) -> None:
        if item not in self.items[key]:
            self.items[key].append(item)


def code(hue: str) -> str:
    """The code of a colour; a black dot is quite black."""
    return _BLACK if hue in ("black", "ink") else colour(hue)


def _key(point: Point) -> tuple[int, int]:
    return round(point[0] * 20), round(point[1] * 20)


def _centre(cell: Cell) -> Point:
    return cell.row + 0.5, cell.col + 0.5


def _middle(*cells: Cell) -> Point:
    row = sum(cell.row + 0.5 for cell in cells) / len(cells)
    return row, sum(cell.col + 0.5 for cell in cells) / len(cells)


def _at_edge(start: Point, end: Point) -> Point:
    """Where a line to another point leaves the circle around its start."""
    rows, columns = end[0] - start[0], end[1] - start[1]
    length = hypot(rows, columns) or 1.0
    return round(start[0] + _EDGE * rows / length, 3), round(start[1] + _EDGE * columns / length, 3)


def _moved(start: Point, end: Point, by: float) -> Point:
    """A point moved towards another one, along a diagonal."""
    rows, columns = _signum(end[0] - start[0]), _signum(end[1] - start[1])
    return start[0] + by * rows, start[1] + by * columns


def _signum(number: float) -> int:
    return (number > 0) - (number < 0)


def _plain(text: str) -> str:
    """The number of a clue, without the sign that says what kind of clue it is."""
    found = _NUMBER.fullmatch(text)
    return found[1] if found else text
