"""Factors: what they accept, and that their automata accept the same."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from csp_encodings.automaton import Automaton, Budget
from csp_encodings.errors import BudgetError, EncodingError
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation, automaton_of

NAMES = ("x", "y", "z")
domain = st.lists(st.integers(-3, 4), max_size=4, unique=True).map(lambda d: tuple(sorted(d)))
scope = st.lists(st.sampled_from(NAMES), max_size=4).map(tuple)
pair = st.tuples(st.integers(-3, 4), st.integers(-3, 4))
side = st.none() | st.integers(-8, 8)

linear = scope.flatmap(
    lambda names: st.builds(
        Linear,
        st.tuples(*[st.integers(-2, 2)] * len(names)),
        st.just(names),
        side,
        side,
    )
)
factor = st.one_of(
    scope.map(AllDifferent),
    st.builds(Relation, st.sampled_from(NAMES), st.sampled_from(NAMES), st.frozensets(pair)),
    linear,
    scope.map(lambda s: Regular(s, Automaton.from_fold([range(-3, 5)] * len(s), 0, max, bool))),
)


@given(factor, st.tuples(domain, domain, domain))
def test_the_automaton_of_a_factor_accepts_what_the_factor_accepts(tested, given_domains):
    known = dict(zip(NAMES, given_domains, strict=True))
    alphabets = [known[name] for name in tested.scope]
    wanted = [row for row in product(*alphabets) if tested.accepts(row)]
    assert list(automaton_of(tested, known).tuples()) == wanted


@given(linear, st.tuples(domain, domain, domain))
def test_linear_bounds_lose_nothing(tested, given_domains):
    known = dict(zip(NAMES, given_domains, strict=True))
    alphabets = [known[name] for name in tested.scope]
    if not all(alphabets):
        return
    low, high = tested.bounds(alphabets)
    narrowed = Linear(tested.coefficients, tested.scope, low, high)
    assert all(tested.accepts(row) == narrowed.accepts(row) for row in product(*alphabets))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Linear((1,), ("x", "y"), 0, 0), "1 coefficients for 2 variables"),
        (lambda: Regular(("x",), Automaton.everything([(1,), (1,)])), "2 positions .* 1 variables"),
    ],
)
def test_a_scope_must_fit(make, message):
    with pytest.raises(EncodingError, match=message):
        make()


def test_a_wide_all_different_is_refused_and_not_tried():
    names = tuple(f"x{i}" for i in range(25))
    with pytest.raises(BudgetError, match="budget"):
        automaton_of(AllDifferent(names), {name: tuple(range(25)) for name in names})
    assert (
        automaton_of(
            AllDifferent(names[:3]), dict.fromkeys(names, (1, 2, 3)), Budget(edges=100)
        ).count()
        == 6
    )
