"""The wishes for a puzzle, and the puzzle that was made."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING

from csp_sudoku.errors import PuzzleError
from csp_sudoku.generating.recipes import Recipe
from csp_sudoku.generating.shapes import SYMMETRIES
from csp_sudoku.generating.techniques import TechniqueWish
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving.answers import AboutPuzzle
from csp_sudoku.solving.solution import Solution

if TYPE_CHECKING:
    from csp_sudoku.crosscheck.certificates import Certificate
    from csp_sudoku.strategies import Rating

MODES = ("unique", "normal")

DIFFICULTIES: dict[str, tuple[float, float]] = {
    "easy": (0.0, 2.5),
    "medium": (2.5, 4.0),
    "hard": (4.0, 6.5),
    "expert": (6.5, 100.0),
}
"""The scores of :func:`csp_sudoku.rate` for each word: the least, and the first that is too high.

Singles are easy; intersections, small subsets and fish medium; wings, large subsets and colouring
hard; chains and everything beyond expert.
"""

# The share of the cells that is emptied by default: in normal mode, and in unique mode for small
# and large sides. More could go, but it takes long to judge the last clues of a large grid.
_NORMAL = 0.4
_UNIQUE, _UNIQUE_LARGE, _LARGE = 0.6, 0.5, 13


@dataclass(frozen=True)
class Wish:
    """The settings of :func:`generate`, checked."""

    mode: str
    share: float | None
    minimal: bool
    clues: int | None
    symmetry: str | None
    difficulty: tuple[float, float] | None
    recipe: Recipe
    certified: bool
    rated: bool
    techniques: TechniqueWish

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise PuzzleError(f"mode {reprlib.repr(self.mode)}: must be one of {', '.join(MODES)}")
        if self.share is not None and not (isinstance(self.share, Real) and 0 <= self.share <= 1):
            raise PuzzleError(f"share {self.share!r}: must be a number from 0 to 1")
        known = isinstance(self.symmetry, str | None) and (self.symmetry or "none") in SYMMETRIES
        if not known:
            shown = reprlib.repr(self.symmetry)
            raise PuzzleError(f"no symmetry is called {shown}; there are {', '.join(SYMMETRIES)}")
        if self.mode == "normal":
            asked = {
                "minimal": self.minimal,
                "difficulty": self.difficulty,
                "certified": self.certified,
                "rated": self.rated,
                "technique": self.techniques,
            }
            for name, wanted in asked.items():
                if wanted:
                    raise PuzzleError(f"{name}: is for puzzles with one solution, mode 'unique'")

    def least(self, puzzle: Puzzle) -> int:
        """Return how many givens shall be left; 0 if as many as possible shall go."""
        if self.clues is not None and self.clues > len(puzzle.cells):
            raise PuzzleError(f"clues {self.clues}: the grid has {len(puzzle.cells)} cells")
        if self.clues is not None:
            return self.clues if not self.minimal else 0
        if self.minimal or ((self.difficulty or self.techniques) and self.share is None):
            return 0
        return len(puzzle.cells) - round(self._share(puzzle) * len(puzzle.cells))

    def _share(self, puzzle: Puzzle) -> float:
        if self.share is not None:
            return self.share
        if self.mode == "normal":
            return _NORMAL
        side = max(max(grid.rows, grid.columns) for grid in puzzle.grids)
        return _UNIQUE if side < _LARGE else _UNIQUE_LARGE


def read_difficulty(wanted: str | tuple[float, float] | None) -> tuple[float, float] | None:
    """Read a difficulty: a name, or two scores.

    Examples
    --------
    >>> read_difficulty("easy"), read_difficulty((3.0, 4.5)), read_difficulty("2.5-3.2")
    ((0.0, 2.5), (3.0, 4.5), (2.5, 3.2))
    """
    if wanted is None or (isinstance(wanted, str) and wanted in DIFFICULTIES):
        return None if wanted is None else DIFFICULTIES[str(wanted)]
    try:
        low, high = wanted.split("-") if isinstance(wanted, str) else wanted
        found = float(low), float(high)
    except (TypeError, ValueError):
        names = ", ".join(DIFFICULTIES)
        raise PuzzleError(
            f"difficulty {wanted!r}: must be one of {names}, or two scores such as 2.5-3.2"
        ) from None
    if found[0] > found[1]:
        raise PuzzleError(f"difficulty {wanted!r}: the first score must be the lower one")
    return found


@dataclass(frozen=True, repr=False)
class Generated(AboutPuzzle):
    """A puzzle, its solution, and which wishes were granted.

    Attributes
    ----------
    clues
        The number of givens.
    unique
        Whether this is the only solution, by proof; None if nobody asked or time ran out.
    minimal
        Whether no given and no clue of a recipe can go; givens and rules of the caller are not
        counted. None if that is not known.
    rating
        The rating of :func:`csp_sudoku.rate`, if it, a difficulty or a technique was wished for.
    shortfalls
        Which wishes were not granted, in sentences.
    certificate
        The checked proof that there is no other solution, if one was wished for.
    seed
        The seed that makes the same puzzle again.
    """

    puzzle: Puzzle
    solution: Solution
    clues: int
    unique: bool | None
    minimal: bool | None
    rating: Rating | None
    shortfalls: tuple[str, ...]
    certificate: Certificate | None
    seed: int
    seconds: float

    def __str__(self) -> str:
        words = {"unique": self.unique, "minimal": self.minimal}
        said = [word for word, known in words.items() if known]
        rated = [] if self.rating is None else [f"rated {self.rating}"]
        return self.limited(", ".join([f"{self.clues} clues", *said, *rated, *self.shortfalls]))

    @property
    def difficulty(self) -> float | None:
        """The score of the rating, if there is one."""
        return None if self.rating is None else self.rating.score
