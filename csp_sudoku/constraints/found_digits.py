"""Digits on what is found: a loop that is a whisper, a snake without repeats, sums of regions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Domain, Regular
from csp_sudoku import pictures
from csp_sudoku.cells import DIAGONALS, Cell, LayerCell, Place
from csp_sudoku.constraints.base import Constraint, clashing_pairs, in_grid
from csp_sudoku.constraints.fields import Places, flag, rule, some_places, whole
from csp_sudoku.constraints.found import Found, adjacent_pairs, layer_name, on_cells, under
from csp_sudoku.errors import ConstraintError
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


class _DigitsOn(Found):
    """A rule for the digits of the cells that hold 1 on a layer."""

    looks = "line"

    def layer_looks(self) -> dict[str, Any]:
        return {}  # the rule that finds the layer says it

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return (*puzzle.cells, *self.places(puzzle))

    def _on(self, values: Assignment, puzzle: Puzzle) -> list[Cell]:
        return [place.cell for place in self.members(values, puzzle) if place.cell is not None]

    def _digit(self, ctx: Lowering, place: LayerCell, cell: Cell, free: int) -> Auxiliary:
        """A variable for the digit of a cell that is on the layer, and for `free` if it is not."""
        machine = _shown(free, *ctx.domains((place, cell)))
        return ctx.auxiliary(
            "digit on it",
            machine.alphabets[-1],
            lambda digit: Regular((place, cell, digit), machine),
        )

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        return {"layer": maker.rng.choice(("loop", "snake"))}


@rule
class LayerWhisper(_DigitsOn):
    """Whisper on a layer: digits differ by `difference` or more on neighbours that hold 1 there.

    Neighbours share a side. Default: half the number of values, rounded up; 5 for nine values.

    Examples
    --------
    >>> from csp_sudoku import LayerWhisper, Loop, Puzzle, count
    >>> puzzle = Puzzle.blank(4).add(Loop(length=8))
    >>> count(puzzle).value, count(puzzle.add(LayerWhisper("loop", 2))).value
    (1152, 0)
    """

    layer: str = layer_name("loop")
    difference: int | None = whole(default=None, least=0)
    name = "layer-whisper"
    aliases = ("whisper-loop",)

    def _least(self, puzzle: Puzzle) -> int:
        if self.difference is not None:
            return self.difference
        return (max(len(puzzle.values_of(cell)) for cell in puzzle.cells) + 1) // 2

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        on, least = self._on(values, puzzle), self._least(puzzle)
        return all(abs(values[on[i]] - values[on[j]]) >= least for i, j in adjacent_pairs(on))

    def lower(self, ctx: Lowering) -> None:
        """Add a variable for each cell, its digit if it is on the layer; these are far apart."""
        least = self._least(ctx.puzzle)
        cells = ctx.puzzle.cells
        free = 1 + max(value for cell in cells for value in ctx.domain(cell))
        places = zip(self.places(ctx.puzzle), cells, strict=True)
        digits = [self._digit(ctx, place, cell, free) for place, cell in places]

        def far(a: int, b: int) -> bool:
            return free in (a, b) or abs(a - b) >= least

        for i, j in adjacent_pairs(cells):
            ctx.add_relation(digits[i], digits[j], far)

    def describe(self, puzzle: Puzzle) -> str:
        return (
            f"neighbours on the {self.layer} hold digits that differ by {self._least(puzzle)} "
            f"or more"
        )

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (LayerWhisper(difference=2),)

    phrases = tuple(
        [
            Phrase("", f"{layer}-whisper", fields={"difference": "number"}, layer=layer)
            for layer in ("loop", "snake")
        ]
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A whisper on the loop, or on the snake."""
        return [cls("loop" if "loop-whisper" in sentence.concepts else "snake", **fields)]


@rule
class LayerDifferent(_DigitsOn):
    """Different on a layer: no digit repeats on the cells that hold 1 there.

    Examples
    --------
    >>> from csp_sudoku import LayerDifferent, Puzzle, Snake, count
    >>> puzzle = Puzzle.blank(4).add(Snake("R1C1 R2C2", length=3))
    >>> count(puzzle).value, count(puzzle.add(LayerDifferent("snake"))).value
    (576, 576)
    """

    layer: str = layer_name("snake")
    name = "layer-different"

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return not any(clashing_pairs(values, self._on(values, puzzle)))

    def lower(self, ctx: Lowering) -> None:
        """Add a variable for each cell: its digit, or a number that no other cell has."""
        cells = ctx.puzzle.cells
        free = 1 + max(value for cell in cells for value in ctx.domain(cell))
        places = zip(self.places(ctx.puzzle), cells, strict=True)
        ctx.add_different(
            [self._digit(ctx, place, cell, free + i) for i, (place, cell) in enumerate(places)]
        )

    def describe(self, puzzle: Puzzle) -> str:
        return f"no digit repeats on the {self.layer}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (LayerDifferent(),)

    phrases = tuple([Phrase("", f"{layer}-different", layer=layer) for layer in ("loop", "snake")])

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """No repeats on the loop, or on the snake."""
        return [cls("loop" if "loop-different" in sentence.concepts else "snake")]


@rule
class LayerCount(_DigitsOn):
    """Count on a layer: a digit in one of the `cells` counts the 1s of the layer around it.

    Around it are the cells that share a side or a corner with it; only those that share a side if
    `diagonal` is False. The cell itself is not counted.

    Examples
    --------
    >>> from csp_sudoku import LayerCount, Puzzle, YinYang, count
    >>> puzzle = Puzzle.blank(4).add(YinYang(), LayerCount("R1C1 R2C2"))
    >>> count(puzzle.with_givens({"R1C1": 1, "R2C2": 4, "R1C2": 2})).value
    96
    """

    cells: Places = some_places(distinct=True, on_grid=True)
    layer: str = layer_name("shaded")
    diagonal: bool = flag(default=True)
    name = "layer-count"

    @property
    def label(self) -> str:
        return f"{self.name} at {self.cells[0]}"

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        around = [place for cell in in_grid(self.cells) for place in self._around(cell, puzzle)]
        return tuple(dict.fromkeys((*self.cells, *around)))

    def _around(self, cell: Cell, puzzle: Puzzle) -> list[LayerCell]:
        known = set(puzzle.cells)
        steps = [(-1, 0), (0, -1), (0, 1), (1, 0)]
        steps += DIAGONALS.values() if self.diagonal else ()
        near = sorted(Cell(cell.row + down, cell.col + right) for down, right in steps)
        return [LayerCell(self.layer, *place) for place in near if place in known]

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return all(
            values[cell] == sum(values[place] for place in self._around(cell, puzzle))
            for cell in in_grid(self.cells)
        )

    def lower(self, ctx: Lowering) -> None:
        """Add a sum for each cell."""
        for cell in in_grid(self.cells):
            around = self._around(cell, ctx.puzzle)
            ctx.add_sum([*around, cell], 0, 0, [1] * len(around) + [-1])

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        rings = [pictures.Shape(cell, "ring") for cell in in_grid(self.cells)]
        return [*rings, pictures.sentence(self, puzzle)]

    def describe(self, puzzle: Puzzle) -> str:
        which = "around" if self.diagonal else "beside"
        listing = " ".join(map(str, self.cells))
        return (
            f"a digit in {listing} counts the cells {which} it that are on the layer {self.layer}"
        )

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        return {"cells": maker.grid_cells(2), "diagonal": maker.rng.random() < 0.5}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (LayerCount("R1C1 R2C2"), LayerCount("R1C2", "loop", diagonal=False))

    phrases = (
        Phrase("cell", "shaded-around|shaded-beside", forms="circle", text="", layer="shaded"),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """One rule for all circles."""
        if {"shaded-around", "shaded-beside"} <= sentence.concepts:
            raise ValueError("two ways to count")
        cells = [cell for figure in figures for cell in figure.cells]
        return [cls(cells, diagonal="shaded-around" in sentence.concepts)]


@rule
class LabelledSums(Constraint):
    """Sums by label: along a line, the digits of each run of equal labels have the same sum.

    With the cells of a layer of regions as `labels`, it is a region sum line in regions that are to
    be found.

    Examples
    --------
    >>> from csp_sudoku import LabelledSums, Puzzle, RegionsToFind, count
    >>> puzzle = Puzzle.blank(4, box=None).add(RegionsToFind())
    >>> line = LabelledSums("R1C1-R1C4", "region:R1C1-R1C4")
    >>> count(puzzle.add(line).with_givens({"R1C1": 1, "R1C2": 4, "R2C1": 2})).value
    197
    """

    cells: Places = some_places(least=2)
    labels: Places = some_places(least=2)
    name = "labelled-sums"
    draws_layers = True

    def validate(self) -> None:
        if len(self.labels) != len(self.cells):
            raise ConstraintError(f"{self.label}: needs a label for each of its cells")

    @property
    def label(self) -> str:
        return f"{self.name} at {self.cells[0]}"

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys((*self.cells, *self.labels)))

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        sums: list[int] = []
        before = None
        for cell, place in zip(self.cells, self.labels, strict=True):
            if values[place] == before:
                sums[-1] += values[cell]
            else:
                sums.append(values[cell])
            before = values[place]
        return len(set(sums)) == 1

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that reads each label and its digit."""
        pairs = zip(self.labels, self.cells, strict=True)
        ctx.add_machine([place for pair in pairs for place in pair], _equal_sums)

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        line = under(self.cells)
        return (
            [pictures.Line(line, "blue", 0.13, (0.3, 0.12)), pictures.sentence(self, puzzle)]
            if line
            else ()
        )

    def describe(self, puzzle: Puzzle) -> str:
        return (
            f"the digits {' '.join(map(str, self.cells))} have the same sum in each run of equal "
            f"labels {' '.join(map(str, self.labels))}"
        )

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        length = maker.rng.randint(2, 3)
        return {"cells": maker.line(length), "labels": maker.line(length)}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (LabelledSums("R1C1 R1C2 R1C3", "R2C1 R2C2 R2C3"),)

    phrases = (
        Phrase(
            "line",
            "same sum region|region-sum line|region-sum|divide",
            may="line border divide set separate",
            habit="blue cyan",
            layer="region",
        ),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """Region sum lines, where the regions are to be found."""
        if grid.boxes:
            raise ValueError("the grid has regions of its own")
        return [cls(figure.cells, on_cells("region", figure.cells)) for figure in figures]


def _shown(free: int, places: Domain, digits: Domain) -> Automaton:
    """The last variable is the digit if the first variable is 1, and `free` if it is not."""
    table = [(on, digit, digit if on == 1 else free) for on in places for digit in digits]
    return Automaton.from_table((places, digits, tuple(sorted({row[-1] for row in table}))), table)


def _equal_sums(domains: tuple[Domain, ...]) -> Automaton:
    """Labels and digits take turns; each run of equal labels has the sum of the first run."""

    # The state: the label, the sum of its run so far, and the sum of the runs before it.
    def step(state: Any, value: int, i: int) -> Any:
        label, total, wanted = state
        if i % 2:
            return label, total + value, wanted
        if value == label or i == 0:
            return value, total, wanted
        return (value, 0, total) if wanted in (None, total) else None

    return Automaton.from_fold(
        domains,
        (None, 0, None),
        step,
        lambda state: state[2] in (None, state[1]),
        positional=True,
    )
