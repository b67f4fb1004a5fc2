"""Cross-check many puzzles, one after the other or on many workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from functools import partial
from typing import Any

from csp_sudoku.crosscheck.agreement import Agreement
from csp_sudoku.crosscheck.run import cross_check
from csp_sudoku.executors import in_order


def cross_check_many(
    puzzles: Iterable[object], *, executor: Executor | None = None, **settings: Any
) -> Iterator[Agreement]:
    """Cross-check many puzzles; the agreements have the order of the puzzles.

    Parameters
    ----------
    puzzles
        What :func:`cross_check` takes. Rules with lambdas can go to threads and to Dask workers,
        but not to a :class:`concurrent.futures.ProcessPoolExecutor`.
    executor
        Any :class:`concurrent.futures.Executor`. Its workers run the backends in their own process
        unless ``isolate=True`` is given.
    settings
        As in :func:`cross_check`.

    Examples
    --------
    >>> found = cross_check_many(["0100 3001 4002 0040", "1..." * 4], isolate=False)
    >>> [agreement.summary for agreement in found]
    ['one solution, certified', 'no solution, certified']
    """
    if executor is None:
        return (cross_check(puzzle, **settings) for puzzle in puzzles)
    return in_order(executor, partial(cross_check, **{"isolate": False, **settings}), puzzles)
