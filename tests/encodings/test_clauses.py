"""Clauses in one row of literals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from csp_encodings.clauses import Clauses, ClauseWriter

literals = st.integers(-9, 9).filter(bool)
clauses = st.lists(st.lists(literals, max_size=4).map(tuple))


def written(wanted):
    writer = ClauseWriter()
    for clause in wanted:
        writer.add(clause)
    return writer.finish()


@given(clauses, st.slices(6))
def test_they_are_a_sequence(wanted, some):
    found = written(wanted)
    assert list(found) == wanted
    assert len(found) == len(wanted)
    assert [found[i] for i in range(-len(wanted), len(wanted))] == wanted * 2
    assert found[some] == tuple(wanted[some])
    assert (() in found) == (() in wanted)
    with pytest.raises(IndexError):
        found[len(wanted)]


@given(clauses, clauses)
def test_they_are_equal_when_all_clauses_are(some, others):
    assert (written(some) == written(others)) == (some == others)
    assert hash(written(some)) == hash(written(list(some)))
    assert written(some) != some


def test_what_says_nothing_is_left_out():
    writer = ClauseWriter()
    writer.imply([1, 2, 3], [[1, 2], [], [4]])
    writer.imply_each([1, 2], [1, 3])
    writer.add_units([5, -6])
    assert list(writer.finish()) == [(-2,), (-3, 4), (-2, 3), (5,), (-6,)]
    assert len(writer) == 5


def test_they_show_themselves():
    assert repr(Clauses([1, -2], [0, 2])) == "Clauses([(), (1, -2)])"
