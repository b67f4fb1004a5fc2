"""Sentences of rules texts, as people write them, and what they mean."""

from __future__ import annotations

from itertools import product

import pytest

from csp_sudoku import constraints as rules
from csp_sudoku.cells import Cell
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.grid import Grid
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.understanding.figures import Figure
from csp_sudoku.understanding.meaning import understand
from csp_sudoku.understanding.repeating import repeats
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
    Shade some cells so that all shaded cells are orthogonally connected and all unshaded cells are connected. No 2x2 area is fully shaded.
    Two shaded cells are orthogonally connected and all unshaded cells are orthogonally connected. No 2x2 area is of one colour.
    A digit in a circle indicates how many of the surrounding cells are shaded.
    Adjacent digits along the loop differ by at least 5.
    Draw a snake of orthogonally connected cells that does not touch itself, even diagonally. Digits may not repeat along the loop.
    Draw a loop of orthogonally connected cells. The snake does not touch itself, not even diagonally.
    Draw a snake through the centres of cells.
    No 2x2 area is fully shaded.
    No 2x2 area contains only odd digits in box 1.
    No 2x2 area is odd or shaded.
    All unshaded cells are orthogonally connected and all shaded cells are connected to the edge of the grid.
    All unshaded cells are orthogonally connected and all shaded cells are orthogonally connected to the corner of the grid.
    Divide the grid into rectangles so that each rectangle contains at least one number. The number is the area of its rectangle.
    Divide the grid into orthogonally connected regions, each with 90° rotational symmetry about a circle. Each region contains exactly one circle.
    Draw a loop through the centres of orthogonally adjacent cells that does not cross itself.
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
OPEN = Grid(9, 9, tuple(range(1, 10)))
CHAOS = wordings("RegionsToFind")[0]
RULES = [section for section in sections() if section not in NO_RULE]


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_recognised_in_each_of_its_wordings(name: str) -> None:
    for text in wordings(name):
        regions = name == "RegionsToFind" or text.startswith(CHAOS)
        readings = understand([], sentences(text), OPEN if regions else NINE)
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


@pytest.mark.parametrize("text", wordings("RegionsToFind"))
def test_regions_are_to_be_found_only_where_none_are_drawn(text: str) -> None:
    said = sentences(text)
    [reading] = understand([], said, OPEN)
    assert reading.rules == (rules.RegionsToFind(),)
    assert not reading.sentences
    for grid in (NINE, Grid(6, 6, tuple(range(1, 7))), Grid(9, 9, tuple(range(9)))):
        assert all(reading.sentences for reading in understand([], said, grid))


@pytest.mark.parametrize(
    "text",
    [
        # Digits may repeat in a region if nothing forbids it.
        "Divide the grid into nine orthogonally connected regions of nine cells.",
        "Divide the grid into nine orthogonally connected regions. Each row and column contains the "
        "digits 1 to 9.",
        "Divide the grid into eight orthogonally connected regions. Each row, column and region must "
        "contain the digits 1 to 9.",
        "Divide the grid into nine orthogonally connected regions. Each row, column and one region "
        "must contain the digits 1 to 9.",
        # The grid has no regions, and no sentence finds them.
        "Every row, column and region contains the digits 1 to 9 once each.",
        "Region borders divide each blue line into segments of the same sum.",
    ],
)
def test_regions_that_nobody_knows_are_not_understood(text: str) -> None:
    line = Figure("line", (Cell(0, 0), Cell(0, 1), Cell(0, 2)), frozenset({"blue"}))
    drawn = [line] if "blue" in text else []
    assert all(reading.sentences for reading in understand(drawn, sentences(text), OPEN))


AT = Cell(1, 1)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            "A digit in a circle indicates the number of borders between regions it sees in its row "
            "and column. Note that the edge of the grid does not count toward this total.",
            rules.BorderCount(AT, ["region:R2C1-R2C9", "region:R1C2-R9C2"]),
        ),
        (
            "A digit in a circle counts the cells it sees orthogonally in its own region, including "
            "itself. Region borders block vision.",
            rules.RunLength(
                AT,
                [
                    "region:R2C2 region:R1C2",
                    "region:R2C2 region:R2C1",
                    "region:R2C2-R2C9",
                    "region:R2C2-R9C2",
                ],
            ),
        ),
        (
            "A digit in a circle counts the cells of its region in the 3x3 area around it, including "
            "itself.",
            rules.SameCount(AT, "region:R2C2 region:R1C1-R1C3 region:R2C1 region:R2C3 "
                                "region:R3C1-R3C3"),
        ),
    ],
)  # fmt: skip
def test_what_a_circle_says_of_regions(text: str, rule: Constraint) -> None:
    circle = Figure("cell", (AT,), frozenset({"white"}), "circle")
    [reading] = understand([circle], sentences(f"{CHAOS} {text}"), OPEN)
    assert reading.rules == (rules.RegionsToFind(), rule)
    assert not reading.left
    assert all(each.left for each in understand([circle], sentences(text), OPEN))


def test_what_is_drawn_for_lines_rectangles_and_galaxies() -> None:
    ends = [Figure("cell", (Cell(0, i),), frozenset({"grey"}), "circle") for i in (0, 8)]
    [reading] = understand(ends, sentences(wordings("Snake")[2]), NINE)
    assert reading.rules == (rules.Snake("R1C1 R1C9", 12),)
    [reading] = understand(ends, sentences(wordings("Galaxies")[0]), NINE)
    assert reading.rules == (rules.Galaxies(["R1C1", "R1C9"]),)
    sizes = [Figure("cell", (Cell(i, i),), text=str(40 + i)) for i in (0, 1)]
    [reading] = understand(sizes, sentences(wordings("Rectangles")[0]), NINE)
    assert reading.rules == (rules.Rectangles("R1C1 R2C2", (40, 41)),)
    # They do not fill the grid.
    assert all(r.left for r in understand(sizes[:1], sentences(wordings("Rectangles")[0]), NINE))
    line = Figure("line", (Cell(0, 0), Cell(0, 1)), frozenset({"blue"}))
    blue = f"{CHAOS} Region borders divide each blue line into segments of the same sum."
    [reading] = understand([line], sentences(blue), OPEN)
    assert reading.rules[1:] == (rules.LabelledSums("R1C1 R1C2", "region:R1C1 region:R1C2"),)


@pytest.mark.parametrize("text", [*wordings("sudoku"), *wordings("remark")])
def test_what_is_no_rule_by_itself_makes_none(text: str) -> None:
    [reading] = understand([], sentences(text), NINE)
    assert not reading.sentences
    assert not reading.rules


LINE = "R1C1 R1C2 R1C3"


@pytest.mark.parametrize(
    "stated",
    [
        [rules.Whisper(LINE), rules.Whisper(LINE, 4)],
        [rules.Renban(LINE)],
        [rules.Arrow("R1C1", "R1C2 R1C3")],
        [rules.Entropic(LINE)],
        [rules.Modular(LINE)],
    ],
)
def test_a_sentence_repeats_a_rule_that_is_there_as_data(stated: list[Constraint]) -> None:
    """It fits one of the phrases of the rule; these have several."""
    puzzle = Puzzle.blank(9).add(*stated)
    for text in wordings(type(stated[0]).__name__):
        said = sentences(text)
        assert any(repeats(sentence, puzzle, rule) for sentence in said for rule in stated), text


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


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("are consecutive", lambda a, b: abs(a - b) == 1),
        ("are not consecutive", lambda a, b: abs(a - b) != 1),
        ("have a 1:2 ratio", lambda a, b: max(a, b) == 2 * min(a, b)),
        ("are both even", lambda a, b: {a, b} <= {2, 4, 6, 8}),
        ("are both odd", lambda a, b: {a, b} <= {1, 3, 5, 7, 9}),
        ("have one even and one odd digit", lambda a, b: {a % 2, b % 2} == {0, 1}),
        ("sum to 8", lambda a, b: a + b == 8),
        ("sum to 5 or 10", lambda a, b: a + b in (5, 10)),
        ("differ by 3", lambda a, b: abs(a - b) == 3),
        ("differ by at least 4", lambda a, b: abs(a - b) >= 4),
        ("are either consecutive or in a 1:2 ratio",
         lambda a, b: abs(a - b) == 1 or max(a, b) == 2 * min(a, b)),
        ("are consecutive and sum to 9", lambda a, b: {a, b} == {4, 5}),
    ],
)  # fmt: skip
def test_a_mark_of_ones_own_allows_the_pairs_of_its_sentence(said, holds):
    mark = Figure("edge", (Cell(0, 0), Cell(0, 1)), frozenset({"green"}), "diamond")
    text = f"Digits separated by a green diamond {said}."
    [reading] = understand([mark], sentences(text), NINE)
    allowed = [pair for pair in product(NINE.values, repeat=2) if holds(*pair)]
    assert reading.rules == (rules.Pair("R1C1 R1C2", allowed),)
    assert not reading.left


AGAIN = (", i.e. ", ", that is, ", ", meaning that ", ", in other words, ", "; which means that ")


@pytest.mark.parametrize("words", AGAIN)
@pytest.mark.parametrize("name", ["AllDifferent", "AntiKing", "Even", "Palindrome", "RegionSum"])
def test_a_rule_may_be_said_again_in_other_words(name: str, words: str) -> None:
    first, second, *_ = [text for text in wordings(name) if text.count(".") == 1]
    text = f"{first.rstrip('.')}{words}{second[0].lower()}{second[1:]}"
    for reading in understand([], sentences(text), NINE):
        assert not reading.sentences, text
        assert {meaning.kind for meaning in reading.meanings} == {getattr(rules, name)}


@pytest.mark.parametrize("word", ["Flow", "Little", "Nice", "Peak", "Set", "Simple"])
def test_a_word_alone_may_be_the_name_of_a_rule(word: str) -> None:
    assert [sentence.text for sentence in sentences(f"{word}.")] == [word]
    assert sentences(f"{word} puzzle.") == []


MARKS = "Cells separated by an X sum to 10, cells separated by a V sum to 5."


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (f"{MARKS} All Xs are given.", (rules.NegativeXV((10,)),)),
        (f"{MARKS} All Vs are given.", (rules.NegativeXV((5,)),)),
        (f"{MARKS} All Xs and Vs are given.", (rules.NegativeXV((5, 10)),)),
        (f"{MARKS} All XV clues are given.", (rules.NegativeXV((5, 10)),)),
        (
            "Cells a knight's move or a king's move apart cannot hold the same digit.",
            (rules.AntiKnight(), rules.AntiKing()),
        ),
        ("Cells a knight's move apart cannot hold the same digit.", (rules.AntiKnight(),)),
    ],
)
def test_a_sentence_makes_the_rules_that_it_names_and_no_others(text, made):
    marks = [
        Figure("edge", (Cell(row, 0), Cell(row, 1)), text=letter)
        for row, letter in enumerate("XV" if text.startswith(MARKS) else "")
    ]
    [reading] = understand(marks, sentences(text), NINE)
    assert reading.rules[len(marks) :] == made
    assert not reading.left
