"""Answers from outside: read in every form, and judged by the rules or by a cross-check."""

import json
from dataclasses import replace

import pytest

import csp_sudoku as cs
from csp_encodings.export import export
from csp_sudoku.crosscheck.claims import ClaimVerdict

V = ClaimVerdict
UNIQUE = "0100300140020040"
SOLUTION = "2134342143121243"
TWO = "..3434214312..43"
BOTH = "2134342143121243\n1234342143122143"
NONE = "11.. .... .... ...."
MANY = "1..............."
CLASSIC = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


# No house, three cells of two values: every filling is a solution.
FREE = cs.Puzzle.blank(1, 3, box=None, values=(1, 2), row_houses=False, column_houses=False)


def check(puzzle, claim, **settings):
    return cs.check_claim(puzzle, claim, isolate=False, backends=["sat", "dlx"], **settings)


def answer(puzzle, satisfiable=True):
    """What a SAT solver would say of the exported formula."""
    if not satisfiable:
        return "c done\ns UNSATISFIABLE\n"
    graph = cs.read(puzzle).graph
    cnf = export(graph, "cnf")
    solution = cs.solve(puzzle).solutions[0]
    names = {
        line.split()[2]: line.split()[1]
        for line in cnf.lines()
        if line.startswith("c ") and "=" in line
    }
    return f"s SATISFIABLE\nv {' '.join(names[f'{p}={v}'] for p, v in solution.items())} 0\n"


def proof(puzzle):
    certificate = cs.cross_check(puzzle, ["sat"], isolate=False, limit=None).certificate
    return [
        " ".join([*map(str, step.clause), "0"]) for step in certificate.proof if not step.deleted
    ]


CASES = [
    # a grid
    (UNIQUE, SOLUTION, V.VALID, "it keeps every rule"),
    (UNIQUE, "2134 3421 4312 1243", V.VALID, "it keeps every rule"),
    (UNIQUE, [[2, 1, 3, 4], [3, 4, 2, 1], [4, 3, 1, 2], [1, 2, 4, 3]], V.VALID, "it keeps"),
    (UNIQUE, "2134342143121244", V.INVALID, "row 4: R4C3 and R4C4 both hold 4 (and 2 more)"),
    (UNIQUE, "1234342143121243", V.INVALID, "R1C2 holds 2, but 1 is given"),
    (UNIQUE, "21343421431212..", V.INCOMPLETE, "R4C3 R4C4 are empty"),
    (UNIQUE, {"R1C1": 2}, V.INCOMPLETE, "R1C2 R1C3 R1C4 R2C1 R2C2 … are empty"),
    (UNIQUE, {"R1C1": 9}, V.INVALID, "R1C1 holds 9, which is not a value here"),
    # several grids: all there are
    (TWO, BOTH, V.VALID, "there are exactly 2 solutions, certified"),
    (TWO, BOTH.splitlines(), V.VALID, "there are exactly 2 solutions, certified"),
    (UNIQUE, [SOLUTION], V.VALID, "there is exactly one solution, certified"),
    (TWO, [SOLUTION], V.WRONG_COUNT, "there are at least 2 solutions"),
    (TWO, [SOLUTION, SOLUTION], V.WRONG_COUNT, "grid 2 is grid 1 again"),
    (TWO, [SOLUTION, "1234342143122134"], V.INVALID, "grid 2: R4C3 holds 3, but 4 is given"),
    # none, one, some
    (NONE, "no solution", V.VALID, "there is no solution, certified"),
    (NONE, "There are no solutions.", V.VALID, "there is no solution, certified"),
    (NONE, None, V.VALID, "there is no solution, certified"),
    (UNIQUE, "0 solutions", V.WRONG_COUNT, "there is at least one solution"),
    (UNIQUE, "unique", V.VALID, "there is exactly one solution, certified"),
    (UNIQUE, "exactly one solution", V.VALID, "there is exactly one solution, certified"),
    (TWO, "unique", V.WRONG_COUNT, "there are at least 2 solutions"),
    (NONE, "unique", V.WRONG_COUNT, "there is no solution, certified"),
    (MANY, 72, V.VALID, "there are exactly 72 solutions, certified"),
    (MANY, "72 solutions", V.VALID, "there are exactly 72 solutions, certified"),
    (MANY, "73", V.WRONG_COUNT, "there are exactly 72 solutions, certified"),
    (MANY, "There are exactly 5 solutions.", V.WRONG_COUNT, "there are at least "),
    # as many digits as cells: a grid
    (cs.Puzzle.blank(1), "1", V.VALID, "it keeps every rule"),
    (cs.Puzzle.blank(1), "1 solution", V.VALID, "there is exactly one solution, certified"),
    # more than there are ways to fill the cells: a grid, not a count
    (UNIQUE, SOLUTION[:-1], V.MALFORMED, "15 characters where a 4×4 grid has 16"),
    (UNIQUE, SOLUTION + "1", V.MALFORMED, "17 characters where a 4×4 grid has 16"),
    (CLASSIC, SOLVED[1:], V.MALFORMED, "80 characters where a 9×9 grid has 81"),
    (UNIQUE, f"{SOLUTION[:-1]} solutions", V.WRONG_COUNT, "there is exactly one solution"),
    (FREE, "8", V.VALID, "there are exactly 8 solutions, certified"),
    (FREE, "9", V.MALFORMED, "where a 1×3 grid has 3"),
    # a SAT solver's answer
    (UNIQUE, answer(UNIQUE), V.VALID, "it keeps every rule"),
    (UNIQUE, "s SATISFIABLE\nv 1 0", V.INCOMPLETE, "R1C2 R1C3 R1C4 R2C1 R2C2 … are empty"),
    (NONE, answer(NONE, satisfiable=False), V.VALID, "there is no solution, certified"),
    (TWO, answer(TWO, satisfiable=False), V.WRONG_COUNT, "there is at least one solution"),
    # a proof
    (NONE, "c nothing is left\n0", V.PROOF_ACCEPTED, "unit propagation alone refutes the formula"),
    (UNIQUE, "1 2 0\n0", V.PROOF_REJECTED, "lemma 2 does not follow"),
    (MANY, "d 1 2 0", V.PROOF_REJECTED, "the formula is not refuted after 0 lemmas"),
    # a document
    (UNIQUE, '{"solution": "2134342143121243", "unique": true}', V.VALID, "there is exactly one"),
    (UNIQUE, json.dumps({"solutions": [SOLUTION]}), V.VALID, "there is exactly one solution"),
    (TWO, json.dumps({"solutions": [SOLUTION], "complete": False}), V.VALID, "it keeps every rule"),
    (TWO, json.dumps({"solution": SOLUTION, "count": 3}), V.WRONG_COUNT, "there are exactly 2"),
    (
        TWO,
        json.dumps({"solutions": [SOLUTION], "count": 3}),
        V.WRONG_COUNT,
        "it says that there are",
    ),
    (
        MANY,
        json.dumps({"solutions": [s.text for s in cs.solutions(MANY)], "proof": proof(MANY)}),
        V.PROOF_ACCEPTED,
        "the formula is refuted after ",
    ),
    (TWO, json.dumps({"solution": SOLUTION, "proof": "0"}), V.PROOF_REJECTED, "lemma 1"),
    # what is no claim
    (UNIQUE, "", V.MALFORMED, "the text is empty"),
    (UNIQUE, "what?", V.MALFORMED, "5 characters"),
    (UNIQUE, "2134\n3421\n43y2\n1243", V.MALFORMED, "line 3, column 3: 'y' is not a value"),
    (UNIQUE, -1, V.MALFORMED, "-1 solutions"),
    (UNIQUE, "{", V.MALFORMED, "line 1, column 2: not sound JSON"),
    (UNIQUE, "{}", V.MALFORMED, "nothing is claimed"),
    (UNIQUE, '{"solved": 1}', V.MALFORMED, "unknown field `solved`"),
    (UNIQUE, '{"unique": true, "count": 2}', V.MALFORMED, "unique, but count is 2"),
    (UNIQUE, '{"proof": ["1 2"]}', V.MALFORMED, "line 1: a step is literals and one 0"),
    (UNIQUE, "s SATISFIABLE\nv 1 x 0", V.MALFORMED, "line 2: 'x' is not a literal"),
    (UNIQUE, "s UNKNOWN", V.MALFORMED, "does not know: that is not a claim"),
    (UNIQUE, {"R9C9": 1}, V.MALFORMED, "R9C9 is outside the 4×4 grid"),
    (UNIQUE, 1.5, V.MALFORMED, "1.5"),
]


@pytest.mark.parametrize(("puzzle", "claim", "verdict", "text"), CASES)
def test_claims(puzzle, claim, verdict, text):
    checked = check(puzzle, claim)
    assert checked.verdict is verdict, checked
    assert text in checked.text
    assert checked.ok == (verdict in (V.VALID, V.PROOF_ACCEPTED))
    assert str(checked).startswith(verdict.value)


def test_evidence():
    missing = check(TWO, [SOLUTION]).evidence
    assert missing.text == "1234342143122143"
    assert check(UNIQUE, "no solution").evidence.text == SOLUTION
    broken = check(UNIQUE, "2134342143121244")
    assert [v.constraint.label for v in broken.violations] == ["row 4", "column 4", "box 4"]
    assert check(UNIQUE, "unique").agreement.certificate is not None


def test_a_claim_may_be_a_file(tmp_path):
    file = tmp_path / "claim.txt"
    file.write_text("unique\n")
    assert check(UNIQUE, file).ok
    assert check(UNIQUE, tmp_path / "none").verdict is V.MALFORMED


def test_large_counts_are_counted():
    rules = cs.Puzzle.blank(6).with_givens({"R1C1": 1, "R1C2": 2, "R1C3": 3, "R2C1": 4, "R2C2": 5})
    number = int(cs.count(rules, "dlx"))
    assert number > 1_000
    assert str(check(rules, number)) == f"valid: there are exactly {number:,} solutions, says dlx"
    assert check(rules, number - 1).verdict is V.WRONG_COUNT
    assert check(rules, number + 1).verdict is V.WRONG_COUNT
    assert check(rules, number, timeout=0).verdict is V.UNDECIDED


def test_what_cannot_be_decided_is_said():
    undecided = check(UNIQUE, "unique", timeout=0)
    assert undecided.verdict is V.UNDECIDED
    assert undecided.agreement is not None


def test_if_our_own_solvers_disagree_nothing_is_decided():
    checked = cs.check_claim(UNIQUE, "unique", backends=["sat", lambda puzzle: None], isolate=False)
    assert checked.verdict is V.UNDECIDED
    assert "our solvers disagree" in checked.text


def test_named_variables_that_text_does_not_have_are_found():
    puzzle = cs.read(UNIQUE).with_named("x", range(2, 9))
    puzzle = puzzle.add(cs.Sum(["R1C1 R1C3", cs.Var("x")], 0, (1, 1, -1)))
    assert check(puzzle, SOLUTION).ok
    assert check(puzzle, {**cs.solve(puzzle).solutions[0], cs.Var("x"): 4}).verdict is V.INVALID
    narrow = replace(puzzle, named=((cs.Var("x"), (2, 3)),))
    assert check(narrow, SOLUTION).text.startswith("sum at R1C1: R1C1=2, R1C3=3, but")
    # Two rules, each of which could be kept.
    two = puzzle.add(cs.where(cs.Var("x"), lambda x: x > 5))
    assert str(check(two, SOLUTION)) == "invalid: no values of $x fit"


def test_named_variables_that_are_not_found_in_time_decide_nothing():
    puzzle = cs.read(UNIQUE).with_named("x", range(2, 9))
    puzzle = puzzle.add(cs.Sum(["R1C1 R1C3", cs.Var("x")], 0, (1, 1, -1)))
    assert str(check(puzzle, SOLUTION, timeout=0)) == (
        "undecided: no values of $x were found in time"
    )
