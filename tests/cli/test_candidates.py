"""The commands candidates, redundant, minimal and estimate, and --true."""

import json

import pytest

from csp_sudoku.cli import main

THREE = "1... ..3. .... ...2"  # three solutions


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["candidates", THREE, "--count", "3"], 0, "R3C2  1:1 2:1 4:1\n"),
        (["candidates", THREE], 0, "│ 24 124 │ 14 3 │\n"),
        (["show", THREE, "--candidates"], 0, "│ 234 1234 │ 14 134 │\n"),
        (["show", THREE, "--candidates", "--true"], 0, "│ 24 124 │ 14 3 │\n"),
        (["candidates", "11.. ..3. .... ...2"], 1, "│ 1 1 │ - - │"),
        (["candidates", THREE, "--timeout", "1e-9"], 3, ""),
        (["redundant", "1234 3412 2143 4..."], 0, "together: R1C1, "),
        (["redundant", "1... ..3. .4.. ...2"], 0, "nothing can go\n"),
        (["redundant", THREE, "--rule", "anti-king"], 0, ""),
        (["minimal", "1... ..3. .4.. ...2"], 0, "minimal\n"),
        (["minimal", "1... ..3. .43. ...2"], 1, "not minimal: a given can go\n"),
        (["estimate", THREE], 0, "3\n"),
        (["estimate", "11.............."], 1, "0\n"),
        (["estimate", "." * 36, "--samples", "5", "--seed", "1"], 0, "about 2."),
        (["estimate", "." * 36, "--timeout", "1e-9"], 3, ""),
    ],
)
def test_commands(arguments, code, said, capsys):
    assert main(arguments) == code
    assert said in capsys.readouterr().out


def test_marks_by_sight_are_named(capsys, tmp_path):
    for more, noted in (([], True), (["--true"], False)):
        picture = str(tmp_path / "drawn.svg")
        for command in (["show", THREE], ["render", THREE, "-o", picture]):
            assert main([*command, "--candidates", *more]) == 0
            assert ("--true asks a solver" in capsys.readouterr().err) == noted


def test_json(capsys):
    answers = []
    for command in ("candidates", "redundant", "minimal", "estimate"):
        main([command, THREE, "--json"])
        answers.append(json.loads(capsys.readouterr().out))
    found, needed, minimal, estimate = answers
    assert found["candidates"]["R3C2"] == {"1": 1, "2": 1, "3": 0, "4": 1}
    assert needed == {"givens": [], "rules": [], "together": [], "undecided": []}
    assert minimal == {"minimal": True}
    assert (estimate["estimate"], estimate["exact"], estimate["method"]) == (3, True, "counted")
