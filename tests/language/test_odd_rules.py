"""Rules that no class has, as puzzles state them: three lines of Python, one text, all backends.

Each rule has a sentence, a small puzzle, the rule as text, and the rule in Python with rules,
predicates and combinations. Both mean the same, and all backends find what the oracle finds.
"""

from dataclasses import dataclass, field
from itertools import combinations, pairwise

import pytest

import csp_sudoku as cs
from csp_sudoku.testing import Case, check_case

FOUR = cs.Puzzle.blank(4)
LATIN = cs.Puzzle.blank(4, box=None, values=range(1, 7))
BARE = cs.Puzzle.blank(4, box=None, row_houses=False, column_houses=False)
# Two rows of each are open.
HALF_LATIN = LATIN.with_givens(zip(LATIN.cells[8:], (3, 4, 1, 2, 4, 3, 2, 5), strict=True))
HALF_BARE = BARE.with_givens(zip(BARE.cells[8:], (3, 4, 1, 2, 2, 3, 4, 1), strict=True))
LINES = ("R1C1-R1C3", "R2C2-R4C2", "R4C1 R4C2 R3C2")
WALK = "R1C1 R1C2 R2C2 R3C3"
BACKENDS = ("sat", "cpsat", "search", "dlx", "lp")


@dataclass
class Odd:
    """A rule in words, as text and in Python."""

    says: str
    text: str
    rules: list[cs.Constraint] = field(default_factory=list)
    puzzle: cs.Puzzle = FOUR


def each(groups, predicate):
    """The same predicate for several groups of cells."""
    return [cs.where(group, predicate) for group in groups]


def counted(puzzle, number, predicate):
    """So many pairs of neighbours keep a predicate."""
    return [cs.exactly(number, each(puzzle.edges(), predicate))]


ODD = [
    Odd(
        "On each line of four cells the first two digits sum to as much as the last two.",
        "R1C1 + R1C2 == R2C2 + R3C2",
        [cs.Sum("R1C1 R1C2 R2C2 R3C2", 0, (1, 1, -1, -1))],
    ),
    Odd(
        "The two-digit numbers of two cages, read from left to right, sum to 55.",
        "10 * R1C1 + R1C2 + 10 * R3C3 + R3C4 == 55",
        [cs.Sum("R1C1 R1C2 R3C3 R3C4", 55, (10, 1, 10, 1))],
    ),
    Odd(
        "A circled digit and all cells a knight's move away are all low, or all high.",
        "all((c > 2) == (R1C1 > 2) for c in neighbours(R1C1, knight))",
        each(
            [("R1C1", c) for c in FOUR.neighbours("R1C1", "knight")],
            lambda a, b: (a > 2) == (b > 2),
        ),
    ),
    Odd(
        "A line increases, and from the third digit on each is the sum of the two before it.",
        "R3C1 < R3C2 and R3C1 + R3C2 == R4C2 and R3C2 + R4C2 == R4C3",
        [
            cs.Thermometer("R3C1 R3C2"),
            cs.Sum("R3C1 R3C2 R4C2", 0, (1, 1, -1)),
            cs.Sum("R3C2 R4C2 R4C3", 0, (1, 1, -1)),
        ],
        cs.read("251643 346512 ...... ...... 413265 562431"),
    ),
    Odd(
        "A red dot: not consecutive, one digit odd and one even. All dots are given (four).",
        "abs(R1C1 - R1C2) == 3 and count(abs(a - b) == 3 for a, b in neighbours) == 4",
        [cs.Difference("R1C1 R1C2", 3), *counted(FOUR, 4, lambda a, b: abs(a - b) == 3)],
        cs.Puzzle.blank(4, box=None),
    ),
    Odd(
        "A green dot is an X or a V: its two digits sum to 5 or to 3.",
        "R1C2 + R1C3 in [3, 5] and R2C1 + R3C1 in [3, 5]",
        each(["R1C2 R1C3", "R2C1 R3C1"], lambda a, b: a + b in (3, 5)),
    ),
    Odd(
        "Digits joined by a square sum to 6. All squares are given (four).",
        "count(a + b == 6 for a, b in neighbours) == 4 and R1C1 + R1C2 == 6",
        [cs.PairSum("R1C1 R1C2", 6), *counted(FOUR, 4, lambda a, b: a + b == 6)],
    ),
    Odd(
        "The digits of a cage differ, and their total is less than 8; of another, greater than 8.",
        "all_different(cells(R1C1-R1C3)) and sum(cells(R1C1-R1C3)) < 8"
        " and sum(cells(R3C1 R4C1 R4C2)) > 8",
        [cs.Sum("R1C1-R1C3", 0, at_most=7), cs.Sum("R3C1 R4C1 R4C2", 9, at_most=99)],
    ),
    Odd(
        "A cage sums to its clue 7, or perhaps to one less.",
        "sum(cells(R1C1-R2C1)) + R3C2 in 6..7",
        [cs.Sum("R1C1 R2C1 R3C2", 6) | cs.Sum("R1C1 R2C1 R3C2", 7)],
    ),
    Odd(
        "No digit repeats in a row or column. All rows and columns have the same sum, to be found.",
        "all(sum(r) == $x for r in rows) and all(sum(c) == $x for c in columns)",
        [
            cs.Sum([line, "$x"], 0, (1, 1, 1, 1, -1))
            for line in (*map(LATIN.row, range(4)), *map(LATIN.column, range(4)))
        ],
        LATIN.with_named("x", range(4, 25)).with_givens(
            {"R1C1": 1, "R2C2": 5, "R1C2": 2, "R2C1": 3, "R3C3": 6, "R4C1": 6}
        ),
    ),
    Odd(
        "No two rows contain exactly the same digits.",
        "all(count_distinct(r, s) > 4 for r, s in pairs(rows))",
        [~cs.SameValues([r, s]) for r, s in combinations(map(LATIN.row, range(4)), 2)],
        HALF_LATIN.with_givens({"R1C1": 1, "R2C2": 1}),
    ),
    Odd(
        "Each digit occurs four times in the grid; nothing else is forbidden.",
        "all(count(c == v for c in grid) == 4 for v in values)",
        [cs.ContainsExactly(BARE.cells, [1, 2, 3, 4] * 4)],
        HALF_BARE.with_givens({"R1C1": 1, "R1C2": 1}),
    ),
    Odd(
        "Two 3s in a row or column are an error. There are exactly three such errors.",
        "count(a == 3 and b == 3 for line in rows for a, b in pairs(line))"
        " + count(a == 3 and b == 3 for line in columns for a, b in pairs(line)) == 3",
        [
            cs.exactly(
                3,
                [
                    cs.Table(pair, [(3, 3)])
                    for line in (*map(BARE.row, range(4)), *map(BARE.column, range(4)))
                    for pair in combinations(line, 2)
                ],
            )
        ],
        HALF_BARE.with_givens({"R1C1": 3, "R2C2": 1, "R2C3": 1}),
    ),
    Odd(
        "A digit on a sun says how many of the cells around it hold smaller digits.",
        "R2C2 == count(c < R2C2 for c in neighbours(R2C2, king))",
        [
            cs.where(
                ["R2C2", FOUR.neighbours("R2C2", "king")],
                lambda a, *v: a == sum(x < a for x in v),
            )
        ],
    ),
    Odd(
        "Two neighbours on a line always have the same difference, which is to be found.",
        f"all_equal(abs(a - b) for a, b in successive(cells({WALK})))",
        [cs.where(WALK, lambda *v: len({abs(a - b) for a, b in pairwise(v)}) == 1)],
    ),
    Odd(
        "Three successive digits of a row are never all even and never all odd.",
        "all(0 < a % 2 + b % 2 + c % 2 < 3 and 0 < b % 2 + c % 2 + d % 2 < 3"
        " for a, b, c, d in rows)",
        each(
            [BARE.row(row)[i : i + 3] for row in range(4) for i in (0, 1)],
            lambda *v: 0 < sum(x % 2 for x in v) < 3,
        ),
        BARE.with_givens(zip(BARE.cells[6:], (1, 2, 3, 2, 1, 4, 4, 4, 1, 1), strict=True)),
    ),
    Odd(
        "One cell is hot, all others are cold: a hot value is a digit plus 1, a cold one minus 1. "
        "The value in a circle is the sum of the values on its arrow.",
        "sum(on(hot, grid)) == 1 and R1C1 + 2 * hot:R1C1 - 1 =="
        " R1C2 + 2 * hot:R1C2 - 1 + R2C2 + 2 * hot:R2C2 - 1",
        [
            cs.Sum("hot:R1C1-R4C4", 1),
            cs.Sum("R1C1 hot:R1C1 R1C2 hot:R1C2 R2C2 hot:R2C2", -1, (1, 2, -1, -2, -1, -2)),
        ],
        FOUR.with_layer("hot", (0, 1)).with_givens(
            {
                **dict(zip(FOUR.cells[8:], (1, 4, 2, 3, 2, 3, 1, 4), strict=True)),
                **dict.fromkeys(cs.cells("hot:R3C1-R4C4"), 0),
            }
        ),
    ),
    Odd(
        "Castles are two cells. All castles have different strengths: the sums of their digits.",
        "all_different(R1C1 + R1C2, R1C3 + R2C4, R3C1 + R4C2, R3C3 + R4C4)",
        each(
            ["R1C1 R1C2 R1C3 R2C4 R3C1 R4C2 R3C3 R4C4"],
            lambda *v: len({v[i] + v[i + 1] for i in range(0, 8, 2)}) == 4,
        ),
    ),
    Odd(
        "The first digit of row 1 says where its 1 is; the last of row 2 counts its even digits.",
        "R1C1 == position(1, row 1) and R2C4 == count(c % 2 == 0 for c in row 2)",
        [
            cs.where("R1C1-R1C4", lambda *v: v[v[0] - 1] == 1 and v.count(1) == 1),
            cs.where("R2C1-R2C4", lambda *v: v[3] == sum(x % 2 == 0 for x in v)),
        ],
        cs.Puzzle.blank(4, box=None),
    ),
    Odd(
        "If the corner is odd, the arrow on it is right; if it is even, the thermometer is.",
        "if R1C1 % 2 == 1 then R1C1 == R1C2 + R2C3 else R1C1 < R2C1 < R3C2",
        [
            cs.implies(cs.Odd("R1C1"), cs.Arrow("R1C1", "R1C2 R2C3")),
            cs.implies(cs.Even("R1C1"), cs.Thermometer("R1C1 R2C1 R3C2")),
        ],
        cs.Puzzle.blank(4, values=range(4)),
    ),
    Odd(
        "Each of three lines is a whisper or a set of consecutive digits; just one is a whisper.",
        "count(abs(a - b) >= 2 and abs(b - c) >= 2 for a, b, c in"
        " [cells(R1C1-R1C3), cells(R2C2-R4C2), cells(R4C1 R4C2 R3C2)]) == 1"
        " and all(max(l) - min(l) == 2 and all_different(l) or"
        " all(abs(a - b) >= 2 for a, b in successive(l)) for l in"
        " [cells(R1C1-R1C3), cells(R2C2-R4C2), cells(R4C1 R4C2 R3C2)])",
        [
            cs.exactly(1, [cs.Whisper(line, 2) for line in LINES]),
            *(cs.Whisper(line, 2) | cs.Renban(line) for line in LINES),
        ],
    ),
    Odd(
        "A digit is an index: it says which cell of row 3 holds the number of its column.",
        "item(row 3, R1C2) == 2 and item(row 3, R1C4) == 4",
        [
            cs.where("R1C2 R3C1-R3C4", lambda i, *v: v[i - 1] == 2),
            cs.where("R1C4 R3C1-R3C4", lambda i, *v: v[i - 1] == 4),
        ],
    ),
]  # fmt: skip
IDS = [odd.says[:50] for odd in ODD]


def test_there_are_enough():
    assert len(ODD) >= 20
    assert all(odd.puzzle.grids[0].size in ("4×4", "6×6") for odd in ODD)


@pytest.mark.parametrize("odd", ODD, ids=IDS)
def test_text_and_python_say_the_same(odd):
    written = odd.puzzle.add(cs.rule(odd.text, odd.says))
    document = cs.write_json(written)
    assert cs.read(document) == written
    found = set(cs.solutions(cs.read(document), "sat"))
    assert found, "a rule that nobody keeps shows nothing"
    assert found == set(cs.solutions(odd.puzzle.add(*odd.rules), "sat"))
    assert len(found) < cs.count(odd.puzzle).value, "a rule that everybody keeps shows nothing"


@pytest.mark.parametrize("odd", ODD, ids=IDS)
def test_all_backends_find_what_the_oracle_finds(odd):
    for backend in BACKENDS:
        assert check_case(backend, Case(odd.says, odd.puzzle.add(cs.rule(odd.text))), most=12)
