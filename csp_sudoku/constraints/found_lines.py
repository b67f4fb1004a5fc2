"""Lines that are to be found: loops and snakes through cells that do not touch themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Domain, Regular
from csp_sudoku import pictures
from csp_sudoku.cells import Cell, LayerCell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import OptionalPlaces, flag, rule, some_places, whole
from csp_sudoku.constraints.found import (
    Found,
    add_connected,
    is_connected,
    layer_name,
    side_pairs,
    squares,
)

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment, Auxiliary
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle


class _Line(Found):
    """Cells that form a line, one cell wide."""

    length: int | None
    touching: bool
    looks = "line"

    def _ends(self) -> tuple[Cell, ...]:
        """The cells where the line must end."""
        return ()

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        line = self.members(values, puzzle)
        if not line or not is_connected(line):
            return False
        if self.length is not None and len(line) != self.length:
            return False
        if not all(
            self._fits(tuple(values[p] for p in square)) for square in self._squares(puzzle)
        ):
            return False
        near = Counter(end for pair in side_pairs(line) for end in pair)
        return self._degrees([(place, near[i]) for i, place in enumerate(line)])

    def _degrees(self, near: list[tuple[LayerCell, int]]) -> bool:
        """Whether the cells of the line have the right numbers of neighbours on it."""
        raise NotImplementedError

    def _squares(self, puzzle: Puzzle) -> Iterator[tuple[LayerCell, ...]]:
        return squares(self.places(puzzle))

    def _fits(self, square: tuple[int, ...]) -> bool:
        """Whether a 2×2 square may hold these values, row by row."""
        return sum(square) < 4 and (self.touching or square not in ((0, 1, 1, 0), (1, 0, 0, 1)))

    def _near(self, place: LayerCell, puzzle: Puzzle) -> list[LayerCell]:
        return [
            other
            for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0))
            if puzzle.has(other := LayerCell(self.layer, place.row + down, place.col + right))
        ]

    def lower(self, ctx: Lowering) -> None:
        """Count the neighbours of each cell, look at each 2×2 square, and connect the line."""
        places = self.places(ctx.puzzle)
        for square in self._squares(ctx.puzzle):
            ctx.add_machine(square, _square, self.touching)
        ctx.add_sum(places, self.length or 1, self.length)
        self._lower_degrees(ctx, places)
        add_connected(ctx, places, places, largest=self.length)

    def _lower_degrees(self, ctx: Lowering, places: tuple[LayerCell, ...]) -> None:
        raise NotImplementedError

    def _said(self, what: str) -> str:
        long = f" of {self.length} cells" if self.length is not None else ""
        corners = " at a side" if self.touching else ", not even at a corner"
        return f"{what}{long} goes from cell to cell and does not touch itself{corners}"

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        rng = maker.rng
        return {
            "length": rng.choice((None, None, rng.randint(2, 9))),
            "touching": rng.random() < 0.5,
        }


@rule
class Loop(_Line):
    """A loop: it goes from cell to cell over sides, returns to its start and never touches itself.

    It does not touch itself at a corner either, unless `touching` is True. With `length` it goes
    through this number of cells. Which cells is part of the solution, on the layer ``loop``.

    Examples
    --------
    >>> from csp_sudoku import Loop, Puzzle, count
    >>> blank = Puzzle.blank(4, values=[1], box=None, row_houses=False, column_houses=False)
    >>> count(blank.add(Loop())).value, count(blank.add(Loop(touching=True))).value
    (13, 15)
    """

    length: int | None = whole(default=None, least=4)
    touching: bool = flag(default=False)
    layer: str = layer_name("loop")
    name = "loop"

    def _degrees(self, near: list[tuple[LayerCell, int]]) -> bool:
        return all(number == 2 for _, number in near)

    def _lower_degrees(self, ctx: Lowering, places: tuple[LayerCell, ...]) -> None:
        for place in places:
            ctx.add_machine((place, *self._near(place, ctx.puzzle)), _neighbours, 2, 2)

    def describe(self, puzzle: Puzzle) -> str:
        return self._said("a closed loop")

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Loop(), Loop(8, touching=True))


@rule
class Snake(_Line):
    """A snake: it goes from cell to cell over sides, from end to end, and never touches itself.

    It does not touch itself at a corner either, unless `touching` is True. With `ends` it ends
    there, or one of its two ends is known. With `length` it has this number of cells, at least two.
    Which cells is part of the solution, on the layer ``snake``.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Snake, count
    >>> blank = Puzzle.blank(3, values=[1], box=None, row_houses=False, column_houses=False)
    >>> count(blank.add(Snake("R1C1 R3C3"))).value
    6
    """

    ends: OptionalPlaces = some_places(most=2, distinct=True, on_grid=True, default=None)
    length: int | None = whole(default=None, least=2)
    touching: bool = flag(default=False)
    layer: str = layer_name("snake")
    name = "snake"
    aliases = ("path",)

    def _ends(self) -> tuple[Cell, ...]:
        return tuple([place for place in self.ends or () if isinstance(place, Cell)])

    def check(self, puzzle: Puzzle) -> None:
        """Require ends in the grid."""
        super().check(puzzle)
        for place in self._ends():
            puzzle.values_of(place)

    def _degrees(self, near: list[tuple[LayerCell, int]]) -> bool:
        ends = {place.cell for place, number in near if number == 1}
        middle = sum(number == 2 for _, number in near)
        return len(ends) == 2 and middle == len(near) - 2 and ends.issuperset(self._ends())

    def _lower_degrees(self, ctx: Lowering, places: tuple[LayerCell, ...]) -> None:
        ends: dict[Cell | None, Auxiliary] = {}
        for place in places:
            scope = (place, *self._near(place, ctx.puzzle))
            ctx.add_machine(scope, _neighbours, 1, 2)
            ends[place.cell] = self._end(ctx, scope)
        ctx.add_sum(list(ends.values()), 2, 2)
        for cell in self._ends():
            ctx.add_condition(ends[cell], bool)

    def _end(self, ctx: Lowering, scope: tuple[Place, ...]) -> Auxiliary:
        machine = _neighbours(ctx.domains(scope), 1, 1, must=True).reified()
        return ctx.auxiliary("end", (0, 1), lambda end: Regular((*scope, end), machine))

    def describe(self, puzzle: Puzzle) -> str:
        ends = " and ".join(map(str, self._ends()))
        return self._said("a snake") + (f"; it ends at {ends}" if ends else "")

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        ends = [pictures.Shape(cell, "ring") for cell in self._ends()]
        return [*ends, pictures.sentence(self, puzzle)]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Snake("R1C1"), Snake("R1C1", length=5))


def _square(domains: tuple[Domain, ...], touching: bool) -> Automaton:
    """A 2×2 square is not full; unless it may touch, two cells of it are not just a diagonal."""
    apart = () if touching else ((0, 1, 1, 0), (1, 0, 0, 1))
    return Automaton.from_predicate(domains, lambda *four: sum(four) < 4 and four not in apart)


def _neighbours(
    domains: tuple[Domain, ...], least: int, most: int, must: bool = False
) -> Automaton:
    """If the first variable is 1, from `least` to `most` others are; `must` requires it to be 1."""
    return Automaton.from_predicate(
        domains, lambda on, *others: least <= sum(others) <= most if on else not must
    )
