"""Counts, groups and indexers: exact counts, edges of the rules, sizes, what is refused."""

import pytest

import csp_sudoku as cs
from csp_encodings.factors import Linear, Regular, Relation, automaton_of
from csp_encodings.graph import domains
from csp_sudoku.testing import assert_lowering

FOUR = cs.Puzzle.blank(4)
NINE = cs.Puzzle.blank(9)
DIAGONAL = " ".join(f"R{i}C{i}" for i in range(1, 10))
RISING = " ".join(f"R{i}C{10 - i}" for i in range(1, 10))


def count(*rules: cs.Constraint, puzzle: cs.Puzzle = FOUR, backend: str = "sat") -> int:
    return int(cs.count(puzzle.add(*rules), backend))


def bare(side: int, values=None) -> cs.Puzzle:
    return cs.Puzzle.blank(side, box=None, values=values, row_houses=False, column_houses=False)


def factors_of(rule: cs.Constraint, puzzle: cs.Puzzle) -> list:
    graph = puzzle.add(rule).rules_graph
    return [data["factor"] for _, data in graph.nodes(data=True) if data.get("source") == rule]


def label(parameter: object) -> str | None:
    return parameter.label if isinstance(parameter, cs.Constraint) else None


# How many of the 288 grids keep a rule, found by other programs.
COUNTS = [
    (cs.ContainsAtLeast("R1C1 R2C3 R3C4", [1, 1]), 54),
    (cs.ContainsAtLeast("R4C2 R3C2 R3C3 R1C2", [3, 2]), 180),
    (cs.ContainsExactly("R1C1 R2C3 R3C4", [1]), 90),
    (cs.ContainsExactly("R4C4 R1C3 R3C1 R3C2", [1, 2]), 24),
    (cs.LookAndSay("R1C1 R2C3 R3C4", "21"), 36),
    (cs.LookAndSay("R1C1 R2C3 R3C4", "0112"), 42),
    (cs.LookAndSay("R2C1 R3C2 R3C3 R1C2", "04"), 72),
    (cs.SameValues(["R1C1 R1C2", "R3C1 R3C2"]), 96),
    (cs.SameValues(["R1C1", "R2C3", "R3C4"]), 72),
    (cs.SameValues(["R1C1 R2C3", "R4C4 R4C2"]), 24),
    (cs.SameValues(["R1C2 R2C2", "R4C1 R3C4"]), 0),
    (cs.EqualSum(["R1C1 R1C2", "R3C1 R3C2"]), 128),
    (cs.EqualSum(["R1C1", "R2C3 R3C4"]), 24),
    (cs.EqualSum(["R3C3 R4C2", "R3C2 R3C4 R1C1"]), 42),
    (cs.Quadruple("R1C2-R2C3", [1, 2]), 160),
    (cs.Quadruple("R2C2-R3C3", [1, 1]), 36),
    (cs.Quadruple("R2C3-R3C4", [3, 3, 4]), 32),
    (cs.ColumnIndexing("R1C1"), 144),
    (cs.RowIndexing("R1C1"), 144),
    (cs.ColumnIndexing("R1C1 R1C2"), 120),
    (cs.CountingCircles("R1C1 R2C3 R3C4"), 30),
    (cs.CountingCircles("R2C4 R4C4 R1C2 R3C3"), 6),
    (cs.CountingCircles("R1C1 R3C3 R1C2 R2C4 R2C2"), 0),
    (cs.CountDistinct("R1C1 R2C3 R3C4 R4C2"), 72),
    (cs.CountDistinct("R2C4 R1C2 R2C3 R2C1 R4C2"), 72),
]


@pytest.mark.parametrize(("rule", "wanted"), COUNTS, ids=label)
def test_exact_counts(rule, wanted):
    assert count(rule) == wanted


# Two ways to say the same.
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (cs.LookAndSay("R1C1 R2C3 R3C4", "2112"), cs.ContainsExactly("R1C1 R2C3 R3C4", [1, 2, 1])),
        (cs.Clone(["R1C1", "R2C3", "R3C4"]), cs.Equal("R1C1 R2C3 R3C4")),
        (cs.Clone(["R1C1", "R2C3"]), cs.SameValues(["R1C1", "R2C3"])),
        (cs.EqualSum(["R1C1 R1C2", "R2C3 R2C4"]), cs.Sum("R1C1 R1C2 R2C3 R2C4", 0, (1, 1, -1, -1))),
        (cs.Quadruple("R1C1-R2C2", [1]), cs.ContainsAtLeast("R1C1-R2C2", [1])),
        (cs.MagicSquare("R1C1-R2C2"), cs.Equal("R1C1-R2C2")),
        (cs.CountDistinct("R1C1 R1C2 R1C3"), cs.Table("R1C1", [(2,)])),
        (cs.BoxIndexing("R1C1-R2C2"), cs.BoxIndexing("R1C1 R1C2 R2C1 R2C2")),
    ],
)  # fmt: skip
def test_laws(one, other):
    assert set(cs.solutions(FOUR.add(one))) == set(cs.solutions(FOUR.add(other)))


def test_the_magic_squares_of_three():
    # The one of Lo Shu, turned and mirrored.
    box = cs.Puzzle.blank(
        3, regions=["R1C1-R3C3"], values=range(1, 10), row_houses=False, column_houses=False
    )
    found = {s.text for s in cs.solutions(box.add(cs.MagicSquare("R1C1-R3C3")))}
    assert len(found) == 8
    assert "492357816" in found
    assert {text[4] for text in found} == {"5"}


def test_magic_squares_that_repeat_values():
    assert assert_lowering(cs.MagicSquare("R1C1-R3C3"), bare(3, (-1, 0, 2))) == 3**9
    latin = cs.Puzzle.blank(4, box=None)
    # A diagonal of sum 10 may be 1 4 4 1, too.
    assert count(cs.MagicSquare("R1C1-R4C4"), puzzle=latin) == 80
    assert count(cs.MagicSquare("R1C1-R4C4"), puzzle=latin, backend="brute") == 80
    assert count(cs.Diagonals(), puzzle=latin) == 48


@pytest.mark.parametrize(
    ("rule", "values", "wanted", "why"),
    [
        (cs.ContainsAtLeast("R1C1 R2C3 R1C1", [2, 2]), (2, 1), False, "a cell counts once"),
        (cs.ContainsAtLeast("R1C1 R2C3", [2]), (2, 2), True, "more are welcome"),
        (cs.ContainsExactly("R1C1 R2C3", [2]), (2, 2), False, "more are not"),
        (cs.ContainsExactly("R1C1 R2C3", [2]), (2, 4), True, "other values are free"),
        (cs.LookAndSay("R1C1 R2C3", "0505"), (1, 2), True, "no 5, said twice"),
        (cs.CountingCircles("R1C1 R2C3 R1C1"), (1, 1), False, "two 1s"),
        (cs.CountingCircles("R1C1 R2C3 R1C1"), (2, 2), True, "two 2s, a cell is circled once"),
        (cs.CountingCircles("R1C1"), (0,), False, "0 never occurs"),
        (cs.CountDistinct("R1C1 R1C1 R2C3"), (2, 3), True, "the first cell may be counted, too"),
        (cs.SameValues(["R1C1 R2C2", "R2C3 R3C3"]), (1, 2, 2, 1), True, "in any order"),
        (cs.SameValues(["R1C1 R2C2", "R2C3 R3C3"]), (1, 1, 1, 2), False, "equally often"),
        (cs.Clone(["R1C1 R2C2", "R2C3 R3C3"]), (1, 2, 2, 1), False, "cell by cell"),
        (cs.EqualSum(["R1C1 R1C1", "R2C3"]), (2, 4), True, "a cell named twice counts twice"),
        (cs.EqualSum(["R1C1"]), (2,), True, "one group is equal to itself"),
    ],
    ids=label,
)
def test_edges(rule, values, wanted, why):
    assert rule.holds(dict(zip(rule.scope(FOUR), values, strict=True)), FOUR) is wanted, why


@pytest.mark.parametrize(
    ("rule", "row", "wanted", "why"),
    [
        (cs.ColumnIndexing("R1C1"), (3, 2, 1, 4), True, "column 3 holds 1"),
        (cs.ColumnIndexing("R1C1"), (3, 2, 4, 1), False, "column 3 does not"),
        (cs.ColumnIndexing("R1C1"), (3, 1, 1, 4), False, "nor may column 2"),
        (cs.ColumnIndexing("R1C2"), (4, 2, 3, 1), True, "it may point to itself"),
        (cs.ColumnIndexing("R1C1"), (0, 2, 3, 4), False, "there is no column 0"),
        (cs.ColumnIndexing("R1C1"), (5, 2, 3, 4), False, "there is no column 5"),
    ],
)
def test_indexing(rule, row, wanted, why):
    puzzle = bare(4, range(6))
    assert rule.holds(dict(zip(puzzle.row(0), row, strict=True)), puzzle) is wanted, why


def test_indexing_counts_from_the_edge_of_its_grid():
    shifted = cs.Puzzle.overlapping([cs.Grid(3, 3, (1, 2, 3), top=4, left=2)])
    for rule in (cs.ColumnIndexing("R5C3"), cs.RowIndexing("R5C3"), cs.ColumnIndexing("R5C4")):
        assert count(rule, puzzle=shifted) == count(rule, puzzle=shifted, backend="brute") > 0


def test_positions_of_a_region_are_in_reading_order():
    regions = ["R2C2 R1C1 R2C1 R1C2", "R1C3-R2C4", "R3C1-R4C2", "R3C3-R4C4"]
    jigsaw = cs.Puzzle.blank(4, regions=regions)
    rule = cs.BoxIndexing("R1C2 R4C4")
    same = {s.text for s in cs.solutions(FOUR.add(rule))}
    assert {s.text for s in cs.solutions(jigsaw.add(rule))} == same


@pytest.mark.parametrize("rule", [rule for rule, _ in COUNTS[::3]], ids=label)
def test_a_rule_and_its_negation_share_the_grids(rule):
    assert count(rule) + count(~rule) == 288


def test_known_distinctness_makes_smaller_lowerings():
    row = cs.CountDistinct("R5C5 R1C1-R1C9")
    assert [type(f) for f in factors_of(row, NINE)] == [Relation]
    assert len(factors_of(row, bare(9))) == 9 + 1
    groups = cs.SameValues(["R1C1-R1C9", DIAGONAL])
    assert widest(groups, NINE) == 2
    assert widest(groups, bare(9)) == 9


def widest(rule: cs.Constraint, puzzle: cs.Puzzle) -> int:
    """The widest layer of its automata; a linear factor is turned into one."""
    graph = puzzle.add(rule).rules_graph
    return max(
        automaton_of(factor, domains(graph)).width
        for factor in factors_of(rule, puzzle)
        if isinstance(factor, Regular | Linear)
    )


@pytest.mark.parametrize(
    ("rule", "width"),
    [
        (cs.SameValues([DIAGONAL, RISING]), 10),
        (cs.CountingCircles("R1C1-R5C9"), 10),
        (cs.ContainsExactly(DIAGONAL, [1, 1, 1, 5, 5]), 10),
        (cs.LookAndSay(DIAGONAL, "2314"), 10),
        (cs.Quadruple("R1C1-R2C2", [1, 1, 2]), 10),
        (cs.CountDistinct(f"R1C9 {DIAGONAL}"), 10),
        (cs.EqualSum(["R1C1-R1C3", "R2C1-R2C3", "R3C1-R3C3"]), 153),
        (cs.MagicSquare("R1C1-R3C3"), 153),
    ],
    ids=label,
)
def test_automata_stay_narrow(rule, width):
    assert 1 < widest(rule, NINE) <= width


@pytest.mark.parametrize(
    ("rule", "number"),
    [
        (cs.ColumnIndexing("R1C1-R9C1"), 81),
        (cs.RowIndexing("R1C1-R1C9"), 81),
        (cs.BoxIndexing("R1C1-R3C3"), 81),
        (cs.Clone([DIAGONAL, RISING, "R1C2-R1C9 R2C1"]), 9 + 8),
    ],
    ids=label,
)
def test_binary_rules_are_relations(rule, number):
    found = factors_of(rule, NINE)
    assert {type(factor) for factor in found} == {Relation}
    assert len(found) == number


@pytest.mark.parametrize(
    "rule",
    [
        cs.SameValues(["R1C1-R1C16", "R2C1-R2C16", "R1C1-R4C4"]),
        cs.CountingCircles("R1C1-R8C16"),
        cs.CountDistinct("R1C1-R4C16"),
        cs.EqualSum(["R1C1-R1C8", "R2C1-R2C8", "R3C1-R3C8"]),
        cs.MagicSquare("R1C1-R4C4"),
        cs.ColumnIndexing("R1C1-R16C1"),
        cs.ContainsExactly("R1C1-R16C16", [1] * 16),
    ],
    ids=label,
)
def test_sixteen_values_are_within_the_budget(rule):
    assert factors_of(rule, cs.Puzzle.blank(16))


# What is said to people


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cs.Quadruple("R1C1-R2C3", [1]), "a corner has 4 cells around it, not 6"),
        (lambda: cs.ContainsAtLeast("R1C1", 1), "its values must be a list of whole numbers"),
        (lambda: cs.ContainsExactly("R1C1", ["1"]), "its values must be whole numbers, not '1'"),
        (
            lambda: cs.LookAndSay("R1C1", "213"),
            "must be pairs of digits, as 23 for two 3s, not '213'",
        ),
        (lambda: cs.LookAndSay("R1C1", "²3"), "must be pairs of digits"),
        (lambda: cs.LookAndSay("R1C1", 23), "its clue must be text, not 23"),
        (lambda: cs.LookAndSay("R1C1", ""), "must be pairs of digits, as 23 for two 3s, not ''"),
        (lambda: cs.CountDistinct("R1C1"), "needs a cell for the number and at least one to count"),
        (lambda: cs.Clone("R1C1 R1C2"), "clone: its groups must be a list of groups of cells"),
        (lambda: cs.Clone([]), "clone: its groups must not be empty"),
        (lambda: cs.EqualSum(["R1C1", ""]), "equal-sum: each of its groups needs at least 1 cell"),
        (
            lambda: cs.Clone(["R1C1 R1C2", "R2C1"]),
            "its groups must be equally long, not 2, 1 cells",
        ),
        (
            lambda: cs.SameValues(["R1C1", "R2C1-R2C3"]),
            "its groups must be equally long, not 1, 3 cells",
        ),
        (lambda: cs.MagicSquare("R1C1-R2C4"), "needs the cells of a square, such as 4 or 9, not 8"),
        (lambda: cs.ColumnIndexing("$x"), r"column-indexing at \$x: \$x is not declared"),
        (lambda: cs.RowIndexing("R5C5"), "row-indexing at R5C5: R5C5 is outside the 4×4 grid"),
        (lambda: cs.EqualSum(["R1C1", "R9C9"]), "equal-sum at R1C1: R9C9 is outside the 4×4 grid"),
    ],
)
def test_a_bad_rule_is_refused(make, message):
    with pytest.raises(cs.ConstraintError, match=message):
        FOUR.add(make())


def test_indexers_are_cells_with_a_line():
    with pytest.raises(cs.ConstraintError, match=r"\$x is not a cell of the grid"):
        FOUR.with_named("x", [1, 2]).add(cs.RowIndexing("$x"))
    with pytest.raises(cs.ConstraintError, match="R1C1 is in no box or region"):
        cs.Puzzle.blank(3, regions=["R2C1 R2C2"]).add(cs.BoxIndexing("R1C1"))


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (cs.Quadruple("R1C1-R2C2", [1, 1, 2, 2, 3]),
         "quadruple at R1C1: 5 values are too many for 4 cells"),
        (cs.ContainsAtLeast("R1C1 R1C2", [9]), "contains-at-least at R1C1: only 0 cells can "
         "hold 9, but 1 must"),
        (cs.LookAndSay("R1C1 R1C2", "31"),
         "look-and-say at R1C1: only 2 cells can hold 1, but 3 must"),
        (cs.CountingCircles("R1C1-R3C4"),
         "counting-circles at R1C1: no set of values sums to 12, the number of circles"),
    ],
    ids=label,
)  # fmt: skip
def test_what_cannot_be_shows_at_a_glance(rule, message):
    assert FOUR.add(rule).objections() == [message]
    assert count(rule) == 0


@pytest.mark.parametrize(
    "cls", [cs.Quadruple, cs.ContainsExactly, cs.LookAndSay, cs.CountingCircles]
)
def test_no_objection_to_what_can_be(cls):
    for rule in cls.examples():
        for values in (range(1, 5), (-2, -1, 0, 5)):
            puzzle = cs.Puzzle.blank(4, values=values)
            assert rule.objection(puzzle) is None or count(rule, puzzle=puzzle) == 0


def test_a_place_without_values_leaves_no_solution():
    puzzle = FOUR.with_named("x", [])
    places = ["R1C1 R2C2 R2C3", "$x"]
    rules = [cs.ContainsExactly(places, [1]), cs.CountingCircles(places), cs.CountDistinct(places)]
    rules += [cs.Clone([["R1C1"], ["$x"]]), cs.EqualSum([["R1C1"], ["$x"], ["R2C2"]])]
    rules += [cs.SameValues([["R1C1", "R2C2"], ["R2C3", "$x"]]), cs.MagicSquare(places)]
    for rule in rules:
        assert cs.solve(puzzle.add(rule)).status is cs.Status.NONE_EXIST
        rule.objection(puzzle)
