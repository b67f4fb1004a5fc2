"""The commands export and import-answer: write puzzles for other programs, read their answers."""

from __future__ import annotations

import sys
from typing import Any

import click

from csp_encodings.export import FORMATS
from csp_sudoku.cli import inputs, options, output
from csp_sudoku.cli.codes import NO_SOLUTION, SOLVED, UNDECIDED, exit_status
from csp_sudoku.cli.output import answer_json
from csp_sudoku.cli.reading import reads_puzzle
from csp_sudoku.exporting import export as export_puzzle
from csp_sudoku.exporting import import_answer as read_answer
from csp_sudoku.formats.sources import text_of
from csp_sudoku.puzzle import Puzzle

_EXIT = exit_status(
    {
        0: "a solution, and it keeps the rules",
        1: "the answer says that there is no solution",
        2: "bad input, or a solution that breaks a rule",
        3: "the answer does not say",
    }
)

_to: options.Decorator[Any] = click.option(
    "--to", metavar="FORMAT", required=True, help=f"One of {', '.join(FORMATS)}."
)


@click.command(epilog=exit_status({0: "written"}))
@reads_puzzle
@_to
@options.QUIET
@options.DEBUG
def export(*, given: Puzzle, to: str) -> int:
    """Write a puzzle for another solver. Comments in the file explain its numbers.

    \b
    Examples:
      csp-sudoku export puzzle.json --to cnf > puzzle.cnf
      csp-sudoku export puzzle.json --to minizinc > puzzle.mzn
    """
    with output.working(lambda: "encoding"):
        exported = export_puzzle(given, to)
    for line in exported.lines():
        sys.stdout.write(line)
    return SOLVED


@click.command(epilog=_EXIT)
@reads_puzzle
@options.argument("answer", "ANSWER", "A file with the answer, or - for standard input.")
@_to
@options.answering
def import_answer(*, given: Puzzle, answer: str, to: str, as_json: bool) -> int:
    """Read another solver's answer, and check it by the rules.

    The answer must be to a puzzle that `csp-sudoku export` wrote.

    \b
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
        output.note("undecided: the answer does not say whether there is a solution")
        return UNDECIDED
    if not found:
        output.note("no solution, says the answer")
        return NO_SOLUTION
    return SOLVED
