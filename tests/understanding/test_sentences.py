"""Sentences of rules texts, as people write them, and what they mean."""

from __future__ import annotations

from itertools import product

import pytest

from csp_sudoku import constraints as rules
from csp_sudoku.errors import FormatError
from csp_sudoku.grid import Grid
from csp_sudoku.understanding.meaning import understand
from csp_sudoku.understanding.sentences import sentences
from csp_sudoku.understanding.wordings import NO_RULE, is_familiar, sections, wordings

# What is no rule that the library knows.
REFUSED = """
    Shade some cells such that all shaded cells are orthogonally connected.
    Each grey line is either a whisper or a renban.
    One cage in the grid is wrong.
    Draw a loop through the centres of cells.
    Shade some cells so that all shaded cells are orthogonally connected.
    Shade some cells so that all shaded cells are connected and all unshaded cells are connected. Each 2x2 area contains shaded and unshaded cells.
    All odd digits form a connected region.
    All odd digits form two orthogonally connected regions.
    Draw a loop of orthogonally connected cells that does not touch itself.
    Place two stars in each row, column and box.
    Stars do not touch each other, not even diagonally.
    Place two stars in each row and column. Stars do not touch each other, not even diagonally.
    Divide the grid into 9 regions of 8 orthogonally connected cells, each containing the digits 1-8.
    Divide the grid into nine regions of orthogonally connected cells.
    Divide the grid into nine regions of nine orthogonally connected cells.
    Draw a loop of orthogonally connected cells that does not touch itself diagonally.
    Place one star in each row, column and box. Stars do not touch each other diagonally.
    All digits are wrong.
    The sum of the digits on each line is unknown.
    Digits on a line are in fibonacci order.
    Green lines must not be German whispers.
    Exactly one thermometer decreases from the bulb.
    Digits along an arrow do not sum to the digit in the circle.
    Normal sudoku rules do not apply.
    Not all thermometers increase from the bulb.
    Digits in cages sum to a square number.
    The digits in a cage sum to the number in the corner, or one less.
    Digits on a line of length five sum to 20, except in box 5.
    Exactly one green line is a German whisper.
    Some of the cages sum to the number in the corner.
    Inequality signs point to the larger digit.
    Digits along a thermometer increase towards the bulb.
    Digits along a thermometer increase from the bulb by at least 2.
    Digits separated by a black dot have a 1:3 ratio in row 1.
    Either the green lines are whispers or the purple lines are renbans.
    Cells next to a grey circle are odd.
    All rules are false in box 5.
    Digits on a yellow line cannot be consecutive but must repeat.
    Not renban: digits on a purple line are consecutive.
    Digits in a 2x2 box sum to 20.
    Normal sudoku rules apply in the first 5 rows.
    Adjacent cells separated by an X must not sum to 10.
    Green lines are whispers in the other direction.
    Cells a knight's move apart in blue cells cannot repeat.
    Fill the grid with the digits 1-7 so that no digit repeats in a row, column or box.
    Digits in a cage sum to the number in the corner when read backwards.
    All cages have the same sum, except for one of them.
    Box borders divide blue lines into segments with the same sum, if possible.
    Blue digits a knight's move apart cannot be the same.
    Normal sudoku rules apply to 5 rows.
"""

SIX = Grid(6, 6, tuple(range(1, 7)), box=(2, 3))
NINE = Grid(9, 9, tuple(range(1, 10)), box=(3, 3))
RULES = [section for section in sections() if section not in NO_RULE]


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_recognised_in_each_of_its_wordings(name: str) -> None:
    for text in wordings(name):
        readings = understand([], sentences(text), NINE)
        assert all(not reading.sentences for reading in readings), text
        meanings = [meaning for reading in readings for meaning in reading.meanings]
        own = [meaning for meaning in meanings if meaning.kind is getattr(rules, name)]
        assert own, text
        assert all(map(is_familiar, own)), text


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (rules.Entropic, "Any three adjacent cells on a peach line hold low (1,2), medium (3,4) and "
                         "high (5,6) digits."),
        (rules.Modular, "Any three adjacent cells on a teal line hold a digit from 14, one from 25 "
                        "and one from 36."),
        (rules.Whisper, "Adjacent digits on a green line differ by at least 3."),
        (None, "Normal 6x6 sudoku rules apply."),
        (None, "Every row, column and 2x3 box contains the digits 1-6 once each."),
    ],
)  # fmt: skip
def test_smaller_grids_have_words_of_their_own(kind: type | None, text: str) -> None:
    [reading] = understand([], sentences(text), SIX)
    assert [meaning.kind for meaning in reading.meanings] == [kind]
    assert not reading.sentences


def test_regions_are_to_be_found_only_where_none_are_drawn() -> None:
    divide = "Divide the grid into nine orthogonally connected regions of nine cells"
    open_ = Grid(9, 9, tuple(range(1, 10)))
    for once in (
        ", each containing the digits 1-9",
        " each, so that each row, column and region contains the digits 1 to 9 once each",
    ):
        said = sentences(f"{divide}{once}.")
        [reading] = understand([], said, open_)
        assert reading.rules == (rules.RegionsToFind(),)
        assert not reading.sentences
    # Digits may repeat in a region if nothing forbids it.
    assert all(each.sentences for each in understand([], sentences(f"{divide}."), open_))
    for grid in (NINE, Grid(6, 6, tuple(range(1, 7)))):
        assert all(reading.sentences for reading in understand([], said, grid))


@pytest.mark.parametrize("text", [*wordings("sudoku"), *wordings("remark")])
def test_what_is_no_rule_by_itself_makes_none(text: str) -> None:
    [reading] = understand([], sentences(text), NINE)
    assert not reading.sentences
    assert not reading.rules


# What limits a rule or turns it round, put behind it.
LIMITS = (
    " except in row 1",
    " only in box 5",
    " unless they are even",
    " in the other direction",
    ", except for one of them",
    ". Exactly one of these rules is false",
    ". One of them is wrong",
)


@pytest.mark.parametrize("name", RULES)
def test_a_rule_with_a_limit_is_not_understood(name: str) -> None:
    for text, limit in product(wordings(name), LIMITS):
        altered = f"{text.rstrip('.')}{limit}."
        found = understand([], sentences(altered), NINE)
        assert all(reading.sentences for reading in found), altered


@pytest.mark.parametrize("text", [line.strip() for line in REFUSED.strip().splitlines()])
def test_what_is_not_understood_is_kept(text: str) -> None:
    assert all(reading.sentences for reading in understand([], sentences(text), NINE))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Anti-knight", ["Antiknight"]),
        ("Normal sudoku rules apply.\nANTI KNIGHT", ["Normal sudoku rules apply", "ANTI KNIGHT"]),
        (
            "Whispers\nKropki\nWhite dots are consecutive.",
            ["Whispers", "White dots are consecutive"],
        ),
    ],
)
def test_a_heading_that_nothing_follows_is_a_sentence(text, said):
    assert [sentence.text for sentence in sentences(text)] == said


def test_signs_that_only_look_like_numbers_are_not_known():
    [sentence] = sentences("Digits on a line sum to ².")
    assert (sentence.numbers, sentence.unknown) == ((), ("²",))


@pytest.mark.parametrize("sign", ["-", "'", "a ", "not all ", "(", "1, "])
def test_texts_that_are_too_long_are_refused_at_once(sign):
    with pytest.raises(FormatError, match="characters"):
        sentences(sign * 5_000)


def test_all_dots_are_necessarily_given():
    [said] = sentences("All dots are necessarily given.")
    assert "all-given" in said.concepts
    [said] = sentences("Not all dots are necessarily given.")
    assert said.concepts == {"not-all-given", "dot"}
