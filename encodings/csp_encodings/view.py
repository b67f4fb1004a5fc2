"""A constraint graph that is only to be read: its edges are made when they are first looked at.

Encoders read the factors, and seldom the edges. To make these can take longer than to solve.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import networkx as nx

from csp_encodings.factors import Factor, positions


class GraphView(nx.Graph):  # type: ignore[misc]  # networkx has no types
    """A networkx graph whose nodes are there, and whose edges follow from factors."""

    @classmethod
    def of(
        cls,
        nodes: dict[Any, dict[str, Any]],
        factors: Mapping[Any, Factor],
        graph: nx.Graph | None = None,
    ) -> GraphView:
        """Return a graph of these nodes, with the edges of a graph and of further factors."""
        view = cls()
        view._node = nodes
        view._further = factors, graph
        if graph is not None:
            view.graph = graph.graph
        del view.__dict__["_adj"]
        nx.freeze(view)
        return view

    @cached_property
    def _adj(self) -> dict[Any, dict[Any, dict[str, Any]]]:
        """The edges as networkx has them; those at the same place of a scope share attributes."""
        factors, graph = self._further
        known: dict[Any, dict[Any, dict[str, Any]]] = {} if graph is None else graph._adj
        if not factors and graph is not None:
            return known
        adjacent = {node: dict(known.get(node, ())) for node in self._node}
        places: list[dict[str, Any]] = []
        for node, factor in factors.items():
            scope = factor.scope
            places += [{"positions": (i,)} for i in range(len(places), len(scope))]
            edges = dict(zip(scope, places, strict=False))
            if len(edges) < len(scope):
                edges = {v: {"positions": where} for v, where in positions(factor).items()}
            adjacent[node] = edges
            for variable, edge in edges.items():
                adjacent[variable][node] = edge
        return adjacent
