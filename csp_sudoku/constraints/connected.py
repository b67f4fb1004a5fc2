"""Connected values, and no 2×2 square of them: on the digits, or on a layer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from csp_sudoku.cells import Cell, LayerCell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import WholeNumbers, rule, whole, whole_numbers
from csp_sudoku.constraints.found import (
    add_connected,
    is_connected,
    layer_name,
    layer_of,
    membership,
    squares,
)
from csp_sudoku.forms import Iss
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from typing import Any

    from csp_encodings.graph import Assignment
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering, Variable
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


@rule
class _OfValues(Constraint):
    """A rule about the cells that hold one of some values, on the digits or on a layer."""

    values: WholeNumbers = whole_numbers(empty=False)

    @property
    def on(self) -> str:
        """The name of the layer, or nothing for the digits."""
        return ""

    def places(self, puzzle: Puzzle) -> tuple[Cell | LayerCell, ...]:
        """The cells of the grid, or of the layer."""
        return layer_of(puzzle, self.on, self.name)

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return self.places(puzzle)

    @property
    def _cells(self) -> str:
        listing = " ".join(map(str, self.values))
        where = f" on the layer {self.on}" if self.on else ""
        return f"cells with {'one of ' * (len(self.values) > 1)}{listing}{where}"

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        layers = [*maker.puzzle.layers]
        layer = maker.rng.choice(layers) if layers and maker.rng.random() < 0.5 else ""
        return maker.fields(cls, layer=lambda: layer)


@rule
class ConnectedValues(_OfValues):
    """Connected values: the cells that hold one of the `values` form one connected region.

    Cells are connected if they share a side. The region is not empty; with `size` it has this
    number of cells. With `layer` the rule is about the values of a layer instead of the digits.

    Examples
    --------
    >>> from csp_sudoku import ConnectedValues, Puzzle, count
    >>> count(Puzzle.blank(4).add(ConnectedValues((1, 2, 3), size=12))).value
    216
    >>> shaded = Puzzle.blank(1, 3).with_layer("shaded", (0, 1)).with_givens({"R1C1": 1, "R1C2": 2})
    >>> count(shaded.add(ConnectedValues([1], layer="shaded"))).value
    6
    """

    size: int | None = whole(default=None, least=1)
    layer: str = layer_name("")
    name = "connected-values"

    @property
    def on(self) -> str:
        return self.layer

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        region = [place for place in self.places(puzzle) if values[place] in self.values]
        if self.size is not None and len(region) != self.size:
            return False
        return bool(region) and is_connected(region)

    def lower(self, ctx: Lowering) -> None:
        """Add a bit for each cell, whether it is in the region; the bits are connected."""
        places = self.places(ctx.puzzle)
        bits: dict[Place, Variable] = {
            place: membership(ctx, place, self.values) for place in places
        }
        listed = list(bits.values())
        ctx.add_sum(listed, self.size or 1, self.size)
        for house in ctx.puzzle.houses if not self.layer else ():
            # The house implies this, but a solver does not see it from the bits.
            if (quota := self._quota(ctx, house.cells)) is not None:
                ctx.add_sum([bits[place] for place in house.cells], quota, quota)
        add_connected(ctx, places, listed, largest=self.size)

    def _quota(self, ctx: Lowering, house: Sequence[Place]) -> int | None:
        """How many cells of a house belong to the region, if every value occurs in the house."""
        values = {value for domain in ctx.domains(house) for value in domain}
        if len(values) == len(house) and ctx.distinct(house):
            return len(values.intersection(self.values))
        return None

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to values that do not occur, or a region that is too large for the puzzle."""
        places = self.places(puzzle)
        values = {value for place in places for value in puzzle.values_of(place)}
        if values.isdisjoint(self.values):
            listing = " ".join(map(str, self.values))
            return f"{self.label}: none of {listing} is a value of the puzzle"
        if self.size is not None and self.size > len(places):
            return (
                f"{self.label}: a region of {self.size} cells is too large for a puzzle of "
                f"{len(places)}"
            )
        return None

    def describe(self, puzzle: Puzzle) -> str:
        size = "" if self.size is None else f" of {self.size} cells"
        return f"the {self._cells} form one connected region{size}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (ConnectedValues((1, 3)),)

    phrases = (Phrase("", "odd-area"), Phrase("", "even-area"))

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """The odd digits, or the even ones."""
        rest = int("odd-area" in sentence.concepts)
        return [cls([value for value in grid.values if value % 2 == rest])]

    formats = (Iss("ConnectedValues", "connected", inside=False),)


@rule
class NoTwoByTwo(_OfValues):
    """No 2×2 square: the four cells of a 2×2 square do not all hold one of the `values`.

    With `layer` the rule is about the values of a layer instead of the digits.

    Examples
    --------
    >>> from csp_sudoku import NoTwoByTwo, Puzzle, count
    >>> odd = NoTwoByTwo((1, 3))
    >>> count(Puzzle.blank(4, box=None).add(odd)).value
    464
    """

    layer: str = layer_name("")
    name = "no-two-by-two"

    @property
    def on(self) -> str:
        return self.layer

    def _squares(self, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        return squares(self.places(puzzle))

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return not any(
            all(values[place] in self.values for place in square)
            for square in self._squares(puzzle)
        )

    def lower(self, ctx: Lowering) -> None:
        """Add a small automaton for each square."""
        for square in self._squares(ctx.puzzle):
            add_not_all(ctx, square, self.values)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the {self._cells} fill no 2×2 square"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (NoTwoByTwo((1, 3)),)

    phrases = (
        Phrase("", "no-odd-square|no-even-square"),
        Phrase("", "no-shaded-square|no-unshaded-square", layer="shaded"),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """No square of odd or even digits, or of one colour."""
        for concept in sorted(sentence.concepts):
            if concept in ("no-shaded-square", "no-unshaded-square"):
                yield cls([int(concept == "no-shaded-square")], layer="shaded")
            else:
                rest = int(concept == "no-odd-square")
                yield cls([value for value in grid.values if value % 2 == rest])


def add_not_all(ctx: Lowering, variables: Sequence[Variable], values: Iterable[int]) -> None:
    """Test: one of the variables holds none of the values."""
    inside = frozenset(values)
    ctx.add_fold(
        variables, False, lambda free, value: free or value not in inside, lambda free: free
    )
