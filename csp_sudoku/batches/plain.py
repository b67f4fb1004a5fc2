"""Plain texts of the usual squares, such as 53..7…: read, solved and checked without detours.

What comes out is what :func:`csp_sudoku.read` and :func:`csp_sudoku.solve` give, some hundred times
sooner than the search itself would be worth.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from csp_sudoku.backends.base import BLANK, Statistics
from csp_sudoku.batches.checking import array_check
from csp_sudoku.compiling import kept_session
from csp_sudoku.errors import WrongAnswerError
from csp_sudoku.formats.plain import plain_rules
from csp_sudoku.results import Result, Status
from csp_sudoku.solution import Solution


def rows_of(texts: Sequence[str], blank: int) -> NDArray[np.int64]:
    """The values of plain texts of one length, a row for each.

    Examples
    --------
    >>> rows_of(["1..4", "0230"], -1).tolist()
    [[1, -1, -1, 4], [-1, 2, 3, -1]]
    """
    signs = np.frombuffer("".join(texts).encode("ascii"), np.uint8)
    return _value_of_sign(blank)[signs].reshape(len(texts), -1)


@cache
def _value_of_sign(blank: int) -> NDArray[np.int64]:
    values = np.full(128, blank, np.int64)
    values[ord("1") : ord("9") + 1] = range(1, 10)
    return values


def solve_plain(text: str, limit: int | None) -> Result | None:
    """Solve a plain text by the search; None where another way must be taken."""
    rules = plain_rules(text)
    if rules is None or limit not in (1, 2):
        return None
    givens = rows_of([text], BLANK)
    started = time.perf_counter()
    with kept_session(rules, "search") as session:
        rows, counts = session.solve_many(givens, limit=limit)  # type: ignore[attr-defined]
    count = int(counts[0])
    if count == 2:
        return None  # one of the two is not in the array
    statistics = Statistics(solve_seconds=time.perf_counter() - started, solutions=count)
    if not count:
        return Result(Status.NONE_EXIST, (), "auto: search", statistics)
    if not array_check(rules).keeps(rows, givens, BLANK)[0]:
        raise WrongAnswerError(f"backend search gave a wrong solution of {text}")
    solution = Solution.of(rows[0].tolist(), rules.variables)
    return Result(Status.of(True, count < limit), (solution,), "auto: search", statistics)
