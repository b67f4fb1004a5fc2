"""Cells of one parity, and regions without repeats: houses, diagonals, windows, groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Domain, Regular
from csp_sudoku.cells import Cell, CellsLike, Place
from csp_sudoku.constraints.base import CellConstraint, Constraint, Values, clashing_pairs
from csp_sudoku.constraints.counting import occurrence, occurs
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


@dataclass(frozen=True, init=False)
class AllDifferent(CellConstraint):
    """No value occurs twice among the cells (an extra region); a cell named twice counts once.

    Examples
    --------
    >>> from csp_sudoku import AllDifferent, Puzzle, count
    >>> count(Puzzle.blank(4).add(AllDifferent("R1C1 R2C2 R3C3 R4C4"))).value
    48
    """

    name = "all-different"

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        scope = self.scope(puzzle)
        return len({values[place] for place in scope}) == len(scope)

    def lower(self, ctx: Lowering) -> None:
        """One all-different factor."""
        ctx.add_different(self.scope(ctx.puzzle))

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [self.scope(puzzle)]

    def clashes(self, values: Values, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The cells that share a value."""
        return clashing_pairs(values, self.scope(puzzle))

    def describe(self, puzzle: Puzzle) -> str:
        return f"no value occurs twice in {self.listing}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (AllDifferent("R1C1 R2C2 R3C3 R4C4"), AllDifferent("R1C1 R2C3 R1C1"))


@dataclass(frozen=True, init=False)
class House(AllDifferent):
    """A row, a column, a box or an irregular region; comes with the grid."""

    title: str
    name = "house"

    def __init__(self, cells: CellsLike, title: str) -> None:
        self._set(cells=cells, title=title)

    @property
    def label(self) -> str:
        return self.title

    def describe(self, puzzle: Puzzle) -> str:
        return f"no value occurs twice in {self.title}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (House("R1C1-R2C2", "box 1"),)


@dataclass(frozen=True, init=False)
class _Parity(CellConstraint):
    """The cells hold values of one parity."""

    remainder: ClassVar[int]

    def accepts(self, values: tuple[int, ...]) -> bool:
        return all(value % 2 == self.remainder for value in values)

    def lower(self, ctx: Lowering) -> None:
        """A condition on each cell."""
        for place in self.scope(ctx.puzzle):
            ctx.add_condition(place, lambda value: value % 2 == self.remainder)

    def clashes(self, values: Values, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The cells of the other parity."""
        for place in self.scope(puzzle):
            if place in values and values[place] % 2 != self.remainder:
                yield (place,)

    def objection(self, puzzle: Puzzle) -> str | None:
        """A cell that cannot hold such a value."""
        for place in self.cells:
            if all(value % 2 != self.remainder for value in puzzle.values_of(place)):
                return f"{self.label}: {place} has no {self.name} values"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.listing} {'is' if len(self.cells) == 1 else 'are'} {self.name}"


@dataclass(frozen=True, init=False)
class Odd(_Parity):
    """The cells hold odd values.

    Examples
    --------
    >>> from csp_sudoku import Odd, Puzzle, count
    >>> count(Puzzle.blank(4).add(Odd("R1C1", "R1C2"))).value
    48
    """

    name = "odd"
    remainder = 1

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Odd("R1C1"), Odd("R1C1 R2C3 R1C1"))


@dataclass(frozen=True, init=False)
class Even(_Parity):
    """The cells hold even values.

    Examples
    --------
    >>> from csp_sudoku import Even, Puzzle, count
    >>> count(Puzzle.blank(4).add(Even("R1C1", "R2C3"))).value
    96
    """

    name = "even"
    remainder = 0

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Even("R1C1"), Even("R1C1 R2C3 R1C1"))


class _Regions(Constraint):
    """All-different regions that follow from the shape of the grid."""

    def regions(self, grid: Grid) -> list[tuple[Cell, ...]]:
        """The regions in one grid of the puzzle."""
        raise ConstraintError(f"{type(self).__name__} does not say its regions")

    def _all(self, puzzle: Puzzle) -> list[tuple[Cell, ...]]:
        return [region for grid in puzzle.grids for region in self.regions(grid)]

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(chain.from_iterable(self._all(puzzle))))

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return all(
            len({values[cell] for cell in region}) == len(region) for region in self._all(puzzle)
        )

    def lower(self, ctx: Lowering) -> None:
        """One all-different factor a region."""
        for region in self._all(ctx.puzzle):
            ctx.add_different(region)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return self._all(puzzle)

    def clashes(self, values: Values, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The cells of a region that share a value."""
        for region in self._all(puzzle):
            yield from clashing_pairs(values, region)


@dataclass(frozen=True)
class Diagonals(_Regions):
    """No value occurs twice on the main diagonals: ╲ (falling) and ╱ (rising), or one of them.

    Examples
    --------
    >>> from csp_sudoku import Diagonals, Puzzle, count
    >>> count(Puzzle.blank(4).add(Diagonals())).value
    48
    """

    falling: bool = True
    rising: bool = True
    name = "diagonals"

    def __post_init__(self) -> None:
        if not (self.falling or self.rising):
            raise ConstraintError("diagonals: at least one of falling and rising must be set")

    def regions(self, grid: Grid) -> list[tuple[Cell, ...]]:
        """The chosen diagonals."""
        if grid.rows != grid.columns:
            raise ConstraintError(f"diagonals: need a square grid, not {grid.size}")
        side = grid.rows
        found = []
        if self.falling:
            found.append(tuple(Cell(grid.top + i, grid.left + i) for i in range(side)))
        if self.rising:
            found.append(tuple(Cell(grid.top + side - 1 - i, grid.left + i) for i in range(side)))
        return found

    def describe(self, puzzle: Puzzle) -> str:
        which = "both diagonals" if self.falling and self.rising else "the diagonal "
        if not (self.falling and self.rising):
            which += "╲" if self.falling else "╱"
        return f"no value occurs twice on {which}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Diagonals(), Diagonals(rising=False), Diagonals(falling=False))


@dataclass(frozen=True)
class Windoku(_Regions):
    """No value occurs twice in the inner windows: boxes one cell apart, beginning at R2C2.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Windoku
    >>> len(Windoku().regions(Puzzle.blank(9).grids[0]))
    4
    """

    name = "windoku"

    def regions(self, grid: Grid) -> list[tuple[Cell, ...]]:
        """The windows, as large as a box."""
        if grid.box is None:
            raise ConstraintError("windoku: needs a grid with boxes; its windows have their size")
        height, width = grid.box
        return [
            tuple(
                Cell(grid.top + r, grid.left + c)
                for r in range(top, top + height)
                for c in range(left, left + width)
            )
            for top in range(1, grid.rows - height + 1, height + 1)
            for left in range(1, grid.columns - width + 1, width + 1)
        ]

    def describe(self, puzzle: Puzzle) -> str:
        return "no value occurs twice in an inner window"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Windoku(),)


@dataclass(frozen=True)
class DisjointGroups(_Regions):
    """No value occurs twice at the same position of different boxes.

    Examples
    --------
    >>> from csp_sudoku import DisjointGroups, Puzzle, count
    >>> count(Puzzle.blank(4).add(DisjointGroups())).value
    168
    """

    name = "disjoint-groups"

    def regions(self, grid: Grid) -> list[tuple[Cell, ...]]:
        """One group a position."""
        if grid.box is None:
            raise ConstraintError("disjoint groups: need a grid with boxes")
        return list(zip(*grid.boxes, strict=True))

    def describe(self, puzzle: Puzzle) -> str:
        return "no value occurs twice at the same position of different boxes"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (DisjointGroups(),)


@dataclass(frozen=True)
class SameValueHouses(Constraint):
    """All rows, columns and boxes, as far as they have the largest size, hold the same values.

    It says something only where there are more values than cells in a house.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, SameValueHouses, count
    >>> count(Puzzle.blank(4, values=range(1, 6)).add(SameValueHouses())).value
    1440
    """

    name = "same-value-houses"

    def houses(self, puzzle: Puzzle) -> list[House]:
        """The houses of the largest size."""
        size = max((len(house.cells) for house in puzzle.houses), default=0)
        return [house for house in puzzle.houses if len(house.cells) == size]

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        cells = chain.from_iterable(house.cells for house in self.houses(puzzle))
        return tuple(dict.fromkeys(cells))

    def check(self, puzzle: Puzzle) -> None:
        """There are houses."""
        if not puzzle.houses:
            raise ConstraintError(f"{self.label}: needs a grid with rows, columns or boxes")

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        held = {frozenset(values[cell] for cell in house.cells) for house in self.houses(puzzle)}
        return len(held) == 1

    def lower(self, ctx: Lowering) -> None:
        """A bit for each value says whether the first house has it, and so must the others."""
        first, *others = (house.cells for house in self.houses(ctx.puzzle))
        values = sorted({v for cell in self.scope(ctx.puzzle) for v in ctx.domain(cell)})
        if len(values) == len(first):
            return  # every house holds every value
        for value in values:
            bit = occurrence(ctx, first, value)
            machines: dict[tuple[Domain, ...], Automaton] = {}
            for house in others:
                domains = ctx.domains(house)
                if domains not in machines:
                    machines[domains] = occurs(domains, value)
                ctx.add(Regular((*house, bit), machines[domains]))

    def describe(self, puzzle: Puzzle) -> str:
        return "all houses of the largest size hold the same values"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (SameValueHouses(),)
