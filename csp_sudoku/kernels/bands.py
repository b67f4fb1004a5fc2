"""The kernels of counting by bands; see :mod:`csp_sudoku.counting.bands`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csp_encodings.jit import kernel

Numbers = NDArray[np.int64]

LIMB = 62
"""A sum is in base 2**62, in two limbs."""

_LIMB = np.int64(LIMB)
_MASK = np.int64(2**LIMB - 1)


class Lists(NamedTuple):
    """Lists of numbers in one array: the list `i` is ``items[first[i]:first[i + 1]]``."""

    first: Numbers
    items: Numbers


class Band(NamedTuple):
    """Which divisions go together in a band of three boxes. All are numbered within their box.

    Attributes
    ----------
    rows_of_first, rows_of_second
        For each division of a box by columns those by rows that it has a grid with.
    others
        For each division by rows of the first box those of the second box that it goes with,
    third
        and, as a list beside, the one of the third box that both leave.
    columns_of_third
        For each division of the third box by rows those by columns.
    shape
        The divisions of the second box by rows and by columns, and of the third by columns.
    """

    rows_of_first: Lists
    others: Lists
    third: Numbers
    columns_of_third: Lists
    rows_of_second: Lists
    shape: tuple[int, int, int]


@kernel
def fill_band(band: Band, division: int, work: Numbers, table: Numbers) -> None:
    """Count the grids of a band with a division of the first box by columns.

    `table` gets one number for each two divisions of the other boxes by columns. `work` is room
    for one number for each division of the second box by rows, and of the third by columns.
    """
    rows = band.rows_of_first
    work[:] = 0
    for i in range(rows.first[division], rows.first[division + 1]):
        row = rows.items[i]
        for k in range(band.others.first[row], band.others.first[row + 1]):
            second, third = band.others.items[k], band.third[k]
            ways = band.columns_of_third
            for j in range(ways.first[third], ways.first[third + 1]):
                work[second, ways.items[j]] += 1
    second_rows = band.rows_of_second
    for columns in range(table.shape[0]):
        line = table[columns]
        line[:] = 0
        for i in range(second_rows.first[columns], second_rows.first[columns + 1]):
            line += work[second_rows.items[i]]


@kernel
def join(
    tables: tuple[Numbers, Numbers, Numbers], second: Numbers, third: Numbers, total: Numbers
) -> None:
    """Add the product of the three tables over all triples of the second and the third stack.

    A triple is a row of four: a division by columns for each band, and how many triples it stands
    for. Those of the third stack are in the order of their first number.
    """
    top, middle, bottom = tables
    for i in range(len(second)):
        a, b, c = top[second[i, 0]], middle[second[i, 1]], bottom[second[i, 2]]
        subtotal, part, last = np.int64(0), np.int64(0), np.int64(-1)
        for k in range(len(third)):
            if third[k, 0] != last:
                if last >= 0:
                    subtotal += part * a[last]
                part, last = np.int64(0), third[k, 0]
            part += third[k, 3] * b[third[k, 1]] * c[third[k, 2]]
        if last >= 0:
            subtotal += part * a[last]
        total[0] += subtotal * second[i, 3]
        total[1] += total[0] >> _LIMB
        total[0] &= _MASK
