"""The loops of generating: collect solutions, and take givens away while one solution is left.

A whole loop is one call: a question takes a few microseconds, and to ask it from Python several
times as long. :func:`csp_sudoku.generating.reducing.reduce` is the second loop for any solver.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from csp_encodings.jit import constant, inlined, kernel
from csp_encodings.network import Network
from csp_sudoku.kernels import BLANK
from csp_sudoku.kernels.batch import (
    FRESH,
    Columns,
    Model,
    Rows,
    State,
    Values,
    copy_solution,
    restrict,
    search_boards,
    search_domains,
)
from csp_sudoku.kernels.board_layout import Boards, Frames
from csp_sudoku.kernels.domains import Domains, Longs
from csp_sudoku.kernels.search import EXHAUSTED, FOUND, SPENT

_ONE_SOLUTION, _TWO_SOLUTIONS = constant(1), constant(2)


@dataclass
class Reduction:
    """How far the groups have been tried.

    Attributes
    ----------
    column, value
        The givens, group by group.
    first
        Group ``g`` has the givens from ``first[g]``.
    groups
        How many groups there are.
    group
        The next group to be tried.
    step
        How many groups are tried at once.
    count
        How many givens of the groups are left.
    least
        How many of them shall be left.
    asking
        1 while the groups in question are taken away and the answer is not known.
    spared
        1 if a group was kept only because too few givens would be left.
    """

    column: Longs
    value: Values
    first: Longs
    groups: int
    group: int
    step: int
    count: int
    least: int
    asking: int
    spared: int


@kernel
def reduce_domains(  # noqa: PLR0917 - kernels have no keyword arguments
    network: Network, d: Domains, columns: Columns, row: Rows, r: Reduction, budget: int
) -> bool:
    """Take groups of givens away from a single row; False if the budget was spent before the end.

    To resume, call it again.
    """
    return _reduce(search_domains, network, d, columns, row, r, budget)


@kernel
def reduce_boards(  # noqa: PLR0917
    b: Boards, d: Frames, columns: Columns, row: Rows, r: Reduction, budget: int
) -> bool:
    """Like :func:`reduce_domains`, on boards."""
    return _reduce(search_boards, b, d, columns, row, r, budget)


@kernel
def collect_domains(  # noqa: PLR0917
    network: Network, d: Domains, columns: Columns, row: Rows, single: Rows, budget: int
) -> bool:
    """Write down the solutions of one row of givens until the table of solutions is full.

    `row` has one row of givens, the table, and one count, FRESH at the start; `single` has no rows.
    Returns False if the budget was spent before. To resume, call it again.
    """
    return _collect(search_domains, network, d, columns, row, single, budget)


@kernel
def collect_boards(  # noqa: PLR0917
    b: Boards, d: Frames, columns: Columns, row: Rows, single: Rows, budget: int
) -> bool:
    """Like :func:`collect_domains`, on boards."""
    return _collect(search_boards, b, d, columns, row, single, budget)


@inlined
def _collect(  # noqa: PLR0917
    search: Callable[[Model, State, Columns, Rows, int, int], int],
    model: Model,
    d: State,
    columns: Columns,
    row: Rows,
    single: Rows,
    budget: int,
) -> bool:
    givens, solutions, counts = row
    stop = d.work + budget
    if counts[0] == FRESH:
        restrict(model, d, columns, givens[0])
        counts[0] = 0
    while counts[0] < len(solutions):
        result = search(model, d, columns, single, _ONE_SOLUTION, stop - d.work)
        if result != FOUND:
            return result == EXHAUSTED
        copy_solution(d, columns, solutions[counts[0]])
        counts[0] += 1
    return True


@inlined
def _reduce(  # noqa: PLR0917
    search: Callable[[Model, State, Columns, Rows, int, int], int],
    model: Model,
    d: State,
    columns: Columns,
    row: Rows,
    r: Reduction,
    budget: int,
) -> bool:
    givens, _, counts = row
    stop = d.work + budget
    while r.group < r.groups and r.count > r.least:
        r.step = min(r.step, r.groups - r.group)
        first, end = r.first[r.group], r.first[r.group + r.step]
        if r.count - (end - first) < r.least:
            if r.step > 1:
                r.step //= 2
            else:
                r.spared = 1
                r.group += 1
            continue
        if not r.asking:
            for i in range(first, end):
                givens[0, r.column[i]] = BLANK
            counts[0] = FRESH
            d.row = 0
            r.asking = 1
        if search(model, d, columns, row, _TWO_SOLUTIONS, stop - d.work) == SPENT:
            return False
        r.asking = 0
        if counts[0] == 1:
            r.count -= end - first
            r.group += r.step
            # Many of the first groups can go at once, few of the last.
            r.step = max(1, min(r.step, (r.groups - r.group) // 6))
            continue
        for i in range(first, end):
            givens[0, r.column[i]] = r.value[i]
        if r.step > 1:
            r.step //= 2
        else:
            r.group += 1
    return True


class Loops(NamedTuple):
    """The loops of generating, by one kernel that searches."""

    collect: Callable[..., bool]
    reduce: Callable[..., bool]


def loops(search: Callable[..., int]) -> Loops:
    """Return the loops by a kernel of :mod:`csp_sudoku.kernels.batch`."""
    if search is search_boards:
        return Loops(collect_boards, reduce_boards)
    return Loops(collect_domains, reduce_domains)
