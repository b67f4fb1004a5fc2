"""Plain texts of 4×4, 6×6 and 9×9 grids, such as 53..7…, which are read on a short path."""

from __future__ import annotations

from itertools import chain, compress, repeat
from math import isqrt
from operator import contains, getitem

from csp_encodings.store import kept
from csp_sudoku.cells import Cell
from csp_sudoku.puzzle import Puzzle, of_rules

# For each length of a text: the sign for blanks, and all signs that may occur with it.
_SIGNS = {
    side * side: [(blank, f"{blank}123456789"[: side + 1].encode("ascii")) for blank in ".0"]
    for side in (4, 6, 9)
}
_VALUE_OF_SIGN = bytes.maketrans(b".0123456789", bytes([0, *range(10)]))


def plain_values(*texts: str) -> bytes | None:
    """The values of plain texts, one text after the other, 0 for a blank; None for other texts.

    Plain texts all have the same length, that of a 4×4, 6×6 or 9×9 grid. Their values count from 1,
    and they all have the same sign for blanks.

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
            # A text without blanks may have another form.
            plain = all(map(contains, texts, repeat(blank)))
            return written.translate(_VALUE_OF_SIGN) if plain else None
    return None


def read_plain(text: str, like: Puzzle | None = None) -> Puzzle | None:
    """The puzzle of a plain text, with the rules of `like` if it has such a grid; else None.

    Examples
    --------
    >>> read_plain("1...............").givens
    {R1C1: 1}
    """
    values = plain_values(text)
    return None if values is None else puzzle_of(like or blank_square(len(text)), values)


def puzzle_of(rules: Puzzle, values: bytes) -> Puzzle | None:
    """Return the puzzle with the values of a plain text; None if that is no grid of these rules."""
    givens = _givens(rules)
    if givens is None or len(givens) != len(values) or rules.candidates:
        return None
    filled, given = compress(givens, values), values.translate(None, b"\0")
    return rules.placed((*map(getitem, filled, given),))


def full_values(puzzle: Puzzle, *texts: str) -> bytes | None:
    """The values of texts with one digit for each cell of a puzzle; None for any other texts.

    Whether they keep the rules is another question.

    Examples
    --------
    >>> full_values(Puzzle.blank(2), "1221"), full_values(Puzzle.blank(2), "122.")
    (b'\\x01\\x02\\x02\\x01', None)
    """
    joined = "".join(texts)
    if {*map(len, texts)} != {len(puzzle.variables)} or not joined.isascii():
        return None
    written = joined.encode("ascii")
    if written.translate(None, b"123456789") or not holds_digits(puzzle):
        return None
    return written.translate(_VALUE_OF_SIGN)


def full_list(puzzle: Puzzle, given: object) -> bytes | None:
    """The same of a list or an array with one digit for each cell, or with rows of these.

    Examples
    --------
    >>> full_list(Puzzle.blank(2), [[1, 2], [2, 1]]), full_list(Puzzle.blank(2), [1, 2, 2, 0])
    (b'\\x01\\x02\\x02\\x01', None)
    """
    listed = given.tolist() if hasattr(given, "tolist") else given
    if not isinstance(listed, list | tuple) or len(puzzle.grids) > 1:
        return None
    grid = puzzle.grids[0]
    if len(listed) == grid.rows and all(isinstance(row, list | tuple) for row in listed):
        if {*map(len, listed)} != {grid.columns}:
            return None
        listed = [*chain.from_iterable(listed)]
    if len(listed) != len(puzzle.variables) or {*map(type, listed)} != {int}:
        return None
    if min(listed) < 1 or max(listed) > 9 or not holds_digits(puzzle):
        return None
    return bytes(listed)


@of_rules
def holds_digits(rules: Puzzle) -> bool:
    """Whether all values of a puzzle are digits from 1 to 9, so that text has one reading."""
    return all({*rules.values_of(place)} <= {*range(1, 10)} for place in rules.variables)


@of_rules
def _givens(rules: Puzzle) -> list[list[tuple[Cell, tuple[int, ...]]]] | None:
    """The given of each cell for each value; None for a grid that plain texts do not have."""
    cells = len(rules.cells)
    if cells not in _SIGNS or rules.grids != blank_square(cells).grids:
        return None
    single = [(value,) for value in range(isqrt(cells) + 1)]
    return [[(cell, values) for values in single] for cell in rules.cells]


@kept(size=lambda puzzle: 500 * len(puzzle.cells))
def blank_square(cells: int) -> Puzzle:
    """The blank square grid with this number of cells, always the same object."""
    return Puzzle.blank(isqrt(cells))
