"""Little killers: sums of diagonals, written outside the grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from csp_sudoku import pictures
from csp_sudoku.cells import DIAGONALS, Cell, Place
from csp_sudoku.constraints.aspects import Placing
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.cages import Sum
from csp_sudoku.constraints.fields import (
    OneCell,
    OpenNumber,
    brief,
    one_place,
    open_number,
    rule,
    word,
)
from csp_sudoku.constraints.line_clue import only_grid
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import FPuzzles, Iss, Number, SudokuMaker
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.generating.easel import Easel
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


@rule
class LittleKiller(Constraint):
    """Little killer: the diagonal that begins at a cell sums to `sum`. Values may repeat.

    The direction is one of ``NE``, ``SE``, ``SW`` and ``NW``.

    Examples
    --------
    >>> from csp_sudoku import LittleKiller, Puzzle, count
    >>> count(Puzzle.blank(4).add(LittleKiller("R2C1", "SE", 5))).value
    24
    """

    start: OneCell = one_place(on_grid=True)
    direction: str = word(*DIAGONALS)
    sum: OpenNumber = open_number()
    name = "little-killer"
    aliases = ("little-killers", "little-killer-sum")
    saying = (
        "A {colour}clue outside the grid is the sum of the diagonal that its arrow points along."
    )

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        """The diagonal, from its start to the edge of the grid."""
        only_grid(self, puzzle)
        if not puzzle.has(self.start):
            raise ConstraintError(f"{self.label}: {puzzle.no_such_place(self.start)}")
        return puzzle.ray(self.start, self.direction)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return sum(values[place] for place in self.scope(puzzle)) == self.sum

    def lower(self, ctx: Lowering) -> None:
        """Add one linear factor."""
        ctx.add_sum(self.scope(ctx.puzzle), self.sum, self.sum)

    def lower_one_of(self, ctx: Lowering, numbers: tuple[int, ...]) -> None:
        """Lower the sum of the diagonal."""
        self._sum_of(ctx.puzzle, numbers).lower(ctx)

    def linked(self, place: Place, puzzle: Puzzle) -> tuple[Constraint, ...]:
        return (self._sum_of(puzzle, place),)

    def _sum_of(self, puzzle: Puzzle, total: int | Place | tuple[int, ...]) -> Sum:
        """The sum of the diagonal; a number that is open is no part of the diagonal."""
        return Sum(replace(self, sum=0).scope(puzzle), total)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a sum that is too small or too large."""
        values = puzzle.grids[0].values
        size = len(self.scope(puzzle))
        low, high = size * values[0], size * values[-1]
        if low <= self.sum <= high:
            return None
        return f"{self.label}: sum {self.sum} is impossible for {size} cells ({low} to {high})"

    @property
    def label(self) -> str:
        return f"{self.name} at {self.start} {self.direction}"

    def describe(self, puzzle: Puzzle) -> str:
        diagonal = " ".join(map(str, self._sum_of(puzzle, 0).cells))
        return f"the diagonal {diagonal} sums to {self.sum}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.DiagonalClue(self.start, self.direction, brief(self.sum))]

    placing = Placing(in_three_rows=3)

    @classmethod
    def propose(cls, easel: Easel) -> Constraint | None:
        """Draw a diagonal that begins at the edge, and add it up."""
        start = easel.cell()
        direction = easel.chance.choice(tuple(DIAGONALS))
        grid = easel.puzzle.grids[0]
        edges = (grid.top, grid.top + grid.rows - 1, grid.left, grid.left + grid.columns - 1)
        row, column = edges["SN".index(direction[0])], edges[2 + "EW".index(direction[1])]
        if start.row != row and start.col != column:
            return None
        diagonal = cls(start, direction, 0).scope(easel.puzzle)
        total = sum(map(easel.value, diagonal))
        return cls(start, direction, total) if len(diagonal) > 1 else None

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            LittleKiller("R1C1", "SE", 10),
            LittleKiller("R2C1", "NE", 5),
            LittleKiller("R1C4", "SW", 99),
            LittleKiller("R3C3", "NW", 0),
            LittleKiller("R1C1", "NW", 3),
        )

    formats = (
        FPuzzles("littlekillersum", "diagonal clue", value=Number("sum", none=0, required=True)),
        SudokuMaker(500, "diagonal clue", within="clues", value=Number("sum", required=True)),
        Iss("LittleKiller", "diagonal clue", sum="sum"),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [self._sum_of(puzzle, self.sum)]

    phrases = (
        Phrase(
            "outside",
            "sum diagonal",
            may="outside arrow little-killer may-repeat points same",
        ),
        Phrase("outside", "sum arrow outside", may="may-repeat points same"),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A number with a small arrow, which points along the diagonal."""
        for figure in figures:
            [outside] = figure.cells
            step = next((s for s in figure.pointing if 0 not in s), None)
            if step is None:
                raise ValueError("a clue without a diagonal arrow")
            name = next(name for name, known in DIAGONALS.items() if known == step)
            yield cls(Cell(outside.row + step[0], outside.col + step[1]), name, int(figure.text))
