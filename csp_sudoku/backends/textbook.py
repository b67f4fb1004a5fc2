"""The `textbook` backend: the algorithms of :mod:`csp_sudoku.textbook`, in plain Python."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import networkx as nx

from csp_encodings.graph import Assignment, domains
from csp_encodings.watch import watched
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
from csp_sudoku.errors import BackendError
from csp_sudoku.textbook.events import (
    Backtracked,
    Chosen,
    Covered,
    Event,
    Removed,
    Revised,
    SolutionFound,
)
from csp_sudoku.textbook.tracing import Prepared, prepare_algorithm


@dataclass
class TextbookStatistics(Statistics):
    """How large the input is, and how often each event happened.

    Attributes
    ----------
    variables, arcs, items, options
        The input of the search, or that of Algorithm X.
    assignments
        How often a value was tried; in Algorithm X, an option: the nodes of its search.
    backtracks
        How often all values of a variable, or all options of an item, had been tried.
    revisions, removals
        How often an arc was revised, and a value removed.
    covers
        How often an item was covered.
    """

    variables: int = 0
    arcs: int = 0
    items: int = 0
    options: int = 0
    assignments: int = 0
    backtracks: int = 0
    revisions: int = 0
    removals: int = 0
    covers: int = 0


_COUNTERS: dict[type[Event], str] = {
    Chosen: "assignments",
    Backtracked: "backtracks",
    Revised: "revisions",
    Removed: "removals",
    Covered: "covers",
}


class Textbook(Backend):
    """Backtracking or dancing links as the textbooks have them: slow, and easy to check by eye.

    Parameters
    ----------
    algorithm
        ``search`` (the default) backtracks over the variables; ``x`` is Knuth's Algorithm X with
        dancing links (with colours: Algorithm C) on the exact cover problem.
    variable_order
        For ``search``: ``first`` in the order of the graph; ``mrv``, the minimum of remaining
        values; ``mrv+degree`` (the default), ties to the one with the most arcs to open variables.
    value_order
        For ``search``: ``natural``, ascending, or ``lcv`` (the default), the least constraining
        value first.
    inference
        For ``search``: ``none``, ``forward`` checking, or ``mac`` (the default): AC-3 after every
        assignment.

    Examples
    --------
    >>> from csp_sudoku import solve
    >>> for options in ("", ":inference=forward,variable_order=mrv", ":algorithm=x"):
    ...     result = solve("0100 3001 4002 0040", f"textbook{options}", limit=None)
    ...     print(result.status.value, result.statistics.assignments)
    all found 0
    all found 10
    all found 16
    """

    name: ClassVar[str] = "textbook"
    summary: ClassVar[str] = (
        "AC-3, backtracking and dancing links in plain Python; for small puzzles"
    )
    abilities: ClassVar[tuple[str, ...]] = ("events",)

    def __init__(
        self,
        *,
        algorithm: str = "search",
        variable_order: str | None = None,
        value_order: str | None = None,
        inference: str | None = None,
    ) -> None:
        if algorithm == "ac3":
            raise BackendError("textbook: algorithm='ac3' searches nothing; use search or x")
        self._prepare = prepare_algorithm(
            algorithm, variable_order=variable_order, value_order=value_order, inference=inference
        )

    @within_deadline
    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> TextbookSession:
        """Turn the graph into variables and arcs, or into an exact cover problem."""
        started = time.perf_counter()
        check_deadline(deadline)
        prepared = self._prepare(graph)
        return TextbookSession(prepared, domains(graph), time.perf_counter() - started)


class TextbookSession(Session):
    """An algorithm that is ready to run; queries do not disturb each other."""

    def __init__(self, prepared: Prepared, known: Restriction, compile_seconds: float) -> None:
        self._prepared = prepared
        self._known = known
        self._compile_seconds = compile_seconds

    def enumerate(self, request: Request) -> Enumeration:
        """Enumerate the solutions; nothing is left to chance, so that the seed changes nothing."""
        check_variables(request.restrict, self._known)
        size = self._prepared.size
        statistics = TextbookStatistics(compile_seconds=self._compile_seconds, **size)
        found = self._search(request.restrict, request.deadline, statistics)
        return Enumeration(found, statistics)

    def _search(
        self, restrict: Restriction, deadline: float | None, statistics: TextbookStatistics
    ) -> Iterator[Assignment]:
        check_deadline(deadline)
        events = iter(self._prepared.run(restrict))
        while True:
            check_deadline(deadline)
            with watched(deadline):
                event = next(events, None)
            if event is None:
                return
            counter = _COUNTERS.get(type(event))
            if counter:
                setattr(statistics, counter, getattr(statistics, counter) + 1)
            if isinstance(event, SolutionFound):
                yield event.assignment
