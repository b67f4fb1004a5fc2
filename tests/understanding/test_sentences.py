"""Sentences of rules texts, as people write them, and what they mean."""

from __future__ import annotations

from itertools import product

import pytest

from csp_sudoku import constraints as rules
from csp_sudoku.errors import FormatError
from csp_sudoku.grid import Grid
from csp_sudoku.understanding.meaning import understand
from csp_sudoku.understanding.sentences import sentences

# For each rule, ways to say it. The others: the usual rules, remarks, "all … are given", and what is
# no rule that the library knows.
SAID: dict[str, str] = {
    "Whisper": """
        German Whispers: Adjacent digits on a green line must differ by at least 5.
        Neighbouring digits along a green line have a difference of five or more.
        Along green lines, adjacent cells must contain digits with a difference of at least 5.
        Any two adjacent digits on a green whispers line differ by a minimum of 5.
        Adjacent digits along a German Whispers line must have a difference of at least 5
        Digits next to each other along a green line must have a minimum difference of 5.
        Dutch Whispers: Neighbouring digits on an orange line must differ by at least 4.
        Two digits connected by a green line must differ by at least 5.
        The difference between two adjacent digits on a green line is at least 5.
        The green line is a German whisper line: adjacent digits differ by at least 5.
        On green lines, the difference between adjacent digits is 5 or greater.
        Green lines are German whispers (adjacent digits differ by 5 or more).
        Cells that are adjacent along a green line have a difference of at least 5.
        Neighbouring digits on a green German Whisper (GW) line must have a difference of at least 5.
        Consecutive digits along a green line must differ by at least 5.
        The dark green lines are whispers, i.e. neighbouring digits differ by at least 5.
    """,
    "YinYang": """
        Yin Yang: Shade some cells so that all shaded cells  are orthogonally connected and all unshaded cells are orthogonally connected. Each 2x2 area of the grid contains shaded and unshaded cells.
        Shade some cells such that all shaded cells are orthogonally connected with one another, and all unshaded cells are orthogonally connected with one another. No 2x2 block may be entirely shaded or entirely unshaded.
        All shaded cells must be orthogonally connected and all unshaded cells must be orthogonally connected. No 2x2 area is of one colour.
    """,
    "ConnectedValues": """
        All odd digits form a single orthogonally connected region.
        The even cells must form one orthogonally connected area.
    """,
    "Loop": """
        Draw a closed loop of orthogonally connected cells that does not touch itself, not even diagonally.
        Draw a loop through orthogonally adjacent cells, which may not touch itself orthogonally.
    """,
    "Stars": """
        Place two stars in each row, column and 3x3 box. Stars do not touch each other, not even diagonally.
        Every row, column and box contains exactly one star. Stars may not touch, even diagonally.
    """,
    "Renban": """
        Purple lines contain a set of consecutive digits in any order.
        Digits along a purple line form a set of consecutive, non-repeating digits, in any order.
        Renban lines: digits along a pink line must be consecutive, in some order, without repeats.
        Each purple line contains a set of consecutive digits, in any order. Digits do not repeat on a purple line.
        Purple lines must contain a set of non-repeating consecutive digits in any order.
        Digits on a purple renban line must be consecutive and must not repeat.
        Lines in purple are renban: they contain consecutive digits in any order.
        The purple line contains a sequence of consecutive non-repeating digits which can appear in any order.
        Pink lines contain consecutive digits in any order.
        A purple line holds a series of consecutive digits in any order.
        Each purple line consists of a set of consecutive digits that do not repeat, in any order.
        Purple lines are renban: they contain consecutive digits in any order.
        Renban: The set of digits on this line must be consecutive. However, they may appear in any order, and cannot be repeated.
    """,
    "Thermometer": """
        Along thermometers, digits increase from the bulb end.
        Thermometers: digits along a thermometer must strictly increase from the bulb to the tip.
        Digits increase along thermometers starting at the bulb.
        Digits along a thermo increase from bulb to tip.
        Digits must increase along thermometers from the bulb.
        Thermo: starting from the bulb, digits strictly increase.
        On a thermometer, digits always increase moving away from the bulb end.
        On thermometers, digits must increase in value from the bulb end.
        Digits along thermos strictly increase from the round end.
        On a thermometer, digits strictly increase moving away from the bulb.
        Digits along each thermometer must be in strictly ascending order from the bulb.
    """,
    "SlowThermometer": """
        Slow Thermometers: digits along a thermometer increase or stay the same from the bulb to the tip.
        Along slow thermometers, digits do not decrease from the bulb end.
    """,
    "Arrow": """
        Digits along an arrow sum to the digit in the attached circle.
        Arrows: The digits along the arrow must sum to the digit in the circle.
        Digits along arrows sum to the number in the circled cell.
        The sum of the digits along an arrow is equal to the digit in its circle.
        Digits along an arrow must sum to the digit in that arrow's circle. Digits may repeat along an arrow if allowed by other rules.
        Digits on an arrow add up to the digit in the circle at its base.
        The digits on the arrow's shaft sum to the circled digit.
        Circled cells contain the sum of the digits along the attached arrows.
        The circled digit is the sum of the digits along the attached arrow.
        The digit in a circle is equal to the sum of the digits along the arrow(s) coming out of it.
        Arrows: digits along the shaft of an arrow sum to the digit in its bulb.
        Digits on an arrow sum to the digit in its circle or to the number in its pill, reading left to right or top to bottom.
    """,
    "Between": """
        Between lines: digits on a line between two circles must have values strictly between the digits in the circles.
        Digits along a line lie strictly between the digits in the circles at its ends.
        Digits on lines must be between the values of the circled digits at the ends.
        Digits on a line with circles at both ends must have values between those of the circled digits.
        Between lines: digits on the line lie strictly between the digits in the two bulbs.
    """,
    "Palindrome": """
        Grey lines are palindromes: they read the same in both directions.
        Palindromes: Digits along a grey line read the same forwards and backwards.
        Digits along the grey line form a palindrome.
        A grey line is a palindrome and must read the same from either end.
        Lines are palindromes, reading the same in both directions.
        Grey lines read the same forwards as backwards.
        Digits along a gray line must form a palindrome (i.e., they read the same in either direction).
    """,
    "RegionSum": """
        Region Sum Lines: digits along a blue line have the same sum within each 3x3 box the line passes through.
        Digits along blue lines have an equal sum N within each box they pass through. Different lines may have different values for N.
        Box borders divide blue lines into segments with the same sum.
        For each blue line, digits on the line have an equal sum within each box the line passes through.
        Box borders divide each blue line into segments. The digits on each segment of a line sum to the same total.
        Blue lines have the same sum in every box they pass through. If a line passes through the same box more than once, each individual segment of such a line within that box sums to N separately.
        Blue lines are region sum lines: the sum of the digits on a line is the same in each region it visits.
        Each blue line is split by box borders into segments of equal sum.
        The sum of digits on a blue line is the same in every box the line enters.
        Digits on a blue line sum to the same value in each 3x3 box. If a line re-enters a box, each visit is counted separately.
        Box borders divide a light blue line into segments of the same sum (different lines may have different sums).
    """,
    "Zipper": """
        Zipper lines: digits an equal distance from the centre of a lavender line sum to the same total. For lines of odd length, that total is the digit in the centre cell.
        Digits which are an equal distance from the center of a zipper line all sum to the digit in the center of that line.
        Pairs of digits equidistant from the centre of a lavender line sum to the digit in the centre.
        The lavender lines are zippers. Digits an equal distance from the middle of such a line have the same sum.
        Digits equidistant from the line's center must sum to the same value.
    """,
    "Entropic": """
        Every set of three consecutive cells along an orange line must contain a low digit (1,2,3), a middle digit (4,5,6) and a high digit (7,8,9).
        Entropic lines: any run of three adjacent cells on a peach line contains one digit from 123, one from 456 and one from 789.
        Any three sequential digits along an orange line include one from {1,2,3}, one from {4,5,6}, and one from {7,8,9}.
        Any three consecutive cells on a peach line contain a low digit (1-3), a middle digit (4-6) and a high digit (7-9).
        Entropic: every three consecutive cells on an orange line contain one low (123), one medium (456) and one high (789) digit. On two-cell lines the digits are from different groups.
    """,
    "Modular": """
        Modular lines: every run of three sequential digits along a teal line contains a digit from (1,4,7), a digit from (2,5,8) and a digit from (3,6,9).
        Any set of three adjacent digits on a turquoise line must contain one from 147, one from 258 and one from 369.
        Modular lines: any three consecutive digits on a teal line have different remainders when divided by 3.
    """,
    "ParityLine": """
        Parity lines: adjacent digits on a red line must alternate between odd and even.
        Digits along red lines alternate between even and odd.
        Along a red line, digits alternate in parity.
        Adjacent digits on a red line differ in parity.
        Along red lines, each pair of adjacent digits must have one even and one odd digit.
    """,
    "Nabner": """
        Nabner lines: Digits along a yellow line cannot repeat and no two digits are consecutive.
        No two digits on a gold line may be consecutive or the same.
        Digits do not repeat along a gold line. Additionally, no pair of digits on a gold line can be consecutive.
        The yellow lines are nabner lines: their digits may not be consecutive or repeated.
    """,
    "KillerCage": """
        Digits in cages sum to the total in the top left corner and cannot repeat.
        Killer cages: Digits in a cage must sum to the small clue in the top left corner of the cage. Digits cannot repeat within a cage.
        Cages show their sums. Digits do not repeat in a cage.
        Digits in a cage do not repeat and sum to the given total.
        In cages, digits must sum to the small digit in the top left corner of the cage.
        Normal killer cage rules apply.
        Cages must sum to the clue in the top left corner, if given.
        Digits in cages must add up to the number in the upper left corner. No repeats.
        Cages do not contain repeats and sum to the total in the top left corner if provided.
        Cages sum to the indicated totals, and digits may not repeat in a cage.
        The sum of all digits in a cage (marked with dashed lines) must match the small number in its corner; no digit appears more than once in a cage.
        Cages - No digit can repeat in marked cages.
        Digits in a cage sum to its number ("<" means less than, and ">" means greater than). A "?" is a single digit.
    """,
    "EqualSum": """
        Every cage has the same total.
        All cages have the same sum.
        The digits in each cage, when added together, sum to the same total for each cage.
    """,
    "Difference": """
        White dots: digits separated by a white dot are consecutive.
        Cells separated by a white dot contain consecutive digits.
        Digits joined by a white dot must be consecutive.
        Adjacent cells joined by a white dot contain digits with a difference of 1.
        A white dot between two cells means the digits are consecutive.
        Digits on either side of a white dot differ by exactly 1.
        White dots connect cells containing consecutive digits.
        Kropki: white dots separate consecutive digits. Not all dots are given.
        White dots denote consecutive digits, black dots denote digits in a 1:2 ratio.
        Orthogonally connected cells with a white dot between them contain consecutive digits.
        A white dot between two cells means that one digit is exactly 1 greater than the other.
        Digits joined by a white dot have a difference of one, while digits joined by a black dot are in a 1 to 2 ratio (i.e. one is double the other).
    """,
    "Ratio": """
        Digits separated by a black dot have a 1:2 ratio.
        Black dots: one digit is double the other.
        Cells joined by a black dot contain digits in a 1:2 ratio.
        Digits in cells separated by a black dot are in a ratio of 2:1.
        One of the digits joined by a black dot is twice the other.
        Black Kropki dots separate digits where one is double the other.
        Kropki dots: white dots mean consecutive, black dots mean a 2:1 ratio. Not every dot is given.
        Adjacent digits with a black dot between them: one is double the other.
    """,
    "PairSum": """
        Digits separated by an X sum to 10.
        Digits separated by a V sum to 5. Not all X's and V's are given.
        Cells joined by an X contain digits that sum to 10; cells joined by a V contain digits that sum to 5.
        XV: Digits joined by an X sum to 10. Digits joined by a V sum to 5.
        Adjacent cells separated by an "X" must sum to 10.
        Digits in cells separated by X sum to 10 and digits in cells separated by V sum to 5.
        Pairs of cells with an X sum to 10, pairs with a V sum to 5.
        X marks pairs summing to 10, V marks pairs summing to 5.
        A number between two cells is the sum of the digits in these cells.
    """,
    "GreaterThan": """
        Inequality signs point to the smaller of the two digits.
        The inequality symbols point at the lower digit.
        Digits must obey the inequality signs.
        Digits must be placed in accordance with the "greater than" signs.
        The tip of each inequality sign points at the smaller digit.
    """,
    "Quadruple": """
        Quadruples: digits in a white circle must appear at least once in the four surrounding cells.
        The digits in a white circle must be placed in the four cells surrounding it.
        A number in a circle at the intersection of four cells must appear in at least one of the four surrounding cells.
        Digits in small circles must appear in the four cells touching the circle.
        If a digit is in a circle, then that digit must appear in at least one of the surrounding four cells.
        Each digit in a white circle appears in at least one of the four adjacent cells.
        Digits in a small white circle must appear at least once in the 4 cells around it.
    """,
    "Odd": """
        Cells with a grey circle contain an odd digit.
        A digit in a grey circle is odd.
        Digits in grey circles must be odd.
        Cells marked with a grey circle contain odd digits.
        Grey circles contain odd digits.
        Cells with unattached grey circles must contain odd digits.
        A grey square indicates an even digit. A grey circle indicates an odd digit.
    """,
    "Even": """
        Cells with a grey square contain an even digit.
        A digit in a grey square is even.
        Digits in grey squares are even.
        Shaded squares contain even digits.
    """,
    "AntiKnight": """
        Cells separated by a knight's move cannot contain the same digit.
        Identical digits may not be a knight's move apart (in chess).
        Anti-knight: Cells a knight's move apart must not contain the same digit.
        Digits may not repeat at a knight's move.
        Normal antiknight rules apply.
        No digit may appear a knight's move away from itself.
        Two identical digits cannot be separated by a chess knight's move.
        Antiknight constraint applies.
        Cells that are a knight's move apart (as in chess) must contain different digits.
        Cells a knight's move apart (two steps horizontally and one step vertically, or vice versa) cannot be the same.
        Two instances of the same digit cannot be a chess knight's move away from each other.
    """,
    "AntiKing": """
        Cells separated by a king's move cannot contain the same digit.
        Anti-king: identical digits cannot be a king's move apart.
        Diagonally adjacent cells cannot contain the same digit.
        Cells that are a king's move apart cannot be the same.
        No digit can be a king's move away from an equal digit (i.e. equal digits cannot be adjacent, even diagonally).
    """,
    "Nonconsecutive": """
        Orthogonally adjacent cells cannot contain consecutive digits.
        Adjacent digits cannot be consecutive.
        Nonconsecutive: consecutive digits cannot be orthogonally adjacent.
        Adjacent digits may not be consecutive.
    """,
    "Diagonals": """
        Digits cannot repeat along the marked diagonals.
        The digits 1-9 must appear once each along both marked diagonals.
        Digits do not repeat on the blue diagonal.
        Each main diagonal contains every digit once.
        Both main diagonals contain the digits from 1 to 9.
        Digits may not repeat on either of the two main diagonals.
        The negative diagonal contains each digit exactly once.
        Each main diagonal (marked in blue) cannot contain a repeated digit.
    """,
    "Sandwich": """
        Clues outside the grid give the sum of the digits between the 1 and the 9 in that row or column.
        Sandwich: numbers outside the grid indicate the sum of the digits sandwiched between the 1 and the 9 in that row or column.
        A clue outside the grid is the sum of digits between 1 and 9 in that row/column.
        Clues on the side of the grid give the sum of the digits between the 1 and the 9 in the respective row or column, not including the 1 and 9.
    """,
    "XSum": """
        X-Sums: a clue outside the grid shows the sum of the first X digits in that row or column, where X is the first digit in that direction.
        Numbers outside the grid are the sum of the first X numbers in that row or column, where X is the first number.
        Each number outside the grid is the sum of the first X digits in that direction, where X is equal to the first digit.
    """,
    "Skyscraper": """
        Skyscrapers: A clue outside the grid shows how many digits can be seen from that position, where higher digits hide lower ones.
        Numbers outside the grid indicate how many skyscrapers are visible from that direction; taller skyscrapers block the view of shorter ones.
        Digits are the heights of buildings. Numbers outside the grid indicate how many buildings can be seen when looking from that side (taller buildings conceal smaller buildings behind them).
    """,
    "LittleKiller": """
        Little killer: clues outside the grid give the sum of the digits along the indicated diagonal.
        Numbers outside the grid show the sum of the digits along the indicated diagonals. Digits may repeat along a diagonal.
        Digits along an indicated diagonal must sum to the given total outside the grid.
        Little killer clues: the sum of the digits along the indicated diagonal equals the number. Digits may repeat.
        Arrows outside the grid point along diagonals whose digits sum to the number given.
    """,
    "CountingCircles": """
        A digit in a circle indicates how many circles contain that digit.
        Counting circles: the value of a digit in a circle is the number of times that digit appears in circles.
        Digits in circles indicate exactly how many circles contain that digit.
        Each digit in a circle indicates the number of circles in which that digit appears.
        Counting circles: any digit appearing in a circle appears in exactly that many circles.
        If a digit appears in a circle, it indicates the total number of circles in which that digit appears.
    """,
    "DoubleArrow": """
        Double arrows: digits on a line between two circles sum to the sum of the digits in the circles.
        The digits along a double arrow line sum to the total of the digits in the two circles.
    """,
    "SumLine": """
        Ten lines: each grey line can be divided into one or more non-overlapping groups of adjacent cells that each sum to 10.
        Each white line can be split into segments that each sum to 10.
        10 lines: each orange line is divided into segments each of which sums to 10.
    """,
    "AllDifferent": """
        Digits in a shaded region cannot repeat.
        Extra regions: shaded cells contain the digits 1-9 once each.
        The connected shaded cells contain each digit from 1 to 9.
        Digits cannot repeat on a line.
    """,
    "Minimum": """
        Cells marked in grey contain digits smaller than all orthogonally adjacent cells.
        A digit in a shaded cell is less than all of its orthogonal neighbours.
    """,
    "Lockout": """
        Lockout lines: the digits on the diamonds differ by at least 4, and the digits on the line must not be between or equal to the diamond digits.
    """,
    "Equal": """
        Digits separated by a blue diamond are the same.
    """,
    "DiagonalNonconsecutive": """
        Diagonally adjacent digits cannot be consecutive.
    """,
    "NegativeXV": """
        Adjacent cells must not sum to 5 or 10.
        No two orthogonally adjacent cells sum to 5 or 10 unless marked with a V or X.
        No domino in the grid can contain digits summing to 10.
    """,
    "DisjointGroups": """
        Cells in the same position within two 3x3 boxes cannot contain the same digit (disjoint sets).
        Digits cannot repeat in the same relative position of different boxes.
    """,
    "GlobalEntropy": """
        Every 2x2 square contains a low digit (1-3), a middle digit (4-6) and a high digit (7-9).
        Every 2x2 set of cells contains at least one odd digit and at least one even digit.
        No 2x2 area contains only even digits or only odd digits.
    """,
    "GlobalModulo": """
        Each 2x2 box contains a digit from 147, one from 258 and one from 369.
    """,
    "Not": """
        In every row and column, three consecutive digits are never all odd or all even.
    """,
    "NumberedRoom": """
        Numbered rooms: clues outside the grid give the digit in the Nth cell of that row or column, where N is the first digit.
    """,
    "Sum": """
        Numbers outside the grid are the sum of the first three digits in that direction.
        Each number at the intersection of four cells is the sum of the digits in these cells.
    """,
    "Clone": """
        Clones: the shaded areas are identical, without rotation or reflection.
    """,
    "Maximum": """
        A shaded cell is greater than its orthogonal neighbours.
    """,
    "StateMachine": """
        A digit in a circle indicates how many of the surrounding cells contain smaller digits.
        A shaded cell says how many orthogonally adjacent cells hold even digits.
    """,
    "AverageArrow": """
        The digit in a circle is the average of the digits on its arrow.
    """,
    "sudoku": """
        Normal sudoku rules apply.
        Place the digits 1-9 once each in every row, column and 3x3 box.
        Fill the grid with digits 1 to 9 so that no digit repeats in any row, column or box.
        Standard Sudoku rules apply, place the digits 1 to 9 in each row, column and region.
        Every row, column and box contains the digits 1-9 exactly once.
        Digits cannot repeat in any row, column or marked 3x3 box.
        Classic sudoku rules apply.
        Normal irregular sudoku rules apply.
        Normal sudoku rules apply (i.e. place the digits 1-9 once each in every row, column and 3x3 box).
        Digits must not repeat within the same row, column or box.
        Place a digit from 1 to 9 into each of the empty squares so that each digit appears exactly once in each of the rows, columns and the nine 3x3 regions.
    """,
    "remark": """
        Not all dots are given.
        Not all possible dots are necessarily given.
        Not all Xs and Vs are given.
        There is no negative constraint.
        Digits may repeat along arrows.
        Digits may repeat on a line if allowed by other rules.
        Have fun!
        Different lines may have different sums.
        No negative constraints apply.
        The grid is partially covered in fog. Placing correct digits clears the fog around them.
        Digits can repeat on such a diagonal if allowed by the other rules.
        Digits may repeat on lines of either type as long as no other rule is broken.
    """,
    "negative": """
        All possible dots are given.
        All possible white dots are given.
        All Xs and Vs are given.
        All black and white dots are given.
        There is a negative constraint: all possible dots have been given.
    """,
    "refuse": """
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
    """,
}

SIX = Grid(6, 6, tuple(range(1, 7)), box=(2, 3))
NINE = Grid(9, 9, tuple(range(1, 10)), box=(3, 3))
NO_RULES = ("sudoku", "remark", "negative", "refuse")


def said(*names: str) -> list[tuple[str, str]]:
    return [(name, line.strip()) for name in names for line in SAID[name].strip().splitlines()]


@pytest.mark.parametrize("name", [name for name in SAID if name not in NO_RULES])
def test_a_rule_is_recognised(name: str) -> None:
    for _, text in said(name):
        readings = understand([], sentences(text), NINE)
        assert all(not reading.sentences for reading in readings), text
        kinds = {meaning.kind for reading in readings for meaning in reading.meanings}
        assert getattr(rules, name) in kinds, text


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


@pytest.mark.parametrize(("name", "text"), said("sudoku", "remark"))
def test_what_is_no_rule_by_itself_makes_none(name: str, text: str) -> None:
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


@pytest.mark.parametrize("name", [name for name in SAID if name not in NO_RULES])
def test_a_rule_with_a_limit_is_not_understood(name: str) -> None:
    for (_, text), limit in product(said(name), LIMITS):
        altered = f"{text.rstrip('.')}{limit}."
        readings = understand([], sentences(altered), NINE)
        assert all(reading.sentences for reading in readings), altered


def test_what_is_not_understood_is_kept() -> None:
    for _, text in said("refuse"):
        readings = understand([], sentences(text), NINE)
        assert all(reading.sentences for reading in readings), text


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
