"""Many puzzles of any kind, solved in order while they are read."""

from __future__ import annotations

import reprlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csp_sudoku.batches.arrays import read_array
from csp_sudoku.errors import BackendError, CspSudokuError, FormatError
from csp_sudoku.executors import in_order
from csp_sudoku.formats import read
from csp_sudoku.formats.sources import as_puzzle, read_by
from csp_sudoku.formats.texts.plain import blank_square, plain_values
from csp_sudoku.puzzle import Puzzle, shared_rules
from csp_sudoku.solving.answering import answer
from csp_sudoku.solving.query import Query, check_count, check_query
from csp_sudoku.solving.questions import Group
from csp_sudoku.solving.results import Result

if TYPE_CHECKING:
    from threading import Event

_Taken: TypeAlias = list[Any] | NDArray[np.integer[Any]]

# The first answers come soon, and the later ones cheaply: each piece is four times the one before,
# up to this many puzzles.
_GROWTH = 4
_LARGEST_PIECE = 1024
_NO_LIMIT = Query()


def solve_many(
    puzzles: Iterable[object],
    backend: str = "auto",
    *,
    limit: int | None = 1,
    rules: object = None,
    workers: int = 1,
    executor: Executor | None = None,
    timeout: float | None = None,
    cancel: Event | None = None,
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
        How many solutions of a puzzle are wanted: 1 to solve it, 2 to see if it has only one, None
        for all.
    rules
        A puzzle, or a source of one, whose grid and rules the others have; they then give the
        givens alone.
    workers
        How many threads work, if there is no executor.
    executor
        What does the work instead, such as a :class:`~concurrent.futures.ProcessPoolExecutor`.
        Puzzles and results are pickled, so rules with functions in them are not possible there.
    timeout
        Seconds for a puzzle, on the average of those that are solved together.
    cancel
        As for :func:`csp_sudoku.solve`; the puzzles that are left then count as undecided.
    progress
        Whether to show a bar on standard error.

    Examples
    --------
    >>> [result.status.value for result in solve_many(["0100300140020040", "1" * 16], limit=2)]
    ['all found', 'none exist']
    """
    work = Work(backend, check_query(limit, timeout, cancel=cancel))
    if cancel is not None and not isinstance(executor, ThreadPoolExecutor | None):
        raise BackendError("cancel: an event is not seen by an executor of other processes")
    workers = check_count("workers", workers)
    rules = None if rules is None else as_puzzle(rules)
    if isinstance(puzzles, str | bytes) or not isinstance(puzzles, Iterable):
        raise FormatError(f"{reprlib.repr(puzzles)} is no list of puzzles")
    total = len(puzzles) if isinstance(puzzles, Sized) else None
    with ExitStack() as stack:
        shown = _bar(stack, total) if progress else None
        if executor is None and workers > 1:
            executor = stack.enter_context(ThreadPoolExecutor(workers))
        pieces = _pieces(puzzles, rules, work.query)
        if executor is None:
            done: Iterator[list[Result]] = map(work, pieces)
        else:
            # Results are streamed: a few pieces wait, not all of a long list.
            ahead = 1 + 2 * (getattr(executor, "_max_workers", None) or workers)
            done = in_order(executor, work, pieces, ahead=ahead)
        for results in done:
            if shown:
                shown(len(results))
            yield from results


class Piece(NamedTuple):
    """Some puzzles of a call, by their rules.

    Attributes
    ----------
    groups
        The places of the puzzles in the piece, and the puzzles.
    number
        How many puzzles the call has had so far, with these.
    seconds
        How long it took to read each, on average.
    """

    groups: list[tuple[Sequence[int], Group]]
    number: int
    seconds: float = 0.0


@dataclass(frozen=True)
class Work:
    """What is to be done with a piece; it can be sent to another process."""

    backend: str
    query: Query

    def __call__(self, piece: Piece) -> list[Result]:
        """Return the results of the puzzles, in order."""
        # Two at least: in a batch, a kernel does not count the steps for one puzzle alone.
        number = max(2, piece.number)
        left = 1.0  # of the time for a puzzle
        if self.query.timeout:
            left = max(0.0, 1.0 - piece.seconds / self.query.timeout)
        answers = [
            answer(group, self.backend, self.query, self.query.deadline(left * group.size), number)
            for _, group in piece.groups
        ]
        if len(answers) == 1:
            return answers[0]
        results = {
            place: result
            for (places, _), found in zip(piece.groups, answers, strict=True)
            for place, result in zip(places, found, strict=True)
        }
        return [results[place] for place in range(len(results))]


def _pieces(puzzles: Iterable[object], rules: Puzzle | None, query: Query) -> Iterator[Piece]:
    """Yield the puzzles in pieces, each four times as large as the one before."""
    size, first = 1, 1
    source = iter(puzzles)
    while True:
        taken: _Taken = (
            puzzles[first - 1 : first - 1 + size]
            if isinstance(puzzles, np.ndarray)
            else list(islice(source, size))
        )
        if len(taken) == 0:
            return
        yield piece_of(taken, rules, first, query)
        first += len(taken)
        size = min(_GROWTH * size, _LARGEST_PIECE)


def piece_of(
    puzzles: _Taken, rules: Puzzle | None = None, first: int = 1, query: Query = _NO_LIMIT
) -> Piece:
    """Return puzzles as a piece; the first of them has this number in the call.

    Plain texts are not read: their values are enough.
    """
    size = len(puzzles)
    number = first - 1 + size
    if not isinstance(puzzles, list):
        givens, wanted = read_array(puzzles, rules, first)
        return Piece([(range(size), Group(wanted, size, rows=givens))], number)
    if {*map(type, puzzles)} == {str} and (values := plain_values(*puzzles)) is not None:
        square = _plain_rules(puzzles[0], rules)
        if square:
            return Piece([(range(size), Group(square, size, rows=values))], number)
    texts: dict[Puzzle, dict[int, bytes]] = {}
    others: dict[tuple[Puzzle, tuple[str, ...]], dict[int, Puzzle]] = {}
    started = time.monotonic()
    for place, puzzle in enumerate(puzzles):
        values = plain_values(puzzle) if type(puzzle) is str else None
        square = _plain_rules(puzzle, rules) if values else None
        if values and square:
            texts.setdefault(square, {})[place] = values
            continue
        try:
            with read_by(query.deadline()):
                wanted = read(puzzle) if rules is None else read(puzzle, like=rules)
        except CspSudokuError as error:
            raise type(error)(f"puzzle {first + place}: {error}") from None
        others.setdefault((shared_rules(wanted), wanted.left_out), {})[place] = wanted
    groups: list[tuple[Sequence[int], Group]] = []
    for square, held in texts.items():
        groups.append(([*held], Group(square, len(held), rows=b"".join(held.values()))))
    for (wanted, _), alike in others.items():
        groups.append(([*alike], Group(wanted, len(alike), puzzles=[*alike.values()])))
    return Piece(groups, number, (time.monotonic() - started) / size)


def _plain_rules(text: str, rules: Puzzle | None) -> Puzzle | None:
    """Return the rules of a plain text, if its values are all that a row needs."""
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
