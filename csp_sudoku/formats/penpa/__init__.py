"""penpa: links that hold a board, a picture on it, and a rules text.

The picture has two layers: the question, and the answer, which is what a solver has entered.
``picture`` says what is drawn where.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from itertools import accumulate, pairwise
from typing import Any
from urllib.parse import unquote

from csp_sudoku.cells import SIDES, Cell
from csp_sudoku.constraints import registry
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import loose, strict_json
from csp_sudoku.formats.drawn import interpreted
from csp_sudoku.formats.links import clean, parameter
from csp_sudoku.formats.penpa.picture import Board, Layer, Picture, digits_of
from csp_sudoku.formats.reading import NO_HELP, Collector, Help, Progress, Reading, blank
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.puzzle import Puzzle

_LINK = re.compile(r"https://[^?#\s]*/penpa-edit(/[^?#\s]*)?([?#]|$)", re.IGNORECASE)
_DAMAGED = "this penpa link is damaged; was it copied in full?"
# A few kilobytes can unpack to gigabytes. No puzzle comes near this size.
_MOST = 4 * 2**20
_LONGEST_SIDE = 100

# Short forms of the words that are frequent in a document; a z is written as zZ.
_WORDS = {
    "Z": "z", "O": "null", "_": '"__a"', "9": '"qa"', "Q": '"pu_q"', "A": '"pu_a"', "G": '"grid"',
    "M": '"edit_mode"', "S": '"surface"', "L": '"line"', "E": '"lineE"', "W": '"wall"',
    "C": '"cage"', "N": '"number"', "Y": '"symbol"', "P": '"special"', "B": '"board"',
    "R": '"command_redo"', "U": '"command_undo"', "8": '"command_replay"', "1": '"numberS"',
    "F": '"freeline"', "2": '"freelineE"', "T": '"thermo"', "3": '"arrows"', "D": '"direction"',
    "0": '"squareframe"', "5": '"polygon"', "4": '"deletelineE"', "6": '"killercages"',
    "7": '"nobulbthermo"',
}  # fmt: skip
# Where things stand: the fields of the first line, then the other lines.
_TURNED, _TITLE, _AUTHOR, _RULES, _SWITCH, _SEVERAL, _IMAGE = slice(4, 7), 15, 16, 18, 19, 20, 21
_QUESTION, _ANSWER, _CELLS, _COLOURED, _COLOURS, _TAGS = 3, 4, 5, 13, 14, 17
_ESCAPED = {"%2C": ",", "%2D": "\n", "%2E": "&", "%2F": "=", "<br>": "\n"}
# The solution that is checked has a list for each kind of entry; this one is for numbers.
_NUMBERS = 4

# What a title may call a Sudoku that has no rule of its own, and beginnings of names of rules.
_PLAIN = {
    *"a the my classic classical standard normal regular plain simple easy medium hard".split()
}
_PLAIN |= {*"daily new first irregular jigsaw".split()}
_VARIANT = re.compile(r"x|xv|anti.*|non.*|thermo.*|toroidal|chaos|fog.*|deficit|surplus|sum.*")


def recognises(text: str) -> bool:
    """Whether a text is a link to penpa.

    Examples
    --------
    >>> recognises("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VZ")
    True
    """
    return bool(_LINK.match(clean(text)))


def read_text(text: str, help_given: Help = NO_HELP) -> Reading:
    """Read a link."""
    link = clean(text)
    payload = parameter(link, "p")
    if not payload:
        raise FormatError("this penpa link holds no puzzle; one that does has a p= in it")
    if payload.startswith("http"):
        raise FormatError("this penpa link holds only the address of a puzzle of another program")
    return _read(_Document(_unpacked(payload)), parameter(link, "a") or "", help_given)


def _unpacked(payload: str) -> str:
    packed = unquote(payload) if "%" in payload else payload
    try:
        packed = packed.strip().replace(" ", "+").rstrip("=")
        data = base64.b64decode(packed + -len(packed) % 4 * "=", validate=True)
        unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
        text = unpacking.decompress(data, _MOST).decode()
    except (binascii.Error, zlib.error, ValueError):
        raise FormatError(_DAMAGED) from None
    if not unpacking.eof:
        raise FormatError(_DAMAGED)
    return text


class _Document:
    """The text of a link: a line of fields, then lines of JSON."""

    def __init__(self, text: str) -> None:
        whole = re.sub("z(.)", lambda found: _WORDS.get(found[1], found[0]), text)
        self.lines = whole.split("\n")
        self.fields = self.lines[0].split(",")
        self._check_board()

    def _check_board(self) -> None:
        kind = self.fields[0]
        if kind[:1].isdigit():
            raise FormatError(
                "this penpa link has the form of the first version, which is not read"
            )
        if kind not in ("square", "sudoku"):
            raise FormatError(
                f"{shown(kind)} is not a board of penpa that can be read: square, sudoku"
            )
        if len(self.lines) <= _CELLS or len(self.fields) <= _TURNED.stop:
            raise FormatError(_DAMAGED)
        if self.fields[_TURNED] != ["0", "1", "1"]:
            raise FormatError(
                "this penpa board is turned or mirrored; turn it back, and share it anew"
            )
        # The address of the source may have commas, and then nothing stands where it should.
        if len(self.fields) > _SWITCH and self.field(_SWITCH) not in ("ON", "OFF", "1", "2"):
            raise FormatError("the title, source and rules of this penpa link cannot be told apart")
        if self.field(_IMAGE) and loose.mapping(_json(_unpacked(self.field(_IMAGE))) or {}).get(
            "url"
        ):
            raise FormatError("an image lies under this penpa board, and it cannot be read")

    def field(self, number: int) -> str:
        """A field of the first line; an empty text if there is none."""
        return self.fields[number] if number < len(self.fields) else ""

    def told(self, number: int) -> str:
        """A field that is a text for people."""
        text = self.field(number)
        for code, sign in _ESCAPED.items():
            text = text.replace(code, sign)
        return loose.text(text).strip()

    def line(self, number: int) -> Any:
        """A line of JSON; None if it is not there."""
        text = self.lines[number] if number < len(self.lines) else ""
        return _json(text) if text.strip() else None

    def board(self) -> Board:
        """The board: its cells must fill a rectangle."""
        sides = [loose.needed(side) for side in self.fields[1:3]]
        steps = loose.listed(self.line(_CELLS))
        if not all(0 < side <= _LONGEST_SIDE for side in sides) or len(steps) > _LONGEST_SIDE**2:
            raise FormatError(f"this penpa board has more than {_LONGEST_SIDE} rows or columns")
        if not steps or not all(type(step) is int for step in steps):
            raise FormatError("this penpa board has no cells")
        width, height = (side + 4 for side in sides)
        cells = {Cell(*divmod(number, width)) for number in accumulate(steps)}
        rows, columns = {cell.row for cell in cells}, {cell.col for cell in cells}
        top, left = min(rows), min(columns)
        size = max(rows) - top + 1, max(columns) - left + 1
        if len(cells) != size[0] * size[1] or top < 0 or max(rows) >= height:
            raise FormatError("the cells of this penpa board do not fill a rectangle")
        return Board(width, height, top, left, *size)


def _json(text: str) -> Any:
    try:
        return strict_json.parse(text, floats=True)
    except FormatError:
        raise FormatError(_DAMAGED) from None


def _read(document: _Document, answers: str, help_given: Help) -> Reading:
    board = document.board()
    coloured = document.line(_COLOURED) in (1, "true")
    layer = Layer(
        loose.mapping(document.line(_QUESTION)),
        loose.mapping(document.line(_COLOURS) or {}) if coloured else {},
    )
    shape = blank(board.rows, board.columns, _regions(board, layer))
    collector = Collector(shape, help_given)
    picture = Picture(board, layer, collector)
    canvas = picture.canvas()
    puzzle = collector.puzzle({cell: [value] for cell, value in picture.givens.items()})
    rules = document.told(_RULES)
    if not rules:
        _check_title(document, collector)
    reading = Reading(
        puzzle,
        title=document.told(_TITLE).removeprefix("Title:").strip(),
        author=document.told(_AUTHOR).removeprefix("Author:").strip(),
        rules=rules,
        solution=_solution(answers, board, puzzle) if document.field(_SEVERAL) != "true" else (),
        progress=_progress(document.line(_ANSWER), board, puzzle),
    )
    return interpreted(reading, collector, canvas, help_given)


def _regions(board: Board, layer: Layer) -> list[list[Cell]]:
    """The regions between the heavy lines; they must part the whole grid, and have one size."""
    walls = set(board.borders(layer))
    left = [Cell(r, c) for r in range(board.rows) for c in range(board.columns)]
    home: dict[Cell, int] = {}
    regions: list[list[Cell]] = []
    for start in left:
        if start in home:
            continue
        home[start] = len(regions)
        region = [start]
        for cell in region:
            for rows, columns in SIDES:
                other = Cell(cell.row + rows, cell.col + columns)
                if board.has(other) and other not in home and {cell, other} not in walls:
                    home[other] = len(regions)
                    region.append(other)
        regions.append(region)
    if len(regions) == 1:
        raise FormatError("no heavy lines part this penpa board into boxes or regions")
    for wall in sorted(map(sorted, walls)):
        if home[wall[0]] == home[wall[1]]:
            raise FormatError(f"the heavy line between {wall[0]} and {wall[1]} parts no regions")
    side = max(board.rows, board.columns)
    for region in regions:
        if len(region) != side:
            raise FormatError(
                f"the heavy lines around {region[0]} enclose {len(region)} cells, and a region has "
                f"{side}"
            )
    return regions


def _check_title(document: _Document, collector: Collector) -> None:
    """Refuse a puzzle without a rules text if its title or its tags name a rule."""
    title = document.told(_TITLE).removeprefix("Title:").strip()
    words = re.findall(r"\w+", title.lower())
    names = {word for name in registry.built_in() for word in name.split("-") if len(word) > 3}
    called = [before for before, word in pairwise(words) if word == "sudoku"]
    rules = any(
        word in names or word.rstrip("s") in names or _VARIANT.fullmatch(word) for word in words
    )
    if rules or not {*called} <= _PLAIN:
        collector.leave_out(
            "rules text", "title", f"{shown(title)} may name a rule, and there is no rules text"
        )
    for tag in loose.listed(document.line(_TAGS)):
        if tag not in ("classic", "irregular"):
            collector.leave_out("rules text", "tag", f"{shown(tag)}: there is no rules text")


def _solution(packed: str, board: Board, puzzle: Puzzle) -> tuple[int | None, ...]:
    """The solution that entries are checked against; it leaves out the givens."""
    if not packed:
        return ()
    lists = loose.listed(_json(_unpacked(packed)))
    stated: dict[Cell, int] = {}
    for entry in loose.listed(lists[_NUMBERS]) if len(lists) > _NUMBERS else ():
        place, _, value = str(entry).partition(",")
        cell = board.cell(place)
        if cell is not None and value.isascii() and value.isdigit():
            stated[cell] = int(value[:9])
    if not stated:
        return ()
    given = {cell: value for cell, value in puzzle.givens.items() if isinstance(cell, Cell)}
    stated |= given
    known = puzzle.grids[0].values
    found = (stated.get(cell) for cell in puzzle.grids[0].cells)
    return tuple(value if value in known else None for value in found)


def _progress(answer: object, board: Board, puzzle: Puzzle) -> Progress:
    """The digits and the centre marks of the answer layer."""
    entered: list[tuple[Cell, object, list[str]]] = []
    numbers = answer.get("number") if isinstance(answer, dict) else None
    for key, entry in (numbers if isinstance(numbers, dict) else {}).items():
        cell = board.cell(key)
        if cell is None or cell in puzzle.givens or not isinstance(entry, list) or len(entry) < 3:
            continue
        text, style = entry[0], str(entry[2])
        marks = digits_of(text) if style == "7" else list(str(text))
        if style in ("1", "10") or (style == "7" and len(marks) == 1):
            entered.append((cell, marks[0] if style == "7" else text, []))
        elif style in ("5", "6", "7"):
            entered.append((cell, None, marks))
    return Progress.of(puzzle, entered)
