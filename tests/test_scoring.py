"""Scores of answers: any solution is correct, and what is no grid is said to be none."""

from __future__ import annotations

import json

import pytest

import csp_sudoku as cs
from csp_sudoku.checking.scoring import score_file
from csp_sudoku.cli import main

TEXT = "0100300140020040"


@pytest.mark.parametrize(
    ("answer", "correct", "right", "said"),
    [
        ("The grid: 2134342143121243.", True, 1.0, "correct"),
        ("2134342143121244", False, 0.9, "breaks a rule"),
        ("2134 3421 4312 ....", False, 0.7, "still open"),
        ("No idea.", False, 0.0, "no grid"),
    ],
)
def test_scores(answer, correct, right, said):
    found = cs.score(TEXT, answer)
    assert (found.correct, found.right) == (correct, pytest.approx(right))
    assert found.as_dict()["verdict"] == said


def test_any_solution_is_correct():
    blank = "." * 16
    assert all(
        cs.score(blank, solution.text).correct for solution in cs.solve(blank, limit=9).solutions
    )


def write(path, *lines):
    # An empty line says nothing.
    path.write_text("\n\n".join(json.dumps(line) for line in lines) + "\n")
    return str(path)


def test_the_command(tmp_path, capsys):
    document = json.loads(cs.write_json(cs.read(TEXT)))
    file = write(
        tmp_path / "answers.jsonl",
        {"puzzle": TEXT, "answer": "2134342143121243", "model": "a"},
        {"puzzle": document, "answer": "hm"},
    )
    assert main(["score", file]) == 1
    assert capsys.readouterr().out == (
        "2 answers: 1 correct, 1 no grid; 50.0% of the open cells right\n"
    )
    assert main(["score", file, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["correct"] == 1
    assert main(["score", file, "--each", "-q"]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["model"], first["correct"], second["verdict"]) == ("a", True, "no grid")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"puzzle": TEXT}, 'line 1: needs "puzzle" and "answer"'),
        ({"puzzle": "12", "answer": "x"}, "line 1: "),
        (["x"], "line 1: needs"),
    ],
)
def test_lines_that_are_wrong(tmp_path, capsys, line, message):
    assert main(["score", write(tmp_path / "answers.jsonl", line)]) == 2
    assert message in capsys.readouterr().err


def test_no_answer_is_no_grid(tmp_path):
    """A model that gave no answer at all does not end the evaluation of the others."""
    file = write(tmp_path / "answers.jsonl", {"puzzle": TEXT, "answer": None})
    [(_, found)] = score_file(file)
    assert (found.verdict, found.correct, found.right) == (None, False, 0.0)


def test_no_file(capsys):
    assert main(["score", "nowhere.jsonl"]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_the_details_of_a_wrong_grid_are_found_before_the_time_is_over():
    """What is found on demand would be found after it."""
    wrong = dict.fromkeys(cs.Puzzle.blank(4).cells, 1)
    assert "violations" in vars(cs.assess(cs.Puzzle.blank(4), wrong).verification)
