"""Puzzles to measure on, made with the library from a seed, so that anybody can repeat a run."""

from __future__ import annotations

import random
from collections.abc import Iterator

import csp_sudoku as cs


def minimal(number: int, seed: int = 0, side: int = 9) -> Iterator[cs.Puzzle]:
    """Puzzles with one solution from which no given can be taken away."""
    rng = random.Random(seed)
    with cs.session(cs.Puzzle.blank(side), "search") as session:
        for _ in range(number):
            givens = dict(full_grid(rng, side))
            for cell in rng.sample(sorted(givens), len(givens)):
                value = givens.pop(cell)
                if session.count(session.rules.with_givens(givens), limit=2).value > 1:
                    givens[cell] = value
            yield session.rules.with_givens(givens)


def easy(number: int, seed: int = 0) -> Iterator[cs.Puzzle]:
    """Minimal puzzles with a dozen more of the solution's cells given."""
    rng = random.Random(seed)
    for puzzle in minimal(number, seed):
        [solution] = cs.solve(puzzle).solutions
        more = rng.sample([cell for cell in puzzle.cells if cell not in puzzle.givens], 12)
        yield puzzle.with_givens({cell: solution[cell] for cell in more})


def partly_filled(side: int, share: float, number: int, seed: int = 0) -> Iterator[cs.Puzzle]:
    """Grids of any size with a share of the cells given; solutions may be several."""
    rng = random.Random(seed)
    blank = cs.Puzzle.blank(side)
    for _ in range(number):
        grid = dict(full_grid(rng, side))
        kept = rng.sample(sorted(grid), round(share * len(grid)))
        yield blank.with_givens({cell: grid[cell] for cell in kept})


def full_grid(rng: random.Random, side: int) -> Iterator[tuple[cs.Cell, int]]:
    """A correct full grid: a pattern under random symmetries."""
    height, width = cs.Puzzle.blank(side).grids[0].box or (1, side)
    rows = [band * height + i for band in _shuffled(rng, width) for i in _shuffled(rng, height)]
    columns = [band * width + i for band in _shuffled(rng, height) for i in _shuffled(rng, width)]
    values = _shuffled(rng, side)
    for r, row in enumerate(rows):
        for c, column in enumerate(columns):
            yield cs.Cell(r, c), values[(row % height * width + row // height + column) % side] + 1


def _shuffled(rng: random.Random, size: int) -> list[int]:
    return rng.sample(range(size), size)
