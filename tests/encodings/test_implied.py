"""Implied sums: they follow from their sources, change no solution, and refute what cannot be."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csp_encodings.automaton import Automaton
from csp_encodings.factors import AllDifferent, Linear, Regular
from csp_encodings.graph import assignments, domains, factors, graph_of
from csp_encodings.implied import with_implied

ROWS = [tuple((r, c) for c in range(3)) for r in range(3)]
COLUMNS = [tuple((r, c) for r in range(3)) for c in range(3)]
CELLS = [cell for row in ROWS for cell in row]


def cage(cells, values, total):
    """Different cells with a sum, as one automaton."""
    words = [w for w in product(values, repeat=len(cells)) if len({*w}) == len(w)]
    return Regular(
        tuple(cells),
        Automaton.from_table([values] * len(cells), [w for w in words if sum(w) == total]),
    )


def square(values, *clues, rows=ROWS, columns=COLUMNS, given=None):
    """A Latin square of order 3 with clues."""
    domain_of = dict.fromkeys(CELLS, tuple(values)) | {c: (v,) for c, v in (given or {}).items()}
    return graph_of(domain_of, *map(AllDifferent, (*rows, *columns)), *clues)


def implied_factors(graph):
    """The new factors, with the graphs of only their sources."""
    every = factors(graph)
    for _node, data in graph.nodes(data=True):
        if "implied" in data:
            yield data["factor"], graph_of(domains(graph), *[every[s] for s in data["implied"]])


def check(graph):
    """Compare solutions with and without implied factors; each must follow from its sources."""
    more = with_implied(graph)
    assert [*assignments(more)] == [*assignments(graph)]
    for factor, sources in implied_factors(more):
        for found in assignments(sources):
            assert factor.accepts([found[v] for v in factor.scope])
    return more


@st.composite
def clues(draw, values):
    """Sums over any cells, also repeated, with any coefficients."""
    scope = draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=6))
    if draw(st.booleans()):
        scope = [*dict.fromkeys(scope)]
    kind = draw(st.sampled_from(["sum", "signs", "bounds", "cage"]))
    total = draw(st.integers(len(scope) * values[0], len(scope) * values[-1]))
    if kind == "cage" and len({*scope}) == len(scope) <= 3:
        return cage(scope, values, total)
    if kind == "signs":
        signs = draw(st.lists(st.sampled_from([1, -1, 2]), min_size=len(scope), max_size=6))
        return Linear(tuple(signs[: len(scope)]), tuple(scope), total, total)
    high = total + 2 if kind == "bounds" else total
    return Linear((1,) * len(scope), tuple(scope), total, high)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_random_clues_on_a_square(data):
    values = data.draw(st.sampled_from([(1, 2, 3), (0, 1, 2), (-3, 1, 4), (1, 2, 3, 4)]))
    some = data.draw(st.lists(clues(values), min_size=1, max_size=4))
    given_values = data.draw(st.dictionaries(st.sampled_from(CELLS), st.sampled_from(values)))
    few = dict([*given_values.items()][:2])
    columns = data.draw(st.sampled_from([COLUMNS, COLUMNS[:1], []]))
    graph = square(values, *some, columns=columns, given=few)
    number = sum(1 for _ in assignments(graph))
    for cheap in (False, True):
        more = with_implied(graph, cheap=cheap)
        assert sum(1 for _ in assignments(more)) == number
        check_sources(more)


def check_sources(graph):
    """Check the implied factors whose sources have few variables."""
    for factor, sources in implied_factors(graph):
        scopes = {v for f in factors(sources).values() for v in f.scope} | {*factor.scope}
        domain_of = {v: d for v, d in domains(graph).items() if v in scopes}
        if len(scopes) <= 6:
            for found in assignments(graph_of(domain_of, *factors(sources).values())):
                assert factor.accepts([found[v] for v in factor.scope])


def last(graph):
    return [factor for factor, _ in implied_factors(graph)]


def test_an_innie_an_outie_and_a_complement():
    two, four = Linear((1, 1), ((0, 0), (0, 1)), 3, 3), cage(((0, 2), (1, 2)), (1, 2, 3), 4)
    found = last(check(square((1, 2, 3), two)))
    assert Linear((1,), ((0, 2),), 3, 3) in found
    found = last(with_implied(square((1, 2, 3), two, four)))
    assert Linear((1,), ((2, 2),), 2, 2) in found
    over = Linear((1,) * 4, ((0, 0), (0, 1), (0, 2), (1, 0)), 8, 8)
    assert Linear((-1,), ((1, 0),), -2, -2) in last(with_implied(square((1, 2, 3), over)))


def test_given_values_are_no_innies():
    clue = Linear((1,), ((0, 1),), 2, 2)
    found = last(with_implied(square((1, 2, 3), clue, given={(0, 0): 1})))
    assert Linear((1,), ((0, 2),), 3, 3) in found


def test_a_house_of_unknown_values_has_no_sum():
    clue = Linear((1, 1), ((0, 0), (0, 1)), 3, 3)
    graph = square((1, 2, 3, 4), clue, columns=[])
    assert with_implied(graph) is graph


@pytest.mark.parametrize(
    "clue",
    [
        Linear((1,) * 6, ROWS[0] + ROWS[1], 13, 13),
        Linear((1,) * 3, ROWS[0], 7, None),
        Linear((2, 2), ((0, 0), (0, 1)), None, 5),
        Linear((1, 1, -1, -1), (*ROWS[0][:2], *ROWS[1][:2]), 3, 3),
    ],
)
def test_a_sum_out_of_reach_is_refuted(clue):
    graph = with_implied(square((1, 2, 3), clue))
    [(factor, _)] = implied_factors(graph)
    assert factor.scope == ()
    assert not factor.accepts(())
    assert not any(assignments(square((1, 2, 3), clue)))


def test_sums_out_of_reach_together_are_refuted():
    """Each of three sums of a corner to the next is possible, all three are not."""
    pieces = [(ROWS[i][i], ROWS[i][(i + 1) % 3]) for i in range(3)]
    clues = [Linear((1, 1), piece, 3, 3) for piece in pieces]
    wide = Linear((1, 1, 1), tuple(ROWS[i][(i + 2) % 3] for i in range(3)), 8, 8)
    graph = with_implied(square((1, 2, 3), *clues, wide))
    [(factor, sources)] = implied_factors(graph)
    assert not factor.accepts(())
    assert not any(assignments(sources))


def test_tight_clues_are_merged():
    """Two diagonals of a Latin square of order 5 that are nearly as small as they can be."""
    grid = [[(r, c) for c in range(5)] for r in range(5)]
    houses = [AllDifferent(tuple(line)) for line in (*grid, *zip(*grid, strict=True))]
    first = Linear((1,) * 4, tuple(grid[i][i + 1] for i in range(4)), 5, 5)
    second = Linear((1,) * 4, tuple(grid[i][(i + 3) % 5] for i in range(4)), 7, 7)
    domain_of = {cell: tuple(range(1, 6)) for line in grid for cell in line}
    graph = graph_of(domain_of, *houses, first, second)
    [(factor, sources)] = implied_factors(with_implied(graph))
    assert (len(factor.scope), factor.low, factor.high) == (8, 12, 12)
    assert {*factors(sources).values()} == {first, second}


def test_looser_clues_are_merged_where_sums_are_cheap_unless_they_overlap():
    grid = [[(r, c) for c in range(5)] for r in range(5)]
    houses = [AllDifferent(tuple(line)) for line in (*grid, *zip(*grid, strict=True))]
    domain_of = {cell: tuple(range(1, 6)) for line in grid for cell in line}
    cells = [tuple(grid[i][(i + k) % 5] for i in range(4)) for k in (1, 3)]
    first, second = (Linear((1,) * 4, scope, 8, 8) for scope in cells)
    across = Linear((1,) * 4, (cells[0][0], *cells[1][1:]), 8, 8)  # shares cells with both
    graph = graph_of(domain_of, *houses, first, second, across)
    assert last(with_implied(graph)) == []
    merged = last(with_implied(graph, cheap=True))
    assert [{*factor.scope} for factor in merged] == [{*cells[0], *cells[1]}]
    assert [(factor.low, factor.high) for factor in merged] == [(16, 16)]
