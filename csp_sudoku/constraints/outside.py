"""Clues outside the grid, for a row, a column or a diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from csp_encodings.factors import Domain
from csp_sudoku.cells import Cell, Place, cell
from csp_sudoku.constraints.base import Constraint, Values, check_int, read_ints
from csp_sudoku.constraints.counting import add_count
from csp_sudoku.constraints.line_clue import Line, LineClue, SideClue, only_grid
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle

# Where a sandwich is being read, its first crust, and what is left of its filling.
_Filling = tuple[str, int, int]

_STEPS = {"NE": (-1, 1), "SE": (1, 1), "SW": (1, -1), "NW": (-1, -1)}


@dataclass(frozen=True)
class LittleKiller(Constraint):
    """The diagonal from a cell at the edge on sums to the clue; values may repeat.

    The direction is one of ``NE``, ``SE``, ``SW`` and ``NW``.

    Examples
    --------
    >>> from csp_sudoku import LittleKiller, Puzzle, count
    >>> count(Puzzle.blank(4).add(LittleKiller("R2C1", "SE", 5))).value
    24
    """

    start: Cell
    direction: str
    sum: int
    name = "little-killer"

    def __init__(self, start: str | Place, direction: str, sum: int) -> None:
        object.__setattr__(self, "start", cell(start))
        object.__setattr__(self, "direction", str(direction).upper())
        object.__setattr__(self, "sum", sum)
        if not isinstance(self.start, Cell):
            raise ConstraintError(f"{self.label}: a diagonal begins in a cell of the grid")
        if self.direction not in _STEPS:
            raise ConstraintError(
                f"{self.label}: its direction is one of {', '.join(_STEPS)}, not {direction!r}"
            )
        check_int(self.label, "sum", self.sum)

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        """The diagonal, from its start to the edge of the grid."""
        inside = set(only_grid(self, puzzle).cells)
        if self.start not in inside:
            raise ConstraintError(f"{self.label}: {puzzle.no_such_place(self.start)}")
        rows, columns = _STEPS[self.direction]
        diagonal, place = [], self.start
        while place in inside:
            diagonal.append(place)
            place = Cell(place.row + rows, place.col + columns)
        return tuple(diagonal)

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return sum(values[place] for place in self.scope(puzzle)) == self.sum

    def lower(self, ctx: Lowering) -> None:
        """One linear factor."""
        ctx.add_sum(self.scope(ctx.puzzle), self.sum, self.sum)

    def objection(self, puzzle: Puzzle) -> str | None:
        """A sum out of reach."""
        values = puzzle.grids[0].values
        size = len(self.scope(puzzle))
        low, high = size * values[0], size * values[-1]
        if low <= self.sum <= high:
            return None
        return f"{self.label}: {size} cells cannot sum to {self.sum} ({low} to {high})"

    @property
    def label(self) -> str:
        return f"{self.name} at {self.start} {self.direction}"

    def describe(self, puzzle: Puzzle) -> str:
        diagonal = " ".join(map(str, self.scope(puzzle)))
        return f"the diagonal {diagonal} sums to {self.sum}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            LittleKiller("R1C1", "SE", 10),
            LittleKiller("R2C1", "NE", 5),
            LittleKiller("R1C4", "SW", 99),
            LittleKiller("R3C3", "NW", 0),
            LittleKiller("R1C1", "NW", 3),
        )


@dataclass(frozen=True)
class Sandwich(LineClue):
    """The values strictly between the least and the greatest value sum to the clue.

    Both of them stand in the line, once each.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Sandwich, count
    >>> count(Puzzle.blank(4).add(Sandwich("R1", 5))).value
    48
    """

    sum: int
    name = "sandwich"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "sum", self.sum)

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        crusts = [i for i, value in enumerate(line) if value in (values[0], values[-1])]
        if len(crusts) != 2 or line[crusts[0]] == line[crusts[1]]:
            return False
        return sum(line[crusts[0] + 1 : crusts[1]]) == self.sum

    def lower(self, ctx: Lowering) -> None:
        """An automaton that knows the first crust and what is left between the two."""
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
        """A sum that no values between can have."""
        grid = puzzle.grids[0]
        size = len(self.cells(puzzle))
        reach = _part_reach(grid.values[1:-1], max(0, size - 2), self._is_house(puzzle))
        low, high = reach[-1]
        if low <= self.sum <= high:
            return None
        return f"{self.label}: sum {self.sum} is out of reach ({low} to {high})"

    def describe(self, puzzle: Puzzle) -> str:
        values = puzzle.grids[0].values
        return f"the values between {values[0]} and {values[-1]} in {self.line} sum to {self.sum}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Sandwich("R1", 3), Sandwich("C2", 0), Sandwich("C1", 99), Sandwich("R3", -1))


@dataclass(frozen=True)
class XSum(SideClue):
    """The first X values of the line sum to the clue, where X is the first of them.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, XSum, count
    >>> count(Puzzle.blank(4).add(XSum("R1", 5))).value
    24
    """

    sum: int
    reverse: bool = False
    name = "x-sum"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "sum", self.sum)

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        return 1 <= line[0] <= len(line) and sum(line[: line[0]]) == self.sum

    def lower(self, ctx: Lowering) -> None:
        """An automaton that knows how many values still count, and what is left for them."""
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
        """The first values with which others may reach the sum."""
        found = []
        for first in values:
            if 1 <= first <= size:
                others = tuple(v for v in values if v != first) if distinct else values
                low, high = _reach(others, first - 1, distinct)[-1]
                if low <= self.sum - first <= high:
                    found.append(first)
        return found

    def objection(self, puzzle: Puzzle) -> str | None:
        """A sum that no first values can have."""
        size = len(self.cells(puzzle))
        if self._firsts(puzzle.grids[0].values, size, self._is_house(puzzle)):
            return None
        return f"{self.label}: sum {self.sum} is out of reach, whatever its first value is"

    def describe(self, puzzle: Puzzle) -> str:
        return f"in {self._place} the first X values sum to {self.sum}, X the first of them"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (XSum("R1", 5), XSum("C2", 6, reverse=True), XSum("R2", 99), XSum("C3", 1))


@dataclass(frozen=True)
class Skyscraper(SideClue):
    """So many values are greater than all before them; a value of 0 or less is no building.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Skyscraper, count
    >>> count(Puzzle.blank(4).add(Skyscraper("R1", 2), Skyscraper("R1", 3, reverse=True))).value
    36
    """

    count: int
    reverse: bool = False
    name = "skyscraper"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "count", self.count)

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        return self.count == sum(height > max((0, *line[:i])) for i, height in enumerate(line))

    def lower(self, ctx: Lowering) -> None:
        """An automaton that knows the highest building and how many more are to be seen."""
        line = self.cells(ctx.puzzle)
        values = ctx.puzzle.grids[0].values
        # So many different values cannot all be small.
        floor = values if ctx.distinct(line) and len(line) <= len(values) else (0,) * len(line)

        def step(state: tuple[int, int], value: int, position: int) -> tuple[int, int] | None:
            highest, missing = state
            if value > highest:
                highest, missing = value, missing - 1
            return (highest, missing) if missing >= 0 and highest >= floor[position] else None

        ctx.add_fold(line, (0, self.count), step, lambda state: state[1] == 0, positional=True)

    def objection(self, puzzle: Puzzle) -> str | None:
        """A count that no line has."""
        values = puzzle.grids[0].values
        most = min(len(self.cells(puzzle)), sum(value > 0 for value in values))
        least = min(1, most) if values[0] > 0 else 0
        if least <= self.count <= most:
            return None
        return f"{self.label}: {self.count} buildings cannot be seen ({least} to {most})"

    def describe(self, puzzle: Puzzle) -> str:
        return f"in {self._place} {self.count} buildings are visible"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Skyscraper("R1", 2),
            Skyscraper("C2", 3, reverse=True),
            Skyscraper("R2", 0),
            Skyscraper("C3", 9),
        )


@dataclass(frozen=True)
class HiddenSkyscraper(SideClue):
    """The first value that is not greater than all before it is the clue; there is one.

    A value of 0 or less is no building: it neither hides others nor is hidden.

    Examples
    --------
    >>> from csp_sudoku import HiddenSkyscraper, Puzzle, count
    >>> count(Puzzle.blank(4).add(HiddenSkyscraper("R1", 3))).value
    60
    """

    value: int
    reverse: bool = False
    name = "hidden-skyscraper"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "value", self.value)

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        hidden = (v for i, v in enumerate(line) if 0 < v <= max((0, *line[:i])))
        return next(hidden, None) == self.value

    def lower(self, ctx: Lowering) -> None:
        """An automaton that knows the highest building until one is hidden."""
        found, wanted = -1, self.value

        def step(highest: int, value: int) -> int | None:
            if highest == found or value <= 0:
                return highest
            if value > highest:
                return value
            return found if value == wanted else None

        ctx.add_fold(self.cells(ctx.puzzle), 0, step, lambda state: state == found)

    def objection(self, puzzle: Puzzle) -> str | None:
        """A height that there is not, or that nothing can hide."""
        values = puzzle.grids[0].values
        if self.value not in values or self.value <= 0:
            return f"{self.label}: {self.value} is not a height in this grid"
        if self._is_house(puzzle) and self.value == values[-1]:
            return f"{self.label}: {self.value}, the greatest value, is never hidden"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"in {self._place} the first hidden building is {self.value}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            HiddenSkyscraper("R1", 2),
            HiddenSkyscraper("C2", 1, reverse=True),
            HiddenSkyscraper("R2", 5),
            HiddenSkyscraper("C3", 0),
        )


@dataclass(frozen=True)
class NumberedRoom(SideClue):
    """The first value says at which place of the line the clue stands.

    Examples
    --------
    >>> from csp_sudoku import NumberedRoom, Puzzle, count
    >>> count(Puzzle.blank(4).add(NumberedRoom("R1", 3))).value
    48
    """

    value: int
    reverse: bool = False
    name = "numbered-room"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "value", self.value)

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        return 1 <= line[0] <= len(line) and line[line[0] - 1] == self.value

    def lower(self, ctx: Lowering) -> None:
        """An automaton that knows the place until it gets there."""
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
        """A clue that is not a value."""
        if self.value not in puzzle.grids[0].values:
            return f"{self.label}: {self.value} is not a value of this grid"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"in {self._place} the first value says where {self.value} stands"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            NumberedRoom("R1", 3),
            NumberedRoom("C2", 1, reverse=True),
            NumberedRoom("R2", 0),
            NumberedRoom("C3", 9),
        )


@dataclass(frozen=True)
class Outside(SideClue):
    """Each of the clue's values is among the first three cells from its side.

    Examples
    --------
    >>> from csp_sudoku import Outside, Puzzle, count
    >>> count(Puzzle.blank(4).add(Outside("R1", [1, 2]))).value
    144
    """

    values: tuple[int, ...]
    reverse: bool = False
    name = "outside"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "values", read_ints(self.label, "values", self.values))

    def cells(self, puzzle: Puzzle) -> Line:
        return super().cells(puzzle)[:3]

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        return set(self.values) <= set(line)

    def lower(self, ctx: Lowering) -> None:
        """One small automaton a value."""
        for value in dict.fromkeys(self.values):
            add_count(ctx, self.cells(ctx.puzzle), value, bool, most=1)

    def objection(self, puzzle: Puzzle) -> str | None:
        """A clue that is not a value, or more clues than cells."""
        for value in self.values:
            if value not in puzzle.grids[0].values:
                return f"{self.label}: {value} is not a value of this grid"
        size = len(self.cells(puzzle))
        number = len(set(self.values))
        if number > size:
            return f"{self.label}: {number} values do not fit into {size} cells"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        shown = ", ".join(map(str, self.values)) or "nothing"
        return f"in {self._place} {shown} must be among the first three values"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Outside("R1", (1, 2)),
            Outside("C2", (0,), reverse=True),
            Outside("R2", (-2, 0, 5)),
            Outside("C3", (1, 2, 3, 4)),
        )


@dataclass(frozen=True)
class BeforeGreatest(SideClue):
    """The values before the greatest value ("before nine") sum to the clue.

    The greatest value is that of the grid, and it stands in the line.

    Examples
    --------
    >>> from csp_sudoku import BeforeGreatest, Puzzle, count
    >>> count(Puzzle.blank(4).add(BeforeGreatest("R1", 3))).value
    48
    """

    sum: int
    reverse: bool = False
    name = "before-greatest"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "sum", self.sum)

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        if values[-1] not in line:
            return False
        return sum(line[: line.index(values[-1])]) == self.sum

    def lower(self, ctx: Lowering) -> None:
        """An automaton that knows what is left before the greatest value."""
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
        """A sum that no values can have."""
        grid = puzzle.grids[0]
        size = len(self.cells(puzzle))
        low, high = _part_reach(grid.values[:-1], size - 1, self._is_house(puzzle))[-1]
        if low <= self.sum <= high:
            return None
        return f"{self.label}: sum {self.sum} is out of reach ({low} to {high})"

    def describe(self, puzzle: Puzzle) -> str:
        return f"in {self._place} the values before {puzzle.grids[0].values[-1]} sum to {self.sum}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            BeforeGreatest("R1", 3),
            BeforeGreatest("C2", 0, reverse=True),
            BeforeGreatest("R2", 99),
            BeforeGreatest("C3", -3),
        )


def _reach(values: Domain, size: int, distinct: bool) -> list[tuple[int, int]]:
    """The least and the greatest sum of 0, 1, …, `size` values."""
    if values and not distinct:
        return [(k * values[0], k * values[-1]) for k in range(size + 1)]
    # More different values than there are have no sum at all.
    return [
        (sum(values[:k]), sum(values[len(values) - k :])) if k <= len(values) else (1, 0)
        for k in range(size + 1)
    ]


def _part_reach(values: Domain, size: int, distinct: bool) -> list[tuple[int, int]]:
    """The least and the greatest sum of at most 0, 1, …, `size` values."""
    exact = _reach(values, size if values else 0, distinct)
    exact += [(0, 0)] * (size + 1 - len(exact))
    return [
        (min(low for low, _ in exact[: k + 1]), max(high for _, high in exact[: k + 1]))
        for k in range(size + 1)
    ]
