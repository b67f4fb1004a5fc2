"""Where each rule of a puzzle comes from: the drawing, the sentence, the entry of a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from csp_sudoku.constraints.base import Constraint
from csp_sudoku.formats.reading import Reading
from csp_sudoku.puzzle import Puzzle

if TYPE_CHECKING:
    from csp_sudoku.understanding.meaning import Meaning

_AS_DATA = "the document states it as data"
_BY_NOTHING = "nothing"


@dataclass(frozen=True)
class Origin:
    """A rule, and what it comes from.

    Attributes
    ----------
    drawn
        What is drawn and where, or the entry of the document; empty if it is only said.
    said
        The sentence of the rules text that speaks of it; empty if none does.
    rule
        What it became; None for a sentence that is no rule by itself, such as "normal sudoku rules
        apply".
    confirmed
        What confirms it.
    """

    drawn: tuple[str, ...]
    said: str
    rule: Constraint | None
    confirmed: str


def origins(reading: Reading) -> list[Origin]:
    """Return where each rule comes from, and what each sentence became.

    Examples
    --------
    >>> from csp_sudoku.formats.iss import read_text
    >>> for origin in origins(read_text(".Shape~4x4.Thermo~R1C1~R1C2.AntiKnight")):
    ...     print(*origin.drawn, "is", origin.rule.label)
    .Thermo~R1C1~R1C2 is thermometer at R1C1
    .AntiKnight is anti-knight
    """
    puzzle = reading.puzzle
    found: list[Origin] = []
    # A sentence may speak of rules that the document states as data.
    spare = [meaning for meaning in reading.meanings if meaning.kind and not meaning.rules]
    stated = [(where, rule) for where, rules in reading.entries for rule in rules]
    for where, rule in stated:
        if rule in puzzle.constraints:
            said = [m.sentence.text for m in spare if m.kind is type(rule)]
            found.append(Origin((where,), "; ".join(said), rule, _AS_DATA))
    spoken_of = {type(rule) for _, rule in stated}
    for meaning in reading.meanings:
        if meaning in spare and meaning.kind in spoken_of:
            continue
        confirmed = (reading.confirmed or _BY_NOTHING) if meaning.rules else ""
        for drawn, rule_made in _pairs(meaning, puzzle):
            found.append(Origin(drawn, meaning.sentence.text, rule_made, confirmed))
    known = {origin.rule for origin in found}
    others = [rule for rule in puzzle.constraints if rule not in known]
    return [*found, *(Origin((), "", rule, _AS_DATA) for rule in others)]


def _pairs(meaning: Meaning, puzzle: Puzzle) -> Iterator[tuple[tuple[str, ...], Constraint | None]]:
    """The rules of a sentence, each with what is drawn for it."""
    figures, rules = meaning.figures, meaning.rules
    if len(rules) < 2:
        yield _texts(figures), rules[0] if rules else None
    elif len(rules) == len(figures):
        yield from ((_texts([figure]), rule) for figure, rule in zip(figures, rules, strict=True))
    else:
        for rule in rules:
            scope = set(rule.scope(puzzle))
            yield _texts([f for f in figures if scope & {*f.cells, *f.heads}]), rule


def _texts(figures: Sequence[object]) -> tuple[str, ...]:
    return tuple(map(str, figures))
