"""Whole numbers: those that users give, and those that sentences tell."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import SupportsIndex, cast


def counted(number: int, what: str) -> str:
    """Return a number of things in words.

    Examples
    --------
    >>> counted(1, "clause"), counted(2000, "clause")
    ('1 clause', '2,000 clauses')
    """
    return f"{number:,} {what}{'s' * (number != 1)}"


def as_int(value: object) -> int | None:
    """Return a whole number as an int; None for anything else.

    Numbers of NumPy are welcome, True and False are not.

    Examples
    --------
    >>> import numpy as np
    >>> as_int(np.int64(7)), as_int(7.0), as_int("7"), as_int(True)
    (7, None, None, None)
    """
    if type(value) is int:
        return value
    # The truth values of NumPy 1 are whole numbers, with a warning.
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return None
    try:
        return index(cast(SupportsIndex, value))
    except TypeError:
        return None


def as_ints(values: object) -> tuple[int, ...] | None:
    """Return several whole numbers as ints; None if they are something else.

    Examples
    --------
    >>> as_ints(range(1, 4)), as_ints([1, 2.5])
    ((1, 2, 3), None)
    """
    if not isinstance(values, Iterable):
        return None
    listed = tuple(values)
    if {int}.issuperset(map(type, listed)):
        return cast(tuple[int, ...], listed)
    found = tuple([number for value in listed if (number := as_int(value)) is not None])
    return found if len(found) == len(listed) else None
