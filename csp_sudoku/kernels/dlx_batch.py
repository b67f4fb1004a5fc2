"""Exact cover problems that differ in what is given, one after the other in one call.

Threads share the work only where the loop itself runs without the GIL.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csp_encodings.jit import kernel
from csp_sudoku.kernels.dlx import (
    DONE,
    LEVEL,
    NODES,
    SAMPLED,
    SOLUTIONS,
    SPENT,
    Run,
    begin,
    search,
)
from csp_sudoku.kernels.links import Ints, Links, restore

Counters: TypeAlias = NDArray[np.int64]


class Batch(NamedTuple):
    """Many searches with the same links, a row each.

    Attributes
    ----------
    template
        The links as they are before a search.
    given
        For each row, the first nodes of its given options; 0 for none.
    column
        The place of an option in the row of a solution, or -1.
    solutions
        Rows as long as those of `given`; each gets the options of its first solution.
    counts
        How many solutions each row has, up to the limit; -1 before its search.
    row
        The number of the row that is under way, alone in an array.
    """

    template: Links
    given: Ints
    column: Ints
    solutions: Ints
    counts: Counters
    row: Counters


@kernel
def solve_many(links: Links, run: Run, batch: Batch, limit: int, budget: int) -> int:
    """Go on with a batch, on links that are a copy of its template.

    Returns
    -------
    DONE or SPENT.
    """
    counts, column, sample, state = batch.counts, batch.column, run.sample, run.state
    rows = len(counts)
    width = len(batch.given) // max(rows, 1)
    while batch.row[0] < rows:
        row = batch.row[0]
        start = row * width
        if counts[row] < 0:
            counts[row] = 0
            restore(links, batch.template)
            begin(links, run, batch.given, start, start + width)
            budget -= state[LEVEL] + 1  # a given costs about as much as a node
        nodes, solutions = state[NODES], state[SOLUTIONS]
        status = search(links, run, limit - counts[row], max(budget, 0))
        budget -= state[NODES] - nodes
        if counts[row] == 0 and state[SOLUTIONS] > solutions:
            for k in range(state[SAMPLED]):
                if column[sample[k]] >= 0:
                    batch.solutions[start + column[sample[k]]] = sample[k]
        counts[row] += state[SOLUTIONS] - solutions
        if status == SPENT:
            return SPENT
        batch.row[0] += 1
    return DONE
