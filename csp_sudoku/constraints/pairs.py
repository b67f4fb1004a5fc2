"""Rules for pairs of cells: dots, X and V, inequalities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import eq
from typing import TYPE_CHECKING, Any

from csp_sudoku import pictures
from csp_sudoku.cells import Place
from csp_sudoku.constraints.aspects import Look, signs_between
from csp_sudoku.constraints.base import CellConstraint, Constraint, in_grid
from csp_sudoku.constraints.fields import OpenNumber, Places, brief, open_number, rule, some_places
from csp_sudoku.constraints.logic import depends
from csp_sudoku.constraints.pair_tables import Pair
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import AsManyAsCells, Choice, FPuzzles, Iss, Number, SudokuMaker
from csp_sudoku.understanding.phrases import BETWEEN_CELLS, Phrase

if TYPE_CHECKING:
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.pictures.signs import Ground
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


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
        from csp_sudoku.constraints.groups import Clone

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
        Phrase(
            "edge", "letter-x letter-v sum", may=f"or {BETWEEN_CELLS}", text="[xXvV]", numbers=True
        ),
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
            if sentence.numbers:
                total = sentence.letter_sums.get(figure.text.upper(), total)
                if total not in sentence.numbers:
                    raise ValueError(f"{figure.text} does not mean {total}")
            yield cls(figure.cells, total)


def _listed(rule: _Pair, puzzle: Puzzle) -> Pair:
    """The rule as a list of pairs of values."""
    first, second = map(puzzle.values_of, rule.cells)
    return Pair(rule.cells, [(a, b) for a in first for b in second if rule.related(a, b)])


def _is_read(rule: Constraint, puzzle: Puzzle) -> bool:
    """Whether another rule, such as a negative one, depends on this one: it has no other words."""
    return any(depends(other, [rule]) for other in puzzle.constraints)
