"""Sudoku and every variant of it, modelled once and solved by many solvers that check each other.

Examples
--------
>>> import csp_sudoku as cs
>>> puzzle = cs.read("0100 3001 4002 0040")
>>> cs.solve(puzzle).solutions[0].text
'2134342143121243'
"""

from csp_sudoku.cells import Cell, Var, cell, cells
from csp_sudoku.constraints import (
    AllDifferent,
    And,
    AntiKing,
    AntiKnight,
    Arrow,
    CellConstraint,
    Constraint,
    Diagonals,
    DisjointGroups,
    Equal,
    Fold,
    GreaterThan,
    House,
    KillerCage,
    Nonconsecutive,
    Not,
    NotEqual,
    Or,
    Sum,
    Table,
    Thermometer,
    Where,
    Windoku,
    fold,
    where,
)
from csp_sudoku.errors import (
    BackendError,
    BudgetError,
    ConstraintError,
    CspSudokuError,
    FormatError,
    PuzzleError,
    UndecidedError,
    WrongAnswerError,
)
from csp_sudoku.formats import read
from csp_sudoku.grid import Grid
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.results import Count, Result, Status
from csp_sudoku.solution import Solution
from csp_sudoku.solving import PuzzleSession, Solutions, count, is_unique, session, solutions, solve
from csp_sudoku.verify import Verdict, Verification, Violation, verify

__all__ = [
    "AllDifferent",
    "And",
    "AntiKing",
    "AntiKnight",
    "Arrow",
    "BackendError",
    "BudgetError",
    "Cell",
    "CellConstraint",
    "Constraint",
    "ConstraintError",
    "Count",
    "CspSudokuError",
    "Diagonals",
    "DisjointGroups",
    "Equal",
    "Fold",
    "FormatError",
    "GreaterThan",
    "Grid",
    "House",
    "KillerCage",
    "Nonconsecutive",
    "Not",
    "NotEqual",
    "Or",
    "Puzzle",
    "PuzzleError",
    "PuzzleSession",
    "Result",
    "Solution",
    "Solutions",
    "Status",
    "Sum",
    "Table",
    "Thermometer",
    "UndecidedError",
    "Var",
    "Verdict",
    "Verification",
    "Violation",
    "Where",
    "Windoku",
    "WrongAnswerError",
    "cell",
    "cells",
    "count",
    "fold",
    "is_unique",
    "read",
    "session",
    "solutions",
    "solve",
    "verify",
    "where",
]
