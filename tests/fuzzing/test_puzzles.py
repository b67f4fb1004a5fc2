"""Random puzzles: odd, of every kind, and the same for the same seed."""

import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest

import csp_sudoku as cs
from csp_sudoku.cells import Place
from csp_sudoku.constraints import registry
from csp_sudoku.fuzzing.checking import kinds_of, random_plan
from csp_sudoku.fuzzing.puzzles import random_puzzle
from csp_sudoku.fuzzing.rules import RuleMaker

DRAWN = [random_puzzle(1, number) for number in range(400)]

DIGEST = """
import hashlib
from csp_sudoku.fuzzing.puzzles import random_puzzle
puzzles = [random_puzzle(3, number).puzzle for number in range(80)]
said = [[r.describe(p) for r in p.constraints] for p in puzzles]
shapes = [(p.grids, p.candidates, p.named) for p in puzzles]
print(hashlib.sha256(repr((said, shapes)).encode()).hexdigest())
"""


def test_the_same_seed_gives_the_same_puzzles():
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1
    assert random_puzzle(1, 5).puzzle.grids == DRAWN[5].puzzle.grids
    assert random_puzzle(2, 5) != DRAWN[5]
    assert random_plan(1, 5, tiny=True) == random_plan(1, 5, tiny=True)


def test_nearly_every_kind_of_rule_is_drawn_soon():
    drawn = Counter()
    for one in DRAWN:
        drawn += kinds_of(one.puzzle.constraints)
    missing = registry.built_in().keys() - drawn.keys()
    assert len(missing) <= 4, missing


@pytest.mark.parametrize("name", sorted(registry.built_in()))
def test_most_draws_of_every_kind_are_rules(name):
    """What a kind draws of itself it accepts, except now and then."""
    kind, accepted = registry.built_in()[name], 0
    maker = RuleMaker(cs.Puzzle.blank(4), None, Random(name))
    for _ in range(60):
        try:
            accepted += isinstance(maker.instance(kind), kind)
        except cs.ConstraintError:
            continue
    assert accepted > 15, accepted


def test_all_ties_are_drawn_and_nothing_else():
    maker = RuleMaker(cs.Puzzle.blank(4), None, Random(1))
    drawn = {maker.instance(cs.FullRankTies).ties for _ in range(50)}
    assert drawn == {"none", "only-unclued", "any"}


def test_what_a_field_says_of_itself_is_heeded():
    @dataclass(frozen=True)
    class Told(cs.Constraint):
        cells: tuple[Place, ...] = field(metadata={"least": 4, "most": 6})
        way: str = field(metadata={"choices": ("up", "down")})
        name = "told"

    maker = RuleMaker(cs.Puzzle.blank(4), None, Random(1))
    drawn = [maker.instance(Told) for _ in range(300)]
    assert {rule.way for rule in drawn} == {"up", "down"}
    usual = [rule for rule in drawn if 4 <= len(rule.cells) <= 6]
    assert {len(rule.cells) for rule in usual} == {4, 5, 6}
    assert len(usual) > 280


def test_a_field_that_cannot_be_drawn_is_named():
    @dataclass(frozen=True)
    class Odd(cs.Constraint):
        text: str
        name = "odd-text"

    maker = RuleMaker(cs.Puzzle.blank(4), None, Random(1))
    with pytest.raises(cs.ConstraintError, match="no value of type <class 'str'> can be drawn"):
        maker.instance(Odd)


def test_refusals_do_not_dominate():
    rules = sum(len(one.puzzle.constraints) for one in DRAWN)
    assert sum(one.refused for one in DRAWN) < rules / 2


def test_the_odd_is_common():
    puzzles = [one.puzzle for one in DRAWN]
    rules = [rule for p in puzzles for rule in p.constraints]
    cells = [rule.cells for rule in rules if isinstance(rule, cs.CellConstraint)]
    odd = {
        "several grids": [p for p in puzzles if len(p.grids) > 1],
        "regions": [p for p in puzzles if p.grids[0].regions],
        "no square": [p for p in puzzles if p.grids[0].rows != p.grids[0].columns],
        "values from 0 or below": [p for p in puzzles if p.grids[0].values[0] < 1],
        "named variables": [p for p in puzzles if p.named],
        "candidate lists": [p for p in puzzles if any(len(v) > 1 for _, v in p.candidates)],
        "no candidate": [p for p in puzzles if any(not v for _, v in p.candidates)],
        "an objection": [p for p in puzzles if p.objections()],
        "repeated cells": [c for c in cells if len(set(c)) < len(c)],
        "one cell": [c for c in cells if len(c) == 1],
        "deep": [p for p in puzzles if "not (" in str([r.label for r in p.constraints])],
        "too large for the oracle": [one for one in DRAWN if not one.tiny],
    }
    assert [name for name, found in odd.items() if not found] == []


def test_most_puzzles_have_a_solution_and_some_have_none():
    statuses = Counter()
    for one in DRAWN[:60]:
        try:
            statuses[cs.solve(one.puzzle).status] += 1
        except cs.BudgetError:
            continue
    assert statuses[cs.Status.NONE_EXIST] >= 3
    assert statuses.total() - statuses[cs.Status.NONE_EXIST] >= 30


def test_every_backend_takes_part():
    plans = [random_plan(1, number, tiny=True) for number in range(60)]
    families = {backend.partition(":")[0] for plan in plans for backend in plan.backends}
    assert families == {"sat", "cpsat", "search", "dlx", "lp", "brute"}
    assert all(
        plan.backends == ("lp", "brute") for plan in [random_plan(1, 1, tiny=True, chosen=["lp"])]
    )
