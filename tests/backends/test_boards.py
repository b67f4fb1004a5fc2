"""Boards: every solution of differences and relations, each once; anything else is refused."""

from itertools import product
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import csp_sudoku as cs
from csp_encodings.errors import BudgetError
from csp_encodings.factors import AllDifferent, Linear, Relation
from csp_encodings.graph import assignments, domains, graph_of, variables
from csp_sudoku import AntiKnight, Nonconsecutive, Puzzle, Thermometer, backends
from csp_sudoku.backends import boards
from csp_sudoku.backends.boards import Boards
from csp_sudoku.backends.dlx import Dlx
from csp_sudoku.backends.engines import engine_for
from csp_sudoku.backends.search import Search
from csp_sudoku.errors import BackendError
from csp_sudoku.kernels import BLANK, BOARD_SHAPES

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


@pytest.mark.parametrize("shape", BOARD_SHAPES)
@settings(max_examples=100)
@given(board_graphs(), st.data())
def test_boards_of_any_shape_find_every_solution_once(shape, graph, data):
    with mock.patch.object(boards, "board_shape", return_value=shape):
        session = Boards().compile(graph)
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
    ("graph", "engine"),
    [
        (NINE, "boards"),
        (APART, "boards"),
        (Puzzle.blank(16).rules_graph, "boards"),
        (graph_of({"x": range(70), "y": range(70)}, AllDifferent(("x", "y"))), "search"),
        (graph_of({"x": (1, 2), "y": (1, 3)}), "boards"),
        (graph_of(dict.fromkeys("xy", (1, 2)), Linear((1, 1), ("x", "y"), 3, 3)), "search"),
        (graph_of({"x": (1,)}, AllDifferent(("x", "x"))), "boards"),
        (graph_of({}), "boards"),
        (graph_of(dict.fromkeys("xy", range(17))), "search"),
        (graph_of(dict.fromkeys(range(257), (1, 2))), "search"),
        (Puzzle.blank(6).add(Nonconsecutive()).rules_graph, "boards"),
        (Puzzle.blank(6).add(Thermometer("R1C1 R2C2 R3C3")).rules_graph, "search"),
    ],
)
def test_which_engine_a_graph_wants(graph, engine):
    assert engine_for(graph).name == engine


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (
            graph_of(dict.fromkeys("xy", (1, 2)), Linear((1, 1), ("x", "y"), 3, 3)),
            "boards hold differences and relations, not a factor Linear; search holds any",
        ),
        (
            graph_of(dict.fromkeys("xy", range(17))),
            "boards hold up to 256 variables with 16 values in all, not 2 with 17; search",
        ),
        (
            graph_of(dict.fromkeys(range(257), (1, 2))),
            "boards hold up to 256 variables with 16 values in all, not 257 with 2; search",
        ),
    ],
)
def test_what_boards_cannot_hold_is_refused(graph, message):
    with pytest.raises(BudgetError, match=message):
        Boards().compile(graph)


def test_a_refusal_names_the_backend():
    with pytest.raises(cs.BudgetError, match="backend boards: boards hold differences and"):
        cs.solve(Puzzle.blank(4).add(cs.KillerCage("R1C1 R1C2 R2C1", 7)), "boards")


def test_options_that_make_no_sense():
    with pytest.raises(BackendError, match="divide='no' must be true or false"):
        Boards(divide="no")


@pytest.mark.parametrize(
    ("graph", "number"),
    [
        (graph_of({}), 1),
        (graph_of({}, AllDifferent(())), 1),
        (graph_of({"x": ()}), 0),
        (graph_of({"x": (1, 2)}), 2),
        (graph_of({"x": (-5,), "y": (10**30,)}), 1),
        (graph_of({"x": (1, 2)}, AllDifferent(("x", "x"))), 0),
        (graph_of(dict.fromkeys("xyz", (1, 2)), AllDifferent(("x", "y", "z"))), 0),
        # As many cells as boards hold, and none left for a factor that can never hold.
        (graph_of(dict.fromkeys(range(256), (1,)), AllDifferent((0, 1))), 0),
        (graph_of(dict.fromkeys(range(256), (1,))), 1),
    ],
)
def test_odd_graphs(graph, number):
    found = Boards().compile(graph).solutions()
    assert len(list(found)) == number
    assert found.complete


def test_lines_are_searched_on_boards_if_that_is_wanted():
    puzzle = Puzzle.blank(6).add(Thermometer("R1C1 R2C2 R3C3"))
    assert cs.count(puzzle, "boards", limit=99).value == 99


def test_large_counts_are_divided_unless_they_should_not_be():
    graph = graph_of(dict.fromkeys(range(6), range(6)))
    plain, divided = (Boards(divide=divide).compile(graph).solutions() for divide in (False, True))
    assert plain.drain().count == divided.drain().count == 6**6
    assert plain.statistics.assignments > 6**5 > divided.statistics.assignments


def test_more_houses_than_a_word_has_bits():
    cells = tuple(range(5))
    same = [AllDifferent(cells)] * 70
    relations = [Relation(0, 4, frozenset({(1, 2)}))] * 5
    graph = graph_of(dict.fromkeys(cells, range(5)), *same, *relations)
    session = Boards().compile(graph)
    assert session.solutions().drain().count == 6


@pytest.mark.parametrize("backend", [Boards(), Search()], ids=["boards", "search"])
@pytest.mark.parametrize("shift", [1, 0, -3, 40])
def test_rows_hold_the_values_of_the_graph(shift, backend):
    graph = graph_of(
        {"x": range(shift, shift + 3), "y": range(shift, shift + 3), "odd": (2, 5, 99)},
        AllDifferent(("x", "y")),
    )
    session = backend.compile(graph)
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


@pytest.mark.parametrize("backend", [Search(), Dlx()], ids=["search", "dlx"])
@pytest.mark.parametrize("wide", [range(-70, 62), range(-130, 150, 2)])
def test_every_value_of_several_words_can_be_given(backend, wide):
    """And no other number; this is too wide for boards."""
    session = backend.compile(graph_of({"x": (0, 1), "y": wide, "z": (3, 70)}))
    numbers = [*range(-270, 270)]
    solutions, counts = session.solve_many(np.array([[1, n, 70] for n in numbers]))
    assert counts.tolist() == [int(n in wide) for n in numbers]
    assert solutions[counts == 1].tolist() == [[1, n, 70] for n in wide]


def test_relations_are_laid_out_for_many_puzzles_only():
    rules = cs.Puzzle.blank(4).add(cs.Nonconsecutive())
    plain = cs.Puzzle.blank(4)
    many, once = (engine_for(rules.rules_graph, once=once).name for once in (False, True))
    assert (many, once) == ("boards", "search")
    assert engine_for(plain.rules_graph, once=True).name == "boards"
    auto = backends.get("auto:kernels=true")
    found = [
        {tuple(x.values()) for x in compiling(rules.rules_graph).solutions()}
        for compiling in (auto.compile, auto.compile_once)
    ]
    assert found[0] == found[1]
    assert len(found[0]) == cs.count(rules, "brute").value
