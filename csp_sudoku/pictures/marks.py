"""Marks on cells: shades, shapes, lines, cages. A rule names its marks in its ``picture``.

A mark is plain data, and :meth:`Mark.draw` puts it on a sheet. Marks between cells are in
``signs``, marks outside the grid in ``margin``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from csp_sudoku.cells import Cell, LayerCell
from csp_sudoku.constraints.aspects import Dash, Form
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.logic import And
from csp_sudoku.pictures.outline import outlines
from csp_sudoku.pictures.sheet import UNIT, Sheet
from csp_sudoku.pictures.svg import Point, element, fitted, label, path
from csp_sudoku.puzzle import Puzzle


class Sample(NamedTuple):
    """How the key shows a mark: its form, colour, dashes and text."""

    form: str
    hue: str = "ink"
    dash: Dash = ()
    text: str = ""


class Mark(ABC):
    """A mark of a rule in a picture. A rule may bring marks of its own."""

    @abstractmethod
    def draw(self, sheet: Sheet) -> None:
        """Draw the mark on a sheet."""

    @property
    def sample(self) -> Sample:
        """How the key shows the mark."""
        return Sample("text")


@dataclass(frozen=True)
class Sentence(Mark):
    """A sentence under the picture."""

    text: str

    def draw(self, sheet: Sheet) -> None:
        sheet.sentences.append(self.text)


@dataclass(frozen=True)
class Shade(Mark):
    """Cells on a coloured ground with a thin line around them."""

    cells: tuple[Cell, ...]
    hue: str = "grey"

    def draw(self, sheet: Sheet) -> None:
        again = sheet.free(*(("shade", cell) for cell in self.cells))
        # One path for all, so that holes stay open.
        around = _around(sheet, self.cells, 2 + 4 * again)
        sheet.add(
            "shape",
            element(
                "path",
                class_=f"f-{self.hue} s-{self.hue}",
                d="".join(path(points, closed=True) for points in around),
                fill_rule="evenodd",
                fill_opacity=0.4 if again == 0 else 0.15,
                stroke_width=2,
            ),
        )

    @property
    def sample(self) -> Sample:
        return Sample("patch", self.hue)


@dataclass(frozen=True)
class Shape(Mark):
    """A form in a cell; `size` is a share of the cell."""

    cell: Cell
    form: Form = "circle"
    hue: str = "grey"
    size: float = 0.74

    def draw(self, sheet: Sheet) -> None:
        again = sheet.free(("shape", self.cell))
        side = UNIT * self.size * (0.8**again)
        x, y = sheet.centre(self.cell)
        class_ = f"f-{self.hue}"
        match self.form:
            case "circle":
                drawn = element("circle", class_=class_, cx=x, cy=y, r=side / 2)
            case "ring":
                drawn = element(
                    "circle",
                    class_=f"f-paper s-{self.hue}",
                    cx=x,
                    cy=y,
                    r=side / 2 - 2,
                    stroke_width=4,
                )
            case "square":
                drawn = element(
                    "rect", class_=class_, x=x - side / 2, y=y - side / 2, width=side, height=side
                )
            case "diamond":
                half = side * 0.6
                corners = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]
                drawn = element(
                    "path",
                    class_=f"f-paper s-{self.hue}",
                    d=path(corners, closed=True),
                    stroke_width=4,
                )
        sheet.add("line" if self.form in ("ring", "diamond") else "shape", drawn)

    @property
    def sample(self) -> Sample:
        return Sample(self.form, self.hue)


@dataclass(frozen=True)
class Line(Mark):
    """A line through the centres of cells; `width` and `dash` are shares of a cell.

    `ends` is the form at both ends. `bulb` begins the line with the bulb of a thermometer, `head`
    ends it with the head of an arrow. `through` takes it to the outer corners of its first and last
    cell.
    """

    cells: tuple[Cell, ...]
    hue: str = "grey"
    width: float = 0.16
    dash: Dash = ()
    ends: Form | None = None
    bulb: bool = False
    head: bool = False
    loop: bool = False
    through: bool = False

    def draw(self, sheet: Sheet) -> None:
        points = [sheet.centre(cell) for cell in self.cells]
        steps = [("line", *sorted(step)) for step in pairwise(self.cells)]
        # A line on top of another one is thinner, so that both show.
        again = sheet.free(*steps)
        width = UNIT * self.width * 0.6**again
        if self.bulb:
            sheet.add(
                "line",
                element("circle", class_=f"f-{self.hue}", cx=points[0][0], cy=points[0][1], r=23),
            )
        if self.ends and len(points) > 1:
            points = [
                _shortened(points[1], points[0], _END),
                *points[1:-1],
                _shortened(points[-2], points[-1], _END),
            ]
        if self.through and len(points) > 1:
            points = [
                _shortened(points[1], points[0], -UNIT / 2 * 1.41),
                *points[1:-1],
                _shortened(points[-2], points[-1], -UNIT / 2 * 1.41),
            ]
        if self.head and len(points) > 1:
            sheet.add("line", _head(points[-2], points[-1], self.hue, width))
        if len(points) > 1:
            sheet.add("line", self._stroke(points, width))
        elif not self.bulb and not self.ends:
            sheet.add(
                "line",
                element(
                    "circle",
                    class_=f"f-{self.hue}",
                    cx=points[0][0],
                    cy=points[0][1],
                    r=max(width, 10),
                ),
            )
        for cell in (self.cells[0], self.cells[-1])[: len(self.cells)] if self.ends else ():
            Shape(cell, self.ends or "ring", self.hue).draw(sheet)

    def _stroke(self, points: list[Point], width: float) -> str:
        return element(
            "path",
            class_=f"pen s-{self.hue}",
            d=path(points, closed=self.loop),
            stroke_width=width,
            stroke_dasharray=" ".join(f"{UNIT * part:.0f}" for part in self.dash) or None,
        )

    @property
    def sample(self) -> Sample:
        form = "bulb" if self.bulb else f"line-{self.ends}" if self.ends else "line"
        return Sample("arrow" if self.head else form, self.hue, self.dash)


@dataclass(frozen=True)
class Cage(Mark):
    """A dashed line inside the border of some cells, with a text in the first of them."""

    cells: tuple[Cell, ...]
    text: str = ""
    hue: str = "ink"
    dash: Dash = (0.09, 0.06)

    def draw(self, sheet: Sheet) -> None:
        again = sheet.free(*(("cage", cell) for cell in self.cells))
        inset = min(4.5 + 4 * again, 24)
        for points in _around(sheet, self.cells, inset):
            sheet.add(
                "cage",
                element(
                    "path",
                    class_=f"rule s-{self.hue}",
                    d=path(points, closed=True),
                    stroke_width=1.5 if self.hue == "ink" else 2.4,
                    stroke_dasharray=" ".join(f"{UNIT * part:.0f}" for part in self.dash) or None,
                ),
            )
        if self.text:
            Note(min(self.cells), self.text, clear=True).draw(sheet)

    @property
    def sample(self) -> Sample:
        return Sample("cage", self.hue, self.dash)


@dataclass(frozen=True)
class Note(Mark):
    """A small text in the upper left corner of a cell; further ones stand below.

    `clear` hides the lines under it.
    """

    cell: Cell
    text: str
    clear: bool = False

    def draw(self, sheet: Sheet) -> None:
        again = sheet.free(("note", self.cell))
        size = fitted(self.text, 15, UNIT - 8)
        left, top = sheet.corner(self.cell)
        width = len(self.text) * size * 0.58 + 3
        y = top + 3 + 14 * again
        if self.clear:
            ground = element("rect", class_="f-paper", x=left + 3, y=y, width=width, height=14)
            sheet.add("cage", ground)
        point = (left + 4.5, y + 7)
        sheet.add("digit", label(self.text, point, size, "f-ink", anchor="start"))


@dataclass(frozen=True)
class Pill(Mark):
    """A rounded frame around cells, such as the number of a pill arrow."""

    cells: tuple[Cell, ...]
    hue: str = "grey"

    def draw(self, sheet: Sheet) -> None:
        points = [sheet.centre(cell) for cell in self.cells]
        if len(points) == 1:
            points *= 2
        for class_, width in ((f"s-{self.hue}", 0.74 * UNIT), ("s-paper", 0.74 * UNIT - 8)):
            sheet.add(
                "line",
                element("path", class_=f"pen {class_}", d=path(points), stroke_width=width),
            )

    @property
    def sample(self) -> Sample:
        return Sample("line-ring", self.hue)


@dataclass(frozen=True)
class Arrow(Mark):
    """A thin arrow that begins at the edge of a circle or pill in its first cell."""

    cells: tuple[Cell, ...]
    hue: str = "grey"
    dash: Dash = ()

    def draw(self, sheet: Sheet) -> None:
        points = [sheet.centre(cell) for cell in self.cells]
        if len(points) < 2:
            return
        points[0] = _shortened(points[1], points[0], _END)
        width = 0.07 * UNIT * 0.7 ** sheet.free(*(("line", *sorted(s)) for s in pairwise(points)))
        sheet.add("line", _head(points[-2], points[-1], self.hue, width))
        sheet.add(
            "line",
            element(
                "path",
                class_=f"pen s-{self.hue}",
                d=path(points),
                stroke_width=width,
                stroke_dasharray=" ".join(f"{UNIT * part:.0f}" for part in self.dash) or None,
            ),
        )

    @property
    def sample(self) -> Sample:
        return Sample("arrow", self.hue, self.dash)


def marks_of(rule: Constraint, puzzle: Puzzle) -> list[Mark]:
    """Return the marks of a rule, or its sentence if it has none or is about named variables.

    Examples
    --------
    >>> from csp_sudoku import AntiKnight, Palindrome, Puzzle
    >>> puzzle = Puzzle.blank(4)
    >>> marks_of(Palindrome("R1C1-R1C2"), puzzle)[0].cells
    (R1C1, R1C2)
    >>> marks_of(AntiKnight(), puzzle)[0].text
    "Cells a knight's move apart hold different values."
    """
    # The parts of an "and" are drawn or written one by one.
    drawn = (Cell, LayerCell) if rule.draws_layers else Cell
    if not isinstance(rule, And) and not all(
        isinstance(place, drawn) or place == rule.unknown for place in rule.scope(puzzle)
    ):
        return [sentence(rule, puzzle)]
    return list(rule.picture(puzzle)) or [sentence(rule, puzzle)]


def sentence(rule: Constraint, puzzle: Puzzle) -> Sentence:
    """Return the sentence that is written under a picture for a rule."""
    said = rule.describe(puzzle)
    # A cell or a named variable at the beginning is a capital already; layers keep their names.
    is_layer = ":R" in said.split(" ", 1)[0]
    return Sentence(f"{said[:1] if is_layer else said[:1].upper()}{said[1:]}.")


# The distance from the centre of a cell to the edge of a circle in it.
_END = UNIT * 0.37


def _around(sheet: Sheet, cells: tuple[Cell, ...], inset: float) -> list[list[Point]]:
    return list(outlines(cells, sheet.corner, UNIT, inset))


def _shortened(start: Point, end: Point, less: float) -> Point:
    """Return the end of a segment, moved by `less` towards its start."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    if length == 0:
        return end
    share = less / length
    return end[0] + (start[0] - end[0]) * share, end[1] + (start[1] - end[1]) * share


def _head(before: Point, tip: Point, hue: str, width: float) -> str:
    """Draw the head of an arrow: two strokes that meet at its tip."""
    length = hypot(tip[0] - before[0], tip[1] - before[1]) or 1
    x, y = (tip[0] - before[0]) / length, (tip[1] - before[1]) / length
    size = 0.2 * UNIT
    wings = [(tip[0] - size * (x + side * y), tip[1] - size * (y - side * x)) for side in (1, -1)]
    return element(
        "path",
        class_=f"pen s-{hue}",
        d=path([wings[0], tip, wings[1]]),
        stroke_width=width,
    )
