"""The `cpmpy` backend: the graph as a CPMpy model, and so on any solver that CPMpy finds.

It is for cross-checking: other people's encodings and solvers, which share nothing with ours but
the graph. Install it with ``csp-sudoku[cpmpy]``.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import networkx as nx

from csp_encodings.automaton import Automaton
from csp_encodings.connected_clauses import connected_pattern
from csp_encodings.factors import (
    AllDifferent,
    Connected,
    Domain,
    Factor,
    Linear,
    Regular,
    Relation,
    automaton_of,
)
from csp_encodings.graph import Assignment, domains, each_factor, variables
from csp_sudoku.backends.base import (
    Backend,
    Enumeration,
    OutOfTime,
    Request,
    Restriction,
    Session,
    Statistics,
    check_deadline,
    check_variables,
    within_deadline,
)
from csp_sudoku.errors import BackendError
from csp_sudoku.running.deadlines import seconds_left

# Solvers that lose solutions, or abort, if constraints are added after a solution was found
# (pychoco 0.4.0: long clauses); for each question they get the whole model.
_BEGIN_ANEW = ("choco",)


@dataclass
class CpmpyStatistics(Statistics):
    """How often the solver was called."""

    calls: int = 0


class Cpmpy(Backend):
    """A CPMpy model on one of its solvers. Every solution takes a call of the solver.

    Parameters
    ----------
    solver
        A name of CPMpy, such as ``ortools``, ``pysat:cadical195``, ``z3``, ``choco``, ``exact`` or
        ``minizinc:gecode``. It must be installed for CPMpy.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, count
    >>> count(Puzzle.blank(4).with_givens({"R1C1": 1, "R2C3": 2}), "cpmpy:ortools").value
    12
    """

    name: ClassVar[str] = "cpmpy"
    summary: ClassVar[str] = "the solvers of CPMpy, one call for each solution"

    def __init__(self, solver: str = "ortools") -> None:
        import cpmpy

        known = cpmpy.SolverLookup.supported()
        if solver not in known:
            plain = [name for name in known if ":" not in name]
            raise BackendError(
                f"cpmpy: no solver {solver!r} is installed for CPMpy; there are {', '.join(plain)}"
            )
        self.solver = solver

    @within_deadline
    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> CpmpySession:
        """Write the model; a solver gets it with each question."""
        started = time.perf_counter()
        model = _Model(graph)
        check_deadline(deadline)
        return CpmpySession(model, self.solver, time.perf_counter() - started)

    def version(self) -> str:
        """Return the version of CPMpy."""
        from importlib.metadata import version

        return f"cpmpy {version('cpmpy')}"


class CpmpySession(Session):
    """The constraints of one graph; each question adds its own to a new solver."""

    def __init__(self, model: _Model, solver: str, seconds: float) -> None:
        self._model = model
        self._solver = solver
        self._seconds = seconds

    def enumerate(self, request: Request) -> Enumeration:
        """Enumerate the solutions within a restriction; the seed changes nothing."""
        check_variables(request.restrict, self._model.domains)
        statistics = CpmpyStatistics(self._seconds)
        found = self._search(request.restrict, request.deadline, statistics)
        return Enumeration(found, statistics)

    def _search(
        self, restrict: Restriction, deadline: float | None, statistics: CpmpyStatistics
    ) -> Iterator[Assignment]:
        import cpmpy
        from cpmpy.solvers.solver_interface import ExitStatus

        model = self._model
        own = [model.within(variable, values) for variable, values in restrict.items()]
        if model.impossible or any(each is False for each in own):
            return
        check_deadline(deadline)
        constraints = [*model.constraints, *own]
        solver = cpmpy.SolverLookup.get(self._solver, cpmpy.Model(constraints))
        shown = {variable: model.variables[variable] for variable in model.shown}
        while True:
            check_deadline(deadline)
            statistics.calls += 1
            solver.solve(time_limit=seconds_left(deadline))
            status = solver.status().exitstatus
            if status is ExitStatus.UNSATISFIABLE:
                return
            if status not in (ExitStatus.FEASIBLE, ExitStatus.OPTIMAL):
                raise OutOfTime
            found = {variable: int(each.value()) for variable, each in shown.items()}
            yield found
            if not found:
                return
            other = cpmpy.any([shown[variable] != found[variable] for variable in found])
            constraints.append(other)
            if self._solver in _BEGIN_ANEW:
                solver = cpmpy.SolverLookup.get(self._solver, cpmpy.Model(constraints))
            else:
                solver += other


class _Model:
    """Variables and constraints of CPMpy for a graph."""

    def __init__(self, graph: nx.Graph) -> None:
        import cpmpy

        self.domains: Mapping[Any, Domain] = domains(graph)
        self.shown = variables(graph)
        self.impossible = not all(self.domains.values())
        self.constraints: list[Any] = []
        self.variables: dict[Any, Any] = {}
        if self.impossible:
            return
        for number, (variable, domain) in enumerate(self.domains.items()):
            self.variables[variable] = cpmpy.intvar(domain[0], domain[-1], name=f"v{number}")
            # Said of every variable, also of one in no rule: a solver must give it a value.
            self.constraints.append(self.within(variable, domain))
        for node, factor in each_factor(graph, partial(len, self.constraints)):
            self.add(str(node), factor)

    def within(self, variable: Any, values: tuple[int, ...]) -> Any:
        """The constraint that a variable has one of some values; False if there are none."""
        import cpmpy

        kept = [value for value in values if value in self.domains[variable]]
        if not kept:
            return False
        each = self.variables[variable]
        if kept[-1] - kept[0] == len(kept) - 1:
            return cpmpy.all([each >= kept[0], each <= kept[-1]])
        return cpmpy.InDomain(each, kept)

    def add(self, label: str, factor: Factor) -> None:
        import cpmpy

        scope = [self.variables[variable] for variable in factor.scope]
        match factor:
            case AllDifferent():
                if len(set(factor.scope)) < len(factor.scope):
                    self.impossible = True
                elif len(scope) > 1:
                    self.constraints.append(cpmpy.AllDifferent(scope))
            case Relation():
                self.add_relation(factor, scope)
            case Linear():
                terms = zip(factor.coefficients, scope, strict=True)
                low, high = factor.bounds([self.domains[variable] for variable in factor.scope])
                total = cpmpy.sum([weight * each for weight, each in terms]) if scope else 0
                self.impossible |= low > high or (not scope and not low <= 0 <= high)
                if scope and low <= high:
                    self.constraints += [total >= low, total <= high]
            case Regular():
                self.add_automaton(label, scope, automaton_of(factor, self.domains))
            case Connected():
                self.add_connected(label, factor, scope)

    def add_relation(self, relation: Relation, scope: list[Any]) -> None:
        first, second = (self.domains[variable] for variable in relation.scope)
        if relation.first == relation.second:
            kept = tuple([value for value in first if (value, value) in relation.allowed])
            allowed = self.within(relation.first, kept)
            self.impossible |= allowed is False
            self.constraints += [allowed] if kept else []
            return
        self.add_table(scope, [(a, b) for a in first for b in second if (a, b) in relation.allowed])

    def add_connected(self, label: str, factor: Connected, scope: list[Any]) -> None:
        """Clauses over the values and some new Booleans."""
        import cpmpy

        own = tuple([self.domains[variable] for variable in factor.scope])
        pattern = connected_pattern(own, factor.edges, factor.classes, factor.largest)
        literals = [each == value for each, domain in zip(scope, own, strict=True)
                    for value in domain]  # fmt: skip
        new = sum(count for count, _ in pattern.new)
        literals += [cpmpy.boolvar(name=f"{label} link {i}") for i in range(new)]
        for clause in pattern.clauses:
            self.impossible |= not clause
            said = [literals[abs(x) - 1] if x > 0 else ~literals[abs(x) - 1] for x in clause]
            self.constraints += [cpmpy.any(said)] if said else []

    def add_table(self, scope: list[Any], rows: list[tuple[int, ...]]) -> None:
        import cpmpy

        self.impossible |= not rows
        if rows:
            self.constraints.append(cpmpy.Table(scope, [list(row) for row in rows]))

    def add_automaton(self, label: str, scope: list[Any], automaton: Automaton) -> None:
        """A table of state, value and next state for every position; values determine states."""
        import cpmpy

        if not automaton.widths[0]:
            self.impossible = True
            return
        before: list[Any] = []
        for i, (each, layer) in enumerate(zip(scope, automaton.layers, strict=True), 1):
            after = []
            if automaton.widths[i] > 1:
                after = [cpmpy.intvar(0, automaton.widths[i] - 1, name=f"{label} state {i}")]
            rows = [
                (*([tail] if before else ()), value, *([head] if after else ()))
                for tail, values, head in layer
                for value in values
            ]
            self.add_table([*before, each, *after], rows)
            before = after
