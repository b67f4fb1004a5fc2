"""Puzzles of the same rules as rows of an array; their solutions as another array."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from math import isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from csp_sudoku import solving
from csp_sudoku.backends.auto import search_is_ready
from csp_sudoku.backends.base import BLANK, Session
from csp_sudoku.batches.checking import array_check
from csp_sudoku.compiling import KeptSession
from csp_sudoku.errors import BackendError, FormatError, WrongAnswerError
from csp_sudoku.formats.plain import blank_square
from csp_sudoku.grid import MAX_SIDE
from csp_sudoku.puzzle import Puzzle, of_rules
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
    givens, wanted = read_array(grids, rules)
    solutions, counts = solve_givens(
        givens, wanted, backend, limit=limit, workers=workers, timeout=timeout
    )
    if (blank := blank_of(wanted)) != BLANK:
        solutions[counts <= 0] = blank
    return Solved(solutions, counts, limit)


def read_array(grids: ArrayLike, rules: Puzzle | None, first: int = 1) -> tuple[Values, Puzzle]:
    """The givens of the rows of an array, and their rules; or an error.

    It names a puzzle by its number, counted from the first one's.
    """
    rows = np.ascontiguousarray(grids)
    if rows.ndim != 2 or rows.dtype.kind not in "iu":
        raise FormatError(
            f"an array of shape {rows.shape} and type {rows.dtype} is no list of puzzles: "
            f"a row of whole numbers for each is needed"
        )
    wanted = square(rows.shape[1]) if rules is None else rules.without_givens
    if len(wanted.variables) != rows.shape[1]:
        raise FormatError(
            f"rows of {rows.shape[1]} numbers do not fit {wanted!r}: it has "
            f"{len(wanted.variables)} cells and variables"
        )
    givens = rows.astype(np.int64, copy=False)
    if (blank := blank_of(wanted)) != BLANK:
        givens = np.where(rows == blank, np.int64(BLANK), givens)
    _check_values(givens, wanted, first)
    return givens, wanted


def solve_givens(
    givens: Values,
    rules: Puzzle,
    backend: str,
    *,
    limit: int,
    workers: int = 1,
    timeout: float | None = None,
) -> tuple[Values, Values]:
    """The first solution of each row of givens, BLANK if there is none; and how many there are.

    The rows hold values of the rules, or BLANK; and the rules hold no givens.
    """
    auto = backend == "auto"
    if auto and len(givens) < _MANY and not search_is_ready():
        session: AbstractContextManager[Session | None] = nullcontext()
    else:
        session = KeptSession(rules, "search" if auto else backend)
    with session as found:
        solver = _Solver(rules, backend, limit, timeout, getattr(found, "solve_many", None))
        size = _MOST if workers == 1 else min(_MOST, max(_LEAST, len(givens) // (_TIMES * workers)))
        if len(givens) <= size:
            return solver.solve(givens)
        pieces = [givens[i : i + size] for i in range(0, len(givens), size)]
        if workers == 1:
            solved = [*map(solver.solve, pieces)]
        else:
            with ThreadPoolExecutor(workers) as pool:
                solved = [*pool.map(solver.solve, pieces)]
    solutions, counts = zip(*solved, strict=True)
    return np.concatenate(solutions), np.concatenate(counts)


class _Solver(NamedTuple):
    """Solves pieces of an array: by a kernel if the backend has one for that, else row by row."""

    rules: Puzzle
    backend: str
    limit: int
    timeout: float | None
    kernel: Any

    def solve(self, givens: Values) -> tuple[Values, Values]:
        """The first solution and the number of solutions of each row."""
        auto = self.backend == "auto"
        if self.kernel is None:
            solutions, counts = np.full(givens.shape, BLANK), np.full(len(givens), -1)
        else:
            seconds = _SECONDS_EACH if auto else self.timeout
            deadline = None if seconds is None else time.monotonic() + seconds * len(givens)
            solutions, counts = self.kernel(givens, limit=self.limit, deadline=deadline)
            self._check(solutions, givens, counts > 0)
        if auto or self.kernel is None:
            for row in (counts < 0).nonzero()[0].tolist():
                self._solve_row(givens[row], solutions[row], counts[row : row + 1])
        return solutions, counts

    def _check(self, solutions: Values, givens: Values, found: NDArray[np.bool_]) -> None:
        wrong = found > array_check(self.rules).keeps(solutions, givens)
        if np.count_nonzero(wrong):
            values = solutions[wrong][0].tolist()
            broken = verify(
                self.rules, dict(zip(self.rules.variables, values, strict=True))
            ).violations
            raise WrongAnswerError(
                f"backend {self.backend} gave a solution that breaks a rule: "
                f"{broken[0] if broken else 'a given is not kept'}"
            )

    def _solve_row(self, givens: Values, solution: Values, count: Values) -> None:
        puzzle = puzzle_of(givens, self.rules)
        found = solving.solve(puzzle, self.backend, limit=self.limit, timeout=self.timeout)
        if found.solutions:
            solution[:] = [*found.solutions[0].values()]
        if found.solutions or found.complete:
            count[:] = len(found.solutions)


def puzzle_of(givens: Values, rules: Puzzle) -> Puzzle:
    """The puzzle that a row of givens says."""
    places = zip(rules.variables, givens.tolist(), strict=True)
    return rules.with_givens({place: value for place, value in places if value != BLANK})


def blank_of(rules: Puzzle) -> int:
    """What stands for a blank in an array of puzzles with these rules."""
    return BLANK if any(0 in values for values, _ in _columns(rules)) else 0


def square(cells: int) -> Puzzle:
    """A blank square of so many cells."""
    side = isqrt(cells)
    if not 1 <= side <= MAX_SIDE or side * side != cells:
        raise FormatError(f"{cells} cells are no square; say what the rules are")
    return blank_square(cells)


@of_rules
def _columns(rules: Puzzle) -> list[tuple[tuple[int, ...], list[int]]]:
    """The columns of an array of puzzles with these rules, by the values that they may have."""
    columns_of: dict[tuple[int, ...], list[int]] = {}
    for column, place in enumerate(rules.variables):
        columns_of.setdefault(rules.values_of(place), []).append(column)
    return [*columns_of.items()]


def _check_values(givens: Values, rules: Puzzle, first: int) -> None:
    """Refuse a number that is no value of its cell."""
    for values, columns in _columns(rules):
        part = givens if len(columns) == givens.shape[1] else givens[:, columns]
        if values and values[-1] - values[0] == len(values) - 1:  # as usual, and quick to see
            known = (part >= values[0]) & (part <= values[-1]) | (part == BLANK)
        else:
            known = np.isin(part, [*values, BLANK])
        if not known.all():
            wrong = np.argwhere(~known)
            row, column = wrong[0].tolist()
            raise FormatError(
                f"puzzle {first + row}: {rules.variables[columns[column]]}: {part[row, column]} is "
                f"not a value of this puzzle"
            )
