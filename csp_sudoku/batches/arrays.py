"""Puzzles of the same rules as rows of an array; their solutions as another array."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csp_sudoku import solving
from csp_sudoku.backends.auto import search_is_ready
from csp_sudoku.backends.base import BLANK
from csp_sudoku.batches.checking import array_check
from csp_sudoku.compiling import kept_session
from csp_sudoku.errors import BackendError, FormatError, WrongAnswerError
from csp_sudoku.grid import MAX_SIDE
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.results import Status
from csp_sudoku.verify import verify

Values = NDArray[np.int64]

# Puzzles that a thread takes at a time: at least, at most; and how often each should come, or more.
_LEAST, _MOST = 64, 1024
_TIMES = 4

# So many puzzles are worth the loading of kernels.
_MANY = 100

# What a kernel may take for a puzzle on the average, where others can take over.
_SECONDS_EACH = 0.02


@dataclass(frozen=True)
class Solved:
    """The answers to an array of puzzles, without an object for any of them.

    Attributes
    ----------
    grids
        The first solution of each puzzle, in rows as the puzzles were; blanks where there is none.
    counts
        How many solutions were found: up to the limit; -1 where time ran out before any answer.
    limit
        How many were looked for.

    Examples
    --------
    >>> found = solve_array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]], Puzzle.blank(2), limit=2)
    >>> found.grids.tolist(), found.counts.tolist()
    ([[1, 2, 2, 1], [0, 0, 0, 0], [1, 2, 2, 1]], [1, 0, 2])
    >>> [found.status(i).value for i in range(3)]
    ['all found', 'none exist', 'some found']
    """

    grids: Values
    counts: Values
    limit: int

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def unique(self) -> NDArray[np.bool_]:
        """Which puzzles are known to have one solution; that takes a limit of 2 or more."""
        found: NDArray[np.bool_] = (self.counts == 1) & (self.limit > 1)
        return found

    def status(self, row: int) -> Status:
        """What is known of a puzzle."""
        count = int(self.counts[row])
        return Status.of(count > 0, 0 <= count < self.limit)


def solve_array(
    grids: ArrayLike,
    rules: Puzzle | None = None,
    backend: str = "auto",
    *,
    limit: int = 1,
    workers: int = 1,
    timeout: float | None = None,
) -> Solved:
    """Solve the rows of an array, each a puzzle of the same rules.

    Parameters
    ----------
    grids
        A row for each puzzle, a number for each cell (and named variable) in the order of
        ``rules.variables``: 0 for a blank, or the least number of 64 bits where 0 is a value.
    rules
        The puzzle without givens; a blank square grid by default.
    limit
        How many solutions of a puzzle to look for: 1 to solve it, 2 to see if it has only one.
    workers
        How many threads share the work.
    timeout
        Seconds for a puzzle, on the average.

    Examples
    --------
    >>> found = solve_array(np.zeros((2, 16), int))
    >>> found.grids[0].reshape(4, 4).tolist()
    [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]
    """
    solving.check_query(limit, timeout, None)
    if type(workers) is not int or workers < 1:
        raise BackendError(f"workers {workers!r}: must be a whole number from 1 on")
    rows = np.ascontiguousarray(grids)
    if rows.ndim != 2 or rows.dtype.kind not in "iu":
        raise FormatError(
            f"an array of shape {rows.shape} and type {rows.dtype} is no list of puzzles: "
            f"a row of whole numbers for each is needed"
        )
    rows = rows.astype(np.int64, copy=False)
    wanted = square(rows.shape[1]) if rules is None else rules.without_givens
    if len(wanted.variables) != rows.shape[1]:
        raise FormatError(
            f"rows of {rows.shape[1]} numbers do not fit {wanted!r}: it has "
            f"{len(wanted.variables)} cells and variables"
        )
    blank = blank_of(wanted)
    givens = rows if blank == BLANK else np.where(rows == blank, BLANK, rows)
    _check_values(givens, wanted)
    size = min(_MOST, max(_LEAST, len(givens) // (_TIMES * workers)))
    pieces = [givens[i : i + size] for i in range(0, len(givens), size)]
    solver = _Solver(wanted, backend, limit, timeout, many=len(givens) >= _MANY)
    with solver, ThreadPoolExecutor(workers) as pool:
        # The work of one needs no thread of its own.
        solved = list((map if workers == 1 else pool.map)(solver.solve, pieces))
    solutions = np.concatenate([found for found, _ in solved] or [givens])
    counts = np.concatenate([count for _, count in solved] or [np.zeros(0, np.int64)])
    if blank != BLANK:
        solutions[counts <= 0] = blank
    return Solved(solutions, counts, limit)


class _Solver:
    """Solves pieces of an array: by a kernel if the backend has one for that, else row by row."""

    def __init__(
        self, rules: Puzzle, backend: str, limit: int, timeout: float | None, *, many: bool
    ) -> None:
        self._rules = rules
        self._backend = backend
        self._limit = limit
        self._timeout = timeout
        self._auto = backend == "auto"
        self._kernel: Any = None
        with ExitStack() as stack:
            if not self._auto or many or search_is_ready():
                name = "search" if self._auto else backend
                session = stack.enter_context(kept_session(rules, name))
                self._kernel = getattr(session, "solve_many", None)
            self._stack = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def solve(self, givens: Values) -> tuple[Values, Values]:
        """The first solution and the number of solutions of each row."""
        if self._kernel is None:
            solutions, counts = np.full(givens.shape, BLANK), np.full(len(givens), -1)
        else:
            seconds = _SECONDS_EACH if self._auto else self._timeout
            deadline = None if seconds is None else time.monotonic() + seconds * len(givens)
            solutions, counts = self._kernel(givens, limit=self._limit, deadline=deadline)
            self._check(solutions, givens, counts > 0)
        if self._auto or self._kernel is None:
            for row in np.flatnonzero(counts < 0).tolist():
                self._solve_row(givens[row], solutions[row], counts[row : row + 1])
        return solutions, counts

    def _check(self, solutions: Values, givens: Values, found: NDArray[np.bool_]) -> None:
        kept = array_check(self._rules).keeps(solutions[found], givens[found], BLANK)
        if not kept.all():
            wrong = dict(
                zip(self._rules.variables, solutions[found][~kept][0].tolist(), strict=True)
            )
            broken = verify(self._rules, wrong).violations
            raise WrongAnswerError(
                f"backend {self._backend} gave a solution that breaks a rule: "
                f"{broken[0] if broken else 'a given is not kept'}"
            )

    def _solve_row(self, givens: Values, solution: Values, count: Values) -> None:
        places = zip(self._rules.variables, givens.tolist(), strict=True)
        puzzle = self._rules.with_givens({place: v for place, v in places if v != BLANK})
        found = solving.solve(puzzle, self._backend, limit=self._limit, timeout=self._timeout)
        if found.solutions:
            solution[:] = [*found.solutions[0].values()]
        if found.solutions or found.complete:
            count[:] = len(found.solutions)


def blank_of(rules: Puzzle) -> int:
    """What stands for a blank in an array of puzzles with these rules."""
    zero = any(0 in rules.values_of(place) for place in rules.variables)
    return BLANK if zero else 0


def square(cells: int) -> Puzzle:
    """A blank square of so many cells."""
    side = isqrt(cells)
    if not 1 <= side <= MAX_SIDE or side * side != cells:
        raise FormatError(f"{cells} cells are no square; say what the rules are")
    return _blank(side)


@lru_cache(maxsize=8)
def _blank(side: int) -> Puzzle:
    return Puzzle.blank(side)


def _check_values(givens: Values, rules: Puzzle) -> None:
    """Refuse a number that is no value of its cell."""
    columns_of: dict[tuple[int, ...], list[int]] = {}
    for column, place in enumerate(rules.variables):
        columns_of.setdefault(rules.values_of(place), []).append(column)
    for values, columns in columns_of.items():
        part = givens if len(columns) == givens.shape[1] else givens[:, columns]
        if values and values[-1] - values[0] == len(values) - 1:  # as usual, and quick to see
            known = (part >= values[0]) & (part <= values[-1]) | (part == BLANK)
        else:
            known = np.isin(part, [*values, BLANK])
        if not known.all():
            wrong = np.argwhere(~known)
            row, column = wrong[0].tolist()
            raise FormatError(
                f"puzzle {row + 1}: {rules.variables[columns[column]]}: {part[row, column]} is not "
                f"a value of this puzzle"
            )
