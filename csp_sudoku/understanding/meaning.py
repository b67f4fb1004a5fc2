"""From figures and sentences to rules: everything that is drawn and said must be used up.

Each sentence is matched with the phrases of the constraint classes. A phrase says which figures it
can speak of; the colours in the sentence say which of them it does. A sentence may mean several
things, so there may be several readings. Those that explain the most are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product, zip_longest
from typing import TypeAlias

from csp_sudoku.constraints import registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import ConstraintError
from csp_sudoku.grid import Grid
from csp_sudoku.understanding.figures import Figure, joined_lines
from csp_sudoku.understanding.phrases import Phrase
from csp_sudoku.understanding.sentences import (
    Sentence,
    clauses,
    merged,
    read_sentence,
    with_symbols,
)
from csp_sudoku.understanding.statements import (
    explains_nothing,
    is_decoration,
    named_alone,
    negative_rules,
)

# How many readings are looked at; a text with more is too vague.
_MOST_READINGS = 256

Kind: TypeAlias = type[Constraint]


@dataclass(frozen=True)
class Meaning:
    """A sentence, the figures that it speaks of, and the rules that they are.

    `kind` is None for a sentence that is no rule by itself, such as "normal sudoku rules apply".
    """

    sentence: Sentence
    kind: Kind | None = None
    figures: tuple[Figure, ...] = ()
    rules: tuple[Constraint, ...] = ()
    layer: str = ""
    """The layer that the rules speak of, and that another sentence must find."""


@dataclass(frozen=True)
class Understanding:
    """One way to read a picture and its text.

    Attributes
    ----------
    meanings
        What each sentence means, as far as it is understood.
    figures
        What is drawn and no sentence speaks of.
    sentences
        What is said and not understood.
    """

    meanings: tuple[Meaning, ...]
    figures: tuple[Figure, ...] = ()
    sentences: tuple[Sentence, ...] = ()

    @property
    def rules(self) -> tuple[Constraint, ...]:
        """All rules, each once."""
        return tuple(dict.fromkeys(rule for meaning in self.meanings for rule in meaning.rules))

    @property
    def left(self) -> int:
        """How much is not explained."""
        return len(self.figures) + len(self.sentences)


def understand(
    figures: Sequence[Figure],
    sentences: Sequence[Sentence],
    grid: Grid,
    known: Sequence[Constraint] = (),
) -> list[Understanding]:
    """The readings of a picture and its text that leave the least unexplained.

    Parameters
    ----------
    known
        The rules that the document states by itself; a sentence about one of them is explained.
    """
    reader = _Reader(figures, grid, known)
    options, missing = reader.options(sentences)
    found: dict[tuple[Constraint, ...], Understanding] = {}
    for chosen in islice(product(*options), _MOST_READINGS):
        reading = reader.finished(chosen, missing)
        same = found.setdefault(reading.rules, reading)
        found[reading.rules] = min(same, reading, key=lambda one: one.left)
    least = min(reading.left for reading in found.values())
    return [reading for reading in found.values() if reading.left == least]


def _kinds() -> list[Kind]:
    """All constraint classes, those of plug-ins included."""
    return [*registry.kinds().values()]


class _Reader:
    def __init__(self, figures: Sequence[Figure], grid: Grid, known: Sequence[Constraint]) -> None:
        self.figures = figures
        self.grid = grid
        self.known = known
        self.kinds = _kinds()
        self.symbols = frozenset(word for figure in figures for word in figure.symbols)

    def options(self, sentences: Sequence[Sentence]) -> tuple[list[list[Meaning]], list[Sentence]]:
        """What each sentence can mean, and the sentences that mean nothing known.

        Two sentences in a row may say one thing together: "Box borders divide blue lines into
        segments. Each segment has the same sum."
        """
        found: list[list[Meaning]] = []
        missing: list[Sentence] = []
        for sentence, following in zip_longest(sentences, sentences[1:]):
            if missing and (together := self.meanings(merged(missing[-1], sentence))):
                missing.pop()
                found.append(together)
            elif meanings := self.meanings(sentence):
                found.append(meanings)
            elif found and (added := self.added(found[-1], sentence)):
                found[-1] = added
            elif following and self.meanings(merged(sentence, following)):
                missing.append(sentence)  # until the next turn
            elif parts := self.of_clauses(sentence):
                found += parts
            else:
                missing.append(sentence)
        found, unsaid = self.with_headings(sentences, found)
        missing += unsaid
        claimed = {
            figure
            for meanings in found
            for meaning in meanings
            if meaning.sentence.colours
            for figure in meaning.figures
        }
        return [self.unclaimed(meanings, claimed) for meanings in found], missing

    def with_headings(
        self, sentences: Sequence[Sentence], found: list[list[Meaning]]
    ) -> tuple[list[list[Meaning]], list[Sentence]]:
        """What was found, and the headings that name a rule of the whole grid which no sentence
        says: what they mean, and those that are not understood.
        """
        said = {meaning.kind for meanings in found for meaning in meanings}
        said |= {type(rule) for rule in self.known}
        added, missing = [], []
        for heading in dict.fromkeys(sentence.heading for sentence in sentences):
            own = read_sentence(heading)
            meanings = self.meanings(own) if heading else []
            rules = [m for m in meanings if m.kind and not self.needs_figure(m)]
            below = {m.kind for part in found for m in part if m.sentence.heading == heading}
            if rules and not said & {meaning.kind for meaning in meanings}:
                added.append(rules)
            elif not rules and below == {None} and {*named_alone(heading, self.kinds)} - said:
                missing.append(own)
        return found + added, missing

    def needs_figure(self, meaning: Meaning) -> bool:
        """Whether a meaning is about something that is drawn."""
        phrases = meaning.kind.phrases if meaning.kind else ()
        return all(phrase.figure for phrase in phrases if phrase.fits(meaning.sentence))

    def added(self, meanings: list[Meaning], sentence: Sentence) -> list[Meaning]:
        """What a sentence means together with the one before it, which is understood already."""
        kinds = {meaning.kind for meaning in meanings} - {None}
        found = self.meanings(merged(meanings[0].sentence, sentence))
        return [meaning for meaning in found if meaning.kind in kinds] or found

    def of_clauses(self, sentence: Sentence) -> list[list[Meaning]]:
        """What the clauses of a sentence can mean, if each of them is understood by itself.

        Only where the usual phrases fail, a general one may explain the sentence, or a clause.
        """
        for general in (False, True):
            for parts in [[sentence], *clauses(sentence)] if general else clauses(sentence):
                meanings = [self.meanings(part, general=general) for part in parts]
                if meanings and all(meanings):
                    return meanings
        return []

    def unclaimed(self, meanings: list[Meaning], claimed: set[Figure]) -> list[Meaning]:
        """Leave figures that a sentence calls by their colour to that sentence."""
        found = []
        for meaning in meanings:
            left = meaning.figures
            if not meaning.sentence.colours:
                left = tuple(f for f in left if not {f, *f.parts} & claimed)
            if left or not meaning.figures:
                found.append(replace(meaning, figures=left))
        return list(dict.fromkeys(found)) or meanings[:1]

    def meanings(self, sentence: Sentence, *, general: bool = False) -> list[Meaning]:
        """All that a sentence can mean; by a general phrase only if no other fits."""
        if sentence.box is not None:
            sentence = self.with_box(sentence)
        if sentence.unknown:
            sentence = with_symbols(sentence, self.symbols)
        if explains_nothing(sentence, self.grid):
            return [Meaning(sentence)]
        if is_decoration(sentence):
            return [Meaning(sentence, None, tuple(self.decoration(sentence)))]
        fitting = [
            (kind, phrase)
            for kind in self.kinds
            for phrase in kind.phrases
            if phrase.fits(sentence)
        ]
        special = [pair for pair in fitting if not pair[1].general]
        chosen = fitting if general and not special else special
        return [m for kind, phrase in chosen for m in self.applied(kind, phrase, sentence)]

    def decoration(self, sentence: Sentence) -> Iterator[Figure]:
        """The figures that a sentence calls mere decoration."""
        for figure in self.figures:
            called = figure.kind in sentence.concepts or figure.form in sentence.concepts
            if called and (not sentence.colours or sentence.colours & figure.colours):
                yield figure

    def with_box(self, sentence: Sentence) -> Sentence:
        """The sentence for this grid: a "2x2 box" is a box only where the boxes are so large."""
        if sentence.box in (self.grid.box, (self.grid.box or ())[::-1]):
            return sentence
        if self.grid.box is None and sentence.box == (3, 3):
            return sentence  # irregular regions, of which many texts speak as boxes
        others = sentence.concepts - {"box", "region"}
        if sentence.box == (2, 2):
            return replace(sentence, concepts=others | {"two-by-two"})
        return replace(sentence, unknown=(*sentence.unknown, "box"))

    def applied(self, kind: Kind, phrase: Phrase, sentence: Sentence) -> Iterator[Meaning]:
        """A phrase applied to the figures that it may speak of."""
        if not phrase.figure:
            if not sentence.colours:  # a colour would be of something that the rule does not know
                yield Meaning(sentence, kind)
            return
        figures = [f for f in self.figures if phrase.speaks_of(f, sentence)]
        for some in _choices(figures, phrase, sentence):
            yield Meaning(sentence, kind, some)
            if phrase.joined and (joined := joined_lines(some)) != some:
                yield Meaning(sentence, kind, joined)
        # It speaks of rules that the document states, or of things that are not in this picture.
        if not figures:
            yield Meaning(sentence, kind)

    def finished(self, chosen: Sequence[Meaning], missing: Sequence[Sentence]) -> Understanding:
        """A reading: one meaning for each sentence, made to rules."""
        meanings: list[Meaning] = []
        failed = list(missing)
        for meaning in _joined(chosen):
            made = self.made(meaning)
            if made is None:
                failed.append(meaning.sentence)
            else:
                meanings.append(made)
        found = {layer for m in meanings for r in m.rules for layer in r.layer_looks()}
        failed += [m.sentence for m in meanings if m.layer and m.layer not in found]
        meanings = [m for m in meanings if not m.layer or m.layer in found]
        rules = [rule for meaning in meanings for rule in meaning.rules]
        for i, meaning in enumerate(meanings):
            if "all-given" in meaning.sentence.concepts:
                before = meanings[i - 1].rules if i else ()
                negative = negative_rules(
                    meaning.sentence, [*rules, *self.known], before, self.grid
                )
                if negative is None:
                    failed.append(meaning.sentence)
                else:
                    meanings[i] = replace(meaning, rules=negative)
        used = {
            part
            for meaning in meanings
            for figure in meaning.figures
            for part in (figure, *figure.parts)
        }
        left = [f for f in self.figures if f not in used and not _is_shown_by(f, meanings)]
        return Understanding(tuple(meanings), tuple(left), tuple(failed))

    def made(self, meaning: Meaning) -> Meaning | None:
        """A meaning with its rules; None if the figures do not fit the sentence after all."""
        if meaning.kind is None:
            return meaning
        for phrase in meaning.kind.phrases:
            if not phrase.fits(meaning.sentence):
                continue
            if phrase.figure and not meaning.figures:
                # It speaks of rules that the document states.
                return replace(meaning, layer=phrase.layer)
            if all(phrase.speaks_of(f, meaning.sentence) for f in meaning.figures):
                try:
                    rules = phrase.rules(meaning.kind, meaning.figures, meaning.sentence, self.grid)
                except (ValueError, ConstraintError):
                    continue
                return replace(meaning, rules=rules, layer=phrase.layer)
        return None


def _choices(
    figures: Sequence[Figure], phrase: Phrase, sentence: Sentence
) -> Iterator[tuple[Figure, ...]]:
    """The figures that a sentence may speak of: all, or those of one colour."""
    if not figures:
        return
    by_colour: dict[frozenset[str], list[Figure]] = {}
    for figure in figures:
        by_colour.setdefault(figure.colours, []).append(figure)
    if sentence.colours or len(by_colour) == 1:
        yield tuple(figures)
        return
    usual = [f for f in figures if f.colours & set(phrase.habit.split())]
    if usual:
        yield tuple(usual)
        return
    yield tuple(figures)
    for group in by_colour.values():
        yield tuple(group)


def _joined(chosen: Sequence[Meaning]) -> Iterator[Meaning]:
    """Sentences that speak of the same figures in the same sense are one."""
    found: dict[object, Meaning] = {}
    for i, meaning in enumerate(chosen):
        key = (meaning.kind, meaning.figures) if meaning.kind and meaning.figures else i
        if key in found:
            both = merged(found[key].sentence, meaning.sentence)
            found[key] = replace(meaning, sentence=both)
        else:
            found[key] = meaning
    yield from found.values()


def _is_shown_by(figure: Figure, meanings: Sequence[Meaning]) -> bool:
    """Whether a sign only shows what a sentence says of a shaded cell beside it."""
    if figure.kind != "sign":
        return False
    said = [m for m in meanings if "sign" in m.sentence.concepts]
    return any(set(figure.cells) & set(f.cells) for meaning in said for f in meaning.figures)
