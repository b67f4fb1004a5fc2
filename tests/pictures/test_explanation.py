"""Explanations and reasons as pages and pictures."""

import re

import pytest

import csp_sudoku as cs
from csp_sudoku.cli import main
from csp_sudoku.pictures.explanation import explanation_page, reason_svg

FOUR = "0100300140020040"
CAGES = cs.Puzzle.blank(4).add(cs.KillerCage("R1C1 R1C2", 3), cs.KillerCage("R2C1 R2C2", 4))


def test_a_page_has_every_step_and_its_conclusion():
    explanation = cs.explain(FOUR)
    page = explanation_page(explanation)
    assert page.count("<figcaption>") == len(explanation.steps)
    for number, step in enumerate(explanation.steps, 1):
        assert f"{number}. {step.summary}" in page
    assert page.count("f-placed") >= len(explanation.steps)
    assert not re.search(r"(src|href)=", page)


def test_some_steps_and_how_many_follow():
    explanation = cs.explain(FOUR)
    page = explanation_page(explanation, 2)
    assert page.count("<figcaption>") == 2
    assert f"{len(explanation.steps) - 2} more steps follow" in page


def test_long_sentences_are_folded_and_rules_left_out_are_named():
    explanation = cs.explain(FOUR)
    step = explanation.steps[0]
    long = cs.Step(step.technique, 1.0, step.cells, "so " * 400, step.placements)
    told = type(explanation)(explanation.puzzle, (long,), explanation.ending, "<b>")
    page = explanation_page(told)
    assert "in full" in page
    assert "<b>" not in page


@pytest.mark.parametrize("puzzle", [CAGES, cs.read("11..............")])
def test_a_reason_without_a_solution_is_drawn(puzzle):
    reason = cs.why_unsolvable(puzzle)
    picture = reason_svg(reason, puzzle)
    assert "there is no solution" in picture
    assert "f-lit" in picture


def test_commands(tmp_path, capsys):
    page, picture = tmp_path / "steps.html", tmp_path / "reason.svg"
    assert main(["explain", FOUR, "--html", str(page)]) == 0
    assert page.read_text().startswith("<!doctype html>")
    assert main(["explain", FOUR, "--until", "R1C4"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("R1C4 is 4")
    assert main(["explain", FOUR, "--until", "R9C9"]) == 2
    assert main(["why", "1" + "." * 15, "R2C2=1", "-o", str(picture)]) == 0
    assert picture.read_text().startswith("<svg")
    assert main(["why", "1" + "." * 15, "R2C2=1", "-o", "reason.png"]) == 2


def test_a_reason_about_a_named_variable_is_drawn():
    puzzle = cs.Puzzle.blank(4).with_named("x", range(1, 9)).add(cs.Equal("R1C1 $x"))
    picture = reason_svg(cs.why_not(puzzle, "$x", 7), puzzle, (cs.Var("x"), 7))
    assert "$x is not 7" in picture
