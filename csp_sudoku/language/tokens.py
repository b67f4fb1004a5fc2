"""The text of a rule as tokens, each with its place."""

from __future__ import annotations

import re
import reprlib
from typing import Literal, NamedTuple

from csp_sudoku.errors import ConstraintError

#: The longest text of a rule.
MOST_LETTERS = 4_000
# The most digits of a number.
_MOST_DIGITS = 9
# How much of the text before a fault an error shows.
_SHOWN = 24

Kind = Literal["number", "place", "name", "sign", "end"]

_TOKEN = re.compile(
    r"""\s+
    | (?P<place> [Rr][0-9]+[Cc][0-9]+ \b | \$\w*
      | [A-Za-z_]\w* : [Rr][0-9]+(?:\.5)?[Cc][0-9]+(?:\.5\b|\b) )
    | (?P<number> [0-9]+ )
    | (?P<name> [A-Za-z_]\w* )
    | (?P<sign> \.\. | // | == | != | <= | >= | [-+*%<>()\[\],] )
    """,
    re.VERBOSE | re.ASCII,
)


class Token(NamedTuple):
    """A word or sign, and the position of its first letter, counted from 0."""

    kind: Kind
    text: str
    at: int

    def __str__(self) -> str:
        return reprlib.repr(self.text) if self.text else "the end"


def fault(text: str, at: int, message: str) -> ConstraintError:
    """Return an error that points at a place of a text.

    Examples
    --------
    >>> fault("R1C1 + + 2", 7, "expected a number or a cell, not '+'")
    ConstraintError("column 8, after 'R1C1 +': expected a number or a cell, not '+'")
    """
    before = text[:at].rstrip()
    shown = ("…" if len(before) > _SHOWN else "") + before[-_SHOWN:]
    after = f", after {shown!r}" if shown else ""
    return ConstraintError(f"column {at + 1}{after}: {message}")


def tokens(text: str) -> list[Token]:
    """Split a text; the last token is its end.

    Examples
    --------
    >>> [str(token) for token in tokens("R1C1 >= 2")]
    ["'R1C1'", "'>='", "'2'", 'the end']
    """
    if len(text) > MOST_LETTERS:
        raise ConstraintError(f"the text has {len(text):,} letters; {MOST_LETTERS:,} are possible")
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise fault(text, at, _unknown(text[at]))
        word = match.group()
        if (kind := match.lastgroup) == "number" and len(word) > _MOST_DIGITS:
            raise fault(text, at, f"a number has at most {_MOST_DIGITS} digits")
        if kind is not None:
            found.append(Token(kind, word, at))  # type: ignore[arg-type]
        at = match.end()
    found.append(Token("end", "", len(text.rstrip())))
    return found


def _unknown(sign: str) -> str:
    hints = {
        "=": "write == to compare",
        "!": "write != or not",
        "/": "write // for a division without remainder",
        "&": "write and",
        "|": "write or",
        "^": "write a product",
        ".": "numbers are whole; a range is 1..9",
        "≤": "write <=",
        "≥": "write >=",
        "≠": "write !=",
    }
    hint = f"; {hints[sign]}" if sign in hints else ""
    return f"{sign!a} means nothing here{hint}"
