"""Rules as text: a condition in a small language of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from csp_sudoku import pictures
from csp_sudoku.cells import Place
from csp_sudoku.constraints import fields
from csp_sudoku.constraints.aspects import DOTTED
from csp_sudoku.constraints.base import Constraint, in_grid
from csp_sudoku.errors import ConstraintError
from csp_sudoku.language.grammar import parse
from csp_sudoku.language.grounding import ground
from csp_sudoku.language.terms import Term, holds, scope

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle

# How much of its text the label of a rule shows.
_SHOWN = 40
# Up to this many cells a picture has a cage around them.
_MOST_CAGED = 20


@fields.rule
class Rule(Constraint):
    """Rule as text: a condition such as ``R1C1 + R1C2 == 2 * R3C3``; see :func:`rule`."""

    text: str = fields.text()
    sentence: str = fields.text(default="")
    name = "rule"

    def validate(self) -> None:
        """Require that the text can be read."""
        try:
            parse(self.text)
        except ConstraintError as error:
            raise ConstraintError(f"{self.label}: {error}") from None

    def term(self, puzzle: Puzzle) -> Term:
        """Return the condition for one puzzle, with the cells of its groups."""
        known = vars(self).get("_term")
        if known is not None and known[0] is puzzle.grids:
            found: Term = known[1]
            return found
        try:
            found = ground(self.text, puzzle)
        except ConstraintError as error:
            raise ConstraintError(f"{self.label}: {error}") from None
        vars(self)["_term"] = (puzzle.grids, found)
        return found

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return scope(self.term(puzzle))

    def check(self, puzzle: Puzzle) -> None:
        if not self.scope(puzzle):
            raise ConstraintError(f"{self.label}: the rule depends on no cell")
        super().check(puzzle)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return holds(self.term(puzzle), values)

    def lower(self, ctx: Lowering) -> None:
        """Add sums, pairs, all-different groups and automata for the parts of the condition."""
        from csp_sudoku.language.compiling import Compiler

        Compiler(ctx, self.term(ctx.puzzle)).add()

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        term = self.term(puzzle)
        for part in term.parts if term.operator == "and" else [term]:
            if part.operator == "different" and all(p.operator == "place" for p in part.parts):
                yield tuple([p.data for p in part.parts])

    @property
    def label(self) -> str:
        shown = self.text if len(self.text) <= _SHOWN else self.text[: _SHOWN - 1] + "…"
        return f"rule {' '.join(shown.split())!r}"

    def describe(self, puzzle: Puzzle) -> str:
        if self.sentence:
            return self.sentence.rstrip(" .")
        text = " ".join(self.text.split())
        # A sentence may be given a capital letter, which would change a name of the language.
        return text if text[0].isupper() else f"it is true that {text}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        cells = in_grid(self.scope(puzzle))
        if 0 < len(cells) <= _MOST_CAGED:
            yield pictures.Cage(cells, "", "purple", DOTTED)
        yield pictures.sentence(self, puzzle)

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        from csp_sudoku.language.drawing import condition

        return {"text": condition(maker)}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Rule("R1C1 + R1C2 == 2 * R2C3"),
            Rule("if R1C1 > R1C2 then R2C1 * R2C2 >= 4 else R2C2 != 3"),
            Rule("count(a % 2 == 0 for a in cells(R1C1-R1C3 R2C2)) == 2 or R3C3 == max(row 1)"),
            Rule("R1C1 // R1C2 == R2C1 % R2C2"),
            Rule("all(abs(a - b) != 3 for a, b in neighbours)"),
        )


def rule(text: str, sentence: str = "") -> Rule:
    """Your own rule as text. Runs on every backend, and puzzle files can hold it.

    The text is a condition: cells, whole numbers, ``+ - * // %``, comparisons, ``and or not``,
    ``if … then … else …``, ``min max sum product abs count``, and ``all any sum count`` over groups
    such as ``row 1``. It is never evaluated as Python. `sentence` is the sentence for people.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, count, rule
    >>> count(Puzzle.blank(4).add(rule("R1C1 + R1C2 == 2 * R3C3"))).value
    24
    >>> rule("R1C1 > 2 3")
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.ConstraintError: rule 'R1C1 > 2 3': column 10, after 'R1C1 > 2': ...
    """
    return Rule(text, sentence)
