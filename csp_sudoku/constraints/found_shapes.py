"""Shapes that are to be found: caves, rectangles and stars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Connected, Domain, Relation
from csp_sudoku import pictures
from csp_sudoku.cells import Cell, LayerCell
from csp_sudoku.constraints.base import Constraint, in_grid
from csp_sudoku.constraints.fields import (
    Places,
    WholeNumbers,
    rule,
    some_places,
    whole,
    whole_numbers,
)
from csp_sudoku.constraints.found import Found, adjacent_pairs, is_connected, layer_name
from csp_sudoku.errors import ConstraintError
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
class Cave(Found):
    """A cave: the open cells are connected, and every shaded cell is connected to the outside.

    Shaded cells are connected over their sides, and those at the edge of the grid to the outside.
    Which cells are shaded is part of the solution, on the layer ``shaded``: 1 is shaded. How many
    cells of the cave one sees from a cell is a :class:`RunLength` of this layer.

    Examples
    --------
    >>> from csp_sudoku import Cave, Puzzle, count
    >>> blank = Puzzle.blank(2, values=[1], box=None, row_houses=False, column_houses=False)
    >>> count(blank.add(Cave())).value  # all but the empty cave and two diagonals
    13
    """

    layer: str = layer_name("shaded")
    name = "cave"

    def _edge(self, puzzle: Puzzle) -> list[LayerCell]:
        """The cells that have a side outside the grid."""
        cells = set(puzzle.cells)
        return [
            place
            for place, (row, col) in zip(self.places(puzzle), puzzle.cells, strict=True)
            if any(
                Cell(row + down, col + right) not in cells
                for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0))
            )
        ]

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        import networkx as nx

        cave = self.members(values, puzzle, 0)
        if not cave or not is_connected(cave):
            return False
        shaded = self.members(values, puzzle)
        graph = nx.empty_graph(len(shaded))
        graph.add_edges_from(adjacent_pairs(shaded))
        edge = set(self._edge(puzzle))
        graph.add_edges_from((i, -1) for i, place in enumerate(shaded) if place in edge)
        return not shaded or (-1 in graph and nx.is_connected(graph))

    def lower(self, ctx: Lowering) -> None:
        """Connect the open cells, and the shaded cells with a variable for the outside."""
        places = self.places(ctx.puzzle)
        ctx.add_fold(places, False, lambda open_, value: open_ or not value, bool)
        always = frozenset((value, 1) for value in ctx.domain(places[0]))
        outside = ctx.auxiliary("outside", (1,), lambda one: Relation(places[0], one, always))
        edge = {place: i for i, place in enumerate(places)}
        pairs = [*adjacent_pairs(places), *((edge[p], len(places)) for p in self._edge(ctx.puzzle))]
        # One factor for both: together they say more.
        ctx.add(Connected((*places, outside), tuple(pairs), ((0,), (1,))))

    def describe(self, puzzle: Puzzle) -> str:
        return (
            "shade cells so that the open cells are connected, and every shaded cell is connected "
            "to the edge of the grid"
        )

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Cave(),)

    phrases = (Phrase("", "unshaded-connected shaded-to-edge", "shade-some"),)


@rule
class Stars(Found):
    """Star battle: `number` stars in each row, column and box; stars never touch.

    Stars do not touch at a corner either. Where they are is part of the solution, on the layer
    ``star``. The rows, columns and boxes are the houses of the puzzle.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Stars, count
    >>> puzzle = Puzzle.blank(4).with_givens({"R1C1": 1, "R1C2": 2, "R2C1": 3, "R3C1": 2})
    >>> count(puzzle).value, count(puzzle.add(Stars(1))).value  # two ways to place the stars
    (6, 12)
    """

    number: int = whole(default=1, least=1)
    layer: str = layer_name("star")
    name = "stars"
    aliases = ("star-battle",)
    looks = "stars"

    def _houses(self, puzzle: Puzzle) -> Iterator[list[LayerCell]]:
        for house in puzzle.houses:
            cells = in_grid(house.cells)
            yield [LayerCell(self.layer, row, col) for row, col in cells]

    def _touching(self, puzzle: Puzzle) -> Iterator[tuple[LayerCell, LayerCell]]:
        cells = set(puzzle.cells)
        for row, col in puzzle.cells:
            for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
                if Cell(row + down, col + right) in cells:
                    other = LayerCell(self.layer, row + down, col + right)
                    yield LayerCell(self.layer, row, col), other

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return all(
            sum(values[place] for place in house) == self.number for house in self._houses(puzzle)
        ) and not any(values[a] and values[b] for a, b in self._touching(puzzle))

    def lower(self, ctx: Lowering) -> None:
        """Add a sum for each house and a relation for each pair of cells that touch."""
        for house in self._houses(ctx.puzzle):
            ctx.add_sum(house, self.number, self.number)
        for a, b in self._touching(ctx.puzzle):
            ctx.add_relation(a, b, _not_both)

    def describe(self, puzzle: Puzzle) -> str:
        plural = "s" * (self.number > 1)
        return f"each row, column and box has {self.number} star{plural}, and stars never touch"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Stars(),)

    phrases = (Phrase("", "one-star|two-stars stars-apart"),)

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """One star or two."""
        return [cls(1 + ("two-stars" in sentence.concepts))]


def _not_both(a: int, b: int) -> bool:
    return not (a and b)


@rule
class Rectangles(Found):
    """Rectangles (shikaku): cut the grid into rectangles, one around each of the `cells`.

    The rectangle around a cell has the size that stands at its place in `sizes`, and holds no other
    of the cells. The rectangles are part of the solution, on the layer ``rectangle``: it holds the
    number of each cell's rectangle, in the order of `cells`.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Rectangles, count
    >>> blank = Puzzle.blank(3, values=[1], box=None, row_houses=False, column_houses=False)
    >>> count(blank.add(Rectangles("R1C1 R2C2 R3C3", (3, 3, 3)))).value
    2
    """

    cells: Places = some_places(distinct=True, on_grid=True)
    sizes: WholeNumbers = whole_numbers(empty=False)
    layer: str = layer_name("rectangle")
    name = "rectangles"
    aliases = ("shikaku",)
    looks = "regions"

    def validate(self) -> None:
        if len(self.sizes) != len(self.cells):
            raise ConstraintError(f"{self.label}: needs a size for each of its cells")
        if min(self.sizes) < 1:
            raise ConstraintError(f"{self.label}: a size must be 1 or more, not {min(self.sizes)}")

    def layer_values(self, puzzle: Puzzle) -> tuple[int, ...]:
        return tuple(range(1, len(self.cells) + 1))

    def check(self, puzzle: Puzzle) -> None:
        """Require cells of the grid."""
        super().check(puzzle)
        for place in self.cells:
            puzzle.values_of(place)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        for number, (cell, size) in enumerate(zip(self.cells, self.sizes, strict=True), 1):
            found = [place.cell for place in self.members(values, puzzle, number)]
            rows = {place.row for place in found if place}
            columns = {place.col for place in found if place}
            if not found or cell not in found or len(found) != size:
                return False
            if (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1) != size:
                return False
        return True

    def lower(self, ctx: Lowering) -> None:
        """For each rectangle: its cells are those of one of the rectangles that are possible."""
        known = set(ctx.puzzle.cells)
        for number, (cell, size) in enumerate(zip(in_grid(self.cells), self.sizes, strict=True), 1):
            others = known.difference(in_grid(self.cells)) | {cell}
            choices = [
                frozenset(shape) for shape in _rectangles(cell, size) if others.issuperset(shape)
            ]
            reach = sorted({place for shape in choices for place in shape})
            for place in sorted(known.difference(reach)):
                layer_cell = LayerCell(self.layer, *place)
                ctx.add_condition(layer_cell, lambda value, number=number: value != number)  # type: ignore[misc]
            scope = [LayerCell(self.layer, *place) for place in reach]
            rows = [tuple(place in shape for place in reach) for shape in choices]
            if not rows:
                ctx.add_condition(LayerCell(self.layer, *cell), lambda value: False)
            else:
                ctx.add_machine(scope, _one_of, tuple(rows), number)

    def describe(self, puzzle: Puzzle) -> str:
        listing = ", ".join(
            f"{cell} {size}" for cell, size in zip(self.cells, self.sizes, strict=True)
        )
        return f"the grid is cut into rectangles, one around each cell with its size: {listing}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        pairs = zip(in_grid(self.cells), self.sizes, strict=True)
        return [*(pictures.Note(cell, str(size)) for cell, size in pairs)]

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        cells = maker.grid_cells(maker.rng.randint(1, 3))
        return {"cells": cells, "sizes": [maker.rng.randint(1, 6) for _ in cells]}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Rectangles("R1C1 R2C2", (2, 2)), Rectangles("R1C1 R2C2", (3, 3)))

    phrases = (Phrase("cell", "rectangles-wanted rectangle-size", text="[0-9]+"),)

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A rectangle around each number, of its size."""
        sizes = [int(figure.text) for figure in figures]
        if sum(sizes) != len(grid.cells):
            raise ValueError("the rectangles do not fill the grid")
        return [cls([cell for figure in figures for cell in figure.cells], sizes)]


def _rectangles(cell: Cell, size: int) -> Iterator[list[Cell]]:
    """The rectangles of a size around a cell."""
    for height in range(1, size + 1):
        if size % height:
            continue
        width = size // height
        for top in range(cell.row - height + 1, cell.row + 1):
            for left in range(cell.col - width + 1, cell.col + 1):
                yield [Cell(top + i, left + j) for i in range(height) for j in range(width)]


def _one_of(
    domains: tuple[Domain, ...], rows: tuple[tuple[bool, ...], ...], number: int
) -> Automaton:
    """The variables that hold a number are those of one of the rows."""

    # The state: the rows that are still possible.
    def step(left: frozenset[int], value: int, i: int) -> frozenset[int] | None:
        return frozenset(row for row in left if rows[row][i] == (value == number)) or None

    start = frozenset(range(len(rows)))
    return Automaton.from_fold(domains, start, step, lambda left: True, positional=True)
