"""Regions without repeats: houses, extra regions, diagonals, windows; and odd and even cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Domain, Regular
from csp_sudoku import pictures
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import CellConstraint, Constraint, clashing_pairs, in_grid
from csp_sudoku.constraints.counting import occurrence, occurs
from csp_sudoku.constraints.fields import flag, rule, text
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import FPuzzles, Iss, SudokuMaker, SudokuPad
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


class AllDifferent(CellConstraint):
    """Extra region: no value occurs twice among the cells.

    A cell that is listed twice counts once.

    Examples
    --------
    >>> from csp_sudoku import AllDifferent, Puzzle, count
    >>> count(Puzzle.blank(4).add(AllDifferent("R1C1 R2C2 R3C3 R4C4"))).value
    48
    """

    name = "all-different"
    aliases = ("extra-region",)
    saying = "Digits do not repeat in a {colour}shaded region."

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        scope = self.scope(puzzle)
        return len({values[place] for place in scope}) == len(scope)

    def lower(self, ctx: Lowering) -> None:
        """Add one all-different factor for the cells."""
        ctx.add_different(self.scope(ctx.puzzle))

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [self.scope(puzzle)]

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The cells that share a value."""
        return clashing_pairs(values, self.scope(puzzle))

    def describe(self, puzzle: Puzzle) -> str:
        return f"no value occurs twice in {self.listing}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.Shade(in_grid(self.cells), "blue")]

    sees = "equality"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            AllDifferent("R1C1 R2C2 R3C3 R4C4"),
            AllDifferent("R1C1 R2C3 R1C1"),
            AllDifferent("R1C1 R1C2 R2C1"),
        )

    formats = (
        FPuzzles("extraregion", "cells"),
        SudokuMaker(305, "cells"),
        Iss("AllDifferent", "cells", once=True),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        from csp_sudoku.constraints.cages import KillerCage

        return [KillerCage(self.cells)]

    phrases: ClassVar[tuple[Phrase, ...]] = (
        Phrase(
            "cell",
            "shaded|region no-repeat|digits-range|once",
            may="region shaded no-repeat digits-range once connected appear box four",
            forms="shade",
        ),
        Phrase("line", "line no-repeat"),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """Each line, and each group of connected cells of one colour, is a region."""
        from csp_sudoku.understanding.figures import connected_cells

        lines = [f.cells for f in figures if f.kind == "line"]
        shades = [f for f in figures if f.kind != "line"]
        regions = [*lines, *(region for _, region in connected_cells(shades))]
        sizes = set(map(len, regions))
        if sentence.span and sizes != {len(grid.values)}:
            raise ValueError("a region that cannot hold all values")
        if max(sizes) > len(grid.values):
            raise ValueError("a region with more cells than values")
        return [cls(region) for region in regions]


@rule
class House(AllDifferent):
    """House: a row, a column, a box or an irregular region. Every grid brings its own."""

    title: str = text()
    name = "house"

    @property
    def label(self) -> str:
        return self.title

    def describe(self, puzzle: Puzzle) -> str:
        return f"no value occurs twice in {self.title}"

    @property
    def is_told(self) -> bool:
        return False

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        return maker.fields(cls, title=lambda: "house")

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (House("R1C1-R2C2", "box 1"),)

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [AllDifferent(self.cells)]


class _Parity(CellConstraint):
    """Cells that hold values of one parity."""

    remainder: ClassVar[int]

    def accepts(self, values: tuple[int, ...]) -> bool:
        return all(value % 2 == self.remainder for value in values)

    def lower(self, ctx: Lowering) -> None:
        """Add one condition for each cell."""
        for place in self.scope(ctx.puzzle):
            ctx.add_condition(place, lambda value: value % 2 == self.remainder)

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The cells with a value of the other parity."""
        for place in self.scope(puzzle):
            if place in values and values[place] % 2 != self.remainder:
                yield (place,)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a cell that has no value of this parity."""
        for place in self.cells:
            if all(value % 2 != self.remainder for value in puzzle.values_of(place)):
                return f"{self.label}: {place} has no {self.name} value"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.listing} {'is' if len(self.cells) == 1 else 'are'} {self.name}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        places = dict.fromkeys(in_grid(self.cells))
        if self.remainder:
            return [pictures.Shape(place, "circle", size=0.78) for place in places]
        return [pictures.Shape(place, "square", size=0.68) for place in places]

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        """The values that each cell may hold."""
        from csp_sudoku.constraints.custom import Table

        return [
            Table(place, [(v,) for v in puzzle.values_of(place) if v % 2 == self.remainder])
            for place in self.scope(puzzle)
        ]


class Odd(_Parity):
    """Odd cells: they hold odd values.

    Examples
    --------
    >>> from csp_sudoku import Odd, Puzzle, count
    >>> count(Puzzle.blank(4).add(Odd("R1C1", "R1C2"))).value
    48
    """

    name = "odd"
    saying = "Digits in {colour}circles are odd."
    remainder = 1

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Odd("R1C1"), Odd("R1C1 R2C3 R1C1"))

    formats = (
        FPuzzles("odd", "each"),
        SudokuMaker(101, "each"),
    )

    phrases = (
        Phrase("cell", "odd circle", may="shaded", forms="circle"),
        Phrase("cell", "odd square", may="shaded", forms="square shade"),
        Phrase("cell", "odd shaded", forms="shade"),
    )


class Even(_Parity):
    """Even cells: they hold even values.

    Examples
    --------
    >>> from csp_sudoku import Even, Puzzle, count
    >>> count(Puzzle.blank(4).add(Even("R1C1", "R2C3"))).value
    96
    """

    name = "even"
    saying = "Digits in {colour}squares are even."
    remainder = 0

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Even("R1C1"), Even("R1C1 R2C3 R1C1"))

    formats = (
        FPuzzles("even", "each"),
        SudokuMaker(100, "each"),
    )

    phrases = (
        Phrase("cell", "even square", may="shaded", forms="square shade"),
        Phrase("cell", "even circle", may="shaded", forms="circle"),
        Phrase("cell", "even shaded", forms="shade"),
    )


@rule
class _Regions(Constraint):
    """Regions without repeats that follow from the shape of the grid."""

    of_grid = True

    def regions(self, grid: Grid) -> list[tuple[Cell, ...]]:
        """The regions in one grid of the puzzle."""
        raise ConstraintError(f"{type(self).__name__} must define regions()")

    def _all(self, puzzle: Puzzle) -> list[tuple[Cell, ...]]:
        return [region for grid in puzzle.grids for region in self.regions(grid)]

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(chain.from_iterable(self._all(puzzle))))

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return all(
            len({values[cell] for cell in region}) == len(region) for region in self._all(puzzle)
        )

    def lower(self, ctx: Lowering) -> None:
        """Add one all-different factor for each region."""
        for region in self._all(ctx.puzzle):
            ctx.add_different(region)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return self._all(puzzle)

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The cells of a region that share a value."""
        for region in self._all(puzzle):
            yield from clashing_pairs(values, region)

    sees = "equality"


@rule
class Diagonals(_Regions):
    """Diagonals: no value occurs twice on the diagonals ╲ (`falling`) and ╱ (`rising`).

    Examples
    --------
    >>> from csp_sudoku import Diagonals, Puzzle, count
    >>> count(Puzzle.blank(4).add(Diagonals())).value
    48
    """

    falling: bool = flag(default=True)
    rising: bool = flag(default=True)
    name = "diagonals"
    aliases = ("diagonal", "sudoku-x", "x-sudoku")
    saying = "Digits do not repeat along the marked diagonals."

    def validate(self) -> None:
        """Require that at least one diagonal is chosen."""
        if not (self.falling or self.rising):
            raise ConstraintError("diagonals: falling or rising must be True")

    def regions(self, grid: Grid) -> list[tuple[Cell, ...]]:
        """The chosen diagonals."""
        if grid.rows != grid.columns:
            raise ConstraintError(f"diagonals: needs a square grid, not {grid.size}")
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

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.Line(line, "blue", 0.05, through=True) for line in self._all(puzzle)]

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        falling, rising = maker.rng.choice(((True, True), (True, False), (False, True)))
        return {"falling": falling, "rising": rising}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Diagonals(), Diagonals(rising=False), Diagonals(falling=False))

    formats = (
        FPuzzles("diagonal+", "flag", fixed={"falling": False, "rising": True}),
        SudokuPad("diagonal+", "flag", fixed={"falling": False, "rising": True}, read_only=True),
        SudokuPad("diagonal-", "flag", fixed={"falling": True, "rising": False}, read_only=True),
        FPuzzles("diagonal-", "flag", fixed={"falling": True, "rising": False}),
        SudokuMaker(10, "flag", fixed={"falling": True, "rising": False}),
        SudokuMaker(11, "flag", fixed={"falling": False, "rising": True}),
        Iss(
            "Diagonal",
            "flag",
            when={"direction": "1"},
            fixed={"falling": False, "rising": True},
            houses=True,
        ),
        Iss(
            "Diagonal",
            "flag",
            when={"direction": "-1"},
            fixed={"falling": True, "rising": False},
            houses=True,
        ),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        both = self.falling and self.rising
        return [Diagonals(rising=False), Diagonals(falling=False)] if both else []

    phrases = (
        Phrase(
            "",
            "both-diagonals|rising-diagonal|falling-diagonal no-repeat|once|digits-range",
            may="digits-range once appear no-repeat either",
        ),
        Phrase(
            "diagonal",
            "diagonal|both-diagonals|rising-diagonal|falling-diagonal no-repeat|once|digits-range",
            may="digits-range once appear no-repeat either",
        ),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """The diagonals that are drawn, or those that the sentence names."""
        named = {"falling-diagonal", "rising-diagonal"} & sentence.concepts
        if "both-diagonals" in sentence.concepts or not (figures or named):
            named = {"falling-diagonal", "rising-diagonal"}
        drawn = {
            "falling-diagonal" if figure.cells[0] == Cell(0, 0) else "rising-diagonal"
            for figure in figures
        }
        if drawn and named and drawn != named:
            raise ValueError("other diagonals are drawn")
        meant = drawn or named
        return [cls(falling="falling-diagonal" in meant, rising="rising-diagonal" in meant)]


class Windoku(_Regions):
    """Windoku: no value occurs twice in an inner window.

    The windows are as large as a box and one cell apart; the first begins at R2C2.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Windoku
    >>> len(Windoku().regions(Puzzle.blank(9).grids[0]))
    4
    """

    name = "windoku"
    aliases = ("hyper", "hyper-sudoku", "hypersudoku")

    def regions(self, grid: Grid) -> list[tuple[Cell, ...]]:
        """The windows."""
        if grid.box is None:
            raise ConstraintError("windoku: needs a grid with boxes: its windows are as large")
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

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.Shade(window, "grey") for window in self._all(puzzle)]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Windoku(),)

    formats = (
        Iss("Windoku", "windows", inside=False, houses=True, make="of_size"),
        SudokuPad("windoku", "flag", read_only=True),
    )

    @classmethod
    def of_size(cls, grid: Grid, box: tuple[int, int] | None) -> list[Constraint]:
        """The rule for a grid whose windows have this size, whatever its boxes are."""
        if box in (None, grid.box):
            return [cls()]
        windows = cls().regions(replace(grid, box=box, regions=()))
        return [AllDifferent(window) for window in windows]

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [AllDifferent(region) for region in self._all(puzzle)]


class DisjointGroups(_Regions):
    """Disjoint groups: no value occurs twice at the same position of different boxes.

    Examples
    --------
    >>> from csp_sudoku import DisjointGroups, Puzzle, count
    >>> count(Puzzle.blank(4).add(DisjointGroups())).value
    168
    """

    name = "disjoint-groups"
    aliases = ("disjoint", "disjoint-sets")
    phrases = (
        Phrase(
            "",
            "same-position box|region not",
            may="box region same appear or different disjoint set",
        ),
        Phrase("", "same-position box|region no-repeat", may="box region different disjoint set"),
        Phrase("", "disjoint", may="set"),
    )

    def regions(self, grid: Grid) -> list[tuple[Cell, ...]]:
        """One group for each position in a box."""
        if grid.box is None:
            raise ConstraintError("disjoint-groups: needs a grid with boxes")
        return list(zip(*grid.boxes, strict=True))

    def describe(self, puzzle: Puzzle) -> str:
        return "no value occurs twice at the same position of different boxes"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (DisjointGroups(),)

    formats = (
        FPuzzles("disjointgroups", "flag", make="by_position"),
        SudokuMaker(14, "flag", make="by_position"),
        SudokuPad("disjoint", "flag", make="by_position"),
        Iss("DisjointSets", "box groups", inside=False, houses=True),
    )

    @classmethod
    def by_position(cls, grid: Grid) -> list[Constraint]:
        """The rule for a grid, which may have irregular regions in place of boxes."""
        if grid.box:
            return [cls()]
        if len(set(map(len, grid.boxes))) > 1:
            raise ConstraintError("disjoint groups need regions of one size")
        return [AllDifferent(group) for group in zip(*grid.boxes, strict=True)]

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [AllDifferent(region) for region in self._all(puzzle)]


@rule
class SameValueHouses(Constraint):
    """Same values in all houses: the largest rows, columns and boxes hold the same values.

    This restricts a puzzle only if there are more values than cells in a house.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, SameValueHouses, count
    >>> count(Puzzle.blank(4, values=range(1, 6)).add(SameValueHouses())).value
    1440
    """

    name = "same-value-houses"
    aliases = ("same-digits", "digit-set")

    def houses(self, puzzle: Puzzle) -> list[House]:
        """The houses with the most cells."""
        size = max((len(house.cells) for house in puzzle.houses), default=0)
        return [house for house in puzzle.houses if len(house.cells) == size]

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        cells = chain.from_iterable(house.cells for house in self.houses(puzzle))
        return tuple(dict.fromkeys(cells))

    def check(self, puzzle: Puzzle) -> None:
        """Require that the puzzle has houses."""
        if not puzzle.houses:
            raise ConstraintError(f"{self.label}: needs a grid with rows, columns or boxes")

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        held = {frozenset(values[cell] for cell in house.cells) for house in self.houses(puzzle)}
        return len(held) == 1

    def lower(self, ctx: Lowering) -> None:
        """Add a bit for each value, whether the first house has it; the others must agree."""
        first, *others = (house.cells for house in self.houses(ctx.puzzle))
        values = sorted({v for cell in self.scope(ctx.puzzle) for v in ctx.domain(cell)})
        if len(values) == len(first):
            return  # every house holds all values
        for value in values:
            bit = occurrence(ctx, first, value)
            machines: dict[tuple[Domain, ...], Automaton] = {}
            for house in others:
                domains = ctx.domains(house)
                if domains not in machines:
                    machines[domains] = occurs(domains, value)
                ctx.add(Regular((*house, bit), machines[domains]))

    def describe(self, puzzle: Puzzle) -> str:
        return "all largest houses hold the same values"

    sees = "equality"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (SameValueHouses(),)

    formats = (Iss("RegionSameValues", "flag", houses=True),)
