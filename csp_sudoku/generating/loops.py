"""Loops of generating in one call each, for rules that a hand-written engine holds.

Rows are those of :meth:`csp_sudoku.backends.batch.BatchSession.solve_many`: a value for each
variable, or BLANK.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from csp_encodings.jit import announced
from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.backends.search import SearchSession
from csp_sudoku.backends.slices import run_in_slices
from csp_sudoku.kernels import BLANK
from csp_sudoku.kernels.batch import FRESH, NO_ROWS
from csp_sudoku.kernels.generating import Reduction, loops
from csp_sudoku.kernels.records import copy, pack

Values = NDArray[np.int64]

# The work before the first look at the clock.
_FIRST_SLICE = 20_000


def collect(
    session: SearchSession, givens: Values, most: int, deadline: float | None = None
) -> Values:
    """Return the solutions of a row of givens, in rows; the first `most` if there are more.

    Raises :class:`OutOfTime`.
    """
    solutions = np.full((most, len(givens)), BLANK, np.int64)
    counts = np.full(1, FRESH, np.int64)
    engine = session.engine
    run = partial(
        loops(engine.kernel).collect,
        engine.model,
        copy(engine.search),
        session.columns,
        (session.as_indices(givens[None]), solutions, counts),
        NO_ROWS,
    )
    if not _done(run, deadline):
        raise OutOfTime
    found = solutions[: counts[0]]
    return session.as_values(found, np.ones(len(found), np.bool_))


def reduce_row(
    session: SearchSession,
    givens: Values,
    groups: Sequence[Sequence[int]],
    *,
    least: int = 0,
    deadline: float | None = None,
) -> tuple[list[bool], bool, bool]:
    """Take groups of columns away from a row of givens while it has one solution.

    Groups are tried in their order, until `least` of their givens are left.

    Returns
    -------
    Whether each group is left, whether all of these are known to be needed, and whether time ran
    out.
    """
    row = session.as_indices(givens[None].copy())
    columns = np.array([column for group in groups for column in group], np.int64)
    reduction = pack(
        Reduction(
            column=columns,
            value=row[0, columns],
            first=np.cumsum([0, *map(len, groups)], dtype=np.int64),
            groups=len(groups),
            group=0,
            step=max(1, len(groups) * 2 // 5),
            count=len(columns),
            least=least,
            asking=0,
            spared=0,
        )
    )
    engine = session.engine
    run = partial(
        loops(engine.kernel).reduce,
        engine.model,
        copy(engine.search),
        session.columns,
        (row, np.full_like(row, BLANK), np.full(1, FRESH, np.int64)),
        reduction,
    )
    done = _done(run, deadline)
    # Groups that were in question when time ran out are left.
    blank = (row[0] == BLANK).tolist()
    tried = reduction.group
    left = [i >= tried or not blank[group[0]] for i, group in enumerate(groups)]
    minimal = done and tried == len(groups) and not reduction.spared
    return left, minimal, not done


def _done(run: Callable[[int], bool], deadline: float | None) -> bool:
    with announced("the kernels of generating"):
        return run_in_slices(run, _FIRST_SLICE, deadline)
