"""SudokuPad: links and their ids, which hold a puzzle in one of several forms.

``scl`` its own documents · ``scl_zip`` their shortened form · ``telling`` ``painting`` how they say
and draw the rules of a puzzle. A link may also hold a document of f-puzzles.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, islice, pairwise
from urllib.parse import quote, unquote

from csp_sudoku.constraints import Diagonals, Windoku
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import fpuzzles, lzstring, strict_json
from csp_sudoku.formats.fpuzzles import document as fpuzzles_document
from csp_sudoku.formats.links import DOWNLOAD, clean, parameter
from csp_sudoku.formats.reading import NO_HELP, Help, Reading
from csp_sudoku.formats.sudokupad import scl
from csp_sudoku.formats.sudokupad.scl_zip import unzip
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.puzzle import Puzzle

LINK = "https://sudokupad.app/"

_LINK = re.compile(
    r"(?:https://)?(?:[a-z0-9-]+\.)*(?:sudokupad\.app|crackingthecryptic\.com)(?:/(.*)|$)"
    r"|sudokupad:/*(?:puzzle/)?(.*)",
    re.IGNORECASE | re.DOTALL,
)
_ID = re.compile(r"(fpuzzles|fpuz|scl|ctc|scf|classic)(\S*)", re.DOTALL)
_PAGE = re.compile(r"(sudoku(\.html)?|puzzle)(/|$)", re.IGNORECASE)
_SHORTEST = 8

# How many ways to restore lost slashes are tried, and how many characters they may unpack to.
_MAX_TRIES = 400
_MAX_WORK = 8_000_000

_CELLS = 81
_CODES = string.digits + string.ascii_uppercase + string.ascii_lowercase[:24]
_RUNS = string.ascii_uppercase + string.ascii_lowercase + "()[]-.~:@!$&'*,;=_"
_RULES = {"x": Diagonals(), "w": Windoku()}


def recognises(text: str) -> bool:
    """Whether a text is a SudokuPad link, or the id of one."""
    text = clean(text)
    found = _ID.fullmatch(text)
    return bool(_LINK.fullmatch(text)) or (found is not None and len(found[2]) >= _SHORTEST)


def read_text(text: str, help_given: Help = NO_HELP) -> Reading:
    """Read a link or an id.

    Examples
    --------
    >>> read_text("https://sudokupad.app/scf5NlQ19j9mGca3OIN1bWGk2m41TjS79").puzzle
    <Puzzle 9×9, 30 givens, 0 constraints>
    """
    name = _id_of(clean(text))
    found = _ID.fullmatch(name)
    if not name:
        raise FormatError("this link leads to the SudokuPad site, and to no puzzle there")
    if not found:
        raise FormatError(
            f"{shown(name)} is the short id of a puzzle on the SudokuPad site: {DOWNLOAD}; a long "
            f"link, from the share menu of the site, holds the puzzle itself"
        )
    kind, payload = found[1], found[2]
    decoded = unquote(payload) if "%" in payload else payload
    if kind in ("scf", "classic"):
        return Reading(_compact(decoded, prefer_codes=kind == "scf"))
    if kind in ("scl", "ctc"):
        return scl.read_document(_document(decoded, _unpack, _parse), help_given)
    document = _document(decoded, fpuzzles.unpack, partial(strict_json.parse, floats=True))
    return fpuzzles_document.read_document(document, help_given)


def short_id(text: str) -> str | None:
    """The short id in a link that holds no puzzle; None for other texts.

    Examples
    --------
    >>> short_id("https://sudokupad.app/abc1?setting-nogrid=1")
    'abc1'
    """
    name = _id_of(text) if _LINK.fullmatch(text) else ""
    return name if name and not _ID.fullmatch(name) else None


def address_of(name: str) -> str:
    """Where the puzzle with a short id is."""
    return f"{LINK}api/puzzle/{quote(name)}"


def write_link(puzzle: object, *, lenient: bool = False) -> str:
    """Write a puzzle as a SudokuPad link; see :func:`write_scl`.

    Examples
    --------
    >>> read_text(write_link(Puzzle.blank(6))).puzzle.grids[0].box
    (2, 3)
    """
    packed = lzstring.compress(scl.write_scl(puzzle, lenient=lenient))
    return f"{LINK}scl{quote(packed, safe='')}"


def _id_of(text: str) -> str:
    """The id in a link, without settings."""
    found = _LINK.fullmatch(text)
    if not found:
        return text
    rest = found[1] or found[2] or ""
    named = parameter(f"?{rest.partition('?')[2]}", "puzzleid")
    return named if named is not None else _PAGE.sub("", re.split("[?&#]", rest, maxsplit=1)[0])


def _unpack(payload: str) -> str:
    """The text of a payload, which need not be compressed."""
    try:
        text = lzstring.decompress(re.sub(r"[^A-Za-z0-9+/]", "=", payload) + "=")
    except FormatError:
        return payload
    return payload if len(text) < len(payload) / 2 else text


def _parse(text: str) -> object:
    """The document of a text, which may be shortened."""
    try:
        return strict_json.parse(text, floats=True)
    except FormatError:
        return unzip(text)


def _document(payload: str, unpack: Callable[[str], str], parse: Callable[[str], object]) -> object:
    """The document in a payload. Servers merge double slashes; these are restored if need be."""
    try:
        return parse(unpack(payload))
    except FormatError as error:
        complaint = error
    work = 0
    for repaired in islice(_repairs(payload), _MAX_TRIES):
        try:
            text = unpack(repaired)
            work += len(repaired) + len(text)
            if work > _MAX_WORK:
                break
            return parse(text)
        except FormatError:
            work += len(repaired)
    raise complaint


def _repairs(payload: str) -> Iterator[str]:
    places = [found.start() for found in re.finditer("(?<!/)/(?!/)", payload)]
    for number in range(1, len(places) + 1):
        for chosen in combinations(places, number):
            cuts = [0, *chosen, len(payload)]
            yield "/".join(payload[a:b] for a, b in pairwise(cuts))


def _compact(payload: str, *, prefer_codes: bool) -> Puzzle:
    """A classic Sudoku in one of two short forms; the right form gives 81 cells."""
    readers = [_coded, _with_runs] if prefer_codes else [_with_runs, _coded]
    for reader in readers:
        cells, rest = reader(payload)
        if len(cells) == _CELLS and all(sign in _RULES for sign in rest):
            puzzle = Puzzle.blank(9)
            givens = zip(puzzle.cells, map(int, cells), strict=True)
            puzzle = puzzle.with_givens({place: value for place, value in givens if value})
            return puzzle.add(*(_RULES[sign] for sign in dict.fromkeys(rest)))
    raise FormatError(f"{shown(payload)} does not hold {_CELLS} cells; was it copied in full?")


def _coded(payload: str) -> tuple[str, str]:
    """The cells if each sign stands for a digit and a number of blanks, and the rest."""
    cells = ""
    for position, sign in enumerate(payload):
        if len(cells) >= _CELLS or sign not in _CODES:
            return cells, payload[position:]
        blanks, digit = divmod(_CODES.index(sign), 10)
        cells += str(digit) + "0" * blanks
    return cells, ""


def _with_runs(payload: str) -> tuple[str, str]:
    """The cells if digits are digits and other signs are runs of blanks, and the rest."""
    cells = ""
    for position, sign in enumerate(payload):
        if len(cells) >= _CELLS or sign not in string.digits + _RUNS:
            return cells, payload[position:]
        cells += sign if sign in string.digits else "0" * _RUNS.index(sign)
    return cells, ""
