"""The command variants: list the rules, or explain one."""

from __future__ import annotations

from contextlib import suppress

import click

from csp_sudoku import manual, plugins
from csp_sudoku.cli import options, output
from csp_sudoku.cli.codes import SOLVED
from csp_sudoku.cli.output import answer, answer_json, answer_lines
from csp_sudoku.constraints import registry
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import CspSudokuError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving.solve import solve


@click.command()
@click.argument("name", metavar="[NAME]", default="")
@options.JSON
@options.DEBUG
def variants(*, name: str, as_json: bool) -> int:
    """List the rules, or explain one.

    NAME may be another name that people use, or a part of a name; if several rules fit, they are
    listed. A rule that needs nothing but its name can be added to any puzzle with --rule.

    \b
    Examples:
      csp-sudoku variants
      csp-sudoku variants killer
      csp-sudoku variants kropki
    """
    found = manual.search(name) if name else [*registry.kinds()]
    if name and not found:
        registry.get(name)  # the error names what is nearest
    if name and len(found) == 1:
        _explain(registry.get(found[0]), as_json=as_json)
        return SOLVED
    rows = [
        {
            "name": known,
            "summary": manual.summary(kind),
            "needs": ", ".join(registry.needs(kind)),
        }
        for known, kind in ((known, registry.get(known)) for known in found)
    ]
    output.answer_table(rows, as_json=as_json)
    for plugin in plugins.broken() if not name else ():
        output.note(f"warning: {plugin}")
    return SOLVED


def _explain(kind: type[Constraint], *, as_json: bool) -> None:
    example, puzzle = _example(kind)
    entry = "" if example is None else manual.json_of(example)
    if as_json:
        answer_json(
            {
                "name": kind.name,
                "aliases": list(kind.aliases),
                "text": manual.about(kind),
                "needs": registry.needs(kind),
                "call": manual.signature(kind),
                "parameters": [parameter._asdict() for parameter in manual.parameters(kind)],
                "example": entry or None,
            }
        )
        return
    answer(kind.name)
    answer_lines(manual.about(kind))
    if kind.aliases:
        answer(f"Also called {', '.join(kind.aliases)}.")
    if near := manual.related(kind.name):
        answer(f"See also {', '.join(near[:8])}.")
    answer("")
    answer(f"In Python: cs.{manual.signature(kind)}")
    for parameter in manual.parameters(kind):
        takes = f"{parameter.takes}; " if parameter.takes and parameter.default else parameter.takes
        default = f"default {parameter.default}" if parameter.default else ""
        answer(f"  {parameter.name:<14} {takes}{default}".rstrip())
    if example is None or puzzle is None:
        return
    answer("")
    answer(f"An example on {puzzle.grids[0].size}: {example.describe(puzzle)}.")
    found = solve(puzzle, options.for_one_puzzle("auto"), timeout=5)
    if found.solutions:
        answer("A grid that keeps it:")
        output.answer_grid(puzzle, found.solutions[0])
    answer(f"In Python: {manual.call(example)}")
    answer(f"In a document: {entry or 'none can hold it, because it is a function'}")


def _example(kind: type[Constraint]) -> tuple[Constraint | None, Puzzle | None]:
    """The first example that has a solution, and its board."""
    for example, puzzle in manual.on_boards(kind):
        with suppress(CspSudokuError):
            if solve(puzzle, options.for_one_puzzle("auto"), timeout=5).solutions:
                return example, puzzle
    return None, None
