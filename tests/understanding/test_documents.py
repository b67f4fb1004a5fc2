"""Small SudokuPad documents of each kind of drawing: the rules that they become, or a refusal."""

import json
from itertools import product
from operator import gt, lt

import pytest

import csp_sudoku as cs
from csp_sudoku.errors import FormatError
from csp_sudoku.understanding.statements import only_names

GREY, GREEN, PURPLE, WHITE, BLACK = "#aaaaaa", "#67f067", "#a040c0", "#ffffff", "#000000"
WHISPER = "Adjacent digits on a green line differ by at least 2."
DIAGONAL_SUM = "Clues outside the grid give the sum of the digits along the indicated diagonal."
RENBAN = "Digits on a purple line form a set of consecutive digits in any order."


def document(text, **drawn):
    cells = [[{} for _ in range(4)] for _ in range(4)]
    boxes = [[[r, c] for r in (a, a + 1) for c in (b, b + 1)] for a in (0, 2) for b in (0, 2)]
    told = {"rules": f"Normal sudoku rules apply. {text}"}
    return json.dumps({"cellSize": 50, "cells": cells, "regions": boxes, "metadata": told} | drawn)


def centre(name):
    row, column = name[1:].split("C")
    return [int(row) - 0.5, int(column) - 0.5]


def line(names, colour=GREY):
    return {"wayPoints": [centre(name) for name in names.split()], "color": colour, "thickness": 8}


def shape(row, column, text="", side=0.8, **fields):
    return {"center": [row, column], "width": side, "height": side, "text": text} | fields


def circle(row, column, text="", fill=WHITE, side=0.4):
    colours = {"backgroundColor": fill, "borderColor": BLACK}
    return shape(row, column, text, side, rounded=True, **colours)


def shade(name, colour="#cccccc"):
    return shape(*centre(name), side=1, backgroundColor=colour)


def pointer(start, end):
    return {"wayPoints": [start, end], "color": BLACK, "thickness": 2, "headLength": 0.3}


def drawn(**layers):
    return layers


READ = [
    (WHISPER, drawn(lines=[line("R1C1 R1C3", GREEN)]), [cs.Whisper("R1C1-R1C3", 2)]),
    (
        f"{WHISPER} The purple line is purely decorative.",
        drawn(lines=[line("R1C1 R1C3", GREEN), line("R3C1 R3C3", PURPLE)]),
        [cs.Whisper("R1C1-R1C3", 2)],
    ),
    (
        "Dark green lines are palindromes. Adjacent digits on a light green line differ by at "
        "least 2.",
        drawn(lines=[line("R1C1 R1C3", "#006000"), line("R3C1 R3C3", "#a0f0a0")]),
        [cs.Palindrome("R1C1-R1C3"), cs.Whisper("R3C1-R3C3", 2)],
    ),
    # The arrow of a clue points by its direction, wherever it ends.
    (
        DIAGONAL_SUM,
        drawn(overlays=[shape(-0.5, 0.5, "5")], arrows=[pointer([-0.3, 0.7], [-0.1, 0.9])]),
        [cs.LittleKiller("R1C2", "SE", 5)],
    ),
    (
        DIAGONAL_SUM,
        drawn(overlays=[shape(3.5, -0.5, "5")], arrows=[pointer([3.3, -0.3], [2.8, 0.2])]),
        [cs.LittleKiller("R3C1", "NE", 5)],
    ),
    (DIAGONAL_SUM, drawn(overlays=[shape(-0.5, 0.5, "5↘")]), [cs.LittleKiller("R1C2", "SE", 5)]),
    (
        DIAGONAL_SUM,
        drawn(overlays=[shape(-0.5, 0.5, "5"), shape(-0.2, 0.8, "↘")]),
        [cs.LittleKiller("R1C2", "SE", 5)],
    ),
    (
        "Numbers outside the grid are the sum of the digits between the 1 and the 4.",
        drawn(overlays=[shape(-0.5, 0.5, "5"), shape(1.5, -0.5, "2")]),
        [cs.Sandwich("C1", 5), cs.Sandwich("R2", 2)],
    ),
    (
        "Skyscrapers: clues outside the grid give how many buildings are visible from that side.",
        drawn(overlays=[shape(1.5, 4.5, "2"), shape(4.5, 1.5, "3")]),
        [cs.Skyscraper("R2", 2, reverse=True), cs.Skyscraper("C2", 3, reverse=True)],
    ),
    (
        "Numbered rooms: clues outside the grid give the digit in the Nth cell from that side, "
        "where N is the first digit.",
        drawn(overlays=[shape(1.5, 4.5, "3")]),
        [cs.NumberedRoom("R2", 3, reverse=True)],
    ),
    (
        "Numbers outside the grid are the sum of the first three digits in that direction.",
        drawn(overlays=[shape(1.5, 4.5, "6")]),
        [cs.Sum("R2C2-R2C4", 6)],
    ),
    (
        "Each number at the intersection of four cells is the sum of the digits in these cells.",
        drawn(overlays=[shape(1, 1, "10")]),
        [cs.Sum("R1C1 R1C2 R2C1 R2C2", 10)],
    ),
    (
        "A number between two cells is the sum of the digits in these cells.",
        drawn(overlays=[shape(1, 0.5, "5")]),
        [cs.PairSum("R1C1 R2C1", 5)],
    ),
    ("Digits separated by an X sum to 6.", drawn(overlays=[shape(1, 0.5, "X")]),
     [cs.PairSum("R1C1 R2C1", 6)]),
    (
        "A white dot joins consecutive digits, a black dot joins digits in a 1:2 ratio.",
        drawn(overlays=[circle(0.5, 1), circle(1.5, 1, fill=BLACK)]),
        [cs.Difference("R1C1 R1C2", 1), cs.Ratio("R2C1 R2C2")],
    ),
    (
        "Grey dots are either consecutive or in a 1:2 ratio.",
        drawn(overlays=[circle(0.5, 1, fill=GREY)]),
        [cs.Pair("R1C1 R1C2", [(a, b) for a in range(1, 5) for b in range(1, 5)
                               if abs(a - b) == 1 or a == 2 * b or b == 2 * a])],
    ),
    (
        "Clones: the shaded areas are identical.",
        drawn(underlays=list(map(shade, ("R1C1", "R1C2", "R3C3", "R3C4")))),
        [cs.Clone(["R1C1 R1C2", "R3C3 R3C4"])],
    ),
    # Two regions of one colour are two regions, and one shape may cover several cells.
    (
        "Digits in a shaded region cannot repeat.",
        drawn(underlays=[shape(2, 2, side=2, backgroundColor=GREY), shade("R1C1", GREY)]),
        [cs.AllDifferent("R1C1"), cs.AllDifferent("R2C2 R2C3 R3C2 R3C3")],
    ),
    (
        "Lockout lines: digits on a line are not between the digits in its diamonds, which differ "
        "by at least 2.",
        drawn(
            lines=[line("R1C1 R1C3")],
            overlays=[
                shape(0.5, column, side=0.6, angle=45, backgroundColor=WHITE, borderColor=BLACK)
                for column in (0.5, 2.5)
            ],
        ),
        [cs.Lockout("R1C1-R1C3", 2)],
    ),
    ("Digits cannot repeat on either of the main diagonals.", {}, [cs.Diagonals()]),
    (
        "Digits cannot repeat along the positive diagonal.",
        drawn(lines=[{"wayPoints": [[4, 0], [0, 4]], "color": PURPLE, "thickness": 2}]),
        [cs.Diagonals(falling=False)],
    ),
    (
        "Shaded cells are smaller than all orthogonally adjacent cells.",
        drawn(underlays=[shade("R1C1")]),
        [cs.Minimum("R1C1")],
    ),
    ("Inequality signs point to the smaller digit.", drawn(overlays=[shape(0.5, 1, "<")]),
     [cs.GreaterThan("R1C2 R1C1")]),
    (
        "Digits in a cage cannot repeat and sum to its number, if given (\"<\" means less than). A "
        "\"?\" is a single digit.",
        drawn(cages=[{"cells": [[0, 0], [0, 1]], "value": "<5"},
                     {"cells": [[1, 0], [1, 1]], "value": "?"}]),
        [cs.KillerCage("R1C1 R1C2", [3, 4]), cs.KillerCage("R2C1 R2C2", [3, 4, 5, 6, 7])],
    ),
    (
        "All cages have the same sum.",
        drawn(cages=[{"cells": [[0, 0], [0, 1]]}, {"cells": [[1, 0], [1, 1]]}]),
        [cs.EqualSum(["R1C1 R1C2", "R2C1 R2C2"])],
    ),
    (
        "No 2x2 area contains only even digits or only odd digits.",
        {},
        [cs.GlobalEntropy([(2, 4), (1, 3)])],
    ),
    # The fog, paper, and what has no size or no colour say nothing.
    (
        "The grid is covered in fog. Correct digits clear it.",
        drawn(
            underlays=[shape(2, 2, side=4, backgroundColor=WHITE), shape(2, 2, side=4,
                                                                         backgroundColor=GREY)],
            overlays=[shape(0.5, 0.5, side=0)],
            lines=[line("R1C1 R1C3", "#00000000")],
        ),
        [],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "layers", "rules"), READ)
def test_a_drawing_becomes_its_rules(text, layers, rules):
    found = cs.read(document(text, **layers))
    assert found.left_out == ()
    assert set(found.constraints) == set(rules)


REFUSED = [
    ("an unexplained line", WHISPER,
     drawn(lines=[line("R1C1 R1C3", GREEN), line("R3C1 R3C3", PURPLE)]), "purple line at R3C1"),
    ("another colour", WHISPER, drawn(lines=[line("R1C1 R1C3", PURPLE)]), "purple line at R1C1"),
    ("another mark", WHISPER,
     drawn(lines=[line("R1C1 R1C3", GREEN)], overlays=[circle(0.5, 1)]), "circle mark at R1C1"),
    ("the other diagonal", "Digits cannot repeat along the negative diagonal.",
     drawn(lines=[{"wayPoints": [[4, 0], [0, 4]], "color": PURPLE}]), "diagonal at R1C4"),
    ("signs that point at the larger digit", "Inequality signs point to the larger digit.",
     drawn(overlays=[shape(0.5, 1, "<")]), "sign '<' at"),
    ("a hidden digit that no sentence explains", "Digits in a cage sum to its number.",
     drawn(cages=[{"cells": [[0, 0], [0, 1]], "value": "?"}]), "cage '[?]' at"),
    ("a region with more cells than values", "Digits in a shaded region cannot repeat.",
     drawn(underlays=list(map(shade, "R1C1 R1C2 R1C3 R1C4 R2C1".split()))), "shade mark at"),
    ("a clone without a twin", "Clones: the shaded areas are identical.",
     drawn(underlays=[shade("R1C1"), shade("R1C2"), shade("R3C3")]), "shade mark at"),
    ("other values than those of the grid", "Digits in a shaded region are 1-3 once each.",
     drawn(underlays=[shade("R1C1")]), "shade mark at"),
    ("a sandwich between other values",
     "Numbers outside the grid are the sum of the digits between the 2 and the 4.",
     drawn(overlays=[shape(-0.5, 0.5, "5")]), "clue '5' at"),
    ("two colours, two relations, and nothing says which is which",
     "White dots and black dots join consecutive digits in a 1:2 ratio.",
     drawn(overlays=[circle(0.5, 1), circle(1.5, 1, fill=BLACK)]), "circle mark at"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "layers", "named"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_a_drawing_that_is_not_understood_is_named(text, layers, named):
    with pytest.raises(FormatError, match=named):
        cs.read(document(text, **layers))


def test_lines_that_meet_at_an_end_may_be_one_branched_line():
    text = document(RENBAN, lines=[line("R1C1 R1C3", PURPLE), line("R1C2 R2C2", PURPLE)])
    with pytest.raises(FormatError, match="in 2 ways"):
        cs.read(text)
    lines = [cs.read(text, reading=number).constraints for number in (1, 2)]
    assert lines == [
        (cs.Renban("R1C1-R1C3"), cs.Renban("R1C2 R2C2")),
        (cs.Renban("R1C1 R1C2 R1C3 R2C2"),),
    ]


def test_a_branched_region_sum_line_has_the_sum_of_all_that_is_connected_in_a_box():
    text = document(
        "Box borders divide blue lines into segments of the same sum.",
        lines=[line("R1C1 R1C3", "#4040ff"), line("R1C2 R2C2", "#4040ff")],
    )
    assert cs.read(text, reading=2).constraints == (cs.EqualSum(["R1C1 R1C2 R2C2", "R1C3"]),)


def test_marks_that_imply_a_sum_are_exempt_from_the_negative_rule():
    text = document(
        "Digits separated by a V sum to 5. Green dots are either V or X. All Xs and Vs are given.",
        overlays=[shape(0.5, 1, "V"), circle(2.5, 1, fill=GREEN)],
    )
    found = cs.read(text)
    pairs = [rule for rule in found.constraints if isinstance(rule, cs.Pair)]
    marked = {"R1C1 R1C2", "R3C1 R3C2"}
    forbidden = {rule.listing for rule in pairs if not {a + b for a, b in rule.allowed} & {5, 10}}
    assert len(forbidden) == 24 - len(marked)
    assert not forbidden & marked


def test_a_symbol_is_called_by_its_name():
    text = "A digit on a star indicates how many of the surrounding cells contain smaller digits."
    found = cs.read(document(text, overlays=[shape(0.5, 0.5, "★")]))
    [rule] = found.constraints
    assert rule.cells == tuple(cs.Cell(*place) for place in [(0, 0), (0, 1), (1, 0), (1, 1)])
    for values in ((1, 2, 3, 4), (2, 1, 3, 4), (3, 2, 1, 4), (4, 1, 2, 3)):
        smaller = sum(value < values[0] for value in values[1:])
        assert rule.accepts(values) == (values[0] == smaller)
    assert rule.accepts((2, 1, 1, 4))
    hearts = shape(3.5, 3.5, "♥")
    with pytest.raises(FormatError, match="drawn: mark '♥' at R4C4: no sentence says"):
        cs.read(document(text, overlays=[shape(0.5, 0.5, "★"), hearts]))
    with pytest.raises(FormatError, match="star"):
        cs.read(document(text, overlays=[shape(0.5, 0.5, "♥")]))


def test_explains_must_name_a_sentence():
    rule = cs.Renban("R1C1-R1C3")
    text = document("Digits on the line are shy.", lines=[line("R1C1 R1C3")])
    assert cs.read(text, [rule], explains="Digits on the line").constraints == (rule,)
    for words in ("Digits on a moonbeam", " . "):
        with pytest.raises(FormatError, match="explains: no sentence"):
            cs.read(text, [rule], explains=[words])


# The same words as in a known rule, but another order, or a word more: another rule, or none.
THERMOMETER = drawn(lines=[line("R1C1 R1C3")], underlays=[circle(0.5, 0.5, fill=GREY, side=0.8)])
ARROW = drawn(
    arrows=[pointer(centre("R1C1"), centre("R1C3"))], underlays=[circle(0.5, 0.5, side=0.8)]
)
ENDED = drawn(
    lines=[line("R1C1 R1C4")],
    overlays=[circle(0.5, 0.5, side=0.7), circle(0.5, 3.5, side=0.7)],
)
GREEN_LINE, PURPLE_LINE, BLUE_LINE = (
    drawn(lines=[line("R1C1 R1C4", colour)]) for colour in (GREEN, PURPLE, "#3388ff")
)
CAGE = drawn(cages=[{"cells": [[0, 0], [0, 1], [1, 1]], "value": "6"}])
CLUE = drawn(overlays=[shape(1.5, -0.5, "2")])
QUADRUPLE = drawn(overlays=[circle(1, 1, "1 2", side=0.5)])
SQUARE = drawn(underlays=[shape(0.5, 0.5, side=0.7, backgroundColor=GREY)])
REGION = drawn(underlays=[shape(0.5, x, side=1, backgroundColor=GREY) for x in (0.5, 1.5)])
DOTS = drawn(overlays=[circle(0.5, 1), circle(1.5, 1, fill=BLACK)])
DOT_RULES = "White dots are consecutive, black dots have a 1:2 ratio."
TURNED = [
    (THERMOMETER, "Digits increase along thermometers, starting from the tip."),
    (THERMOMETER, "Digits increase along the thermometer from the flat end."),
    (THERMOMETER, "Digits along a thermometer increase by one from the bulb."),
    (THERMOMETER, "Digits along a thermometer increase from the bulb. All clues lie."),
    (THERMOMETER, "Digits along a thermometer increase from the bulb. All clues are incorrect."),
    (ARROW, "Digits along the arrow and in its circle sum to the same."),
    (ARROW, "Digits along an arrow sum to the digit in the circle of another arrow."),
    (ARROW, "The digit in the circle is part of the sum of the digits along the arrow."),
    (ENDED, "Digits in the circles lie between the digits on the line."),
    (ENDED, "Digits on the line have values between the digits in the circles, inclusive."),
    (GREEN_LINE, "Cells adjacent to a green line differ by at least 2 from the line."),
    (PURPLE_LINE, "Consecutive digits appear on a purple line."),
    (BLUE_LINE, "Digits on blue lines have the same sum in each box and in another box."),
    (BLUE_LINE, "Digits cannot repeat on a line. All lines are different."),
    (REGION, "The shaded regions are different."),
    (CAGE, "Digits in a cage sum to the total in the corner of another cage."),
    (CLUE, "Numbers outside the grid are the sum of the digits outside the sandwich."),
    (CLUE, "Smaller skyscrapers hide larger ones; clues outside give how many are visible."),
    (QUADRUPLE, "At least one of the digits in a circle appears in the surrounding cells."),
    (QUADRUPLE, "Only digits in the circle appear in the four surrounding cells."),
    (SQUARE, "Squares contain even digits, others contain odd digits."),
    (SQUARE, "Only squares contain even digits."),
    (SQUARE, "Every even digit is marked with a grey square."),
    (DOTS, f"{DOT_RULES} Not all dots are given, but all black dots are."),
]


@pytest.mark.parametrize(("layers", "text"), TURNED)
def test_known_words_in_another_order_are_refused(layers, text):
    with pytest.raises(FormatError, match="said: "):
        cs.read(document(text, **layers))


def test_the_caller_decides_about_a_wording_that_is_not_usual():
    unusual = document(
        "Thermometers start at the bulb and digits on thermometers increase.", **THERMOMETER
    )
    with pytest.raises(FormatError, match=r"may mean: values increase .* R1C1 .*choose reading 1"):
        cs.read(unusual)
    assert cs.read(unusual, reading=1).constraints == (cs.Thermometer("R1C1-R1C3"),)
    left_out = cs.read(unusual, lenient=True)
    assert left_out.constraints == ()
    assert "is not a usual wording" in left_out.left_out[0]


@pytest.mark.parametrize("around", ["orthogonally adjacent", "surrounding"])
@pytest.mark.parametrize(
    ("kind", "counts"),
    [("smaller", lt), ("greater", gt), ("odd", lambda other, _: other % 2 == 1),
     ("even", lambda other, _: other % 2 == 0)],
)  # fmt: skip
def test_a_circle_counts_the_cells_around_it(around, kind, counts):
    text = document(f"Circles count the {around} digits that are {kind}.",
                    overlays=[circle(0.5, 0.5)])  # fmt: skip
    puzzle = cs.read(text, reading=1)
    [rule] = puzzle.constraints
    near = cs.cells("R1C2 R2C1" if "adjacent" in around else "R1C2 R2C1 R2C2")
    assert {*rule.scope(puzzle)} == {cs.cell("R1C1"), *near}
    for digit, *others in product(range(1, 5), repeat=1 + len(near)):
        values = dict(zip((cs.cell("R1C1"), *near), (digit, *others), strict=True))
        number = sum(counts(other, digit) for other in others)
        assert rule.holds(values, puzzle) == (number == digit), values


# Sentences that only name rules


STATED = (
    cs.KillerCage("R1C1 R1C2", 5),
    cs.Whisper("R1C1 R1C2"),
    cs.XSum("R1", 5),
    cs.Diagonals(),
    cs.Ratio("R1C1 R1C2"),
)


@pytest.mark.parametrize(
    ("text", "nothing_else"),
    [
        ("Normal killer rules apply.", True),
        ("Standard Sudoku, killer cage & German whispers rules apply", True),
        ("X-sum constraint", True),
        ("Diagonals", True),
        ("Normal rules for sudoku, killer, and whispers apply", True),
        ("Normal Sudoku, Killer Cages & X-Sums.", True),
        ("Normal sudoku, killer, or whispers rules apply", False),
        ("Normal X rules apply", False),  # a diagonal, a sum or a letter
        ("Normal kropki rules apply", False),  # are all dots given?
        ("Black dot rules apply", False),
        ("Killer rules do not apply", False),
        ("Inverted killer rules apply", False),
        ("Killer and thermo rules apply", False),
        ("Killer rules apply to R1C1", False),
        ("Killer rules apply, but not in row 1", False),
        ("Normal rules apply", False),
    ],
)
def test_a_sentence_that_only_names_stated_rules_says_nothing_else(text, nothing_else):
    assert only_names(text, STATED) == nothing_else


def test_marks_are_named_where_the_document_itself_says_whether_all_are_given():
    text = "Normal rules for sudoku, kropki and killer apply"
    assert only_names(text, STATED, STATED)
    assert not only_names(text, STATED, STATED[:1])
    assert only_names("Normal diagonals", [cs.Diagonals()])
    assert not only_names("Normal diagonals", [cs.Diagonals(falling=False)])


def test_names_of_rules_that_the_document_states():
    text = json.dumps(
        {
            "grid": [[{}] * 4] * 4,
            "ruleset": "Standard killer rules.",
            "killercage": [{"cells": ["R1C1", "R1C2"], "value": "5"}],
        }
    )
    assert cs.read(text).constraints == (cs.KillerCage("R1C1 R1C2", 5),)
    with pytest.raises(FormatError, match="'Standard killer rules' is not understood"):
        cs.read(text.replace("killercage", "extraregion"))


def headed(text):
    """The rules of a document with this text and no drawing."""
    cells = [[{} for _ in range(4)] for _ in range(4)]
    boxes = [[[r, c] for r in (a, a + 1) for c in (b, b + 1)] for a in (0, 2) for b in (0, 2)]
    return cs.read(json.dumps({"cells": cells, "regions": boxes, "rules": text})).constraints


NORMAL = "Normal sudoku rules apply."


@pytest.mark.parametrize(
    "text",
    [
        f"Anti-knight\n{NORMAL}",
        f"ANTI-KNIGHT\n{NORMAL}",
        f"Antiknight Sudoku: {NORMAL}",
        f"Anti-knight - {NORMAL}",
        f"Anti-knight: {NORMAL} Digits a knight's move apart cannot be the same.",
        f"{NORMAL} Good luck with anti-knight.",
        f"{NORMAL} Digits separated by a chess knight's move may not be identical.",
        f"{NORMAL} As always, anti-knight applies.",
    ],
)
def test_a_rule_in_a_heading_or_behind_a_remark_is_read(text):
    assert headed(text) == (cs.AntiKnight(),)


def test_a_heading_that_names_a_rule_as_a_sentence_would_is_read():
    assert headed(f"Disjoint groups\n{NORMAL}") == (cs.DisjointGroups(),)


@pytest.mark.parametrize(
    "text",
    [
        f"Both diagonals: {NORMAL}",
        f"Diagonal Sudoku\n{NORMAL}",
        f"Non-consecutive\n{NORMAL}",
        f"{NORMAL} Enjoy the diagonals, which hold each digit once!",
        f"{NORMAL} Thanks for noticing that digits beside each other are not consecutive.",
        f"{NORMAL} This puzzle has a unique digit in each corner.",
        "Made by removing the boxes. Normal sudoku rules apply.",
        "Normal sudoku rules apply to columns.",
        "Normal sudoku rules apply in each box.",
    ],
)
def test_a_rule_that_is_not_understood_is_refused_wherever_it_stands(text):
    with pytest.raises(FormatError, match="not understood|not a usual wording"):
        headed(text)


@pytest.mark.parametrize(
    "text",
    [
        NORMAL,
        f"Walk in the Park\n{NORMAL}",
        f"Thermo Sudoku\n{NORMAL}",
        f"{NORMAL} Have fun!",
        f"{NORMAL} Good luck, and thanks to Ann.",
        f"As always, {NORMAL.lower()}",
    ],
)
def test_titles_and_remarks_are_no_rules(text):
    assert headed(text) == ()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Adjacent digits on a green line may differ by at least 2.", [line("R1C1 R1C3", GREEN)]),
        ("Digits on a purple line can form a set of consecutive digits in any order.",
         [line("R1C1 R1C3", PURPLE)]),
        ("No 2x2 area contains only even digits or only even digits.", []),
    ],
)  # fmt: skip
def test_a_sentence_that_says_less_than_a_rule_is_no_rule(text, lines):
    with pytest.raises(FormatError, match="not understood|not a usual wording"):
        cs.read(document(text, lines=lines))
