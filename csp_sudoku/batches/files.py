"""Many puzzles of a file, on one machine or many, into a file that a later run goes on with.

The puzzles are cut apart here and read by the workers. What comes back is written at once, with the
number of its row, so that nothing is lost when a run ends early and nothing is done twice.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from csp_sudoku.errors import BackendError, CspSudokuError, FormatError
from csp_sudoku.formats.plain import plain_values
from csp_sudoku.formats.recognition import Piece, read_piece, split_many
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.reports import Head, Report
from csp_sudoku.solution import Solution
from csp_sudoku.solving import check_query, count, solve

Task = Literal["solve", "count", "cross-check"]

# What is said of a puzzle when nothing is.
_USUAL = {"rules": (), "size": None, "box": "auto", "values": None, "dialect": None}

# Chunks that wait or are worked on: enough to keep a cluster busy, and few enough to be held.
_AHEAD = 256


class BatchRow(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line of the answers: the row of the puzzle, counted from 1, and what came of it."""

    row: int
    status: str = ""
    solutions: tuple[str, ...] = ()
    count: int | None = None
    backend: str = ""
    seconds: float = 0.0
    undecided: bool = False
    error: str = ""


@dataclass(frozen=True)
class BatchSummary:
    """What came of all rows: how many of each status, and how many of them were known before.

    Rows are undecided when time ran out, or when they cannot be read.
    """

    rows: int
    resumed: int
    undecided: int
    statuses: Mapping[str, int]
    seconds: float

    def __str__(self) -> str:
        counts = ", ".join(f"{number:,} {status}" for status, number in self.statuses.items())
        before = f", {self.resumed:,} of them before" if self.resumed else ""
        return f"{self.rows:,} puzzles{before}: {counts or 'none'}"


@dataclass(frozen=True)
class Work:
    """What is asked about each puzzle, and how it is read."""

    task: Task = "solve"
    backend: str = "auto"
    limit: int | None = 2
    timeout: float | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, pieces: Iterable[tuple[int, Piece]]) -> list[BatchRow]:
        """Do it, wherever this is."""
        return [self._row(number, piece) for number, piece in pieces]

    def _row(self, number: int, piece: Piece) -> BatchRow:
        started = time.perf_counter()
        try:
            found = self._answer(number, self._question(piece))
        except CspSudokuError as error:
            found = BatchRow(number, "error", undecided=True, error=str(error))
        seconds = round(time.perf_counter() - started, 6)
        return msgspec.structs.replace(found, seconds=seconds)

    def _question(self, piece: Piece) -> Puzzle | str:
        # A plain text is read, solved and checked without detours, if it stays one.
        usual = all(self.reading.get(name, value) == value for name, value in _USUAL.items())
        if usual and plain_values(piece.text):
            return piece.text
        return read_piece(piece, **self.reading)

    def _answer(self, number: int, puzzle: Puzzle | str) -> BatchRow:
        if self.task == "cross-check":
            return self._cross_check(number, puzzle)
        if self.task == "count":
            counted = count(puzzle, self.backend, limit=self.limit, timeout=self.timeout)
            return BatchRow(
                number,
                "counted" if counted.complete else "at least",
                count=counted.value,
                backend=counted.backend,
                undecided=not counted.complete and counted.value != self.limit,
            )
        found = solve(puzzle, self.backend, limit=self.limit, timeout=self.timeout)
        return BatchRow(
            number,
            found.status.value,
            _texts(found.solutions),
            backend=found.backend,
            undecided=not found.complete and len(found.solutions) != self.limit,
        )

    def _cross_check(self, number: int, puzzle: Puzzle | str) -> BatchRow:
        from csp_sudoku.crosscheck.agreement import Outcome
        from csp_sudoku.crosscheck.run import cross_check

        found = cross_check(puzzle, limit=self.limit, timeout=self.timeout, isolate=False)
        return BatchRow(
            number,
            found.outcome.value,
            _texts(found.solutions),
            undecided=found.outcome is Outcome.UNKNOWN,
        )


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
        Where the answers are written, a JSON object on every line, in the order in which they
        come. If it is there already, the rows in it are not asked again.
    task
        ``solve``, ``count`` or ``cross-check``.
    backend, limit, timeout
        As in :func:`csp_sudoku.solve`, for each puzzle. A cross-check asks all backends.
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
    check_query(limit, timeout, None)
    path = Path(source)
    if not path.is_file():
        raise FormatError(f"{path} cannot be read: there is no such file")
    work = Work(task, backend, limit, timeout, reading)
    settings = {"task": task, "backend": backend, "limit": limit, "timeout": timeout}
    settings |= {name: str(value) for name, value in reading.items()}
    head = Head("csp-sudoku batch", 1, path.name, path.stat().st_size, settings)
    started = time.perf_counter()
    tally = _Tally()
    with Report(out, head, BatchRow) as written:
        known = {row.row for row in written.rows}
        tally.take(written.rows)
        if progress:
            progress(len(known))
        pieces = enumerate(split_many(path, size=reading.get("size")), 1)
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
    )


def _results(
    work: Work, chunks: Iterator[list[tuple[int, Piece]]], executor: Executor | None
) -> Iterator[list[BatchRow]]:
    """What came of the chunks, as it comes; few enough of them are under way to be held."""
    if executor is None:
        yield from map(work, chunks)
        return
    waiting: set[Future[list[BatchRow]]] = set()
    try:
        for chunk in chunks:
            waiting.add(executor.submit(work, chunk))
            if len(waiting) >= _AHEAD:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    except BrokenExecutor as error:
        raise BackendError(
            f"a worker has died, and the others with it ({error}); what was done is written: "
            f"the same call goes on from there"
        ) from None
    finally:
        for future in waiting:
            future.cancel()


def _texts(solutions: Iterable[Solution]) -> tuple[str, ...]:
    return tuple(solution.text for solution in solutions)


class _Tally:
    """What came of the rows so far."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.undecided = 0

    def take(self, rows: Iterable[BatchRow]) -> None:
        for row in rows:
            self.statuses[row.status] += 1
            self.undecided += row.undecided
