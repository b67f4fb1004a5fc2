"""Puzzles of the same rules as rows of an array; their solutions as another array."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csp_sudoku.backends.base import Rows
from csp_sudoku.batches.rows import fits_rows
from csp_sudoku.errors import BackendError, FormatError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.formats.texts.plain import blank_square
from csp_sudoku.grid import MAX_SIDE
from csp_sudoku.kernels import BLANK
from csp_sudoku.puzzle import Puzzle, of_rules
from csp_sudoku.solving.answering import CompiledRules
from csp_sudoku.solving.query import Query, check_count, check_query
from csp_sudoku.solving.results import Status

if TYPE_CHECKING:
    from threading import Event

# How many puzzles a thread takes at a time, at least and at most, and how often it should come.
_LEAST, _MOST = 64, 1024
_TIMES = 4


@dataclass(frozen=True)
class Solved:
    """The answers to an array of puzzles, without an object for any of them.

    Attributes
    ----------
    grids
        The first solution of each puzzle, in rows as the puzzles were; blanks where there is none.
    counts
        How many solutions were found, up to the limit; -1 where time ran out before any answer.
    limit
        How many were looked for.

    Examples
    --------
    >>> found = solve_array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]], Puzzle.blank(2), limit=2)
    >>> found.grids.tolist(), found.counts.tolist()
    ([[1, 2, 2, 1], [0, 0, 0, 0], [1, 2, 2, 1]], [1, 0, 2])
    >>> [found.status(i).value for i in range(3)]
    ['all found', 'none exist', 'some found']
    """

    grids: Rows
    counts: Rows
    limit: int
    left_out: tuple[str, ...] = ()
    """Rules of the source that were not read; see `Puzzle.left_out`."""

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def unique(self) -> NDArray[np.bool_]:
        """Which puzzles are known to have one solution, as a limit of 2 or more can tell."""
        found: NDArray[np.bool_] = (self.counts == 1) & (self.limit > 1 and not self.left_out)
        return found

    def status(self, row: int) -> Status:
        """Return what is known about a puzzle."""
        count = int(self.counts[row])
        return Status.of(count > 0, 0 <= count < self.limit)


def solve_array(
    grids: ArrayLike,
    rules: object = None,
    backend: str = "auto",
    *,
    limit: int = 1,
    workers: int = 1,
    timeout: float | None = None,
    cancel: Event | None = None,
) -> Solved:
    """Solve the rows of an array, each a puzzle of the same rules.

    Parameters
    ----------
    grids
        A row for each puzzle, a number for each cell (and named variable) in the order of
        ``rules.variables``: 0 for a blank, or the least number of 64 bits where 0 is a value.
    rules
        The puzzle without givens, or a source of it; default: a blank square grid.
    limit
        How many solutions of a puzzle to look for: 1 to solve it, 2 to see if it has only one.
    workers
        How many threads share the work.
    timeout
        Seconds for a puzzle, on the average.
    cancel
        As for :func:`csp_sudoku.solve`; what is left then counts as undecided.

    Examples
    --------
    >>> found = solve_array(np.zeros((2, 16), int))
    >>> found.grids[0].reshape(4, 4).tolist()
    [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]
    """
    if limit is None:
        raise BackendError("limit None: must be a whole number from 1 up; an array holds no lists")
    query, workers = check_query(limit, timeout, cancel=cancel), check_count("workers", workers)
    rules = None if rules is None else as_puzzle(rules)
    givens, wanted = read_array(grids, rules)
    solve = partial(_solve, wanted, backend, query, len(givens))
    size = _MOST if workers == 1 else min(_MOST, max(_LEAST, len(givens) // (_TIMES * workers)))
    if len(givens) <= size:
        solutions, counts = solve(givens)
    else:
        pieces = [givens[i : i + size] for i in range(0, len(givens), size)]
        if workers == 1:
            solved = [*map(solve, pieces)]
        else:
            with ThreadPoolExecutor(workers) as pool:
                solved = [*pool.map(solve, pieces)]
        solutions, counts = map(np.concatenate, zip(*solved, strict=True))
    if (blank := blank_of(wanted)) != BLANK:
        solutions[counts <= 0] = blank
    return Solved(solutions, counts, limit, wanted.left_out)


def _solve(
    rules: Puzzle, backend: str, query: Query, number: int, givens: Rows
) -> tuple[Rows, Rows]:
    """Return the first solution of each row, and how many there are, in a call about `number`."""
    deadline = query.deadline(len(givens))
    compiled = CompiledRules.for_many(rules, backend, deadline)
    try:
        return compiled.solve_rows(rules, givens, query, deadline, number)
    finally:
        compiled.release()


def read_array(grids: ArrayLike, rules: Puzzle | None, first: int = 1) -> tuple[Rows, Puzzle]:
    """Return the givens of the rows of an array, and their rules.

    Errors name a puzzle by its number, counted from `first`.
    """
    try:
        rows = np.ascontiguousarray(grids)
    except (TypeError, ValueError):
        raise FormatError("rows of different lengths are no list of puzzles") from None
    if rows.ndim != 2 or rows.dtype.kind not in "iu":
        raise FormatError(
            f"an array of shape {rows.shape} and type {rows.dtype} is no list of puzzles: "
            f"a row of whole numbers for each is needed"
        )
    wanted = square(rows.shape[1]) if rules is None else rules.without_givens()
    if len(wanted.variables) != rows.shape[1]:
        raise FormatError(
            f"rows of {rows.shape[1]} numbers do not fit {wanted!r}: it has "
            f"{len(wanted.variables)} cells and variables"
        )
    if not fits_rows(wanted):
        raise FormatError(f"an array holds numbers of 64 bits; {wanted!r} has larger values")
    givens = np.require(rows, np.int64, ["C", "W"])  # kernels are compiled for arrays of this kind
    if (blank := blank_of(wanted)) != BLANK:
        givens = np.where(rows == blank, np.int64(BLANK), givens)
    _check_values(givens, wanted, first)
    return givens, wanted


def blank_of(rules: Puzzle) -> int:
    """Return what stands for a blank in an array of puzzles with these rules."""
    return BLANK if any(0 in values for values, _ in _columns(rules)) else 0


def square(cells: int) -> Puzzle:
    """Return a blank square with this number of cells."""
    side = isqrt(cells)
    if not 1 <= side <= MAX_SIDE or side * side != cells:
        raise FormatError(f"{cells} cells are no square; say what the rules are")
    return blank_square(cells)


@of_rules
def _columns(rules: Puzzle) -> list[tuple[tuple[int, ...], list[int]]]:
    """Return the columns of an array of puzzles, by the values that they may have."""
    columns_of: dict[tuple[int, ...], list[int]] = {}
    for column, place in enumerate(rules.variables):
        columns_of.setdefault(rules.values_of(place), []).append(column)
    return [*columns_of.items()]


def _check_values(givens: Rows, rules: Puzzle, first: int) -> None:
    """Refuse a number that is not a value of its cell."""
    for values, columns in _columns(rules):
        part = givens if len(columns) == givens.shape[1] else givens[:, columns]
        if values and values[-1] - values[0] == len(values) - 1:  # without gaps: quick to see
            known = (part >= values[0]) & (part <= values[-1]) | (part == BLANK)
        else:
            known = np.isin(part, [*values, BLANK])
        if not known.all():
            wrong = np.argwhere(~known)
            row, column = wrong[0].tolist()
            raise FormatError(
                f"puzzle {first + row}: {rules.variables[columns[column]]}: {part[row, column]} is "
                f"not a value of this puzzle"
            )
