"""AC-3 alone: make a constraint graph arc consistent, without any search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import networkx as nx

from csp_encodings.arrays import encode


@dataclass(frozen=True, slots=True)
class Ac3Result:
    """What AC-3 leaves.

    Attributes
    ----------
    domains
        The values left of every variable, auxiliaries included.
    consistent
        False if a factor cannot be satisfied: there is no solution, and the domains are what was
        left when that showed.
    solved
        True if every variable has one value left: these are the solution.
    revisions
        How often an arc was revised.
    """

    domains: dict[Any, tuple[int, ...]]
    consistent: bool
    solved: bool
    revisions: int


def ac3(graph: Any) -> Ac3Result:
    """Revise all arcs until nothing changes (A. K. Mackworth 1977).

    An all-different counts as an arc in each direction between any two of its variables, as in the
    textbooks: it removes a value from the others once a variable has no other value. An automaton
    or a sum counts as one arc that revises its whole scope.

    Parameters
    ----------
    graph
        A constraint graph, or whatever has one as its attribute ``graph``, such as a puzzle.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> for name, domain in {"x": (1,), "y": (1, 2), "z": (1, 2, 3)}.items():
    ...     builder.variable(name, domain)
    >>> _ = builder.factor(AllDifferent(("x", "y", "z")))
    >>> ac3(builder.build())
    Ac3Result(domains={'x': (1,), 'y': (2,), 'z': (3,)}, consistent=True, solved=True, revisions=7)
    """
    # Here, because they load Numba.
    from csp_sudoku.kernels import memory as m
    from csp_sudoku.kernels import search as kernel
    from csp_sudoku.kernels.batch import NO_BATCH, search_domains
    from csp_sudoku.kernels.propagation import MAC

    arrays = encode(graph if isinstance(graph, nx.Graph) else graph.graph, binary=True)
    memory = m.lay_out(arrays.network)
    memory.ints[m.INFERENCE] = MAC
    # The root of a search that maintains arc consistency, and no step further.
    search_domains(memory.ints, memory.sets, NO_BATCH, 1, 0)
    domains = arrays.candidates(memory.domain)
    consistent = bool(memory.ints[m.MODE] != kernel.END)
    return Ac3Result(
        domains,
        consistent,
        consistent and all(len(values) == 1 for values in domains.values()),
        int(memory.ints[m.REVISIONS]),
    )
