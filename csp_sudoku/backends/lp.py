"""The `lp` backend: the graph as a linear program; its relaxation first, then branch and bound.

The solvers come with OR-tools and are called through its first interface, `pywraplp`: through the
newer ones SCIP cannot be stopped. A restriction changes bounds, and so does the step to the next
solution. A space without its known solution is split into disjoint spaces (Lawler, "A procedure for
computing the K best solutions to discrete optimization problems", 1972), and the relaxation finds
most of them empty. Rows that forbid a solution would weaken the relaxation; they are tens of times
slower.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar, Literal, TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from ortools.linear_solver import linear_solver_pb2, pywraplp

from csp_encodings.factors import Domain
from csp_encodings.graph import Assignment, domains
from csp_encodings.implied import with_implied
from csp_encodings.linear import LinearProgram, encode
from csp_sudoku.backends.base import (
    Backend,
    Enumeration,
    Request,
    Restriction,
    Session,
    Statistics,
    check_deadline,
    check_variables,
    within_deadline,
)
from csp_sudoku.backends.native import run_stoppable
from csp_sudoku.errors import BackendError


@dataclass(frozen=True, slots=True)
class _Engine:
    """A solver: its name, its name in OR-tools, and its settings."""

    name: str
    kind: str
    settings: str = ""
    seeded: str = ""
    """Further settings with a seed. It changes little unless it changes the order of columns."""


_GLOP = _Engine("glop", "GLOP", "use_dual_simplex: true")

_BRANCH_AND_BOUND = (
    # By default, both would take Ctrl-C away from Python.
    _Engine(
        "scip",
        "SCIP",
        "misc/catchctrlc = FALSE\n",
        "randomization/permutationseed = {seed}\nrandomization/permutevars = TRUE\n",
    ),
    _Engine(
        "cpsat",
        "SAT",
        "num_workers: 1 catch_sigint_signal: false ",
        "random_seed: {seed} permute_variable_randomly: true "
        "permute_presolve_constraint_order: true ",
    ),
)

ENGINES: dict[str, _Engine] = {engine.name: engine for engine in _BRANCH_AND_BOUND}
"""The solvers for branch and bound."""

UNUSABLE: dict[str, str] = {
    "highs": "it writes to the standard output whatever it is told, and cannot be stopped",
}
"""Engines that are refused, and why."""

# A value this close to a whole number is taken for it.
_TOLERANCE = 1e-5

# A small relaxation takes less time than a thread, so it is solved in the calling thread. If it
# takes longer than this, it goes to a thread, which a deadline and Ctrl-C can stop.
_SMALL = 20_000
_FIRST_MILLISECONDS = 50
_FOREVER = 10**12

Relaxation: TypeAlias = Literal["", "integral", "fractional", "infeasible"]
Bounds: TypeAlias = NDArray[np.int64]
Reals: TypeAlias = NDArray[np.float64]


@dataclass
class LpStatistics(Statistics):
    """The size of the linear program, and how it went.

    ``relaxation`` says how the program without whole numbers ended: ``integral`` (it is a
    solution), ``fractional`` (the variables in ``fractional`` have parts of several values) or
    ``infeasible`` (in floating point: evidence that there is no solution, but no proof). It is
    empty if the relaxation was not solved.
    """

    engine: str = ""
    columns: int = 0
    rows: int = 0
    relaxation: Relaxation = ""
    fractional: tuple[Any, ...] = ()
    relaxations: int = 0
    programs: int = 0
    iterations: int = 0
    nodes: int = 0


class Lp(Backend):
    """A linear program for the solvers of OR-tools.

    Parameters
    ----------
    engine
        The solver for branch and bound, one of :data:`ENGINES`.
    relaxation
        Whether to solve the linear relaxation first (with GLOP); often it is integral already.
    redundant
        Whether to add rows for the sum of the values of a permutation, which follows anyway.
    implied
        Whether to add sums that follow from houses and sums together (the default), see
        :func:`csp_encodings.implied.with_implied`.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xyz", range(1, 4)), AllDifferent(("x", "y", "z")))
    >>> with Lp().compile(graph) as session:
    ...     found = session.solutions({"x": (1,), "y": (1, 2)})
    ...     list(found), found.statistics.relaxation
    ([{'x': 1, 'y': 2, 'z': 3}], 'integral')
    """

    name: ClassVar[str] = "lp"
    summary: ClassVar[str] = "linear relaxation, then branch and bound (OR-tools)"
    abilities: ClassVar[tuple[str, ...]] = ("relaxation", "native sums", "choice of engine")

    def __init__(
        self,
        engine: str = "scip",
        relaxation: bool = True,
        redundant: bool = False,
        implied: bool = True,
    ) -> None:
        if engine in UNUSABLE:
            raise BackendError(f"lp: engine {engine} cannot be used: {UNUSABLE[engine]}")
        if engine not in ENGINES:
            raise BackendError(f"lp: no engine {engine!r}; there are {', '.join(ENGINES)}")
        self.engine = engine
        self.relaxation = relaxation
        self.redundant = redundant
        self.implied = implied

    def session_bytes(self, extent: int) -> int:
        # The solvers of OR-tools hold on to what they needed for their last search.
        return 40_000_000 + 700 * extent

    @within_deadline
    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> LpSession:
        """Write the program and load it into the solvers."""
        started = time.perf_counter()
        graph = with_implied(graph) if self.implied else graph
        program = encode(graph, redundant=self.redundant)
        relaxed = _Model(program, _GLOP, deadline) if self.relaxation else None
        model = _Model(program, ENGINES[self.engine], deadline)
        seconds = time.perf_counter() - started
        return LpSession(domains(graph), program, relaxed, model, seconds)

    def version(self) -> str:
        """Return the version of OR-tools."""
        return f"ortools {version('ortools')}"


def relaxation(graph: nx.Graph) -> Callable[[Restriction], dict[tuple[Any, int], float] | None]:
    """Return a function that solves the relaxation of a graph within a restriction.

    It gives the fraction of each value of each variable; None if there is no point.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import graph_of
    >>> solve = relaxation(graph_of({"x": (1, 2), "y": (1, 2)}, AllDifferent(("x", "y"))))
    >>> solve({"x": (1,)})["y", 2], solve({"x": (1,), "y": (1,)})
    (1.0, None)
    """
    program = encode(graph)
    model = _Model(program, _GLOP, None)

    def solve(restrict: Restriction) -> dict[tuple[Any, int], float] | None:
        upper = program.upper.copy()
        for (variable, value), column in program.columns.items():
            if variable in restrict and value not in restrict[variable]:
                upper[column] = 0
        _, point = (0, None) if program.impossible else model.solve(upper, None)
        if point is None:
            return None
        return {pair: float(point[column]) for pair, column in program.columns.items()}

    return solve


class LpSession(Session):
    """Two loaded programs, with and without whole numbers, whose bounds are edited."""

    def __init__(
        self,
        domain_of: Mapping[Any, Domain],
        program: LinearProgram,
        relaxed: _Model | None,
        model: _Model,
        compile_seconds: float,
    ) -> None:
        self._program = program
        self._relaxed = relaxed
        self._model = model
        self._compile_seconds = compile_seconds
        self._query: Enumeration | None = None
        columns, upper = program.columns, program.upper.tolist()
        self._values: dict[Any, dict[int, int]] = {
            variable: {v: columns[variable, v] for v in domain if upper[columns[variable, v]]}
            for variable, domain in domain_of.items()
        }
        self._shown = {
            variable: list(columns.values())
            for variable, columns in self._values.items()
            if columns and min(columns.values()) < program.shown
        }

    def enumerate(self, request: Request) -> Enumeration:
        """Enumerate the distinct solutions within a restriction."""
        self.close()
        check_variables(request.restrict, self._values)
        statistics = LpStatistics(
            compile_seconds=self._compile_seconds,
            engine=self._model.engine.name,
            columns=len(self._program.upper),
            rows=len(self._program.row_lower),
        )
        found = self._search(request, statistics)
        self._query = Enumeration(found, statistics)
        return self._query

    def close(self) -> None:
        """Give up the query that is open."""
        if self._query:
            self._query.close()

    def _search(self, request: Request, statistics: LpStatistics) -> Iterator[Assignment]:
        upper = self._upper(request.restrict)
        if upper is None:
            return
        relaxed, model = self._relaxed, self._model
        deadline, seed = request.deadline, request.seed
        if seed is not None:
            # New models: the shared ones start from where the last query left them.
            relaxed = relaxed and _Model(self._program, _GLOP, deadline, seed)
            model = _Model(self._program, model.engine, deadline, seed)
        spaces = [iter((upper,))]
        while spaces:
            space = next(spaces[-1], None)
            if space is None:
                spaces.pop()
                continue
            point = None
            if relaxed:
                empty, point = self._relax(relaxed, space, deadline, statistics)
                # An empty relaxation is only evidence. Before any other, the engine decides.
                if empty and statistics.relaxations > 1:
                    continue
            if point is None:
                point = self._branch_and_bound(model, space, deadline, statistics)
            if point is not None:
                yield self._program.decode(point)
                if not (relaxed and self._is_alone(relaxed, space, point, deadline, statistics)):
                    spaces.append(self._split(space, point))

    def _upper(self, restrict: Restriction) -> Bounds | None:
        """Return the upper bounds of all columns; None if a variable is left without a value."""
        if self._program.impossible:
            return None
        closed: list[int] = []
        for variable, allowed in restrict.items():
            columns = self._values[variable]
            out = [column for value, column in columns.items() if value not in allowed]
            if len(out) == len(columns):
                return None
            closed += out
        upper = self._program.upper.copy()
        upper[closed] = 0
        return upper

    def _split(self, upper: Bounds, point: Bounds) -> Iterator[Bounds]:
        """Yield disjoint spaces that hold all points of a space but one.

        In each of them the first variables are as in that point, and the next one is not.
        """
        rest = upper.copy()
        for columns in self._shown.values():
            open_columns = [column for column in columns if rest[column]]
            if len(open_columns) > 1:
                (taken,) = [column for column in open_columns if point[column]]
                other = rest.copy()
                other[taken] = 0
                yield other
                rest[open_columns] = 0
                rest[taken] = 1

    def _is_alone(
        self,
        relaxed: _Model,
        upper: Bounds,
        point: Bounds,
        deadline: float | None,
        statistics: LpStatistics,
    ) -> bool:
        """Whether the relaxation shows that a space has no solution but this one.

        It looks for a point that agrees with the solution as little as possible. If even that one
        agrees in all variables, there is no other.
        """
        _, values = relaxed.solve(upper, deadline, point)
        statistics.relaxations += 1
        statistics.iterations += relaxed.iterations
        here = np.flatnonzero(point[: self._program.shown])
        return values is not None and float(values[here].sum()) > len(here) - 0.5

    def _relax(
        self, relaxed: _Model, upper: Bounds, deadline: float | None, statistics: LpStatistics
    ) -> tuple[bool, Bounds | None]:
        """Solve the relaxation; return whether it is empty, and its point if that is a solution."""
        status, values = relaxed.solve(upper, deadline)
        statistics.relaxations += 1
        statistics.iterations += relaxed.iterations
        point = None if values is None else _whole(values)
        if point is not None and not self._program.is_solution(point):
            point = None
        if statistics.relaxations == 1:
            self._report(status, values, point, statistics)
        return status == pywraplp.Solver.INFEASIBLE, point

    def _report(
        self, status: int, values: Reals | None, point: Bounds | None, statistics: LpStatistics
    ) -> None:
        """Note how the first relaxation ended."""
        if point is not None:
            statistics.relaxation = "integral"
        elif values is not None:
            split = np.abs(values - _whole(values)) > _TOLERANCE
            statistics.relaxation = "fractional"
            statistics.fractional = tuple(
                [variable for variable, columns in self._shown.items() if split[columns].any()]
            )
        elif status == pywraplp.Solver.INFEASIBLE:
            statistics.relaxation = "infeasible"

    def _branch_and_bound(
        self, model: _Model, upper: Bounds, deadline: float | None, statistics: LpStatistics
    ) -> Bounds | None:
        """Return a solution, or None if there is none."""
        status, values = model.solve(upper, deadline)
        statistics.programs += 1
        statistics.iterations += model.iterations
        statistics.nodes += model.nodes
        if values is None:
            if status == pywraplp.Solver.INFEASIBLE:
                return None
            raise BackendError(f"lp: {model.engine.name} gave up with status {status}")
        point = _whole(values)
        if not self._program.is_solution(point):
            raise BackendError(
                f"lp: the solution of {model.engine.name} breaks a row when it is rounded; "
                "the program is beyond its precision"
            )
        return point


class _Model:
    """A program that is loaded into one solver."""

    def __init__(
        self,
        program: LinearProgram,
        engine: _Engine,
        deadline: float | None,
        seed: int | None = None,
    ) -> None:
        check_deadline(deadline)
        self.engine = engine
        self._solver: Any = pywraplp.Solver.CreateSolver(engine.kind)
        self._costs = _costs(program, engine, seed)
        proto = _proto(program, engine, self._costs)
        check_deadline(deadline)
        if message := self._solver.LoadModelFromProto(proto):
            raise BackendError(f"lp: {engine.name} cannot take the program: {message}")
        check_deadline(deadline)
        settings = engine.settings
        if seed is not None:
            settings += engine.seeded.format(seed=seed % 2**30 + 1)
        self._solver.SetSolverSpecificParametersAsString(settings)
        self._parameters: Any = pywraplp.MPSolverParameters()
        if engine is not _GLOP:
            # After an interrupt, SCIP fails if it goes on from there.
            self._parameters.SetIntegerParam(
                pywraplp.MPSolverParameters.INCREMENTALITY,
                pywraplp.MPSolverParameters.INCREMENTALITY_OFF,
            )
        self._columns: list[Any] = self._solver.variables()
        self._objective: Any = self._solver.Objective()
        self._upper: Bounds | None = program.upper
        self._cost: Reals | Bounds | None = self._costs
        small = len(program.indices) <= _SMALL
        self._patience = _FIRST_MILLISECONDS if small and engine is _GLOP else 0

    @property
    def iterations(self) -> int:
        """How many steps of the simplex method the last solve took."""
        return max(0, int(self._solver.iterations()))

    @property
    def nodes(self) -> int:
        """How many nodes of branch and bound the last solve took."""
        return max(0, int(self._solver.nodes()))

    def solve(
        self, upper: Bounds, deadline: float | None, cost: Bounds | None = None
    ) -> tuple[int, Reals | None]:
        """Solve within the bounds; return the status, and the values of the columns if there are.

        With a `cost` for every column that is part of a solution, minimise that.
        """
        check_deadline(deadline)
        self._set(upper, self._costs if cost is None else cost[: len(self._costs)])
        status = pywraplp.Solver.NOT_SOLVED
        if self._patience:
            self._solver.SetTimeLimit(self._patience)
            status = self._solver.Solve(self._parameters)
        if status == pywraplp.Solver.NOT_SOLVED:
            self._solver.SetTimeLimit(_FOREVER)
            status = run_stoppable(
                lambda: self._solver.Solve(self._parameters), self._solver.InterruptSolve, deadline
            )
        if status in (pywraplp.Solver.OPTIMAL, pywraplp.Solver.FEASIBLE):
            response = linear_solver_pb2.MPSolutionResponse()
            self._solver.FillSolutionResponseProto(response)
            return status, np.array(response.variable_value, np.float64)
        if status != pywraplp.Solver.INFEASIBLE:
            check_deadline(deadline)
        return status, None

    def _set(self, upper: Bounds, cost: Reals | Bounds) -> None:
        known, self._upper = self._upper, None  # unknown until all are set
        for column, bound in _changed(upper, known):
            self._columns[column].SetUb(bound)
        self._upper = upper
        known_cost, self._cost = self._cost, None
        for column, price in _changed(cost, known_cost):
            self._objective.SetCoefficient(self._columns[column], price)
        self._cost = cost


def _changed(new: Reals | Bounds, old: Reals | Bounds | None) -> Iterable[tuple[int, float | int]]:
    """Return the places where the new numbers differ from the old, and the new ones there."""
    changed = np.flatnonzero(np.ones_like(new) if old is None else new != old)
    return zip(changed.tolist(), new[changed].tolist(), strict=True)


def _whole(values: Reals) -> Bounds:
    return np.rint(values).astype(np.int64)


def _costs(program: LinearProgram, engine: _Engine, seed: int | None) -> Reals:
    """Return what to minimise: a cost for every column that is part of a solution.

    The relaxation minimises their sum, the 1-norm, which is the same for all solutions. A seed
    leads it to one corner or another. Branch and bound takes any solution.
    """
    if engine is not _GLOP:
        return np.zeros(program.shown)
    if seed is None:
        return np.ones(program.shown)
    return np.random.default_rng(seed % 2**32).random(program.shown)


def _proto(program: LinearProgram, engine: _Engine, costs: Reals) -> Any:
    """Return the program in the form that OR-tools loads fastest."""
    proto = linear_solver_pb2.MPModelProto()
    flows = len(program.upper) - len(costs)
    all_costs = [*costs.tolist(), *[0.0] * flows]
    whole = program.whole.tolist()
    for upper, cost, integer in zip(program.upper.tolist(), all_costs, whole, strict=True):
        proto.variable.add(
            lower_bound=0,
            upper_bound=upper,
            is_integer=integer and engine is not _GLOP,
            objective_coefficient=cost,
        )
    for columns, coefficients, lower, upper in program.rows():
        proto.constraint.add(
            var_index=columns, coefficient=coefficients, lower_bound=lower, upper_bound=upper
        )
    return proto
