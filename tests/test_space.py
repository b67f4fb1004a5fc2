"""The space of a puzzle: exact where all solutions are seen, and honest where they are not."""

from __future__ import annotations

from collections import Counter

import pytest

import csp_sudoku as cs

THERMO = cs.Puzzle.blank(4).add(cs.Thermometer("R1C1 R2C2 R3C3"))


@pytest.mark.parametrize("puzzle", [cs.Puzzle.blank(4), THERMO, cs.read("1234 34.. .... ....")])
def test_against_all_solutions(puzzle):
    found = cs.space(puzzle, seed=1)
    every = [*cs.solutions(puzzle)]
    assert (found.number, found.exact, found.uniform) == (len(every), True, True)
    for place in puzzle.cells:
        assert found.values[place] == Counter(solution[place] for solution in every)
    fixed = {p: v for p, v in every[0].items() if all(s[p] == v for s in every)}
    assert found.backbone == {p: v for p, v in fixed.items() if p not in puzzle.givens}


def test_the_sample_is_uniform():
    puzzle = cs.read("1234 34.. .... ....")
    drawn = Counter(cs.space(puzzle, sample=1200, seed=5).sample)
    assert len(drawn) == 6
    assert all(140 < times < 260 for times in drawn.values())  # 200 ± 13
    assert cs.space(puzzle, sample=5, seed=5) == cs.space(puzzle, sample=5, seed=5)


def test_no_solution():
    found = cs.space("11.. .... .... ....")
    assert (found.number, found.exact, found.sample, found.values) == (0, True, (), {})


def test_more_than_can_be_looked_at():
    found = cs.space(cs.Puzzle.blank(6), sample=2, seed=1)
    assert (found.number, found.exact, found.uniform) == (28_200_960, True, False)
    assert len(found.sample) == 2
    assert all(cs.verify(cs.Puzzle.blank(6), solution).ok for solution in found.sample)
    assert found.values[cs.Cell(0, 0)] == dict.fromkeys(range(1, 7))
    assert str(found) == "28,200,960 solutions, 0 of 36 open cells have one value"


def test_an_estimate():
    found = cs.space(cs.Puzzle.blank(9).add(cs.Thermometer("R1C1 R1C2 R1C3")), timeout=6)
    assert not found.exact
    assert found.low <= found.number
    if found.high is not None:
        # A sixth of all grids, 6.67 * 10**21, have the three values in this order.
        assert found.low / 2 < 6_670_903_752_021_072_936_960 / 6 < found.high * 2
