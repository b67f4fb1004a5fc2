"""A session of the `search` backend: its engines, its queries and what they cost.

Every query works on a memory of its own. The kernel is called for a slice of work at a time: in
between, plain Python looks at the deadline, and a Ctrl-C comes through.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csp_encodings.arrays import ConstraintArrays
from csp_encodings.division import Share
from csp_encodings.graph import Assignment
from csp_sudoku.backends.base import (
    BLANK,
    Drained,
    Enumeration,
    OutOfTime,
    Restriction,
    Session,
    Statistics,
    check_deadline,
)
from csp_sudoku.errors import BackendError
from csp_sudoku.kernels import boards
from csp_sudoku.kernels import memory as m
from csp_sudoku.kernels import search as kernel
from csp_sudoku.kernels.batch import Batch, run_many, run_many_on_boards
from csp_sudoku.kernels.memory import Memory

Values = NDArray[np.int64]
Divide = Callable[[Restriction, float | None], Share | None]

_EVENTS = {
    int(kernel.ASSIGN): "assign",
    int(kernel.REMOVE): "remove",
    int(kernel.BACKTRACK): "backtrack",
    int(kernel.SOLUTION): "solution",
}

# The work before the first look at the clock, and how long a slice may take after that.
_FIRST_SLICE = 20_000
_SLICE_SECONDS = 0.03

# So many solutions are counted one by one before a count is divided.
_MANY = 4_096

# No variable has such a value.
_NO_VALUE = 1 << 40


@dataclass(frozen=True)
class Engine:
    """A kernel that searches, and one that does so for many restrictions."""

    name: str
    run: Callable[[Any, Any, int, int], int]
    run_many: Callable[[Any, Any, Any, int, int], bool]

    def warm_up(self, memory: Memory) -> None:
        """Take no more than a first step, so that the kernel is compiled."""
        self.run(*memory.copy().flat, 1, 0)


DOMAINS = Engine("domains", kernel.run, run_many)
BOARDS = Engine("boards", boards.run, run_many_on_boards)


@dataclass
class SearchStatistics(Statistics):
    """What a search did.

    Attributes
    ----------
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


class SearchSession(Session):
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
        self._divide = divide
        self._compile_seconds = compile_seconds

    def solutions(
        self,
        restrict: Restriction | None = None,
        *,
        limit: int | None = None,
        deadline: float | None = None,
        seed: int | None = None,
    ) -> SearchEnumeration:
        """Enumerate the solutions within a restriction; the seed is for the `random` order."""
        memory = self._begin(seed)
        memory.domain[:] = self.arrays.restricted(restrict or {})
        statistics = SearchStatistics(compile_seconds=self._compile_seconds)
        divide = self._divide and partial(self._divide, restrict or {}, deadline)
        return SearchEnumeration(
            self.arrays, memory, self.engine, statistics, divide=divide, deadline=deadline
        )

    def solve_many(
        self, givens: Values, *, limit: int = 1, deadline: float | None = None
    ) -> tuple[Values, Values]:
        """Solve many puzzles of the same rules; the GIL is released, so threads share the work.

        Parameters
        ----------
        givens
            A row for each puzzle and a column for each variable, auxiliaries left out, in the order
            of the graph: a value, or BLANK.
        limit
            How many solutions of a puzzle to look for: 1 to solve it, 2 to see if it has only one.

        Returns
        -------
        The first solution of each puzzle, in rows like the givens, BLANK where there is none; and
        how many were found, or -1 if time ran out before that was decided.

        Examples
        --------
        >>> from csp_encodings.factors import AllDifferent
        >>> from csp_encodings.graph import GraphBuilder
        >>> builder = GraphBuilder()
        >>> for name in "xyz":
        ...     builder.variable(name, range(1, 4))
        >>> _ = builder.factor(AllDifferent(("x", "y", "z")))
        >>> session = Search().compile(builder.build())
        >>> givens = np.array([[3, BLANK, 1], [BLANK, 2, BLANK], [1, 1, BLANK]])
        >>> solutions, counts = session.solve_many(givens, limit=2)
        >>> counts.tolist(), solutions[0].tolist()
        ([1, 2, 0], [3, 2, 1])
        """
        givens = np.asarray(givens, np.int64)
        width = len(self.arrays.shown)
        if givens.ndim != 2 or givens.shape[1] != width or limit < 1:
            raise BackendError(
                f"search: givens of shape {givens.shape}, limit {limit}: "
                f"must be rows of {width} values, and a limit from 1 on"
            )
        bits = np.full(givens.shape, -1, np.int64)
        for columns, values in self._columns():
            bits[:, columns] = _bits(givens[:, columns], values)
        memory = self._begin(None)
        words = memory.ints[m.DOMAINS] + self.arrays.network.first_word
        shown = np.array(self.arrays.shown, np.int64)
        batch = Batch.of(words[shown], words[shown + 1], bits)
        budget = _FIRST_SLICE
        while deadline is None or time.monotonic() < deadline:
            started = time.perf_counter()
            if self.engine.run_many(*memory.flat, batch.flat, limit, budget):
                break
            budget = _next_slice(budget, time.perf_counter() - started)
        solutions = np.full(givens.shape, BLANK, np.int64)
        for columns, values in self._columns():
            solutions[:, columns] = np.append(values, BLANK)[batch.solutions[:, columns]]
        return solutions, batch.counts

    def _begin(self, seed: int | None) -> Memory:
        memory = self._start.copy()
        # Xorshift never leaves zero; the golden ratio keeps small seeds apart (as in hashing).
        mixed = (2 * (seed or 0) + 1) * 0x9E3779B97F4A7C15 % 2**64
        memory.sets[memory.ints[m.RANDOM_STATE]] = mixed
        return memory

    def _columns(self) -> Iterator[tuple[list[int] | slice, Values]]:
        """The columns of a solution with equal universes, and these, one after the other."""
        columns_of: dict[tuple[int, ...], list[int]] = {}
        for column, variable in enumerate(self.arrays.shown):
            columns_of.setdefault(self.arrays.universes[variable], []).append(column)
        for universe, columns in columns_of.items():
            if any(not BLANK < value < 2**63 for value in universe):
                raise BackendError("search: solve_many is for values of 64 bits; use solutions")
            # Numpy is quicker with a slice.
            everything = len(columns_of) == 1
            yield slice(None) if everything else columns, np.array(universe, np.int64)


def _bits(givens: Values, universe: Values) -> Values:
    """For each given the place of its value in the universe, or -1 for a blank."""
    if len(universe) and universe[-1] - universe[0] == len(universe) - 1:
        places = givens - universe[0]
        known = (givens >= universe[0]) & (givens <= universe[-1])
    else:
        places = np.searchsorted(universe, givens)
        known = np.append(universe, BLANK)[places] == givens
    return np.where(known, places, np.where(givens == BLANK, -1, _NO_VALUE))


class SearchEnumeration(Enumeration):
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
    ) -> None:
        super().__init__(self._each(), statistics)
        self._arrays = arrays
        self._memory = memory
        self._flat = memory.flat
        self._engine = engine
        self._divide = divide
        self._deadline = deadline
        self._slice = _FIRST_SLICE
        self._exhausted = False

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
        """Pass over the next `limit` solutions; the sample has those at powers of two.

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
        share = self._divide()
        self.statistics.solve_seconds += time.perf_counter() - started
        self._divide = None
        if share is None:
            rest = self.pass_over(None)
            return Drained(first.count + rest.count, first.sample + rest.sample)
        self.complete = self._exhausted = share.complete
        self.out_of_time = not share.complete
        count = max(first.count, share.count - before)
        self.statistics.solutions = before + count
        return Drained(count, first.sample + share.sample)

    def pass_over(self, limit: int | None) -> Drained:
        """Pass over the next `limit` solutions, one by one in the kernel."""
        count, sample = 0, []
        started = time.perf_counter()
        try:
            while not (self._exhausted or self._given_up or self.out_of_time or count == limit):
                power = 1 << count.bit_length()
                found = self._search(power - count if limit is None else min(power, limit) - count)
                count += found
                if found and count == power:
                    sample.append(self._solution())
            self.complete = self._exhausted
        except OutOfTime:
            self.out_of_time = True
        except BaseException:
            self._given_up = True
            raise
        finally:
            self.statistics.solve_seconds += time.perf_counter() - started
            self.statistics.solutions += count
        return Drained(count, sample)

    def _each(self) -> Iterator[Assignment]:
        while not self._exhausted:
            if self._search(1):
                yield self._solution()

    def _search(self, wanted: int) -> int:
        """Search for one slice; gives how many solutions were passed."""
        check_deadline(self._deadline)
        started = time.perf_counter()
        ints = self._memory.ints
        before = ints[m.SOLUTIONS]
        result = self._engine.run(*self._flat, wanted, self._slice)
        if result == kernel.SPENT:
            self._slice = _next_slice(self._slice, time.perf_counter() - started)
        self._exhausted = result == kernel.EXHAUSTED
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


def _next_slice(budget: int, seconds: float) -> int:
    """Twice or half as much work, so that a slice comes to last about so long."""
    return budget * 2 if seconds < _SLICE_SECONDS else max(budget // 2, 1_000)
