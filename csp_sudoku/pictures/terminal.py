"""Draw grids as text: boxes, irregular regions, cages, overlapping grids, any size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple

from csp_sudoku.cells import Cell, LayerCell, Place
from csp_sudoku.puzzle import Puzzle

if TYPE_CHECKING:
    from rich.text import Text

    from csp_sudoku.pictures.plain import PlainMarks

Boxes = tuple[tuple[int, int], ...]
Candidates = Mapping[Place, tuple[int, ...]]
Role = Literal["border", "cage", "sign", "given", "value", "blank"]

# Corners, by the lines that meet there: 1 up, 2 right, 4 down, 8 left. Then the borders of cages.
UNICODE = " ╵╶└╷│┌├╴┘─┴┐┤┬┼╌╎"
ASCII = " |-+||++-+-+++++.:"

_STYLES = {
    "border": "dim",
    "cage": "cyan",
    "sign": "cyan",
    "given": "bold",
    "value": "green",
    "blank": "dim",
}

# How signs between cells look in Unicode.
_DOTS = {"o": "○", "*": "●", "^": "∧", "v": "∨", "!": "≠"}

# The kinds of line between two cells.
_NONE, _CAGE, _REGION = 0, 1, 2


class Span(NamedTuple):
    """A piece of a line of a drawing, and what it shows."""

    text: str
    role: Role


def draw(
    puzzle: Puzzle,
    values: Mapping[Place, int] | None = None,
    *,
    candidates: Candidates | None = None,
    signs: str = UNICODE,
) -> str:
    """Draw a puzzle with its givens, or with the values of a solution.

    Regions have solid borders, cages have broken borders and their sums. Dots and signs stand
    between cells. `candidates` are written into cells without a value. `signs` is :data:`UNICODE`
    or :data:`ASCII`.

    Examples
    --------
    >>> from csp_sudoku import KillerCage, read
    >>> puzzle = read("1... .... ..3. ....")
    >>> print(draw(puzzle))
    ┌─────┬─────┐
    │ 1 . │ . . │
    │ . . │ . . │
    ├─────┼─────┤
    │ . . │ 3 . │
    │ . . │ . . │
    └─────┴─────┘
    >>> print(draw(puzzle.add(KillerCage("R1C1-R1C2", 4))))
    ┌4──────┬───────┐
    │ 1   . │ .   . │
    ├╌╌╌╌╌╌╌┤       │
    │ .   . │ .   . │
    ├───────┼───────┤
    │ .   . │ 3   . │
    │ .   . │ .   . │
    └───────┴───────┘
    """
    lines = spans(puzzle, values, candidates=candidates, signs=signs)
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def styled(
    puzzle: Puzzle,
    values: Mapping[Place, int] | None = None,
    *,
    candidates: Candidates | None = None,
) -> Text:
    """The drawing in colours for a terminal: givens, found values and cages look different."""
    from rich.text import Text

    lines = [
        Text.assemble(*((span.text, _STYLES[span.role]) for span in line))
        for line in spans(puzzle, values, candidates=candidates)
    ]
    return Text("\n").join(lines)


def spans(
    puzzle: Puzzle,
    values: Mapping[Place, int] | None = None,
    *,
    candidates: Candidates | None = None,
    signs: str = UNICODE,
) -> Iterator[list[Span]]:
    """The lines of a drawing, each as a list of pieces."""
    shown = puzzle.givens if values is None else values
    yield from _Drawing(puzzle, shown, candidates or {}, signs).lines()
    for name, places in puzzle.layers.items():
        listed = {
            place: ",".join(map(str, candidates[place]))
            for place in places
            if candidates and place in candidates and place not in shown
        }
        if listed or any(place in shown for place in places):
            yield [Span(f"{name}:", "sign")]
            yield from _layer_lines(places, shown, puzzle.givens, listed)


def _layer_lines(
    places: Sequence[LayerCell],
    values: Mapping[Place, int],
    givens: Mapping[Place, int],
    listed: Mapping[LayerCell, str],
) -> Iterator[list[Span]]:
    """The values of a layer, or its candidates, one line for each row that it has."""
    at = {(place.row, place.col): place for place in places}
    columns = sorted({place.col for place in places})
    held = [str(values[place]) for place in places if place in values]
    width = max(len(text) for text in [*held, *listed.values()])
    for row in sorted({place.row for place in places}):
        line = []
        for place in (at.get((row, column)) for column in columns):
            role: Role = "blank"
            text = " " if place is None else listed.get(place, ".")
            if place is not None and place in values:
                role, text = "given" if place in givens else "value", str(values[place])
            line.append(Span(" " + text.rjust(width), role))
        yield line


def pencil_marks(
    puzzle: Puzzle, values: Mapping[Place, int] | None = None
) -> dict[Place, tuple[int, ...]]:
    """The candidates of empty cells, without the values that such a cell sees.

    A cell sees another cell if a rule makes the two different.

    Examples
    --------
    >>> from csp_sudoku import cell, read
    >>> pencil_marks(read("1... .... ..3. ...."))[cell("R1C3")]
    (2, 4)
    """
    known = puzzle.givens if values is None else values
    seen: dict[Place, set[int]] = {}
    for rule in puzzle.rules:
        for group in rule.different(puzzle):
            held = {known[place] for place in group if place in known}
            for place in group:
                seen.setdefault(place, set()).update(held)
    return {
        place: tuple(v for v in puzzle.candidates_of(place) if v not in seen.get(place, ()))
        for place in puzzle.cells
        if place not in known
    }


class _Drawing:
    """The lines between regions, on the rows and columns that hold cells.

    Line ``i`` lies above the i-th of these rows, and the last one below all of them; the same
    goes for columns. A line on which nothing is drawn is left out.
    """

    def __init__(
        self, puzzle: Puzzle, values: Mapping[Place, int], candidates: Candidates, signs: str
    ) -> None:
        self._givens = puzzle.givens
        self._values = values
        self._signs = signs
        self._rows = with_gaps(sorted({place.row for place in puzzle.cells}))
        self._columns = with_gaps(sorted({place.col for place in puzzle.cells}))
        self._regions = regions(puzzle)
        marks = _marks(puzzle)
        self._cages = marks.cages if marks else {}
        self._labels = marks.labels if marks else {}
        self._between_signs = marks.signs if marks else {}
        self._texts = _texts(puzzle, values, candidates)
        self._widths = self._wide(puzzle, bool(candidates))
        # Between irregular regions and cages every column has room for a line, so that all are
        # alike.
        irregular = bool(self._cages or self._between_signs) or any(
            grid.regions for grid in puzzle.grids
        )
        self._upright = [
            irregular or any(self._right(i, j) for i in range(len(self._rows)))
            for j in range(len(self._columns) + 1)
        ]

    def _wide(self, puzzle: Puzzle, own: bool) -> list[int]:
        """How wide the columns are: all alike, or with candidates each as wide as it must be."""
        values = max(len(str(v)) for place in puzzle.cells for v in puzzle.values_of(place))
        if own:
            widths = [
                max((len(self._texts.get(Cell(row, column), "")) for row in self._rows), default=1)
                for column in self._columns
            ]
        else:
            widest = max([values, *(len(text) for text in self._texts.values())])
            widths = [widest] * len(self._columns)
        labels = {place.col: len(text) - 2 for place, text in self._labels.items()}
        most = max(labels.values(), default=0)
        return [
            max(1, width, labels.get(column, 0) if own else most)
            for column, width in zip(self._columns, widths, strict=True)
        ]

    def lines(self) -> Iterator[list[Span]]:
        """The lines from top to bottom."""
        last = len(self._rows)
        for i in range(last + 1):
            columns = range(len(self._columns))
            if any(self._below(i, c) or self._sign((i - 1, c), (i, c)) for c in columns):
                yield _joined(self._rule(i))
            if i < last:
                yield _joined(self._row(i))

    def _row(self, i: int) -> Iterator[Span]:
        for j, column in enumerate(self._columns):
            if self._upright[j]:
                yield self._upright_sign(i, j)
            yield Span(" ", "border")
            yield self._cell(Cell(self._rows[i], column), self._widths[j])
            if self._upright[j + 1]:
                yield Span(" ", "border")
        if self._right(i, len(self._columns)):
            yield self._upright_sign(i, len(self._columns))

    def _upright_sign(self, i: int, j: int) -> Span:
        if sign := self._sign((i, j - 1), (i, j)):
            return Span(sign, "sign")
        kind = self._right(i, j)
        sign = {_NONE: " ", _CAGE: self._signs[17], _REGION: self._signs[5]}[kind]
        return Span(sign, "cage" if kind == _CAGE else "border")

    def _rule(self, i: int) -> Iterator[Span]:
        """A line between rows; a corner stands where an upright line is drawn anywhere."""
        for j in range(len(self._columns) + 1):
            left, right = self._below(i, j - 1), self._below(i, j)
            if self._upright[j]:
                up, down = self._right(i - 1, j), self._right(i, j)
                corner = (up > 0) + 2 * (right > 0) + 4 * (down > 0) + 8 * (left > 0)
                cage = max(left, right, up, down) == _CAGE
                if cage:  # a line that goes straight on is broken here as well
                    corner = {10: 16, 5: 17}.get(corner, corner)
                yield Span(self._signs[corner], "cage" if cage else "border")
            if j < len(self._columns):
                between = self._widths[j] + 1 + self._upright[j + 1]
                label = ""
                if i < len(self._rows):
                    label = self._labels.get(Cell(self._rows[i], self._columns[j]), "")
                    yield Span(label, "cage")
                sign = {_NONE: " ", _CAGE: self._signs[16], _REGION: self._signs[10]}[right]
                role: Role = "cage" if right == _CAGE else "border"
                line = sign * (between - len(label))
                if dot := self._sign((i - 1, j), (i, j)):
                    # Below the last digit of the cell above.
                    offset = max(0, self._widths[j] - len(label))
                    yield Span(line[:offset], role)
                    yield Span(dot, "sign")
                    line = line[offset + 1 :]
                yield Span(line, role)

    def _cell(self, place: Cell, width: int) -> Span:
        if place not in self._regions:
            return Span(" " * width, "blank")
        if place in self._values:
            role: Role = "given" if place in self._givens else "value"
            return Span(str(self._values[place]).rjust(width), role)
        return Span(self._texts.get(place, ".").rjust(width), "blank")

    def _below(self, i: int, j: int) -> int:
        """The line above row i, in column j."""
        return self._between((i - 1, j), (i, j))

    def _right(self, i: int, j: int) -> int:
        """The line before column j, in row i."""
        return self._between((i, j - 1), (i, j))

    def _between(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        first, second = self._place(*one), self._place(*other)
        if first is None and second is None:
            return _NONE
        if first is None or second is None or self._regions[first] != self._regions[second]:
            return _REGION
        return _CAGE if self._cages.get(first) != self._cages.get(second) else _NONE

    def _sign(self, one: tuple[int, int], other: tuple[int, int]) -> str:
        """What a rule writes between two cells, if anything."""
        first, second = self._place(*one), self._place(*other)
        if first is None or second is None:
            return ""
        sign = self._between_signs.get((first, second), "")
        if self._signs == UNICODE:
            return _DOTS.get(sign, sign)
        return sign if sign.isascii() else "?"

    def _place(self, i: int, j: int) -> Cell | None:
        if 0 <= i < len(self._rows) and 0 <= j < len(self._columns):
            place = Cell(self._rows[i], self._columns[j])
            return place if place in self._regions else None
        return None


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Neighbours of the same kind as one piece."""
    return [
        Span("".join(span.text for span in same), role)
        for role, same in groupby((span for span in spans if span.text), lambda span: span.role)
    ]


def regions(puzzle: Puzzle) -> dict[Cell, Boxes]:
    """For each cell the boxes it stands in, of all grids; equal ones need no line between.

    Box -1 is the grid itself: a cell of two grids is not like a cell of one.
    """
    found: dict[Cell, Boxes] = dict.fromkeys(puzzle.cells, ())
    for number, grid in enumerate(puzzle.grids):
        for place in grid.cells:
            found[place] = (*found[place], (number, -1))
        for box, places in enumerate(grid.boxes):
            for place in places:
                found[place] = (*found[place], (number, box))
    return found


def with_gaps(used: list[int]) -> list[int]:
    """The rows or columns in use, and one for every gap between them."""
    found = used[:1]
    for index in used[1:]:
        if index > found[-1] + 1:
            found.append(index - 1)
        found.append(index)
    return found


def _marks(puzzle: Puzzle) -> PlainMarks | None:
    """What the rules of a puzzle write around its cells."""
    if not puzzle.constraints:
        return None
    # Here, because pictures take from this module where regions end.
    from csp_sudoku.pictures.plain import plain_marks

    return plain_marks(puzzle)


def _texts(puzzle: Puzzle, values: Mapping[Place, int], candidates: Candidates) -> dict[Place, str]:
    """What stands in the cells that hold something."""
    one = all(len(str(v)) == 1 for place in puzzle.cells for v in puzzle.values_of(place))
    listed = {
        place: ("" if one else ",").join(map(str, candidates[place])) or "-"
        for place in candidates
        if place not in values
    }
    return {place: str(values[place]) for place in puzzle.cells if place in values} | listed
