"""Clues outside the grid: sandwiches, X-sums, numbered rooms and others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from csp_encodings.factors import Domain
from csp_sudoku.constraints.aspects import numbers_outside
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.counting import add_count
from csp_sudoku.constraints.fields import (
    OpenNumber,
    WholeNumbers,
    brief,
    flag,
    open_number,
    rule,
    whole_numbers,
)
from csp_sudoku.constraints.line_clue import Line, LineClue, SideClue
from csp_sudoku.forms import FPuzzles, Iss, Number, SudokuMaker
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


# The state of a sandwich: before, between or after its crusts; the first crust; the missing sum.
_Filling = tuple[str, int, int]


@rule
class Sandwich(LineClue):
    """Sandwich: the values between the least and the greatest value of the grid sum to `sum`.

    Both of these occur once in the line: on 9×9 the sum is that between the 1 and the 9.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Sandwich, count
    >>> count(Puzzle.blank(4).add(Sandwich("R1", 5))).value
    48
    """

    sum: OpenNumber = open_number()
    name = "sandwich"
    aliases = ("sandwiches", "sandwich-sum")
    saying = (
        "A {colour}clue outside the grid is the sum of the digits between {least} and {greatest}."
    )

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        crusts = [i for i, value in enumerate(line) if value in (values[0], values[-1])]
        if len(crusts) != 2 or line[crusts[0]] == line[crusts[1]]:
            return False
        return sum(line[crusts[0] + 1 : crusts[1]]) == self.sum

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers the first crust and what is missing in the sum."""
        line = self.cells(ctx.puzzle)
        values = ctx.puzzle.grids[0].values
        crusts = (values[0], values[-1])
        reach = _part_reach(values[1:-1], len(line), ctx.distinct(line))
        before: _Filling = ("before", 0, 0)
        after: _Filling = ("after", 0, 0)
        total, length = self.sum, len(line)

        def step(state: _Filling, value: int, position: int) -> _Filling | None:
            where, first, left = state
            if value in crusts:
                if state == before:
                    return "between", value, total
                return after if where == "between" and value != first and left == 0 else None
            if where != "between":
                return state
            low, high = reach[length - position - 1]
            return (where, first, left - value) if low <= left - value <= high else None

        ctx.add_fold(line, before, step, lambda state: state == after, positional=True)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a sum that is too small or too large."""
        grid = puzzle.grids[0]
        size = len(self.cells(puzzle))
        reach = _part_reach(grid.values[1:-1], max(0, size - 2), self._is_house(puzzle))
        low, high = reach[-1]
        if low <= self.sum <= high:
            return None
        return f"{self.label}: sum {self.sum} is impossible ({low} to {high})"

    def describe(self, puzzle: Puzzle) -> str:
        values = puzzle.grids[0].values
        return f"the values between {values[0]} and {values[-1]} in {self.line} sum to {self.sum}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [self._clue(puzzle, brief(self.sum))]

    placing = numbers_outside(sides=False)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Sandwich("R1", 3), Sandwich("C2", 0), Sandwich("C1", 99), Sandwich("R3", -1))

    formats = (
        FPuzzles("sandwichsum", "line clue", value=Number("sum", required=True)),
        SudokuMaker(501, "line clue", within="clues", value=Number("sum", required=True)),
        Iss("Sandwich", "line clue", sum="sum"),
    )

    phrases = (
        Phrase(
            "outside",
            "sum between outside|sandwich",
            may="outside sandwich row column line or digits-range exclusive",
            numbers=True,
        ),
        Phrase("outside", "sandwich", may="outside row column or sum", numbers=True),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A number beside a row or a column; only between the least and the greatest value."""
        ends = [grid.values[0], grid.values[-1]]
        if sentence.numbers and sorted(sentence.numbers) != ends:
            raise ValueError("a sandwich between other values")
        return [cls(figure.line_beside(grid)[0], int(figure.text)) for figure in figures]


@rule
class XSum(SideClue):
    """X-sum: the first X values of the line sum to `sum`, where X is the first value.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, XSum, count
    >>> count(Puzzle.blank(4).add(XSum("R1", 5))).value
    24
    """

    sum: OpenNumber = open_number()
    reverse: bool = flag(default=False)
    name = "x-sum"
    aliases = ("x-sums",)
    saying = (
        "A {colour}clue outside the grid is the sum of the first X digits, where X is the first."
    )

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        return 1 <= line[0] <= len(line) and sum(line[: line[0]]) == self.sum

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers how many values still count and what is missing."""
        line = self.cells(ctx.puzzle)
        values, distinct = ctx.puzzle.grids[0].values, ctx.distinct(line)
        firsts = self._firsts(values, len(line), distinct)
        reach = _reach(values, len(line), distinct)
        total = self.sum

        def step(state: tuple[int, int], value: int, position: int) -> tuple[int, int] | None:
            number, left = state
            if position == 0:
                return (value - 1, total - value) if value in firsts else None
            if number == 0:
                return state
            number, left = number - 1, left - value
            low, high = reach[number]
            return (number, left) if low <= left <= high else None

        ctx.add_fold(line, (0, 0), step, lambda state: True, positional=True)

    def _firsts(self, values: Domain, size: int, distinct: bool) -> list[int]:
        """The first values with which the sum is possible."""
        found = []
        for first in values:
            if 1 <= first <= size:
                others = tuple(v for v in values if v != first) if distinct else values
                low, high = _reach(others, first - 1, distinct)[-1]
                if low <= self.sum - first <= high:
                    found.append(first)
        return found

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a sum that no first value allows."""
        size = len(self.cells(puzzle))
        if self._firsts(puzzle.grids[0].values, size, self._is_house(puzzle)):
            return None
        return f"{self.label}: sum {self.sum} is impossible, whatever its first value is"

    def describe(self, puzzle: Puzzle) -> str:
        return f"in {self._place} the first X values sum to {self.sum}, where X is the first value"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [self._clue(puzzle, f"X{brief(self.sum)}", "pill")]

    placing = numbers_outside()

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (XSum("R1", 5), XSum("C2", 6, reverse=True), XSum("R2", 99), XSum("C3", 1))

    formats = (
        FPuzzles("xsum", "side clue", value=Number("sum", required=True)),
        SudokuMaker(502, "side clue", within="clues", value=Number("sum", required=True)),
        Iss("XSum", "side clue", sum=Number("sum", least=1)),
    )

    phrases = (
        Phrase(
            "outside", "x-sum|outside sum first letter-x", may="row column outside x-sum or same"
        ),
        Phrase("outside", "x-sum", may="outside row column or"),
    )


@rule
class NumberedRoom(SideClue):
    """Numbered room: the first value says at which position of the line `value` stands.

    Examples
    --------
    >>> from csp_sudoku import NumberedRoom, Puzzle, count
    >>> count(Puzzle.blank(4).add(NumberedRoom("R1", 3))).value
    48
    """

    value: OpenNumber = open_number()
    reverse: bool = flag(default=False)
    name = "numbered-room"
    aliases = ("numbered-rooms",)

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        return 1 <= line[0] <= len(line) and line[line[0] - 1] == self.value

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers the position until it gets there."""
        line = self.cells(ctx.puzzle)
        length, wanted, done = len(line), self.value, 0

        def step(room: int, value: int, position: int) -> int | None:
            if position == 0:
                room = value
                if not 1 <= room <= length:
                    return None
            if room == position + 1:
                return done if value == wanted else None
            return room

        ctx.add_fold(line, done, step, lambda room: True, positional=True)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a clue that is not a value of the grid."""
        if self.value not in puzzle.grids[0].values:
            return f"{self.label}: {self.value} is not a value of this grid"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"in {self._place} the first value is the position of {self.value}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [self._clue(puzzle, brief(self.value), "circle")]

    placing = numbers_outside()

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            NumberedRoom("R1", 3),
            NumberedRoom("C2", 1, reverse=True),
            NumberedRoom("R2", 0),
            NumberedRoom("C3", 9),
        )

    phrases = (
        Phrase("outside", "outside nth first", may="row column or numbered-room"),
        Phrase("outside", "numbered-room", may="outside row column or"),
    )

    formats = (
        SudokuMaker(504, "side clue", within="clues", value=Number("value", required=True)),
        Iss("NumberedRoom", "side clue", value=Number("value", least=0)),
    )


@rule
class Outside(SideClue):
    """Outside clue: each of the `values` is among the first three of the line.

    Examples
    --------
    >>> from csp_sudoku import Outside, Puzzle, count
    >>> count(Puzzle.blank(4).add(Outside("R1", [1, 2]))).value
    144
    """

    values: WholeNumbers = whole_numbers()
    reverse: bool = flag(default=False)
    name = "outside"

    def cells(self, puzzle: Puzzle) -> Line:
        return super().cells(puzzle)[:3]

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        return set(self.values) <= set(line)

    def lower(self, ctx: Lowering) -> None:
        """Add a small automaton for each value."""
        for value in dict.fromkeys(self.values):
            add_count(ctx, self.cells(ctx.puzzle), value, bool, most=1)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a clue that is not a value of the grid, or more clues than cells."""
        for value in self.values:
            if value not in puzzle.grids[0].values:
                return f"{self.label}: {value} is not a value of this grid"
        size = len(self.cells(puzzle))
        number = len(set(self.values))
        if number > size:
            return f"{self.label}: {number} values are too many for {size} cells"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        shown = ", ".join(map(str, self.values)) or "no value"
        return f"in {self._place} {shown} must be among the first three values"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [self._clue(puzzle, " ".join(map(str, self.values)), "square")]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Outside("R1", (1, 2)),
            Outside("C2", (0,), reverse=True),
            Outside("R2", (-2, 0, 5)),
            Outside("C3", (1, 2, 3, 4)),
        )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        from csp_sudoku.constraints.sets import ContainsAtLeast

        return [ContainsAtLeast(self.cells(puzzle), dict.fromkeys(self.values))]


@rule
class BeforeGreatest(SideClue):
    """Before nine: the values before the greatest value of the grid sum to `sum`.

    The greatest value occurs in the line.

    Examples
    --------
    >>> from csp_sudoku import BeforeGreatest, Puzzle, count
    >>> count(Puzzle.blank(4).add(BeforeGreatest("R1", 3))).value
    48
    """

    sum: OpenNumber = open_number()
    reverse: bool = flag(default=False)
    name = "before-greatest"
    aliases = ("before-nine", "before-9")

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        if values[-1] not in line:
            return False
        return sum(line[: line.index(values[-1])]) == self.sum

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers what is missing in the sum."""
        line = self.cells(ctx.puzzle)
        length = len(line)
        *smaller, greatest = ctx.puzzle.grids[0].values
        reach = _part_reach(tuple(smaller), length, ctx.distinct(line))
        done = "done"

        def step(left: int | str, value: int, position: int) -> int | str | None:
            if isinstance(left, str):
                return left
            if value == greatest:
                return done if left == 0 else None
            low, high = reach[length - position - 1]
            return left - value if low <= left - value <= high else None

        ctx.add_fold(line, self.sum, step, lambda state: state == done, positional=True)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a sum that is too small or too large."""
        grid = puzzle.grids[0]
        size = len(self.cells(puzzle))
        low, high = _part_reach(grid.values[:-1], size - 1, self._is_house(puzzle))[-1]
        if low <= self.sum <= high:
            return None
        return f"{self.label}: sum {self.sum} is impossible ({low} to {high})"

    def describe(self, puzzle: Puzzle) -> str:
        return f"in {self._place} the values before {puzzle.grids[0].values[-1]} sum to {self.sum}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [self._clue(puzzle, f"<{brief(self.sum)}")]

    placing = numbers_outside()

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            BeforeGreatest("R1", 3),
            BeforeGreatest("C2", 0, reverse=True),
            BeforeGreatest("R2", 99),
            BeforeGreatest("C3", -3),
        )


def _reach(values: Domain, size: int, distinct: bool) -> list[tuple[int, int]]:
    """For 0, 1, …, `size` values, their least and their greatest sum."""
    if values and not distinct:
        return [(k * values[0], k * values[-1]) for k in range(size + 1)]
    # There are not enough different values: an empty range.
    return [
        (sum(values[:k]), sum(values[len(values) - k :])) if k <= len(values) else (1, 0)
        for k in range(size + 1)
    ]


def _part_reach(values: Domain, size: int, distinct: bool) -> list[tuple[int, int]]:
    """For at most 0, 1, …, `size` values, their least and their greatest sum."""
    exact = _reach(values, size if values else 0, distinct)
    exact += [(0, 0)] * (size + 1 - len(exact))
    return [
        (min(low for low, _ in exact[: k + 1]), max(high for _, high in exact[: k + 1]))
        for k in range(size + 1)
    ]
