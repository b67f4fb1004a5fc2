"""Plain texts of the usual squares, such as 53..7…: read, solved and checked without detours.

What comes out is what :func:`csp_sudoku.read` and :func:`csp_sudoku.solve` give, some hundred times
sooner than the search itself would be worth.
"""

from __future__ import annotations

import re
import time
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from csp_sudoku import solving
from csp_sudoku.backends.base import BLANK, Statistics
from csp_sudoku.batches.checking import array_check
from csp_sudoku.errors import WrongAnswerError
from csp_sudoku.formats import read
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.results import Result, Status
from csp_sudoku.solution import Solution

# By their length: values from 1 on, and one sign for blanks.
_PLAIN = {side * side: re.compile(rf"[.1-{side}]*|[0-{side}]*") for side in (4, 6, 9)}
_VALUES = np.full(128, BLANK, np.int64)
_VALUES[ord("1") : ord("9") + 1] = range(1, 10)


def plain_rules(text: str) -> Puzzle | None:
    """The grid of a plain text; None where the text is another, and takes the usual way.

    Examples
    --------
    >>> plain_rules("1..............."), plain_rules("1.......0......."), plain_rules("1.")
    (<Puzzle 4×4, 0 givens, 0 constraints>, None, None)
    """
    pattern = _PLAIN.get(len(text))
    if pattern is None or not pattern.fullmatch(text) or ("." not in text and "0" not in text):
        return None
    return _blank(len(text))


@lru_cache(maxsize=len(_PLAIN))
def _blank(length: int) -> Puzzle:
    return read("." * length)


def row_of(text: str) -> NDArray[np.int64]:
    """The values of a plain text, or BLANK."""
    return _VALUES[np.frombuffer(text.encode("ascii"), np.uint8)]


def solve_plain(text: str, limit: int | None) -> Result | None:
    """Solve a plain text by the search; None where another way must be taken."""
    rules = plain_rules(text)
    if rules is None or limit not in (1, 2):
        return None
    givens = row_of(text)[np.newaxis]
    started = time.perf_counter()
    with solving.kept_session(rules, "search") as session:
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
