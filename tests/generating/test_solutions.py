"""Random solutions: right, reproducible, and spread evenly on 4×4."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random

import pytest

import csp_sudoku as cs
from csp_sudoku.errors import PuzzleError, UndecidedError
from csp_sudoku.generating.solutions import SolutionSampler

RULES = {
    "1×1": 1,
    "3×3, no boxes": 3,
    "9×9": 9,
    "16×16": 16,
    "25×25": 25,
    "40×40, from a pattern": 40,
    "40×41, no boxes": cs.Puzzle.blank(40, 41, box=None),
    "no houses": cs.Puzzle.blank(3, box=None, row_houses=False, column_houses=False),
    "anti-knight": cs.Puzzle.blank(9).add(cs.AntiKnight()),
    "a sum": cs.Puzzle.blank(6).add(cs.KillerCage("R1C1 R1C2 R2C1", 6)),
    "named": cs.Puzzle.blank(4)
    .with_named("x", range(2, 9))
    .add(cs.Sum(["R1C1 R1C2", cs.Var("x")], 0, (1, 1, -1))),
    "givens": cs.read("1... .2.. .... ...3"),
}


@pytest.mark.parametrize("name", RULES)
def test_keeps_the_rules(name):
    rules = RULES[name]
    found = cs.random_solution(rules, seed=1)
    puzzle = cs.Puzzle.blank(rules) if isinstance(rules, int) else rules
    assert cs.verify(puzzle, found).ok
    assert found == cs.random_solution(rules, seed=1)


def test_a_pattern_is_stirred():
    a, b = (cs.random_solution(40, seed=seed) for seed in (1, 2))
    same = sum(a[place] == b[place] for place in a)
    assert same < 3 * 40  # by chance, one in 40


def test_every_grid_of_4x4_is_drawn_equally_often():
    """The chi-square of 1,440 draws over 288 grids; chance gives 287 ± 24."""
    sampler = SolutionSampler(cs.Puzzle.blank(4))
    drawn = Counter(sampler.draw(Random(seed)).text for seed in range(1_440))
    chi_square = sum((number - 5) ** 2 / 5 for number in drawn.values())
    chi_square += 5 * (288 - len(drawn))
    assert abs(chi_square - 287) < 4 * sqrt(2 * 287)


def test_nothing_to_draw():
    with pytest.raises(PuzzleError, match="there is no solution to draw"):
        cs.random_solution(cs.read("11.. .... .... ...."))
    with pytest.raises(UndecidedError):
        cs.random_solution(9, timeout=0)
