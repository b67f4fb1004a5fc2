"""Rules for ordered cells: thermometers, arrows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from operator import lt
from typing import TYPE_CHECKING

from csp_sudoku.cells import CellsLike, Place, cells
from csp_sudoku.constraints.base import CellConstraint, Constraint, Values
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


@dataclass(frozen=True, init=False)
class Thermometer(CellConstraint):
    """Values strictly increase from the bulb, the first cell, to the tip.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Thermometer, count
    >>> count(Puzzle.blank(4).add(Thermometer("R1C1-R1C3"))).value
    48
    """

    name = "thermometer"

    def accepts(self, values: tuple[int, ...]) -> bool:
        return all(a < b for a, b in pairwise(values))

    def lower(self, ctx: Lowering) -> None:
        """A relation between neighbours: on a line that loses no propagation."""
        for a, b in pairwise(self.cells):
            ctx.add_relation(a, b, lt)

    def objection(self, puzzle: Puzzle) -> str | None:
        """A cell drawn twice, or more cells than values."""
        if len(set(self.cells)) < len(self.cells):
            return f"{self.label}: a cell is drawn twice, so its values cannot increase"
        values = {value for place in self.cells for value in puzzle.values_of(place)}
        if len(self.cells) > len(values):
            return (
                f"{self.label}: {len(self.cells)} cells cannot increase over {len(values)} values"
            )
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"values increase along the thermometer {self.listing}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Thermometer("R1C1 R2C2 R2C3"), Thermometer("R1C1"), Thermometer("R1C1 R1C2 R1C1"))


@dataclass(frozen=True, init=False)
class Arrow(Constraint):
    """The values on the shaft sum to the value in the circle; values may repeat.

    Examples
    --------
    >>> from csp_sudoku import Arrow, Puzzle, count
    >>> count(Puzzle.blank(4).add(Arrow("R1C1", "R1C2 R1C3"))).value
    48
    """

    circle: Place
    shaft: tuple[Place, ...]
    name = "arrow"

    def __init__(self, circle: CellsLike, shaft: CellsLike, *more: CellsLike) -> None:
        circles, shafts = cells(circle), cells(shaft, *more)
        if len(circles) != 1:
            raise ConstraintError(f"arrow: its circle is one cell, not {len(circles)}")
        if not shafts:
            raise ConstraintError(f"arrow at {circles[0]}: its shaft has no cells")
        object.__setattr__(self, "circle", circles[0])
        object.__setattr__(self, "shaft", shafts)

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys((self.circle, *self.shaft)))

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return values[self.circle] == sum(values[place] for place in self.shaft)

    def lower(self, ctx: Lowering) -> None:
        """One linear factor, the circle first: an automaton then only knows what is left."""
        weights = (-1, *(1 for _ in self.shaft))
        ctx.add_sum((self.circle, *self.shaft), 0, 0, weights)

    def objection(self, puzzle: Puzzle) -> str | None:
        """A shaft that cannot be as small as the circle's greatest value."""
        least = sum(min(puzzle.values_of(place)) for place in self.shaft)
        most = max(puzzle.values_of(self.circle))
        if least > most and self.circle not in self.shaft:
            return (
                f"{self.label}: {len(self.shaft)} cells sum to at least {least}, "
                f"more than the circle's {most}"
            )
        return None

    @property
    def label(self) -> str:
        return f"arrow at {self.circle}"

    def describe(self, puzzle: Puzzle) -> str:
        shaft = " ".join(map(str, self.shaft))
        return f"the cells {shaft} of the arrow sum to its circle {self.circle}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Arrow("R1C1", "R1C2 R2C2"),
            Arrow("R1C1", "R2C2"),
            Arrow("R1C1", "R2C2 R3C3 R2C2"),
            Arrow("R1C1", "R1C1 R1C2"),
        )
