"""A graph as bytes: exact in round trips, equal for equal graphs, strict with anything else."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csp_encodings import cnf, serial, watch
from csp_encodings.automaton import Automaton
from csp_encodings.errors import EncodingError
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import FactorId, GraphBuilder, assignments, domains, factors, restricted

NAMES = ["x", ("x", 1), 7, -3, frozenset("ab")]
VALUES = st.sampled_from([-(10**30), -1, 0, 1, 2, 3, 2**63, 2**64])


@st.composite
def graphs(draw):
    builder = GraphBuilder()
    names = NAMES[: draw(st.integers(1, len(NAMES)))]
    for name in names:
        builder.variable(name, sorted(draw(st.sets(VALUES, max_size=4))))
    scopes = st.lists(st.sampled_from(names), max_size=4).map(tuple)
    for _ in range(draw(st.integers(0, 5))):
        scope = draw(scopes)
        alphabets = [builder.domain(variable) for variable in scope]
        match draw(st.integers(0, 4)):
            case 0:
                builder.factor(AllDifferent(scope), source="a rule")
            case 1:
                side = st.none() | st.integers(-3, 3)
                builder.factor(
                    Linear((2, -1, 1, 10**25)[: len(scope)], scope, draw(side), draw(side))
                )
            case 2 if len(scope) >= 2:
                pairs = st.sets(st.tuples(VALUES, VALUES), max_size=5).map(frozenset)
                builder.factor(Relation(*scope[:2], draw(pairs)))
            case 3:
                rows = draw(st.lists(st.tuples(*[VALUES] * len(scope)), max_size=5))
                builder.factor(Regular(scope, Automaton.from_table(alphabets, rows)))
            case _:
                odd = Automaton.from_fold(alphabets, 0, lambda s, v: (s + v) % 2, bool).reified()
                builder.auxiliary(
                    "odd",
                    (0, 1),
                    lambda bit, s=scope, a=odd: Regular((*s, bit), a),
                    source="a rule",
                )
    return builder.build()


def content(graph):
    """All there is in a graph, in its order, but the sources."""
    nodes = [
        (node, {k: v for k, v in data.items() if k != "source"})
        for node, data in graph.nodes(data=True)
    ]
    return nodes, [(node, list(around.items())) for node, around in graph.adj.items()]


@given(graphs())
@settings(max_examples=100, deadline=None)
def test_round_trip(graph):
    data = serial.dumps(graph)
    back = serial.loads(data, list(domains(graph)))
    assert content(back) == content(graph)
    assert all(back.nodes[node]["source"] is None for node in factors(back))
    assert serial.dumps(back) == data == serial.dumps(serial.loads(data))


def small():
    builder = GraphBuilder()
    for name in ("a", "b", "c"):
        builder.variable(name, (1, 2, 3))
    less = Relation.where("a", "b", (1, 2, 3), (1, 2, 3), lambda a, b: a < b)
    builder.factor(less)
    builder.factor(Relation("b", "c", frozenset(sorted(less.allowed, reverse=True))))
    builder.factor(Regular(("a", "c"), Automaton.from_regex([(1, 2, 3)] * 2, "13")))
    return builder.build()


def test_another_process_gets_the_same_encoding_and_the_same_solutions():
    graph = small()
    back = serial.loads(serial.dumps(graph))
    here, there = cnf.encode(graph), cnf.encode(back)
    assert there.clauses == here.clauses
    assert list(there.names()) == list(here.names())
    assert [list(s.values()) for s in assignments(back)] == [
        list(s.values()) for s in assignments(graph)
    ]


def test_equal_tables_are_written_once():
    document = json.loads(serial.dumps(small()))
    assert (len(document["tables"]), len(document["automata"])) == (1, 1)
    back = factors(serial.loads(serial.dumps(small())))
    assert back[FactorId(0)].allowed is back[FactorId(1)].allowed


def test_restricted_graphs_too():
    graph = restricted(small(), {"a": (), "b": (2,)})
    assert content(serial.loads(serial.dumps(graph), "abc")) == content(graph)


def changed(**fields):
    return json.dumps(json.loads(serial.dumps(small())) | fields).encode()


def with_factor(*record):
    nodes = json.loads(serial.dumps(small()))["nodes"]
    return changed(nodes=[*nodes, list(record)])


REFUSED = {
    "nothing": (b"", "not a constraint graph"),
    "cut off": (serial.dumps(small())[:-9], "not a constraint graph"),
    "another document": (b'{"puzzle": 1}', "unknown field `puzzle`"),
    "pickle": (b"\x80\x04K\x01.", "not a constraint graph"),
    "deep": (b"[" * 100_000, "not a constraint graph"),
    "another version": (changed(version=2), "version 2; 1 can be read"),
    "another format": (changed(format="graph"), "Invalid enum value 'graph'"),
    "a field more": (changed(more=1), "unknown field `more`"),
    "a float": (changed(tables=[[[1.5, 2]]]), r"Expected `int`.*tables"),
    "a domain that descends": (changed(nodes=[["variable", "x", [2, 1], False]]), "ascending"),
    "an unknown factor": (with_factor("cage", 9, False, [0]), "Invalid value 'cage'"),
    "a number too high": (with_factor("different", 9, False, [0, 9]), "factor 9: a number that"),
    "a negative number": (with_factor("different", 9, False, [-1]), "factor 9: a number that"),
    "no such table": (with_factor("relation", 9, False, [0, 1], 1), "factor 9: a number that"),
    "a scope of one": (with_factor("relation", 9, False, [0], 0), "Expected `array` of length 2"),
    "coefficients": (with_factor("linear", 9, False, [0], [1, 2], 0, None), "2 coefficients"),
    "a machine too short": (with_factor("regular", 9, False, [0], 0), "automaton of 2 positions"),
    "a factor twice": (with_factor("different", 0, False, [0]), "two nodes have the same name"),
    "a billion states": (changed(automata=[[[[1]], [1, 10**9, 1], [[], []]]]), "expected as many"),
    "a wide layer": (
        changed(automata=[[[[1]] * 2, [1, 10**9, 1], [[], []]]]),
        "the budget",
    ),
    "two heads": (
        changed(automata=[[[[1]], [1, 1], [[[0, [1], 0], [0, [1], 5]]]]]),
        "head below 1",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    data, message = REFUSED[name]
    with pytest.raises(EncodingError, match=message):
        serial.loads(data)


def test_names_must_be_as_many_as_the_variables():
    for names in ("ab", "abcd"):
        with pytest.raises(EncodingError, match=f"{len(names)} names for 3 variables"):
            serial.loads(serial.dumps(small()), names)


def test_what_is_too_large_is_not_read(monkeypatch):
    monkeypatch.setattr(serial, "MAX_BYTES", 10)
    with pytest.raises(EncodingError, match="at most 10 are read"):
        serial.loads(serial.dumps(small()))


def test_reading_looks_at_the_clock_at_every_node(monkeypatch):
    """Half of the nodes are read in half of the time, whatever graph it is."""
    builder = GraphBuilder()
    for number in range(20):
        builder.variable(number, (0, 1))
        builder.factor(AllDifferent((number,)))
    data = serial.dumps(builder.build())
    looks = []
    monkeypatch.setattr(watch.time, "monotonic", lambda: looks.append(1) or len(looks))
    with watch.watched(1e9):
        serial.loads(data)
    needed = len(looks)
    assert needed >= 2 * 40  # once to build it, once to check it
    looks.clear()
    with pytest.raises(watch.OutOfTime), watch.watched(needed // 2):
        serial.loads(data)
    assert len(looks) <= needed // 2 + 1
