"""The commands: what they answer, where, and with which exit code."""

import io
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import click
import pytest

import csp_sudoku as cs
from csp_sudoku.cli import main, output
from csp_sudoku.cli.group import cli
from csp_sudoku.cli.options import IS_QUIET
from csp_sudoku.formats import read, write_json

FOUR = "0100300140020040"
SOLVED = "2134342143121243"
TWENTY_ONE = "005300000800000020070010050400005300010070006003200080060500009004000030000009700"
NONE = "12....3........."  # nothing shows at a glance: the 3 leaves R1C3 and R1C4 only the 4
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "80"}
COMMAND = [shutil.which("csp-sudoku", path=str(Path(sys.executable).parent)) or "csp-sudoku"]


def run(capsys, *arguments):
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    ("arguments", "code", "out"),
    [
        (["solve", FOUR], 0, f"{SOLVED}\n"),
        (["solve", FOUR, "--limit", "0"], 0, f"{SOLVED}\n"),
        (["solve", FOUR, "--backend", "brute", "--seed", "7", "-q"], 0, f"{SOLVED}\n"),
        (["solve", "." * 4, "--limit", "0"], 0, None),
        (["solve", "1...............", "--rule", "anti-king"], 1, ""),
        (["count", FOUR], 0, "1\n"),
        (["count", "." * 16, "--rule", "diagonals"], 0, "48\n"),
        (["count", "." * 16, "--rule", "anti-knight", "--rule", "diagonals"], 1, "0\n"),
        (["count", "." * 16, "--box", "none"], 0, "576\n"),
        (["count", "." * 16, "--limit", "100"], 0, "at least 100\n"),
        (["count", "." * 16, "--rule", "anti-king"], 1, "0\n"),
        (["count", "." * 6, "--size", "2x3", "--box", "none"], 0, "12\n"),
        (["count", "0" + "." * 15, "--values", "0-3"], 0, "72\n"),
        (["count", "0" + "." * 15, "--values", "0-4"], 0, None),
        (["check", SOLVED], 0, "correct\n"),
        (["check", FOUR, SOLVED], 0, "correct\n"),
        (["check", FOUR, "2134" + "." * 12], 3, "still open: 12 cells are empty\n"),
        (["check", FOUR], 3, "still open: 10 cells are empty\n"),
        (["check", "11" + "." * 14], 1,
         "row 1: R1C1 and R1C2 both hold 1\nbox 1: R1C1 and R1C2 both hold 1\n"),
        (["check", FOUR, SOLVED[::-1]], 1, None),
        (["check", SOLVED, "--rule", "anti-king"], 1, None),
        (["--version"], 0, None),
        (["--help"], 0, None),
        (["solve", "--help"], 0, None),
    ],
)  # fmt: skip
def test_answers_and_exit_codes(capsys, arguments, code, out):
    found = run(capsys, *arguments)
    assert found[0] == code
    assert out is None or found[1] == out
    assert found[2] in ("", "no solution\n")


def test_every_solution_is_a_line(capsys):
    _, out, err = run(capsys, "solve", TWENTY_ONE, "--limit", "0")
    lines = out.split()
    assert (len(lines), len(set(lines)), err) == (21, 21, "")
    assert all(cs.verify(read(TWENTY_ONE), line).ok for line in lines)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["solve", FOUR], {"status": "SOME_FOUND", "complete": False, "solutions": [SOLVED]}),
        (["solve", FOUR, "--limit", "2"],
         {"status": "ALL_FOUND", "complete": True, "solutions": [SOLVED]}),
        (["solve", NONE], {"status": "NONE_EXIST", "complete": True, "solutions": []}),
        (["count", TWENTY_ONE, "--backend", "sat"],
         {"count": 21, "complete": True, "backend": "sat"}),
        (["count", TWENTY_ONE, "--limit", "5"], {"count": 5, "complete": False}),
        (["check", FOUR, SOLVED], {"verdict": "CORRECT", "violations": [], "open": []}),
    ],
)  # fmt: skip
def test_answers_in_json(capsys, arguments, wanted):
    code, out, _ = run(capsys, *arguments, "--json")
    assert json.loads(out).items() >= wanted.items()
    assert code == (1 if wanted.get("status") == "NONE_EXIST" else 0)


CAGE = {"type": "killer-cage", "cells": ["R1C1", "R1C2", "R1C3"], "sum": 50}
UNSOLVABLE = {
    "row": (["11" + "." * 14], "R1C1 and R1C2 hold 1, against row 1"),
    "column": (["1......." + "1......."], "R1C1 and R3C1 hold 1, against column 1"),
    "box": (["1....1.........."], "R1C1 and R2C2 hold 1, against box 1"),
    "diagonal": (["1" + "." * 14 + "1", "--rule", "diagonals"], "R1C1 and R4C4 hold 1"),
    "cage": (
        [json.dumps({"format": "csp-sudoku", "version": 1, "grids": [{"rows": 9}],
                     "constraints": [CAGE]})],
        "cage at R1C1: sum 50 is impossible for 3 different cells of 1-9 (6 to 24)",
    ),
    "deeper": ([NONE], None),
}  # fmt: skip


@pytest.mark.parametrize("name", UNSOLVABLE)
@pytest.mark.parametrize("command", ["solve", "count"])
def test_a_reason_that_shows_at_a_glance_is_said(capsys, command, name):
    arguments, reason = UNSOLVABLE[name]
    code, out, err = run(capsys, command, *arguments)
    assert (code, out) == (1, "0\n" if command == "count" else "")
    assert err.startswith(f"no solution: {reason}" if reason else "no solution\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", UNSOLVABLE)
@pytest.mark.parametrize(
    "command",
    [
        ["solve"],
        ["solve", "--limit", "0", "--backend", "dlx"],
        ["count"],
        ["hint"],
        ["explain"],
        ["rate"],
        ["why"],
        ["cross-check", "--backend", "sat", "--backend", "dlx"],
    ],
    ids=" ".join,
)
def test_no_solution_has_one_exit_code_and_json(capsys, command, name):
    code, out, err = run(capsys, *command, *UNSOLVABLE[name][0], "--json")
    assert (code, "error" in err) == (1, False)
    json.loads(out)


def test_time_that_runs_out_is_no_answer(capsys):
    blank = "." * 81
    code, out, err = run(capsys, "count", blank, "--timeout", "0.05", "--json")
    assert code == 3
    assert not json.loads(out)["complete"]
    assert err == "time ran out before all solutions were counted\n"
    code, out, err = run(capsys, "solve", blank, "--timeout", "0.000001")
    assert (code, out) == (3, "")
    assert err == "undecided: time ran out before a solution was found\n"


def test_named_variables_are_part_of_the_answer(capsys, tmp_path):
    puzzle = read(FOUR).with_named("x", [3, 5]).add(cs.Sum(["R1C1 R1C2", "$x"], 0, (1, 1, -1)))
    path = tmp_path / "puzzle.json"
    path.write_text(write_json(puzzle), encoding="utf-8")
    assert run(capsys, "solve", str(path))[1] == f"{SOLVED} $x=3\n"
    assert json.loads(run(capsys, "solve", str(path), "--json")[1])["named"] == [{"x": 3}]


def test_show_draws_the_puzzle_and_says_its_rules(capsys):
    code, out, err = run(capsys, "show", ".1" + "." * 14, "--rule", "anti-knight")
    assert (code, err) == (0, "")
    assert out.startswith("┌─────┬─────┐\n│ . 1 │ . . │\n")
    assert out.endswith("anti-knight: cells a knight's move apart hold different values\n")


def test_show_names_what_is_wrong_and_draws_all_the_same(capsys):
    code, out, err = run(capsys, "show", "11" + "." * 14)
    assert (code, out.count("\n")) == (0, 7)
    assert err.splitlines()[0] == "no solution: R1C1 and R1C2 hold 1, against row 1"


def test_a_puzzle_cannot_write_to_the_terminal(capsys, tmp_path):
    path = tmp_path / "puzzle.json"
    path.write_text(
        write_json(cs.Puzzle.blank(4).add(cs.House("R1C1 R1C2", "\x1b[2Jhouse\n"))),
        encoding="utf-8",
    )
    assert r"\x1b[2Jhouse\n: no value occurs twice" in run(capsys, "show", str(path))[1]


def test_what_was_left_out_is_said(capsys, tmp_path):
    path = tmp_path / "puzzle.json"
    path.write_text(write_json(replace(read(FOUR), left_out=("fog",))), encoding="utf-8")
    assert run(capsys, "solve", str(path)) == (7, f"{SOLVED}\n", "left out: fog\n")
    verdicts = [("count", "1"), ("check", "correct")]
    for (command, verdict), grid in zip(verdicts, ([], [SOLVED]), strict=True):
        code, out, err = run(capsys, command, str(path), *grid, "-q")
        assert (code, out, err) == (
            7,
            f"{verdict} by the rules that were read\n",
            "left out: fog\n",
        )
    checked = json.loads(run(capsys, "check", str(path), SOLVED, "--json")[1])
    assert (checked["verdict"], checked["left_out"]) == (
        "CORRECT by the rules that were read",
        ["fog"],
    )


def test_show_writes_a_document(capsys):
    out = run(capsys, "show", FOUR, "--rule", "diagonals", "--json")[1]
    assert read(out) == read(FOUR, [cs.Diagonals()])


def test_show_prints_the_graph(capsys, tmp_path):
    rules = [cs.KillerCage("R1C1 R1C2", 5), cs.Sum("R2C1 R2C2", 3), cs.Nonconsecutive()]
    path = tmp_path / "puzzle.json"
    path.write_text(write_json(read("1" + "." * 15).add(*rules)), encoding="utf-8")
    lines = run(capsys, "show", str(path), "--graph")[1].splitlines()
    graph = read(path).graph
    assert lines[0] == f"16 variables, {len(graph) - 16} factors"
    assert lines[1].startswith("R1C1: 1; beside R1C2 R1C3")
    assert "row 1: all-different R1C1 R1C2 R1C3 R1C4" in lines
    assert any("automaton R1C1 R1C2" in line for line in lines)
    assert any("linear 3 ≤ R2C1 + R2C2 ≤ 3" in line for line in lines)
    assert any("relation R1C1 R1C2, 10 pairs" in line for line in lines)
    assert len(lines) == 1 + len(graph)


def test_lists_of_what_there_is(capsys):
    code, out, _ = run(capsys, "backends")
    assert code == 0
    names = [line.split()[0] for line in out.splitlines()]
    assert names[:2] == ["sat", "cpsat"]
    assert names[-1] == "brute"
    rows = json.loads(run(capsys, "variants", "--json")[1])
    assert {"name", "summary", "needs"} == rows[0].keys()
    assert any(row["name"] == "anti-knight" and row["needs"] == "" for row in rows)
    assert json.loads(run(capsys, "schema")[1]) == cs.formats.schema()


COMMANDS = cli.list_commands(click.Context(cli))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_a_short_summary_and_examples(capsys, name):
    code, out, err = run(capsys, name, "--help")
    assert (code, err) == (0, "")
    assert f"csp-sudoku {name} " in out
    [summary] = [line for line in run(capsys)[1].splitlines() if line.startswith(f"  {name} ")]
    assert not summary.endswith("...")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(capsys, shell):
    code, out, _ = run(capsys, "completion", shell)
    assert code == 0
    assert f"_CSP_SUDOKU_COMPLETE={shell}_complete" in out


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [("so", "plain,solve"), ("solve --ba", "plain,--backend"), ("solve puz", "file,puz")],
)
def test_a_shell_is_told_what_could_be_typed(typed, wanted):
    words = f"csp-sudoku {typed}"
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    environment = {**ENVIRONMENT, "_CSP_SUDOKU_COMPLETE": "bash_complete", **asked}
    done = subprocess.run(COMMAND, capture_output=True, env=environment, check=True, text=True)
    assert done.stdout.splitlines() == [wanted]


# As a process of its own


def command(*arguments, **options):
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, env=ENVIRONMENT, check=False, **options
    )


@pytest.mark.parametrize("source", ["file", "standard input"])
def test_the_installed_command(tmp_path, source):
    (tmp_path / "puzzle.txt").write_text(FOUR, encoding="utf-8")
    argument = {"file": "puzzle.txt", "standard input": "-"}[source]
    done = command("solve", argument, cwd=tmp_path, input=FOUR.encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{SOLVED}\n".encode(), b"")


def test_only_the_solver_that_is_asked_is_loaded():
    code = f"""
import sys
from csp_sudoku.cli import main, output
for arguments in (["show", "{FOUR}"], ["solve", "--help"], ["check", "{SOLVED}"],
                  ["solve", "{FOUR}", "--backend", "sat"]):
    main(arguments)
    print("loaded", *sorted({{"ortools", "numba", "pysat", "numpy"}} & sys.modules.keys()))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, env=ENVIRONMENT, check=True, text=True, encoding="utf-8",
    )  # fmt: skip
    loaded = [line for line in done.stdout.splitlines() if line.startswith("loaded")]
    assert loaded == ["loaded"] * 3 + ["loaded pysat"]


def start(*arguments):
    return subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    )


def test_a_reader_that_goes_away_is_no_error():
    with start("solve", "." * 81, "--limit", "0") as process:
        first = process.stdout.readline()
        process.stdout.close()
        assert (len(first), process.stderr.read()) == (82, b"")
    assert process.returncode == 141


def test_an_interrupt_is_one_line():
    with start("solve", "." * 81, "--limit", "0") as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert process.stderr.read() == b"interrupted\n"
    assert process.returncode == 130


def test_plain_lines_where_the_encoding_has_no_others():
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [*COMMAND, "show", "." * 36, "--rule", "global-entropy"],
        capture_output=True, env=environment, check=True,
    )  # fmt: skip
    assert done.stdout.startswith(b"+-------+-------+\n| . . . | . . . |\n")
    assert rb"2\xd72" in done.stdout


def on_terminal(*arguments, **environment):
    """What the command writes to a terminal."""
    main_end, other_end = pty.openpty()
    settings = {**ENVIRONMENT, "TERM": "xterm-256color", **environment}
    if "NO_COLOR" not in environment:
        settings.pop("NO_COLOR", None)
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=other_end, stderr=other_end, env=settings
    ) as process:
        os.close(other_end)
        written = b""
        while True:
            try:
                data = os.read(main_end, 65536)
            except OSError:  # the last writer has gone
                break
            if not data:
                break
            written += data
    os.close(main_end)
    return process.returncode, written.decode()


def test_a_terminal_gets_a_drawing_in_colours():
    code, written = on_terminal("solve", FOUR, "--limit", "2")
    assert code == 0
    assert "┌─────┬─────┐" in written
    assert "\x1b[32m2\x1b[0m" in written
    assert written.endswith("the only solution\r\n")


def test_no_color_is_honoured():
    _, written = on_terminal("solve", FOUR, "--quiet", NO_COLOR="1")
    assert "┌─────┬─────┐" in written
    assert "\x1b[32m" not in written


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "quiet", "shown"),
    [(Terminal(), False, True), (Terminal(), True, False), (io.StringIO(), False, False)],
)
def test_long_work_shows_that_it_goes_on(monkeypatch, stream, quiet, shown):
    monkeypatch.setattr(output, "_PATIENCE", 0)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    asked = threading.Event()

    def label():
        asked.set()
        return "counting, 5 so far"

    with click.Context(cli) as context:
        context.meta[IS_QUIET] = quiet
        with output.working(label):
            assert asked.wait(10 if shown else 0.01) == shown
    assert ("counting, 5 so far" in stream.getvalue()) == shown


def test_short_work_shows_nothing(monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    with output.working(lambda: "working"):
        pass
    assert stream.getvalue() == ""


def test_standard_input_is_read_once(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FOUR.encode())))
    assert run(capsys, "check", "-", "-") == (
        2, "", "error: standard input is read once: give the puzzle or the grid another way\n"
    )  # fmt: skip


def test_a_variant_is_explained(capsys):
    code, out, _ = run(capsys, "variants", "killer")
    assert code == 0
    assert "the cells R1C1 R1C2 R2C2 of the cage differ and sum to 7" in out
    assert '{"type": "killer-cage"' in out
    assert "│" in out
    assert json.loads(run(capsys, "variants", "fold", "--json")[1])["example"] is None


def test_a_puzzle_is_exported_and_its_answer_imported(capsys, tmp_path):
    code, out, _ = run(capsys, "export", "0100300140020040", "--to", "cnf")
    assert code == 0
    assert "p cnf " in out
    (tmp_path / "answer").write_text("s UNSATISFIABLE\n")
    path = str(tmp_path / "answer")
    code, _, err = run(capsys, "import-answer", "0100300140020040", path, "--to", "cnf")
    assert (code, err) == (1, "no solution, says the answer\n")
    assert run(capsys, "export", "0100300140020040", "--to", "pdf")[0] == 2
