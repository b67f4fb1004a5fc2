"""Random puzzles: the same seed and number give the same puzzle, on every machine."""

from __future__ import annotations

from collections.abc import Callable
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
# Siblings have fewer: there are many of them.
_SIBLINGS = {1: 1, 8: 2, 60: 4, 400: 3, 2_000: 1}
_HOUSED_SIBLINGS = {1: 1, 10**2: 3, 10**4: 4, 10**6: 1}

# The greatest number of cells of a rule in a large puzzle.
_SHORT = 6


@dataclass(frozen=True)
class Drawn:
    """A random puzzle, its number, and how many draws of rules were refused.

    Siblings have the same rules and other givens.
    """

    number: int
    puzzle: Puzzle
    tiny: bool
    refused: int
    siblings: tuple[Puzzle, ...] = ()


def random_puzzle(seed: int, number: int, siblings: int = 0) -> Drawn:
    """Draw the puzzle of a seed with a number, and some siblings.

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
    housed = _is_latin(shape)
    spaces = (_HOUSED if housed else _SPACES) if tiny else _LARGE
    further = _HOUSED_SIBLINGS if housed else _SIBLINGS
    drawn = [
        narrowed(puzzle, shape.variables, planted, rng, weighted(rng, chances))
        for chances in (spaces, *[further] * siblings)
    ]
    return Drawn(number, drawn[0], tiny, maker.refused, tuple(drawn[1:]))


def usual_puzzle(rng: Random, takes: Callable[[Puzzle], bool]) -> Puzzle:
    """Draw a puzzle of the usual shape, with rules and givens that a format takes."""
    shape = puzzle = Puzzle.blank(weighted(rng, {4: 6, 6: 2, 9: 1}))
    planted = planted_grid(shape, rng)
    maker = RuleMaker(shape, planted, rng)
    for _ in range(rng.randint(1, 3)):
        rule = maker.draw()
        try:
            added = puzzle.add(rule) if rule and _is_short(rule, puzzle) else puzzle
        except CspSudokuError:
            continue  # it does not go together with the other rules
        if takes(added):
            puzzle = added
    if planted is None:
        return puzzle
    kept = rng.sample(shape.cells, len(shape.cells) - rng.randint(0, 9))
    return puzzle.with_givens({cell: planted[cell] for cell in kept})


def _is_latin(shape: Puzzle) -> bool:
    return all(grid.row_houses and grid.column_houses for grid in shape.grids)


def _is_short(rule: Constraint, puzzle: Puzzle) -> bool:
    """Whether a rule is short enough in a large grid for every solver."""
    return len(rule.scope(puzzle)) <= _SHORT or isinstance(rule, AntiKing | AntiKnight | Diagonals)
