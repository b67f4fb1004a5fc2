"""What Python calls: a search, or searches of one network under many rows of givens in one call.

Threads share the work only where the loop itself runs without the GIL. There is one kernel for a
single search and for many, since it takes seconds to compile one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from csp_encodings.jit import constant, inlined, kernel, subroutine
from csp_encodings.network import WORD, Network
from csp_sudoku.kernels import BLANK, boards, search
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest
from csp_sudoku.kernels.board_layout import Boards, Frames
from csp_sudoku.kernels.domains import Domains, Longs
from csp_sudoku.kernels.records import pack
from csp_sudoku.kernels.search import END, EXHAUSTED, ROOT, SPENT

Values: TypeAlias = NDArray[np.int64]

Rows: TypeAlias = tuple[Values, Values, Longs]
"""A batch of searches: givens, first solutions, and counts.

The first two are tables with a row for each search and a column for each variable: a value, or
BLANK. The third is how many solutions each row has, up to a limit; FRESH before.
"""

# What is searched, and what changes in a search of it.
Model = TypeVar("Model", Network, Boards)
State = TypeVar("State", Domains, Frames)

# What the count of a row is before its search is done.
FRESH, _BEGUN, _SOLVED = -1, -2, -3

_ONE_SOLUTION = constant(1)


class Columns(NamedTuple):
    """The variables of the rows of a batch.

    Attributes
    ----------
    first_word, end_word
        Where the words of each column begin and end in the domains.
    lowest
        The value that the first bit of each column means.
    """

    first_word: Longs
    end_word: Longs
    lowest: Longs


NO_COLUMNS = pack(Columns(*3 * [np.zeros(0, np.int64)]))
NO_ROWS: Rows = (np.zeros((0, 0), np.int64), np.zeros((0, 0), np.int64), np.zeros(0, np.int64))
"""With these, a single search is made within the domains as they are."""


@kernel
def search_domains(  # noqa: PLR0917 - kernels have no keyword arguments
    network: Network, d: Domains, columns: Columns, rows: Rows, limit: int, budget: int
) -> int:
    """Search until `limit` more solutions are found, or a budget of work is spent.

    If there are rows, they are searched one after the other, each for up to `limit` solutions.

    Returns
    -------
    EXHAUSTED (there is nothing more to find), FOUND (the domains are the last of the solutions) or
    SPENT. To resume, call it again.
    """
    return _search(search.run, network, d, columns, rows, limit, budget)


@kernel
def search_boards(  # noqa: PLR0917
    b: Boards, d: Frames, columns: Columns, rows: Rows, limit: int, budget: int
) -> int:
    """Like :func:`search_domains`, on boards."""
    return _search(boards.run, b, d, columns, rows, limit, budget)


@inlined
def _search(  # noqa: PLR0917
    run: Callable[[Model, State, int, int], int],
    model: Model,
    d: State,
    columns: Columns,
    rows: Rows,
    limit: int,
    budget: int,
) -> int:
    """Search by `run` what the model says; for the rest see :func:`search_domains`."""
    stop = d.work + budget
    single = len(rows[0]) == 0
    while single or _advance(model, d, columns, rows, limit):
        wanted = limit if single else _ONE_SOLUTION
        result = run(model, d, wanted, stop - d.work)
        if result == SPENT or single:
            return result
    return EXHAUSTED


@subroutine
def _advance(model: Model, d: State, columns: Columns, rows: Rows, limit: int) -> bool:
    """Note what the search has found, and begin the next one if it is over; False after the last.

    It is called after every solution.
    """
    givens, solutions, counts = rows
    row = d.row
    if row == len(counts):
        return False
    if counts[row] == _BEGUN and d.solutions > 0:
        counts[row] = _SOLVED
        copy_solution(d, columns, solutions[row])
    if counts[row] != FRESH and (d.mode == END or d.solutions == limit):
        counts[row] = d.solutions
        row += 1
        d.row = row
        if row == len(counts):
            return False
    if counts[row] == FRESH:
        counts[row] = _BEGUN
        restrict(model, d, columns, givens[row])
    return True


@subroutine
def restrict(model: Model, d: State, columns: Columns, givens: Values) -> None:
    """Begin anew, with the domains of the start less what a row of givens rules out."""
    d.mode = ROOT
    d.solutions = 0
    for word in range(d.domain_words):
        d.domain[word] = model.domain[word]
    for column in range(len(givens)):
        given = givens[column]
        if given == BLANK:
            continue
        given -= columns.lowest[column]
        first = columns.first_word[column]
        for word in range(first, columns.end_word[column]):
            home = word == first + (given >> 6)
            d.domain[word] &= ONE << np.uint64(given & 63) if home else NOTHING


@subroutine
def copy_solution(d: State, columns: Columns, solution: Values) -> None:
    """Write down the values of the variables, which have one each."""
    for column in range(len(solution)):
        first = columns.first_word[column]
        word = first
        while not d.domain[word]:
            word += 1
        solution[column] = columns.lowest[column] + (word - first) * WORD + lowest(d.domain[word])
