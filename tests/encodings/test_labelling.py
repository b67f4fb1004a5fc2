"""Canonical labellings: equal matrices exactly for isomorphic graphs, as networkx judges them."""

from __future__ import annotations

from itertools import combinations
from random import Random

import networkx as nx
import pytest

from csp_encodings.errors import BudgetError
from csp_encodings.labelling import label


def matrix(graph, colours=None):
    place = {vertex: i for i, vertex in enumerate(graph)}
    numbers = [0 if colours is None else colours[vertex] for vertex in graph]
    return label(numbers, [(place[a], place[b]) for a, b in graph.edges]).matrix


def renamed(graph, rng):
    vertices = list(graph)
    numbers = rng.sample(range(100, 100 + len(vertices)), len(vertices))
    names = dict(zip(vertices, numbers, strict=True))
    other = nx.Graph()
    other.add_nodes_from(sorted(names.values(), key=lambda _: rng.random()))
    other.add_edges_from((names[a], names[b]) for a, b in graph.edges)
    return other, names


def test_all_graphs_with_up_to_five_vertices():
    """1, 2, 4, 11 and 34 graphs without names (OEIS A000088)."""
    for size, classes in enumerate([1, 2, 4, 11, 34], 1):
        pairs = [*combinations(range(size), 2)]
        found = set()
        for chosen in range(2 ** len(pairs)):
            edges = [pair for i, pair in enumerate(pairs) if chosen >> i & 1]
            found.add(label([0] * size, edges).matrix)
        assert len(found) == classes


# Graphs in which every vertex looks like every other one, or nearly so.
REGULAR = {
    "nothing": nx.empty_graph(70),
    "Petersen": nx.petersen_graph(),
    "cube": nx.hypercube_graph(4),
    "grid": nx.grid_2d_graph(5, 5, periodic=True),
    "two triangles": nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)),
    "hexagon": nx.cycle_graph(6),
    "rook": nx.line_graph(nx.complete_bipartite_graph(4, 4)),
    "Shrikhande": nx.Graph(
        ((a, b), ((a + x) % 4, (b + y) % 4))
        for a in range(4) for b in range(4) for x, y in ((0, 1), (1, 0), (1, 1))
    ),
    "random cubic": nx.random_regular_graph(3, 40, seed=1),
    "Sudoku": nx.sudoku_graph(3),
}  # fmt: skip


@pytest.mark.parametrize("name", REGULAR)
def test_renamed_graphs(name):
    rng = Random(name)
    for _ in range(3):
        other, _ = renamed(REGULAR[name], rng)
        assert matrix(other) == matrix(REGULAR[name])


def test_graphs_that_refinement_cannot_tell_apart():
    assert matrix(REGULAR["two triangles"]) != matrix(REGULAR["hexagon"])
    assert matrix(REGULAR["rook"]) != matrix(REGULAR["Shrikhande"])


@pytest.mark.parametrize("seed", range(60))
def test_random_coloured_graphs(seed):
    rng = Random(seed)
    size = rng.randrange(1, 9)
    one = nx.gnp_random_graph(size, rng.random(), seed=seed)
    other, names = renamed(one, rng)
    colours = {vertex: rng.randrange(3) for vertex in one}
    others = {names[vertex]: colour for vertex, colour in colours.items()}
    assert matrix(one, colours) == matrix(other, others)
    if other.number_of_edges():
        other.remove_edge(*rng.choice([*other.edges]))
        other.add_edge(*rng.choice([*nx.non_edges(other)]))
    nx.set_node_attributes(one, colours, "colour")
    nx.set_node_attributes(other, others, "colour")
    same = nx.is_isomorphic(one, other, node_match=lambda a, b: a["colour"] == b["colour"])
    assert (matrix(one, colours) == matrix(other, others)) is same


def test_too_deep():
    with pytest.raises(BudgetError, match="too large or too regular"):
        matrix(nx.empty_graph(400))
