"""Sentences that repeat a rule which the document states as data: they must say the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

from csp_sudoku import constraints as rules
from csp_sudoku.cells import Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.grid import Grid, default_box
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.understanding.phrases import Phrase
from csp_sudoku.understanding.sentences import Sentence

_CELL = re.compile(r"\b[RC][0-9]+(C[0-9]+)?\b")
_NUMBER = re.compile("[0-9]+")
# What the concept says without a number.
_IMPLIED = {"consecutive": (rules.Difference, 1), "ratio": (rules.Ratio, 2)}
_XV = {"X": 10, "V": 5}
# Rules that forbid what "may repeat" allows, and what the sentence speaks of then.
_NO_REPEATS = (
    rules.AllDifferent,
    rules.Diagonals,
    rules.KillerCage,
    rules.Nabner,
    rules.Renban,
)


def repeats(sentence: Sentence, puzzle: Puzzle, rule: Constraint) -> bool:
    """Whether a sentence says what a rule of the puzzle says, with the same numbers and colours."""
    phrases = [phrase for phrase in type(rule).phrases if phrase.fits(sentence)]
    return (
        bool(phrases)
        and _has_numbers(sentence, puzzle, rule)
        and _has_colours(sentence, phrases, puzzle, rule)
        and not ("may-repeat" in sentence.concepts and isinstance(rule, _NO_REPEATS))
    )


def stated(puzzle: Puzzle) -> list[Constraint]:
    """The rules of a puzzle, and the marks that its negative rules speak of, drawn or not."""
    found: list[Constraint] = []
    pair = puzzle.cells[:2]
    for rule in puzzle.constraints:
        found.append(rule)
        if isinstance(rule, rules.NegativeKropki):
            found += [rules.Difference(pair, number) for number in rule.differences]
            found += [rules.Ratio(pair, number) for number in rule.ratios]
        elif isinstance(rule, rules.NegativeXV):
            found += [rules.PairSum(pair, number) for number in rule.sums]
    return found


def denies(sentence: Sentence, everything: Iterable[Constraint]) -> bool:
    """Whether a remark allows what the rules forbid: marks to be missing, or repeats.

    Repeats are forbidden if every rule that it may speak of forbids them.
    """
    if "not-all-given" in sentence.concepts:
        return any(sentence.concepts & _missing(rule) for rule in everything)
    if "may-repeat" not in sentence.concepts:
        return False
    meant = [rule for rule in everything if sentence.concepts & _subjects(rule)]
    return bool(meant) and all(isinstance(rule, _NO_REPEATS) for rule in meant)


def lacks_boxes(sentence: Sentence, grid: Grid, everything: Iterable[Constraint]) -> bool:
    """Whether the usual rules are said of a grid that could have boxes, and has no regions.

    Who adds what rows and columns hold says all of it.
    """
    if "normal-sudoku" not in sentence.concepts or sentence.concepts & {"row", "column"}:
        return False
    number = len(grid.values)
    if grid.boxes or default_box(grid.rows, grid.columns, number) is None:
        return False
    regions: set[Place] = set()
    for rule in everything:
        if isinstance(rule, rules.RegionsToFind):
            return False
        if isinstance(rule, rules.AllDifferent | rules.KillerCage) and len(rule.cells) == number:
            regions.update(rule.cells)
    return not regions.issuperset(grid.cells)


def _missing(rule: Constraint) -> set[str]:
    """What a rule says is there wherever it could be."""
    if isinstance(rule, rules.NegativeXV):
        return {"letter-x", "letter-v", "letters"}
    return {"dot"} if isinstance(rule, rules.NegativeKropki) else set()


def _subjects(rule: Constraint) -> set[str]:
    """The figures that the phrases of a rule speak of, by the concepts that name them."""
    named = {word for phrase in type(rule).phrases for word in phrase.figure.split()}
    needed = {word for phrase in type(rule).phrases for word in re.split(r"[ |]", phrase.needs)}
    return named | needed & {"diagonal", "both-diagonals", "rising-diagonal", "falling-diagonal"}


def _has_numbers(sentence: Sentence, puzzle: Puzzle, rule: Constraint) -> bool:
    """Whether the numbers of the sentence are those of the rule."""
    said = {*sentence.numbers, sentence.at_least} - {None}
    for concept, (kind, number) in _IMPLIED.items():
        if concept in sentence.concepts and isinstance(rule, kind):
            said.add(number)
    if isinstance(rule, rules.PairSum) and sentence.concepts & {"letter-x", "letter-v"}:
        sums = sentence.letter_sums
        return bool(sums) and all(total == _XV[letter] for letter, total in sums.items())
    values = puzzle.grids[0].values
    ends = (values[0], values[-1])
    text = _CELL.sub("", rule.describe(puzzle))
    held = {*ends} if isinstance(rule, rules.Sandwich) else {*map(int, _NUMBER.findall(text))}
    return said <= held and sentence.span in (None, ends)


def _has_colours(
    sentence: Sentence, phrases: Iterable[Phrase], puzzle: Puzzle, rule: Constraint
) -> bool:
    """Whether the colours of the sentence can be those of the rule, and are not another rule's."""
    own = _colours(phrases)
    if not sentence.colours or not own or sentence.colours & own:
        return True
    others = _colours(phrase for other in puzzle.constraints for phrase in type(other).phrases)
    is_dot = any("edge" in phrase.figure for phrase in phrases)
    return not (is_dot or sentence.colours & others)


def _colours(phrases: Iterable[Phrase]) -> set[str]:
    return {colour for phrase in phrases for colour in phrase.habit.split()}
