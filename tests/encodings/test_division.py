"""Counting by parts and by symmetry: always the number that plain enumeration gives."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csp_encodings.automaton import Automaton
from csp_encodings.division import Share, count_divided
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import assignments, domains, graph_of

VALUES = range(1, 5)
PAIRS = list(product(VALUES, repeat=2))
UNEQUAL = frozenset((a, b) for a, b in PAIRS if a != b)
EQUAL = frozenset((a, b) for a, b in PAIRS if a == b)
# 1 and 2 are interchangeable, and so are 3 and 4.
HALVES = frozenset((a, b) for a, b in PAIRS if (a < 3) != (b < 3))
ORDER = frozenset((a, b) for a, b in PAIRS if a < b)


def plainly(graph):
    solutions = list(assignments(graph))
    return Share(len(solutions), solutions[:8])


@st.composite
def graphs(draw):
    """Differences, tables with and without symmetry, sums, parts, givens."""
    names = "abcdef"[: draw(st.integers(1, 6))]
    narrow = st.sampled_from([(1,), (2,), (4,), (1, 2), (1, 2, 3), (2, 3, 4), tuple(VALUES)])
    domain = {name: draw(narrow) if draw(st.booleans()) else tuple(VALUES) for name in names}
    scopes = st.lists(st.sampled_from(names), min_size=1, max_size=4)
    kinds = ["different"] * 3 + ["unequal", "equal", "halves", "order", "sum", "odd"]
    factors = []
    for _ in range(draw(st.integers(0, 5))):
        scope = draw(
            scopes if draw(st.integers(0, 9)) == 0 else scopes.map(dict.fromkeys).map(list)
        )
        kind = draw(st.sampled_from(kinds))
        tables = {"unequal": UNEQUAL, "equal": EQUAL, "halves": HALVES, "order": ORDER}
        if kind in tables:
            factors.append(Relation(scope[0], scope[-1], tables[kind]))
        elif kind == "sum":
            factors.append(Linear((1,) * len(scope), tuple(scope), 4, 9))
        elif kind == "odd":
            odd = Automaton.from_fold(
                [VALUES] * len(scope), 0, lambda s, v: (s + v) % 2, lambda s: s == 1
            )
            factors.append(Regular(tuple(scope), odd))
        else:
            factors.append(AllDifferent(tuple(scope)))
    return graph_of(domain, *factors)


@settings(max_examples=300, deadline=None)
@given(graphs())
def test_the_number_is_that_of_plain_enumeration(graph):
    share = count_divided(graph, plainly)
    if share is None:
        return
    wanted = [tuple(solution[name] for name in domains(graph)) for solution in assignments(graph)]
    assert share.complete
    assert share.count == len(wanted)
    assert {tuple(one[name] for name in domains(graph)) for one in share.sample} <= set(wanted)
    assert bool(share.sample) == bool(wanted)


def asked(graph):
    """How many solutions had to be counted plainly, and the number that came out."""
    counted = []

    def count(part):
        share = plainly(part)
        counted.append(share.count)
        return share

    share = count_divided(graph, count)
    return counted, share and share.count


FOUR = dict.fromkeys("abcd", VALUES)


@pytest.mark.parametrize(
    ("graph", "counted", "number"),
    [
        # A permutation: nothing is left to count.
        (graph_of(FOUR, AllDifferent(tuple("abcd"))), [], 24),
        # Given a = 1, the other values are still interchangeable.
        (graph_of({**FOUR, "a": (1,)}, AllDifferent(tuple("abcd"))), [], 6),
        # b cannot be 2: 1 with 3 and 4 are.
        (graph_of({"a": VALUES, "b": (1, 3, 4)}, Relation("a", "b", UNEQUAL)), [], 9),
        (graph_of({"a": VALUES, "b": VALUES}, Relation("a", "b", HALVES)), [], 8),
        # An order tells all values apart.
        (graph_of({"a": VALUES, "b": VALUES}, Relation("a", "b", ORDER)), [], None),
        # Two orders: they multiply.
        (graph_of(FOUR, Relation("a", "b", ORDER), Relation("c", "d", ORDER)), [6, 6], 36),
        # A sum binds them: neither parts nor symmetry.
        (graph_of(FOUR, Linear((1,) * 4, tuple("abcd"), 15, None)), [], None),
        # … until the variable between two parts is given.
        (
            graph_of(
                {**FOUR, "b": (2,)}, Linear((1, 1), ("a", "b"), 5, None), Relation("b", "c", ORDER)
            ),
            [2],
            2 * 2 * 4,
        ),
        (graph_of({"a": (1,), "b": (1,)}, Relation("a", "b", UNEQUAL)), [], 0),
        (graph_of(FOUR, Linear((), (), 1, None)), [], 0),
        (graph_of({}), [], 1),
    ],
)
def test_what_is_left_to_count(graph, counted, number):
    assert asked(graph) == (counted, number)


def test_a_part_that_is_not_decided_leaves_a_lower_bound():
    graph = graph_of(FOUR, Relation("a", "b", ORDER), Relation("c", "d", ORDER))
    shares = iter([Share(6, []), Share(2, [], complete=False)])
    assert count_divided(graph, lambda part: next(shares)) == Share(12, [], complete=False)
    # … but nothing times anything is nothing.
    shares = iter([Share(2, [], complete=False), Share(0, [])])
    assert count_divided(graph, lambda part: next(shares)) == Share(0, [])
