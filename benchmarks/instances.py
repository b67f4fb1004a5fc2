"""Puzzles to measure on, made with the library from a seed, so that anybody can repeat a run."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from itertools import pairwise

import csp_sudoku as cs
from csp_sudoku.backends.search_session import SearchStatistics
from csp_sudoku.cells import Place
from csp_sudoku.solving.solve import PuzzleSession


def minimal(number: int, seed: int = 0, side: int = 9) -> Iterator[cs.Puzzle]:
    """Puzzles with one solution from which no given can be taken away."""
    rng = random.Random(seed)
    with cs.session(cs.Puzzle.blank(side), "boards") as session:
        for _ in range(number):
            yield _reduced(session, dict(full_grid(rng, side)), rng)


def _reduced(session: PuzzleSession, givens: dict[Place, int], rng: random.Random) -> cs.Puzzle:
    """A puzzle with one solution, less the givens that it does not need for that."""
    for cell in rng.sample(sorted(givens), len(givens)):
        value = givens.pop(cell)
        if session.count(session.rules.with_givens(givens), limit=2).value > 1:
            givens[cell] = value
    return session.rules.with_givens(givens)


def texts(number: int, seed: int = 0) -> list[str]:
    """Minimal 9×9 puzzles as 81 characters each."""
    return [_text(puzzle) for puzzle in minimal(number, seed)]


def _text(puzzle: cs.Puzzle) -> str:
    return "".join(str(puzzle.givens.get(cell, ".")) for cell in puzzle.cells)


def hard_texts(number: int, seed: int = 0, steps: int = 500) -> list[str]:
    """Minimal puzzles, each changed step by step into one that our own search guesses more on."""
    rng = random.Random(seed)
    found = []
    with cs.session(cs.Puzzle.blank(9), "boards") as session:
        for puzzle in minimal(number, seed):
            [solution] = session.solve(puzzle).solutions
            hardest, most = puzzle, _guesses(session, puzzle)
            for _ in range(steps):
                # Some givens go, others come, and what is then too much goes.
                cells = rng.sample(sorted(hardest.givens), len(hardest.givens) - 3)
                cells += rng.sample(puzzle.cells, 12)
                other = session.rules.with_givens({cell: solution[cell] for cell in cells})
                if session.count(other, limit=2).value == 1:
                    other = _reduced(session, dict(other.givens), rng)
                    if (guesses := _guesses(session, other)) > most:
                        hardest, most = other, guesses
            found.append(_text(hardest))
    return found


def _guesses(session: PuzzleSession, puzzle: cs.Puzzle) -> int:
    statistics = session.solve(puzzle, limit=2).statistics
    assert isinstance(statistics, SearchStatistics)
    return statistics.assignments


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


def caged(number: int, seed: int = 0) -> Iterator[cs.Puzzle]:
    """9×9 puzzles of one solution, with killer cages, arrows and givens."""
    rng = random.Random(seed)
    blank = cs.Puzzle.blank(9)
    for _ in range(number):
        grid = dict(full_grid(rng, 9))
        free = set(grid)
        rules: list[cs.Constraint] = []
        for size in (5, 4, 4, 4, 3, 3, 3, 3):
            cells = _path(rng, free, size)
            if cells and len({grid[cell] for cell in cells}) == size:
                free -= set(cells)
                rules.append(cs.KillerCage(cells, sum(grid[cell] for cell in cells)))
        for _ in range(200):
            cells = _path(rng, free, 3)
            if len(rules) < 12 and cells and grid[cells[0]] == sum(grid[c] for c in cells[1:]):
                free -= set(cells)
                rules.append(cs.Arrow(cells[0], cells[1:]))
        puzzle = blank.add(*rules).with_givens(_share(rng, grid, 0.1))
        with cs.session(puzzle, "sat") as session:
            while len(found := session.solve(puzzle, limit=2).solutions) > 1:
                open_cells = [c for c in sorted(grid) if found[0][c] != found[1][c]]
                cell = rng.choice(open_cells)
                puzzle = puzzle.with_givens({cell: grid[cell]})
        yield puzzle


def found_grid(side: int, seed: int) -> Iterator[tuple[cs.Cell, int]]:
    """A correct full grid without a pattern: what a SAT solver finds that tries random values."""
    blank = cs.Puzzle.blank(side)
    [solution] = cs.solve(blank, "sat", seed=seed).solutions
    for cell in blank.cells:
        yield cell, solution[cell]


def sized(
    side: int, share: float = 0, constraints: int = 0, seed: int = 0, *, patterned: bool = True
) -> cs.Puzzle:
    """A grid of any size, a share of it given, with short thermometers that its solution keeps.

    The solution is a pattern under random symmetries, or found.
    """
    rng = random.Random(seed)
    grid = dict(full_grid(rng, side) if patterned else found_grid(side, seed))
    rules: list[cs.Constraint] = []
    while len(rules) < constraints:
        cells = _path(rng, grid.keys(), 3)
        if cells and (cells := sorted(cells, key=grid.__getitem__)) and _rises(grid, cells):
            rules.append(cs.Thermometer(cells))
    return cs.Puzzle.blank(side).add(*rules).with_givens(_share(rng, grid, share))


def _rises(grid: dict[cs.Cell, int], cells: list[cs.Cell]) -> bool:
    return all(grid[a] < grid[b] for a, b in pairwise(cells))


def _share(rng: random.Random, grid: dict[cs.Cell, int], share: float) -> dict[cs.Cell, int]:
    return {cell: grid[cell] for cell in rng.sample(sorted(grid), round(share * len(grid)))}


def _path(rng: random.Random, free: Collection[cs.Cell], size: int) -> list[cs.Cell]:
    """Cells in a row, each beside the one before, in free ones; none if it ran into a corner."""
    if not free:
        return []
    path = [rng.choice(sorted(free))]
    while len(path) < size:
        row, column = path[-1].row, path[-1].col
        steps = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        open_cells = [
            cell for r, c in steps if (cell := cs.Cell(r, c)) in free and cell not in path
        ]
        if not open_cells:
            return []
        path.append(rng.choice(open_cells))
    return path
