"""Doublers, negators and other modifiers: placement, modified values, what other rules see."""

from itertools import permutations

import pytest

import csp_sudoku as cs
from csp_encodings.factors import AllDifferent, Linear, Regular, automaton_of
from csp_encodings.graph import domains
from csp_sudoku.testing import assert_lowering

TWO, THREE, FOUR, NINE = (cs.Puzzle.blank(side) for side in (2, 3, 4, 9))
DOUBLE_OR_LESS = cs.ValueModifiers([(2, 0), (1, -1)])


def count(*rules: cs.Constraint, puzzle: cs.Puzzle = FOUR, backend: str = "sat") -> int:
    return int(cs.count(puzzle.add(*rules), backend))


def seen(solution: cs.Solution, puzzle: cs.Puzzle) -> list[tuple[cs.Cell, int, int, int]]:
    """Every cell with its digit, its modifier and its value."""
    return [
        (place, solution[place], solution[f"$modifier_{place}"], solution[f"$value_{place}"])
        for place in puzzle.cells
    ]


def test_modified_names_the_variables():
    assert cs.modified("R1C1-R1C3") == tuple(
        map(cs.Var, ("value_R1C1", "value_R1C2", "value_R1C3"))
    )
    assert cs.modified("R10C12") == (cs.Var("value_R10C12"),)
    with pytest.raises(cs.ConstraintError, match=r"\$x is not a cell of the grid"):
        cs.modified("$x")


def test_the_placement():
    puzzle = FOUR.add(cs.Doublers())
    found = list(cs.solutions(puzzle))
    assert len(found) == len(set(found)) == 384
    for solution in found:
        doubled = [(place, digit) for place, digit, bit, _ in seen(solution, puzzle) if bit]
        for house in puzzle.houses:
            assert len([place for place, _ in doubled if place in house.cells]) == 1
        assert sorted(digit for _, digit in doubled) == [1, 2, 3, 4]
        for _, digit, bit, value in seen(solution, puzzle):
            assert value == digit * (1 + bit)


# The oracle enumerates the variables and asks nothing but the rules.
@pytest.mark.parametrize(
    ("rules", "puzzle"),
    [
        ([cs.Doublers(), cs.Sum(cs.modified("R1C1 R1C2"), 8)], FOUR),
        ([cs.Negators(), cs.Thermometer(cs.modified("R1C1-R1C4"))], FOUR),
        ([cs.Doublers(), cs.Arrow(cs.modified("R1C1"), cs.modified("R1C2 R2C2"))], FOUR),
        ([cs.Doublers(), cs.Equal(cs.modified("R1C1 R1C2"))], FOUR),
        ([cs.Doublers()], THREE),
        ([DOUBLE_OR_LESS], THREE),
        ([cs.Negators()], cs.Puzzle.blank(3, values=(-1, 0, 2))),
        ([cs.Doublers()], cs.Puzzle.blank(2, values=range(4))),
    ],
)
def test_the_oracle_counts_alike(rules, puzzle):
    wanted = count(*rules, puzzle=puzzle, backend="brute")
    assert count(*rules, puzzle=puzzle) == wanted > 0


def test_all_count_for_one_value():
    rule = cs.ValueModifiers([(0, 5)])
    assert_lowering(rule, TWO)
    assert_lowering(rule, cs.Puzzle.blank(2, box=None, row_houses=False, column_houses=False))


def placements(digits: dict, top: int) -> set[frozenset]:
    """The ways to modify three cells of a 3×3 grid, one a row and column, of different digits."""
    ways = (
        frozenset(cs.Cell(top + row, top + col) for row, col in enumerate(columns))
        for columns in permutations(range(3))
    )
    return {way for way in ways if len({digits[place] for place in way}) == 3}


def test_grids_that_share_a_cell_modify_it_for_both():
    chain = cs.Puzzle.overlapping(cs.Grid(3, 3, (1, 2, 3), top=t, left=t) for t in (0, 2))
    corner = cs.Cell(2, 2)
    wanted = 0
    for digits in cs.solutions(chain):
        for first in placements(digits, 0):
            wanted += sum((corner in first) == (corner in last) for last in placements(digits, 2))
    assert count(cs.Doublers(), puzzle=chain) == wanted > 0


def test_kinds_do_not_meet():
    for solution in cs.solutions(FOUR.add(DOUBLE_OR_LESS), limit=20):
        modifiers = [modifier for _, _, modifier, _ in seen(solution, FOUR)]
        assert sorted(modifiers) == [0] * 8 + [1] * 4 + [2] * 4


def test_what_sees_the_digits_and_what_the_values():
    # Cells of one house differ as digits; 2 doubled is as much as 4.
    puzzle = FOUR.add(cs.Doublers())
    assert count(cs.Equal("R1C1 R1C2"), puzzle=puzzle) == 0
    assert count(cs.Equal(cs.modified("R1C1 R1C2")), puzzle=puzzle) == 32
    assert count(cs.KillerCage("R1C1 R1C2"), puzzle=puzzle) == 384
    assert count(cs.KillerCage(cs.modified("R1C1 R1C2")), puzzle=puzzle) == 384 - 32


def test_the_order_of_rules_does_not_matter():
    rule = cs.Sum(cs.modified("R1C1 R1C2"), 8)
    with_rule = FOUR.add(cs.Doublers(), rule)
    assert int(cs.count(with_rule)) == count(rule, puzzle=FOUR.add(cs.Doublers()))
    assert FOUR.add(cs.Doublers(), cs.Doublers()).named == with_rule.named
    with pytest.raises(cs.ConstraintError, match=r"\$value_R1C1 is not declared"):
        FOUR.add(rule)


def test_a_nine_by_nine_with_several_clues():
    rules = [
        cs.Doublers(),
        cs.Sum(cs.modified("R1C1-R1C3"), 30),
        cs.Arrow(cs.modified("R5C5"), cs.modified("R5C6 R5C7")),
        cs.Thermometer(cs.modified("R9C1-R9C6")),
    ]
    puzzle = NINE.add(*rules)
    [solution] = cs.solve(puzzle, timeout=60).solutions
    assert cs.verify(puzzle, solution).ok
    assert sum(solution[f"$value_R1C{i}"] for i in (1, 2, 3)) == 30


def test_sizes():
    rule = cs.Sum(cs.modified("R1C1-R1C5"), 40)
    graph = NINE.add(cs.Doublers(), rule).rules_graph
    by_size: dict[str, list] = {}
    for _, data in graph.nodes(data=True):
        if isinstance(data.get("factor"), Regular):
            by_size.setdefault(data["source"].name, []).append(data["factor"].automaton)
    assert {(m.width, m.size) for m in by_size["modified value"]} == {(14, 34)}
    assert len(by_size["modified value"]) == 81
    assert {m.width for m in by_size["modifiers"]} == {2}
    assert len(by_size["modifiers"]) == 27
    assert max(m.width for m in by_size["modified digits"]) <= 18
    [(linear, scopes)] = [
        (d["factor"], domains(graph))
        for _, d in graph.nodes(data=True)
        if isinstance(d.get("factor"), Linear)
    ]
    assert automaton_of(linear, scopes).width <= 35
    assert sum(isinstance(d.get("factor"), AllDifferent) for _, d in graph.nodes(data=True)) == 28


def test_sixteen_values_are_within_the_budget():
    puzzle = cs.Puzzle.blank(16).add(cs.ValueModifiers([(2, 0), (-1, 0)]))
    assert len(puzzle.rules_graph) > 16 * 16 * 3


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: [cs.ValueModifiers([])], "its kinds must not be empty"),
        (
            lambda: [cs.ValueModifiers([(2,)])],
            r"its kinds must each be \(factor, summand\), not \(2,\)",
        ),
        (lambda: [cs.ValueModifiers([("2", 0)])], "its kinds must be whole numbers, not '2'"),
        (lambda: [cs.Doublers() | cs.Odd("R1C1")], r"doublers: \$modifier_R1C1 is not declared"),
    ],
)
def test_bad_modifiers_are_refused(make, message):
    with pytest.raises(cs.ConstraintError, match=message):
        FOUR.add(*make())


def test_two_rules_cannot_modify_values():
    same = cs.ValueModifiers([(2, 0)])
    with pytest.raises(cs.ConstraintError, match="use one value-modifiers rule with all kinds"):
        FOUR.add(cs.Doublers(), same)
    with pytest.raises(
        cs.PuzzleError, match=r"\$value_R1C1: declared twice, with different values"
    ):
        FOUR.add(cs.Doublers(), cs.Negators())


@pytest.mark.parametrize(
    "puzzle",
    [cs.Puzzle.blank(2, 3), cs.Puzzle.blank(4, regions=["R1C1-R2C2"]), cs.Puzzle.blank(4, 6)],
)
def test_houses_must_fit(puzzle):
    with pytest.raises(cs.ConstraintError, match="doublers: needs as many rows as columns"):
        puzzle.add(cs.Doublers())


def test_the_checker_names_the_part_that_is_broken():
    puzzle = FOUR.add(cs.Doublers())
    values = dict(next(cs.solutions(puzzle)))
    doubled = next(place for place in puzzle.cells if values[cs.Var(f"modifier_{place}")])
    values[cs.Var(f"value_{doubled}")] = values[doubled]
    found = cs.verify(puzzle, values).violations
    assert [v.constraint.label for v in found] == [f"modified value of {doubled}"]
    values[cs.Var(f"modifier_{doubled}")] = 0
    found = cs.verify(puzzle, values).violations
    assert {v.constraint.name for v in found} == {"modifiers"}
    assert len(found) == 3
