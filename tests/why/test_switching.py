"""Switches: any choice of rules has the solutions of a puzzle with these rules alone."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest

import csp_sudoku as cs
from csp_encodings.errors import BudgetError
from csp_sudoku.constraints import registry
from csp_sudoku.solving.switching import ANOTHER, Switchboard

#: Rules whose meaning depends on other rules of the puzzle, or on its boxes.
_DEPENDENT = {
    "box-indexing",
    "disjoint-groups",
    "full-rank",
    "full-rank-ties",
    "negative-kropki",
    "negative-xv",
    "region-sum",
    "same-value-houses",
    "windoku",
}


def _examples():
    for name, kind in registry.built_in().items():
        if name in _DEPENDENT:
            continue
        for example in kind.examples()[:1]:
            try:
                yield pytest.param(cs.Puzzle.blank(4).add(example), id=name)
            except cs.ConstraintError:
                continue


@pytest.mark.parametrize("puzzle", list(_examples()))
def test_a_choice_of_rules(puzzle):
    """A third of the houses is left out, on which a lowering may have leant."""
    chance = random.Random(str(puzzle.constraints))
    givens = {place: (chance.randint(1, 4),) for place in chance.sample(puzzle.cells, 3)}
    with Switchboard(puzzle) as board:
        houses = range(len(puzzle.houses))
        on = [i for i in range(len(board.rules)) if i not in houses or chance.random() < 2 / 3]
        found = {tuple(s.values()) for s in islice(board.solutions(on, givens), 50)}
        core = board.core(on, givens)
        chosen = [board.rules[i] for i in on]
    grid = replace(puzzle.grids[0], box=None, row_houses=False, column_houses=False)
    alone = replace(puzzle, grids=(grid,), constraints=()).add(*chosen).with_givens(givens)
    assert (core is None) == bool(found)
    assert len(found) == cs.count(alone, "cpsat", limit=50).value
    for values in found:
        assert cs.verify(alone, dict(zip(puzzle.variables, values, strict=True))).ok


def test_another_solution():
    puzzle = cs.Puzzle.blank(4)
    known = cs.solve(puzzle).solutions[0]
    rules = range(len(puzzle.rules))
    with Switchboard(puzzle, known=known) as board:
        assert board.core([*rules, ANOTHER], {p: (v,) for p, v in known.items()}) is not None
        other = next(board.solutions([*rules, ANOTHER], {}))
    assert other != dict(known)
    assert cs.verify(puzzle, other).ok


def test_a_rule_too_large_to_stand_alone_brings_those_it_leans_on(monkeypatch):
    alone = cs.Sandwich.lower

    def lower(self, ctx):
        if not ctx.distinct(self.scope(ctx.puzzle)):
            raise BudgetError("too large")
        alone(self, ctx)

    monkeypatch.setattr(cs.Sandwich, "lower", lower)
    puzzle = cs.Puzzle.blank(4).add(cs.Sandwich("R1", 5))
    with Switchboard(puzzle) as board:
        sandwich = len(board.rules) - 1
        leans = [board.rules[i].label for i in board.companions(sandwich)]
        assert "row 1" in leans
        assert board.core([sandwich], {cs.Cell(0, 0): (1,), cs.Cell(0, 1): (1,)}) is not None
    reason = cs.why_not(puzzle, "R1C1", 2)
    assert board.rules[0] in reason.constraints
