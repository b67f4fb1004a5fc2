"""Exact cover problems that differ in what is given, one after the other in one call.

Threads share the work only where the loop itself runs without the GIL.
"""

from __future__ import annotations

from typing import NamedTuple

from csp_encodings.jit import kernel
from csp_sudoku.kernels.dlx import DONE, SPENT, begin, search
from csp_sudoku.kernels.flat import Flat
from csp_sudoku.kernels.links import LEVEL, NODES, SAMPLE, SAMPLED, SOLUTIONS, Links, State, restore


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
    sizes
        The number of the row that is under way, how many there are, and how long they are.
    """

    template: Flat[int]
    given: Flat[int]
    column: Flat[int]
    solutions: Flat[int]
    counts: Flat[int]
    sizes: Flat[int]


@kernel
def solve_many(links: Links, state: State, batch: Batch, limit: int, budget: int) -> int:
    """Go on with a batch, on links that are a copy of its template; gives DONE or SPENT."""
    counts, column, sizes = batch.counts, batch.column, batch.sizes
    while sizes[0] < sizes[1]:
        row = sizes[0]
        start = row * sizes[2]
        if counts[row] < 0:
            counts[row] = 0
            restore(links, batch.template, state)
            begin(links, state, batch.given, start, start + sizes[2])
            budget -= state[LEVEL] + 1  # a given costs about as much as a node
        nodes, solutions = state[NODES], state[SOLUTIONS]
        status = search(links, state, limit - counts[row], max(budget, 0))
        budget -= state[NODES] - nodes
        if counts[row] == 0 and state[SOLUTIONS] > solutions:
            for k in range(state[SAMPLED]):
                option = links[state[SAMPLE] + k]
                if column[option] >= 0:
                    batch.solutions[start + column[option]] = option
        counts[row] += state[SOLUTIONS] - solutions
        if status == SPENT:
            return SPENT
        sizes[0] += 1
    return DONE
