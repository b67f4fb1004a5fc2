"""A session of the `search` backend: its engines, its queries and what they cost.

Every query works on a memory of its own. The kernel is called for a slice of work at a time: in
between, plain Python looks at the deadline, and a Ctrl-C comes through.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csp_encodings.arrays import ConstraintArrays
from csp_encodings.division import Share
from csp_encodings.graph import Assignment
from csp_encodings.jit import announced
from csp_sudoku.backends.base import (
    BLANK,
    Drained,
    OutOfTime,
    Restriction,
    Statistics,
)
from csp_sudoku.backends.batch import BatchSession
from csp_sudoku.backends.slices import SlicedEnumeration, run_in_slices
from csp_sudoku.errors import BackendError
from csp_sudoku.kernels import memory as m
from csp_sudoku.kernels import search as kernel
from csp_sudoku.kernels.batch import (
    NO_BATCH,
    Batch,
    Columns,
    search_domains,
    search_large_boards,
    search_small_boards,
)
from csp_sudoku.kernels.board_memory import SHAPES
from csp_sudoku.kernels.memory import Memory

Values = NDArray[np.int64]
Divide = Callable[[Restriction, float | None], Share | None]

_EVENTS = {
    int(kernel.ASSIGN): "assign",
    int(kernel.REMOVE): "remove",
    int(kernel.BACKTRACK): "backtrack",
    int(kernel.SOLUTION): "solution",
}

# The work before the first look at the clock.
_FIRST_SLICE = 20_000

# So many solutions are counted one by one before a count is divided.
_MANY = 4_096

# No variable has so many values.
_NO_VALUE = 1 << 40


@dataclass(frozen=True)
class Engine:
    """A kernel that searches."""

    name: str
    search: Callable[[Values, NDArray[np.uint64], Values, int, int], int]

    def run(self, memory: Memory, solutions: int, budget: int) -> int:
        """Search on for so many solutions more; gives EXHAUSTED, FOUND or SPENT."""
        return self.search(memory.ints, memory.sets, NO_BATCH, solutions, budget)

    def run_many(self, memory: Memory, batch: Batch, limit: int, budget: int) -> bool:
        """Search one restriction after the other; True once all are done."""
        return self.search(memory.ints, memory.sets, batch.array, limit, budget) != kernel.SPENT

    def warm_up(self, memory: Memory) -> None:
        """Take no more than a first step, so that the kernel is compiled, if it is not yet."""
        if not getattr(self.search, "signatures", True):
            with announced("the kernels of the search"):
                self.run(memory.copy(), 1, 0)


DOMAINS = Engine("domains", search_domains)
BOARDS = {
    shape: Engine("boards", search)
    for shape, search in zip(SHAPES, (search_small_boards, search_large_boards), strict=True)
}


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
        for a support of a value.
    restarts
        How often the search started over.
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
    """The arrays of one graph. Threads may share it, and queries may overlap: none changes it."""

    def __init__(
        self,
        arrays: ConstraintArrays,
        start: Memory,
        engine: Engine,
        divide: Divide | None,
        compile_seconds: float,
    ) -> None:
        self.arrays = arrays
        self.engine = engine
        self._start = start
        _sow(start, 0)
        self._divide = divide
        self._compile_seconds = compile_seconds

    def solutions(
        self,
        restrict: Restriction | None = None,
        *,
        limit: int | None = None,
        deadline: float | None = None,
        seed: int | None = None,
        effort: int | None = None,
    ) -> SearchEnumeration:
        """Enumerate the solutions within a restriction; the seed is for the `random` order.

        `effort` bounds the work, in steps of the kernel, as a deadline bounds the time; where that
        ends does not depend on the clock.
        """
        memory = self._begin(seed)
        memory.domain[:] = self.arrays.restricted(restrict or {})
        statistics = SearchStatistics(
            compile_seconds=self._compile_seconds,
            variables=len(self.arrays.names),
            arcs=len(self.arrays.network.kind),
        )
        divide = self._divide and partial(self._divide, restrict or {}, deadline)
        return SearchEnumeration(
            self.arrays,
            memory,
            self.engine,
            statistics,
            divide=divide,
            deadline=deadline,
            effort=effort,
        )

    @property
    def width(self) -> int:
        """How many variables a row of :meth:`solve_many` has."""
        return len(self.arrays.shown)

    def solve_rows(
        self, givens: Values, limit: int, deadline: float | None
    ) -> tuple[Values, Values]:
        """Solve the rows one after the other in the kernel."""
        rows = givens.copy() if self._gaps else givens
        for column, universe in self._gaps:
            rows[:, column] = _indices(rows[:, column], universe)
        memory, batch = self._begin(None), self._columns.batch(rows)
        run_in_slices(partial(self.engine.run_many, memory, batch, limit), _FIRST_SLICE, deadline)
        solutions, counts = batch.solutions, batch.counts
        for column, universe in self._gaps:
            solved = counts > 0
            solutions[solved, column] = universe[solutions[solved, column]]
        return solutions, counts

    def _begin(self, seed: int | None) -> Memory:
        memory = self._start.copy()
        if seed is not None:
            _sow(memory, seed)
        return memory

    @cached_property
    def _columns(self) -> Columns:
        """Where the domains of the columns are, and what their first bits mean.

        Columns whose values have gaps hold indices instead.
        """
        words = self._start.ints[m.DOMAINS] + self.arrays.network.first_word
        shown = np.array(self.arrays.shown, np.int64)
        universes = [self.arrays.universes[variable] for variable in self.arrays.shown]
        if any(not BLANK < value < 2**63 for universe in universes for value in universe):
            raise BackendError("search: solve_many is for values of 64 bits; use solutions")
        lowest = [universe[0] if _is_range(universe) else 0 for universe in universes]
        return Columns(words[shown], words[shown + 1], np.array(lowest, np.int64))

    @cached_property
    def _gaps(self) -> list[tuple[int, Values]]:
        """The columns whose values are not one after the other, with these."""
        universes = [self.arrays.universes[variable] for variable in self.arrays.shown]
        return [
            (column, np.array(universe, np.int64))
            for column, universe in enumerate(universes)
            if not _is_range(universe)
        ]


def _sow(memory: Memory, seed: int) -> None:
    # Xorshift never leaves zero; the golden ratio keeps small seeds apart (as in hashing).
    memory.sets[memory.ints[m.RANDOM_STATE]] = (2 * seed + 1) * 0x9E3779B97F4A7C15 % 2**64


def _is_range(universe: tuple[int, ...]) -> bool:
    return len(universe) > 0 and universe[-1] - universe[0] == len(universe) - 1


def _indices(givens: Values, universe: Values) -> Values:
    """For each given the place of its value in the universe; far beyond it if it has none."""
    places = np.searchsorted(universe, givens)
    known = np.append(universe, BLANK)[places] == givens
    return np.where(givens == BLANK, BLANK, np.where(known, places, _NO_VALUE))


class SearchEnumeration(SlicedEnumeration):
    """The solutions of one query, in a memory of its own."""

    statistics: SearchStatistics

    def __init__(
        self,
        arrays: ConstraintArrays,
        memory: Memory,
        engine: Engine,
        statistics: SearchStatistics,
        *,
        divide: Callable[[], Share | None] | None,
        deadline: float | None,
        effort: int | None = None,
    ) -> None:
        super().__init__(statistics, _FIRST_SLICE, deadline)
        self._arrays = arrays
        self._memory = memory
        self._engine = engine
        self._divide = divide
        self._effort = effort

    @property
    def trace(self) -> list[TraceEvent]:
        """What happened so far, as far as there was room for it; see `trace_full`."""
        ints = self._memory.ints
        rows = ints[ints[m.TRACE] : ints[m.TRACE_TOP]].reshape(-1, m.EVENT).tolist()
        return [self._event(*row) for row in rows]

    @property
    def trace_full(self) -> bool:
        """Whether there is no room for another event."""
        return bool(self._memory.ints[m.TRACE_TOP] == self._memory.ints[m.TRACE_END])

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
        ints = self._memory.ints
        before = ints[m.SOLUTIONS]
        if self._effort is not None:
            budget = min(budget, self._effort - int(ints[m.WORK]))
            if budget <= 0:
                raise OutOfTime
        self._exhausted = self._engine.run(self._memory, wanted, budget) == kernel.EXHAUSTED
        statistics = self.statistics
        statistics.assignments = int(ints[m.ASSIGNMENTS])
        statistics.backtracks = int(ints[m.BACKTRACKS])
        statistics.revisions = int(ints[m.REVISIONS])
        statistics.checks = int(ints[m.CHECKS])
        statistics.restarts = int(ints[m.RESTARTS])
        return int(ints[m.SOLUTIONS] - before)

    def _solution(self) -> Assignment:
        return self._arrays.decode(self._memory.domain)

    def _event(self, kind: int, address: int, bit: int, depth: int) -> TraceEvent:
        if address < 0:
            return TraceEvent(_EVENTS[kind], None, None, depth)
        variable = (address - int(self._memory.ints[m.VARIABLES])) // m.VARIABLE
        value = self._arrays.universes[variable][bit] if bit >= 0 else None
        return TraceEvent(_EVENTS[kind], self._arrays.names[variable], value, depth)
