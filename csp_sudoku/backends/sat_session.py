"""A session of the `sat` backend: a SAT solver that holds the rules and answers many queries.

The rules are loaded once; a restriction is a list of assumptions. Clauses block the solutions that
were found. They hold only under a selector, a literal that this query assumes and no later one
does. So, whatever ends a query, the next one starts from the rules alone.

Which of several solutions a solver finds depends on what it has learnt. So a solver that was used
before answers only that there is no solution, or just one, if it finds that out quickly. Otherwise
a new solver answers, and so the same query gives the same solutions in the same order.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import count, pairwise
from threading import Event
from typing import TYPE_CHECKING, Any

import networkx as nx
from pysat import solvers

from csp_encodings.clauses import Clause
from csp_encodings.cnf import Cnf, encode
from csp_encodings.graph import Assignment, FactorId, Row, restricted_view
from csp_sudoku.backends.base import (
    Enumeration,
    OutOfTime,
    Request,
    Restriction,
    Session,
    Statistics,
    check_deadline,
    check_variables,
)
from csp_sudoku.backends.native import StillRunning, run_stoppable
from csp_sudoku.backends.sat_solvers import SOLVERS
from csp_sudoku.errors import BackendError

if TYPE_CHECKING:
    from csp_sudoku.backends.guesses import Guesses

# The work that is done at once, in the calling thread: some hundredths of a second at most. After
# that a deadline and Ctrl-C need a thread.
_FIRST_CONFLICTS = 1_000
_FIRST_PROPAGATIONS = 200_000

# The conflicts that the solver may have before a local search guesses; and in turns with it, so
# many more at each turn. So the solver, which alone can say no, has most of the time at last.
_UNGUIDED_CONFLICTS = 5_000
_MORE_CONFLICTS = 500

# How many conflicts a solver that cannot be stopped has at a time: this, divided by the number of
# clauses, because a conflict costs more where there are more; and at most so many. That is a tenth
# of a second at most. It is not measured by a clock: what CaDiCaL finds depends on its slices.
_SLICE = 10_000_000
_MOST_CONFLICTS = 500

# How many seconds to wait for a solver that was stopped. Some look up at their next restart only.
_PATIENCE = 0.1

# A query for several solutions leaves a dead selector behind, which every model shows. After this
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
    """A solver that holds the rules."""

    solver: Any
    top: int
    """The last variable in use."""
    selectors: int = 0
    used: bool = False
    """Whether it has answered a query."""
    lost: bool = False
    """Whether it was stopped and has not come back: nobody may touch it."""

    def selector(self) -> int:
        """Take a new variable for the clauses of one query."""
        self.top += 1
        self.selectors += 1
        return self.top


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
        self._slice = min(_MOST_CONFLICTS, 10 + _SLICE // (1 + len(cnf.clauses)))
        self._query: Enumeration | None = None
        self._closed = False
        self._stopped = False
        # The first literals of every model are those of the solution, value by value.
        self.value_of = [0]
        for variable in cnf.shown:
            self.value_of += cnf.domains[variable]
        self._impossible = False
        self._top = cnf.variables
        self._grown: list[Clause] = []
        self._size = (solver, cnf.variables, len(cnf.clauses) + len(cnf.at_most))
        self._loaded = self._load(deadline)
        self._compile_seconds = time.perf_counter() - started

    @cached_property
    def literals(self) -> dict[Any, dict[int, int]]:
        """The literals of each variable, by value; made when needed, as one solution needs none."""
        first = self.cnf.first
        return {
            variable: dict(zip(domain, count(first.get(variable, 1)), strict=False))
            for variable, domain in self.cnf.domains.items()
        }

    def enumerate(self, request: Request) -> Enumeration:
        """Enumerate the distinct solutions within a restriction.

        The effort counts for each solution; a large graph gets all it needs.
        """
        return self._search(request, None)

    def projected(self, variables: tuple[Any, ...], request: Request) -> Enumeration:
        """Enumerate solutions that differ on some variables: only these are blocked."""
        check_variables(dict.fromkeys(variables, ()), self.literals)
        return self._search(request, frozenset(variables))

    def _search(self, request: Request, blocked: frozenset[Any] | None) -> Enumeration:
        """Begin a query; solutions that agree on the `blocked` variables are found once."""
        assumptions = self._begin(request.restrict)
        led = request.seed is not None or request.hint
        phases = self._phases(request.seed, request.hint) if led else None
        statistics = SatStatistics(self._compile_seconds, 0.0, 0, *self._size)
        if assumptions is None:
            self._query = Enumeration(iter(()), statistics)
        else:
            self._query = SatEnumeration(
                self,
                request.restrict,
                assumptions,
                phases,
                statistics,
                deadline=request.deadline,
                effort=request.effort,
                blocked=blocked,
                repeatable=request.repeatable,
            )
        return self._query

    def core(
        self, restrict: Restriction, *, deadline: float | None = None
    ) -> tuple[Any, ...] | None:
        """Return restricted variables that together leave no solution; None if there is one.

        It is seldom the smallest such set. Raises :class:`OutOfTime` at the deadline.

        Examples
        --------
        >>> from csp_encodings.factors import AllDifferent
        >>> from csp_encodings.graph import graph_of
        >>> from csp_sudoku.backends.sat import Sat
        >>> graph = graph_of(dict.fromkeys("xyz", range(1, 4)), AllDifferent(("x", "y", "z")))
        >>> with Sat().compile(graph) as session:
        ...     session.core({"x": (1,), "y": (2, 3), "z": (1,)})
        ('x', 'z')
        """
        assumptions = self._begin(restrict)
        if self._impossible:
            return ()
        if assumptions is None:
            empty = [v for v, left in restrict.items() if self.literals[v].keys().isdisjoint(left)]
            return tuple(empty[:1])
        loaded = self.solver(deadline, new=False)
        if self.has_model(loaded, assumptions, deadline):
            return None
        core = frozenset(loaded.solver.get_core() or ())
        assumed = {v: self._assumptions({v: values}) or () for v, values in restrict.items()}
        return tuple([v for v, literals in assumed.items() if not core.isdisjoint(literals)])

    def grow(self, graph: nx.Graph, switch: Any) -> None:
        """Load further factors. They hold in queries that restrict the switch to 1.

        Parameters
        ----------
        graph
            Its variables are some of the session's, and auxiliaries of its own. The definitions of
            these always hold.
        switch
            A new name; for queries it is a variable with the single value 1.

        Examples
        --------
        >>> from csp_encodings.factors import AllDifferent
        >>> from csp_encodings.graph import GraphBuilder
        >>> from csp_sudoku.backends.sat import Sat
        >>> builder = GraphBuilder()
        >>> for name in "xy":
        ...     builder.variable(name, range(3))
        >>> with Sat().compile(builder.build()) as session:
        ...     _ = builder.factor(AllDifferent(("x", "y")))
        ...     session.grow(builder.build(), "differ")
        ...     len(list(session.solutions())), len(list(session.solutions({"differ": (1,)})))
        (9, 6)
        """
        self._begin({})
        further = encode(graph, alone=True, valued=True)
        loaded = self.solver(None, new=False)
        guard = loaded.top + 1
        # The numbers of the formula in this session; 0 is a value that is already ruled out.
        number = [0]
        for variable in further.shown:
            held = self.literals[variable]
            number += [held.get(value, 0) for value in further.domains[variable]]
        self._top = guard + further.variables + 1 - len(number)
        number += range(guard + 1, self._top + 1)
        nodes = [data for node, data in graph.nodes(data=True) if isinstance(node, FactorId)]
        edges = (0, *further.starts, len(further.clauses))
        switches = (0, *[0 if data["definition"] else guard for data in nodes])
        new: list[Clause] = []
        for owner, (start, end) in zip(switches, pairwise(edges), strict=True):
            for clause in further.clauses[start:end]:
                renamed = [number[x] if x > 0 else -number[-x] for x in clause]
                if 0 in renamed:
                    if any(x < 0 and not number[-x] for x in clause):
                        continue
                    renamed = [x for x in renamed if x]
                new.append((-owner, *renamed) if owner else (*renamed,))
        self._grown += new
        self.literals[switch] = {1: guard}
        self._guided = None  # a local search does not know the switches
        loaded.top = self._top
        if not self._impossible:
            for clause in new:
                loaded.solver.add_clause(clause)

    def stop(self) -> None:
        """End the query that is open, soon."""
        self._stopped = True

    def close(self) -> None:
        """Delete the solver."""
        if self._query:
            self._query.close()
        if not self._loaded.lost:
            self._loaded.solver.delete()
        self._closed = True

    def _begin(self, restrict: Restriction) -> list[int] | None:
        """End the open query, and return what the next one assumes.

        None if it is impossible at a glance.
        """
        self._stopped = False
        if self._query:
            self._query.close()
        # A deleted solver answers nothing, and that would look like a lack of time.
        if self._closed:
            raise BackendError("sat: this session is closed")
        assumptions = self._assumptions(restrict)
        return None if self._impossible else assumptions

    def _load(self, deadline: float | None) -> Loaded:
        """Return a new solver that holds the rules."""
        solver = getattr(solvers, self._traits.kind)()
        clauses = self.cnf.clauses
        if () in clauses:  # not every solver takes it
            self._impossible = True
            return Loaded(solver, self._top)
        add = solver.add_clause
        for start in range(0, len(clauses), 1024):
            check_deadline(deadline)
            for clause in clauses[start : start + 1024]:
                add(clause)
        for number, (literals, bound) in enumerate(self.cnf.at_most):
            if number % 128 == 0:
                check_deadline(deadline)
            solver.add_atmost(literals, bound)
        for clause in self._grown:
            add(clause)
        return Loaded(solver, self._top)

    def _assumptions(self, restrict: Restriction) -> list[int] | None:
        """Return the literals that restrict variables; None if one is left without a value."""
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
        """Return the literals to try first: of the hint, then random ones if there is a seed."""
        chance = random.Random(seed)
        phases = []
        for variable, literals in self.literals.items():
            value = hint.get(variable)
            if value is None and seed is not None and literals:
                value = chance.choice(list(literals))
            if value is not None:
                phases += [x if v == value else -x for v, x in literals.items()]
        return phases

    def solver(self, deadline: float | None, *, new: bool) -> Loaded:
        """Return a solver that holds the rules; a new one if it is worn, or if that is wanted."""
        old = self._loaded
        if (new and old.used) or old.lost or old.selectors >= _MAX_SELECTORS:
            self._loaded = self._load(deadline)
            if not old.lost:
                old.solver.delete()
        return self._loaded

    def has_model(
        self,
        loaded: Loaded,
        assumptions: list[int],
        deadline: float | None,
        restrict: Restriction | None = None,
        effort: int | None = None,
    ) -> bool:
        """Whether there is a solution; with a restriction, a local search may help to find it."""
        check_deadline(deadline)
        outcome = self.solve_quickly(loaded, assumptions, deadline)
        if outcome is None and restrict is not None and self._guided is not None:
            outcome = self._solve_guided(loaded, assumptions, deadline, restrict)
        if outcome is None:
            outcome = self._solve_within(effort, loaded, assumptions, deadline)
        if outcome is None:
            raise OutOfTime
        return outcome

    def solve_quickly(
        self, loaded: Loaded, assumptions: list[int], deadline: float | None
    ) -> bool | None:
        """Solve if that takes little work; else None. It is done in the calling thread if it can
        be, because a thread costs as much as an easy puzzle.
        """
        loaded.used = True
        if self._traits.stops_late:
            return self._solve_within(_FIRST_CONFLICTS, loaded, assumptions, deadline)
        solver = loaded.solver
        if self._traits.interruptible:
            solver.conf_budget(_FIRST_CONFLICTS)
            solver.prop_budget(_FIRST_PROPAGATIONS)
        else:
            solver.conf_budget(self._slice)
        # With an interrupt expected, PySAT releases the interpreter and installs no handler of its
        # own for Ctrl-C. That one would jump out of the solver, and Python's handler would be lost.
        outcome: bool | None = solver.solve_limited(assumptions, expect_interrupt=True)
        return outcome

    def _solve_guided(
        self,
        loaded: Loaded,
        assumptions: list[int],
        deadline: float | None,
        restrict: Restriction,
    ) -> bool | None:
        """Solve; if that takes long, in turns with a local search, whose find is tried first.

        None if a local search does not apply.
        """
        outcome = self._solve_within(_UNGUIDED_CONFLICTS, loaded, assumptions, deadline)
        if outcome is not None or (guesses := self._guesses_within(restrict)) is None:
            return outcome
        over = Event()

        def pause() -> None:
            check_deadline(deadline)
            if over.is_set() or self._stopped:
                raise OutOfTime

        turns = guesses.turns(pause)
        for conflicts in count(_MORE_CONFLICTS, _MORE_CONFLICTS):
            pause()
            # In a thread, for the kernel may have to be compiled first.
            guess = run_stoppable(lambda: next(turns), over.set, deadline, patience=_PATIENCE)
            if guess is not None:
                loaded.solver.set_phases(self._phases(None, guess))
                break
            outcome = self._solve_within(conflicts, loaded, assumptions, deadline)
            if outcome is not None:
                return outcome
        return self._solve_within(None, loaded, assumptions, deadline)

    def _guesses_within(self, restrict: Restriction) -> Guesses | None:
        """Return the local search within a restriction; the same one if nothing has changed."""
        if self._guesses is None or self._guesses[0] != restrict:
            from csp_encodings import conflicts
            from csp_encodings.narrowing import narrowed

            encoded = conflicts.encode(narrowed(restricted_view(self._guided, restrict)))
            self._guesses = dict(restrict), None
            if encoded is not None:  # only then are the kernels needed
                from csp_sudoku.backends.guesses import Guesses

                self._guesses = dict(restrict), Guesses(encoded)
        return self._guesses[1]

    def _solve_within(
        self,
        conflicts: int | None,
        loaded: Loaded,
        assumptions: list[int],
        deadline: float | None,
    ) -> bool | None:
        """Solve within a number of conflicts, or as many as it takes; None if that is too few."""

        def is_stopped() -> bool:
            return self._stopped

        solver = loaded.solver
        if not self._traits.interruptible:
            return self._solve_in_slices(conflicts, solver, assumptions, deadline, is_stopped)
        solver.clear_interrupt()
        solver.prop_budget(-1)  # it removes both budgets
        solver.conf_budget(-1 if conflicts is None else conflicts)
        try:
            outcome: bool | None = run_stoppable(
                lambda: solver.solve_limited(assumptions, expect_interrupt=True),
                solver.interrupt,
                deadline,
                is_stopped,
                _PATIENCE if self._traits.stops_late else None,
            )
        except StillRunning as running:
            loaded.lost = True
            running.work.add_done_callback(lambda _: solver.delete())
            raise
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
            budget = self._slice if conflicts is None else min(self._slice, conflicts - done)
            solver.conf_budget(budget)
            outcome: bool | None = solver.solve_limited(assumptions, expect_interrupt=True)
            if outcome is not None or is_stopped():
                return outcome
            check_deadline(deadline)
            done += budget
        return None


class SatEnumeration(Enumeration):
    """The solutions of one query: models; those found are blocked by clauses under a selector."""

    statistics: SatStatistics
    _loaded: Loaded | None = None
    _selector = 0
    _last: list[int] | None = None
    _is_sole = False

    def __init__(
        self,
        session: SatSession,
        restrict: Restriction,
        assumptions: list[int],
        phases: list[int] | None,
        statistics: SatStatistics,
        *,
        deadline: float | None,
        effort: int | None,
        blocked: frozenset[Any] | None,
        repeatable: bool,
    ) -> None:
        super().__init__(iter(()), statistics)
        self._blocked = blocked
        self._session = session
        self._restrict = restrict
        self._assumptions = assumptions
        self._phases = phases
        self._deadline = deadline
        self._effort = effort
        self._repeatable = repeatable

    def go_on(self, effort: int | None) -> None:
        """Allow this much more work, after the effort allowed so far was spent; None for any."""
        self._effort = effort
        self.out_of_time = False

    def _find(self) -> Assignment:
        if self._is_sole:
            raise StopIteration
        session, guided = self._session, None
        if self._loaded is None:
            if self._phases is None and self._repeatable and self._blocked is None:
                sole = self._ask_used(session.solver(self._deadline, new=False))
                if sole is not None:
                    return sole
            new = self._repeatable or self._phases is not None
            self._loaded = session.solver(self._deadline, new=new)
            if self._phases is None:
                # A local search helps with the first solution only, not against a seed or a hint.
                guided = self._restrict
            else:
                self._loaded.solver.set_phases(self._phases)
        elif self._last is not None:
            self._block(self._loaded, self._last)
            self._last = None
        loaded = self._loaded
        with self._counting(loaded):
            asked = self._assumptions, self._deadline, guided, self._effort
            if not session.has_model(loaded, *asked):
                raise StopIteration
        return self._solution(loaded)

    def _ask_used(self, used: Loaded) -> Assignment | None:
        """Ask a solver that was used before, if it was, whether there is one solution or none.

        None if there may be more, or if that takes long.
        """
        if not used.used:
            return None
        check_deadline(self._deadline)
        session, asked = self._session, self._assumptions
        with self._counting(used):
            outcome = session.solve_quickly(used, asked, self._deadline)
            if outcome is None:
                return None
            if not outcome:
                raise StopIteration
            sole = self._solution(used)
            assert self._last is not None
            self._block(used, self._last)
            self._is_sole = session.solve_quickly(used, self._assumptions, self._deadline) is False
            used.solver.add_clause([-self._selector])
        if self._is_sole:
            return sole
        self._assumptions.pop()
        self._selector, self._last = 0, None
        return None

    @contextmanager
    def _counting(self, loaded: Loaded) -> Iterator[None]:
        """Add what the solver does meanwhile to the statistics."""
        before = loaded.solver.accum_stats()
        try:
            yield
        finally:
            now = before if loaded.lost else loaded.solver.accum_stats()
            statistics = self.statistics
            statistics.conflicts += now["conflicts"] - before["conflicts"]
            statistics.decisions += now["decisions"] - before["decisions"]
            statistics.propagations += now["propagations"] - before["propagations"]
            statistics.restarts += now["restarts"] - before["restarts"]

    def _solution(self, loaded: Loaded) -> Assignment:
        """Read the model that the solver has found."""
        model, value_of = loaded.solver.get_model(), self._session.value_of
        if len(model) >= len(value_of):
            del model[len(value_of) - 1 :]
        self._last = [value_of[literal] for literal in model if literal > 0]
        return Row(self._session.cnf.shown, self._last)

    def _block(self, loaded: Loaded, row: list[int]) -> None:
        """Rule out a solution, for this query alone; assumed literals can be left out."""
        if not self._selector:
            self._selector = loaded.selector()
            self._assumptions.append(self._selector)
        shown, literals = self._session.cnf.shown, self._session.literals
        true = [
            literals[variable][value]
            for variable, value in zip(shown, row, strict=True)
            if self._blocked is None or variable in self._blocked
        ]
        assumed = {*self._assumptions}
        loaded.solver.add_clause([-self._selector, *[-x for x in true if x not in assumed]])

    def close(self) -> None:
        super().close()
        if self._loaded is not None and self._selector and not self._loaded.lost:
            self._loaded.solver.add_clause([-self._selector])
        self._loaded = None
