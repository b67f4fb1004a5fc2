"""What follows from two connected classes in the plane: around a face they change twice at most.

Otherwise two vertices of one class and two of the other would stand crosswise around the face, and
paths that join each two would have to cross. In a grid this says that no 2×2 is a checkerboard, and
that the border has at most one run of each class. Solvers need a long search to see it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import networkx as nx

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Connected, Domain, Regular
from csp_encodings.graph import FactorId, domains, factors
from csp_encodings.store import kept


def planar_facts(graph: nx.Graph) -> Iterator[tuple[Regular, tuple[FactorId, ...]]]:
    """Yield factors that follow from connected factors, each with those that it follows from.

    Connected factors over the same graph count together. Faces of four are looked at in any case,
    larger ones if each of their vertices is in a class.

    Examples
    --------
    >>> from csp_encodings.graph import graph_of
    >>> square = Connected.of(nx.cycle_graph("abcd"), [(0,), (1,)])
    >>> facts = planar_facts(graph_of(dict.fromkeys("abcd", (0, 1)), square))
    >>> [(factor.scope, factor.automaton.count()) for factor, _ in facts]
    [(('a', 'd', 'c', 'b'), 14), (('a', 'b', 'c', 'd'), 14)]
    """
    alike: dict[Any, dict[FactorId, Connected]] = {}
    for node, factor in factors(graph).items():
        if isinstance(factor, Connected):
            alike.setdefault((factor.scope, factor.edges), {})[node] = factor
    domain_of = domains(graph)
    for (scope, edges), several in alike.items():
        classes = [values for factor in several.values() for values in factor.classes]
        if len(classes) != 2 or not set(classes[0]).isdisjoint(classes[1]):
            continue
        for face in faces(len(scope), edges):
            own = tuple([scope[vertex] for vertex in face])
            machine = _two_changes(tuple([domain_of[v] for v in own]), classes[0], classes[1])
            if machine is not None:
                yield Regular(own, machine), tuple(several)


@kept(size=2_000)
def _two_changes(
    alphabets: tuple[Domain, ...], first: tuple[int, ...], second: tuple[int, ...]
) -> Automaton | None:
    """The automaton of the values of a face, if there is something to say."""
    number = dict.fromkeys(first, 0) | dict.fromkeys(second, 1)
    if len(alphabets) == 4:
        return Automaton.from_predicate(
            alphabets,
            lambda *four: [number.get(value) for value in four] not in ([0, 1, 0, 1], [1, 0, 1, 0]),
        )
    if any(value not in number for alphabet in alphabets for value in alphabet):
        return None

    def step(state: tuple[int, int, int], value: int) -> tuple[int, int, int] | None:
        start, last, changes = state
        new = number[value]
        if start < 0:
            return new, new, 0
        changes += new != last
        return (start, new, changes) if changes <= 2 else None

    return Automaton.from_fold(
        alphabets, (-1, -1, 0), step, lambda state: state[2] + (state[0] != state[1]) <= 2
    )


def faces(size: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the faces of a graph that have four vertices or more, each once; none if not planar.

    Examples
    --------
    >>> faces(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    [[0, 3, 2, 1], [0, 1, 2, 3]]
    """
    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(edges)
    planar, embedding = nx.check_planarity(graph)
    if not planar:
        return []
    seen: set[tuple[int, int]] = set()
    found = [
        embedding.traverse_face(a, b, seen) for a, b in embedding.edges() if (a, b) not in seen
    ]
    return [face for face in found if 4 <= len(face) == len(set(face))]
