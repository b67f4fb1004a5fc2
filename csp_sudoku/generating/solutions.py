"""Random solutions: full grids that keep the rules, as uniform as is cheap.

A random search does not find all solutions equally often. So its solution is stirred: several times
some houses are emptied, and one of all ways to fill them is drawn, each equally likely. That is a
step of a Gibbs sampler, whose limit is the uniform distribution.

Large grids are not searched. A known pattern is stirred instead, by exchanging two values in a
chain of cells (A. Kempe). Its limit is uniform as well if every solution can be reached in this
way; a grid of 64×64 gets far from its pattern, but not to the limit.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from csp_encodings.factors import AllDifferent, Relation
from csp_encodings.graph import extent, factors
from csp_encodings.watch import watched
from csp_sudoku import backends
from csp_sudoku.backends.base import OutOfTime, Session, check_deadline
from csp_sudoku.backends.search import SearchSession
from csp_sudoku.batches.rows import fits_rows
from csp_sudoku.cells import Cell, Place
from csp_sudoku.checking.verify import is_solution, keeps_rules
from csp_sudoku.errors import PuzzleError, UndecidedError
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.generating.loops import collect
from csp_sudoku.integers import as_int
from csp_sudoku.kernels import BLANK
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.running.deadlines import what_ended
from csp_sudoku.solving.query import check_query
from csp_sudoku.solving.solution import Solution

if TYPE_CHECKING:
    from threading import Event

    from csp_sudoku.grid import Grid


# A step of stirring: the share of the grid that is emptied, and how many ways to fill it there may
# be. If there are more, the grid stays as it is, which keeps the limit uniform.
_EMPTIED = (0.3, 0.5)
_WAYS = 24
_STEPS = 4
# Grids with more cells than 16×16 are not stirred in this way.
_STIRRED = 256

# From this side on, a search takes too long.
_LARGE = 37

# Search is quick with these factors alone; else a SAT solver is asked.
_SEARCHED = (AllDifferent, Relation)


def random_solution(
    rules: object = 9,
    seed: int | None = None,
    *,
    timeout: float | None = None,
    cancel: Event | None = None,
) -> Solution:
    """Draw a full grid that keeps the rules, and the givens if there are any.

    The same seed gives the same grid on any machine; without a seed every call draws anew.

    How uniform it is: on 4×4 there are 288 grids. 28,800 draws with the seeds 0 to 28,799 have a
    chi-square of 303.9, where chance alone gives 287 ± 24; without stirring it is 1,112.2. On
    larger grids the bias is smaller than that of a random search, but it was not measured.

    Parameters
    ----------
    rules
        The side of a plain grid, or a puzzle.

    Raises
    ------
    PuzzleError
        If there is no solution.
    UndecidedError
        If none was found in time.

    Examples
    --------
    >>> from csp_sudoku import verify
    >>> found = random_solution(9, seed=1)
    >>> verify(Puzzle.blank(9), found).ok, found == random_solution(9, seed=1)
    (True, True)
    """
    deadline = check_query(None, timeout, seed, cancel).deadline()
    return SolutionSampler(as_rules(rules, deadline), deadline=deadline).draw(
        random.Random(seed), deadline=deadline
    )


def as_rules(rules: object, deadline: float | None = None) -> Puzzle:
    """Read rules until a deadline: a puzzle, or the side of a plain grid."""
    side = as_int(rules)
    # Another puzzle of these rules has another solution than the one that was stated.
    return replace(as_puzzle(rules, deadline), stated=()) if side is None else Puzzle.blank(side)


class SolutionSampler:
    """Rules compiled once, to draw many solutions."""

    def __init__(self, puzzle: Puzzle, *, deadline: float | None = None) -> None:
        self.puzzle = puzzle
        #: About how many bytes it takes.
        self.bytes = 500 * len(puzzle.variables)
        self._pattern = _pattern(puzzle)
        if self._pattern is not None:
            return
        self._houses = [[puzzle.columns[c] for c in house.cells] for house in puzzle.houses]
        try:
            with watched(deadline):
                graph = shared_graph(puzzle)
        except OutOfTime:
            raise _undecided(deadline) from None
        # Irregular regions may have no solution, which a search finds out late.
        quick = not any(grid.regions for grid in puzzle.grids) and all(
            isinstance(factor, _SEARCHED) for factor in factors(graph).values()
        )
        name, options = (
            ("search", ":value_order=random,restart=geometric") if quick else ("sat", "")
        )
        self.bytes += 2 * backends.get(name).session_bytes(extent(graph))
        try:
            self._first: Session = backends.get(name + options).compile(graph, deadline=deadline)
            if quick:
                from csp_sudoku.backends.engines import engine_for

                name = engine_for(graph).name
            self._session: Session = backends.get(name).compile(graph, deadline=deadline)
            self._rows = self._session if fits_rows(puzzle) else None
        except OutOfTime:
            raise _undecided(deadline) from None

    def draw(self, chance: random.Random, *, deadline: float | None = None) -> Solution:
        """Draw a solution; equal states of `chance` give equal solutions."""
        try:
            values: Mapping[Any, int]
            if self._pattern is not None:
                values = _exchanged(self.puzzle, self._pattern, chance, deadline)
            else:
                values = self._searched(chance, deadline)
        except OutOfTime:
            raise _undecided(deadline) from None
        solution = Solution(values, self.puzzle)
        if not is_solution(self.puzzle, solution.numbers):
            raise AssertionError("a drawn solution breaks a rule")
        return solution

    def close(self) -> None:
        """Release the solvers."""
        if self._pattern is None:
            self._first.close()
            self._session.close()

    def _searched(self, chance: random.Random, deadline: float | None) -> Mapping[Any, int]:
        found = self._first.solutions(limit=1, deadline=deadline, seed=chance.randrange(2**31))
        values: Mapping[Any, int] | None = next(found, None)
        found.close()
        if values is None:
            if found.out_of_time:
                raise OutOfTime
            raise PuzzleError("there is no solution to draw: the rules leave none")
        places = self.puzzle.variables
        if len(places) > _STIRRED:
            return values
        row = [*Solution(values, self.puzzle).numbers]
        for _ in range(_STEPS):
            row = self._stirred(row, chance, deadline)
        return dict(zip(places, row, strict=True))

    def _stirred(
        self, values: list[int], chance: random.Random, deadline: float | None
    ) -> list[int]:
        ways = self._ways(values, self._emptied(chance), deadline)
        return values if len(ways) > _WAYS else chance.choice(sorted(ways))

    def _ways(
        self, values: list[int], emptied: set[int], deadline: float | None
    ) -> list[list[int]]:
        """Return the ways to fill the emptied columns, up to one more than enough."""
        if isinstance(self._rows, SearchSession):
            row = np.array(values, np.int64)
            row[[*emptied]] = BLANK
            ways: list[list[int]] = collect(self._rows, row, _WAYS + 1, deadline).tolist()
            return ways
        places = self.puzzle.variables
        restrict = {p: (values[i],) for i, p in enumerate(places) if i not in emptied}
        query = self._session.solutions(restrict, limit=_WAYS + 1, deadline=deadline)
        with closing(query) as found:
            ways = [[way[place] for place in places] for way in islice(found, _WAYS + 1)]
        if found.out_of_time:
            raise OutOfTime
        return ways

    def _emptied(self, chance: random.Random) -> set[int]:
        """Draw the columns to be emptied: whole houses, or single places if there are no houses."""
        number = len(self.puzzle.variables)
        groups = self._houses or [[column] for column in range(number)]
        wanted = chance.uniform(*_EMPTIED) * number
        emptied = {*range(len(self.puzzle.cells), number)}
        for group in chance.sample(groups, len(groups)):
            if len(emptied) >= wanted:
                break
            emptied.update(group)
        return emptied


def _pattern(puzzle: Puzzle) -> dict[Place, int] | None:
    """Return a solution of a large plain grid by a formula; None for other grids."""
    if len(puzzle.grids) > 1 or puzzle.constraints or puzzle.candidates or puzzle.named:
        return None
    grid = puzzle.grids[0]
    side = max(grid.rows, grid.columns)
    if side < _LARGE or grid.regions or len(grid.values) < side:
        return None
    height, width = grid.box or (1, len(grid.values))
    if height * width != len(grid.values):
        return None
    pattern: dict[Place, int] = {
        place: grid.values[_shift(place, grid, height, width) % len(grid.values)]
        for place in grid.cells
    }
    return pattern if keeps_rules(puzzle, pattern) else None


def _shift(place: Cell, grid: Grid, height: int, width: int) -> int:
    row, column = place.row - grid.top, place.col - grid.left
    return width * (row % height) + row // height + column


def _exchanged(
    puzzle: Puzzle,
    pattern: Mapping[Place, int],
    chance: random.Random,
    deadline: float | None,
) -> dict[Place, int]:
    """Exchange every two values once, in each chain of cells with a chance of one half."""
    values = dict(pattern)
    holders: dict[int, set[Place]] = {}
    for place, value in values.items():
        holders.setdefault(value, set()).add(place)
    houses_of: dict[Place, list[int]] = {place: [] for place in values}
    for number, house in enumerate(puzzle.houses):
        for place in house.cells:
            houses_of[place].append(number)
    pairs = list(combinations(sorted(holders), 2))
    for a, b in chance.sample(pairs, len(pairs)):
        check_deadline(deadline)
        for chain in _chains(holders[a] | holders[b], houses_of):
            if chance.random() < 1 / 2:
                for place in chain:
                    old, new = (a, b) if values[place] == a else (b, a)
                    values[place] = new
                    holders[old].discard(place)
                    holders[new].add(place)
    return values


def _chains(places: set[Place], houses_of: Mapping[Place, Sequence[int]]) -> list[list[Place]]:
    """Group places that are connected through houses, in an order that no hash seed changes."""
    inside: dict[int, list[Place]] = {}
    for place in places:
        for house in houses_of[place]:
            inside.setdefault(house, []).append(place)
    left = set(places)
    found = []
    for first in sorted(places):
        if first not in left:
            continue
        left.discard(first)
        chain = [first]
        for place in chain:
            for house in houses_of[place]:
                beside = [other for other in inside[house] if other in left]
                left.difference_update(beside)
                chain += beside
        found.append(chain)
    return found


def _undecided(deadline: float | None) -> UndecidedError:
    return UndecidedError(f"{what_ended(deadline)} before a solution was found")
