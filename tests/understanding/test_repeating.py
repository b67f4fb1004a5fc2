"""Sentences about rules that a document states as data: they must say what the data say."""

from __future__ import annotations

import json
import re

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.understanding.canvas import Canvas, Shape
from csp_sudoku.understanding.choosing import interpret
from csp_sudoku.understanding.wordings import wordings

LINE = "R1C1 R1C2 R1C3"
STATED: dict[str, tuple[Constraint, ...]] = {
    "Whisper": (cs.Whisper(LINE),),
    "Lockout": (cs.Lockout(LINE),),
    "Sandwich": (cs.Sandwich("R1", 20),),
    "PairSum": (cs.PairSum("R1C1 R1C2", 10), cs.PairSum("R5C1 R5C2", 5)),
    "Thermometer": (cs.Thermometer(LINE),),
    "Renban": (cs.Renban(LINE),),
    "Arrow": (cs.Arrow("R1C1", "R1C2 R1C3"),),
    "Between": (cs.Between("R1C1 R1C2 R1C3"),),
    "KillerCage": (cs.KillerCage("R1C1 R1C2", 5),),
    "Difference": (cs.Difference("R1C1 R1C2"),),
    "Ratio": (cs.Ratio("R1C1 R1C2"),),
    "Diagonals": (cs.Diagonals(),),
    "Maximum": (cs.Maximum("R1C1"),),
    "Minimum": (cs.Minimum("R1C1"),),
    "LittleKiller": (cs.LittleKiller("R1C2", "SE", 20),),
    "Quadruple": (cs.Quadruple("R1C1 R1C2 R2C1 R2C2", (1, 2)),),
    "DisjointGroups": (cs.DisjointGroups(),),
    "AntiKnight": (cs.AntiKnight(),),
    "Skyscraper": (cs.Skyscraper("R1", 4),),
}


def is_read(text: str, *stated: Constraint) -> bool:
    found = interpret(Puzzle.blank(9).add(*stated), Canvas(9, 9), text)
    return not (found.sentences or found.unsure)


@pytest.mark.parametrize("name", STATED)
def test_most_wordings_of_a_stated_rule_repeat_it(name: str) -> None:
    read = [is_read(text, *STATED[name]) for text in wordings(name)]
    assert sum(read) >= 0.6 * len(read)


@pytest.mark.parametrize("name", ["Whisper", "Lockout", "Sandwich", "PairSum", "Diagonals"])
def test_another_number_is_another_rule(name: str) -> None:
    for text in wordings(name):
        for number in re.finditer("[0-9]+", text):
            other = f"{text[: number.start()]}{int(number[0]) + 2}{text[number.end() :]}"
            if is_read(text, *STATED[name]):
                assert not is_read(other, *STATED[name]), other


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Thermometer", "Digits increase along thermometers from the tip."),
        ("Thermometer", "Sometimes thermometers: digits increase from the bulb."),
        ("Thermometer", "Digits may increase from the bulb of each thermometer."),
        ("Whisper", "Adjacent digits along a green line differ by at most 5."),
        ("Whisper", "Reverse whispers: adjacent digits on a green line differ by at least 5."),
        ("Renban", "Digits may repeat on a renban line."),
        ("Arrow", "The digits along one arrow sum to the digit in its circle."),
        ("Arrow", "Two digits along an arrow sum to the digit in its circle."),
        ("Between", "Not between lines: digits on a line are between the digits in the circles."),
        ("Between", "Digits on a line are between the digits in its circles, inclusive."),
        ("KillerCage", "Digits in a cage sum to its number and may repeat."),
        ("KillerCage", "Digits may repeat in a cage."),
        ("KillerCage", 'Digits in a cage sum to its number ("<" means greater than).'),
        ("KillerCage", "Digits in a bold cage do not repeat."),
        ("Difference", "Digits separated by a black dot are consecutive."),
        ("Difference", "Cells separated by a white dot differ by 2."),
        ("Ratio", "Digits separated by a black dot have a ratio of 1:3."),
        ("Ratio", "Digits separated by a white dot have a ratio of 1:2."),
        ("PairSum", "Cells separated by an X or V must sum to 5 or 10 respectively."),
        ("Diagonals", "Digits may repeat along the marked diagonals."),
        ("Maximum", "Cells with inward-facing arrows are greater than their neighbours."),
        ("Minimum", "Cells with outward-facing arrows are less than their neighbours."),
        ("Minimum", "Grey cells are less than all surrounding cells."),
        ("Sandwich", "Numbers outside the grid show the sum of the digits between 1 and 9, not "
                     "including the 1 and 8."),
    ],
)  # fmt: skip
def test_a_sentence_that_says_something_else_is_refused(name: str, text: str) -> None:
    assert not is_read(text, *STATED[name])


def test_colours_of_other_rules_that_are_stated() -> None:
    both = (*STATED["Whisper"], cs.Renban("R5C5 R5C6"))
    assert is_read("Adjacent digits on a green line differ by at least 5.", *both)
    assert is_read("Adjacent digits on a red line differ by at least 5.", *both)
    assert not is_read("Adjacent digits on a purple line differ by at least 5.", *both)


def test_marks_that_a_negative_rule_speaks_of() -> None:
    ratio = "A black dot shows a ratio of 1:2 between two cells."
    assert is_read(ratio, cs.NegativeKropki(differences=(), ratios=(2,)))
    assert not is_read(ratio, cs.NegativeKropki(differences=(1,), ratios=()))
    dots = (*STATED["Ratio"], cs.NegativeKropki(differences=(), ratios=(2,)))
    assert not is_read("Not all dots are given.", *dots)
    assert is_read("Not all dots are given.", *STATED["Ratio"])


def document(**more: object) -> str:
    held = {"size": 9, "grid": [[{}] * 9] * 9, "ruleset": "Normal sudoku rules apply.", **more}
    return json.dumps(held)


@pytest.mark.parametrize(
    "text",
    [
        "<p>Normal sudoku and killer rules apply.</p>",
        "Normal Sudoku, Killer Cages.",
        "𝗡𝗼𝗿𝗺𝗮𝗹 sudoku rules. Killer rules apply. https://example.org/video",
        "This is the ideal Sudoku. You may not like it. Normal killer rules apply.",
        "Normal soduko rules apply. Digits in a cage have to sum up to the number in the corner.",
    ],
)
def test_markup_addresses_small_talk_and_misspellings_say_nothing(text: str) -> None:
    cage = cs.KillerCage("R1C1 R1C2", 5)
    held = document(ruleset=text, killercage=[{"cells": ["R1C1", "R1C2"], "value": "5"}])
    assert cs.read(held).constraints == (cage,)


def test_a_sentence_may_name_a_rule_that_another_one_says() -> None:
    text = "Knightmare rules. Cells a knight's move apart cannot sum to 3 or 5."
    assert cs.read(document(ruleset=text)).constraints == (cs.Knightmare((3, 5)),)
    with pytest.raises(FormatError, match="'Knightmare rules' is not understood"):
        cs.read(document(ruleset=text.split(". ", maxsplit=1)[0]))


@pytest.mark.parametrize(
    "more",
    [
        {"ruleset": "Normal sudoku rules apply. That is not so."},
        {"ruleset": "Normal sudoku rules apply. One is always next to one."},
        {"ruleset": "Normal sudoku rules apply. For more rules see https://example.org"},
        {"ruleset": "Normal sudoku rules. <span title='Anti-knight applies'></span>"},
        {"metadata": {"rules": "Cells a knight's move apart differ."}},
        {"metadata": {"antiking": True}},
        {"killercage": [{"cells": ["R1C1"], "value": "5"}],
         "ruleset": "Normal killer rules apply.",
         "text": [{"cells": ["R1C1"], "value": "7", "fromConstraint": "Killer Cage"}]},
    ],
)  # fmt: skip
def test_what_may_be_a_rule_of_a_document_is_refused(more: dict[str, object]) -> None:
    with pytest.raises(FormatError, match="not understood|not known|no sentence|not a usual"):
        cs.read(document(**more))


@pytest.mark.parametrize("word", ["small", "large", "filled", "bold"])
def test_some_of_the_circles_are_not_all_of_them(word: str) -> None:
    circles = [
        {"cells": ["R1C1"], "width": 0.3, "height": 0.3, "baseC": "#000"},
        {"cells": ["R3C1"], "width": 0.9, "height": 0.9, "outlineC": "#000"},
    ]
    with pytest.raises(FormatError, match="not a usual wording"):
        cs.read(document(circle=circles, ruleset=f"Cells with {word} circles contain odd digits."))


def test_letters_mean_the_numbers_behind_them() -> None:
    marks = (Shape((0.5, 1.0), text="X"), Shape((4.5, 1.0), text="V"))
    text = "Cells joined by an X contain digits that sum to 5; cells joined by a V to 10."
    found = interpret(Puzzle.blank(9), Canvas(9, 9, shapes=marks), text)
    totals = [rule.total for rule in found.puzzle.constraints if isinstance(rule, cs.PairSum)]
    assert totals in ([], [5, 10])


@pytest.mark.parametrize(("angle", "greater"), [(0, "R1C1"), (180, "R1C2"), (45, ""), (270, "")])
def test_signs_are_read_as_they_are_turned(angle: int, greater: str) -> None:
    sign = {"cells": ["R1C1", "R1C2"], "value": ">", "angle": angle}
    held = document(text=[sign], ruleset="Inequality signs point to the smaller of the digits.")
    if greater:
        [rule] = cs.read(held).constraints
        assert isinstance(rule, cs.GreaterThan)
        assert str(rule.cells[0]) == greater
    else:
        with pytest.raises(FormatError, match="no sentence says"):
            cs.read(held)


def test_a_refusal_says_what_to_do() -> None:
    held = document(ruleset="Normal sudoku rules apply. Digits on a moonbeam are shy.")
    with pytest.raises(FormatError, match=r"is not understood\. .*--explains.*--lenient"):
        cs.read(held)
