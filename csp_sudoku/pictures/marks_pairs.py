"""The marks of rules on two cells: dots, letters and signs between them."""

from __future__ import annotations

from collections.abc import Iterable

from csp_sudoku.constraints import Difference, GreaterThan, NotEqual, PairSum, Ratio
from csp_sudoku.pictures.marks import Mark
from csp_sudoku.pictures.signs import Chevron, Dot
from csp_sudoku.pictures.table import in_grid, table
from csp_sudoku.puzzle import Puzzle

_LETTERS = {5: "V", 10: "X", 15: "XV"}


@table.register
def _(rule: Difference, puzzle: Puzzle) -> Iterable[Mark]:
    first, second = in_grid(rule.cells)
    return [Dot(first, second, "" if rule.difference == 1 else str(rule.difference))]


@table.register
def _(rule: Ratio, puzzle: Puzzle) -> Iterable[Mark]:
    first, second = in_grid(rule.cells)
    return [Dot(first, second, "" if rule.ratio == 2 else str(rule.ratio), "black")]


@table.register
def _(rule: PairSum, puzzle: Puzzle) -> Iterable[Mark]:
    first, second = in_grid(rule.cells)
    return [Dot(first, second, _LETTERS.get(rule.total, f"+{rule.total}"), "none")]


@table.register
def _(rule: NotEqual, puzzle: Puzzle) -> Iterable[Mark]:
    first, second = in_grid(rule.cells)
    return [Dot(first, second, "≠", "none")]


@table.register
def _(rule: GreaterThan, puzzle: Puzzle) -> Iterable[Mark]:
    greater, smaller = in_grid(rule.cells)
    return [Chevron(greater, smaller)]
