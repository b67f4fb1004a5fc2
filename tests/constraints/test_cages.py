"""Cages and sums: exact counts, edges of the rules, fused and unfused lowerings, sizes."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import csp_sudoku as cs
from csp_encodings.automaton import Budget
from csp_encodings.factors import AllDifferent, Linear, Regular
from csp_sudoku.constraints import cages
from csp_sudoku.testing import assert_lowering

FOUR = cs.Puzzle.blank(4)
NINE = cs.Puzzle.blank(9)
SIXTEEN = cs.Puzzle.blank(16)


def count(*rules: cs.Constraint, puzzle: cs.Puzzle = FOUR, backend: str = "sat") -> int:
    return int(cs.count(puzzle.add(*rules), backend))


def bare(side: int, values=None) -> cs.Puzzle:
    return cs.Puzzle.blank(side, box=None, values=values, row_houses=False, column_houses=False)


def factors_of(rule: cs.Constraint, puzzle: cs.Puzzle) -> list:
    graph = puzzle.add(rule).rules_graph
    return [data["factor"] for _, data in graph.nodes(data=True) if data.get("source") == rule]


def diagonal(length: int) -> str:
    return " ".join(f"R{i}C{i}" for i in range(1, length + 1))


def label(parameter: object) -> str | None:
    return parameter.label if isinstance(parameter, cs.Constraint) else None


# How many of the 288 grids keep a rule, found by other programs.
COUNTS = [
    (cs.KillerCage("R1C1 R1C2", 5), 96),
    (cs.KillerCage("R1C1 R2C3"), 144),
    (cs.KillerCage("R3C3 R2C3 R2C4 R3C4", 10), 96),
    (cs.KillerCage("R4C3 R4C4 R3C4", 10), 0),
    (cs.Sum("R1C1 R2C3", 5), 48),
    (cs.Sum("R1C1 R2C3", 0, (1, -1)), 144),
    (cs.Sum("R1C1 R2C3 R3C4", 0, (2, -1, -1)), 84),
    (cs.Sum("R1C1 R1C1", 4), 72),
    (cs.Sum("R3C2 R3C3 R2C3", 3, (1, 3, -1)), 27),
    (cs.RellikCage("R1C1 R1C2", 3), 96),
    (cs.RellikCage("R1C1 R2C3", 4), 48),
    (cs.RellikCage("R1C1-R1C3", 5), 0),
    (cs.EqualityCage("R1C1 R1C2"), 96),
    (cs.EqualityCage("R3C2 R3C1 R4C1 R4C2"), 288),
    (cs.Lunchbox("R1C1-R1C3", 2), 48),
    (cs.Lunchbox("R1C1 R1C2 R2C1", 0), 192),
    (cs.Lunchbox("R1C1 R1C3 R1C4 R1C2", 3), 48),
    (cs.Lunchbox("R1C1 R1C2 R2C1 R2C2", 2), 48),
    (cs.KillerCage("R1C1 R1C2", [5]), 96),
]


@pytest.mark.parametrize(("rule", "wanted"), COUNTS, ids=label)
def test_exact_counts(rule, wanted):
    assert count(rule) == wanted


def test_a_cage_of_a_whole_house_still_has_its_sum():
    row = "R1C1-R1C4"
    assert count(cs.KillerCage(row, 10)) == count(cs.KillerCage(row, [9, 10])) == 288
    assert count(cs.KillerCage(row, 11)) == count(cs.KillerCage(row, [9, 11])) == 0


def test_a_lunchbox_of_a_whole_row_is_a_sandwich():
    for clue in (0, 2, 3, 5):
        assert count(cs.Lunchbox("R1C1-R1C4", clue)) == count(cs.Sandwich("R1", clue))


def test_a_digital_root_is_a_multi_sum():
    root = cs.KillerCage("R1C1 R2C2 R2C3", [7, 16, 25])
    same = cs.AllDifferent("R1C1 R2C2 R2C3") & cs.fold(
        "R1C1 R2C2 R2C3", 0, lambda s, v: (s + v) % 9, lambda s: s == 7
    )
    for puzzle in (NINE, bare(9)):
        assert cs.solve(puzzle.add(root, same)).solutions
        assert cs.solve(puzzle.add(root, ~same)).status is cs.Status.NONE_EXIST
        assert cs.solve(puzzle.add(same, ~root)).status is cs.Status.NONE_EXIST


@pytest.mark.parametrize(
    ("rule", "values", "wanted", "why"),
    [
        (cs.KillerCage("R1C1 R2C3 R1C1", 7), (2, 3), True, "a cell named twice counts twice"),
        (cs.KillerCage("R1C1 R2C3 R1C1", [7]), (2, 3), True, "a cell named twice counts twice"),
        (cs.KillerCage("R1C1 R2C3", [4]), (2, 2), False, "different"),
        (cs.RellikCage("R1C1 R2C3 R1C1", 4), (2, 3), True, "a cell named twice counts once"),
        (cs.RellikCage("R1C1 R2C3 R3C4", 7), (1, 4, 2), False, "all of them"),
        (cs.RellikCage("R1C1 R2C3 R3C4", 6), (1, 4, 2), False, "some of them"),
        (cs.RellikCage("R1C1 R2C3", 2), (1, 2), False, "one of them"),
        (cs.RellikCage("R1C1 R2C3", 0), (1, 2), True, "none of them is no sum"),
        (cs.RellikCage("R1C1 R2C3", 0), (1, 0), False, "a 0 is"),
        (cs.RellikCage("R1C1 R2C3", 0), (2, -2), False, "negative values"),
        (cs.EqualityCage("R1C1 R2C3"), (1, 4), True, "odd and low, even and high"),
        (cs.EqualityCage("R1C1 R2C3"), (1, 3), False, "both odd"),
        (cs.EqualityCage("R1C1 R2C3"), (1, 2), False, "both low"),
        (cs.Lunchbox("R1C1", 0), (3,), True, "one cell is both ends"),
        (cs.Lunchbox("R1C1 R2C3", 0), (3, 1), True, "nothing between two cells"),
        (cs.Lunchbox("R1C1 R2C2 R2C3 R3C3", 3), (2, 4, 3, 1), True, "the greatest may come first"),
        (cs.Lunchbox("R1C1 R2C2 R2C3 R3C3", 3), (2, 4, 1, 3), False, "behind both ends"),
        (cs.Sum("R1C1 R1C1", 4), (2,), True, "a cell named twice counts twice"),
    ],
    ids=label,
)
def test_edges(rule, values, wanted, why):
    assert rule.holds(dict(zip(rule.scope(FOUR), values, strict=True)), FOUR) is wanted, why


def test_the_middle_of_an_odd_number_of_values_is_forbidden():
    puzzle = cs.Puzzle.blank(1, 2, values=range(1, 6))
    found = {s.rows[0] for s in cs.solutions(puzzle.add(cs.EqualityCage("R1C1 R1C2")))}
    assert found == {(1, 4), (4, 1), (2, 5), (5, 2)}


# Where one automaton would be too large, several factors say the same.

CAGES = [cs.KillerCage, cs.RellikCage, cs.EqualityCage, cs.Lunchbox]


@pytest.fixture
def nothing_fused(monkeypatch):
    monkeypatch.setattr(cages, "_FUSED", Budget(states=1, edges=1))
    cs.clear_cache()
    yield
    cs.clear_cache()


@pytest.mark.usefixtures("nothing_fused")
@pytest.mark.parametrize("cls", CAGES, ids=lambda cls: cls.name)
def test_smaller_factors_say_the_same(cls):
    for rule in cls.examples():
        scope = rule.scope(FOUR)
        is_open = rule.unknown is not None  # its cases are bits
        assert is_open or AllDifferent(scope) in factors_of(rule, FOUR), "fused all the same"
        assert_lowering(rule, FOUR)
        for values in ((1, 2, 3, 4), (-2, -1, 0, 5)):
            assert_lowering(rule, bare(4, values))
        assert count(rule) + count(~rule) == 288


@pytest.mark.usefixtures("nothing_fused")
@pytest.mark.parametrize(
    "rule",
    [
        cs.Lunchbox(diagonal(5), 7),
        cs.RellikCage(diagonal(5), 11),
        cs.KillerCage(diagonal(5), [15, 20, 30]),
        cs.EqualityCage(diagonal(6)),
    ],
    ids=label,
)
def test_smaller_factors_at_real_size(rule):
    rng = random.Random(1)
    puzzle, scope = bare(9).add(rule), rule.scope(NINE)
    seen = {True: 0, False: 0}
    with cs.session(puzzle, "sat") as session:
        while min(seen.values()) < 20:
            values = dict(zip(scope, rng.sample(range(1, 10), len(scope)), strict=True))
            holds = rule.holds(values, puzzle)
            seen[holds] += 1
            if seen[holds] <= 20:
                found = session.solve(puzzle.with_givens(values)).solutions
                assert bool(found) is holds, values


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(-3, 6), min_size=3, max_size=4, unique=True),
    st.integers(-6, 12),
    st.integers(1, 4),
)
@example([0, 1, 2], -3, 3)
def test_cages_on_any_values(values, clue, size):
    puzzle = cs.Puzzle.blank(
        2, box=None, values=sorted(values), row_houses=False, column_houses=False
    )
    cells = " ".join(["R1C1", "R1C2", "R2C1", "R2C2"][:size])
    for rule in (cs.KillerCage(cells, clue), cs.RellikCage(cells, clue), cs.Lunchbox(cells, clue)):
        assert_lowering(rule, puzzle)
        assert rule.objection(puzzle) is None or count(rule, puzzle=puzzle) == 0


# Sizes


@pytest.mark.parametrize(
    ("rule", "width", "size"),
    [
        (cs.KillerCage(diagonal(5), 25), 58, 514),
        (cs.EqualityCage(diagonal(8)), 70, 1024),
        (cs.RellikCage(diagonal(3), 5), 19, 172),
        (cs.RellikCage(diagonal(5), 10), 24, 252),
        (cs.Lunchbox(diagonal(5), 10), 338, 2166),
        (cs.KillerCage(diagonal(4), [11, 20, 29]), 36, 258),
    ],
    ids=label,
)
def test_automata_stay_small(rule, width, size):
    [factor] = factors_of(rule, NINE)
    assert 1 < factor.automaton.width <= width
    assert 1 < factor.automaton.size <= size


@pytest.mark.parametrize("length", [4, 8, 12, 16])
@pytest.mark.parametrize(
    "make",
    [
        lambda cells, n: cs.KillerCage(cells, 8 * n),
        lambda cells, n: cs.KillerCage(cells, [7 * n, 8 * n, 9 * n]),
        lambda cells, n: cs.RellikCage(cells, 4 * n),
        lambda cells, n: cs.EqualityCage(cells),
        lambda cells, n: cs.Lunchbox(cells, 3 * n),
    ],
)
def test_sixteen_values_are_within_the_budget(make, length):
    rule = make(diagonal(length), length)
    found = factors_of(rule, SIXTEEN)
    assert {type(factor) for factor in found} <= {AllDifferent, Linear, Regular}
    assert sum(f.automaton.size for f in found if isinstance(f, Regular)) < 100_000


def test_large_sums_stay_linear():
    everything = " ".join(map(str, SIXTEEN.cells))
    assert factors_of(cs.Sum(everything, 16 * 136), SIXTEEN) == [
        Linear((1,) * 256, SIXTEEN.cells, 16 * 136, 16 * 136)
    ]


# What is said to people


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cs.KillerCage("R1C1", 2.5), "killer-cage at R1C1: its sum must be a whole number"),
        (lambda: cs.KillerCage("R1C1", [1, "2"]), "its sum must be whole numbers, not '2'"),
        (
            lambda: cs.KillerCage("R1C1", "x"),
            "an unknown one is a named variable such as \\$x",
        ),
        (lambda: cs.KillerCage("R1C1", []), "its sum must not be empty"),
        (lambda: cs.Sum("R1C1", [1, 2], at_most=4), "at_most needs a known total, not 1 or 2"),
        (
            lambda: cs.RellikCage("R1C1", None),
            "rellik-cage at R1C1: its sum must be a whole number",
        ),
        (lambda: cs.EqualityCage("R1C1-R1C3"), "needs an even number of cells, not 3"),
        (lambda: cs.EqualityCage("R1C1 R1C2 R1C3 R1C1"), "needs an even number of cells, not 3"),
        (
            lambda: cs.Lunchbox("R1C1 R1C2 R1C1", 5),
            "its cells must all be different, but R1C1 comes twice",
        ),
        (lambda: cs.Lunchbox("R1C1", "5"), "lunchbox at R1C1: its sum must be a whole number"),
        (lambda: cs.Sum("R1C1 R1C2", 2, [1]), "1 coefficients for 2 cells"),
        (lambda: cs.Sum("R1C1", 2, [None]), "its coefficients must be whole numbers, not None"),
        (lambda: cs.Lunchbox("R1C1 R5C5", 5), "lunchbox at R1C1: R5C5 is outside the 4×4 grid"),
    ],
)
def test_a_bad_cage_is_refused(make, message):
    with pytest.raises(cs.ConstraintError, match=message):
        FOUR.add(make())


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (cs.KillerCage("R1C1 R1C2", 8),
         "cage at R1C1: sum 8 is impossible for 2 different cells of 1-4 (3 to 7)"),
        (cs.KillerCage("R1C1 R1C2", [2, 9]),
         "killer-cage at R1C1: no sum 2 or 9 is possible; "
         "cage at R1C1: sum 2 is impossible for 2 different cells of 1-4 (3 to 7)"),
        (cs.RellikCage("R1C1-R2C3", 99), "cage at R1C1: 6 cells are too many for 4 values"),
        (cs.EqualityCage("R1C1-R2C3"), "cage at R1C1: 6 cells are too many for 4 values"),
        (cs.Lunchbox("R1C1-R1C3", 4),
         "cage at R1C1: sum 4 is impossible between the ends of 3 different cells of 1-4 (0 to 3)"),
        (cs.Lunchbox("R1C1", 1),
         "cage at R1C1: sum 1 is impossible between the ends of 1 different cells of 1-4 (0 to 0)"),
        (cs.Sum("R1C1 R1C2", 9), "sum at R1C1: sum 9 is impossible (2 to 8)"),
        (cs.Sum("R1C1 R1C2", 5, at_most=4), "sum at R1C1: sum 5 to 4 is impossible (2 to 8)"),
    ],
    ids=label,
)  # fmt: skip
def test_what_cannot_be_shows_at_a_glance(rule, message):
    assert FOUR.add(rule).objections() == [message]
    assert count(rule) == 0


def test_a_place_without_values_leaves_no_solution():
    puzzle = FOUR.with_named("x", [])
    places = ["R1C1 R2C2 R2C3", "$x"]
    rules = [cs.KillerCage(places, 9), cs.KillerCage(places, [9]), cs.RellikCage(places, 9)]
    rules += [cs.EqualityCage(places), cs.Lunchbox(places, 3), cs.Sum(places, 9)]
    for rule in rules:
        assert cs.solve(puzzle.add(rule)).status is cs.Status.NONE_EXIST
        rule.objection(puzzle)


def test_the_checker_names_repeats_before_the_sum():
    puzzle = FOUR.add(cs.KillerCage("R1C1 R2C3", 5))
    [repeat] = cs.verify(puzzle, {"R1C1": 2, "R2C3": 2}).violations
    assert str(repeat) == "killer-cage at R1C1: R1C1 and R2C3 both hold 2"
    [wrong] = cs.verify(puzzle, {"R1C1": 2, "R2C3": 4}).violations
    assert "R1C1=2, R2C3=4, but the cells R1C1 R2C3 of the cage differ and sum to 5" in str(wrong)


@pytest.mark.parametrize("sign", ["", "<", ">", "≤", "≥"])
def test_sums_with_hidden_digits(sign):
    fits = {"": int.__eq__, "<": int.__lt__, ">": int.__gt__, "≤": int.__le__, "≥": int.__ge__}[
        sign
    ]
    grid = cs.Puzzle.blank(9).grids[0]
    for digits in ("?", "7", "10", "1?", "?0", "??"):
        known = [
            total
            for total in range(1, 100)
            if len(str(total)) == len(digits)
            and all(a in ("?", b) for a, b in zip(digits, str(total), strict=True))
        ]
        for size, sums in ((1, range(1, 10)), (2, range(3, 18)), (4, range(10, 31))):
            wanted = [each for each in sums if any(fits(each, total) for total in known)]
            assert cages._sums(sign + digits, size, grid) == wanted
