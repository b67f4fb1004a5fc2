"""Rules about rules: if, how many of them hold, and not."""

from itertools import product

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints import registry
from csp_sudoku.testing import assert_lowering

BACKENDS = ("sat", "cpsat", "search", "dlx", "lp")
A, B, C = cs.Even("R1C1"), cs.GreaterThan("R1C1 R1C2"), cs.KillerCage("R1C2 R2C1", 4)
WIDE = cs.Thermometer("R1C1 R1C2 R2C2") & cs.Sum("R2C1 R2C2", 5)
NEVER = cs.Sandwich("C1", 300)

# A rule, and what it says of whether its parts hold.
CASES = [
    (cs.implies(A, B), (A, B), lambda a, b: not a or b),
    (cs.implies(WIDE, C), (WIDE, C), lambda a, b: not a or b),
    (cs.xor(A, B), (A, B), lambda a, b: a != b),
    (cs.xor(A, A), (A,), lambda a: False),
    *(
        (cs.exactly(n, (A, B, C)), (A, B, C), lambda *held, n=n: sum(held) == n)
        for n in range(5)
    ),
    *(
        (cs.at_least(n, (A, B, C)), (A, B, C), lambda *held, n=n: sum(held) >= n)
        for n in range(5)
    ),
    *((cs.at_most(n, (A, B, C)), (A, B, C), lambda *held, n=n: sum(held) <= n) for n in range(4)),
    (cs.at_least(2, (A, A, B)), (A, B), lambda a, b: 2 * a + b >= 2),
    (~cs.exactly(1, (A, ~B)), (A, B), lambda a, b: a != b),
    (cs.implies(cs.implies(A, B), ~C), (A, B, C), lambda a, b, c: not c or (a and not b)),
    (cs.at_most(0, (A | B,)), (A, B), lambda a, b: not a and not b),
]  # fmt: skip


def bare(values=(1, 2, 3, 4)):
    return cs.Puzzle.blank(2, box=None, values=values, row_houses=False, column_houses=False)


@pytest.mark.parametrize(("rule", "parts", "says"), CASES, ids=lambda c: getattr(c, "label", ""))
def test_a_rule_about_rules_says_what_it_says(rule, parts, says):
    puzzle = bare()
    for row in product((1, 2, 3, 4), repeat=4):
        held = dict(zip(puzzle.cells, row, strict=True))
        assert rule.holds(held, puzzle) == says(*(part.holds(held, puzzle) for part in parts))
    assert_lowering(rule, puzzle)
    assert_lowering(~rule, puzzle)


@pytest.mark.parametrize("backend", BACKENDS)
def test_backends_agree(backend):
    puzzle = cs.Puzzle.blank(4).with_givens({"R4C4": 4, "R3C1": 1})
    for rule, *_ in CASES[:12:2]:
        asked = puzzle.add(rule)
        assert set(cs.solutions(asked, backend)) == set(cs.solutions(asked, "brute")), rule.label


def test_a_document_holds_them():
    puzzle = bare().add(*(rule for rule, *_ in CASES))
    assert cs.read(cs.write_json(puzzle)) == puzzle


def test_sentences():
    puzzle = bare()
    assert cs.implies(A, B).describe(puzzle) == (
        "if (R1C1 is even) then (R1C1 is greater than R1C2)"
    )
    assert cs.exactly(1, (A, B)).describe(puzzle) == (
        "exactly 1 of these hold: (R1C1 is even), (R1C1 is greater than R1C2)"
    )


def test_more_rules_than_there_are_is_an_objection():
    assert "only 2 rules" in str(bare().add(cs.at_least(3, (A, B))).objections())
    assert cs.solve(bare().add(~cs.exactly(3, (A, B)))).solutions


# Clues that nobody can keep. They are rules all the same, and their opposite always holds.
IMPOSSIBLE = [
    cs.LookAndSay("R1C1 R1C2", "1323"),
    cs.LookAndSay("R1C1 R1C2", "0313"),
    cs.Sandwich("C1", 300),
    cs.KillerCage("R1C1 R1C2", 99),
    cs.Skyscraper("R1", 9),
    cs.XSum("R1", 1000),
    cs.LittleKiller("R1C2", "SE", 99),
    cs.Thermometer("R1C1 R1C2 R1C1"),
    cs.ContainsExactly("R1C1", [1, 2, 3]),
    cs.Quadruple("R1C1-R2C2", [9]),
    cs.PairSum("R1C1 R1C2", 99),
    cs.Difference("R1C1 R1C2", 99),
    cs.Table("R1C1 R1C2", []),
    cs.Sum("R1C1 R1C2", 1000),
    cs.exactly(4, (A, B)),
    cs.rule("R1C1 > 100"),
    cs.Regex("R1C1", "9"),
]


@pytest.mark.parametrize("rule", IMPOSSIBLE, ids=lambda rule: rule.label)
def test_the_opposite_of_the_impossible_always_holds(rule):
    puzzle = cs.Puzzle.blank(4)
    assert cs.solve(puzzle.add(rule)).status is cs.Status.NONE_EXIST
    assert cs.count(puzzle.add(~rule)).value == 288
    assert_lowering(~rule, puzzle)


@pytest.mark.parametrize("name", [name for name in registry.built_in() if "full-rank" not in name])
def test_every_grid_keeps_a_rule_or_its_opposite(name):
    """Never both and never neither, for every class, wherever the rule can hold or not."""
    puzzle = cs.Puzzle.blank(4)
    given = {"R1C1": 1, "R1C2": 2}
    for example in registry.get(name).examples():
        try:
            kept, broken = puzzle.add(example), puzzle.add(~example)
        except cs.ConstraintError:
            continue
        if not kept.named:  # variables would be counted
            counts = [cs.count(p.with_givens(given), "sat").value for p in (kept, broken)]
            assert sum(counts) == 24, (example, counts)


@pytest.mark.parametrize("values", [(1, 2, 3, 4), (-2, -1, 0, 5)], ids=str)
def test_the_opposite_of_any_rule_is_taken(values):
    """What a puzzle takes as a rule it takes as a part of a combination."""
    apart = {"full-rank-ties"}  # concerns all clues
    puzzle = cs.Puzzle.blank(4, values=values)
    for name, kind in registry.built_in().items():
        for example in kind.examples() if name not in apart else ():
            try:
                puzzle.add(example)
            except cs.ConstraintError:
                continue
            if any(example.declares(puzzle)):
                continue  # its variables would be free
            puzzle.add(~example, cs.implies(example, NEVER), cs.exactly(1, (example, NEVER)))
