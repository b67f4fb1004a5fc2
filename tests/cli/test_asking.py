"""``csp-sudoku solve -i``: the puzzle asked for row by row."""

import io
import json

import pytest

from csp_sudoku.cli import main

SOLVED = "2134342143121243"
ROWS = [".1..", "3..1", "4..2", "..4."]


@pytest.fixture
def ask(capsys, monkeypatch):
    def run(lines, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = main(["solve", "-i", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_the_rows_make_the_puzzle(ask):
    code, out, err = ask(["4", *ROWS, "", "n", "n", "1"])
    assert (code, out) == (0, f"{SOLVED}\n")
    assert "│ 3 . │ . 1 │" in err  # it is shown as it grows


def test_one_can_go_back_and_correct(ask):
    lines = [
        "4",
        "4...",
        "back",
        *ROWS[:2],
        "....",
        "....",
        "row 3",
        "4..2",
        "..4.",
        "",
        "",
        "",
        "",
    ]
    assert ask(lines)[:2] == (0, f"{SOLVED}\n")


def test_the_last_question_lets_one_correct(ask):
    lines = ["4", *ROWS[:3], "1...", "row 4", "..4.", "", "n", "n", ""]
    assert ask(lines)[:2] == (0, f"{SOLVED}\n")


def test_the_rest_may_be_left_and_what_was_given_is_not_asked(ask):
    code, out, _ = ask(["done", ""], "--size", "4", "--rule", "diagonals", "--limit", "0", "--json")
    assert code == 0
    assert len(json.loads(out)["solutions"]) == 48


@pytest.mark.parametrize(("rules", "code"), [(["y", "n"], 1), (["n", "yes"], 0)])
def test_the_rules_and_the_number_are_asked_for(ask, rules, code):
    """No 4×4 grid keeps the king's rule."""
    found = ask(["4", "done", "", *rules, "3"])
    assert found[0] == code
    assert found[1].count("\n") == (0 if code else 3)


def test_what_cannot_be_meant_is_asked_for_again(ask):
    lines = ["four", "4", "12", "row 9", *ROWS, "what", "", "perhaps", "n", "n", "many", "1"]
    code, out, err = ask(lines)
    assert (code, out) == (0, f"{SOLVED}\n")
    for said in (
        "'four' is not a size",
        "row 9: the rows are 1 to 4",
        "'what': there are no more rows",
        "'perhaps': answer y or n",
        "'many' is not a number",
    ):
        assert said in err


def test_a_clash_is_said_at_once(ask):
    _, _, err = ask(["4", "11..", "row 1", *ROWS, "", "", "", ""])
    assert "no solution: R1C1 and R1C2 hold 1" in err


def test_an_end_of_the_input_is_said(ask):
    assert ask(["4", *ROWS])[0] == 2
    assert ask(["4"])[2].endswith("error: the input ended before the puzzle did\n")
