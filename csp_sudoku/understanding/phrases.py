"""How rules texts speak of a rule: the phrases that a constraint class brings along.

A rules text says the same thing in many ways. :mod:`csp_sudoku.understanding.sentences` reduces a
sentence to its concepts, and a phrase names the concepts that say its rule. A class lists its
phrases in ``phrases``; a rule of a plug-in is understood as a built-in one is.

Every rule needs this module, so it imports nothing heavy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from csp_sudoku.constraints.base import Constraint
    from csp_sudoku.grid import Grid
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence

#: What a sentence about a mark between two cells may say besides.
BETWEEN_CELLS = "divide between adjacent neighbours some letters"


@dataclass(frozen=True)
class Phrase:
    """A way to say a rule, and the figures that it is said of.

    Attributes
    ----------
    figure
        The kinds of figures, separated by blanks; empty for a rule of the whole grid.
    needs
        The concepts that the sentence or its heading must have; ``a|b`` is one of the two.
    may
        The concepts that the sentence may have besides. Any other concept is too much.
    fields
        Which number of the sentence a field of the rule is: ``at_least``, or ``number`` for the
        only other number.
    forms
        The forms of figures that can be meant; any form if empty.
    text
        A pattern for what is written on the figure.
    habit
        The colours that are usual for the rule. They decide where the text names none.
    numbers
        Whether ``from_figures`` looks at the numbers of the sentence. A sentence with numbers that
        nothing looks at says more than the phrase.
    joined
        Whether lines of one colour that meet at an end may be one branched line.
    general
        Whether it is a general form, used only where no other phrase fits the sentence.
    layer
        The layer that the rule speaks of: another sentence must say how it is found.
    """

    figure: str
    needs: str
    may: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    forms: str = ""
    text: str | None = None
    habit: str = ""
    numbers: bool = False
    joined: bool = False
    general: bool = False
    layer: str = ""

    def fits(self, sentence: Sentence) -> bool:
        """Whether a sentence says this, and nothing else."""
        if sentence.unknown:
            return False
        if sentence.numbers and not self.numbers and "number" not in self.fields.values():
            return False
        heard = sentence.concepts | sentence.topic
        return sentence.concepts <= self._known and all(group & heard for group in self._groups)

    @cached_property
    def _groups(self) -> list[frozenset[str]]:
        """The groups of concepts of which a sentence needs one each."""
        return [frozenset(word.split("|")) for word in self.needs.split()]

    @cached_property
    def _known(self) -> frozenset[str]:
        """All concepts that a sentence may have."""
        return frozenset(self.may.split()).union(*self._groups)

    def speaks_of(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether a figure can be what the sentence speaks of, by its shape and its colour."""
        return (
            figure.kind in self.figure.split()
            and (not self.forms or figure.form in self.forms.split())
            and (self.text is None or re.fullmatch(self.text, figure.text) is not None)
            and (not sentence.colours or bool(sentence.colours & figure.colours))
            and (not sentence.symbols or bool(sentence.symbols & figure.symbols))
        )

    def rules(
        self,
        kind: type[Constraint],
        figures: Sequence[Figure],
        sentence: Sentence,
        grid: Grid,
    ) -> tuple[Constraint, ...]:
        """The rules of a class that the sentence makes of these figures.

        Raises ValueError where the figures or the numbers of the sentence do not fit.
        """
        if sentence.span and sentence.span != (grid.values[0], grid.values[-1]):
            raise ValueError("the sentence speaks of other values than those of the grid")
        fields = {name: _number(sentence, source) for name, source in self.fields.items()}
        return tuple(kind.from_figures(figures, sentence, grid, **fields))


def _number(sentence: Sentence, source: str) -> int:
    if source == "at_least":
        if sentence.at_least is None:
            raise ValueError("the sentence says no least number")
        return sentence.at_least
    if len(sentence.numbers) != 1:
        raise ValueError("the sentence must say one number")
    return sentence.numbers[0]
