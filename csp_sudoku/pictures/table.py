"""From a rule to its marks: a table of the built-in rules, and the rules' own word.

The table is filled by ``marks_cells``, ``marks_lines``, ``marks_pairs`` and ``marks_outside``. A
rule that is not in it is asked for its :meth:`~csp_sudoku.constraints.base.Constraint.picture`;
where that says nothing either, the rule becomes a sentence under the picture.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, singledispatch
from importlib import import_module

from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints import And, Constraint
from csp_sudoku.pictures.marks import Mark, Sentence
from csp_sudoku.puzzle import Puzzle


@singledispatch
def table(rule: Constraint, puzzle: Puzzle) -> Iterable[Mark]:
    """The marks of a rule by its class; of a class that is not registered, what it says itself."""
    return rule.picture(puzzle)


@table.register
def _(rule: And, puzzle: Puzzle) -> Iterable[Mark]:
    return [mark for part in rule.parts for mark in marks_of(part, puzzle)]


def marks_of(rule: Constraint, puzzle: Puzzle) -> list[Mark]:
    """The marks of a rule; if there are none, or it speaks of a named variable, its sentence.

    Examples
    --------
    >>> from csp_sudoku import AntiKnight, Palindrome, Puzzle
    >>> puzzle = Puzzle.blank(4)
    >>> marks_of(Palindrome("R1C1-R1C2"), puzzle)[0].cells
    (Cell(row=0, col=0), Cell(row=0, col=1))
    >>> marks_of(AntiKnight(), puzzle)[0].text
    "Cells a knight's move apart hold different values."
    """
    _fill()
    if not isinstance(rule, And) and any(not isinstance(p, Cell) for p in rule.scope(puzzle)):
        return [sentence(rule, puzzle)]
    return list(table(rule, puzzle)) or [sentence(rule, puzzle)]


@cache
def _fill() -> None:
    """Import the modules that fill the table: they import this one."""
    for module in ("cells", "lines", "outside", "pairs"):
        import_module(f"csp_sudoku.pictures.marks_{module}")


def sentence(rule: Constraint, puzzle: Puzzle) -> Sentence:
    """The sentence of a rule, as it stands under a picture."""
    said = rule.describe(puzzle)
    # A cell or a named variable at the beginning is a capital already.
    return Sentence(f"{said[:1].upper()}{said[1:]}.")


def in_grid(places: Iterable[Place]) -> tuple[Cell, ...]:
    """The cells among some places."""
    return tuple(place for place in places if isinstance(place, Cell))
