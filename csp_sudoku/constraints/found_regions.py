"""Regions that are to be found: chaos construction and galaxies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain
from math import prod
from operator import eq, ne
from typing import TYPE_CHECKING, Any

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Domain, Regular
from csp_sudoku import pictures
from csp_sudoku.cells import Cell, LayerCell, Place
from csp_sudoku.constraints.base import Constraint, all_values, in_grid
from csp_sudoku.constraints.fields import PlaceGroups, flag, place_groups, rule, whole
from csp_sudoku.constraints.found import Found, add_connected, is_connected, layer_name
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import Iss, values_from_1
from csp_sudoku.machines import kept_machine
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment, Auxiliary
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


@rule
class RegionsToFind(Found):
    """Regions to find (chaos construction): cut the grid into connected regions of one size.

    By default a region has as many cells as there are values, and holds each of them once. With
    `repeats=True` the digits do not matter.

    The regions are part of the solution, on the layer ``region``. They are numbered in the order of
    their first cells, row by row, so that one drawing is one solution.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, RegionsToFind, count
    >>> puzzle = Puzzle.blank(4, box=None).add(RegionsToFind())
    >>> count(puzzle.with_givens({f"R1C{i}": i for i in range(1, 5)})).value
    578
    """

    size: int | None = whole(default=None, least=1)
    repeats: bool = flag(default=False)
    layer: str = layer_name("region")
    name = "regions-to-find"
    aliases = ("chaos-construction",)
    looks = "regions"

    def size_in(self, puzzle: Puzzle) -> int:
        """The number of cells in a region."""
        return len(puzzle.grids[0].values) if self.size is None else self.size

    def layer_values(self, puzzle: Puzzle) -> tuple[int, ...]:
        return tuple(range(1, max(1, len(puzzle.cells) // self.size_in(puzzle)) + 1))

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return (*(() if self.repeats else puzzle.cells), *self.places(puzzle))

    def check(self, puzzle: Puzzle) -> None:
        """Require a number of cells that can be cut into regions of this size."""
        super().check(puzzle)
        cells, size = len(puzzle.cells), self.size_in(puzzle)
        if cells % size:
            raise ConstraintError(f"{self.label}: {cells} cells are no regions of {size}")

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        regions: dict[int, list[LayerCell]] = {}
        for place in self.places(puzzle):
            regions.setdefault(values[place], []).append(place)
        if [*regions] != [*self.layer_values(puzzle)]:
            return False  # not numbered in the order of their first cells
        size = self.size_in(puzzle)
        return all(
            len(region) == size
            and is_connected(region)
            and (self.repeats or len({values[_below(p)] for p in region}) == size)
            for region in regions.values()
        )

    def lower(self, ctx: Lowering) -> None:
        """Number the regions, count their cells, keep them connected and their digits different."""
        places, size = self.places(ctx.puzzle), self.size_in(ctx.puzzle)
        labels = self.layer_values(ctx.puzzle)
        ctx.add_machine(places, _in_order, labels[-1])
        add_connected(ctx, places, places, [(label,) for label in labels], largest=size)
        if not self.repeats:
            digits = tuple(all_values(ctx.puzzle.cells, ctx.puzzle))
            both = [self._label_and_digit(ctx, place, digits) for place in places]
            ctx.add_different(both)
            values = {value for domain in ctx.domains(both) for value in domain}
            if len(values) == len(both):
                return  # each digit occurs in each region: the sizes follow
        # No region is larger, so none is smaller: the count helps a search with small regions.
        for label in labels:
            ctx.add_machine(places, _holders, label, size)

    def _label_and_digit(
        self, ctx: Lowering, place: LayerCell, digits: tuple[int, ...]
    ) -> Auxiliary:
        """A variable for the label of a cell and its digit together."""
        scope = (place, _below(place))
        machine = kept_machine(_numbered, ctx.domain(place), ctx.domain(_below(place)), digits)
        return ctx.auxiliary(
            "region and digit", machine.alphabets[-1], lambda both: Regular((*scope, both), machine)
        )

    def describe(self, puzzle: Puzzle) -> str:
        size = self.size_in(puzzle)
        digits = "" if self.repeats else " that hold different digits"
        return f"the grid is cut into connected regions of {size} cells{digits}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (RegionsToFind(), RegionsToFind(repeats=True))

    phrases = (Phrase("", "regions-wanted region-houses|region-contents", numbers=True),)

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """Regions, if the numbers fit and the grid has no regions of its own."""
        size = len(grid.values)
        if len(grid.cells) != size**2 or any(number != size for number in sentence.numbers):
            raise ValueError("other regions than the grid can have")
        if grid.values != tuple(range(1, size + 1)):
            raise ValueError("other digits than the grid has")
        if grid.boxes:
            raise ValueError("regions that are drawn are not to be found")
        return [cls()]

    formats = (
        Iss(
            "ChaosConstruction",
            "chaos",
            fixed={"repeats": False, "layer": "region"},
            needs=values_from_1,
            inside=False,
            houses=True,
        ),
    )


@rule
class Galaxies(Found):
    """Galaxies: cut the grid into connected regions, each with point symmetry about its centre.

    `centres` has one to four cells for each region: those around its centre, which may be the
    middle of a cell, of an edge or of four cells. Turned by half a circle about it, the region is
    the same. The regions are part of the solution, on the layer ``galaxy``: it holds the number of
    each cell's region, in the order of `centres`.

    Examples
    --------
    >>> from csp_sudoku import Galaxies, Puzzle, count
    >>> blank = Puzzle.blank(2, 3, values=[1], box=None, row_houses=False, column_houses=False)
    >>> count(blank.add(Galaxies(["R1C1", "R1C2 R1C3 R2C2 R2C3", "R2C1"]))).value
    1
    >>> count(blank.add(Galaxies(["R1C1 R1C2", "R2C3"]))).value
    0
    """

    centres: PlaceGroups = place_groups()
    layer: str = layer_name("galaxy")
    name = "galaxies"
    aliases = ("spiral-galaxies",)
    looks = "regions"

    def validate(self) -> None:
        for group in self.centres:
            cells = in_grid(group)
            sides = [max(line) - min(line) + 1 for line in zip(*cells, strict=True)]
            if len(cells) < len(group) or len({*cells}) != prod(sides) or max(sides) > 2:
                raise ConstraintError(
                    f"{self.label}: around a centre lie one cell, two that share a side, or a 2×2 "
                    f"square, not {' '.join(map(str, group))}"
                )
        if len({*map(_doubled, self.centres)}) < len(self.centres):
            raise ConstraintError(f"{self.label}: a centre comes twice")

    def layer_values(self, puzzle: Puzzle) -> tuple[int, ...]:
        return tuple(range(1, len(self.centres) + 1))

    def check(self, puzzle: Puzzle) -> None:
        """Require cells of the grid."""
        super().check(puzzle)
        for place in chain(*self.centres):
            puzzle.values_of(place)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        for number, group in enumerate(self.centres, 1):
            region = {_below(place) for place in self.members(values, puzzle, number)}
            turned = {_opposite(cell, group) for cell in region}
            if not region.issuperset(group) or turned != region or not is_connected(region):
                return False
        return True

    def lower(self, ctx: Lowering) -> None:
        """Relate each cell with the cell opposite of it, for each centre, and connect regions."""
        at = dict(zip(ctx.puzzle.cells, self.places(ctx.puzzle), strict=True))
        for number, group in enumerate(self.centres, 1):
            for cell in in_grid(group):
                ctx.add_condition(at[cell], partial(eq, number))
            for cell, place in at.items():
                opposite = _opposite(cell, group)
                if opposite not in at:
                    ctx.add_condition(place, partial(ne, number))
                elif cell < opposite:
                    ctx.add_relation(place, at[opposite], partial(_both_or_neither, number))
        labels = [(number,) for number in self.layer_values(ctx.puzzle)]
        add_connected(ctx, list(at), list(at.values()), labels)

    def describe(self, puzzle: Puzzle) -> str:
        listing = ", ".join(" ".join(map(str, group)) for group in self.centres)
        return (
            "the grid is cut into connected regions, each with point symmetry about a centre: "
            f"{listing}"
        )

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        around = [sorted(in_grid(group)) for group in self.centres]
        rings = [pictures.Shape(group[0], "ring", size=0.3) for group in around if len(group) == 1]
        dots = [pictures.Dot(group[0], group[1]) for group in around if len(group) == 2]
        corners = [pictures.Corner(tuple(group), "") for group in around if len(group) == 4]
        return [*rings, *dots, *corners]

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        return {"centres": [[cell] for cell in maker.grid_cells(maker.rng.randint(1, 3))]}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Galaxies(["R1C2", "R2C2"]), Galaxies(["R1C1 R1C2", "R2C1 R2C2"]))

    phrases = (Phrase("cell edge corner", "galaxies-wanted galaxy-circle", forms="circle"),)

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A region about each circle."""
        return [cls([figure.cells for figure in figures])]


def _opposite(cell: Cell, group: Iterable[Place]) -> Cell:
    """The image of a cell, turned by half a circle about the middle of some cells."""
    rows, columns = _doubled(group)
    return Cell(rows - cell.row, columns - cell.col)


def _doubled(group: Iterable[Place]) -> tuple[int, int]:
    """Twice the row and the column of the middle of some cells."""
    rows, columns = zip(*in_grid(group), strict=True)
    return min(rows) + max(rows), min(columns) + max(columns)


def _both_or_neither(number: int, a: int, b: int) -> bool:
    return (a == number) == (b == number)


def _below(place: LayerCell) -> Cell:
    """The cell of the grid under a cell of a layer."""
    return Cell(int(place.row), int(place.col))


def _in_order(domains: tuple[Domain, ...], last: int) -> Automaton:
    """Labels appear in their order, from 1 to the last one."""
    return Automaton.from_fold(
        domains,
        0,
        lambda most, label: max(most, label) if label <= most + 1 else None,
        lambda most: most == last,
    )


def _holders(domains: tuple[Domain, ...], label: int, number: int) -> Automaton:
    """Exactly this number of variables hold a label."""

    def step(count: int, value: int) -> int | None:
        count += value == label
        return count if count <= number else None

    return Automaton.from_fold(domains, 0, step, lambda count: count == number)


def _numbered(labels: Domain, own: Domain, digits: tuple[int, ...]) -> Automaton:
    """The third variable numbers the pairs of the first two, in the same way for every cell."""
    table = [
        (label, digit, label * len(digits) + digits.index(digit))
        for label in labels
        for digit in own
    ]
    return Automaton.from_table((labels, own, tuple(row[-1] for row in table)), table)
