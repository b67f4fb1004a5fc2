"""Pairs, extremes and tables: exact counts, edges of the rules, marks, what is refused."""

import pytest

import csp_sudoku as cs
from csp_encodings.factors import Relation

FOUR = cs.Puzzle.blank(4)
ZERO = cs.Puzzle.blank(4, values=range(4))


def count(*rules: cs.Constraint, puzzle: cs.Puzzle = FOUR, backend: str = "sat") -> int:
    return int(cs.count(puzzle.add(*rules), backend))


def label(parameter: object) -> str | None:
    return parameter.label if isinstance(parameter, cs.Constraint) else None


LESS = [(a, b) for a in range(1, 5) for b in range(a + 1, 5)]
APART = [(a, b) for a in range(1, 5) for b in range(1, 5) if abs(a - b) == 1]

# How many of the 288 grids keep a rule, found by other programs.
COUNTS = [
    (cs.Difference("R1C1 R1C2"), 144),
    (cs.Ratio("R1C1 R1C2"), 96),
    (cs.PairSum("R1C1 R1C2", 5), 96),
    (cs.GreaterThan("R1C1 R1C2") & cs.GreaterThan("R1C1 R2C1"), 96),
    (cs.Difference("R4C4 R4C3") & cs.Difference("R4C3 R3C3"), 48),
    (cs.Pair("R1C1-R1C3", LESS), 48),
    (cs.Pair("R1C1 R1C2", [(1, 3), (2, 4)]), 48),
    (cs.AllPairs("R1C1 R1C2", APART), 144),
]


@pytest.mark.parametrize(("rule", "wanted"), COUNTS, ids=label)
def test_exact_counts(rule, wanted):
    assert count(rule) == wanted


def test_all_pairs_are_read_in_the_order_of_the_list():
    assert count(cs.AllPairs("R1C1-R1C3", LESS)) == count(cs.Thermometer("R1C1-R1C3"))
    assert count(cs.AllPairs("R1C1 R1C2 R1C3", APART)) == 0, "1, 2 and 3 are not all neighbours"


@pytest.mark.parametrize(
    ("rule", "values", "wanted", "why"),
    [
        (cs.Ratio("R1C1 R2C3"), (0, 0), True, "0 is twice 0"),
        (cs.Ratio("R1C1 R2C3"), (2, 1), True, "either way round"),
        (cs.Ratio("R1C1 R2C3"), (-2, -1), True, "negative values"),
        (cs.Ratio("R1C1 R2C3", 1), (3, 3), True, "a ratio of 1 is equality"),
        (cs.Difference("R1C1 R2C3", 0), (3, 3), True, "so is a difference of 0"),
        (cs.Difference("R1C1 R2C3"), (-1, 0), True, "across 0"),
        (cs.PairSum("R1C1 R2C3", 0), (-2, 2), True, "a sum of 0"),
    ],
    ids=label,
)
def test_edges(rule, values, wanted, why):
    assert rule.accepts(values) is wanted, why


# Each says whether the two cells can be equal; other rules rely on it.
@pytest.mark.parametrize(
    ("rule", "puzzle", "differ"),
    [
        (cs.Difference("R1C1 R2C3"), FOUR, True),
        (cs.Difference("R1C1 R2C3", 0), FOUR, False),
        (cs.Ratio("R1C1 R2C3"), FOUR, True),
        (cs.Ratio("R1C1 R2C3"), ZERO, False),
        (cs.PairSum("R1C1 R2C3", 5), FOUR, True),
        (cs.PairSum("R1C1 R2C3", 6), FOUR, False),
        (cs.GreaterThan("R1C1 R2C3"), FOUR, True),
        (cs.GreaterThan("R1C1 R1C1"), FOUR, False),
        (cs.Pair("R1C1 R2C3", LESS), FOUR, True),
        (cs.Pair("R1C1 R2C3", [(1, 1)]), FOUR, False),
    ],
    ids=label,
)
def test_which_pairs_differ(rule, puzzle, differ):
    assert bool(list(rule.different(puzzle))) is differ


@pytest.mark.parametrize("kind", [cs.Maximum, cs.Minimum])
def test_neighbours_with_the_same_mark_are_not_beaten(kind):
    two = [kind("R2C2"), kind("R2C3")]
    assert len(kind("R2C2").scope(FOUR)) == 5
    assert len(kind("R2C2").scope(FOUR.add(*two))) == 4
    assert kind("R2C2").scope(FOUR.add(kind("R2C2") & kind("R2C3"))) == two[0].scope(FOUR.add(*two))
    assert count(*two) == count(*two, backend="brute") > 0


def test_a_mark_of_the_other_kind_is_beaten():
    puzzle = FOUR.add(cs.Maximum("R2C2"), cs.Minimum("R2C3"))
    assert cs.cell("R2C3") in cs.Maximum("R2C2").scope(puzzle)


def test_a_mark_that_may_not_hold_exempts_nobody():
    either = cs.Maximum("R2C3") | cs.Minimum("R2C3")
    assert cs.cell("R2C3") in cs.Maximum("R2C2").scope(FOUR.add(either))
    assert count(either, cs.Maximum("R2C2")) == count(either, cs.Maximum("R2C2"), backend="brute")


def test_largest_value_is_a_maximum_of_its_neighbours():
    puzzle = cs.Puzzle.blank(2, 1, box=None, values=range(1, 4))
    found = {s.rows for s in cs.solutions(puzzle.add(cs.Maximum("R1C1")))}
    assert found == {((2,), (1,)), ((3,), (1,)), ((3,), (2,))}


def test_pairs_are_relations():
    for rule in (*cs.Difference.examples(), *cs.Maximum.examples(), *cs.AllPairs.examples()):
        if isinstance(rule.unknown, cs.Cell):
            continue  # a rule for three cells
        graph = FOUR.add(rule).rules_graph
        kinds = {type(d["factor"]) for _, d in graph.nodes(data=True) if d.get("source") == rule}
        assert kinds <= {Relation}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: cs.Difference("R1C1 R1C2 R1C3"),
            r"difference: needs exactly 2 cells, not 3 \(R1C1 R1C2 R1C3\)",
        ),
        (lambda: cs.Difference("R1C1 R1C2", -1), "its difference must be 0 or more, not -1"),
        (lambda: cs.Difference("R1C1 R1C2", "1"), "its difference must be a whole number, not '1'"),
        (lambda: cs.Ratio("R1C1 R1C2", 0), "ratio at R1C1: its ratio must be 1 or more, not 0"),
        (
            lambda: cs.PairSum("R1C1 R1C2", 5.0),
            "pair-sum at R1C1: its total must be a whole number",
        ),
        (
            lambda: cs.Pair("R1C1 R1C2", [(1, 2, 3)]),
            r"must each be \(first value, second value\), not \(1, 2, 3\)",
        ),
        (lambda: cs.Pair("R1C1 R1C2", [1]), "its allowed must be a list of whole numbers"),
        (lambda: cs.AllPairs("R1C1 R1C2", ["12"]), "its allowed must be a list of whole numbers"),
        (lambda: cs.Maximum("R1C1 R1C2"), "maximum: its cell must be one cell, not 2"),
        (lambda: cs.Minimum("$x"), "minimum: its cell must be in the grid"),
        (lambda: cs.Maximum("R5C1"), "maximum at R5C1: R5C1 is outside the 4×4 grid"),
    ],
)
def test_a_bad_pair_is_refused(make, message):
    with pytest.raises(cs.ConstraintError, match=message):
        FOUR.add(make())


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (
            cs.Difference("R1C1 R1C2", 4),
            "no two values differ by 4; the largest difference here is 3",
        ),
        (
            cs.PairSum("R1C1 R1C2", 10),
            "pair-sum at R1C1: impossible with the values of this grid: R1C1 and",
        ),
        (cs.Ratio("R1C1 R1C1"), "R1C1 and R1C1 are in the ratio 1:2"),
        (cs.GreaterThan("R1C1 R1C1"), "R1C1 is greater than R1C1"),
    ],
    ids=label,
)
def test_what_cannot_be_shows_at_a_glance(rule, message):
    assert message in rule.objection(FOUR)
    assert message in FOUR.add(rule).objections()[0]
    assert count(rule) == 0


def test_broken_extremes_are_named_pair_by_pair():
    puzzle = FOUR.add(cs.Maximum("R1C1"))
    found = cs.verify(puzzle, {"R1C1": 2, "R1C2": 3, "R2C1": 1})
    assert [v.cells for v in found.violations] == [cs.cells("R1C1 R1C2")]
