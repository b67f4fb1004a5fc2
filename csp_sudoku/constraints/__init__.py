"""The rules of puzzles, grouped as people group them.

``regions`` no value twice in a region · ``everywhere`` rules for all pairs at a distance ·
``lines`` ordered cells · ``sets`` cages, sums and comparisons · ``custom`` rules of one's own ·
``logic`` and, or, not · ``base`` the contract of a constraint.
"""

from csp_sudoku.constraints.base import CellConstraint, Constraint
from csp_sudoku.constraints.custom import Fold, Table, Where, fold, where
from csp_sudoku.constraints.everywhere import AntiKing, AntiKnight, Nonconsecutive
from csp_sudoku.constraints.lines import Arrow, Thermometer
from csp_sudoku.constraints.logic import And, Not, Or
from csp_sudoku.constraints.regions import (
    AllDifferent,
    Diagonals,
    DisjointGroups,
    House,
    Windoku,
)
from csp_sudoku.constraints.sets import Equal, GreaterThan, KillerCage, NotEqual, Sum

__all__ = [
    "AllDifferent",
    "And",
    "AntiKing",
    "AntiKnight",
    "Arrow",
    "CellConstraint",
    "Constraint",
    "Diagonals",
    "DisjointGroups",
    "Equal",
    "Fold",
    "GreaterThan",
    "House",
    "KillerCage",
    "Nonconsecutive",
    "Not",
    "NotEqual",
    "Or",
    "Sum",
    "Table",
    "Thermometer",
    "Where",
    "Windoku",
    "fold",
    "where",
]
