"""Cross-checks of many puzzles, one after the other or on many workers."""

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
    """Cross-check puzzles; the agreements come in the order of the puzzles.

    Parameters
    ----------
    puzzles
        Each is what :func:`cross_check` takes. Rules made of lambdas go to threads and to Dask
        workers, not to processes of :mod:`concurrent.futures`.
    executor
        Any :class:`concurrent.futures.Executor`. Its workers ask all backends in their own process
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
