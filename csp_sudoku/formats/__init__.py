"""Reading puzzles: text, files, nested lists and arrays."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from csp_sudoku.cells import Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.text import read_rows
from csp_sudoku.puzzle import Puzzle


def read(
    source: object, rules: Iterable[Constraint] = (), *, like: Puzzle | None = None
) -> Puzzle:
    """Read a puzzle from whatever holds one.

    Parameters
    ----------
    source
        A :class:`Puzzle`; text (never a file name); a :class:`~pathlib.Path`; rows of values,
        0 or None where blank.
    rules
        Constraints to add.
    like
        A puzzle whose grid and rules are taken; `source` then gives the givens alone.

    Examples
    --------
    >>> read("0100 3001 4002 0040")
    <Puzzle 4×4, 6 givens, 0 constraints>
    >>> read([[0, 1], [0, 0]])
    <Puzzle 2×2, 1 given, 0 constraints>
    """
    if isinstance(source, Puzzle):
        return source.add(*rules)
    if isinstance(source, Path):
        source = source.read_text()
    rows = read_rows(source)
    if like is None:
        like = Puzzle.blank(len(rows), len(rows[0]))
    return like.with_givens(_givens(rows, like)).add(*rules)


def read_grid(source: object, puzzle: Puzzle) -> list[tuple[Place, int]]:
    """The filled places of a grid that belongs to a puzzle."""
    return _givens(read_rows(source), puzzle)


def _givens(rows: list[list[int | None]], puzzle: Puzzle) -> list[tuple[Place, int]]:
    flat = [value for row in rows for value in row]
    if len(flat) != len(puzzle.cells):
        raise FormatError(f"{len(flat)} values for a puzzle of {len(puzzle.cells)} cells")
    return [
        (place, value)
        for place, value in zip(puzzle.cells, flat, strict=True)
        if value is not None
    ]
