"""The `search` backend: hand-written constraint propagation and backtracking."""

from __future__ import annotations

import time
from importlib.metadata import version
from typing import ClassVar

import networkx as nx

from csp_encodings.arrays import encode
from csp_encodings.houses import Houses
from csp_encodings.implied import with_implied
from csp_encodings.network import ALL_DIFFERENT, Network
from csp_sudoku.backends.base import Backend, check_deadline, within_deadline
from csp_sudoku.backends.search_session import Engine, SearchSession, divided, sow
from csp_sudoku.errors import BackendError
from csp_sudoku.kernels.batch import search_domains
from csp_sudoku.kernels.domains import new_domains
from csp_sudoku.kernels.orders import (
    CONFLICTS,
    DOM_WDEG,
    FIRST,
    LCV,
    MRV,
    MRV_DEGREE,
    NATURAL,
    RANDOM,
)
from csp_sudoku.kernels.propagation import FORWARD, MAC, NO_INFERENCE
from csp_sudoku.kernels.records import pack
from csp_sudoku.kernels.revision import HALL, MATCHING, SINGLES
from csp_sudoku.kernels.search import GEOMETRIC, NEVER, WHEN_STUCK

__all__ = ["Search", "SearchSession"]

INFERENCES = {"none": NO_INFERENCE, "forward": FORWARD, "mac": MAC}
VARIABLE_ORDERS = {
    "first": FIRST,
    "mrv": MRV,
    "mrv+degree": MRV_DEGREE,
    "dom/wdeg": DOM_WDEG,
    "conflicts": CONFLICTS,
}
VALUE_ORDERS = {"natural": NATURAL, "lcv": LCV, "random": RANDOM}
STRENGTHS = {"singles": SINGLES, "hall": HALL, "matching": MATCHING}
RESTARTS = {"never": NEVER, "geometric": GEOMETRIC, "when stuck": WHEN_STUCK}

_CHOICES = {
    "inference": INFERENCES,
    "variable_order": VARIABLE_ORDERS,
    "value_order": VALUE_ORDERS,
    "all_different": STRENGTHS,
    "restart": RESTARTS,
}


# On larger grids no order of variables is always the better one.
_FEW = 128


class Search(Backend):
    """Backtracking with the choices of a textbook, each of them an option.

    Parameters
    ----------
    inference
        ``mac`` (the default) maintains arc consistency (AC-3, generalised to larger factors) after
        every assignment, ``forward`` checks only the factors of the variable, ``none`` tests
        factors whose variables are assigned.
    variable_order
        ``first`` in the order of the graph; ``mrv``, the minimum of remaining values;
        ``mrv+degree``, ties to the one that is bound to the most open variables; ``dom/wdeg``, the
        remaining values in proportion to how often the factors of the variable failed;
        ``conflicts`` (the default), in proportion to how often they failed lately. The last one
        branches on one value, taken or not, and also on where a value goes in a house. This needs
        MAC and the natural order of values; with others it is dom/wdeg. So it is where up to 128
        variables have only to differ: there it is quicker.
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
    divide
        Whether large counts are divided (the default), see :mod:`csp_encodings.division`;
        otherwise every solution is looked for.
    implied
        Whether to add sums that follow from houses and sums together (the default), see
        :func:`csp_encodings.implied.with_implied`.
    trace
        How many events to record; by default none.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xyz", range(1, 4)), AllDifferent(("x", "y", "z")))
    >>> with Search(inference="forward", variable_order="mrv").compile(graph) as session:
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
        inference: str = "mac",
        variable_order: str = "conflicts",
        value_order: str = "natural",
        all_different: str = "singles",
        restart: str = "never",
        divide: bool = True,
        implied: bool = True,
        trace: int = 0,
    ) -> None:
        chosen = {
            "inference": inference,
            "variable_order": variable_order,
            "value_order": value_order,
            "all_different": all_different,
            "restart": restart,
        }
        self._settings = {name: _choice(name, value) for name, value in chosen.items()}
        if all_different != "singles" and inference != "mac":
            raise BackendError(
                f"backend search: all_different={all_different!r} needs inference='mac', "
                f"not {inference!r}"
            )
        if restart == "when stuck" and value_order != "random":
            raise BackendError(
                "backend search: restart='when stuck' needs value_order='random', "
                "or every run would be the same"
            )
        for option, value in (("divide", divide), ("implied", implied)):
            if not isinstance(value, bool):
                raise BackendError(f"backend search: {option}={value!r} must be true or false")
        if not isinstance(trace, int) or not 0 <= trace <= 10_000_000:
            raise BackendError(
                f"backend search: trace={trace!r} must be a number of events, 0 to 10,000,000"
            )
        self._divide = divide
        self._implied = implied
        self._trace = trace

    def session_bytes(self, extent: int) -> int:
        return 50_000 + 30 * extent

    @within_deadline
    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> SearchSession:
        """Encode the graph in arrays; the first time, compile the kernels, too."""
        started = time.perf_counter()
        hall = self._settings["all_different"] != SINGLES
        houses = Houses.of(graph)
        more = with_implied(graph, cheap=True, houses=houses) if self._implied else graph
        arrays = encode(more, hall=hall, houses=houses)
        search = new_domains(arrays.network, self._trace)
        sow(search, 0)
        for name, choice in self._settings.items():
            setattr(search, name, choice)
        if search.variable_order == CONFLICTS and _only_differ(arrays.network):
            search.variable_order = DOM_WDEG
        engine = Engine(search_domains, pack(arrays.network), pack(search))
        engine.warm_up()
        check_deadline(deadline)
        divide = divided(graph, self) if self._divide else None
        return SearchSession(arrays, engine, divide, time.perf_counter() - started)

    def version(self) -> str:
        """The version of the compiler behind it."""
        return f"numba {version('numba')}"


def _only_differ(network: Network) -> bool:
    """Whether a few variables have only to differ: two-way branching then costs a quarter more."""
    return len(network.first_word) <= _FEW and bool((network.kind == ALL_DIFFERENT).all())


def _choice(option: str, value: object) -> int:
    choices = _CHOICES[option]
    if not isinstance(value, str) or value not in choices:
        raise BackendError(
            f"backend search: {option}={value!r} must be one of {', '.join(map(repr, choices))}"
        )
    return choices[value]
