"""Plain texts of the usual squares, such as 53..7…: told by a glance, and read without detours."""

from __future__ import annotations

import re
from functools import lru_cache

from csp_sudoku.puzzle import Puzzle

# By their length: values from 1 on, and one sign for blanks.
_PLAIN = {side * side: re.compile(rf"[.1-{side}]*|[0-{side}]*") for side in (4, 6, 9)}
_VALUE = {str(value): (value,) for value in range(1, 10)}


def plain_rules(text: str) -> Puzzle | None:
    """The grid of a plain text; None where the text is another, and must be read with more care.

    Examples
    --------
    >>> plain_rules("1..............."), plain_rules("1.......0......."), plain_rules("1.")
    (<Puzzle 4×4, 0 givens, 0 constraints>, None, None)
    """
    pattern = _PLAIN.get(len(text))
    if pattern is None or not pattern.fullmatch(text) or ("." not in text and "0" not in text):
        return None
    return plain_square(len(text))


def read_plain(text: str, like: Puzzle | None = None) -> Puzzle | None:
    """The puzzle of a plain text, with the rules of another if that has such a grid; else None.

    Examples
    --------
    >>> read_plain("1...............").givens
    {Cell(row=0, col=0): 1}
    """
    rules = plain_rules(text)
    if rules is None or (like and (like.grids != rules.grids or like.candidates)):
        return None
    wanted = like or rules
    signs = zip(wanted.cells, text, strict=True)
    return wanted.placed(tuple([(cell, _VALUE[sign]) for cell, sign in signs if sign in _VALUE]))


@lru_cache(maxsize=len(_PLAIN))
def plain_square(length: int) -> Puzzle:
    """The grid of plain texts of some length."""
    return Puzzle.blank(round(length**0.5))
