"""Which reading is right: the stated solution decides, where the document has one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten

from csp_sudoku.cells import Place
from csp_sudoku.checking.verify import verify
from csp_sudoku.constraints import KillerCage, NegativeXV, Pair, Sum
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.understanding.canvas import Canvas
from csp_sudoku.understanding.figures import Figure, figures
from csp_sudoku.understanding.meaning import Meaning, Understanding, understand
from csp_sudoku.understanding.repeating import denies, lacks_boxes, repeats, stated
from csp_sudoku.understanding.sentences import Sentence, merged, sentences
from csp_sudoku.understanding.statements import only_names
from csp_sudoku.understanding.wordings import is_familiar

# How long it may take to see whether the stated solution is the only one.
_SECONDS = 10.0
_ONLY = "the stated solution is the only one"


@dataclass(frozen=True)
class Interpretation:
    """A picture and its text, read.

    Attributes
    ----------
    puzzle
        The puzzle with the rules that were found.
    meanings
        What each sentence means.
    figures, sentences
        What is drawn, and what is said, and was not understood.
    unsure
        What is said in words that are not known for the rule they were taken for. Nothing confirms
        it, so these rules are not in the puzzle.
    flavour
        Sentences that are no rules: nothing is missing without them.
    confirmed
        What confirms the reading; empty if nothing does.
    several
        Whether there are other solutions than the stated one: then a rule is missing.
    broken
        The rule that the stated solution breaks: then no reading is right.
    """

    puzzle: Puzzle
    meanings: tuple[Meaning, ...]
    figures: tuple[Figure, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    unsure: tuple[Meaning, ...] = ()
    flavour: tuple[Sentence, ...] = ()
    confirmed: str = ""
    several: bool = False
    broken: str = ""


def interpret(
    puzzle: Puzzle,
    canvas: Canvas,
    text: str,
    *,
    solution: Mapping[Place, int] | None = None,
    rules: Sequence[Constraint] = (),
    explains: Sequence[str] = (),
    reading: int | None = None,
) -> Interpretation:
    """Read a picture and its rules text.

    Parameters
    ----------
    puzzle
        The grid with its givens, and the rules that the document states as data.
    solution
        The solution that the document states. A reading under which it breaks a rule is wrong.
    rules, explains
        Rules that the caller adds, and the beginnings of the sentences that say them. What is drawn
        on the cells of these rules is explained by them.
    reading
        Which reading to take, counted from 1, where the text can be read in several ways.
    """
    data = puzzle.constraints
    puzzle = puzzle.add(*rules)
    said = [s for s in sentences(text) if not _is_explained(s, explains)]
    for words in explains:
        if not words.strip(" .") or not any(_is_explained(s, [words]) for s in sentences(text)):
            raise FormatError(f"explains: no sentence of the rules text begins with {words[:60]!r}")
    said = _without_names(said, puzzle, puzzle.constraints, data)
    rule_like = [s for s in said if s.is_about_rules]
    drawn = [f for f in figures(canvas) if not _is_covered(f, rules, puzzle)]
    found = understand(drawn, rule_like, puzzle.grids[0], puzzle.constraints)
    found = [_with_plain_cages(reading) for reading in found]
    found = [
        replace(each, sentences=tuple(_without_names(each.sentences, puzzle, each.rules)))
        for each in found
    ]
    chosen, confirmed, several, broken = _choose(found, puzzle, solution, reading)
    flavour = tuple(s for s in said if not s.is_about_rules)
    unsure: tuple[Meaning, ...] = ()
    if confirmed != _ONLY:
        # Only a stated solution that is the only one shows that these are no rules.
        chosen = _without_idle(chosen, puzzle)
        chosen = replace(chosen, sentences=(*chosen.sentences, *flavour))
        flavour = ()
        if reading is None:  # else the caller has chosen
            unsure = tuple(m for m in chosen.meanings if not is_familiar(m))
            sure = tuple(m for m in chosen.meanings if m not in unsure)
            chosen = replace(chosen, meanings=sure)
    return Interpretation(
        _with_rules(puzzle, chosen),
        chosen.meanings,
        chosen.figures,
        chosen.sentences,
        unsure,
        flavour,
        confirmed,
        several,
        broken,
    )


def _with_plain_cages(reading: Understanding) -> Understanding:
    """Take cages that no sentence speaks of, but whose document says whether values may repeat."""
    cages = {f: cage for f in reading.figures if (cage := _plain_cage(f)) is not None}
    if not cages:
        return reading
    meaning = Meaning(Sentence("", frozenset()), KillerCage, tuple(cages), tuple(cages.values()))
    left = tuple(f for f in reading.figures if f not in cages)
    return replace(reading, meanings=(*reading.meanings, meaning), figures=left)


def _without_names(
    said: Iterable[Sentence],
    puzzle: Puzzle,
    stated: Iterable[Constraint],
    data: Iterable[Constraint] = (),
) -> list[Sentence]:
    """Pass over sentences that only name rules which are stated elsewhere."""
    return [
        sentence
        for sentence in said
        if _has_doubt(sentence, puzzle, stated) or not only_names(sentence.text, stated, data)
    ]


def _has_doubt(sentence: Sentence, puzzle: Puzzle, stated: Iterable[Constraint]) -> bool:
    """Whether the heading makes a rule less than a rule, or a usual rule is not there."""
    lacks = lacks_boxes(sentence, puzzle.grids[0], stated)
    return lacks or sentence.heading in sentence.unknown


def _plain_cage(figure: Figure) -> Constraint | None:
    is_total = figure.text.isascii() and figure.text.isdigit()
    if figure.kind != "cage" or figure.unique is None or not (is_total or not figure.text):
        return None
    if figure.unique:
        return KillerCage(figure.cells, int(figure.text) if is_total else None)
    return Sum(figure.cells, int(figure.text)) if is_total else None


def _without_idle(reading: Understanding, puzzle: Puzzle) -> Understanding:
    """Count sentences about things that are not there, or are otherwise, as not understood.

    They may speak of something that was drawn in a way that no reader sees. Only a stated solution
    that is the only one shows that they say nothing.
    """
    everything, grid = (*puzzle.constraints, *reading.rules), puzzle.grids[0]
    kept: list[Meaning] = []
    idle: list[Sentence] = []
    for meaning in reading.meanings:
        sentence = meaning.sentence
        if meaning.rules:
            kept.append(meaning)
        elif meaning.kind is None:
            if denies(sentence, everything) or lacks_boxes(sentence, grid, everything):
                idle.append(sentence)
            else:
                kept.append(meaning)
        elif any(repeats(sentence, puzzle, rule) for rule in stated(puzzle)):
            kept.append(meaning)
        elif (
            kept
            and kept[-1].kind
            and not kept[-1].rules
            and (both := _with_last(kept[-1], sentence, puzzle))
        ):
            kept[-1] = both
        else:
            idle.append(sentence)
    return replace(reading, meanings=tuple(kept), sentences=(*reading.sentences, *idle))


def _with_last(last: Meaning, sentence: Sentence, puzzle: Puzzle) -> Meaning | None:
    """The last meaning and a sentence together, if both say a rule that the document states."""
    both = merged(last.sentence, sentence)
    same = [rule for rule in stated(puzzle) if isinstance(rule, last.kind or ())]
    return replace(last, sentence=both) if any(repeats(both, puzzle, r) for r in same) else None


def _is_explained(sentence: Sentence, explains: Iterable[str]) -> bool:
    start = sentence.text.casefold()
    return any(start.startswith(words.strip(" .").casefold()) for words in explains)


def _is_covered(figure: Figure, rules: Sequence[Constraint], puzzle: Puzzle) -> bool:
    """Whether a figure lies on cells of a rule that the caller added.

    A rule of the whole grid has no picture, so it explains none.
    """
    cells, everywhere = {*figure.cells, *figure.heads}, set(puzzle.cells)
    scopes = (set(rule.scope(puzzle)) for rule in rules)
    return any(cells <= scope and not everywhere <= scope for scope in scopes)


def _choose(
    found: Sequence[Understanding],
    puzzle: Puzzle,
    solution: Mapping[Place, int] | None,
    reading: int | None,
) -> tuple[Understanding, str, bool, str]:
    """The reading to take, what confirms it, whether it leaves several solutions; what breaks."""
    # Here, because they load solvers; and who reads a plain text needs none.
    from csp_sudoku.solving.solve import solve

    if reading is not None:
        if not 1 <= reading <= len(found):
            raise FormatError(f"reading {reading}: there are {len(found)} readings")
        found = [found[reading - 1]]
    if solution is None:
        if len(found) > 1:
            raise FormatError(
                f"the rules text can be read in {len(found)} ways; choose one by its number, "
                "such as reading=2: "
                + "; ".join(f"{i}. {_summary(r, found, puzzle)}" for i, r in enumerate(found, 1))
            )
        return found[0], "", False, ""
    kept = [r for r in found if not _broken(_with_rules(puzzle, r), solution)]
    if not kept:
        return found[0], "", False, _broken(_with_rules(puzzle, found[0]), solution)
    if kept[0].left:
        return kept[0], "", False, ""
    undecided = False
    for candidate in kept:
        result = solve(_with_rules(puzzle, candidate), limit=2, timeout=_SECONDS)
        if result.complete and len(result.solutions) == 1:
            return candidate, _ONLY, False, ""
        undecided = undecided or len(result.solutions) < 2
    return kept[0], "the stated solution keeps all rules", not undecided, ""


def _with_rules(puzzle: Puzzle, reading: Understanding) -> Puzzle:
    """The puzzle with the rules of a reading; what the document states as data is not added.

    A document can say that all X and V are given, but not that other marks count as such. Where the
    text says it pair by pair, it goes before the document.
    """
    pairs = {
        pair
        for meaning in reading.meanings
        if "all-given" in meaning.sentence.concepts
        for rule in meaning.rules
        if isinstance(rule, Pair)
        for pair in rule.allowed
    }
    stated = [
        rule
        for rule in puzzle.constraints
        if not (
            pairs and isinstance(rule, NegativeXV) and not {sum(p) for p in pairs} & {*rule.sums}
        )
    ]
    added = [rule for rule in reading.rules if rule not in stated]
    return replace(puzzle, constraints=()).add(*stated, *added)


def _broken(puzzle: Puzzle, solution: Mapping[Place, int]) -> str:
    """The first rule that a solution breaks; empty if it keeps all of them."""
    violations = verify(puzzle, solution).violations
    return str(violations[0]) if violations else ""


def _summary(reading: Understanding, others: Sequence[Understanding], puzzle: Puzzle) -> str:
    """The rules of a reading that not all others have."""
    common = set.intersection(*(set(other.rules) for other in others))
    own = [shorten(r.describe(puzzle), 90) for r in reading.rules if r not in common]
    return ", ".join(own[:3]) + (" …" if len(own) > 3 else "") or "nothing else"
