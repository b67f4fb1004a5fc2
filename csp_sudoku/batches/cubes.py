"""One puzzle cut into cubes: parts that fix a few cells, share no solution and miss none.

Each cube is a puzzle of its own, so that several processes or machines can work on one that is too
much for one of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, as_completed
from contextlib import contextmanager
from typing import Any, TypeVar

from csp_encodings.watch import OutOfTime, look, watched
from csp_sudoku.backends.base import Statistics
from csp_sudoku.cells import Place
from csp_sudoku.counting.count import count
from csp_sudoku.executors import telling_deaths
from csp_sudoku.formats import read
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.solving.query import Query, check_count, check_query
from csp_sudoku.solving.results import Count, Result, Status
from csp_sudoku.solving.solution import Solution
from csp_sudoku.solving.solve import solve
from csp_sudoku.textbook import Csp, mac

T = TypeVar("T")

DEFAULT_PARTS = 64
"""Enough for a few dozen workers: cubes differ much in size."""


def cubes(puzzle: object, parts: int = DEFAULT_PARTS) -> list[Puzzle]:
    """Cut a puzzle into at least `parts` parts, if it has that many.

    It branches on the cell with the fewest candidates, breadth first, and drops branches that arc
    consistency refutes.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, count
    >>> found = cubes(Puzzle.blank(4), parts=10)
    >>> len(found), sum(count(part).value for part in found)
    (10, 288)
    """
    whole, parts = read(puzzle), check_count("parts", parts)
    # A part, what is left of its domains, and the place that was branched on last.
    waiting: deque[tuple[Puzzle, Csp, Place | None]] = deque(
        [(whole, Csp.of(shared_graph(whole)), None)]
    )
    finished: list[Puzzle] = []
    while waiting and len(waiting) + len(finished) < parts:
        look()
        part, csp, branched = waiting.popleft()
        for _ in mac(csp, branched):
            pass
        if not csp.consistent:
            continue
        open_places = [place for place in whole.variables if len(csp.domains[place]) > 1]
        if not open_places:
            finished.append(part)
            continue
        place = min(open_places, key=lambda place: len(csp.domains[place]))
        for value in csp.domains[place]:
            waiting.append((part.with_givens({place: value}), csp.assign(place, value), place))
    return [*finished, *(part for part, _, _ in waiting)]


def count_in_parts(
    puzzle: object,
    executor: Executor,
    backend: str = "auto",
    *,
    parts: int = DEFAULT_PARTS,
    timeout: float | None = None,
) -> Count:
    """Count the solutions of a puzzle on many workers: the sum over its cubes.

    Parameters
    ----------
    puzzle, backend
        As in :func:`csp_sudoku.count`.
    executor
        Any :class:`concurrent.futures.Executor`: threads, processes, or a Dask cluster's.
    parts
        How many cubes there are at least.
    timeout
        Seconds to read the puzzle and to make the cubes, and for each cube. The count is not
        complete if time runs out for one.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as executor:
    ...     int(count_in_parts(Puzzle.blank(4), executor, parts=5))
    288
    """
    query = check_query(timeout=timeout)
    whole, pieces, timeout = _cubes_in_time(puzzle, parts, query)
    with _submitted(executor, count, pieces, backend, timeout=timeout) as futures:
        counts = [future.result() for future in futures]
    return Count(
        sum(part.value for part in counts),
        all(part.complete for part in counts),
        sum(part.verified for part in counts),
        _names(counts, backend),
        _total([part.statistics for part in counts]),
        whole.left_out,
        max((part.reason for part in counts), default=""),
    )


def solve_in_parts(
    puzzle: object,
    executor: Executor,
    backend: str = "auto",
    *,
    limit: int | None = 1,
    parts: int = DEFAULT_PARTS,
    timeout: float | None = None,
) -> Result:
    """Solve a hard puzzle on many workers, each with some of its cubes.

    The arguments are those of :func:`count_in_parts` and :func:`csp_sudoku.solve`. Once `limit`
    solutions are found the cubes that have not begun are given up.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as executor:
    ...     found = solve_in_parts("0100 3001 4002 0040", executor, limit=2, parts=4)
    >>> found.status.value, found.solutions[0].text
    ('all found', '2134342143121243')
    """
    query = check_query(limit, timeout)
    limit = query.limit
    results: list[Result] = []
    found: list[Solution] = []
    complete = True
    whole, pieces, timeout = _cubes_in_time(puzzle, parts, query)
    with _submitted(executor, solve, pieces, backend, limit=limit, timeout=timeout) as futures:
        for future in as_completed(futures):
            result = future.result()
            results.append(result)
            complete = complete and result.complete
            found += result.solutions
            if limit is not None and len(found) >= limit:
                break
    complete = complete and len(results) == len(pieces) and (limit is None or len(found) <= limit)
    taken = tuple(found[:limit])
    return Result(
        Status.of(bool(taken), complete),
        taken,
        _names(results, backend),
        _total([result.statistics for result in results]),
        whole.left_out,
        reason=max((result.reason for result in results), default=""),
    )


def _cubes_in_time(
    source: object, parts: int, query: Query
) -> tuple[Puzzle, list[Puzzle], float | None]:
    """Return the puzzle, its cubes, and the seconds for each of them.

    If the cubes take longer than one of them may, there is no time for the whole puzzle, either.
    """
    deadline = query.deadline()
    whole = as_puzzle(source, deadline)
    try:
        with watched(deadline):
            return whole, cubes(whole, parts), query.timeout
    except OutOfTime:
        return whole, [whole], 0.0


@contextmanager
def _submitted(
    executor: Executor,
    function: Callable[..., T],
    pieces: list[Puzzle],
    backend: str,
    **settings: Any,
) -> Iterator[list[Future[T]]]:
    """Yield the futures of all pieces; at the end, cancel those that have not begun."""
    futures = [executor.submit(function, piece, backend, **settings) for piece in pieces]
    try:
        with telling_deaths():
            yield futures
    finally:
        for future in futures:
            future.cancel()


def _names(answers: list[Count] | list[Result], backend: str) -> str:
    return " and ".join(sorted({answer.backend for answer in answers})) or backend


def _total(parts: list[Statistics]) -> Statistics:
    """Return what all parts have cost together, without what each backend counts by itself."""
    total = Statistics(
        sum(part.compile_seconds for part in parts),
        sum(part.solve_seconds for part in parts),
        sum(part.solutions for part in parts),
    )
    total.winner = " and ".join(sorted({part.winner for part in parts if part.winner}))
    total.asked = tuple(sorted({name for part in parts for name in part.asked}))
    return total
