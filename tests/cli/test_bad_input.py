"""Bad input to the installed command: exit 2, one line that says why, no traceback."""

import json
import os
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

CLASSIC = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"


def document(**parts):
    return json.dumps({"format": "csp-sudoku", "version": 1, "grids": [{"rows": 9}], **parts})


def constraint(**parts):
    return document(constraints=[parts])


# The content of a file, the arguments after it, and what the one line says.
FILES = {
    "empty": (b"", [], "is empty"),
    "blank": (b" \n\n", [], "is empty"),
    "binary": (bytes(range(256)), [], "is not text: byte 1 is 0x00"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), [], "is not text"),
    "short": (CLASSIC[1:], [], "80 characters"),
    "long": (CLASSIC + "1", [], "82 characters"),
    "letters": ("A" + CLASSIC[1:], [], "line 1, column 1: 'A' is not a value here (1-9)"),
    "rows": ("\n".join([CLASSIC[:9], CLASSIC[9:17], CLASSIC[18:27]]), [], "line 2 has 8 cells"),
    "range": ("5..." + "." * 12, [], "R1C1: 5 is not a value of this puzzle (1 to 4)"),
    "cage": (constraint(type="killer-cage", cells=["R9C9", "R10C9"], sum=5), [],
             "constraints[0].cells[1]: R10C9 is outside the 9×9 grid"),
    "name": (constraint(type="killr-cage", cells=["R1C1"]), [],
             "constraints[0].type: no constraint is called 'killr-cage'; did you mean killer-"),
    "lambda": (constraint(type="fold", cells=["R1C1"], step="1"), [], "a Python object"),
    "nan": ('{"format": "csp-sudoku", "version": NaN}', [], "NaN is not a whole number"),
    "infinity": ('{"format": "csp-sudoku", "version": -Infinity}', [], "-Infinity is not a whole"),
    "float": ('{"format": "csp-sudoku", "version": 1e999}', [], "1e999 is not a whole number"),
    "huge": ('{"format": "csp-sudoku", "version": %s}' % ("9" * 10**6), [], "1000000 digits"),
    "digits": ("1" * 10**6, [], "1000000 characters are too many; the largest grid is 64×64"),
    "brackets": ("[" * 100_000, [], "line 1: nested more than 200 deep"),
    "braces": ('{"a":' * 100_000, [], "line 1: nested more than 200 deep"),
    "double": ('{"format": "csp-sudoku", "format": "csp-sudoku"}', [], "the key 'format' occurs"),
    "surrogate": ('{"format": "\\ud800"}', [], 'its "format" must be "csp-sudoku"'),
    "key": (document(givens={"\ud800": 1}), [], r"'\ud800' is not a cell"),
    "fullwidth": ("５" + CLASSIC[1:], [], r"'\uff15' (FULLWIDTH DIGIT FIVE)"),
    "arabic": ("٥" + CLASSIC[1:], [], "ARABIC-INDIC DIGIT FIVE"),
    "superscript": ("²" + CLASSIC[1:], [], "SUPERSCRIPT TWO"),
    "several": (f"{CLASSIC}\n{CLASSIC}\n", [], "2 puzzles are in this text"),
    "xml": ("<opensudoku><game", [], "not sound XML"),
}  # fmt: skip

ARGUMENTS = [
    (["nosuch.json"], "error: there is no such file as 'nosuch.json'\n"),
    (["no/such/file"], "error: there is no such file as 'no/such/file'\n"),
    (["puzzles/easy"], "there is no such file as 'puzzles/easy'; if it is a short id"),
    (["my puzzle (1).sdk"], "error: there is no such file as 'my puzzle (1).sdk'\n"),
    (["ryr673qcbh"], "if it is a short id of the SudokuPad site, --download fetches it"),
    (["https://sudokupad.app/ryr673qcbh"], "error: 'ryr673qcbh' is the short id of a puzzle on"),
    ([".Shape~4x4.AntiKnigth"], "the type 'AntiKnigth' is not known"),
    (["hello"], "'hello' is neither a file nor a puzzle"),
    (["x" * 300], "is neither a file nor a puzzle|300 characters"),
    ([""], "is empty"),
    (["\udcff" + "." * 80], r"'\udcff' has no place in a grid"),
    (["\ud800" + "." * 80], r"'\ud800' has no place in a grid"),
    (["a\0b"], r"has no place in a grid|neither"),
    ([CLASSIC, "--rule", "anti-knigth"], "'anti-knigth'; did you mean anti-knight?"),
    ([CLASSIC, "--rule", "killer-cage"], "killer-cage cannot be given by its name alone"),
    ([CLASSIC, "--rule", "a\nb"], "no constraint is called 'a\\nb'"),
    ([CLASSIC, "--size", "4"], "81 characters where a 4×4 grid has 16"),
    ([CLASSIC, "--size", "nine"], "--size 'nine' is not a size; write it as 9 or 6x9"),
    ([CLASSIC, "--size", "９"], "is not a size"),
    ([CLASSIC, "--box", "2x3"], "boxes of 2×3 do not tile a 9×9 grid"),
    ([CLASSIC, "--box", "2"], "--box '2' is not a box"),
    ([CLASSIC, "--values", "9-1"], "--values '9-1' is not a range; write it as 0-8"),
    ([CLASSIC, "--dialect", "klingon"], "no dialect is called 'klingon'"),
    ([CLASSIC, "--backend", "sta"], "no backend is called 'sta'; did you mean sat?"),
    ([CLASSIC, "--backend", "sat:colour=red"], "option 'colour=red' is not one of its"),
    ([CLASSIC, "--limit", "-1"], "--limit"),
    ([CLASSIC, "--limit", "many"], "--limit"),
    ([CLASSIC, "--timeout", "0"], "--timeout 0.0 is not a time"),
    ([CLASSIC, "--timeout", "nan"], "--timeout nan is not a time"),
    ([CLASSIC, "--seed", "x"], "--seed"),
    ([CLASSIC, "--tiemout", "1"], "--tiemout"),
    ([CLASSIC, CLASSIC], "unexpected extra argument"),
    ([], "PUZZLE"),
]

# One process for all: what counts is the command's own entry point.
BATCH = """
import contextlib, io, json, os, sys
from importlib.metadata import entry_points
[command] = entry_points(group="console_scripts", name="csp-sudoku")
main = command.load()
found = []
for arguments in json.load(sys.stdin):
    sys.argv = ["csp-sudoku", *arguments]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main()
    found.append([code, out.getvalue(), err.getvalue()])
json.dump(found, sys.stdout)
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bad")
    for name, (content, _, _) in FILES.items():
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        (folder / name).write_bytes(data)
    (folder / "folder").mkdir()
    with open(folder / "gigabyte", "wb") as file:
        file.write(b"." * 81 + b"\n")
        file.truncate(2**30)
    commands = [["solve", name, *arguments] for name, (_, arguments, _) in FILES.items()]
    commands += [["solve", "folder"], ["solve", "gigabyte"]]
    commands += [["solve", *arguments] for arguments, _ in ARGUMENTS]
    commands += [["show", "letters"], ["check", "short"], ["slove", CLASSIC]]
    done = subprocess.run(
        [sys.executable, "-c", BATCH],
        input=json.dumps(commands),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {tuple(c): run for c, run in zip(commands, json.loads(done.stdout), strict=True)}


def assert_refused(run, message):
    code, out, err = run
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1, err
    assert any(part in err for part in message.split("|")), err
    assert len(err) < 300


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_puzzle(runs, name):
    _, arguments, message = FILES[name]
    assert_refused(runs["solve", name, *arguments], message)


@pytest.mark.parametrize(("arguments", "message"), ARGUMENTS, ids=ascii)
def test_arguments_that_cannot_be_meant(runs, arguments, message):
    assert_refused(runs["solve", *arguments], message)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("solve", "folder"), "folder is a directory, not a puzzle file"),
        (("solve", "gigabyte"), "gigabyte is larger than 4 MB, so it is not a puzzle"),
        (("show", "letters"), "letters: line 1, column 1: 'A' is not a value here"),
        (("check", "short"), "80 characters"),
        (("slove", CLASSIC), "no command is called 'slove'; did you mean solve?"),
    ],
)
def test_every_command_refuses_alike(runs, command, message):
    assert_refused(runs[command], message)


def test_the_command_is_installed():
    [command] = entry_points(group="console_scripts", name="csp-sudoku")
    assert command.value == "csp_sudoku.cli:main"


@pytest.mark.parametrize(
    ("arguments", "data", "message"),
    [
        (["solve", "-"], b"\xff\xfe\x00", b"error: standard input is not text: byte 3 is 0x00\n"),
        (["solve", b"\xff" + b"." * 80], b"", b"has no place in a grid\n"),
    ],
)
def test_bytes_that_are_no_text(arguments, data, message):
    done = subprocess.run(
        [sys.executable, "-m", "csp_sudoku", *arguments],
        input=data,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_debug_shows_the_traceback(capsys):
    from csp_sudoku.cli import main

    assert main(["solve", "hello", "--debug"]) == 2
    shown = capsys.readouterr().err
    assert "Traceback" in shown
    assert shown.splitlines()[-1].startswith("error: 'hello' is neither")
