"""Automata that only look at which values there are."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csp_encodings.automaton import Automaton
from csp_encodings.errors import EncodingError
from csp_encodings.value_sets import sum_of_different, value_sets


def automaton_of_words(words, values=range(4), length=3):
    return Automaton.from_table([values] * length, words)


@given(st.sets(st.frozensets(st.integers(0, 5), min_size=3, max_size=3), min_size=1))
@settings(max_examples=60, deadline=None)
def test_the_sets_whose_permutations_are_accepted(sets):
    words = [word for some in sets for word in permutations(some)]
    found = value_sets(automaton_of_words(words, range(6)))
    assert found is None or found == tuple(sorted(tuple(sorted(some)) for some in sets))
    # There are few of them, or they would not be worth it.
    assert found is not None or len(sets) > 5


@given(st.sets(st.tuples(*[st.integers(0, 2)] * 3), min_size=1))
@settings(max_examples=200, deadline=None)
def test_nothing_else_is_taken_for_them(words):
    found = value_sets(automaton_of_words(words, range(3)))
    if found is not None:
        assert words == {word for some in found for word in permutations(some)}


@given(st.integers(1, 4), st.data())
@settings(max_examples=60, deadline=None)
def test_an_automaton_of_sets_is_that_of_their_permutations(size, data):
    some = st.frozensets(st.integers(0, 5), min_size=size, max_size=size)
    sets = data.draw(st.sets(some, min_size=1))
    found = Automaton.from_sets(range(6), sets)
    words = automaton_of_words(
        [word for some in sets for word in permutations(some)], range(6), size
    )
    assert value_sets(found) == tuple(sorted(tuple(sorted(some)) for some in sets))
    assert found.most_edges >= words.edge_count
    assert (found, hash(found)) == (words, hash(words))


@pytest.mark.parametrize("sets", [[], [()], [(1,), (1, 2)], [(1, 1), (1, 2)], [(5, 6)]])
def test_sets_are_of_one_size_and_of_the_alphabet(sets):
    with pytest.raises(EncodingError, match="all of one size"):
        Automaton.from_sets(range(6), sets)


ODD = {
    "an order is missing": [*permutations((1, 2, 3))][:-1],
    "a value comes twice": [*permutations((1, 2, 3)), (0, 0, 0)],
    "nothing is accepted": [],
}


@pytest.mark.parametrize("why", ODD)
def test_other_automata_have_none(why):
    assert value_sets(automaton_of_words(ODD[why])) is None


def test_alphabets_must_be_the_same():
    words = list(permutations((1, 2)))
    assert value_sets(Automaton.from_table([(1, 2), (1, 2, 3)], words)) is None
    assert value_sets(Automaton.from_table([(1, 2), (1, 2)], words)) == ((1, 2),)


def test_an_automaton_of_no_position_has_none():
    assert value_sets(Automaton.from_fold([], 0, lambda s, v: s, lambda s: True)) is None


@pytest.mark.parametrize(
    ("accepts", "total"),
    [
        (lambda *held: sum(held) == 9, 9),
        (lambda *held: sum(held) in (9, 10), None),
        (lambda *held: max(held) - min(held) == 2, None),
        (lambda *held: sum(held) == 9 and 1 in held, None),
    ],
)
def test_a_sum_and_nothing_else(accepts, total):
    automaton = Automaton.from_predicate(
        [range(6)] * 3, lambda *held: len(set(held)) == 3 and accepts(*held)
    )
    assert value_sets(automaton) is not None
    assert sum_of_different(automaton) == total


def test_values_that_may_repeat_are_no_sum_of_different_ones():
    automaton = Automaton.from_predicate([range(6)] * 3, lambda *held: sum(held) == 9)
    assert sum_of_different(automaton) is None
