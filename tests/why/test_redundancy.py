"""What can go, and which candidates are true: both against counting solutions."""

from __future__ import annotations

from dataclasses import replace

import pytest

import csp_sudoku as cs
from csp_sudoku.errors import UndecidedError

#: One solution, several, none; with givens, lists of candidates and constraints.
PUZZLES = {
    "one solution": cs.read("1234 3412 2143 4..."),
    "several solutions": cs.read("12.. .... .... ...1").add(cs.Thermometer("R1C1 R1C2")),
    "no solution": cs.read("11.. 2... .... ...."),
    "candidates": cs.Puzzle.blank(4).with_givens({"R1C1": [1, 2], "R1C2": [1, 2], "R1C3": [3, 4]}),
    "a rule twice": cs.Puzzle.blank(4).add(cs.Odd("R1C1"), cs.Odd("R1C1"), cs.Even("R1C2")),
    "cages": cs.Puzzle.blank(4).add(
        cs.KillerCage("R1C1 R1C2", 3),
        cs.KillerCage("R2C1 R2C2", 7),
        cs.KillerCage("R1C3 R1C4 R2C3 R2C4", 10),
        cs.Whisper("R1C1 R2C2"),
    ),
}


def _solutions(puzzle):
    return {solution.text for solution in cs.solutions(puzzle)}


def _without(puzzle, items):
    """The puzzle less some items, each as often as it is named."""
    givens = tuple(item for item in puzzle.candidates if item[0] not in items)
    rules = list(puzzle.constraints)
    for item in items:
        if item in rules:
            rules.remove(item)
    return replace(puzzle, candidates=givens, constraints=tuple(rules))


@pytest.mark.parametrize("name", PUZZLES)
def test_redundant(name):
    puzzle = PUZZLES[name]
    whole = _solutions(puzzle)
    found = cs.redundant(puzzle)
    assert not found.undecided
    for place, _ in puzzle.candidates:
        assert (place in found.givens) == (_solutions(_without(puzzle, [place])) == whole), place
    for rule in puzzle.constraints:
        same = _solutions(_without(puzzle, [rule])) == whole
        assert (rule in found.constraints) == same, rule.label
    rest = _without(puzzle, found.together)
    assert _solutions(rest) == whole
    for item in (*[place for place, _ in rest.candidates], *rest.constraints):
        assert _solutions(_without(rest, [item])) != whole, item


@pytest.mark.parametrize("name", PUZZLES)
def test_is_minimal(name):
    puzzle = PUZZLES[name]
    whole = _solutions(puzzle)
    needed = [_solutions(_without(puzzle, [place])) != whole for place, _ in puzzle.candidates]
    assert cs.is_minimal(puzzle) == all(needed)


@pytest.mark.parametrize("limit", [1, 3, 1000])
@pytest.mark.parametrize("name", PUZZLES)
def test_true_candidates(name, limit):
    puzzle = PUZZLES[name]
    found = cs.true_candidates(puzzle, limit=limit)
    solutions = list(cs.solutions(puzzle))
    assert not found.undecided
    for place in puzzle.cells:
        for value in puzzle.candidates_of(place):
            number = sum(solution[place] == value for solution in solutions)
            assert found.counts[place][value] == min(limit, number)
        assert set(found.values[place]) == {solution[place] for solution in solutions}


def test_no_time():
    puzzle = cs.read("1234 3412 2143 4...")
    assert len(cs.redundant(puzzle, timeout=0).undecided) == 13
    with pytest.raises(UndecidedError, match="13 givens undecided"):
        cs.is_minimal(puzzle, timeout=0)
    assert len(cs.true_candidates(puzzle, timeout=0).undecided) == 13 + 3 * 4
