"""Solve, count and enumerate: written once, above every backend. Every solution is verified."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from math import inf
from types import TracebackType
from typing import Self

from csp_encodings.graph import Assignment
from csp_sudoku.backends.auto import search_is_ready
from csp_sudoku.backends.base import (
    Backend,
    Enumeration,
    OutOfTime,
    Statistics,
)
from csp_sudoku.compiling import backend_name, compile_puzzle, compiled
from csp_sudoku.errors import (
    BackendError,
    PuzzleError,
    UndecidedError,
    WrongAnswerError,
)
from csp_sudoku.formats import read
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.results import Count, Result, Status
from csp_sudoku.solution import Solution
from csp_sudoku.verify import is_solution, verify

# So many solutions of a count are checked one by one; beyond, a sample.
_VERIFIED = 1_000


class Solutions(Iterator[Solution]):
    """The verified solutions of a puzzle, one at a time; it can be left and resumed.

    ``status`` and ``complete`` say what is known so far.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        found: Enumeration,
        backend: str,
        release: Callable[[], None] | None = None,
    ) -> None:
        self.puzzle = puzzle
        self._backend = backend
        self._found = found
        self._number = 0
        self._release = release

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Solution:
        assignment = next(self._found, None)
        if assignment is None:
            self._end()
            raise StopIteration
        solution = _checked(assignment, self.puzzle, self._found, self._backend)
        self._number += 1
        return solution

    @property
    def backend(self) -> str:
        """Who answers; of a portfolio, who of it."""
        return _answerer(self._found, self._backend)

    @property
    def complete(self) -> bool:
        """Whether all solutions have been handed out."""
        return self._found.complete

    @property
    def status(self) -> Status:
        """What is known after the solutions handed out so far."""
        return Status.of(self._number > 0, self.complete)

    @property
    def statistics(self) -> Statistics:
        """What the run has cost so far."""
        return self._found.statistics

    def close(self) -> None:
        """Give up the enumeration."""
        self._found.close()
        self._end()

    def _end(self) -> None:
        """Give back the solver, once."""
        release, self._release = self._release, None
        if release:
            release()

    def drain(self, limit: int | None = None) -> tuple[int, int]:
        """Count the next solutions without handing them out: how many, and how many verified."""
        count = checked = 0
        while checked < _VERIFIED and (limit is None or count < limit):
            if next(self, None) is None:
                return count, checked
            count, checked = count + 1, checked + 1
        rest = self._found.drain(None if limit is None else limit - count)
        for assignment in rest.sample:
            _checked(assignment, self.puzzle, self._found, self._backend)
        self._number += rest.count
        return count + rest.count, checked + len(rest.sample)

    def count(self, limit: int | None = None) -> Count:
        """Count the solutions that are left, up to a limit, and close."""
        value, verified = self.drain(limit)
        self.close()
        return Count(
            value, self.complete, verified, self.backend, self.statistics, self.puzzle.left_out
        )


class PuzzleSession:
    """The rules of a puzzle compiled once for one backend; a context manager.

    Examples
    --------
    >>> import csp_sudoku as cs
    >>> with cs.session(cs.Puzzle.blank(4), backend="sat") as session:
    ...     [session.count(text).value for text in ("12.." + "." * 12, "4" + "." * 15)]
    [24, 72]
    """

    def __init__(self, rules: Puzzle, backend: str | Backend) -> None:
        self.rules = rules.without_givens
        self.backend, self._session = compile_puzzle(
            self.rules, backend, rules_only=True, deadline=None
        )

    def solutions(
        self,
        puzzle: object,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
    ) -> Solutions:
        """Enumerate the solutions of a puzzle that has the session's rules."""
        return Solutions(*self._query(puzzle, limit, timeout, seed), self.backend)

    def solve(
        self,
        puzzle: object,
        *,
        limit: int | None = 1,
        timeout: float | None = None,
        seed: int | None = None,
    ) -> Result:
        """Solve a puzzle that has the session's rules."""
        return _take(*self._query(puzzle, limit, timeout, seed), self.backend, limit)

    def count(
        self, puzzle: object, *, limit: int | None = None, timeout: float | None = None
    ) -> Count:
        """Count the solutions of a puzzle that has the session's rules."""
        return self.solutions(puzzle, limit=limit, timeout=timeout).count(limit)

    def _query(
        self, puzzle: object, limit: int | None, timeout: float | None, seed: int | None
    ) -> tuple[Puzzle, Enumeration]:
        check_query(limit, timeout, seed)
        wanted = self._read(puzzle)
        return wanted, self._session.solutions(
            dict(wanted.candidates), limit=limit, deadline=_deadline(timeout), seed=seed
        )

    def _read(self, puzzle: object) -> Puzzle:
        if not isinstance(puzzle, Puzzle):
            return read(puzzle, like=self.rules)
        if puzzle.without_givens != self.rules:
            raise PuzzleError(f"{puzzle!r} has other rules than this session's {self.rules!r}")
        return puzzle

    def close(self) -> None:
        """Release the solver."""
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def session(rules: object, backend: str | Backend = "auto") -> PuzzleSession:
    """Compile the rules of a puzzle once, to solve many puzzles of the same rules."""
    return PuzzleSession(read(rules), backend)


def solutions(
    puzzle: object,
    backend: str | Backend = "auto",
    *,
    limit: int | None = None,
    timeout: float | None = None,
    seed: int | None = None,
) -> Solutions:
    """Enumerate the solutions of a puzzle, each verified against the rules.

    Examples
    --------
    >>> found = solutions("1..." + "." * 12)
    >>> next(found)["R1C1"], found.complete
    (1, False)
    >>> sum(1 for _ in found), found.complete
    (71, True)
    """
    return Solutions(*_query(puzzle, backend, limit, timeout, seed))


def solve(
    puzzle: object,
    backend: str | Backend = "auto",
    *,
    limit: int | None = 1,
    timeout: float | None = None,
    seed: int | None = None,
) -> Result:
    """Solve a puzzle.

    Parameters
    ----------
    puzzle
        A :class:`Puzzle`, or anything :func:`read` takes.
    backend
        A name such as ``sat``, with options such as ``sat:solver=cadical195``, or ``auto``.
    limit
        How many solutions are wanted; None for all.
    timeout
        Seconds, compilation included; what was found by then is returned.
    seed
        Fixes every random choice.

    Examples
    --------
    >>> result = solve("0100 3001 4002 0040", limit=2)
    >>> result.status, result.solutions[0].text
    (<Status.ALL_FOUND: 'all found'>, '2134342143121243')
    """
    if type(puzzle) is str and backend == "auto" and timeout is seed is None and search_is_ready():
        from csp_sudoku.batches.plain import solve_plain

        if (result := solve_plain(puzzle, limit)) is not None:
            return result
    wanted, found, name, release = _query(puzzle, backend, limit, timeout, seed)
    result = _take(wanted, found, name, limit)
    if release:
        release()
    return result


def count(
    puzzle: object,
    backend: str | Backend = "auto",
    *,
    limit: int | None = None,
    timeout: float | None = None,
) -> Count:
    """Count the solutions of a puzzle, up to a limit if there is one.

    Examples
    --------
    >>> int(count(Puzzle.blank(4)))
    288
    """
    return solutions(puzzle, backend, limit=limit, timeout=timeout).count(limit)


def is_unique(
    puzzle: object, backend: str | Backend = "auto", *, timeout: float | None = None
) -> bool:
    """Whether a puzzle has exactly one solution.

    Raises :class:`UndecidedError` when time runs out before that is known.

    Examples
    --------
    >>> is_unique("0100 3001 4002 0040")
    True
    """
    result = solve(puzzle, backend, limit=2, timeout=timeout)
    if len(result.solutions) > 1:
        return False
    if not result.complete:
        raise UndecidedError(
            f"{len(result.solutions)} solutions were found when time ran out; "
            f"a longer timeout or another backend may decide it"
        )
    return len(result.solutions) == 1


def _query(
    puzzle: object,
    backend: str | Backend,
    limit: int | None,
    timeout: float | None,
    seed: int | None,
) -> tuple[Puzzle, Enumeration, str, Callable[[], None] | None]:
    """The puzzle read, its solutions, the backend's name, and what gives back the solver."""
    check_query(limit, timeout, seed)
    wanted, deadline = read(puzzle), _deadline(timeout)
    started = time.perf_counter()
    try:
        name, kept, release = compiled(wanted, backend, deadline)
    except OutOfTime:
        found = Enumeration(iter(()), Statistics(compile_seconds=time.perf_counter() - started))
        found.out_of_time = True
        return wanted, found, backend_name(backend), None
    seconds = time.perf_counter() - started
    restrict = None if release is None else dict(wanted.candidates)
    found = kept.solutions(restrict, limit=limit, deadline=deadline, seed=seed)
    found.statistics.compile_seconds = seconds
    return wanted, found, name, release


def _take(puzzle: Puzzle, found: Enumeration, backend: str, limit: int | None) -> Result:
    """The first solutions, checked; then the enumeration is given up."""
    taken: list[Solution] = []
    for assignment in found:
        taken.append(_checked(assignment, puzzle, found, backend))
        if len(taken) == limit:
            break
    found.close()
    status = Status.of(bool(taken), found.complete)
    who = _answerer(found, backend)
    return Result(status, tuple(taken), who, found.statistics, puzzle.left_out)


def _checked(assignment: Assignment, puzzle: Puzzle, found: Enumeration, backend: str) -> Solution:
    """What a backend gives as a solution, if it is one."""
    solution = Solution(assignment, puzzle)
    if not is_solution(puzzle, solution.numbers):
        broken = verify(puzzle, assignment).violations
        raise WrongAnswerError(
            f"backend {_answerer(found, backend)} gave a solution that breaks a rule: {broken[0]}"
        )
    return solution


def _answerer(found: Enumeration, backend: str) -> str:
    """Who answers; of a portfolio, who of it."""
    winner = getattr(found.statistics, "winner", "")
    return f"{backend}: {winner}" if winner else backend


def check_query(limit: object, timeout: object, seed: object) -> None:
    """Refuse a limit, a timeout or a seed that cannot be meant."""
    if limit is not None and (type(limit) is not int or limit < 1):
        raise BackendError(f"limit {limit!r}: must be a whole number from 1 on, or None for all")
    if timeout is not None and not (isinstance(timeout, int | float) and 0 <= timeout < inf):
        raise BackendError(f"timeout {timeout!r}: must be seconds from 0 on, or None")
    if seed is not None and (type(seed) is not int or not 0 <= seed < 2**31):
        raise BackendError(f"seed {seed!r}: must be a whole number from 0 to 2147483647")


def _deadline(timeout: float | None) -> float | None:
    return None if timeout is None else time.monotonic() + timeout
