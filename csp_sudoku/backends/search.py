"""The `search` backend: hand-written constraint propagation and backtracking."""

from __future__ import annotations

import time
from functools import partial
from importlib.metadata import version
from typing import ClassVar

import networkx as nx
import numpy as np

from csp_encodings.arrays import RELATION, ConstraintArrays, encode
from csp_encodings.division import Share, count_divided
from csp_encodings.graph import restricted
from csp_sudoku.backends.base import Backend, OutOfTime, Restriction, check_deadline
from csp_sudoku.backends.search_session import BOARDS, DOMAINS, SearchSession
from csp_sudoku.errors import BackendError
from csp_sudoku.kernels import memory as m
from csp_sudoku.kernels.board_memory import lay_out_boards, shape
from csp_sudoku.kernels.memory import lay_out
from csp_sudoku.kernels.orders import DOM_WDEG, FIRST, LCV, MRV, MRV_DEGREE, NATURAL, RANDOM
from csp_sudoku.kernels.propagation import FORWARD, HALL, MAC, MATCHING, NO_INFERENCE, SINGLES
from csp_sudoku.kernels.search import GEOMETRIC, NEVER, WHEN_STUCK

__all__ = ["Search", "SearchSession"]

INFERENCES = {"none": NO_INFERENCE, "forward": FORWARD, "mac": MAC}
VARIABLE_ORDERS = {"first": FIRST, "mrv": MRV, "mrv+degree": MRV_DEGREE, "dom/wdeg": DOM_WDEG}
VALUE_ORDERS = {"natural": NATURAL, "lcv": LCV, "random": RANDOM}
STRENGTHS = {"singles": SINGLES, "hall": HALL, "matching": MATCHING}
RESTARTS = {
    "never": NEVER,
    "geometric": GEOMETRIC,
    "when stuck": WHEN_STUCK,
}

_OPTIONS = {
    "inference": (m.INFERENCE, INFERENCES),
    "variable_order": (m.VARIABLE_ORDER, VARIABLE_ORDERS),
    "value_order": (m.VALUE_ORDER, VALUE_ORDERS),
    "all_different": (m.STRENGTH, STRENGTHS),
    "restart": (m.RESTART, RESTARTS),
}

# What an option is if it is left out: alone, and if all are.
_PLAIN = {
    "inference": "mac",
    "variable_order": "dom/wdeg",
    "value_order": "natural",
    "all_different": "singles",
    "restart": "never",
}
_BEST = {**_PLAIN, "all_different": "hall", "restart": "geometric"}


class Search(Backend):
    """Backtracking with the choices of a textbook, each of them an option.

    Without any option the search is left to do what it does best. Where all factors are differences
    (classic puzzles, diagonals, knight's moves …), or these and relations all over the grid, it
    works on boards, see :mod:`csp_sudoku.kernels.boards`; elsewhere with ``all_different="hall",
    restart="geometric"``.
    Large counts are divided, see :mod:`csp_encodings.division`. As soon as one option is set, the
    others have the defaults below, and every solution is looked for.

    Parameters
    ----------
    inference
        ``mac`` (the default) maintains arc consistency (AC-3, generalised to larger factors) after
        every assignment, ``forward`` checks only the factors of the variable, ``none`` tests
        factors whose variables are assigned.
    variable_order
        ``first`` in the order of the graph; ``mrv``, the minimum of remaining values;
        ``mrv+degree``, ties to the one that is bound to the most open variables; ``dom/wdeg`` (the
        default), the remaining values in proportion to how often the factors of the variable
        failed.
    value_order
        ``natural`` (the default) ascending, ``lcv`` the least constraining value, ``random`` by lot
        (ties between variables, too).
    all_different
        How hard MAC looks at an all-different: ``singles`` (the default), naked and hidden;
        ``hall``, also naked pairs, triples …; ``matching``, whatever follows from the factor alone.
    restart
        ``never`` (the default); ``geometric``, after more and more backtracks, keeping the weights
        of dom/wdeg; or ``when stuck``, at the first dead end. There is none after the first
        solution. The last is no way to solve a puzzle: it can go on for ever, and if there is no
        solution it does.
    trace
        How many events to record.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> for name in "xyz":
    ...     builder.variable(name, range(1, 4))
    >>> _ = builder.factor(AllDifferent(("x", "y", "z")))
    >>> with Search(inference="forward", variable_order="mrv").compile(builder.build()) as session:
    ...     list(session.solutions({"x": (1,), "y": (1, 2)}))
    [{'x': 1, 'y': 2, 'z': 3}]
    """

    name: ClassVar[str] = "search"
    summary: ClassVar[str] = (
        "constraint propagation and backtracking (AC-3, MAC, MRV, dom/wdeg, LCV)"
    )
    abilities: ClassVar[tuple[str, ...]] = ("seed", "trace", "counting in the kernel", "batches")

    def __init__(
        self,
        *,
        inference: str | None = None,
        variable_order: str | None = None,
        value_order: str | None = None,
        all_different: str | None = None,
        restart: str | None = None,
        trace: int = 0,
    ) -> None:
        options = {
            "inference": inference,
            "variable_order": variable_order,
            "value_order": value_order,
            "all_different": all_different,
            "restart": restart,
        }
        self._free = trace == 0 and all(option is None for option in options.values())
        left_out = _BEST if self._free else _PLAIN
        chosen = {name: left_out[name] if x is None else x for name, x in options.items()}
        self._settings = {
            setting: _choice(name, chosen[name], choices)
            for name, (setting, choices) in _OPTIONS.items()
        }
        if chosen["all_different"] != "singles" and inference not in (None, "mac"):
            raise BackendError(
                f"backend search: all_different={all_different!r} needs inference='mac', "
                f"not {inference!r}"
            )
        if restart == "when stuck" and value_order != "random":
            raise BackendError(
                "backend search: restart='when stuck' needs value_order='random', "
                "or every run would be the same"
            )
        if not isinstance(trace, int) or not 0 <= trace <= 10_000_000:
            raise BackendError(
                f"backend search: trace={trace!r} must be a number of events, 0 to 10,000,000"
            )
        self._trace = trace

    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> SearchSession:
        """Encode the graph in flat arrays; the first time, compile the kernels, too."""
        started = time.perf_counter()
        hall = self._settings[m.STRENGTH] != SINGLES
        arrays = encode(graph, hall=hall, progress=lambda: check_deadline(deadline))
        boards = shape(arrays) if self._free and _has_rules_all_over(arrays) else None
        if boards:
            memory, engine = lay_out_boards(arrays, boards), BOARDS[boards]
        else:
            memory, engine = lay_out(arrays.network, self._trace), DOMAINS
            for setting, choice in self._settings.items():
                memory.ints[setting] = choice
        engine.warm_up(memory)
        check_deadline(deadline)
        divide = partial(self._count_divided, graph) if self._free else None
        return SearchSession(arrays, memory, engine, divide, time.perf_counter() - started)

    def _count_divided(
        self, graph: nx.Graph, restrict: Restriction, deadline: float | None
    ) -> Share | None:
        """Count the solutions part by part, if the graph falls apart or has symmetric values."""

        def count(part: nx.Graph) -> Share:
            try:
                session = self.compile(part, deadline=deadline)
            except OutOfTime:
                return Share(0, [], complete=False)
            found = session.solutions(deadline=deadline)
            drained = found.pass_over(None)
            return Share(drained.count, drained.sample, found.complete)

        return count_divided(restricted(graph, restrict), count)

    def version(self) -> str:
        """The version of the compiler behind it."""
        return f"numba {version('numba')}"


def _has_rules_all_over(arrays: ConstraintArrays) -> bool:
    """Whether there are no relations, or at least one for each variable.

    Those of a few lines or dots take longer to lay out on boards than to search without.
    """
    relations = int(np.count_nonzero(arrays.network.kind == RELATION)) // 2  # each is two arcs
    return relations == 0 or relations >= len(arrays.names)


def _choice(option: str, value: object, choices: dict[str, int]) -> int:
    if not isinstance(value, str) or value not in choices:
        raise BackendError(
            f"backend search: {option}={value!r} must be one of {', '.join(map(repr, choices))}"
        )
    return choices[value]
