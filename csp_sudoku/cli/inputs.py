"""Where the puzzles of a command come from: a file, the argument itself, or standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

from csp_sudoku.checking.verify import Verification, verify
from csp_sudoku.cli.output import name_left_out
from csp_sudoku.errors import CspSudokuError, FormatError, PuzzleError
from csp_sudoku.formats import Reading, links, read, read_grid, read_with_notes
from csp_sudoku.formats.recognition import (
    Piece,
    is_grid_text,
    many_with_notes,
    read_piece,
    split_many,
)
from csp_sudoku.formats.sources import MAX_BYTES, SourceError, decode, names_file
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.puzzle import Puzzle

HowToRead = dict[str, Any]
"""The keyword arguments of :func:`csp_sudoku.read`: rules, size, box and so on."""

_WORD = re.compile(r"[A-Za-z][\w-]*", re.ASCII)


# Each of these names what was left out of a puzzle, so that no command can forget it.


def read_puzzle(argument: str, how: HowToRead) -> Puzzle:
    """Read the puzzle that a command is about."""
    with _explaining(argument) as source:
        found = read(source, **how)
    name_left_out(found.left_out)
    return found


def read_reading(argument: str, how: HowToRead) -> Reading:
    """Read the puzzle that a command is about, and what its source says besides."""
    with _explaining(argument) as source:
        found = read_with_notes(source, **how)
    name_left_out(found.left_out)
    return found


def read_puzzles(argument: str, how: HowToRead) -> Iterator[Puzzle]:
    """Read the puzzles that a command is about, one after the other."""
    return (found.puzzle for found in read_readings(argument, how))


def read_readings(argument: str, how: HowToRead) -> Iterator[Reading]:
    """Read the puzzles that a command is about, and what their source says besides."""
    with _explaining(argument) as source:
        for found in many_with_notes(source, **how):
            name_left_out(found.left_out)
            yield found


def read_one_or_many(argument: str, how: HowToRead) -> Puzzle | Iterator[Puzzle | CspSudokuError]:
    """Read the puzzle that a command is about; of a file with several, one after the other.

    If one of several puzzles cannot be read, its error stands in its place.
    """
    with _explaining(argument) as source:
        if argument != "-" and not isinstance(source, Path):
            return read_puzzle(argument, how)
        pieces = split_many(source, how["rules"], size=how["size"])
        first = list(islice(pieces, 2))
        if len(first) < 2:
            found = read(source, **how)
            name_left_out(found.left_out)
            return found
    return (_read_piece(piece, how) for piece in chain(first, pieces))


def _read_piece(piece: Piece, how: HowToRead) -> Puzzle | CspSudokuError:
    try:
        found = read_piece(piece, **how)
    except CspSudokuError as error:
        return error
    name_left_out(found.left_out)
    return found


def check(argument: str, grid: str, reading: Reading) -> Verification:
    """Verify a grid; without a grid, the givens of the puzzle and what a solver has entered."""
    if not grid:
        return verify(reading)
    puzzle = reading.puzzle
    if argument == grid == "-":
        raise FormatError("standard input is read once: give the puzzle or the grid another way")
    with _explaining(grid) as source:
        return verify(puzzle, dict(read_grid(source, puzzle)))


@contextmanager
def _explaining(argument: str) -> Iterator[str | Path]:
    """Give what an argument stands for; errors in it name the file."""
    source = source_of(argument)
    try:
        yield source
    except (FormatError, PuzzleError) as error:
        raise _explained(error, argument, source) from error


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
    if argument == "-" or not is_grid_text(argument):
        return error
    if links.may_be_id(argument):
        return FormatError(
            f"there is no such file as {shown(argument)}; if it is a short id of the SudokuPad "
            f"site, --download fetches it"
        )
    if names_file(argument):
        return FormatError(f"there is no such file as {shown(argument)}")
    if _WORD.fullmatch(argument):
        return FormatError(f"{shown(argument)} is neither a file nor a puzzle: {error}")
    return error
