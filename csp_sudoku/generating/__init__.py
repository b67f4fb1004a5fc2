"""Puzzles to order: random solutions, clues read off them, and as few of them as are needed.

``generator`` attempts until a wish is granted · ``wishes`` the wishes and the result · ``attempts``
one attempt · ``solutions`` random full grids · ``recipes`` variants by name · ``clues`` kinds of
clues · ``easel`` how a clue is drawn and read off a solution · ``shapes`` random lines, cages and
regions, and symmetries · ``reducing`` taking clues away.
"""

from csp_sudoku.generating.clues import kinds
from csp_sudoku.generating.generator import generate, generate_many
from csp_sudoku.generating.shapes import SYMMETRIES
from csp_sudoku.generating.solutions import random_solution
from csp_sudoku.generating.wishes import DIFFICULTIES, Generated

__all__ = [
    "DIFFICULTIES",
    "SYMMETRIES",
    "Generated",
    "generate",
    "generate_many",
    "kinds",
    "random_solution",
]
