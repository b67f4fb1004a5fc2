"""Connected factors on all backends, compared with networkx on small random graphs."""

import random
from itertools import product

import networkx as nx
import pytest
from pysat.solvers import Minisat22

from csp_encodings import serial
from csp_encodings.automaton import DEFAULT_BUDGET
from csp_encodings.connected_clauses import connected_pattern
from csp_encodings.connectivity import supported
from csp_encodings.elimination import connected_tests
from csp_encodings.errors import EncodingError
from csp_encodings.factors import Connected, automaton_of
from csp_encodings.graph import GraphBuilder, graph_of
from csp_encodings.planar import planar_facts
from csp_sudoku import backends

SOLVERS = ("sat", "cpsat", "lp", "dlx", "search", "textbook")


def by_networkx(factor, values):
    """The meaning of the factor, in the words of networkx."""
    graph = nx.Graph(factor.edges)
    graph.add_nodes_from(range(len(factor.scope)))
    for members in factor.classes:
        part = graph.subgraph([i for i, value in enumerate(values) if value in members])
        if factor.largest is not None and len(part) > factor.largest:
            return False
        if len(part) and not nx.is_connected(part):
            return False
    return True


def random_factor(chance, most):
    """A random graph, sparse or dense, with 1-3 classes over domains of its own."""
    size = chance.randint(1, most)
    # Any order of the vertices: a grid that is read along its rows would hide mistakes.
    kind = chance.choice(("tree", "grid", "any", "any"))
    if kind == "tree":
        edges = [(chance.randrange(i), i) for i in range(1, size)]
    elif kind == "grid":
        wide = max(1, round(size**0.5))
        edges = [(i, i + 1) for i in range(size - 1) if (i + 1) % wide]
        edges += [(i, i + wide) for i in range(size - wide)]
    else:
        density = chance.choice((0.15, 0.3, 0.6))
        edges = [(a, b) for a in range(size) for b in range(a) if chance.random() < density]
    order = chance.sample(range(size), size)
    number = chance.randint(1, 3)
    values = chance.sample(range(-2, 5), chance.randint(number, 4))
    classes = [[value] for value in values[:number]]
    for value in values[number:]:
        if chance.random() < 0.4:
            chance.choice(classes).append(value)
    widest = 4 if size <= 7 else 2
    domains = {
        f"v{i}": tuple(sorted(chance.sample(values, chance.randint(1, min(widest, len(values))))))
        for i in range(size)
    }
    largest = chance.choice((None, None, 1, 2, 3, size))
    edges = tuple((order[a], order[b]) for a, b in edges)
    return Connected(tuple(domains), edges, tuple(map(tuple, classes)), largest), domains


def accepted(factor, domains):
    return {values for values in product(*domains.values()) if by_networkx(factor, values)}


def check_random_factor(seed):
    """The meaning of a factor, its automaton and what it supports agree with networkx."""
    factor, domains = random_factor(random.Random(seed), 8)
    expected = accepted(factor, domains)
    everything = set(product(*domains.values()))
    assert {values for values in everything if factor.accepts(values)} == expected
    assert set(automaton_of(factor, domains).tuples()) == expected
    assert serial.loads(serial.dumps(graph_of(domains, factor)), list(domains)) is not None
    # What is supported keeps every solution, and decides once all is set.
    left = supported(factor, list(domains.values()))
    assert all(value in left[i] for values in expected for i, value in enumerate(values))
    for values in everything if len(everything) < 500 else ():
        assert all(supported(factor, [{value} for value in values])) == (values in expected)


@pytest.mark.parametrize("seed", range(100))
def test_accepts_the_automaton_and_the_support_agree_with_networkx(seed):
    check_random_factor(seed)


def check_random_graph(backend, seed, most=9):
    """A backend finds all solutions of a random graph, also within a restriction."""
    chance = random.Random(seed)
    factor, domains = random_factor(chance, most)
    expected = accepted(factor, domains)
    if len(expected) > 500:
        return
    restrict = {
        variable: chance.sample(domain, chance.randint(1, len(domain)))
        for variable, domain in domains.items()
        if chance.random() < 0.3
    }
    with backends.get(backend).compile(graph_of(domains, factor)) as session:
        found = [tuple(s[v] for v in domains) for s in session.solutions()]
        assert len(found) == len(expected), (seed, factor)
        assert set(found) == expected, (seed, factor)
        within = [tuple(s[v] for v in domains) for s in session.solutions(restrict)]
    narrower = {v: restrict.get(v, domain) for v, domain in domains.items()}
    assert sorted(within) == sorted(accepted(factor, narrower)), (seed, factor)


@pytest.mark.parametrize("backend", SOLVERS)
@pytest.mark.parametrize("block", range(4))
def test_all_solutions_of_random_graphs(backend, block):
    for seed in range(10 * block, 10 * block + 10):
        check_random_graph(backend, seed, 6 + 2 * block)


def large_factor(chance):
    """A random graph of 9-12 vertices, some of them set, with few solutions but not too few."""
    while True:
        size = chance.randint(9, 12)
        density = chance.choice((0.2, 0.3, 0.4))
        edges = [(a, b) for a in range(size) for b in range(a) if chance.random() < density]
        values, classes = chance.choice(
            (((0, 1), ((1,),)), ((0, 1), ((0,), (1,))), ((0, 1, 2), ((1,), (2,))))
        )
        open_ = chance.sample(range(size), 9 if len(values) == 2 else 6)
        domains = {f"v{i}": values if i in open_ else (chance.choice(values),) for i in range(size)}
        factor = Connected(
            tuple(domains), tuple(edges), classes, chance.choice((None, None, size // 2, 5))
        )
        if 10 <= len(accepted(factor, domains)) <= 150:
            return factor, domains


@pytest.mark.parametrize("backend", SOLVERS)
@pytest.mark.parametrize("seed", range(8))
def test_all_solutions_of_graphs_up_to_12_vertices(backend, seed):
    factor, domains = large_factor(random.Random(seed))
    with backends.get(backend).compile(graph_of(domains, factor)) as session:
        found = [tuple(s[v] for v in domains) for s in session.solutions()]
    assert sorted(found) == sorted(accepted(factor, domains))


@pytest.mark.parametrize("seed", range(40))
def test_small_factors_say_what_a_connected_factor_says(seed):
    """With their auxiliaries, each of which is a function of the values."""
    factor, domains = random_factor(random.Random(seed), 7)
    builder = GraphBuilder()
    for variable, domain in domains.items():
        builder.variable(variable, domain)
    for test in connected_tests(factor, domains, builder.auxiliary):
        builder.factor(test)
    with backends.get("search").compile(builder.build()) as session:
        found = [tuple(s[v] for v in domains) for s in session.solutions()]
    assert sorted(found) == sorted(accepted(factor, domains))


def random_planar(chance):
    """A planar graph with some edges left out, in any order of its vertices."""
    size = chance.randint(4, 10)
    edges, triangles = [(0, 1), (1, 2), (0, 2)], [(0, 1, 2), (0, 1, 2)]
    for new in range(3, size):
        a, b, c = triangles.pop(chance.randrange(len(triangles)))
        edges += [(a, new), (b, new), (c, new)]
        triangles += [(a, b, new), (b, c, new), (a, c, new)]
    order = chance.sample(range(size), size)
    return size, [(order[a], order[b]) for a, b in edges if chance.random() < 0.6]


def check_random_planar(backends_, seed):
    """What follows for two classes in the plane removes no solution."""
    chance = random.Random(seed)
    size, edges = random_planar(chance)
    values = (0, 1) if size > 6 else (0, 1, 2)
    domains = {f"v{i}": values for i in range(size)}
    classes = [((0,), (1,)), ((0,), (1, 2)), ((0, 2), (1,))][seed % 3]
    # As one factor, or as two over the same graph.
    parts = [classes] if seed % 2 else [(values,) for values in classes]
    several = [Connected(tuple(domains), tuple(edges), part) for part in parts]
    graph = graph_of(domains, *several)
    solutions = set.intersection(*[accepted(factor, domains) for factor in several])
    for fact, _ in planar_facts(graph):
        places = [int(variable[1:]) for variable in fact.scope]
        assert all(fact.accepts([values[i] for i in places]) for values in solutions)
    for backend in backends_:
        with backends.get(backend).compile(graph) as session:
            assert sum(1 for _ in session.solutions()) == len(solutions)


@pytest.mark.parametrize("seed", range(40))
def test_what_follows_in_the_plane_removes_no_solution(seed):
    check_random_planar(("sat", "search"), seed)


def test_two_colours_of_a_grid_change_twice_along_its_border():
    cells = nx.grid_2d_graph(3, 4)
    [border] = [
        fact
        for fact, _ in planar_facts(
            graph_of(dict.fromkeys(cells, (0, 1)), Connected.of(cells, ((0,), (1,))))
        )
        if len(fact.scope) > 4
    ]
    assert len(border.scope) == 10
    assert border.automaton.count() == 2 + 10 * 9


def test_what_is_no_graph_is_refused():
    for edges, classes, largest, words in (
        (((0, 2),), ((1,),), None, "leaves the 2"),
        (((0, 1),), ((1,), (2, 1)), None, "two classes"),
        (((0, 1),), ((1,),), 0, "largest=0"),
    ):
        with pytest.raises(EncodingError, match=words):
            Connected(("x", "y"), edges, classes, largest)
    with pytest.raises(EncodingError, match="twice"):
        Connected(("x", "x"), ((0, 1),), ((1,),))


def test_an_edge_is_one_whichever_way_and_however_often_it_is_given():
    factor = Connected(("x", "y"), ((1, 0), (0, 1), (1, 1)), ((2, 1),))
    assert factor == Connected(("x", "y"), ((0, 1),), ((1, 2), ()))


def test_not_connected_is_the_complement_of_the_automaton():
    factor, domains = random_factor(random.Random(4), 6)
    parted = ~automaton_of(factor, domains, DEFAULT_BUDGET)
    everything = set(product(*domains.values()))
    assert set(parted.tuples()) == everything - accepted(factor, domains)


def test_the_only_way_out_of_a_small_part_is_found_by_unit_propagation():
    """Three regions of three: a corner with another region on one side goes on at the other."""
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(3, 3), ordering="sorted")
    own, classes = ((1, 2, 3),) * 9, ((1,), (2,), (3,))
    found = connected_pattern(own, tuple(grid.edges), classes, 3)
    with Minisat22(bootstrap_with=found.clauses) as solver:
        # The values of R1C1 are numbered 1 to 3, those of R1C2 4 to 6, those of R2C1 10 to 12.
        consistent, implied = solver.propagate([1, -2, -3, -4, 5, -6])
    assert consistent
    assert 10 in implied
