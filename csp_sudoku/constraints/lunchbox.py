"""Lunchbox: a cage with a sum between its least and its greatest value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Regular
from csp_sudoku import pictures
from csp_sudoku.cells import Place
from csp_sudoku.constraints.base import Constraint, all_values, in_grid
from csp_sudoku.constraints.cages import Cage, add_fused, span
from csp_sudoku.constraints.extremes import extreme
from csp_sudoku.constraints.fields import OpenNumber, Places, brief, open_number, rule, some_places
from csp_sudoku.forms import Iss, Number

if TYPE_CHECKING:
    from csp_encodings.graph import Auxiliary
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle


@rule
class Lunchbox(Cage):
    """Lunchbox: different values; those between the least and the greatest sum to `sum`.

    "Between" is meant in the order of the list of cells.

    Examples
    --------
    >>> from csp_sudoku import Lunchbox, Puzzle, count
    >>> count(Puzzle.blank(4).add(Lunchbox("R1C1-R1C3", 2))).value
    48
    """

    cells: Places = some_places(distinct=True)
    sum: OpenNumber = open_number()
    name = "lunchbox"

    def keeps(self, values: tuple[int, ...], puzzle: Puzzle) -> bool:
        """Whether the cells between the least and the greatest value have the sum."""
        first, last = sorted((values.index(min(values)), values.index(max(values))))
        return sum(values[first + 1 : last]) == self.sum

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton for the sum and the used values.

        If it is too large: an all-different, and auxiliary bits that say which cells are the least
        and the greatest.
        """
        values, total = all_values(self.cells, ctx.puzzle), self.sum
        # Without negative values, all sums above the clue are equally bad.
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
            if position % 3 < 2:  # a bit: whether the next cell is the least or the greatest
                return min(2, ends_seen + value), is_end or value == 1, total
            if ends_seen == 1 and not is_end:
                total += value
            return None if most is not None and total >= most else (ends_seen, False, total)

        ctx.add_fold(scope, (0, False, 0), step, lambda s: s[2] == wanted, positional=True)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a sum that is too small or too large, or more cells than values."""
        if (objection := super().objection(puzzle)) is not None:
            return objection
        values, most = all_values(self.cells, puzzle), max(0, len(self.cells) - 2)
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

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        places = in_grid(self.cells)
        return [pictures.Shade(places, "brown"), pictures.Note(min(places), brief(self.sum))]

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        places = maker.grid_cells(maker.rng.randint(1, maker.longest))
        return {"cells": places, "sum": maker.rng.randint(-1, 7)}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Lunchbox("R1C1-R1C4", 3),
            Lunchbox("R1C1 R2C2 R3C3", 0),
            Lunchbox("R1C1", 0),
            Lunchbox("R1C1 R2C3", 1),
            Lunchbox("R1C1 R2C2 R3C3", [0, 3]),
        )

    formats = (Iss("Lunchbox", "cells", sum=Number("sum", least=0)),)


class _Meal(NamedTuple):
    """What a lunchbox remembers about the cells that were read."""

    least: int
    greatest: int
    least_first: bool = True
    between: int = 0
    """The sum between the least and the greatest value."""
    after: int = 0
    """The sum after both of them."""

    def longer(self, value: int, most: int | None) -> _Meal:
        """The same with one more cell; sums from `most` on are all treated as `most`."""
        least, greatest, least_first, between, after = self
        if least < value < greatest:
            after += value
        elif least == greatest:
            least, greatest, least_first = min(least, value), max(greatest, value), value > least
        elif value > greatest:
            # The sum from the least to here; the old greatest may be on the way.
            between = after if not least_first else between + greatest + after
            greatest, least_first, after = value, True, 0
        else:
            between = after if least_first else between + least + after
            least, least_first, after = value, False, 0
        if most is not None:
            between, after = min(most, between), min(most, after)
        return _Meal(least, greatest, least_first, between, after)


def _equality(ctx: Lowering, first: Place, second: Auxiliary) -> Auxiliary:
    """An auxiliary bit that is 1 if the two are equal, and else 0."""
    domains = (*ctx.domains((first, second)), (0, 1))
    machine = Automaton.from_predicate(domains, lambda a, b, bit: (a == b) == bit)
    return ctx.auxiliary("is end", (0, 1), lambda bit: Regular((first, second, bit), machine))
