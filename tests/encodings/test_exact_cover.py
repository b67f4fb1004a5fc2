"""The covers of an encoded graph are its solutions, one for one."""

import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csp_encodings import exact_cover
from csp_encodings.automaton import Automaton, Budget
from csp_encodings.errors import BudgetError
from csp_encodings.exact_cover import ExactCover, encode
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import GraphBuilder, assignments, graph_of, variables


def covers(problem: ExactCover) -> Iterator[list[int]]:
    """All exact covers by the definition: item by item, without any links."""
    pairs = list(zip(problem.members.tolist(), problem.colours.tolist(), strict=True))
    options = [pairs[a:b] for a, b in zip(problem.starts, problem.starts[1:], strict=False)]

    def extend(chosen: list[int], used: dict[int, int]) -> Iterator[list[int]]:
        open_items = [item for item in range(problem.primary) if item not in used]
        if not open_items:
            yield chosen
            return
        fits = [
            number
            for number, option in enumerate(options)
            if all(i not in used or c == used[i] > 0 for i, c in option)
        ]
        item = min(open_items, key=lambda item: sum((item, 0) in options[n] for n in fits))
        for number in fits:
            if (item, 0) in options[number]:
                yield from extend([*chosen, number], used | dict(options[number]))

    yield from extend([], {})


def check(graph) -> ExactCover:
    problem = encode(graph)
    names = variables(graph)
    found = [tuple(problem.decode(cover).items()) for cover in covers(problem)]
    wanted = [tuple((v, solution[v]) for v in names) for solution in assignments(graph)]
    assert sorted(found) == sorted(wanted)
    return problem


def sudoku(rows, columns):
    side = rows * columns
    cells = [(r, c) for r in range(side) for c in range(side)]
    houses = [
        *[[cell for cell in cells if cell[0] == i] for i in range(side)],
        *[[cell for cell in cells if cell[1] == i] for i in range(side)],
        *[[(r, c) for r, c in cells if r // rows * rows + c // columns == i] for i in range(side)],
    ]
    factors = [AllDifferent(tuple(house)) for house in houses]
    return graph_of({cell: range(1, side + 1) for cell in cells}, *factors)


def test_a_classic_sudoku_is_the_textbook_problem():
    problem = encode(sudoku(3, 3))
    assert (len(problem.items), problem.primary, problem.preferred) == (324, 324, 324)
    assert len(problem.meanings) == 729
    assert set(np.diff(problem.starts)) == {4}
    assert not problem.colours.any()
    assert problem.meanings[problem.options[0, 0][1]] == ((0, 0), 1)


DIGITS = range(1, 4)
EQUAL_SUM = Automaton.from_predicate([DIGITS] * 3, lambda a, b, c: a + b == c)
EMPTY = Automaton.nothing([DIGITS] * 3)

CASES = {
    "nothing at all": ({}, []),
    "variables in no factor": ({"x": DIGITS, "y": (-5, 10**30)}, []),
    "an empty domain": ({"x": DIGITS, "y": ()}, []),
    "different, fewer values than scope": (
        {"x": (1, 2), "y": (1, 2), "z": (1, 2)},
        [AllDifferent(("x", "y", "z"))],
    ),
    "different, more values than scope": (
        {"x": (1, 2), "y": (2, 3), "z": (-1, 3, 4)},
        [AllDifferent(("x", "y", "z"))],
    ),
    "different, a variable twice": ({"x": DIGITS, "y": DIGITS}, [AllDifferent(("x", "y", "x"))]),
    "different, no variables": ({"x": DIGITS}, [AllDifferent(())]),
    "different, with an empty domain": ({"x": DIGITS, "y": ()}, [AllDifferent(("x", "y"))]),
    "relation": ({"x": DIGITS, "y": DIGITS}, [Relation("x", "y", frozenset({(1, 2), (3, 3)}))]),
    "relation, nothing allowed": ({"x": DIGITS, "y": DIGITS}, [Relation("x", "y", frozenset())]),
    "relation with itself": ({"x": DIGITS}, [Relation("x", "x", frozenset({(1, 2), (3, 3)}))]),
    "relation, both ways": (
        {"x": DIGITS, "y": DIGITS},
        [
            Relation.where("x", "y", DIGITS, DIGITS, lambda a, b: a < b),
            Relation.where("y", "x", DIGITS, DIGITS, lambda a, b: a - b < 2),
        ],
    ),
    "linear": (dict.fromkeys("xyz", DIGITS), [Linear((1, 2, -1), tuple("xyz"), 4, 6)]),
    "linear, open below": (dict.fromkeys("xyz", DIGITS), [Linear((1,) * 3, tuple("xyz"), None, 4)]),
    "linear, open above": (dict.fromkeys("xyz", DIGITS), [Linear((1,) * 3, tuple("xyz"), 8, None)]),
    "linear, always true": (
        dict.fromkeys("xyz", DIGITS),
        [Linear((1,) * 3, tuple("xyz"), None, None)],
    ),
    "linear, never true": (dict.fromkeys("xyz", DIGITS), [Linear((1,) * 3, tuple("xyz"), 10, 12)]),
    "linear over nothing, true": ({"x": DIGITS}, [Linear((), (), -1, 1)]),
    "linear over nothing, false": ({"x": DIGITS}, [Linear((), (), 1, 1)]),
    "linear of two": ({"x": DIGITS, "y": DIGITS}, [Linear((2, -1), ("x", "y"), 1, 2)]),
    "automaton": (dict.fromkeys("xyz", DIGITS), [Regular(tuple("xyz"), EQUAL_SUM)]),
    "automaton, a variable twice": (
        dict.fromkeys("xz", DIGITS),
        [Regular(("x", "x", "z"), EQUAL_SUM)],
    ),
    "automaton, a variable twice of three": (
        dict.fromkeys("xyz", DIGITS),
        [Regular(tuple("xyzx"), Automaton.from_regex([DIGITS] * 4, "(1..2|3..3|2..1|..3.)"))],
    ),
    "automaton of one variable": (
        {"x": DIGITS},
        [Regular(("x", "x"), Automaton.from_regex([DIGITS] * 2, "1.|22"))],
    ),
    "automaton, values outside": (
        {"x": range(6), "y": (-1, 1, 2), "z": range(2, 5)},
        [Regular(tuple("xyz"), EQUAL_SUM)],
    ),
    "automaton, the empty language": (dict.fromkeys("xyz", DIGITS), [Regular(tuple("xyz"), EMPTY)]),
    "automaton of length 0, accepting": (
        {"x": DIGITS},
        [Regular((), Automaton.everything([]))],
    ),
    "automaton of length 0, rejecting": ({"x": DIGITS}, [Regular((), Automaton.nothing([]))]),
    "the same automaton twice": (
        dict.fromkeys("xyz", DIGITS),
        [Regular(tuple("xyz"), EQUAL_SUM), Regular(tuple("yxz"), EQUAL_SUM)],
    ),
}


@pytest.mark.parametrize(("domains", "factors"), CASES.values(), ids=CASES.keys())
def test_edge_cases(domains, factors):
    check(graph_of(domains, *factors))


def test_auxiliaries_are_determined_and_dropped():
    builder = GraphBuilder()
    for name in "xyz":
        builder.variable(name, DIGITS)
    total = builder.auxiliary(
        "total", range(2, 7), lambda t: Linear((1, 1, -1), ("x", "y", t), 0, 0)
    )
    builder.factor(Relation("z", total, frozenset({(1, 3), (2, 4), (3, 2)})))
    problem = check(builder.build())
    assert problem.variables == ("x", "y", "z")
    assert total in problem.options
    assert problem.items[: problem.preferred] == ("x", "y", "z")
    assert problem.items[problem.preferred : problem.primary] == (
        str(total),
        "factor 0 step 1",
        "factor 0 step 2",
    )


@st.composite
def graphs(draw):
    """Up to four variables, up to four factors of all kinds, scopes that may repeat."""
    names = [f"v{i}" for i in range(draw(st.integers(1, 4)))]
    values = st.integers(-1, 3)
    domains = {
        name: tuple(sorted(draw(st.sets(values, min_size=draw(st.integers(0, 2))))))
        for name in names
    }

    def scope(most):
        return tuple(draw(st.lists(st.sampled_from(names), max_size=most)))

    factors = []
    for kind in draw(st.lists(st.sampled_from("ARLX"), max_size=4)):
        if kind == "A":
            factors.append(AllDifferent(tuple(dict.fromkeys(scope(4)))))
        elif kind == "R":
            pairs = draw(st.frozensets(st.tuples(values, values), max_size=20))
            x, y = draw(st.sampled_from(names)), draw(st.sampled_from(names))
            factors.append(Relation(x, y, pairs))
        elif kind == "L":
            cells = scope(4)
            low = draw(st.none() | st.integers(-3, 3))
            high = draw(st.none() | st.integers(-1, 5))
            factors.append(Linear(tuple(draw(st.integers(-2, 2)) for _ in cells), cells, low, high))
        else:
            cells = scope(4)
            words = draw(st.sets(st.tuples(*[values for _ in cells]), max_size=30))
            factors.append(Regular(cells, Automaton.from_table([range(-1, 4)] * len(cells), words)))
    return graph_of(domains, *factors)


@given(graphs())
@settings(max_examples=300, deadline=None)
def test_covers_are_solutions(graph):
    check(graph)


def test_a_permutation_is_primary_and_others_are_secondary():
    permutation = encode(graph_of(dict.fromkeys("xyz", DIGITS), AllDifferent(tuple("xyz"))))
    assert (permutation.primary, len(permutation.items)) == (6, 6)
    loose = encode(graph_of({"x": (1, 2), "y": (2, 3), "z": (3, 4)}, AllDifferent(tuple("xyz"))))
    # Only 2 and 3 can occur twice.
    assert loose.items[loose.primary :] == ("factor 0 has 2", "factor 0 has 3")


def test_a_relation_takes_an_item_for_each_value_of_the_second():
    differ = Relation.where("x", "y", DIGITS, DIGITS, lambda a, b: a != b)
    problem = encode(graph_of({"x": DIGITS, "y": DIGITS}, differ))
    assert problem.items == ("x", "y", "factor 0 y=1", "factor 0 y=2", "factor 0 y=3")
    assert not problem.colours.any()


def test_wide_relations_become_automata(monkeypatch):
    graph = graph_of({"x": DIGITS, "y": DIGITS}, Relation("x", "y", frozenset({(1, 2), (3, 3)})))
    assert len(encode(graph).meanings) == 4
    monkeypatch.setattr(exact_cover, "_MAX_TABLE", 5)
    assert len(check(graph).meanings) == 6


def test_the_first_step_of_an_automaton_is_the_value_itself():
    problem = encode(graph_of(dict.fromkeys("xyz", DIGITS), Regular(tuple("xyz"), EQUAL_SUM)))
    assert [name for name in problem.items if "step" in name] == [
        "factor 0 step 1",
        "factor 0 step 2",
    ]
    assert "x value" not in problem.items


def test_values_without_support_have_no_option():
    chain = [
        Relation.where(a, b, range(1, 10), range(1, 10), lambda a, b: a < b)
        for a, b in zip("vwxyz", "wxyz", strict=False)
    ]
    small = Linear((1, 1, 1), ("x", "y", "z"), None, 12)
    problem = encode(graph_of(dict.fromkeys("vwxyz", range(1, 10)), *chain, small))
    assert {name: tuple(options) for name, options in problem.options.items()} == {
        "v": (1,),
        "w": (2,),
        "x": (3,),
        "y": (4,),
        "z": (5,),
    }


def test_an_automaton_past_the_budget_is_refused():
    graph = graph_of(
        {name: range(1, 10) for name in "abcdefg"}, Linear((1,) * 7, tuple("abcdefg"), 30, 30)
    )
    with pytest.raises(BudgetError):
        encode(graph, budget=Budget(states=50))


_FINGERPRINT = """
from tests_graph import graph
from csp_encodings.exact_cover import encode
problem = encode(graph)
arrays = (problem.starts, problem.members, problem.colours)
print(problem.items, problem.meanings, [array.tobytes().hex() for array in arrays])
"""

_GRAPH = """
from csp_encodings.automaton import Automaton
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import GraphBuilder
builder = GraphBuilder()
for name in ("east", "north", "south", "west"):
    builder.variable(name, range(1, 6))
builder.factor(AllDifferent(("east", "north", "south", "west")))
builder.factor(Relation("north", "south", frozenset((a, b) for a in range(6) for b in range(a))))
builder.factor(Linear((1, 1, 1), ("east", "south", "west"), 7, 9))
table = {(a, b, c) for a in range(1, 6) for b in range(1, 6) for c in range(a, b)}
builder.factor(Regular(("west", "north", "east"), Automaton.from_table([range(1, 6)] * 3, table)))
graph = builder.build()
"""


def test_every_process_encodes_alike(tmp_path):
    (tmp_path / "tests_graph.py").write_text(_GRAPH)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _FINGERPRINT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert "factor 3 step" in outputs.pop()
