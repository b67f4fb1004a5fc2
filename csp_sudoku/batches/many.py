"""Many puzzles of any kind, solved in order while they are read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from csp_sudoku import solving
from csp_sudoku.backends.base import BLANK, Statistics
from csp_sudoku.batches.arrays import puzzle_of, read_array, solve_givens
from csp_sudoku.batches.plain import givens_of
from csp_sudoku.errors import BackendError, CspSudokuError
from csp_sudoku.executors import in_order
from csp_sudoku.formats import read
from csp_sudoku.formats.plain import blank_square, plain_values
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.results import Result, Status
from csp_sudoku.solution import Solution

# The first answers come soon, and the many after them cheaply: pieces grow up to this, or to what
# can be done in a moment of so many seconds. Where several work, they grow slowly, so that all do.
_LARGEST_PIECE = 1024
_MOMENT = 0.1
_GROWTH, _GROWTH_FOR_SEVERAL = 8, 2

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
    work = _Work(backend, limit, timeout)
    with ExitStack() as stack:
        shown = _bar(stack, total) if progress else None
        if executor is None and workers > 1:
            executor = stack.enter_context(ThreadPoolExecutor(workers))
        if executor is None:
            done: Iterator[list[Result]] = map(work, _pieces(puzzles, rules, _GROWTH))
        else:
            # Results are streamed: a few pieces wait, not all of a long list.
            ahead = 1 + 2 * (getattr(executor, "_max_workers", None) or workers)
            done = in_order(
                executor, work, _pieces(puzzles, rules, _GROWTH_FOR_SEVERAL), ahead=ahead
            )
        for results in done:
            if shown:
                shown(len(results))
            yield from results


_Taken = list[Any] | NDArray[np.integer[Any]]


class _Group(NamedTuple):
    """Puzzles of the same rules: their places in a piece, and the givens of each.

    The givens are rows of an array or, shorter to send, the values of plain texts.
    """

    rules: Puzzle
    places: Sequence[int]
    givens: NDArray[np.int64] | bytes


class _Piece(NamedTuple):
    """So many puzzles; the others are those that no array holds, by their places."""

    size: int
    groups: list[_Group]
    others: dict[int, Puzzle]


class _Work:
    """What is to be done with a piece; it can be sent to another process."""

    def __init__(self, backend: str, limit: int, timeout: float | None) -> None:
        self._backend = backend
        self._limit = limit
        self._timeout = timeout

    def __call__(self, piece: _Piece) -> list[Result]:
        """The results of the puzzles, in order."""
        if not piece.others and len(piece.groups) == 1:  # then all in order
            return self._together(piece.groups[0])
        results: list[Any] = [None] * piece.size
        for place, puzzle in piece.others.items():
            results[place] = self._alone(puzzle)
        for group in piece.groups:
            for place, result in zip(group.places, self._together(group), strict=True):
                results[place] = result
        return results

    def _together(self, group: _Group) -> list[Result]:
        """The results of puzzles of the same rules."""
        rules, places, givens = group
        if isinstance(givens, bytes):
            givens = givens_of(givens, len(places))
        limit = min(self._limit, _FEW)
        started = time.perf_counter()
        grids, counts = solve_givens(
            givens, rules, self._backend, limit=limit, timeout=self._timeout
        )
        seconds = (time.perf_counter() - started) / len(places)
        single = counts == 1
        status = Status.of(True, limit > 1)
        statistics = Statistics(0, seconds, 1)
        solutions = Solution.of_rows(grids[single], rules)
        # Those with one solution, which most are; the others are put between them.
        results = [Result(status, (one,), self._backend, statistics) for one in solutions]
        for row in np.flatnonzero(~single).tolist():
            if counts[row] == _FEW:
                results.insert(row, self._alone(puzzle_of(givens[row], rules)))
            else:
                status = Status.of(False, counts[row] == 0)
                results.insert(row, Result(status, (), self._backend, Statistics(0, seconds)))
        return results

    def _alone(self, puzzle: Puzzle) -> Result:
        return solving.solve(puzzle, self._backend, limit=self._limit, timeout=self._timeout)


def _pieces(puzzles: Iterable[object], rules: Puzzle | None, growth: int) -> Iterator[_Piece]:
    """The puzzles in pieces, read unless they are plain."""
    size, first = 1, 1
    source = iter(puzzles)
    while True:
        started = time.perf_counter()
        taken: _Taken = (
            puzzles[first - 1 : first - 1 + size]
            if isinstance(puzzles, np.ndarray)
            else list(islice(source, size))
        )
        if len(taken) == 0:
            return
        yield _piece(taken, rules, first)
        first += len(taken)
        in_a_moment = int(size * _MOMENT / max(time.perf_counter() - started, 1e-9))
        size = max(1, min(in_a_moment, size * growth, _LARGEST_PIECE))


def _piece(puzzles: _Taken, rules: Puzzle | None, first: int) -> _Piece:
    """A piece of these puzzles; the first of them has this number."""
    if isinstance(puzzles, list):
        return _plain_piece(puzzles, rules) or _mixed_piece(puzzles, rules, first)
    givens, wanted = read_array(puzzles, rules, first)
    return _Piece(len(givens), [_Group(wanted, range(len(givens)), givens)], {})


def _plain_piece(puzzles: list[Any], rules: Puzzle | None) -> _Piece | None:
    """A piece of plain texts alone, of the same length; None if it is another."""
    if {*map(type, puzzles)} != {str} or (values := plain_values(*puzzles)) is None:
        return None
    wanted, size = _plain_rules(puzzles[0], rules), len(puzzles)
    return _Piece(size, [_Group(wanted, range(size), values)], {}) if wanted else None


def _mixed_piece(puzzles: list[Any], rules: Puzzle | None, first: int) -> _Piece:
    """A piece of any puzzles; the first of them has this number."""
    plain: dict[Puzzle, dict[int, bytes]] = {}
    others: dict[int, Puzzle] = {}
    for place, puzzle in enumerate(puzzles):
        values = plain_values(puzzle) if type(puzzle) is str else None
        wanted = _plain_rules(puzzle, rules) if values else None
        if values and wanted:
            plain.setdefault(wanted, {})[place] = values
            continue
        try:
            others[place] = read(puzzle) if rules is None else read(puzzle, like=rules)
        except CspSudokuError as error:
            raise type(error)(f"puzzle {first + place}: {error}") from None
    groups = [_Group(wanted, [*held], b"".join(held.values())) for wanted, held in plain.items()]
    alike: dict[Puzzle, list[int]] = {}
    for place, puzzle in others.items():
        if not puzzle.left_out and len(puzzle.givens) == len(puzzle.candidates):
            alike.setdefault(puzzle.without_givens, []).append(place)
    for wanted, places in alike.items():
        if len(places) > 1:
            givens = [others.pop(place).givens for place in places]
            rows = [[given.get(place, BLANK) for place in wanted.variables] for given in givens]
            groups.append(_Group(wanted, places, np.array(rows, np.int64)))
    return _Piece(len(puzzles), groups, others)


def _plain_rules(text: str, rules: Puzzle | None) -> Puzzle | None:
    """The rules of a plain text, if its values are all that a row of an array needs."""
    square = blank_square(len(text))
    if rules is None:
        return square
    more = rules.candidates or rules.named or rules.left_out
    return None if more or rules.grids != square.grids else rules


def _bar(stack: ExitStack, total: int | None) -> Callable[[int], None]:
    from rich.console import Console
    from rich.progress import Progress

    bar = stack.enter_context(Progress(console=Console(stderr=True)))
    task: Any = bar.add_task("solving", total=total)
    return lambda number: bar.advance(task, number)
