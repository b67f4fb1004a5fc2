"""A cell counts cells that are alike: in runs, or among some cells; or borders between others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Regular
from csp_sudoku import pictures
from csp_sudoku.cells import DIAGONALS, SIDES, Cell, LayerCell, Place
from csp_sudoku.constraints.aspects import DOTTED
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import (
    OnePlace,
    PlaceGroups,
    Places,
    one_place,
    place_groups,
    rule,
    some_places,
    whole,
)
from csp_sudoku.constraints.found import on_cells, under
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
class RunLength(Constraint):
    """Run length: a cell tells how many cells the runs have that start at one place.

    A run goes along an arm as long as its cells hold the value of the start. All `arms` start at
    the same place, which is counted once. `less` is taken from the number: with 1 the start is not
    counted.

    With arms on a layer of regions this is an arrow of a chaos construction: how far one can go
    without a change of the region. With arms on a shaded layer, it is the number of cells seen.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, RunLength, count
    >>> puzzle = Puzzle.blank(4).with_layer("shaded", (0, 1), "R1C1-R1C4")
    >>> puzzle = puzzle.add(RunLength("R1C1", ["shaded:R1C1-R1C4"])).with_givens({"R1C1": 3})
    >>> count(puzzle.with_givens({"shaded:R1C1": 1})).value  # 72 grids, and 1 1 1 0
    72
    """

    cell: OnePlace = one_place()
    arms: PlaceGroups = place_groups()
    less: int = whole(default=0)
    name = "run-length"
    aliases = ("chaos-arrow",)
    draws_layers = True

    def validate(self) -> None:
        starts = {arm[0] for arm in self.arms}
        if len(starts) > 1:
            raise ConstraintError(
                f"{self.label}: all its arms must start at one place, not at "
                f"{' and '.join(sorted(map(str, starts)))}"
            )

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys((self.cell, *chain(*self.arms))))

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        wanted = values[self.arms[0][0]]
        length = 1
        for arm in self.arms:
            for place in arm[1:]:
                if values[place] != wanted:
                    break
                length += 1
        return values[self.cell] == length - self.less

    def lower(self, ctx: Lowering) -> None:
        """Add a variable for the length of each arm; their sum is the number."""
        lengths = [self._length(ctx, arm) for arm in self.arms if len(arm) > 1]
        total = self.less - 1
        ctx.add_sum([*lengths, self.cell], total, total, [1] * len(lengths) + [-1])

    def _length(self, ctx: Lowering, arm: tuple[Place, ...]) -> Auxiliary:
        """How many cells an arm adds to the run."""
        bits = [ctx.alike(arm[0], place) for place in arm[1:]]
        machine = kept_machine(_leading, len(bits))
        return ctx.auxiliary(
            "run", machine.alphabets[-1], lambda length: Regular((*bits, length), machine)
        )

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        ring = [pictures.Shape(cell, "ring") for cell in under([self.cell])]
        arms = [under(arm)[:2] for arm in self.arms if len(arm) > 1]
        if ring and {*map(under, self.arms)} - {(ring[0].cell,)} == _rays(
            ring[0].cell, puzzle.cells
        ):
            # All directions need no arrows, and one sentence is enough for all such rules.
            said = _said("that one sees from it in four directions", self.arms[0][0], self.less)
            return [*ring, said or pictures.sentence(self, puzzle)]
        return [*ring, *(pictures.Arrow(arm, "purple") for arm in arms)]

    def describe(self, puzzle: Puzzle) -> str:
        arms = ", or ".join(" ".join(map(str, arm)) for arm in self.arms)
        less = f", less {self.less}" if self.less else ""
        return f"{self.cell} is the number of cells like the first, in one run, in {arms}{less}"

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        start = maker.place()
        arms = [(start, *maker.places(1, 3)) for _ in range(maker.rng.randint(1, 3))]
        return {"cell": maker.place(), "arms": arms, "less": maker.rng.randint(0, 1)}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            RunLength("R1C1", ["R2C2 R2C3 R2C4"]),
            RunLength("R1C1", ["R2C2 R2C3", "R2C2 R3C2", "R2C2"], less=1),
        )

    phrases = (
        Phrase("cell", "region-seen borders-block", forms="circle", text="", layer="region"),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """What a circle sees of its region."""
        for cell in _centres(figures):
            rays = sorted(_rays(cell, grid.cells))
            yield cls(cell, [on_cells("region", ray) for ray in rays])

    formats = (Iss("ChaosArrow", "chaos arrow", inside=False, needs=values_from_1, houses=True),)


@rule
class SameCount(Constraint):
    """Same count: a cell tells how many of some places hold what the first of them holds.

    The first place is counted, too. `less` is taken from the number: with 1 it is not counted.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, SameCount, count
    >>> count(Puzzle.blank(4).add(SameCount("R1C1", "R2C2 R3C3 R4C4"))).value
    72
    """

    cell: OnePlace = one_place()
    cells: Places = some_places(distinct=True)
    less: int = whole(default=0)
    name = "same-count"
    aliases = ("chaos-count",)
    draws_layers = True

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys((self.cell, *self.cells)))

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        held = [values[place] for place in self.cells]
        return values[self.cell] == held.count(held[0]) - self.less

    def lower(self, ctx: Lowering) -> None:
        """Add a bit for each place, whether it is like the first one."""
        first, *others = self.cells
        bits = [ctx.alike(first, other) for other in others]
        total = self.less - 1
        ctx.add_sum([*bits, self.cell], total, total, [1] * len(bits) + [-1])

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        ring = [pictures.Shape(cell, "ring") for cell in under([self.cell])]
        counted = under(self.cells)
        near = _around(ring[0].cell, puzzle.cells) if ring else set()
        if near == {*counted} and counted[0] == ring[0].cell:
            # This needs no frame, and one sentence is enough for all such rules.
            said = _said("that are in the 3×3 square around it", self.cells[0], self.less)
            return [*ring, said or pictures.sentence(self, puzzle)]
        return [*ring, pictures.Cage(counted, "", "purple", DOTTED)]

    def describe(self, puzzle: Puzzle) -> str:
        listing = " ".join(map(str, self.cells))
        less = f", less {self.less}" if self.less else ""
        return f"{self.cell} is the number of cells like {self.cells[0]} among {listing}{less}"

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        return maker.fields(cls, less=lambda: maker.rng.randint(0, 1))

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            SameCount("R1C1", "R2C2 R2C4 R3C3"),
            SameCount("R1C1", "R1C1 R2C2 R3C3", less=1),
        )

    phrases = (Phrase("cell", "region-around", forms="circle", text="", layer="region"),)

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """What lies around a circle of its region."""
        for cell in _centres(figures):
            others = sorted(_around(cell, grid.cells) - {cell})
            yield cls(cell, on_cells("region", (cell, *others)))

    formats = (Iss("ChaosCount", "chaos count", inside=False, needs=values_from_1, houses=True),)


@rule
class BorderCount(Constraint):
    """Border count: a cell tells how often the value changes along some `lines`, in all of them.

    On a layer of regions a change is a border. With the cells of a row and of a column as lines, it
    is the number of borders that one sees in both directions; with a cell and each of its
    neighbours, the number of its sides that are borders.

    Examples
    --------
    >>> from csp_sudoku import BorderCount, Puzzle, RegionsToFind, count
    >>> puzzle = Puzzle.blank(4, box=None).add(RegionsToFind())
    >>> puzzle = puzzle.with_givens({"R1C1": 1, "R1C2": 2, "R1C3": 3, "R1C4": 4, "R2C1": 2})
    >>> count(puzzle.add(BorderCount("R1C1", ["region:R1C1-R1C4"]))).value
    58
    """

    cell: OnePlace = one_place()
    lines: PlaceGroups = place_groups()
    name = "border-count"
    draws_layers = True

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys((self.cell, *chain(*self.lines))))

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        steps = chain.from_iterable(map(pairwise, self.lines))
        return values[self.cell] == sum(values[a] != values[b] for a, b in steps)

    def lower(self, ctx: Lowering) -> None:
        """Add a bit for each step, whether its ends are alike."""
        steps = [*chain.from_iterable(map(pairwise, self.lines))]
        bits = [ctx.alike(*step) for step in steps]
        ctx.add_sum([*bits, self.cell], len(bits), len(bits))

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        ring = [pictures.Shape(cell, "ring") for cell in under([self.cell])]
        return [*ring, pictures.sentence(self, puzzle)]

    def describe(self, puzzle: Puzzle) -> str:
        lines = " and in ".join(" ".join(map(str, line)) for line in self.lines)
        return f"{self.cell} is the number of changes from one cell to the next in {lines}"

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        lines = [maker.places(2, 4) for _ in range(maker.rng.randint(1, 2))]
        return {"cell": maker.place(), "lines": lines}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            BorderCount("R1C1", ["R2C2 R2C3 R3C3"]),
            BorderCount("R1C1", ["R1C1 R2C3 R3C3", "R4C1 R2C3"]),
        )

    phrases = (
        Phrase("cell", "borders-seen", "edge-not-counted", forms="circle", text="", layer="region"),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """The borders in the row and the column of a circle."""
        for cell in _centres(figures):
            row = tuple([other for other in grid.cells if other.row == cell.row])
            column = tuple([other for other in grid.cells if other.col == cell.col])
            yield cls(cell, [on_cells("region", line) for line in (row, column)])


def _centres(figures: Sequence[Figure]) -> list[Cell]:
    """The cells that figures in one cell each are drawn on."""
    if any(len(figure.cells) > 1 for figure in figures):
        raise ValueError("a circle on several cells")
    return [figure.cells[0] for figure in figures]


def _around(cell: Cell, cells: Iterable[Cell]) -> set[Cell]:
    """The cells that share a side or a corner with a cell, and itself."""
    steps = (*SIDES, *DIAGONALS.values())
    near = {Cell(cell.row + down, cell.col + right) for down, right in steps}
    return near.intersection(cells) | {cell}


def _rays(cell: Cell, cells: Iterable[Cell]) -> set[tuple[Cell, ...]]:
    """The cells in each of the four directions up to the edge, from a cell on."""
    known = set(cells)
    found = set()
    for down, right in SIDES:
        ray = [cell]
        while (new := Cell(ray[-1].row + down, ray[-1].col + right)) in known:
            ray.append(new)
        found.add(tuple(ray))
    return found - {(cell,)}


def _said(which: str, first: Place, less: int) -> pictures.Sentence | None:
    """The sentence of a rule that is said of every cell with a circle, where there is one."""
    if less not in (0, 1) or not isinstance(first, LayerCell):
        return None
    itself = ", itself included" if less == 0 else ", without itself"
    return pictures.Sentence(
        f"A digit in a circle counts the cells {which} and that are like it on the layer "
        f"{first.layer}{itself}."
    )


def _leading(number: int) -> Automaton:
    """The last variable is how many of some bits are 1 before the first 0."""

    # The state: whether the run goes on, and its length.
    def step(state: tuple[bool, int], value: int, i: int) -> tuple[bool, int] | None:
        goes_on, length = state
        if i == number:
            return state if value == length else None
        return (True, length + 1) if goes_on and value else (False, length)

    alphabets = ((0, 1),) * number + (tuple(range(number + 1)),)
    return Automaton.from_fold(alphabets, (True, 0), step, lambda state: True, positional=True)
