"""CP-SAT models: what they allow, that the values determine the rest, and what is refused."""

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ortools.sat.python import cp_model

from csp_encodings.automaton import Automaton
from csp_encodings.cpsat import MAX_VALUE, encode
from csp_encodings.errors import EncodingError
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import GraphBuilder, assignments, graph_of, variables


class Collect(cp_model.CpSolverSolutionCallback):
    def __init__(self):
        super().__init__()
        self.found = []

    def on_solution_callback(self):
        self.found.append(list(self.response_proto.solution))


def reports(model):
    """Every report of a solution; each of them once, if the values determine the rest."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.catch_sigint_signal = False
    collect = Collect()
    status = solver.solve(model, collect)
    assert status == (cp_model.OPTIMAL if collect.found else cp_model.INFEASIBLE)
    return collect.found


def solutions(encoded):
    return sorted(tuple(encoded.decode(found).items()) for found in reports(encoded.model))


def expected(graph):
    shown = variables(graph)
    return sorted(tuple((v, a[v]) for v in shown) for a in assignments(graph))


EMPTY = Automaton.from_fold([], 0, lambda s, v: s, lambda s: True)
CAGE = Automaton.from_predicate(
    [range(5)] * 3, lambda *held: len(set(held)) == 3 and sum(held) == 6
)
CASES = {
    "nothing at all": graph_of({}),
    "a variable in no factor": graph_of({"x": (-5, 0, MAX_VALUE)}),
    "an empty domain": graph_of({"x": (), "y": (1, 2)}, AllDifferent(("x", "y"))),
    "a permutation": graph_of(dict.fromkeys("xyz", (0, 1, 2)), AllDifferent(tuple("xyz"))),
    "domains that differ": graph_of(
        {"x": (1, 2), "y": (2, 9), "z": (9,)}, AllDifferent(tuple("xyz"))
    ),
    "more values than variables": graph_of(
        dict.fromkeys("xy", (1, 2, 3)), AllDifferent(tuple("xy"))
    ),
    "too few values": graph_of(dict.fromkeys("xyz", (1, 2)), AllDifferent(tuple("xyz"))),
    "a variable twice": graph_of({"x": (1, 2)}, AllDifferent(("x", "x"))),
    "all different of nothing": graph_of({"x": (1, 2)}, AllDifferent(())),
    "a relation that forbids little": graph_of(
        dict.fromkeys("xy", range(4)),
        Relation("x", "y", frozenset((a, b) for a in range(4) for b in range(4) if a != b)),
    ),
    "a relation that allows little": graph_of(
        dict.fromkeys("xy", range(4)), Relation("x", "y", frozenset({(0, 1), (3, 3), (7, 7)}))
    ),
    "an order": graph_of(
        {"x": range(4), "y": (-1, 2, 3, 7)},
        Relation("x", "y", frozenset((a, b) for a in range(4) for b in range(8) if a < b)),
    ),
    "a sum of two within bounds": graph_of(
        dict.fromkeys("xy", range(5)),
        Relation("x", "y", frozenset((a, b) for a in range(5) for b in range(5) if 3 <= a + b < 6)),
    ),
    "a sum or another": graph_of(
        dict.fromkeys("xy", range(5)),
        Relation(
            "x", "y", frozenset((a, b) for a in range(5) for b in range(5) if a + b in (3, 5))
        ),
    ),
    "an order of values whose difference is too large": graph_of(
        dict.fromkeys("xy", (-MAX_VALUE, 0, MAX_VALUE)),
        Relation("x", "y", frozenset({(-MAX_VALUE, 0), (-MAX_VALUE, MAX_VALUE), (0, MAX_VALUE)})),
    ),
    "a relation that allows all": graph_of(
        dict.fromkeys("xy", range(2)),
        Relation("x", "y", frozenset((a, b) for a in range(2) for b in range(2))),
    ),
    "a relation that allows nothing": graph_of(
        dict.fromkeys("xy", range(4)), Relation("x", "y", frozenset())
    ),
    "a relation of a variable with itself": graph_of(
        {"x": range(4)}, Relation("x", "x", frozenset({(0, 1), (2, 2), (9, 9)}))
    ),
    "such a relation that allows nothing": graph_of(
        {"x": range(4)}, Relation("x", "x", frozenset({(0, 1)}))
    ),
    "a sum": graph_of(dict.fromkeys("xyz", range(-1, 3)), Linear((2, -1, 1), tuple("xyz"), 0, 3)),
    "a sum, open below": graph_of(
        dict.fromkeys("xy", range(3)), Linear((1, 1), ("x", "y"), None, 2)
    ),
    "a sum out of reach": graph_of(
        dict.fromkeys("xy", range(3)), Linear((1, 1), ("x", "y"), 9, None)
    ),
    "an empty sum that holds": graph_of({"x": (1, 2)}, Linear((), (), 0, 0)),
    "an empty sum that does not": graph_of({"x": (1, 2)}, Linear((), (), 1, 1)),
    "different values with a sum": graph_of(
        dict.fromkeys("xyz", range(5)), Regular(tuple("xyz"), CAGE)
    ),
    "different values with a sum, a domain beyond the alphabet": graph_of(
        {"x": range(5), "y": range(5), "z": range(-2, 8)}, Regular(tuple("xyz"), CAGE)
    ),
    "different values with a sum, a variable twice": graph_of(
        dict.fromkeys("xy", range(5)), Regular(("x", "y", "x"), CAGE)
    ),
    "an automaton of no position": graph_of({"x": (1, 2)}, Regular((), EMPTY)),
    "an automaton of one position": graph_of(
        {"x": range(4)}, Regular(("x",), Automaton.from_table([range(4)], [(1,), (3,)]))
    ),
    "an automaton that accepts nothing": graph_of(
        dict.fromkeys("xy", range(2)), Regular(("x", "y"), Automaton.nothing([range(2)] * 2))
    ),
    "an automaton that reads a variable twice": graph_of(
        dict.fromkeys("xy", range(3)),
        Regular(
            ("x", "y", "x"),
            Automaton.from_predicate([range(3)] * 3, lambda a, b, c: a + b == 2 * c),
        ),
    ),
    "values outside the alphabet": graph_of(
        {"x": range(5), "y": range(-2, 2)},
        Regular(("x", "y"), Automaton.from_predicate([range(3), range(3)], lambda a, b: a != b)),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_model_allows_the_solutions(case):
    encoded = encode(CASES[case])
    assert not encoded.model.validate()
    assert solutions(encoded) == expected(CASES[case])


def test_auxiliaries_come_after_what_is_shown():
    builder = GraphBuilder()
    builder.variable("x", range(3))
    builder.auxiliary("double", range(5), lambda d: Linear((2, -1), ("x", d), 0, 0))
    builder.variable("y", (7,))
    encoded = encode(builder.build())
    assert encoded.shown == 2
    assert solutions(encoded) == [(("x", x), ("y", 7)) for x in range(3)]


@given(st.sets(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=30))
@settings(max_examples=30, deadline=None)
def test_states_are_determined(table):
    """CP-SAT's own automaton constraint would report some solutions many times."""
    automaton = Automaton.from_table([range(3)] * 4, table)
    graph = graph_of(dict.fromkeys("wxyz", range(3)), Regular(tuple("wxyz"), automaton))
    assert sorted(tuple(found[:4]) for found in reports(encode(graph).model)) == sorted(table)


def test_domains_and_hints_can_be_edited():
    encoded = encode(graph_of(dict.fromkeys("xy", range(5)), AllDifferent(("x", "y"))))
    encoded.set_domains({0: (1, 3), 1: (3,)})
    encoded.set_hint({0: 3})
    assert solutions(encoded) == [(("x", 1), ("y", 3))]
    encoded.set_domains({0: range(5)})
    encoded.set_hint({})
    assert [dict(s)["x"] for s in solutions(encoded)] == [0, 1, 2, 4]


def test_what_64_bits_cannot_hold_is_refused():
    with pytest.raises(EncodingError, match="variable x: CP-SAT takes values up to"):
        encode(graph_of({"x": (0, MAX_VALUE + 1)}))
    with pytest.raises(EncodingError, match="factor 0: CP-SAT takes sums up to"):
        encode(graph_of({"x": (0, MAX_VALUE)}, Linear((2,), ("x",), 0, 1)))


def test_large_values_within_the_range_are_exact():
    big = MAX_VALUE - 1
    graph = graph_of({"x": (-big, 0, big), "y": (-big, big)}, AllDifferent(("x", "y")))
    assert solutions(encode(graph)) == expected(graph)


SAME = """
from csp_encodings.automaton import Automaton
from csp_encodings.cpsat import encode
from csp_encodings.factors import *
from csp_encodings.graph import GraphBuilder
builder = GraphBuilder()
for name in ("one", "two", "three"):
    builder.variable(name, range(4))
builder.factor(AllDifferent(("one", "two", "three")))
builder.factor(Relation("one", "two", frozenset({(0, 1), (1, 2), (2, 3)})))
automaton = Automaton.from_table([range(4)] * 3, [(0, 1, 2), (1, 2, 3), (3, 1, 0)])
builder.factor(Regular(("one", "two", "three"), automaton))
print(encode(builder.build()).model.proto)
"""


def test_equal_graphs_give_equal_models_in_every_process():
    runs = {
        subprocess.run(
            [sys.executable, "-c", SAME],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
