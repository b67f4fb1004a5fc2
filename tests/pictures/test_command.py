"""The command render, and what other commands draw."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import csp_sudoku as cs
from csp_sudoku.cli import main

FOUR = "0100300140020040"
VARIANT = str(Path(__file__).parent.parent.parent / "examples" / "variant.json")


def test_a_picture_goes_to_standard_output(capfdbinary):
    assert main(["render", FOUR]) == 0
    assert capfdbinary.readouterr().out.decode() == cs.render_svg(cs.read(FOUR))


def test_the_ending_says_the_kind(tmp_path):
    pytest.importorskip("typst", reason="the extra csp-sudoku[pictures] is not installed")
    heads = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE html>"}
    for kind, head in heads.items():
        path = tmp_path / f"puzzle.{kind.upper()}"
        assert main(["render", VARIANT, "-o", str(path)]) == 0
        assert path.read_bytes().startswith(head)


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["--solution"], 'class="f-found"'),
        (["--candidates"], 'class="f-pencil"'),
        (["--highlight", "R1C1,R2C1-R2C3"], 'class="f-lit"'),
        (["--graph"], "Constraint graph"),
        (["--theme", "dark"], 'class="csp-dark"'),
        (["--rule", "anti-knight"], "knight"),
    ],
)
def test_options(capfdbinary, options, shown):
    plain, other = [], []
    for kept, arguments in ((plain, []), (other, options)):
        assert main(["render", FOUR, *arguments]) == 0
        kept.append(capfdbinary.readouterr().out.decode())
    ElementTree.fromstring(other[0])
    assert shown in other[0]
    assert shown not in plain[0]


def test_clashes_are_framed(capfdbinary):
    assert main(["render", "11" + 14 * ".", "--clashes"]) == 0
    assert capfdbinary.readouterr().out.count(b'class="f-clash"') == 2


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (["-o", "x.gif"], 2, "error: x.gif: the name of a picture ends in"),
        (["-o", "/nowhere/x.svg"], 2, "error: /nowhere/x.svg cannot be written: No such"),
        (["--highlight", "R9C9"], 2, "error: highlight: R9C9 is outside the 4×4 grid"),
        (["--highlight", "here"], 2, "error: 'here' is not a cell"),
        (["--theme", "pink"], 2, "error: theme 'pink': there are auto, light, dark"),
        (["--graph", "--solution"], 2, "error: --graph draws no grid"),
        (["--clashes", "--highlight", "R1C1"], 2, "error: --highlight and --clashes"),
        (["--solution", "--rule", "anti-king"], 1, "no solution"),
    ],
)
def test_what_cannot_be_drawn(capsys, arguments, code, error):
    assert main(["render", FOUR, *arguments]) == code
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(error)


def test_without_the_extra_package_the_error_names_it(capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "typst", None)
    assert main(["render", FOUR, "-o", str(tmp_path / "x.png")]) == 2
    assert "pip install 'csp-sudoku[pictures]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_cross_check_writes_a_report(tmp_path, capsys):
    path = tmp_path / "report.html"
    words = ["cross-check", FOUR, "--backend", "sat", "--limit", "2"]
    assert main([*words, "--html", str(path)]) == 0
    assert f"written: {path}" in capsys.readouterr().err
    wanted = "csp-sudoku cross-check puzzle.json --backend sat --limit 2"
    assert wanted in path.read_text(encoding="utf-8")


def test_show_writes_candidates(capsys):
    assert main(["show", "--candidates", FOUR]) == 0
    assert "│  2  1 │ 23 34 │" in capsys.readouterr().out


def test_the_help_names_the_extra_package(capsys):
    assert main(["render", "--help"]) == 0
    assert "'csp-sudoku[pictures]'" in capsys.readouterr().out
