"""The search on boards: where all factors are differences and relations."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csp_encodings.arrays import encode
from csp_encodings.factors import AllDifferent, Linear, Relation
from csp_encodings.graph import assignments, domains, graph_of, variables
from csp_sudoku import AntiKnight, Nonconsecutive, Puzzle, Thermometer
from csp_sudoku.backends.base import BLANK
from csp_sudoku.backends.search import Search
from csp_sudoku.backends.search_session import BOARDS, SearchSession
from csp_sudoku.kernels.board_memory import SHAPES, lay_out_boards

NINE = Puzzle.blank(9).rules_graph
APART = Puzzle.blank(4).add(AntiKnight(), Nonconsecutive()).rules_graph


@st.composite
def board_graphs(draw):
    """Cells of one universe, with differences, permutations and any relations."""
    size = draw(st.integers(1, 4))
    domains = {
        i: sorted(draw(st.sets(st.integers(1, size), min_size=1))) if draw(st.booleans()) else wide
        for i in range(draw(st.integers(2, 5)))
        for wide in [range(1, size + 1)]
    }
    cells = st.lists(st.sampled_from([*domains]), min_size=2, max_size=4, unique=True)
    factors = [AllDifferent(tuple(domains))] if draw(st.booleans()) else []
    for scope in draw(st.lists(cells, max_size=4)):
        factors.append(AllDifferent(tuple(scope)))
    pairs = st.tuples(st.integers(1, size), st.integers(1, size))
    for a, b, *_ in draw(st.lists(cells, max_size=4)):
        rule = draw(
            st.one_of(
                st.frozensets(pairs),
                st.sampled_from([lambda x, y: x != y, lambda x, y: abs(x - y) != 1]).map(
                    lambda test: frozenset(
                        (x, y) for x, y in product(range(1, size + 1), repeat=2) if test(x, y)
                    )
                ),
            )
        )
        factors.append(Relation(a, b, rule))
    return graph_of(domains, *factors)


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=100)
@given(board_graphs(), st.data())
def test_boards_of_any_shape_find_every_solution_once(shape, graph, data):
    arrays = encode(graph)
    if len(set(arrays.universes)) > 1:
        session = Search().compile(graph)
    else:
        session = SearchSession(arrays, lay_out_boards(arrays, shape), BOARDS[shape], None, 0)
    restrict = {
        name: tuple(data.draw(st.lists(st.sampled_from([*domains(graph)[name], 99]), max_size=3)))
        for name in variables(graph)
        if data.draw(st.booleans())
    }
    for limits in ({}, restrict):
        wanted = [
            tuple(solution.values())
            for solution in assignments(graph)
            if all(solution[name] in values for name, values in limits.items())
        ]
        found = [tuple(solution.values()) for solution in session.solutions(limits)]
        assert sorted(found) == sorted(wanted)
        assert session.solutions(limits).drain().count == len(wanted)


@pytest.mark.parametrize(
    ("graph", "options", "engine"),
    [
        (NINE, {}, "boards"),
        (APART, {}, "boards"),
        (Puzzle.blank(16).rules_graph, {}, "boards"),
        (NINE, {"variable_order": "mrv"}, "domains"),
        (NINE, {"trace": 10}, "domains"),
        (graph_of({"x": range(70), "y": range(70)}, AllDifferent(("x", "y"))), {}, "domains"),
        (graph_of({"x": (1, 2), "y": (1, 3)}), {}, "domains"),  # equal bits, other values
        (graph_of(dict.fromkeys("xy", (1, 2)), Linear((1, 1), ("x", "y"), 3, 3)), {}, "domains"),
        (graph_of({"x": (1,)}, AllDifferent(("x", "x"))), {}, "domains"),
        (graph_of({}), {}, "domains"),
        (graph_of(dict.fromkeys("xy", range(17))), {}, "domains"),
        (Puzzle.blank(6).add(Nonconsecutive()).rules_graph, {}, "boards"),
        (Puzzle.blank(6).add(Thermometer("R1C1 R2C2 R3C3")).rules_graph, {}, "domains"),
    ],
)
def test_when_boards_are_used(graph, options, engine):
    assert Search(**options).compile(graph).engine.name == engine


def test_more_houses_than_a_word_has_bits():
    cells = tuple(range(5))
    same = [AllDifferent(cells)] * 70
    relations = [Relation(0, 4, frozenset({(1, 2)}))] * 5
    graph = graph_of(dict.fromkeys(cells, range(5)), *same, *relations)
    session = Search().compile(graph)
    assert session.engine.name == "boards"
    assert session.solutions().drain().count == 6


@pytest.mark.parametrize("shift", [1, 0, -3, 40])
def test_rows_hold_the_values_of_the_graph(shift):
    graph = graph_of(
        {"x": range(shift, shift + 3), "y": range(shift, shift + 3), "odd": (2, 5, 99)},
        AllDifferent(("x", "y")),
    )
    session = Search().compile(graph)
    givens = np.array(
        [
            [shift, BLANK, 5],
            [BLANK, shift, BLANK],
            [shift, shift, BLANK],
            [shift - 1, BLANK, BLANK],
            [BLANK, shift + 3, 2],
            [BLANK, BLANK, 3],
        ]
    )
    solutions, counts = session.solve_many(givens, limit=9)
    assert counts.tolist() == [2, 6, 0, 0, 0, 0]
    assert solutions[0, 0] == shift
    assert solutions[0, 1] in (shift + 1, shift + 2)
    assert solutions[:2, 2].tolist() in ([5, 2], [5, 5], [5, 99])
    assert (solutions[2:] == BLANK).all()
