"""Searches of one network under many restrictions, one after the other in one call.

Threads share the work only where the loop itself runs without the GIL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from csp_encodings.arrays import WORD
from csp_encodings.jit import kernel
from csp_sudoku.kernels import boards, search
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest
from csp_sudoku.kernels.flat import Flat
from csp_sudoku.kernels.memory import (
    DOMAINS,
    DOMAINS_END,
    MODE,
    SOLUTIONS,
    START,
    WORK,
    Ints,
    Sets,
    constant,
)
from csp_sudoku.kernels.search import END, ROOT, SPENT

# The head of a batch: its size, the row that is searched, and where things are in it. Columns are
# variables, with the addresses of their words in `sets`.
ROWS, WIDTH, ROW, COLUMNS, COLUMN_ENDS, COUNTS, GIVENS, FIRST_SOLUTIONS = range(8)
HEAD = 8

# What the count of a restriction is before its search is done.
_FRESH, _BEGUN, _SOLVED = -1, -2, -3

_ONE_SOLUTION = constant(1)


@dataclass(frozen=True, slots=True)
class Batch:
    """Restrictions and their results, in one flat array."""

    array: NDArray[np.int64]

    @classmethod
    def of(
        cls, columns: NDArray[np.int64], ends: NDArray[np.int64], givens: NDArray[np.int64]
    ) -> Self:
        """A batch of rows of values (bits), -1 for none, of variables with these words."""
        rows, width = givens.shape
        addresses = np.cumsum([HEAD, width, width, rows, givens.size])
        head = np.array([rows, width, 0, *addresses])
        counts, unknown = np.full(rows, _FRESH), np.full(givens.size, -1)
        return cls(np.concatenate([head, columns, ends, counts, givens.ravel(), unknown]))

    @property
    def flat(self) -> Ints:
        """The array as a kernel takes it."""
        return Flat(self.array)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many solutions each has, up to the limit; -1 if that is not decided."""
        return np.maximum(self.array[self.array[COUNTS] : self.array[GIVENS]], -1)

    @property
    def solutions(self) -> NDArray[np.int64]:
        """The first solution of each, in rows like the givens; -1 where there is none."""
        return self.array[self.array[FIRST_SOLUTIONS] :].reshape(
            self.array[ROWS], self.array[WIDTH]
        )


@kernel
def run_many(ints: Ints, sets: Sets, batch: Ints, limit: int, budget: int) -> bool:
    """Search one restriction after the other; True once all are done, False if the budget is spent.

    Parameters
    ----------
    batch
        The array of a :class:`Batch`.
    limit
        How many solutions of each to look for.
    """
    stop = ints[WORK] + budget
    while _advance(ints, sets, batch, limit):
        if search.run(ints, sets, _ONE_SOLUTION, stop - ints[WORK]) == SPENT:
            return False
    return True


@kernel
def run_many_on_boards(ints: Ints, sets: Sets, batch: Ints, limit: int, budget: int) -> bool:
    """Like `run_many`, on boards."""
    stop = ints[WORK] + budget
    while _advance(ints, sets, batch, limit):
        if boards.run(ints, sets, _ONE_SOLUTION, stop - ints[WORK]) == SPENT:
            return False
    return True


@kernel
def _advance(ints: Ints, sets: Sets, batch: Ints, limit: int) -> bool:
    """Note what the search has found, and begin the next one if it is over; False after the last.

    It is called after every solution.
    """
    row = batch[ROW]
    if row == batch[ROWS]:
        return False
    count = batch[COUNTS] + row
    if batch[count] == _BEGUN and ints[SOLUTIONS] > 0:
        batch[count] = _SOLVED
        _copy_solution(sets, batch, row)
    if batch[count] != _FRESH and (ints[MODE] == END or ints[SOLUTIONS] == limit):
        batch[count] = ints[SOLUTIONS]
        row += 1
        batch[ROW] = row
        if row == batch[ROWS]:
            return False
        count += 1
    if batch[count] == _FRESH:
        batch[count] = _BEGUN
        _restrict(ints, sets, batch, row)
    return True


@kernel
def _restrict(ints: Ints, sets: Sets, batch: Ints, row: int) -> None:
    """Begin anew, with the domains of the start less what the givens rule out."""
    ints[MODE] = ROOT
    ints[SOLUTIONS] = 0
    for word in range(ints[DOMAINS_END] - ints[DOMAINS]):
        sets[ints[DOMAINS] + word] = sets[ints[START] + word]
    width = batch[WIDTH]
    for column in range(width):
        given = batch[batch[GIVENS] + row * width + column]
        if given < 0:
            continue
        first = batch[batch[COLUMNS] + column]
        for word in range(first, batch[batch[COLUMN_ENDS] + column]):
            home = word == first + (given >> 6)
            sets[word] &= ONE << np.uint64(given & 63) if home else NOTHING


@kernel
def _copy_solution(sets: Sets, batch: Ints, row: int) -> None:
    """Write down the values (bits) of variables that have one each."""
    width = batch[WIDTH]
    for column in range(width):
        first = batch[batch[COLUMNS] + column]
        word = first
        while not sets[word]:
            word += 1
        value = (word - first) * WORD + lowest(sets[word])
        batch[batch[FIRST_SOLUTIONS] + row * width + column] = value
