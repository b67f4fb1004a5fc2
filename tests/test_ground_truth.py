# ruff: noqa: E501
"""Numbers that are known from elsewhere, and puzzles with known solutions, on every backend."""

import pytest

import csp_sudoku as cs

BACKENDS = ["sat", "cpsat", "search", "dlx", "lp"]


def blank(*rules: cs.Constraint, **shape) -> cs.Puzzle:
    return cs.Puzzle.blank(**shape).add(*rules)


def latin(side: int, *rules: cs.Constraint) -> cs.Puzzle:
    return blank(*rules, rows=side, box=None)


COUNTS = {
    "Latin 1": (latin(1), 1),
    "Latin 2": (latin(2), 2),
    "Latin 3": (latin(3), 12),
    "Latin 4": (latin(4), 576),
    "4×4": (blank(rows=4), 288),
    "4×4 both diagonals": (blank(cs.Diagonals(), rows=4), 48),
    "4×4 one diagonal": (blank(cs.Diagonals(rising=False), rows=4), 48),
    "4×4 anti-knight": (blank(cs.AntiKnight(), rows=4), 24),
    "4×4 disjoint groups": (blank(cs.DisjointGroups(), rows=4), 168),
    "4×4 anti-king": (blank(cs.AntiKing(), rows=4), 0),
    "4×4 nonconsecutive": (blank(cs.Nonconsecutive(), rows=4), 0),
    "6×6 nonconsecutive": (blank(cs.Nonconsecutive(), rows=6), 48),
    "diagonal Latin 4": (latin(4, cs.Diagonals()), 48),
}
LARGER = {
    "diagonal Latin 5": (latin(5, cs.Diagonals()), 960),
    "6×6 both diagonals": (blank(cs.Diagonals(), rows=6), 8640),
    "6×6 anti-knight": (blank(cs.AntiKnight(), rows=6), 11520),
    "9×9 anti-knight, anti-king, nonconsecutive": (
        blank(cs.AntiKnight(), cs.AntiKing(), cs.Nonconsecutive()),
        72,
    ),
}
# Beyond some thousand solutions the others are the wrong tools.
QUICK = ["search", "dlx", "sat"]


@pytest.mark.parametrize(
    ("case", "backend"),
    [
        (case, backend)
        for case, (_, wanted) in COUNTS.items()
        for backend in BACKENDS
        # Branch and bound anew for every solution: the 288 grids once, and no larger ones.
        if backend != "lp" or wanted < 100 or case == "4×4"
    ],
)
def test_small_counts(case, backend):
    puzzle, wanted = COUNTS[case]
    assert int(cs.count(puzzle, backend)) == wanted


@pytest.mark.parametrize("backend", QUICK)
@pytest.mark.parametrize("case", LARGER)
def test_larger_counts(case, backend):
    puzzle, wanted = LARGER[case]
    assert int(cs.count(puzzle, backend)) == wanted


@pytest.mark.parametrize("case", ["4×4", "4×4 anti-knight", "4×4 anti-king", "diagonal Latin 4"])
def test_the_oracle_counts_alike(case):
    puzzle, wanted = COUNTS[case]
    assert int(cs.count(puzzle, "brute")) == wanted


def test_puzzles_of_four_clues_with_one_solution():
    # 25,728 of them in all; here those whose clues are the four corners.
    with cs.session(cs.Puzzle.blank(4), "search") as session:
        rows = ["".join(r) for r in _corners()]
        unique = [r for r in rows if session.count(r, limit=2).value == 1]
    brute = [r for r in rows[:30] if cs.count(r, "brute", limit=2).value == 1]
    assert [r for r in unique if r in rows[:30]] == brute


def _corners():
    for a in "1234":
        for b in "1234":
            for c in "1234":
                for d in "1234":
                    if a not in (b, c) and d not in (b, c):
                        yield f"{a}..{b}", "....", "....", f"{c}..{d}"


SIXTEEN = """
12 0 6 2 0 0 14 0 3 0 8 0 16 0 0 1
0 0 10 0 16 0 0 2 0 1 0 9 0 3 0 0
0 4 0 5 1 8 3 0 6 0 14 0 0 0 9 10
1 0 0 7 0 0 0 6 12 0 16 0 14 0 0 11
0 5 0 0 10 13 0 7 0 12 0 1 0 9 14 0
9 0 11 12 0 3 0 0 15 0 10 14 0 1 0 0
0 10 0 0 11 0 9 0 0 4 0 0 0 8 0 3
6 0 4 15 0 16 0 12 0 8 0 3 7 0 11 0
0 7 0 1 2 14 0 0 9 0 3 0 10 16 0 15
3 0 12 0 0 6 1 0 0 15 0 13 0 0 2 0
0 0 9 0 4 5 0 16 0 0 7 0 1 12 0 14
0 8 2 0 13 0 12 0 1 0 4 16 0 11 5 0
10 0 0 9 0 4 0 11 2 0 0 0 5 0 0 8
5 2 0 6 0 1 0 15 0 9 13 11 0 0 10 0
0 0 7 0 5 0 16 0 10 0 0 15 0 6 0 0
14 0 0 4 0 10 0 9 0 16 0 0 11 13 0 2
"""
# fmt: off
PUZZLES = {
    "4×4": ("0100 3001 4002 0040", (), 1),
    "newspaper": ("530070000600195000098000060800060003400803001700020006060000280000419005000080079", (), 1),
    "arc consistency alone": ("003020600900305001001806400008102900700000008006708200002609500800203009005010300", (), 1),
    "21 solutions": ("005300000800000020070010050400005300010070006003200080060500009004000030000009700", (), 21),
    "none": ("005300000800000020070010050450005300910070006203200080060500009004000030000009700", (), 0),
    "four blanks": ("295743861431865900876192543387459216612387495549216738763524189928671354154938600", (), 2),
    "knight": ("931000000785000000642000000423000000159000000876000000367000924594000813218000765", (cs.AntiKnight(),), 2),
    "full grid, king": ("431795268968423751572168934195834672724651893683279415249516387856347129317982546", (cs.AntiKing(),), 1),
    "16×16": (SIXTEEN, (), 1),
}
# fmt: on


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", PUZZLES)
def test_puzzles(case, backend):
    text, rules, wanted = PUZZLES[case]
    puzzle = cs.read(text, rules=rules)
    result = cs.solve(puzzle, backend, limit=None)
    assert result.complete
    assert len(set(result.solutions)) == len(result.solutions) == wanted
    assert result.status is (cs.Status.ALL_FOUND if wanted else cs.Status.NONE_EXIST)
    assert all(cs.verify(puzzle, solution).ok for solution in result.solutions)


def test_known_solutions():
    assert cs.solve("0100 3001 4002 0040").solutions[0].text == "2134342143121243"
    [solution] = cs.solve(SIXTEEN).solutions
    assert solution.rows[0] == (12, 9, 6, 2, 7, 11, 14, 4, 3, 13, 8, 10, 16, 5, 15, 1)
    assert solution.text.startswith("12 9 6 2 7 ")
