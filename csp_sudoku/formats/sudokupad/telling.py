"""How a SudokuPad document tells the rules of a puzzle: as drawings, as sentences, or as data.

A rule whose class has a ``saying`` is drawn and said. The reader must find the same rule in the
drawing and the sentence; this is tried here. Any other rule is drawn as far as it has a picture,
its own sentence stands in the rules text, and the document holds the rule itself as data.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from csp_sudoku import pictures
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import fields
from csp_sudoku.formats.drawn import scl_canvas, without_sentences
from csp_sudoku.formats.loose import Object
from csp_sudoku.formats.reading import Collector
from csp_sudoku.formats.sudokupad.painting import Painter, code
from csp_sudoku.formats.tables import Unwritten
from csp_sudoku.forms import NotHeldError
from csp_sudoku.grid import Grid
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.understanding.canvas import Canvas
from csp_sudoku.understanding.choosing import interpret
from csp_sudoku.understanding.colours import names_of

#: Where the metadata of a document hold the rules that are data.
KEY = "csp-sudoku"

# Colours in the order in which they are taken, if the one of the rule is taken; and their names.
_HUES = ("green", "purple", "orange", "blue", "gold", "red", "grey", "black")
_WORDS = {"gold": "yellow", "lilac": "violet", "ink": "black"}
# Marks of these kinds are called by their colour, even if there is no other mark like them.
_BY_COLOUR = ("line", "edge")
_USUAL = "Normal sudoku rules apply."


@dataclass(frozen=True)
class Said:
    """A rule that its drawing and a sentence say.

    `family` tells which drawings look alike but for their colour.
    """

    rule: Constraint
    sentence: str
    hue: str
    family: tuple[str, str]


@dataclass
class Telling:
    """How the rules of a puzzle are told: some are `stated` as data, all others said and drawn."""

    puzzle: Puzzle
    flags: Sequence[Constraint] = ()
    stated: list[Constraint] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    missing: list[Unwritten] = field(default_factory=list)

    @property
    def data(self) -> list[Object]:
        """The rules that are stated, as JSON objects."""
        return [fields.write_constraint(rule, rule.label) for rule in self.stated]

    def sentences(self) -> list[str]:
        """The sentences of the rules that are stated."""
        return [pictures.sentence(rule, self.puzzle).text for rule in self.stated]

    def text(self) -> str:
        """The rules text."""
        usual = [_USUAL] if _is_usual(self.puzzle.grids[0]) else []
        flags = [pictures.sentence(rule, self.puzzle).text for rule in self.flags]
        drawn = list(dict.fromkeys(sentence for _, sentence, _ in self.coloured()))
        return "\n".join([*usual, *flags, *drawn, *self.sentences()])

    def items(self) -> dict[str, list[Object]]:
        """The drawings of all rules."""
        first = painted(self.puzzle, self.stated)
        second = self._drawn(first)
        return {key: [*first.items[key], *second.items[key]] for key in first.items}

    def _drawn(self, beside: Painter) -> Painter:
        painter = Painter(self.puzzle, beside)
        for rule, _, hue in self.coloured():
            painter.paint(rule, hue, said=True)
        return painter

    def coloured(self) -> Iterator[tuple[Constraint, str, str]]:
        """Each rule that is said, its sentence with its colour, and its colour."""
        groups = list(dict.fromkeys((item.family, item.sentence) for item in self.said))
        hues = _colours(groups, {item.sentence: item.hue for item in self.said})
        for item in self.said:
            hue = hues.get(item.sentence, "")
            yield item.rule, _spoken(item.sentence, hue), hue

    def is_understood(self, text: str) -> bool:
        """Whether the reader finds exactly these rules in the drawings and in a text."""
        return self.lost(text) == []

    def lost(self, text: str) -> list[Constraint]:
        """The rules that the reader does not find in the drawings and in a text."""
        known = replace(self.puzzle, constraints=()).add(*self.flags, *self.stated)
        drawn = _canvas(self._drawn(painted(self.puzzle, self.stated)).items, self.puzzle)
        rules = [item.rule for item in self.said]
        try:
            found = interpret(known, drawn, without_sentences(text, known))
        except CspSudokuError:
            return rules
        read = found.puzzle.constraints[len(known.constraints) :]
        lost = [rule for rule in rules if rule not in read]
        # A sentence that takes another rule's drawing, too, makes more rules of its kind.
        extra = {type(rule) for rule in read if rule not in rules}
        lost = lost or [rule for rule in rules if type(rule) in extra]
        is_whole = not (found.figures or found.sentences or extra)
        return lost if lost or is_whole else rules


def tell(puzzle: Puzzle, flags: Sequence[Constraint]) -> Telling:
    """Plan how the rules of a puzzle are told; `flags` are those that the document names."""
    bare = replace(puzzle, candidates=(), left_out=())
    telling = Telling(bare, flags)
    for rule in puzzle.constraints:
        if rule in flags:
            continue
        try:
            _plan(rule, telling)
        except NotHeldError as reason:
            telling.missing.append(Unwritten(rule, str(reason)))
    # Drawings that are understood alone may be mistaken beside others.
    while lost := telling.lost(telling.text()):
        telling.said = [item for item in telling.said if item.rule not in lost]
        for rule in lost:
            try:
                telling.stated.append(_stated(rule))
            except NotHeldError as reason:
                telling.missing.append(Unwritten(rule, str(reason)))
    return telling


def _plan(rule: Constraint, telling: Telling) -> None:
    """Say a rule, or the same in other words; if neither is understood, state it."""
    others = list(rule.restated(telling.puzzle))
    alike = [other for other in others if type(other) is type(rule)] == others
    in_parts = rule.combined() == tuple(others)
    for words in ([rule], others if alike or in_parts else []):
        if (said := _all_said(words, telling.puzzle)) is not None:
            telling.said += said
            return
    try:
        telling.stated.append(_stated(rule))
    except NotHeldError:
        said = _all_said(others, telling.puzzle)
        if said is None:
            raise
        telling.said += said


def _all_said(rules: Iterable[Constraint], puzzle: Puzzle) -> list[Said] | None:
    """All of these rules as they are said; None if there are none, or one of them cannot be."""
    found = [_said(rule, puzzle) for rule in rules]
    whole = [said for said in found if said is not None]
    return whole if whole and len(whole) == len(found) else None


def _stated(rule: Constraint) -> Constraint:
    """The rule, if it can be stated: its sentence says all of it, and there are data for it."""
    if not rule.is_told:
        raise NotHeldError("there no sentence says it in full")
    try:
        fields.write_constraint(rule, "")
    except FormatError:
        raise NotHeldError("it holds a function, which no document can hold") from None
    return rule


def _said(rule: Constraint, puzzle: Puzzle) -> Said | None:
    """The rule as its drawing and its sentence say it; None if the reader sees another rule."""
    if not rule.saying:
        return None
    sentence = rule.saying.format_map(_Fields(rule, puzzle.grids[0]))
    bare = replace(puzzle, constraints=(), named=())
    painter = Painter(bare.add(rule))
    painter.paint(rule, said=True)
    try:
        found = interpret(bare, _canvas(painter.items, bare), _spoken(sentence, ""))
    except CspSudokuError:
        return None
    if found.figures or found.sentences or found.puzzle.constraints != (rule,):
        return None
    [figure, *_] = [figure for meaning in found.meanings for figure in meaning.figures]
    marks = pictures.marks_of(rule, bare.add(rule))
    hue = getattr(marks[0], "hue", getattr(marks[0], "ground", "grey"))
    kind = "line" if figure.kind == "thermometer" else figure.kind
    # A square may be as large as its cell.
    form = {"shade": "square"}.get(figure.form, figure.form) if kind != "line" else ""
    return Said(rule, sentence, hue, (kind, form))


class _Fields(dict[str, Any]):
    """What the words in braces stand for in the saying of a rule."""

    def __init__(self, rule: Constraint, grid: Grid) -> None:
        values = {"least": grid.values[0], "greatest": grid.values[-1]}
        super().__init__(values, colour="{colour}")
        self.rule = rule

    def __missing__(self, name: str) -> object:
        return getattr(self.rule, name)


def _spoken(sentence: str, hue: str) -> str:
    """A sentence with the name of a colour, if there is one."""
    text = sentence.format(colour=f"{_WORDS.get(hue, hue)} " if hue else "")
    return re.sub(r"\b([Aa]) (?=[aeioX])", r"\1n ", text)


def _colours(
    groups: Iterable[tuple[tuple[str, str], str]], usual: Mapping[str, str]
) -> dict[str, str]:
    """A colour for each sentence that needs one to be told from others."""
    families: dict[tuple[str, str], list[str]] = {}
    for family, sentence in groups:
        if "{colour}" in sentence:
            families.setdefault(family, []).append(sentence)
    found: dict[str, str] = {}
    for (kind, _), sentences in families.items():
        if len(sentences) == 1 and kind not in _BY_COLOUR:
            continue
        chosen: dict[str, str] = {}
        # The usual colours go first.
        for sentence in sentences:
            if _is_distinct(usual[sentence], chosen.values()):
                chosen[sentence] = usual[sentence]
        for sentence in sentences:
            if sentence not in chosen:
                free = (hue for hue in _HUES if _is_distinct(hue, chosen.values()))
                chosen[sentence] = next(free, usual[sentence])
        found |= chosen
    return found


def _is_distinct(hue: str, taken: Iterable[str]) -> bool:
    """Whether a colour has a name, and neither it nor any of the others has the other's name."""
    word, names = _WORDS.get(hue, hue), names_of(code(hue)) if hue != "none" else frozenset()
    return word in names and not any(
        word in names_of(code(other)) or _WORDS.get(other, other) in names for other in taken
    )


def _is_usual(grid: Grid) -> bool:
    """Whether rows, columns and regions of a grid hold each value once."""
    regions = [*grid.boxes]
    return (
        grid.row_houses
        and grid.column_houses
        and bool(regions)
        and all(len(region) == len(grid.values) for region in regions)
        and sum(map(len, regions)) == grid.rows * grid.columns
    )


# What a reader needs as well


def painted(puzzle: Puzzle, stated: Iterable[Constraint]) -> Painter:
    """The drawing of the rules that a document states as data."""
    painter = Painter(puzzle)
    for rule in stated:
        painter.paint(rule)
    return painter


def without_drawings(canvas: Canvas, puzzle: Puzzle, stated: Iterable[Constraint]) -> Canvas:
    """A picture without the drawings of the rules that the document states as data.

    Raises :class:`FormatError` if one of them is not there: then somebody has changed the picture.
    """
    own = _canvas(painted(puzzle, stated).items, puzzle)
    return replace(
        canvas,
        strokes=_without(canvas.strokes, own.strokes),
        shapes=_without(canvas.shapes, own.shapes),
        outlines=_without(canvas.outlines, own.outlines),
    )


def _without(all_parts: Sequence[Any], parts: Sequence[Any]) -> tuple[Any, ...]:
    left = Counter(parts)
    kept = []
    for part in all_parts:
        if left[part]:
            left[part] -= 1
        else:
            kept.append(part)
    if left.total():
        raise FormatError("the rules that the metadata state are not drawn as they should be")
    return tuple(kept)


def _canvas(items: Mapping[str, list[Object]], puzzle: Puzzle) -> Canvas:
    return scl_canvas(dict(items), Collector(puzzle))
