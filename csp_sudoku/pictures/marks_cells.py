"""The marks of rules on sets of cells: regions, cages, shapes, positions, groups."""

from __future__ import annotations

from collections.abc import Iterable

from csp_sudoku.constraints import (
    AllDifferent,
    AllPairs,
    BoxIndexing,
    Clone,
    ColumnIndexing,
    ContainsAtLeast,
    ContainsExactly,
    CountDistinct,
    CountingCircles,
    Diagonals,
    EqualityCage,
    EqualSum,
    Even,
    KillerCage,
    LookAndSay,
    Lunchbox,
    MagicSquare,
    Maximum,
    Minimum,
    MultiSumCage,
    Odd,
    Quadruple,
    RellikCage,
    RowIndexing,
    SameValues,
    Sum,
    Table,
    Where,
    Windoku,
)
from csp_sudoku.pictures.marks import Cage, Dash, Line, Mark, Note, Shade, Shape
from csp_sudoku.pictures.signs import Corner, Wedges
from csp_sudoku.pictures.table import in_grid, sentence, table
from csp_sudoku.puzzle import Puzzle

_DOTTED: Dash = (0.05, 0.05)
_SOLID: Dash = ()


@table.register
def _(rule: AllDifferent, puzzle: Puzzle) -> Iterable[Mark]:
    return [Shade(in_grid(rule.cells), "blue")]


@table.register
def _(rule: Diagonals, puzzle: Puzzle) -> Iterable[Mark]:
    return [
        Line(region, "blue", 0.05, through=True)
        for grid in puzzle.grids
        for region in rule.regions(grid)
    ]


@table.register
def _(rule: Windoku, puzzle: Puzzle) -> Iterable[Mark]:
    return [Shade(window, "grey") for grid in puzzle.grids for window in rule.regions(grid)]


@table.register
def _(rule: Even, puzzle: Puzzle) -> Iterable[Mark]:
    return [Shape(cell, "square", size=0.68) for cell in dict.fromkeys(in_grid(rule.cells))]


@table.register
def _(rule: Odd, puzzle: Puzzle) -> Iterable[Mark]:
    return [Shape(cell, "circle", size=0.78) for cell in dict.fromkeys(in_grid(rule.cells))]


@table.register
def _(rule: KillerCage, puzzle: Puzzle) -> Iterable[Mark]:
    return [Cage(in_grid(rule.cells), "" if rule.sum is None else str(rule.sum))]


@table.register
def _(rule: MultiSumCage, puzzle: Puzzle) -> Iterable[Mark]:
    return [Cage(in_grid(rule.cells), "/".join(map(str, rule.sums)))]


@table.register
def _(rule: RellikCage, puzzle: Puzzle) -> Iterable[Mark]:
    return [Cage(in_grid(rule.cells), f"≠{rule.sum}", "strike", (0.14, 0.05, 0.03, 0.05))]


@table.register
def _(rule: EqualityCage, puzzle: Puzzle) -> Iterable[Mark]:
    return [Cage(in_grid(rule.cells), "=", "found", (0.14, 0.05))]


@table.register
def _(rule: Lunchbox, puzzle: Puzzle) -> Iterable[Mark]:
    cells = in_grid(rule.cells)
    return [Shade(cells, "brown"), Note(min(cells), str(rule.sum))]


@table.register
def _(rule: Sum, puzzle: Puzzle) -> Iterable[Mark]:
    cells = in_grid(rule.cells)
    plain = rule.coefficients is None and len(set(cells)) == len(cells)
    if not plain:
        return [Cage(cells, "Σ", "pencil", _DOTTED), sentence(rule, puzzle)]
    text = f"{rule.total}" if rule.at_most is None else f"{rule.total}–{rule.at_most}"
    return [Cage(cells, f"Σ{text}", "pencil", _DOTTED)]


@table.register
def _(rule: ContainsAtLeast, puzzle: Puzzle) -> Iterable[Mark]:
    return [Cage(in_grid(rule.cells), _listed(rule.values), "pencil", _SOLID)]


@table.register
def _(rule: ContainsExactly, puzzle: Puzzle) -> Iterable[Mark]:
    return [Cage(in_grid(rule.cells), f"={_listed(rule.values)}", "pencil", _SOLID)]


@table.register
def _(rule: LookAndSay, puzzle: Puzzle) -> Iterable[Mark]:
    return [Cage(in_grid(rule.cells), str(rule.clue), "found", _SOLID)]


@table.register
def _(rule: Quadruple, puzzle: Puzzle) -> Iterable[Mark]:
    return [Corner(in_grid(rule.cells), _listed(rule.values))]


@table.register
def _(rule: CountDistinct, puzzle: Puzzle) -> Iterable[Mark]:
    first, *others = in_grid(rule.cells)
    return [Shape(first, "ring", "gold"), Shade(tuple(others), "gold")]


@table.register
def _(rule: CountingCircles, puzzle: Puzzle) -> Iterable[Mark]:
    return [Shape(cell, "ring", "orange") for cell in dict.fromkeys(in_grid(rule.cells))]


@table.register
def _(rule: MagicSquare, puzzle: Puzzle) -> Iterable[Mark]:
    return [Shade(in_grid(rule.cells), "lilac")]


@table.register
def _(rule: Maximum, puzzle: Puzzle) -> Iterable[Mark]:
    return [Wedges(rule.cell, True)]


@table.register
def _(rule: Minimum, puzzle: Puzzle) -> Iterable[Mark]:
    return [Wedges(rule.cell, False)]


@table.register
def _(rule: RowIndexing, puzzle: Puzzle) -> Iterable[Mark]:
    return _indexing(rule, "teal", "r")


@table.register
def _(rule: ColumnIndexing, puzzle: Puzzle) -> Iterable[Mark]:
    return _indexing(rule, "red", "c")


@table.register
def _(rule: BoxIndexing, puzzle: Puzzle) -> Iterable[Mark]:
    return _indexing(rule, "gold", "b")


def _indexing(
    rule: RowIndexing | ColumnIndexing | BoxIndexing, hue: str, letter: str
) -> list[Mark]:
    cells = in_grid(dict.fromkeys(rule.cells))
    return [Shade(cells, hue), *(Note(cell, letter) for cell in cells)]


@table.register
def _(rule: Clone, puzzle: Puzzle) -> Iterable[Mark]:
    return _groups(rule, puzzle, "grey")


@table.register
def _(rule: EqualSum, puzzle: Puzzle) -> Iterable[Mark]:
    return _groups(rule, puzzle, "orange")


@table.register
def _(rule: SameValues, puzzle: Puzzle) -> Iterable[Mark]:
    return _groups(rule, puzzle, "green")


def _groups(rule: Clone | EqualSum | SameValues, puzzle: Puzzle, hue: str) -> list[Mark]:
    # Which groups belong together, and in which order, no colour tells.
    return [*(Shade(in_grid(group), hue) for group in rule.groups), sentence(rule, puzzle)]


@table.register(Where)
@table.register(Table)
@table.register(AllPairs)
def _(rule: Where | Table | AllPairs, puzzle: Puzzle) -> Iterable[Mark]:
    return [Cage(in_grid(rule.cells), "", "purple", _DOTTED), sentence(rule, puzzle)]


def _listed(values: Iterable[int]) -> str:
    return " ".join(map(str, values))
