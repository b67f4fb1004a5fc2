"""Explanations of connected cells: small yin-yangs and chaos constructions, to the end."""

import random

import pytest

import csp_sudoku as cs
from csp_sudoku.cells import LayerCell


def reduced(rules, seed):
    """A puzzle with one solution of which most of the layer, or of the cells, is open."""
    solution = cs.solve(rules, "sat", seed=seed).solutions[0]
    given = {place: solution[place] for place in rules.variables}
    layer = [place for place in rules.variables if isinstance(place, LayerCell)]
    layer = layer or list(rules.cells)
    random.Random(seed).shuffle(layer)
    for place in layer:
        less = {other: value for other, value in given.items() if other != place}
        if cs.is_unique(rules.with_givens(less)):
            given = less
    return rules.with_givens(given), solution


@pytest.mark.parametrize(
    ("rules", "seeds"),
    [
        (cs.Puzzle.blank(4).add(cs.YinYang()), range(3)),
        (cs.Puzzle.blank(3, 5, box=None, values=range(1, 6)).add(cs.YinYang()), range(2)),
        (cs.Puzzle.blank(4, box=None).add(cs.RegionsToFind()), range(3)),
        (cs.Puzzle.blank(4).add(cs.ConnectedValues((1, 2, 3))), range(2)),
    ],
    ids=["yin-yang", "wide yin-yang", "regions", "values"],
)
def test_every_step_is_right(rules, seeds):
    said = set()
    for seed in seeds:
        puzzle, solution = reduced(rules, seed)
        explanation = cs.explain(puzzle)
        for step in explanation.steps:
            said.add(step.technique)
            assert all(solution[place] == value for place, value in step.placements)
            assert all(solution[place] != value for place, value in step.eliminations)
        assert explanation.ending is cs.strategies.Ending.SOLVED
    if rules.layers:
        assert "connection" in said


def test_a_contradiction_says_what_cannot_be_connected():
    shading = {"shaded:R1C1": 1, "shaded:R1C2": 0, "shaded:R2C1": 0, "shaded:R2C2": 0}
    puzzle = (
        cs.Puzzle.blank(3, box=None).add(cs.YinYang()).with_givens({**shading, "shaded:R3C3": 1})
    )
    explanation = cs.explain(puzzle)
    assert "the shaded cells cannot be connected" in explanation.remark
