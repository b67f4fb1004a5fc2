"""f-puzzles: JSON documents, and the links that hold them compressed.

``document`` reads and writes the documents.
"""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote, unquote

from csp_sudoku.errors import FormatError
from csp_sudoku.formats import lzstring, strict_json
from csp_sudoku.formats.fpuzzles.document import document_of, read_document
from csp_sudoku.formats.links import DOWNLOAD, clean, parameter
from csp_sudoku.formats.reading import NO_HELP, Help, Reading
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.formats.texts.shapes import shown

LINK = "https://www.f-puzzles.com/?load="

# How compressed JSON objects begin.
_START = "N4Ig"
_SITE = re.compile(r"(https://)?(www\.)?f-puzzles\.com/")
_PAYLOAD = re.compile(r"[A-Za-z0-9+/]*")


def recognises(text: str) -> bool:
    """Whether a text is a link, the compressed part of a link, or a document of f-puzzles."""
    text = clean(text)
    if text.startswith("{"):
        return recognises_document(text)
    if _SITE.match(text):
        return True
    if text.startswith(_START):
        return bool(re.match(r"[A-Za-z0-9+/]{40}", text))
    return not text.startswith(("<", ".")) and parameter(text, "load") is not None


def recognises_document(text: str) -> bool:
    """Whether a text is an object with a size and a grid."""
    keys = strict_json.keys_of(text, "grid")
    return "grid" in keys and "cellSize" not in keys


def read_text(text: str, help_given: Help = NO_HELP) -> Reading:
    """Read a link, the compressed part of a link, or a document.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> link = write_link(Puzzle.blank(4).with_givens({"R1C1": 2}))
    >>> read_text(link).puzzle
    <Puzzle 4×4, 1 given, 0 constraints>
    """
    text = clean(text)
    if not text.startswith("{"):
        payload = parameter(text, "load")
        if payload is None and not text.startswith(_START):
            raise FormatError(
                f"this f-puzzles link holds only the number of a puzzle, which is on the site: "
                f"{DOWNLOAD}; a link with load= holds the puzzle itself"
            )
        text = unpack(text if payload is None else payload)
    return read_document(strict_json.parse(text, floats=True), help_given)


def short_id(text: str) -> str | None:
    """The number of a puzzle in a link that holds no puzzle; None for other texts."""
    return parameter(text, "id") if _SITE.match(text) and not parameter(text, "load") else None


def unpack(payload: str) -> str:
    """The document in the compressed part of a link."""
    if "%" in payload:
        payload = unquote(payload)
    payload = lzstring.with_pluses(payload).rstrip("=")
    if not _PAYLOAD.fullmatch(payload):
        behind = _PAYLOAD.sub("", payload, count=1).lstrip("=+")
        raise FormatError(f"{shown(behind)} behind the link is not understood")
    return lzstring.decompress(f"{payload}=")


def write_fpuzzles(puzzle: object, *, lenient: bool = False) -> str:
    """Write a puzzle as an f-puzzles document; a reading is written with its title and text.

    Raises :class:`FormatError` with all that such a document cannot hold; `lenient` puts rules that
    it cannot hold as constraints into its rules text.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> write_fpuzzles(Puzzle.blank(1))
    '{"size":1,"grid":[[{"region":null}]]}'
    """
    return json.dumps(_document(puzzle, lenient), ensure_ascii=False, separators=(",", ":"))


def write_link(puzzle: object, *, lenient: bool = False) -> str:
    """Write a puzzle as an f-puzzles link; see :func:`write_fpuzzles`.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> write_link(Puzzle.blank(4))
    'https://www.f-puzzles.com/?load=N4IgzglgXgpiBcAWANCA5gJwgEwQbT2AF9ljSTiBdZQiu86285qms9uyyooA'
    """
    return LINK + quote(lzstring.compress(write_fpuzzles(puzzle, lenient=lenient)), safe="")


def _document(puzzle: object, lenient: bool) -> dict[str, Any]:
    reading = puzzle if isinstance(puzzle, Reading) else Reading(as_puzzle(puzzle))
    return document_of(reading, lenient=lenient)
