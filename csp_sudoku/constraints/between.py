"""Lines with two ends: what stands between them lies between or outside their values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from csp_sudoku.constraints.aspects import Look, tried_lines
from csp_sudoku.constraints.base import CellConstraint, Constraint, all_values
from csp_sudoku.constraints.fields import Places, rule, some_places, whole
from csp_sudoku.constraints.lines import side_of, too_far
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import FPuzzles, Iss, SudokuMaker
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle


class _Ended(CellConstraint):
    """A rule for the cells between the two ends of a line, and perhaps for the ends."""

    def least(self, puzzle: Puzzle) -> int:
        """The least difference between the two ends in this puzzle."""
        return 0

    @staticmethod
    def inner(low: int, high: int, value: int) -> bool:
        """Whether a cell between ends of these values may hold this one."""
        raise ConstraintError("a rule for a line with two ends must define inner()")

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        low, high = sorted((values[self.cells[0]], values[self.cells[-1]]))
        return high - low >= self.least(puzzle) and all(
            self.inner(low, high, values[place]) for place in self.cells[1:-1]
        )

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that reads the two ends first and remembers them."""
        first, *between, last = self.cells
        values = all_values(between, ctx.puzzle)
        inner, apart = self.inner, self.least(ctx.puzzle)
        # Cells that must be different need that many values.
        inside = tuple(dict.fromkeys(between))
        needed = len(inside) if ctx.distinct(inside) else min(1, len(inside))

        def step(state: tuple[int, ...], value: int, position: int) -> tuple[int, ...] | None:
            if position == 0:
                return (value,)
            if position == 1:
                low, high = sorted((*state, value))
                room = sum(inner(low, high, v) for v in values)
                return (low, high) if room >= needed and high - low >= apart else None
            return state if inner(state[0], state[1], value) else None

        ctx.add_fold((first, last, *between), (), step, lambda ends: True, positional=True)


class Between(_Ended):
    """Between line: the values of the inner cells lie strictly between those of the two ends.

    A loop has no two ends, and no solution.

    Examples
    --------
    >>> from csp_sudoku import Between, Puzzle, count
    >>> count(Puzzle.blank(4).add(Between("R1C1-R1C3"))).value
    96
    """

    name = "between"
    aliases = ("between-line",)
    saying = "Digits along a {colour}line lie between the digits in its end circles."

    @staticmethod
    def inner(low: int, high: int, value: int) -> bool:
        return low < value < high

    def lower(self, ctx: Lowering) -> None:
        """Add nothing if there is no inner cell."""
        if len(self.cells) > 2:
            super().lower(ctx)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to inner cells on a line that ends where it begins."""
        if self.is_closed:
            return f"{self.label}: its two ends are the same cell, so no value lies between them"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"the inner cells of the line {self.listing} lie between its ends"

    look = Look("grey", 0.07, ends="ring")
    sees = "distance"
    placing = tried_lines(longest=5)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Between("R1C1 R1C2 R2C3 R3C3"),
            Between("R1C1 R2C3"),
            Between("R1C1"),
            Between("R1C1 R1C2 R1C1"),
        )

    formats = (
        FPuzzles("betweenline", "lines"),
        SudokuMaker(403, "lines"),
        Iss("Between", "cells", least=3),
    )

    phrases = (
        Phrase(
            "line",
            "between line circle|end|bulb",
            may="line circle end bulb exclusive",
            forms="circle",
        ),
    )


@rule
class Lockout(_Ended):
    """Lockout line: the ends differ by at least 4, or `difference`; no inner cell is between them.

    An inner cell is less than both ends or greater than both. The ends are never equal, so a loop
    has no solution. The default difference is half the side of the grid, rounded down: 4 on 9×9.

    Examples
    --------
    >>> from csp_sudoku import Lockout, Puzzle, count
    >>> count(Puzzle.blank(4).add(Lockout("R1C1-R1C3"))).value
    48
    """

    cells: Places = some_places(least=2, needs="two ends")
    difference: int | None = whole(default=None, least=0)
    name = "lockout"
    aliases = ("lockout-line",)

    def least(self, puzzle: Puzzle) -> int:
        """The least difference between the two ends in this puzzle; they are never equal."""
        return max(1, side_of(puzzle) // 2 if self.difference is None else self.difference)

    @staticmethod
    def inner(low: int, high: int, value: int) -> bool:
        return not low <= value <= high

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a loop, and to a difference that no two values have."""
        ends = (self.cells[0], self.cells[-1])
        if self.is_closed:
            return f"{self.label}: its two ends are the same cell, but they must differ"
        return too_far(self.label, ends, self.least(puzzle), puzzle)

    def describe(self, puzzle: Puzzle) -> str:
        return (
            f"the ends of the lockout line {self.listing} differ by at least {self.least(puzzle)} "
            f"and no inner cell lies between them"
        )

    look = Look("blue", 0.07, ends="diamond")
    sees = "distance"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._line(puzzle, "" if self.difference is None else f"≥{self.difference}")

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Lockout("R1C1 R1C2 R2C3 R3C3"),
            Lockout("R1C1 R1C2 R3C3", 1),
            Lockout("R1C1 R2C3", 0),
            Lockout("R1C1 R2C2", 9),
        )

    phrases = (
        Phrase(
            "line",
            "diamond difference at-least",
            may="lockout line end between outside not-between greater less set or same",
            fields={"difference": "at_least"},
            forms="diamond",
        ),
        Phrase("line", "lockout", may="line diamond end outside not-between", forms="diamond"),
    )

    formats = (
        FPuzzles("lockout", "lines", least=2, fixed={"difference": None}),
        SudokuMaker(407, "lines", fixed={"difference": 4}),
        Iss("Lockout", "cells", difference="difference"),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        usual = Lockout(self.cells)
        if self == usual:
            return [Lockout(self.cells, self.least(puzzle))]
        return [usual] if self.least(puzzle) == usual.least(puzzle) else []
