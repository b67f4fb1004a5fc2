"""The `sat` backend: the graph as CNF on any usable solver of PySAT.

The rules are loaded once; a restriction is a list of assumptions. Solutions are told apart by
blocking clauses that hold only under a selector, a literal that the query assumes and nobody after
it: whatever ends a query, the next one starts from the rules alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar

import networkx as nx
from pysat import solvers

from csp_encodings.cnf import Cnf, encode
from csp_encodings.graph import Assignment, domains
from csp_sudoku.backends.base import (
    Backend,
    Enumeration,
    OutOfTime,
    Restriction,
    Session,
    Statistics,
    check_deadline,
)
from csp_sudoku.backends.native import run_stoppable
from csp_sudoku.errors import BackendError


@dataclass(frozen=True, slots=True)
class _Traits:
    """What a solver of PySAT can do, as measured; its documentation does not say."""

    kind: str
    """The name of its class."""
    native: bool = False
    """Knows at-most constraints."""
    prompt: bool = False
    """Keeps conflict and propagation budgets to the letter, and stops at once."""
    interruptible: bool = True
    """Stops when told from another thread, letting other threads run meanwhile."""


SOLVERS: dict[str, _Traits] = {
    "minisat22": _Traits("Minisat22", prompt=True),
    "minisat-gh": _Traits("MinisatGH", prompt=True),
    "minicard": _Traits("Minicard", prompt=True, native=True),
    # These look at their stop flag at restarts only, up to a second late.
    "glucose3": _Traits("Glucose3"),
    "glucose4": _Traits("Glucose4"),
    "glucose42": _Traits("Glucose42"),
    "gluecard3": _Traits("Gluecard3", native=True),
    "gluecard4": _Traits("Gluecard4", native=True),
    "maplechrono": _Traits("MapleChrono"),
    "mergesat3": _Traits("Mergesat3"),
    # These cannot be stopped, and solve in slices of conflicts instead.
    "cadical153": _Traits("Cadical153", interruptible=False),
    "cadical195": _Traits("Cadical195", interruptible=False),
}
"""The solvers that can be chosen."""

UNUSABLE: dict[str, str] = {
    "maplesat": "it crashes on an empty formula, and its proofs are invalid",
    "kissat404": "it ignores assumptions, and aborts the process when used twice",
    "lingeling": "it cannot be stopped at a deadline",
}
"""The solvers of PySAT that are refused, and why."""

# Solved at once in the calling thread, for a thread costs as much as an easy puzzle; a hundredth of
# a second at most, after which a deadline and Ctrl-C need a thread of their own.
_FIRST_CONFLICTS = 500
_FIRST_PROPAGATIONS = 100_000

# The length of a slice of a solver that cannot be stopped.
_SLICE_SECONDS = 0.05

# Every query that asks for a second solution leaves a dead selector behind: after so many the rules are
# loaded anew.
_MAX_SELECTORS = 1000

# A pairwise encoding up to this many clauses loads in a tenth of a second.
_PAIRWISE_CLAUSES = 200_000


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

    Parameters
    ----------
    solver
        A solver of PySAT by name, one of :data:`SOLVERS`.
    at_most_one
        The encoding of at-most-one constraints (see :func:`csp_encodings.cnf.encode`).
    redundant
        Whether to say that every value of a permutation occurs, which follows but propagates more.
    """

    name: ClassVar[str] = "sat"
    summary: ClassVar[str] = "CNF on a SAT solver (PySAT)"

    def __init__(
        self,
        solver: str | None = None,
        at_most_one: str | None = None,
        redundant: bool = True,
    ) -> None:
        self.solver = solver
        self.at_most_one = at_most_one
        self.redundant = redundant

    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> SatSession:
        """Encode the graph and load it into the solver."""
        started = time.perf_counter()
        solver, at_most_one = self._choice(graph)
        cnf = encode(
            graph,
            at_most_one=at_most_one,
            redundant=self.redundant,
            progress=lambda: check_deadline(deadline),
        )
        session = SatSession(cnf, solver, deadline)
        session.compile_seconds = time.perf_counter() - started
        return session

    def version(self) -> str:
        """The version of PySAT."""
        return f"python-sat {version('python-sat')}"

    def _choice(self, graph: nx.Graph) -> tuple[str, str]:
        return self.solver or "minisat22", self.at_most_one or "pairwise"


class SatSession(Session):
    """A solver that holds the clauses of one graph."""

    def __init__(self, cnf: Cnf, solver: str, deadline: float | None) -> None:
        self.cnf = cnf
        self.compile_seconds = 0.0
        self._name = solver
        self._traits = SOLVERS[solver]
        self._impossible = () in cnf.clauses
        self._of: dict[Any, dict[int, int]] = {}
        for (variable, value), literal in cnf.literals.items():
            self._of.setdefault(variable, {})[value] = literal
        self._slice = 100
        self._query: Enumeration | None = None
        self._load(deadline)

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

        A `hint` is an assignment near which to look first.
        """
        if self._query:
            self._query.close()
        statistics = SatStatistics(
            compile_seconds=self.compile_seconds,
            solver=self._name,
            variables=self.cnf.variables,
            clauses=len(self.cnf.clauses) + len(self.cnf.at_most),
        )
        found = self._enumerate(restrict or {}, deadline, seed, hint, statistics)
        self._query = Enumeration(found, statistics)
        return self._query

    def core(
        self, restrict: Restriction, *, deadline: float | None = None
    ) -> tuple[Any, ...] | None:
        """Restricted variables that have no solution together; None if all of them have one.

        It is rarely the smallest such set. Raises :class:`OutOfTime` at the deadline.
        """
        if self._query:
            self._query.close()
        if self._impossible:
            return ()
        assumptions: list[int] = []
        owner: dict[int, Any] = {}
        for variable, values in restrict.items():
            literals = self._assumptions(variable, values)
            if literals is None:
                return (variable,)
            assumptions += literals
            owner.update((literal, variable) for literal in literals)
        if self._solve(self._solver, assumptions, deadline):
            return None
        core = {owner[literal] for literal in self._solver.get_core() or ()}
        return tuple(variable for variable in restrict if variable in core)

    def close(self) -> None:
        """Delete the solver."""
        if self._query:
            self._query.close()
        self._solver.delete()

    def _load(self, deadline: float | None) -> None:
        self._solver = self._new_solver(deadline)
        self._top = self.cnf.variables

    def _new_solver(self, deadline: float | None) -> Any:
        solver = getattr(solvers, self._traits.kind)()
        add = solver.add_clause
        for i, clause in enumerate(self.cnf.clauses):
            if i % 4096 == 0:
                check_deadline(deadline)
            add(clause)
        for literals, bound in self.cnf.at_most:
            solver.add_atmost(literals, bound)
        return solver

    def _assumptions(self, variable: Any, values: tuple[int, ...]) -> list[int] | None:
        """The literals that restrict a variable, or None if they leave it no value."""
        literals = self._of[variable]
        if len(values) == 1:
            literal = literals.get(values[0])
            return None if literal is None else [literal]
        kept = set(values)
        dropped = [-literal for value, literal in literals.items() if value not in kept]
        return None if len(dropped) == len(literals) else dropped

    def _enumerate(
        self,
        restrict: Restriction,
        deadline: float | None,
        seed: int | None,
        hint: Mapping[Any, int] | None,
        statistics: SatStatistics,
    ) -> Iterator[Assignment]:
        if self._impossible:
            return
        assumptions: list[int] = []
        for variable, values in restrict.items():
            literals = self._assumptions(variable, values)
            if literals is None:
                return
            assumptions += literals
        if self._top - self.cnf.variables > _MAX_SELECTORS:
            self._solver.delete()
            self._load(deadline)
        solver = self._solver
        assumed = set(assumptions)
        selector = 0
        before = solver.accum_stats()
        while self._solve(solver, assumptions, deadline):
            true = [literal for literal in solver.get_model() if literal in self.cnf.meaning]
            yield self.cnf.decode(true)
            if not selector:
                self._top = selector = self._top + 1
                assumptions.append(selector)
            solver.add_clause([-selector, *[-literal for literal in true if literal not in assumed]])

    def _solve(self, solver: Any, assumptions: list[int], deadline: float | None) -> bool:
        check_deadline(deadline)
        outcome: bool | None = None
        if not self._traits.interruptible:
            while outcome is None:
                check_deadline(deadline)
                started = time.perf_counter()
                solver.conf_budget(self._slice)
                outcome = solver.solve_limited(assumptions, expect_interrupt=True)
                seconds = time.perf_counter() - started
                self._slice = max(10, int(self._slice * min(2, _SLICE_SECONDS / seconds)))
            return outcome
        solver.clear_interrupt()
        if self._traits.prompt:
            solver.conf_budget(_FIRST_CONFLICTS)
            solver.prop_budget(_FIRST_PROPAGATIONS)
            outcome = solver.solve_limited(assumptions, expect_interrupt=True)
            if outcome is not None:
                return outcome
            solver.conf_budget(-1)
            solver.prop_budget(-1)
        outcome = run_stoppable(
            lambda: solver.solve_limited(assumptions, expect_interrupt=True),
            solver.interrupt,
            deadline,
        )
        if outcome is None:
            raise OutOfTime
        return outcome
