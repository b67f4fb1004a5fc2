"""The `dlx` backend: exact cover with colours, by hand, after Knuth's Algorithm C.

Every query has marks and counts of its own. The kernel is called for a slice of nodes at a time:
in between, plain Python looks at the deadline, and a Ctrl-C comes through.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.metadata import version
from typing import ClassVar

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from csp_encodings.errors import GraphError
from csp_encodings.exact_cover import ExactCover, encode
from csp_encodings.graph import Assignment
from csp_encodings.implied import with_implied
from csp_sudoku.backends.base import (
    Backend,
    Request,
    Restriction,
    Statistics,
    check_deadline,
    within_deadline,
)
from csp_sudoku.backends.batch import BatchSession
from csp_sudoku.backends.slices import SlicedEnumeration, run_in_slices
from csp_sudoku.errors import BackendError
from csp_sudoku.kernels import BLANK, dlx
from csp_sudoku.kernels.dlx_batch import Columns, find_options, search_rows
from csp_sudoku.kernels.groups import arrange
from csp_sudoku.kernels.options import GONE, Groups, Options
from csp_sudoku.kernels.records import copy, pack

Values = NDArray[np.int64]

# How many nodes to search before the first look at the clock.
_FIRST_SLICE = 1_000

# What a dead end adds to the weight of an item.
CHOICES = {"weighted": 1, "fewest": 0}

# Whether the options of an item are tried one after the other.
BRANCHINGS = {"option": 0, "item": 1}


@dataclass
class DlxStatistics(Statistics):
    """What was covered, and how often options were taken (nodes) and dropped (updates)."""

    items: int = 0
    options: int = 0
    nodes: int = 0
    updates: int = 0


class Dlx(Backend):
    """Exact cover with colours, after Knuth's Algorithm C.

    With ``choice="fewest", branching="item", supports=False`` the search is that of Algorithm C: it
    tries the same options in the same order. (Knuth leaves it open how ties between items are
    broken: here the first one is chosen, and items of the puzzle before auxiliary ones, the "sharp
    preference" of his exercise 10.)

    Parameters
    ----------
    choice
        Which item is covered next: ``weighted`` (the default), one with few options that was often
        a dead end; ``fewest``, one with the fewest options, as Knuth has it (MRV).
    branching
        What happens after an option was tried: ``option`` (the default) drops it and chooses an
        item anew, and takes what is the only option of an item before any choice; ``item`` tries
        the next option of the same item, as Knuth has it.
    supports
        Whether options that have lost their support are dropped (the default); Knuth's algorithm
        does not look for them.
    implied
        Whether to add sums that follow from houses and sums together (the default), see
        :func:`csp_encodings.implied.with_implied`.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xyz", range(1, 4)), AllDifferent(("x", "y", "z")))
    >>> with Dlx().compile(graph) as session:
    ...     list(session.solutions({"x": (1,), "y": (1, 2)}))
    [{'x': 1, 'y': 2, 'z': 3}]
    """

    name: ClassVar[str] = "dlx"
    summary: ClassVar[str] = "exact cover with colours, after Knuth's Algorithm C"
    abilities: ClassVar[tuple[str, ...]] = ("seed", "counting in the kernel", "batches")

    def __init__(
        self,
        *,
        choice: str = "weighted",
        branching: str = "option",
        supports: bool = True,
        implied: bool = True,
    ) -> None:
        for name, value, known in (
            ("choice", choice, CHOICES),
            ("branching", branching, BRANCHINGS),
        ):
            if value not in known:
                raise BackendError(
                    f"backend dlx: {name}={value!r} must be one of {', '.join(map(repr, known))}"
                )
        for option, chosen in (("supports", supports), ("implied", implied)):
            if not isinstance(chosen, bool):
                raise BackendError(f"backend dlx: {option}={chosen!r} must be true or false")
        self._settings = {"learning": CHOICES[choice], "by_item": BRANCHINGS[branching]}
        self._supports = supports
        self._implied = implied

    @within_deadline
    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> DlxSession:
        """Encode the graph as an exact cover problem and arrange its options."""
        started = time.perf_counter()
        graph = with_implied(graph) if self._implied else graph
        cover = encode(graph)
        session = DlxSession(cover, self._settings, self._supports, started)
        check_deadline(deadline)
        return session

    def version(self) -> str:
        """The version of the compiler behind it."""
        return f"numba {version('numba')}"


class DlxSession(BatchSession):
    """The options of one graph. Threads may share it: no query changes it."""

    def __init__(
        self, cover: ExactCover, settings: dict[str, int], supports: bool, started: float
    ) -> None:
        self.cover = cover
        self._settings = settings
        self._supports = supports
        self._groups, self._options = self._arrange(np.arange(len(cover.meanings)))
        self._compile_seconds = time.perf_counter() - started

    def enumerate(self, request: Request) -> DlxEnumeration:
        """Enumerate the distinct solutions within a restriction; a seed shuffles the options."""
        statistics = DlxStatistics(
            compile_seconds=self._compile_seconds,
            items=len(self.cover.items),
            options=len(self.cover.meanings),
        )
        if request.seed is None:
            groups, own = self._groups, copy(self._options)
        else:
            order = list(range(len(self.cover.meanings)))
            random.Random(request.seed).shuffle(order)
            groups, own = self._arrange(np.array(order, np.int64))
        self._restrict(groups, own, request.restrict)
        return DlxEnumeration(self.cover, groups, own, request.deadline, statistics)

    def _arrange(self, order: Values) -> tuple[Groups, Options]:
        groups, options = arrange(self.cover, order, supports=self._supports)
        for name, value in self._settings.items():
            setattr(options, name, value)
        return groups, options

    @property
    def width(self) -> int:
        """How many variables a row of :meth:`solve_many` has."""
        return len(self.cover.variables)

    def solve_rows(
        self, givens: Values, limit: int, deadline: float | None
    ) -> tuple[Values, Values]:
        """Solve the rows one after the other in the kernel."""
        solutions, counts = np.full(givens.shape, BLANK), np.full(len(givens), -1)
        options = np.full(givens.shape, -1)
        find_options(self._columns, givens, options, counts)
        own, rows = copy(self._options), (options, solutions, counts)
        batch = partial(search_rows, self._groups, own, self._columns, rows, limit)
        finished = run_in_slices(
            lambda budget: batch(budget) == dlx.DONE,
            _FIRST_SLICE,
            deadline,
        )
        if not finished and own.begun:
            counts[own.row] = -1
        return solutions, counts

    @cached_property
    def _columns(self) -> Columns:
        """The options of each column of a batch, the column of each option, and its value."""
        known = [self.cover.options[variable].values() for variable in self.cover.variables]
        first = [min(numbers, default=0) for numbers in known]
        end = [max(numbers, default=-1) + 1 for numbers in known]
        columns = np.full(len(self.cover.meanings), -1, np.int32)
        for column in range(len(known)):
            columns[first[column] : end[column]] = column
        values = [meaning[1] if meaning else BLANK for meaning in self.cover.meanings]
        return pack(
            Columns(
                np.array(first, np.int32),
                np.array(end, np.int32),
                columns,
                np.array(values, np.int64),
            )
        )

    def _restrict(self, groups: Groups, own: Options, restrict: Restriction) -> None:
        """Begin a search within a restriction."""
        given: list[int] = []
        removed: list[int] = []
        for variable, values in restrict.items():
            if variable not in self.cover.options:
                raise GraphError(f"variable {variable} is not in the graph")
            known = self.cover.options[variable]
            kept = [option for value, option in known.items() if value in values]
            if len(kept) == 1:
                given += kept
            else:
                removed += [option for option in known.values() if option not in kept]
        own.mark[removed] = GONE
        dlx.begin(groups, own, np.array(given, np.int64))


class DlxEnumeration(SlicedEnumeration):
    """The covers of one query, in a search of its own."""

    statistics: DlxStatistics

    def __init__(
        self,
        cover: ExactCover,
        groups: Groups,
        own: Options,
        deadline: float | None,
        statistics: DlxStatistics,
    ) -> None:
        super().__init__(statistics, _FIRST_SLICE, deadline)
        self._cover = cover
        self._groups = groups
        self._options = own

    def _run(self, wanted: int, budget: int) -> int:
        own = self._options
        before = own.solutions
        self._exhausted = dlx.search(self._groups, own, wanted, budget) == dlx.DONE
        self.statistics.nodes = own.nodes
        self.statistics.updates = own.updates
        return own.solutions - before

    def _solution(self) -> Assignment:
        return self._cover.decode(self._options.sample[: self._options.sampled].tolist())
