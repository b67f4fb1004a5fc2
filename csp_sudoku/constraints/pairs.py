"""Rules for pairs of cells: dots, X and V, inequalities, maxima and minima, tables of pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from operator import eq, gt, lt
from typing import TYPE_CHECKING, Any, ClassVar

from csp_sudoku import pictures
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.aspects import Look, signs_between
from csp_sudoku.constraints.base import (
    MOST_LISTED,
    CellConstraint,
    Constraint,
    in_grid,
    listed_rows,
)
from csp_sudoku.constraints.fields import (
    OneCell,
    OpenNumber,
    Places,
    Read,
    brief,
    number_rows,
    one_place,
    open_number,
    rule,
    some_places,
)
from csp_sudoku.constraints.logic import depends, others_of
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import AsManyAsCells, Choice, FPuzzles, Iss, Number, SudokuMaker
from csp_sudoku.phrases import BETWEEN_CELLS, Phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from csp_encodings.graph import Assignment
    from csp_sudoku.drawings.figures import Figure
    from csp_sudoku.drawings.sentences import Sentence
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.pictures.signs import Ground
    from csp_sudoku.puzzle import Puzzle


class Equal(CellConstraint):
    """Equal cells: all of them hold the same value.

    Examples
    --------
    >>> from csp_sudoku import Equal, Puzzle, count
    >>> count(Puzzle.blank(4).add(Equal("R1C1", "R2C3"))).value
    144
    """

    name = "equal"

    def accepts(self, values: tuple[int, ...]) -> bool:
        return len(set(values)) == 1

    def lower(self, ctx: Lowering) -> None:
        """Add one equality for each cell and the next: cheaper than one wide automaton."""
        for a, b in pairwise(self.cells):
            ctx.add_relation(a, b, eq)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the cells {self.listing} hold the same value"

    look = Look("gold", 0.06, (0.12, 0.12), written=True)
    sees = "equality"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Equal("R1C1 R2C3 R3C2"), Equal("R1C1"))

    formats = (Iss("SameValues", "all equal", when={"parts": AsManyAsCells()}),)

    phrases = (
        Phrase(
            "edge",
            "same|repeats dot|circle|square|diamond",
            may=f"same repeats {BETWEEN_CELLS}",
            text="",
        ),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        from csp_sudoku.constraints.sets import Clone

        return [Clone([[place] for place in self.cells])]


@rule(init=False)
class _Pair(CellConstraint):
    """A rule for exactly two cells."""

    cells: Places = some_places(least=2, most=2)

    def related(self, a: int, b: int) -> bool:
        """Whether the two cells may hold these values."""
        raise ConstraintError(f"{type(self).__name__} must define related()")

    def accepts(self, values: tuple[int, ...]) -> bool:
        return self.related(*values)

    def lower(self, ctx: Lowering) -> None:
        """Add one relation between the two cells."""
        first, second = self.cells
        ctx.add_relation(first, second, self.related)

    def lower_one_of(self, ctx: Lowering, numbers: tuple[int, ...]) -> None:
        """Add one relation: that of one of the numbers."""
        first, second = self.cells
        fields: list[dict[str, Any]] = [{self.open_field: number} for number in numbers]
        ways = [replace(self, **field) for field in fields]
        ctx.add_relation(first, second, lambda a, b: any(way.related(a, b) for way in ways))

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        """The two cells, if no value is related to itself."""
        first, second = self.cells
        both = set(puzzle.values_of(first)).intersection(puzzle.values_of(second))
        apart = first != second and not any(self.related(value, value) for value in both)
        return [self.cells] if apart else []

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object if no two values fit."""
        first, second = self.cells
        pairs = ((a, b) for a in puzzle.values_of(first) for b in puzzle.values_of(second))
        if any(self.related(a, b) for a, b in pairs if first != second or a == b):
            return None
        return f"{self.label}: impossible with the values of this grid: {self.describe(puzzle)}"

    def _dot(self, text: str, ground: Ground = "white") -> list[Mark]:
        """Return the mark of a text between the two cells, in a dot or without one."""
        first, second = in_grid(self.cells)
        return [pictures.Dot(first, second, text, ground)]


class NotEqual(_Pair):
    """Unequal cells: the two hold different values.

    Examples
    --------
    >>> from csp_sudoku import NotEqual, Puzzle, count
    >>> count(Puzzle.blank(4).add(NotEqual("R1C1", "R2C3"))).value
    144
    """

    name = "not-equal"

    def related(self, a: int, b: int) -> bool:
        """Whether the values are different."""
        return a != b

    def lower(self, ctx: Lowering) -> None:
        """Add one all-different factor of two cells."""
        ctx.add_different(self.cells)

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cells[0]} and {self.cells[1]} differ"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._dot("≠", "none")

    sees = "equality"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (NotEqual("R1C1 R2C3"), NotEqual("R1C1 R1C1"))

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        from csp_sudoku.constraints.regions import AllDifferent

        return [AllDifferent(self.cells)] if self.cells[0] != self.cells[1] else []


class GreaterThan(_Pair):
    """Inequality sign: the first cell holds a greater value than the second.

    Examples
    --------
    >>> from csp_sudoku import GreaterThan, Puzzle, count
    >>> count(Puzzle.blank(4).add(GreaterThan("R1C1", "R1C2"))).value
    144
    """

    name = "greater-than"
    aliases = ("inequality", "inequalities")
    saying = "An inequality sign points at the smaller digit."

    def related(self, a: int, b: int) -> bool:
        """Whether the first value is greater."""
        return a > b

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cells[0]} is greater than {self.cells[1]}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.Chevron(*in_grid(self.cells))]

    placing = signs_between()

    def complemented(self, total: int) -> Constraint | None:
        return type(self)(self.cells[::-1])

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (GreaterThan("R1C1 R1C2"), GreaterThan("R1C1 R1C1"))

    formats = (Iss("GreaterThan", "pair"),)

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        from csp_sudoku.constraints.lines import Thermometer

        return [Thermometer(self.cells[::-1])] if self.cells[0] != self.cells[1] else []

    phrases = (
        Phrase("sign", "points-at-less", may="sign arrow end greater less or divide between"),
        Phrase("sign", "sign", may="greater less divide between"),
    )


@rule
class Difference(_Pair):
    """White dot: the two values differ by 1, or by `difference`.

    Examples
    --------
    >>> from csp_sudoku import Difference, Puzzle, count
    >>> count(Puzzle.blank(4).add(Difference("R1C1 R1C2"))).value
    144
    """

    difference: OpenNumber = open_number(default=1, least=0)
    name = "difference"
    aliases = ("white-dot", "white-dots", "kropki-white", "consecutive-dot")
    saying = "Digits separated by a {colour}dot are consecutive."

    def related(self, a: int, b: int) -> bool:
        """Whether the values have the difference."""
        return abs(a - b) == self.difference

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object if no two values have the difference."""
        first, second = map(puzzle.values_of, self.cells)
        largest = max((abs(a - b) for a in first for b in second), default=0)
        if self.difference <= largest:
            return super().objection(puzzle)
        return (
            f"{self.label}: no two values differ by {self.difference}; "
            f"the largest difference here is {largest}"
        )

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cells[0]} and {self.cells[1]} differ by {self.difference}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._dot("" if self.difference == 1 else brief(self.difference))

    placing = signs_between()

    sees = "distance"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Difference("R1C1 R1C2"),
            Difference("R1C1 R2C3", 0),
            Difference("R1C1 R2C3", 9),
            Difference("R1C1 R1C1", 2),
            Difference("R1C1 R2C3", [0, 2]),
            Difference("R1C1 R2C3", "R3C3"),
        )

    formats = (
        FPuzzles("difference", "cells", least=0, value="difference"),
        SudokuMaker(200, "pair", within="clues", value="difference"),
        Iss("WhiteDot", "pair", fixed={"difference": 1}),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [] if _is_read(self, puzzle) else [_listed(self, puzzle)]

    phrases = (
        Phrase(
            "edge",
            "consecutive dot|circle",
            may=f"dot circle {BETWEEN_CELLS}",
            forms="circle",
            text="",
            habit="white",
        ),
        Phrase(
            "edge",
            "difference dot|circle",
            may=f"dot circle {BETWEEN_CELLS}",
            fields={"difference": "number"},
            forms="circle",
            text="",
            habit="white",
        ),
    )


@rule
class Ratio(_Pair):
    """Black dot: one value is twice the other, or `ratio` times.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Ratio, count
    >>> count(Puzzle.blank(4).add(Ratio("R1C1 R1C2"))).value
    96
    """

    ratio: OpenNumber = open_number(default=2, least=1)
    name = "ratio"
    aliases = ("black-dot", "black-dots", "kropki-black")
    saying = "Digits separated by a {colour}dot are in a ratio of 1:2."

    def related(self, a: int, b: int) -> bool:
        """Whether one value is `ratio` times the other."""
        return a == self.ratio * b or b == self.ratio * a

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cells[0]} and {self.cells[1]} are in the ratio 1:{self.ratio}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._dot("" if self.ratio == 2 else brief(self.ratio), "black")

    placing = signs_between()

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Ratio("R1C1 R1C2"),
            Ratio("R1C1 R2C3", 3),
            Ratio("R1C1 R1C1"),
            Ratio("R1C1 R2C3", [2, 4]),
        )

    formats = (
        FPuzzles("ratio", "cells", least=0, value="ratio"),
        SudokuMaker(201, "pair", within="clues", value="ratio"),
        Iss("BlackDot", "pair", fixed={"ratio": 2}),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [] if _is_read(self, puzzle) else [_listed(self, puzzle)]

    phrases = (
        Phrase(
            "edge",
            "ratio dot|circle",
            may=f"dot circle {BETWEEN_CELLS}",
            forms="circle",
            text="",
            habit="black",
        ),
    )


@rule
class PairSum(_Pair):
    """X or V: the two values sum to `total`, which is 10 for an X and 5 for a V.

    Examples
    --------
    >>> from csp_sudoku import PairSum, Puzzle, count
    >>> count(Puzzle.blank(4).add(PairSum("R1C1 R1C2", 5))).value
    96
    """

    total: OpenNumber = open_number()
    name = "pair-sum"
    aliases = ("xv", "x", "v")
    saying = "Digits separated by a {letter} sum to {total}."

    @property
    def letter(self) -> str:
        """The letters that stand for the sum."""
        return {5: "V", 10: "X", 15: "XV"}.get(self.total, f"+{brief(self.total)}")

    def related(self, a: int, b: int) -> bool:
        """Whether the values have the sum."""
        return a + b == self.total

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cells[0]} and {self.cells[1]} sum to {self.total}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._dot(self.letter, "none")

    def complemented(self, total: int) -> Constraint | None:
        return type(self)(self.cells, 2 * total - self.total)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            PairSum("R1C1 R1C2", 5),
            PairSum("R1C1 R2C3", 4),
            PairSum("R1C1 R1C1", 2),
            PairSum("R1C1 R1C2", 10),
            PairSum("R1C1 R1C2", [3, 5]),
        )

    formats = (
        FPuzzles("xv", "cells", least=0, value=Choice("total", {"X": 10, "V": 5})),
        SudokuMaker(202, "pair", within="clues", value=Number("total", required=True)),
        Iss("X", "pair", fixed={"total": 10}),
        Iss("V", "pair", fixed={"total": 5}),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        from csp_sudoku.constraints.cages import Sum

        return [] if _is_read(self, puzzle) else [Sum(self.cells, self.total)]

    phrases = (
        Phrase("edge", "letter-x sum", may=BETWEEN_CELLS, text="[xX]", numbers=True),
        Phrase("edge", "letter-v sum", may=BETWEEN_CELLS, text="[vV]", numbers=True),
        Phrase("edge", "letter-x letter-v sum", may=BETWEEN_CELLS, text="[xXvV]", numbers=True),
        Phrase("edge", "sum between|divide", may=f"sign {BETWEEN_CELLS}", text="[0-9]+"),
        Phrase(
            "edge",
            "sum square",
            may=BETWEEN_CELLS,
            fields={"total": "number"},
            forms="square",
            text="",
        ),
        Phrase(
            "edge",
            "sum dot|circle",
            may=BETWEEN_CELLS,
            fields={"total": "number"},
            forms="circle",
            text="",
        ),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """An X is 10 and a V is 5, unless the sentence says another number."""
        for figure in figures:
            usual = int(figure.text) if figure.text.isdigit() else 0
            total = fields.get("total", {"X": 10, "V": 5}.get(figure.text.upper(), usual))
            if len(sentence.numbers) == 1 and not {"letter-x", "letter-v"} <= sentence.concepts:
                total = sentence.numbers[0]
            if sentence.numbers and total not in sentence.numbers:
                raise ValueError(f"{figure.text} does not mean {total}")
            yield cls(figure.cells, total)


@rule
class _Extreme(Constraint):
    """A cell that beats its orthogonal neighbours, except those that carry the same mark."""

    cell: OneCell = one_place(on_grid=True)
    beats: ClassVar[Callable[[int, int], bool]]

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return (self.cell, *self.rivals(puzzle))

    def rivals(self, puzzle: Puzzle) -> list[Cell]:
        """The neighbours that it beats."""
        marked = {mark.cell for mark in others_of(self, puzzle, _Extreme)}
        return [place for place in puzzle.neighbours(self.cell) if place not in marked]

    @classmethod
    def reads(cls) -> tuple[type[Constraint], ...]:
        return (cls,)

    def depends_on(self, other: Constraint) -> bool:
        if not isinstance(other, type(self)):
            return False
        rows, columns = self.cell.row - other.cell.row, self.cell.col - other.cell.col
        return abs(rows) + abs(columns) == 1

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        beats = type(self).beats
        return all(beats(values[self.cell], values[rival]) for rival in self.rivals(puzzle))

    def lower(self, ctx: Lowering) -> None:
        """Add one relation for each neighbour."""
        for rival in self.rivals(ctx.puzzle):
            ctx.add_relation(self.cell, rival, type(self).beats)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [(self.cell, rival) for rival in self.rivals(puzzle)]

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The neighbours that it does not beat, each with the cell."""
        if self.cell in values:
            for rival in self.rivals(puzzle):
                if rival in values and not type(self).beats(values[self.cell], values[rival]):
                    yield self.cell, rival

    @property
    def label(self) -> str:
        return f"{self.name} at {self.cell}"

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A shaded cell that beats its neighbours."""
        return [cls(figure.cells[0]) for figure in figures]


class Maximum(_Extreme):
    """Maximum: the cell is greater than its orthogonal neighbours, other maxima excepted.

    Examples
    --------
    >>> from csp_sudoku import Maximum, Puzzle, count
    >>> count(Puzzle.blank(4).add(Maximum("R1C1"))).value
    96
    """

    name = "maximum"
    saying = "A digit in a {colour}shaded cell is greater than its orthogonal neighbours."
    beats = gt

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cell} is greater than its orthogonal neighbours"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.Wedges(self.cell, outward=True)]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Maximum("R1C1"), Maximum("R2C2"))

    formats = (
        FPuzzles("maximum", "extreme"),
        SudokuMaker(102, "extreme"),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [GreaterThan(self.cell, rival) for rival in self.rivals(puzzle)]

    phrases = (
        Phrase(
            "cell",
            "greater-than-neighbours",
            may="unshaded shaded sign adjacent neighbours square",
            forms="shade",
        ),
    )


class Minimum(_Extreme):
    """Minimum: the cell is less than its orthogonal neighbours, other minima excepted.

    Examples
    --------
    >>> from csp_sudoku import Minimum, Puzzle, count
    >>> count(Puzzle.blank(4).add(Minimum("R1C1"))).value
    96
    """

    name = "minimum"
    saying = "A digit in a {colour}shaded cell is less than its orthogonal neighbours."
    beats = lt

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cell} is less than its orthogonal neighbours"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.Wedges(self.cell, outward=False)]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Minimum("R1C1"), Minimum("R2C2"))

    formats = (
        FPuzzles("minimum", "extreme"),
        SudokuMaker(103, "extreme"),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [GreaterThan(rival, self.cell) for rival in self.rivals(puzzle)]

    phrases = (
        Phrase(
            "cell",
            "less-than-neighbours",
            may="unshaded shaded sign adjacent neighbours square",
            forms="shade",
        ),
    )


@rule
class Pair(CellConstraint):
    """Allowed pairs: every two successive cells hold one of the `allowed` pairs of values.

    Examples
    --------
    >>> from csp_sudoku import Pair, Puzzle, count
    >>> rising = [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
    >>> count(Puzzle.blank(4).add(Pair("R1C1-R1C3", rising))).value
    48
    """

    allowed: Read[Iterable[tuple[int, int]], tuple[tuple[int, int], ...]] = number_rows(
        form="first value, second value", as_set=True
    )
    name = "pair"

    def pairs(self) -> Iterable[tuple[Place, Place]]:
        """The pairs of cells that the table is for."""
        return pairwise(self.cells)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return all((values[a], values[b]) in self.allowed for a, b in self.pairs())

    def lower(self, ctx: Lowering) -> None:
        """Add one relation for each pair of cells."""
        allowed = frozenset(self.allowed)

        def related(a: int, b: int) -> bool:
            return (a, b) in allowed

        for a, b in self.pairs():
            ctx.add_relation(a, b, related)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        if any(a == b for a, b in self.allowed):
            return []
        return [(a, b) for a, b in self.pairs() if a != b]

    def describe(self, puzzle: Puzzle) -> str:
        pairs = listed_rows(self.allowed, "allowed pairs")
        return f"successive cells of {self.listing} hold {pairs}"

    @property
    def is_told(self) -> bool:
        return len(self.allowed) <= MOST_LISTED

    look = Look("teal", 0.06, (0.04, 0.12), head=True, written=True)
    sees, listed = "equality", ("allowed",)

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        return {"cells": maker.line(maker.rng.randint(1, 4)), "allowed": maker.pairs()}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        table = [(1, 2), (2, 3), (3, 1), (3, 3), (0, 1)]
        return (
            Pair("R1C1 R2C3 R3C2", table),
            Pair("R1C1 R2C3 R1C1", table),
            Pair("R1C1", table),
            Pair("R1C1 R1C2", []),
        )

    formats = (
        Iss("Pair", "table"),
        Iss("Binary", "old table", read_only=True),
    )

    phrases: ClassVar[tuple[Phrase, ...]] = (
        Phrase(
            "edge",
            "dot|square|diamond|circle "
            "consecutive|non-consecutive|even|odd|sum|difference|ratio|either|alternate",
            may=f"or letter-x letter-v at-least parity {BETWEEN_CELLS}",
            text="",
            numbers=True,
            general=True,
        ),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A mark of the setter's own: everything that the sentence says of the two values."""
        tests = list(_tests_of_two(sentence))
        if not tests:
            raise ValueError("nothing is said of the two values")
        if "either" in sentence.concepts and "or" not in sentence.concepts:
            raise ValueError("either, or what else")
        if len(tests) > 1 and len(sentence.colours) > 1:
            raise ValueError("it is not clear which colour means what")
        combine = any if len(tests) > 1 and sentence.concepts & {"or", "either"} else all
        pairs = [(a, b) for a in grid.values for b in grid.values]
        allowed = [pair for pair in pairs if combine(test(*pair) for test in tests)]
        if not allowed:
            raise ValueError("no two values are so")
        return [cls(figure.cells, allowed) for figure in figures]


class AllPairs(Pair):
    """Allowed pairs of all cells: any two of them, in order, hold one of the `allowed` pairs.

    Examples
    --------
    >>> from csp_sudoku import AllPairs, Puzzle, count
    >>> apart = [(a, b) for a in range(1, 5) for b in range(1, 5) if abs(a - b) > 1]
    >>> count(Puzzle.blank(4).add(AllPairs("R1C1 R1C2", apart))).value
    144
    """

    name = "all-pairs"
    phrases = ()

    def pairs(self) -> Iterable[tuple[Place, Place]]:
        """Every two cells of the list."""
        return combinations(self.cells, 2)

    def describe(self, puzzle: Puzzle) -> str:
        pairs = listed_rows(self.allowed, "allowed pairs")
        return f"any two cells of {self.listing}, in this order, hold {pairs}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._described(puzzle)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        table = [(1, 2), (2, 3), (1, 3), (3, 3), (0, 1), (0, 0)]
        return (
            AllPairs("R1C1 R2C3 R3C2", table),
            AllPairs("R1C1 R2C3 R1C1", table),
            AllPairs("R1C1", []),
        )

    formats = (
        Iss("PairX", "symmetric table"),
        Iss("BinaryX", "old symmetric table", read_only=True),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [Pair(pair, self.allowed) for pair in self.pairs()]


def _listed(rule: _Pair, puzzle: Puzzle) -> Pair:
    """The rule as a list of pairs of values."""
    first, second = map(puzzle.values_of, rule.cells)
    return Pair(rule.cells, [(a, b) for a in first for b in second if rule.related(a, b)])


def _is_read(rule: Constraint, puzzle: Puzzle) -> bool:
    """Whether another rule, such as a negative one, depends on this one: it has no other words."""
    return any(depends(other, [rule]) for other in puzzle.constraints)


def _tests_of_two(sentence: Sentence) -> Iterator[Callable[[int, int], bool]]:
    """What a sentence says of the two values beside a mark."""
    said, numbers = sentence.concepts, set(sentence.numbers)
    if numbers and not said & {"sum", "difference", "either"}:
        raise ValueError("it is not clear what the numbers are")
    letters = {"letter-x": 10, "letter-v": 5}
    totals = {total for letter, total in letters.items() if letter in said}
    if "sum" in said:
        totals |= numbers
        if not totals or (len(totals) > 1 and "or" not in said):
            raise ValueError("it is not clear what the two values sum to")
    if totals:
        yield lambda a, b: a + b in totals
    plain: dict[str, Callable[[int, int], bool]] = {
        "non-consecutive": lambda a, b: abs(a - b) != 1,
        "consecutive": lambda a, b: abs(a - b) == 1,
        "ratio": lambda a, b: a == 2 * b or b == 2 * a,
    }
    yield from (test for concept, test in plain.items() if concept in said)
    if {"even", "odd"} <= said or "alternate" in said:
        yield lambda a, b: (a - b) % 2 == 1
    elif said & {"even", "odd"}:
        rest = int("odd" in said)
        yield lambda a, b: a % 2 == b % 2 == rest
    if "difference" in said:
        if (sentence.at_least is None) == (len(numbers) != 1):
            raise ValueError("it is not clear by how much the two values differ")
        least, most = (sentence.at_least, 99) if sentence.at_least is not None else 2 * (*numbers,)
        yield lambda a, b: least <= abs(a - b) <= most
