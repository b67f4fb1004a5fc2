"""Rules for the sums and products along a line; a cell that is drawn twice counts twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import prod
from typing import TYPE_CHECKING

from csp_encodings.automaton import Automaton, Budget
from csp_encodings.errors import BudgetError
from csp_encodings.factors import Domain, Linear, Regular
from csp_sudoku.cells import CellsLike, Place
from csp_sudoku.constraints.base import CellConstraint, Constraint, Values, all_values, check_int
from csp_sudoku.constraints.lines import mirrored
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_encodings.graph import Auxiliary
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle

# A fused automaton above this size propagates little better than its parts, and costs more.
_FUSED = Budget(states=20_000, edges=60_000)
_Halves = tuple[int | None, int | None]


@dataclass(frozen=True, init=False)
class RegionSum(CellConstraint):
    """Every run of the line inside one box has the same sum; a box entered again is a new run.

    In a grid with irregular regions those count, not boxes. A cell in no region ends a run and
    belongs to none.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, RegionSum, count
    >>> count(Puzzle.blank(4).add(RegionSum("R1C1-R1C3"))).value
    48
    """

    name = "region-sum"

    def runs(self, puzzle: Puzzle) -> list[tuple[Place, ...]]:
        """The runs of this line, in its order."""
        region: dict[Place, int] = {}
        for number, box in enumerate(box for grid in puzzle.grids for box in grid.boxes):
            for cell in box:
                region.setdefault(cell, number)
        parts = groupby(self.cells, key=region.get)
        return [tuple(run) for number, run in parts if number is not None]

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return len({sum(values[place] for place in run) for run in self.runs(puzzle)}) <= 1

    def lower(self, ctx: Lowering) -> None:
        """Up to three runs in one automaton; more of them, or longer ones, share a total."""
        # The shortest run has the fewest sums: it goes first.
        runs = sorted(self.runs(ctx.puzzle), key=len)
        if len(runs) < 2:
            return
        if len(runs) <= 3:
            try:
                self._fuse(ctx, runs)
                return
            except BudgetError:
                pass
        self._share(ctx, runs)

    def _common(self, puzzle: Puzzle) -> tuple[int, int]:
        """The least and the greatest sum that all runs can have."""
        reaches = [_reach(run, puzzle) for run in self.runs(puzzle)]
        return max(low for low, _ in reaches), min(high for _, high in reaches)

    def _fuse(self, ctx: Lowering, runs: list[tuple[Place, ...]]) -> None:
        places = [place for run in runs for place in run]
        # What the rest of its run can still add to a position; nothing at the end of a run.
        rests = [run[i:] for run in runs for i in range(1, len(run) + 1)]
        reaches = [_reach(rest, ctx.puzzle) for rest in rests]
        goes_on = list(map(bool, rests))
        low, high = self._common(ctx.puzzle)
        first = len(runs[0])

        def step(state: tuple[int, int], value: int, position: int) -> tuple[int, int] | None:
            """The sum of all runs, 0 until the first is over, and what is left of it."""
            total, left = state
            least, most = reaches[position]
            if position < first:
                left += value
                if left + least > high or left + most < low:
                    return None
                return (0, left) if goes_on[position] else (left, left)
            left -= value
            if not least <= left <= most:
                return None
            return (total, left) if goes_on[position] else (total, total)

        ctx.add_fold(places, (0, 0), step, lambda s: True, positional=True, budget=_FUSED)

    def _share(self, ctx: Lowering, runs: list[tuple[Place, ...]]) -> None:
        shortest, *others = runs
        values = all_values(shortest, ctx.puzzle) or [0]
        sums = range(len(shortest) * values[0], len(shortest) * values[-1] + 1)
        weights = (*(1 for _ in shortest), -1)
        total = ctx.auxiliary(
            "total", sums, lambda total: Linear(weights, (*shortest, total), 0, 0)
        )
        low, high = self._common(ctx.puzzle)
        ctx.add_sum((total,), low, high)
        for run in others:
            ctx.add_sum((*run, total), 0, 0, (*(1 for _ in run), -1))

    def objection(self, puzzle: Puzzle) -> str | None:
        """Runs whose sums cannot be equal."""
        runs = self.runs(puzzle)
        if len(runs) < 2:
            return None
        low, high = self._common(puzzle)
        if low <= high:
            return None
        sizes = sorted({len(run) for run in runs})
        return f"{self.label}: runs of {sizes[0]} and of {sizes[-1]} cells cannot have one sum"

    def describe(self, puzzle: Puzzle) -> str:
        return f"the line {self.listing} has the same sum in every box it runs through"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            RegionSum("R1C2 R2C2 R2C3"),
            RegionSum("R1C2 R1C3 R2C2 R3C1 R3C2"),
            RegionSum("R2C2 R2C3 R3C3 R3C2 R4C2"),
            RegionSum("R1C1 R1C2"),
        )


@dataclass(frozen=True, init=False)
class Zipper(CellConstraint):
    """Cells at equal distance from the centre all have one sum; a cell at the centre holds it.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Zipper, count
    >>> count(Puzzle.blank(4).add(Zipper("R1C1-R1C3"))).value
    48
    """

    name = "zipper"

    def accepts(self, values: tuple[int, ...]) -> bool:
        size = len(values)
        sums = {values[i] + values[size - 1 - i] for i in range(size // 2)}
        if size % 2 and sums:
            sums.add(values[size // 2])
        return len(sums) <= 1

    def lower(self, ctx: Lowering) -> None:
        """One automaton that reads pair after pair from the centre and knows the sum."""
        centre = len(self.cells) % 2
        order = self.cells[len(self.cells) // 2 :][:centre]
        for pair in reversed(list(mirrored(self.cells))):
            order += pair
        if len(order) < 3:
            return

        def step(state: _Halves, value: int, position: int) -> _Halves | None:
            """The sum, and the first half of a pair, as far as they are known."""
            total, half = state
            if centre and position == 0:
                return value, None
            if half is None:
                return total, value
            return (half + value, None) if total in (None, half + value) else None

        ctx.add_fold(order, (None, None), step, lambda state: True, positional=True)

    def describe(self, puzzle: Puzzle) -> str:
        return f"cells of {self.listing} at equal distance from its centre have the same sum"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Zipper("R1C1 R1C2 R2C3"),
            Zipper("R1C1 R1C2 R2C2 R2C3 R3C3"),
            Zipper("R1C1 R1C2 R2C3 R2C4"),
            Zipper("R1C1 R1C2"),
        )


@dataclass(frozen=True, init=False)
class SumLine(CellConstraint):
    """The line splits into successive runs that each sum to the total; a loop, from some cell on.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, SumLine, count
    >>> count(Puzzle.blank(4).add(SumLine("R1C1-R1C4", 5))).value
    96
    >>> count(Puzzle.blank(4).add(SumLine("R1C1 R1C2 R2C2 R2C1", 5, loop=True))).value
    192
    """

    total: int
    loop: bool
    name = "sum-line"

    def __init__(self, cells: CellsLike, total: int = 10, loop: bool = False) -> None:
        self._set(cells=cells, total=total, loop=loop)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "total", self.total)
        if type(self.loop) is not bool:
            raise ConstraintError(f"{self.label}: loop is True or False, not {self.loop!r}")

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
        """An automaton that knows what is left of a run; of a loop, one from each possible start.

        All runs being short, a loop has a cut soon after its first cell.
        """
        if not self.loop:
            ctx.add(Regular(self.cells, _runs(ctx.domains(self.cells), self.total)))
            return
        size = len(self.cells)
        least = min(all_values(self.cells, ctx.puzzle), default=1)
        longest = max(1, self.total // least) if least > 0 else size
        bits = tuple(self._splits_at(ctx, start) for start in range(min(size, longest)))
        some = Automaton.from_fold(((0, 1),) * len(bits), 0, max, bool)
        ctx.add(Regular(bits, some))

    def _splits_at(self, ctx: Lowering, start: int) -> Auxiliary:
        """A bit: whether the loop, cut before this cell, splits into runs."""
        places = self.cells[start:] + self.cells[:start]
        machine = _reified_runs(ctx.domains(places), self.total)
        return ctx.auxiliary("splits", (0, 1), lambda bit: Regular((*places, bit), machine))

    def describe(self, puzzle: Puzzle) -> str:
        shape = "loop" if self.loop else "line"
        return f"the {shape} {self.listing} splits into runs that each sum to {self.total}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            SumLine("R1C1 R1C2 R2C3 R3C3", 5),
            SumLine("R1C1 R1C2 R2C2 R2C1 R3C1", 4, loop=True),
            SumLine("R1C1 R2C3 R3C4", 0),
            SumLine("R1C1"),
        )


@dataclass(frozen=True, init=False)
class ProductLine(CellConstraint):
    """The product of the cells is the clue.

    Examples
    --------
    >>> from csp_sudoku import ProductLine, Puzzle, count
    >>> count(Puzzle.blank(4).add(ProductLine("R1C1 R1C2", 12))).value
    48
    """

    product: int
    name = "product-line"

    def __init__(self, cells: CellsLike, product: int) -> None:
        self._set(cells=cells, product=product)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "product", self.product)

    def accepts(self, values: tuple[int, ...]) -> bool:
        return prod(values) == self.product

    def lower(self, ctx: Lowering) -> None:
        """An automaton that knows the product so far, a divisor of the clue."""
        product = self.product
        ctx.add_fold(self.cells, 1, self._step, lambda so_far: so_far == product)

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
        """A product that no values have."""
        products: set[int | None] = {1}
        for place in self.cells:
            values = puzzle.values_of(place)
            products = {self._step(p, v) for p in products if p is not None for v in values}
        if self.product not in products:
            return f"{self.label}: no {len(self.cells)} values have the product {self.product}"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"the product of {self.listing} is {self.product}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            ProductLine("R1C1 R1C2 R2C3 R3C3", 12),
            ProductLine("R1C1 R2C3", 0),
            ProductLine("R1C1 R2C3 R1C1", -10),
            ProductLine("R1C1", 7),
        )


def _reach(run: tuple[Place, ...], puzzle: Puzzle) -> tuple[int, int]:
    """The least and the greatest sum of cells that share a box."""
    size, values = len(run), all_values(run, puzzle)
    if len(set(run)) == size <= len(values):
        return sum(values[:size]), sum(values[len(values) - size :])
    return size * min(values, default=0), size * max(values, default=0)


def _runs(domains: tuple[Domain, ...], total: int) -> Automaton:
    """Accept what splits into runs of this total."""
    # The least and the most that the cells behind a position can still take from a run.
    behind = [domains[i:] for i in range(1, len(domains) + 1)]
    least = [sum(min((0, *domain)) for domain in rest) for rest in behind]
    most = [sum(max((0, *domain)) for domain in rest) for rest in behind]

    def step(state: frozenset[int], value: int, position: int) -> frozenset[int] | None:
        """What may be left of the running run: with values of 0 or less there are several ways."""
        open_runs = state | {total} if 0 in state else state
        lefts = (left - value for left in open_runs)
        return frozenset(x for x in lefts if least[position] <= x <= most[position]) or None

    start = frozenset({total})
    return Automaton.from_fold(domains, start, step, lambda state: 0 in state, positional=True)


@lru_cache(maxsize=64)
def _reified_runs(domains: tuple[Domain, ...], total: int) -> Automaton:
    return _runs(domains, total).reified()
