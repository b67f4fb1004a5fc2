"""Plain texts of the usual squares, such as 53..7…: read, solved and checked without detours.

What comes out is what :func:`csp_sudoku.read` and :func:`csp_sudoku.solve` give.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from csp_sudoku.backends.base import BLANK, Statistics
from csp_sudoku.batches.arrays import solve_givens
from csp_sudoku.formats.plain import blank_square, plain_values
from csp_sudoku.results import Result, Status
from csp_sudoku.solution import Solution

# What the values of plain texts mean in an array of givens.
_GIVENS = np.array([BLANK, *range(1, 10)], np.int64)


def givens_of(values: bytes, rows: int) -> NDArray[np.int64]:
    """The values of so many plain texts as the rows of an array of givens.

    Examples
    --------
    >>> givens_of(bytes([1, 0, 0, 2]), 2).tolist() == [[1, BLANK], [BLANK, 2]]
    True
    """
    return _GIVENS[np.frombuffer(values, np.uint8).reshape(rows, -1)]


def solve_plain(text: str, limit: int | None) -> Result | None:
    """Solve a plain text by the search; None where another way must be taken."""
    if limit is None or limit not in (1, 2) or (values := plain_values(text)) is None:
        return None
    rules = blank_square(len(text))
    givens = givens_of(values, 1)
    started = time.perf_counter()
    solutions, counts = solve_givens(givens, rules, "search", limit=limit)
    [count] = counts.tolist()
    if count == 2:
        return None  # one of the two is not in the array
    statistics = Statistics(0, time.perf_counter() - started, count)
    found = tuple(Solution.of_rows(solutions[:count], rules))
    return Result(Status.of(count > 0, count < limit), found, "auto: search", statistics)
