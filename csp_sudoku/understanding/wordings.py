"""Wordings that are known: how rules texts usually say each rule.

A phrase names the concepts that say its rule, whatever their order. So it also fits sentences that
say something else with the same words: "circles lie between the lines". Where no stated solution
confirms a reading, each of its sentences must have the shape of a known wording. All others are for
the caller to decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import groupby

from csp_sudoku.constraints import registry
from csp_sudoku.grid import Grid
from csp_sudoku.understanding.lexicon import SHAPELESS, TELLING
from csp_sudoku.understanding.meaning import Meaning, understand
from csp_sudoku.understanding.sentences import STOP, Sentence, clauses, sentences
from csp_sudoku.understanding.statements import HOUSES, is_decoration

#: The sections of wordings that are no rule by themselves.
NO_RULE = ("sudoku", "remark", "negative")

_FIELD = re.compile(r"\{(\w+)\}")

Shape = tuple[str, ...]

_DIGITS = tuple(range(1, 10))
# Some wordings speak of boxes, and others of regions that are to be found.
_GRIDS = (Grid(9, 9, _DIGITS, box=(3, 3)), Grid(9, 9, _DIGITS))


def is_familiar(meaning: Meaning) -> bool:
    """Whether a sentence says what it means in a known way."""
    sentence = meaning.sentence
    if meaning.kind is None and (sentence.concepts <= HOUSES or is_decoration(sentence)):
        return not TELLING.intersection(sentence.shape)  # in whatever order
    name = meaning.kind.name if meaning.kind else ""
    if _is_known(sentence, name):
        return True
    # "Green lines are whispers - adjacent digits differ by at least 5": each clause is a wording.
    return any(
        {word for part in parts for word in part.shape} >= {*sentence.shape} - {STOP}
        and all(_is_known(part, name) for part in parts)
        for parts in clauses(sentence)
    )


def _is_known(sentence: Sentence, name: str) -> bool:
    new = {*_parts(sentence.shape)} - _said(name)
    return not new or new <= _meant(name)  # which takes longer to find


def wordings(section: str) -> tuple[str, ...]:
    """The wordings of a class of constraints, or of sentences that are no rule by themselves.

    Examples
    --------
    >>> "Digits in shaded cells are odd." in wordings("Odd")
    True
    """
    return sections().get(section, ())


@cache
def sections() -> dict[str, tuple[str, ...]]:
    """The wordings of each section of ``wordings.txt``."""
    text = files(__package__).joinpath("wordings.txt").read_text("utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for block in text.split("\n[")[1:]:
        name, _, lines = block.partition("]\n")
        found[name] = tuple(filter(None, lines.splitlines()))
    return found


def _known(name: str) -> list[str]:
    """The wordings of a rule; without a name, of what is no rule."""
    if not name:
        return [line for section in NO_RULE for line in wordings(section)]
    kind = registry.kinds()[name]
    return [*wordings(kind.__name__), *kind.wordings, _FIELD.sub(_example, kind.saying)]


@cache
def _said(name: str) -> frozenset[Shape]:
    """The shapes of the sentences in the wordings of a rule."""
    said = (sentence for text in _known(name) for sentence in sentences(text))
    return frozenset(part for sentence in said for part in _parts(sentence.shape))


@cache
def _meant(name: str) -> frozenset[Shape]:
    """The shapes of all that means the rule in its wordings, such as a clause of a sentence."""
    kind = registry.kinds()[name] if name else None
    return frozenset(
        part
        for text in _known(name)
        for grid in _GRIDS
        for reading in understand([], sentences(text), grid)
        for meaning in reading.meanings
        if meaning.kind is kind
        for part in _parts(meaning.sentence.shape)
    )


def _example(field: re.Match[str]) -> str:
    """An example of a field of a saying."""
    return {"colour": "red ", "letter": "X"}.get(field[1], "5")


def _parts(shape: Shape) -> Iterator[Shape]:
    """The shapes of the sentences that a sentence is made of."""
    for stops, part in groupby(shape, lambda word: word == STOP):
        if not stops:
            # "sum to the same total" says "sum" twice.
            yield tuple(word for word, _ in groupby(w for w in part if w not in SHAPELESS))
