"""Where the puzzles of a command come from: a file, the argument itself, or standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from csp_sudoku.cli import options
from csp_sudoku.constraints import registry
from csp_sudoku.errors import FormatError, PuzzleError
from csp_sudoku.formats import read, read_grid, read_many
from csp_sudoku.formats.shapes import shown
from csp_sudoku.formats.sources import MAX_BYTES, decode
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.verify import Verification, verify

# What looks like the name of a file: a path, an ending, or a word.
_NAME = re.compile(r"[^\s{\[]*[/\\][^\s]*|[^\s{\[]*\.[A-Za-z]\w{0,10}|[A-Za-z][\w-]*", re.ASCII)


@dataclass(frozen=True)
class HowToRead:
    """What a command line says of a puzzle besides its text; see :mod:`csp_sudoku.cli.options`."""

    rule: list[str] | None = None
    size: str | None = None
    box: str | None = None
    values: str | None = None
    dialect: str | None = None
    lenient: bool = False

    def arguments(self) -> dict[str, Any]:
        """The arguments of :func:`csp_sudoku.read`."""
        return {
            "rules": tuple(registry.rule(name) for name in self.rule or ()),
            "size": options.size(self.size),
            "box": options.box(self.box),
            "values": options.values(self.values),
            "dialect": self.dialect,
            "lenient": self.lenient,
        }


def read_puzzle(argument: str, how: HowToRead) -> Puzzle:
    """The puzzle that a command is about."""
    arguments = how.arguments()
    source = source_of(argument)
    try:
        return read(source, **arguments)
    except (FormatError, PuzzleError) as error:
        raise _explained(error, argument, source) from error


def read_puzzles(argument: str, how: HowToRead) -> Iterator[Puzzle]:
    """The puzzles that a command is about, one after the other."""
    arguments = how.arguments()
    source = source_of(argument)
    try:
        yield from read_many(source, **arguments)
    except (FormatError, PuzzleError) as error:
        raise _explained(error, argument, source) from error


def check(argument: str, grid: str, puzzle: Puzzle) -> Verification:
    """The judgement on a grid; without one, on the givens of the puzzle."""
    if not grid:
        return verify(puzzle.without_givens, puzzle.givens)
    if argument == grid == "-":
        raise FormatError("standard input is read once: give the puzzle or the grid another way")
    source = source_of(grid)
    try:
        return verify(puzzle, dict(read_grid(source, puzzle)))
    except FormatError as error:
        raise _explained(error, grid, source) from error


def refuse_objections(puzzle: Puzzle) -> None:
    """Refuse a puzzle that has no solution for a reason that shows at a glance."""
    if objections := puzzle.objections():
        more = f" (and {len(objections) - 1} more)" if len(objections) > 1 else ""
        raise PuzzleError(objections[0] + more)


def source_of(argument: str) -> str | Path:
    """What an argument stands for: standard input, a file, or itself."""
    if argument == "-":
        return decode(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input")
    try:
        os.stat(argument)
    except (OSError, ValueError):  # no such file, or nothing that could be the name of one
        return argument
    return Path(argument)


def _explained(
    error: FormatError | PuzzleError, argument: str, source: str | Path
) -> FormatError | PuzzleError:
    """The error, with the file it is in, or the hint that there is no such file."""
    if isinstance(source, Path):
        named = str(error).startswith(f"{source} ")
        return error if named else FormatError(f"{source}: {error}")
    if argument != "-" and _NAME.fullmatch(argument):
        return FormatError(f"{shown(argument)} is neither a file nor a puzzle: {error}")
    return error
