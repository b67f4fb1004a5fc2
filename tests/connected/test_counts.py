"""Counts of connected things that are known, or that networkx gives by plain enumeration."""

from itertools import chain, combinations

import networkx as nx
import pytest
from pysat.solvers import Solver

from csp_encodings.automaton import Automaton
from csp_encodings.cnf import encode
from csp_encodings.factors import Connected, Linear, Regular
from csp_encodings.graph import graph_of
from csp_sudoku import backends

ALL = ("sat", "cpsat", "lp", "dlx", "search", "textbook")
FAST = ("sat", "dlx", "search")
BIT = (0, 1)


def grid(rows, columns):
    return nx.grid_2d_graph(rows, columns)


def blocks(rows, columns):
    return [
        ((r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1))
        for r in range(rows - 1)
        for c in range(columns - 1)
    ]


def count(graph, backend):
    with backends.get(backend).compile(graph) as session:
        return sum(1 for _ in session.solutions())


def regions(rows, columns, size):
    """Partitions into connected regions of a size, which are numbered by their first cells."""
    cells = grid(rows, columns)
    number = rows * columns // size
    labels = range(number)

    def step(used, label):
        return None if label > used else max(used, label + 1)

    growing = Automaton.from_fold([labels] * len(cells), 0, step, lambda used: used == number)
    connected = Connected.of(cells, [(label,) for label in labels], size)
    return graph_of(dict.fromkeys(cells, tuple(labels)), connected, Regular(tuple(cells), growing))


def yin_yang(rows, columns):
    cells = grid(rows, columns)
    mixed = Automaton.from_predicate([BIT] * 4, lambda *four: len({*four}) > 1)
    rules = [Regular(block, mixed) for block in blocks(rows, columns)]
    return graph_of(dict.fromkeys(cells, BIT), Connected.of(cells, ((0,), (1,))), *rules)


def loops_of_cells(rows, columns):
    """Loops of cells around something, which do not touch themselves, not even at a corner."""
    cells = grid(rows, columns)
    rules = [Linear((1,) * len(cells), tuple(cells), 1, None), Connected.of(cells, ((1,),))]
    for cell, near in cells.adjacency():
        two = Automaton.from_predicate(
            [BIT] * (len(near) + 1), lambda own, *others: not own or sum(others) == 2
        )
        rules.append(Regular((cell, *near), two))
    apart = Automaton.from_predicate(
        [BIT] * 4, lambda *four: four not in {(1, 1, 1, 1), (0, 1, 1, 0), (1, 0, 0, 1)}
    )
    rules += [Regular(block, apart) for block in blocks(rows, columns)]
    return graph_of(dict.fromkeys(cells, BIT), *rules)


def cycles(rows, columns):
    """Cycles of edges: two at a vertex, or none, and all connected where they meet."""
    edges = nx.line_graph(grid(rows, columns))
    rules = [Linear((1,) * len(edges), tuple(edges), 1, None), Connected.of(edges, ((1,),))]
    for vertex in grid(rows, columns):
        own = tuple(edge for edge in edges if vertex in edge)
        even = Automaton.from_predicate([BIT] * len(own), lambda *bits: sum(bits) in (0, 2))
        rules.append(Regular(own, even))
    return graph_of(dict.fromkeys(edges, BIT), *rules)


def connected_sets(rows, columns):
    cells = grid(rows, columns)
    return graph_of(dict.fromkeys(cells, BIT), Connected.of(cells, ((1,),)))


@pytest.mark.parametrize("backend", ALL)
@pytest.mark.parametrize(
    ("graph", "number"),
    [
        (regions(3, 3, 3), 10),
        (regions(3, 4, 3), 23),
        (regions(3, 4, 4), 23),
        (yin_yang(3, 3), 34),
        (yin_yang(3, 4), 50),
        (loops_of_cells(3, 4), 3),
        (loops_of_cells(4, 4), 13),
        (cycles(3, 3), 13),
        (connected_sets(2, 2), 14),
    ],
)
def test_small_counts(graph, number, backend):
    assert count(graph, backend) == number


@pytest.mark.parametrize("backend", FAST)
@pytest.mark.parametrize(
    ("graph", "number"),
    [
        (regions(4, 4, 4), 117),
        (yin_yang(4, 4), 96),
        (cycles(4, 4), 213),
        (connected_sets(3, 3), 219),
        (connected_sets(2, 5), 276),
    ],
)
def test_larger_counts(graph, number, backend):
    assert count(graph, backend) == number


def test_cycles_of_five_by_five_vertices():
    """OEIS A140517, the fourth number."""
    assert count(cycles(5, 5), "search") == 9349


def test_connected_sets_by_enumeration():
    for rows, columns in ((3, 3), (2, 5)):
        cells = grid(rows, columns)
        every = chain.from_iterable(combinations(cells, k) for k in range(1, len(cells) + 1))
        expected = 1 + sum(nx.is_connected(cells.subgraph(some)) for some in every)
        assert count(connected_sets(rows, columns), "search") == expected


def test_cycles_by_enumeration():
    for side, expected in ((3, 13), (4, 213)):
        assert len(list(nx.simple_cycles(grid(side, side)))) == expected


@pytest.mark.parametrize(
    "graph", [yin_yang(3, 4), regions(3, 3, 3), connected_sets(3, 3), cycles(3, 3)]
)
def test_the_values_determine_every_variable_of_the_formula(graph):
    """So the formula has a model for each solution, and any counter of models counts right."""
    formula = encode(graph)
    with Solver("minisat22", bootstrap_with=map(list, formula.clauses)) as solver:
        models = [tuple(sorted(formula.decode(m).items())) for m in solver.enum_models()]
    assert len(models) == len({*models}) == count(graph, "search")
