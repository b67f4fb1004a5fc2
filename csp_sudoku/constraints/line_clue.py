"""What the clues outside the grid for a row or a column have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint, Values
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_encodings.factors import Domain
    from csp_sudoku.grid import Grid
    from csp_sudoku.puzzle import Puzzle

Line = tuple[Cell, ...]

_LINE = re.compile(r"([RC])([1-9][0-9]?)", re.ASCII)


@dataclass(frozen=True)
class LineClue(Constraint):
    """A clue for a row or a column, named R1, R2, … or C1, C2, …"""

    line: str

    def __post_init__(self) -> None:
        text = str(self.line).upper()
        if not _LINE.fullmatch(text):
            raise ConstraintError(
                f"{self.name}: {self.line!r} is not a line; write R3 for row 3, C3 for column 3"
            )
        object.__setattr__(self, "line", text)

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return self.cells(puzzle)

    def cells(self, puzzle: Puzzle) -> Line:
        """The cells, in the order in which the clue reads them."""
        return self._read(puzzle, reverse=False)

    def _read(self, puzzle: Puzzle, *, reverse: bool) -> Line:
        grid = only_grid(self, puzzle)
        line = directed_lines(grid).get((self.line, reverse))
        if line is None:
            raise ConstraintError(f"{self.label}: {self.line} is outside the {grid.size} grid")
        return line

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        line = tuple(values[place] for place in self.cells(puzzle))
        return self.accepts(line, puzzle.grids[0].values)

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        """Whether these values in the line keep the rule in a grid of such values."""
        raise ConstraintError(f"{type(self).__name__} does not say what it accepts")

    @property
    def label(self) -> str:
        return f"{self.name} at {self.line}"

    def _is_house(self, puzzle: Puzzle) -> bool:
        grid = puzzle.grids[0]
        return grid.row_houses if self.line[0] == "R" else grid.column_houses


class SideClue(LineClue):
    """A clue that reads its line from one side: from the left or from above, unless reversed."""

    reverse: bool

    def __post_init__(self) -> None:
        super().__post_init__()
        if type(self.reverse) is not bool:
            raise ConstraintError(f"{self.name}: reverse is True or False, not {self.reverse!r}")

    def cells(self, puzzle: Puzzle) -> Line:
        return self._read(puzzle, reverse=self.reverse)

    @property
    def label(self) -> str:
        return f"{super().label}, {self._side}" if self.reverse else super().label

    @property
    def _side(self) -> str:
        sides = ("from the left", "from the right", "from above", "from below")
        return sides[2 * (self.line[0] == "C") + self.reverse]

    @property
    def _place(self) -> str:
        return f"{self.line}, read {self._side},"


def only_grid(rule: Constraint, puzzle: Puzzle) -> Grid:
    """The grid of a puzzle that has one."""
    if len(puzzle.grids) > 1:
        raise ConstraintError(
            f"{rule.label}: a clue outside needs a puzzle of one grid, not {len(puzzle.grids)}"
        )
    return puzzle.grids[0]


@lru_cache(maxsize=64)
def directed_lines(grid: Grid) -> Mapping[tuple[str, bool], Line]:
    """Every row and column by its name, read forwards (False) and in reverse (True)."""
    lines = {f"R{grid.top + i + 1}": grid.row(i) for i in range(grid.rows)}
    lines |= {f"C{grid.left + i + 1}": grid.column(i) for i in range(grid.columns)}
    return {
        (name, reverse): line[::-1] if reverse else line
        for name, line in lines.items()
        for reverse in (False, True)
    }
