"""The `cpsat` backend: the graph as a model of OR-tools CP-SAT.

The model is built once; a restriction edits its domains. Solutions are collected in batches, each
by its own run. So nothing runs, and nothing is half changed, between two solutions.
"""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from threading import Event
from typing import Any, ClassVar

import networkx as nx
from ortools.sat.python import cp_model

from csp_encodings.cpsat import CpSatModel, encode
from csp_encodings.graph import Assignment
from csp_encodings.implied import with_implied
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
from csp_sudoku.backends.native import StillRunning, finished, run_stoppable
from csp_sudoku.errors import BackendError
from csp_sudoku.running.deadlines import seconds_left

# A batch finds the solutions of the batches before it again, so batches grow: all of them together
# cost a seventh more than the last one.
_FIRST_BATCH = 100
_GROWTH = 8

# The steps of presolve look at no clock. On models with millions of literals some take seconds: so
# many seconds after its deadline a run is left alone.
_LATENESS = 0.1

# CP-SAT may report a solution hundreds of times. After this many reports without a new solution,
# about as long as a new run takes, those found are forbidden and a new run is started.
_PATIENCE = 300


@dataclass
class CpSatStatistics(Statistics):
    """What CP-SAT did."""

    workers: int = 1
    variables: int = 0
    constraints: int = 0
    branches: int = 0
    conflicts: int = 0
    wall_seconds: float = 0.0
    runs: int = 0
    repeats: int = 0


class CpSat(Backend):
    """A model for OR-tools CP-SAT.

    Parameters
    ----------
    workers
        How many threads look for a single solution. One is quickest up to 25×25, and gives the
        same answer in every run. Enumerations and runs with a seed always take one.
    presolve
        Whether CP-SAT simplifies the model first. Without it, OR-tools (9.15, for one) aborts the
        process on some models that have no solution: where tables of two variables contradict each
        other, and that shows only while they are expanded.
    implied
        Whether to add sums that follow from houses and sums together (the default), see
        :func:`csp_encodings.implied.with_implied`.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xyz", range(1, 4)), AllDifferent(("x", "y", "z")))
    >>> with CpSat().compile(graph) as session:
    ...     list(session.solutions({"x": (1,), "y": (1, 2)}))
    [{'x': 1, 'y': 2, 'z': 3}]
    """

    name: ClassVar[str] = "cpsat"
    summary: ClassVar[str] = "OR-tools CP-SAT"
    abilities: ClassVar[tuple[str, ...]] = ("seed", "hints", "native sums", "several workers")

    def __init__(self, workers: int = 1, presolve: bool = True, implied: bool = True) -> None:
        if not isinstance(workers, int) or workers < 1:
            raise BackendError(f"cpsat: workers={workers!r} must be a whole number from 1 up")
        self.workers = workers
        self.presolve = presolve
        self.implied = implied

    def session_bytes(self, extent: int) -> int:
        return 50_000 + 40 * extent

    @within_deadline
    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> CpSatSession:
        """Build and validate the model."""
        started = time.perf_counter()
        graph = with_implied(graph) if self.implied else graph
        encoded = encode(graph)
        check_deadline(deadline)
        return CpSatSession(encoded, self.workers, self.presolve, time.perf_counter() - started)

    def version(self) -> str:
        """Return the version of OR-tools."""
        from importlib.metadata import version

        return f"ortools {version('ortools')}"


class CpSatSession(Session):
    """A CP-SAT model whose domains are edited."""

    def __init__(
        self, encoded: CpSatModel, workers: int, presolve: bool, compile_seconds: float
    ) -> None:
        self._encoded = encoded
        self._workers = workers
        self._presolve = presolve
        self._compile_seconds = compile_seconds
        self._domains = list(encoded.domains.values())
        self._edited: list[int] = []
        self._stopped = Event()
        self._query: Enumeration | None = None
        self._late: Future[Any] | None = None

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        """The numbers of the variables; made when needed, as a single query often needs none."""
        return {variable: number for number, variable in enumerate(self._encoded.domains)}

    def enumerate(self, request: Request) -> Enumeration:
        """Enumerate the distinct solutions within a restriction."""
        self.close()
        check_variables(request.restrict, self._encoded.domains)
        proto = self._encoded.model.proto
        statistics = CpSatStatistics(
            compile_seconds=self._compile_seconds,
            workers=self._workers if request.limit == 1 and request.seed is None else 1,
            variables=len(proto.variables),
            constraints=len(proto.constraints),
        )
        self._stopped.clear()
        runs = _Runs(self._presolve, request.deadline, request.seed, self._stopped, statistics)
        self._query = Enumeration(self._search(request, runs), statistics)
        return self._query

    def stop(self) -> None:
        """End the query that is open, soon."""
        self._stopped.set()

    def close(self) -> None:
        """Give up the query that is open."""
        if self._query:
            self._query.close()

    def _search(self, request: Request, runs: _Runs) -> Iterator[Assignment]:
        try:
            yield from self._find(request, runs)
        except StillRunning as late:
            self._late = late.work
            raise

    def _find(self, request: Request, runs: _Runs) -> Iterator[Assignment]:
        # A run that came back too late may still read the model.
        finished(self._late, request.deadline)
        self._late = None
        if not self._restrict(request.restrict):
            return
        self._hint(request.seed, request.hint)
        model, shown, decode = self._encoded.model, self._encoded.shown, self._encoded.decode
        limit, seen = request.limit, set[tuple[int, ...]]()
        if limit == 1:
            values = runs.solve(model, shown)
            if values is None:
                return
            seen.add(values)
            yield decode(values)
        batch = limit if limit and limit > 1 else _FIRST_BATCH
        while True:
            collector = _Collector(shown, seen, batch)
            whole = runs.collect(model, collector)
            yield from map(decode, collector.new)
            if whole:
                return
            if not collector.stopped:
                raise OutOfTime
            seen.update(collector.new)
            if collector.tired:
                # A copy: what is forbidden here must not be forbidden in the next query.
                model = self._encoded.model.clone()
                terms = [model.get_int_var_from_proto_index(i) for i in range(shown)]
                model.add_forbidden_assignments(terms, seen)
            else:
                batch *= _GROWTH

    def _restrict(self, restrict: Restriction) -> bool:
        """Edit the domains; return False if a variable would be left without a value."""
        domains = self._domains
        kept: dict[int, Sequence[int]] = {}
        for variable, values in restrict.items():
            number = self._numbers[variable]
            kept[number] = [value for value in domains[number] if value in values]
            if not kept[number]:
                return False
        undo = {number: domains[number] for number in self._edited}
        self._edited = [*undo, *kept]
        self._encoded.set_domains(undo | kept)
        self._edited = list(kept)
        return True

    def _hint(self, seed: int | None, hint: Mapping[Any, int]) -> None:
        """Set the values to try first. For a seed as well: CP-SAT's own changes next to nothing."""
        first = {self._numbers[v]: value for v, value in hint.items() if v in self._numbers}
        if seed is not None:
            chance = random.Random(seed)
            for number, domain in enumerate(self._domains):
                if domain and number not in first:
                    first[number] = chance.choice(domain)
        self._encoded.set_hint(first)


@dataclass(frozen=True, slots=True)
class _Runs:
    """Runs of CP-SAT with the same settings."""

    presolve: bool
    deadline: float | None
    seed: int | None
    stopped: Event
    statistics: CpSatStatistics

    def solve(self, model: cp_model.CpModel, shown: int) -> tuple[int, ...] | None:
        """Return the first values of any solution, or None if there is none."""
        solver = self._solver()
        solver.parameters.num_workers = self.statistics.workers
        status = self._run(solver, model, None)
        if status == cp_model.UNKNOWN:
            raise OutOfTime
        # After any other answer, the values are zeros or garbage.
        found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
        return tuple(islice(solver.response_proto.solution, shown)) if found else None

    def collect(self, model: cp_model.CpModel, collector: _Collector) -> bool:
        """Give solutions to the collector until it stops; return whether all was searched."""
        solver = self._solver()
        # Several workers would give some solutions many times, others never, and prove nothing.
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = True
        status = self._run(solver, model, collector)
        self.statistics.repeats += collector.repeats
        return status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)

    def _solver(self) -> cp_model.CpSolver:
        solver = cp_model.CpSolver()
        parameters = solver.parameters
        # Otherwise Python never sees Ctrl-C again after the first solve.
        parameters.catch_sigint_signal = False
        parameters.cp_model_presolve = self.presolve
        parameters.random_seed = (self.seed or 0) % 2**31
        # Looking for symmetries costs more than it gives, and breaking them defeats a seed.
        parameters.symmetry_level = 0
        # The first round of presolve, with its probing, gives nearly all that there is to gain.
        # More rounds, more probing before the search and shorter tables do not pay.
        parameters.max_presolve_iterations = 1
        parameters.cp_model_probing_level = 1
        parameters.table_compression_level = 0
        if (left := seconds_left(self.deadline)) is not None:
            parameters.max_time_in_seconds = left
        return solver

    def _run(
        self, solver: cp_model.CpSolver, model: cp_model.CpModel, collector: _Collector | None
    ) -> cp_model.CpSolverStatus:
        check_deadline(self.deadline)
        status = run_stoppable(
            lambda: solver.solve(model, collector),
            solver.stop_search,
            self.deadline,
            self.stopped.is_set,
            _LATENESS,
        )
        self.statistics.runs += 1
        self.statistics.branches += solver.num_branches
        self.statistics.conflicts += solver.num_conflicts
        self.statistics.wall_seconds += solver.wall_time
        if status == cp_model.MODEL_INVALID:
            raise BackendError(f"cpsat: the model is invalid: {solver.solution_info()}")
        return status


class _Collector(cp_model.CpSolverSolutionCallback):
    """Takes the new solutions of a run, until it has enough or too many repeats come."""

    def __init__(self, shown: int, seen: Collection[tuple[int, ...]], wanted: int) -> None:
        super().__init__()
        self.new: list[tuple[int, ...]] = []
        self.repeats = 0
        self.tired = False
        self.stopped = False
        self._shown = shown
        self._seen = seen
        self._wanted = wanted
        self._here: set[tuple[int, ...]] = set()
        self._in_vain = 0

    def on_solution_callback(self) -> None:
        """Take a solution."""
        values = tuple(islice(self.response_proto.solution, self._shown))
        if values in self._here:
            self.repeats += 1
            self._in_vain += 1
        else:
            self._here.add(values)
            self._in_vain = 0
            if values not in self._seen:
                self.new.append(values)
        self.tired = self._in_vain > _PATIENCE
        if self.tired or len(self.new) >= self._wanted:
            self.stopped = True
            self.stop_search()
