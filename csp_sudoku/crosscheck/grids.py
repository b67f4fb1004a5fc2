"""Read grids from outside in any form: one or several, full or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from itertools import chain
from typing import Any, TypeAlias

from csp_sudoku.cells import Place, cell
from csp_sudoku.errors import CspSudokuError, FormatError, PuzzleError
from csp_sudoku.formats import read_grid
from csp_sudoku.integers import as_int
from csp_sudoku.puzzle import Puzzle

Values: TypeAlias = Mapping[Place, int]


def one_grid(source: object, puzzle: Puzzle) -> Values:
    """Read one grid: a mapping from places to values, text, or rows of values."""
    if not isinstance(source, Mapping):
        return dict(read_grid(source, puzzle))
    values = {}
    for name, value in source.items():
        place, number = cell(name), as_int(value)
        if not puzzle.has(place):
            raise PuzzleError(puzzle.no_such_place(place))
        if number is None:
            raise FormatError(f"{place}: {value!r} is not a whole number")
        values[place] = number
    return values


def all_grids(source: object, puzzle: Puzzle) -> tuple[Iterator[Values], bool]:
    """Read the grids of a source; also return whether it is one grid and not a list of grids.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> for source in ("1221", ["12", "21"], ["1221"], [], ["1221", "2112"]):
    ...     found, single = all_grids(source, Puzzle.blank(2))
    ...     len(list(found)), single
    (1, True)
    (1, True)
    (1, False)
    (0, False)
    (2, False)
    """
    if isinstance(source, str | bytes | Mapping) or not isinstance(source, Iterable):
        return iter([one_grid(source, puzzle)]), True
    items: Iterator[Any] = iter(source)
    first = next(items, None)
    if first is None:
        return iter(()), False
    # If the items of a list are not grids, they are the rows or the values of one grid.
    try:
        head = one_grid(first, puzzle)
    except CspSudokuError:
        if isinstance(source, Sized):
            return iter([one_grid(source, puzzle)]), True
        raise
    return chain([head], (one_grid(item, puzzle) for item in items)), False
