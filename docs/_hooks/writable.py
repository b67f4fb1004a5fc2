"""The page that shows which rules the formats of other programs hold, tried on their examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product

from csp_sudoku.constraints import Constraint, registry
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import write_fpuzzles, write_iss, write_scl, write_sudokumaker
from csp_sudoku.formats.sudokupad.telling import tell
from csp_sudoku.formats.tables import rows_of
from csp_sudoku.forms import FPuzzles, Iss, SudokuMaker, SudokuPad
from csp_sudoku.puzzle import Puzzle

_TEXT = """\
# Rules in other formats

Which rules of the [vocabulary](vocabulary.md) can be written in the
[formats of other programs](formats.md#other-programs). The table is made by writing the examples of
every rule on a 9×9 grid and on small ones.

- **yes**: the format has the rule. What it cannot hold of it (another number, a line that jumps) is
  refused, or said in other words.
- **other words**: the format does not have the rule, but can say the same with other rules.
- **drawn**: SudokuPad shows a drawing, and a sentence in the rules text says what it means.
- **said**: a sentence in the rules text says the rule. The document holds the rule as data as well,
  for readers that know it, and the drawing that the rule has.
- **no**: writing a puzzle with this rule is an error that names it.

A rule that holds a Python function (`where`, `fold`) goes into no format at all. So does a state
machine into SudokuPad: no sentence says it in full.

"""
_WRITERS: dict[str, Callable[..., str]] = {
    FPuzzles.format: write_fpuzzles,
    SudokuPad.format: write_scl,
    SudokuMaker.format: write_sudokumaker,
    Iss.format: write_iss,
}


# Doppelganger needs a digit more than a row has cells.
_BLANKS = (Puzzle.blank(9), Puzzle.blank(4), Puzzle.blank(4, values=range(5)))


def page() -> str:
    """The text of the page."""
    kinds = registry.built_in()
    table = {name: {form: _answer(kind, form) for form in _WRITERS} for name, kind in kinds.items()}
    held = {form: sum(row[form] != "no" for row in table.values()) for form in _WRITERS}
    lines = [
        f"| rule | {' | '.join(_WRITERS)} |",
        f"|{'---|' * (len(_WRITERS) + 1)}",
        *(f"| {name} | {' | '.join(row.values())} |" for name, row in table.items()),
        f"| **{len(table)} rules** | {' | '.join(f'**{count}**' for count in held.values())} |",
    ]
    return _TEXT + "\n".join(lines) + "\n"


def _answer(kind: type[Constraint], form: str) -> str:
    """How a format holds the rules of a class: the best answer of its examples."""
    answers = [answer for puzzle in _puzzles(kind) if (answer := _written(puzzle, kind, form))]
    return min(answers, key=_ORDER.index, default="no")


_ORDER = ["yes", "drawn", "other words", "said"]


def _puzzles(kind: type[Constraint]) -> Iterator[Puzzle]:
    usual = () if registry.needs(kind) else (kind(),)
    for example, blank in product((*kind.examples(), *usual), _BLANKS):
        with suppress(CspSudokuError):
            yield blank.add(example)


def _written(puzzle: Puzzle, kind: type[Constraint], form: str) -> str:
    try:
        _WRITERS[form](puzzle)
    except FormatError:
        return ""
    if any(not row.read_only for row in rows_of(kind, form)):
        return "yes"
    if form != SudokuPad.format:
        return "other words"
    return "said" if tell(puzzle, ()).stated else "drawn"
