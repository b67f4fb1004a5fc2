"""Connected values: the cells that hold them form one region."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from csp_encodings.factors import Connected, Relation
from csp_sudoku.cells import SIDES, Cell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import WholeNumbers, rule, whole, whole_numbers
from csp_sudoku.forms import Iss

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment, Auxiliary
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


@rule
class ConnectedValues(Constraint):
    """Connected values: the cells that hold one of the `values` form one connected region.

    Cells are connected if they share an edge. The region is not empty; with `size` it has this
    number of cells.

    Examples
    --------
    >>> from csp_sudoku import ConnectedValues, Puzzle, count
    >>> count(Puzzle.blank(4).add(ConnectedValues((1, 2, 3), size=12))).value
    216
    """

    values: WholeNumbers = whole_numbers(empty=False)
    size: int | None = whole(default=None, least=1)
    name = "connected-values"

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return puzzle.cells

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        region = {place for place in puzzle.cells if values[place] in self.values}
        if self.size is not None and len(region) != self.size:
            return False
        return bool(region) and _reached(region) == region

    def lower(self, ctx: Lowering) -> None:
        """Add a connected factor over the cells, and count the cells of the region."""
        places = ctx.puzzle.cells
        number = {place: i for i, place in enumerate(places)}
        edges = [
            (i, number[near])
            for place, i in number.items()
            for near in _neighbours(place)
            if near in number
        ]
        bits: dict[Place, Auxiliary] = {place: self._bit(ctx, place) for place in places}
        ctx.add(Connected(tuple(bits.values()), tuple(edges), ((1,),)))
        least, most = (1, None) if self.size is None else (self.size, self.size)
        ctx.add_sum(list(bits.values()), least, most)
        for house in ctx.puzzle.houses:
            # The house implies this, but a solver does not see it from the bits.
            if (quota := self._quota(ctx, house.cells)) is not None:
                ctx.add_sum([bits[place] for place in house.cells], quota, quota)

    def _bit(self, ctx: Lowering, place: Cell) -> Auxiliary:
        pairs = frozenset((value, int(value in self.values)) for value in ctx.domain(place))
        return ctx.auxiliary("in region", (0, 1), lambda bit: Relation(place, bit, pairs))

    def _quota(self, ctx: Lowering, house: Sequence[Place]) -> int | None:
        """How many cells of a house belong to the region, if every value occurs in the house."""
        values = {value for domain in ctx.domains(house) for value in domain}
        if len(values) == len(house) and ctx.distinct(house):
            return len(values.intersection(self.values))
        return None

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to values that do not occur, or a region that is too large for the puzzle."""
        values = {value for place in puzzle.cells for value in puzzle.values_of(place)}
        if values.isdisjoint(self.values):
            return f"{self.label}: none of {self._listing} is a value of the puzzle"
        if self.size is not None and self.size > len(puzzle.cells):
            return (
                f"{self.label}: a region of {self.size} cells is too large for a puzzle of "
                f"{len(puzzle.cells)}"
            )
        return None

    @property
    def _listing(self) -> str:
        return " ".join(map(str, self.values))

    def describe(self, puzzle: Puzzle) -> str:
        size = "" if self.size is None else f" of {self.size} cells"
        return f"the cells with one of {self._listing} form one connected region{size}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (ConnectedValues((1, 3)),)

    formats = (Iss("ConnectedValues", "connected", inside=False),)


def _neighbours(place: Cell) -> Iterator[Cell]:
    return (Cell(place.row + rows, place.col + cols) for rows, cols in SIDES)


def _reached(region: set[Cell]) -> set[Cell]:
    """The cells of a region that can be reached from its first cell."""
    reached: set[Cell] = set()
    fresh = [min(region)]
    while fresh:
        place = fresh.pop()
        if place not in reached:
            reached.add(place)
            fresh.extend(near for near in _neighbours(place) if near in region)
    return reached
