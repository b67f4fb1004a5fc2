"""Count the solutions of a puzzle: one by one and, where that takes long, in one of other ways.

======== ========================================== ==============================================
way      counts together                            is good at
======== ========================================== ==============================================
one by   nothing, or by parts and symmetry;         up to some millions of solutions, any rules
one      some millions a second
`bands`  grids of a band with equal column sets     9×9 without further rules, any number of
                                                    givens: see :mod:`~csp_sudoku.counting.bands`
`sweep`  partial grids that leave the same to the   small grids with any rules; larger ones where
         rest                                       values and columns are interchangeable: see
                                                    :mod:`csp_encodings.sweep`
`ganak`  what falls into parts                      rules that tie few cells together: see
                                                    :mod:`~csp_sudoku.counting.models`
======== ========================================== ==============================================
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from threading import Event, Thread
from typing import TYPE_CHECKING

from csp_encodings.errors import BudgetError as EncodingBudgetError
from csp_sudoku.backends.base import OutOfTime, Statistics
from csp_sudoku.cells import CellsLike
from csp_sudoku.counting import models
from csp_sudoku.errors import BackendError, BudgetError, CspSudokuError, WrongAnswerError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.running.closing import Closing
from csp_sudoku.running.deadlines import (
    deadline_after,
    has_passed,
    seconds_left,
    sooner,
    time_left,
    what_ended,
)
from csp_sudoku.solving.query import check_query
from csp_sudoku.solving.results import Count
from csp_sudoku.solving.solve import solutions

if TYPE_CHECKING:
    import networkx as nx

    from csp_sudoku.backends.base import Backend

# The portfolio as it is asked first, and with its engine compiled.
_AUTO, _COMPILED = ("auto", "auto:kernels=false"), "auto:kernels=true"

# Seconds of counting one by one before another way is taken.
_PATIENCE = 2.0


def count(
    puzzle: object,
    backend: str | Backend = "auto",
    *,
    limit: int | None = None,
    timeout: float | None = None,
    cancel: Event | None = None,
    of: CellsLike | None = None,
) -> Count:
    """Count the solutions of a puzzle, up to a limit if there is one.

    With `of` only some places count, and solutions that differ only elsewhere are one. These are
    cells and named variables, or ``"grid"`` for all cells. The backends `sat` and `auto` look for
    one solution of each kind; the others pass over all solutions.

    Solutions are counted one by one, some millions a second, or by parts and by symmetry. Where
    that takes longer than 2 seconds, the other ways of :mod:`csp_sudoku.counting.count` are tried:
    by bands, by a sweep over the cells (1 GB at most), and at last with the model counter Ganak
    beside, if the extra ``csp-sudoku[count]`` is installed. `Count.backend` says who answered. With
    the backend ``bands``, ``sweep`` or ``ganak`` that one counts alone.

    Examples
    --------
    >>> int(count(Puzzle.blank(4)))
    288
    >>> from csp_sudoku import Doublers
    >>> doublers = Puzzle.blank(4).add(Doublers())
    >>> int(count(doublers)), int(count(doublers, of="grid"))
    (384, 96)
    """
    query = check_query(limit, timeout, None, cancel)
    deadline = query.deadline()
    if isinstance(backend, str) and backend in WAYS:
        if limit is not None:
            raise BackendError(f"{backend} counts all solutions: it takes no limit")
        return _count_alone(backend, as_puzzle(puzzle, deadline), of, deadline)
    if limit is not None:
        return solutions(puzzle, backend, limit=limit, of=of, **time_left(deadline)).count(limit)
    asked = as_puzzle(puzzle, deadline)
    soon = sooner(deadline, _PATIENCE)
    found = solutions(asked, backend, of=of, **time_left(soon)).count()
    if found.complete or found.reason != what_ended(soon) or has_passed(deadline):
        return found
    for name in _FIRST:
        left = seconds_left(deadline)
        soon = sooner(deadline, None if left is None else left / 2)
        try:
            return _agreed(found, WAYS[name](asked, of, soon), name)
        except (OutOfTime, BudgetError):  # too slow, too large, or not for this puzzle
            continue
    # It takes long: machine code pays now, if there is none yet.
    again = _count_on(asked, _COMPILED if backend in _AUTO else backend, of, deadline, cancel)
    if again.complete or again.value >= found.value:
        return again
    return replace(again, value=found.value, verified=found.verified)


def _count_on(
    puzzle: Puzzle,
    backend: str | Backend,
    of: CellsLike | None,
    deadline: float | None,
    cancel: Event | None,
) -> Count:
    """Begin anew: one by one and, if it is installed, by the model counter beside."""
    if not models.is_installed():
        return solutions(puzzle, backend, of=of, **time_left(deadline)).count()
    with _Beside(puzzle, of, deadline) as beside:
        left = time_left(deadline)
        left["cancel"] = _Either(beside.ended, cancel)
        found = solutions(puzzle, backend, of=of, **left).count()
        if found.complete:
            return found
        number = beside.wait()
    if number is None:
        return replace(found, reason=what_ended(deadline) if has_passed(deadline) else found.reason)
    return _agreed(found, number, "ganak")


def _agreed(found: Count, number: int, name: str) -> Count:
    """Return the number of one way to count, if it is not less than what was found already."""
    if number < found.value:
        raise WrongAnswerError(f"{name} counts {number} solutions, but {found.value} were found")
    return replace(found, value=number, complete=True, backend=name, reason="")


def _count_by_bands(puzzle: Puzzle, of: CellsLike | None, deadline: float | None) -> int:
    from csp_sudoku.counting.bands import count_by_bands

    return _count_whole(count_by_bands, "bands", puzzle, of, deadline)


def _count_by_sweep(puzzle: Puzzle, of: CellsLike | None, deadline: float | None) -> int:
    from csp_sudoku.counting.sweeping import count_by_sweep

    return _count_whole(count_by_sweep, "sweep", puzzle, of, deadline)


def _count_whole(
    way: Callable[[nx.Graph, float | None], int],
    name: str,
    puzzle: Puzzle,
    of: CellsLike | None,
    deadline: float | None,
) -> int:
    if of is not None:
        raise BudgetError(f"{name} counts whole solutions: leave `of` out, or take ganak")
    try:
        return way(shared_graph(puzzle), deadline)
    except EncodingBudgetError as error:
        raise BudgetError(f"{name}: {error}") from error


Way = Callable[..., int]

WAYS: dict[str, Way] = {
    "bands": _count_by_bands,
    "sweep": _count_by_sweep,
    "ganak": models.count_models,
}
"""The ways to count without passing over each solution, as `count` calls them."""

# Those that are tried in turn; the model counter counts beside at last.
_FIRST = ("bands", "sweep")


def _count_alone(name: str, puzzle: Puzzle, of: CellsLike | None, deadline: float | None) -> Count:
    started = time.perf_counter()
    try:
        number, reason = WAYS[name](puzzle, of, deadline), ""
    except OutOfTime:
        number, reason = None, what_ended(deadline)
    statistics = Statistics(solve_seconds=time.perf_counter() - started)
    return Count(number or 0, number is not None, 0, name, statistics, puzzle.left_out, reason)


class _Either(Event):
    """An event that is set if one of two is."""

    def __init__(self, one: Event, other: Event | None) -> None:
        super().__init__()
        self._events = [one] if other is None else [one, other]

    def is_set(self) -> bool:
        """Whether one of them is set."""
        return any(event.is_set() for event in self._events)


class _Beside(Closing):
    """The model counter in a thread: it sets an event when it has ended.

    If it fails, that is no failure of the count: the answer comes from the other side.
    """

    def __init__(self, puzzle: Puzzle, of: CellsLike | None, deadline: float | None) -> None:
        self.ended = Event()
        self._left = Event()
        self._models: int | None = None
        self._thread = Thread(target=self._count, args=(puzzle, of, deadline), daemon=True)
        self._thread.start()

    def _count(self, puzzle: Puzzle, of: CellsLike | None, deadline: float | None) -> None:
        left = time_left(deadline)
        until = deadline_after(left["timeout"], _Either(self._left, left["cancel"]))
        try:
            self._models = WAYS["ganak"](puzzle, of, until)
        except (OutOfTime, CspSudokuError, OSError):  # counting one by one goes on
            return
        self.ended.set()

    def wait(self) -> int | None:
        """Return the number, if it is known by now."""
        return self._models if self.ended.is_set() else None

    def close(self) -> None:
        self._left.set()
        self._thread.join()
