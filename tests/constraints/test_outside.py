"""Clues outside the grid: exact counts, directions, ties, sizes, and what is refused."""

from itertools import permutations

import pytest

import csp_sudoku as cs
from csp_encodings.factors import Linear, Regular, automaton_of
from csp_encodings.graph import domains
from csp_sudoku.testing import assert_lowering

FOUR = cs.Puzzle.blank(4)
SIDED = [
    cs.XSum,
    cs.Skyscraper,
    cs.HiddenSkyscraper,
    cs.NumberedRoom,
    cs.BeforeGreatest,
    cs.FullRank,
]


def count(*rules: cs.Constraint, puzzle: cs.Puzzle = FOUR, backend: str = "sat") -> int:
    return int(cs.count(puzzle.add(*rules), backend))


def label(parameter: object) -> str | None:
    return parameter.label if isinstance(parameter, cs.Constraint) else None


# How many of the 288 grids keep the clues, found by other programs.
COUNTS = [
    ([cs.XSum("R1", 5)], 24),
    ([cs.XSum("R1", 5, reverse=True)], 24),
    ([cs.XSum("R1", 3)], 24),
    ([cs.XSum("R1", 10)], 72),
    ([cs.XSum("C3", 1, reverse=True)], 72),
    ([cs.XSum("C3", 7)], 0),
    ([cs.Sandwich("R1", 5)], 48),
    ([cs.Sandwich("R1", 3)], 48),
    ([cs.Sandwich("C1", 0)], 144),
    ([cs.LittleKiller("R1C2", "SW", 5)], 96),
    ([cs.LittleKiller("R2C1", "SE", 5)], 24),
    ([cs.LittleKiller("R4C2", "NE", 5)], 24),
    ([cs.LittleKiller("R2C4", "NW", 5)], 96),
    ([cs.LittleKiller("R1C1", "SE", 10)], 64),
    ([cs.LittleKiller("R1C4", "SW", 13)], 16),
    ([cs.Skyscraper("R1", 2), cs.Skyscraper("R1", 3, reverse=True)], 36),
    ([cs.Skyscraper("C4", 1, reverse=True)], 72),
    ([cs.Skyscraper("C1", 4)], 12),
    ([cs.HiddenSkyscraper("R1", 3)], 60),
    ([cs.HiddenSkyscraper("C1", 1, reverse=True)], 120),
    ([cs.HiddenSkyscraper("R1", 4)], 0),
    ([cs.NumberedRoom("R1", 3)], 48),
    ([cs.NumberedRoom("C4", 1, reverse=True)], 144),
    ([cs.FullRank("R1", 5)], 9),
    ([cs.FullRank("R1", 1), cs.FullRank("R1", 16, reverse=True)], 6),
    ([cs.FullRank("C4", 14, reverse=True)], 9),
    ([cs.FullRankTies("any"), cs.FullRank("R1", 5)], 27),
    ([cs.FullRankTies("only-unclued"), cs.FullRank("R1", 5)], 9),
    ([cs.FullRankTies("none")], 96),
    ([cs.FullRankTies("any")], 288),
]


@pytest.mark.parametrize(("rules", "wanted"), COUNTS)
def test_exact_counts(rules, wanted):
    assert count(*rules) == wanted


@pytest.mark.parametrize(
    "rules", [rules for rules, _ in COUNTS if rules[0].name.startswith("full-rank")]
)
def test_the_oracle_counts_alike(rules):
    assert count(*rules, backend="brute") == count(*rules)


# A line without houses, so that a value may be missing or stand there twice.
@pytest.mark.parametrize(
    ("rule", "line", "wanted", "why"),
    [
        (cs.Sandwich("R1", 2), (1, 2, 4, 3), True, "between 1 and 4"),
        (cs.Sandwich("R1", 2), (4, 2, 1, 3), True, "or between 4 and 1"),
        (cs.Sandwich("R1", 0), (2, 1, 4, 3), True, "nothing between"),
        (cs.Sandwich("R1", 0), (1, 2, 3, 3), False, "no 4"),
        (cs.Sandwich("R1", 0), (1, 1, 4, 3), False, "1 stands there twice"),
        (cs.XSum("R1", 1), (1, 4, 4, 4), True, "the first value counts"),
        (cs.XSum("R1", 9), (4, 1, 1, 3), True, "as many as there are"),
        (cs.Skyscraper("R1", 2), (3, 3, 4, 4), True, "one of equal height is hidden"),
        (cs.HiddenSkyscraper("R1", 3), (3, 3, 4, 1), True, "one of equal height is hidden"),
        (cs.HiddenSkyscraper("R1", 3), (2, 1, 3, 3), False, "only the first hidden one counts"),
        (cs.HiddenSkyscraper("R1", 4), (1, 2, 3, 4), False, "none is hidden"),
        (cs.NumberedRoom("R1", 1), (1, 4, 4, 4), True, "its own room"),
        (cs.NumberedRoom("R1", 3), (4, 1, 1, 3), True, "the last room"),
        (cs.Outside("R1", (3,)), (1, 2, 2, 3), False, "the fourth cell is too far"),
        (cs.Outside("R1", (2, 2)), (1, 2, 1, 1), True, "a value named twice is one value"),
        (cs.BeforeGreatest("R1", 0), (4, 1, 4, 1), True, "before the first 4"),
        (cs.BeforeGreatest("R1", 6), (1, 2, 3, 3), False, "no 4"),
    ],
    ids=label,
)
def test_edges(rule, line, wanted, why):
    places = cs.cells("R1C1-R1C4")[: len(rule.scope(FOUR))]
    assert rule.holds(dict(zip(places, line, strict=False)), FOUR) is wanted, why


def test_a_height_of_0_is_no_building():
    puzzle = cs.Puzzle.blank(4, values=range(4))
    first = cs.cells("R1C1-R1C4")
    for line in permutations(range(4)):
        values = dict(zip(first, line, strict=True))
        without = [height for height in line if height]
        seen = sum(h > max([0, *without[:i]]) for i, h in enumerate(without))
        assert cs.Skyscraper("R1", seen).holds(values, puzzle)


def test_a_hidden_height_may_be_0():
    puzzle = cs.Puzzle.blank(4, values=range(4))
    first = cs.cells("R1C1-R1C4")
    for line, hidden in (((3, 0, 2, 1), 0), ((0, 2, 1, 3), 1), ((1, 3, 0, 2), 0)):
        values = dict(zip(first, line, strict=True))
        found = [n for n in range(4) if cs.HiddenSkyscraper("R1", n).holds(values, puzzle)]
        assert found == [hidden]
    # All heights are one less than in a grid of 1 to 4.
    for n in range(4):
        rules = cs.HiddenSkyscraper("R1", n), cs.HiddenSkyscraper("R1", n + 1)
        assert cs.count(puzzle.add(rules[0])).value == cs.count(FOUR.add(rules[1])).value


@pytest.mark.parametrize("cls", SIDED)
def test_a_clue_from_the_other_side_reads_the_line_backwards(cls):
    # To mirror the whole grid turns every grid into another one.
    for line, far in (("R2", "R2"), ("C1", "C4")):
        assert count(cls(line, 3)) == count(cls(far, 3, reverse=line == far)) > 0


def test_lines_are_read_from_their_side():
    assert [str(c) for c in cs.XSum("R2", 5).cells(FOUR)] == ["R2C1", "R2C2", "R2C3", "R2C4"]
    assert [str(c) for c in cs.XSum("c3", 5, True).cells(FOUR)] == ["R4C3", "R3C3", "R2C3", "R1C3"]
    assert [str(c) for c in cs.Outside("R2", [1], True).cells(FOUR)] == ["R2C4", "R2C3", "R2C2"]
    assert cs.XSum("c3", 5, reverse=True).label == "x-sum at C3, from below"
    moved = cs.Puzzle.overlapping([cs.Grid(2, 2, (1, 2), top=3, left=5)])
    assert cs.Skyscraper("R4", 1).cells(moved) == ((3, 5), (3, 6))


SHAPES = [
    cs.Puzzle.blank(1),
    cs.Puzzle.blank(2, 3, box=None),
    cs.Puzzle.blank(2, 3, box=None, values=range(5)),
    cs.Puzzle.blank(3, box=None, values=(1, 2)),
    cs.Puzzle.blank(2, 3, box=None, column_houses=False),
]


@pytest.mark.parametrize("puzzle", SHAPES, ids=["1×1", "2×3", "more", "fewer", "rows only"])
@pytest.mark.parametrize("cls", [c for c in SIDED if c is not cs.FullRank], ids=lambda c: c.name)
def test_odd_shapes(cls, puzzle):
    for line in ("R1", "C1"):
        for clue in (1, 3):
            assert_lowering(cls(line, clue, reverse=True), puzzle)


@pytest.mark.parametrize("puzzle", SHAPES, ids=["1×1", "2×3", "more", "fewer", "rows only"])
def test_odd_shapes_of_other_clues(puzzle):
    for rule in (cs.Sandwich("R1", 2), cs.Outside("C1", (1, 2)), cs.LittleKiller("R1C1", "SE", 3)):
        assert_lowering(rule, puzzle)


@pytest.mark.parametrize("side", [1, 2, 3])
@pytest.mark.parametrize("ties", ["none", "only-unclued", "any"])
def test_ties_of_small_grids(side, ties):
    puzzle = cs.Puzzle.blank(side)
    for rank in range(1, 4 * side + 1):
        rules = (cs.FullRank("C1", rank), cs.FullRankTies(ties))
        assert count(*rules, puzzle=puzzle) == count(*rules, puzzle=puzzle, backend="brute")


def test_ties_without_houses():
    bare = cs.Puzzle.blank(2, box=None, row_houses=False, column_houses=False)
    for ties in ("none", "only-unclued", "any"):
        for rank in range(9):
            rules = (cs.FullRank("R2", rank, reverse=True), cs.FullRankTies(ties))
            assert count(*rules, puzzle=bare) == count(*rules, puzzle=bare, backend="brute")


def test_every_line_has_one_rank_where_none_are_equal():
    ranks = [count(cs.FullRankTies("none"), cs.FullRank("R1", rank)) for rank in range(18)]
    assert sum(ranks) == count(cs.FullRankTies("none"))
    assert ranks[0] == ranks[17] == 0


@pytest.mark.parametrize(
    "rule",
    [cs.FullRank("R1", 5), cs.Sandwich("R1", 5), cs.XSum("R1", 5), cs.Outside("R1", (1, 2))],
    ids=label,
)
def test_a_rule_and_its_negation_share_the_grids(rule):
    assert count(rule) + count(~rule) == 288


def width(rule: cs.Constraint, puzzle: cs.Puzzle) -> int:
    """The widest layer of its automata; a linear factor is turned into one."""
    graph = puzzle.add(rule).rules_graph
    return max(
        automaton_of(data["factor"], domains(graph)).width
        for _, data in graph.nodes(data=True)
        if data.get("source") == rule and isinstance(data["factor"], Regular | Linear)
    )


NINE, SIXTEEN = cs.Puzzle.blank(9), cs.Puzzle.blank(16)


@pytest.mark.parametrize(
    ("rule", "nine", "sixteen"),
    [
        (cs.Sandwich("R1", 8), 16, 16),
        (cs.Sandwich("R1", 22), 43, 60),
        (cs.XSum("R1", 22), 72, 72),
        (cs.XSum("R1", 30), 72, 90),
        (cs.Skyscraper("R1", 4), 24, 40),
        (cs.HiddenSkyscraper("R1", 4), 9, 16),
        (cs.NumberedRoom("R1", 4), 9, 16),
        (cs.BeforeGreatest("R1", 22), 22, 23),
        (cs.Outside("R1", (1, 2, 3)), 2, 2),
        (cs.LittleKiller("R1C1", "SE", 45), 73, 45),
        (cs.FullRank("R1", 18), 18, 18),
    ],
    ids=label,
)
def test_automata_stay_narrow(rule, nine, sixteen):
    assert 0 < width(rule, NINE) <= nine
    assert 0 < width(rule, SIXTEEN) <= sixteen


def test_houses_narrow_an_automaton():
    bare = cs.Puzzle.blank(9, box=None, row_houses=False, column_houses=False)
    for rule in (cs.XSum("R1", 30), cs.Skyscraper("R1", 4)):
        assert width(rule, NINE) < width(rule, bare)


def test_houses_decide_comparisons_early():
    graph = NINE.add(cs.FullRank("R1", 18)).rules_graph
    lengths = [
        len(data["factor"].scope) for _, data in graph.nodes(data=True) if data.get("definition")
    ]
    # 35 other lines; the first cells of all rows read from the left differ, as column 1 says.
    assert len(lengths) == 35
    assert lengths.count(3) >= 8
    assert max(lengths) < 19


def test_on_nine_by_nine_no_lines_are_equal_anyway():
    graph = NINE.add(cs.FullRankTies("none")).rules_graph
    assert not any(
        data.get("source") == cs.FullRankTies("none") for _, data in graph.nodes(data=True)
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cs.XSum("X1", 5), "x-sum: 'X1' is not a line; write R3 for row 3"),
        (lambda: cs.XSum("R0", 5), "'R0' is not a line"),
        (lambda: cs.XSum("R１", 5), "is not a line"),
        (lambda: cs.Sandwich(3, 5), "3 is not a line"),
        (lambda: cs.XSum("R5", 5), "x-sum at R5: R5 is outside the 4×4 grid"),
        (lambda: cs.Skyscraper("C9", 5, True), "skyscraper at C9, from below: C9 is outside"),
        (lambda: cs.XSum("R1", "5"), "x-sum at R1: its sum must be a whole number, not '5'"),
        (lambda: cs.Skyscraper("R1", 2.0), "its count must be a whole number"),
        (lambda: cs.NumberedRoom("R1", None), "its value must be a whole number"),
        (lambda: cs.FullRank("R1", 5, reverse="yes"), "reverse must be True or False, not 'yes'"),
        (lambda: cs.Outside("R1", 5), "outside at R1: its values must be a list"),
        (lambda: cs.LittleKiller("R1C1", "S", 5), "one of NE, SE, SW, NW, not 'S'"),
        (lambda: cs.LittleKiller("R5C1", "NE", 5), "R5C1 is outside the 4×4 grid"),
        (lambda: cs.LittleKiller("$x", "NE", 5), "its start must be in the grid"),
        (lambda: cs.LittleKiller("R1C1", "SE", None), "its sum must be a whole number"),
        (lambda: cs.FullRankTies("some"), "one of none, only-unclued, any, not 'some'"),
        (lambda: ~cs.FullRankTies("none"), "must be a rule of its own"),
        (lambda: cs.FullRankTies("any") | cs.XSum("R1", 5), "must be a rule of its own"),
    ],
)
def test_a_bad_clue_is_refused(make, message):
    with pytest.raises(cs.ConstraintError, match=message):
        FOUR.add(make())


def test_ties_are_said_once():
    with pytest.raises(cs.ConstraintError, match="two such rules contradict each other"):
        FOUR.add(cs.FullRankTies("none"), cs.FullRankTies("any"))
    assert count(cs.FullRankTies("none"), cs.FullRankTies("none")) == 96


@pytest.mark.parametrize("rule", [cs.FullRank("R1", 1), cs.FullRankTies("none")], ids=label)
def test_ranks_need_a_square_grid(rule):
    with pytest.raises(cs.ConstraintError, match="needs a square grid, not 2×3"):
        cs.Puzzle.blank(2, 3).add(rule)


@pytest.mark.parametrize(
    "rule", [cs.Sandwich("R1", 1), cs.LittleKiller("R1C1", "SE", 9)], ids=label
)
def test_outside_of_several_grids_is_refused(rule):
    grids = [cs.Grid(4, 4, (1, 2, 3, 4), box=(2, 2), top=t, left=t) for t in (0, 2)]
    with pytest.raises(cs.ConstraintError, match="needs a puzzle of one grid, not 2"):
        cs.Puzzle.overlapping(grids).add(rule)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (cs.LittleKiller("R1C1", "SE", 17), r"sum 17 is impossible for 4 cells \(4 to 16\)"),
        (cs.Sandwich("R1", 6), r"sandwich at R1: sum 6 is impossible \(0 to 5\)"),
        (cs.Sandwich("R1", -1), "sum -1 is impossible"),
        (cs.XSum("R1", 2), "sum 2 is impossible"),
        (cs.XSum("R1", 11, reverse=True), "x-sum at R1, from the right: sum 11 is impossible"),
        (cs.Skyscraper("R1", 5), r"5 visible buildings are impossible \(1 to 4\)"),
        (cs.Skyscraper("R1", 0), r"0 visible buildings are impossible"),
        (cs.HiddenSkyscraper("R1", 4), "4, the greatest value, is never hidden"),
        (cs.HiddenSkyscraper("R1", 0), "0 is not a value of this grid"),
        (cs.NumberedRoom("R1", 7), "7 is not a value of this grid"),
        (cs.Outside("R1", (1, 7)), "7 is not a value of this grid"),
        (cs.Outside("R1", (1, 2, 3, 4)), "4 values are too many for 3 cells"),
        (cs.BeforeGreatest("R1", 7), r"sum 7 is impossible \(0 to 6\)"),
        (cs.FullRank("R1", 17), r"rank 17 is impossible \(1 to 16\)"),
        (cs.FullRank("R1", 0), "rank 0 is impossible"),
    ],
    ids=label,
)
def test_what_cannot_be_shows_at_a_glance(rule, message):
    with pytest.raises(AssertionError, match=message):
        assert not FOUR.add(rule).objections(), FOUR.add(rule).objections()[0]
    assert count(rule) == 0


@pytest.mark.parametrize("cls", [*SIDED[:-1], cs.Sandwich])
def test_no_objection_to_what_can_be(cls):
    for puzzle in (
        FOUR,
        cs.Puzzle.blank(4, values=range(4)),
        cs.Puzzle.blank(2, 3, values=range(4)),
    ):
        for clue in range(-1, 12):
            rule = cls("R1", clue)
            assert rule.objection(puzzle) is None or count(rule, puzzle=puzzle) == 0
