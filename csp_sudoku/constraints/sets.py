"""Sets of values: which values some cells hold, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Regular
from csp_sudoku import pictures
from csp_sudoku.cells import Cell, LayerCell, Place
from csp_sudoku.constraints.aspects import Placing
from csp_sudoku.constraints.base import CellConstraint, Constraint, in_grid
from csp_sudoku.constraints.counting import add_count, occurrence
from csp_sudoku.constraints.fields import (
    Places,
    WholeNumbers,
    rule,
    some_places,
    text,
    whole_numbers,
)
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import FPuzzles, Iss, Numbers, Row, SudokuMaker, Text
from csp_sudoku.machines import kept_machine
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from random import Random

    from csp_encodings.graph import Assignment, Auxiliary
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.generating.easel import Easel
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


class _Counts(CellConstraint):
    """Given values occur a given number of times. A cell that is listed twice counts once."""

    @property
    def wanted(self) -> Sequence[tuple[int, int]]:
        """The given values, each with the number of times that it occurs."""
        raise ConstraintError(f"{type(self).__name__} must define wanted")

    def enough(self, found: int, wanted: int) -> bool:
        """Whether it is right that a value occurs `found` times."""
        return found == wanted

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        found = Counter(values[place] for place in self.scope(puzzle))
        return all(self.enough(found[value], number) for value, number in self.wanted)

    def lower(self, ctx: Lowering) -> None:
        """Add a small automaton for each value; one for all of them could be huge."""
        scope = self.scope(ctx.puzzle)
        for value, number in self.wanted:
            add_count(ctx, scope, value, partial(self.enough, wanted=number), most=number + 1)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to more values than cells, or a value that too few cells can hold."""
        scope = self.scope(puzzle)
        for value, number in self.wanted:
            able = sum(value in puzzle.values_of(place) for place in scope)
            if able < number:
                return f"{self.label}: only {able} cells can hold {value}, but {number} must"
        number = sum(number for _, number in self.wanted)
        if number > len(scope):
            return f"{self.label}: {number} values are too many for {len(scope)} cells"
        return None


@rule
class ContainsAtLeast(_Counts):
    """Contains at least: the cells hold the `values`, and perhaps others.

    A value that is listed twice occurs at least twice.

    Examples
    --------
    >>> from csp_sudoku import ContainsAtLeast, Puzzle, count
    >>> count(Puzzle.blank(4).add(ContainsAtLeast("R1C1 R2C3 R3C4", [1, 1]))).value
    54
    """

    values: WholeNumbers = whole_numbers()
    name = "contains-at-least"

    @property
    def wanted(self) -> Sequence[tuple[int, int]]:
        """The values, each with the number of times that it is listed."""
        return tuple(Counter(self.values).items())

    def enough(self, found: int, wanted: int) -> bool:
        """Whether a value occurs at least as often as it is listed."""
        return found >= wanted

    def describe(self, puzzle: Puzzle) -> str:
        return f"the cells {self.listing} contain {' '.join(map(str, self.values)) or 'any values'}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        text = " ".join(map(str, self.values))
        return [pictures.Cage(in_grid(self.cells), text, "pencil", ())]

    sees, listed = "equality", ("values",)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            ContainsAtLeast("R1C1 R2C3 R3C4", [1, 1]),
            ContainsAtLeast("R1C1 R1C2 R2C4 R1C1", [2, 3]),
            ContainsAtLeast("R1C1", [9]),
            ContainsAtLeast("R1C1 R1C2", []),
        )

    formats: ClassVar[tuple[Row, ...]] = (
        Iss("ContainAtLeast", "cells", values=Numbers("values", inside=True), once=True),
    )


class Quadruple(ContainsAtLeast):
    """Quadruple: the cells around a corner hold the `values`.

    A value that is listed twice occurs at least twice.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Quadruple, count
    >>> count(Puzzle.blank(4).add(Quadruple("R1C2-R2C3", [1, 2]))).value
    160
    """

    name = "quadruple"
    aliases = ("quad", "quads", "quadruples")
    saying = "Digits in a circle on a corner appear in the four cells around it."

    def validate(self) -> None:
        """Require that a corner has at most four cells."""
        if len(set(self.cells)) > 4:
            raise ConstraintError(
                f"{self.label}: a corner has 4 cells around it, not {len(set(self.cells))}"
            )

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.Corner(in_grid(self.cells), " ".join(map(str, self.values)))]

    placing = Placing(in_three_rows=3)

    @classmethod
    def propose(cls, easel: Easel) -> Constraint | None:
        """Draw a corner and some of the values around it."""
        row, column = easel.cell()
        around = [Cell(row + r, column + c) for r in (0, 1) for c in (0, 1)]
        if not all(map(easel.puzzle.has, around)):
            return None
        held = sorted(map(easel.value, around))
        size = easel.chance.randint(2, 4)
        return cls(around, sorted(easel.chance.sample(held, size)))

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        row, column = maker.rng.choice(maker.puzzle.cells)
        around = [Cell(row + r, column + c) for r in (0, 1) for c in (0, 1)]
        block = [place for place in around if maker.puzzle.has(place)]
        return {"cells": block, "values": [maker.number() for _ in range(maker.rng.randint(1, 4))]}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Quadruple("R1C2-R2C3", [1, 2]),
            Quadruple("R2C2-R3C3", [1, 1, 3]),
            Quadruple("R1C1-R2C2", [1, 1, 2, 2, 3]),
        )

    formats = (
        FPuzzles(
            "quadruple",
            "cells",
            least=0,
            values=Numbers("values", required=True),
            requires=("four cells", lambda rule, _: len(rule.cells) == 4),
        ),
        SudokuMaker(303, "corner", within="clues", digits=Numbers("values", required=True)),
        Iss("Quad", "corner"),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [ContainsAtLeast(self.scope(puzzle), self.values)]

    phrases = (
        Phrase(
            "corner",
            "quad|circle appear|four",
            may="quad circle some four appear adjacent two-by-two if corner",
        ),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """The digits are written on the corner."""
        for figure in figures:
            values = [int(sign) for sign in figure.text if sign.isdigit()]
            if not values:
                raise ValueError("a circle without digits")
            yield cls(figure.cells, values)


@rule
class ContainsExactly(_Counts):
    """Contains exactly: each of the `values` occurs exactly as often as it is listed.

    Other values may occur any number of times.

    Examples
    --------
    >>> from csp_sudoku import ContainsExactly, Puzzle, count
    >>> count(Puzzle.blank(4).add(ContainsExactly("R1C1 R2C3 R3C4", [1]))).value
    90
    """

    values: WholeNumbers = whole_numbers()
    name = "contains-exactly"

    @property
    def wanted(self) -> Sequence[tuple[int, int]]:
        """The values, each with the number of times that it is listed."""
        return tuple(Counter(self.values).items())

    def describe(self, puzzle: Puzzle) -> str:
        counts = ", ".join(f"{number} times {value}" for value, number in self.wanted)
        return f"the cells {self.listing} contain exactly {counts or 'any values'}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        text = " ".join(map(str, self.values))
        return [pictures.Cage(in_grid(self.cells), f"={text}", "pencil", ())]

    sees, listed = "equality", ("values",)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            ContainsExactly("R1C1 R2C3 R3C4", [1]),
            ContainsExactly("R1C1 R1C2 R2C4 R1C1", [2, 3, 3]),
            ContainsExactly("R1C1", [9]),
        )

    formats = (Iss("ContainExact", "cells", values=Numbers("values", inside=True), once=True),)


@rule
class LookAndSay(_Counts):
    """Look-and-say: the clue 23 means exactly two 3s, and 05 means no 5.

    A clue may have several such pairs of digits. Other values may occur any number of times.

    Examples
    --------
    >>> from csp_sudoku import LookAndSay, Puzzle, count
    >>> count(Puzzle.blank(4).add(LookAndSay("R1C1 R2C3 R3C4", "0112"))).value
    42
    """

    clue: str = text()
    name = "look-and-say"

    def validate(self) -> None:
        """Require that the clue is pairs of digits."""
        clue = self.clue
        if not (clue.isascii() and clue.isdigit()) or len(clue) % 2:
            raise ConstraintError(
                f"{self.label}: its clue must be pairs of digits, as 23 for two 3s, not {clue!r}"
            )

    @property
    def wanted(self) -> Sequence[tuple[int, int]]:
        """The values and numbers of the clue; a value with two numbers can never be right."""
        pairs = zip(self.clue[1::2], self.clue[::2], strict=True)
        return tuple(dict.fromkeys((int(value), int(number)) for value, number in pairs))

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a value with two numbers, too."""
        said = Counter(value for value, _ in self.wanted)
        for value, times in said.items():
            if times > 1:
                return f"{self.label}: its clue {self.clue!r} counts {value} in two ways"
        return super().objection(puzzle)

    def describe(self, puzzle: Puzzle) -> str:
        counts = ", ".join(f"{number} times {value}" for value, number in self.wanted)
        return f"the cells {self.listing} contain exactly {counts}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.Cage(in_grid(self.cells), self.clue, "found", ())]

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        return maker.fields(cls, clue=lambda: _random_clue(maker.rng))

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            LookAndSay("R1C1 R2C3 R3C4", "21"),
            LookAndSay("R1C1 R2C3 R3C4", "0112"),
            LookAndSay("R1C1", "12"),
            LookAndSay("R1C1 R1C2", "39"),
        )

    formats = (
        SudokuMaker(304, "cells", within="cages", least=0, value=Text("clue")),
        Iss("LookAndSay", "cells", clue=Text("clue")),
    )


class CountingCircles(CellConstraint):
    """Counting circles: a value in a circle occurs in that many circles.

    A cell that is listed twice counts once.

    Examples
    --------
    >>> from csp_sudoku import CountingCircles, Puzzle, count
    >>> count(Puzzle.blank(4).add(CountingCircles("R1C1 R2C3 R3C4"))).value
    30
    """

    name = "counting-circles"
    saying = "A digit in a {colour}circle is the number of {colour}circles it appears in."

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        found = Counter(values[place] for place in self.scope(puzzle))
        return all(value == number for value, number in found.items())

    def lower(self, ctx: Lowering) -> None:
        """Add a small automaton for each value: it occurs as often as it says, or never.

        The values that occur sum to the number of circles. That follows, but a solver does not see
        it.
        """
        scope = self.scope(ctx.puzzle)
        values = sorted({value for domain in ctx.domains(scope) for value in domain})
        for value in values:
            accepted = frozenset({0, value})
            add_count(ctx, scope, value, accepted.__contains__, most=max(1, value + 1))
        bits = [occurrence(ctx, scope, value) for value in values]
        ctx.add_sum(bits, len(scope), len(scope), values)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object if no set of values sums to the number of circles."""
        size = len(self.scope(puzzle))
        reached = {0}
        for value in {v for place in self.cells for v in puzzle.values_of(place) if 0 < v <= size}:
            reached |= {total + value for total in reached}
        if size in reached:
            return None
        return f"{self.label}: no set of values sums to {size}, the number of circles"

    def describe(self, puzzle: Puzzle) -> str:
        return f"each value in the circles {self.listing} occurs in that many of them"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        places = dict.fromkeys(in_grid(self.cells))
        return [pictures.Shape(place, "ring", "orange") for place in places]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            CountingCircles("R1C1 R2C3 R3C4"),
            CountingCircles("R1C1 R1C2 R2C3 R2C4 R3C2 R1C1"),
            CountingCircles("R1C1 R1C2"),
        )

    formats = (Iss("CountingCircles", "cells", once=True),)

    phrases = (Phrase("cell", "circle count", may="appear if same", forms="circle"),)

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """All circles belong together."""
        return [cls([figure.cells[0] for figure in figures])]


@rule(init=False)
class CountDistinct(CellConstraint):
    """Count distinct: the first cell is the number of different values in the others.

    Examples
    --------
    >>> from csp_sudoku import CountDistinct, Puzzle, count
    >>> count(Puzzle.blank(4).add(CountDistinct("R1C1 R2C3 R3C4 R4C2"))).value
    72
    """

    cells: Places = some_places(least=2, needs="a cell for the number and at least one to count")
    name = "count-distinct"

    def accepts(self, values: tuple[int, ...]) -> bool:
        return values[0] == len(set(values[1:]))

    def lower(self, ctx: Lowering) -> None:
        """Add a bit for each value, whether it occurs; the first cell is the sum of the bits."""
        number, others = self.cells[0], tuple(dict.fromkeys(self.cells[1:]))
        if ctx.distinct(others):
            ctx.add_condition(number, lambda value: value == len(others))
            return
        if all(isinstance(place, LayerCell) for place in others):
            # Regions to be found are known by their borders before they are by their numbers.
            bits = [self._is_new(ctx, others[:i], other) for i, other in enumerate(others) if i]
            ctx.add_sum([number, *bits], 1, 1, [1, *(-1 for _ in bits)])
            return
        values = sorted({value for domain in ctx.domains(others) for value in domain})
        bits = [occurrence(ctx, others, value) for value in values]
        ctx.add_sum([number, *bits], 0, 0, [-1, *(1 for _ in bits)])

    def _is_new(self, ctx: Lowering, before: Sequence[Place], place: Place) -> Auxiliary:
        """A bit that is 1 if none of the cells before holds the value of a cell."""
        same = [ctx.alike(other, place) for other in before]
        machine = kept_machine(_none, len(same))
        return ctx.auxiliary("new", (0, 1), lambda bit: Regular((*same, bit), machine))

    def describe(self, puzzle: Puzzle) -> str:
        others = " ".join(map(str, self.cells[1:]))
        return f"{self.cells[0]} is the number of different values in {others}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        first, *others = in_grid(self.cells)
        return [pictures.Shape(first, "ring", "gold"), pictures.Shade(tuple(others), "gold")]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            CountDistinct("R1C1 R2C3 R3C4 R4C2"),
            CountDistinct("R1C1 R1C2 R1C3"),
            CountDistinct("R1C1 R1C1 R2C3"),
            CountDistinct("R1C1 R1C2"),
        )

    formats = (Iss("CountDistinct", "cells"),)


def _none(number: int) -> Automaton:
    """The last bit is 1 if all others are 0."""
    return Automaton.from_fold(((0, 1),) * number, 0, max, lambda some: not some).reified()


def _random_clue(rng: Random) -> str:
    """Draw a clue of look and say for the fuzzer."""
    said = rng.sample("012345", rng.randint(1, 2))
    return "".join(f"{rng.randint(0, 3)}{value}" for value in said)
