"""Both quick checks of regions without a repeat, against the plain one."""

from hypothesis import given
from hypothesis import strategies as st

from csp_sudoku.distinct import _by_layers, _by_sums, distinct_check
from csp_sudoku.solution import held


@st.composite
def tables(draw):
    """Groups of columns of any length, values with gaps, and a row that keeps to them or not."""
    columns = draw(st.integers(1, 12))
    groups = draw(
        st.lists(st.lists(st.integers(0, columns - 1), min_size=1, unique=True), max_size=6)
    )
    values = draw(st.lists(st.integers(0, 255), min_size=1, max_size=20, unique=True))
    wanted = st.one_of(st.sampled_from(values), st.integers(-1, 300))
    return groups, values, draw(st.lists(wanted, min_size=columns, max_size=columns))


@given(tables())
def test_quick_checks_agree_with_the_plain_one(table):
    groups, values, row = table
    plain = all(
        len({row[column] for column in group} & {*values}) == len(group) for group in groups
    )
    fits = all(0 <= value < 256 for value in row)  # or else these are not values, wherever
    assert _by_sums(groups, values)(held(row)) == plain
    assert _by_layers(groups, values)(held(row)) == (plain and fits)


def test_where_bytes_do_not_do():
    for columns, values in ((300, range(1, 301)), (2, (-1, 0)), (2, (255, 256))):
        check = distinct_check([[*range(columns)], []], columns, values)
        assert check(held([*values]))
        assert not check(held([values[0]] * columns))
        assert not check(held([*values[1:], 1_000]))
