"""Links as people paste them: in quotes, percent-encoded, one on each line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from csp_sudoku.errors import FormatError
from csp_sudoku.formats.texts.shapes import shown

#: What the refusal of a link says that only names a puzzle.
DOWNLOAD = "--download (in Python download=True) fetches it"

# The short id of a SudokuPad puzzle. Grids have no small letters, except an x for a blank.
_SHORT_ID = re.compile(r"(?=.*[a-wyz])(?=.*[0-9/])[A-Za-z0-9_-]{5,60}(/[A-Za-z0-9_-]{1,60})?")

_QUOTES = {'"': '"', "'": "'", "`": "`", "<": ">", "“": "”", "‘": "’", "«": "»"}
_MAX_QUOTES = 3
_ENCODED = re.compile(r"[A-Za-z]+%3A(%2F|/)", re.IGNORECASE)
_SCHEME = re.compile(r"https?:/+", re.IGNORECASE)

# How a link begins, or the part of it that holds a puzzle.
_START = re.compile(
    r"""https?:/|sudokupad:|load=|N4Ig[\w+/%]{36}|(fpuzzles|fpuz|scl|ctc|scf|classic)\S{8}
    |([a-z0-9-]+\.)*(f-puzzles\.com|sudokupad\.app|crackingthecryptic\.com|sudokumaker\.app)(/|\?)""",
    re.IGNORECASE | re.VERBOSE,
)
# A link that ends with a puzzle: a blank in it may stand for a sign of the puzzle.
_ENDS_WITH_PUZZLE = re.compile(r"N4Ig\S*|(\S*[?&#])?(load|puzzle|q)=[^&#\s]*")


def recognises(text: str) -> bool:
    """Whether a text begins with a link, or with the part of one that holds a puzzle."""
    return bool(_START.match(clean(next(split(text.splitlines()), ""))))


def split(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a text that has a link on each. Lines that begin with # are comments.

    Examples
    --------
    >>> list(split(["# easy", "https://sudokupad.app/abc", "", "https://sudokupad.app/abd"]))
    ['https://sudokupad.app/abc', 'https://sudokupad.app/abd']
    """
    for line in lines:
        if not line.isspace() and line and not line.lstrip().startswith("#"):
            yield line.rstrip("\n")


def check(line: str) -> None:
    """Refuse a line that is no link, or that has more on it than a link."""
    link = clean(line)
    if not _START.match(link):
        raise FormatError(f"{shown(link)} is not a link, as the first line is")
    first, *more = link.split(maxsplit=1)
    if more and (_START.match(more[0]) or not _ENDS_WITH_PUZZLE.fullmatch(first)):
        raise FormatError(f"{shown(more[0])} behind the link is not understood")


def may_be_id(text: str) -> bool:
    """Whether a text that is no puzzle may be the short id of a SudokuPad puzzle.

    Examples
    --------
    >>> may_be_id("ryr673qcbh"), may_be_id("author/a-title"), may_be_id("1234xx..")
    (True, True, False)
    """
    return bool(_SHORT_ID.fullmatch(text))


def clean(text: str) -> str:
    """The link in a text, without what was copied along with it.

    Examples
    --------
    >>> clean('  "https:/sudokupad.app/abc" ')
    'https://sudokupad.app/abc'
    >>> clean("https%3A%2F%2Fsudokupad.app%2Fabc")
    'https://sudokupad.app/abc'
    """
    text = text.strip()
    for _ in range(_MAX_QUOTES):
        if len(text) > 1 and _QUOTES.get(text[0]) == text[-1]:
            text = text[1:-1].strip()
    if _ENCODED.match(text):
        text = unquote(text)
    return _SCHEME.sub("https://", text, count=1) if _SCHEME.match(text) else text


def parameter(link: str, name: str) -> str | None:
    """The value of a parameter of a link, still encoded; None if it does not have it.

    Examples
    --------
    >>> parameter("https://www.f-puzzles.com/?load=N4Ig&x=1", "load")
    'N4Ig'
    """
    found = re.findall(rf"(?:^|[?&#]){re.escape(name)}=([^&#]*)", link)
    if len({*found}) > 1:
        raise FormatError(f"{name}= stands twice in this link")
    return found[0] if found else None
