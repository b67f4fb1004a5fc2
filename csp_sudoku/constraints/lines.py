"""Rules for the cells of a line: their order, their distances, what stands between the ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from operator import eq, le, lt
from typing import TYPE_CHECKING

from csp_encodings.automaton import Budget
from csp_encodings.errors import BudgetError
from csp_sudoku.cells import CellsLike, Place
from csp_sudoku.constraints.base import CellConstraint, Constraint, Values, all_values, check_int
from csp_sudoku.constraints.extremes import extreme
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle

Predicate = Callable[[int, int], bool]

# A fused automaton above this size propagates little better than its parts, and costs more.
_FUSED = Budget(states=20_000, edges=60_000)


class _Pairwise(CellConstraint):
    """A rule for pairs of cells: by default every cell of the line and the next."""

    def pairs(self) -> Iterable[tuple[Place, Place]]:
        """The pairs it speaks of."""
        return pairwise(self.cells)

    def allowed(self, puzzle: Puzzle) -> Predicate:
        """Whether the two values of a pair may stand there."""
        raise ConstraintError(f"{type(self).__name__} does not say what it allows")

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        allowed = self.allowed(puzzle)
        return all(allowed(values[a], values[b]) for a, b in self.pairs())

    def lower(self, ctx: Lowering) -> None:
        """One relation a pair; between neighbours of a line that loses no propagation."""
        allowed = self.allowed(ctx.puzzle)
        for a, b in self.pairs():
            ctx.add_relation(a, b, allowed)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        """The pairs, where none may be equal."""
        allowed = self.allowed(puzzle)
        if any(allowed(value, value) for value in all_values(self.cells, puzzle)):
            return []
        return [pair for pair in self.pairs() if pair[0] != pair[1]]

    def clashes(self, values: Values, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The filled pairs that are not allowed; else the whole filled part, where it is stuck."""
        allowed = self.allowed(puzzle)
        found = [
            (a, b)
            for a, b in self.pairs()
            if a in values and b in values and not allowed(values[a], values[b])
        ]
        return iter(found) if found else super().clashes(values, puzzle)


@dataclass(frozen=True, init=False)
class Thermometer(_Pairwise):
    """Values strictly increase from the bulb, the first cell, to the tip.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Thermometer, count
    >>> count(Puzzle.blank(4).add(Thermometer("R1C1-R1C3"))).value
    48
    """

    name = "thermometer"

    def allowed(self, puzzle: Puzzle) -> Predicate:
        return lt

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [self.cells] if len(set(self.cells)) == len(self.cells) else []

    def objection(self, puzzle: Puzzle) -> str | None:
        """A cell drawn twice, or more cells than values."""
        if len(set(self.cells)) < len(self.cells):
            return f"{self.label}: a cell is drawn twice, so its values cannot increase"
        values = all_values(self.cells, puzzle)
        if len(self.cells) > len(values):
            return (
                f"{self.label}: {len(self.cells)} cells cannot increase over {len(values)} values"
            )
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"values increase along the thermometer {self.listing}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Thermometer("R1C1 R2C2 R2C3"), Thermometer("R1C1"), Thermometer("R1C1 R1C2 R1C1"))


@dataclass(frozen=True, init=False)
class SlowThermometer(_Pairwise):
    """Values never decrease from the bulb, the first cell, to the tip.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, SlowThermometer, count
    >>> count(Puzzle.blank(4).add(SlowThermometer("R1C1 R2C3"))).value
    216
    """

    name = "slow-thermometer"

    def allowed(self, puzzle: Puzzle) -> Predicate:
        return le

    def describe(self, puzzle: Puzzle) -> str:
        return f"values do not decrease along the slow thermometer {self.listing}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (SlowThermometer("R1C1 R2C2 R2C3"), SlowThermometer("R1C1 R2C3 R1C1"))


@dataclass(frozen=True, init=False)
class Whisper(_Pairwise):
    """Neighbours on the line differ by at least `difference`: half the side, rounded up, if None.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Whisper, count
    >>> count(Puzzle.blank(4).add(Whisper("R1C1 R1C2"))).value
    144
    """

    difference: int | None
    name = "whisper"

    def __init__(self, cells: CellsLike, difference: int | None = None) -> None:
        self._set(cells=cells, difference=difference)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "difference", self.difference, least=0, optional=True)

    def least(self, puzzle: Puzzle) -> int:
        """The least difference of neighbours in this puzzle: 5 on 9×9 by default."""
        return (_side(puzzle) + 1) // 2 if self.difference is None else self.difference

    def allowed(self, puzzle: Puzzle) -> Predicate:
        least = self.least(puzzle)
        return lambda a, b: abs(a - b) >= least

    def objection(self, puzzle: Puzzle) -> str | None:
        """A difference that no two values have."""
        return _too_far(self.label, self.cells, self.least(puzzle), puzzle)

    def describe(self, puzzle: Puzzle) -> str:
        return f"neighbours on the line {self.listing} differ by at least {self.least(puzzle)}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Whisper("R1C1 R2C2 R2C3"),
            Whisper("R1C1 R1C2 R1C1", 3),
            Whisper("R1C1 R1C2 R3C3", 0),
            Whisper("R1C1 R2C2", 9),
        )


@dataclass(frozen=True, init=False)
class ParityLine(_Pairwise):
    """Neighbours on the line differ in parity: even and odd values alternate.

    Examples
    --------
    >>> from csp_sudoku import ParityLine, Puzzle, count
    >>> count(Puzzle.blank(4).add(ParityLine("R1C1-R1C3"))).value
    96
    """

    name = "parity-line"

    def allowed(self, puzzle: Puzzle) -> Predicate:
        return _other_parity

    def describe(self, puzzle: Puzzle) -> str:
        return f"even and odd values alternate along the line {self.listing}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (ParityLine("R1C1 R2C2 R2C3"), ParityLine("R1C1 R1C2 R1C3 R1C1"))


@dataclass(frozen=True, init=False)
class Palindrome(_Pairwise):
    """The line reads the same from both ends.

    Examples
    --------
    >>> from csp_sudoku import Palindrome, Puzzle, count
    >>> count(Puzzle.blank(4).add(Palindrome("R1C1 R1C2 R2C3"))).value
    144
    """

    name = "palindrome"

    def pairs(self) -> Iterable[tuple[Place, Place]]:
        """The cells at equal distance from the two ends."""
        return mirrored(self.cells)

    def allowed(self, puzzle: Puzzle) -> Predicate:
        return eq

    def objection(self, puzzle: Puzzle) -> str | None:
        """Two mirrored cells in one house."""
        for a, b in self.pairs():
            for house in puzzle.houses:
                if a != b and {a, b} <= set(house.cells):
                    return f"{self.label}: {a} and {b} cannot be equal, they share {house.title}"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"the line {self.listing} reads the same from both ends"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Palindrome("R1C1 R1C2 R3C2 R2C3"), Palindrome("R1C1"), Palindrome("R1C1 R1C2"))


@dataclass(frozen=True, init=False)
class Nabner(_Pairwise):
    """No two cells of the line hold equal or consecutive values; one drawn twice counts once.

    Examples
    --------
    >>> from csp_sudoku import Nabner, Puzzle, count
    >>> count(Puzzle.blank(4).add(Nabner("R1C1 R2C3"))).value
    72
    """

    name = "nabner"

    def pairs(self) -> Iterable[tuple[Place, Place]]:
        """Every two cells."""
        return combinations(dict.fromkeys(self.cells), 2)

    def allowed(self, puzzle: Puzzle) -> Predicate:
        return _apart

    def lower(self, ctx: Lowering) -> None:
        """Fused: an automaton that knows the used values; where that is too large, relations."""
        scope = self.scope(ctx.puzzle)
        bit = _bits(all_values(scope, ctx.puzzle))

        def step(used: int, value: int) -> int | None:
            around = bit(value - 1) | bit(value) | bit(value + 1)
            return None if used & around else used | bit(value)

        try:
            ctx.add_fold(scope, 0, step, lambda used: True, budget=_FUSED)
        except BudgetError:
            super().lower(ctx)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [self.scope(puzzle)]

    def objection(self, puzzle: Puzzle) -> str | None:
        """More cells than values that are not consecutive."""
        scope, room, last = self.scope(puzzle), 0, None
        for value in all_values(scope, puzzle):
            if last is None or value > last + 1:
                room, last = room + 1, value
        if len(scope) > room:
            return f"{self.label}: {len(scope)} cells, but no {room + 1} values are 2 apart"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"no two cells of {self.listing} hold equal or consecutive values"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Nabner("R1C1 R2C3"), Nabner("R1C1 R2C3 R3C2"), Nabner("R1C1 R2C3 R1C1"))


@dataclass(frozen=True, init=False)
class Renban(CellConstraint):
    """The values of the line are different and consecutive, in any order.

    A cell that is drawn twice counts once.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Renban, count
    >>> count(Puzzle.blank(4).add(Renban("R1C1-R1C3"))).value
    144
    """

    name = "renban"

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        scope = self.scope(puzzle)
        found = {values[place] for place in scope}
        return len(found) == len(scope) == max(found) - min(found) + 1

    def lower(self, ctx: Lowering) -> None:
        """Fused: an automaton that knows the used values.

        Where that is too large: all different, and within so many of the least value.
        """
        scope = self.scope(ctx.puzzle)
        size = len(scope)
        bit = _bits(all_values(scope, ctx.puzzle))

        def step(used: int, value: int) -> int | None:
            if used & bit(value):
                return None
            used |= bit(value)
            span = (used // (used & -used)).bit_length()
            return used if span <= size else None

        try:
            ctx.add_fold(scope, 0, step, lambda used: True, budget=_FUSED)
        except BudgetError:
            least = extreme(ctx, scope, min)
            ctx.add_different(scope)
            for place in scope:
                ctx.add_relation(least, place, lambda least, value: 0 <= value - least < size)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [self.scope(puzzle)]

    def objection(self, puzzle: Puzzle) -> str | None:
        """More cells than values."""
        scope = self.scope(puzzle)
        values = all_values(scope, puzzle)
        if len(scope) > len(values):
            return f"{self.label}: {len(scope)} cells cannot hold {len(values)} values once each"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"the cells {self.listing} hold consecutive values in any order"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Renban("R1C1 R2C2 R2C3"),
            Renban("R1C1 R2C3 R1C1"),
            Renban("R1C1"),
            Renban("R1C1 R1C2 R2C3 R2C4 R3C3"),
        )


class _Alternating(CellConstraint):
    """Any so many successive cells hold values of different kinds."""

    def window(self) -> int:
        """How many successive cells."""
        raise ConstraintError(f"{type(self).__name__} does not say how many cells")

    def kind(self, puzzle: Puzzle) -> Callable[[int], int]:
        """The kind of a value."""
        raise ConstraintError(f"{type(self).__name__} does not say what kinds there are")

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        kind, size = self.kind(puzzle), self.window()
        kinds = [kind(values[place]) for place in self.cells]
        starts = range(max(1, len(kinds) - size + 1))
        windows = [kinds[start : start + size] for start in starts]
        return all(len(set(window)) == len(window) for window in windows)

    def lower(self, ctx: Lowering) -> None:
        """An automaton that knows the latest kinds; where that is too large, relations."""
        kind, size = self.kind(ctx.puzzle), self.window()

        if size == 1:
            return

        def step(latest: tuple[int, ...], value: int) -> tuple[int, ...] | None:
            return None if kind(value) in latest else (*latest, kind(value))[1 - size :]

        try:
            ctx.add_fold(self.cells, (), step, lambda latest: True, budget=_FUSED)
        except BudgetError:
            for i, place in enumerate(self.cells):
                for other in self.cells[i + 1 : i + size]:
                    ctx.add_relation(place, other, lambda a, b: kind(a) != kind(b))

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        """Every window in which no cell is drawn twice."""
        size = self.window()
        windows = [self.cells[i : i + size] for i in range(max(1, len(self.cells) - size + 1))]
        return [window for window in windows if 1 < len(set(window)) == len(window)]


@dataclass(frozen=True, init=False)
class Modular(_Alternating):
    """Any `modulus` successive cells differ modulo it; on a shorter line, all cells.

    Examples
    --------
    >>> from csp_sudoku import Modular, Puzzle, count
    >>> count(Puzzle.blank(4).add(Modular("R1C1-R1C3"))).value
    144
    """

    modulus: int
    name = "modular"

    def __init__(self, cells: CellsLike, modulus: int = 3) -> None:
        self._set(cells=cells, modulus=modulus)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "modulus", self.modulus, least=1)

    def window(self) -> int:
        return self.modulus

    def kind(self, puzzle: Puzzle) -> Callable[[int], int]:
        modulus = self.modulus
        return lambda value: value % modulus

    def describe(self, puzzle: Puzzle) -> str:
        size = min(self.modulus, len(self.cells))
        return f"any {size} successive cells of {self.listing} differ modulo {self.modulus}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Modular("R1C1 R2C2 R2C3 R3C3"),
            Modular("R1C1 R2C2 R2C3 R1C1", 2),
            Modular("R1C1 R2C3 R1C1"),
            Modular("R1C1 R2C3", 1),
        )


@dataclass(frozen=True, init=False)
class Entropic(_Alternating):
    """Any three successive cells hold a low, a middle and a high value; two cells, different ones.

    The thirds are those of the grid's values. Where these cannot be cut evenly, the two outer
    thirds stay equal: 1-8 gives 1-3, 4-5 and 6-8, 1-10 gives 1-3, 4-7 and 8-10.

    Examples
    --------
    >>> from csp_sudoku import Diagonals, Entropic, Puzzle, count
    >>> count(Puzzle.blank(6).add(Diagonals(), Entropic("R1C1-R1C3"))).value
    3456
    """

    name = "entropic"

    def window(self) -> int:
        return 3

    def kind(self, puzzle: Puzzle) -> Callable[[int], int]:
        values = sorted({value for grid in puzzle.grids for value in grid.values})
        outer = len(values) // 3 + (len(values) % 3 == 2)
        cuts = [values[i] for i in (outer, len(values) - outer) if i < len(values)]
        return lambda value: sum(value >= cut for cut in cuts)

    def describe(self, puzzle: Puzzle) -> str:
        return f"any 3 successive cells of {self.listing} hold a low, a middle and a high value"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Entropic("R1C1 R2C2 R2C3 R3C3"), Entropic("R1C1 R2C3"), Entropic("R1C1"))


class _Ended(CellConstraint):
    """A rule for the cells between the two ends of a line, and perhaps for the ends."""

    def least(self, puzzle: Puzzle) -> int:
        """The least difference of the ends in this puzzle."""
        return 0

    @staticmethod
    def inner(low: int, high: int, value: int) -> bool:
        """Whether a cell between ends of these values may hold this one."""
        raise ConstraintError("a line with two ends must say what stands between them")

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        low, high = sorted((values[self.cells[0]], values[self.cells[-1]]))
        return high - low >= self.least(puzzle) and all(
            self.inner(low, high, values[place]) for place in self.cells[1:-1]
        )

    def lower(self, ctx: Lowering) -> None:
        """An automaton that reads the two ends first and then knows them."""
        first, *between, last = self.cells
        values = all_values(between, ctx.puzzle)
        inner, apart = self.inner, self.least(ctx.puzzle)
        # Cells that differ need as many values as they are.
        inside = tuple(dict.fromkeys(between))
        needed = len(inside) if ctx.distinct(inside) else min(1, len(inside))

        def step(state: tuple[int, ...], value: int, position: int) -> tuple[int, ...] | None:
            if position == 0:
                return (value,)
            if position == 1:
                low, high = sorted((*state, value))
                room = sum(inner(low, high, v) for v in values)
                return (low, high) if room >= needed and high - low >= apart else None
            return state if inner(state[0], state[1], value) else None

        ctx.add_fold((first, last, *between), (), step, lambda ends: True, positional=True)


@dataclass(frozen=True, init=False)
class Between(_Ended):
    """The inner cells of the line lie strictly between the values of its two ends.

    Examples
    --------
    >>> from csp_sudoku import Between, Puzzle, count
    >>> count(Puzzle.blank(4).add(Between("R1C1-R1C3"))).value
    96
    """

    name = "between"

    @staticmethod
    def inner(low: int, high: int, value: int) -> bool:
        return low < value < high

    def lower(self, ctx: Lowering) -> None:
        """Nothing, where there is no inner cell."""
        if len(self.cells) > 2:
            super().lower(ctx)

    def objection(self, puzzle: Puzzle) -> str | None:
        """An inner cell, but a line that ends where it begins."""
        if len(self.cells) > 2 and self.cells[0] == self.cells[-1]:
            return f"{self.label}: it ends where it begins, so nothing lies between"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"the inner cells of {self.listing} lie between its ends"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Between("R1C1 R1C2 R2C3 R3C3"),
            Between("R1C1 R2C3"),
            Between("R1C1"),
            Between("R1C1 R1C2 R1C1"),
        )


@dataclass(frozen=True, init=False)
class Lockout(_Ended):
    """The ends differ by at least `difference`, the inner cells lie outside the ends' interval.

    The ends are never equal. By default the difference is half the side, rounded down: 4 on 9×9.

    Examples
    --------
    >>> from csp_sudoku import Lockout, Puzzle, count
    >>> count(Puzzle.blank(4).add(Lockout("R1C1-R1C3"))).value
    48
    """

    difference: int | None
    name = "lockout"

    def __init__(self, cells: CellsLike, difference: int | None = None) -> None:
        self._set(cells=cells, difference=difference)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "difference", self.difference, least=0, optional=True)
        if len(self.cells) < 2:
            raise ConstraintError(f"{self.label}: needs two ends, not a single cell")

    def least(self, puzzle: Puzzle) -> int:
        """The least difference of the ends in this puzzle; they are never equal."""
        return max(1, _side(puzzle) // 2 if self.difference is None else self.difference)

    @staticmethod
    def inner(low: int, high: int, value: int) -> bool:
        return not low <= value <= high

    def objection(self, puzzle: Puzzle) -> str | None:
        """A difference that no two values have."""
        ends = (self.cells[0], self.cells[-1])
        return _too_far(self.label, ends, self.least(puzzle), puzzle)

    def describe(self, puzzle: Puzzle) -> str:
        return (
            f"the ends of {self.listing} differ by at least {self.least(puzzle)} and the inner "
            f"cells lie outside of them"
        )

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Lockout("R1C1 R1C2 R2C3 R3C3"),
            Lockout("R1C1 R1C2 R3C3", 1),
            Lockout("R1C1 R2C3", 0),
            Lockout("R1C1 R2C2", 9),
        )


def _too_far(label: str, places: tuple[Place, ...], difference: int, puzzle: Puzzle) -> str | None:
    """An objection to a difference that no two values have."""
    values = all_values(places, puzzle)
    widest = max(values, default=0) - min(values, default=0)
    if len(places) > 1 and widest < difference:
        return f"{label}: no two values differ by {difference}, only by up to {widest}"
    return None


def _side(puzzle: Puzzle) -> int:
    return max(max(grid.rows, grid.columns) for grid in puzzle.grids)


def mirrored(places: tuple[Place, ...]) -> Iterator[tuple[Place, Place]]:
    """The pairs at equal distance from the ends, outermost first."""
    return ((places[i], places[-1 - i]) for i in range(len(places) // 2))


def _bits(values: list[int]) -> Callable[[int], int]:
    """A bit for every value, in a mask where consecutive values have neighbouring bits."""
    # One place is kept free below the least value, for its neighbour.
    least = min(values, default=0) - 1
    return lambda value: 1 << (value - least)


def _other_parity(a: int, b: int) -> bool:
    return (a - b) % 2 == 1


def _apart(a: int, b: int) -> bool:
    return abs(a - b) > 1
