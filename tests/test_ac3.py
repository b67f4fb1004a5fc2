"""AC-3 alone: exactly the values that have a support in every arc, and no search."""

import subprocess
import sys
from dataclasses import FrozenInstanceError
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import csp_sudoku as cs
from csp_encodings.automaton import Automaton
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import GraphBuilder, graph_of
from csp_sudoku.textbook import ac3


def sudoku(text):
    cells = list(product(range(9), repeat=2))
    houses = (
        [cell for cell in cells if house_of(*cell) == house]
        for house_of in (
            lambda r, c: r,
            lambda r, c: c,
            lambda r, c: r // 3 * 3 + c // 3,
        )
        for house in range(9)
    )
    domains = {
        cell: range(1, 10) if x == "0" else (int(x),) for cell, x in zip(cells, text, strict=True)
    }
    return graph_of(domains, *(AllDifferent(tuple(house)) for house in houses))


SOLVED_BY_AC3 = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
SOLUTION = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"


def test_a_sudoku_that_needs_no_search():
    result = ac3(sudoku(SOLVED_BY_AC3))
    assert result.consistent
    assert result.solved
    assert "".join(str(value) for (value,) in result.domains.values()) == SOLUTION
    # 810 pairs of cells in a house, an arc each way, and each is revised at least once.
    assert result.revisions >= 2 * 810


def test_a_sudoku_that_needs_more():
    hard = "800000000003600000070090200050007000000045700000100030001000068008500010090000400"
    result = ac3(sudoku(hard))
    assert result.consistent
    assert not result.solved
    assert all(result.domains.values())
    empty = ac3(sudoku("0" * 81))
    assert empty.consistent
    assert not empty.solved
    assert empty.revisions == 2 * 810
    assert set(empty.domains.values()) == {tuple(range(1, 10))}


def test_a_sudoku_without_a_solution():
    result = ac3(sudoku("11" + "0" * 79))
    assert not result.consistent
    assert not result.solved


def test_arcs_are_weaker_than_the_whole_factor():
    # Three variables for two values: every pair has room.
    pigeons = graph_of(dict.fromkeys("abc", (1, 2)), AllDifferent(tuple("abc")))
    result = ac3(pigeons)
    assert (result.consistent, result.solved) == (True, False)
    assert result.domains == dict.fromkeys("abc", (1, 2))


def naive(domains, factors):
    """The textbook closure: remove values without support in a pair or a factor, until none is."""
    parts = []
    for factor in factors:
        if isinstance(factor, AllDifferent):
            parts += [AllDifferent(pair) for pair in combinations(factor.scope, 2)]
        else:
            parts.append(factor)
    left = {name: set(domain) for name, domain in domains.items()}
    changed = True
    while changed:
        changed = False
        for part in parts:
            names = dict.fromkeys(part.scope)
            rows = [
                row
                for values in product(*(left[name] for name in names))
                if (row := dict(zip(names, values, strict=True)))
                and part.accepts([row[name] for name in part.scope])
            ]
            for name in names:
                supported = {row[name] for row in rows}
                changed |= supported != left[name]
                left[name] = supported
    return left


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_the_closure_is_that_of_the_definition(data):
    names = "abcd"
    domains = {
        name: sorted(data.draw(st.sets(st.integers(0, 4), min_size=1, max_size=3)))
        for name in names
    }
    factors = []
    for _ in range(data.draw(st.integers(1, 4))):
        scope = tuple(data.draw(st.lists(st.sampled_from(names), min_size=2, max_size=3)))
        kind = data.draw(st.sampled_from(["different", "relation", "regular"]))
        if kind == "different":
            factors.append(AllDifferent(tuple(dict.fromkeys(scope))))
        elif kind == "relation":
            pairs = data.draw(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4))))
            factors.append(Relation(*scope[:2], frozenset(pairs)))
        else:
            modulus = data.draw(st.integers(1, 3))
            unique = tuple(dict.fromkeys(scope))
            automaton = Automaton.from_fold(
                [range(5)] * len(unique),
                0,
                lambda s, v, modulus=modulus: (s * 2 + v) % modulus,
                lambda s: s == 0,
            )
            factors.append(Regular(unique, automaton))
    wanted = naive(domains, factors)
    result = ac3(graph_of(domains, *factors))
    assert result.consistent == all(wanted.values())
    if result.consistent:
        assert result.domains == {name: tuple(sorted(wanted[name])) for name in names}
        assert result.solved == all(len(values) == 1 for values in wanted.values())


def test_sums_and_auxiliaries():
    builder = GraphBuilder()
    for name in "xy":
        builder.variable(name, range(1, 7))
    total = builder.auxiliary("t", range(2, 13), lambda t: Linear((1, 1, -1), ("x", "y", t), 0, 0))
    builder.factor(Linear((1,), (total,), 11, None))
    result = ac3(builder.build())
    assert result.domains == {"x": (5, 6), "y": (5, 6), total: (11, 12)}


@pytest.mark.parametrize(
    ("graph", "consistent", "solved"),
    [
        (graph_of({}), True, True),
        (graph_of({}, Linear((), (), 1, 1)), False, False),
        (graph_of({"x": ()}), False, False),
        (graph_of({"x": (1,)}), True, True),
        (graph_of({"x": (1,)}, AllDifferent(("x", "x"))), False, False),
        (graph_of({"x": (1, 2)}, Regular(("x",), Automaton.nothing([(1, 2)]))), False, False),
    ],
)
def test_edges(graph, consistent, solved):
    result = ac3(graph)
    assert (result.consistent, result.solved) == (consistent, solved)


def test_whatever_has_a_graph_will_do():
    class Puzzle:
        graph = graph_of({"x": (1,), "y": (1, 2)}, AllDifferent(("x", "y")))

    result = ac3(Puzzle())
    assert result.domains == {"x": (1,), "y": (2,)}
    with pytest.raises(FrozenInstanceError):
        result.solved = False


@pytest.mark.parametrize("form", [str, cs.read, lambda text: cs.read(text).graph])
def test_a_text_a_puzzle_and_a_graph_are_the_same(form):
    result = cs.ac3(form(SOLVED_BY_AC3))
    assert result.solved
    assert "".join(str(value) for (value,) in result.domains.values()) == SOLUTION


def test_what_is_no_puzzle_is_refused_as_read_does():
    with pytest.raises(cs.FormatError):
        cs.ac3("12345")


def test_it_is_plain_python():
    code = "import sys, csp_sudoku as cs; cs.ac3('1' + '.' * 80); assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
