"""Clues outside the grid, beside their row or column; several of one row stand in a queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from csp_sudoku.cells import DIAGONALS, Cell
from csp_sudoku.pictures.marks import Mark, Note, Sample
from csp_sudoku.pictures.sheet import UNIT, ClueSpot, Sheet
from csp_sudoku.pictures.svg import DIGIT, Point, element, fitted, label, path

Side = Literal["left", "right", "top", "bottom"]
Frame = Literal["none", "square", "circle", "tower", "pill", "dashed"]

_SIZE = 23.0
# The names of rows and columns, and the room for them.
_NAME_SIZE, _NAME_ROOM = 17.0, 30.0


@dataclass(frozen=True)
class Clue(Mark):
    """A text beside a row or column; each kind of clue has its own frame."""

    side: Side
    cell: Cell
    text: str
    frame: Frame = "none"

    def draw(self, sheet: Sheet) -> None:
        index = self.cell.row if self.side in ("left", "right") else self.cell.col
        sheet.clues.append(ClueSpot(self.side, index, self.text, self.frame, None))

    @property
    def sample(self) -> Sample:
        return Sample(f"clue-{self.frame}", text=self.text)


@dataclass(frozen=True)
class DiagonalClue(Mark):
    """A text with a small arrow, for a diagonal that begins in a cell at the edge."""

    cell: Cell
    direction: str
    text: str

    def draw(self, sheet: Sheet) -> None:
        rows, columns = DIAGONALS[self.direction]
        row, column = self.cell.row - rows, self.cell.col - columns
        inside = set(sheet.puzzle.cells)
        if Cell(row, column) in inside:
            sign = {"NE": "↗", "SE": "↘", "SW": "↙", "NW": "↖"}[self.direction]
            Note(self.cell, f"{sign}{self.text}").draw(sheet)
            return
        side, index = _side(sheet, row, column)
        sheet.clues.append(ClueSpot(side, index, self.text, "none", self.direction))

    @property
    def sample(self) -> Sample:
        return Sample("arrow", "pencil")


class Margins(NamedTuple):
    """The room that the clues take on each side."""

    left: float
    right: float
    top: float
    bottom: float


def lay_out(sheet: Sheet) -> Margins:
    """Draw the clues of a sheet and return the room that they take."""
    margins = dict.fromkeys(("left", "right", "top", "bottom"), 0.0)
    for side in margins:
        rings = _rings([spot for spot in sheet.clues if spot.side == side])
        reach = 0.0
        for ring in rings:
            depth = _depth(side, ring)
            for spots in ring.values():
                _draw(sheet, side, spots, reach, depth)
            reach += depth
        margins[side] = reach
    # The clue of a diagonal may stand in a corner, beyond the first or last row or column.
    for spot in sheet.clues:
        if spot.direction is not None:
            first, last, before, after = (
                (sheet.columns[0], sheet.columns[-1], "left", "right")
                if spot.side in ("top", "bottom")
                else (sheet.rows[0], sheet.rows[-1], "top", "bottom")
            )
            if spot.line < first:
                margins[before] = max(margins[before], UNIT * 0.8)
            elif spot.line > last:
                margins[after] = max(margins[after], UNIT * 0.8)
    return Margins(**margins)


def name_lines(sheet: Sheet, margins: Margins) -> Margins:
    """Name the rows and columns, beyond their clues; return the room that is taken now."""
    for side, letter, indices, away in (
        ("left", "R", {cell.row for cell in sheet.puzzle.cells}, margins.left),
        ("top", "C", {cell.col for cell in sheet.puzzle.cells}, margins.top),
    ):
        for index in sorted(indices):
            name = f"{letter}{index + 1}"
            point = _centre(sheet, side, index, away + _NAME_ROOM / 2)
            size = fitted(name, _NAME_SIZE, _NAME_ROOM)
            sheet.add("margin", label(name, point, size, "f-pencil"))
    return margins._replace(left=margins.left + _NAME_ROOM, top=margins.top + _NAME_ROOM)


def _rings(spots: list[ClueSpot]) -> list[dict[int, list[ClueSpot]]]:
    """Sort clues by their distance from the grid; those of diagonals point at it and go first."""
    rings: list[dict[int, list[ClueSpot]]] = []
    for spot in sorted(spots, key=lambda spot: spot.direction is None):
        for ring in rings:
            there = ring.get(spot.line)
            if there is None or _share(there, spot):
                ring.setdefault(spot.line, []).append(spot)
                break
        else:
            rings.append({spot.line: [spot]})
    return rings


def _share(there: list[ClueSpot], spot: ClueSpot) -> bool:
    """Whether a clue fits beside another one: two diagonals may go to different corners."""
    return (
        spot.direction is not None
        and len(there) == 1
        and there[0].direction not in (None, spot.direction)
    )


def _depth(side: str, ring: dict[int, list[ClueSpot]]) -> float:
    pointing = any(spot.direction for spots in ring.values() for spot in spots)
    if side in ("top", "bottom"):
        return UNIT * (0.8 if pointing else 0.62)
    longest = max(len(spot.text) for spots in ring.values() for spot in spots)
    room = longest * _SIZE * DIGIT + (22 if pointing else 12)
    return max(UNIT * (0.8 if pointing else 0.62), room)


def _draw(sheet: Sheet, side: str, spots: list[ClueSpot], reach: float, depth: float) -> None:
    """Draw the clues of one place at a distance from the grid."""
    point = _centre(sheet, side, spots[0].line, reach + depth / 2)
    for spot in spots:
        if spot.direction is None:
            room = UNIT if side in ("top", "bottom") else depth
            sheet.add("margin", framed(spot.text, spot.frame, point, room))
        else:
            _pointing(sheet, spot, point, depth, alone=len(spots) == 1)


def framed(text: str, frame: str, point: Point, room: float, scale: float = 1.0) -> str:
    """Draw a clue in its frame."""
    size = fitted(text, _SIZE * scale, room - 14 * scale)
    x, y = point
    high = 13 * scale
    half = max(high, len(text) * size * DIGIT / 2 + 4 * scale)
    drawn = ""
    class_, width = "s-pencil f-paper", 1.3 * scale
    if frame in ("square", "dashed", "pill", "circle"):
        drawn = element(
            "rect",
            class_=class_,
            x=x - half,
            y=y - high,
            width=2 * half,
            height=2 * high,
            rx={"circle": high, "pill": 0.5 * high}.get(frame),
            stroke_width=width,
            stroke_dasharray="3 3" if frame == "dashed" else None,
        )
    elif frame == "tower":
        walls = [(x + side * half, y + end * high) for side, end in ((-1, 1), (-1, -0.7))]
        walls += [(x, y - 1.4 * high), (x + half, y - 0.7 * high), (x + half, y + high)]
        drawn = element("path", class_=class_, d=path(walls, closed=True), stroke_width=width)
    return drawn + label(text, point, size, "f-ink")


def _pointing(sheet: Sheet, spot: ClueSpot, point: Point, depth: float, *, alone: bool) -> None:
    """Draw the text, and an arrow to the corner where the diagonal begins."""
    rows, columns = DIAGONALS[spot.direction or "SE"]
    along = spot.side in ("top", "bottom")
    half_width, half_height = (UNIT / 2, depth / 2) if along else (depth / 2, UNIT / 2)
    x, y = point
    tip = (x + columns * (half_width - 3), y + rows * (half_height - 3))
    tail = (tip[0] - columns * 12, tip[1] - rows * 12)
    room = 2 * half_width - 8
    size = fitted(spot.text, _SIZE - 3, room)
    text_at = (x - columns * 4, y - rows * 7)
    if not alone:
        # Each clue keeps to its own half.
        size = fitted(spot.text, 15, room / 2 if along else room)
        shift = (columns * half_width / 2, -rows * 9) if along else (-columns * 6, rows * 14)
        text_at = (x + shift[0], y + shift[1])
    sheet.add("margin", label(spot.text, text_at, size, "f-ink"))
    wings = [(tip[0] - columns * 8, tip[1]), tip, (tip[0], tip[1] - rows * 8)]
    for points in ([tail, tip], wings):
        sheet.add(
            "margin", element("path", class_="pen s-pencil", d=path(points), stroke_width=1.8)
        )


def _centre(sheet: Sheet, side: str, index: int, away: float) -> Point:
    if side in ("left", "right"):
        y = sheet.centre(Cell(index, sheet.columns[0]))[1]
        return (-away if side == "left" else sheet.width + away), y
    x = sheet.centre(Cell(sheet.rows[0], index))[0]
    return x, (-away if side == "top" else sheet.height + away)


def _side(sheet: Sheet, row: int, column: int) -> tuple[Side, int]:
    """Return the side of a place outside the grid, and its row or column there."""
    if row < sheet.rows[0]:
        return "top", column
    if row > sheet.rows[-1]:
        return "bottom", column
    return ("left" if column < sheet.columns[0] else "right"), row
