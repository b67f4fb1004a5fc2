"""Sentences that are no rule by themselves: the usual rules, remarks, and "all dots are given"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from csp_sudoku import constraints as rules
from csp_sudoku.cells import Cell
from csp_sudoku.constraints import registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.grid import Grid
from csp_sudoku.understanding.phrases import Phrase
from csp_sudoku.understanding.sentences import Sentence

HOUSES = frozenset(
    "normal-sudoku region-houses digits-range row column box region once no-repeat or appear "
    "set".split()
)
"""The concepts of sentences about rows, columns and boxes."""

# What a text says to make things clear, although the rules say it already.
_REMARKS = (
    Phrase("", "not-all-given", "dot letter-x letter-v letters circle"),
    Phrase("", "all-given", "dot letter-x letter-v letters square circle"),
    Phrase(
        "",
        "may-repeat",
        "line arrow diagonal zipper palindrome whisper circle thermometer pill set either sum",
    ),
    Phrase("", "different line", "sum divide same region-sum"),
    Phrase("", "different divide sum", "same box line separate"),
    Phrase("", "divide sum box|region line", "same if again separate"),
    Phrase("", "again separate box|region line|divide", "if sum same divide"),
    Phrase("", "centre sum odd-length", "circle line zipper if"),
    Phrase("", "hide greater|skyscraper", "less greater skyscraper"),
    Phrase("", "entropic|modular different set", "line"),
    Phrase("", "fog|clears", "fog clears four adjacent neighbours if appear box"),
    Phrase("", "skyscraper"),
    Phrase("", "centre sum same if", "zipper line circle"),
    Phrase("", "overlap not", "set divide line end"),
    Phrase("", "set some|once", "divide"),
)

_JOINTS = re.compile(r"\s*(?:,|;|&|\+|/|\bplus\b|\band\b)\s*")
# Words around the name of a rule that add nothing to it, and those that it may end with or not.
_AROUND = frozenset(
    """
    a all also an applies apply as basic both classic constraint constraints conventional default
    for in is normal of ordinary puzzle regular rule rules standard sudoku the there these this too
    typical usual well with
    """.split()
)
_SORTS = frozenset("cage circle clue dot group line pair set sum".split())
# Signs that people write as one word, and names that stand for two rules.
_SIGNS = {
    "x/v": "xv",
    "x-v": "xv",
    "minimum/maximum": "minmax",
    "min/max": "minmax",
    "max/min": "minmax",
}
_TOGETHER: dict[str, tuple[type[Constraint], ...]] = {
    "minmax": (rules.Minimum, rules.Maximum),
    "kropki": (rules.Difference, rules.Ratio),
    "xv": (rules.PairSum,),
}
# For many people their usual rules say more: that all marks are given.
_OF_MARKS = (rules.Difference, rules.Ratio, rules.PairSum)


def explains_nothing(sentence: Sentence, grid: Grid) -> bool:
    """Whether a sentence states the usual rules of the grid, or makes a remark."""
    return _is_usual(sentence, grid) or any(phrase.fits(sentence) for phrase in _REMARKS)


def only_names(text: str, stated: Iterable[Constraint], data: Iterable[Constraint] = ()) -> bool:
    """Whether a sentence says no more than that these rules, or some of them, apply.

    The rules that are `data` of a document may be named after their marks: such a document says
    itself whether all marks are given.

    Examples
    --------
    >>> cage = rules.KillerCage("R1C1 R1C2", 5)
    >>> only_names("Normal sudoku and killer cage rules apply", [cage])
    True
    >>> only_names("Normal sudoku and thermo rules apply", [cage])
    False
    """
    said = text.lower().strip(" .!:+-•*")
    for sign, word in _SIGNS.items():
        said = re.sub(rf"\b{sign}\b", word, said)
    names = {way for rule in stated for name in _names(rule) for way in _ways(name)}
    held = tuple(data)
    names |= {
        name for name, kinds in _TOGETHER.items() if any(isinstance(rule, kinds) for rule in held)
    }
    parts = [ways for part in _JOINTS.split(said) if (ways := _ways(part))]
    return bool(parts) and all(ways & names for ways in parts)


def named_alone(words: str, kinds: Iterable[type[Constraint]]) -> Iterator[type[Constraint]]:
    """The rules of the whole grid that have their names among these words.

    Examples
    --------
    >>> [rule.name for rule in named_alone("Both diagonals", [rules.Diagonals, rules.Windoku])]
    ['diagonals']
    """
    said = f" {' '.join(_bare(words))} "
    for kind in kinds:
        names = (kind.name, *kind.aliases) if not registry.needs(kind) else ()
        if any(f" {' '.join(_bare(name))} " in said for name in names):
            yield kind


def _bare(words: str) -> list[str]:
    """Words in small letters and in the singular."""
    return [word.removesuffix("s") for word in re.findall(r"[a-z]+", words.lower())]


def _names(rule: Constraint) -> tuple[str, ...]:
    # Who speaks of diagonals means both of them.
    says_less = isinstance(rule, rules.Diagonals) and not (rule.falling and rule.rising)
    return () if says_less or isinstance(rule, _OF_MARKS) else (rule.name, *rule.aliases)


def _ways(name: str) -> set[str]:
    """A name in the singular, with and without the sort of rule at its end: "killer cage"."""
    words = [w.removesuffix("s") for w in re.findall(r"[^\s-]+", name) if w not in _AROUND]
    ways = {" ".join(words), " ".join(words[:-1]) if words and words[-1] in _SORTS else ""}
    return {way for way in ways if len(way) > 1}  # X is a diagonal, a sum or a letter


def is_decoration(sentence: Sentence) -> bool:
    """Whether a sentence says that something is drawn only for decoration."""
    rest = sentence.concepts - {"decorative"}
    return (
        rest < sentence.concepts
        and bool(rest)
        and rest <= {"line", "circle", "square", "diamond", "cage", "arrow", "thermometer"}
        and not (sentence.unknown or sentence.numbers)
    )


def _is_usual(sentence: Sentence, grid: Grid) -> bool:
    """Whether a sentence says what rows, columns and boxes of this grid hold."""
    said = sentence.concepts
    if any(number != len(grid.values) for number in sentence.numbers):  # "the nine regions"
        return False
    if sentence.unknown or sentence.colours or not said <= HOUSES:
        return False
    if sentence.size not in (None, (grid.rows, grid.columns)):
        return False
    span = sentence.span or (grid.values[0], grid.values[-1])
    boxes = bool(said & {"box", "region"}) == bool(grid.boxes)
    houses = {"row", "column"} <= said and boxes
    # "Normal sudoku rules apply to columns" says less than usual.
    partly = said & {"row", "column", "box"} and not houses
    if span != (grid.values[0], grid.values[-1]) or partly:
        return False
    if said & {"normal-sudoku", "region-houses"}:
        return "normal-sudoku" in said or (bool(grid.boxes) and grid.values[0] == 1)
    return (houses and bool(sentence.span or said & {"no-repeat", "once"})) or (
        sentence.span is not None and said <= {"digits-range", "once"}
    )


def negative_rules(
    sentence: Sentence,
    stated: Sequence[Constraint],
    before: Sequence[Constraint],
    grid: Grid,
) -> tuple[Constraint, ...] | None:
    """The rules that "all … are given" means; None if it does not say of what.

    Without a name ("all such pairs are given") it speaks of the rules of the sentence before.
    """
    meant: list[Constraint]
    words = set(sentence.given.replace("'", "").split()) | sentence.concepts
    if words & {"dot", "dots", "kropki"}:
        meant = [r for r in stated if isinstance(r, rules.Difference | rules.Ratio | rules.Pair)]
        if "white" in words or "black" in words:
            kinds = [rules.Difference] * ("white" in words) + [rules.Ratio] * ("black" in words)
            meant = [r for r in meant if isinstance(r, tuple(kinds))]
    elif words & {"x", "xs", "v", "vs", "xv", "xvs", "letter-x", "letter-v", "letters"}:
        totals = [10] * bool(words & {"x", "xs", "letter-x"})
        totals += [5] * bool(words & {"v", "vs", "letter-v"})
        return tuple(_without_sums(tuple(sorted(totals or (5, 10))), stated, grid))
    else:
        meant = list(before)
    differences = sorted({r.difference for r in meant if isinstance(r, rules.Difference)})
    ratios = sorted({r.ratio for r in meant if isinstance(r, rules.Ratio)})
    sums = sorted({r.total for r in meant if isinstance(r, rules.PairSum)})
    found: list[Constraint] = []
    if differences or ratios:
        found.append(rules.NegativeKropki(differences=tuple(differences), ratios=tuple(ratios)))
    if sums:
        found += _without_sums(tuple(sums), stated, grid)
    for allowed in dict.fromkeys(r.allowed for r in meant if isinstance(r, rules.Pair)):
        found += _unmarked(set(allowed), stated, grid)
    return tuple(found) or None


def _without_sums(
    sums: tuple[int, ...], stated: Sequence[Constraint], grid: Grid
) -> Iterator[Constraint]:
    """Neighbours without a mark do not have these sums; a mark is any that says one of them."""
    pairs = {pair for pair in product(grid.values, grid.values) if sum(pair) in sums}
    marks = [rule for rule in stated if isinstance(rule, rules.Pair)]
    if not any(set(mark.allowed) <= pairs for mark in marks):
        yield rules.NegativeXV(sums)
    else:
        yield from _unmarked(pairs, stated, grid)


def _unmarked(
    allowed: set[tuple[int, int]], stated: Sequence[Constraint], grid: Grid
) -> Iterator[Constraint]:
    """For all neighbours without such a mark: what the mark allows is forbidden."""
    marks = [rule for rule in stated if isinstance(rule, rules.Pair)]
    marked = {frozenset(mark.cells) for mark in marks if set(mark.allowed) <= allowed}
    marked |= {
        frozenset(rule.cells)
        for rule in stated
        if isinstance(rule, rules.PairSum)
        and {(a, b) for a, b in product(grid.values, grid.values) if a + b == rule.total} <= allowed
    }
    others = [pair for pair in product(grid.values, grid.values) if pair not in allowed]
    for cell in grid.cells:
        for beside in (Cell(cell.row, cell.col + 1), Cell(cell.row + 1, cell.col)):
            if beside in grid.cells and frozenset((cell, beside)) not in marked:
                yield rules.Pair((cell, beside), others)
