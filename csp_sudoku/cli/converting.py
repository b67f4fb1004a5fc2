"""The command convert: puzzles from one format to another."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module

import click

from csp_sudoku import formats
from csp_sudoku.cli import inputs, options
from csp_sudoku.cli.codes import SOLVED, exit_status
from csp_sudoku.cli.inputs import HowToRead
from csp_sudoku.cli.output import answer_lines, name_left_out
from csp_sudoku.cli.reading import reading_options
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import Reading


def _link(module: str, puzzle: Reading, lenient: bool) -> str:
    """A link of another program; only its own format is loaded."""
    written = import_module(f"csp_sudoku.formats.{module}").write_link(puzzle, lenient=lenient)
    return str(written)


_FORMS: dict[str, Callable[[Reading, bool], str]] = {
    "line": lambda puzzle, lenient: formats.write_text(puzzle, form="line"),
    "matrix": lambda puzzle, lenient: formats.write_text(puzzle, form="matrix"),
    "frame": lambda puzzle, lenient: formats.write_text(puzzle, form="frame"),
    "candidates": lambda puzzle, lenient: formats.write_text(puzzle, form="candidates"),
    "json": lambda puzzle, lenient: formats.write_json(puzzle),
    "jsonl": lambda puzzle, lenient: json.dumps(json.loads(formats.write_json(puzzle))),
    "f-puzzles": lambda puzzle, lenient: formats.write_fpuzzles(puzzle, lenient=lenient),
    "f-puzzles-link": partial(_link, "fpuzzles"),
    "sudokupad": lambda puzzle, lenient: formats.write_scl(puzzle, lenient=lenient),
    "sudokupad-link": partial(_link, "sudokupad"),
    "sudokumaker": lambda puzzle, lenient: formats.write_sudokumaker(puzzle, lenient=lenient),
    "sudokumaker-link": partial(_link, "sudokumaker"),
    "iss": lambda puzzle, lenient: formats.write_iss(puzzle, lenient=lenient),
    "iss-link": partial(_link, "iss"),
}
# Forms that hold the givens only.
_TEXTS = ("line", "matrix", "frame", "candidates")
# Forms with several lines need a blank line between two puzzles.
_TALL = ("matrix", "frame")


@click.command(epilog=exit_status({0: "written"}))
@options.puzzle()
@click.option("--to", metavar="FORMAT", required=True, help=f"One of {', '.join(_FORMS)}.")
@reading_options
@options.DEBUG
def convert(*, puzzle: str, to: str, how: HowToRead) -> int:
    """Write puzzles in another format.

    A rule that the other format cannot hold is an error that names it. With --lenient it is left
    out and named; f-puzzles, SudokuPad, SudokuMaker and iss (Interactive Sudoku Solver) then have
    it in their rules text. The text formats line, matrix, frame and candidates hold the givens
    only.

    \b
    Examples:
      csp-sudoku convert puzzle.json --to sudokupad-link
      csp-sudoku convert 'https://www.f-puzzles.com/?load=…' --to json > puzzle.json
      csp-sudoku convert many.sdm --to jsonl > many.jsonl
    """
    if to not in _FORMS:
        raise FormatError(f"--to {to!a}: the formats are {', '.join(_FORMS)}")
    for number, given in enumerate(inputs.read_readings(puzzle, how), 1):
        if number > 1:
            if to == "json":
                raise FormatError("--to json writes one puzzle; for several use --to jsonl")
            if to in _TALL:
                answer_lines("")
        answer_lines(_written(given, to, lenient=how["lenient"]))
    return SOLVED


def _written(reading: Reading, to: str, *, lenient: bool) -> str:
    """The puzzle in another format. What that cannot hold is refused, or left out and named.

    A rules text speaks of the drawing that it came with, so only SudokuPad, which draws, keeps it.
    """
    puzzle = reading.puzzle
    if not to.startswith("sudokupad"):
        reading = replace(reading, rules="")
    labels = [rule.label for rule in puzzle.constraints] if to in _TEXTS else []
    if labels and not lenient:
        raise FormatError(
            f"--to {to} has no place for {labels[0]}; "
            f"--to json keeps all rules, --lenient leaves them out"
        )
    if not lenient:
        return _FORMS[to](reading, False)
    written = _FORMS[to](reading, True)
    try:
        # What was left out when the puzzle was read is named already.
        _FORMS[to](replace(reading, puzzle=replace(puzzle, left_out=())), False)
    except FormatError as error:
        labels.append(str(error))
    if labels:
        name_left_out(labels)
    return written
