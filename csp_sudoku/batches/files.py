"""The puzzles of a file, on one machine or many; a later run goes on where this one ends.

The puzzles are cut apart here, and read by the workers. An answer is written as soon as it comes,
with the number of its row. So nothing is lost when a run ends early, and nothing is done twice.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from csp_sudoku.counting.count import count
from csp_sudoku.errors import BackendError, CspSudokuError, FormatError
from csp_sudoku.executors import telling_deaths
from csp_sudoku.formats.recognition import Piece, read_piece, split_many
from csp_sudoku.formats.texts.plain import plain_values
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.reports import Head, Report, ReportRow, digest
from csp_sudoku.solving.answering import answer
from csp_sudoku.solving.answers import limited
from csp_sudoku.solving.query import Query, check_query
from csp_sudoku.solving.questions import Group
from csp_sudoku.solving.solution import Solution

Task = Literal["solve", "count", "cross-check"]

# The arguments of reading, if none is given.
_USUAL = {"rules": (), "size": None, "box": "auto", "values": None, "dialect": None}

# How many chunks wait or are worked on: enough to keep a cluster busy, few enough for the memory.
_AHEAD = 256


class BatchRow(ReportRow, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line of the answers: the row of the puzzle, counted from 1, and its answer."""

    row: int = 0
    asked: str = ""
    status: str = ""
    solutions: tuple[str, ...] = ()
    count: int | None = None
    backend: str = ""
    seconds: float = 0.0
    undecided: bool = False
    error: str = ""
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class BatchSummary:
    """The answers in numbers: how many of each status, and how many were known before this run.

    A row is undecided if time ran out, or if it cannot be read. `partly_read` is the number of
    puzzles that were read without some of their rules.
    """

    rows: int
    resumed: int
    undecided: int
    statuses: Mapping[str, int]
    seconds: float
    partly_read: int = 0

    def __str__(self) -> str:
        counts = ", ".join(f"{number:,} {status}" for status, number in self.statuses.items())
        before = f", {self.resumed:,} of them before" if self.resumed else ""
        return f"{self.rows:,} puzzles{before}: {counts or 'none'}"


@dataclass(frozen=True)
class Work:
    """What is asked about each puzzle, and how it is read; it can be sent to another process."""

    task: Task
    backend: str
    query: Query
    reading: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, pieces: Sequence[tuple[int, Piece]]) -> list[BatchRow]:
        """Return the answers to puzzles with these numbers, in order."""
        rows: dict[int, tuple[BatchRow, float]] = {}
        read: dict[int, Puzzle | str] = {}
        for number, piece in pieces:
            started = time.perf_counter()
            try:
                read[number] = self._read(piece)
            except CspSudokuError as error:
                rows[number] = _failed(error), time.perf_counter() - started
        for numbers, ask in self._questions(read):
            started = time.perf_counter()
            try:
                answers = ask()
            except CspSudokuError as error:
                answers = [_failed(error)] * len(numbers)
            seconds = (time.perf_counter() - started) / len(numbers)
            for number, answered in zip(numbers, answers, strict=True):
                rows[number] = answered, seconds
        return [
            msgspec.structs.replace(
                answered, row=number, asked=_question(piece), seconds=round(seconds, 6)
            )
            for number, piece in pieces
            for answered, seconds in [rows[number]]
        ]

    def _read(self, piece: Piece) -> Puzzle | str:
        # The values of a plain text are enough: it need not be read, if nothing else is said.
        usual = all(self.reading.get(name, value) == value for name, value in _USUAL.items())
        if usual and plain_values(piece.text):
            return piece.text
        return read_piece(piece, **self.reading)

    def _questions(
        self, puzzles: Mapping[int, Puzzle | str]
    ) -> Iterator[tuple[Sequence[int], Callable[[], list[BatchRow]]]]:
        """Yield what to ask, with the numbers of the puzzles; those of the same rules together."""
        if self.task != "solve":
            ask = self._count if self.task == "count" else self._cross_check
            yield from (([number], partial(ask, puzzle)) for number, puzzle in puzzles.items())
            return
        from csp_sudoku.batches.many import piece_of  # it loads NumPy

        numbers = [*puzzles]
        for places, group in piece_of([*puzzles.values()], query=self.query).groups:
            yield [numbers[place] for place in places], partial(self._solve, group, numbers[-1])

    def _solve(self, group: Group, number: int) -> list[BatchRow]:
        return [
            BatchRow(
                status=limited(found.status.value, found.left_out),
                solutions=_texts(found.solutions),
                backend=found.backend,
                left_out=found.left_out,
                undecided=not found.complete and len(found.solutions) != self.query.limit,
            )
            for found in answer(
                group, self.backend, self.query, self.query.deadline(group.size), number
            )
        ]

    def _count(self, puzzle: Puzzle | str) -> list[BatchRow]:
        limit, timeout = self.query.limit, self.query.timeout
        counted = count(puzzle, self.backend, limit=limit, timeout=timeout)
        status = "counted" if counted.complete else "at least"
        undecided = not counted.complete and counted.value != limit
        return [
            BatchRow(
                status=limited(status, counted.left_out),
                count=counted.value,
                backend=counted.backend,
                undecided=undecided,
                left_out=counted.left_out,
            )
        ]

    def _cross_check(self, puzzle: Puzzle | str) -> list[BatchRow]:
        from csp_sudoku.crosscheck.agreement import Outcome
        from csp_sudoku.crosscheck.run import cross_check

        limit, timeout = self.query.limit, self.query.timeout
        solvers = None if self.backend == "auto" else [self.backend]
        found = cross_check(puzzle, solvers, limit=limit, timeout=timeout, isolate=False)
        undecided = found.outcome is Outcome.UNKNOWN
        return [
            BatchRow(
                status=found.limited(found.outcome.value),
                solutions=_texts(found.solutions),
                undecided=undecided,
                left_out=found.left_out,
            )
        ]


def batch(
    source: str | Path,
    out: str | Path,
    *,
    task: Task = "solve",
    backend: str = "auto",
    limit: int | None = 2,
    timeout: float | None = None,
    executor: Executor | None = None,
    chunk: int = 50,
    progress: Callable[[int], None] | None = None,
    **reading: Any,
) -> BatchSummary:
    """Solve, count or cross-check all puzzles of a file.

    Parameters
    ----------
    source
        A file of puzzles, as :func:`csp_sudoku.read_many` takes it.
    out
        The file for the answers, a JSON object on every line, in the order in which they come. If
        it exists, the rows in it are not asked again.
    task
        ``solve``, ``count`` or ``cross-check``.
    backend, limit, timeout
        As in :func:`csp_sudoku.solve`, for each puzzle. With ``auto``, a cross-check asks all
        backends.
    executor
        Any :class:`concurrent.futures.Executor`: threads, processes, or a Dask cluster's. Without
        one the puzzles are solved here.
    chunk
        How many puzzles a worker is given at a time.
    progress
        Called with the number of rows that are done, each time some are.
    reading
        As in :func:`csp_sudoku.read`: `rules`, `size`, `box` and so on.
    """
    if task not in get_args(Task):
        raise BackendError(f"task {task!r}: one of {', '.join(get_args(Task))}")
    query = check_query(limit, timeout)
    path = Path(source)
    if not path.is_file():
        raise FormatError(f"{path} cannot be read: there is no such file")
    work = Work(task, backend, query, reading)
    settings = {"task": task, "backend": backend, "limit": query.limit, "timeout": query.timeout}
    settings["reading"] = digest(*chain(*sorted(reading.items())))
    head = Head("csp-sudoku batch", 2, settings)
    started = time.perf_counter()
    tally = _Tally()
    rules, size = reading.get("rules", ()), reading.get("size")
    with Report(out, head, BatchRow, map(_question, split_many(path, rules, size=size))) as written:
        known = {row.row for row in written.rows}
        tally.take(written.rows)
        if progress:
            progress(len(known))
        pieces = enumerate(split_many(path, rules, size=size), 1)
        left = (item for item in pieces if item[0] not in known)
        chunks = iter(lambda: list(islice(left, chunk)), [])
        for rows in _results(work, chunks, executor):
            written.add(*rows)
            tally.take(rows)
            if progress:
                progress(len(rows))
    return BatchSummary(
        tally.statuses.total(),
        len(known),
        tally.undecided,
        dict(tally.statuses),
        time.perf_counter() - started,
        tally.partly_read,
    )


def _results(
    work: Work, chunks: Iterator[list[tuple[int, Piece]]], executor: Executor | None
) -> Iterator[list[BatchRow]]:
    """Yield the answers to the chunks as they come; only some chunks are under way at a time."""
    if executor is None:
        yield from map(work, chunks)
        return
    waiting: set[Future[list[BatchRow]]] = set()
    try:
        with telling_deaths("; what was done is written: the same call goes on from there"):
            for chunk in chunks:
                waiting.add(executor.submit(work, chunk))
                if len(waiting) >= _AHEAD:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
    finally:
        for future in waiting:
            future.cancel()


def _question(piece: Piece) -> str:
    return digest(piece.text, piece.form)


def _failed(error: CspSudokuError) -> BatchRow:
    return BatchRow(status="error", undecided=True, error=str(error))


def _texts(solutions: Iterable[Solution]) -> tuple[str, ...]:
    return tuple(solution.text for solution in solutions)


class _Tally:
    """Counts the answers so far."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.undecided = self.partly_read = 0

    def take(self, rows: Iterable[BatchRow]) -> None:
        """Count some answers."""
        for row in rows:
            self.statuses[row.status] += 1
            self.undecided += row.undecided
            self.partly_read += bool(row.left_out)
