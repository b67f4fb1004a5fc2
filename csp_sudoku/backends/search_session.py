"""Sessions of the backends `search` and `boards`: their queries and what these cost.

Every query works on a record of its own. The kernel is called for a slice of work at a time: in
between, plain Python looks at the deadline, and a Ctrl-C comes through.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any, NamedTuple, cast

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from csp_encodings.division import Share, count_divided
from csp_encodings.graph import Assignment, restricted_view
from csp_encodings.jit import announced
from csp_encodings.network import ConstraintArrays
from csp_encodings.watch import watched
from csp_sudoku.backends.base import (
    Backend,
    Drained,
    OutOfTime,
    Request,
    Restriction,
    Statistics,
)
from csp_sudoku.backends.batch import BatchSession
from csp_sudoku.backends.slices import SlicedEnumeration, run_in_slices
from csp_sudoku.errors import BackendError
from csp_sudoku.kernels import BLANK
from csp_sudoku.kernels.batch import FRESH, NO_COLUMNS, NO_ROWS, Columns
from csp_sudoku.kernels.domains import EVENT, Search
from csp_sudoku.kernels.records import copy, pack
from csp_sudoku.kernels.search import (
    ASSIGN,
    BACKTRACK,
    END,
    EXHAUSTED,
    REMOVE,
    SOLUTION,
    SPENT,
)
from csp_sudoku.running.deadlines import has_passed

Values = NDArray[np.int64]
Divide = Callable[[Restriction, float | None], Share | None]

_EVENTS = {
    int(ASSIGN): "assign",
    int(REMOVE): "remove",
    int(BACKTRACK): "backtrack",
    int(SOLUTION): "solution",
}

# The work before the first look at the clock.
_FIRST_SLICE = 20_000

# This many solutions are counted one by one before a count is divided.
_MANY = 4_096

# No variable has that many values.
_NO_VALUE = 1 << 40


class Engine(NamedTuple):
    """A kernel, the record of what it searches, and the record of a search."""

    kernel: Callable[..., int]
    model: Any
    search: Search

    def copy(self) -> Engine:
        """Return an engine with a search of its own."""
        return Engine(self.kernel, self.model, copy(self.search))

    def warm_up(self) -> None:
        """Call the kernel with nothing to do, so that it is compiled if it is not yet."""
        kinds = [record._numba_type_ for record in (self.model, cast(Any, self.search))]
        # The types of records are made once, so their identities will do.
        compiled, key = _compiled(self.kernel), (id(kinds[0]), id(kinds[1]))
        if key in compiled:
            return
        known = getattr(self.kernel, "nopython_signatures", ())
        if all([*signature.args[:2]] != kinds for signature in known):
            idle = self.copy()
            idle.search.mode = END
            with announced("the kernels of the search"):
                idle.run(1, 1)
        compiled.add(key)

    def run(self, solutions: int, budget: int) -> int:
        """Search on for this many solutions or this much work: EXHAUSTED, FOUND or SPENT."""
        return self.kernel(self.model, self.search, NO_COLUMNS, NO_ROWS, solutions, budget)


@cache
def _compiled(kernel: Callable[..., int]) -> set[tuple[int, int]]:
    """For which types of records a kernel is known to be compiled; Numba takes long to tell."""
    return set()


@dataclass
class SearchStatistics(Statistics):
    """What a search did.

    Attributes
    ----------
    variables, arcs
        How large its arrays are.
    assignments
        How often a value was tried.
    backtracks
        How often all values of a variable had been tried.
    revisions
        How often a factor was looked at to remove values.
    checks
        Without inference, how often a factor was tested; with it, how often a relation was asked
        for a support of a value. Boards ask for none.
    restarts
        How often the search started over. On boards it never does.
    """

    variables: int = 0
    arcs: int = 0
    assignments: int = 0
    backtracks: int = 0
    revisions: int = 0
    checks: int = 0
    restarts: int = 0


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """A step of a search.

    Attributes
    ----------
    kind
        ``assign`` a value to a variable, ``remove`` one from its domain, ``backtrack`` because all
        values of a variable were tried, or ``solution``.
    depth
        How many variables were assigned, this one included.
    """

    kind: str
    variable: Any
    value: int | None
    depth: int


class SearchSession(BatchSession):
    """The arrays of one graph. Threads may share it, and queries may overlap: none changes it.

    Parameters
    ----------
    arrays
        The network, and what its numbers mean.
    engine
        The kernel, with a search that has not begun.
    divide
        Counts the solutions within a restriction by parts; None if that is not wanted.
    """

    def __init__(
        self,
        arrays: ConstraintArrays,
        engine: Engine,
        divide: Divide | None,
        compile_seconds: float,
    ) -> None:
        self.arrays = arrays
        self.engine = engine
        self._divide = divide
        self._compile_seconds = compile_seconds

    def enumerate(self, request: Request) -> SearchEnumeration:
        """Enumerate the solutions within a restriction; the seed is for random orders."""
        own = self.engine.copy()
        if request.restrict:
            own.search.domain[:] = self.arrays.restricted(request.restrict)
        if request.seed is not None:
            sow(own.search, request.seed)
        statistics = SearchStatistics(
            compile_seconds=self._compile_seconds,
            variables=len(self.arrays.names),
            arcs=len(self.arrays.network.kind),
        )
        divide = self._divide and partial(self._divide, request.restrict, request.deadline)
        return SearchEnumeration(
            self.arrays,
            own,
            statistics,
            divide=divide,
            deadline=request.deadline,
            effort=request.effort,
        )

    @property
    def width(self) -> int:
        """How many variables a row of :meth:`solve_many` has."""
        return len(self.arrays.shown)

    def solve_rows(
        self, givens: Values, limit: int, deadline: float | None, effort: int | None = None
    ) -> tuple[Values, Values]:
        """Solve the rows one after the other in the kernel.

        `effort` bounds the work on a row: with that much done, or up to twice as much, it is left
        undecided.
        """
        rows = self.as_indices(givens)
        solutions, counts = np.empty_like(rows), np.empty(len(rows), np.int64)
        solutions.fill(BLANK)
        counts.fill(FRESH)
        engine, own = self.engine, copy(self.engine.search)
        batch = (rows, solutions, counts)
        run = partial(engine.kernel, engine.model, own, self.columns, batch, limit)
        if effort is None:
            run_in_slices(lambda budget: run(budget) != SPENT, _FIRST_SLICE, deadline)
        else:
            _run_with_effort(run, own, effort, deadline)
        np.maximum(counts, FRESH, out=counts)  # what was found of a row that is not decided
        return self.as_values(solutions, counts > 0), counts

    def as_indices(self, rows: Values) -> Values:
        """Rows as the kernel takes them: indices in columns whose values have gaps."""
        if self._gaps:
            rows = rows.copy()
        for column, universe in self._gaps:
            rows[:, column] = _indices(rows[:, column], universe)
        return rows

    def as_values(self, rows: Values, solved: NDArray[np.bool_]) -> Values:
        """Rows with values in place of indices, where there is a solution."""
        for column, universe in self._gaps:
            rows[solved, column] = universe[rows[solved, column]]
        return rows

    @cached_property
    def columns(self) -> Columns:
        """Where the domains of the columns are, and what their first bits mean.

        Columns whose values have gaps hold indices instead.
        """
        words = self.arrays.network.first_word.astype(np.int64)
        shown = np.array(self.arrays.shown, np.int64)
        universes = [self.arrays.universes[variable] for variable in self.arrays.shown]
        if any(not BLANK < value < 2**63 for universe in {*universes} for value in universe):
            raise BackendError("search: solve_many is for values of 64 bits; use solutions")
        first_of = {each: each[0] if _is_range(each) else 0 for each in {*universes}}
        lowest = [first_of[universe] for universe in universes]
        return pack(Columns(words[shown], words[shown + 1], np.array(lowest, np.int64)))

    @cached_property
    def _gaps(self) -> list[tuple[int, Values]]:
        """The columns whose values are not one after the other, with their values."""
        universes = [self.arrays.universes[variable] for variable in self.arrays.shown]
        if all(map(_is_range, {*universes})):
            return []
        return [
            (column, np.array(universe, np.int64))
            for column, universe in enumerate(universes)
            if not _is_range(universe)
        ]


def _run_with_effort(
    run: Callable[[int], int], search: Search, effort: int, deadline: float | None
) -> None:
    """Run a batch until it is done; skip rows that take all the work of a slice."""
    while not has_passed(deadline):
        row = search.row
        if run(effort) != SPENT:
            return
        if search.row == row:
            search.row += 1


def divided(graph: nx.Graph, backend: Backend) -> Divide:
    """Return a function that counts the solutions of a graph by its parts and its symmetry."""

    def divide(restrict: Restriction, deadline: float | None) -> Share | None:
        def count(part: nx.Graph) -> Share:
            try:
                session = backend.compile(part, deadline=deadline)
            except OutOfTime:
                return Share(0, [], complete=False)
            found = session.solutions(deadline=deadline)
            assert isinstance(found, SearchEnumeration)
            drained = found.pass_over(None)
            return Share(drained.count, drained.sample, found.complete)

        with watched(deadline):
            return count_divided(restricted_view(graph, restrict), count)

    return divide


def sow(search: Search, seed: int) -> None:
    """Begin the random numbers of a search."""
    # Xorshift never leaves zero; the golden ratio keeps small seeds apart (as in hashing).
    search.random[0] = (2 * seed + 1) * 0x9E3779B97F4A7C15 % 2**64


def _is_range(universe: tuple[int, ...]) -> bool:
    return len(universe) > 0 and universe[-1] - universe[0] == len(universe) - 1


def _indices(givens: Values, universe: Values) -> Values:
    """For each given the place of its value in the universe; far beyond it if it has none."""
    places = np.searchsorted(universe, givens)
    known = np.append(universe, BLANK)[places] == givens
    return np.where(givens == BLANK, BLANK, np.where(known, places, _NO_VALUE))


class SearchEnumeration(SlicedEnumeration):
    """The solutions of one query, in a search of its own."""

    statistics: SearchStatistics

    def __init__(
        self,
        arrays: ConstraintArrays,
        engine: Engine,
        statistics: SearchStatistics,
        *,
        divide: Callable[[], Share | None] | None,
        deadline: float | None,
        effort: int | None,
    ) -> None:
        super().__init__(statistics, _FIRST_SLICE, deadline)
        self._arrays = arrays
        self.engine = engine
        self._divide = divide
        self._effort = effort

    def go_on(self, effort: int | None) -> None:
        """Allow this much more work, after the effort allowed so far was spent; None for any."""
        self._effort = None if effort is None else self.engine.search.work + effort
        self.out_of_time = False
        self._found = self._each()

    @property
    def trace(self) -> list[TraceEvent]:
        """What happened so far, as far as there was room for it; see `trace_full`."""
        search = self.engine.search
        rows = search.trace[: search.trace_top].reshape(-1, EVENT).tolist()
        return [self._event(*row) for row in rows]

    @property
    def trace_full(self) -> bool:
        """Whether there is no room for another event."""
        return bool(self.engine.search.trace_top == self.engine.search.trace_end)

    def drain(self, limit: int | None = None) -> Drained:
        """Pass over the next `limit` solutions; the sample is taken at powers of two.

        If all are wanted and there are many, they are counted by parts and by symmetry, where the
        graph has such; the sample is then drawn from all of these.
        """
        if limit is not None or self._divide is None:
            return self.pass_over(limit)
        before = self.statistics.solutions
        first = self.pass_over(_MANY)
        if first.count < _MANY:
            return first
        started = time.perf_counter()
        try:
            share = self._divide()
        except BaseException:
            self._given_up = True
            raise
        finally:
            self.statistics.solve_seconds += time.perf_counter() - started
            self._divide = None
        if share is None:
            rest = self.pass_over(None)
            return Drained(first.count + rest.count, [*first.sample, *rest.sample])
        self.complete = self._exhausted = share.complete
        self.out_of_time = not share.complete
        count = max(first.count, share.count - before)
        self.statistics.solutions = before + count
        return Drained(count, [*first.sample, *share.sample])

    def _run(self, wanted: int, budget: int) -> int:
        search, statistics = self.engine.search, self.statistics
        before = search.solutions
        if self._effort is not None:
            budget = min(budget, self._effort - search.work)
            if budget <= 0:
                raise OutOfTime
        self._exhausted = self.engine.run(wanted, budget) == EXHAUSTED
        statistics.assignments = search.assignments
        statistics.backtracks = search.backtracks
        statistics.revisions = search.revisions
        statistics.checks = search.checks
        statistics.restarts = search.restarts
        return int(search.solutions - before)

    def _solution(self) -> Assignment:
        return self._arrays.decode(self.engine.search.domain)

    def _event(self, kind: int, variable: int, bit: int, depth: int) -> TraceEvent:
        if variable < 0:
            return TraceEvent(_EVENTS[kind], None, None, depth)
        value = self._arrays.universes[variable][bit] if bit >= 0 else None
        return TraceEvent(_EVENTS[kind], self._arrays.names[variable], value, depth)
