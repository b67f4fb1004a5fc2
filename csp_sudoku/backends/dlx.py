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
    Session,
    Statistics,
    check_deadline,
)
from csp_sudoku.errors import BackendError
from csp_sudoku.kernels import dlx, dlx_batch, links

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


class DlxSession(Session):
    """The links of one graph. Threads may share it: no query changes it."""

    def __init__(self, cover: ExactCover, started: float) -> None:
        self.cover = cover
        self._links, self._first = self._link(range(len(cover.meanings)))
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
            own, first = links.copy(self._links), self._first
        else:
            order = list(range(len(self.cover.meanings)))
            random.Random(seed).shuffle(order)
            own, first = self._link(order)
        run = dlx.new_run(self.cover)
        self._restrict(own, run, first, restrict or {})
        return DlxEnumeration(self.cover, own, run, deadline, statistics)

    def solve_many(
        self, givens: Values, *, limit: int = 1, deadline: float | None = None
    ) -> tuple[Values, Values]:
        """Solve many puzzles of the same rules; the GIL is released, so threads share the work.

        Parameters
        ----------
        givens
            A row for each puzzle and a column for each of the session's ``cover.variables``:
            a value, or BLANK.
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
        >>> session = Dlx().compile(builder.build())
        >>> givens = np.array([[3, BLANK, 1], [BLANK, 2, BLANK], [1, 1, BLANK]])
        >>> solutions, counts = session.solve_many(givens, limit=2)
        >>> counts.tolist(), solutions[0].tolist()
        ([1, 2, 0], [3, 2, 1])
        """
        givens = np.asarray(givens, np.int64)
        width = len(self.cover.variables)
        if givens.ndim != 2 or givens.shape[1] != width or limit < 1:
            raise BackendError(
                f"dlx: givens of shape {givens.shape}, limit {limit}: "
                f"must be rows of {width} values, and a limit from 1 on"
            )
        solutions = np.full(givens.shape, BLANK, np.int64)
        counts = np.zeros(len(givens), np.int64)
        given, possible = self._given_nodes(givens)
        batch = dlx_batch.Batch(
            self._links,
            given[possible].ravel(),
            self._columns(),
            np.full(np.count_nonzero(possible) * width, -1, np.int32),
            np.full(np.count_nonzero(possible), -1, np.int64),
            np.zeros(1, np.int64),
        )
        run = dlx.new_run(self.cover)
        own = links.copy(self._links)
        budget = _FIRST_SLICE
        while deadline is None or time.monotonic() < deadline:
            started = time.perf_counter()
            if dlx_batch.solve_many(own, run, batch, limit, budget) == dlx.DONE:
                break
            budget = _next_slice(budget, time.perf_counter() - started)
        batch.counts[batch.row[0] :] = -1
        counts[possible] = batch.counts
        # No option is number -1: the last place.
        said = [meaning[1] if meaning else BLANK for meaning in self.cover.meanings]
        value_of = np.array([*said, BLANK], np.int64)
        solutions[possible] = value_of[batch.solutions].reshape(len(batch.counts), width)
        return solutions, counts

    def _link(self, order: Any) -> tuple[links.Links, links.Ints]:
        return links.link(self.cover, np.array(order, np.int32))

    def _restrict(
        self, own: links.Links, run: dlx.Run, first: links.Ints, restrict: Restriction
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
            dlx.remove(own, first[removed])
        dlx.begin(own, run, first[given], 0, len(given))

    def _columns(self) -> links.Ints:
        """The place of the variable of each option in a solution, or -1 for no place."""
        place = {variable: column for column, variable in enumerate(self.cover.variables)}
        said = [place.get(meaning[0], -1) if meaning else -1 for meaning in self.cover.meanings]
        return np.array(said, np.int32)

    def _given_nodes(self, givens: Values) -> tuple[links.Ints, NDArray[np.bool_]]:
        """The first nodes of given options, and the rows whose values are all in the domains."""
        nodes = np.zeros(givens.shape, np.int32)
        possible = np.ones(len(givens), np.bool_)
        for column, variable in enumerate(self.cover.variables):
            options = self.cover.options[variable]
            values = givens[:, column]
            for value, option in options.items():
                nodes[values == value, column] = self._first[option]
            possible &= (values == BLANK) | (nodes[:, column] != 0)
        return nodes, possible


class DlxEnumeration(Enumeration):
    """The covers of one query, on links of its own."""

    statistics: DlxStatistics

    def __init__(
        self,
        cover: ExactCover,
        own: links.Links,
        run: dlx.Run,
        deadline: float | None,
        statistics: DlxStatistics,
    ) -> None:
        super().__init__(self._each(), statistics)
        self._cover = cover
        self._links = own
        self._run = run
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
        state = self._run.state
        before = state[dlx.SOLUTIONS]
        status = dlx.search(self._links, self._run, wanted, self._slice)
        if status == dlx.SPENT:
            self._slice = _next_slice(self._slice, time.perf_counter() - started)
        self._done = status == dlx.DONE
        self.statistics.nodes = int(state[dlx.NODES])
        self.statistics.updates = int(self._links.notes[links.UPDATES])
        return int(state[dlx.SOLUTIONS] - before)

    def _sample(self) -> Assignment:
        return self._cover.decode(self._run.sample.array[: self._run.state[dlx.SAMPLED]].tolist())


def _next_slice(nodes: int, seconds: float) -> int:
    """How many nodes to search next, so that it takes 10 to 50 ms."""
    if seconds < 0.01:
        return 2 * nodes
    return max(1, nodes // 2) if seconds > 0.05 else nodes
