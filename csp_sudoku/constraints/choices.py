"""Cells that hold one of some values: as a rule, so that it can be combined with others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from csp_sudoku import pictures
from csp_sudoku.cells import Cell, CellsLike, Place, Var
from csp_sudoku.constraints.base import CellConstraint, Constraint, in_grid
from csp_sudoku.constraints.custom import Table
from csp_sudoku.constraints.fields import OneOf, WholeNumbers, rule, whole_numbers
from csp_sudoku.constraints.pairs import Equal

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle


@rule
class IsOneOf(CellConstraint):
    """Some values only: each of the cells holds one of the `values`.

    A given or a list of candidates says the same. As a rule it can stand in an "or" or a "not".

    Examples
    --------
    >>> from csp_sudoku import IsOneOf, Puzzle, count
    >>> count(Puzzle.blank(4).add(IsOneOf("R1C1 R1C2", [1, 3]))).value
    48
    """

    values: WholeNumbers = whole_numbers(as_set=True)
    name = "is-one-of"
    aliases = ("candidates", "subset-of-values")

    def accepts(self, values: tuple[int, ...]) -> bool:
        return all(value in self.values for value in values)

    def lower(self, ctx: Lowering) -> None:
        """Add a condition for each cell."""
        for place in dict.fromkeys(self.cells):
            ctx.add_condition(place, self.values.__contains__)

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The filled cells that hold another value."""
        for place in dict.fromkeys(self.cells):
            if place in values and values[place] not in self.values:
                yield (place,)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object if a cell can hold none of the values."""
        for place in self.cells:
            if not set(puzzle.values_of(place)).intersection(self.values):
                return f"{self.label}: {place} can hold none of {self._listed}"
        return None

    @property
    def _listed(self) -> str:
        return str(OneOf(self.values)) if len(self.values) > 1 else ", ".join(map(str, self.values))

    def describe(self, puzzle: Puzzle) -> str:
        if len(self.cells) == 1:
            return f"{self.cells[0]} is {self._listed or 'no value'}"
        return f"each of {self.listing} is {self._listed or 'no value'}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        text = "/".join(map(str, self.values))
        return [pictures.Note(place, text) for place in in_grid(dict.fromkeys(self.cells))]

    sees, listed = "equality", ("values",)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            IsOneOf("R1C1 R2C3", [1, 3]),
            IsOneOf("R1C1", [2]),
            IsOneOf("R1C1 R1C1", [4, 9]),
            IsOneOf("R1C1", []),
        )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        rows = [(value,) for value in self.values]
        return [Table(place, rows) for place in dict.fromkeys(self.cells)] if rows else []


def is_value(place: CellsLike, value: int | str | Place) -> Constraint:
    """Say that a place holds a value: a number, or what another place holds.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, count, is_value
    >>> count(Puzzle.blank(4).add(is_value("R1C1", 1) | is_value("R1C2", 1))).value
    144
    """
    if isinstance(value, str | Cell | Var):
        return Equal(place, value)
    return IsOneOf(place, [value])


def is_one_of(place: CellsLike, values: Iterable[int]) -> Constraint:
    """Say that a place holds one of some values.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, count, is_one_of
    >>> count(Puzzle.blank(4).add(~is_one_of("R1C1", range(1, 4)))).value
    72
    """
    return IsOneOf(place, values)
