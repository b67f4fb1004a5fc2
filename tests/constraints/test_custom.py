"""Rules that ask functions of a user: how often, and what goes wrong in them."""

import pytest

import csp_sudoku as cs
from csp_encodings.factors import Regular, Relation
from csp_encodings.graph import factors
from csp_sudoku.testing import assert_lowering


class Counting:
    """A predicate that counts its calls."""

    def __init__(self, accepts):
        self.accepts, self.calls = accepts, 0

    def __call__(self, *values):
        self.calls += 1
        return self.accepts(*values)


def test_a_predicate_is_asked_once_for_each_row_of_values():
    predicate = Counting(lambda a, b, c, d: a + b == c + d)
    lines = [cs.where(f"R{row}C1-R{row}C4", predicate) for row in range(1, 10)]
    puzzle = cs.Puzzle.blank(9).add(*lines, ~cs.where("R1C1-R4C1", predicate))
    assert puzzle.graph
    assert predicate.calls == 9**4


def test_equal_lambdas_of_a_loop_are_asked_once():
    counted = Counting(lambda a, b, c: a + b > c)
    lines = [
        cs.where(f"R{row}C1-R{row}C3", lambda a, b, c: counted(b, a, c)) for row in range(1, 5)
    ]
    assert cs.Puzzle.blank(4).add(*lines).graph
    assert counted.calls == 4**3


def test_other_functions_domains_or_repeats_are_other_tables():
    rules = [cs.where("R1C1 R1C2", lambda a, b, n=n: a + b == n) for n in (3, 4, 5)]
    for n in (3, 5):
        rules.append(cs.where("R2C1 R2C2", lambda a, b: a + b != n))  # noqa: B023 - as it is now
    puzzle = cs.Puzzle.blank(4).add(*rules)
    tables = [f.allowed for f in factors(puzzle.graph).values() if isinstance(f, Relation)]
    assert [sorted({a + b for a, b in table}) for table in tables[:3]] == [[3], [4], [5]]
    greater = lambda a, b: a > b  # noqa: E731
    for cells in ("R1C1 R1C2", "R1C2 R1C1", "R1C1 R1C1", "R1C1 R2C2"):
        assert_lowering(cs.where(cells, greater), cs.Puzzle.blank(2, box=None))
    both = cs.Puzzle.blank(4).with_named("x", [0, 9])
    both = both.add(cs.where("R1C1 R1C2", greater), cs.where("$x R1C2", greater))
    assert cs.count(both).value == 144


def test_what_a_function_reads_may_change_between_puzzles():
    """Equal code is not an equal function for ever: a name of its module may change."""
    space = {}
    code = "rule = lambda: (lambda a, b: a + b == TOTAL)"
    exec(code, space)
    found = []
    for total in (3, 7):
        space["TOTAL"] = total
        puzzle = cs.Puzzle.blank(4).add(cs.where("R1C1 R1C2", space["rule"]()))
        found.append({s["R1C1"] + s["R1C2"] for s in cs.solve(puzzle, limit=None).solutions})
    assert found == [{3}, {7}]


@pytest.mark.parametrize(
    ("cells", "kind"), [("R1C1", Relation), ("R1C1 R1C2", Relation), ("R1C1-R1C3", Regular)]
)
def test_one_and_two_cells_are_a_relation(cells, kind):
    puzzle = cs.Puzzle.blank(4).add(cs.where(cells, lambda *v: sum(v) % 2))
    assert type(list(factors(puzzle.graph).values())[-1]) is kind


FOUR = cs.Puzzle.blank(4)
GRID = "1234 3412 2143 4321"


def unlike(a, b):
    return 1 // (a - b)


FAILING = [
    (cs.where("R1C1 R3C3", unlike), "where at R1C1 R3C3: its predicate fails for 1, 1: ZeroDiv"),
    (
        cs.fold("R1C1 R1C2", 0, lambda s, v: s + "a", bool),
        "fold at R1C1 R1C2: its step fails for 0, 1: TypeError",
    ),
    (
        cs.fold("R1C1 R1C2", 0, lambda s, v: [v], bool),
        "fold at R1C1 R1C2: its step fails for 0, 1: TypeError: unhashable",
    ),
    (
        cs.fold("R1C1 R1C2", 0, lambda s, v: v, lambda s: unlike(s, s)),
        "fold at R1C1 R1C2: its accept fails for",
    ),
]


@pytest.mark.parametrize(("rule", "message"), FAILING, ids=[message for _, message in FAILING])
def test_a_function_that_raises_names_the_rule_the_cells_and_the_values(rule, message):
    for attempt in (
        lambda: cs.solve(FOUR.add(rule)),
        lambda: cs.solve(FOUR.add(~rule)),
        lambda: cs.solve(FOUR.add(rule), "brute"),
        lambda: cs.verify(FOUR.add(rule), "1234 3412 2113 4321"),
    ):
        with pytest.raises(cs.ConstraintError) as caught:
            attempt()
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: cs.where("R1C1 R1C2", lambda a: a),
            r"where at R1C1 R1C2: its predicate must take 2 values \(R1C1, R1C2\), not \(a\)",
        ),
        (lambda: cs.where("R1C1", None), "its predicate must be a function or a text .*, not None"),
        (lambda: cs.where("R1C1", bool, 3), "its text must be text"),
        (lambda: cs.fold("R1C1", 0, lambda s: s, bool), r"its step must take 2 values"),
        (
            lambda: cs.fold("R1C1", 0, lambda s, v: s, bool, positional=True),
            r"its step must take 3 values \(state, value, position\)",
        ),
        (lambda: cs.fold("R1C1", 0, max, 3), "its accept must be a function, not 3"),
        (lambda: cs.fold("R1C1", [], max, bool), "its start must be hashable"),
    ],
)
def test_functions_that_do_not_fit_are_refused(make, message):
    with pytest.raises(cs.ConstraintError, match=message):
        make()
