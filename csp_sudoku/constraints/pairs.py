"""Rules on two cells, or on one and its neighbours: dots, signs, inequalities, extremes, tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from operator import eq, gt, lt
from typing import TYPE_CHECKING, ClassVar, TypeVar

from csp_sudoku.cells import Cell, CellsLike, Place, cells
from csp_sudoku.constraints.base import (
    CellConstraint,
    Constraint,
    Values,
    check_int,
    read_ints,
)
from csp_sudoku.constraints.logic import And, Not, Or
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle

SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))


@dataclass(frozen=True, init=False)
class Equal(CellConstraint):
    """All the cells hold the same value.

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
        """An equality between neighbours, never one wide automaton."""
        for a, b in pairwise(self.cells):
            ctx.add_relation(a, b, eq)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the cells {self.listing} hold the same value"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Equal("R1C1 R2C3 R3C2"), Equal("R1C1"))


@dataclass(frozen=True, init=False)
class _Pair(CellConstraint):
    """A rule on exactly two cells."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.cells) != 2:
            raise ConstraintError(f"{self.label}: speaks of exactly 2 cells, not {len(self.cells)}")

    def related(self, a: int, b: int) -> bool:
        """Whether the two cells may hold these values."""
        raise ConstraintError(f"{type(self).__name__} does not say which values it relates")

    def accepts(self, values: tuple[int, ...]) -> bool:
        return self.related(*values)

    def lower(self, ctx: Lowering) -> None:
        """One relation."""
        first, second = self.cells
        ctx.add_relation(first, second, self.related)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        """The two cells, where no value is related to itself."""
        first, second = self.cells
        both = set(puzzle.values_of(first)).intersection(puzzle.values_of(second))
        apart = first != second and not any(self.related(value, value) for value in both)
        return [self.cells] if apart else []

    def objection(self, puzzle: Puzzle) -> str | None:
        """No two values fit."""
        first, second = self.cells
        pairs = ((a, b) for a in puzzle.values_of(first) for b in puzzle.values_of(second))
        if any(self.related(a, b) for a, b in pairs if first != second or a == b):
            return None
        return f"{self.label}: no values there are such that {self.describe(puzzle)}"


@dataclass(frozen=True, init=False)
class NotEqual(_Pair):
    """The two cells hold different values.

    Examples
    --------
    >>> from csp_sudoku import NotEqual, Puzzle, count
    >>> count(Puzzle.blank(4).add(NotEqual("R1C1", "R2C3"))).value
    144
    """

    name = "not-equal"

    def related(self, a: int, b: int) -> bool:
        """Different."""
        return a != b

    def lower(self, ctx: Lowering) -> None:
        """An all-different of two."""
        ctx.add_different(self.cells)

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cells[0]} and {self.cells[1]} differ"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (NotEqual("R1C1 R2C3"), NotEqual("R1C1 R1C1"))


@dataclass(frozen=True, init=False)
class GreaterThan(_Pair):
    """The first cell holds a greater value than the second.

    Examples
    --------
    >>> from csp_sudoku import GreaterThan, Puzzle, count
    >>> count(Puzzle.blank(4).add(GreaterThan("R1C1", "R1C2"))).value
    144
    """

    name = "greater-than"

    def related(self, a: int, b: int) -> bool:
        """Greater."""
        return a > b

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cells[0]} is greater than {self.cells[1]}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (GreaterThan("R1C1 R1C2"), GreaterThan("R1C1 R1C1"))


@dataclass(frozen=True, init=False)
class Difference(_Pair):
    """The two values differ by exactly so much: a white dot, where nothing else is said by 1.

    Examples
    --------
    >>> from csp_sudoku import Difference, Puzzle, count
    >>> count(Puzzle.blank(4).add(Difference("R1C1 R1C2"))).value
    144
    """

    difference: int
    name = "difference"

    def __init__(self, cells: CellsLike, difference: int = 1) -> None:
        self._set(cells=cells, difference=difference)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "difference", self.difference, least=0)

    def related(self, a: int, b: int) -> bool:
        """So far apart."""
        return abs(a - b) == self.difference

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cells[0]} and {self.cells[1]} differ by {self.difference}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Difference("R1C1 R1C2"),
            Difference("R1C1 R2C3", 0),
            Difference("R1C1 R2C3", 9),
            Difference("R1C1 R1C1", 2),
        )


@dataclass(frozen=True, init=False)
class Ratio(_Pair):
    """One of the two values is so many times the other: a black dot, where nothing is said twice.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Ratio, count
    >>> count(Puzzle.blank(4).add(Ratio("R1C1 R1C2"))).value
    96
    """

    ratio: int
    name = "ratio"

    def __init__(self, cells: CellsLike, ratio: int = 2) -> None:
        self._set(cells=cells, ratio=ratio)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "ratio", self.ratio, least=1)

    def related(self, a: int, b: int) -> bool:
        """Either way round."""
        return a == self.ratio * b or b == self.ratio * a

    def describe(self, puzzle: Puzzle) -> str:
        return f"one of {self.cells[0]} and {self.cells[1]} is {self.ratio} times the other"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Ratio("R1C1 R1C2"), Ratio("R1C1 R2C3", 3), Ratio("R1C1 R1C1"))


@dataclass(frozen=True, init=False)
class PairSum(_Pair):
    """The two values sum to the total: an X for 10, a V for 5.

    Examples
    --------
    >>> from csp_sudoku import PairSum, Puzzle, count
    >>> count(Puzzle.blank(4).add(PairSum("R1C1 R1C2", 5))).value
    96
    """

    total: int
    name = "pair-sum"

    def __init__(self, cells: CellsLike, total: int) -> None:
        self._set(cells=cells, total=total)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "total", self.total)

    def related(self, a: int, b: int) -> bool:
        """The total."""
        return a + b == self.total

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cells[0]} and {self.cells[1]} sum to {self.total}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            PairSum("R1C1 R1C2", 5),
            PairSum("R1C1 R2C3", 4),
            PairSum("R1C1 R1C1", 2),
            PairSum("R1C1 R1C2", 10),
        )


@dataclass(frozen=True, init=False)
class _Extreme(Constraint):
    """A cell that beats its orthogonal neighbours, but not those that carry the same mark."""

    cell: Cell
    beats: ClassVar[Callable[[int, int], bool]]

    def __init__(self, cell: CellsLike) -> None:
        found = cells(cell)
        if len(found) != 1 or not isinstance(found[0], Cell):
            raise ConstraintError(f"{self.name}: speaks of one cell of the grid")
        object.__setattr__(self, "cell", found[0])

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return (self.cell, *self.rivals(puzzle))

    def rivals(self, puzzle: Puzzle) -> list[Cell]:
        """The neighbours that it beats."""
        marked = {mark.cell for mark in marks(puzzle, type(self))}
        around = (Cell(self.cell.row + rows, self.cell.col + cols) for rows, cols in SIDES)
        return [place for place in around if puzzle.has(place) and place not in marked]

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        beats = type(self).beats
        return all(beats(values[self.cell], values[rival]) for rival in self.rivals(puzzle))

    def lower(self, ctx: Lowering) -> None:
        """A relation with each neighbour."""
        for rival in self.rivals(ctx.puzzle):
            ctx.add_relation(self.cell, rival, type(self).beats)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [(self.cell, rival) for rival in self.rivals(puzzle)]

    def clashes(self, values: Values, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The pairs in which it does not win."""
        if self.cell in values:
            for rival in self.rivals(puzzle):
                if rival in values and not type(self).beats(values[self.cell], values[rival]):
                    yield self.cell, rival

    @property
    def label(self) -> str:
        return f"{self.name} at {self.cell}"


@dataclass(frozen=True, init=False)
class Maximum(_Extreme):
    """The cell is greater than its orthogonal neighbours that are no such maximum themselves.

    Examples
    --------
    >>> from csp_sudoku import Maximum, Puzzle, count
    >>> count(Puzzle.blank(4).add(Maximum("R1C1"))).value
    96
    """

    name = "maximum"
    beats = gt

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cell} is greater than the cells beside it"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Maximum("R1C1"), Maximum("R2C2"))


@dataclass(frozen=True, init=False)
class Minimum(_Extreme):
    """The cell is less than its orthogonal neighbours that are no such minimum themselves.

    Examples
    --------
    >>> from csp_sudoku import Minimum, Puzzle, count
    >>> count(Puzzle.blank(4).add(Minimum("R1C1"))).value
    96
    """

    name = "minimum"
    beats = lt

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cell} is less than the cells beside it"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Minimum("R1C1"), Minimum("R2C2"))


@dataclass(frozen=True, init=False)
class Pair(CellConstraint):
    """Every two successive cells hold one of the listed pairs of values.

    Examples
    --------
    >>> from csp_sudoku import Pair, Puzzle, count
    >>> rising = [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
    >>> count(Puzzle.blank(4).add(Pair("R1C1-R1C3", rising))).value
    48
    """

    allowed: tuple[tuple[int, int], ...]
    name = "pair"

    def __init__(self, cells: CellsLike, allowed: Iterable[tuple[int, int]]) -> None:
        self._set(cells=cells, allowed=allowed)

    def __post_init__(self) -> None:
        super().__post_init__()
        rows = {read_ints(self.label, "pairs", row) for row in self.allowed}
        for row in rows:
            if len(row) != 2:
                raise ConstraintError(f"{self.label}: {row} is not a pair of values")
        object.__setattr__(self, "allowed", tuple(sorted(rows)))

    def pairs(self) -> Iterable[tuple[Place, Place]]:
        """The pairs of cells it speaks of."""
        return pairwise(self.cells)

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return all((values[a], values[b]) in self.allowed for a, b in self.pairs())

    def lower(self, ctx: Lowering) -> None:
        """One relation a pair."""
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
        return f"successive cells of {self.listing} hold one of {len(self.allowed)} listed pairs"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        table = [(1, 2), (2, 3), (3, 1), (3, 3), (0, 1)]
        return (
            Pair("R1C1 R2C3 R3C2", table),
            Pair("R1C1 R2C3 R1C1", table),
            Pair("R1C1", table),
            Pair("R1C1 R1C2", []),
        )


@dataclass(frozen=True, init=False)
class AllPairs(Pair):
    """Any two of the cells, in the order of the list, hold one of the listed pairs of values.

    Examples
    --------
    >>> from csp_sudoku import AllPairs, Puzzle, count
    >>> apart = [(a, b) for a in range(1, 5) for b in range(1, 5) if abs(a - b) > 1]
    >>> count(Puzzle.blank(4).add(AllPairs("R1C1 R1C2", apart))).value
    144
    """

    name = "all-pairs"

    def pairs(self) -> Iterable[tuple[Place, Place]]:
        """Every two places in the list."""
        return combinations(self.cells, 2)

    def describe(self, puzzle: Puzzle) -> str:
        return f"any two cells of {self.listing} hold one of {len(self.allowed)} listed pairs"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        table = [(1, 2), (2, 3), (1, 3), (3, 3), (0, 1), (0, 0)]
        return (
            AllPairs("R1C1 R2C3 R3C2", table),
            AllPairs("R1C1 R2C3 R1C1", table),
            AllPairs("R1C1", []),
        )


Mark = TypeVar("Mark", bound=Constraint)


def marks(puzzle: Puzzle, *kinds: type[Mark]) -> Iterator[Mark]:
    """The rules of these kinds that hold in any case: not those inside an ``or`` or a ``not``."""
    open_rules = list(reversed(puzzle.constraints))
    while open_rules:
        rule = open_rules.pop()
        if isinstance(rule, And):
            open_rules.extend(reversed(rule.parts))
        elif isinstance(rule, kinds):
            yield rule


def refuse_uncertain_marks(puzzle: Puzzle, label: str, *kinds: type[Constraint]) -> None:
    """Refuse marks inside an ``or`` or a ``not``: whether they exempt their cells is unclear."""
    open_rules: list[tuple[Constraint, bool]] = [(rule, False) for rule in puzzle.constraints]
    while open_rules:
        rule, uncertain = open_rules.pop()
        if isinstance(rule, And):
            open_rules.extend((part, uncertain) for part in rule.parts)
        elif isinstance(rule, Or):
            open_rules.extend((part, True) for part in rule.parts)
        elif isinstance(rule, Not):
            open_rules.append((rule.part, True))
        elif uncertain and isinstance(rule, kinds):
            raise ConstraintError(
                f"{label}: {rule.label} stands inside an 'or' or a 'not', so nobody can say "
                f"whether its cells are marked; such marks must hold in any case"
            )
