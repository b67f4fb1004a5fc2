"""The command why: the reason, or that there is none."""

from __future__ import annotations

import json

import pytest

from csp_sudoku.cli import main

ONE = "1" + "." * 15


def _run(capsys, *arguments):
    code = main(["why", *arguments])
    return code, *capsys.readouterr()


def test_why_not(capsys):
    assert _run(capsys, ONE, "R1C2=1") == (
        0,
        "R1C2 is not 1:\n- R1C1 is 1\n- row 1 holds each value once\n",
        "",
    )


def test_why_no_solution(capsys):
    code, out, _ = _run(capsys, "11" + "." * 14, "--json")
    assert code == 1
    assert json.loads(out) == {
        "claim": "there is no solution",
        "sentences": ["R1C1 is 1", "R1C2 is 1", "row 1 holds each value once"],
        "givens": {"R1C1": [1], "R1C2": [1]},
        "rules": ["row 1"],
        "minimal": True,
        "confirmed_by": "search",
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([ONE, "R1C2=2"], "error: R1C2 can be 2: 12"),
        ([ONE], "error: there is a solution: 1"),
        ([ONE, "R1C2"], "error: 'R1C2' is not a cell and a value; write it as R1C1=5\n"),
        ([ONE, "R1C9=1"], "error: R1C9 is outside the 4×4 grid\n"),
        ([ONE, "R1C2=9"], "error: R1C2: 9 is not a value of this puzzle\n"),
    ],
)
def test_no_reason(capsys, arguments, message):
    code, out, err = _run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(message)
    assert err.count("\n") == 1
