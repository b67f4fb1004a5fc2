"""Grids as nested sequences and arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from operator import index
from typing import SupportsIndex

from csp_sudoku.errors import FormatError
from csp_sudoku.formats.texts.shapes import GridText, Wanted, shown
from csp_sudoku.formats.texts.text import read_text
from csp_sudoku.formats.texts.values import from_numbers
from csp_sudoku.grid import MAX_SIDE

# Python refuses to print much larger numbers.
_MAX_BITS = 400


def read_rows(source: Iterable[object], wanted: Wanted) -> GridText:
    """Read rows of numbers (0 or None where blank), rows of characters, or lines of text.

    Examples
    --------
    >>> read_rows([[0, 1], [None, 2]], Wanted()).entries
    (None, (1,), None, (2,))
    """
    items = _listed(source, MAX_SIDE**2)
    if items and not any(isinstance(item, Iterable) for item in items):
        items = [items]
    rows = [
        item if isinstance(item, str) else _listed(item, MAX_SIDE**2, f"row {number}: ")
        for number, item in enumerate(items, 1)
    ]
    cells = [value for row in rows for value in row]
    if not cells:
        raise FormatError("the list of rows is empty")
    if all(isinstance(row, str) for row in rows) or all(
        isinstance(sign, str) and len(sign) == 1 for sign in cells
    ):
        return read_text("\n".join("".join(map(str, row)) for row in rows), wanted)
    if len(rows) > 1:
        wanted.check_rows("row", [(number, len(row)) for number, row in enumerate(rows, 1)])
    shape = wanted.shape(len(cells))
    if shape is None:
        raise FormatError(wanted.wrong_count(len(cells), "cells"))
    return from_numbers(map(_number, cells), shape, wanted)


def _listed(items: object, most: int, place: str = "") -> list[object]:
    """The items of an iterable, which may be endless."""
    if not isinstance(items, Iterable) or isinstance(items, Mapping):
        raise FormatError(f"{place}{shown(items)} is not a row of cells")
    try:
        found = list(islice(items, most + 1))
    except TypeError:  # an array without dimensions
        raise FormatError(f"{place}{shown(items)} is not a row of cells") from None
    if len(found) > most:
        raise FormatError(f"{place}more cells than the largest grid, {MAX_SIDE}×{MAX_SIDE}, has")
    return found


def _number(value: object) -> int | None:
    # The whole numbers of every library have an index. A bool has one, too, but is a mistake.
    if value is None:
        return None
    try:
        if isinstance(value, SupportsIndex) and not isinstance(value, bool):
            number = index(value)
            if number.bit_length() > _MAX_BITS:
                raise FormatError(f"a number of {number.bit_length()} bits is not a cell")
            return number
    except TypeError:  # an array of more dimensions
        pass
    raise FormatError(f"{shown(value)} is not a cell; give whole numbers, None for a blank")
