"""Draw the board itself: cells, borders, digits, pencil marks and highlighted cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil, sqrt

from csp_sudoku.cells import Cell, Place
from csp_sudoku.pictures.highlight import Highlight
from csp_sudoku.pictures.sheet import UNIT, Sheet
from csp_sudoku.pictures.svg import Point, element, fitted, label, number, path
from csp_sudoku.pictures.terminal import regions

Candidates = Mapping[Place, Iterable[int]]


def draw_frame(sheet: Sheet) -> None:
    """Draw thin lines around cells and thick ones around regions and grids."""
    cells = set(sheet.puzzle.cells)
    region = regions(sheet.puzzle)
    thin: list[str] = []
    thick: list[str] = []
    for cell in sheet.puzzle.cells:
        left, top = sheet.corner(cell)
        for beside, ends in (
            (Cell(cell.row - 1, cell.col), ((left, top), (left + UNIT, top))),
            (Cell(cell.row, cell.col - 1), ((left, top), (left, top + UNIT))),
            (Cell(cell.row + 1, cell.col), ((left, top + UNIT), (left + UNIT, top + UNIT))),
            (Cell(cell.row, cell.col + 1), ((left + UNIT, top), (left + UNIT, top + UNIT))),
        ):
            if beside in cells and beside > cell:
                continue  # drawn from the other side
            same = beside in cells and region[beside] == region[cell]
            (thin if same else thick).append(_segment(*ends))
    ground = [path(_corners(sheet, cell), closed=True) for cell in sheet.puzzle.cells]
    sheet.add("shade", element("path", class_="f-paper", d="".join(ground)))
    # Cells of large grids are small; thicker borders keep the regions in sight.
    border = 3.6 + 0.07 * max(0, len(sheet.columns) - 16)
    for layer, segments, role, width in (
        ("grid", thin, "thin", 1.2),
        ("border", thick, "ink", border),
    ):
        if segments:
            sheet.add(
                layer,
                element(
                    "path",
                    class_=f"rule s-{role}",
                    d="".join(segments),
                    stroke_width=width,
                    stroke_linecap="square",
                ),
            )


def draw_digits(
    sheet: Sheet, values: Mapping[Place, int], candidates: Candidates, highlight: Highlight
) -> None:
    """Draw givens, found values and pencil marks."""
    givens = sheet.puzzle.givens
    for cell in sheet.puzzle.cells:
        value = values.get(cell)
        if value is None and cell in highlight.placed:
            _digit(sheet, cell, highlight.placed[cell], "f-found bold")
        elif value is not None:
            given = givens.get(cell) == value
            _digit(sheet, cell, value, "f-ink" if given else "f-found")
        elif cell in candidates:
            _pencil(sheet, cell, tuple(candidates[cell]), highlight)


def draw_highlight(sheet: Sheet, highlight: Highlight) -> None:
    """Colour the cells of a step or of a clash."""
    for role, cells in (
        ("lit", highlight.cells),
        ("clash", highlight.broken),
        ("placed", highlight.placed),
    ):
        for cell in sorted(cells):
            left, top = sheet.corner(cell)
            sheet.add(
                "light",
                element(
                    "rect",
                    class_=f"f-{role}",
                    x=left,
                    y=top,
                    width=UNIT,
                    height=UNIT,
                ),
            )
            if role == "clash":  # it must show without colours, too
                points = [
                    (left + 5, top + 5),
                    (left + UNIT - 5, top + 5),
                    (left + UNIT - 5, top + UNIT - 5),
                    (left + 5, top + UNIT - 5),
                ]
                sheet.add(
                    "cage",
                    element(
                        "path",
                        class_="pen s-strike",
                        d=path(points, closed=True),
                        stroke_width=2.5,
                    ),
                )


def _digit(sheet: Sheet, cell: Cell, value: int, class_: str) -> None:
    text = str(value)
    x, y = sheet.centre(cell)
    sheet.add("digit", label(text, (x, y), fitted(text, 40, 54), class_))


def _pencil(sheet: Sheet, cell: Cell, left: tuple[int, ...], highlight: Highlight) -> None:
    """Draw every candidate at its own place in the cell, so that missing ones show."""
    everything = sheet.puzzle.values_of(cell)
    if not left:
        x, y = sheet.centre(cell)
        sheet.add("digit", label("∅", (x, y), 34, "f-strike"))
        return
    side = ceil(sqrt(len(everything)))
    rows = ceil(len(everything) / side)
    # Notes in the corner come first.
    top = 5 + min(12 * sheet.taken(("note", cell)), UNIT / 2)
    step_x, step_y = (UNIT - 10) / side, (UNIT - top - 5) / rows
    x0, y0 = sheet.corner(cell)
    widest = max(len(str(value)) for value in everything)
    size = fitted("8" * widest, min(17, 0.95 * step_y), 0.95 * step_x)
    for i, value in enumerate(everything):
        if value not in left and (cell, value) not in highlight.eliminated:
            continue
        point = (x0 + 5 + (i % side + 0.5) * step_x, y0 + top + (i // side + 0.5) * step_y)
        gone = (cell, value) in highlight.eliminated
        sheet.add("digit", label(str(value), point, size, "f-strike bold" if gone else "f-pencil"))
        if gone:
            reach = size * 0.5
            line = [
                (point[0] - reach, point[1] + reach * 0.7),
                (point[0] + reach, point[1] - reach * 0.7),
            ]
            sheet.add(
                "digit",
                element("path", class_="pen s-strike", d=path(line), stroke_width=1.6),
            )


def _corners(sheet: Sheet, cell: Cell) -> list[Point]:
    left, top = sheet.corner(cell)
    return [(left, top), (left + UNIT, top), (left + UNIT, top + UNIT), (left, top + UNIT)]


def _segment(start: Point, end: Point) -> str:
    """Return a piece of a path along one axis."""
    begin = f"M{number(start[0])} {number(start[1])}"
    return begin + (f"H{number(end[0])}" if start[1] == end[1] else f"V{number(end[1])}")
