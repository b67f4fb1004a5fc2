"""The commands export and import-answer: puzzles for other programs, and what they answer."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from csp_encodings.export import FORMATS
from csp_sudoku.cli import inputs, options, output
from csp_sudoku.cli.output import NO_SOLUTION, SOLVED, UNDECIDED, answer_json
from csp_sudoku.cli.reading import reads_puzzle
from csp_sudoku.exporting import export as export_puzzle
from csp_sudoku.exporting import import_answer as read_answer
from csp_sudoku.formats.sources import text_of
from csp_sudoku.puzzle import Puzzle

To = Annotated[str, typer.Option("--to", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.")]
Answer = Annotated[
    str, typer.Argument(metavar="ANSWER", help="A file with the answer, or - for standard input.")
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(name="export")(export)
    app.command(name="import-answer")(import_answer)


@reads_puzzle
def export(
    given: Puzzle,
    *,
    to: To,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> int:
    """Write a puzzle for another solver; comments in the file say what its numbers mean.

    Examples:

    csp-sudoku export puzzle.json --to cnf > puzzle.cnf

    csp-sudoku export puzzle.json --to minizinc > puzzle.mzn
    """
    with output.working(lambda: "encoding", quiet=quiet):
        exported = export_puzzle(given, to)
    for line in exported.lines():
        sys.stdout.write(line)
    return SOLVED


@reads_puzzle
def import_answer(
    given: Puzzle,
    answer: Answer,
    *,
    to: To,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> int:
    """Read another solver's answer to an exported puzzle, and check it by the rules.

    Examples:

    cadical -q puzzle.cnf | csp-sudoku import-answer puzzle.json - --to cnf
    """
    found = read_answer(given, to, text_of(inputs.source_of(answer)))
    if as_json:
        answer_json({"solutions": None if found is None else [s.text for s in found]})
    elif found:
        for solution in found:
            output.answer_solution(given, solution)
    if found is None:
        output.note("the answer says neither a solution nor that there is none", quiet=quiet)
        return UNDECIDED
    if not found:
        output.note("no solution, it says", quiet=quiet)
        return NO_SOLUTION
    return SOLVED
