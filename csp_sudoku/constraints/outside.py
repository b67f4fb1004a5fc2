"""Clues outside the grid: little killers, sandwiches, X-sums, skyscrapers and others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from csp_encodings.factors import Domain
from csp_sudoku import pictures
from csp_sudoku.cells import DIAGONALS, Cell, Place
from csp_sudoku.constraints.aspects import Placing, numbers_outside
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.cages import Sum
from csp_sudoku.constraints.counting import add_count
from csp_sudoku.constraints.fields import (
    OneCell,
    OpenNumber,
    WholeNumbers,
    brief,
    flag,
    one_place,
    open_number,
    rule,
    whole_numbers,
    word,
)
from csp_sudoku.constraints.line_clue import Line, LineClue, SideClue, only_grid
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import FPuzzles, Iss, Number, SudokuMaker
from csp_sudoku.phrases import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from csp_encodings.graph import Assignment
    from csp_sudoku.drawings.figures import Figure
    from csp_sudoku.drawings.sentences import Sentence
    from csp_sudoku.generating.easel import Easel
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle


# The state of a sandwich: before, between or after its crusts; the first crust; the missing sum.
_Filling = tuple[str, int, int]


@rule
class LittleKiller(Constraint):
    """Little killer: the diagonal that begins at a cell sums to `sum`. Values may repeat.

    The direction is one of ``NE``, ``SE``, ``SW`` and ``NW``.

    Examples
    --------
    >>> from csp_sudoku import LittleKiller, Puzzle, count
    >>> count(Puzzle.blank(4).add(LittleKiller("R2C1", "SE", 5))).value
    24
    """

    start: OneCell = one_place(on_grid=True)
    direction: str = word(*DIAGONALS)
    sum: OpenNumber = open_number()
    name = "little-killer"
    aliases = ("little-killers", "little-killer-sum")
    saying = (
        "A {colour}clue outside the grid is the sum of the diagonal that its arrow points along."
    )

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        """The diagonal, from its start to the edge of the grid."""
        only_grid(self, puzzle)
        if not puzzle.has(self.start):
            raise ConstraintError(f"{self.label}: {puzzle.no_such_place(self.start)}")
        return puzzle.ray(self.start, self.direction)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return sum(values[place] for place in self.scope(puzzle)) == self.sum

    def lower(self, ctx: Lowering) -> None:
        """Add one linear factor."""
        ctx.add_sum(self.scope(ctx.puzzle), self.sum, self.sum)

    def lower_one_of(self, ctx: Lowering, numbers: tuple[int, ...]) -> None:
        """Lower the sum of the diagonal."""
        self._sum_of(ctx.puzzle, numbers).lower(ctx)

    def linked(self, place: Place, puzzle: Puzzle) -> tuple[Constraint, ...]:
        return (self._sum_of(puzzle, place),)

    def _sum_of(self, puzzle: Puzzle, total: int | Place | tuple[int, ...]) -> Sum:
        """The sum of the diagonal; a number that is open is no part of the diagonal."""
        return Sum(replace(self, sum=0).scope(puzzle), total)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a sum that is too small or too large."""
        values = puzzle.grids[0].values
        size = len(self.scope(puzzle))
        low, high = size * values[0], size * values[-1]
        if low <= self.sum <= high:
            return None
        return f"{self.label}: sum {self.sum} is impossible for {size} cells ({low} to {high})"

    @property
    def label(self) -> str:
        return f"{self.name} at {self.start} {self.direction}"

    def describe(self, puzzle: Puzzle) -> str:
        diagonal = " ".join(map(str, self._sum_of(puzzle, 0).cells))
        return f"the diagonal {diagonal} sums to {self.sum}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.DiagonalClue(self.start, self.direction, brief(self.sum))]

    placing = Placing(in_three_rows=3)

    @classmethod
    def propose(cls, easel: Easel) -> Constraint | None:
        """Draw a diagonal that begins at the edge, and add it up."""
        start = easel.cell()
        direction = easel.chance.choice(tuple(DIAGONALS))
        grid = easel.puzzle.grids[0]
        edges = (grid.top, grid.top + grid.rows - 1, grid.left, grid.left + grid.columns - 1)
        row, column = edges["SN".index(direction[0])], edges[2 + "EW".index(direction[1])]
        if start.row != row and start.col != column:
            return None
        diagonal = cls(start, direction, 0).scope(easel.puzzle)
        total = sum(map(easel.value, diagonal))
        return cls(start, direction, total) if len(diagonal) > 1 else None

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            LittleKiller("R1C1", "SE", 10),
            LittleKiller("R2C1", "NE", 5),
            LittleKiller("R1C4", "SW", 99),
            LittleKiller("R3C3", "NW", 0),
            LittleKiller("R1C1", "NW", 3),
        )

    formats = (
        FPuzzles("littlekillersum", "diagonal clue", value=Number("sum", none=0, required=True)),
        SudokuMaker(500, "diagonal clue", within="clues", value=Number("sum", required=True)),
        Iss("LittleKiller", "diagonal clue", sum="sum"),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [self._sum_of(puzzle, self.sum)]

    phrases = (
        Phrase(
            "outside",
            "sum diagonal",
            may="outside arrow little-killer may-repeat points same",
        ),
        Phrase("outside", "sum arrow outside", may="may-repeat points same"),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A number with a small arrow, which points along the diagonal."""
        for figure in figures:
            [outside] = figure.cells
            step = next((s for s in figure.pointing if 0 not in s), None)
            if step is None:
                raise ValueError("a clue without a diagonal arrow")
            name = next(name for name, known in DIAGONALS.items() if known == step)
            yield cls(Cell(outside.row + step[0], outside.col + step[1]), name, int(figure.text))


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
class Skyscraper(SideClue):
    """Skyscraper: `count` values of the line are greater than all values before them.

    The values are heights of buildings, and `count` of them are visible from the side. A value of 0
    or less is not a building.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Skyscraper, count
    >>> count(Puzzle.blank(4).add(Skyscraper("R1", 2), Skyscraper("R1", 3, reverse=True))).value
    36
    """

    count: OpenNumber = open_number()
    reverse: bool = flag(default=False)
    name = "skyscraper"
    aliases = ("skyscrapers",)
    saying = "A {colour}clue outside the grid is the number of skyscrapers seen from there."

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        return self.count == sum(height > max((0, *line[:i])) for i, height in enumerate(line))

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers the highest building and how many are still to come."""
        line = self.cells(ctx.puzzle)
        values = ctx.puzzle.grids[0].values
        # Among k different values, the greatest is at least the k-th of all values.
        floor = values if ctx.distinct(line) and len(line) <= len(values) else (0,) * len(line)

        def step(state: tuple[int, int], value: int, position: int) -> tuple[int, int] | None:
            highest, missing = state
            if value > highest:
                highest, missing = value, missing - 1
            return (highest, missing) if missing >= 0 and highest >= floor[position] else None

        ctx.add_fold(line, (0, self.count), step, lambda state: state[1] == 0, positional=True)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a count that is too small or too large."""
        values = puzzle.grids[0].values
        most = min(len(self.cells(puzzle)), sum(value > 0 for value in values))
        least = min(1, most) if values[0] > 0 else 0
        if least <= self.count <= most:
            return None
        return f"{self.label}: {self.count} visible buildings are impossible ({least} to {most})"

    def describe(self, puzzle: Puzzle) -> str:
        return f"in {self._place} {self.count} buildings are visible"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [self._clue(puzzle, brief(self.count), "tower")]

    placing = numbers_outside()

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Skyscraper("R1", 2),
            Skyscraper("C2", 3, reverse=True),
            Skyscraper("R2", 0),
            Skyscraper("C3", 9),
        )

    formats = (
        FPuzzles("skyscraper", "side clue", value=Number("count", required=True)),
        SudokuMaker(503, "side clue", within="clues", value=Number("count", required=True)),
        Iss("Skyscraper", "side clue", count=Number("count", least=1)),
    )

    phrases = (
        Phrase(
            "outside",
            "skyscraper|seen count",
            may="outside row column seen skyscraper greater less hide or",
        ),
    )


@rule
class HiddenSkyscraper(SideClue):
    """Hidden skyscraper: the first hidden building of the line has the height `value`.

    A building is hidden if one before it is as high or higher. At least one is hidden. Every value
    is a height here, also 0.

    Examples
    --------
    >>> from csp_sudoku import HiddenSkyscraper, Puzzle, count
    >>> count(Puzzle.blank(4).add(HiddenSkyscraper("R1", 3))).value
    60
    """

    value: OpenNumber = open_number()
    reverse: bool = flag(default=False)
    name = "hidden-skyscraper"
    aliases = ("hidden-skyscrapers",)

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        hidden = (v for i, v in enumerate(line) if i and v <= max(line[:i]))
        return next(hidden, None) == self.value

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers the highest building until one is hidden."""
        nothing, found, wanted = "nothing", "found", self.value

        def step(highest: int | str, value: int) -> int | str | None:
            if highest == found:
                return found
            if isinstance(highest, str) or value > highest:
                return value
            return found if value == wanted else None

        ctx.add_fold(self.cells(ctx.puzzle), nothing, step, lambda state: state == found)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a height that does not occur, or that nothing can hide."""
        values = puzzle.grids[0].values
        if self.value not in values:
            return f"{self.label}: {self.value} is not a value of this grid"
        if self._is_house(puzzle) and self.value == values[-1]:
            return f"{self.label}: {self.value}, the greatest value, is never hidden"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"in {self._place} the first hidden building is {self.value}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [self._clue(puzzle, brief(self.value), "dashed")]

    placing = numbers_outside()

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            HiddenSkyscraper("R1", 2),
            HiddenSkyscraper("C2", 1, reverse=True),
            HiddenSkyscraper("R2", 5),
            HiddenSkyscraper("C3", 0),
        )

    formats = (Iss("HiddenSkyscraper", "side clue", value=Number("value", least=0)),)


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
