"""The `sat` backend: the graph as CNF on any usable solver of PySAT.

The rules are loaded once; a restriction is a list of assumptions. Solutions are told apart by
blocking clauses that hold only under a selector, a literal that the query assumes and nobody after
it: whatever ends a query, the next one starts from the rules alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from threading import Event
from typing import TYPE_CHECKING, Any, ClassVar

import networkx as nx
from pysat import solvers

from csp_encodings.at_most_one import ENCODINGS
from csp_encodings.cnf import Cnf, encode
from csp_encodings.graph import Assignment, Row, domains, factors, restricted
from csp_sudoku.backends.base import (
    Backend,
    Enumeration,
    OutOfTime,
    Restriction,
    Session,
    Statistics,
    check_deadline,
    check_variables,
)
from csp_sudoku.backends.native import run_in_thread, run_stoppable
from csp_sudoku.errors import BackendError

if TYPE_CHECKING:
    from csp_sudoku.backends.guesses import Guesses


@dataclass(frozen=True, slots=True)
class _Traits:
    """What a solver of PySAT can do, as measured; its documentation does not say."""

    kind: str
    """The name of its class."""
    native: bool = False
    """Knows at-most constraints."""
    interruptible: bool = True
    """Stops when told from another thread, and lets other threads run meanwhile."""


# By PySAT's names, of which it has several for most: see pysat.solvers.SolverNames.
SOLVERS: dict[str, _Traits] = {
    # Keep to a budget and stop at once.
    "minicard": _Traits("Minicard", native=True),
    "minisat22": _Traits("Minisat22"),
    "minisatgh": _Traits("MinisatGH"),
    "minisatep": _Traits("MinisatEP"),
    "ergo": _Traits("Ergo"),
    "mergesat3": _Traits("Mergesat3"),
    # Look at budget and stop flag at restarts only: up to a second late.
    "glucose3": _Traits("Glucose3"),
    "glucose4": _Traits("Glucose4"),
    "glucose42": _Traits("Glucose42"),
    "gluecard3": _Traits("Gluecard3", native=True),
    "gluecard4": _Traits("Gluecard4", native=True),
    # Cannot be stopped, but keep to a budget of conflicts: they solve in slices.
    "cadical153": _Traits("Cadical153", interruptible=False),
    "cadical195": _Traits("Cadical195", interruptible=False),
    "cadical300": _Traits("Cadical300", interruptible=False),
}
"""The solvers that can be chosen."""

UNUSABLE: dict[str, str] = {
    "cadical103": "it takes no preferred phases, so it knows neither seeds nor hints",
    "cryptosat": "it needs another package, and cannot be stopped at a deadline",
    "kissat404": "it ignores assumptions, and aborts the process when it is used twice",
    "lingeling": "it cannot be stopped at a deadline",
    "maplechrono": "it takes over the alarm of the process, and equal seeds give unequal runs",
    "maplecm": "it takes over the alarm of the process",
    "maplesat": "it crashes on an empty formula, and its proofs are invalid",
}
"""The solvers of PySAT that are refused, and why."""

# MiniCard with its own at-most-one constraints loads ten times faster than any encoding of them as
# clauses (a 25×25 in 0.06 s instead of 0.8 s, and 64×64 at all), and solves as fast or faster from
# 9×9 to 25×25. It is a MiniSat: it stops at once.
DEFAULT_SOLVER = "minicard"

# From so many variables on, what givens rule out is left out of the clauses: a 36×36 with half of
# its cells given has a tenth of its literals left, few enough for pairs. And there the solver gets
# guesses, if so many conflicts have not brought it to an end.
_LARGE = 1_000
_UNGUIDED_CONFLICTS = 5_000

# Solved at once in the calling thread, because a thread costs as much as an easy puzzle: a few
# hundredths of a second at most, after which a deadline and Ctrl-C need a thread.
_FIRST_CONFLICTS = 1_000
_FIRST_PROPAGATIONS = 200_000

# How long a solver that cannot be stopped works at a time.
_SLICE_SECONDS = 0.05

# Every query leaves a dead selector behind, which every model shows: after so many the rules are
# loaded anew.
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


class Sat(Backend):
    """CNF on a SAT solver.

    Where a large graph of differences and relations takes long, a local search works beside the
    solver, in a thread of its own; what it finds the solver then tries first, see
    :mod:`csp_sudoku.backends.guesses`. Not with a seed or a hint.

    Parameters
    ----------
    solver
        A solver of PySAT, by any name that PySAT knows it by; one of :data:`SOLVERS`.
    at_most_one
        The encoding of at-most-one constraints (see :func:`csp_encodings.cnf.encode`); what suits
        the solver and the graph by default.
    redundant
        Whether to say that every value of a permutation occurs, which follows but propagates more.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> for name in "xyz":
    ...     builder.variable(name, range(1, 4))
    >>> _ = builder.factor(AllDifferent(("x", "y", "z")))
    >>> with Sat().compile(builder.build()) as session:
    ...     list(session.solutions({"x": (1,), "y": (1, 2)}))
    [{'x': 1, 'y': 2, 'z': 3}]
    """

    name: ClassVar[str] = "sat"
    summary: ClassVar[str] = "CNF on a SAT solver (PySAT)"
    abilities: ClassVar[tuple[str, ...]] = ("seed", "hints", "cores", "proofs")

    def __init__(
        self,
        solver: str = DEFAULT_SOLVER,
        at_most_one: str | None = None,
        redundant: bool = True,
    ) -> None:
        self.solver = _known_solver(solver)
        self.at_most_one = at_most_one
        self.redundant = redundant
        native = SOLVERS[self.solver].native
        if at_most_one not in (None, "native", *ENCODINGS):
            raise BackendError(
                f"sat: no at-most-one encoding {at_most_one!r}; "
                f"there are {', '.join(ENCODINGS)} and native"
            )
        if at_most_one == "native" and not native:
            able = ", ".join(name for name, traits in SOLVERS.items() if traits.native)
            raise BackendError(f"sat: {self.solver} has no at-most constraints; {able} have")

    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> SatSession:
        """Encode the graph and load it into the solver."""
        started = time.perf_counter()
        large = len(domains(graph)) > _LARGE
        if large:
            from csp_encodings.narrowing import narrowed

            graph = narrowed(graph)
        cnf = encode(
            graph,
            at_most_one=self.at_most_one or self._suitable(graph),
            redundant=self.redundant,
            progress=lambda: check_deadline(deadline),
        )
        guided = graph if large else None
        return SatSession(cnf, self.solver, started, deadline, guided=guided)

    def version(self) -> str:
        """The version of PySAT."""
        from importlib.metadata import version

        return f"python-sat {version('python-sat')}"

    def _suitable(self, graph: nx.Graph) -> str:
        if SOLVERS[self.solver].native:
            return "native"
        # Pairs propagate best, and their number is bearable up to a 25×25.
        open_to = {variable: len(domain) > 1 for variable, domain in domains(graph).items()}
        groups = [sum(open_to[v] for v in factor.scope) for factor in factors(graph).values()]
        widest = max(map(len, domains(graph).values()), default=0)
        return "pairwise" if max(widest, *groups, 0) <= 25 else "product"


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
        self._name = solver
        self._traits = SOLVERS[solver]
        self._slice = 100
        self._query: Enumeration | None = None
        self._restriction: Restriction = {}
        self._closed = False
        self._stopped = Event()
        # What makes up a solution is the head of every model, value by value.
        self._shown = cnf.shown
        self._value_of = [0]
        for variable in cnf.shown:
            self._value_of += cnf.domains[variable]
        self._impossible = False
        self._size = (solver, cnf.variables, len(cnf.clauses) + len(cnf.at_most))
        self._solver = self._load(deadline)
        self._compile_seconds = time.perf_counter() - started

    @cached_property
    def _values(self) -> dict[Any, dict[int, int]]:
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
        assumptions = self._begin(restrict or {})
        statistics = SatStatistics(self._compile_seconds, 0.0, 0, *self._size)
        if assumptions is None:
            found: Iterator[Assignment] = iter(())
        else:
            led = seed is not None or hint is not None
            phases = self._phases(seed, hint or {}) if led else None
            found = self._search(phases, assumptions, deadline, statistics)
        self._query = Enumeration(found, statistics)
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
            empty = [v for v, left in restrict.items() if self._values[v].keys().isdisjoint(left)]
            return tuple(empty[:1])
        if self._solve(self._solver, assumptions, deadline):
            return None
        core = frozenset(self._solver.get_core() or ())
        assumed = {v: self._assumptions({v: values}) or () for v, values in restrict.items()}
        return tuple([v for v, literals in assumed.items() if not core.isdisjoint(literals)])

    def stop(self) -> None:
        """End the query that is open, soon."""
        self._stopped.set()

    def close(self) -> None:
        """Delete the solver."""
        if self._query:
            self._query.close()
        self._solver.delete()
        self._closed = True

    def _begin(self, restrict: Restriction) -> list[int] | None:
        """End the query that is open, to begin another: what it assumes.

        None if that is impossible at a glance.
        """
        if self._stopped.is_set():
            self._stopped.clear()
        if self._query:
            self._query.close()
        # A deleted solver answers nothing, which would look like a lack of time.
        if self._closed:
            raise BackendError("sat: this session is closed")
        check_variables(restrict, self.cnf.domains)
        self._restriction = restrict
        return None if self._impossible else self._assumptions(restrict)

    def _load(self, deadline: float | None) -> Any:
        """A new solver with the rules in it."""
        solver = getattr(solvers, self._traits.kind)()
        clauses = self.cnf.clauses
        if () in clauses:  # which not every solver takes
            self._impossible = True
            return solver
        add = solver.add_clause
        for start in range(0, len(clauses), 1024):
            check_deadline(deadline)
            for clause in clauses[start : start + 1024]:
                add(clause)
        for literals, bound in self.cnf.at_most:
            solver.add_atmost(literals, bound)
        return solver

    def _assumptions(self, restrict: Restriction) -> list[int] | None:
        """The literals that restrict variables, or None if they leave one without a value."""
        found: list[int] = []
        literals_of = self._values if restrict else {}
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
        for variable, literals in self._values.items():
            value = hint.get(variable)
            if value is None and seed is not None and literals:
                value = chance.choice(list(literals))
            if value is not None:
                phases += [x if v == value else -x for v, x in literals.items()]
        return phases

    def _search(
        self,
        phases: list[int] | None,
        assumptions: list[int],
        deadline: float | None,
        statistics: SatStatistics,
    ) -> Iterator[Assignment]:
        """Enumerate; phases to begin with are set in a solver of its own.

        A shared one keeps what it has learnt and the phases it was given: the same seed would not
        give the same run twice, and the next query would be led by a seed it was not given.
        """
        if phases is None:
            solver = self._unworn_solver(deadline)
        else:
            solver = self._load(deadline)
            solver.set_phases(phases)
        value_of, shown = self._value_of, len(self._value_of) - 1
        selector = 0
        before = solver.accum_stats()
        try:
            while True:
                # Only a first solution is guessed at, and not against what a seed or a hint says.
                guided = phases is None and not selector
                try:
                    if not self._solve(
                        solver, assumptions, deadline, self._restriction if guided else None
                    ):
                        return
                finally:
                    now = solver.accum_stats()
                    statistics.conflicts = now["conflicts"] - before["conflicts"]
                    statistics.decisions = now["decisions"] - before["decisions"]
                    statistics.propagations = now["propagations"] - before["propagations"]
                    statistics.restarts = now["restarts"] - before["restarts"]
                head = solver.get_model()
                if len(head) > shown:
                    head = head[:shown]
                yield Row(self._shown, [value_of[literal] for literal in head if literal > 0])
                if not selector:
                    given = frozenset(assumptions)
                    selector = max(solver.nof_vars(), self.cnf.variables) + 1
                    assumptions.append(selector)
                block = [-literal for literal in head if literal > 0 and literal not in given]
                solver.add_clause([-selector, *block])
        finally:
            if phases is not None:
                solver.delete()
            elif selector:
                solver.add_clause([-selector])

    def _unworn_solver(self, deadline: float | None) -> Any:
        """The solver of all queries; a new one when too many selectors are dead in it."""
        if self._solver.nof_vars() >= self.cnf.variables + _MAX_SELECTORS:
            worn, self._solver = self._solver, self._load(deadline)
            worn.delete()
        return self._solver

    def _solve(
        self,
        solver: Any,
        assumptions: list[int],
        deadline: float | None,
        restrict: Restriction | None = None,
    ) -> bool:
        """Whether there is a solution; within a restriction, guesses may help to find it."""
        check_deadline(deadline)
        outcome = self._solve_at_once(solver, assumptions)
        if outcome is None and restrict is not None and self._guided is not None:
            outcome = self._solve_guided(solver, assumptions, deadline, restrict)
        if outcome is None:
            outcome = self._solve_within(None, solver, assumptions, deadline)
        if outcome is None:
            raise OutOfTime
        return outcome

    def _solve_at_once(self, solver: Any, assumptions: list[int]) -> bool | None:
        """Solve in the calling thread, if that takes no time."""
        if not self._traits.interruptible:
            return None
        solver.conf_budget(_FIRST_CONFLICTS)
        solver.prop_budget(_FIRST_PROPAGATIONS)
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
            if over.is_set() or self._stopped.is_set():
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
            return self._stopped.is_set() or is_over()

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


def _known_solver(name: str) -> str:
    """PySAT's first name of a solver, if it can be used."""
    known: dict[str, object] = vars(solvers.SolverNames)
    for first, names in known.items():
        if isinstance(names, tuple) and (name == first or name in names):
            if first in SOLVERS:
                return first
            reason = UNUSABLE.get(first, "it has not been tried")
            raise BackendError(f"sat: solver {name} cannot be used: {reason}")
    raise BackendError(f"sat: no solver {name!r}; there are {', '.join(SOLVERS)}")
