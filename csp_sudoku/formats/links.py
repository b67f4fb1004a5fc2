"""Links as people paste them: in quotes, percent-encoded, with a slash missing."""

from __future__ import annotations

import re
from urllib.parse import unquote

_QUOTES = {'"': '"', "'": "'", "`": "`", "<": ">", "“": "”", "‘": "’", "«": "»"}
_MAX_QUOTES = 3
_ENCODED = re.compile(r"[A-Za-z]+%3A(%2F|/)", re.IGNORECASE)
_SCHEME = re.compile(r"https?:/+", re.IGNORECASE)


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
    found = re.search(rf"(?:^|[?&#]){re.escape(name)}=([^&#]*)", link)
    return found[1] if found else None
