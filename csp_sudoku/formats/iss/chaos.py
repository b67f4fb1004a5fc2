"""The shapes of items about regions to find: the regions, and cells that count along them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints import CountDistinct, RegionsToFind, RunLength, SameCount
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.iss.board import Board, Item, check_count, number, split_at
from csp_sudoku.formats.tables import Fields
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.forms import Iss, NotHeldError

if TYPE_CHECKING:
    from csp_sudoku.constraints.base import Constraint
    from csp_sudoku.formats.iss.shapes import IssSpelling
    from csp_sudoku.puzzle import Puzzle

Arguments: TypeAlias = Sequence[str]


def asks_for_numbers(rule: Constraint, puzzle: Puzzle, board: Board) -> bool:
    """Whether a rule depends on which of the regions to find has which number.

    There the numbers are the solver's own choice. So a rule may ask whether two cells are in the
    same region, and a cell of the grid may count regions.
    """
    if not board.has_regions or isinstance(rule, RegionsToFind):
        return False
    regions = set(board.groups["CC"].cells)
    of_regions = [place in regions for place in rule.scope(puzzle)]
    if not any(of_regions):
        return False
    if isinstance(rule, CountDistinct | RunLength | SameCount):
        return of_regions[0] or not all(of_regions[1:])
    return rule.sees != "equality" or not all(of_regions)


class Chaos:
    """Regions to find, of the size that regions have there."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        check_count(arguments, 0, 0)
        size = spelling.board.usual_region_size
        if size < 2:
            raise FormatError("a region to find has two cells or more")
        if len(spelling.grid.cells) > size * len(spelling.grid.values):
            raise FormatError("there are more regions to find than values")
        yield {"size": None if size == len(spelling.grid.values) else size}

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        size = rule.size_in(spelling.puzzle)
        if size != spelling.board.usual_region_size or size < 2:
            raise NotHeldError(f"there a region has {spelling.board.usual_region_size} cells")
        if rule.size is not None and rule.size == len(spelling.grid.values):
            raise NotHeldError("there the size of a region is not said")
        yield Item(str(row.key), ())


class _Seeing:
    """The cell that counts, 1 if the first cell is not counted, then cells of regions to find."""

    def _start(self, arguments: Arguments, spelling: IssSpelling) -> tuple[Place, int]:
        check_count(arguments, 1)
        [counter] = spelling.cells(arguments[:1])
        less = number(arguments[1]) if len(arguments) > 1 and arguments[1] else 0
        if less not in (0, 1):
            raise FormatError(f"the first cell is counted (0) or not (1), not {less}")
        if "CC" not in spelling.board.groups:
            raise FormatError("there are no regions to find")
        return counter, less

    def _regions(self, names: Arguments, spelling: IssSpelling) -> tuple[Place, ...]:
        cells = spelling.cells(names)
        for name, place in zip(names, cells, strict=True):
            if spelling.board.where[place][0] != "CC":
                raise FormatError(f"{shown(name)} is not a cell of the regions to find")
        return cells

    def _near(self, counter: Place, spelling: IssSpelling) -> Cell:
        if not isinstance(counter, Cell):
            raise FormatError(f"{counter} is not in the grid, so nothing lies around it")
        return counter

    def _written(
        self, row: Iss, rule: Any, places: Iterable[Place], spelling: IssSpelling
    ) -> tuple[str, str]:
        if "CC" not in spelling.board.groups:
            raise NotHeldError("there it is about regions to find")
        if rule.less not in (0, 1):
            raise NotHeldError("there the first cell is counted or not")
        for place in (rule.cell, *places):
            if (spelling.board.where[place][0] == "CC") is (place == rule.cell):
                raise NotHeldError("there a cell of the grid counts cells of regions to find")
        [counter] = spelling.spell_all([rule.cell])
        return counter, str(rule.less)


class ChaosArrow(_Seeing):
    """Arms, with - between them; by default those in the four directions."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        counter, less = self._start(arguments, spelling)
        arms = [self._regions(arm, spelling) for arm in split_at("-", arguments[2:])]
        if not arguments[2:]:
            arms = list(self._four(self._near(counter, spelling), spelling))
        yield {"cell": counter, "arms": arms, "less": less}

    def _four(self, cell: Cell, spelling: IssSpelling) -> Iterator[tuple[Place, ...]]:
        regions, grid = spelling.board.groups["CC"].cells, spelling.grid
        at = dict(zip(grid.cells, regions, strict=True))
        for down, right in ((0, -1), (0, 1), (-1, 0), (1, 0)):
            steps = range(max(grid.rows, grid.columns))
            arm = [Cell(cell.row + down * i, cell.col + right * i) for i in steps]
            yield tuple([at[place] for place in arm if place in at])

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        places = [place for arm in rule.arms for place in arm]
        start = self._written(row, rule, places, spelling)
        arms = [word for arm in rule.arms for word in ("-", *spelling.spell_all(arm))][1:]
        yield Item(str(row.key), (*start, *arms))


class ChaosCount(_Seeing):
    """The cells; by default those around the first one, diagonally too."""

    def read(self, row: Iss, arguments: Arguments, spelling: IssSpelling) -> Iterator[Fields]:
        counter, less = self._start(arguments, spelling)
        cells = self._regions(arguments[2:], spelling)
        if not cells:
            cells = tuple(self._around(self._near(counter, spelling), spelling))
        yield {"cell": counter, "cells": cells, "less": less}

    def _around(self, cell: Cell, spelling: IssSpelling) -> Iterator[Place]:
        regions, grid = spelling.board.groups["CC"].cells, spelling.grid
        at = dict(zip(grid.cells, regions, strict=True))
        yield at[cell]
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                near = Cell(cell.row + down, cell.col + right)
                if near != cell and near in at:
                    yield at[near]

    def write(self, row: Iss, rule: Any, spelling: IssSpelling) -> Iterator[Item]:
        start = self._written(row, rule, rule.cells, spelling)
        yield Item(str(row.key), (*start, *spelling.spell_all(rule.cells)))
