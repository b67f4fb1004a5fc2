"""Taking clues away: the same whoever is asked, and nothing that is left can go."""

from __future__ import annotations

from random import Random

import pytest

import csp_sudoku as cs
from csp_sudoku import backends
from csp_sudoku.generating.reducing import SatProver, SearchProver, reduce
from csp_sudoku.generating.shapes import halves, is_connected, regions, tiling
from csp_sudoku.switching import Switchboard


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rules", [cs.Puzzle.blank(9), cs.Puzzle.blank(6).add(cs.AntiKing())])
def test_search_and_sat_agree(rules, seed):
    solution = cs.random_solution(rules, seed)
    groups = [(place,) for place in rules.cells]
    Random(seed).shuffle(groups)
    with Switchboard(rules, known=solution) as board:
        by_sat = reduce(SatProver(board, solution, range(len(board.rules))), groups)
    session = backends.get("search").compile(rules.rules_graph)
    by_search = reduce(SearchProver(session, solution), groups)
    assert by_sat == by_search
    assert by_sat.minimal
    left = {place: solution[place] for [place] in by_sat.kept}
    # The same as taking away one at a time.
    slowly = dict(solution)
    for [place] in groups:
        rest = {p: v for p, v in slowly.items() if p != place}
        if cs.is_unique(rules.with_givens(rest)):
            slowly = rest
    assert left == slowly


def test_stops_at_a_number_of_clues():
    rules = cs.Puzzle.blank(9)
    solution = cs.random_solution(rules, 0)
    session = backends.get("search").compile(rules.rules_graph)
    pairs = [rules.cells[i : i + 2] for i in range(0, 80, 2)]
    found = reduce(SearchProver(session, solution), pairs, always=rules.cells[80:], least=51)
    assert sum(map(len, found.kept)) == 52
    assert not found.minimal


def test_tilings():
    values = cs.random_solution(9, 3)
    pieces = list(tiling(values, (2, 3, 4), Random(1)))
    assert sorted(place for piece in pieces for place in piece) == sorted(values)
    assert all(map(is_connected, pieces))
    assert all(len({values[place] for place in piece}) == len(piece) for piece in pieces)
    assert all(len(piece) <= 4 for piece in pieces)


def test_halves():
    row = [cs.Cell(0, i) for i in range(5)]
    a, b = halves(row, Random(0))
    assert sorted(a + b) == row
    assert is_connected(a)
    assert is_connected(b)
    assert halves(row[:3], Random(0)) is None


@pytest.mark.parametrize("side", [1, 2, 5, 9, 12])
def test_regions(side):
    found = regions(side, side, Random(side))
    assert sorted(place for region in found for place in region) == list(
        cs.Puzzle.blank(side).cells
    )
    assert {len(region) for region in found} == {side}
    assert all(map(is_connected, found))
