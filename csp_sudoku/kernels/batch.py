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
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest
from csp_sudoku.kernels.flat import Flat
from csp_sudoku.kernels.memory import (
    DOMAIN,
    DOMAIN_END,
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
from csp_sudoku.kernels.search import EXHAUSTED, FOUND, ROOT, SPENT, run

# The head of a batch: its size, and where things are in it.
ROWS, WIDTH, COLUMNS, COUNTS, GIVENS, FIRST_SOLUTIONS = range(6)
HEAD = 6

# What the count of a restriction is before its search is done.
_FRESH, _BEGUN = -1, -2

_ONE_SOLUTION = constant(1)


@dataclass(frozen=True, slots=True)
class Batch:
    """Restrictions and their results, in one flat array."""

    array: NDArray[np.int64]

    @classmethod
    def of(cls, columns: NDArray[np.int64], givens: NDArray[np.int64]) -> Self:
        """A batch of rows of values (bits), -1 for none, of the variables at these addresses."""
        rows, width = givens.shape
        ends = np.cumsum([HEAD, width, rows, givens.size])
        head = np.array([rows, width, *ends])
        unknown = np.full(givens.size, -1)
        return cls(np.concatenate([head, columns, np.full(rows, _FRESH), givens.ravel(), unknown]))

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
    for row in range(batch[ROWS]):
        count = batch[COUNTS] + row
        if batch[count] == _FRESH:
            batch[count] = _BEGUN
            _restrict(ints, sets, batch, row)
        while batch[count] == _BEGUN:
            result = run(ints, sets, _ONE_SOLUTION, stop - ints[WORK])
            if result == SPENT:
                return False
            if result == FOUND and ints[SOLUTIONS] == 1:
                _copy_solution(ints, sets, batch, row)
            if result == EXHAUSTED or ints[SOLUTIONS] == limit:
                batch[count] = ints[SOLUTIONS]
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
        variable = batch[batch[COLUMNS] + column]
        home = ints[variable + DOMAIN] + (given >> 6)
        for word in range(ints[variable + DOMAIN], ints[variable + DOMAIN_END]):
            sets[word] &= ONE << np.uint64(given & 63) if word == home else NOTHING


@kernel
def _copy_solution(ints: Ints, sets: Sets, batch: Ints, row: int) -> None:
    """Write down the values (bits) of variables that have one each."""
    width = batch[WIDTH]
    for column in range(width):
        first = ints[batch[batch[COLUMNS] + column] + DOMAIN]
        word = first
        while not sets[word]:
            word += 1
        value = (word - first) * WORD + lowest(sets[word])
        batch[batch[FIRST_SOLUTIONS] + row * width + column] = value
