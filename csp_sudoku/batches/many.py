"""Many puzzles of any kind, solved in order while they are read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from csp_sudoku import solving
from csp_sudoku.backends.base import Statistics
from csp_sudoku.batches.arrays import blank_of, solve_array, square
from csp_sudoku.batches.plain import rows_of
from csp_sudoku.errors import BackendError, CspSudokuError
from csp_sudoku.executors import in_order
from csp_sudoku.formats import read
from csp_sudoku.formats.plain import plain_rules, plain_square
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.results import Result, Status
from csp_sudoku.solution import Solution

# The first answers come soon, and the many after them cheaply: pieces grow up to this.
_LARGEST_PIECE = 1024

# An array holds a single solution of each puzzle, and tells two from more.
_FEW = 2


def solve_many(
    puzzles: Iterable[object],
    backend: str = "auto",
    *,
    limit: int = 1,
    rules: Puzzle | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    timeout: float | None = None,
    progress: bool = False,
) -> Iterator[Result]:
    """Solve many puzzles; their results come in order, while the next puzzles are read.

    Parameters
    ----------
    puzzles
        Puzzles, or anything that :func:`csp_sudoku.read` takes; or an array with a row of numbers
        for each, as :func:`solve_array` takes it. They may come one by one, and without an end.
    backend
        As for :func:`csp_sudoku.solve`. Puzzles of the same rules go to its kernel together.
    limit
        How many solutions of a puzzle are wanted: 1 to solve it, 2 to see if it has only one.
    rules
        A puzzle whose grid and rules the others have; they then give the givens alone.
    workers
        How many threads work, if there is no executor.
    executor
        What does the work instead, such as a :class:`~concurrent.futures.ProcessPoolExecutor`:
        puzzles and results are pickled, so rules with functions in them cannot be had.
    timeout
        Seconds for a puzzle, on the average of those that are solved together.
    progress
        Whether to show a bar on standard error.

    Examples
    --------
    >>> [result.status.value for result in solve_many(["0100300140020040", "1" * 16], limit=2)]
    ['all found', 'none exist']
    """
    solving.check_query(limit, timeout, None)
    if type(workers) is not int or workers < 1:
        raise BackendError(f"workers {workers!r}: must be a whole number from 1 on")
    total = len(puzzles) if isinstance(puzzles, Sized) else None
    work = _Work(backend, limit, timeout, rules)
    with ExitStack() as stack:
        shown = _bar(stack, total) if progress else None
        if executor is None and workers > 1:
            executor = stack.enter_context(ThreadPoolExecutor(workers))
        found: Iterator[Result]
        if executor is None:
            found = (result for piece in _pieces(puzzles, rules) for result in work(piece))
        else:
            # Results are streamed: a few pieces wait, not all of a long list.
            ahead = 1 + 2 * (getattr(executor, "_max_workers", None) or workers)
            done = in_order(executor, work, _pieces(puzzles, rules), ahead=ahead)
            found = (result for results in done for result in results)
        for result in found:
            if shown:
                shown()
            yield result


Piece = list[Puzzle | str] | NDArray[np.int64]


class _Work:
    """What is to be done with a piece; it can be sent to another process."""

    def __init__(
        self, backend: str, limit: int, timeout: float | None, rules: Puzzle | None
    ) -> None:
        self._backend = backend
        self._limit = limit
        self._timeout = timeout
        self._rules = rules

    def __call__(self, piece: Piece) -> list[Result]:
        """The results of the puzzles, in order."""
        if isinstance(piece, np.ndarray):
            found = self._array(piece, self._rules or square(piece.shape[1]))
            return [result or self._alone(row) for result, row in zip(found, piece, strict=True)]
        results: dict[int, Result | None] = {}
        for rules, numbers in self._groups(piece).items():
            if len(numbers) > 1:
                rows = _rows([piece[number] for number in numbers], rules)
                results |= zip(numbers, self._array(rows, rules), strict=True)
        return [results.get(i) or self._alone(puzzle) for i, puzzle in enumerate(piece)]

    def _groups(self, piece: list[Puzzle | str]) -> dict[Puzzle, list[int]]:
        """The numbers of those that an array can hold, by their rules."""
        groups: dict[Puzzle, list[int]] = {}
        for number, puzzle in enumerate(piece):
            if isinstance(puzzle, str):
                groups.setdefault(plain_square(len(puzzle)), []).append(number)
            elif not puzzle.left_out and len(puzzle.givens) == len(puzzle.candidates):
                groups.setdefault(puzzle.without_givens, []).append(number)
        return groups if self._limit <= _FEW else {}

    def _array(self, rows: NDArray[np.int64], rules: Puzzle) -> list[Result | None]:
        """The results of rows of the same rules; None where an array cannot tell all."""
        started = time.perf_counter()
        solved = solve_array(rows, rules, self._backend, limit=self._limit, timeout=self._timeout)
        seconds = (time.perf_counter() - started) / len(rows)
        # What one result has in common with many.
        known = {
            count: (
                Status.of(count > 0, 0 <= count < self._limit),
                Statistics(0, seconds, max(count, 0)),
            )
            for count in (-1, 0, 1)
        }
        results: list[Result | None] = []
        for count, grid in zip(solved.counts.tolist(), solved.grids.tolist(), strict=True):
            if count >= _FEW:
                results.append(None)
                continue
            status, statistics = known[count]
            solutions = (Solution.of(grid, rules.variables),) if count == 1 else ()
            results.append(Result(status, solutions, self._backend, statistics))
        return results

    def _alone(self, puzzle: Puzzle | str | NDArray[np.int64]) -> Result:
        if isinstance(puzzle, np.ndarray):
            rules = self._rules or square(len(puzzle))
            blank = blank_of(rules)
            places = zip(rules.variables, puzzle.tolist(), strict=True)
            puzzle = rules.with_givens({place: v for place, v in places if v != blank})
        return solving.solve(puzzle, self._backend, limit=self._limit, timeout=self._timeout)


def _rows(puzzles: list[Puzzle | str], rules: Puzzle) -> NDArray[np.int64]:
    """Puzzles of the same rules as the rows of an array: plain texts, and those that were read."""
    blank = blank_of(rules)
    texts = {i: puzzle for i, puzzle in enumerate(puzzles) if isinstance(puzzle, str)}
    rows = np.empty((len(puzzles), len(rules.variables)), np.int64)
    if texts:
        rows[[*texts]] = rows_of([*texts.values()], blank)
    for i, puzzle in enumerate(puzzles):
        if isinstance(puzzle, Puzzle):
            rows[i] = [puzzle.givens.get(place, blank) for place in rules.variables]
    return rows


def _pieces(puzzles: Iterable[object], rules: Puzzle | None) -> Iterator[Piece]:
    """The puzzles in pieces that grow, read unless they are plain."""
    size = 1
    if isinstance(puzzles, np.ndarray):
        start = 0
        while start < len(puzzles):
            yield puzzles[start : start + size]
            start, size = start + size, min(2 * size, _LARGEST_PIECE)
        return
    source = enumerate(puzzles, 1)
    while piece := list(islice(source, size)):
        yield [_read(puzzle, number, rules) for number, puzzle in piece]
        size = min(2 * size, _LARGEST_PIECE)


def _read(puzzle: object, number: int, rules: Puzzle | None) -> Puzzle | str:
    try:
        if rules is not None:
            return read(puzzle, like=rules)
        if isinstance(puzzle, str) and plain_rules(puzzle):
            return puzzle
        return read(puzzle)
    except CspSudokuError as error:
        raise type(error)(f"puzzle {number}: {error}") from None


def _bar(stack: ExitStack, total: int | None) -> Callable[[], None]:
    from rich.console import Console
    from rich.progress import Progress

    bar = stack.enter_context(Progress(console=Console(stderr=True)))
    task: Any = bar.add_task("solving", total=total)
    return lambda: bar.advance(task)
