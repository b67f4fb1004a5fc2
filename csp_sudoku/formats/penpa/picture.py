"""The picture on a penpa board: where its points lie, and what its entries draw.

A board numbers its points: first the centres of all cells, row by row, with two more cells on
every side, then their lower right corners, their lower and their right edges, four points in the
corners of each cell, and four near its edges.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, gcd
from typing import Any

from csp_sudoku.cells import Cell
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import loose
from csp_sudoku.formats.loose import Object
from csp_sudoku.formats.reading import Collector
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.understanding.canvas import Canvas, Outline, Point, Shape, Stroke
from csp_sudoku.understanding.colours import names_of, rgba

_NUMBER = re.compile(r"([0-9]{1,6})E?", re.ASCII)
_RGBA = re.compile(
    r"rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,\s*([\d.]{1,9})\s*)?\)"
)
# No picture has so many entries of a kind.
_MOST = 5_000

_CENTRE, _CORNER = 0, 1
# Where the points of a cell lie in it, by the number of its kind.
_PLACES = ((0.5, 0.5), (1, 1), (1, 0.5), (0.5, 1))
_QUARTERS = ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75))
_COMPASS = ((0.2, 0.5), (0.5, 0.8), (0.5, 0.2), (0.8, 0.5))

_BLACK, _WHITE, _GREY, _LIGHT, _PALE = "#000000", "#ffffff", "#999999", "#b3b3b3", "#cccccc"
_CLEAR = "#ffffff00"
_SURFACES = dict(enumerate(
    "#444444 #b3ffb3 #cccccc #000000 #c0e0ff #ffa3a3 #ffffa3 #999999 #ffb3ff #ffcc80 #cc99ff "
    "#eecab1 #ff670099".split(), 1))  # fmt: skip
# Lines by their style. Double and short lines, and crosses, are not among them.
_LINES = {
    2: _BLACK, 21: _BLACK, 3: "#208020", 4: _BLACK, 5: _GREY, 6: _GREY, 8: "#ff0000", 9: "#187bcd",
    12: "#444444", 13: _BLACK, 14: "#777777", 80: _BLACK,
}  # fmt: skip
_HEAVY = (2, 21)
_CAGES = {7: "#777777", 10: _BLACK, 15: "#777777", 16: _BLACK}
# The fill and the border of a symbol by its style, and which of them a colour of its own replaces.
_STYLES = {
    1: (_WHITE, _BLACK, "fill"), 2: (_BLACK, _BLACK, "both"), 3: (_PALE, _CLEAR, "fill"),
    5: (_PALE, _BLACK, "fill"), 6: (_WHITE, _GREY, "fill"), 7: (_WHITE, _CLEAR, "fill"),
    8: (_WHITE, _BLACK, "fill"), 9: (_PALE, _BLACK, "fill"), 10: (_WHITE, _BLACK, "border"),
    11: ("#ff0000", "#ff0000", ""), 12: ("#208020", "#208020", ""), 13: (_CLEAR, _BLACK, "border"),
}  # fmt: skip
# The size of a symbol by its name: the diameter, or the side.
_SIZES = {
    "circle_L": 0.86, "circle_M": 0.7, "circle_S": 0.44, "circle_SS": 0.26,
    "square_LL": 1.0, "square_L": 0.8, "square_M": 0.7, "square_S": 0.44, "square_SS": 0.26,
    "diamond_L": 0.61, "diamond_M": 0.5, "diamond_S": 0.31, "diamond_SS": 0.18,
}  # fmt: skip
_ARROW = re.compile(r"arrow_([BN]_[BGW]|S|Short)")
_ARROWS, _TURNS = "←↖↑↗→↘↓↙", "↑←→↓↖↗↙↘"
_SIGNS = "<^>v"
# The cells that the pill of an arrow reaches beyond its own, as rows and columns.
_PILLS = {1: (0, 1), 2: (1, 0), 3: (0, 2), 4: (2, 0), 5: (0, 0)}
# The circle under a number, by its colour: all others have none. Its diameter, by the style.
_DISCS = {6: (_WHITE, _BLACK), 7: (_BLACK, _BLACK), 11: ("#ff0000", "#ff0000")}
_DISC_SIZES = {"1": 0.84, "2": 0.84, "4": 0.6, "5": 0.34, "6": 0.5, "7": 0.84, "10": 0.72}
_INK = (1, 5)
_ASIDE = 0.06

# The ends of the sides of a cell, by the step over the side, and of the joints between two cells:
# first those above or left of the step, then those below or right of it.
_SIDES = {(-1, 0): (0, 1), (0, -1): (0, 2), (0, 1): (1, 3), (1, 0): (2, 3)}
_JOINTS = {(0, 1): ((1, 0), (3, 2)), (1, 0): ((2, 0), (3, 1))}
# Kinds whose entries are lists of points.
_LISTED = ("thermo", "nobulbthermo", "arrows", "direction")

_READ = {
    *"surface number numberS symbol thermo nobulbthermo arrows direction line freeline".split()
}
_READ |= {*"lineE freelineE cage killercages command_redo command_undo command_replay".split()}


@dataclass(frozen=True)
class Board:
    """A board with a grid in it: the sides of the board, the corner of the grid, its size."""

    width: int
    height: int
    top: int
    left: int
    rows: int
    columns: int

    def has(self, cell: Cell) -> bool:
        """Whether a cell lies in the grid."""
        return 0 <= cell.row < self.rows and 0 <= cell.col < self.columns

    def point(self, value: object) -> tuple[int, Point]:
        """The kind of a point, and where it lies on the grid.

        Examples
        --------
        >>> Board(8, 8, top=2, left=2, rows=4, columns=4).point("18")
        (0, (0.5, 0.5))
        """
        found = _NUMBER.fullmatch(str(value)) if isinstance(value, str | int) else None
        size = self.width * self.height
        if not found or int(found[1]) >= 12 * size:
            raise FormatError(f"{shown(value)} is not a point of the board")
        number = int(found[1])
        kind, cell = divmod(number, size)
        place = _PLACES[min(kind, 3)]
        if kind > 3:
            kind, (cell, quarter) = (4, divmod(number - 4 * size, 4))
            place = _QUARTERS[quarter]
            if cell >= size:
                kind, cell, place = 5, cell - size, _COMPASS[quarter]
        row, column = divmod(cell, self.width)
        return kind, (row - self.top + place[0], column - self.left + place[1])

    def cell(self, value: object) -> Cell | None:
        """The cell of the grid whose centre a point is; None for other points."""
        try:
            kind, point = self.point(value)
        except FormatError:
            return None
        cell = Cell(floor(point[0]), floor(point[1]))
        return cell if kind == _CENTRE and self.has(cell) else None

    def borders(self, layer: Layer) -> Iterator[frozenset[Cell]]:
        """The pairs of cells of the grid that heavy lines part."""
        for key, style, colour in layer.items("lineE", "freelineE"):
            for pair in self._parted(key) if _is_border(style, colour) else ():
                if all(map(self.has, pair)):
                    yield frozenset(pair)

    def frames(self, key: str) -> bool:
        """Whether a line lies along the sides of cells of the grid."""
        parted = self._parted(key)
        return bool(parted) and all(any(map(self.has, pair)) for pair in parted)

    def _parted(self, key: str) -> list[tuple[Cell, Cell]]:
        """The pairs of cells that a line from corner to corner parts; none of another line."""
        found = []
        for (kind, start), (other, end) in self.steps(key):
            row, column = round(min(start[0], end[0])), round(min(start[1], end[1]))
            across = (abs(start[0] - end[0]), abs(start[1] - end[1]))
            if (kind, other) != (_CORNER, _CORNER) or sorted(across) != [0, 1]:
                return []
            beside = Cell(row, column - 1) if across[0] else Cell(row - 1, column)
            found.append((beside, Cell(row, column)))
        return found

    def steps(self, key: str) -> list[tuple[tuple[int, Point], tuple[int, Point]]]:
        """A line from point to point, cut where it goes through points of their kind."""
        ends = key.split(",")
        if len(ends) != 2:
            raise FormatError(f"{shown(key)} is not a line from point to point")
        (kind, start), (other, end) = map(self.point, ends)
        rows, columns = end[0] - start[0], end[1] - start[1]
        parts = gcd(round(rows), round(columns)) if kind == other in (_CENTRE, _CORNER) else 1
        if not rows and not columns:
            raise FormatError("a line without a length")
        on_it = [
            (kind, (start[0] + i * rows / parts, start[1] + i * columns / parts))
            for i in range(parts)
        ]
        return list(pairwise([*on_it, (other, end)]))


@dataclass(frozen=True)
class Layer:
    """A layer of a picture, and the colours that its author has chosen."""

    parts: Object
    colours: Object

    def items(self, *names: str) -> Iterator[tuple[str, Any, str]]:
        """The entries of some kinds: the key, the entry, and its own colour if it has one."""
        for name in names:
            entries = _by_key(self.parts.get(name))
            colours = _by_key(self.colours.get(name))
            if len(entries) > _MOST:
                raise FormatError(f"{len(entries):,} {name}: no picture has more than {_MOST:,}")
            for key, entry in entries.items():
                if not loose.is_empty(entry):
                    yield key, entry, _colour(colours.get(key))


def _by_key(value: object) -> Object:
    if isinstance(value, list):
        return {str(number): item for number, item in enumerate(value)}
    return loose.mapping({} if loose.is_empty(value) else value)


def _colour(value: object) -> str:
    """A colour that was chosen, as the pictures have it; empty if there is none."""
    if loose.is_empty(value):
        return ""
    found = _RGBA.fullmatch(str(value))
    if found:
        share = min(1.0, float(found[4])) if found[4] and found[4].count(".") < 2 else 1.0
        parts = [*(min(255, int(part)) for part in found.groups()[:3]), round(255 * share)]
        return "#" + "".join(f"{part:02x}" for part in parts)
    # What is no colour has no name, so that no sentence speaks of it.
    return value if isinstance(value, str) and rgba(value) else "?"


def _is_border(style: object, colour: str) -> bool:
    return style in _HEAVY and (not colour or "black" in names_of(colour))


def digits_of(marks: object) -> list[str]:
    """The candidates of a cell, which are stored as a list with a 1 for each."""
    if not isinstance(marks, list):
        return []
    return [str(number) for number, mark in enumerate(marks, 1) if mark == 1]


class Picture:
    """Reads the question of a document into a canvas and givens, and lists what is not known."""

    def __init__(self, board: Board, layer: Layer, collector: Collector) -> None:
        self.board = board
        self.layer = layer
        self.collector = collector
        self.givens: dict[Cell, int] = {}
        self._strokes: list[Stroke] = []
        self._shapes: dict[Point, Shape] = {}
        self._texts: dict[Point, str] = defaultdict(str)
        self._inks: set[int] = set()
        self._sums: set[str] = set()
        self._line_colours: set[tuple[int, str]] = set()

    def canvas(self) -> Canvas:
        """All that is drawn."""
        for name, part in self.layer.parts.items():
            if name not in _READ and not loose.is_empty(part):
                self.collector.leave_out(
                    "drawing", shown(name), "penpa draws it, and it is not read"
                )
        outlines = self._cages()
        for name, draw in (
            ("surface", self._surface),
            ("thermo", self._thermometer),
            ("nobulbthermo", self._path),
            ("arrows", self._arrow),
            ("direction", self._direction),
            ("number", self._number),
            ("numberS", self._small_number),
            ("symbol", self._symbol),
        ):
            for key, entry, colour in self.layer.items(name):
                with self.collector.at(self._where(name, key, entry), "drawing"):
                    draw(key, entry, colour)
        self._lines()
        self._check_kinds()
        texts = tuple(Shape(point, text=text) for point, text in self._texts.items())
        return Canvas(
            self.board.rows,
            self.board.columns,
            tuple(self._strokes),
            (*self._shapes.values(), *texts),
            tuple(outlines),
        )

    def _where(self, name: str, key: str, entry: object) -> str:
        """What a message calls an entry: its kind, and the cells that it touches."""
        start = entry[0] if name in _LISTED and isinstance(entry, list) and entry else key
        try:
            _, (row, column) = self.board.point(start)
        except FormatError:
            return name
        cells = dict.fromkeys(
            Cell(floor(row + r), floor(column + c)) for r in (-0.01, 0.01) for c in (-0.01, 0.01)
        )
        return f"{name} at {' '.join(map(str, cells))}"

    def _draw(self, shape: Shape) -> None:
        if self._shapes.setdefault(shape.centre, shape) != shape:
            raise FormatError("something else is drawn at the same place")

    # Cells and lines

    def _surface(self, key: str, entry: Any, colour: str) -> None:
        if type(entry) is not int or entry not in _SURFACES:
            raise FormatError(f"{shown(entry)} is not a known colour of a cell")
        row, column = self._centre(key)
        # Marks with one centre are read as one mark, so a shade stands a little aside.
        place = (row + _ASIDE, column + _ASIDE)
        self._draw(Shape(place, 1, 1, fill=colour or _SURFACES[entry]))

    def _thermometer(self, key: str, entry: Any, colour: str) -> None:
        points = self._points(entry)
        self._draw(Shape(points[0], 0.8, 0.8, round=True, fill=colour or _PALE))
        self._strokes.append(Stroke(points, colour or _PALE))

    def _path(self, key: str, entry: Any, colour: str) -> None:
        self._strokes.append(Stroke(self._points(entry), colour or _PALE))

    def _arrow(self, key: str, entry: Any, colour: str) -> None:
        points = self._points(entry)
        ring = Shape(points[0], 0.8, 0.8, round=True, fill=_WHITE, border=colour or _LIGHT)
        self._draw(ring)
        self._strokes.append(Stroke(points, colour or _LIGHT, head=True))

    def _direction(self, key: str, entry: Any, colour: str) -> None:
        self._strokes.append(Stroke(self._points(entry), colour or _LIGHT, head=True))

    def _points(self, entry: Any) -> tuple[Point, ...]:
        points = tuple(self.board.point(number)[1] for number in loose.bounded(entry))
        if len(points) < 2:
            raise FormatError("a line of fewer than two points")
        return points

    def _centre(self, key: str) -> Point:
        kind, point = self.board.point(key)
        if kind != _CENTRE:
            raise FormatError("this is not the centre of a cell")
        return point

    def _lines(self) -> None:
        """Join the pieces of lines: penpa stores each step from cell to cell by itself."""
        pieces: dict[tuple[bool, int, str, float], list[tuple[Point, Point]]] = defaultdict(list)
        for name in ("line", "freeline", "lineE", "freelineE"):
            for key, style, colour in self.layer.items(name):
                along = name.endswith("E")
                with self.collector.at(self._where(name, key.partition(",")[0], None), "drawing"):
                    if along and _is_border(style, colour) and self.board.frames(key):
                        continue
                    if type(style) is not int or style not in _LINES:
                        raise FormatError(f"{shown(style)} is not a known style of a line")
                    for (_, start), (_, end) in self.board.steps(key):
                        # Lines on the corners of cells go straight on where they cross.
                        slope = (end[0] - start[0]) * (end[1] - start[1]) if along else 0
                        pieces[along, style, colour or _LINES[style], slope].append((start, end))
        self._line_colours = {(style, colour) for along, style, colour, _ in pieces if not along}
        for (_, _, colour, _), steps in pieces.items():
            with self.collector.at("line", "drawing"):
                self._strokes += [Stroke(points, colour) for points in _joined(steps)]

    def _check_kinds(self) -> None:
        """Refuse what differs only in a way that sentences about colours do not tell apart."""
        kinds = [(str(style), colour) for style, colour in self._line_colours]
        kinds += [
            ("thermo", colour or _PALE)
            for _, _, colour in self.layer.items("thermo", "nobulbthermo")
        ]
        for style, colour in kinds:
            for other, same in kinds:
                if style < other and names_of(colour) & names_of(same):
                    self.collector.leave_out(
                        "drawing",
                        "line",
                        f"lines of two kinds have the colours {colour} and {same}",
                    )
        if len(self._inks) > 1:
            self.collector.leave_out("drawing", "number", "clues are written in several colours")

    # Cages

    def _cages(self) -> list[Outline]:
        """The cages, from the pieces of their outlines; drawn again they give the same pieces."""
        with self.collector.at("cage", "drawing"):
            drawn = {}
            for key, style, colour in self.layer.items("cage"):
                if type(style) is not int or style not in _CAGES:
                    raise FormatError(f"{shown(style)} is not a known style of a cage")
                drawn[key] = colour or _CAGES[style]
            cages = self._enclosed(drawn)
            if set(drawn) != {key for cage in cages for key in self._outline(cage)}:
                raise FormatError("the outlines of the cages are not closed")
            for _, cells, _ in self.layer.items("killercages"):
                stated = {self.board.cell(number) for number in loose.bounded(cells)}
                if stated not in [set(cage) for cage in cages]:
                    raise FormatError("the cages that are stated are not those that are drawn")
            return [self._with_sum(cage, drawn) for cage in cages]
        return []

    def _corner(self, cell: Cell, quarter: int) -> int:
        """The number of the point in a corner of a cell."""
        board = self.board
        return 4 * (
            board.width * board.height
            + (cell.row + board.top) * board.width
            + cell.col
            + board.left
        ) + quarter  # fmt: skip

    def _enclosed(self, drawn: Iterable[str]) -> list[list[Cell]]:
        """The cells inside each outline."""
        board = self.board
        pieces = set(drawn)
        cells = [Cell(r, c) for r in range(board.rows) for c in range(board.columns)]
        walled = {cell for cell in cells if any(self._side(cell, way) in pieces for way in _SIDES)}
        found: list[list[Cell]] = []
        seen: set[Cell] = set()
        for start in sorted(walled):
            if start in seen:
                continue
            cage = [start]
            seen.add(start)
            for cell in cage:
                for way in _SIDES:
                    other = Cell(cell.row + way[0], cell.col + way[1])
                    if self._side(cell, way) in pieces or other in seen:
                        continue
                    if not board.has(other):
                        raise FormatError(f"the outline of the cage at {start} is not closed")
                    seen.add(other)
                    cage.append(other)
            found.append(sorted(cage))
        return found

    def _side(self, cell: Cell, way: tuple[int, int]) -> str:
        first, second = _SIDES[way]
        return f"{self._corner(cell, first)},{self._corner(cell, second)}"

    def _outline(self, cage: Sequence[Cell]) -> Iterator[str]:
        """The pieces of the outline of a cage, as penpa draws it."""
        inside = set(cage)
        for cell in cage:
            for way in _SIDES:
                if Cell(cell.row + way[0], cell.col + way[1]) not in inside:
                    yield self._side(cell, way)
            for way, ends in _JOINTS.items():
                after = Cell(cell.row + way[0], cell.col + way[1])
                for (first, second), aside in zip(ends, (-1, 1), strict=True):
                    beside = {
                        Cell(c.row + aside * way[1], c.col + aside * way[0]) for c in (cell, after)
                    }
                    if after in inside and not beside <= inside:
                        yield f"{self._corner(cell, first)},{self._corner(after, second)}"

    def _with_sum(self, cage: list[Cell], drawn: dict[str, str]) -> Outline:
        """A cage with the number in the upper left corner of one of its cells."""
        colours = {drawn[key] for key in self._outline(cage)}
        if len(colours) != 1:
            raise FormatError(f"the cage at {cage[0]} has several colours")
        corners = {str(self._corner(cell, 0)) for cell in cage}
        sums = [
            (key, entry)
            for key, entry, _ in self.layer.items("numberS")
            if key in corners and isinstance(entry, list) and len(entry) == 2 and entry[1] in _INK
        ]
        if len(sums) != 1:
            return Outline(tuple(cage), colour=colours.pop())
        [(key, entry)] = sums
        self._sums.add(key)
        return Outline(tuple(cage), loose.text(str(entry[0])).strip(), colour=colours.pop())

    # Numbers and symbols

    def _number(self, key: str, entry: Any, colour: str) -> None:
        text, ink, style = _number_parts(entry)
        kind, point = self.board.point(key)
        cell = self.board.cell(key)
        if style == "7":
            digits = digits_of(entry[0])
            if len(digits) > 1:
                raise FormatError("small candidates: a rule, or notes?")
            text = "".join(digits)
        if style == "2" and text[-2:-1] == "_" and text[-1] in "01234567":
            text = text[:-2] + _TURNS[int(text[-1])]
        if ink in _DISCS:
            size = _DISC_SIZES[style]
            fill, border = _DISCS[ink]
            self._draw(Shape(point, size, size, round=True, fill=fill, border=border))
        elif cell is not None and style in ("1", "7", "10") and text:
            values = {str(value): value for value in self.collector.shape.grids[0].values}
            if text in values:
                if ink not in _INK:
                    raise FormatError(f"the digit {text} is not black: a given, or a note?")
                self.givens[cell] = values[text]
                return
        if style == "4" and kind == _CORNER:
            text = " ".join(text.replace(" ", ""))
        self._write(point, text, ink)

    def _small_number(self, key: str, entry: Any, colour: str) -> None:
        if key in self._sums:
            return
        match entry:
            case [str() | int() as text, int(ink)] if ink not in _DISCS:
                _, point = self.board.point(key)
                self._write(point, loose.text(str(text)).strip(), ink)
            case _:
                raise FormatError(f"{shown(entry)} is not a small number that can be read")

    def _write(self, point: Point, text: str, ink: Any) -> None:
        if text:
            self._texts[point] += text
            if ink not in _DISCS:
                self._inks.add(1 if ink in _INK else ink)

    def _symbol(self, key: str, entry: Any, colour: str) -> None:
        match entry:
            case [int(number), str(name), *_]:
                pass
            case _:
                raise FormatError(f"{shown(entry)} is not a symbol that can be read")
        _, point = self.board.point(key)
        if name == "inequality" and 1 <= number <= 8:
            self._texts[point] += _SIGNS[(number - 1) % 4]
        elif _ARROW.fullmatch(name) and 1 <= number <= 8:
            self._texts[point] += _ARROWS[number - 1]
        elif name == "sudokumore" and number in _PILLS:
            rows, columns = _PILLS[number]
            centre = (point[0] + rows / 2, point[1] + columns / 2)
            pill = Shape(centre, columns + 0.8, rows + 0.8, round=True, fill=_WHITE,
                         border=colour or _LIGHT)  # fmt: skip
            self._draw(pill)
        elif name in _SIZES and number in _STYLES:
            fill, border, own = _STYLES[number]
            self._draw(
                Shape(
                    point,
                    _SIZES[name],
                    _SIZES[name],
                    round=name.startswith("circle"),
                    fill=colour if colour and own in ("fill", "both") else fill,
                    border=colour if colour and own in ("border", "both") else border,
                    angle=45 if name.startswith("diamond") else 0,
                )
            )
        else:
            raise FormatError(f"the symbol {shown(name)} in style {number} is not known")


def _number_parts(entry: Any) -> tuple[str, int, str]:
    """The text, the colour and the style of a number."""
    if not isinstance(entry, list) or len(entry) < 3 or type(entry[1]) is not int:
        raise FormatError(f"{shown(entry)} is not a number that can be read")
    if any(entry[3:]):
        raise FormatError("a text that is turned is not read")
    style = str(entry[2])
    if style not in _DISC_SIZES:
        raise FormatError(f"a text in style {shown(style)} is not read")
    return loose.text(str(entry[0])).strip() if style != "7" else "", entry[1], style


def _joined(steps: Iterable[tuple[Point, Point]]) -> Iterator[tuple[Point, ...]]:
    """The lines that some pieces make; where more than two meet, it is not said which go on."""
    beside: dict[Point, list[Point]] = defaultdict(list)
    for start, end in dict.fromkeys(tuple(sorted(step)) for step in steps):
        beside[start].append(end)
        beside[end].append(start)
    for (row, column), others in beside.items():
        if len(others) > 2:
            place = Cell(floor(row), floor(column))
            raise FormatError(f"lines of one colour meet at {place}: which of them go on?")
    # The open lines begin at their ends; what is left then are loops.
    for start in sorted(beside, key=lambda point: (len(beside[point]), point)):
        line = [start]
        while beside[line[-1]]:
            following = beside[line[-1]].pop()
            beside[following].remove(line[-1])
            line.append(following)
        if len(line) > 1:
            yield tuple(line)
