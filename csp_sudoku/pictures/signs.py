"""Marks between cells: dots, letters, inequality signs, quadruples, wedges around extremes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from csp_sudoku.cells import SIDES, Cell
from csp_sudoku.pictures.marks import Mark, Sample
from csp_sudoku.pictures.sheet import UNIT, Sheet
from csp_sudoku.pictures.svg import Point, element, fitted, label, path

Ground = Literal["white", "black", "none"]


@dataclass(frozen=True)
class Dot(Mark):
    """A text between two cells, in a white dot, in a black dot or without a dot.

    If the cells do not touch, a thin line joins them.
    """

    first: Cell
    second: Cell
    text: str = ""
    ground: Ground = "white"

    def draw(self, sheet: Sheet) -> None:
        x, y = _between(sheet, self.first, self.second)
        wide = len(self.text) > 1
        radius = 8.5 if self.text else 7.5
        half = max(radius, 4.2 * len(self.text)) if wide else radius
        fill, ink = {
            "white": ("f-white s-ink", "f-black"),
            "black": ("f-black s-ink", "f-white"),
            "none": ("f-paper", "f-ink"),
        }[self.ground]
        sheet.add(
            "sign",
            element(
                "rect",
                class_=fill,
                x=x - half,
                y=y - radius,
                width=2 * half,
                height=2 * radius,
                rx=radius,
                stroke_width=None if self.ground == "none" else 1.6,
            ),
        )
        if self.text:
            size = fitted(self.text, 15 if self.ground == "none" else 12, 2 * half)
            sheet.add("sign", label(self.text, (x, y), size, f"{ink} bold"))

    @property
    def sample(self) -> Sample:
        form = {"white": "dot", "black": "black", "none": "text"}[self.ground]
        return Sample(form, text=self.text if self.ground == "none" else "")


@dataclass(frozen=True)
class Chevron(Mark):
    """An inequality sign: its tip points from the greater cell to the smaller one."""

    greater: Cell
    smaller: Cell

    def draw(self, sheet: Sheet) -> None:
        if self.greater == self.smaller:
            Dot(self.greater, self.smaller, ">", "none").draw(sheet)
            return
        point = _between(sheet, self.greater, self.smaller)
        start, end = sheet.centre(self.greater), sheet.centre(self.smaller)
        sheet.add("sign", _wedge(point, (end[0] - start[0], end[1] - start[1]), 7))

    @property
    def sample(self) -> Sample:
        return Sample("chevron")


@dataclass(frozen=True)
class Wedges(Mark):
    """Four wedges at the sides of a cell: outward around a maximum, inward around a minimum."""

    cell: Cell
    outward: bool

    def draw(self, sheet: Sheet) -> None:
        x, y = sheet.centre(self.cell)
        left, top = sheet.corner(self.cell)
        sheet.add(
            "shade",
            element("rect", class_="f-soft", x=left, y=top, width=UNIT, height=UNIT),
        )
        way = 1 if self.outward else -1
        inside = set(sheet.puzzle.cells)
        for rows, columns in SIDES:
            if Cell(self.cell.row + rows, self.cell.col + columns) in inside:
                point = (x + columns * 0.42 * UNIT, y + rows * 0.42 * UNIT)
                sheet.add("sign", _wedge(point, (way * columns, way * rows), 4.5))

    @property
    def sample(self) -> Sample:
        return Sample("outward" if self.outward else "inward")


@dataclass(frozen=True)
class Corner(Mark):
    """A circle where some cells meet, with values that these cells hold."""

    cells: tuple[Cell, ...]
    text: str

    def draw(self, sheet: Sheet) -> None:
        x, y = sheet.middle(dict.fromkeys(self.cells))
        y += 20 * sheet.free(("corner", round(x), round(y)))
        words = self.text.split()
        half = len(words) if len(words) < 3 else (len(words) + 1) // 2
        rows = [row for row in (words[:half], words[half:]) if row]
        radius = 15.0
        sheet.add(
            "sign",
            element("circle", class_="f-white s-ink", cx=x, cy=y, r=radius, stroke_width=1.4),
        )
        for i, row in enumerate(rows):
            text = " ".join(row)
            size = fitted(text, 13, 1.75 * radius)
            point = (x, y + 12 * (i - (len(rows) - 1) / 2))
            sheet.add("sign", label(text, point, size, "f-black bold"))

    @property
    def sample(self) -> Sample:
        return Sample("dot")


def _between(sheet: Sheet, first: Cell, second: Cell) -> Point:
    """Return the place of a sign for two cells; several signs stand side by side."""
    if first == second:
        left, top = sheet.corner(first)
        again = sheet.free(("self", first))
        return left + UNIT - 13 - 18 * again, top + UNIT - 13
    x, y = sheet.middle((first, second))
    again = sheet.free(("between", round(x), round(y)))
    rows, columns = abs(first.row - second.row), abs(first.col - second.col)
    if rows + columns != 1:
        ends = [sheet.centre(first), sheet.centre(second)]
        sheet.add(
            "cage",
            element(
                "path",
                class_="pen s-pencil",
                d=path(ends),
                stroke_width=1.5,
                stroke_dasharray="2 4",
            ),
        )
        # Not in the centre of a cell, where a digit will stand.
        if rows % 2 == 0 and columns % 2 == 0:
            x, y = x + 18, y - 18
    along = 18 * ((again + 1) // 2) * (1 if again % 2 else -1)
    return (x + along, y) if rows else (x, y + along)


def _wedge(point: Point, way: Point, size: float) -> str:
    length = (way[0] ** 2 + way[1] ** 2) ** 0.5
    x, y = way[0] / length * size, way[1] / length * size
    points = [
        (point[0] - 0.6 * x - y, point[1] - 0.6 * y + x),
        (point[0] + 0.6 * x, point[1] + 0.6 * y),
        (point[0] - 0.6 * x + y, point[1] - 0.6 * y - x),
    ]
    return element("path", class_="pen s-ink", d=path(points), stroke_width=2.6)
