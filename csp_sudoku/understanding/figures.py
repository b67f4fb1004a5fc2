"""From a picture to figures: what is drawn on which cells, edges and corners of the grid.

A figure says nothing about rules: a grey line with a bulb is a ``thermometer`` because of its
shape; what its digits do is up to the rules text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING, TypeAlias

from csp_sudoku.cells import SIDES, Cell
from csp_sudoku.understanding.canvas import Canvas, Point, Shape, Stroke
from csp_sudoku.understanding.colours import COMMON, is_clear, names_of

if TYPE_CHECKING:
    from csp_sudoku.grid import Grid

Colours: TypeAlias = frozenset[str]

# How far from the middle of a cell or an edge something may be drawn and still mean it.
_NEAR = 0.15
# A shape as large as this fills its cell.
_FULL = 0.9
# A chevron is drawn as a short bent stroke near the middle of an edge.
_CHEVRON = 0.3
_ARROWS = dict(zip("↖↑↗←→↙↓↘", [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c],
                   strict=True))  # fmt: skip
# Words in the names of symbols that are no names for them.
_NO_SYMBOLS = {*"black white with sign symbol suit variation selector heavy and of mark".split()}
_SIGNS = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "∧": (-1, 0), "v": (1, 0), "∨": (1, 0)}


@dataclass(frozen=True)
class Figure:
    """Something that is drawn.

    Attributes
    ----------
    kind
        ``line``, ``thermometer``, ``arrow``, ``edge`` (between two cells), ``corner`` (between
        four), ``cell`` (in one), ``sign`` (a chevron between two cells), ``cage``, ``outside`` (a
        clue beside the grid), ``diagonal`` (a line through the whole grid), or ``other``.
    cells
        The cells it lies on, in order. Of a thermometer, the bulb first; of an arrow, the shaft;
        of a sign, the cell that it points at last; of a clue, the cell outside the grid where it
        stands.
    colours
        All names of its colours; empty where its colour cannot be told.
    form
        ``circle``, ``square``, ``diamond``, ``shade``, or ``text`` for marks; of a line the form of
        both its ends; of an arrow ``circle`` or ``pill``.
    text
        What is written on it.
    heads
        The cells of an arrow's circle or pill; of a clue beside the grid, where its arrow points.
    unique
        Of a cage: whether the document forbids repeats; None if it says nothing.
    filled
        Of a mark: whether it has a colour inside.
    parts
        Of a branched line: the lines that are joined in it.
    """

    kind: str
    cells: tuple[Cell, ...]
    colours: Colours = frozenset()
    form: str = ""
    text: str = ""
    heads: tuple[Cell, ...] = ()
    unique: bool | None = None
    filled: bool = False
    parts: tuple[Figure, ...] = ()

    @property
    def loop(self) -> bool:
        """Whether the first cell is drawn again at the end."""
        return len(self.cells) > 2 and self.cells[0] == self.cells[-1]

    @property
    def symbols(self) -> frozenset[str]:
        """What people call the symbols that are written on it: sun, star, heart."""
        signs = [sign for sign in self.text if not sign.isalnum() and not sign.isspace()]
        words = {word for sign in signs for word in unicodedata.name(sign, "").lower().split()}
        return frozenset(word for word in words - _NO_SYMBOLS if "-" not in word)

    @property
    def pointing(self) -> list[tuple[int, int]]:
        """Of a clue beside the grid: the steps into which its arrows point."""
        [place] = self.cells
        return [(_sign(head.row - place.row), _sign(head.col - place.col)) for head in self.heads]

    def line_beside(self, grid: Grid) -> tuple[str, bool]:
        """Of a clue beside the grid: its row or column, and whether it is read from the end."""
        [place] = self.cells
        if 0 <= place.col < grid.columns:
            return f"C{place.col + 1}", place.row >= 0
        if 0 <= place.row < grid.rows:
            return f"R{place.row + 1}", place.col >= 0
        raise ValueError("a clue at a corner of the grid")

    def __str__(self) -> str:
        colour = next((f"{name} " for name in COMMON if name in self.colours), "")
        what = {"edge": "mark", "corner": "mark", "cell": "mark", "outside": "clue"}
        shape = "" if self.form in ("", "text") else f"{self.form} "
        name = what.get(self.kind, self.kind if self.kind != "other" else "drawing")
        said = f" {self.text!r}" if self.text else ""
        return f"{colour}{shape}{name}{said} at {' '.join(map(str, self.cells))}"


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def figures(canvas: Canvas) -> list[Figure]:
    """All figures of a picture, each drawn thing in one of them."""
    return _Finder(canvas).find()


def connected_cells(figures: Sequence[Figure]) -> list[tuple[Colours, tuple[Cell, ...]]]:
    """The groups of connected cells of one colour, each with its colour."""
    found = []
    for colours in dict.fromkeys(figure.colours for figure in figures):
        left = sorted({cell for f in figures if f.colours == colours for cell in f.cells})
        while left:
            region = [left.pop(0)]
            for cell in region:
                beside = {Cell(cell.row + rows, cell.col + columns) for rows, columns in SIDES}
                region += (reached := [other for other in left if other in beside])
                left = [other for other in left if other not in reached]
            found.append((colours, tuple(sorted(region))))
    return found


def joined_lines(figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """Lines of one colour that meet where one of them ends, as one branched line each."""
    groups: list[list[Figure]] = []
    for line in figures:
        touching = [group for group in groups if any(_meet(line, other) for other in group)]
        groups = [group for group in groups if group not in touching]
        groups.append([*(other for group in touching for other in group), line])
    return tuple(group[0] if len(group) == 1 else _branched(group) for group in groups)


def _meet(line: Figure, other: Figure) -> bool:
    ends = {line.cells[0], line.cells[-1]} & {*other.cells}
    ends |= {other.cells[0], other.cells[-1]} & {*line.cells}
    return line.colours == other.colours and bool(ends)


def _branched(parts: list[Figure]) -> Figure:
    cells = dict.fromkeys(cell for part in parts for cell in part.cells)
    return replace(parts[0], cells=tuple(cells), form="", parts=tuple(parts))


@dataclass(frozen=True)
class _Mark:
    """Shapes with one centre: what is drawn on the top of each other belongs together."""

    centre: Point
    shapes: tuple[Shape, ...]

    @property
    def text(self) -> str:
        return "\n".join(shape.text for shape in self.shapes if shape.text.strip()).strip()

    @property
    def drawn(self) -> Shape | None:
        """The largest shape that is seen; paper alone, put under a text, is not."""
        seen = [s for s in self.shapes if _is_seen(s) or (not self.text and _is_paper(s))]
        return max(seen, key=lambda shape: shape.width * shape.height, default=None)

    @property
    def form(self) -> str:
        return _form(self.drawn) if self.drawn else "text"

    @property
    def colours(self) -> Colours:
        shape = self.drawn
        if shape is None:
            return frozenset()
        return names_of(shape.fill) or names_of(shape.border)

    @property
    def filled(self) -> bool:
        shape = self.drawn
        return shape is not None and not names_of(shape.fill) <= {"white"}

    def figure(self, kind: str, cells: tuple[Cell, ...]) -> Figure:
        """The figure of this mark."""
        return Figure(kind, cells, self.colours, self.form, self.text, filled=self.filled)


def _is_drawn(shape: Shape, canvas: Canvas) -> bool:
    """Whether anything is seen of a shape, and it is no background.

    A background is white paper without a border, or covers the whole grid.
    """
    if shape.text.strip():
        return True
    given = [colour for colour in (shape.fill, shape.border) if colour]
    if max(shape.width, shape.height) <= 0 or (given and all(map(is_clear, given))):
        return False
    colours = names_of(shape.fill) | names_of(shape.border)
    paper = not shape.round and colours == {"white"} and min(shape.width, shape.height) >= 1
    return not paper and len(_covered(shape)) < canvas.rows * canvas.columns


def _is_seen(shape: Shape) -> bool:
    if min(shape.width, shape.height) <= 0:
        return False
    fill, border = names_of(shape.fill), names_of(shape.border)
    return not fill <= {"white"} or not border <= {"white"}


def _is_paper(shape: Shape) -> bool:
    return "white" in names_of(shape.fill) and min(shape.width, shape.height) > 0


class _Finder:
    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.marks = _marks(shape for shape in canvas.shapes if _is_drawn(shape, canvas))
        self.used: set[Point] = set()

    def find(self) -> list[Figure]:
        strokes = _without_outlines([s for s in self.canvas.strokes if not is_clear(s.colour)])
        found: list[Figure] = []
        lines: list[Figure] = []
        for stroke, colours in strokes:
            figure = self.stroke(stroke, colours)
            (lines if figure.kind == "line" else found).append(figure)
        found += self.lines(lines)
        found += [
            Figure("cage", o.cells, names_of(o.colour), text=o.text, unique=o.unique)
            for o in self.canvas.outlines
        ]
        found += [figure for mark in self.marks if mark.centre not in self.used
                  for figure in [self.mark(mark)]]  # fmt: skip
        return _with_arrows(found)

    # Strokes

    def stroke(self, stroke: Stroke, colours: Colours) -> Figure:
        """A stroke by itself: a line of cells, an arrow, a chevron, or a diagonal."""
        if chevron := _chevron(stroke, self.canvas):
            return Figure("sign", chevron, colours)
        if diagonal := _diagonal(stroke, self.canvas):
            return Figure("diagonal", diagonal, colours)
        cells = _cells_of(stroke)
        if cells is None or not all(map(self.canvas.has, cells)):
            around = tuple(dict.fromkeys(_cell_at(point) for point in stroke.points))
            if stroke.head and (step := _direction(stroke.points)) != (0, 0):
                return Figure("pointer", around, colours, heads=(_beside(around[0], step),))
            return Figure("other", around, colours)
        if stroke.head:
            return self.arrow(stroke, cells, colours)
        return Figure("line", cells, colours)

    def arrow(self, stroke: Stroke, cells: tuple[Cell, ...], colours: Colours) -> Figure:
        """A stroke with a head: an arrow, if it begins at a circle or a pill."""
        for mark in self.marks:
            shape = mark.drawn
            if shape is None or not shape.round:
                continue
            covered = _covered(shape)
            if cells[0] in covered and all(map(self.canvas.has, covered)):
                self.used.add(mark.centre)
                form = "circle" if len(covered) == 1 else "pill"
                shaft = tuple([cell for cell in cells[1:] if cell not in covered])
                if shaft:
                    return Figure("arrow", shaft, colours | mark.colours, form, heads=covered)
        return Figure("arrow", cells, colours, "")

    def lines(self, lines: list[Figure]) -> Iterator[Figure]:
        """Lines, some of which are parts of thermometers, with what is drawn at their ends."""
        bulbs = {}
        for mark in self.marks:
            shape = mark.drawn
            if shape and shape.round and mark.filled and _at_centre(mark.centre) and not mark.text:
                cell = _cell_at(mark.centre)
                touching = [line for line in lines if cell in line.cells]
                ends = [line for line in touching if cell in (line.cells[0], line.cells[-1])]
                same = [line for line in ends if line.colours & mark.colours]
                if same and len(ends) == len(touching) and shape.width >= 0.5:
                    bulbs[cell] = mark
        # A circle at both ends is the mark of another rule than a bulb at one.
        two_ended = {
            line.cells
            for line in lines
            if line.cells[0] in bulbs and line.cells[-1] in bulbs and len(line.cells) > 1
        }
        parts = [line for line in lines if line.cells not in two_ended]
        for cells in two_ended:
            for end in (cells[0], cells[-1]):
                bulbs.pop(end, None)
        grown, rest = _thermometers(parts, set(bulbs))
        for line in grown:
            self.used.add(bulbs[line.cells[0]].centre)
            yield line
        for line in [*rest, *(line for line in lines if line.cells in two_ended)]:
            yield self.with_ends(line)

    def with_ends(self, line: Figure) -> Figure:
        """A line with the circles or diamonds at its two ends, or in its middle."""
        if line.loop or len(line.cells) < 2:
            return line
        at = {
            _cell_at(mark.centre): mark
            for mark in self.marks
            if _at_centre(mark.centre) and mark.centre not in self.used
        }
        ends = [at.get(line.cells[0]), at.get(line.cells[-1])]
        forms = {mark.form for mark in ends if mark is not None and not mark.text}
        if None not in ends and len(forms) == 1 and forms <= {"circle", "diamond", "square"}:
            self.used |= {mark.centre for mark in ends if mark is not None}
            return replace(line, form=forms.pop())
        # A small shape of the line's own colour in its middle only shows where that is.
        middle = _middle(line.cells)
        for mark in self.marks:
            near = hypot(mark.centre[0] - middle[0], mark.centre[1] - middle[1]) < _NEAR
            if near and not mark.text and mark.drawn and mark.colours & line.colours:
                self.used.add(mark.centre)
        return line

    # Marks

    def mark(self, mark: _Mark) -> Figure:
        """A mark in a cell, on an edge, on a corner, or beside the grid."""
        row, column = mark.centre
        if not (0 < row < self.canvas.rows and 0 < column < self.canvas.columns):
            is_turned = any(s.angle % 360 and {*s.text} & _ARROWS.keys() for s in mark.shapes)
            figure = mark.figure("other" if is_turned else "outside", (_cell_at(mark.centre),))
            return figure if is_turned else _clue(figure)
        whole = [abs(x - round(x)) < _NEAR for x in (row, column)]
        half = [abs(x % 1 - 0.5) < _NEAR for x in (row, column)]
        shape = mark.drawn
        if all(half) or (shape and mark.form == "shade"):
            covered = _covered(shape) if shape else (_cell_at(mark.centre),)
            return mark.figure("cell", covered)
        if whole[0] and half[1]:
            below = Cell(round(row), int(column))
            return self.between((Cell(below.row - 1, below.col), below), mark)
        if whole[1] and half[0]:
            right = Cell(int(row), round(column))
            return self.between((Cell(right.row, right.col - 1), right), mark)
        if all(whole):
            r, c = round(row), round(column)
            around = (Cell(r - 1, c - 1), Cell(r - 1, c), Cell(r, c - 1), Cell(r, c))
            return mark.figure("corner", around)
        return mark.figure("other", (_cell_at(mark.centre),))

    def between(self, pair: tuple[Cell, Cell], mark: _Mark) -> Figure:
        step = _SIGNS.get(mark.text)
        if step is not None and mark.drawn is None and _is_upright(mark.shapes[0].angle):
            turned = _turned(step, mark.shapes[0].angle)
            along = (pair[1].row - pair[0].row, pair[1].col - pair[0].col)
            if turned in (along, (-along[0], -along[1])):
                smaller = pair[1] if turned == along else pair[0]
                greater = pair[0] if turned == along else pair[1]
                return Figure("sign", (greater, smaller), mark.colours, text=mark.text)
        return mark.figure("edge", pair)


def _direction(points: Sequence[Point]) -> tuple[int, int]:
    """The step into which an arrow points: a neighbouring cell, also a diagonal one."""
    if len(points) < 2:
        return 0, 0
    rows, columns = (end - start for start, end in zip(points[-2], points[-1], strict=True))
    length = hypot(rows, columns) or 1.0
    return round(rows / length), round(columns / length)


def _beside(cell: Cell, step: tuple[int, int]) -> Cell:
    return Cell(cell.row + step[0], cell.col + step[1])


def _clue(figure: Figure) -> Figure:
    """A clue beside the grid; the arrows that are written in it say where it points."""
    heads = [_beside(figure.cells[0], _ARROWS[sign]) for sign in figure.text if sign in _ARROWS]
    text = "".join(sign for sign in figure.text if sign not in _ARROWS)
    text = text.strip(" \ufe0e\ufe0f")
    kind = "pointer" if len(heads) == 1 and not text else figure.kind
    return replace(figure, kind=kind, text=text, heads=tuple(heads))


def _marks(shapes: Iterable[Shape]) -> list[_Mark]:
    found: dict[tuple[int, int], list[Shape]] = {}
    for shape in shapes:
        key = round(shape.centre[0] * 20), round(shape.centre[1] * 20)
        found.setdefault(key, []).append(shape)
    return [mark for group in found.values() for mark in _told_apart(group)]


def _told_apart(group: Sequence[Shape]) -> Iterator[_Mark]:
    """Shapes of one form are one mark. A circle in a shaded cell is a second one.

    What else is there, such as a text, belongs to the smallest.
    """
    forms = dict.fromkeys(_form(shape) for shape in group if _is_seen(shape))
    if len(forms) < 2:
        yield _Mark(group[0].centre, tuple(group))
        return
    seen = [shape for shape in group if _is_seen(shape)]
    smallest = _form(min(seen, key=lambda shape: shape.width * shape.height))
    for form in forms:
        own = [s for s in group if (_form(s) if _is_seen(s) else smallest) == form]
        yield _Mark(group[0].centre, tuple(own))


def _form(shape: Shape) -> str:
    if shape.round:
        return "circle"
    if shape.angle % 90 == 45:
        return "diamond"
    return "shade" if min(shape.width, shape.height) >= _FULL else "square"


def _without_outlines(strokes: Sequence[Stroke]) -> list[tuple[Stroke, Colours]]:
    """Each path once: a line that is drawn again, thinner, has an outline and two colours."""
    found: dict[object, tuple[Stroke, Colours]] = {}
    for stroke in strokes:
        key = (min(stroke.points, stroke.points[::-1]), stroke.head)
        known = found.get(key)
        colours = names_of(stroke.colour) | (known[1] if known else frozenset())
        found[key] = (known[0] if known else stroke, colours)
    return list(found.values())


def _cell_at(point: Point) -> Cell:
    return Cell(int(point[0] // 1), int(point[1] // 1))


def _at_centre(point: Point) -> bool:
    return all(abs(x % 1 - 0.5) < _NEAR for x in point)


def _cells_of(stroke: Stroke) -> tuple[Cell, ...] | None:
    """The cells of a line from centre to centre; None if it is no such line.

    An arrow may begin at the edge of a circle, so its first point need not be a centre.
    """
    points = list(stroke.points)
    if stroke.head and len(points) > 1 and not _at_centre(points[0]):
        cell = _cell_at(points[0])
        points[0] = (cell.row + 0.5, cell.col + 0.5)
    if not points or not all(map(_at_centre, points)):
        return None
    corners = [_cell_at(point) for point in points]
    cells = [corners[0]]
    for a, b in pairwise(corners):
        rows, columns = b.row - a.row, b.col - a.col
        steps = max(abs(rows), abs(columns))
        if rows and columns and abs(rows) != abs(columns):
            cells.append(b)  # a line that jumps, as over a knight's move
            continue
        cells += [
            Cell(a.row + i * rows // steps, a.col + i * columns // steps)
            for i in range(1, steps + 1)
        ]
    return tuple(cells)


def _covered(shape: Shape) -> tuple[Cell, ...]:
    """The cells whose centres a shape covers, in reading order."""
    row, column = shape.centre
    width, height = shape.width, shape.height
    if shape.angle % 180 == 90:
        width, height = height, width
    rows = [r for r in range(int(row - height), int(row + height) + 1)
            if abs(r + 0.5 - row) <= max(height / 2, 0.1)]  # fmt: skip
    columns = [c for c in range(int(column - width), int(column + width) + 1)
               if abs(c + 0.5 - column) <= max(width / 2, 0.1)]  # fmt: skip
    return tuple(Cell(r, c) for r in rows for c in columns)


def _middle(cells: tuple[Cell, ...]) -> Point:
    first, second = cells[(len(cells) - 1) // 2], cells[len(cells) // 2]
    return (first.row + second.row + 1) / 2, (first.col + second.col + 1) / 2


def _diagonal(stroke: Stroke, canvas: Canvas) -> tuple[Cell, ...]:
    """The cells of a line from corner to corner of the grid; none if it is another line."""
    if len(stroke.points) < 2 or canvas.rows != canvas.columns:
        return ()
    side = canvas.rows
    ends = {tuple(round(x) for x in point) for point in (stroke.points[0], stroke.points[-1])}
    exact = all(abs(x - round(x)) < 0.2 for point in stroke.points for x in point)
    if exact and ends == {(0, 0), (side, side)}:
        return tuple(Cell(i, i) for i in range(side))
    if exact and ends == {(0, side), (side, 0)}:
        return tuple(Cell(i, side - 1 - i) for i in range(side))
    return ()


def _chevron(stroke: Stroke, canvas: Canvas) -> tuple[Cell, ...]:
    """The two cells of a drawn inequality sign, the one that it points at last; or none."""
    if len(stroke.points) != 3 or stroke.head:
        return ()
    first, tip, last = stroke.points
    base = ((first[0] + last[0]) / 2, (first[1] + last[1]) / 2)
    size = hypot(first[0] - last[0], first[1] - last[1])
    pointing = (tip[0] - base[0], tip[1] - base[1])
    if not (0.02 < hypot(*pointing) < _CHEVRON and 0.05 < size < 2 * _CHEVRON):
        return ()
    vertical = abs(pointing[0]) > abs(pointing[1])
    if min(map(abs, pointing)) > 0.02:
        return ()
    row, column = tip
    if vertical:
        border, step = round(row), (1 if pointing[0] > 0 else -1)
        pair = (Cell(border - 1, int(column)), Cell(border, int(column)))
    else:
        border, step = round(column), (1 if pointing[1] > 0 else -1)
        pair = (Cell(int(row), border - 1), Cell(int(row), border))
    if abs((row if vertical else column) - border) > _CHEVRON or not all(map(canvas.has, pair)):
        return ()
    return pair if step > 0 else pair[::-1]


def _is_upright(angle: float) -> bool:
    """Whether a thing is turned by a quarter, by two, by three, or not at all."""
    return abs((angle + 45) % 90 - 45) < 20


def _turned(step: tuple[int, int], angle: float) -> tuple[int, int]:
    for _ in range(round(angle / 90) % 4):
        step = (step[1], -step[0])
    return step


def _thermometers(lines: Sequence[Figure], bulbs: set[Cell]) -> tuple[list[Figure], list[Figure]]:
    """Thermometers from their bulbs to each of their tips, and the lines that are none.

    A line without a bulb of its own that begins on a thermometer of its colour is a branch.
    """
    trunks: list[Figure] = []
    waiting = list(lines)
    growing = True
    while growing:
        growing = False
        for line in list(waiting):
            for cells in (line.cells, line.cells[::-1]):
                if cells[0] in bulbs:
                    trunks.append(replace(line, kind="thermometer", cells=cells))
                    break
                stem = next(
                    (
                        trunk
                        for trunk in trunks
                        if cells[0] in trunk.cells
                        and trunk.colours == line.colours
                        and not set(cells[1:]) & set(trunk.cells)
                    ),
                    None,
                )
                if stem is not None:
                    before = stem.cells[: stem.cells.index(cells[0])]
                    trunks.append(replace(stem, cells=(*before, *cells)))
                    break
            else:
                continue
            waiting.remove(line)
            growing = True
    return trunks, waiting


def _with_arrows(found: list[Figure]) -> list[Figure]:
    """Clues beside the grid, with the small arrows that point into it."""
    pointers = [f for f in found if f.kind == "pointer"]
    if not pointers:
        return found
    rest = [f for f in found if f.kind != "pointer"]
    for pointer in pointers:
        start, [head] = pointer.cells[0], pointer.heads
        step = head.row - start.row, head.col - start.col
        near = [
            f
            for f in rest
            if f.kind == "outside"
            and not f.heads
            and max(abs(f.cells[0].row - start.row), abs(f.cells[0].col - start.col)) <= 1
        ]
        near.sort(key=lambda f: abs(f.cells[0].row - start.row) + abs(f.cells[0].col - start.col))
        if near:
            heads = (_beside(near[0].cells[0], step),)
            rest[rest.index(near[0])] = replace(near[0], heads=heads)
        else:
            rest.append(replace(pointer, kind="other", heads=()))
    return rest
