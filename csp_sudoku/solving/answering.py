"""The one way from a question to a verified answer: a query against compiled rules.

A session gives assignments, one at a time, or rows for many puzzles at once. Both are checked here
against the rules, and nowhere else are results made of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Self

from csp_encodings.graph import Assignment
from csp_encodings.store import Lease
from csp_encodings.watch import watched
from csp_sudoku.backends.base import (
    Backend,
    Enumeration,
    OutOfTime,
    Request,
    Restriction,
    Session,
    Statistics,
)
from csp_sudoku.checking.verify import is_solution, verify
from csp_sudoku.errors import WrongAnswerError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.deadlines import sooner, what_ended
from csp_sudoku.solving.answers import AboutPuzzle
from csp_sudoku.solving.compiling import (
    backend_name,
    comes_again,
    compile_puzzle,
    is_shared,
    lend_session,
)
from csp_sudoku.solving.query import Query
from csp_sudoku.solving.questions import Group
from csp_sudoku.solving.results import Count, Result, Status
from csp_sudoku.solving.solution import Solution

if TYPE_CHECKING:
    from csp_sudoku.backends.base import Rows

# How many solutions of a count are checked one by one; of the rest, a sample is.
_VERIFIED = 1_000

# A row holds one solution of a puzzle, and tells two from more.
_FEW = 2


class Solutions(AboutPuzzle, Iterator[Solution]):
    """The verified solutions of a puzzle, one at a time; it can be left and resumed.

    It ends after `limit` solutions. ``status`` and ``complete`` say what is known so far.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        found: Enumeration,
        backend: str,
        limit: int | None = None,
        *,
        release: Callable[[], None] | None = None,
        deadline: float | None = None,
    ) -> None:
        self.puzzle = puzzle
        self._deadline = deadline
        self._limit = limit
        self._backend = backend
        self._found = found
        self._number = 0
        self._release = release

    def __str__(self) -> str:
        return f"{self._number} found so far"

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Solution:
        assignment = None if self._number == self._limit else next(self._found, None)
        if assignment is None:
            self._end()
            raise StopIteration
        solution = self._checked(assignment)
        self._number += 1
        return solution

    def _checked(self, assignment: Assignment) -> Solution:
        """Return what a backend gives as a solution, if it is one."""
        solution = Solution(assignment, self.puzzle)
        if not is_solution(self.puzzle, solution.numbers):
            raise _wrong(self.backend, *verify(self.puzzle, assignment).violations[:1])
        return solution

    @property
    def backend(self) -> str:
        """Who answers; for a portfolio, which member."""
        return _answerer(self._backend, self._found.statistics)

    @property
    def complete(self) -> bool:
        """Whether all solutions have been handed out."""
        return self._found.complete

    @property
    def status(self) -> Status:
        """What is known after the solutions handed out so far."""
        return Status.of(self._number > 0, self.complete)

    @property
    def reason(self) -> str:
        """What stopped the run: time, the caller, or where the backend was stuck; else empty."""
        found = self._found
        return what_ended(self._deadline) if found.out_of_time else found.stuck

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

    def count(self, limit: int | None = None) -> Count:
        """Count the solutions that are left, up to a limit, and close."""
        value = verified = 0
        for _ in self:
            value, verified = value + 1, verified + 1
            if value == limit or verified == _VERIFIED:
                break
        if verified == _VERIFIED and value != limit:
            # The backend may count the rest without handing out each solution.
            rest = self._found.drain(None if limit is None else limit - value)
            verified += len([*map(self._checked, rest.sample)])
            value += rest.count
            self._number += rest.count
        self.close()
        return Count(
            value,
            self.complete,
            verified,
            self.backend,
            self.statistics,
            self.puzzle.left_out,
            self.reason,
        )

    def take(self, limit: int | None = None) -> Result:
        """Return the solutions that are left, up to a limit, and close."""
        found, taken = self._found, []
        for assignment in found:
            taken.append(self._checked(assignment))
            if len(taken) == limit:
                break
        self._number += len(taken)
        self.close()
        return Result(
            Status.of(self._number > 0, found.complete),
            tuple(taken),
            self.backend,
            found.statistics,
            self.puzzle.left_out,
            reason=self.reason,
        )


class CompiledRules:
    """The rules of a puzzle, compiled for a backend: they answer queries about such puzzles.

    Parameters
    ----------
    name
        The name of the backend.
    session
        What it has compiled; lent, if it is kept for others.
    narrowed
        Whether the session is for one puzzle only, and holds its givens.
    seconds
        How long the caller waited for it; None to go by the session's own statistics.
    switched
        What a query restricts beside the givens: the rules that are switched on.
    """

    def __init__(
        self,
        name: str,
        session: Session | Lease[Session],
        *,
        narrowed: bool = False,
        seconds: float | None = None,
        switched: Restriction | None = None,
    ) -> None:
        self.name = name
        self._lease = session if isinstance(session, Lease) else None
        self.session = session.thing if isinstance(session, Lease) else session
        self._narrowed = narrowed
        self._seconds = seconds
        self._switched = switched or {}

    @classmethod
    def for_one(cls, group: Group, backend: str | Backend, deadline: float | None) -> Self:
        """Compile a single puzzle, or rules that many puzzles share; or take what is kept."""
        started = time.perf_counter()
        name = backend_name(backend)
        session: Session | Lease[Session] = _TooLate()
        shared = again = False
        try:
            if isinstance(backend, str) and backend != "brute":
                with watched(deadline):
                    shared = is_shared(group.rules)
                again = not shared and comes_again(group.puzzle(0), backend)
            puzzle = group.rules if shared else group.puzzle(0)
            if isinstance(backend, str) and (shared or again):
                session = lend_session(puzzle, backend, rules_only=shared, deadline=deadline)
            else:
                name, session = compile_puzzle(puzzle, backend, rules_only=False, deadline=deadline)
        except OutOfTime:
            pass
        seconds = time.perf_counter() - started
        return cls(name, session, narrowed=not shared, seconds=seconds)

    @classmethod
    def for_many(cls, rules: Puzzle, backend: str | Backend, deadline: float | None) -> Self:
        """Compile the rules for many puzzles, or take them if they are kept."""
        try:
            if not isinstance(backend, str):
                return cls.for_an_owner(rules, backend, deadline)
            lease = lend_session(rules, backend, deadline=deadline)
        except OutOfTime:
            return cls(backend_name(backend), _TooLate(), seconds=0.0)
        return cls(backend_name(backend), lease, seconds=0.0)

    @classmethod
    def for_an_owner(
        cls, rules: Puzzle, backend: str | Backend, deadline: float | None = None
    ) -> Self:
        """Compile the rules for a caller who keeps them, and closes them at the end."""
        name, session = compile_puzzle(rules, backend, rules_only=True, deadline=deadline)
        return cls(name, session)

    def release(self) -> None:
        """Give back a session that is kept for others."""
        if self._lease:
            self._lease.release()

    def close(self) -> None:
        """Close the session."""
        self.session.close()

    def solutions(
        self,
        puzzle: Puzzle,
        query: Query,
        deadline: float | None,
        *,
        release: Callable[[], None] | None = None,
    ) -> Solutions:
        """Enumerate the solutions of a puzzle."""
        restrict = {} if self._narrowed else {**dict(puzzle.candidates), **self._switched}
        request = Request(restrict, query.limit, deadline, query.seed)
        if query.of is not None:
            found = self.session.projected(query.of, request)
        else:
            found = self.session.enumerate(request)
        if self._seconds is not None:
            found.statistics.compile_seconds = self._seconds
        return Solutions(puzzle, found, self.name, query.limit, release=release, deadline=deadline)

    def answer(
        self, group: Group, query: Query, deadline: float | None, number: int = 1
    ) -> list[Result]:
        """Return the results of puzzles of these rules, in order, in a call about `number`."""
        if query.seed is None and self.session.takes_rows(number):
            givens = group.givens()
            if givens is not None:
                return self._answer_rows(group, givens, query, deadline)
        return [self._take(group.puzzle(i), query, deadline) for i in range(group.size)]

    def solve_rows(
        self, rules: Puzzle, givens: Rows, query: Query, deadline: float | None, number: int
    ) -> tuple[Rows, Rows]:
        """Return the first solution of each row of givens, and how many solutions each has.

        BLANK stands where there is no solution, -1 where time ran out. The call is about `number`
        puzzles.
        """
        from csp_sudoku.batches import rows

        if self.session.takes_rows(number):
            solutions, counts = self._ask_rows(rules, givens, query.limit or 1, deadline)
        else:
            solutions, counts = Session.solve_many(self.session, givens)  # all are left undecided
        for row in (counts < 0).nonzero()[0].tolist():
            puzzle = rows.puzzle_of_row(rules, givens[row])
            result = self._take(puzzle, query, deadline)
            if result.solutions:
                solutions[row] = [*result.solutions[0].numbers]
            if result.solutions or result.complete:
                counts[row] = len(result.solutions)
        return solutions, counts

    def _answer_rows(
        self, group: Group, givens: Rows, query: Query, deadline: float | None
    ) -> list[Result]:
        """Let a kernel answer; enumerate where a row does not hold the whole answer."""
        rules, limit = group.rules, min(query.limit or _FEW, _FEW)
        started = time.perf_counter()
        solutions, counts = self._ask_rows(rules, givens, limit, deadline)
        if group.puzzles:
            from csp_sudoku.batches.rows import broken_list

            if broken := broken_list(rules, group.puzzles, solutions, counts):
                raise _wrong(self.name, broken)
        seconds = (time.perf_counter() - started) / group.size
        counted: list[int] = counts.tolist()
        all_single = counted.count(1) == group.size
        statistics = self.session.row_statistics(seconds, 1)
        name, left_out = _answerer(self.name, statistics), group.left_out
        status = Status.of(True, limit > 1)
        solved = Solution.of_rows(solutions if all_single else solutions[counts == 1], rules)
        results = [Result(status, (one,), name, statistics, left_out) for one in solved]
        if all_single:
            return results
        statistics = self.session.row_statistics(seconds, 0)
        for row, count in enumerate(counted):
            if count == 0:
                results.insert(row, Result(Status.NONE_EXIST, (), name, statistics, left_out))
            elif count != 1:
                results.insert(row, self._take(group.puzzle(row), query, deadline))
        return results

    def _ask_rows(
        self, rules: Puzzle, givens: Rows, limit: int, deadline: float | None
    ) -> tuple[Rows, Rows]:
        """Let the kernel of the session answer, and check its solutions."""
        from csp_sudoku.batches.rows import broken_rule

        solutions, counts = self.session.solve_many(givens, limit=limit, deadline=deadline)
        if broken := broken_rule(rules, givens, solutions, counts):
            raise _wrong(self.name, broken)
        return solutions, counts

    def _take(self, puzzle: Puzzle, query: Query, deadline: float | None) -> Result:
        """Return the first solutions of one puzzle of several, which end at the deadline."""
        until = sooner(deadline, query.timeout)
        return self.solutions(puzzle, query, until).take(query.limit)


def answer(
    group: Group, backend: str | Backend, query: Query, deadline: float | None, number: int = 1
) -> list[Result]:
    """Return the results of puzzles of the same rules, in order.

    They are a part of a call about `number` puzzles, or more.
    """
    if group.size > 1:
        rules = CompiledRules.for_many(group.rules, backend, deadline)
    else:
        rules = CompiledRules.for_one(group, backend, deadline)
    try:
        return rules.answer(group, query, deadline, number)
    finally:
        rules.release()


class _TooLate(Session):
    """A session for which there was no time to compile anything."""

    def enumerate(self, request: Request) -> Enumeration:
        """Find nothing."""
        found = Enumeration(iter(()), Statistics())
        found.out_of_time = True
        return found


def _wrong(backend: str, *broken: object) -> WrongAnswerError:
    what = "".join(f": {rule}" for rule in broken)
    return WrongAnswerError(f"backend {backend} gave a solution that breaks a rule{what}")


def _answerer(backend: str, statistics: Statistics) -> str:
    """Return who answered; for a portfolio, which member."""
    return f"{backend}: {statistics.winner}" if statistics.winner else backend
