"""The command convert: puzzles from any format to another."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated

import typer

from csp_sudoku import formats
from csp_sudoku.cli import inputs, options
from csp_sudoku.cli.inputs import HowToRead
from csp_sudoku.cli.output import SOLVED, answer_lines
from csp_sudoku.cli.reading import knows_how_to_read
from csp_sudoku.errors import FormatError
from csp_sudoku.puzzle import Puzzle


def _sudokupad_link(puzzle: Puzzle, lenient: bool) -> str:
    from csp_sudoku.formats import sudokupad

    return sudokupad.write(puzzle, lenient=lenient)


_FORMS: dict[str, Callable[[Puzzle, bool], str]] = {
    "line": lambda puzzle, lenient: formats.write_text(puzzle, form="line"),
    "matrix": lambda puzzle, lenient: formats.write_text(puzzle, form="matrix"),
    "frame": lambda puzzle, lenient: formats.write_text(puzzle, form="frame"),
    "candidates": lambda puzzle, lenient: formats.write_text(puzzle, form="candidates"),
    "json": lambda puzzle, lenient: formats.write_json(puzzle),
    "jsonl": lambda puzzle, lenient: json.dumps(json.loads(formats.write_json(puzzle))),
    "f-puzzles": lambda puzzle, lenient: formats.write_fpuzzles(puzzle, lenient=lenient),
    "f-puzzles-link": lambda puzzle, lenient: formats.write_link(puzzle, lenient=lenient),
    "sudokupad-link": _sudokupad_link,
}
# Forms of several lines need a blank one between two puzzles.
_TALL = ("matrix", "frame")

To = Annotated[str, typer.Option("--to", metavar="FORMAT", help=f"One of {', '.join(_FORMS)}.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="convert")(convert)


@knows_how_to_read
def convert(
    puzzle: options.Puzzle,
    *,
    to: To,
    how: HowToRead,
    debug: options.Debug = False,
) -> int:
    """Write the puzzles of a file, a link or a literal in another format.

    Text holds the givens alone: a puzzle with rules that text cannot hold is refused, unless
    --lenient leaves them out.

    Examples:

    csp-sudoku convert puzzle.json --to sudokupad-link

    csp-sudoku convert 'https://www.f-puzzles.com/?load=…' --to json > puzzle.json

    csp-sudoku convert many.sdm --to jsonl > many.jsonl
    """
    if to not in _FORMS:
        raise FormatError(f"--to {to!a}: the formats are {', '.join(_FORMS)}")
    for number, given in enumerate(inputs.read_puzzles(puzzle, how), 1):
        if number > 1:
            if to == "json":
                raise FormatError("a JSON document holds one puzzle; --to jsonl has one a line")
            if to in _TALL:
                answer_lines("")
        _refuse_loss(given, to, how.lenient)
        answer_lines(_FORMS[to](given, how.lenient))
    return SOLVED


def _refuse_loss(puzzle: Puzzle, to: str, lenient: bool) -> None:
    """Text has no place for rules."""
    text = to in ("line", "matrix", "frame", "candidates")
    if text and puzzle.constraints and not lenient:
        raise FormatError(
            f"--to {to} has no place for {puzzle.constraints[0].label}; "
            f"--to json keeps all rules, --lenient leaves them out"
        )
