"""The command variants: list the rules, or explain one."""

from __future__ import annotations

import inspect

import click

from csp_sudoku import formats, plugins
from csp_sudoku.cli import options, output
from csp_sudoku.cli.codes import SOLVED
from csp_sudoku.cli.output import answer, answer_json, answer_lines
from csp_sudoku.constraints import registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving import solve


@click.command()
@click.argument("name", metavar="[NAME]", default="")
@options.JSON
@options.DEBUG
def variants(*, name: str, as_json: bool) -> int:
    """List the rules, or explain one.

    NAME may be a part of a rule's name. A rule that needs nothing but its name can be added to any
    puzzle with --rule.

    \b
    Examples:
      csp-sudoku variants
      csp-sudoku variants killer
    """
    if name:
        _explain(_find(name), as_json=as_json)
        return SOLVED
    rows = [
        {"name": known, "summary": _summary(kind), "needs": ", ".join(registry.needs(kind))}
        for known, kind in registry.kinds().items()
    ]
    output.answer_table(rows, as_json=as_json)
    for plugin in plugins.broken():
        output.note(f"warning: {plugin}")
    return SOLVED


def _find(name: str) -> type[Constraint]:
    """Find a rule by its name or alias, by the beginning of its name, or by a part of it."""
    known, word = registry.names(), name.lower()
    for meant in (
        [k for k in known if k == word],
        [k for other, k in registry.aliases().items() if other == word],
        [k for k in known if k.startswith(word)],
        [k for k in known if word in k],
    ):
        if len(meant) == 1:
            return registry.get(meant[0])
    return registry.get(name)


def _summary(constraint: type[Constraint]) -> str:
    return (constraint.__doc__ or "").strip().partition("\n")[0]


def _explain(constraint: type[Constraint], *, as_json: bool) -> None:
    text, _, _ = inspect.cleandoc(constraint.__doc__ or "").partition("\nExamples\n")
    example, puzzle, document = _example(constraint)
    if as_json:
        answer_json(
            {
                "name": constraint.name,
                "aliases": list(constraint.aliases),
                "text": text.strip(),
                "needs": registry.needs(constraint),
                "example": document,
            }
        )
        return
    answer(constraint.name)
    answer_lines(text.strip())
    if constraint.aliases:
        answer(f"Also called {', '.join(constraint.aliases)}.")
    if example is None or puzzle is None:
        return
    answer("")
    answer(f"An example on {puzzle.grids[0].size}: {example.describe(puzzle)}.")
    found = solve(puzzle, options.for_one_puzzle("auto"), timeout=5)
    if found.solutions:
        answer("A grid that keeps it:")
        output.answer_grid(puzzle, found.solutions[0])
    answer("As a document:")
    answer_lines(document or "(a rule in Python: no document can hold it)")


def _example(
    constraint: type[Constraint],
) -> tuple[Constraint | None, Puzzle | None, str | None]:
    """The first example that has a solution, on the smallest grid of 4×4, 6×6 and 9×9."""
    for side in (4, 6, 9):
        for example in constraint.examples():
            try:
                puzzle = Puzzle.blank(side).add(example)
                if not solve(puzzle, options.for_one_puzzle("auto"), timeout=5).solutions:
                    continue
            except CspSudokuError:
                continue
            try:
                return example, puzzle, formats.write_json(puzzle)
            except FormatError:
                return example, puzzle, None
    return None, None, None
