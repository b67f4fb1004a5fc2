"""What a rule says of itself besides its meaning: how its line looks, how it is placed as a clue.

All of it is plain data and light to import. The drawing is in :mod:`csp_sudoku.pictures`, the
placing in :mod:`csp_sudoku.generating`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from csp_sudoku.constraints.base import Constraint
    from csp_sudoku.generating.easel import Easel

Form = Literal["circle", "ring", "square", "diamond"]
Dash = tuple[float, ...]

DOTTED: Dash = (0.05, 0.05)
"""The dashes of a cage that stands for no cage of the usual kind."""


LayerLook = Literal["regions", "shading", "line", "diagonal line", "stars", "numbers"]
"""How a layer is drawn: borders between unlike cells, coloured cells, a line, stars, numbers."""


class Look(NamedTuple):
    """How the line of a rule is drawn. No two kinds of line differ in their colour alone.

    Attributes
    ----------
    hue
        A colour of :mod:`csp_sudoku.pictures.theme`.
    width, dash
        The width of the line and the lengths of its dashes and gaps, as shares of a cell.
    ends
        What stands at both ends.
    bulb
        Whether it begins with the bulb of a thermometer.
    head
        Whether it ends in the head of an arrow.
    written
        Whether the rule is written under the picture as well: the line does not say all of it.
    """

    hue: str
    width: float
    dash: Dash = ()
    ends: Form | None = None
    bulb: bool = False
    head: bool = False
    written: bool = False


class Placing(NamedTuple):
    """How the generator places clues of a rule, read off a solution.

    Attributes
    ----------
    in_three_rows
        How many clues a puzzle gets in every three rows, if no number is asked for.
    drawn
        Whether it is a drawing over cells that no other drawing shall cover.
    propose
        Draws one clue for an easel. A rule that draws its clues itself leaves this out and
        overrides :meth:`~csp_sudoku.constraints.base.Constraint.propose`.
    """

    in_three_rows: int
    drawn: bool = False
    propose: Callable[[type[Constraint], Easel], Constraint | None] | None = None

    def usual(self, side: int) -> int:
        """How many clues a grid of this side gets, if no number is asked for."""
        return -(-self.in_three_rows * side // 3)


def grown_lines(longest: int) -> Placing:
    """Lines that grow cell by cell, every beginning of which keeps the rule: a thermometer."""
    return Placing(2, True, lambda kind, easel: easel.grown_line(kind, longest))


def tried_lines(longest: int) -> Placing:
    """Lines drawn as a whole, because their beginnings say nothing of the end: a renban."""
    return Placing(2, True, lambda kind, easel: easel.tried_line(kind, longest))


def signs_between() -> Placing:
    """Signs between two cells side by side: a white dot."""
    return Placing(6, False, lambda kind, easel: easel.sign(kind))


def marks_in_cells() -> Placing:
    """Marks in single cells: row indexing."""
    return Placing(3, False, lambda kind, easel: easel.mark(kind))


def numbers_outside(*, sides: bool = True) -> Placing:
    """Numbers beside a row or column, read from either side or, without `sides`, as a whole."""
    return Placing(3, False, lambda kind, easel: easel.number(kind, sides=sides))
