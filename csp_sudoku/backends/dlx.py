"""The `dlx` backend: exact cover with colours on hand-written dancing links.

Every query works on its own copy of the links. The kernel is called for a slice of nodes at a time:
in between, plain Python looks at the deadline, and a Ctrl-C comes through.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from csp_encodings.errors import GraphError
from csp_encodings.exact_cover import ExactCover, encode
from csp_encodings.graph import Assignment
from csp_sudoku.backends.base import (
    BLANK,
    Backend,
    Drained,
    Enumeration,
    OutOfTime,
    Restriction,
    Statistics,
    check_deadline,
)
from csp_sudoku.backends.batch import BatchSession, next_slice, run_in_slices
from csp_sudoku.kernels import dlx, dlx_batch, links
from csp_sudoku.kernels.flat import Flat

Values = NDArray[np.int64]

# More solutions than any search will find.
_ALL = 1 << 62

# How many nodes to search before the first look at the clock.
_FIRST_SLICE = 1_000


@dataclass
class DlxStatistics(Statistics):
    """What dancing links did."""

    items: int = 0
    options: int = 0
    nodes: int = 0
    updates: int = 0


class Dlx(Backend):
    """Exact cover with colours, by Knuth's Algorithm C.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> for name in "xyz":
    ...     builder.variable(name, range(1, 4))
    >>> _ = builder.factor(AllDifferent(("x", "y", "z")))
    >>> with Dlx().compile(builder.build()) as session:
    ...     list(session.solutions({"x": (1,), "y": (1, 2)}))
    [{'x': 1, 'y': 2, 'z': 3}]
    """

    name: ClassVar[str] = "dlx"
    summary: ClassVar[str] = "exact cover with colours by dancing links (Knuth's Algorithm C)"
    abilities: ClassVar[tuple[str, ...]] = ("seed", "counting in the kernel", "batches")

    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> DlxSession:
        """Encode the graph as an exact cover problem and link its options."""
        started = time.perf_counter()
        cover = encode(graph, progress=lambda: check_deadline(deadline))
        session = DlxSession(cover, started)
        check_deadline(deadline)
        return session

    def version(self) -> str:
        """The version of the compiler behind it."""
        return f"numba {version('numba')}"


class DlxSession(BatchSession):
    """The links of one graph. Threads may share it: no query changes it."""

    def __init__(self, cover: ExactCover, started: float) -> None:
        self.cover = cover
        self._links, self._state, self._first = self._link(range(len(cover.meanings)))
        self._compile_seconds = time.perf_counter() - started

    def solutions(
        self,
        restrict: Restriction | None = None,
        *,
        limit: int | None = None,
        deadline: float | None = None,
        seed: int | None = None,
    ) -> DlxEnumeration:
        """Enumerate the distinct solutions within a restriction; a seed shuffles the options."""
        statistics = DlxStatistics(
            compile_seconds=self._compile_seconds,
            items=len(self.cover.items),
            options=len(self.cover.meanings),
        )
        if seed is None:
            own, state, first = self._links.copy(), self._state.copy(), self._first
        else:
            order = list(range(len(self.cover.meanings)))
            random.Random(seed).shuffle(order)
            own, state, first = self._link(order)
        self._restrict(Flat(own), Flat(state), first, restrict or {})
        return DlxEnumeration(self.cover, own, state, deadline, statistics)

    @property
    def width(self) -> int:
        """How many variables a row of :meth:`solve_many` has."""
        return len(self.cover.variables)

    def solve_rows(
        self, givens: Values, limit: int, deadline: float | None
    ) -> tuple[Values, Values]:
        """Solve the rows one after the other in the kernel."""
        solutions = np.full(givens.shape, BLANK, np.int64)
        counts = np.zeros(len(givens), np.int64)
        given, possible = self._given_nodes(givens)
        rows = int(np.count_nonzero(possible))
        width = self.width
        found = np.full(rows * width, -1, np.int32)
        numbers = np.full(rows, -1, np.int64)
        sizes = np.array([0, rows, width], np.int64)
        batch = dlx_batch.Batch(
            Flat(self._links),
            Flat(given[possible].ravel()),
            Flat(self._columns()),
            Flat(found),
            Flat(numbers),
            Flat(sizes),
        )
        own: links.Links = Flat(self._links.copy())
        state: links.State = Flat(self._state.copy())
        run_in_slices(
            lambda budget: dlx_batch.solve_many(own, state, batch, limit, budget) == dlx.DONE,
            _FIRST_SLICE,
            deadline,
        )
        numbers[sizes[0] :] = -1
        counts[possible] = numbers
        # No option is number -1: the last place.
        said = [meaning[1] if meaning else BLANK for meaning in self.cover.meanings]
        value_of = np.array([*said, BLANK], np.int64)
        solutions[possible] = value_of[found].reshape(rows, width)
        return solutions, counts

    def _link(self, order: Any) -> tuple[links.Ints, links.Counters, links.Ints]:
        return links.link(self.cover, np.array(order, np.int32))

    def _restrict(
        self, own: links.Links, state: links.State, first: links.Ints, restrict: Restriction
    ) -> None:
        """Begin a run. One that never begins finds nothing."""
        given: list[int] = []
        removed: list[int] = []
        for variable, values in restrict.items():
            if variable not in self.cover.options:
                raise GraphError(f"variable {variable} is not in the graph")
            options = self.cover.options[variable]
            kept = {option for value, option in options.items() if value in values}
            if not kept:
                return
            if len(kept) == 1:
                given += kept
            else:
                removed += [option for option in options.values() if option not in kept]
        if removed:
            dlx.remove(own, state, Flat(first[removed]), len(removed))
        dlx.begin(own, state, Flat(first[given]), 0, len(given))

    def _columns(self) -> links.Ints:
        """The place of the variable of each option in a solution, or -1 for no place."""
        place = {variable: column for column, variable in enumerate(self.cover.variables)}
        said = [place.get(meaning[0], -1) if meaning else -1 for meaning in self.cover.meanings]
        return np.array(said, np.int32)

    def _given_nodes(self, givens: Values) -> tuple[links.Ints, NDArray[np.bool_]]:
        """The first nodes of given options, and the rows whose values are all in the domains."""
        options = [self.cover.options[variable] for variable in self.cover.variables]
        values = np.array(sorted({value for known in options for value in known} | {BLANK}))
        place = {value: i for i, value in enumerate(values.tolist())}
        # For every column and value the first node of its option, 0 where there is none.
        table = np.zeros((len(options), len(values)), np.int32)
        for column, known in enumerate(options):
            table[column, [place[value] for value in known]] = self._first[list(known.values())]
        where = np.minimum(np.searchsorted(values, givens), len(values) - 1)
        nodes = table[np.arange(len(options)), where]
        nodes[values[where] != givens] = 0
        return nodes, ((givens == BLANK) | (nodes != 0)).all(axis=1)


class DlxEnumeration(Enumeration):
    """The covers of one query, on links of its own."""

    statistics: DlxStatistics

    def __init__(
        self,
        cover: ExactCover,
        own: links.Ints,
        state: links.Counters,
        deadline: float | None,
        statistics: DlxStatistics,
    ) -> None:
        super().__init__(self._each(), statistics)
        self._cover = cover
        self._links = own
        self._state = state
        self._deadline = deadline
        self._slice = _FIRST_SLICE
        self._done = False

    def drain(self, limit: int | None = None) -> Drained:
        """Pass over the next `limit` solutions; the sample has the first one of every slice."""
        count, sample = 0, []
        started = time.perf_counter()
        try:
            while not (self._done or self._given_up or self.out_of_time or count == limit):
                found = self._search(_ALL if limit is None else limit - count)
                if found:
                    count += found
                    sample.append(self._sample())
            self.complete = self._done
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
        while not self._done:
            if self._search(1):
                yield self._sample()

    def _search(self, wanted: int) -> int:
        """Search for one slice; gives how many solutions were passed."""
        check_deadline(self._deadline)
        started = time.perf_counter()
        state = self._state
        before = state[links.SOLUTIONS]
        status = dlx.search(Flat(self._links), Flat(state), wanted, self._slice)
        if status == dlx.SPENT:
            self._slice = next_slice(self._slice, time.perf_counter() - started)
        self._done = status == dlx.DONE
        self.statistics.nodes = int(state[links.NODES])
        self.statistics.updates = int(state[links.UPDATES])
        return int(state[links.SOLUTIONS] - before)

    def _sample(self) -> Assignment:
        start, number = self._state[links.SAMPLE], self._state[links.SAMPLED]
        return self._cover.decode(self._links[start : start + number].tolist())
