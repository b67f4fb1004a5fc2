"""Plain texts of the usual squares, such as 53..7…: told by a glance, and read without detours."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress, repeat
from math import isqrt
from operator import contains, getitem

from csp_sudoku.cells import Cell
from csp_sudoku.puzzle import Puzzle, of_rules

# By their length: the signs that plain texts have, after the one for blanks.
_SIGNS = {
    side * side: [(blank, f"{blank}123456789"[: side + 1].encode("ascii")) for blank in ".0"]
    for side in (4, 6, 9)
}
_VALUE_OF_SIGN = bytes.maketrans(b".0123456789", bytes([0, *range(10)]))


def plain_values(*texts: str) -> bytes | None:
    """The values of plain texts, one text after the other, 0 for a blank.

    None where texts are not of one of the usual lengths, all of the same one, with values from 1 on
    and one sign for blanks, the same in all of them: then they must be read with more care.

    Examples
    --------
    >>> plain_values("1..............2")
    b'\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02'
    >>> plain_values("1.......0......."), plain_values("1."), plain_values("5" + "." * 15)
    (None, None, None)
    """
    lengths = {*map(len, texts)}
    usual = _SIGNS.get(lengths.pop()) if len(lengths) == 1 else None
    joined = "".join(texts)
    if usual is None or not joined.isascii():
        return None
    written = joined.encode("ascii")
    for blank, signs in usual:
        if not written.translate(None, signs):
            # A text without blanks could be many things.
            plain = all(map(contains, texts, repeat(blank)))
            return written.translate(_VALUE_OF_SIGN) if plain else None
    return None


def read_plain(text: str, like: Puzzle | None = None) -> Puzzle | None:
    """The puzzle of a plain text, with the rules of another if that has such a grid; else None.

    Examples
    --------
    >>> read_plain("1...............").givens
    {Cell(row=0, col=0): 1}
    """
    values = plain_values(text)
    if values is None:
        return None
    wanted = like or blank_square(len(text))
    givens = _givens(wanted)
    if givens is None or len(givens) != len(values) or wanted.candidates:
        return None
    filled, given = compress(givens, values), values.translate(None, b"\0")
    return wanted.placed((*map(getitem, filled, given),))


@of_rules
def _givens(rules: Puzzle) -> list[list[tuple[Cell, tuple[int, ...]]]] | None:
    """The given of each cell by its value, made once; None if it is no usual square."""
    cells = len(rules.cells)
    if cells not in _SIGNS or rules.grids != blank_square(cells).grids:
        return None
    single = [(value,) for value in range(isqrt(cells) + 1)]
    return [[(cell, values) for values in single] for cell in rules.cells]


@lru_cache(maxsize=8)
def blank_square(cells: int) -> Puzzle:
    """A blank square of so many cells; the same one each time, with all that is known of it."""
    return Puzzle.blank(isqrt(cells))
