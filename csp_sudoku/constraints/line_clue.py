"""The base of the clues outside the grid that are for a row or a column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from csp_encodings.store import kept
from csp_sudoku import pictures
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import converted, rule
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_encodings.factors import Domain
    from csp_encodings.graph import Assignment
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.grid import Grid
    from csp_sudoku.pictures.margin import Frame, Side
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


Line = tuple[Cell, ...]

_LINE = re.compile(r"([RC])([1-9][0-9]?)", re.ASCII)


def _read_line(given: object, name: str) -> str:
    found = str(given).upper()
    if not _LINE.fullmatch(found):
        raise ConstraintError(f"{given!r} is not a line; write R3 for row 3, C3 for column 3")
    return found


@rule
class LineClue(Constraint):
    """A clue for a row or a column, named R1, R2, … or C1, C2, …"""

    line: str = converted(_read_line, takes="a row or column, such as R1 or C2")

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return self.cells(puzzle)

    def cells(self, puzzle: Puzzle) -> Line:
        """The cells of the line, in the order in which the clue reads them."""
        return self._read(puzzle, reverse=False)

    def _read(self, puzzle: Puzzle, *, reverse: bool) -> Line:
        grid = only_grid(self, puzzle)
        line = directed_lines(grid).get((self.line, reverse))
        if line is None:
            raise ConstraintError(f"{self.label}: {self.line} is outside the {grid.size} grid")
        return line

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        line = tuple(values[place] for place in self.cells(puzzle))
        return self.accepts(line, puzzle.grids[0].values)

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        """Whether a line with these values keeps the rule; `values` are those of the grid."""
        raise ConstraintError(f"{type(self).__name__} must define accepts()")

    @property
    def label(self) -> str:
        return f"{self.name} at {self.line}"

    def _is_house(self, puzzle: Puzzle) -> bool:
        grid = puzzle.grids[0]
        return grid.row_houses if self.line[0] == "R" else grid.column_houses

    def _clue(self, puzzle: Puzzle, text: str, frame: Frame = "none") -> Mark:
        """Return the mark of the clue, on the side from which it reads its line."""
        sides: tuple[Side, Side] = ("left", "right") if self.line[0] == "R" else ("top", "bottom")
        reverse = bool(getattr(self, "reverse", False))
        return pictures.Clue(sides[reverse], self.cells(puzzle)[0], text, frame)

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        return maker.fields(cls, line=maker.line_name)


class SideClue(LineClue):
    """A clue that reads its line from one side: from the left or from above.

    With `reverse` it reads from the right or from below.
    """

    # Every subclass declares this field after its own, so that it is the last argument.
    reverse: bool

    def cells(self, puzzle: Puzzle) -> Line:
        return self._read(puzzle, reverse=self.reverse)

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A number beside a row or a column, which is read from its side."""
        make: Any = cls
        for figure in figures:
            line, reverse = figure.line_beside(grid)
            yield make(line, int(figure.text), reverse=reverse)

    @property
    def label(self) -> str:
        return f"{super().label}, {self._side}" if self.reverse is True else super().label

    @property
    def _side(self) -> str:
        sides = ("from the left", "from the right", "from above", "from below")
        return sides[2 * (self.line[0] == "C") + self.reverse]

    @property
    def _place(self) -> str:
        return f"{self.line}, read {self._side},"


def only_grid(rule: Constraint, puzzle: Puzzle) -> Grid:
    """The grid of a puzzle with one grid; a puzzle with several is refused."""
    if len(puzzle.grids) > 1:
        raise ConstraintError(
            f"{rule.label}: a clue outside the grid needs a puzzle of one grid, not "
            f"{len(puzzle.grids)}"
        )
    return puzzle.grids[0]


@kept(size=lambda lines: 600 * len(lines))
def directed_lines(grid: Grid) -> Mapping[tuple[str, bool], Line]:
    """Every row and column by its name and whether it is read in reverse."""
    lines = {f"R{grid.top + i + 1}": grid.row(i) for i in range(grid.rows)}
    lines |= {f"C{grid.left + i + 1}": grid.column(i) for i in range(grid.columns)}
    return {
        (name, reverse): line[::-1] if reverse else line
        for name, line in lines.items()
        for reverse in (False, True)
    }
