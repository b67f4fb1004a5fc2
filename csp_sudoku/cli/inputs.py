"""Where the puzzles of a command come from: a file, the argument itself, or standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from csp_sudoku.errors import FormatError, PuzzleError
from csp_sudoku.formats import read, read_grid, read_many
from csp_sudoku.formats.shapes import shown
from csp_sudoku.formats.sources import MAX_BYTES, SourceError, decode
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.verify import Verification, verify

HowToRead = dict[str, Any]
"""The keyword arguments of :func:`csp_sudoku.read`: rules, size, box and so on."""

# What looks like the name of a file: a path, a name with an ending, or a word.
_FILE_NAME = re.compile(
    r"[^\s{\[]*[/\\][^\s]*|[^\s{\[]*\.[A-Za-z]\w{0,10}|[A-Za-z][\w-]*", re.ASCII
)


def read_puzzle(argument: str, how: HowToRead) -> Puzzle:
    """Read the puzzle that a command is about."""
    source = source_of(argument)
    try:
        return read(source, **how)
    except (FormatError, PuzzleError) as error:
        raise _explained(error, argument, source) from error


def read_puzzles(argument: str, how: HowToRead) -> Iterator[Puzzle]:
    """Read the puzzles that a command is about, one after the other."""
    source = source_of(argument)
    try:
        yield from read_many(source, **how)
    except (FormatError, PuzzleError) as error:
        raise _explained(error, argument, source) from error


def check(argument: str, grid: str, puzzle: Puzzle) -> Verification:
    """Verify a grid; without a grid, the givens of the puzzle."""
    if not grid:
        return verify(puzzle.without_givens, puzzle.givens)
    if argument == grid == "-":
        raise FormatError("standard input is read once: give the puzzle or the grid another way")
    source = source_of(grid)
    try:
        return verify(puzzle, dict(read_grid(source, puzzle)))
    except FormatError as error:
        raise _explained(error, grid, source) from error


def source_of(argument: str) -> str | Path:
    """What an argument stands for: the text of standard input, a file, or itself."""
    if argument == "-":
        return decode(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input")
    try:
        os.stat(argument)
    except (OSError, ValueError):  # no such file, or text that cannot be the name of one
        return argument
    return Path(argument)


def _explained(
    error: FormatError | PuzzleError, argument: str, source: str | Path
) -> FormatError | PuzzleError:
    """The error, with the name of the file, or with the hint that there is no such file."""
    if isinstance(source, Path):
        return error if isinstance(error, SourceError) else FormatError(f"{source}: {error}")
    if argument != "-" and _FILE_NAME.fullmatch(argument):
        return FormatError(f"{shown(argument)} is neither a file nor a puzzle: {error}")
    return error
