"""Grids as plain text and as nested lists."""

from __future__ import annotations

from collections.abc import Iterable
from math import isqrt

from csp_sudoku.errors import FormatError

_BLANK = frozenset(".0?_*")


def read_rows(source: object) -> list[list[int | None]]:
    """The rows of a grid; None where blank."""
    if isinstance(source, str):
        return _square([_value(mark) for mark in "".join(source.split())])
    if isinstance(source, Iterable):
        return [[int(v) if v else None for v in row] for row in source]
    raise FormatError(f"{source!r} is not a grid")


def _value(mark: str) -> int | None:
    if mark in _BLANK:
        return None
    if mark not in "123456789":
        raise FormatError(f"{mark!r} is not a value")
    return int(mark)


def _square(values: list[int | None]) -> list[list[int | None]]:
    side = isqrt(len(values))
    if side * side != len(values) or not values:
        raise FormatError(f"{len(values)} characters are not a square grid")
    return [values[i : i + side] for i in range(0, len(values), side)]
