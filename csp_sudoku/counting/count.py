"""Count the solutions of a puzzle: one by one and, where that takes long, in two other ways.

A *sweep* assigns the cells in a fixed order, and counts partial grids together that leave the same
to the rest; see :mod:`csp_encodings.sweep`. It is quick where few states are different, because the
grid is small, or because many values and columns are interchangeable.

The *model counter* is Ganak, of the extra ``csp-sudoku[count]``. It counts the models of the CNF,
projected on the cells, and splits what falls into parts. So it is quick where rules tie few cells
together, and slow where houses tie all of them. It runs in a process of its own: nobody else can
stop it, and it may need much memory.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from dataclasses import replace
from importlib.util import find_spec
from threading import Event, Thread
from typing import TYPE_CHECKING

from csp_encodings.errors import BudgetError as EncodingBudgetError
from csp_sudoku.backends.base import OutOfTime, Statistics
from csp_sudoku.cells import CellsLike
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
from csp_sudoku.solving.solve import projecting, solutions

if TYPE_CHECKING:
    from csp_sudoku.backends.base import Backend

_LOG = logging.getLogger("csp_sudoku")

SWEEP, NAME = "sweep", "ganak"
"""What `count` calls the sweep and the model counter, in its argument and in its answer."""

# The portfolio as it is asked first, and with its engine compiled.
_AUTO, _COMPILED = ("auto", "auto:kernels=false"), "auto:kernels=true"

# Seconds of counting one by one before the model counter starts, and between looks at the clock.
_PATIENCE, _LOOK = 2.0, 0.02

# Reads the variables, the projection and the clauses, a line each; writes the number.
_PROGRAM = """
import sys
from pyganak import Counter
counter = Counter()
lines = iter(sys.stdin)
counter.new_vars(int(next(lines)))
counter.set_sampling_set([*map(int, next(lines).split())])
for line in lines:
    counter.add_clause([*map(int, line.split())])
print("\\nmodels", counter.count())
"""


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

    Solutions are counted one by one, some millions a second, or by parts and by symmetry. If that
    takes longer than 2 seconds, a sweep over the cells counts partial grids together that leave the
    same to the rest. If these are too many (it takes 1 GB at most) or half of the time is over,
    solutions are counted one by one again; if the extra ``csp-sudoku[count]`` is installed, the
    model counter Ganak counts beside, and the first one to finish answers. `Count.backend` says who
    answered. With the backend ``sweep`` or ``ganak`` that one counts alone.

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
    if backend in (SWEEP, NAME):
        if limit is not None:
            raise BackendError(f"{backend} counts all solutions: it takes no limit")
        return _count_alone(str(backend), as_puzzle(puzzle), of, deadline)
    if limit is not None:
        return solutions(puzzle, backend, limit=limit, of=of, **time_left(deadline)).count(limit)
    asked = as_puzzle(puzzle)
    soon = sooner(deadline, _PATIENCE)
    found = solutions(asked, backend, of=of, **time_left(soon)).count()
    if found.complete or found.reason != what_ended(soon) or has_passed(deadline):
        return found
    left = seconds_left(deadline)
    try:
        soon = sooner(deadline, None if left is None else left / 2)
        number = _count_by_sweep(asked, of, soon)
    except (OutOfTime, BudgetError):  # too large, or too slow
        pass
    else:
        return _agreed(found, number, SWEEP)
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
    if not is_installed():
        return solutions(puzzle, backend, of=of, **time_left(deadline)).count()
    with _Beside(puzzle, of, deadline) as beside:
        left = time_left(deadline)
        left["cancel"] = _Either(beside.ended, cancel)
        found = solutions(puzzle, backend, of=of, **left).count()
        if found.complete:
            return found
        models = beside.wait()
    if models is None:
        return replace(found, reason=what_ended(deadline) if has_passed(deadline) else found.reason)
    return _agreed(found, models, NAME)


def _agreed(found: Count, number: int, name: str) -> Count:
    """Return the number of one way to count, if it is not less than what was found already."""
    if number < found.value:
        raise WrongAnswerError(f"{name} counts {number} solutions, but {found.value} were found")
    return replace(found, value=number, complete=True, backend=name, reason="")


def _count_by_sweep(puzzle: Puzzle, of: CellsLike | None, deadline: float | None) -> int:
    from csp_sudoku.counting.sweeping import count_by_sweep

    if of is not None:
        raise BudgetError("a sweep counts whole solutions: leave `of` out, or take ganak")
    try:
        return count_by_sweep(shared_graph(puzzle), deadline)
    except EncodingBudgetError as error:
        raise BudgetError(f"sweep: {error}") from error


def is_installed() -> bool:
    """Whether the model counter is installed."""
    return find_spec("pyganak") is not None


def count_models(puzzle: Puzzle, of: CellsLike | None = None, deadline: float | None = None) -> int:
    """Return how many models the CNF of a puzzle has, projected on its variables, or on some.

    Raises :class:`OutOfTime`, and :class:`BackendError` if the model counter fails.
    """
    if not is_installed():
        raise BackendError("backend ganak: not installed; pip install 'csp-sudoku[count]'")
    from csp_encodings.cnf import encode

    formula = encode(shared_graph(puzzle))
    shown = {*(projecting(check_query(), puzzle, of).of or formula.shown)}
    kept = [number for (place, _), number in formula.literals.items() if place in shown]
    lines = [str(formula.variables), " ".join(map(str, kept))]
    lines += [" ".join(map(str, clause)) for clause in formula.clauses]
    if not all(formula.clauses):
        return 0
    if has_passed(deadline):
        raise OutOfTime
    _LOG.debug("counting models of %d clauses for %r", len(formula.clauses), puzzle)
    return _run("\n".join(lines), deadline)


def _run(text: str, deadline: float | None) -> int:
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said: list[tuple[str, str]] = []
    talk = Thread(target=lambda: said.append(process.communicate(text)), daemon=True)
    talk.start()
    try:
        while talk.is_alive():
            if has_passed(deadline):
                raise OutOfTime
            talk.join(_LOOK)
    finally:
        process.kill()
        talk.join()
    out, errors = said[0]
    found = [line for line in out.splitlines() if line.startswith("models ")]
    if not found:
        last = (errors.splitlines() or ["it said nothing"])[-1]
        raise BackendError(f"backend ganak: the model counter failed: {last}")
    return int(found[-1].removeprefix("models "))


def _count_alone(name: str, puzzle: Puzzle, of: CellsLike | None, deadline: float | None) -> Count:
    started = time.perf_counter()
    try:
        way = _count_by_sweep if name == SWEEP else count_models
        number, reason = way(puzzle, of, deadline), ""
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
            self._models = count_models(puzzle, of, until)
        except (OutOfTime, CspSudokuError, OSError):  # counting one by one goes on
            return
        self.ended.set()

    def wait(self) -> int | None:
        """Return the number, if it is known by now."""
        return self._models if self.ended.is_set() else None

    def close(self) -> None:
        self._left.set()
        self._thread.join()
