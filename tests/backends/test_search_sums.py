"""Sums in the search: cages and groups of different variables leave exactly the solutions."""

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csp_encodings.arrays import encode
from csp_encodings.automaton import Automaton
from csp_encodings.factors import AllDifferent, Linear, Regular
from csp_encodings.graph import domains, factors, graph_of
from csp_encodings.network import CAGE, LINEAR, REGULAR
from csp_sudoku.backends.search import Search

NAMES = "abcde"
OPTIONS = {
    "default": {},
    "forward": {"inference": "forward"},
    "hall": {"all_different": "hall", "variable_order": "dom/wdeg"},
    "restarts": {"restart": "geometric"},
}


def by_force(graph):
    domain_of = domains(graph)
    for values in product(*domain_of.values()):
        held = dict(zip(domain_of, values, strict=True))
        if all(f.accepts([held[v] for v in f.scope]) for f in factors(graph).values()):
            yield tuple(values)


scopes = st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True).map(tuple)


@st.composite
def sums(draw):
    scope = draw(scopes)
    weights = draw(
        st.lists(st.sampled_from([1, 1, 1, -1, 2, -3]), min_size=len(scope), max_size=len(scope))
    )
    low = draw(st.none() | st.integers(-6, 14))
    high = low if draw(st.booleans()) else draw(st.none() | st.integers(-6, 14))
    return Linear(tuple(weights), scope, low, high)


@st.composite
def graphs(draw):
    values = draw(st.sampled_from([range(1, 6), range(5), (-2, 0, 1, 4, 7)]))
    domain_of = {
        name: tuple(sorted(draw(st.sets(st.sampled_from(values), min_size=1)))) for name in NAMES
    }
    houses = [AllDifferent(scope) for scope in draw(st.lists(scopes, max_size=3))]
    # Sums of equal terms over a house are cages.
    cages = [
        Linear((1,) * len(h.scope), h.scope, t, t)
        for h in houses
        for t in [draw(st.integers(1, 14))]
    ]
    return graph_of(domain_of, *houses, *cages[:1], *draw(st.lists(sums(), max_size=3)))


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@given(graph=graphs())
@settings(max_examples=120, deadline=None)
def test_sums_leave_exactly_the_solutions(options, graph):
    with Search(implied=False, **options).compile(graph) as session:
        found = [tuple(solution.values()) for solution in session.solutions()]
    assert sorted(found) == sorted(by_force(graph))


@given(
    sets=st.sets(st.frozensets(st.integers(1, 5), min_size=3, max_size=3), min_size=1, max_size=4),
    house=scopes,
)
@settings(max_examples=80, deadline=None)
def test_cages_of_any_sets(sets, house):
    words = [word for some in sets for word in permutations(some)]
    cage = Regular(("a", "b", "c"), Automaton.from_table([range(1, 6)] * 3, words))
    graph = graph_of(dict.fromkeys(NAMES, range(1, 6)), cage, AllDifferent(house))
    with Search().compile(graph) as session:
        found = [tuple(solution.values()) for solution in session.solutions()]
    assert sorted(found) == sorted(by_force(graph))


HOUSE = AllDifferent(("a", "b", "c", "d"))
FORMS = {
    "a sum within a house": (Linear((1, 1, 1), ("a", "b", "c"), 8, 8), CAGE),
    "twice a sum": (Linear((2, 2, 2), ("a", "b", "c"), 16, 16), LINEAR),
    "a range": (Linear((1, 1, 1), ("a", "b", "c"), 7, 8), LINEAR),
    "a sum that leaves the house": (Linear((1, 1, 1), ("a", "b", "e"), 8, 8), LINEAR),
    "terms too wide for a machine word": (Linear((1, 2**62), ("a", "e"), 2**62 + 1, None), REGULAR),
}


@pytest.mark.parametrize(("factor", "kind"), FORMS.values(), ids=FORMS)
def test_what_a_sum_becomes(factor, kind):
    graph = graph_of(dict.fromkeys(NAMES, range(1, 6)), HOUSE, factor)
    assert encode(graph).network.kind.tolist()[1:] == [kind]


def revised(graph):
    """The candidates when nothing more follows without a guess."""
    with Search(implied=False, trace=1_000).compile(graph) as session:
        found = session.solutions()
        next(found, None)
    left = {name: set(domain) for name, domain in domains(graph).items()}
    for event in found.trace:
        if event.kind == "assign":
            break
        if event.kind == "remove":
            left[event.variable].discard(event.value)
    return left


def test_values_that_a_cage_needs_leave_the_rest_of_the_house():
    pair = Linear((1, 1), ("a", "b"), 3, 3)
    left = revised(graph_of(dict.fromkeys(NAMES, range(1, 6)), HOUSE, pair))
    assert left == {"a": {1, 2}, "b": {1, 2}, "c": {3, 4, 5}, "d": {3, 4, 5}, "e": {1, 2, 3, 4, 5}}


def test_bounds_know_who_differs():
    # Four different values are at least 1 + 2 + 3 + 4.
    twelve = Linear((1, 1, 1, 1, 1), NAMES, None, 12)
    left = revised(graph_of(dict.fromkeys(NAMES, range(1, 6)), HOUSE, twelve))
    assert left["e"] == {1, 2}


def test_the_last_two_terms_are_exact():
    even = Linear((2, 3), ("a", "e"), 12, 12)
    left = revised(graph_of(dict.fromkeys(NAMES, range(1, 6)), even))
    assert (left["a"], left["e"]) == ({3}, {2})


def test_a_sum_of_variables_of_which_only_some_differ_is_no_cage():
    apart = [AllDifferent(("a", "b")), AllDifferent(("a", "c"))]
    graph = graph_of(dict.fromkeys("abc", (1, 2, 3)), *apart, Linear((1, 1, 1), tuple("abc"), 4, 4))
    assert CAGE not in encode(graph).network.kind
    assert sorted(tuple(x.values()) for x in Search().compile(graph).solutions()) == [(2, 1, 1)]
    assert [*by_force(graph)] == [(2, 1, 1)]
