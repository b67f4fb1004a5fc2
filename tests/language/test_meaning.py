"""Every operator of the language against Python's own meaning, exhaustively and on all backends."""

import random
from itertools import product

import pytest

import csp_sudoku as cs
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import factors
from csp_sudoku.fuzzing.rules import RuleMaker
from csp_sudoku.language import compiling
from csp_sudoku.language.drawing import condition
from csp_sudoku.testing import assert_lowering

BACKENDS = ("sat", "cpsat", "search", "dlx", "lp")
VALUES = (-2, 0, 3)
WIDE = (-7, -2, -1, 0, 1, 2, 5)


def defined(predicate):
    """What Python cannot compute is false."""

    def accepts(*values):
        try:
            return bool(predicate(*values))
        except (ZeroDivisionError, IndexError, ValueError):
            return False

    return accepts


def at(items, index):
    if index < 1:
        raise IndexError(index)
    return items[index - 1]


# A text over R1C1, R1C2 and R1C3, and the same in Python.
MEANINGS = [
    ("R1C1 + R1C2 == R1C3", lambda a, b, c: a + b == c),
    ("R1C1 - R1C2 == R1C3", lambda a, b, c: a - b == c),
    ("R1C1 - R1C2 - R1C3 == 1", lambda a, b, c: a - b - c == 1),
    ("-R1C1 + R1C2 == --R1C3", lambda a, b, c: -a + b == c),
    ("R1C1 * R1C2 == R1C3", lambda a, b, c: a * b == c),
    ("R1C1 * R1C2 * R1C3 >= 0", lambda a, b, c: a * b * c >= 0),
    ("R1C1 // R1C2 == R1C3", lambda a, b, c: a // b == c),
    ("R1C1 % R1C2 == R1C3", lambda a, b, c: a % b == c),
    ("R1C1 // 2 + R1C2 % 2 < R1C3", lambda a, b, c: a // 2 + b % 2 < c),
    ("R1C1 * 3 // R1C2 % 4 == 1", lambda a, b, c: a * 3 // b % 4 == 1),
    ("not R1C1 // R1C2 == R1C3", lambda a, b, c: b == 0 or a // b != c),
    ("R1C1 // R1C2 == R1C3 or R1C1 < R1C2", lambda a, b, c: a < b or (b and a // b == c)),
    ("R1C1 == R1C2", lambda a, b, c: a == b),
    ("R1C1 != R1C2", lambda a, b, c: a != b),
    ("R1C1 < R1C2", lambda a, b, c: a < b),
    ("R1C1 <= R1C2", lambda a, b, c: a <= b),
    ("R1C1 > R1C2", lambda a, b, c: a > b),
    ("R1C1 >= R1C2", lambda a, b, c: a >= b),
    ("R1C1 + R1C2 != R1C3", lambda a, b, c: a + b != c),
    ("R1C1 < R1C2 <= R1C3", lambda a, b, c: a < b <= c),
    ("R1C1 < R1C2 > R1C3 != 0", lambda a, b, c: a < b > c != 0),
    ("R1C1 > 0 and R1C2 < R1C3", lambda a, b, c: a > 0 and b < c),
    ("R1C1 > 0 or R1C2 < R1C3", lambda a, b, c: a > 0 or b < c),
    ("not (R1C1 > 0 or R1C2 < R1C3)", lambda a, b, c: not (a > 0 or b < c)),
    ("R1C1 > 0 or R1C2 > 0 and R1C3 > 0", lambda a, b, c: a > 0 or (b > 0 and c > 0)),
    ("not R1C1 > 0 and R1C2 > 0", lambda a, b, c: not a > 0 and b > 0),
    ("if R1C1 > 0 then R1C2 < R1C3", lambda a, b, c: b < c if a > 0 else True),
    ("R1C1 > 0 implies R1C2 < R1C3", lambda a, b, c: b < c if a > 0 else True),
    ("if R1C1 > 0 then R1C2 < 0 else R1C3 < 0", lambda a, b, c: b < 0 if a > 0 else c < 0),
    ("(if R1C1 > 0 then R1C2 else R1C3) > 0", lambda a, b, c: (b if a > 0 else c) > 0),
    ("(if R1C1 > 0 then 6 // R1C1 else R1C3) > 1", lambda a, b, c: (6 // a if a > 0 else c) > 1),
    ("(R1C1 > 0) == (R1C2 > R1C3)", lambda a, b, c: (a > 0) == (b > c)),
    ("(R1C1 > 0) + (R1C2 > 0) + (R1C3 > 0) == 2", lambda a, b, c: (a > 0) + (b > 0) + (c > 0) == 2),
    ("R1C1 in [R1C2, 3, R1C3 + 2]", lambda a, b, c: a in (b, 3, c + 2)),
    ("R1C1 not in 0..1 + 1", lambda a, b, c: a not in (0, 1, 2)),
    ("min(R1C1, R1C2) == R1C3", lambda a, b, c: min(a, b) == c),
    ("max(R1C1, R1C2, 0) > R1C3", lambda a, b, c: max(a, b, 0) > c),
    ("max(R1C1, R1C2) < R1C3", lambda a, b, c: max(a, b) < c),
    ("R1C1 <= min(R1C2, R1C3)", lambda a, b, c: a <= min(b, c)),
    ("abs(R1C1 - R1C2) == abs(R1C3)", lambda a, b, c: abs(a - b) == abs(c)),
    ("sum(R1C1, [R1C2, R1C3], 1) == 2", lambda a, b, c: a + b + c + 1 == 2),
    ("product(row 1) == 0", lambda a, b, c: a * b * c == 0),
    ("count(v > 0 for v in row 1) == 2", lambda a, b, c: sum(v > 0 for v in (a, b, c)) == 2),
    ("count(R1C1 > R1C2, R1C2 > R1C3) == 1", lambda a, b, c: (a > b) + (b > c) == 1),
    ("count_distinct(row 1) == 2", lambda a, b, c: len({a, b, c}) == 2),
    ("all_different(row 1)", lambda a, b, c: len({a, b, c}) == 3),
    ("not all_different(row 1)", lambda a, b, c: len({a, b, c}) < 3),
    ("all_different(R1C1, R1C2 + 1, 3, R1C3)", lambda a, b, c: len({a, b + 1, 3, c}) == 4),
    ("all_equal(R1C1, R1C2, R1C3)", lambda a, b, c: a == b == c),
    ("all(v >= 0 for v in row 1)", lambda a, b, c: min(a, b, c) >= 0),
    ("any(v > 0 for v in row 1)", lambda a, b, c: max(a, b, c) > 0),
    ("all(v < w for v, w in successive(row 1))", lambda a, b, c: a < b < c),
    ("any(v + w == 3 for v, w in pairs(row 1))", lambda a, b, c: 3 in (a + b, a + c, b + c)),
    ("sum(v * w for v, w in pairs(row 1)) == 0", lambda a, b, c: a * b + a * c + b * c == 0),
    ("sum(v * w for v, w in zip(row 1, 1..3)) > 2", lambda a, b, c: a + 2 * b + 3 * c > 2),
    ("all(v < w for v in [R1C1] for w in [R1C2, R1C3])", lambda a, b, c: a < b and a < c),
    ("sum([2 * v for v in row 1]) == 2", lambda a, b, c: 2 * (a + b + c) == 2),
    ("item([R1C1, R1C2, 7], R1C3) == R1C1", lambda a, b, c: at((a, b, 7), c) == a),
    ("position(R1C1, [R1C2, R1C3]) == 2", lambda a, b, c: (b, c).index(a) == 1),
    ("all(x > 0 - column_of(x) for x in grid)", lambda a, b, c: a > -1 and b > -2 and c > -3),
    ("cell(1, 1 + 1) == 0", lambda a, b, c: b == 0),
    ("sum(cells(R1C1, R1C3)) == 2", lambda a, b, c: a + c == 2),
    ("sum(cells(R1C1 R1C3)) == sum(cells(R1C1-R1C2))", lambda a, b, c: b == c),
    ("count(v == w for v in grid for w in values) == 3", lambda a, b, c: True),
]  # fmt: skip


def line(values, columns=3):
    return cs.Puzzle.blank(
        1, columns, box=None, values=values, row_houses=False, column_houses=False
    )


@pytest.mark.parametrize(("text", "predicate"), MEANINGS, ids=[text for text, _ in MEANINGS])
def test_an_operator_means_what_it_means_in_python(text, predicate):
    rule, accepts = cs.rule(text), defined(predicate)
    puzzle = line(WIDE)
    places = puzzle.cells
    for row in product(WIDE, repeat=3):
        held = dict(zip(places, row, strict=True))
        assert rule.holds(held, puzzle) is accepts(*row), row
    assert_lowering(rule, puzzle)
    assert_lowering(~rule, puzzle)


@pytest.mark.parametrize(("text", "predicate"), MEANINGS, ids=[text for text, _ in MEANINGS])
def test_all_backends_find_the_same(text, predicate):
    accepts = defined(predicate)
    puzzle = line(VALUES).add(cs.rule(text))
    wanted = {row for row in product(VALUES, repeat=3) if accepts(*row)}
    for backend in BACKENDS:
        found = [tuple(s[p] for p in puzzle.cells) for s in cs.solutions(puzzle, backend)]
        assert len(found) == len(set(found)), backend
        assert set(found) == wanted, backend


# Shapes in which groups are not what a square has.
SHAPES = {
    "square": cs.Puzzle.blank(4),
    "wide": cs.Puzzle.blank(2, 3, box=None, values=range(4)),
    "tall": cs.Puzzle.blank(3, 2, box=None, values=(-1, 0, 2, 4)),
    "jigsaw": cs.Puzzle.blank(4, regions="AAAB CABB CCBD CDDD"),
    "two grids": cs.Puzzle.overlapping(
        [cs.Grid(2, 2, (1, 2, 3)), cs.Grid(2, 2, (1, 2, 3), top=1, left=1)]
    ),
}
GROUPS = [
    "sum(row 2) > sum(column 2)",
    "all(sum(r) % 2 == sum(rows_first) % 2 for r in rows for rows_first in [row 1])",
    "all(abs(a - b) <= 3 for a, b in neighbours(king))",
    "max(neighbours(R1C1)) == R2C2",
    "count(a == b for a, b in neighbours(diagonal)) <= 1",
    "sum(grid) % 3 == 0",
    "all(any(c == v for c in column 1) implies R2C2 != v for v in values)",
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("text", GROUPS)
def test_groups_on_odd_shapes(text, shape):
    assert_lowering(cs.rule(text), SHAPES[shape], limit=2_000)


def test_groups_are_the_cells_of_the_puzzle():
    puzzle = SHAPES["jigsaw"]
    places = [
        ("all_different(box 2)", puzzle.box(1)),
        ("all_different(column 3)", puzzle.column(2)),
        ("all_different(cells(R1C1-R2C2 R4C4))", cs.cells("R1C1-R2C2 R4C4")),
        ("all_different(neighbours(R2C2))", cs.cells("R1C2 R2C1 R2C3 R3C2")),
        ("all_different(ray(R1C1, SE))", cs.cells("R1C1 R2C2 R3C3 R4C4")),
        ("all(sum(c) > 4 for c in corners)", tuple(cs.cells("R1C1-R4C4"))),
        ("all_different(neighbours(R1C1, knight))", cs.cells("R2C3 R3C2")),
    ]
    for text, wanted in places:
        assert sorted(cs.rule(text).scope(puzzle)) == sorted(wanted)
    samurai = SHAPES["two grids"]
    assert cs.rule("sum(row(1, 2)) == 3").scope(samurai) == samurai.row(0, 1)
    assert len(cs.rule("all(sum(b) > 1 for b in columns)").scope(samurai)) == 7


@pytest.mark.parametrize("limit", [1, 30])
def test_random_rules_in_many_small_parts(limit, monkeypatch):
    """With small limits every operator gets its own factors; they must mean the same."""
    monkeypatch.setattr(compiling, "_MOST_TRIED", limit)
    monkeypatch.setattr(compiling, "_MOST_PAIRS", 1)
    monkeypatch.setattr(compiling, "_MOST_EDGES", limit)
    rng = random.Random(limit)
    bare = {"box": None, "row_houses": False, "column_houses": False}
    puzzles = [cs.Puzzle.blank(2, values=v, **bare) for v in ((1, 2, 3), (0, 1, 2), (-2, 0, 3))]
    puzzles.append(cs.Puzzle.blank(2, 3, values=(-1, 0, 2), **bare).with_named("x", [0, 2, 5]))
    compared = 0
    for _ in range(150):
        puzzle = rng.choice(puzzles)
        rule = cs.rule(condition(RuleMaker(puzzle, None, rng), 3))
        if rule.scope(puzzle):
            compared += assert_lowering(rule, puzzle) > 0
    assert compared > 100


# Which factors a rule becomes: the best ones there are.
KINDS = [
    ("R1C1 + R1C2 == 2 * R3C3", [Linear]),
    ("sum(row 1) <= sum(column 1) + 3", [Linear]),
    ("R1C1 > R1C2", [Relation]),
    ("abs(R1C1 - R1C2) >= 3 and R2C1 * R2C2 == 12", [Relation, Relation]),
    ("all_different(row 1)", [AllDifferent]),
    ("R1C1 < R1C2 < R1C3", [Relation, Relation]),
    ("R1C1 % 2 == 0", [Relation]),
    ("max(row 1) <= R5C5", [Relation] * 9),
    ("any(c == 5 for c in cells(R1C1-R3C3))", [Regular]),
    ("count(c % 2 == 0 for c in row 1) == 4", [Regular]),
    ("R1C1 * R1C2 == R1C3", [Regular]),
    ("not (R1C1 == 1 or R1C2 == 2)", [Relation, Relation]),
]


@pytest.mark.parametrize(("text", "kinds"), KINDS, ids=[text for text, _ in KINDS])
def test_the_best_factor_is_taken(text, kinds):
    puzzle = cs.Puzzle.blank(9).add(cs.rule(text))
    found = [type(factor) for factor in factors(puzzle.graph).values()]
    assert found[27:] == kinds


def test_wide_rules_compile():
    texts = [
        "sum(a * b for a, b in successive(row 1)) == 200",
        "product(cells(R1C1-R2C6)) == 1000000 or product(column 1) > 9",
        "count(sum(r) > sum(c) for r in boxes for c in [column 1]) == 0",
        "all_different(sum(a, b, c) for a in [R1C1] for b in [R2C1] for c in row 3)",
        "count_distinct(cells(R1C1-R3C9)) == 9",
        "not all_different(cells(R1C1-R2C9))",
        "position(9, row 1) + item(row 2, R1C1) == 9",
        "max(R1C1 * R2C2 for a in row 1) == 9 or min(abs(a - b) for a, b in pairs(row 4)) == 1",
    ]
    for text in texts:
        assert cs.solve(cs.Puzzle.blank(9).add(cs.rule(text)), "sat", timeout=60).solutions, text


def test_a_text_in_a_document():
    puzzle = cs.Puzzle.blank(4).add(cs.rule("R1C1 > 2 * R1C2", "R1C1 is large"))
    text = cs.write_json(puzzle)
    assert '{"type": "rule", "text": "R1C1 > 2 * R1C2", "sentence": "R1C1 is large"}' in text
    assert cs.read(text) == puzzle
    assert puzzle.constraints[0].describe(puzzle) == "R1C1 is large"


def test_layers():
    puzzle = cs.Puzzle.blank(2).with_layer("shaded", (0, 1))
    for text, number in (
        ("shaded:R1C1 == 1 and R1C1 > shaded:R1C2", 12),
        ("all(on(shaded, c) == c - 1 for c in grid)", 2),
        ("sum(on(shaded, row 1)) == 2 and sum(cells(shaded:R2C1-R2C2)) == 0", 2),
        ("count(d == 1 for d in on(shaded, grid)) == 1", 8),
    ):
        assert {cs.count(puzzle.add(cs.rule(text)), b).value for b in BACKENDS} == {number}, text
    with pytest.raises(cs.ConstraintError, match="a layer stands on cells"):
        puzzle.add(cs.rule("on(shaded, R1C1 + 1) == 1"))


@pytest.mark.parametrize(
    "text",
    [
        "R1C1 + R2C2 >= 3",
        "R1C1 < 2 or R2C2 > 3 or R3C3 == 4",
        "max(R1C1, R2C2) == R3C3",
        "R1C1 * R2C2 != 4",
        "count(c > 2 for c in [R1C1, R2C2, R3C3]) <= 1",
    ],
)
def test_a_cell_of_two_grids_that_share_no_value(text):
    grids = [cs.Grid(2, 2, (1, 2)), cs.Grid(2, 2, (3, 4), top=1, left=1)]
    puzzle = cs.Puzzle.overlapping(grids)
    rule = cs.rule(text)
    for each in (rule, ~rule):
        for backend in ("sat", "search", "cpsat"):
            assert cs.count(puzzle.add(each), backend).value == 0
