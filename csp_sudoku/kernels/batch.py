"""What Python calls: a search, or searches of one network under many restrictions in one call.

Threads share the work only where the loop itself runs without the GIL. There is one kernel for
both, since it is the compiling of them that takes long.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csp_encodings.arrays import WORD
from csp_encodings.jit import kernel, subroutine
from csp_sudoku.backends.base import BLANK
from csp_sudoku.kernels import boards, search
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest
from csp_sudoku.kernels.flat import flat, flat_with
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
from csp_sudoku.kernels.search import END, EXHAUSTED, ROOT, SPENT

Array = NDArray[np.int64]
Words = NDArray[np.uint64]

# The head of a batch: its size, the row that is searched, and where things are in it. Columns are
# variables, with the addresses of their words in `sets` and the value that their first bit means.
ROWS, WIDTH, ROW, COLUMNS, COLUMN_ENDS, LOWEST, COUNTS, GIVENS, FIRST_SOLUTIONS = range(9)
HEAD = 9

# What the count of a restriction is before its search is done.
_FRESH, _BEGUN, _SOLVED = -1, -2, -3

_ONE_SOLUTION = constant(1)

# The batch of a single search, which is not restricted.
NO_BATCH = np.zeros(HEAD, np.int64)


class Columns:
    """The variables of a batch: where their words begin and end, and what their first bits mean."""

    def __init__(self, words: Array, ends: Array, lowest: Array) -> None:
        width = len(words)
        places = [HEAD + i * width for i in range(4)]
        self._start = np.concatenate([[0, width, 0, *places, 0, 0], words, ends, lowest])

    def batch(self, givens: Array) -> Batch:
        """A batch of rows of values, BLANK for none."""
        rows, counts = len(givens), len(self._start)
        first = counts + rows
        solutions = first + givens.size
        array = np.empty(solutions + givens.size, np.int64)
        array[:counts] = self._start
        array[ROWS], array[GIVENS], array[FIRST_SOLUTIONS] = rows, first, solutions
        array[counts:first] = _FRESH
        array[first:solutions] = givens.ravel()
        array[solutions:] = BLANK
        return Batch(array, array[counts:first], array[solutions:].reshape(givens.shape))


class Batch(NamedTuple):
    """Restrictions and their results, in one flat array; and the parts of it that are results."""

    array: Array
    found: Array
    solutions: Array
    """The first solution of each, in rows like the givens; BLANK where there is none."""

    @property
    def counts(self) -> Array:
        """How many solutions each has, up to the limit; -1 if that is not decided."""
        return np.maximum(self.found, -1)


@kernel
def search_domains(ints: Array, sets: Words, batch: Array, solutions: int, budget: int) -> int:
    """Search until so many solutions more are found, or a budget of work is spent.

    Parameters
    ----------
    batch
        The array of a :class:`Batch`, whose restrictions are searched one after the other, each for
        so many solutions; or NO_BATCH.

    Returns
    -------
    EXHAUSTED (there is nothing more to find), FOUND (the domains are the last of the solutions) or
    SPENT. To resume, call it again.
    """
    flat_ints, flat_sets, flat_batch = flat(ints), flat(sets), flat(batch)
    stop = flat_ints[WORK] + budget
    while flat_batch[ROWS] == 0 or _advance(flat_ints, flat_sets, flat_batch, solutions):
        wanted = _ONE_SOLUTION if flat_batch[ROWS] else solutions
        result = search.run(flat_ints, flat_sets, wanted, stop - flat_ints[WORK])
        if result == SPENT or flat_batch[ROWS] == 0:
            return result
    return EXHAUSTED


@kernel
def search_small_boards(ints: Array, sets: Words, batch: Array, solutions: int, budget: int) -> int:
    """Like `search_domains`, on boards of the first of the SHAPES."""
    return _search_boards(flat(ints), flat_with(sets, 2, 9), flat(batch), solutions, budget)


@kernel
def search_large_boards(ints: Array, sets: Words, batch: Array, solutions: int, budget: int) -> int:
    """Like `search_domains`, on boards of the second of the SHAPES."""
    return _search_boards(flat(ints), flat_with(sets, 4, 16), flat(batch), solutions, budget)


@subroutine
def _search_boards(ints: Ints, sets: Sets, batch: Ints, solutions: int, budget: int) -> int:
    stop = ints[WORK] + budget
    while batch[ROWS] == 0 or _advance(ints, sets, batch, solutions):
        wanted = _ONE_SOLUTION if batch[ROWS] else solutions
        result = boards.run(ints, sets, wanted, stop - ints[WORK])
        if result == SPENT or batch[ROWS] == 0:
            return result
    return EXHAUSTED


@subroutine
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


@subroutine
def _restrict(ints: Ints, sets: Sets, batch: Ints, row: int) -> None:
    """Begin anew, with the domains of the start less what the givens rule out."""
    ints[MODE] = ROOT
    ints[SOLUTIONS] = 0
    for word in range(ints[DOMAINS_END] - ints[DOMAINS]):
        sets[ints[DOMAINS] + word] = sets[ints[START] + word]
    width = batch[WIDTH]
    for column in range(width):
        given = batch[batch[GIVENS] + row * width + column]
        if given == BLANK:
            continue
        given -= batch[batch[LOWEST] + column]
        first = batch[batch[COLUMNS] + column]
        for word in range(first, batch[batch[COLUMN_ENDS] + column]):
            home = word == first + (given >> 6)
            sets[word] &= ONE << np.uint64(given & 63) if home else NOTHING


@subroutine
def _copy_solution(sets: Sets, batch: Ints, row: int) -> None:
    """Write down the values of variables that have one each."""
    width = batch[WIDTH]
    for column in range(width):
        first = batch[batch[COLUMNS] + column]
        word = first
        while not sets[word]:
            word += 1
        value = (word - first) * WORD + lowest(sets[word])
        batch[batch[FIRST_SOLUTIONS] + row * width + column] = batch[batch[LOWEST] + column] + value
