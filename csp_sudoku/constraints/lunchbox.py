"""Lunchbox: a cage whose cells between its least and its greatest value have a sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Regular
from csp_sudoku.cells import CellsLike, Place
from csp_sudoku.constraints.base import Constraint, check_int
from csp_sudoku.constraints.cages import Cage, add_fused, span
from csp_sudoku.constraints.extremes import extreme
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_encodings.graph import Auxiliary
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


@dataclass(frozen=True, init=False)
class Lunchbox(Cage):
    """No value occurs twice, and the cells between the least and the greatest sum to the clue.

    Between is meant in the order in which the cells are named.

    Examples
    --------
    >>> from csp_sudoku import Lunchbox, Puzzle, count
    >>> count(Puzzle.blank(4).add(Lunchbox("R1C1-R1C3", 2))).value
    48
    """

    sum: int
    name = "lunchbox"

    def __init__(self, cells: CellsLike, sum: int) -> None:
        self._set(cells=cells, sum=sum)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "sum", self.sum)
        if len(set(self.cells)) < len(self.cells):
            raise ConstraintError(f"{self.label}: its cells have an order, so none may come twice")

    def keeps(self, values: tuple[int, ...], puzzle: Puzzle) -> bool:
        """The sum between the ends."""
        first, last = sorted((values.index(min(values)), values.index(max(values))))
        return sum(values[first + 1 : last]) == self.sum

    def lower(self, ctx: Lowering) -> None:
        """One fused automaton; where that is too large, auxiliaries say which cells are ends."""
        values, total = self._values(ctx.puzzle), self.sum
        # Without negative values all sums above the clue are alike.
        most = max(self.sum, 0) + 1 if values and values[0] >= 0 else None

        def step(meal: _Meal | None, value: int, position: int) -> _Meal:
            return _Meal(value, value) if meal is None else meal.longer(value, most)

        if not add_fused(ctx, self.cells, None, step, lambda meal: meal.between == total):
            ctx.add_different(self.cells)
            self._lower_by_ends(ctx, most)

    def _lower_by_ends(self, ctx: Lowering, most: int | None) -> None:
        ends = [extreme(ctx, self.cells, choose) for choose in (min, max)]
        wanted = self.sum
        scope: list[Place | Auxiliary] = []
        for place in self.cells:
            scope += [*(_equality(ctx, place, end) for end in ends), place]

        def step(
            state: tuple[int, bool, int], value: int, position: int
        ) -> tuple[int, bool, int] | None:
            ends_seen, is_end, total = state
            if position % 3 < 2:  # a bit: whether the next cell is the least, or the greatest
                return min(2, ends_seen + value), is_end or value == 1, total
            if ends_seen == 1 and not is_end:
                total += value
            return None if most is not None and total >= most else (ends_seen, False, total)

        ctx.add_fold(scope, (0, False, 0), step, lambda s: s[2] == wanted, positional=True)

    def objection(self, puzzle: Puzzle) -> str | None:
        """A sum out of reach, or more cells than values."""
        if (objection := super().objection(puzzle)) is not None:
            return objection
        values, most = self._values(puzzle), max(0, len(self.cells) - 2)
        low = sum(value for value in values[1 : most + 1] if value < 0)
        high = sum(value for value in values[len(values) - 1 - most : -1] if value > 0)
        if low <= self.sum <= high:
            return None
        return (
            f"cage at {self.cells[0]}: sum {self.sum} is impossible between the ends of "
            f"{len(self.cells)} different cells of {span(values)} ({low} to {high})"
        )

    def describe(self, puzzle: Puzzle) -> str:
        return (
            f"the cells {self.listing} differ and sum to {self.sum} "
            f"between their least and their greatest value"
        )

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Lunchbox("R1C1-R1C4", 3),
            Lunchbox("R1C1 R2C2 R3C3", 0),
            Lunchbox("R1C1", 0),
            Lunchbox("R1C1 R2C3", 1),
        )


class _Meal(NamedTuple):
    """What a lunchbox remembers of the cells read so far."""

    least: int
    greatest: int
    least_first: bool = True
    between: int = 0
    """The sum between the least and the greatest value."""
    after: int = 0
    """The sum after both of them."""

    def longer(self, value: int, most: int | None) -> _Meal:
        """With one more cell; sums from `most` on are all alike."""
        least, greatest, least_first, between, after = self
        if least < value < greatest:
            after += value
        elif least == greatest:
            least, greatest, least_first = min(least, value), max(greatest, value), value > least
        elif value > greatest:
            # From the old least to here; the old greatest may lie on the way.
            between = after if not least_first else between + greatest + after
            greatest, least_first, after = value, True, 0
        else:
            between = after if least_first else between + least + after
            least, least_first, after = value, False, 0
        if most is not None:
            between, after = min(most, between), min(most, after)
        return _Meal(least, greatest, least_first, between, after)


def _equality(ctx: Lowering, first: Place, second: Auxiliary) -> Auxiliary:
    """A bit that is 1 exactly when the two are equal."""
    domains = (*ctx.domains((first, second)), (0, 1))
    machine = Automaton.from_predicate(domains, lambda a, b, bit: (a == b) == bit)
    return ctx.auxiliary("is end", (0, 1), lambda bit: Regular((first, second, bit), machine))
