"""Exact cover problems that differ in what is given, one after the other in one call.

Threads share the work only where the loop itself runs without the GIL.
"""

from __future__ import annotations

from typing import NamedTuple

from csp_encodings.jit import kernel
from csp_sudoku.kernels import BLANK
from csp_sudoku.kernels.batch import Rows, Values
from csp_sudoku.kernels.dlx import DONE, SPENT, begin, search
from csp_sudoku.kernels.options import Groups, Ints, Longs, Options, reset


class Columns(NamedTuple):
    """The variables of the rows of a batch.

    Attributes
    ----------
    first_option, end_option
        For each column, the first option of its variable and the one after the last.
    column
        The column of each option, or -1.
    value
        The value of each option.
    """

    first_option: Ints
    end_option: Ints
    column: Ints
    value: Longs


@kernel
def find_options(columns: Columns, givens: Values, options: Values, counts: Longs) -> None:
    """Find the options of rows of values, where BLANK is none.

    A row with a value that has no option gets the count 0.
    """
    for row in range(len(givens)):
        for column in range(givens.shape[1]):
            if givens[row, column] == BLANK:
                continue
            option, end = columns.first_option[column], columns.end_option[column]
            while option < end and columns.value[option] != givens[row, column]:
                option += 1
            options[row, column] = option
            if option == end:
                counts[row] = 0


@kernel
def search_rows(  # noqa: PLR0917 - kernels have no keyword arguments
    g: Groups, d: Options, columns: Columns, rows: Rows, limit: int, budget: int
) -> int:
    """Go on with rows of given options, each for up to `limit` solutions; DONE or SPENT.

    While row ``d.row`` is at work, its count is what was found so far.
    """
    options, solutions, counts = rows
    while d.row < len(counts):
        row = d.row
        if not d.begun and counts[row] < 0:
            d.begun = 1
            counts[row] = 0
            reset(d)
            begin(g, d, options[row])
            budget -= d.takes + 1  # a given costs about as much as a node
        if d.begun:
            nodes, found = d.nodes, d.solutions
            status = search(g, d, limit - counts[row], max(budget, 0))
            budget -= d.nodes - nodes
            if counts[row] == 0 and d.solutions > found:
                for k in range(d.sampled):
                    option = d.sample[k]
                    if columns.column[option] >= 0:
                        solutions[row, columns.column[option]] = columns.value[option]
            counts[row] += d.solutions - found
            if status == SPENT:
                return SPENT
        d.row += 1
        d.begun = 0
    return DONE
