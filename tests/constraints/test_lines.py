"""Lines and arrows: exact counts, edges of the rules, sizes of the lowerings, what is refused."""

import pytest

import csp_sudoku as cs
from csp_encodings.automaton import Budget
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation, automaton_of
from csp_encodings.graph import domains
from csp_sudoku.constraints import entropic, line_sums, lines
from csp_sudoku.testing import assert_lowering

FOUR = cs.Puzzle.blank(4)


def count(rule: cs.Constraint, puzzle: cs.Puzzle = FOUR, backend: str = "sat") -> int:
    return int(cs.count(puzzle.add(rule), backend))


def bare(side: int, values=None) -> cs.Puzzle:
    return cs.Puzzle.blank(side, box=None, values=values, row_houses=False, column_houses=False)


def label(parameter: object) -> str | None:
    return parameter.label if isinstance(parameter, cs.Constraint) else None


def holds(rule: cs.CellConstraint, *values: int, puzzle: cs.Puzzle = FOUR) -> bool:
    """Ask the rule for values in the order of its cells."""
    return rule.holds(dict(zip(rule.scope(puzzle), values, strict=True)), puzzle)


# How many of the 288 grids keep a rule, found by other programs.
COUNTS = [
    (cs.Thermometer("R1C1-R1C3"), 48),
    (cs.Thermometer("R2C2 R1C2 R1C3 R2C3"), 4),
    (cs.Thermometer("R1C2 R2C3 R3C2 R3C3"), 1),
    (cs.SlowThermometer("R1C1-R1C3"), 48),
    (cs.Whisper("R1C1 R1C2", 2), 144),
    (cs.Whisper("R1C1 R1C2", 5), 0),
    (cs.Whisper("R4C3 R3C4 R3C3 R2C3", 2), 36),
    (cs.Renban("R1C1-R1C3"), 144),
    (cs.Renban("R4C2 R3C3 R4C3"), 72),
    (cs.Modular("R1C1-R1C3", 2), 96),
    (cs.Modular("R1C1-R1C3", 3), 144),
    (cs.Modular("R1C1 R1C2", 3), 240),
    (cs.Modular("R1C4 R1C3 R2C4 R3C3 R3C4", 3), 56),
    (cs.RegionSum("R1C1-R1C3"), 48),
    (cs.RegionSum("R2C3 R3C4 R3C3 R4C2 R4C1"), 24),
    (cs.RegionSum("R3C1 R2C2 R3C2 R4C2 R4C1"), 0),
    (cs.Between("R1C1-R1C3"), 96),
    (cs.Between("R4C4 R4C3 R3C4 R2C3 R2C4"), 16),
    (cs.Lockout("R1C1-R1C3", 2), 48),
    (cs.Lockout("R1C1 R2C3", 0), 144),
    (cs.Lockout("R4C3 R3C4 R2C3 R3C2", 1), 48),
    (cs.Palindrome("R1C1 R1C2 R2C3"), 144),
    (cs.Palindrome("R2C4 R1C3"), 0),
    (cs.Zipper("R1C1-R1C3"), 48),
    (cs.Zipper("R1C1 R1C2 R2C3 R2C4"), 144),
    (cs.Zipper("R1C3 R2C3 R2C2 R3C2 R4C3 R3C4"), 4),
    (cs.SumLine("R1C1-R1C4", 5), 96),
    (cs.SumLine("R4C1 R3C2 R4C2 R3C3 R2C3 R1C4", 4), 9),
    (cs.SumLine("R1C1 R1C2 R2C2 R2C1", 5, loop=True), 192),
    (cs.Arrow("R1C1", "R1C2 R1C3"), 48),
    (cs.Arrow("R4C3", "R4C2 R3C3 R2C2"), 8),
    (cs.DoubleArrow("R1C1 R1C2 R2C3 R2C4"), 144),
    (cs.DoubleArrow("R3C4 R4C3 R3C3 R2C2 R3C2 R3C1"), 7),
    (cs.PillArrow("R1C1 R1C2", "R2C1-R2C4 R3C1"), 36),
    (cs.PillArrow("R1C1 R2C1", "R2C2-R2C4 R3C2 R3C3"), 3),
    (cs.ValueIndexing("R1C1 R1C2 R1C3 R2C3"), 36),
    (cs.ValueIndexing("R4C3 R4C2 R3C1 R4C1 R3C2"), 72),
    (cs.Regex("R1C1 R1C2", "1.*"), 72),
    (cs.Regex("R1C1 R1C2", "[12]+"), 48),
    (cs.Regex("R1C1-R1C3", "(1|2)[^3]{1,2}"), 48),
    (cs.Regex("R1C1-R1C4", ".*12.*"), 72),
]


@pytest.mark.parametrize(("rule", "wanted"), COUNTS, ids=label)
def test_exact_counts(rule, wanted):
    assert count(rule) == wanted


@pytest.mark.parametrize(
    ("rule", "wanted"), [case for case in COUNTS if case[0].name in ("renban", "zipper")], ids=label
)
def test_the_oracle_counts_alike(rule, wanted):
    assert count(rule, backend="brute") == wanted


# Each is right, or wrong, for the reason behind it.
EDGES = [
    (cs.Thermometer("R1C1 R2C3"), (2, 2), False, "strictly"),
    (cs.SlowThermometer("R1C1 R2C3"), (2, 2), True, "not strictly"),
    (cs.Renban("R1C1 R2C3 R1C1"), (2, 3), True, "a cell drawn twice counts once"),
    (cs.Renban("R1C1 R2C3 R3C4"), (2, 2, 3), False, "different"),
    (cs.Renban("R1C1"), (4,), True, "one cell"),
    (cs.Nabner("R1C1 R2C3 R1C1"), (1, 3), True, "a cell drawn twice counts once"),
    (cs.Nabner("R1C1 R2C2 R2C3"), (1, 4, 2), False, "not only neighbours on the line"),
    (cs.Modular("R1C1 R2C3", 3), (1, 4), False, "a short line is different throughout"),
    (cs.Modular("R1C1 R2C2 R2C3 R3C3"), (1, 2, 3, 4), True, "the fourth may repeat the first"),
    (cs.Modular("R1C1 R2C2"), (-2, 1), False, "residues of negative values"),
    (cs.Between("R1C1 R2C3"), (3, 3), True, "no inner cell, no rule"),
    (cs.Between("R1C1 R2C2 R2C3"), (1, 3, 3), False, "strictly between"),
    (cs.Between("R1C1 R2C2 R2C3"), (4, 3, 1), True, "either end may be the greater"),
    (cs.Lockout("R1C1 R2C3", 0), (3, 3), False, "never equal"),
    (cs.Lockout("R1C1 R2C2 R2C3", 1), (1, 2, 2), False, "outside the closed interval"),
    (cs.Zipper("R1C1 R2C3"), (3, 4), True, "one pair has one sum"),
    (cs.Zipper("R1C1 R2C2 R2C3"), (1, 4, 3), True, "the centre is the sum"),
    (cs.Zipper("R1C1 R2C2 R2C3"), (1, 3, 3), False, "the centre is the sum"),
    (cs.Zipper("R1C1"), (3,), True, "a centre without a pair"),
    (cs.SumLine("R1C1 R2C2", 5), (5, 0), True, "a 0 belongs to the run before it"),
    (cs.SumLine("R1C1 R2C2", 5), (0, 5), True, "or to the run behind it"),
    (cs.SumLine("R1C1 R2C2 R2C3", 2), (3, -1, 2), True, "a run may pass its total"),
    (cs.SumLine("R1C1 R2C2 R2C3", 4), (1, 4, 3), False, "a line is not closed"),
    (cs.SumLine("R1C1 R2C2 R2C3", 4, loop=True), (1, 4, 3), True, "a loop is"),
    (cs.ProductLine("R1C1 R2C2", 0), (0, 3), True, "a product of 0"),
    (cs.ProductLine("R1C1 R2C2", -6), (-2, 3), True, "a negative product"),
    (cs.ValueIndexing("R1C1 R1C2 R2C2 R2C3"), (4, 2, 1, 4), True, "the second of the list"),
    (cs.ValueIndexing("R1C1 R1C2 R2C2 R2C3"), (4, 3, 1, 4), False, "beyond the list"),
    (cs.ValueIndexing("R1C1 R1C2 R2C2 R2C3"), (4, 0, 1, 4), False, "counted from 1"),
    (cs.Regex("R1C1 R2C2", "12?"), (1, 1), False, "from end to end"),
    (cs.Regex("R1C1 R2C2", "<-2> A"), (-2, 10), True, "any integers"),
    (cs.ParityLine("R1C1 R2C2"), (-1, 2), True, "parity of negative values"),
    (cs.PillArrow("R1C1 R1C2", "R2C2 R2C3"), (1, 2, 4, 8), True, "twelve"),
    (cs.PillArrow("R1C1 R1C2", "R2C2 R2C3"), (1, 10, 10, 10), False, "10 is no digit"),
    (cs.PillArrow("R1C1 R1C2 R1C3", "R2C2"), (1, 0, 5, 105), True, "three cells"),
    (cs.AverageArrow("R1C1", "R2C2 R2C3"), (2, 1, 4), False, "the mean is not rounded"),
    (cs.DoubleArrow("R1C1 R2C2 R2C3"), (1, 4, 3), True, "both ends"),
]


@pytest.mark.parametrize(("rule", "values", "wanted", "why"), EDGES, ids=label)
def test_edges(rule, values, wanted, why):
    assert holds(rule, *values) is wanted, why


@pytest.mark.parametrize(
    ("side", "whisper", "lockout"), [(4, 2, 2), (6, 3, 3), (8, 4, 4), (9, 5, 4), (16, 8, 8)]
)
def test_distances_follow_the_side_of_the_grid(side, whisper, lockout):
    puzzle = cs.Puzzle.blank(side)
    assert cs.Whisper("R1C1 R1C2").least(puzzle) == whisper
    assert cs.Lockout("R1C1 R1C2").least(puzzle) == lockout


@pytest.mark.parametrize(
    ("values", "thirds"),
    [
        (range(1, 10), [3, 3, 3]),
        (range(1, 9), [3, 2, 3]),
        (range(1, 11), [3, 4, 3]),
        (range(0, 4), [1, 2, 1]),
        ((-5, 0, 7), [1, 1, 1]),
        ((1, 2), [1, 0, 1]),
        ((1,), [0, 1, 0]),
    ],
    ids=label,
)
def test_thirds_of_the_values(values, thirds):
    puzzle = cs.Puzzle.blank(1, 1, values=values)
    kinds = [cs.Entropic("R1C1").kind(puzzle)(value) for value in values]
    assert kinds == sorted(kinds)
    assert [kinds.count(kind) for kind in range(3)] == thirds


@pytest.mark.parametrize(
    ("puzzle", "line", "runs"),
    [
        (FOUR, "R1C1-R1C4", [2, 2]),
        (FOUR, "R1C2 R1C3 R2C2", [1, 1, 1]),
        (cs.Puzzle.blank(4, box=None), "R1C1-R1C4", []),
        (cs.Puzzle.blank(4, regions="AAAB CABB CCBD CDDD"), "R1C1-R1C4 R2C4", [3, 2]),
        (cs.Puzzle.blank(3, regions="AA. A.B .BB"), "R1C1-R1C3 R2C3 R3C3", [2, 2]),
    ],
    ids=label,
)
def test_runs_of_a_line_through_regions(puzzle, line, runs):
    rule = cs.RegionSum(line)
    assert [len(run) for run in rule.runs(puzzle)] == runs
    assert count(rule, puzzle) == count(rule, puzzle, "brute")


def test_a_box_that_two_grids_share_is_one_region():
    grids = [cs.Grid(4, 4, (1, 2, 3, 4), box=(2, 2), top=t, left=t) for t in (0, 2)]
    rule = cs.RegionSum("R2C2 R2C3 R3C3 R3C4 R4C5")
    assert [len(run) for run in rule.runs(cs.Puzzle.overlapping(grids))] == [1, 1, 2, 1]


def test_a_state_machine_may_guess():
    # Some 1 with a 2 right behind it: the machine cannot know which 1 it will be.
    moves = [(0, v, 0) for v in (1, 2, 3, 4)] + [(2, v, 2) for v in (1, 2, 3, 4)]
    moves += [(0, 1, 1), (1, 2, 2)]
    assert count(cs.StateMachine("R1C1-R1C4", moves, [2])) == 72
    assert count(cs.StateMachine("R1C1-R1C4", moves, [2], starts=[1, 2])) == 288
    assert count(cs.StateMachine("R1C1-R1C4", moves, [9])) == 0


def test_named_variables_may_be_drawn():
    puzzle = FOUR.with_named("x", range(13))
    assert count(cs.Arrow("$x", "R1C1 R2C3 R3C4"), puzzle) == 288
    assert count(cs.Renban(["R1C1 R1C2", "$x"]), puzzle) == count(
        cs.Renban(["R1C1 R1C2", "$x"]), puzzle, "brute"
    )


def test_a_place_without_values_leaves_no_solution():
    puzzle = FOUR.with_named("x", [])
    for cls in (cs.Renban, cs.Nabner, cs.Between, cs.Zipper, cs.SumLine, cs.Modular, cs.Whisper):
        rule = cls(["R1C1 R2C2", "$x"])
        assert cs.solve(puzzle.add(rule)).status is cs.Status.NONE_EXIST
        rule.objection(puzzle)


# A combination around a rule negates its tests and keeps its definitions.
@pytest.mark.parametrize(
    "rule",
    [
        cs.Whisper("R1C1 R2C2 R2C3"),
        cs.Between("R1C1 R2C3"),
        cs.RegionSum("R1C1 R1C2"),
        cs.RegionSum("R2C2 R2C3 R3C3 R3C2 R4C2"),
        cs.Lockout("R1C1 R1C2 R2C3 R3C3"),
        cs.SumLine("R1C1 R1C2 R2C2 R2C1 R3C1", 4, loop=True),
        cs.Modular("R1C1 R2C3", 1),
        cs.PillArrow("R1C1 R1C2", "R2C1-R2C4 R3C1"),
    ],
    ids=label,
)
def test_a_rule_and_its_negation_share_the_grids(rule):
    assert count(rule) + count(~rule) == 288


# What a lowering falls back on where one automaton would be too large.


@pytest.fixture
def nothing_fused(monkeypatch):
    for module, name in ((lines, "FUSED"), (entropic, "FUSED"), (line_sums, "_FUSED")):
        monkeypatch.setattr(module, name, Budget(states=1, edges=1))
    cs.clear_cache()
    yield
    cs.clear_cache()


@pytest.mark.usefixtures("nothing_fused")
@pytest.mark.parametrize("cls", [cs.Renban, cs.Nabner, cs.Modular, cs.Entropic, cs.RegionSum])
def test_smaller_factors_say_the_same(cls):
    for rule in cls.examples():
        graph = FOUR.add(rule).rules_graph
        assert not any(
            isinstance(data.get("factor"), Regular) and not data["definition"]
            for _, data in graph.nodes(data=True)
        ), "an automaton all the same"
        assert_lowering(rule, FOUR)
        for values in ((1, 2, 3, 4), (-2, -1, 0, 5)):
            assert_lowering(rule, bare(4, values))


def factors_of(rule: cs.Constraint, puzzle: cs.Puzzle) -> list:
    graph = puzzle.add(rule).rules_graph
    return [data["factor"] for _, data in graph.nodes(data=True) if data.get("source") == rule]


def width(rule: cs.Constraint, puzzle: cs.Puzzle) -> int:
    """The widest layer of its automata; a linear factor is turned into one."""
    graph = puzzle.add(rule).rules_graph
    return max(
        automaton_of(factor, domains(graph)).width
        for factor in factors_of(rule, puzzle)
        if isinstance(factor, Regular | Linear)
    )


NINE = cs.Puzzle.blank(9)
SNAKE = "R1C1-R1C9 R2C9-R2C1 R3C1-R3C9"


@pytest.mark.parametrize(
    ("rule", "most"),
    [
        (cs.Renban("R1C1 R2C2 R3C3 R4C4 R5C5 R6C6 R7C7 R8C8 R9C9"), 126),
        (cs.Renban("R1C1 R2C2 R3C3"), 13),
        (cs.Nabner("R1C1 R2C2 R3C3"), 26),
        (cs.Modular(SNAKE), 6),
        (cs.Entropic(SNAKE), 6),
        (cs.RegionSum("R1C1-R1C9"), 153),
        (cs.RegionSum(SNAKE), 25),
        (cs.Between("R1C1-R1C3"), 28),
        (cs.Lockout("R1C1-R1C3"), 15),
        (cs.Zipper("R1C1-R1C8"), 81),
        (cs.Zipper("R1C1-R1C9"), 36),
        (cs.SumLine("R1C1-R1C9"), 11),
        (cs.SumLine("R1C1-R1C9", loop=True), 11),
        (cs.ProductLine("R1C1-R1C5", 720), 38),
        (cs.ValueIndexing("R1C1-R1C9"), 17),
        (cs.Arrow("R1C1", "R1C2-R1C5"), 6),
        (cs.PillArrow("R1C1 R1C2", "R2C1-R2C8"), 57),
    ],
    ids=label,
)
def test_automata_stay_narrow(rule, most):
    assert 0 < width(rule, NINE) <= most


def test_different_cells_need_room_between_the_ends():
    # In one row five inner cells differ: the ends are at least 6 apart.
    assert width(cs.Between("R1C1-R1C7"), NINE) < width(cs.Between("R1C1-R1C7"), bare(9))


def test_binary_rules_are_relations():
    for rule in (cs.Thermometer(SNAKE), cs.Whisper(SNAKE), cs.Palindrome("R1C1 R2C3 R3C5 R4C7")):
        assert {type(factor) for factor in factors_of(rule, NINE)} == {Relation}


@pytest.mark.parametrize(
    "rule",
    [
        cs.Renban("R1C1-R1C16"),
        cs.Nabner("R1C1-R1C8"),
        cs.Modular("R1C1-R1C16", 16),
        cs.RegionSum("R1C1-R1C12"),
        cs.RegionSum("R1C1-R4C16"),
        cs.Between("R1C1-R1C16"),
        cs.Lockout("R1C1-R1C9"),
        cs.Zipper("R1C1-R1C16"),
        cs.SumLine("R1C1-R1C16", 40),
        cs.SumLine("R1C1-R1C16", 17, loop=True),
        cs.ProductLine("R1C1-R1C8", 2**9 * 3**3 * 5),
        cs.ValueIndexing("R1C1-R1C16 R2C1"),
        cs.Regex("R1C1-R1C16", ".*(12|34|A[BC])+.*"),
        cs.PillArrow("R1C1 R1C2 R1C3", "R2C1-R3C16"),
    ],
    ids=label,
)
def test_sixteen_values_are_within_the_budget(rule):
    kinds = {type(factor) for factor in factors_of(rule, cs.Puzzle.blank(16))}
    assert kinds <= {AllDifferent, Linear, Regular, Relation}
    assert kinds


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cs.Whisper("R1C1 R1C2", -1), "whisper at R1C1: its difference must be 0 or more"),
        (lambda: cs.Whisper("R1C1 R1C2", 2.0), "its difference must be a whole number, not 2.0"),
        (lambda: cs.Modular("R1C1 R1C2", 0), "modular at R1C1: its modulus must be 1 or more"),
        (lambda: cs.Lockout("R1C1"), r"lockout: needs two ends, not 1 \(R1C1\)"),
        (lambda: cs.SumLine("R1C1", "10"), "its total must be a whole number"),
        (lambda: cs.SumLine("R1C1", 10, loop=1), "loop must be True or False, not 1"),
        (lambda: cs.ProductLine("R1C1", None), "its product must be a whole number"),
        (lambda: cs.ValueIndexing("R1C1 R1C2"), "value-indexing: needs a cell for the"),
        (lambda: cs.Regex("R1C1", "1("), "regex at R1C1: regex, character 2: .* never closed"),
        (lambda: cs.Regex("R1C1", 1), "its pattern must be text, not 1"),
        (
            lambda: cs.StateMachine("R1C1", [(0, 1)], [0]),
            r"\(state, value, next state\), not \(0, 1\)",
        ),
        (
            lambda: cs.StateMachine("R1C1", [], ["a"]),
            "its accepting must be whole numbers, not 'a'",
        ),
        (lambda: cs.Arrow("R1C1 R1C2", "R1C3"), "arrow: its circle must be one cell, not 2"),
        (lambda: cs.AverageArrow("R1C1", []), "average-arrow at R1C1: its shaft needs"),
        (lambda: cs.PillArrow("R1C1", "R1C3"), "pill-arrow: its pill needs 2 or 3 cells, not 1"),
        (
            lambda: cs.PillArrow("R1C1 R1C2", ""),
            "pill-arrow at R1C1: its shaft needs at least 1 cell",
        ),
        (lambda: cs.DoubleArrow("R1C1 R1C2"), "needs two ends and a cell between them, not 2"),
        (lambda: cs.Zipper("R1C1 R5C1"), "zipper at R1C1: R5C1 is outside the 4×4 grid"),
    ],
)
def test_a_bad_line_is_refused(make, message):
    with pytest.raises(cs.ConstraintError, match=message):
        FOUR.add(make())


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (
            cs.Thermometer("R1C1-R1C4 R2C4"),
            "thermometer at R1C1: 5 cells are too many for 4 values",
        ),
        (cs.Whisper("R1C1 R1C2", 4), "no two values differ by 4; the largest difference is 3"),
        (cs.Lockout("R1C1 R1C2", 9), "no two values differ by 9; the largest difference is 3"),
        (cs.Palindrome("R1C1 R2C3 R1C4"), "R1C1 and R1C4 cannot be equal: both are in row 1"),
        (cs.Nabner("R1C1 R2C3 R3C2"), "3 cells are too many; at most 2 values"),
        (cs.Renban("R1C1-R1C4 R2C1"), "renban at R1C1: 5 cells are too many for 4 values"),
        (cs.Between("R1C1 R2C3 R1C1"), "its two ends are the same cell"),
        (cs.RegionSum("R2C2 R2C3 R1C3 R1C4"), "parts of 1 and 3 cells cannot have the same sum"),
        (cs.ProductLine("R1C1 R2C2", 5), "no 2 values have the product 5"),
        (cs.Arrow("R1C1", "R1C2-R2C4"), "6 cells sum to at least 6, but the circle is at most 4"),
        (
            cs.PillArrow("R1C1 R1C2", "R2C2 R2C3"),
            "its pill is at least 11, but 2 cells sum to at most 8",
        ),
        (cs.DoubleArrow("R1C1-R3C4"), "between sum to at least 10, but the ends to at most 8"),
    ],
    ids=label,
)
def test_what_cannot_be_shows_at_a_glance(rule, message):
    puzzle = FOUR.add(rule)
    with pytest.raises(AssertionError, match=message):
        assert not puzzle.objections(), puzzle.objections()[0]
    assert count(rule) == 0


@pytest.mark.parametrize("cls", [cs.Whisper, cs.Renban, cs.Between, cs.ProductLine, cs.RegionSum])
def test_no_objection_to_what_can_be(cls):
    for rule in cls.examples():
        for values in (range(1, 5), (-2, -1, 0, 5)):
            puzzle = cs.Puzzle.blank(4, values=values)
            assert rule.objection(puzzle) is None or count(rule, puzzle) == 0


def test_the_checker_names_the_cells_that_clash():
    long_line = NINE.add(cs.Whisper(SNAKE))
    found = cs.verify(long_line, {"R1C4": 1, "R1C5": 4, "R1C9": 2, "R2C9": 9}).violations
    assert [violation.cells for violation in found] == [(cs.Cell(0, 3), cs.Cell(0, 4))]
    stuck = cs.verify(FOUR.add(cs.Thermometer("R1C1 R1C2 R2C3")), {"R1C1": 2, "R2C3": 3})
    assert [violation.cells for violation in stuck.violations] == [(cs.Cell(0, 0), cs.Cell(1, 2))]


@pytest.mark.parametrize(("pill", "shaft"), [("R1C1 R2C1", "R3C1"), ("R1C1 R1C2", "R2C3 R2C4")])
def test_the_arrow_leaves_the_pill_where_it_is_nearest(pill, shaft):
    rule = cs.PillArrow(pill, shaft)
    _, arrow = rule.picture(cs.Puzzle.blank(4))
    start, first = arrow.cells[:2]
    away = [abs(c.row - first.row) + abs(c.col - first.col) for c in (*rule.pill, start)]
    assert start in rule.pill
    assert away[-1] == min(away)
