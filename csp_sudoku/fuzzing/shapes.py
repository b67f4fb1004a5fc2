"""Random grids, many of them odd, and planted grids that keep their houses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from random import Random
from typing import TypeVar

from csp_sudoku.cells import Cell, Place
from csp_sudoku.grid import Grid
from csp_sudoku.puzzle import Puzzle

T = TypeVar("T")

# How many values are tried before a planted grid is given up.
_STEPS = 1_500

_SIZES = ((1, 1), (1, 3), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 3), (3, 4))
_VALUES = ((0, 1), (-2, -1, 0, 5), (1, 3, 7), (2, 4, 6, 8), (-1, 0, 1), (0, 1, 2), (5,), (8, 9, 10))


def random_shape(rng: Random) -> Puzzle:
    """Draw a puzzle without rules, usually small enough for the oracle."""
    kind = rng.random()
    if kind < 0.35:
        puzzle = Puzzle.blank(4, values=None if rng.random() < 0.7 else _four(rng))
    elif kind < 0.45:
        puzzle = Puzzle((_with_regions(rng),))
    elif kind < 0.57:
        puzzle = Puzzle.overlapping(_several(rng))
    else:
        puzzle = Puzzle((_odd_grid(rng),))
    for name in ("x", "y")[: weighted(rng, {0: 80, 1: 14, 2: 6})]:
        low = rng.randint(-3, 4)
        puzzle = puzzle.with_named(name, sorted(rng.sample(range(low, low + 9), rng.randint(1, 4))))
    if rng.random() < 0.1:
        covered = sorted(rng.sample(puzzle.cells, min(4, len(puzzle.cells))))
        puzzle = puzzle.with_layer("mark", rng.choice(((0, 1), (1, 2, 3))), covered)
    return puzzle


def random_large_shape(rng: Random) -> Puzzle:
    """Draw a grid that is too large for the oracle unless most of it is given."""
    return Puzzle.blank(rng.choice((5, 6, 6, 7, 8, 9)))


def _four(rng: Random) -> tuple[int, ...]:
    return rng.choice(
        ((0, 1, 2, 3), (-2, -1, 0, 5), (1, 2, 4, 8), (1, 2, 3, 4, 5), (-4, -3, -2, -1))
    )


def _odd_grid(rng: Random) -> Grid:
    rows, columns = rng.choice(_SIZES)
    longest = max(rows, columns)
    usual = tuple(range(1, longest + 1))
    values = weighted(
        rng, {usual: 5, tuple(range(longest)): 2, (*usual, longest + 1): 2, rng.choice(_VALUES): 3}
    )
    boxes = [(h, w) for h in range(1, rows + 1) for w in range(1, columns + 1)
             if rows % h == 0 and columns % w == 0 and h * w <= len(values)]  # fmt: skip
    return Grid(
        rows,
        columns,
        values,
        box=rng.choice(boxes) if boxes and rng.random() < 0.3 else None,
        # A house with more cells than values has no solution; that shall be rare.
        row_houses=rng.random() < (0.6 if columns <= len(values) else 0.05),
        column_houses=rng.random() < (0.6 if rows <= len(values) else 0.05),
        top=weighted(rng, {0: 9, 2: 1}),
        left=weighted(rng, {0: 9, 3: 1}),
    )


def _with_regions(rng: Random) -> Grid:
    """Draw irregular regions; each grows from a cell, and some cells may belong to none."""
    side = rng.choice((2, 3, 3, 4))
    values = tuple(range(1, side + 1))
    free = [Cell(row, col) for row in range(side) for col in range(side)]
    regions: list[tuple[Cell, ...]] = []
    while free and len(regions) < side and rng.random() < 0.9:
        region = [free.pop(rng.randrange(len(free)))]
        while len(region) < side:
            near = [
                c for c in free if any(abs(c.row - d.row) + abs(c.col - d.col) == 1 for d in region)
            ]
            if not near:
                break
            region.append(rng.choice(near))
            free.remove(region[-1])
        regions.append(tuple(region))
    return Grid(side, side, values, regions=tuple(regions))


def _several(rng: Random) -> list[Grid]:
    """Draw two or three grids that overlap, touch or lie apart, sometimes with other values."""
    side = rng.choice((2, 2, 3))
    grids = []
    top = left = 0
    for _ in range(2 if side == 3 else rng.choice((2, 2, 3))):
        low = weighted(rng, {1: 8, 2: 1, 0: 1})
        values = tuple(range(low, low + side + (rng.random() < 0.2)))
        houses = rng.random() < 0.9
        grids.append(
            Grid(side, side, values, row_houses=houses, column_houses=houses, top=top, left=left)
        )
        top += rng.randint(0, side)
        left += rng.randint(0 if top else 1, side)
    return grids


def shape_of(puzzle: Puzzle) -> str:
    """Name the shape of a puzzle, such as 4×4 or "2 grids"."""
    grid, *others = puzzle.grids
    return f"{len(puzzle.grids)} grids" if others else f"{grid.rows}×{grid.columns}"


def planted_grid(puzzle: Puzzle, rng: Random) -> dict[Place, int] | None:
    """Draw a full grid that keeps the houses, to build rules around it; None if none was found."""
    houses: dict[Place, list[Place]] = {place: [] for place in puzzle.variables}
    for house in puzzle.houses:
        for place in house.cells:
            houses[place] += [other for other in house.cells if other != place]
    values: dict[Place, int] = {}
    steps = 0

    def fill() -> bool:
        nonlocal steps
        if len(values) == len(houses):
            return True
        choices = {
            place: [v for v in puzzle.values_of(place) if v not in {values.get(o) for o in seen}]
            for place, seen in houses.items()
            if place not in values
        }
        place = min(choices, key=lambda p: len(choices[p]))
        for value in rng.sample(choices[place], len(choices[place])):
            steps += 1
            if steps > _STEPS:
                return False
            values[place] = value
            if fill():
                return True
            del values[place]
        return False

    return values if fill() else None


def narrowed(
    puzzle: Puzzle,
    places: Sequence[Place],
    planted: Mapping[Place, int] | None,
    rng: Random,
    most: int,
) -> Puzzle:
    """Add givens and candidate lists until the places have at most `most` combinations.

    The planted grid usually stays possible.
    """
    lists = {place: puzzle.candidates_of(place) for place in places}
    order = rng.sample(places, len(places))
    given: dict[Place, tuple[int, ...]] = {}
    while prod(map(len, lists.values())) > most:
        open_places = [place for place in order if len(lists[place]) > 1]
        place = rng.choice(open_places)
        size = weighted(rng, {1: 5, 2: 3, len(lists[place]) - 1: 2})
        kept = rng.sample(lists[place], size)
        value = None if planted is None else planted[place]
        if value in lists[place] and value not in kept and rng.random() < 0.97:
            kept[0] = value
        lists[place] = given[place] = tuple(sorted(kept))
    if rng.random() < 0.02:
        given[rng.choice(order)] = ()
    return puzzle.with_givens(given)


def weighted(rng: Random, weights: Mapping[T, int]) -> T:
    """Draw one of the keys, each as often as its value says."""
    return rng.choices([*weights], [*weights.values()])[0]
