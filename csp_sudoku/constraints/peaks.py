"""Maximum and minimum: cells that are greater or less than all their neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import gt, lt
from typing import TYPE_CHECKING, ClassVar

from csp_sudoku import pictures
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import OneCell, one_place, rule
from csp_sudoku.constraints.logic import others_of
from csp_sudoku.constraints.pairs import GreaterThan
from csp_sudoku.forms import FPuzzles, SudokuMaker
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


@rule
class _Extreme(Constraint):
    """A cell that beats its orthogonal neighbours, except those that carry the same mark."""

    cell: OneCell = one_place(on_grid=True)
    beats: ClassVar[Callable[[int, int], bool]]

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return (self.cell, *self.rivals(puzzle))

    def rivals(self, puzzle: Puzzle) -> list[Cell]:
        """The neighbours that it beats."""
        marked = {mark.cell for mark in others_of(self, puzzle, _Extreme)}
        return [place for place in puzzle.neighbours(self.cell) if place not in marked]

    @classmethod
    def reads(cls) -> tuple[type[Constraint], ...]:
        return (cls,)

    def depends_on(self, other: Constraint) -> bool:
        if not isinstance(other, type(self)):
            return False
        rows, columns = self.cell.row - other.cell.row, self.cell.col - other.cell.col
        return abs(rows) + abs(columns) == 1

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        beats = type(self).beats
        return all(beats(values[self.cell], values[rival]) for rival in self.rivals(puzzle))

    def lower(self, ctx: Lowering) -> None:
        """Add one relation for each neighbour."""
        for rival in self.rivals(ctx.puzzle):
            ctx.add_relation(self.cell, rival, type(self).beats)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [(self.cell, rival) for rival in self.rivals(puzzle)]

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The neighbours that it does not beat, each with the cell."""
        if self.cell in values:
            for rival in self.rivals(puzzle):
                if rival in values and not type(self).beats(values[self.cell], values[rival]):
                    yield self.cell, rival

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A shaded cell that beats its neighbours."""
        return [cls(figure.cells[0]) for figure in figures]


class Maximum(_Extreme):
    """Maximum: the cell is greater than its orthogonal neighbours, other maxima excepted.

    Examples
    --------
    >>> from csp_sudoku import Maximum, Puzzle, count
    >>> count(Puzzle.blank(4).add(Maximum("R1C1"))).value
    96
    """

    name = "maximum"
    saying = "A digit in a {colour}shaded cell is greater than its orthogonal neighbours."
    beats = gt

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cell} is greater than its orthogonal neighbours"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.Wedges(self.cell, outward=True)]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Maximum("R1C1"), Maximum("R2C2"))

    formats = (
        FPuzzles("maximum", "extreme"),
        SudokuMaker(102, "extreme"),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [GreaterThan(self.cell, rival) for rival in self.rivals(puzzle)]

    phrases = (
        Phrase(
            "cell",
            "greater-than-neighbours",
            may="unshaded shaded sign adjacent neighbours square arrow outward",
            forms="shade",
        ),
    )


class Minimum(_Extreme):
    """Minimum: the cell is less than its orthogonal neighbours, other minima excepted.

    Examples
    --------
    >>> from csp_sudoku import Minimum, Puzzle, count
    >>> count(Puzzle.blank(4).add(Minimum("R1C1"))).value
    96
    """

    name = "minimum"
    saying = "A digit in a {colour}shaded cell is less than its orthogonal neighbours."
    beats = lt

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cell} is less than its orthogonal neighbours"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.Wedges(self.cell, outward=False)]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Minimum("R1C1"), Minimum("R2C2"))

    formats = (
        FPuzzles("minimum", "extreme"),
        SudokuMaker(103, "extreme"),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [GreaterThan(rival, self.cell) for rival in self.rivals(puzzle)]

    phrases = (
        Phrase(
            "cell",
            "less-than-neighbours",
            may="unshaded shaded sign adjacent neighbours square arrow inward",
            forms="shade",
        ),
    )
