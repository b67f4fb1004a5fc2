"""The space of a puzzle: how many solutions there are, and what they have in common."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from csp_sudoku.backends.engines import engine_for
from csp_sudoku.cells import Place
from csp_sudoku.counting.count import count
from csp_sudoku.counting.estimating import estimate
from csp_sudoku.errors import PuzzleError, UndecidedError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.generating.solutions import SolutionSampler
from csp_sudoku.integers import counted
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.running.deadlines import has_passed, sooner, time_left
from csp_sudoku.running.warming import prepare
from csp_sudoku.solving.answers import AboutPuzzle
from csp_sudoku.solving.query import check_count, check_query
from csp_sudoku.solving.redundancy import Candidate, true_candidates
from csp_sudoku.solving.solution import Solution
from csp_sudoku.solving.solve import solutions

if TYPE_CHECKING:
    from threading import Event

# Up to this many solutions are all looked at, if they are found within that share of the time.
_ALL, _SHARE = 20_000, 0.3
# Without a time limit, the seconds for an exact count, and then for an estimate.
_COUNTING = 30.0
# How often a candidate must occur to be known for certain, where not all solutions are looked at.
_ONCE = 1


@dataclass(frozen=True, repr=False)
class Space(AboutPuzzle):
    """The answer of :func:`space`.

    Attributes
    ----------
    number
        How many solutions there are; an estimate if not `exact`.
    exact
        Whether that is their number.
    low, high
        Where the number lies: an interval of 95 % confidence if it is an estimate. `high` is None
        if there was no time for an estimate, and `number` then is what was counted.
    counted_by
        Who counted: a backend, ``sweep``, the model counter ``ganak``, or ``estimate``.
    values
        For each place its possible values, and how many solutions have each: exactly if all
        solutions were looked at, else None. A value that no solution has is not listed.
    undecided
        Candidates for which time ran out. They are listed in `values`, too.
    sample
        Some solutions, drawn by lot.
    uniform
        Whether each solution was equally likely to be drawn. If not all solutions were looked at,
        the sample is that of :func:`random_solution`, which is nearly uniform.
    """

    puzzle: Puzzle
    number: int
    exact: bool
    low: int
    high: int | None
    counted_by: str
    values: Mapping[Place, Mapping[int, int | None]]
    undecided: Set[Candidate]
    sample: tuple[Solution, ...]
    uniform: bool

    @property
    def backbone(self) -> dict[Place, int]:
        """The places that have the same value in all solutions, without the givens."""
        return {
            place: next(iter(held))
            for place, held in self.values.items()
            if len(held) == 1 and place not in self.puzzle.givens
        }

    def __str__(self) -> str:
        least = "" if self.exact else "at least " if self.high is None else "about "
        fixed, places = len(self.backbone), len(self.values) - len(self.puzzle.givens)
        some = f"{least}{counted(self.number, 'solution')}"
        return self.limited(f"{some}, {fixed} of {places} open cells have one value")


def space(
    puzzle: object,
    *,
    sample: int = 1,
    seed: int | None = None,
    timeout: float | None = None,
    cancel: Event | None = None,
) -> Space:
    """Describe all solutions: their number, the fixed cells, the possible values, a sample.

    Parameters
    ----------
    sample
        How many solutions to draw. One may be drawn twice.
    seed
        Fixes the sample.
    timeout
        Seconds for all questions together. What is not known by then is said to be so. By default
        the number is estimated if counting takes longer than half a minute.
    cancel
        As for :func:`csp_sudoku.solve`.

    Examples
    --------
    >>> from csp_sudoku import Cell
    >>> found = space("1234 34.. .... ....", seed=1)
    >>> print(found)
    6 solutions, 0 of 10 open cells have one value
    >>> found.values[Cell(1, 2)]
    {1: 4, 2: 2}
    """
    query = check_query(None, timeout, seed, cancel)
    deadline = query.deadline()
    number = check_count("sample", sample, most=1_000_000)
    asked = as_puzzle(puzzle, deadline)
    soon = sooner(deadline, None if timeout is None else _SHARE * timeout)
    found = solutions(asked, limit=_ALL + 1, **time_left(soon))
    every = [*found]
    if found.complete:
        return _counted(asked, every, found.backend, number, seed)
    number_of = _number(asked, len(every), timeout, deadline)
    values, undecided = _possible(asked, deadline)
    return Space(
        asked,
        *number_of,
        values,
        undecided,
        _drawn(asked, number, seed, deadline),
        uniform=False,
    )


def _number(
    puzzle: Puzzle, least: int, timeout: float | None, deadline: float | None
) -> tuple[int, bool, int, int | None, str]:
    """Return the number, whether it is exact, its bounds, and who found it."""
    if timeout is None:  # the machine code of the engine is made before its seconds begin
        prepare(engine_for(shared_graph(puzzle)).name)
    soon = sooner(deadline, _COUNTING if timeout is None else _SHARE * timeout)
    counted = count(puzzle, **time_left(soon))
    if counted.complete:
        return counted.value, True, counted.value, counted.value, counted.backend
    least = max(least, counted.value)
    try:
        soon = sooner(deadline, _COUNTING if timeout is None else _SHARE * timeout / 2)
        found = estimate(puzzle, seed=0, **time_left(soon))
    except UndecidedError:
        return least, False, least, None, counted.backend
    low, high = max(least, found.low), max(least, found.high)
    return max(least, found.value), found.exact, low, high, "estimate"


def _counted(
    puzzle: Puzzle, every: list[Solution], backend: str, number: int, seed: int | None
) -> Space:
    """Return the space of a puzzle whose solutions are all known."""
    columns = zip(*[solution.numbers for solution in every], strict=True)
    held: list[dict[int, int | None]] = [dict(sorted(Counter(c).items())) for c in columns]
    values = dict(zip(puzzle.variables, held, strict=True)) if every else {}
    # In an order that no solver changes.
    every.sort(key=lambda solution: tuple(solution.numbers))
    drawn = random.Random(seed).choices(every, k=number) if every else ()
    return Space(
        puzzle,
        len(every),
        True,
        len(every),
        len(every),
        backend,
        values,
        frozenset(),
        tuple(drawn),
        uniform=True,
    )


def _possible(
    puzzle: Puzzle, deadline: float | None
) -> tuple[Mapping[Place, Mapping[int, int | None]], Set[Candidate]]:
    """Return which values occur at all, and the candidates that are not decided."""
    found = true_candidates(puzzle, limit=_ONCE, **time_left(deadline))
    values: dict[Place, dict[int, int | None]] = {}
    if len(found.undecided) == sum(map(len, found.counts.values())):  # as always out of time
        values = {place: dict.fromkeys(counts) for place, counts in found.counts.items()}
        return values, found.undecided
    for place, counts in found.counts.items():
        values[place] = {
            value: None
            for value, times in counts.items()
            if times or (place, value) in found.undecided
        }
    return values, found.undecided


def _drawn(
    puzzle: Puzzle, number: int, seed: int | None, deadline: float | None
) -> tuple[Solution, ...]:
    chance = random.Random(seed)
    drawn: list[Solution] = []
    if has_passed(deadline):
        return ()
    try:
        sampler = SolutionSampler(puzzle, deadline=deadline)
        while len(drawn) < number:
            drawn.append(sampler.draw(chance, deadline=deadline))
        sampler.close()
    except (UndecidedError, PuzzleError):
        pass  # time ran out, or there is none
    return tuple(drawn)
