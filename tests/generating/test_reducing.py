"""Taking clues away: the same whoever is asked, and nothing that is left can go."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import csp_sudoku as cs
from csp_sudoku import backends
from csp_sudoku.generating import loops
from csp_sudoku.generating.reducing import SatProver, SearchProver, reduce
from csp_sudoku.generating.shapes import halves, is_connected, regions, tiling
from csp_sudoku.kernels import BLANK
from csp_sudoku.solving.switching import Switchboard


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


class _OneByOne:
    """A prover that asks one question at a time: `reduce` has no loop in machine code for it."""

    def __init__(self, prover):
        self.unique = prover.unique


@pytest.mark.parametrize("backend", ["boards", "search"])
@pytest.mark.parametrize(
    ("rules", "size", "least"),
    [
        (cs.Puzzle.blank(6), 2, 0),
        (cs.Puzzle.blank(4, values=[0, 3, 4, 9]), 1, 0),
        (cs.Puzzle.blank(2, 5, box=None), 3, 0),
        (cs.Puzzle.blank(6, regions="aabbcc" * 3 + "ddeeff" * 3), 1, 11),
        (cs.Puzzle.blank(6).add(cs.Nonconsecutive()), 4, 9),
    ],
)
def test_the_loop_in_machine_code(rules, size, least, backend, monkeypatch):
    monkeypatch.setattr(loops, "_FIRST_SLICE", 1)  # it is left and resumed after every step
    solution = cs.random_solution(rules, 5)
    cells = Random(5).sample(rules.cells, len(rules.cells))
    groups = [tuple(cells[i : i + size]) for i in range(0, len(cells) - 3, size)]
    always = cells[sum(map(len, groups)) :]
    prover = SearchProver(backends.get(backend).compile(rules.rules_graph), solution)
    quickly = reduce(prover, groups, always=always, least=least)
    assert quickly == reduce(_OneByOne(prover), groups, always=always, least=least)


def test_out_of_time_all_groups_are_left():
    rules = cs.Puzzle.blank(6)
    solution = cs.random_solution(rules, 0)
    prover = SearchProver(backends.get("boards").compile(rules.rules_graph), solution)
    groups = tuple((place,) for place in rules.cells)
    found = reduce(prover, groups, deadline=0.0)
    assert (found.kept, found.minimal, found.out_of_time) == (groups, False, True)


@pytest.mark.parametrize("backend", ["boards", "search"])
@pytest.mark.parametrize("most", [0, 1, 7, 1000])
def test_collected_solutions(backend, most, monkeypatch):
    monkeypatch.setattr(loops, "_FIRST_SLICE", 1)
    rules = cs.Puzzle.blank(4, values=[0, 3, 4, 9])
    givens = np.array([3, *[BLANK] * 14, 9])
    session = backends.get(backend).compile(rules.rules_graph)
    found = loops.collect(session, givens, most).tolist()
    every = cs.solve(rules.with_givens({"R1C1": 3, "R4C4": 9}), limit=None).solutions
    assert len(found) == min(most, len(every))
    assert {*map(tuple, found)} <= {tuple(s.numbers) for s in every}
    assert len({*map(tuple, found)}) == len(found)


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
