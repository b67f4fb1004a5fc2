"""Yin-yang: both colours connected, and no 2×2 square of one colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Domain
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import rule
from csp_sudoku.constraints.found import Found, add_connected, is_connected, layer_name, squares
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


@rule
class YinYang(Found):
    """Yin-yang: cells are shaded or not; each colour is connected, and no 2×2 has one colour.

    Which cells are shaded is part of the solution, on the layer ``shaded``: 1 is shaded.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, YinYang, count
    >>> puzzle = Puzzle.blank(3, box=None).with_givens({"R1C1": 1, "R1C2": 2, "R2C1": 2})
    >>> count(puzzle.add(YinYang())).value  # one grid, 34 shadings
    34
    """

    layer: str = layer_name("shaded")
    name = "yin-yang"

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        places = self.places(puzzle)
        if any(len({values[place] for place in square}) == 1 for square in squares(places)):
            return False
        return all(is_connected(self.members(values, puzzle, colour)) for colour in (0, 1))

    def lower(self, ctx: Lowering) -> None:
        """Forbid squares of one colour, and connect both colours.

        A chequered square would cut one of the colours in two.
        """
        places = self.places(ctx.puzzle)
        for square in squares(places):
            ctx.add_machine(square, _mixed)
        add_connected(ctx, places, places, ((0,), (1,)))

    def describe(self, puzzle: Puzzle) -> str:
        return (
            "shade cells so that the shaded cells are connected, the others are connected, "
            "and no 2×2 square has one colour"
        )

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (YinYang(),)

    phrases = tuple(
        [
            Phrase("", f"shaded-connected unshaded-connected {squares}", "shade-some")
            for squares in ("mixed-squares", "no-shaded-square no-unshaded-square")
        ]
    )


def _mixed(domains: tuple[Domain, ...]) -> Automaton:
    """Neither one colour nor a chequered square, one of whose colours would be cut in two."""
    return Automaton.from_predicate(
        domains, lambda a, b, c, d: a + b + c + d in (1, 2, 3) and (a != d or b != c)
    )
