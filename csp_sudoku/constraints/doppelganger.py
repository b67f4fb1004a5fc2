"""Doppelganger: every house misses one digit, and these digits are different."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Domain
from csp_sudoku.cells import Cell, Place, Var
from csp_sudoku.constraints.base import Composed, Constraint
from csp_sudoku.constraints.fields import rule
from csp_sudoku.constraints.line_clue import only_grid
from csp_sudoku.constraints.regions import AllDifferent
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import Iss

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


def missing_digits(grid: Grid) -> dict[str, tuple[Var, ...]]:
    """The variables for the missing digits of the rows (R), the columns (C) and the boxes (B)."""
    return {
        kind: tuple(Var(f"missing_{kind}{number}") for number in range(1, len(houses) + 1))
        for kind, houses in _houses(grid).items()
    }


def _from_0_to_side(grid: Grid) -> str | None:
    fits = grid.rows == grid.columns and grid.values == tuple(range(grid.rows + 1))
    return None if fits else "needs a square grid with the values from 0 to its side"


@rule
class Doppelganger(Composed):
    """Doppelganger: each row, column and box holds the least value and misses one other value.

    The grid has one value more than a row has cells: a 9×9 grid has the digits 0 to 9. The missing
    digits of the rows are different; so are those of the columns, and those of the boxes. At each 0
    the missing digits of its row, its column and its box are different.

    The rule brings the missing digits into the puzzle as named variables: ``$missing_R1`` for the
    first row, ``$missing_C1`` for the first column, ``$missing_B1`` for the first box. Other rules
    may speak of them.

    Examples
    --------
    >>> from csp_sudoku import Doppelganger, Puzzle, count
    >>> puzzle = Puzzle.blank(4, values=range(5)).add(Doppelganger())
    >>> count(puzzle).value, count(puzzle.with_givens({"$missing_R1": 3})).value
    (768, 192)
    """

    name = "doppelganger"

    def declares(self, puzzle: Puzzle) -> Iterator[tuple[Var, tuple[int, ...]]]:
        """The missing digit of each row, column and box."""
        grid = only_grid(self, puzzle)
        for variables in missing_digits(grid).values():
            yield from ((variable, grid.values[1:]) for variable in variables)

    def expand(self, puzzle: Puzzle) -> tuple[Constraint, ...]:
        """The parts: a house and its missing digit, the missing digits, and those at a 0."""
        grid = only_grid(self, puzzle)
        parts: list[Constraint] = []
        around: dict[Cell, list[Var]] = {place: [] for place in grid.cells}
        for kind, variables in missing_digits(grid).items():
            for house, variable in zip(_houses(grid)[kind], variables, strict=True):
                parts.append(AllDifferent([*house, variable]))
                for place in house:
                    around[place].append(variable)
            if variables:
                parts.append(AllDifferent(variables))
        parts += [_DifferentAtLeast(place, tuple(found)) for place, found in around.items()]
        return tuple(parts)

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return (*puzzle.cells, *(variable for variable, _ in self.declares(puzzle)))

    def check(self, puzzle: Puzzle) -> None:
        """Refuse a grid in which a house misses several values."""
        super().check(puzzle)
        grid = only_grid(self, puzzle)
        for kind, houses in _houses(grid).items():
            for number, house in enumerate(houses, 1):
                if len(grid.values) > len(house) + 1:
                    raise ConstraintError(
                        f"{self.label}: {kind}{number} has {len(house)} cells and misses more than "
                        f"one of {len(grid.values)} values"
                    )

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a grid in which no value is missing."""
        grid = only_grid(self, puzzle)
        side = max(grid.rows, grid.columns)
        if len(grid.values) > side:
            return None
        return f"{self.label}: a row can miss a value only if there are {side + 1} values"

    def describe(self, puzzle: Puzzle) -> str:
        least = puzzle.grids[0].values[0]
        return (
            f"each row, column and box holds {least} and misses one other value; the missing "
            f"values of the rows differ, those of the columns, those of the boxes, and those of "
            f"the row, column and box of each {least}"
        )

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Doppelganger(),)

    formats = (Iss("Doppelganger", "flag", houses=True, needs=_from_0_to_side),)


@rule
class _DifferentAtLeast(Constraint):
    """If a cell holds the least value of the grid, some missing digits are different."""

    cell: Cell
    missing: tuple[Var, ...]
    name = "missing digits"

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return (self.cell, *self.missing)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        digits = {values[variable] for variable in self.missing}
        least = puzzle.grids[0].values[0]
        return values[self.cell] != least or len(digits) == len(self.missing)

    def lower(self, ctx: Lowering) -> None:
        """Add one small automaton."""
        ctx.add_machine(self.scope(ctx.puzzle), _different_at, ctx.puzzle.grids[0].values[0])


def _different_at(domains: Sequence[Domain], least: int) -> Automaton:
    """The automaton that reads a cell, then digits, which differ if the cell holds `least`."""

    def step(seen: frozenset[int] | None, value: int, position: int) -> object:
        if position == 0:
            return frozenset[int]() if value == least else "anything"
        if not isinstance(seen, frozenset):
            return seen
        return None if value in seen else seen | {value}

    return Automaton.from_fold(domains, "start", step, lambda state: True, positional=True)


def _houses(grid: Grid) -> dict[str, tuple[tuple[Cell, ...], ...]]:
    return {
        "R": tuple(grid.row(i) for i in range(grid.rows)),
        "C": tuple(grid.column(i) for i in range(grid.columns)),
        "B": grid.boxes,
    }
