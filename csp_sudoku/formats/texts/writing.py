"""Grids as plain text: a line, a matrix, a frame, or all candidates."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from itertools import groupby
from typing import Literal

from csp_sudoku.cells import Place
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.formats.texts.values import ALPHABETS, alphabet
from csp_sudoku.pictures.terminal import ASCII, draw
from csp_sudoku.puzzle import Puzzle

Form = Literal["line", "matrix", "frame", "candidates"]


def write_text(
    puzzle: object,
    solution: Mapping[Place, int] | None = None,
    *,
    form: Form = "line",
    dialect: str | None = None,
) -> str:
    """Write the givens of a puzzle, or a solution of it, as plain text.

    Text holds only the values of cells. ``read(text, like=puzzle.without_givens())`` gives the
    puzzle back; for a puzzle of the usual shape without further rules, ``read(text)`` is enough.

    Parameters
    ----------
    puzzle
        A :class:`Puzzle`, or anything :func:`read` takes.
    solution
        Values to write instead of the givens.
    form
        ``line``: one line, with spaces if a value may have two characters. ``matrix``: a line for
        each row. ``frame``: with the boxes drawn. ``candidates``: a slot for every value of every
        cell.
    dialect
        For values above 9 in one character: ``1-9A-G``, ``0-9A-F`` or ``A-P``.

    Examples
    --------
    >>> from csp_sudoku import read
    >>> write_text(read("1... .... ..3. ...."))
    '1.........3.....'
    >>> print(write_text(read("1... .... ..3. ...."), form="frame"))
    +-----+-----+
    | 1 . | . . |
    | . . | . . |
    +-----+-----+
    | . . | 3 . |
    | . . | . . |
    +-----+-----+
    """
    puzzle = as_puzzle(puzzle)
    if not isinstance(solution, Mapping | None):
        raise FormatError(f"solution {reprlib.repr(solution)}: must map cells to values")
    elsewhere = {place for place, _ in puzzle.candidates}.difference(puzzle.cells)
    if solution is None and elsewhere and form != "frame":
        raise FormatError(f"{min(elsewhere, key=str)} is given, which text cannot hold; JSON can")
    if form == "candidates":
        return _candidates(puzzle, solution)
    held = puzzle.givens if solution is None else solution
    lists = [place for place, values in puzzle.candidates if len(values) != 1]
    if solution is None and lists:
        raise FormatError(
            f'{lists[0]} has a list of candidates, which form="{form}" cannot hold; '
            f'form="candidates" or JSON can'
        )
    if form == "frame":
        return draw(puzzle, held, signs=ASCII)
    words = _words(puzzle, dialect)
    texts = {place: words[held[place]] if place in held else "." for place in puzzle.cells}
    width = max(map(len, words.values()))
    if form == "line":
        return ("" if width == 1 else " ").join(texts.values())
    return "\n".join(
        " ".join(texts[place].rjust(width) for place in row)
        for _, row in groupby(puzzle.cells, key=lambda place: place.row)
    )


def _words(puzzle: Puzzle, dialect: str | None) -> dict[int, str]:
    """The text for each value."""
    values = {value for place in puzzle.cells for value in puzzle.values_of(place)}
    if dialect is None:
        return {value: str(value) for value in values}
    if dialect not in ALPHABETS:
        raise FormatError(f"dialect {dialect!r} is not known; there are {', '.join(ALPHABETS)}")
    signs = {value: sign for sign, value in alphabet(dialect, max(values)).items()}
    for value in sorted(values):
        if value not in signs:
            raise FormatError(f"dialect {dialect!r} has no sign for the value {value}")
    return signs


def _candidates(puzzle: Puzzle, solution: Mapping[Place, int] | None) -> str:
    [values, *others] = {puzzle.values_of(place) for place in puzzle.cells}
    if others or len(values) < 2 or values[0] < 0 or solution is not None:
        raise FormatError(
            'form="candidates" needs a puzzle whose cells have the same values, two or more and '
            "none below 0"
        )
    width = len(str(values[-1]))
    slots = []
    for place in puzzle.cells:
        kept = puzzle.candidates_of(place)
        slots += [str(v).zfill(width) if v in kept else "." * width for v in values]
    return "".join(slots)
