"""Clauses that are written, and patterns of them."""

from hypothesis import given
from hypothesis import strategies as st

from csp_encodings.clauses import ClauseWriter, Pattern

literals = st.integers(-9, 9).filter(bool)
clauses = st.lists(st.lists(literals, max_size=4).map(tuple))


@given(clauses)
def test_they_come_as_they_were_written(wanted):
    writer = ClauseWriter()
    for clause in wanted:
        writer.add(clause)
    writer.add_all(wanted)
    assert writer.finish() == (*wanted, *wanted)
    assert len(writer) == 2 * len(wanted)


@given(clauses, st.permutations(range(1, 10)), st.lists(st.booleans(), min_size=9, max_size=9))
def test_a_pattern_takes_other_literals(wanted, numbers, signs):
    """Whatever its clauses hold: none, one or many literals, negative ones in either place."""
    others = [x if sign else -x for x, sign in zip(numbers, signs, strict=True)]
    writer = ClauseWriter()
    writer.add_pattern(Pattern.of(wanted), others)
    assert writer.finish() == tuple(
        [tuple([others[x - 1] if x > 0 else -others[-x - 1] for x in clause]) for clause in wanted]
    )


def test_what_says_nothing_is_left_out():
    writer = ClauseWriter()
    writer.imply([1, 2, 3], [[1, 2], [], [4]])
    writer.imply_each([1, 2], [1, 3])
    writer.add_units([5, -6])
    assert writer.finish() == ((-2,), (-3, 4), (-2, 3), (5,), (-6,))
