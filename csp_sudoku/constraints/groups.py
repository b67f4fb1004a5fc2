"""Groups of cells: the same values, the same sum, magic squares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, product
from math import isqrt
from operator import eq
from typing import TYPE_CHECKING, Any, ClassVar

from csp_sudoku import pictures
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import CellConstraint, Constraint, in_grid
from csp_sudoku.constraints.fields import PlaceGroups, place_groups, rule
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import FPuzzles, Iss, SudokuMaker
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


@rule
class _Groups(Constraint):
    """A rule for groups of cells."""

    groups: PlaceGroups = place_groups()

    def _check_equal_sizes(self) -> None:
        sizes = [len(group) for group in self.groups]
        if len(set(sizes)) > 1:
            shown = ", ".join(map(str, sizes))
            raise ConstraintError(
                f"{self.label}: its groups must be equally long, not {shown} cells"
            )

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(place for group in self.groups for place in group))

    @property
    def label(self) -> str:
        return f"{self.name} at {self.groups[0][0]}"

    @property
    def listing(self) -> str:
        """The groups as people write them: ``R1C1 R1C2, R2C1 R2C2``."""
        return ", ".join(" ".join(map(str, group)) for group in self.groups)

    hue: ClassVar[str]

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        # No colour tells which groups belong together, and in which order.
        shades = [pictures.Shade(in_grid(group), self.hue) for group in self.groups]
        return [*shades, pictures.sentence(self, puzzle)]


class Clone(_Groups):
    """Clones: the groups hold the same values in the same order.

    Examples
    --------
    >>> from csp_sudoku import Clone, Puzzle, count
    >>> count(Puzzle.blank(4).add(Clone(["R1C1 R1C2", "R3C2 R3C1"]))).value
    96
    """

    name = "clone"
    aliases = ("clones",)

    def validate(self) -> None:
        """Require that the groups are equally long."""
        self._check_equal_sizes()

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return len({tuple(values[place] for place in group) for group in self.groups}) == 1

    def lower(self, ctx: Lowering) -> None:
        """Add one equality for each two corresponding cells: cheaper than one wide automaton."""
        for places in zip(*self.groups, strict=True):
            for a, b in pairwise(dict.fromkeys(places)):
                ctx.add_relation(a, b, eq)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the groups {self.listing} hold the same values in the same order"

    hue = "grey"

    sees = "equality"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Clone(["R1C1 R1C2", "R3C2 R3C1"]),
            Clone(["R1C1", "R2C3", "R3C4"]),
            Clone(["R1C1 R2C3", "R2C3 R1C1"]),
            Clone(["R1C1 R1C2"]),
        )

    formats = (
        FPuzzles("clone", "groups"),
        SudokuMaker(302, "groups"),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        from csp_sudoku.constraints.pairs import Equal

        return [Equal(places) for places in zip(*self.groups, strict=True)]

    phrases = (
        Phrase(
            "cell",
            "clone",
            may="shaded region same same-position unturned",
            forms="shade square",
        ),
        Phrase(
            "cell",
            "shaded same same-position|region",
            may="region same-position set",
            forms="shade square",
        ),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """The regions of one shape hold the same values; those of another shape are others."""
        from csp_sudoku.understanding.figures import connected_cells

        shapes: dict[object, list[tuple[Cell, ...]]] = {}
        for colours, region in connected_cells(figures):
            corner = region[0]
            shape = tuple((cell.row - corner.row, cell.col - corner.col) for cell in region)
            shapes.setdefault((colours, shape), []).append(region)
        if any(len(groups) < 2 for groups in shapes.values()):
            raise ValueError("a clone without another of its shape")
        return [cls(groups) for groups in shapes.values()]


class SameValues(_Groups):
    """Same values: the groups hold the same values equally often, in any order.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, SameValues, count
    >>> count(Puzzle.blank(4).add(SameValues(["R1C1 R1C2", "R3C1 R3C2"]))).value
    96
    """

    name = "same-values"

    def validate(self) -> None:
        """Require that the groups are equally long."""
        self._check_equal_sizes()

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return len({tuple(sorted(values[p] for p in group)) for group in self.groups}) == 1

    def lower(self, ctx: Lowering) -> None:
        """Add a small automaton for each value, for each group and the next."""
        for first, second in pairwise(self.groups):
            # The cells that both groups share need no test.
            ours, theirs = Counter(first), Counter(second)
            left = tuple((ours - theirs).elements())
            right = tuple((theirs - ours).elements())
            if len(left) == 1:
                ctx.add_relation(left[0], right[0], eq)
            elif left:
                self._lower_pair(ctx, left, right)

    @staticmethod
    def _lower_pair(ctx: Lowering, left: tuple[Place, ...], right: tuple[Place, ...]) -> None:
        values = sorted({value for domain in ctx.domains(left + right) for value in domain})
        size = len(left)
        # If the cells must be different, no value occurs twice.
        most = 1 if ctx.distinct(left) or ctx.distinct(right) else size

        for value in values:

            def step(count: int, held: int, i: int, value: int = value) -> int | None:
                if held != value:
                    return count
                count += 1 if i < size else -1
                return count if 0 <= count <= most else None

            ctx.add_fold(left + right, 0, step, lambda count: count == 0, positional=True)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the groups {self.listing} hold the same values in any order"

    hue = "green"

    sees = "equality"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            SameValues(["R1C1 R1C2", "R3C1 R3C2"]),
            SameValues(["R1C1 R2C3", "R3C4 R4C2", "R1C2 R2C3"]),
            SameValues(["R1C1 R1C2 R2C3", "R2C3 R3C1 R1C1"]),
            SameValues(["R1C1", "R2C3", "R3C4"]),
        )

    formats = (Iss("SameValues", "equal parts"),)


class EqualSum(_Groups):
    """Equal sums: all groups have the same sum. They may be of different sizes.

    Examples
    --------
    >>> from csp_sudoku import EqualSum, Puzzle, count
    >>> count(Puzzle.blank(4).add(EqualSum(["R1C1 R1C2", "R3C1 R3C2"]))).value
    128
    """

    name = "equal-sum"

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return len({sum(values[place] for place in group) for group in self.groups}) == 1

    def lower(self, ctx: Lowering) -> None:
        """Add linear factors for pairs of groups."""
        add_equal_sums(ctx, self.groups)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the groups {self.listing} have the same sum"

    hue = "orange"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            EqualSum(["R1C1 R1C2", "R3C1 R3C2"]),
            EqualSum(["R1C1", "R2C3 R3C4"]),
            EqualSum(["R1C1 R1C2", "R2C3", "R1C2 R2C4"]),
            EqualSum(["R1C1 R1C2"]),
        )

    phrases = (Phrase("cage", "cage same sum", may="if unknown-total region"),)

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """All cages together."""
        return [cls([figure.cells for figure in figures])]

    formats = (
        SudokuMaker(404, "region totals", when={"singleRegionTotals": True}),
        Iss("EqualSum", "groups"),
    )


class MagicSquare(CellConstraint):
    """Magic square: all its rows, columns and both diagonals have the same sum.

    The cells of the square are listed row by row.

    Examples
    --------
    >>> from csp_sudoku import MagicSquare, Puzzle, count
    >>> box = Puzzle.blank(3, regions=["R1C1-R3C3"], row_houses=False, column_houses=False,
    ...                    values=range(1, 10))
    >>> count(box.add(MagicSquare("R1C1-R3C3"))).value
    8
    """

    name = "magic-square"

    def validate(self) -> None:
        """Require that the cells make a square."""
        if isqrt(len(self.cells)) ** 2 != len(self.cells):
            raise ConstraintError(
                f"{self.label}: needs the cells of a square, such as 4 or 9, not {len(self.cells)}"
            )

    @property
    def lines(self) -> list[tuple[Place, ...]]:
        """The rows, the columns and the two diagonals."""
        side, size = isqrt(len(self.cells)), len(self.cells)
        rows = [self.cells[i : i + side] for i in range(0, size, side)]
        columns = [self.cells[i::side] for i in range(side)]
        falling = tuple(self.cells[i * (side + 1)] for i in range(side))
        rising = tuple(self.cells[(i + 1) * (side - 1)] for i in range(side))
        return [*rows, *columns, falling, rising]

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return len({sum(values[place] for place in line) for line in self.lines}) == 1

    def lower(self, ctx: Lowering) -> None:
        """Add linear factors; in a square of 3×3 the sum is always three times the centre.

        Why: the four lines through the centre hold every other cell once and the centre four times.
        So four times the sum is the sum of all cells, which is three sums, plus three times the
        centre.
        """
        if len(self.cells) == 9:
            centre = self.cells[4]
            for line in self.lines:
                ctx.add_sum((*line, centre), 0, 0, (1, 1, 1, -3))
        else:
            add_equal_sums(ctx, self.lines)

    def describe(self, puzzle: Puzzle) -> str:
        return f"rows, columns and diagonals of the magic square {self.listing} have the same sum"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.Shade(in_grid(self.cells), "lilac")]

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        side = maker.weighted({1: 2, 2: 6, 3: 1})
        return {"cells": maker.line(side * side)}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (MagicSquare("R1C1-R3C3"), MagicSquare("R1C1-R2C2"), MagicSquare("R1C1"))

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [EqualSum(self.lines)]


def add_equal_sums(ctx: Lowering, groups: Iterable[tuple[Place, ...]]) -> None:
    """Add a sum for every two groups; if they are many, for the shortest and each other."""
    ordered = sorted(groups, key=len)
    pairs = combinations(ordered, 2) if len(ordered) <= 3 else product(ordered[:1], ordered[1:])
    for first, second in pairs:
        signs = (1,) * len(first) + (-1,) * len(second)
        ctx.add_sum((*first, *second), 0, 0, signs)
