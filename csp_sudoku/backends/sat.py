"""The `sat` backend: the graph as CNF on any usable solver of PySAT."""

from __future__ import annotations

import time
from typing import ClassVar

import networkx as nx

from csp_encodings.at_most_one import ENCODINGS
from csp_encodings.cnf import encode
from csp_encodings.factors import Linear, Regular
from csp_encodings.graph import Auxiliary, domains, factors
from csp_encodings.implied import with_implied
from csp_encodings.regions import NAME
from csp_sudoku.backends.base import Backend, within_deadline
from csp_sudoku.backends.sat_session import SatSession
from csp_sudoku.backends.sat_solvers import (
    DEFAULT_SOLVER,
    MOST_FOR_SUMS,
    SOLVER_FOR_SUMS,
    SOLVERS,
    known_solver,
)
from csp_sudoku.errors import BackendError

# Above this many variables, the clauses leave out what the givens rule out: a 36×36 with half of
# its cells given has a tenth of its literals left, few enough for pairs. And the solver gets
# guesses there.
_LARGE = 1_000


class Sat(Backend):
    """CNF on a SAT solver.

    Where a large graph of differences and relations takes long, a local search works in turns with
    the solver, which then tries first what it finds, see :mod:`csp_sudoku.backends.guesses`. With a
    seed or a hint there is no local search.

    Parameters
    ----------
    solver
        A solver of PySAT, one of :data:`SOLVERS`, by any of its names in PySAT; default: what
        suits the graph.
    at_most_one
        The encoding of at-most-one constraints (see :func:`csp_encodings.cnf.encode`); default:
        what suits the solver and the graph.
    redundant
        Whether to add clauses that every value of a permutation occurs. That follows anyway, but
        it propagates more.
    implied
        Whether to add sums that follow from houses and sums together (the default), see
        :func:`csp_encodings.implied.with_implied`.
    names
        Whether regions to be found get second names, too: it decides hard puzzles, and costs more
        than many an easy one takes. See :mod:`csp_encodings.regions`.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xyz", range(1, 4)), AllDifferent(("x", "y", "z")))
    >>> with Sat().compile(graph) as session:
    ...     list(session.solutions({"x": (1,), "y": (1, 2)}))
    [{'x': 1, 'y': 2, 'z': 3}]
    """

    name: ClassVar[str] = "sat"
    summary: ClassVar[str] = "CNF on a SAT solver (PySAT)"
    abilities: ClassVar[tuple[str, ...]] = ("seed", "hints", "cores", "proofs")

    def __init__(
        self,
        solver: str | None = None,
        at_most_one: str | None = None,
        redundant: bool = True,
        implied: bool = True,
        names: bool = False,
    ) -> None:
        self.solver = None if solver is None else known_solver(solver)
        self.at_most_one = at_most_one
        self.redundant = redundant
        self.implied = implied
        self.names = names
        if at_most_one not in (None, "native", *ENCODINGS):
            raise BackendError(
                f"sat: no at-most-one encoding {at_most_one!r}; "
                f"there are {', '.join(ENCODINGS)} and native"
            )
        if at_most_one == "native" and self.solver and not SOLVERS[self.solver].native:
            able = ", ".join(name for name, traits in SOLVERS.items() if traits.native)
            raise BackendError(f"sat: {self.solver} has no at-most constraints; these have: {able}")

    @within_deadline
    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> SatSession:
        """Encode the graph and load it into the solver."""
        started = time.perf_counter()
        large = len(domains(graph)) > _LARGE
        if self.implied:
            graph = with_implied(graph, names=self.names)
        if large:
            from csp_encodings.narrowing import narrowed

            graph = narrowed(graph)
        solver = self.solver or _suitable_solver(graph)
        cnf = encode(
            graph,
            at_most_one=self.at_most_one or ("native" if SOLVERS[solver].native else None),
            redundant=self.redundant,
        )
        guided = graph if large else None
        return SatSession(cnf, solver, started, deadline, guided=guided)

    def version(self) -> str:
        """Return the version of PySAT."""
        from importlib.metadata import version

        return f"python-sat {version('python-sat')}"


def _suitable_solver(graph: nx.Graph) -> str:
    has_sums = any(isinstance(factor, Linear | Regular) for factor in factors(graph).values())
    size = sum(map(len, domains(graph).values()))
    # Regions with second names: of three hard puzzles MiniCard does not decide one that this does.
    is_named = any(isinstance(v, Auxiliary) and v.label == NAME for v in domains(graph))
    is_suitable = has_sums and (is_named or size <= MOST_FOR_SUMS)
    return SOLVER_FOR_SUMS if is_suitable else DEFAULT_SOLVER
