"""A shortened explanation: the same solution, and every step is found where it stands."""

import pytest

import csp_sudoku as cs
from csp_sudoku.strategies import TECHNIQUES
from csp_sudoku.strategies.network import network_of
from csp_sudoku.strategies.position import Position

BY_NAME = {technique.name: technique for technique in TECHNIQUES}
SIX = cs.Puzzle.blank(6)
CASES = {
    "pairs": "........1.......23....45........2.....6...4...78.........3...871.5.9....2........",
    "pointing": "..............1..2..3.4..5........3..6.......12...6.......7........8.9.1..453....",
    "wings": "..............1.23.45.6.7.......2........8.1....4....9...7..4..1........2.8......",
    "sets": "..............1..2.34....5........6......534.2.7..........4......536....8.......1",
    "clues": SIX.add(
        cs.KillerCage("R1C1 R1C2 R2C1", 12), cs.Thermometer("R3C1-R3C4"), cs.Even("R6C6")
    ).with_givens({"R1C4": 2, "R2C6": 3, "R4C2": 1, "R5C3": 4, "R6C1": 5}),
    "nothing to do": "2134 3421 4312 1243",
    "no solution": "11.. .... .... ....",
}


@pytest.mark.parametrize("name", CASES)
def test_shortened(name):
    whole = cs.explain(CASES[name])
    short = whole.shortened()
    assert len(short.steps) <= len(whole.steps)
    assert (short.ending, short.solution) == (whole.ending, whole.solution)
    if not whole.solved:
        assert short == whole
        return
    position = Position.start(network_of(whole.puzzle), dict(whole.puzzle.candidates))
    for step in short.steps:
        found = BY_NAME[step.technique].all_steps(position)
        # A step of the same round may have changed its pattern; then it is told as before.
        is_found = any(each.conclusions >= step.conclusions for each in found)
        assert is_found or step in whole.steps, step
        position = position.after_steps([step])


@pytest.mark.parametrize("name", ["pointing", "wings", "sets"])
def test_it_is_shorter_and_nothing_more_can_go(name):
    whole = cs.explain(CASES[name])
    short = whole.shortened()
    assert len(short.steps) < len(whole.steps)
    # Without any one of the steps that remove candidates, some later step is not found.
    start = Position.start(network_of(whole.puzzle), dict(whole.puzzle.candidates))
    for left_out in (i for i, step in enumerate(short.steps) if not step.placements):
        position = start
        for step in short.steps[:left_out] + short.steps[left_out + 1 :]:
            found = BY_NAME[step.technique].all_steps(position)
            if not any(each.conclusions >= step.conclusions for each in found):
                break
            position = position.after_steps([step])
        else:
            pytest.fail(f"it is not needed: {short.steps[left_out]}")
