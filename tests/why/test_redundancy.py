"""What can go, and which candidates are true: both against counting solutions."""

from __future__ import annotations

from dataclasses import replace

import pytest

import csp_sudoku as cs
from csp_sudoku.errors import UndecidedError


def _marked(rule, *marks, text="1234341221434321"):
    """A negative rule, and all the marks that a grid needs to keep it."""
    puzzle = cs.Puzzle.blank(4).add(rule)
    [grid] = cs.solve(text, limit=2).solutions
    made = [mark(pair) for pair in rule.clashes(grid, puzzle) for mark in marks]
    return puzzle.add(*[mark for mark in made if mark.holds(grid, puzzle)])


def _joined(puzzle):
    """The same puzzle, with two and two of its marks in one rule."""
    rule, *marks = puzzle.constraints
    pairs = [a & b for a, b in zip(marks[::2], marks[1::2], strict=True)]
    return replace(puzzle, constraints=(rule, *pairs))


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
    # What follows means something else when another rule goes.
    "dots that a negative rule needs": cs.Puzzle.blank(4).add(
        cs.NegativeKropki((3,), ()),
        cs.Difference("R1C2 R1C3", 3),
        cs.Difference("R3C2 R3C3", 3),
    ),
    "all dots of a grid, some pairs with both": _marked(
        cs.NegativeKropki(), cs.Difference, cs.Ratio
    ),
    "all dots, and givens": _marked(cs.NegativeKropki(), cs.Difference, cs.Ratio).with_givens(
        {"R1C1": 1, "R2C2": 4}
    ),
    "all signs of a grid": _marked(cs.NegativeXV((5,)), lambda pair: cs.PairSum(pair, 5)),
    "a dot that exempts from what others forbid": cs.read("1... .... .... ....").add(
        cs.NegativeKropki((), (3,)), cs.Difference("R1C1 R1C2", 1), cs.NotEqual("R1C2 R2C1")
    ),
    "signs inside an and": _joined(_marked(cs.NegativeXV((5,)), lambda pair: cs.PairSum(pair, 5))),
    "maxima side by side": cs.read(".... 1... .... ....").add(
        cs.Maximum("R1C1"), cs.Maximum("R1C2"), cs.Maximum("R3C3"), cs.Minimum("R2C1")
    ),
    # Without the second one, some solutions go and none come.
    "minima in a corner": cs.Puzzle.blank(4)
    .add(cs.Minimum("R1C2"), cs.Minimum("R1C1"))
    .with_givens({"R1C1": [1, 2], "R1C2": [1, 2]}),
    "maxima in a corner": cs.Puzzle.blank(4)
    .add(cs.Maximum("R4C3"), cs.Maximum("R4C4"))
    .with_givens({"R4C4": [3, 4]}),
    # Without a dot there is one solution, too, but another one.
    "dots that choose between solutions": _marked(
        cs.NegativeKropki((3,), ()),
        lambda pair: cs.Difference(pair, 3),
        text="1234341241232341",
    ).with_givens({"R1C1": 1, "R2C1": 3}),
    "ranks and their ties": cs.Puzzle.blank(4).add(cs.FullRank("R1", 5), cs.FullRankTies("any")),
    "ranks and usual ties": cs.Puzzle.blank(4).add(
        cs.FullRank("R1", 5), cs.FullRankTies("only-unclued")
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


def test_a_dot_that_a_negative_rule_needs_cannot_go():
    """Only one of two dots on the same pair can."""
    puzzle = PUZZLES["dots that a negative rule needs"]
    assert cs.count(puzzle).value == 4
    assert cs.redundant(puzzle).constraints == (cs.NegativeKropki((3,), ()),)
    unique = PUZZLES["all dots, and givens"]
    assert cs.is_unique(unique)
    both = {frozenset(dot.cells) for dot in unique.constraints if isinstance(dot, cs.Ratio)}
    both &= {frozenset(dot.cells) for dot in unique.constraints if isinstance(dot, cs.Difference)}
    can_go = [rule for rule in cs.redundant(unique).constraints if hasattr(rule, "cells")]
    assert can_go
    assert {frozenset(dot.cells) for dot in can_go} <= both


def test_usual_ties_can_go_and_others_cannot():
    assert (
        cs.FullRankTies("only-unclued") in cs.redundant(PUZZLES["ranks and usual ties"]).constraints
    )
    assert cs.redundant(PUZZLES["ranks and their ties"]).constraints == ()


def test_no_time():
    puzzle = cs.read("1234 3412 2143 4...")
    assert len(cs.redundant(puzzle, timeout=0).undecided) == 13
    with pytest.raises(UndecidedError, match="13 givens undecided"):
        cs.is_minimal(puzzle, timeout=0)
    assert len(cs.true_candidates(puzzle, timeout=0).undecided) == 13 + 3 * 4


def test_what_was_found_for_a_weaker_puzzle_helps_and_changes_nothing():
    rules = [cs.Thermometer("R1C1 R2C2"), cs.KillerCage("R3C3 R3C4 R4C4", 7), cs.Even("R1C2")]
    puzzle, earlier = cs.Puzzle.blank(4), None
    for rule in [None, *rules]:
        puzzle = puzzle if rule is None else puzzle.add(rule)
        for limit in (1, 3):
            fresh = cs.true_candidates(puzzle, limit=limit)
            helped = cs.true_candidates(puzzle, limit=limit, earlier=earlier)
            assert helped.counts == fresh.counts
            earlier = helped
    assert earlier.solutions
    for solution in earlier.solutions:
        assert cs.verify(puzzle, dict(solution)).ok


def test_what_was_found_for_another_puzzle_is_ignored():
    given = cs.read("1... .... .... ....")
    for other in ("2... .... .... ....", "." * 36, "1... 2... .... ...."):
        earlier = cs.true_candidates(other)
        assert cs.true_candidates(given, earlier=earlier).counts == cs.true_candidates(given).counts


def test_a_dot_more_weakens_a_negative_rule():
    solution, blank = cs.random_solution(4, seed=0), cs.Puzzle.blank(4)
    dots = [
        kind([a, b])
        for a in blank.cells
        for b in (cs.Cell(a.row, a.col + 1), cs.Cell(a.row + 1, a.col))
        for kind in (cs.Difference, cs.Ratio)
        if b in solution and kind([a, b]).related(*sorted((solution[a], solution[b])))
    ]
    without = blank.add(cs.NegativeKropki(), *dots[1:])
    earlier, more = cs.true_candidates(without), without.add(dots[0])
    assert not earlier.solutions
    assert cs.true_candidates(more, earlier=earlier).counts == cs.true_candidates(more).counts
    assert cs.true_candidates(more).solutions


@pytest.mark.parametrize("timeout", [0, None])
def test_undecided_candidates_are_a_set(timeout):
    """All of them where there is no time, none where there is enough."""
    puzzle = cs.Puzzle.blank(4).add(cs.KillerCage("R1C1 R1C2", 5)).with_givens({"R1C1": 1})
    found = cs.true_candidates(puzzle, timeout=timeout)
    every = {(place, v) for place in puzzle.cells for v in puzzle.candidates_of(place)}
    assert found.undecided == (every if timeout == 0 else set())
    assert len(found.undecided) == len({*found.undecided}) == (61 if timeout == 0 else 0)
    assert every & found.undecided == {*found.undecided}
    assert not {"R1C1", (puzzle.cells[0], 5), (puzzle.cells[0], 2)} & found.undecided
