"""Sentences of rules texts, as people write them, and what they mean."""

from __future__ import annotations

import pytest

from csp_sudoku import constraints as rules
from csp_sudoku.drawings.sentences import sentences
from csp_sudoku.drawings.understanding import understand
from csp_sudoku.grid import Grid

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
    """,
    "Between": """
        Between lines: digits on a line between two circles must have values strictly between the digits in the circles.
        Digits along a line lie strictly between the digits in the circles at its ends.
        Digits on lines must be between the values of the circled digits at the ends.
    """,
    "Palindrome": """
        Grey lines are palindromes: they read the same in both directions.
        Palindromes: Digits along a grey line read the same forwards and backwards.
        Digits along the grey line form a palindrome.
        A grey line is a palindrome and must read the same from either end.
        Lines are palindromes, reading the same in both directions.
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
    """,
    "Zipper": """
        Zipper lines: digits an equal distance from the centre of a lavender line sum to the same total. For lines of odd length, that total is the digit in the centre cell.
        Digits which are an equal distance from the center of a zipper line all sum to the digit in the center of that line.
        Pairs of digits equidistant from the centre of a lavender line sum to the digit in the centre.
    """,
    "Entropic": """
        Every set of three consecutive cells along an orange line must contain a low digit (1,2,3), a middle digit (4,5,6) and a high digit (7,8,9).
        Entropic lines: any run of three adjacent cells on a peach line contains one digit from 123, one from 456 and one from 789.
        Any three sequential digits along an orange line include one from {1,2,3}, one from {4,5,6}, and one from {7,8,9}.
    """,
    "Modular": """
        Modular lines: every run of three sequential digits along a teal line contains a digit from (1,4,7), a digit from (2,5,8) and a digit from (3,6,9).
        Any set of three adjacent digits on a turquoise line must contain one from 147, one from 258 and one from 369.
    """,
    "ParityLine": """
        Parity lines: adjacent digits on a red line must alternate between odd and even.
        Digits along red lines alternate between even and odd.
        Along a red line, digits alternate in parity.
    """,
    "Nabner": """
        Nabner lines: Digits along a yellow line cannot repeat and no two digits are consecutive.
        No two digits on a gold line may be consecutive or the same.
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
    """,
    "Ratio": """
        Digits separated by a black dot have a 1:2 ratio.
        Black dots: one digit is double the other.
        Cells joined by a black dot contain digits in a 1:2 ratio.
        Digits in cells separated by a black dot are in a ratio of 2:1.
        One of the digits joined by a black dot is twice the other.
        Black Kropki dots separate digits where one is double the other.
    """,
    "PairSum": """
        Digits separated by an X sum to 10.
        Digits separated by a V sum to 5. Not all X's and V's are given.
        Cells joined by an X contain digits that sum to 10; cells joined by a V contain digits that sum to 5.
        XV: Digits joined by an X sum to 10. Digits joined by a V sum to 5.
        Adjacent cells separated by an "X" must sum to 10.
        Digits in cells separated by X sum to 10 and digits in cells separated by V sum to 5.
    """,
    "GreaterThan": """
        Inequality signs point to the smaller of the two digits.
        The inequality symbols point at the lower digit.
        Digits must obey the inequality signs.
    """,
    "Quadruple": """
        Quadruples: digits in a white circle must appear at least once in the four surrounding cells.
        The digits in a white circle must be placed in the four cells surrounding it.
        A number in a circle at the intersection of four cells must appear in at least one of the four surrounding cells.
        Digits in small circles must appear in the four cells touching the circle.
        If a digit is in a circle, then that digit must appear in at least one of the surrounding four cells.
    """,
    "Odd": """
        Cells with a grey circle contain an odd digit.
        A digit in a grey circle is odd.
        Digits in grey circles must be odd.
        Cells marked with a grey circle contain odd digits.
        Grey circles contain odd digits.
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
    """,
    "AntiKing": """
        Cells separated by a king's move cannot contain the same digit.
        Anti-king: identical digits cannot be a king's move apart.
        Diagonally adjacent cells cannot contain the same digit.
    """,
    "Nonconsecutive": """
        Orthogonally adjacent cells cannot contain consecutive digits.
        Adjacent digits cannot be consecutive.
        Nonconsecutive: consecutive digits cannot be orthogonally adjacent.
    """,
    "Diagonals": """
        Digits cannot repeat along the marked diagonals.
        The digits 1-9 must appear once each along both marked diagonals.
        Digits do not repeat on the blue diagonal.
        Each main diagonal contains every digit once.
        Both main diagonals contain the digits from 1 to 9.
    """,
    "Sandwich": """
        Clues outside the grid give the sum of the digits between the 1 and the 9 in that row or column.
        Sandwich: numbers outside the grid indicate the sum of the digits sandwiched between the 1 and the 9 in that row or column.
        A clue outside the grid is the sum of digits between 1 and 9 in that row/column.
    """,
    "XSum": """
        X-Sums: a clue outside the grid shows the sum of the first X digits in that row or column, where X is the first digit in that direction.
        Numbers outside the grid are the sum of the first X numbers in that row or column, where X is the first number.
    """,
    "Skyscraper": """
        Skyscrapers: A clue outside the grid shows how many digits can be seen from that position, where higher digits hide lower ones.
        Numbers outside the grid indicate how many skyscrapers are visible from that direction; taller skyscrapers block the view of shorter ones.
    """,
    "LittleKiller": """
        Little killer: clues outside the grid give the sum of the digits along the indicated diagonal.
        Numbers outside the grid show the sum of the digits along the indicated diagonals. Digits may repeat along a diagonal.
        Digits along an indicated diagonal must sum to the given total outside the grid.
    """,
    "CountingCircles": """
        A digit in a circle indicates how many circles contain that digit.
        Counting circles: the value of a digit in a circle is the number of times that digit appears in circles.
        Digits in circles indicate exactly how many circles contain that digit.
        Each digit in a circle indicates the number of circles in which that digit appears.
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
    """,
    "Minimum": """
        Cells marked in grey contain digits smaller than all orthogonally adjacent cells.
        A digit in a shaded cell is less than all of its orthogonal neighbours.
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
    """,
}

NINE = Grid(9, 9, tuple(range(1, 10)), box=(3, 3))
NO_RULES = ("sudoku", "remark", "negative", "refuse")


def said(*names: str) -> list[tuple[str, str]]:
    return [(name, line.strip()) for name in names for line in SAID[name].strip().splitlines()]


@pytest.mark.parametrize(("name", "text"), said(*(name for name in SAID if name not in NO_RULES)))
def test_a_rule_is_recognised(name: str, text: str) -> None:
    readings = understand([], sentences(text), NINE)
    assert all(not reading.sentences for reading in readings)
    kinds = {meaning.kind for reading in readings for meaning in reading.meanings}
    assert getattr(rules, name) in kinds


@pytest.mark.parametrize(("name", "text"), said("sudoku", "remark"))
def test_what_is_no_rule_by_itself_makes_none(name: str, text: str) -> None:
    [reading] = understand([], sentences(text), NINE)
    assert not reading.sentences
    assert not reading.rules


@pytest.mark.parametrize(("name", "text"), said("refuse"))
def test_what_is_not_understood_is_kept(name: str, text: str) -> None:
    assert all(reading.sentences for reading in understand([], sentences(text), NINE))
