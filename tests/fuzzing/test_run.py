"""Runs: what is found is shrunk, saved and shown again; nothing that goes wrong ends a run."""

import json
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import csp_sudoku as cs
from csp_sudoku.cli import main
from csp_sudoku.constraints import cages
from csp_sudoku.fuzzing import worker
from csp_sudoku.fuzzing.findings import replay
from csp_sudoku.solving import compiling


def test_nothing_is_found(tmp_path):
    out = tmp_path / "none"
    told = []
    report = cs.fuzz(puzzles=15, seed=11, out=out, isolate=False, progress=told.append)
    assert report.ok
    assert report.findings == []
    assert not out.exists()
    assert (report.puzzles, len(told)) == (15, 15)
    assert min(report.solutions, report.comparisons, report.laws.total()) > 15
    assert "15 puzzles" in str(report)
    assert "no finding" in str(report)


def test_siblings_and_a_record_that_goes_on(tmp_path):
    record = tmp_path / "fuzz.json"
    asked = {"seed": 11, "siblings": 6, "record": record, "out": tmp_path, "isolate": False}
    first = cs.fuzz(puzzles=10, **asked)
    again = cs.fuzz(puzzles=25, **asked)
    assert (first.puzzles, again.puzzles, again.following) == (14, 28, 4)
    assert again.ok
    assert {key.partition(":")[0] for key in again.cases} >= {"session", "batch", "read", "hints"}
    assert sum(again.shapes.values()) == 28
    whole = cs.fuzz(puzzles=28, **asked | {"record": None})
    assert whole.to_dict() | {"seconds": 0} == again.to_dict() | {"seconds": 0}
    with pytest.raises(cs.FormatError, match="the record of seed 11, not 12"):
        cs.fuzz(puzzles=99, **asked | {"seed": 12})


@pytest.mark.parametrize(
    ("where", "wrong", "name"),
    [
        (
            "verify_many",
            lambda puzzles, grids: SimpleNamespace(ok=[True] * len(grids)),
            "verify_many",
        ),
        ("read", lambda text, **_: replace(cs.read(text, **_), constraints=()), "format "),
        (
            "count",
            lambda puzzle, **_: SimpleNamespace(complete=True, value=-1, backend=""),
            "count",
        ),
    ],
)
def test_siblings_notice(where, wrong, name, tmp_path, monkeypatch):
    monkeypatch.setattr(f"csp_sudoku.fuzzing.siblings.{where}", wrong)
    asked = {"seed": 11, "siblings": 20, "out": tmp_path, "isolate": False, "backends": ["search"]}
    found = cs.fuzz(puzzles=400, stop_at_first=True, **asked).findings
    assert found[0].name.startswith(name)


def test_a_fault_is_found_shrunk_and_shown_again(tmp_path, monkeypatch):
    lower = cages.Sum.lower

    def too_strong(self, ctx):
        lower(self, ctx)
        ctx.add_sum(self.cells[:1], 2, 99)

    with monkeypatch.context() as patch:
        patch.setattr(cages.Sum, "lower", too_strong)
        settings = {"backends": ["sat"], "isolate": False, "stop_at_first": True}
        report = cs.fuzz(puzzles=40, seed=2, out=tmp_path, **settings)
        [finding] = report.findings
        assert finding.kind in ("disagreement", "law")
        assert finding.constraints == 1
        small = cs.read(Path(finding.path))
        assert isinstance(small.constraints[0], cs.Sum | cs.Not)
        assert not cs.cross_check(small, ["sat"], isolate=False).ok
    compiling.clear_cache()
    assert replay(Path(finding.path)) == []
    note = (tmp_path / f"2-{finding.number}.txt").read_text(encoding="utf-8")
    assert f"seed 2, puzzle {finding.number}" in note
    assert f"csp-sudoku fuzz --replay {finding.path}" in note


def test_a_wrong_exception_is_found(tmp_path, monkeypatch):
    def fail(self, ctx):
        raise ZeroDivisionError("never mind")

    monkeypatch.setattr(cs.Not, "lower", fail)
    report = cs.fuzz(puzzles=50, seed=1, out=tmp_path, isolate=False, stop_at_first=True)
    finding = report.findings[0]
    assert (finding.kind, finding.constraints) == ("error", 1)
    assert finding.name == "ZeroDivisionError in test_run.py, fail"
    note = (tmp_path / f"1-{finding.number}.txt").read_text(encoding="utf-8")
    assert "Traceback" in note


def test_a_puzzle_that_cannot_be_made_is_found(tmp_path, monkeypatch):
    def fail(*_):
        raise RecursionError("too deep")

    monkeypatch.setattr(worker, "random_puzzle", fail)
    [finding] = cs.fuzz(puzzles=1, seed=4, out=tmp_path, isolate=False).findings
    assert (finding.name, finding.path) == ("construction: RecursionError", None)
    assert (tmp_path / "4-0.txt").exists()


CRASH = """
import os, sys
from csp_sudoku.fuzzing import worker
check = worker._check
worker._check = lambda settings, number, seen: (
    os.abort() if number == 1 else check(settings, number, seen)
)
worker.main(sys.argv[1:])
"""


def test_a_crash_costs_one_puzzle(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "COMMAND", (sys.executable, "-c", CRASH))
    report = cs.fuzz(puzzles=3, seed=11, backends=["sat"], out=tmp_path)
    assert report.puzzles == 3
    [finding] = report.findings
    assert (finding.number, finding.kind) == (1, "crash")
    assert cs.read(Path(finding.path)).grids


HANG = """
import sys, time, msgspec
from csp_sudoku.running.worker import write_frame
write_frame(sys.stdout.buffer, msgspec.json.encode({"type": "Started", "number": int(sys.argv[2])}))
time.sleep(600)
"""


def test_a_hang_costs_one_puzzle(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "COMMAND", (sys.executable, "-c", HANG))
    monkeypatch.setattr(worker, "_HANG_SECONDS", 1.0)
    report = cs.fuzz(puzzles=2, seed=11, out=tmp_path)
    assert [(finding.number, finding.kind) for finding in report.findings] == [
        (0, "hang"),
        (1, "hang"),
    ]


def test_a_process_that_never_starts_is_no_finding(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "COMMAND", (sys.executable, "-c", "raise SystemExit(1)"))
    with pytest.raises(cs.BackendError, match="cannot be started"):
        cs.fuzz(puzzles=9, seed=11, out=tmp_path)


def test_only_the_first_of_a_sort_are_saved(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "_SAVED", 1)
    monkeypatch.setattr(worker, "shrunk", lambda puzzle, plan, trouble, turn: puzzle)

    def fail(*_, **__):
        raise OSError("no")

    monkeypatch.setattr("csp_sudoku.fuzzing.checking.cross_check", fail)
    report = cs.fuzz(puzzles=3, seed=11, out=tmp_path, isolate=False)
    assert [finding.path is None for finding in report.findings] == [False, True, True]


# On the command line


def run(capsys, *arguments):
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command(capsys, tmp_path):
    arguments = (
        "--puzzles",
        "3",
        "--seed",
        "11",
        "--backend",
        "sat",
        "--out",
        str(tmp_path),
        "--json",
    )
    code, out, err = run(capsys, "fuzz", *arguments)
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert (report["puzzles"], report["seed"], report["findings"]) == (3, 11, [])
    assert report["laws"].keys() >= {"splitting", "negation"}
    assert "killer-cage" in report["kinds"]


def test_a_finding_has_its_own_exit_code(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "COMMAND", (sys.executable, "-c", "import os; os.abort()"))
    code, out, err = run(capsys, "fuzz", "--puzzles", "1", "--out", str(tmp_path))
    assert code == 1
    assert "puzzle 0: crash: worker" in err
    assert "1 findings" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--minutes", "0"], "--minutes 0.0 is not a time"),
        (["--puzzles", "0"], "Invalid value for '--puzzles'"),
        (["--seed", "-1"], "seed -1"),
        (["--backend", "magic"], "no backend is called 'magic'"),
        (["--replay", "nonsense"], "is no square"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments, said):
    code, _, err = run(capsys, "fuzz", *arguments)
    assert code == 2
    assert said in err
    assert err.count("\n") == 1


def test_an_interrupt_ends_a_run_with_its_report(capsys, tmp_path, monkeypatch):
    def interrupt(report):
        if report.puzzles == 2:
            raise KeyboardInterrupt

    @contextmanager
    def progress(*_, **__):
        yield interrupt

    monkeypatch.setattr("csp_sudoku.cli.fuzzing._progress", progress)
    code, out, err = run(
        capsys, "fuzz", "--minutes", "9", "--backend", "sat", "--out", str(tmp_path)
    )
    assert (code, err) == (130, "")
    assert out.startswith("2 puzzles in ")


def test_a_number_of_puzzles_that_is_none_is_named():
    with pytest.raises(cs.CspSudokuError, match="puzzles 0: must be a whole number from 1 up"):
        cs.fuzz(puzzles=0)
