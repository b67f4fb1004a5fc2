"""Whole documents with a drawing and a rules text: read, confirmed by the solution, or refused."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import csp_sudoku as cs
from csp_sudoku.errors import FormatError
from csp_sudoku.understanding.wordings import wordings

NORMAL = "Normal sudoku rules apply."
THERMOMETER = "Digits along a thermometer increase from the bulb."
RENBAN = "Digits on a purple line form a set of consecutive digits in any order."
PALINDROME = "Digits on a grey line read the same in both directions."

FOUR = "1234341221434321"
SIX = "123456456123231564564231312645645312"
GREY, GREEN, PURPLE = "#aaaaaa", "#67f067", "#a040c0"


def line(*points, colour=GREY):
    return {"wayPoints": [[r - 0.5, c - 0.5] for r, c in points], "color": colour, "thickness": 8}


def bulb(row, column, colour=GREY):
    shape = {"center": [row - 0.5, column - 0.5], "width": 0.8, "height": 0.8, "rounded": True}
    return shape | {"backgroundColor": colour}


def sudokupad(rules, solution="", givens=(), side=4, **drawn):
    """A SudokuPad document; the givens are cells of the solution."""
    height = 2
    width = side // height
    full = FOUR if side == 4 else SIX
    cells = [[{} for _ in range(side)] for _ in range(side)]
    for row, column in givens:
        cells[row - 1][column - 1] = {"value": int(full[(row - 1) * side + column - 1])}
    boxes = [
        [[r, c] for r in range(a, a + height) for c in range(b, b + width)]
        for a in range(0, side, height)
        for b in range(0, side, width)
    ]
    told = {"rules": rules} | ({"solution": solution} if solution else {})
    return json.dumps({"cellSize": 50, "cells": cells, "regions": boxes, "metadata": told} | drawn)


def most(side, *blank):
    """All cells but these."""
    return [(r, c) for r in range(1, side + 1) for c in range(1, side + 1) if (r, c) not in blank]


# The 1 and the 3 of two rows can be swapped: without a further rule there are two solutions.
DEADLY = [(1, 1), (1, 3), (2, 1), (2, 3)]
DRAWN_THERMOMETER = {"lines": [line((1, 1), (1, 4))], "underlays": [bulb(1, 1)]}


def test_a_thermometer_is_read_and_confirmed_by_the_solution():
    text = sudokupad(f"{NORMAL} {THERMOMETER}", FOUR, most(4, *DEADLY), **DRAWN_THERMOMETER)
    found = cs.read_with_notes(text)
    assert found.puzzle.constraints == (cs.Thermometer("R1C1-R1C4"),)
    assert found.left_out == ()
    assert found.confirmed == "the stated solution is the only one"


def test_six_by_six_with_cages_and_dots():
    cages = [{"cells": [[0, 0], [0, 1]], "value": "3"}]
    dots = [{"center": [0.5, 2], "width": 0.3, "height": 0.3, "rounded": True,
             "backgroundColor": "#ffffff", "borderColor": "#000000"}]  # fmt: skip
    rules = (
        f"{NORMAL} Digits in a cage do not repeat and sum to the number in the corner. "
        "Digits separated by a white dot are consecutive."
    )
    text = sudokupad(rules, SIX, most(6, (1, 1), (1, 2), (1, 3)), 6, cages=cages, overlays=dots)
    found = cs.read_with_notes(text)
    rules = (cs.KillerCage("R1C1 R1C2", 3), cs.Difference("R1C2 R1C3", 1))
    assert set(found.puzzle.constraints) == set(rules)
    assert found.confirmed == "the stated solution is the only one"


def test_lines_of_f_puzzles_are_read():
    grid = [[{"value": int(FOUR[4 * r + c]), "given": r > 0} for c in range(4)] for r in range(4)]
    drawn = {"line": [{"lines": [["R1C1", "R1C2", "R1C3"]], "outlineC": PURPLE}]}
    document = {"size": 4, "grid": grid, "ruleset": f"{NORMAL} {RENBAN}", "solution": FOUR} | drawn
    found = cs.read_with_notes(json.dumps(document))
    assert found.puzzle.constraints == (cs.Renban("R1C1 R1C2 R1C3"),)
    assert found.confirmed == "the stated solution is the only one"


def test_a_sentence_that_is_not_understood_is_quoted():
    text = sudokupad(f"{NORMAL} {THERMOMETER} Digits on a moonbeam are shy.", **DRAWN_THERMOMETER)
    with pytest.raises(FormatError, match="'Digits on a moonbeam are shy' is not understood"):
        cs.read(text)
    found = cs.read(text, lenient=True)
    assert found.constraints == (cs.Thermometer("R1C1-R1C4"),)
    assert len(found.left_out) == 1


def test_all_that_is_not_understood_is_in_one_error():
    drawn = {"lines": [line((1, 1), (1, 4)), line((4, 1), (4, 3), colour=GREEN)]}
    with pytest.raises(FormatError, match="R1C1 R1C2.*R4C1 R4C2.*moonbeam"):
        cs.read(sudokupad("Digits on a moonbeam are shy.", **drawn))


def test_a_sentence_about_nothing_that_is_drawn_is_refused():
    text = sudokupad(f"{NORMAL} {THERMOMETER}")
    with pytest.raises(FormatError, match="'Digits along a thermometer"):
        cs.read(text)
    # If the solution is the only one, no rule is missing.
    blanks = [(1, 1)]
    assert cs.read(sudokupad(f"{NORMAL} {THERMOMETER}", FOUR, most(4, *blanks))).constraints == ()


PURPLE_LINE = {"lines": [line((1, 1), (1, 3), colour=PURPLE)]}


@pytest.mark.parametrize(
    ("rules", "drawn", "understood"),
    [
        (NORMAL, {}, False),
        (f"Normal sudoku and renban rules apply. {RENBAN}", PURPLE_LINE, False),
        ("Normal sudoku rules apply to rows and columns.", {}, True),
        ("Normal sudoku rules: each row and column contains the digits 1 to 4 once.", {}, True),
        (NORMAL, {"cells": [[{}] * 5] * 5}, True),  # no boxes fit
        (f"{NORMAL} {' '.join(wordings('RegionsToFind')[:1])}", {"cells": [[{}] * 9] * 9}, True),
    ],
)
def test_the_usual_rules_need_boxes_where_there_could_be_some(rules, drawn, understood):
    """A grid of which no boxes were read, and a text that may speak of them."""
    text = sudokupad(rules, **{"regions": [], **drawn})
    if understood:
        assert cs.read(text).left_out == ()
        return
    with pytest.raises(FormatError, match="'Normal sudoku.* is not understood"):
        cs.read(text)
    assert cs.read(text, lenient=True).left_out
    # A solution that is the only one shows that nothing is missing.
    alone = sudokupad(NORMAL, FOUR, most(4, (1, 1)), regions=[])
    assert cs.read(alone).left_out == ()


def test_a_reading_that_breaks_the_stated_solution_is_refused():
    drawn = {"lines": [line((1, 1), (1, 4))], "underlays": [bulb(1, 4)]}
    text = sudokupad(f"{NORMAL} {THERMOMETER}", FOUR, **drawn)
    with pytest.raises(FormatError, match="the stated solution breaks a rule"):
        cs.read(text)


def test_a_missing_rule_leaves_several_solutions_and_is_refused():
    text = sudokupad(f"{NORMAL} {THERMOMETER}", FOUR, **DRAWN_THERMOMETER)
    with pytest.raises(FormatError, match="the stated solution is not the only one"):
        cs.read(text)
    assert cs.read(text, lenient=True).left_out
    assert cs.read(sudokupad(f"{NORMAL} {THERMOMETER}", **DRAWN_THERMOMETER)).left_out == ()


# Two lines, and two sentences that do not say which is which.
TWO_LINES = {
    "lines": [
        line((1, 1), (1, 2), (1, 3), colour="#e0c020"),
        line((2, 3), (3, 2), colour="#e02020"),
    ]
}
TWO_SENTENCES = (
    f"{NORMAL} Digits on a renban line form a set of consecutive digits in any order. "
    "Digits on a palindrome line read the same in both directions."
)
RIGHT = {cs.Renban("R1C1-R1C3"), cs.Palindrome("R2C3 R3C2")}


def test_the_solution_decides_between_readings():
    found = cs.read_with_notes(sudokupad(TWO_SENTENCES, FOUR, most(4, (1, 1)), **TWO_LINES))
    assert set(found.puzzle.constraints) == RIGHT
    assert found.confirmed == "the stated solution is the only one"


def test_several_readings_without_a_solution_are_an_error():
    text = sudokupad(TWO_SENTENCES, **TWO_LINES)
    with pytest.raises(
        FormatError, match="can be read in 7 ways; choose one .* such as reading=2: 1. "
    ):
        cs.read(text)
    readings = [set(cs.read(text, reading=number).constraints) for number in range(1, 8)]
    assert readings.count(RIGHT) == 1
    assert len(set(map(frozenset, readings))) == 7
    with pytest.raises(FormatError, match="reading 8: there are 7 readings"):
        cs.read(text, reading=8)


def test_words_for_colours_decide_between_readings():
    lines = [line((1, 1), (1, 3), colour=PURPLE), line((2, 3), (3, 2))]
    text = sudokupad(f"{NORMAL} {RENBAN} {PALINDROME}", lines=lines)
    assert set(cs.read(text).constraints) == RIGHT
    swapped = [line((1, 1), (1, 3)), line((2, 3), (3, 2), colour=PURPLE)]
    text = sudokupad(f"{NORMAL} {RENBAN} {PALINDROME}", lines=swapped)
    assert set(cs.read(text).constraints) == {cs.Palindrome("R1C1-R1C3"), cs.Renban("R2C3 R3C2")}


def test_rules_of_the_caller_explain_sentences_and_drawings():
    strange = "Digits on the line are shy."
    text = sudokupad(f"{NORMAL} {strange}", lines=[line((1, 1), (1, 3))])
    with pytest.raises(FormatError):
        cs.read(text)
    rule = cs.Renban("R1C1-R1C3")
    assert cs.read(text, [rule], explains=["Digits on the line"]).constraints == (rule,)
    with pytest.raises(FormatError, match="are shy"):
        cs.read(text, [rule])
    # A rule of the whole grid has no picture.
    with pytest.raises(FormatError, match="line at R1C1 R1C2 R1C3"):
        cs.read(text, [cs.AntiKnight()], explains=["Digits on the line"])


def test_a_lenient_reader_names_a_stated_solution_that_breaks_a_rule():
    drawn = {"lines": [line((1, 1), (1, 4))], "underlays": [bulb(1, 4)]}
    found = cs.read_with_notes(sudokupad(f"{NORMAL} {THERMOMETER}", FOUR, **drawn), lenient=True)
    assert found.puzzle.constraints == (cs.Thermometer("R1C4-R1C1"),)
    [reason] = found.left_out
    assert reason.startswith("the stated solution breaks a rule, as the rules text was read: therm")
    assert found.confirmed == ""


@pytest.mark.parametrize("sentence", ["Tents and trees apply.", "A king is not next to itself."])
def test_what_sounds_like_no_rule_is_refused_unless_the_solution_shows_that_it_is_none(sentence):
    text = f"{NORMAL} {sentence}"
    with pytest.raises(FormatError, match=f"{sentence[:-1]}' is not understood"):
        cs.read(sudokupad(text))
    with pytest.raises(FormatError, match="is not understood"):
        cs.read(sudokupad(text, FOUR))  # it is not the only one
    found = cs.read_with_notes(sudokupad(text, FOUR, most(4, (1, 1))))
    assert found.notes == (f"no rule: {sentence[:-1]!r}",)


def report(folder):
    """What the benchmark says of a folder of documents, and its exit status."""
    command = [sys.executable, "-m", "benchmarks", "drawn", str(folder)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return done.stdout, done.returncode


def test_the_report_counts_what_is_read_and_quotes_what_is_not(tmp_path):
    known = sudokupad(f"{NORMAL} {THERMOMETER}", FOUR, most(4, (1, 1)), **DRAWN_THERMOMETER)
    strange = sudokupad(f"{NORMAL} Digits on a moonbeam are shy.", FOUR, **DRAWN_THERMOMETER)
    (tmp_path / "known.json").write_text(json.dumps({"encoded_puzzle": known, "solution": FOUR}))
    (tmp_path / "strange.json").write_text(strange)
    told, status = report(tmp_path)
    assert status == 0
    assert "1 read whole, 1 one solution, as stated, 1 refused" in told
    assert "read as another puzzle: none" in told
    assert "'Digits on a moonbeam are shy' is not understood" in told
    assert "drawn: 1 × thermometer" in told


def test_the_report_names_a_puzzle_that_is_read_as_another(tmp_path):
    document = sudokupad(NORMAL, givens=most(4, (1, 1)))
    held = {"encoded_puzzle": document, "solution": 16 * "4"}
    (tmp_path / "other.json").write_text(json.dumps(held))
    told, status = report(tmp_path)
    assert status == 1
    assert "read as another puzzle: other" in told


# What limits a sentence, or turns it round, is never passed over

DOTS = "Cells separated by a white dot hold consecutive digits."


@pytest.mark.parametrize(
    "more",
    [
        "All possible dots except in row 1 are given.",
        "All possible dots only sometimes are given.",
        "All such pairs unless they are even are given.",
        "Not all dots except in row 1 are necessarily given.",
        "Normal 5x4 sudoku rules apply.",
        "Normal 7 x 6 sudoku rules apply.",
        "Cells separated not by a knight's move cannot contain the same digit.",
        "Cells a knight's move apart may not not contain the same digit.",
    ],
)
def test_a_limit_within_a_known_sentence_is_refused(more):
    dot = {"center": [0.5, 1], "width": 0.3, "height": 0.3, "rounded": True}
    dot |= {"backgroundColor": "#ffffff", "borderColor": "#000000"}
    with pytest.raises(FormatError, match="is not understood"):
        cs.read(sudokupad(f"{NORMAL} {DOTS} {more}", overlays=[dot]))


SHADE = {"center": [0.5, 0.5], "width": 1, "height": 1, "backgroundColor": "#cfcfcf"}
RING = {"center": [0.5, 0.5], "width": 0.8, "height": 0.8, "rounded": True, "borderColor": "#000"}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Digits in shaded cells are even.", "black circle mark at R1C1"),
        ("Digits in circles are odd.", "grey shade mark at R1C1"),
    ],
)
def test_a_circle_in_a_shaded_cell_is_two_marks(text, left):
    with pytest.raises(FormatError, match=f"{left}: no sentence"):
        cs.read(sudokupad(f"{NORMAL} {text}", underlays=[SHADE], overlays=[RING]))


def test_both_marks_of_a_cell_are_read():
    text = f"{NORMAL} Digits in shaded cells are even. Digits in circles are odd."
    found = cs.read(sudokupad(text, underlays=[SHADE], overlays=[RING]))
    assert {*found.constraints} == {cs.Even("R1C1"), cs.Odd("R1C1")}
