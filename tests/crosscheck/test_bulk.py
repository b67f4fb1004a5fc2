"""Many claims from a file: all forms of rows, summaries, and runs that are stopped and resumed."""

import json
import os
import signal

import pytest

import csp_sudoku as cs
from csp_sudoku.crosscheck import bulk
from csp_sudoku.crosscheck.bulk import check_claims
from csp_sudoku.crosscheck.claims import ClaimVerdict
from csp_sudoku.running.isolation import shared_pool

V = ClaimVerdict
UNIQUE = "0100300140020040"
SOLUTION = "2134342143121243"

TABLE = f"""quizzes,solutions
{UNIQUE},{SOLUTION}
{UNIQUE},2134342143121244

{UNIQUE},unique
{UNIQUE}
nonsense,{SOLUTION}
{UNIQUE},213434214312....
"""
TABLE_VERDICTS = [V.VALID, V.INVALID, V.VALID, V.MALFORMED, V.MALFORMED, V.INCOMPLETE]

LINES = [
    {"puzzle": UNIQUE, "claim": SOLUTION},
    {"puzzle": UNIQUE, "claim": "no solution"},
    {"puzzle": UNIQUE, "solutions": [SOLUTION]},
    {"puzzle": UNIQUE, "count": 2},
    {"puzzle": UNIQUE, "colour": "red"},
    {"claim": SOLUTION},
    "{",
]
LINE_VERDICTS = [
    V.VALID,
    V.WRONG_COUNT,
    V.VALID,
    V.WRONG_COUNT,
    V.MALFORMED,
    V.MALFORMED,
    V.MALFORMED,
]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "claims.csv"
    path.write_text(TABLE)
    return path


def check(path, **more):
    return check_claims(path, isolate=False, backends=["sat", "dlx"], **more)


def test_a_table(table):
    told = []
    summary = check(table, progress=told.append)
    assert [row.verdict for row in told] == TABLE_VERDICTS
    assert [row.row for row in told] == [1, 2, 3, 4, 5, 6]
    assert (summary.rows, summary.ok) == (6, False)
    assert summary.verdicts == {V.VALID: 2, V.INVALID: 1, V.MALFORMED: 2, V.INCOMPLETE: 1}
    assert [row.row for row in summary.failures] == [2, 4, 5, 6]
    assert str(summary) == "6 claims: 2 valid, 1 invalid, 2 malformed, 1 incomplete"
    assert summary.failures[1].text == "1 fields where the header has 2"


def test_a_document_on_every_line(tmp_path):
    path = tmp_path / "claims.jsonl"
    path.write_text(
        "\n".join(line if isinstance(line, str) else json.dumps(line) for line in LINES)
    )
    told = []
    check(path, progress=told.append)
    assert [row.verdict for row in told] == LINE_VERDICTS


def test_rules_hold_for_all_puzzles(tmp_path):
    path = tmp_path / "claims.csv"
    path.write_text(f"puzzle,claim\n{UNIQUE},{SOLUTION}\n")
    assert check(path).ok
    assert not check(path, rules=[cs.AntiKnight()]).ok
    assert not check(path, like=cs.Puzzle.blank(4).add(cs.AntiKnight())).ok


def test_a_run_that_was_stopped_goes_on_where_it_ended(table, tmp_path, monkeypatch):
    report = tmp_path / "report.jsonl"
    asked = []
    original = bulk.check_claim
    monkeypatch.setattr(bulk, "check_claim", lambda *a, **k: asked.append(1) or original(*a, **k))

    def stop(row):
        if row.row == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(table, report=report, progress=stop)
    assert len(asked) == 2
    # As if it had been killed while it wrote the next row.
    with open(report, "ab") as file:
        file.write(b'{"row":3,"text":"' + b"long " * 500)
    summary = check(table, report=report)
    assert summary.verdicts == {V.VALID: 2, V.INVALID: 1, V.MALFORMED: 2, V.INCOMPLETE: 1}
    assert len(asked) == 4  # a row that is malformed is not even asked
    lines = report.read_text().splitlines()
    assert [json.loads(line)["row"] for line in lines[1:]] == [1, 2, 3, 4, 5, 6]
    assert check(table, report=report) == summary
    assert len(asked) == 4


def test_a_worker_that_is_killed_does_not_stop_the_run(tmp_path):
    path = tmp_path / "claims.csv"
    path.write_text("puzzle,claim\n" + f"{UNIQUE},unique\n" * 3)

    def kill(row):
        if row.row == 1:
            for pid in shared_pool().pids:
                os.kill(pid, signal.SIGKILL)

    summary = check_claims(path, backends=["sat"], progress=kill)
    assert summary.verdicts == {V.VALID: 3}


def test_claims_are_in_a_file():
    with pytest.raises(cs.FormatError, match="must be the path of a file, not \\["):
        check_claims([UNIQUE])


def test_a_row_that_has_changed_is_checked_again(table, tmp_path):
    report = tmp_path / "report.jsonl"
    before = check(table, report=report)
    lines = TABLE.splitlines()
    changed = lines[1][:-1] + ("1" if lines[1][-1] != "1" else "2")
    table.write_text("\n".join([lines[0], changed, *lines[2:]]) + "\n")
    checked = []
    after = check(table, report=report, progress=lambda row: checked.append(row.row))
    assert checked == [1]
    fresh = check(table)
    assert (after.rows, after.verdicts) == (fresh.rows, fresh.verdicts)
    assert {*after.failures} == {*fresh.failures} != {*before.failures}


def test_a_report_belongs_to_its_settings(table, tmp_path):
    report = tmp_path / "report.jsonl"
    check(table, report=report)
    with pytest.raises(cs.FormatError, match="a report of another run, or with other settings"):
        check(table, report=report, rules=[cs.AntiKing()])
    report.write_text("hello\n")
    with pytest.raises(cs.FormatError, match="not a report that can be resumed"):
        check(table, report=report)


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "is empty"), ("a,b\n1,2\n", "must name a column with puzzles"), ("puzzle\n", "and one")],
)
def test_files_that_are_no_tables(text, message, tmp_path):
    path = tmp_path / "claims.csv"
    path.write_text(text)
    with pytest.raises(cs.FormatError, match=message):
        check(path)
    with pytest.raises(cs.FormatError, match="cannot be read"):
        check(tmp_path / "none.csv")
