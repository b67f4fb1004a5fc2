"""Exact cover problems that differ in what is given, one after the other in one call.

Threads share the work only where the loop itself runs without the GIL.
"""

from __future__ import annotations

from typing import NamedTuple

from csp_encodings.jit import kernel
from csp_sudoku.kernels.dlx import DONE, SPENT, begin, search
from csp_sudoku.kernels.flat import Flat
from csp_sudoku.kernels.options import NODES, SAMPLED, SOLUTIONS, TAKES, Options, reset

# The sizes of a batch: how many rows there are, how long they are, which one is searched, and
# whether that has begun
ROWS, WIDTH, ROW, BEGUN = range(4)


class Batch(NamedTuple):
    """Many searches among the same options, a row each; a column for each variable.

    Attributes
    ----------
    bounds
        Two for each column: the first option of its variable, and the one after the last.
    columns
        The column of each option, or -1.
    values
        The value of each option.
    given
        For each row, its given options; -1 for none.
    solutions
        For each row, the values of its first solution.
    counts
        How many solutions each row has, up to the limit; 0 at first, and what is not known is -1.
    sizes
        Numbers, by the names above.
    """

    bounds: Flat[int]
    columns: Flat[int]
    values: Flat[int]
    given: Flat[int]
    solutions: Flat[int]
    counts: Flat[int]
    sizes: Flat[int]


@kernel
def set_givens(batch: Batch, givens: Flat[int], blank: int) -> None:
    """Find the options of rows of values; a row with a value that has none gets the count 0."""
    width = batch.sizes[WIDTH]
    for row in range(batch.sizes[ROWS]):
        batch.counts[row] = -1
        for column in range(width):
            place = row * width + column
            if givens[place] != blank:
                option, stop = batch.bounds[2 * column], batch.bounds[2 * column + 1]
                while option < stop and batch.values[option] != givens[place]:
                    option += 1
                batch.given[place] = option
                if option == stop:
                    batch.counts[row] = 0


@kernel
def solve_many(d: Options, batch: Batch, limit: int, budget: int) -> int:
    """Go on with a batch; gives DONE or SPENT."""
    state, counts, sizes = d.state, batch.counts, batch.sizes
    while sizes[ROW] < sizes[ROWS]:
        row = sizes[ROW]
        start = row * sizes[WIDTH]
        if not sizes[BEGUN] and counts[row] < 0:
            sizes[BEGUN] = 1
            counts[row] = 0
            reset(d)
            begin(d, batch.given, start, start + sizes[WIDTH])
            budget -= state[TAKES] + 1  # a given costs about as much as a node
        if sizes[BEGUN]:
            nodes, solutions = state[NODES], state[SOLUTIONS]
            status = search(d, limit - counts[row], max(budget, 0))
            budget -= state[NODES] - nodes
            if counts[row] == 0 and state[SOLUTIONS] > solutions:
                for k in range(state[SAMPLED]):
                    option = d.sample[k]
                    if batch.columns[option] >= 0:
                        batch.solutions[start + batch.columns[option]] = batch.values[option]
            counts[row] += state[SOLUTIONS] - solutions
            if status == SPENT:
                return SPENT
        sizes[ROW] += 1
        sizes[BEGUN] = 0
    return DONE
