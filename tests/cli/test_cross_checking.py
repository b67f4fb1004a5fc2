"""cross-check, check --claim and check-claims: what they answer, and with which exit code."""

import json
import sys
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

import csp_sudoku as cs
from csp_encodings.dimacs import read_cnf, read_proof
from csp_encodings.proof import check
from csp_sudoku.cli import main
from csp_sudoku.running.isolation import shared_pool

UNIQUE = "0100300140020040"
SOLVED = "2134342143121243"
NONE = "12....3........."
TWO = "..3434214312..43"
SAT = ("--backend", "sat")


def run(capsys, *arguments):
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    ("puzzle", "code", "summary"),
    [
        (UNIQUE, 0, "one solution, certified"),
        (NONE, 1, "no solution, certified"),
        (TWO, 4, "several solutions: exactly 2, certified"),
    ],
)
def test_outcomes_have_their_own_exit_codes(capsys, puzzle, code, summary):
    found, out, err = run(capsys, "cross-check", puzzle, *SAT)
    assert (found, err) == (code, "")
    lines = out.splitlines()
    assert lines[0].split() == [
        "solver",
        "says",
        "solutions",
        "compile",
        "solve",
        "size",
        "of",
        "its",
        "input",
    ]
    assert lines[1].split()[0] == "sat"
    assert summary in lines
    found, out, _ = run(capsys, "cross-check", puzzle, *SAT, "--json")
    assert (found, json.loads(out)["summary"]) == (code, summary)


def test_what_is_not_known_has_one_too(capsys):
    arguments = ("--limit", "1", "--backend", "sat")
    code, out, _ = run(capsys, "cross-check", "12.4" + "." * 77, *arguments)
    reached = "no certificate: the limit of 1 solution was reached, so there may be more"
    assert (code, reached in out) == (3, True)
    arguments = ("--limit", "0", "--timeout", "0.3", "--backend", "sat")
    code, out, _ = run(capsys, "cross-check", "12.4" + "." * 77, *arguments)
    assert (code, "no certificate: no solver has found all solutions" in out) == (4, True)


def test_solvers_that_need_more_memory_are_named(capsys):
    arguments = ("--memory", "1", "--limit", "1", "--backend", "dlx", "--backend", "sat")
    shared_pool().end_idle()  # a worker that has solved before has memory to spare
    code, out, err = run(capsys, "cross-check", "." * 256, *arguments, "--json")
    record = json.loads(out)
    assert (code, record["outcome"], err) == (3, "unknown", "")
    by_dlx, by_sat, *_ = [answer["ending"] for answer in record["answers"]]
    assert by_sat == "out of memory"
    # Some versions of NumPy leave it enough.
    assert by_dlx in {"out of memory", "limit reached"}
    shared_pool().end_idle()
    code, out, err = run(capsys, "cross-check", "." * 256, *arguments[:4], "--backend", "sat")
    assert (code, err) == (3, "")
    assert "unknown; no answer from sat (out of memory)" in out


def test_a_memory_limit_beyond_the_machine_is_none(capsys):
    code, out, err = run(capsys, "cross-check", UNIQUE, *SAT, "--memory", "9" * 20)
    assert (code, "one solution, certified" in out, err) == (0, True, "")
    code, _, err = run(capsys, "cross-check", UNIQUE, *SAT, "--memory", "0")
    assert (code, "--memory" in err) == (2, True)


def test_a_proof_is_written(capsys, tmp_path):
    _, _, err = run(capsys, "cross-check", NONE, *SAT, "--proof", str(tmp_path / "out.drup"))
    assert "written: " in err
    _, clauses = read_cnf((tmp_path / "out.cnf").read_text().splitlines())
    assert check(clauses, read_proof((tmp_path / "out.drup").read_text().splitlines())).accepted
    arguments = ("--limit", "1", "--proof", str(tmp_path / "none"))
    _, _, err = run(capsys, "cross-check", TWO, *SAT, *arguments)
    reached = "the limit of 1 solution was reached, so there may be more"
    assert err == f"no proof was written: {reached}\n"


def test_a_disagreement_is_shrunk_and_written(capsys, tmp_path):
    liar = tmp_path / "liar.py"
    liar.write_text("print('s UNSATISFIABLE')")
    saved = str(tmp_path / "fault.json")
    command = f"{sys.executable} {liar} {{cnf}}"
    code, out, err = run(capsys, "cross-check", UNIQUE, *SAT, "--solver", command, "--save", saved)
    assert code == 5
    name = Path(sys.executable).name
    assert f"disagreement: {name}: says that there is no solution, but sat found one" in out
    assert f"cross-check {saved} --backend sat --solver" in err
    assert len(cs.read(Path(saved)).cells) == 1


# It forgets the boxes.
LATIN = """
import sys
def fill(grid):
    if 0 not in grid:
        return grid
    at = grid.index(0)
    seen = {*grid[at // 4 * 4 : at // 4 * 4 + 4], *grid[at % 4 :: 4]}
    tried = (fill([*grid[:at], value, *grid[at + 1 :]]) for value in {1, 2, 3, 4} - seen)
    return next(filter(None, tried), None)
print(*fill([int(sign) for sign in sys.argv[1].replace(".", "0")]), sep="")
"""


def test_a_file_of_many_puzzles(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("latin.py").write_text(LATIN)
    Path("many.txt").write_text(f"{UNIQUE}\n{NONE}\n1...............\n{TWO}\n")
    mine = ("--solver", f"{sys.executable} latin.py {{line}}")
    code, out, err = run(capsys, "cross-check", "many.txt", *SAT, *mine, "--seed", "3")
    assert code == 5
    assert out.splitlines() == [
        "4 puzzles: 1 one solution, certified, 2 disagreement, 1 several solutions",
        f"{Path(sys.executable).name} is wrong on 2",
    ]
    assert "puzzle 2: disagreement:" in err
    again = "csp-sudoku cross-check disagreement-2.json --backend sat --solver "
    [command] = [line for line in err.splitlines() if again in line]
    assert command.endswith(" --seed 3")
    code, _, _ = run(capsys, "cross-check", "disagreement-2.json", *SAT, *mine)
    assert code == 5
    code, out, _ = run(capsys, "cross-check", "many.txt", *SAT, "--json", "-q")
    assert (code, json.loads(out)["puzzles"], json.loads(out)["failures"]) == (0, 4, [])
    code, _, err = run(capsys, "cross-check", "many.txt", "--html", "x.html")
    assert (code, err) == (2, "error: --html is about one puzzle, but many.txt has several\n")


def test_a_program_without_answers_to_many(capsys, tmp_path):
    (tmp_path / "many.txt").write_text(f"{UNIQUE}\n{TWO}\n")
    save = ("--save", str(tmp_path / "no.json"))
    wrong = ("--solver", f"{sys.executable} -c pass {{line}}")
    code, out, _ = run(capsys, "cross-check", str(tmp_path / "many.txt"), *SAT, *wrong, *save)
    assert code == 8
    assert out.splitlines()[-1] == f"{Path(sys.executable).name} gave no answer to 2"
    # One failure of one kind, though the puzzles have different outcomes.
    assert len([*tmp_path.glob("no-*.json")]) == 1


@pytest.mark.parametrize(
    ("claim", "code", "out"),
    [
        (SOLVED, 0, "valid: it keeps every rule\n"),
        ("unique", 0, "valid: there is exactly one solution, certified\n"),
        ("no solution", 6, f"wrong count: there is at least one solution\n{SOLVED}\n"),
        (SOLVED[:-1] + "4", 6, "invalid: row 4: R4C3 and R4C4 both hold 4 (and 2 more)\n"),
        (SOLVED[:-1] + ".", 3, "incomplete: R4C4 is empty\n"),
        ("1 2 0", 6, "proof rejected: the formula is not refuted after 1 lemma\n"),
    ],
)
def test_claims(capsys, tmp_path, claim, code, out):
    assert run(capsys, "check", UNIQUE, "--claim", claim) == (code, out, "")
    (tmp_path / "claim").write_text(claim)
    found, document, _ = run(capsys, "check", UNIQUE, "--json", "--claim", str(tmp_path / "claim"))
    assert (found, json.loads(document)["verdict"]) == (code, out.partition(":")[0])


def test_a_claim_that_is_none_is_bad_input(capsys):
    code, out, err = run(capsys, "check", UNIQUE, "--claim", "2134\n3421\n43y2\n1243")
    assert (code, out) == (2, "")
    assert err.startswith("error: claim: line 3, column 3: 'y' is not a value")


def test_many_claims(capsys, tmp_path):
    table, report = tmp_path / "claims.csv", tmp_path / "report"
    table.write_text(f"puzzle,claim\n{UNIQUE},{SOLVED}\n{UNIQUE},{SOLVED}\n")
    assert run(capsys, "check-claims", str(table)) == (0, "2 claims: 2 valid\n", "")
    table.write_text(f"puzzle,claim\n{UNIQUE},{SOLVED}\n{UNIQUE},2{SOLVED[:-1]}\n")
    for _ in range(2):
        code, out, _ = run(capsys, "check-claims", str(table), "--report", str(report))
        assert code == 6
        assert out.splitlines()[0].startswith("row 2: invalid: R")
        assert out.splitlines()[1] == "2 claims: 1 valid, 1 invalid"
    assert len(report.read_text().splitlines()) == 3
    code, out, _ = run(capsys, "check-claims", str(table), "--rule", "anti-knight", "--json")
    assert (code, json.loads(out)["verdicts"]) == (6, {"invalid": 2})


def test_the_rules_are_certified_by_choice(capsys, monkeypatch):
    from csp_sudoku.crosscheck import encodings

    code, _, err = run(capsys, "cross-check", UNIQUE, *SAT, "--certify-rules")
    assert code == 0
    assert "certified from the rules: 12 rules, 3,072 tuples" in err
    wrong = encodings.RuleCertificate(cs.AntiKnight(), "every tuple", 1, 0, {})
    found = encodings.RulesCertificate((wrong,))
    monkeypatch.setattr(encodings, "certify_rules", lambda puzzle: found)
    code, _, err = run(capsys, "cross-check", UNIQUE, *SAT, "--certify-rules")
    assert code == 5
    assert "the clauses say something else than the rules: anti-knight" in err


def test_the_exit_code_of_mixed_claims(capsys, monkeypatch, tmp_path):
    """Whatever else there is: 6 if a claim is wrong, 3 if one is undecided, 0 if all are right."""
    from csp_sudoku.crosscheck import bulk
    from csp_sudoku.crosscheck.claims import RIGHT, ClaimVerdict

    def found(table, **settings):
        rows = [SimpleNamespace(row=1, verdict=v, text="", left_out=(), disputes=()) for v in mixed]
        return SimpleNamespace(
            rows=3, verdicts={}, partly_read=0, ok={*mixed} <= {*RIGHT}, failures=rows
        )

    monkeypatch.setattr(bulk, "check_claims", found)
    for mixed in product(ClaimVerdict, repeat=2):
        wrong = {*mixed} - {*RIGHT} - {ClaimVerdict.UNDECIDED}
        expected = 6 if wrong else 3 if ClaimVerdict.UNDECIDED in mixed else 0
        assert run(capsys, "check-claims", "any", "--json")[0] == expected, mixed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cross-check", UNIQUE, "--backend", "magic"], "no backend is called 'magic'"),
        (["cross-check", UNIQUE, "--solver", "magic {cnf}"], "magic: there is no such program"),
        (["cross-check", UNIQUE, "--solver", "cat"], "must have one place for the puzzle"),
        (["cross-check", UNIQUE, "--timeout", "0"], "--timeout 0.0 is not a time"),
        (["cross-check", "nonsense"], "neither a file nor a puzzle"),
        (["check-claims", "no-such-file"], "no-such-file cannot be read"),
    ],
)
def test_bad_input(capsys, arguments, message):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_help_has_examples_and_exit_codes(capsys):
    for name in ("cross-check", "check-claims"):
        text = run(capsys, name, "--help")[1]
        assert f"csp-sudoku {name} " in text
        assert "Exit status:\n    0  " in text
