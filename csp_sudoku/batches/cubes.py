"""One puzzle cut into cubes: parts that fix a few cells, share no solution and miss none.

Each cube is a puzzle of its own, so that several processes or machines can work on one that is too
much for one of them.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Executor, as_completed
from contextlib import closing
from typing import Any, TypeVar

from csp_encodings.watch import OutOfTime, look, watched
from csp_sudoku.backends.base import Statistics
from csp_sudoku.cells import Place
from csp_sudoku.counting.count import count
from csp_sudoku.executors import telling_deaths
from csp_sudoku.formats import read
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.running.deadlines import seconds_left, what_ended
from csp_sudoku.solving.query import check_count, check_query
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
        Seconds for everything. Workers on other machines go by their own clocks: these must agree.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as executor:
    ...     int(count_in_parts(Puzzle.blank(4), executor, parts=5))
    288
    """
    deadline = check_query(timeout=timeout).deadline()
    whole, pieces = _cubes_in_time(puzzle, parts, deadline)
    counts = [*_answers(executor, count, pieces, backend, deadline)]
    return Count(
        sum(part.value for part in counts),
        len(counts) == len(pieces) and all(part.complete for part in counts),
        sum(part.verified for part in counts),
        _names(counts, backend),
        _total([part.statistics for part in counts]),
        whole.left_out,
        _reason(counts, pieces, deadline),
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
    limit, deadline = query.limit, query.deadline()
    results: list[Result] = []
    found: list[Solution] = []
    whole, pieces = _cubes_in_time(puzzle, parts, deadline)
    with closing(_answers(executor, solve, pieces, backend, deadline, limit=limit)) as answers:
        for result in answers:
            results.append(result)
            found += result.solutions
            if limit is not None and len(found) >= limit:
                break
    ended = len(results) == len(pieces) and all(result.complete for result in results)
    complete = ended and (limit is None or len(found) <= limit)
    taken = tuple(found[:limit])
    return Result(
        Status.of(bool(taken), complete),
        taken,
        _names(results, backend),
        _total([result.statistics for result in results]),
        whole.left_out,
        reason="" if len(found) == limit else _reason(results, pieces, deadline),
    )


def _cubes_in_time(
    source: object, parts: int, deadline: float | None
) -> tuple[Puzzle, list[Puzzle]]:
    """Return a puzzle and its cubes; if time runs out meanwhile, it is the only one."""
    whole = as_puzzle(source, deadline)
    try:
        with watched(deadline):
            return whole, cubes(whole, parts)
    except OutOfTime:
        return whole, [whole]


def _answers(
    executor: Executor,
    function: Callable[..., T],
    pieces: list[Puzzle],
    backend: str,
    deadline: float | None,
    **settings: Any,
) -> Generator[T, None, None]:
    """Yield the result of a function for each piece, as the answers come.

    Pieces that have not begun are given up at the deadline, and when no more answers are wanted.
    """
    left = seconds_left(deadline)
    moment = None if left is None else time.time() + left
    futures = [
        executor.submit(_before, moment, left, function, piece, backend, **settings)
        for piece in pieces
    ]
    waiting = set(futures)
    try:
        with telling_deaths():
            try:
                for future in as_completed(futures, left):
                    waiting.discard(future)
                    yield future.result()
            except TimeoutError:
                for future in [each for each in waiting if not each.cancel()]:
                    yield future.result()
    finally:
        for future in futures:
            future.cancel()


def _before(
    moment: float | None, most: float | None, function: Callable[..., T], /, *args: Any, **more: Any
) -> T:
    """Call a function with what is left until a moment of the clock that all machines share."""
    if moment is None or most is None:
        return function(*args, **more)
    # A clock that was set back does not give more than there ever was.
    return function(*args, timeout=min(most, max(0.0, moment - time.time())), **more)


def _reason(
    answers: list[Count] | list[Result], pieces: list[Puzzle], deadline: float | None
) -> str:
    given_up = [what_ended(deadline)] if len(answers) < len(pieces) else []
    return max([part.reason for part in answers] + given_up, default="")


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
