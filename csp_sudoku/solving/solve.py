"""Solve and enumerate: what a user calls. Every solution is verified."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from csp_sudoku.backends.base import Backend
from csp_sudoku.cells import CellsLike, Place, cells
from csp_sudoku.errors import PuzzleError, UndecidedError
from csp_sudoku.formats import read
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.closing import Closing
from csp_sudoku.running.warming import prepare
from csp_sudoku.solving.answering import CompiledRules, Solutions, answer
from csp_sudoku.solving.answers import refuse_left_out
from csp_sudoku.solving.query import Query, check_query
from csp_sudoku.solving.questions import Group
from csp_sudoku.solving.results import Count, Result

if TYPE_CHECKING:
    from threading import Event

    from csp_sudoku.constraints.base import Constraint
    from csp_sudoku.solving.growing import GrowingRules

__all__ = ["PuzzleSession", "Solutions", "is_unique", "session", "solutions", "solve"]


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
        self.rules = rules.without_givens()
        self._asked = backend
        self._compiled = CompiledRules.for_an_owner(self.rules, backend)
        self._solvers = _Solvers(self.rules, self._compiled)
        self._known_as = {self.rules}
        self._borrowed = False

    def __repr__(self) -> str:
        return f"<PuzzleSession of {self.rules!r} for {self.backend}>"

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
        of: CellsLike | None = None,
    ) -> Solutions:
        """Enumerate the solutions of a puzzle that has the session's rules."""
        query = projecting(check_query(limit, timeout, seed, cancel), self.rules, of)
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
        of: CellsLike | None = None,
    ) -> Count:
        """Count the solutions of a puzzle that has the session's rules."""
        found = self.solutions(puzzle, limit=limit, timeout=timeout, cancel=cancel, of=of)
        return found.count(limit)

    def add(self, *rules: Constraint) -> None:
        """Add rules to those of the session, from now on.

        The backends `sat` and `auto` load them into the solver that is there, behind a switch;
        others compile the rules anew. Puzzles that had the session's rules before are taken as
        puzzles with the added rules.

        Examples
        --------
        >>> import csp_sudoku as cs
        >>> with cs.session(cs.Puzzle.blank(4)) as session:
        ...     session.add(cs.GreaterThan("R1C1 R1C2"))
        ...     session.count("." * 16).value
        144
        """
        self._turn_to(self.rules.add(*rules))

    def without(self, *rules: Constraint) -> PuzzleSession:
        """Return a session without some of the rules, which shares the solver with this one.

        Named variables that the rules brought stay, as in :meth:`Puzzle.without`. The new session
        lasts as long as this one. The first such call loads the rules once more, each behind
        a switch; those that follow need not. Backends other than `sat` and `auto` compile anew.

        Examples
        --------
        >>> import csp_sudoku as cs
        >>> clues = [cs.GreaterThan("R1C1 R1C2"), cs.GreaterThan("R1C2 R1C3")]
        >>> with cs.session(cs.Puzzle.blank(4).add(*clues)) as session:
        ...     [session.without(clue).count("." * 16).value for clue in clues]
        [144, 144]
        """
        other = copy(self)
        other._known_as = {*self._known_as}
        other._borrowed = True
        other._turn_to(self.rules.without(*rules))
        return other

    def _turn_to(self, rules: Puzzle) -> None:
        compiled = self._solvers.compiled(rules)
        if compiled is None:
            compiled = self._solvers.keep(CompiledRules.for_an_owner(rules, self._asked))
        self.rules, self._compiled = rules, compiled
        self._known_as.add(rules)

    def _read(self, puzzle: object) -> Puzzle:
        if not isinstance(puzzle, Puzzle):
            return read(puzzle, like=self.rules)
        rules = puzzle.without_givens()
        if rules == self.rules:
            return puzzle
        if rules not in self._known_as:
            raise PuzzleError(f"{puzzle!r} has other rules than this session's {self.rules!r}")
        return self.rules.with_givens(puzzle.candidates)

    def close(self) -> None:
        """Release the solver."""
        if not self._borrowed:
            self._solvers.close()


class _Solvers:
    """What a session has compiled: its rules, and those that it has grown to."""

    def __init__(self, rules: Puzzle, compiled: CompiledRules) -> None:
        self._rules = rules
        self._first = compiled
        self._owned = [compiled]
        self._growing: list[GrowingRules] | None = None

    def keep(self, compiled: CompiledRules) -> CompiledRules:
        """Keep rules that were compiled anew, to close them."""
        self._owned.append(compiled)
        return compiled

    def compiled(self, rules: Puzzle) -> CompiledRules | None:
        """Return a solver that grows, with some rules switched on; None if there is none."""
        from csp_sudoku.solving.growing import GrowingRules, sat_solver

        if self._growing is None:
            solver = sat_solver(self._first.session)
            self._growing = [] if solver is None else [GrowingRules(self._rules, solver)]
        for growing in self._growing:
            if growing.takes(rules):
                return growing.compiled(rules)
        if len(self._growing) == 1:
            # From now on every rule but the houses is behind a switch.
            bare = replace(self._rules, constraints=(), named=rules.named)
            solver = sat_solver(self.keep(CompiledRules.for_an_owner(bare, "sat")).session)
            if solver is not None:
                self._growing.append(GrowingRules(bare, solver))
                return self.compiled(rules)
        return None

    def close(self) -> None:
        """Release the solvers."""
        for compiled in self._owned:
            compiled.close()


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
    of: CellsLike | None = None,
) -> Solutions:
    """Enumerate the solutions of a puzzle, each verified against the rules.

    Solutions that differ only outside the places `of` come once; see :func:`count`.

    Examples
    --------
    >>> found = solutions("1..." + "." * 12)
    >>> next(found)["R1C1"], found.complete
    (1, False)
    >>> sum(1 for _ in found), found.complete
    (71, True)
    >>> sorted(solution["R2C2"] for solution in solutions("1..." + "." * 12, of="R2C2"))
    [2, 3, 4]
    """
    query = check_query(limit, timeout, seed, cancel)
    if timeout is not None:
        prepare(backend)
    deadline = query.deadline()
    group = Group.of(puzzle, deadline)
    query = projecting(query, group.rules, of)
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
        Seconds, the compilation of the puzzle included; what was found by then is returned. Machine
        code that must be compiled first is not counted: see :func:`warm_up`.
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
    if timeout is not None:
        prepare(backend)
    deadline = query.deadline()
    return answer(Group.of(puzzle, deadline), backend, query, deadline)[0]


def is_unique(
    puzzle: object,
    backend: str | Backend = "auto",
    *,
    timeout: float | None = None,
    cancel: Event | None = None,
    of: CellsLike | None = None,
) -> bool:
    """Whether a puzzle has exactly one solution.

    With `of`, such as ``"grid"``, solutions that differ only elsewhere are one; see :func:`count`.
    Raises :class:`UndecidedError` if the backend stops before that is known, or if rules of the
    puzzle were left out as it was read.

    Examples
    --------
    >>> is_unique("0100 3001 4002 0040")
    True
    """
    if of is None:
        result = solve(puzzle, backend, limit=2, timeout=timeout, cancel=cancel)
    else:
        found = solutions(puzzle, backend, limit=2, timeout=timeout, cancel=cancel, of=of)
        result = found.take(2)
    refuse_left_out(result)
    if len(result.solutions) > 1:
        return False
    if not result.complete:
        raise UndecidedError(
            f"{len(result.solutions)} solutions were found, then {result.reason}; "
            f"a longer timeout or another backend may decide it"
        )
    return len(result.solutions) == 1


def projecting(query: Query, rules: Puzzle, of: CellsLike | None) -> Query:
    """Return a question about some places of a puzzle."""
    if of is None:
        return query
    places: tuple[Place, ...] = rules.cells if of == "grid" else tuple(dict.fromkeys(cells(of)))
    if not places:
        raise PuzzleError("of: name at least one cell, or write of='grid'")
    for place in places:
        rules.values_of(place)  # it refuses what the puzzle does not have
    return query._replace(of=places)
