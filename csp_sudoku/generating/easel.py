"""The easel: a solution that clues are read off, and ways to draw a clue by lot."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import ConstraintError
from csp_sudoku.generating import shapes
from csp_sudoku.puzzle import Puzzle

Make = Callable[..., Constraint]
"""A class of rules, or a function, that makes a clue; its first argument says where."""

# Lines have at least this many cells.
_SHORTEST = 3


@dataclass
class Easel:
    """A solution, and the cells that no drawing covers yet.

    A rule proposes its clues with the methods of this class. They draw shapes by lot; whether the
    solution keeps a clue is asked afterwards.
    """

    puzzle: Puzzle
    solution: Mapping[Place, int]
    chance: random.Random
    free: set[Cell] = field(init=False)

    def __post_init__(self) -> None:
        self.free = set(self.puzzle.cells)

    @property
    def side(self) -> int:
        """The longer side of the first grid."""
        grid = self.puzzle.grids[0]
        return max(grid.rows, grid.columns)

    def keeps(self, clue: Constraint) -> bool:
        """Whether the clue fits the puzzle and the solution keeps it."""
        try:
            clue.check(self.puzzle)
        except ConstraintError:
            return False
        return clue.holds(self.solution, self.puzzle)

    def value(self, place: Place) -> int:
        """Return the value of a place in the solution."""
        return self.solution[place]

    # Shapes

    def cell(self) -> Cell:
        """Draw a cell, free or not."""
        return self.chance.choice(self.puzzle.cells)

    def line(
        self, length: int, accepts: Callable[[Sequence[Cell]], bool] = lambda _: True
    ) -> tuple[Cell, ...]:
        """Draw a line of free cells, at most this long; every beginning of it is accepted."""
        return shapes.line(self.free, length, self.chance, accepts)

    def around(self, place: Cell) -> list[Cell]:
        """Return the cells that touch a cell, diagonally too; some may lie outside the grid."""
        return shapes.neighbours(place, corners=True)

    def cage(self, size: int) -> tuple[Cell, ...]:
        """Draw connected free cells without a repeated value; fewer where there are no more."""
        values = {place: self.value(place) for place in self.free}
        return next(shapes.tiling(values, [size], self.chance), ())

    # Clues

    def grown_line(self, make: Make, longest: int) -> Constraint | None:
        """Draw a line that grows cell by cell; every beginning keeps the rule."""
        length = self.chance.randint(_SHORTEST, longest)
        cells = self.line(length, lambda beginning: self.keeps(make(beginning)))
        return make(cells) if len(cells) >= _SHORTEST else None

    def tried_line(self, make: Make, longest: int) -> Constraint | None:
        """Draw a line as a whole; it seldom keeps the rule."""
        length = self.chance.randint(_SHORTEST, longest)
        cells = self.line(length)
        return make(cells) if len(cells) == length else None

    def sign(self, make: Make) -> Constraint | None:
        """Draw a sign between two cells side by side, turned round if only that fits."""
        first = self.cell()
        second = self.chance.choice(shapes.neighbours(first))
        if not self.puzzle.has(second):
            return None
        pair = [first, second]
        clue = make(pair if first < second else pair[::-1])
        return clue if self.keeps(clue) else make(pair)

    def mark(self, *makes: Make) -> Constraint | None:
        """Draw a mark in a single cell, one of several kinds."""
        return self.chance.choice(makes)([self.cell()])

    def number(self, make: Make, *, sides: bool = True) -> Constraint | None:
        """Draw a row or column and write the number beside it that the solution keeps."""
        grid = self.puzzle.grids[0]
        letter, count = self.chance.choice((("R", grid.rows), ("C", grid.columns)))
        name = f"{letter}{self.chance.randint(1, count)}"
        more = {"reverse": self.chance.random() < 1 / 2} if sides else {}
        numbers = range(sum(value for value in grid.values if value > 0) + 1)
        clues = (make(name, number, **more) for number in numbers)
        return next((clue for clue in clues if self.keeps(clue)), None)
