"""The `sat` backend: the graph as CNF on any usable solver of PySAT."""

from __future__ import annotations

import time
from typing import ClassVar

import networkx as nx

from csp_encodings.at_most_one import ENCODINGS, suitable
from csp_encodings.cnf import encode
from csp_encodings.graph import domains, factors
from csp_sudoku.backends.base import Backend, check_deadline
from csp_sudoku.backends.sat_session import SatSession
from csp_sudoku.backends.sat_solvers import DEFAULT_SOLVER, SOLVERS, known_solver
from csp_sudoku.errors import BackendError

# Above this many variables, the clauses leave out what the givens rule out: a 36×36 with half of
# its cells given has a tenth of its literals left, few enough for pairs. And the solver gets
# guesses there.
_LARGE = 1_000


class Sat(Backend):
    """CNF on a SAT solver.

    Where a large graph of differences and relations takes long, a local search works beside the
    solver, in its own thread. The solver then tries first what it finds, see
    :mod:`csp_sudoku.backends.guesses`. With a seed or a hint there is no local search.

    Parameters
    ----------
    solver
        A solver of PySAT, one of :data:`SOLVERS`, by any of its names in PySAT.
    at_most_one
        The encoding of at-most-one constraints (see :func:`csp_encodings.cnf.encode`); default:
        what suits the solver and the graph.
    redundant
        Whether to add clauses that every value of a permutation occurs. That follows anyway, but
        it propagates more.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> for name in "xyz":
    ...     builder.variable(name, range(1, 4))
    >>> _ = builder.factor(AllDifferent(("x", "y", "z")))
    >>> with Sat().compile(builder.build()) as session:
    ...     list(session.solutions({"x": (1,), "y": (1, 2)}))
    [{'x': 1, 'y': 2, 'z': 3}]
    """

    name: ClassVar[str] = "sat"
    summary: ClassVar[str] = "CNF on a SAT solver (PySAT)"
    abilities: ClassVar[tuple[str, ...]] = ("seed", "hints", "cores", "proofs")

    def __init__(
        self,
        solver: str = DEFAULT_SOLVER,
        at_most_one: str | None = None,
        redundant: bool = True,
    ) -> None:
        self.solver = known_solver(solver)
        self.at_most_one = at_most_one
        self.redundant = redundant
        native = SOLVERS[self.solver].native
        if at_most_one not in (None, "native", *ENCODINGS):
            raise BackendError(
                f"sat: no at-most-one encoding {at_most_one!r}; "
                f"there are {', '.join(ENCODINGS)} and native"
            )
        if at_most_one == "native" and not native:
            able = ", ".join(name for name, traits in SOLVERS.items() if traits.native)
            raise BackendError(f"sat: {self.solver} has no at-most constraints; these have: {able}")

    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> SatSession:
        """Encode the graph and load it into the solver."""
        started = time.perf_counter()
        large = len(domains(graph)) > _LARGE
        if large:
            from csp_encodings.narrowing import narrowed

            graph = narrowed(graph)
        cnf = encode(
            graph,
            at_most_one=self.at_most_one or self._suitable(graph),
            redundant=self.redundant,
            progress=lambda: check_deadline(deadline),
        )
        guided = graph if large else None
        return SatSession(cnf, self.solver, started, deadline, guided=guided)

    def version(self) -> str:
        """Return the version of PySAT."""
        from importlib.metadata import version

        return f"python-sat {version('python-sat')}"

    def _suitable(self, graph: nx.Graph) -> str:
        if SOLVERS[self.solver].native:
            return "native"
        open_to = {variable: len(domain) > 1 for variable, domain in domains(graph).items()}
        groups = [sum(open_to[v] for v in factor.scope) for factor in factors(graph).values()]
        widest = max(map(len, domains(graph).values()), default=0)
        return suitable(max(widest, *groups, 0))
