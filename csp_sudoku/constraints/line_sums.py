"""Sums and products along a line: region sums, zippers, sum lines and product lines.

A cell that is listed twice counts twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

from csp_encodings.automaton import Automaton, Budget
from csp_encodings.factors import Domain, Regular
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.aspects import Look, Placing, tried_lines
from csp_sudoku.constraints.base import CellConstraint, Constraint, all_values
from csp_sudoku.constraints.fields import OpenNumber, brief, flag, open_number, rule
from csp_sudoku.constraints.groups import EqualSum, add_equal_sums
from csp_sudoku.constraints.lines import mirrored
from csp_sudoku.forms import FPuzzles, Iss, SudokuMaker
from csp_sudoku.machines import kept_machine
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment, Auxiliary
    from csp_sudoku.generating.easel import Easel
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


# A line whose automaton is larger is split into several factors: it would propagate little better,
# and cost more to build.
_FUSED = Budget(states=20_000, edges=60_000)
_Halves = tuple[int | None, int | None]


class RegionSum(CellConstraint):
    """Region sum line: the line has the same sum in every box that it passes through.

    If it enters a box again, that part has the sum, too. In a grid with irregular regions these
    count as boxes. A cell outside all boxes ends a part and belongs to none. A line that names its
    first cell again at the end is a loop: it may begin in the middle of a part.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, RegionSum, count
    >>> count(Puzzle.blank(4).add(RegionSum("R1C1-R1C3"))).value
    48
    """

    name = "region-sum"
    aliases = ("region-sum-line",)
    saying = "Box borders divide a {colour}line into segments that have the same sum."

    def runs(self, puzzle: Puzzle) -> tuple[tuple[Place, ...], ...]:
        """The parts of the line inside one box each, in order."""
        return puzzle.runs(self.cells)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return len({sum(values[place] for place in run) for run in self.runs(puzzle)}) <= 1

    def lower(self, ctx: Lowering) -> None:
        """Add linear factors for pairs of runs."""
        add_equal_sums(ctx, self.runs(ctx.puzzle))

    def _common(self, puzzle: Puzzle) -> tuple[int, int]:
        """The least and the greatest sum that every run can have."""
        reaches = [_reach(run, puzzle) for run in self.runs(puzzle)]
        return max(low for low, _ in reaches), min(high for _, high in reaches)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to runs whose sums cannot be equal."""
        runs = self.runs(puzzle)
        if len(runs) < 2:
            return None
        low, high = self._common(puzzle)
        if low <= high:
            return None
        sizes = sorted({len(run) for run in runs})
        return f"{self.label}: parts of {sizes[0]} and {sizes[-1]} cells cannot have the same sum"

    def describe(self, puzzle: Puzzle) -> str:
        return f"the line {self.listing} has the same sum in every box that it passes through"

    look = Look("blue", 0.12)
    placing = Placing(in_three_rows=2, drawn=True)

    @classmethod
    def propose(cls, easel: Easel) -> Constraint | None:
        """Draw a line through several boxes."""
        clue = easel.tried_line(cls, longest=6)
        boxes = [set(box) for grid in easel.puzzle.grids for box in grid.boxes]
        inside = clue is None or any(box.issuperset(clue.scope(easel.puzzle)) for box in boxes)
        return None if inside else clue

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            RegionSum("R1C2 R2C2 R2C3"),
            RegionSum("R1C2 R1C3 R2C2 R3C1 R3C2"),
            RegionSum("R2C2 R2C3 R3C3 R3C2 R4C2"),
            RegionSum("R1C1 R1C2"),
        )

    formats = (
        FPuzzles("regionsumline", "lines"),
        SudokuMaker(404, "lines"),
        Iss("RegionSumLine", "cells"),
    )

    phrases = (
        Phrase(
            "line",
            "same sum box|region|border|region-sum line|region-sum|divide",
            may="line box region border divide region-sum set separate",
            habit="blue cyan",
            joined=True,
        ),
        Phrase("line", "region-sum", may="line", habit="blue cyan", joined=True),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A branched line has equal sums of what is connected inside a box."""
        if not grid.boxes:
            raise ValueError("the grid has no boxes")
        for figure in figures:
            if not figure.parts:
                yield cls(figure.cells)
            elif len(groups := _branches(figure, grid)) > 1:
                yield EqualSum(groups)


def _branches(line: Figure, grid: Grid) -> list[list[Cell]]:
    """The connected pieces of a branched line, each inside one box."""
    boxes = {cell: number for number, box in enumerate(grid.boxes) for cell in box}
    pieces: dict[Cell, list[Cell]] = {cell: [cell] for cell in line.cells if cell in boxes}
    for part in line.parts:
        for a, b in pairwise(part.cells):
            if boxes.get(a, -1) == boxes.get(b, -2) and pieces[a] is not pieces[b]:
                pieces[a] += pieces[b]
                pieces |= dict.fromkeys(pieces[a], pieces[a])
    return list({id(piece): piece for piece in pieces.values()}.values())


class Zipper(CellConstraint):
    """Zipper: every two cells at equal distance from the centre have the same sum.

    If a cell is at the centre, it holds this sum. On a loop, which names its first cell again at
    the end, this cell is both ends: twice its value is the sum.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Zipper, count
    >>> count(Puzzle.blank(4).add(Zipper("R1C1-R1C3"))).value
    48
    """

    name = "zipper"
    aliases = ("zipper-line",)
    saying = "Digits at equal distance from the centre of a {colour}line have the same sum."

    def accepts(self, values: tuple[int, ...]) -> bool:
        size = len(values)
        sums = {values[i] + values[size - 1 - i] for i in range(size // 2)}
        if size % 2 and sums:
            sums.add(values[size // 2])
        return len(sums) <= 1

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that reads pair after pair from the centre and remembers the sum."""
        centre = len(self.cells) % 2
        order = self.cells[len(self.cells) // 2 :][:centre]
        for pair in reversed(list(mirrored(self.cells))):
            order += pair
        if len(order) < 3:
            return

        def step(state: _Halves, value: int, position: int) -> _Halves | None:
            """The sum and the first cell of the current pair; None for what is not yet known."""
            total, half = state
            if centre and position == 0:
                return value, None
            if half is None:
                return total, value
            return (half + value, None) if total in (None, half + value) else None

        ctx.add_fold(order, (None, None), step, lambda state: True, positional=True)

    def describe(self, puzzle: Puzzle) -> str:
        return f"cells of the zipper {self.listing} at equal distance from its centre have one sum"

    look = Look("lilac", 0.16, (0.1, 0.2))
    placing = tried_lines(longest=5)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Zipper("R1C1 R1C2 R2C3"),
            Zipper("R1C1 R1C2 R2C2 R2C3 R3C3"),
            Zipper("R1C1 R1C2 R2C3 R2C4"),
            Zipper("R1C1 R1C2"),
            Zipper("R1C1 R1C2 R2C2 R2C1 R1C1"),
        )

    formats = (
        FPuzzles("zipperline", "lines"),
        Iss("Zipper", "cells"),
    )

    phrases = (
        Phrase("line", "equal-distance centre sum", may="line zipper same", habit="lavender"),
        Phrase("line", "zipper", may="line", habit="lavender"),
    )


@rule
class SumLine(CellConstraint):
    """Sum line: the line splits into successive parts that each sum to 10, or to `total`.

    With `loop` the line is closed, and the first part may begin at any cell. So is a line that
    names its first cell again at the end.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, SumLine, count
    >>> count(Puzzle.blank(4).add(SumLine("R1C1-R1C4", 5))).value
    96
    >>> count(Puzzle.blank(4).add(SumLine("R1C1 R1C2 R2C2 R2C1", 5, loop=True))).value
    192
    """

    total: OpenNumber = open_number(default=10)
    loop: bool = flag(default=False)
    name = "sum-line"
    aliases = ("ten-line", "10-line")
    saying = "A {colour}line splits into adjacent segments that each sum to {total}."

    def validate(self) -> None:
        while self.is_closed:  # also what is left, or the same rule made again would be another
            object.__setattr__(self, "cells", self.cells[:-1])
            object.__setattr__(self, "loop", True)

    def accepts(self, values: tuple[int, ...]) -> bool:
        starts = range(len(values)) if self.loop else (0,)
        return any(self._splits(values[start:] + values[:start]) for start in starts)

    def _splits(self, values: tuple[int, ...]) -> bool:
        cuts = {0}
        for end in range(1, len(values) + 1):
            if any(sum(values[cut:end]) == self.total for cut in cuts):
                cuts.add(end)
        return len(values) in cuts

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers what is missing in a part.

        For a loop: one automaton for each possible start, and one of them accepts. Parts are short,
        so only the first few cells need to be tried as starts.
        """
        if not self.loop:
            ctx.add_machine(self.cells, _runs, self.total)
            return
        size = len(self.cells)
        least = min(all_values(self.cells, ctx.puzzle), default=1)
        longest = max(1, self.total // least) if least > 0 else size
        bits = tuple(self._splits_at(ctx, start) for start in range(min(size, longest)))
        some = Automaton.from_fold(((0, 1),) * len(bits), 0, max, bool)
        ctx.add(Regular(bits, some))

    def _splits_at(self, ctx: Lowering, start: int) -> Auxiliary:
        """A bit that says whether the loop, cut before this cell, splits into parts."""
        places = self.cells[start:] + self.cells[:start]
        machine = kept_machine(_reified_runs, ctx.domains(places), self.total)
        return ctx.auxiliary("splits", (0, 1), lambda bit: Regular((*places, bit), machine))

    def describe(self, puzzle: Puzzle) -> str:
        shape = "loop" if self.loop else "line"
        return f"the {shape} {self.listing} splits into parts that each sum to {self.total}"

    look = Look("brown", 0.16)

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._line(puzzle, f"Σ{brief(self.total)}", loop=self.loop)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            SumLine("R1C1 R1C2 R2C3 R3C3", 5),
            SumLine("R1C1 R1C2 R2C2 R2C1 R3C1", 4, loop=True),
            SumLine("R1C1 R2C3 R3C4", 0),
            SumLine("R1C1"),
            SumLine("R1C1 R1C2 R2C3", [3, 5]),
        )

    formats = (Iss("SumLine", "sum line"),)

    phrases = (
        Phrase(
            "line",
            "divide|set sum line|ten-line",
            may="some adjacent divide set line",
            fields={"total": "number"},
        ),
    )


@rule
class ProductLine(CellConstraint):
    """Product line: the values have the product `product`.

    On a loop, which names its first cell again at the end, this cell counts once.

    Examples
    --------
    >>> from csp_sudoku import ProductLine, Puzzle, count
    >>> count(Puzzle.blank(4).add(ProductLine("R1C1 R1C2", 12))).value
    48
    """

    product: OpenNumber = open_number()
    name = "product-line"

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return prod(values[place] for place in self.once_round) == self.product

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers the product so far, which divides the clue."""
        product = self.product
        ctx.add_fold(self.once_round, 1, self._step, lambda so_far: so_far == product)

    @property
    def _step(self) -> Callable[[int, int], int | None]:
        product = self.product

        def step(so_far: int, value: int) -> int | None:
            so_far *= value
            if product == 0:
                return min(1, abs(so_far))
            return so_far if so_far and product % so_far == 0 else None

        return step

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a product that no values have."""
        products: set[int | None] = {1}
        for place in self.once_round:
            values = puzzle.values_of(place)
            products = {self._step(p, v) for p in products if p is not None for v in values}
        if self.product not in products:
            return f"{self.label}: no {len(self.once_round)} values have the product {self.product}"
        return None

    def numbers(self, puzzle: Puzzle) -> Iterable[int]:
        """All products of values."""
        products = {1}
        for place in self.once_round:
            products = {product * v for product in products for v in puzzle.values_of(place)}
        return sorted(products)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the product of the line {self.listing} is {self.product}"

    look = Look("brown", 0.12, (0.2, 0.16))

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._line(puzzle, f"Π{brief(self.product)}")

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            ProductLine("R1C1 R1C2 R2C3 R3C3", 12),
            ProductLine("R1C1 R2C3", 0),
            ProductLine("R1C1 R2C3 R1C1", -10),
            ProductLine("R1C1", 7),
            ProductLine("R1C1 R2C3", [2, 12]),
            ProductLine("R1C1 R2C3", "R3C3"),
        )


def _reach(run: tuple[Place, ...], puzzle: Puzzle) -> tuple[int, int]:
    """The least and the greatest sum of cells in one box."""
    size, values = len(run), all_values(run, puzzle)
    if len(set(run)) == size <= len(values):
        return sum(values[:size]), sum(values[len(values) - size :])
    return size * min(values, default=0), size * max(values, default=0)


def _runs(domains: tuple[Domain, ...], total: int) -> Automaton:
    """The automaton of values that split into parts with this sum."""
    # The least and the most that the cells after a position can still add.
    behind = [domains[i:] for i in range(1, len(domains) + 1)]
    least = [sum(min((0, *domain)) for domain in rest) for rest in behind]
    most = [sum(max((0, *domain)) for domain in rest) for rest in behind]

    def step(state: frozenset[int], value: int, position: int) -> frozenset[int] | None:
        """What may be missing in the current part; values of 0 or less allow several answers."""
        open_runs = state | {total} if 0 in state else state
        lefts = (left - value for left in open_runs)
        return frozenset(x for x in lefts if least[position] <= x <= most[position]) or None

    start = frozenset({total})
    return Automaton.from_fold(domains, start, step, lambda state: 0 in state, positional=True)


def _reified_runs(domains: tuple[Domain, ...], total: int) -> Automaton:
    return _runs(domains, total).reified()
