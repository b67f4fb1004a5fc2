"""The `sat` backend: the graph as CNF on any usable solver of PySAT."""

from __future__ import annotations

import time
from typing import ClassVar

import networkx as nx

from csp_encodings.at_most_one import ENCODINGS
from csp_encodings.cnf import encode
from csp_encodings.graph import domains, factors
from csp_sudoku.backends.base import Backend, check_deadline
from csp_sudoku.backends.sat_session import SatSession
from csp_sudoku.backends.sat_solvers import DEFAULT_SOLVER, SOLVERS, known_solver
from csp_sudoku.errors import BackendError

# From so many variables on, what givens rule out is left out of the clauses: a 36×36 with half of
# its cells given has a tenth of its literals left, few enough for pairs. And there the solver gets
# guesses.
_LARGE = 1_000


class Sat(Backend):
    """CNF on a SAT solver.

    Where a large graph of differences and relations takes long, a local search works beside the
    solver, in a thread of its own; what it finds the solver then tries first, see
    :mod:`csp_sudoku.backends.guesses`. Not with a seed or a hint.

    Parameters
    ----------
    solver
        A solver of PySAT, by any name that PySAT knows it by; one of :data:`SOLVERS`.
    at_most_one
        The encoding of at-most-one constraints (see :func:`csp_encodings.cnf.encode`); what suits
        the solver and the graph by default.
    redundant
        Whether to say that every value of a permutation occurs, which follows but propagates more.

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
            raise BackendError(f"sat: {self.solver} has no at-most constraints; {able} have")

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
        """The version of PySAT."""
        from importlib.metadata import version

        return f"python-sat {version('python-sat')}"

    def _suitable(self, graph: nx.Graph) -> str:
        if SOLVERS[self.solver].native:
            return "native"
        # Pairs propagate best, and their number is bearable up to a 25×25.
        open_to = {variable: len(domain) > 1 for variable, domain in domains(graph).items()}
        groups = [sum(open_to[v] for v in factor.scope) for factor in factors(graph).values()]
        widest = max(map(len, domains(graph).values()), default=0)
        return "pairwise" if max(widest, *groups, 0) <= 25 else "product"
