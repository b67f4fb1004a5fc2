"""Skyscrapers: which values of a line are seen from outside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from csp_encodings.factors import Domain
from csp_sudoku.constraints.aspects import numbers_outside
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import OpenNumber, brief, flag, open_number, rule
from csp_sudoku.constraints.line_clue import SideClue
from csp_sudoku.forms import FPuzzles, Iss, Number, SudokuMaker
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle


@rule
class Skyscraper(SideClue):
    """Skyscraper: `count` values of the line are greater than all values before them.

    The values are heights of buildings, and `count` of them are visible from the side. A value of 0
    or less is not a building.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Skyscraper, count
    >>> count(Puzzle.blank(4).add(Skyscraper("R1", 2), Skyscraper("R1", 3, reverse=True))).value
    36
    """

    count: OpenNumber = open_number()
    reverse: bool = flag(default=False)
    name = "skyscraper"
    aliases = ("skyscrapers",)
    saying = "A {colour}clue outside the grid is the number of skyscrapers seen from there."

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        return self.count == sum(height > max((0, *line[:i])) for i, height in enumerate(line))

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers the highest building and how many are still to come."""
        line = self.cells(ctx.puzzle)
        values = ctx.puzzle.grids[0].values
        # Among k different values, the greatest is at least the k-th of all values.
        floor = values if ctx.distinct(line) and len(line) <= len(values) else (0,) * len(line)

        def step(state: tuple[int, int], value: int, position: int) -> tuple[int, int] | None:
            highest, missing = state
            if value > highest:
                highest, missing = value, missing - 1
            return (highest, missing) if missing >= 0 and highest >= floor[position] else None

        ctx.add_fold(line, (0, self.count), step, lambda state: state[1] == 0, positional=True)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a count that is too small or too large."""
        values = puzzle.grids[0].values
        most = min(len(self.cells(puzzle)), sum(value > 0 for value in values))
        least = min(1, most) if values[0] > 0 else 0
        if least <= self.count <= most:
            return None
        return f"{self.label}: {self.count} visible buildings are impossible ({least} to {most})"

    def describe(self, puzzle: Puzzle) -> str:
        return f"in {self._place} {self.count} buildings are visible"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [self._clue(puzzle, brief(self.count), "tower")]

    placing = numbers_outside()

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Skyscraper("R1", 2),
            Skyscraper("C2", 3, reverse=True),
            Skyscraper("R2", 0),
            Skyscraper("C3", 9),
        )

    formats = (
        FPuzzles("skyscraper", "side clue", value=Number("count", required=True)),
        SudokuMaker(503, "side clue", within="clues", value=Number("count", required=True)),
        Iss("Skyscraper", "side clue", count=Number("count", least=1)),
    )

    phrases = (
        Phrase(
            "outside",
            "skyscraper|seen count",
            may="outside row column seen skyscraper greater less hide or",
        ),
    )


@rule
class HiddenSkyscraper(SideClue):
    """Hidden skyscraper: the first hidden building of the line has the height `value`.

    A building is hidden if one before it is as high or higher. At least one is hidden. Every value
    is a height here, also 0.

    Examples
    --------
    >>> from csp_sudoku import HiddenSkyscraper, Puzzle, count
    >>> count(Puzzle.blank(4).add(HiddenSkyscraper("R1", 3))).value
    60
    """

    value: OpenNumber = open_number()
    reverse: bool = flag(default=False)
    name = "hidden-skyscraper"
    aliases = ("hidden-skyscrapers",)

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        hidden = (v for i, v in enumerate(line) if i and v <= max(line[:i]))
        return next(hidden, None) == self.value

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers the highest building until one is hidden."""
        nothing, found, wanted = "nothing", "found", self.value

        def step(highest: int | str, value: int) -> int | str | None:
            if highest == found:
                return found
            if isinstance(highest, str) or value > highest:
                return value
            return found if value == wanted else None

        ctx.add_fold(self.cells(ctx.puzzle), nothing, step, lambda state: state == found)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a height that does not occur, or that nothing can hide."""
        values = puzzle.grids[0].values
        if self.value not in values:
            return f"{self.label}: {self.value} is not a value of this grid"
        if self._is_house(puzzle) and self.value == values[-1]:
            return f"{self.label}: {self.value}, the greatest value, is never hidden"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"in {self._place} the first hidden building is {self.value}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [self._clue(puzzle, brief(self.value), "dashed")]

    placing = numbers_outside()

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            HiddenSkyscraper("R1", 2),
            HiddenSkyscraper("C2", 1, reverse=True),
            HiddenSkyscraper("R2", 5),
            HiddenSkyscraper("C3", 0),
        )

    formats = (Iss("HiddenSkyscraper", "side clue", value=Number("value", least=0)),)
