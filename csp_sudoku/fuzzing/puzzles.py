"""Random puzzles: the same seed and number give the same puzzle, on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from csp_sudoku.constraints import AntiKing, AntiKnight, Diagonals
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import CspSudokuError
from csp_sudoku.fuzzing.rules import RuleMaker
from csp_sudoku.fuzzing.shapes import (
    narrowed,
    planted_grid,
    random_large_shape,
    random_shape,
    weighted,
)
from csp_sudoku.puzzle import Puzzle

# How many combinations of candidates are left for the oracle. Houses leave fewer of them.
_SPACES = {40: 2, 400: 4, 3_000: 4, 12_000: 2}
_HOUSED = {10**3: 3, 10**5: 4, 10**7: 3, 10**10: 1}
_LARGE = {30: 3, 10**4: 3, 10**8: 1}

# The greatest number of cells of a rule in a large puzzle.
_SHORT = 6


@dataclass(frozen=True)
class Drawn:
    """A random puzzle, its number, and how many draws of rules were refused."""

    number: int
    puzzle: Puzzle
    tiny: bool
    refused: int


def random_puzzle(seed: int, number: int) -> Drawn:
    """Draw the puzzle of a seed with a number.

    Examples
    --------
    >>> random_puzzle(1, 8) == random_puzzle(1, 8)
    True
    """
    rng = Random(f"puzzle {seed} {number}")
    tiny = rng.random() < 0.95
    shape = random_shape(rng) if tiny else random_large_shape(rng)
    planted = planted_grid(shape, rng)
    maker = RuleMaker(shape, planted, rng)
    puzzle = shape
    for _ in range(weighted(rng, {0: 1, 1: 8, 2: 8, 3: 4, 5: 1})):
        rule = maker.draw()
        if rule is None or (not tiny and not _is_short(rule, puzzle)):
            continue
        try:
            puzzle = puzzle.add(rule)
        except CspSudokuError:
            maker.refused += 1  # it does not go together with the other rules
    spaces = _HOUSED if _is_latin(shape) else _SPACES
    most = weighted(rng, spaces if tiny else _LARGE)
    return Drawn(number, narrowed(puzzle, shape.variables, planted, rng, most), tiny, maker.refused)


def _is_latin(shape: Puzzle) -> bool:
    return all(grid.row_houses and grid.column_houses for grid in shape.grids)


def _is_short(rule: Constraint, puzzle: Puzzle) -> bool:
    """Whether a rule is short enough in a large grid for every solver."""
    return len(rule.scope(puzzle)) <= _SHORT or isinstance(rule, AntiKing | AntiKnight | Diagonals)
