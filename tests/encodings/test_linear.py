"""Linear programs: which whole points they allow, how they look, and what goes another way."""

import os
import subprocess
import sys
from itertools import product
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csp_encodings.automaton import Automaton
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import assignments, graph_of, variables
from csp_encodings.linear import MAX_COEFFICIENT, encode


def whole_points(program):
    """Every whole point, flows included, by plain enumeration of the flows of every assignment."""
    by_variable = {}
    for (variable, _), column in program.columns.items():
        by_variable.setdefault(variable, []).append(column)
    flows = range(len(program.columns), len(program.upper))
    for chosen in product(*by_variable.values()):
        for carried in product((0, 1), repeat=len(flows)):
            point = np.zeros(len(program.upper), np.int64)
            point[list(chosen)] = 1
            point[len(program.columns) :] = carried
            if program.is_solution(point):
                yield point


def solutions(program):
    return sorted(tuple(program.decode(point).items()) for point in whole_points(program))


def expected(graph):
    shown = variables(graph)
    return sorted(tuple((v, a[v]) for v in shown) for a in assignments(graph))


EMPTY = Automaton.from_fold([], 0, lambda s, v: s, lambda s: True)
CASES = {
    "nothing at all": graph_of({}),
    "a variable in no factor": graph_of({"x": (-5, 0, 10**30)}),
    "a permutation": graph_of(dict.fromkeys("xyz", (0, 1, 2)), AllDifferent(tuple("xyz"))),
    "domains that differ": graph_of(
        {"x": (1, 2), "y": (2, 9), "z": (9,)}, AllDifferent(tuple("xyz"))
    ),
    "more values than variables": graph_of(
        dict.fromkeys("xy", (1, 2, 3)), AllDifferent(tuple("xy"))
    ),
    "all different of nothing": graph_of({"x": (1, 2)}, AllDifferent(())),
    "a relation that forbids little": graph_of(
        dict.fromkeys("xy", range(4)),
        Relation.where("x", "y", range(4), range(4), lambda a, b: a != b),
    ),
    "a relation that allows little": graph_of(
        dict.fromkeys("xy", range(4)), Relation("x", "y", frozenset({(0, 1), (3, 3), (7, 7)}))
    ),
    "a relation of a variable with itself": graph_of(
        {"x": range(4)}, Relation("x", "x", frozenset({(0, 1), (2, 2), (9, 9)}))
    ),
    "a sum": graph_of(dict.fromkeys("xyz", range(-1, 3)), Linear((2, -1, 1), tuple("xyz"), 0, 3)),
    "a sum, open below": graph_of(
        dict.fromkeys("xy", range(3)), Linear((1, 1), ("x", "y"), None, 2)
    ),
    "an empty sum that holds": graph_of({"x": (1, 2)}, Linear((), (), 0, 0)),
    "a sum with a common divisor": graph_of(
        dict.fromkeys("xy", (0, 10, 20)), Linear((3, -6), ("x", "y"), -5, 59)
    ),
    "a sum of one value": graph_of({"x": (7,), "y": (1, 2)}, Linear((1,), ("x",), 7, 7)),
    "an automaton of no position": graph_of({"x": (1, 2)}, Regular((), EMPTY)),
    "an automaton of one position": graph_of(
        {"x": range(4)}, Regular(("x",), Automaton.from_table([range(4)], [(1,), (3,)]))
    ),
    "an automaton that reads a variable twice": graph_of(
        dict.fromkeys("xy", range(2)),
        Regular(
            ("x", "y", "x"), Automaton.from_predicate([range(2)] * 3, lambda a, b, c: a >= b == c)
        ),
    ),
    "values outside the alphabet": graph_of(
        {"x": range(5), "y": range(-2, 2)},
        Regular(("x", "y"), Automaton.from_predicate([range(3), range(3)], lambda a, b: a < b)),
    ),
}


@pytest.mark.parametrize("redundant", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_the_whole_points_are_the_solutions(case, redundant):
    assert solutions(encode(CASES[case], redundant=redundant)) == expected(CASES[case])


@pytest.mark.parametrize(
    "graph",
    [
        graph_of({"x": (), "y": (1, 2)}, AllDifferent(("x", "y"))),
        graph_of(dict.fromkeys("xyz", (1, 2)), AllDifferent(tuple("xyz"))),
        graph_of({"x": (1, 2)}, AllDifferent(("x", "x"))),
        graph_of(dict.fromkeys("xy", range(3)), Linear((1, 1), ("x", "y"), 9, None)),
        graph_of({"x": (1, 2)}, Linear((), (), 1, 1)),
        graph_of(dict.fromkeys("xy", (0, 2)), Linear((1, 3), ("x", "y"), 3, 3)),
        graph_of(
            dict.fromkeys("xy", range(2)), Regular(("x", "y"), Automaton.nothing([range(2)] * 2))
        ),
    ],
    ids=[
        "an empty domain",
        "too few values",
        "a variable twice",
        "a sum out of reach",
        "an empty sum",
        "an odd sum of even values",
        "an automaton that accepts nothing",
    ],
)
def test_what_no_row_can_say(graph):
    program = encode(graph)
    assert program.impossible
    assert not program.is_solution(np.zeros(len(program.upper), np.int64))


@given(st.sets(st.tuples(*[st.integers(0, 1)] * 3), min_size=1))
@settings(max_examples=40, deadline=None)
def test_flows_are_determined(table):
    """One unit flows along the one path of an accepted tuple, and none for another."""
    automaton = Automaton.from_table([range(2)] * 3, table)
    graph = graph_of(dict.fromkeys("xyz", range(2)), Regular(tuple("xyz"), automaton))
    found = [tuple(p for _, p in s) for s in solutions(encode(graph))]
    assert found == sorted(table)


def test_a_classic_puzzle_is_equations_only():
    side = range(4)
    houses = [[(r, c) for c in side] for r in side] + [[(r, c) for r in side] for c in side]
    houses += [
        [(2 * a + i, 2 * b + j) for i in (0, 1) for j in (0, 1)] for a in (0, 1) for b in (0, 1)
    ]
    graph = graph_of(
        {(r, c): range(1, 5) for r in side for c in side}, *[AllDifferent(tuple(h)) for h in houses]
    )
    rows = list(encode(graph).rows())
    assert len(rows) == 4 * 4 * 4
    assert {(tuple(cs), low, high) for _, cs, low, high in rows} == {((1, 1, 1, 1), 1, 1)}
    assert len(list(encode(graph, redundant=True).rows())) == len(rows) + len(houses)


def test_a_relation_is_said_the_shorter_way():
    def rows(predicate):
        relation = Relation.where("x", "y", range(5), range(5), predicate)
        program = encode(graph_of(dict.fromkeys("xy", range(5)), relation))
        return {(len(columns), low, high) for columns, _, low, high in list(program.rows())[2:]}

    assert rows(lambda a, b: a != b) == {(2, -inf, 1)}  # x=a excludes y=a
    assert rows(lambda a, b: a == b) == {(2, -inf, 0)}  # x=a needs y=a


def test_large_numbers_do_not_meet_floating_point():
    """Values far from 0 are shifted; what is still too large goes through the automaton."""
    far = graph_of(
        dict.fromkeys("xy", (10**15, 10**15 + 1)), Linear((1, 1), ("x", "y"), 2 * 10**15 + 1, None)
    )
    assert max(abs(c) for _, cs, _, _ in encode(far).rows() for c in cs) == 1
    wide = graph_of(dict.fromkeys("xy", (0, 1, 10**15)), Linear((1, 1), ("x", "y"), None, 10**15))
    program = encode(wide)
    assert max(abs(c) for _, cs, _, _ in program.rows() for c in cs) == 1 < MAX_COEFFICIENT
    assert solutions(program) == expected(wide)


def test_names():
    automaton = Automaton.from_predicate([range(2)] * 3, lambda *v: sum(v) == 2)
    program = encode(graph_of(dict.fromkeys("xyz", range(2)), Regular(tuple("xyz"), automaton)))
    names = list(program.names())
    assert len(names) == len(set(names)) == len(program.upper)
    assert names[:3] == ["x=0", "x=1", "y=0"]
    assert "factor 0: flow over position 2 1" in names


SAME = """
from csp_encodings.automaton import Automaton
from csp_encodings.linear import encode
from csp_encodings.factors import *
from csp_encodings.graph import GraphBuilder
builder = GraphBuilder()
for name in ("one", "two", "three"):
    builder.variable(name, range(4))
builder.factor(AllDifferent(("one", "two", "three")))
builder.factor(Relation("one", "two", frozenset({(0, 1), (1, 2), (2, 3)})))
automaton = Automaton.from_table([range(4)] * 3, [(0, 1, 2), (1, 2, 3), (3, 1, 0)])
builder.factor(Regular(("one", "two", "three"), automaton))
program = encode(builder.build())
print(*program.rows(), *program.names(), program.upper, sep="\\n")
"""


def test_equal_graphs_give_equal_programs_in_every_process():
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
