"""The survey: right and wrong solvers are told apart, and a crash ends nothing."""

import json
import os
import shlex
import sys
from pathlib import Path

import pytest

import csp_sudoku as cs
from csp_sudoku import backends
from csp_sudoku.cli import main
from csp_sudoku.crosscheck import at_hand
from csp_sudoku.crosscheck.agreement import Answer, Ending, Way
from csp_sudoku.crosscheck.survey import AGREES, FAILED, LATE, REFUSED, WRONG, Known, judge, survey
from csp_sudoku.running.isolation import shared_pool
from csp_sudoku.testing import conformance_cases

# It reads a formula.
SOLVER = """
import sys
from csp_encodings.dimacs import read_cnf
from pysat.solvers import Solver
variables, clauses = read_cnf(open(sys.argv[1]))
with Solver("minisat22", bootstrap_with=clauses) as solver:
    model = solver.solve() and solver.get_model()
{trick}
print("s SATISFIABLE" if model else "s UNSATISFIABLE")
if model is not False:
    print("v", *(x for x in model if abs(x) <= variables), 0)
"""
# The first is right, the second at times, the third never.
PROGRAMS = {
    "right": SOLVER.format(trick=""),
    "wrong": SOLVER.format(trick="if len(clauses) % 3 == 0: model = False"),
    "crash": "import os; os.abort()",
}


@pytest.fixture
def solver(tmp_path):
    def make(name):
        path = tmp_path / f"{name}.py"
        path.write_text(PROGRAMS[name])
        return f"{sys.executable} {path} {{cnf}}"

    return make


def test_who_agrees_and_who_fails_where(solver, tmp_path):
    commands = [solver(name) for name in PROGRAMS]
    asked = ["sat", "dlx", *commands]
    found = survey(asked, puzzles=6, cases=False, out=tmp_path / "out", isolate=False, seed=5)
    rows = {row.solver: row for row in found.rows}
    assert [rows[name].ok for name in asked] == [True, True, True, False, False]
    right, wrong, crash = (rows[name] for name in commands)
    assert right.verdicts[AGREES] == 6
    assert wrong.verdicts[WRONG] + wrong.verdicts[AGREES] == 6
    assert crash.verdicts[AGREES] == 0
    assert not found.ok
    # The failure can be seen again, in a smaller puzzle.
    [failure, *_] = wrong.failures
    assert "but the oracle found" in failure.text
    words = shlex.split(failure.command)
    assert words[:2] == ["csp-sudoku", "cross-check"]
    assert not cs.cross_check(Path(words[2]), ["sat", commands[1]], isolate=False).agreed
    assert json.loads(json.dumps(found.to_dict()))["solvers"][3]["failures"]


def test_a_backend_that_crashes_does_not_end_the_survey(monkeypatch, tmp_path):
    monkeypatch.setattr("csp_sudoku.crosscheck.survey._WRITTEN", 0)
    # What ends the process of a worker is in a module that only the workers import.
    (tmp_path / "sitecustomize.py").write_text(
        "import sys, os\n"
        "if 'csp_sudoku.running.worker' in ' '.join(sys.orig_argv):\n"
        "    import csp_sudoku.backends.dlx as dlx\n"
        "    dlx.Dlx.compile = lambda *a, **k: os.abort()\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    shared_pool().end_idle()  # workers of other tests do not have it
    found = survey(["dlx", "sat"], puzzles=2, cases=False, out=tmp_path / "out")
    crashed, right = found.rows
    assert (crashed.verdicts[FAILED], right.verdicts[AGREES]) == (2, 2)
    assert "crashed: it was ended by SIGABRT" in crashed.failures[0].text


def test_a_solver_that_never_agrees_is_unusable(solver, monkeypatch):
    monkeypatch.setattr("csp_sudoku.crosscheck.survey._TRIALS", 3)
    found = survey([solver("crash")], puzzles=4, cases=False, isolate=False)
    assert (found.rows[0].asked, found.ok) == (3, True)
    assert found.rows[0].verdict.startswith("unusable: crashed: python")


@pytest.mark.parametrize(
    ("ending", "number", "verdict"),
    [
        (Ending.COMPLETE, 2, AGREES),
        (Ending.COMPLETE, 1, WRONG),
        (Ending.LIMIT, 2, FAILED),
        (Ending.CRASH, 0, FAILED),
        (Ending.HANG, 0, LATE),
        (Ending.TIME, 1, LATE),
        (Ending.REFUSED, 0, REFUSED),
    ],
)
def test_verdicts(ending, number, verdict):
    puzzle = cs.read("..3434214312..43")
    every = cs.solve(puzzle, limit=None).solutions
    answer = Answer("mine", "mine", Way.GRAPH, ending, every[:number])
    assert judge(Known.of("a case", puzzle, every), answer)[0] == verdict


def test_what_is_at_hand(monkeypatch):
    found, unusable = at_hand.solvers_at_hand()
    for spec in found:
        if "{" not in spec:
            backends.get(spec)
    assert not set(found) & set(unusable)
    # Each is asked, or it is said why not.
    for family in [*at_hand.registry.names(), "cpmpy"]:
        assert any(spec.partition(":")[0] == family for spec in [*found, *unusable]), family
    monkeypatch.setattr(at_hand.registry, "names", lambda: ["sat", "mine"])
    found, _ = at_hand.solvers_at_hand()
    assert "mine" in found  # a plug-in
    monkeypatch.setattr(at_hand.shutil, "which", lambda program: None)
    found, unusable = at_hand.solvers_at_hand()
    assert not [name for name in found if "{" in name]
    assert set(at_hand.PROGRAMS) <= set(unusable)


def test_the_command(capsys, monkeypatch, tmp_path):
    few = conformance_cases()[:3]
    monkeypatch.setattr("csp_sudoku.crosscheck.survey.conformance_cases", lambda: few)
    asked = ["--backend", "sat", "--puzzles", "2", "--timeout", "0.001"]
    code = main(["survey", *asked, "--out", str(tmp_path), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (code, found["solvers"][0]["asked"], found["solvers"][0]["ok"]) == (0, 1, True)
    assert found["cases"] == 3
    assert main(["survey", "--backend", "nobody"]) == 2
    assert capsys.readouterr().err.startswith("error: no backend is called 'nobody'")
