"""Rules for sets of cells: cages, sums, equalities and inequalities."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from operator import eq, gt
from typing import TYPE_CHECKING

from csp_encodings.automaton import Budget
from csp_encodings.errors import BudgetError
from csp_sudoku.cells import CellsLike, Place
from csp_sudoku.constraints.base import CellConstraint, Constraint, Values
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle

# A fused cage above this size propagates no better than its parts, and costs more to build.
_FUSED = Budget(states=20_000, edges=60_000)


@dataclass(frozen=True, init=False)
class KillerCage(CellConstraint):
    """No value occurs twice in the cage, and its values sum to the clue, if there is one.

    A cell that is named twice counts twice in the sum.

    Examples
    --------
    >>> from csp_sudoku import KillerCage, Puzzle, count
    >>> count(Puzzle.blank(4).add(KillerCage("R1C1 R1C2", 5))).value
    96
    """

    sum: int | None
    name = "killer-cage"

    def __init__(self, cells: CellsLike, sum: int | None = None) -> None:
        self._set(cells=cells, sum=sum)

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_int(self.label, "sum", self.sum, optional=True)

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        scope = self.scope(puzzle)
        if len({values[place] for place in scope}) < len(scope):
            return False
        return self.sum is None or sum(values[place] for place in self.cells) == self.sum

    def lower(self, ctx: Lowering) -> None:
        """Sum and distinctness fused in one automaton; two factors where that is too large."""
        scope = self.scope(ctx.puzzle)
        total = self.sum
        if total is None:
            ctx.add_different(scope)
            return
        weights = [self.cells.count(place) for place in scope]
        domains = ctx.domains(scope)
        values = sorted({value for domain in domains for value in domain})
        bit = {value: 1 << i for i, value in enumerate(values)}
        # What the cells behind a position can still add; a total out of reach is dead at once.
        rest = [(0, 0)]
        for weight, domain in reversed(list(zip(weights[1:], domains[1:], strict=True))):
            low, high = rest[-1]
            rest.append((low + weight * domain[0], high + weight * domain[-1]))
        rest.reverse()

        def step(state: tuple[int, int], value: int, position: int) -> tuple[int, int] | None:
            left, used = state
            left -= weights[position] * value
            low, high = rest[position]
            if used & bit[value] or not low <= left <= high:
                return None
            return left, used | bit[value]

        try:
            ctx.add_fold(
                scope, (total, 0), step, lambda s: s[0] == 0, positional=True, budget=_FUSED
            )
        except BudgetError:
            ctx.add_different(scope)
            ctx.add_sum(scope, total, total, weights)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [self.scope(puzzle)]

    def objection(self, puzzle: Puzzle) -> str | None:
        """A sum out of reach, or more cells than values."""
        scope = self.scope(puzzle)
        values = sorted({value for place in scope for value in puzzle.values_of(place)})
        size = len(scope)
        if size > len(values):
            return f"cage at {scope[0]}: {size} cells cannot hold {len(values)} values once each"
        if self.sum is None or len(self.cells) > size:
            return None
        low, high = sum(values[:size]), sum(values[-size:])
        if low <= self.sum <= high:
            return None
        return (
            f"cage at {scope[0]}: sum {self.sum} is impossible for {size} different cells of "
            f"{_span(values)} ({low} to {high})"
        )

    def describe(self, puzzle: Puzzle) -> str:
        clue = "" if self.sum is None else f" and sum to {self.sum}"
        return f"the cells {self.listing} of the cage differ{clue}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            KillerCage("R1C1 R1C2 R2C2", 7),
            KillerCage("R1C1 R3C3"),
            KillerCage("R1C1 R1C2", 99),
            KillerCage("R1C1 R1C2 R1C1", 7),
            KillerCage("R1C1", 3),
        )


@dataclass(frozen=True, init=False)
class Sum(CellConstraint):
    """The values, each times its coefficient, sum to the total; values may repeat.

    With `at_most` set the sum lies between ``total`` and ``at_most``.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Sum, count
    >>> count(Puzzle.blank(4).add(Sum("R1C1 R2C3", 0, coefficients=(2, -1)))).value
    48
    """

    total: int
    coefficients: tuple[int, ...] | None
    at_most: int | None
    name = "sum"

    def __init__(
        self,
        cells: CellsLike,
        total: int,
        coefficients: Iterable[int] | None = None,
        at_most: int | None = None,
    ) -> None:
        weights = None if coefficients is None else tuple(coefficients)
        self._set(cells=cells, total=total, coefficients=weights, at_most=at_most)

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_int(self.label, "total", self.total)
        _check_int(self.label, "at_most", self.at_most, optional=True)
        if self.coefficients is None:
            return
        for coefficient in self.coefficients:
            _check_int(self.label, "coefficient", coefficient)
        if len(self.coefficients) != len(self.cells):
            raise ConstraintError(
                f"{self.label}: {len(self.coefficients)} coefficients for {len(self.cells)} cells"
            )

    @property
    def _weights(self) -> tuple[int, ...]:
        return self.coefficients if self.coefficients is not None else (1,) * len(self.cells)

    @property
    def _high(self) -> int:
        return self.total if self.at_most is None else self.at_most

    def accepts(self, values: tuple[int, ...]) -> bool:
        found = sum(w * v for w, v in zip(self._weights, values, strict=True))
        return self.total <= found <= self._high

    def lower(self, ctx: Lowering) -> None:
        """One linear factor."""
        ctx.add_sum(self.cells, self.total, self._high, self._weights)

    def objection(self, puzzle: Puzzle) -> str | None:
        """A total out of reach."""
        ends = [
            sorted(w * v for v in puzzle.values_of(place))
            for w, place in zip(self._weights, self.cells, strict=True)
        ]
        low, high = sum(e[0] for e in ends), sum(e[-1] for e in ends)
        if self.total <= high and low <= self._high and self.total <= self._high:
            return None
        return f"{self.label}: {self._target} is out of reach ({low} to {high})"

    @property
    def _target(self) -> str:
        return str(self.total) if self.at_most is None else f"{self.total} to {self.at_most}"

    def describe(self, puzzle: Puzzle) -> str:
        terms = " + ".join(
            str(place) if w == 1 else f"{w}·{place}"
            for w, place in zip(self._weights, self.cells, strict=True)
        )
        return f"{terms} is {self._target}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Sum("R1C1 R2C2 R3C3", 7),
            Sum("R1C1 R2C2", 1, (2, -1)),
            Sum("R1C1 R2C2 R3C3", 4, at_most=6),
            Sum("R1C1 R1C1", 4),
        )


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


class _Pair(CellConstraint):
    """A rule on exactly two cells."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.cells) != 2:
            raise ConstraintError(f"{self.label}: speaks of exactly 2 cells, not {len(self.cells)}")


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

    def accepts(self, values: tuple[int, ...]) -> bool:
        return values[0] != values[1]

    def lower(self, ctx: Lowering) -> None:
        """An all-different of two."""
        ctx.add_different(self.cells)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [self.cells] if self.cells[0] != self.cells[1] else []

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

    def accepts(self, values: tuple[int, ...]) -> bool:
        return values[0] > values[1]

    def lower(self, ctx: Lowering) -> None:
        """One relation."""
        greater, smaller = self.cells
        ctx.add_relation(greater, smaller, gt)

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.cells[0]} is greater than {self.cells[1]}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (GreaterThan("R1C1 R1C2"), GreaterThan("R1C1 R1C1"))


def _check_int(label: str, what: str, value: object, *, optional: bool = False) -> None:
    if not (type(value) is int or (optional and value is None)):
        raise ConstraintError(f"{label}: its {what} must be a whole number, not {value!r}")


def _span(values: list[int]) -> str:
    if values == list(range(values[0], values[-1] + 1)):
        return f"{values[0]}-{values[-1]}"
    return ",".join(map(str, values))
