"""Reasons: minimal by solving again without each of their parts, and right by other backends."""

from __future__ import annotations

from dataclasses import replace

import pytest

import csp_sudoku as cs
from csp_sudoku.cells import cell
from csp_sudoku.errors import PuzzleError, UndecidedError
from csp_sudoku.solving.results import Status

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
KILLER = [("R1C1 R1C2 R1C3", 6), ("R2C1 R2C2", 5), ("R3C1 R4C1", 17), ("R8C8 R9C8", 9)]

#: The puzzle, and what is asked of it (None: why there is no solution).
CASES = {
    "a given itself": (cs.read("1" + "." * 15), ("R1C1", 2)),
    "one house": (cs.read("1" + "." * 15), ("R1C2", 1)),
    "a hidden single": (cs.read("1... .... ..1. ...."), ("R2C4", 2)),
    "one of the hardest": (cs.read(HARD), ("R1C2", 2)),
    "two givens": (cs.read("11" + "." * 14), None),
    "no candidates": (cs.Puzzle.blank(4).with_givens({"R1C1": []}), None),
    "cages": (cs.Puzzle.blank(9).add(*[cs.KillerCage(*cage) for cage in KILLER]), None),
    "anti-knight": (cs.Puzzle.blank(9).add(cs.AntiKnight()).with_givens({"R5C5": 1}), ("R3C4", 1)),
    "thermometer": (cs.Puzzle.blank(6).add(cs.Thermometer("R1C1 R2C2 R3C3")), ("R3C3", 2)),
    "candidates": (cs.Puzzle.blank(4).with_givens({"R1C1": [1, 2], "R1C2": [1, 2]}), ("R1C4", 1)),
    "several rules": (
        cs.Puzzle.blank(6).add(cs.Arrow("R1C1", "R1C2 R1C3"), cs.Sandwich("R1", 0)),
        ("R1C1", 2),
    ),
    "a predicate": (
        cs.Puzzle.blank(4).add(cs.where("R1C1 R1C2", lambda a, b: (a + b) % 2 == 1)),
        ("R1C1", 1),
    ),
    "a fold": (
        cs.Puzzle.blank(4).add(
            cs.fold("R1C1 R2C2 R3C3 R4C4", 0, lambda total, v: total + v, lambda total: total == 5)
        ),
        ("R1C1", 2),
    ),
    "a combination": (
        cs.Puzzle.blank(4).add(~cs.GreaterThan("R1C1 R1C2") & cs.Odd("R1C1")),
        ("R1C2", 1),
    ),
    "a negative rule": (
        cs.Puzzle.blank(4)
        .add(cs.NegativeXV((5,)), cs.PairSum("R1C1 R1C2", 5))
        .with_givens({"R1C3": 1}),
        ("R1C4", 4),
    ),
    "a pair that a dot exempts": (
        cs.Puzzle.blank(4)
        .add(cs.NegativeKropki(), cs.Difference("R1C2 R1C3", 3), cs.Ratio("R1C1 R1C2", 4))
        .with_givens({"R1C2": 1}),
        ("R1C4", 3),
    ),
    "a maximum beside another": (
        cs.Puzzle.blank(4).add(cs.Maximum("R1C1"), cs.Maximum("R1C2")).with_givens({"R1C3": 2}),
        ("R1C1", 1),
    ),
    "a named variable": (
        cs.Puzzle.blank(4)
        .with_named("x", range(2, 9))
        .add(cs.Sum(["R1C1 R1C2", cs.Var("x")], 0, (1, 1, -1))),
        ("$x", 8),
    ),
}
# In these the value is ruled out by givens that the case itself does not need.
GIVENS = {"a predicate": {"R1C2": 3}}


def _asked(name):
    puzzle, question = CASES[name]
    puzzle = puzzle.with_givens(GIVENS.get(name, {}))
    if question is None:
        return puzzle, {}, cs.why_unsolvable(puzzle)
    place, value = question
    return puzzle, {cell(place): (value,)}, cs.why_not(puzzle, place, value)


def _alone(puzzle, rules, candidates):
    """A puzzle with these rules and candidates, and nothing else: no houses."""
    grids = [
        replace(grid, box=None, regions=(), row_houses=False, column_houses=False)
        for grid in puzzle.grids
    ]
    bare = replace(puzzle, grids=tuple(grids), candidates=(), constraints=())
    bare = bare.add(*rules)
    for restriction in candidates:
        bare = bare.with_givens(restriction)
    return bare


@pytest.mark.parametrize("name", CASES)
def test_each_part_of_a_reason_is_needed(name):
    puzzle, question, reason = _asked(name)
    rules, givens = list(reason.constraints), dict(reason.givens)
    whole = _alone(puzzle, rules, [givens, question])
    assert cs.solve(whole, "cpsat").status is Status.NONE_EXIST
    for rule in rules:
        rest = [other for other in rules if other != rule]
        assert cs.solve(_alone(puzzle, rest, [givens, question])).solutions, rule.label
    for place in givens:
        fewer = {other: kept for other, kept in givens.items() if other != place}
        assert cs.solve(_alone(puzzle, rules, [fewer, question])).solutions, place
    assert reason.minimal
    assert reason.confirmed_by in {"search", "cpsat"}
    assert len(reason.sentences) == len(rules) + len(givens)


def test_the_clues_that_clash_are_named():
    _, _, reason = _asked("cages")
    assert set(reason.sentences) == {
        "box 1 holds each value once",
        "the cells R1C1 R1C2 R1C3 of the cage differ and sum to 6",
        "the cells R2C1 R2C2 of the cage differ and sum to 5",
    }


def test_a_rule_for_the_whole_grid_says_where_it_is_used():
    _, _, reason = _asked("anti-knight")
    [rule] = reason.constraints
    assert set(reason.used[rule]) == {(cs.Cell(2, 3), cs.Cell(4, 4))}
    assert reason.sentences[1].endswith("(here: R3C4 and R5C5)")


def test_a_rule_keeps_the_meaning_it_has_in_its_puzzle():
    # Without the dot the negative rule would speak of R1C1 and R1C2, too.
    puzzle = cs.Puzzle.blank(4).add(cs.Difference("R1C1 R1C2"), cs.NegativeKropki())
    puzzle = puzzle.with_givens({"R1C1": 1})
    assert cs.why_not(puzzle, "R2C1", 2).constraints == (cs.NegativeKropki(),)
    assert cs.why_not(puzzle, "R1C2", 3).constraints == (cs.Difference("R1C1 R1C2"),)


def test_many_questions_on_narrowed_candidates():
    puzzle = cs.read(HARD)
    solution = cs.solve(puzzle).solutions[0]
    with cs.Reasons(puzzle) as reasons:
        known = {place: solution[place] for place in puzzle.cells[:40]}
        for place in puzzle.cells[40:60]:
            value = solution[place] % 9 + 1
            reason = reasons.why_not(place, value, known, tries=2)
            assert reason.claim == f"{place} is not {value}"
            assert all(solution[p] in kept for p, kept in reason.givens.items())


def test_questions_that_rest_on_a_mistake():
    with pytest.raises(PuzzleError, match=r"R1C1 can be 1: 1[1-4]{15}$"):
        cs.why_not(cs.Puzzle.blank(4), "R1C1", 1)
    with pytest.raises(PuzzleError, match="there is a solution: "):
        cs.why_unsolvable(cs.Puzzle.blank(4))
    with pytest.raises(PuzzleError, match="R1C1: 7 is not a value of this puzzle"):
        cs.why_not(cs.Puzzle.blank(4), "R1C1", 7)
    with pytest.raises(PuzzleError, match="R9C9 is outside the 4×4 grid"):
        cs.why_not(cs.Puzzle.blank(4), "R9C9", 1)


def test_no_time():
    with pytest.raises(UndecidedError):
        cs.why_not(cs.read(HARD), "R1C2", 2, timeout=0)


def test_reasons_are_the_same_every_time():
    assert cs.why_not(cs.read(HARD), "R1C2", 2) == cs.why_not(cs.read(HARD), "R1C2", 2)
