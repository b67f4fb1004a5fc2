"""A SAT solver with the rules in it, asked again and again.

The rules are loaded once; a restriction is a list of assumptions. Solutions are told apart by
blocking clauses that hold only under a selector, a literal that the query assumes and nobody after
it: whatever ends a query, the next one starts from the rules alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from threading import Event
from typing import TYPE_CHECKING, Any

import networkx as nx
from pysat import solvers

from csp_encodings.cnf import Cnf
from csp_encodings.graph import Assignment, Row, restricted
from csp_sudoku.backends.base import (
    Enumeration,
    OutOfTime,
    Restriction,
    Session,
    Statistics,
    check_deadline,
    check_variables,
)
from csp_sudoku.backends.native import run_in_thread, run_stoppable
from csp_sudoku.backends.sat_solvers import SOLVERS
from csp_sudoku.errors import BackendError

if TYPE_CHECKING:
    from csp_sudoku.backends.guesses import Guesses

# Solved at once in the calling thread, because a thread costs as much as an easy puzzle: a few
# hundredths of a second at most, after which a deadline and Ctrl-C need a thread.
_FIRST_CONFLICTS = 1_000
_FIRST_PROPAGATIONS = 200_000

# Where there may be guesses, the solver first tries to do without for so many conflicts.
_UNGUIDED_CONFLICTS = 5_000

# How long a solver that cannot be stopped works at a time.
_SLICE_SECONDS = 0.05
# And how many conflicts it is given at first.
_FIRST_SLICE = 100

# A query for several solutions leaves a dead selector behind, which every model shows: after so
# many the rules are loaded anew.
_MAX_SELECTORS = 1_000


@dataclass
class SatStatistics(Statistics):
    """What a SAT solver did."""

    solver: str = ""
    variables: int = 0
    clauses: int = 0
    conflicts: int = 0
    decisions: int = 0
    propagations: int = 0
    restarts: int = 0


@dataclass(slots=True)
class Loaded:
    """A solver with the rules in it, and what came of it since."""

    solver: Any
    counted: dict[str, int]
    """What it had counted when it was last asked."""
    selectors: int = 0


class SatSession(Session):
    """A solver that holds the clauses of one graph."""

    def __init__(
        self,
        cnf: Cnf,
        solver: str,
        started: float,
        deadline: float | None,
        *,
        guided: nx.Graph | None = None,
    ) -> None:
        self.cnf = cnf
        self._guided = guided
        self._guesses: tuple[Restriction, Guesses | None] | None = None
        self._traits = SOLVERS[solver]
        self._slice = _FIRST_SLICE
        self._query: Enumeration | None = None
        self._closed = False
        self._stopped = False
        # What makes up a solution is the head of every model, value by value.
        self.value_of = [0]
        for variable in cnf.shown:
            self.value_of += cnf.domains[variable]
        self._impossible = False
        self._size = (solver, cnf.variables, len(cnf.clauses) + len(cnf.at_most))
        self._loaded = self._load(deadline)
        self._compile_seconds = time.perf_counter() - started

    @cached_property
    def literals(self) -> dict[Any, dict[int, int]]:
        """The literals of a variable, by its values. A single solution of all needs none."""
        first = self.cnf.first
        return {
            variable: dict(zip(domain, count(first.get(variable, 1)), strict=False))
            for variable, domain in self.cnf.domains.items()
        }

    def solutions(
        self,
        restrict: Restriction | None = None,
        *,
        limit: int | None = None,
        deadline: float | None = None,
        seed: int | None = None,
        hint: Mapping[Any, int] | None = None,
    ) -> Enumeration:
        """Enumerate the distinct solutions within a restriction.

        A `hint` gives values to try first, for some variables or all.
        """
        restrict = restrict or {}
        assumptions = self._begin(restrict)
        statistics = SatStatistics(self._compile_seconds, 0.0, 0, *self._size)
        if assumptions is None:
            self._query = Enumeration(iter(()), statistics)
        else:
            led = seed is not None or hint is not None
            phases = self._phases(seed, hint or {}) if led else None
            self._query = SatEnumeration(
                self, restrict, assumptions, phases, statistics, deadline=deadline
            )
        return self._query

    def core(
        self, restrict: Restriction, *, deadline: float | None = None
    ) -> tuple[Any, ...] | None:
        """Restricted variables that leave no solution together; None if there is a solution.

        It is seldom the smallest such set. Raises :class:`OutOfTime` at the deadline.

        Examples
        --------
        >>> from csp_encodings.factors import AllDifferent
        >>> from csp_encodings.graph import GraphBuilder
        >>> from csp_sudoku.backends.sat import Sat
        >>> builder = GraphBuilder()
        >>> for name in "xyz":
        ...     builder.variable(name, range(1, 4))
        >>> _ = builder.factor(AllDifferent(("x", "y", "z")))
        >>> with Sat().compile(builder.build()) as session:
        ...     session.core({"x": (1,), "y": (2, 3), "z": (1,)})
        ('x', 'z')
        """
        assumptions = self._begin(restrict)
        if self._impossible:
            return ()
        if assumptions is None:
            empty = [v for v, left in restrict.items() if self.literals[v].keys().isdisjoint(left)]
            return tuple(empty[:1])
        if self.has_model(self._loaded, assumptions, deadline):
            return None
        core = frozenset(self._loaded.solver.get_core() or ())
        assumed = {v: self._assumptions({v: values}) or () for v, values in restrict.items()}
        return tuple([v for v, literals in assumed.items() if not core.isdisjoint(literals)])

    def stop(self) -> None:
        """End the query that is open, soon."""
        self._stopped = True

    def close(self) -> None:
        """Delete the solver."""
        if self._query:
            self._query.close()
        self._loaded.solver.delete()
        self._closed = True

    def _begin(self, restrict: Restriction) -> list[int] | None:
        """End the query that is open, to begin another: what it assumes.

        None if that is impossible at a glance.
        """
        self._stopped = False
        if self._query:
            self._query.close()
        # A deleted solver answers nothing, which would look like a lack of time.
        if self._closed:
            raise BackendError("sat: this session is closed")
        assumptions = self._assumptions(restrict)
        return None if self._impossible else assumptions

    def _load(self, deadline: float | None) -> Loaded:
        """A new solver with the rules in it."""
        solver = getattr(solvers, self._traits.kind)()
        clauses = self.cnf.clauses
        if () in clauses:  # which not every solver takes
            self._impossible = True
            return Loaded(solver, {})
        add = solver.add_clause
        for start in range(0, len(clauses), 1024):
            check_deadline(deadline)
            for clause in clauses[start : start + 1024]:
                add(clause)
        for literals, bound in self.cnf.at_most:
            solver.add_atmost(literals, bound)
        return Loaded(solver, solver.accum_stats())

    def _assumptions(self, restrict: Restriction) -> list[int] | None:
        """The literals that restrict variables, or None if they leave one without a value."""
        if not restrict:
            return []
        literals_of = self.literals
        try:
            return [literals_of[variable][value] for variable, (value,) in restrict.items()]
        except (KeyError, ValueError):  # not single values alone, or not of the graph
            check_variables(restrict, literals_of)
        found: list[int] = []
        for variable, values in restrict.items():
            literals = literals_of[variable]
            if len(values) == 1 and values[0] in literals:
                found.append(literals[values[0]])
                continue
            dropped = [-literal for value, literal in literals.items() if value not in values]
            if len(dropped) == len(literals):
                return None
            found += dropped
        return found

    def _phases(self, seed: int | None, hint: Mapping[Any, int]) -> list[int]:
        """The literals to try first: those of the hint, then random ones if there is a seed."""
        chance = random.Random(seed)
        phases = []
        for variable, literals in self.literals.items():
            value = hint.get(variable)
            if value is None and seed is not None and literals:
                value = chance.choice(list(literals))
            if value is not None:
                phases += [x if v == value else -x for v, x in literals.items()]
        return phases

    def load_for(self, phases: list[int] | None, deadline: float | None) -> Loaded:
        """The solver of all queries; with phases to begin with, one of its own.

        A shared one keeps what it has learnt and the phases it was given: the same seed would not
        give the same run twice, and the next query would be led by a seed it was not given.
        """
        if phases is not None:
            own = self._load(deadline)
            own.solver.set_phases(phases)
            return own
        if self._loaded.selectors >= _MAX_SELECTORS:
            worn, self._loaded = self._loaded, self._load(deadline)
            worn.solver.delete()
        return self._loaded

    def has_model(
        self,
        loaded: Loaded,
        assumptions: list[int],
        deadline: float | None,
        restrict: Restriction | None = None,
    ) -> bool:
        """Whether there is a solution; within a restriction, guesses may help to find it."""
        check_deadline(deadline)
        solver = loaded.solver
        try:
            outcome = self._solve_at_once(solver, assumptions)
            if outcome is None and restrict is not None and self._guided is not None:
                outcome = self._solve_guided(solver, assumptions, deadline, restrict)
            if outcome is None:
                outcome = self._solve_within(None, solver, assumptions, deadline)
        finally:
            loaded.counted = solver.accum_stats()
        if outcome is None:
            raise OutOfTime
        return outcome

    def _solve_at_once(self, solver: Any, assumptions: list[int]) -> bool | None:
        """Solve in the calling thread, if that takes no time."""
        if self._traits.interruptible:
            solver.conf_budget(_FIRST_CONFLICTS)
            solver.prop_budget(_FIRST_PROPAGATIONS)
        else:
            solver.conf_budget(self._slice)
        # Expecting an interrupt lets go of the interpreter, and of PySAT's own handler of Ctrl-C,
        # which would jump out of the midst of the solver and leave Python's handler lost.
        outcome: bool | None = solver.solve_limited(assumptions, expect_interrupt=True)
        return outcome

    def _solve_guided(
        self,
        solver: Any,
        assumptions: list[int],
        deadline: float | None,
        restrict: Restriction,
    ) -> bool | None:
        """Solve; when that takes long, somebody guesses beside, and a good guess is tried first.

        None if there is nothing to guess, or too little time.
        """
        outcome = self._solve_within(_UNGUIDED_CONFLICTS, solver, assumptions, deadline)
        if outcome is not None or (guesses := self._guesses_within(restrict)) is None:
            return outcome
        over = Event()

        def pause() -> None:
            check_deadline(deadline)
            if over.is_set() or self._stopped:
                raise OutOfTime

        guess: Future[Assignment] = Future()
        try:
            run_in_thread(lambda: guesses.find(pause), guess)
            outcome = self._solve_within(None, solver, assumptions, deadline, guess.done)
            if outcome is None and guess.done():
                solver.set_phases(self._phases(None, guess.result()))
                outcome = self._solve_within(None, solver, assumptions, deadline)
            return outcome
        finally:
            over.set()

    def _guesses_within(self, restrict: Restriction) -> Guesses | None:
        """The guesses within a restriction: the next ones, if it is the same as the last time."""
        if self._guesses is None or self._guesses[0] != restrict:
            from csp_encodings import conflicts
            from csp_encodings.narrowing import narrowed

            encoded = conflicts.encode(narrowed(restricted(self._guided, restrict)))
            self._guesses = dict(restrict), None
            if encoded is not None:  # else there is no need to load the kernels
                from csp_sudoku.backends.guesses import Guesses

                self._guesses = dict(restrict), Guesses(encoded)
        return self._guesses[1]

    def _solve_within(
        self,
        conflicts: int | None,
        solver: Any,
        assumptions: list[int],
        deadline: float | None,
        is_over: Callable[[], bool] = bool,
    ) -> bool | None:
        """Solve with so many conflicts at most, or as many as it takes; None if that did not do."""

        def is_stopped() -> bool:
            return self._stopped or is_over()

        if not self._traits.interruptible:
            return self._solve_in_slices(conflicts, solver, assumptions, deadline, is_stopped)
        solver.clear_interrupt()
        solver.prop_budget(-1)  # that takes both budgets away
        solver.conf_budget(-1 if conflicts is None else conflicts)
        outcome: bool | None = run_stoppable(
            lambda: solver.solve_limited(assumptions, expect_interrupt=True),
            solver.interrupt,
            deadline,
            is_stopped,
        )
        return outcome

    def _solve_in_slices(
        self,
        conflicts: int | None,
        solver: Any,
        assumptions: list[int],
        deadline: float | None,
        is_stopped: Callable[[], bool],
    ) -> bool | None:
        done = 0
        while conflicts is None or done < conflicts:
            started = time.perf_counter()
            budget = self._slice if conflicts is None else min(self._slice, conflicts - done)
            solver.conf_budget(budget)
            outcome: bool | None = solver.solve_limited(assumptions, expect_interrupt=True)
            if outcome is not None or is_stopped():
                return outcome
            check_deadline(deadline)
            done += budget
            seconds = time.perf_counter() - started
            self._slice = max(10, int(self._slice * min(2, _SLICE_SECONDS / seconds)))
        return None


class SatEnumeration(Enumeration):
    """The solutions of one query: models, told apart by clauses under a selector of their own."""

    statistics: SatStatistics
    _last: list[int]
    _loaded: Loaded | None = None
    _selector = 0

    def __init__(
        self,
        session: SatSession,
        restrict: Restriction,
        assumptions: list[int],
        phases: list[int] | None,
        statistics: SatStatistics,
        *,
        deadline: float | None,
    ) -> None:
        super().__init__(iter(()), statistics)
        self._session = session
        self._restrict = restrict
        self._assumptions = assumptions
        self._phases = phases
        self._deadline = deadline

    def _find(self) -> Assignment:
        session = self._session
        if self._loaded is None:
            loaded = self._loaded = session.load_for(self._phases, self._deadline)
            # Only a first solution is guessed at, and not against what a seed or a hint says.
            guided = self._restrict if self._phases is None else None
        else:
            loaded, guided = self._loaded, None
            self._block(loaded, self._last)
        before = loaded.counted
        try:
            if not session.has_model(loaded, self._assumptions, self._deadline, guided):
                raise StopIteration
        finally:
            now, statistics = loaded.counted, self.statistics
            statistics.conflicts += now["conflicts"] - before["conflicts"]
            statistics.decisions += now["decisions"] - before["decisions"]
            statistics.propagations += now["propagations"] - before["propagations"]
            statistics.restarts += now["restarts"] - before["restarts"]
        model = loaded.solver.get_model()
        value_of = session.value_of
        if len(model) >= len(value_of):
            del model[len(value_of) - 1 :]
        self._last = [value_of[literal] for literal in model if literal > 0]
        return Row(session.cnf.shown, self._last)

    def _block(self, loaded: Loaded, row: list[int]) -> None:
        """Rule out a solution, for this query alone; what it assumes need not be said."""
        if not self._selector:
            loaded.selectors += 1
            self._selector = self._session.cnf.variables + loaded.selectors
            self._assumptions.append(self._selector)
        shown, literals = self._session.cnf.shown, self._session.literals
        true = [literals[variable][value] for variable, value in zip(shown, row, strict=True)]
        assumed = {*self._assumptions}
        loaded.solver.add_clause([-self._selector, *[-x for x in true if x not in assumed]])

    def close(self) -> None:
        super().close()
        if self._loaded is None:
            return
        if self._phases is not None:
            self._loaded.solver.delete()
        elif self._selector:
            self._loaded.solver.add_clause([-self._selector])
        self._loaded = None
