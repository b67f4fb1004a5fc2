"""Which values occur among some cells, and how often; groups of cells with equal values or sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import isqrt
from operator import eq
from typing import TYPE_CHECKING

from csp_encodings.factors import Linear
from csp_sudoku.cells import CellsLike, Place, cells
from csp_sudoku.constraints.base import CellConstraint, Constraint, Values, read_ints
from csp_sudoku.constraints.counting import add_count, occurrence
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.lowering import Lowering, Variable
    from csp_sudoku.puzzle import Puzzle


@dataclass(frozen=True, init=False)
class _Counts(CellConstraint):
    """Some values occur so often among the cells; a cell named twice counts once."""

    @property
    def wanted(self) -> Mapping[int, int]:
        """How often each value that it speaks of occurs."""
        raise ConstraintError(f"{type(self).__name__} does not say what is wanted")

    def enough(self, found: int, wanted: int) -> bool:
        """Whether a value that occurs `found` times is as wanted."""
        return found == wanted

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        found = Counter(values[place] for place in self.scope(puzzle))
        return all(self.enough(found[value], number) for value, number in self.wanted.items())

    def lower(self, ctx: Lowering) -> None:
        """One small automaton a value, never one for all."""
        scope = self.scope(ctx.puzzle)
        for value, number in self.wanted.items():
            add_count(ctx, scope, value, partial(self.enough, wanted=number), most=number + 1)

    def objection(self, puzzle: Puzzle) -> str | None:
        """More values than cells, or one that no cell can hold."""
        scope = self.scope(puzzle)
        for value, number in self.wanted.items():
            able = sum(value in puzzle.values_of(place) for place in scope)
            if able < number:
                return f"{self.label}: {number} times {value} is too often for {able} cells"
        if sum(self.wanted.values()) > len(scope):
            return f"{self.label}: {sum(self.wanted.values())} values for {len(scope)} cells"
        return None


@dataclass(frozen=True, init=False)
class ContainsAtLeast(_Counts):
    """The values occur among the cells, one that is listed twice at least twice.

    Examples
    --------
    >>> from csp_sudoku import ContainsAtLeast, Puzzle, count
    >>> count(Puzzle.blank(4).add(ContainsAtLeast("R1C1 R2C3 R3C4", [1, 1]))).value
    54
    """

    values: tuple[int, ...]
    name = "contains-at-least"

    def __init__(self, cells: CellsLike, values: Iterable[int]) -> None:
        self._set(cells=cells, values=values)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "values", read_ints(self.label, "values", self.values))

    @property
    def wanted(self) -> Mapping[int, int]:
        """The values with their numbers."""
        return Counter(self.values)

    def enough(self, found: int, wanted: int) -> bool:
        """More are welcome."""
        return found >= wanted

    def describe(self, puzzle: Puzzle) -> str:
        return f"the cells {self.listing} contain {' '.join(map(str, self.values)) or 'anything'}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            ContainsAtLeast("R1C1 R2C3 R3C4", [1, 1]),
            ContainsAtLeast("R1C1 R1C2 R2C4 R1C1", [2, 3]),
            ContainsAtLeast("R1C1", [9]),
            ContainsAtLeast("R1C1 R1C2", []),
        )


@dataclass(frozen=True, init=False)
class Quadruple(ContainsAtLeast):
    """The values occur in the cells around a corner, one that is listed twice at least twice.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Quadruple, count
    >>> count(Puzzle.blank(4).add(Quadruple("R1C2-R2C3", [1, 2]))).value
    160
    """

    name = "quadruple"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.cells)) > 4:
            raise ConstraintError(
                f"{self.label}: a corner has 4 cells around it, not {len(set(self.cells))}"
            )

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Quadruple("R1C2-R2C3", [1, 2]),
            Quadruple("R2C2-R3C3", [1, 1, 3]),
            Quadruple("R1C1-R2C2", [1, 1, 2, 2, 3]),
        )


@dataclass(frozen=True, init=False)
class ContainsExactly(_Counts):
    """Each listed value occurs among the cells exactly as often as it is listed; others are free.

    Examples
    --------
    >>> from csp_sudoku import ContainsExactly, Puzzle, count
    >>> count(Puzzle.blank(4).add(ContainsExactly("R1C1 R2C3 R3C4", [1]))).value
    90
    """

    values: tuple[int, ...]
    name = "contains-exactly"

    def __init__(self, cells: CellsLike, values: Iterable[int]) -> None:
        self._set(cells=cells, values=values)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "values", read_ints(self.label, "values", self.values))

    @property
    def wanted(self) -> Mapping[int, int]:
        """The values with their numbers."""
        return Counter(self.values)

    def describe(self, puzzle: Puzzle) -> str:
        counts = ", ".join(f"{number} times {value}" for value, number in self.wanted.items())
        return f"the cells {self.listing} contain exactly {counts or 'anything'}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            ContainsExactly("R1C1 R2C3 R3C4", [1]),
            ContainsExactly("R1C1 R1C2 R2C4 R1C1", [2, 3, 3]),
            ContainsExactly("R1C1", [9]),
        )


@dataclass(frozen=True, init=False)
class LookAndSay(_Counts):
    """Pairs of digits say how often a value occurs: 23 is exactly two 3s, 05 no 5; others are free.

    Examples
    --------
    >>> from csp_sudoku import LookAndSay, Puzzle, count
    >>> count(Puzzle.blank(4).add(LookAndSay("R1C1 R2C3 R3C4", "0112"))).value
    42
    """

    clue: str
    name = "look-and-say"

    def __init__(self, cells: CellsLike, clue: str) -> None:
        self._set(cells=cells, clue=clue)

    def __post_init__(self) -> None:
        super().__post_init__()
        clue = self.clue
        if not (isinstance(clue, str) and clue.isascii() and clue.isdigit()) or len(clue) % 2:
            raise ConstraintError(
                f"{self.label}: {clue!r} must be pairs of digits, such as 23 for two 3s"
            )
        said = Counter(clue[1::2])
        for number, value in self._pairs:
            if said[value] > 1 and number != "0":
                raise ConstraintError(f"{self.label}: {clue!r} speaks twice of {value}")

    @property
    def _pairs(self) -> Iterable[tuple[str, str]]:
        return zip(self.clue[::2], self.clue[1::2], strict=True)

    @property
    def wanted(self) -> Mapping[int, int]:
        """The numbers that the clue says."""
        return {int(value): int(number) for number, value in self._pairs}

    def describe(self, puzzle: Puzzle) -> str:
        counts = ", ".join(f"{number} times {value}" for value, number in self.wanted.items())
        return f"the cells {self.listing} contain exactly {counts}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            LookAndSay("R1C1 R2C3 R3C4", "21"),
            LookAndSay("R1C1 R2C3 R3C4", "0112"),
            LookAndSay("R1C1", "12"),
            LookAndSay("R1C1 R1C2", "39"),
        )


@dataclass(frozen=True, init=False)
class CountingCircles(CellConstraint):
    """Each value in a circle is the number of circles that hold it; a cell is circled once.

    Examples
    --------
    >>> from csp_sudoku import CountingCircles, Puzzle, count
    >>> count(Puzzle.blank(4).add(CountingCircles("R1C1 R2C3 R3C4"))).value
    30
    """

    name = "counting-circles"

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        found = Counter(values[place] for place in self.scope(puzzle))
        return all(value == number for value, number in found.items())

    def lower(self, ctx: Lowering) -> None:
        """One small automaton a value: it occurs as often as it says, or never.

        The values that occur sum to the number of circles. That follows, but not for a solver.
        """
        scope = self.scope(ctx.puzzle)
        values = sorted({value for domain in ctx.domains(scope) for value in domain})
        for value in values:
            accepted = frozenset({0, value})
            add_count(ctx, scope, value, accepted.__contains__, most=max(1, value + 1))
        bits = [occurrence(ctx, scope, value) for value in values]
        ctx.add_sum(bits, len(scope), len(scope), values)

    def objection(self, puzzle: Puzzle) -> str | None:
        """No choice of values sums to the number of circles."""
        size = len(self.scope(puzzle))
        reached = {0}
        for value in {v for place in self.cells for v in puzzle.values_of(place) if 0 < v <= size}:
            reached |= {total + value for total in reached}
        if size in reached:
            return None
        return f"{self.label}: no different values sum to the number of circles, {size}"

    def describe(self, puzzle: Puzzle) -> str:
        return f"each value in the circles {self.listing} occurs there as often as it says"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            CountingCircles("R1C1 R2C3 R3C4"),
            CountingCircles("R1C1 R1C2 R2C3 R2C4 R3C2 R1C1"),
            CountingCircles("R1C1 R1C2"),
        )


@dataclass(frozen=True, init=False)
class CountDistinct(CellConstraint):
    """The first cell is the number of different values in the others.

    Examples
    --------
    >>> from csp_sudoku import CountDistinct, Puzzle, count
    >>> count(Puzzle.blank(4).add(CountDistinct("R1C1 R2C3 R3C4 R4C2"))).value
    72
    """

    name = "count-distinct"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.cells) < 2:
            raise ConstraintError(f"{self.label}: needs cells to count in, after the first")

    def accepts(self, values: tuple[int, ...]) -> bool:
        return values[0] == len(set(values[1:]))

    def lower(self, ctx: Lowering) -> None:
        """A bit for each value that says whether it occurs, and their sum."""
        number, others = self.cells[0], tuple(dict.fromkeys(self.cells[1:]))
        if ctx.distinct(others):
            ctx.add_condition(number, lambda value: value == len(others))
            return
        values = sorted({value for domain in ctx.domains(others) for value in domain})
        bits = [occurrence(ctx, others, value) for value in values]
        ctx.add_sum([number, *bits], 0, 0, [-1, *(1 for _ in bits)])

    def describe(self, puzzle: Puzzle) -> str:
        others = " ".join(map(str, self.cells[1:]))
        return f"{self.cells[0]} is the number of different values in {others}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            CountDistinct("R1C1 R2C3 R3C4 R4C2"),
            CountDistinct("R1C1 R1C2 R1C3"),
            CountDistinct("R1C1 R1C1 R2C3"),
            CountDistinct("R1C1 R1C2"),
        )


@dataclass(frozen=True, init=False)
class _Groups(Constraint):
    """A rule on groups of cells."""

    groups: tuple[tuple[Place, ...], ...]

    def __init__(self, groups: Iterable[CellsLike]) -> None:
        if isinstance(groups, str):
            raise ConstraintError(f"{self.name}: needs a list of groups, not one text")
        read = tuple(cells(group) for group in groups)
        if not read or not all(read):
            raise ConstraintError(f"{self.name}: needs groups of cells, each with at least one")
        object.__setattr__(self, "groups", read)
        self.__post_init__()

    def __post_init__(self) -> None:
        """Check the groups."""

    def _check_equal_sizes(self) -> None:
        sizes = [len(group) for group in self.groups]
        if len(set(sizes)) > 1:
            shown = ", ".join(map(str, sizes))
            raise ConstraintError(f"{self.label}: groups of {shown} cells; sizes must be equal")

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(place for group in self.groups for place in group))

    @property
    def label(self) -> str:
        return f"{self.name} at {self.groups[0][0]}"

    @property
    def listing(self) -> str:
        """The groups as people write them."""
        return ", ".join(" ".join(map(str, group)) for group in self.groups)


@dataclass(frozen=True, init=False)
class Clone(_Groups):
    """The groups are equal cell by cell, in the order of their cells.

    Examples
    --------
    >>> from csp_sudoku import Clone, Puzzle, count
    >>> count(Puzzle.blank(4).add(Clone(["R1C1 R1C2", "R3C2 R3C1"]))).value
    96
    """

    name = "clone"

    def __post_init__(self) -> None:
        self._check_equal_sizes()

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return len({tuple(values[place] for place in group) for group in self.groups}) == 1

    def lower(self, ctx: Lowering) -> None:
        """An equality for each two corresponding cells, never one wide automaton."""
        for places in zip(*self.groups, strict=True):
            for a, b in pairwise(dict.fromkeys(places)):
                ctx.add_relation(a, b, eq)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the groups {self.listing} are equal cell by cell"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Clone(["R1C1 R1C2", "R3C2 R3C1"]),
            Clone(["R1C1", "R2C3", "R3C4"]),
            Clone(["R1C1 R2C3", "R2C3 R1C1"]),
            Clone(["R1C1 R1C2"]),
        )


@dataclass(frozen=True, init=False)
class SameValues(_Groups):
    """The groups hold the same values, each equally often, in any order.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, SameValues, count
    >>> count(Puzzle.blank(4).add(SameValues(["R1C1 R1C2", "R3C1 R3C2"]))).value
    96
    """

    name = "same-values"

    def __post_init__(self) -> None:
        self._check_equal_sizes()

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return len({tuple(sorted(values[p] for p in group)) for group in self.groups}) == 1

    def lower(self, ctx: Lowering) -> None:
        """For each two neighbouring groups one small automaton a value, never one for all."""
        for first, second in pairwise(self.groups):
            # What both have in common holds the same values anyway.
            ours, theirs = Counter(first), Counter(second)
            left = tuple((ours - theirs).elements())
            right = tuple((theirs - ours).elements())
            if len(left) == 1:
                ctx.add_relation(left[0], right[0], eq)
            elif left:
                self._lower_pair(ctx, left, right)

    @staticmethod
    def _lower_pair(ctx: Lowering, left: tuple[Place, ...], right: tuple[Place, ...]) -> None:
        values = sorted({value for domain in ctx.domains(left + right) for value in domain})
        size = len(left)
        # Where houses keep repeats away, a count above one is dead.
        most = 1 if ctx.distinct(left) or ctx.distinct(right) else size

        for value in values:

            def step(count: int, held: int, i: int, value: int = value) -> int | None:
                if held != value:
                    return count
                count += 1 if i < size else -1
                return count if 0 <= count <= most else None

            ctx.add_fold(left + right, 0, step, lambda count: count == 0, positional=True)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the groups {self.listing} hold the same values"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            SameValues(["R1C1 R1C2", "R3C1 R3C2"]),
            SameValues(["R1C1 R2C3", "R3C4 R4C2", "R1C2 R2C3"]),
            SameValues(["R1C1 R1C2 R2C3", "R2C3 R3C1 R1C1"]),
            SameValues(["R1C1", "R2C3", "R3C4"]),
        )


@dataclass(frozen=True, init=False)
class EqualSum(_Groups):
    """All groups have the same sum; they may have different sizes.

    Examples
    --------
    >>> from csp_sudoku import EqualSum, Puzzle, count
    >>> count(Puzzle.blank(4).add(EqualSum(["R1C1 R1C2", "R3C1 R3C2"]))).value
    128
    """

    name = "equal-sum"

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return len({sum(values[place] for place in group) for group in self.groups}) == 1

    def lower(self, ctx: Lowering) -> None:
        """One linear factor for two groups; more have their total in common."""
        add_equal_sums(ctx, self.groups)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the groups {self.listing} have the same sum"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            EqualSum(["R1C1 R1C2", "R3C1 R3C2"]),
            EqualSum(["R1C1", "R2C3 R3C4"]),
            EqualSum(["R1C1 R1C2", "R2C3", "R1C2 R2C4"]),
            EqualSum(["R1C1 R1C2"]),
        )


@dataclass(frozen=True, init=False)
class MagicSquare(CellConstraint):
    """Rows, columns and both diagonals of a square of cells, named row by row, have one sum.

    Examples
    --------
    >>> from csp_sudoku import MagicSquare, Puzzle, count
    >>> box = Puzzle.blank(3, regions=["R1C1-R3C3"], row_houses=False, column_houses=False,
    ...                    values=range(1, 10))
    >>> count(box.add(MagicSquare("R1C1-R3C3"))).value
    8
    """

    name = "magic-square"

    def __post_init__(self) -> None:
        super().__post_init__()
        if isqrt(len(self.cells)) ** 2 != len(self.cells):
            raise ConstraintError(f"{self.label}: {len(self.cells)} cells do not make a square")

    @property
    def lines(self) -> list[tuple[Place, ...]]:
        """The rows, the columns and the two diagonals."""
        side, size = isqrt(len(self.cells)), len(self.cells)
        rows = [self.cells[i : i + side] for i in range(0, size, side)]
        columns = [self.cells[i::side] for i in range(side)]
        falling = tuple(self.cells[i * (side + 1)] for i in range(side))
        rising = tuple(self.cells[(i + 1) * (side - 1)] for i in range(side))
        return [*rows, *columns, falling, rising]

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return len({sum(values[place] for place in line) for line in self.lines}) == 1

    def lower(self, ctx: Lowering) -> None:
        """Linear factors; of three by three the sum is always three times the centre.

        The four lines through the centre hold every cell once and the centre three times more, so
        four times the sum is three times the sum and three times the centre.
        """
        if len(self.cells) == 9:
            centre = self.cells[4]
            for line in self.lines:
                ctx.add_sum((*line, centre), 0, 0, (1, 1, 1, -3))
        else:
            add_equal_sums(ctx, self.lines)

    def describe(self, puzzle: Puzzle) -> str:
        return f"rows, columns and diagonals of the square {self.listing} have the same sum"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (MagicSquare("R1C1-R3C3"), MagicSquare("R1C1-R2C2"), MagicSquare("R1C1"))


def add_equal_sums(ctx: Lowering, groups: Iterable[tuple[Place, ...]]) -> None:
    """Test: the groups have one sum."""
    first, *others = groups
    if len(others) == 1:
        signs = (*(1 for _ in first), *(-1 for _ in others[0]))
        ctx.add_sum((*first, *others[0]), 0, 0, signs)
        return
    totals = {0}
    for domain in ctx.domains(first):
        totals = {total + value for total in totals for value in domain}
    weights = (*(1 for _ in first), -1)
    total: Variable = ctx.auxiliary(
        "total", sorted(totals), lambda total: Linear(weights, (*first, total), 0, 0)
    )
    for group in others:
        ctx.add_sum((*group, total), 0, 0, (*(1 for _ in group), -1))
