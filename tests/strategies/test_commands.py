"""The commands hint, explain and rate."""

import json

import pytest

from csp_sudoku.cli import main

SMALL = "0100300140020040"


def run(capsys, *arguments):
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def test_hint(capsys):
    code, out, err = run(capsys, "hint", SMALL)
    assert (code, err) == (0, "")
    assert out == ("hidden single in a block: box 1 has only one place left for 4: R2C2 is 4\n")


def test_hint_in_json(capsys):
    code, out, _ = run(capsys, "hint", SMALL, "--json")
    record = json.loads(out)
    assert code == 0
    assert record["placements"] == [["R2C2", 4]]
    assert record["cells"] == ["R1C1", "R1C2", "R2C1", "R2C2"]


@pytest.mark.parametrize(
    ("puzzle", "code", "start"),
    [
        ("2134342143121243", 0, ""),
        ("1..1............", 1, "contradiction: R1C1 and R1C4 hold 1, against row 1"),
        ("1...............", 3, "several solutions: nothing more follows"),
    ],
)
def test_hints_that_are_no_steps(capsys, puzzle, code, start):
    found, out, _ = run(capsys, "hint", puzzle)
    assert found == code
    assert out.startswith(start)


def test_hint_as_a_picture(capsys, tmp_path):
    path = tmp_path / "step.svg"
    code, _, _ = run(capsys, "hint", SMALL, "-o", str(path))
    assert code == 0
    assert "box 1 has only one place left for 4" in path.read_text(encoding="utf-8")
    code, _, err = run(capsys, "hint", SMALL, "-o", "step.png")
    assert code == 2
    assert "drawn as SVG" in err


def test_explain(capsys):
    code, out, _ = run(capsys, "explain", SMALL)
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith(" 1. hidden single in a block")
    assert lines[-1] == "2134342143121243"


def test_explain_a_few_steps(capsys):
    code, out, err = run(capsys, "explain", SMALL, "--steps", "3")
    assert code == 0
    assert len(out.splitlines()) == 3
    assert err == "7 more steps follow\n"


def test_explain_in_json(capsys):
    code, out, _ = run(capsys, "explain", SMALL, "--json")
    record = json.loads(out)
    assert code == 0
    assert record["solution"] == "2134342143121243"
    assert len(record["steps"]) == 10


def test_explain_what_has_several_solutions_or_none(capsys):
    code, out, err = run(capsys, "explain", "1...............")
    assert code == 3
    assert "┌" in out
    assert err.startswith("nothing more follows, for there are several solutions")
    code, _, err = run(capsys, "explain", "11..............")
    assert code == 1
    assert err == "there is no solution: R1C2 and R1C1 see each other and would both be 1\n"


def test_rate(capsys, tmp_path):
    code, out, _ = run(capsys, "rate", SMALL, SMALL)
    assert (code, out) == (0, "1.2 hidden single in a block\n" * 2)
    many = tmp_path / "many.txt"
    many.write_text(f"{SMALL}\n1...............\n", encoding="utf-8")
    code, out, _ = run(capsys, "rate", str(many), "--json")
    first, second = map(json.loads, out.splitlines())
    assert code == 3
    assert first["score"] == 1.2
    assert first["counts"]["last cell"] == 6
    assert "several solutions" in second["error"]


def test_bad_input(capsys):
    code, out, err = run(capsys, "rate", "12345")
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1


def test_stuck(capsys):
    code, _, err = run(capsys, "solve", "1...............", "--backend", "strategies")
    assert code == 3
    assert err == "undecided: stuck with 15 open cells before a solution was found\n"


def test_techniques_by_name(capsys):
    code, out, _ = run(capsys, "hint", SMALL, "--technique", "Naked_Single")
    assert (code, out) == (0, "naked single: R1C1 has only one candidate left: R1C1 is 2\n")
    code, out, _ = run(capsys, "hint", SMALL, "--technique", "w-wing")
    assert (code, out) == (3, "W-wing: there is none in this position\n")
    code, out, _ = run(capsys, "explain", SMALL, "--only", "naked single", "--json")
    assert code == 0
    assert {step["technique"] for step in json.loads(out)["steps"]} == {"naked single"}
    code, out, err = run(capsys, "explain", SMALL, "--only", "w-wing", "--only", "AIC")
    assert code == 3
    assert "the chosen techniques find nothing more" in err
    code, out, _ = run(capsys, "explain", SMALL, "--without", "last cell", "--json")
    assert code == 0
    assert "last cell" not in {step["technique"] for step in json.loads(out)["steps"]}
    code, _, err = run(capsys, "explain", SMALL, "--without", "v-wing")
    assert code == 2
    assert "'v-wing' is no technique; did you mean" in err
