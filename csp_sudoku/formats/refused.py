"""Links that cannot be read, which are refused by name."""

from __future__ import annotations

import re
from typing import NoReturn

from csp_sudoku.errors import FormatError
from csp_sudoku.formats.links import DOWNLOAD, clean, parameter
from csp_sudoku.formats.reading import NO_HELP, Help, Reading
from csp_sudoku.formats.texts.shapes import shown

_LINK = re.compile(r"https://([^/?#\s]*)")
_LEADS_ON = re.compile(r"(www\.)?(sudokuwiki\.org|tinyurl\.com)", re.IGNORECASE)


def recognises(text: str) -> bool:
    """Whether a text is a link."""
    return bool(_LINK.match(clean(text)))


def read_text(text: str, help_given: Help = NO_HELP) -> Reading:
    """Refuse the link."""
    _refuse(clean(text))


def _refuse(link: str) -> NoReturn:
    found = _LINK.match(link)
    site = shown(found[1] if found else link)
    if found and _LEADS_ON.fullmatch(found[1]) and parameter(link, "bd") is None:
        raise FormatError(f"this link to {site} holds no puzzle, but may lead to one: {DOWNLOAD}")
    raise FormatError(
        f"links to {site} hold no puzzle that can be read here; those of f-puzzles, SudokuPad, "
        f"SudokuMaker, penpa and Interactive Sudoku Solver do"
    )
