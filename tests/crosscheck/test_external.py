"""Programs of others: their answers are read, their time is kept, and nothing of them is left."""

import sys
import time
from pathlib import Path

import pytest

import csp_sudoku as cs
from csp_sudoku.crosscheck.agreement import Ending, Outcome
from csp_sudoku.crosscheck.external import ExternalSolver

UNIQUE = "0100300140020040"
NONE = "11.............."
MANY = "12.............."

SAT = """
import sys
from pysat.formula import CNF
from pysat.solvers import Solver
formula = CNF(from_file=sys.argv[1])
with Solver("glucose4", bootstrap_with=formula.clauses) as solver:
    print("c a solver")
    if solver.solve():
        print("s SATISFIABLE")
        model = solver.get_model()
        for i in range(0, len(model), 10):
            print("v", *model[i:i + 10])
        print("v 0")
        sys.exit(10)
    print("s UNSATISFIABLE")
    sys.exit(20)
"""
LIES = """
print("s UNSATISFIABLE")
"""
WRONG = """
import sys
variables = int(open(sys.argv[1]).read().partition("p cnf ")[2].split()[0])
print("s SATISFIABLE")
print("v", *range(1, variables + 1), 0)
"""
SILENT = "pass"
UNKNOWN = 'print("s UNKNOWN")'
GARBAGE = 'print("s SATISFIABLE"); print("v 1 x 0")'
FLOOD = "while True: print('c' * 1000)"
HANGS = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
open({pids!r}, "w").write(f"{{child.pid}}")
child.wait()
"""


PARTIAL = """
print("s SATISFIABLE")
print("v 1 0")
"""


@pytest.fixture
def command(tmp_path):
    def make(script, place="cnf"):
        path = tmp_path / "a solver.py"
        path.write_text(script)
        return f"{sys.executable} '{path}' {{{place}}}"

    return make


def cross_check(puzzle, command, **settings):
    settings = {"isolate": False, "certify": False, "reference": False, **settings}
    return cs.cross_check(puzzle, ["sat", command], **settings)


@pytest.mark.parametrize(
    ("puzzle", "outcome", "number"),
    [
        (UNIQUE, Outcome.UNIQUE_AGREED, 1),
        (NONE, Outcome.NONE_AGREED, 0),
        (MANY, Outcome.SEVERAL, 3),
    ],
)
def test_a_solver_takes_part(command, puzzle, outcome, number):
    agreement = cross_check(puzzle, command(SAT), limit=3)
    assert agreement.outcome is outcome
    [_, answer] = agreement.answers
    assert answer.name.startswith("python")
    assert (len(answer.solutions), answer.wrong, answer.repeats) == (number, (), 0)
    assert agreement.findings == ()


@pytest.mark.parametrize(
    ("script", "text"),
    [
        (LIES, "says that there is no solution, but sat found one"),
        (WRONG, "gave what is no solution"),
    ],
)
def test_a_solver_that_is_wrong_is_named(command, script, text):
    [disagreement] = cross_check(UNIQUE, command(script), limit=2).disagreements
    assert disagreement.name.startswith("python")
    assert disagreement.text.startswith(text)


@pytest.mark.parametrize(
    ("script", "text"),
    [
        (SILENT, "no line `s SATISFIABLE`.*it prints nothing"),
        (UNKNOWN, "gives no answer; it prints 's UNKNOWN'"),
        (GARBAGE, "line 2: 'x' is not a literal"),
        (PARTIAL, "R1C2"),
    ],
)
def test_a_solver_that_fails_is_a_finding(command, script, text):
    with pytest.raises(cs.BackendError, match=text):
        cs.solve(UNIQUE, ExternalSolver(command(script)))
    agreement = cross_check(UNIQUE, command(script))
    assert agreement.answers[1].ending is Ending.ERROR
    assert len(agreement.findings) == 1
    assert not agreement.ok
    assert "no answer from python" in agreement.summary


def test_too_much_output_is_refused(command, monkeypatch):
    monkeypatch.setattr("csp_sudoku.crosscheck.programs._MAX_OUTPUT", 100_000)
    with pytest.raises(cs.BackendError, match="prints more than an answer can be"):
        cs.solve(UNIQUE, ExternalSolver(command(FLOOD)))


def is_running(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_when_time_is_up_nothing_is_left(command, tmp_path):
    pids = tmp_path / "pid"
    agreement = cross_check(UNIQUE, command(HANGS.format(pids=str(pids))), timeout=2)
    assert agreement.answers[1].ending is Ending.TIME
    child = int(pids.read_text())
    deadline = time.monotonic() + 20
    while is_running(child):
        assert time.monotonic() < deadline, "a process is left"


def test_sessions_work_as_with_any_backend(command):
    solver = ExternalSolver(command(SAT))
    assert cs.solve(UNIQUE, solver, limit=2).status is cs.Status.ALL_FOUND
    assert cs.solve(MANY, solver, timeout=0).status is cs.Status.UNKNOWN
    with cs.session(cs.Puzzle.blank(4), solver) as session:
        assert session.solve(UNIQUE).solutions[0].text == "2134342143121243"
        assert session.solve(NONE).status is cs.Status.NONE_EXIST
    assert cs.solve(cs.Puzzle.blank(2).with_givens({"R1C1": []}), solver).solutions == ()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-solver {cnf}", "no-such-solver: there is no such program"),
        ("cat", "must have one place for the puzzle, as {cnf}"),
        ("cat {cnf} {cnf}", "must have one place for the puzzle"),
        ("cat {dog}", "must have one place for the puzzle"),
        ("cat '{cnf}", "No closing quotation"),
    ],
)
def test_bad_commands(command, message):
    with pytest.raises(cs.BackendError, match=message):
        ExternalSolver(command)
