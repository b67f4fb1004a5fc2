"""Grids as plain text: lines, frames, matrices, letters above 9, pairs and candidates.

The form is recognised from the text itself, helped by what the caller knows of the grid. Where two
forms fit and differ in meaning, the text is refused with both readings named.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import NamedTuple

from csp_sudoku.errors import FormatError
from csp_sudoku.formats.texts.shapes import Entry, GridSize, GridText, Wanted, either, shown
from csp_sudoku.formats.texts.values import ALPHABETS, BLANKS, from_numbers, from_signs, from_slots
from csp_sudoku.grid import MAX_SIDE

#: Forms that cannot always be told apart: alphabets of one-character values, two digits a cell,
#: all candidates of each cell, and SudoCue files, whose candidates are only notes.
DIALECTS = (*ALPHABETS, "pairs", "candidates", "sdx")

# The signs of frames. A dash may also be a blank, so lines of dashes are looked at on their own.
_FRAME = dict.fromkeys([*map(ord, "|+=:!"), *range(0x2500, 0x2580)], " ")
_RULE = re.compile(r"(?=.*(--|==))[-+|=:*.'\s]*|[|+:=\s\u2500-\u257f]*")
_FOREIGN = re.compile(r"[^0-9A-Za-z.?_*\-,;\s]|[^\x00-\x7f]")
_BLANK_WORD = r"([.?_*xX-])\1*"
_NUMBER = rf"[0-9]{{1,2}}|{_BLANK_WORD}"

# The largest grid has two digits for each candidate, and as many rows again for a layout.
_MOST_SIGNS = 2 * MAX_SIDE**3
_MOST_LINES = 2 * MAX_SIDE


class Line(NamedTuple):
    """A line of a grid without its frame; `rule` says that it is nothing but frame."""

    number: int
    text: str
    words: list[str]
    rule: bool
    raw: str

    @property
    def cells(self) -> int:
        """The number of cells, at one character each."""
        return sum(map(len, self.words))


def read_text(text: str, wanted: Wanted) -> GridText:
    r"""Read one grid.

    Examples
    --------
    >>> read_text("1.|..\n..|3.\n--+--\n..|..\n.4|..", Wanted()).entries[:7]
    ((1,), None, None, None, None, None, (3,))
    """
    lines, dashes = _split(text)
    # A line of dashes is a row of blanks if the other rows write blanks as dashes, too.
    if dashes and (not lines or any("-" in line.text for line in lines)):
        page = _Page(sorted([*lines, *dashes]), wanted)
        shape = wanted.shape(page.size)
        if shape and len(page.lines) == shape[0]:
            return page.read()
    if not lines:
        raise FormatError("the text holds no grid")
    return _Page(lines, wanted).read()


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a text, without comments and empty lines."""
    for number, raw in enumerate(io.StringIO(text), 1):
        if len(raw) > 2 * _MOST_SIGNS:
            raise FormatError(f"line {number} is too long for a grid of {MAX_SIDE}×{MAX_SIDE}")
        if not raw.isspace() and not raw.lstrip().startswith("#"):
            plain = raw.translate(_FRAME)
            yield Line(number, plain, _words(plain), bool(_RULE.fullmatch(raw)), raw)


def is_layout(signs: str, shape: GridSize) -> bool:
    """Whether these signs are regions: as many as rows, of equal size, each in one piece."""
    rows, columns = shape
    sizes = Counter(signs)
    if len(signs) != rows * columns or len(sizes) != rows or set(sizes.values()) != {columns}:
        return False
    open_cells = set(range(len(signs)))
    pieces = 0
    while open_cells:
        pieces += 1
        found = [open_cells.pop()]
        while found:
            cell = found.pop()
            beside = [cell - columns, cell + columns]
            beside += [cell - 1] * (cell % columns > 0)
            beside += [cell + 1] * (cell % columns < columns - 1)
            for other in beside:
                if other in open_cells and signs[other] == signs[cell]:
                    open_cells.remove(other)
                    found.append(other)
    return pieces == rows


def _split(text: str) -> tuple[list[Line], list[Line]]:
    """The lines that hold cells, and the lines of nothing but dashes."""
    lines: list[Line] = []
    dashes: list[Line] = []
    size = 0
    for line in lines_of(text):
        size += len(line.text)
        if size > 2 * _MOST_SIGNS or len(lines) == _MOST_LINES:
            raise FormatError(f"the text is too long for a grid of {MAX_SIDE}×{MAX_SIDE}")
        if not line.rule:
            lines.append(line)
        elif set("".join(line.words)) == {"-"}:
            dashes.append(line)
    return lines, dashes


def _words(line: str) -> list[str]:
    for comma in ",;":
        if comma in line:
            return [field.strip() or "." for field in line.split(comma)]
    return line.split()


class _Page:
    """The lines of one grid, and the forms that they may have."""

    def __init__(self, lines: list[Line], wanted: Wanted) -> None:
        self.lines = lines
        self.words = [word for line in lines for word in line.words]
        self.size = sum(line.cells for line in lines)
        self._wanted = wanted

    def read(self) -> GridText:
        for line in self.lines:
            if found := _FOREIGN.search(line.text):
                raise FormatError(
                    f"line {line.number}, column {found.start() + 1}: {_named(found[0])} has no "
                    f"place in a grid"
                )
        match self._wanted.dialect:
            case None:
                found_grid = (
                    self._matrix()
                    or self._fields()
                    or self._slots()
                    or self._signs()
                    or self._pairs()
                    or self._jigsaw()
                )
            case "candidates":
                found_grid = self._fields() or self._slots()
            case "sdx":
                found_grid = self._fields()
            case "pairs":
                found_grid = self._pairs()
            case dialect if dialect in ALPHABETS:
                found_grid = self._signs() or self._jigsaw()
            case dialect:
                raise FormatError(f"no dialect is called {dialect!r}; choose {either(DIALECTS)}")
        if found_grid is None:
            raise FormatError(self._complaint())
        return found_grid

    # The forms. Each method gives None if the text does not have its form.

    def _matrix(self) -> GridText | None:
        """Numbers with spaces between them: the form for values of two digits."""
        shape = self._wanted.shape(len(self.words))
        if shape is None or max(map(len, self.words)) < 2:
            return None
        values = self._wanted.values or (max(shape),)
        digits = max(len(str(abs(value))) for value in (values[0], values[-1]))
        if digits < 2 and values[0] >= 0:
            return None
        word = re.compile(rf"-?[0-9]{{1,{digits}}}|{_BLANK_WORD}")
        if not all(map(word.fullmatch, self.words)):
            return None
        self._check_rows([len(line.words) for line in self.lines])
        return from_numbers(map(_number, self.words), shape, self._wanted)

    def _fields(self) -> GridText | None:
        """A word for each cell, with the digits of all its candidates."""
        shape = self._wanted.shape(len(self.words))
        if shape is None or max(shape) > 9 or len(self.lines) != shape[0]:
            return None
        field = re.compile(rf"u?[1-{max(shape)}]+|[.0?_*-]")
        if not all(field.fullmatch(word) and _ascending(word) for word in self.words):
            return None
        dialect = self._wanted.dialect
        if any(word[0] == "u" for word in self.words):
            dialect = "sdx"
        if dialect is None and max(map(len, self.words)) < 2:
            return None
        self._check_rows([len(line.words) for line in self.lines])
        if dialect is None:
            raise FormatError(
                'fields of several digits may be candidates (choose dialect="candidates") or the '
                'notes of a SudoCue file (choose dialect="sdx")'
            )
        entries = tuple(_field(word, dialect == "sdx") for word in self.words)
        return GridText(*shape, entries, self._wanted.values)

    def _slots(self) -> GridText | None:
        """All candidates without spaces: a slot for every value of every cell."""
        for shape, values, width in self._slot_shapes():
            entries = from_slots("".join(self.words), values, width)
            # A text with a cell that has no candidates must have another form.
            if entries is not None and (self._wanted.dialect or () not in entries):
                return GridText(*shape, entries, self._wanted.values)
        return None

    def _slot_shapes(self) -> Iterator[tuple[GridSize, tuple[int, ...], int]]:
        wanted = self._wanted
        shapes = [(side, side) for side in range(2, MAX_SIDE + 1)]
        if wanted.cells is not None:
            shapes = [(wanted.rows or 1, wanted.columns or wanted.cells)]
        for shape in shapes:
            values = wanted.values or tuple(range(1, max(shape) + 1))
            width = len(str(values[-1]))
            # With one value there are no candidates to choose from.
            if (
                len(values) > 1
                and values[0] >= 0
                and self.size == prod(shape) * len(values) * width
            ):
                yield shape, values, width

    def _signs(self) -> GridText | None:
        """One character a cell."""
        shape = self._wanted.shape(self.size)
        if shape is None:
            return None
        self._check_rows([line.cells for line in self.lines])
        return from_signs("".join(self.words), shape, self._wanted, self._place)

    def _pairs(self) -> GridText | None:
        """Two digits a cell without spaces."""
        cells, odd = divmod(self.size, 2)
        shape = self._wanted.shape(cells)
        if odd or shape is None:
            return None
        top = self._wanted.values[-1] if self._wanted.values else max(shape)
        signs = "".join(self.words)
        pairs = [signs[i : i + 2] for i in range(0, len(signs), 2)]
        if top < 10 or not all(re.fullmatch(_NUMBER, pair) for pair in pairs):
            return None
        return from_numbers(map(_number, pairs), shape, self._wanted)

    def _jigsaw(self) -> GridText | None:
        """Givens, then a layout in which equal characters are one region."""
        cells, odd = divmod(self.size, 2)
        shape = self._wanted.shape(cells)
        if odd or shape is None:
            return None
        signs = "".join(self.words)
        layout = signs[cells:]
        if not is_layout(layout, shape):
            return None
        givens = from_signs(signs[:cells], shape, self._wanted, self._place)
        return GridText(*shape, givens.entries, givens.values, layout)

    # Complaints

    def _check_rows(self, counts: list[int]) -> None:
        if len(counts) > 1:
            numbers = [line.number for line in self.lines]
            self._wanted.check_rows("line", list(zip(numbers, counts, strict=True)))

    def _complaint(self) -> str:
        """Why no form fits."""
        shape = self._wanted.shape(len(self.words))
        if shape and max(shape) > 9:
            bad = next((w for w in self.words if not re.fullmatch(_NUMBER, w)), self.words[0])
            return f"{shown(bad)} is not a value of a {shape[0]}×{shape[1]} grid"
        self._check_rows([line.cells for line in self.lines])
        return self._wanted.wrong_count(self.size, "characters")

    def _place(self, index: int) -> str:
        """The line and column of the n-th character."""
        for line in self.lines:
            if index < line.cells:
                signs = [i for i, s in enumerate(line.text, 1) if not s.isspace() and s not in ",;"]
                # An empty field between commas is a cell without a character.
                column = f", column {signs[index]}" if len(signs) == line.cells else ""
                return f"line {line.number}{column}"
            index -= line.cells
        return "the end"


def _field(word: str, notes: bool) -> Entry:
    digits = word.removeprefix("u")
    # Digits and notes that a player entered are not part of the puzzle.
    if digits in BLANKS or (notes and word != digits) or (notes and len(digits) > 1):
        return None
    return tuple(map(int, digits))


def _ascending(word: str) -> bool:
    return all(a < b for a, b in pairwise(word.removeprefix("u")))


def _number(word: str) -> int | None:
    return int(word) if word.removeprefix("-").isdigit() else None


def _named(sign: str) -> str:
    name = unicodedata.name(sign, "")
    return f"{shown(sign)} ({name})" if name and not sign.isascii() else shown(sign)
