"""Solve, count and enumerate: what a user calls. Every solution is verified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csp_sudoku.answering import CompiledRules, Solutions, answer
from csp_sudoku.answers import refuse_left_out
from csp_sudoku.backends.base import Backend
from csp_sudoku.closing import Closing
from csp_sudoku.errors import PuzzleError, UndecidedError
from csp_sudoku.formats import read
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.query import check_query
from csp_sudoku.questions import Group
from csp_sudoku.results import Count, Result

if TYPE_CHECKING:
    from threading import Event

__all__ = [
    "PuzzleSession",
    "Solutions",
    "check_query",
    "count",
    "is_unique",
    "session",
    "solutions",
    "solve",
]


class PuzzleSession(Closing):
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
        self._compiled = CompiledRules.for_an_owner(self.rules, backend)

    @property
    def backend(self) -> str:
        """The name of the backend."""
        return self._compiled.name

    def solutions(
        self,
        puzzle: object,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        seed: int | None = None,
        cancel: Event | None = None,
    ) -> Solutions:
        """Enumerate the solutions of a puzzle that has the session's rules."""
        query = check_query(limit, timeout, seed, cancel)
        return self._compiled.solutions(self._read(puzzle), query, query.deadline())

    def solve(
        self,
        puzzle: object,
        *,
        limit: int | None = 1,
        timeout: float | None = None,
        seed: int | None = None,
        cancel: Event | None = None,
    ) -> Result:
        """Solve a puzzle that has the session's rules."""
        query = check_query(limit, timeout, seed, cancel)
        group = Group(self.rules, 1, (self._read(puzzle),))
        return self._compiled.answer(group, query, query.deadline())[0]

    def count(
        self,
        puzzle: object,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        cancel: Event | None = None,
    ) -> Count:
        """Count the solutions of a puzzle that has the session's rules."""
        return self.solutions(puzzle, limit=limit, timeout=timeout, cancel=cancel).count(limit)

    def _read(self, puzzle: object) -> Puzzle:
        if not isinstance(puzzle, Puzzle):
            return read(puzzle, like=self.rules)
        if puzzle.without_givens != self.rules:
            raise PuzzleError(f"{puzzle!r} has other rules than this session's {self.rules!r}")
        return puzzle

    def close(self) -> None:
        """Release the solver."""
        self._compiled.close()


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
    cancel: Event | None = None,
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
    query = check_query(limit, timeout, seed, cancel)
    deadline = query.deadline()
    group = Group.of(puzzle, deadline)
    rules = CompiledRules.for_one(group, backend, deadline)
    return rules.solutions(group.puzzle(0), query, deadline, release=rules.release)


def solve(
    puzzle: object,
    backend: str | Backend = "auto",
    *,
    limit: int | None = 1,
    timeout: float | None = None,
    seed: int | None = None,
    cancel: Event | None = None,
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
    cancel
        An event of :mod:`threading`. Once another thread sets it, the call ends as if time had run
        out, within 0.2 seconds.

    Examples
    --------
    >>> result = solve("0100 3001 4002 0040", limit=2)
    >>> result.status, result.solutions[0].text
    (<Status.ALL_FOUND: 'all found'>, '2134342143121243')
    """
    query = check_query(limit, timeout, seed, cancel)
    deadline = query.deadline()
    return answer(Group.of(puzzle, deadline), backend, query, deadline)[0]


def count(
    puzzle: object,
    backend: str | Backend = "auto",
    *,
    limit: int | None = None,
    timeout: float | None = None,
    cancel: Event | None = None,
) -> Count:
    """Count the solutions of a puzzle, up to a limit if there is one.

    Examples
    --------
    >>> int(count(Puzzle.blank(4)))
    288
    """
    return solutions(puzzle, backend, limit=limit, timeout=timeout, cancel=cancel).count(limit)


def is_unique(
    puzzle: object,
    backend: str | Backend = "auto",
    *,
    timeout: float | None = None,
    cancel: Event | None = None,
) -> bool:
    """Whether a puzzle has exactly one solution.

    Raises :class:`UndecidedError` if the backend stops before that is known, or if rules of the
    puzzle were left out as it was read.

    Examples
    --------
    >>> is_unique("0100 3001 4002 0040")
    True
    """
    result = solve(puzzle, backend, limit=2, timeout=timeout, cancel=cancel)
    refuse_left_out(result)
    if len(result.solutions) > 1:
        return False
    if not result.complete:
        raise UndecidedError(
            f"{len(result.solutions)} solutions were found, then {result.reason}; "
            f"a longer timeout or another backend may decide it"
        )
    return len(result.solutions) == 1
