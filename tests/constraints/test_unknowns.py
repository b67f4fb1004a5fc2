"""Numbers that are open: each class of rules against the same rule with known numbers."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import csp_sudoku as cs
from csp_sudoku import formats
from csp_sudoku.constraints import registry
from csp_sudoku.pictures.terminal import draw
from csp_sudoku.testing.lowering import assert_lowering

OPEN = [kind for kind in registry.built_in().values() if kind.open_field]
FOUR = cs.Puzzle.blank(4)
X = cs.Var("x")


def bare(side, values=None):
    return cs.Puzzle.blank(side, box=None, values=values, row_houses=False, column_houses=False)


def first_known(kind):
    return next(r for r in kind.examples() if isinstance(getattr(r, kind.open_field), int))


def with_number(rule, number):
    return replace(rule, **{rule.open_field: number})


def ids(kind):
    return kind.name


def solutions(puzzle, places):
    return {tuple(s[place] for place in places) for s in cs.solutions(puzzle)}


def test_clues_with_a_number_may_leave_it_open():
    names = {kind.name for kind in OPEN}
    assert names >= {"killer-cage", "sum", "little-killer", "sandwich", "x-sum", "skyscraper"}
    assert names >= {"product-line", "sum-line", "pair-sum", "difference", "ratio", "whisper"}


@pytest.mark.parametrize("kind", OPEN, ids=ids)
def test_several_numbers_are_an_or(kind):
    numbers = [1, 3, 4, 6]
    known = [with_number(first_known(kind), number) for number in numbers]
    several = with_number(first_known(kind), set(numbers))
    assert several.unknown == tuple(numbers)
    assert cs.count(FOUR.add(several)).value == cs.count(FOUR.add(cs.Or(known))).value


@pytest.mark.parametrize("kind", OPEN, ids=ids)
@pytest.mark.parametrize("values", [range(1, 5), range(5), (-2, 0, 3)], ids=str)
def test_a_variable_is_one_number_in_each_solution(kind, values):
    rule = with_number(first_known(kind), X)
    named = bare(3, values).with_named("x", [0, 1, 2, 5])
    try:
        small = named.add(rule)
    except cs.ConstraintError:
        small = FOUR.with_named("x", [0, 1, 2, 5]).add(rule)  # outside a 3×3 grid, or boxes
    cells = [place for place in rule.scope(small) if place != X][:4]
    assert_lowering(rule, small)
    total = 0
    for number in (0, 1, 2, 5):
        try:
            known = with_number(rule, number)
        except cs.ConstraintError:
            continue
        if len(small.cells) == 16:
            here = small.with_givens({"$x": number})
            rest = replace(small, constraints=()).with_givens({"$x": number}).add(known)
            assert solutions(here, cells) == solutions(rest, cells)
            total += cs.count(rest).value
    assert not total or cs.count(small).value == total


@pytest.mark.parametrize("kind", OPEN, ids=ids)
def test_a_variable_declared_by_use_misses_no_number(kind):
    rule = with_number(first_known(kind), X)
    puzzle = FOUR.add(rule)
    wide = FOUR.with_named("x", range(-2, 260)).add(rule)
    assert len(solutions(wide, puzzle.variables)) == cs.count(puzzle).value


def test_a_variable_declared_by_use_has_every_sum():
    raw = bare(2, (-1, 2))
    assert raw.add(cs.LittleKiller("R1C1", "SE", X)).values_of(X) == tuple(range(-2, 5))
    assert raw.add(cs.Sum("R1C1 R2C2", X, (2, -1))).values_of(X) == tuple(range(-4, 6))
    assert raw.add(cs.ProductLine("R1C1 R2C2", X)).values_of(X) == (-2, 1, 4)


@pytest.mark.parametrize("backend", ["sat", "cpsat", "lp", "dlx", "search"])
def test_backends_agree(backend):
    rules = [
        cs.KillerCage("R1C1 R1C2", X),
        cs.KillerCage("R2C3 R3C3", X),
        cs.Sandwich("R3", range(2, 4)),
        cs.Skyscraper("C1", "R4C2"),
    ]
    puzzle = FOUR.add(*rules)
    assert cs.count(puzzle, backend).value == cs.count(puzzle, "brute").value > 0


def test_a_variable_that_two_rules_use_is_one():
    rules = [cs.KillerCage(c, "$x") for c in ("R1C1 R1C2", "R2C3 R2C4")]
    puzzle = FOUR.add(*rules)
    assert puzzle.named == ((X, (3, 4, 5, 6, 7)),)
    assert FOUR.add(rules[0]).add(rules[1]) == puzzle
    assert FOUR.add(rules[0] & rules[1]).named == puzzle.named
    with pytest.raises(cs.ConstraintError, match="is not declared"):
        FOUR.add(rules[0] | rules[1])  # where neither is sure, the values must be said
    for solution in cs.solutions(puzzle, limit=5):
        assert solution["R1C1"] + solution["R1C2"] == solution["$x"]


def test_the_circle_of_an_arrow_and_a_term_of_a_sum_declare_their_variable():
    arrow = cs.Arrow("$x", "R1C1 R1C2")
    assert FOUR.add(arrow).values_of(X) == tuple(range(9))
    term = cs.Sum(["R1C1 R1C2", "$x"], 0, (1, 1, -1))
    assert FOUR.add(term).values_of(X) == tuple(range(2, 9))
    other = cs.Sum(["R1C1", "$x"], 5, (-2, 1), at_most=6)
    assert FOUR.add(other).values_of(X) == tuple(range(7, 15))
    for rule in (arrow, term, other):
        wide = FOUR.with_named("x", range(-20, 30)).add(rule)
        assert cs.count(FOUR.add(rule)).value == cs.count(wide).value
    with pytest.raises(cs.ConstraintError, match="is not declared"):
        FOUR.add(cs.Sum(["R1C1", "$x"], 5, (1, 2)))  # not every value is a whole number
    with pytest.raises(cs.ConstraintError, match="is not declared"):
        FOUR.add(cs.Sum(["R1C1", "$x $y"], 5))


def test_one_number_in_a_list_is_the_number():
    assert cs.KillerCage("R1C1", [3]) == cs.KillerCage("R1C1", range(3, 4))
    assert cs.KillerCage("R1C1", [3]) == cs.KillerCage("R1C1", 3)


def test_open_numbers_are_said_drawn_and_written():
    rules = [
        cs.KillerCage("R1C1 R1C2", X),
        cs.KillerCage("R2C1 R2C2", range(4, 7)),
        cs.LittleKiller("R2C1", "SE", [5, 8]),
    ]
    puzzle = FOUR.add(*rules)
    assert [rule.describe(puzzle) for rule in rules] == [
        "the cells R1C1 R1C2 of the cage differ and sum to $x",
        "the cells R2C1 R2C2 of the cage differ and sum to 4, 5 or 6",
        "the diagonal R2C1 R3C2 R4C3 sums to 5 or 8",
    ]
    drawn = draw(puzzle)
    assert all(shown in drawn for shown in ("x", "4–6"))
    document = json.loads(formats.write_json(puzzle))
    assert [c["sum"] for c in document["constraints"]] == ["$x", [4, 5, 6], [5, 8]]
    assert cs.read(json.dumps(document)) == puzzle
    del document["named"]
    assert cs.read(json.dumps(document)) == puzzle


def test_formats_write_open_numbers_or_refuse_them_by_name():
    several = cs.Puzzle.blank(9).add(cs.KillerCage("R1C1 R1C2", [5, 8]))
    again = cs.read(formats.write_iss(several))
    assert again.constraints == (cs.KillerCage("R1C1 R1C2", 5) | cs.KillerCage("R1C1 R1C2", 8),)
    shared = cs.Puzzle.blank(9).with_named("VA", range(1, 10))
    shared = shared.add(*[cs.KillerCage(c, "$VA") for c in ("R1C1 R1C2", "R2C1 R4C1")])
    again = cs.read(formats.write_iss(shared))
    givens = {"R1C1": 1, "R1C2": 4, "R2C1": 2, "R4C5": 8}
    found = [cs.solve(p.with_givens(givens)).solutions[0] for p in (shared, again)]
    assert [s["$VA"] for s in found] == [5, 5]
    assert [s["R4C1"] for s in found] == [3, 3]
    with pytest.raises(cs.FormatError, match=r"no named variables such as \$VA"):
        formats.write_fpuzzles(shared)
    with pytest.raises(cs.FormatError, match="its sum must be one known number"):
        formats.write_sudokumaker(several)


def test_what_no_number_allows_is_an_objection():
    [said] = FOUR.add(cs.Sandwich("R1", [7, 9])).objections()
    assert said.startswith("sandwich at R1: no sum 7 or 9 is possible; sandwich at R1: sum 7 is")
    [said] = FOUR.with_named("x", [50]).add(cs.KillerCage("R1C1 R1C2", X)).objections()
    assert said.startswith("killer-cage at R1C1: no value of $x is possible; ")


def test_a_clash_shows_while_the_number_is_open():
    puzzle = FOUR.add(cs.KillerCage("R1C1 R2C3", X)).with_givens({"R1C1": 2, "R2C3": 2})
    assert puzzle.objections() == ["R1C1 and R2C3 hold 2, against killer-cage at R1C1"]
