"""The constraint graph: what it refuses, what it keeps, its projection."""

import networkx as nx
import pytest

from csp_encodings.automaton import Automaton
from csp_encodings.errors import GraphError
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import (
    FactorId,
    GraphBuilder,
    assignments,
    conflict_graph,
    domains,
    extended,
    extent,
    factors,
    graph_of,
    owned,
    restricted,
    restricted_view,
    validate,
    variables,
)


def builder(**given: tuple[int, ...]) -> GraphBuilder:
    made = GraphBuilder()
    for name, domain in given.items():
        made.variable(name, domain)
    return made


@pytest.mark.parametrize(
    ("domain", "message"),
    [
        ((2, 1), "ascending"),
        ((1, 1), "ascending"),
        ((1, 2.0), "int"),
        ((True,), "int"),
    ],
)
def test_a_bad_domain_is_refused(domain, message):
    with pytest.raises(GraphError, match=f"variable x: .*{message}"):
        GraphBuilder().variable("x", domain)


def test_a_name_is_taken_once():
    with pytest.raises(GraphError, match="taken"):
        builder(x=(1,)).variable("x", (2,))
    with pytest.raises(GraphError, match="taken"):
        GraphBuilder().variable(FactorId(0), (1,))


def test_a_factor_needs_its_variables():
    with pytest.raises(GraphError, match="variable y is not in the graph"):
        builder(x=(1,)).factor(AllDifferent(("x", "y")))


def test_equal_factors_stay_two_nodes_with_their_sources():
    made = builder(x=(1, 2), y=(1, 2))
    ids = [made.factor(AllDifferent(("x", "y")), source) for source in ("row", "cage")]
    graph = made.build()
    assert ids == [FactorId(0), FactorId(1)]
    assert [graph.nodes[i]["source"] for i in ids] == ["row", "cage"]


def test_edges_carry_the_positions_of_an_ordered_scope():
    made = builder(x=(1, 2), y=(1, 2))
    made.factor(Regular(("x", "y", "x"), Automaton.everything([(1, 2)] * 3)))
    graph = made.build()
    assert graph.edges[FactorId(0), "x"]["positions"] == (0, 2)
    assert graph.edges[FactorId(0), "y"]["positions"] == (1,)


def test_a_built_graph_is_bipartite_valid_and_frozen():
    made = builder(x=(1, 2), y=(1, 2))
    made.factor(AllDifferent(("x", "y")))
    graph = made.build()
    validate(graph)
    assert nx.is_bipartite(graph)
    assert nx.is_frozen(graph)
    with pytest.raises(nx.NetworkXError):
        graph.add_node("z")


def plain(*edges, **attributes):
    graph = nx.Graph()
    graph.add_node("x", domain=(1, 2), auxiliary=False)
    graph.add_node(FactorId(0), factor=attributes.get("factor", AllDifferent(("x",))))
    for a, b, data in edges:
        graph.add_edge(a, b, **data)
    return graph


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (plain(), "edges"),
        (plain((FactorId(0), "x", {"positions": (1,)})), "positions"),
        (plain((FactorId(0), "x", {"positions": (0,)}), factor="all different"), "five kinds"),
        (nx.Graph([("x", "y")]), "domain and auxiliary"),
    ],
)
def test_a_graph_by_other_hands_is_checked(graph, message):
    with pytest.raises(GraphError, match=message):
        validate(graph)


def test_restriction_copies_and_intersects():
    graph = builder(x=(1, 2, 3)).build()
    smaller = restricted(graph, {"x": (3, 4)})
    assert (domains(graph), domains(smaller)) == ({"x": (1, 2, 3)}, {"x": (3,)})
    assert nx.is_frozen(smaller)
    with pytest.raises(GraphError, match="y is not in the graph"):
        restricted(graph, {"y": (1,)})


BITS = (0, 1)
SUM = Automaton.from_predicate([BITS, BITS, (0, 1, 2)], lambda a, b, c: a + b == c)


@pytest.mark.parametrize(
    ("domain", "define", "total"),
    [
        ((0, 1, 2), lambda v: Regular(("x", "y", v), SUM), True),
        ((0, 1, 2), lambda v: Linear((1, 1, -1), ("x", "y", v), 0, 0), True),
        ((0, 1), lambda v: Relation("x", v, frozenset({(0, 1), (1, 0)})), True),
        # no value for some inputs
        ((0, 1), lambda v: Linear((1, 1, -1), ("x", "y", v), 0, 0), False),
        ((0, 1), lambda v: Relation("x", v, frozenset({(0, 1)})), False),
        ((0, 1), lambda v: Regular(("x", "y", v), SUM), False),
        # several values for some inputs
        ((0, 1, 2), lambda v: Linear((1, 1, -1), ("x", "y", v), 0, 1), False),
        ((0, 1), lambda v: AllDifferent(("x", v)), False),
        ((0, 1), lambda v: Relation(v, "x", frozenset({(0, 1), (1, 0)})), False),
    ],
)
def test_an_auxiliary_must_be_a_total_function(domain, define, total):
    made = builder(x=BITS, y=BITS)
    if not total:
        with pytest.raises(GraphError, match="auxiliary v#0"):
            made.auxiliary("v", domain, define)
        return
    made.auxiliary("v", domain, define)
    graph = made.build()
    assert len(list(assignments(graph))) == 4
    assert variables(graph) == ["x", "y"]
    assert graph.nodes[FactorId(0)]["definition"]


def test_the_conflict_graph_of_a_row_is_complete():
    n = 5
    made = GraphBuilder()
    for i in range(n):
        made.variable(i + 0.5, range(n))
    made.factor(AllDifferent(tuple(i + 0.5 for i in range(n))))
    graph = conflict_graph(made.build())
    assert graph.number_of_edges() == n * (n - 1) // 2
    assert all(different for _, _, different in graph.edges(data="different"))


def test_factors_come_in_order():
    made = builder(x=(1, 2), y=(1, 2))
    wanted = [AllDifferent(("x", "y")), Linear((1,), ("x",), 1, None)]
    for factor in wanted:
        made.factor(factor)
    assert list(factors(made.build()).values()) == wanted


# A graph belongs to its caller


def attributes(graph: nx.Graph) -> list[dict]:
    found = [data for _, data in graph.nodes(data=True)]
    return [*found, *[data for *_, data in graph.edges(data=True)], graph.graph]


FACTORS = [AllDifferent(("x", "y")), AllDifferent(("y", "x")), Linear((1,), ("x",), 1, None)]


def test_every_graph_of_a_builder_has_its_own_attributes():
    first = builder(x=(1, 2), y=(1, 2))
    for factor in FACTORS:
        first.factor(factor)
    second = first.copy()
    second.factor(AllDifferent(("x", "y")))
    source = first.build()
    graphs = [
        source,
        first.build(),
        second.build(),
        restricted(source, {"x": (1,)}),
        restricted(source, {}),
        owned(source),
        graph_of({"x": (1, 2), "y": (1, 2)}, *FACTORS),
    ]
    seen = [id(data) for graph in graphs for data in attributes(graph)]
    assert len(set(seen)) == len(seen)
    for graph in graphs:
        validate(graph)
        assert nx.is_frozen(graph)


def test_a_copy_is_equal_in_every_respect():
    made = builder(x=(1, 2), y=(1, 2), z=(3,))
    for factor in FACTORS:
        made.factor(factor)
    graph = made.build()
    graph.graph["name"] = "small"
    copy = owned(graph)
    assert list(copy.nodes(data=True)) == list(graph.nodes(data=True))
    assert list(copy.edges(data=True)) == list(graph.edges(data=True))
    assert {node: list(copy[node]) for node in copy} == {node: list(graph[node]) for node in graph}
    assert copy.graph == {"name": "small"}
    # Both ends of an edge know one dictionary, as in any networkx graph.
    copy.edges["x", FactorId(0)]["colour"] = "red"
    assert copy.edges[FactorId(0), "x"]["colour"] == "red"


def test_the_edges_of_a_view_are_those_of_its_factors():
    made = builder(x=(1, 2), y=(1, 2), z=(3,))
    for factor in [*FACTORS, Regular(("x", "z", "x"), Automaton.everything([(1, 2, 3)] * 3))]:
        made.factor(factor)
    view = made.build_view()
    made.factor(AllDifferent(("y", "z")))  # a view does not grow with its builder
    more = extended(view, [(AllDifferent(("x", "z")), (FactorId(0),))])
    narrow = restricted_view(more, {"x": (2,)})
    for graph, size in ((view, 4), (more, 5), (narrow, 5)):
        validate(graph)
        assert len(factors(graph)) == size
        assert sorted(graph["x"]) == [node for node, f in factors(graph).items() if "x" in f.scope]
        assert graph.edges["x", FactorId(3)]["positions"] == (0, 2)
        assert nx.is_frozen(graph)
        assert nx.utils.graphs_equal(nx.Graph(graph), nx.Graph(owned(graph)))
    assert domains(narrow)["x"] == (2,)
    assert narrow.nodes[FactorId(4)]["implied"] == (FactorId(0),)


def test_a_view_keeps_the_attributes_of_a_graph_by_other_hands():
    graph = graph_of({"x": (1, 2), "y": (1, 2)}, AllDifferent(("x", "y")))
    graph.graph["name"] = "small"
    graph.edges["x", FactorId(0)]["colour"] = "red"
    more = extended(restricted_view(graph, {"x": (1,)}), [(AllDifferent(("y", "x")), ())])
    assert more.edges["x", FactorId(0)]["colour"] == "red"
    assert list(more["x"]) == [FactorId(0), FactorId(1)]
    assert list(graph["x"]) == [FactorId(0)]
    assert more.graph == {"name": "small"}


def test_a_copy_of_a_graph_by_other_hands():
    graph = nx.Graph([("a", "b", {"weight": 1}), ("b", "c"), ("c", "c", {"loop": True})])
    copy = owned(graph)
    assert nx.utils.graphs_equal(copy, graph)
    copy.edges["a", "b"]["weight"] = 2
    assert graph.edges["a", "b"]["weight"] == 1


@pytest.mark.parametrize(
    ("factor", "wanted"),
    [
        (AllDifferent(("x", "y")), 6),
        (Relation("x", "y", frozenset({(1, 1)})), 6 + 1),
        (Relation("x", "y", frozenset({(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if a < b})), 9),
        (Regular(("x", "y"), Automaton.everything([(1, 2, 3)] * 2)), 6 + 3 * 2),
    ],
)
def test_the_extent_counts_values_pairs_and_edges(factor, wanted):
    assert extent(graph_of({"x": (1, 2, 3), "y": (1, 2, 3)}, factor)) == wanted
