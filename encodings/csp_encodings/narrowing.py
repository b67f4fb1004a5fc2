"""Constraint graph to a smaller one: values that givens rule out by all-different factors alone.

Large grids of which much is given have few open values. A solver finds that out by itself, but the
clauses of an encoding are written down before that.
"""

from __future__ import annotations

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from csp_encodings.factors import AllDifferent
from csp_encodings.graph import domains, factors, restricted_view


def narrowed(graph: nx.Graph) -> nx.Graph:
    """The graph without values that naked and hidden singles rule out; its solutions are the same.

    A value of a variable that has no other is taken from the variables that must differ from it;
    and in a permutation, a value that one variable alone may take is taken by it. A contradiction
    leaves a variable without a value.

    Examples
    --------
    >>> from csp_encodings.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> for name, domain in {"x": (1,), "y": (1, 2), "z": (1, 2, 3)}.items():
    ...     builder.variable(name, domain)
    >>> _ = builder.factor(AllDifferent(("x", "y", "z")))
    >>> domains(narrowed(builder.build()))
    {'x': (1,), 'y': (2,), 'z': (3,)}
    """
    before = domains(graph)
    if all(len(domain) > 1 for domain in before.values()):
        return graph
    values = sorted({value for domain in before.values() for value in domain})
    column = {value: i for i, value in enumerate(values)}
    row = {variable: i for i, variable in enumerate(before)}
    allowed = np.zeros((len(row), len(values)), np.bool_)
    for variable, domain in before.items():
        allowed[row[variable], [column[value] for value in domain]] = True
    groups = [
        np.array([row[variable] for variable in factor.scope])
        for factor in factors(graph).values()
        if isinstance(factor, AllDifferent) and len(set(factor.scope)) == len(factor.scope)
    ]
    _narrow(allowed, groups)
    kept = {
        variable: [values[i] for i in np.flatnonzero(allowed[row[variable]])]
        for variable, domain in before.items()
        if len(domain) > np.count_nonzero(allowed[row[variable]])
    }
    return restricted_view(graph, kept)


def _narrow(allowed: NDArray[np.bool_], groups: list[NDArray[np.int64]]) -> None:
    """Clear what singles rule out, until nothing changes."""
    left = -1
    while left != (left := int(np.count_nonzero(allowed))):
        for group in groups:
            here = allowed[group]
            single = here.sum(axis=1) == 1
            taken = here[single].any(axis=0)
            here[np.ix_(~single, taken)] = False
            places = here.sum(axis=0)
            if np.count_nonzero(places) == len(group):  # a permutation
                hidden = (places == 1) & ~taken
                # A place that two values need is left with none.
                for place, value in zip(
                    here[:, hidden].argmax(axis=0), np.flatnonzero(hidden), strict=True
                ):
                    here[place, np.arange(here.shape[1]) != value] = False
            allowed[group] = here
