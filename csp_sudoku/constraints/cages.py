"""Cages and sums: what the values of some cells add up to, mostly without repeats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import mul
from typing import TYPE_CHECKING, Any

from csp_encodings.automaton import Automaton, Budget
from csp_encodings.errors import BudgetError
from csp_encodings.factors import Domain
from csp_sudoku.cells import CellsLike, Place
from csp_sudoku.constraints.base import (
    CellConstraint,
    Constraint,
    Values,
    check_int,
    clashing_pairs,
    read_ints,
)
from csp_sudoku.constraints.counting import occurrence
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle

# A fused cage above this size propagates no better than its parts, and costs more to build.
_FUSED = Budget(states=20_000, edges=60_000)

FusedStep = Callable[[tuple[int, Any], int, int], tuple[int, Any] | None]


@dataclass(frozen=True, init=False)
class Cage(CellConstraint):
    """The base of cages: no value occurs twice, and something more holds, said by :meth:`keeps`.

    A cell that is named twice counts once.
    """

    def keeps(self, values: tuple[int, ...], puzzle: Puzzle) -> bool:
        """Whether different values of the cells, each cell once, keep the rest of the rule."""
        raise ConstraintError(f"{type(self).__name__} does not say what it keeps")

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        held = tuple([values[place] for place in self.scope(puzzle)])
        return len({*held}) == len(held) and self.keeps(held, puzzle)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [self.scope(puzzle)]

    def clashes(self, values: Values, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The cells that share a value; without any, what the rest of the rule says."""
        repeats = list(clashing_pairs(values, self.scope(puzzle)))
        yield from repeats or super().clashes(values, puzzle)

    def objection(self, puzzle: Puzzle) -> str | None:
        """More cells than values."""
        size, values = len(self.scope(puzzle)), self._values(puzzle)
        if size <= len(values):
            return None
        return f"cage at {self.cells[0]}: {size} cells cannot hold {len(values)} values once each"

    def _values(self, puzzle: Puzzle) -> list[int]:
        return sorted({value for place in self.cells for value in puzzle.values_of(place)})


@dataclass(frozen=True, init=False)
class _SumCage(Cage):
    """A cage whose values sum to one of some sums; a cell named twice counts twice in the sum."""

    @property
    def sums_allowed(self) -> tuple[int, ...] | None:
        """The sums, ascending; None where any will do."""
        raise ConstraintError(f"{type(self).__name__} does not say its sums")

    def _weights(self, puzzle: Puzzle) -> tuple[int, ...]:
        scope = self.scope(puzzle)
        if len(scope) == len(self.cells):
            return (1,) * len(scope)
        return tuple(map(self.cells.count, scope))

    def keeps(self, values: tuple[int, ...], puzzle: Puzzle) -> bool:
        """One of the sums."""
        total = sum(map(mul, self._weights(puzzle), values))
        return self.sums_allowed is None or total in self.sums_allowed

    def lower(self, ctx: Lowering) -> None:
        """Sum and distinctness fused in one automaton; two factors where that is too large."""
        scope, targets = self.scope(ctx.puzzle), self.sums_allowed
        if targets is None:
            ctx.add_different(scope)
            return
        weights = self._weights(ctx.puzzle)
        try:
            ctx.add_machine(scope, _sum_of_different, weights, targets, _FUSED)
            return
        except BudgetError:
            ctx.add_different(scope)
        if len(targets) == 1:
            ctx.add_sum(scope, targets[0], targets[0], weights)
        else:
            step = _sum_step(ctx.domains(scope), weights, targets)
            ctx.add_fold(scope, 0, step, targets.__contains__, positional=True)

    def objection(self, puzzle: Puzzle) -> str | None:
        """A sum out of reach, or more cells than values."""
        if (objection := super().objection(puzzle)) is not None:
            return objection
        size, values = len(self.scope(puzzle)), self._values(puzzle)
        if self.sums_allowed is None or len(self.cells) > size:
            return None
        low, high = sum(values[:size]), sum(values[-size:])
        if any(low <= target <= high for target in self.sums_allowed):
            return None
        return (
            f"cage at {self.cells[0]}: sum {_or(self.sums_allowed)} is impossible for {size} "
            f"different cells of {span(values)} ({low} to {high})"
        )

    def describe(self, puzzle: Puzzle) -> str:
        clue = "" if self.sums_allowed is None else f" and sum to {_or(self.sums_allowed)}"
        return f"the cells {self.listing} of the cage differ{clue}"


@dataclass(frozen=True, init=False)
class KillerCage(_SumCage):
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
        check_int(self.label, "sum", self.sum, optional=True)

    @property
    def sums_allowed(self) -> tuple[int, ...] | None:
        """The clue."""
        return None if self.sum is None else (self.sum,)

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
class MultiSumCage(_SumCage):
    """No value occurs twice in the cage, and its values sum to one of the sums.

    A cell that is named twice counts twice in the sum.

    Examples
    --------
    >>> from csp_sudoku import MultiSumCage, Puzzle, count
    >>> count(Puzzle.blank(4).add(MultiSumCage("R1C1 R1C2", [4, 5]))).value
    144
    """

    sums: tuple[int, ...]
    name = "multi-sum-cage"

    def __init__(self, cells: CellsLike, sums: Iterable[int]) -> None:
        self._set(cells=cells, sums=sums)

    def __post_init__(self) -> None:
        super().__post_init__()
        sums = read_ints(self.label, "sums", self.sums)
        if not sums:
            raise ConstraintError(f"{self.label}: at least one sum must be named")
        object.__setattr__(self, "sums", tuple(sorted(set(sums))))

    @property
    def sums_allowed(self) -> tuple[int, ...]:
        """The sums."""
        return self.sums

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            MultiSumCage("R1C1 R1C2 R2C2", [6, 8, 99]),
            MultiSumCage("R1C1 R2C3 R1C1", [4, 5]),
            MultiSumCage("R1C1", [2, 3]),
            MultiSumCage("R1C1 R1C2", [99, 100]),
        )


@dataclass(frozen=True, init=False)
class RellikCage(Cage):
    """No value occurs twice in the cage, and no values of it, one or more, add up to the sum.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, RellikCage, count
    >>> count(Puzzle.blank(4).add(RellikCage("R1C1 R1C2", 3))).value
    96
    """

    sum: int
    name = "rellik-cage"

    def __init__(self, cells: CellsLike, sum: int) -> None:
        self._set(cells=cells, sum=sum)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "sum", self.sum)

    def keeps(self, values: tuple[int, ...], puzzle: Puzzle) -> bool:
        """No selection of the values has the sum."""
        sums: set[int] = set()
        for value in values:
            sums |= {value, *(value + total for total in sums)}
        return self.sum not in sums

    def lower(self, ctx: Lowering) -> None:
        """Fused with the used values; where that is too large, on bits that say what occurs."""
        scope = self.scope(ctx.puzzle)
        values, forbidden = self._values(ctx.puzzle), self.sum
        start = frozenset([0])

        def step(sums: frozenset[int], value: int, position: int) -> frozenset[int] | None:
            longer = {value + total for total in sums}
            return None if forbidden in longer else sums | longer

        if add_fused(ctx, scope, start, step, lambda sums: True):
            return
        ctx.add_different(scope)
        bits = [occurrence(ctx, scope, value) for value in values]

        def read(sums: frozenset[int], bit: int, position: int) -> frozenset[int] | None:
            after = step(sums, values[position], position) if bit else sums
            if after is None:
                return None
            # Sums from which the values to come cannot reach the forbidden one are forgotten.
            rest = values[position + 1 :]
            low, high = (sum(v for v in rest if sign * v > 0) for sign in (-1, 1))
            return frozenset(t for t in after if low <= forbidden - t <= high)

        ctx.add_fold(bits, start, read, lambda sums: True, positional=True)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the cells {self.listing} differ and no values of them add up to {self.sum}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            RellikCage("R1C1 R1C2 R2C2", 5),
            RellikCage("R1C1 R2C3", 4),
            RellikCage("R1C1 R2C3 R1C1", 0),
            RellikCage("R1C1", 2),
        )


@dataclass(frozen=True, init=False)
class EqualityCage(Cage):
    """No value occurs twice in the cage; as many are odd as even, and as many low as high.

    Low and high are the lower and the upper half of the values; a value in the middle is forbidden.

    Examples
    --------
    >>> from csp_sudoku import EqualityCage, Puzzle, count
    >>> count(Puzzle.blank(4).add(EqualityCage("R1C1 R1C2"))).value
    96
    """

    name = "equality-cage"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.cells)) % 2:
            raise ConstraintError(
                f"{self.label}: needs an even number of cells, not {len(set(self.cells))}"
            )

    def _halves(self, puzzle: Puzzle) -> dict[int, int]:
        """-1 for the low values and 1 for the high ones; the middle is left out."""
        values = self._values(puzzle)
        half = len(values) // 2
        return dict.fromkeys(values[:half], -1) | dict.fromkeys(values[len(values) - half :], 1)

    def keeps(self, values: tuple[int, ...], puzzle: Puzzle) -> bool:
        """Both balances."""
        halves = self._halves(puzzle)
        if not all(value in halves for value in values):
            return False
        odd = sum(value % 2 for value in values)
        return 2 * odd == len(values) and sum(halves[value] for value in values) == 0

    def lower(self, ctx: Lowering) -> None:
        """Both balances, fused with the used values where that stays small."""
        scope, halves = self.scope(ctx.puzzle), self._halves(ctx.puzzle)
        size = len(scope)

        def step(state: tuple[int, int], value: int, position: int) -> tuple[int, int] | None:
            if value not in halves:
                return None
            parity, half = state[0] + 2 * (value % 2) - 1, state[1] + halves[value]
            # What is left to read must be able to restore the balance.
            left = size - 1 - position
            return (parity, half) if max(abs(parity), abs(half)) <= left else None

        if not add_fused(ctx, scope, (0, 0), step, lambda state: True):
            ctx.add_different(scope)
            ctx.add_fold(scope, (0, 0), step, lambda state: True, positional=True)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the cells {self.listing} differ, half of them odd and half of them low"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (EqualityCage("R1C1 R1C2 R2C1 R2C2"), EqualityCage("R1C1 R2C3 R1C1"))


@dataclass(frozen=True, init=False)
class Sum(CellConstraint):
    """The values, each times its coefficient, sum to the total; values may repeat.

    With `at_most` set the sum lies between ``total`` and ``at_most``.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Sum, count
    >>> count(Puzzle.blank(4).add(Sum("R1C1 R2C3", 0, coefficients=(2, -1)))).value
    24
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
        self._set(cells=cells, total=total, coefficients=coefficients, at_most=at_most)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int(self.label, "total", self.total)
        check_int(self.label, "at_most", self.at_most, optional=True)
        if self.coefficients is None:
            return
        weights = read_ints(self.label, "coefficients", self.coefficients)
        object.__setattr__(self, "coefficients", weights)
        if len(weights) != len(self.cells):
            raise ConstraintError(
                f"{self.label}: {len(weights)} coefficients for {len(self.cells)} cells"
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
        terms = [
            [w * v for v in puzzle.values_of(place)] or [0]
            for w, place in zip(self._weights, self.cells, strict=True)
        ]
        low, high = sum(map(min, terms)), sum(map(max, terms))
        if self.total <= high and low <= self._high and self.total <= self._high:
            return None
        return f"{self.label}: {self._target} is out of reach ({low} to {high})"

    @property
    def _target(self) -> str:
        return str(self.total) if self.at_most is None else f"{self.total} to {self.at_most}"

    def describe(self, puzzle: Puzzle) -> str:
        terms = ""
        for w, place in zip(self._weights, self.cells, strict=True):
            sign = ("-" if w < 0 else "") if not terms else (" - " if w < 0 else " + ")
            terms += sign + (str(place) if abs(w) == 1 else f"{abs(w)}·{place}")
        return f"{terms or 0} is {self._target}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Sum("R1C1 R2C2 R3C3", 7),
            Sum("R1C1 R2C2", 1, (2, -1)),
            Sum("R1C1 R2C2 R3C3", 4, at_most=6),
            Sum("R1C1 R1C1", 4),
        )


def add_fused(
    ctx: Lowering,
    scope: tuple[Place, ...],
    start: Any,
    step: Callable[[Any, int, int], Any],
    accept: Callable[[Any], object],
) -> bool:
    """Test a state machine and that no value comes twice by one automaton, if it stays small."""
    fused = _fused_step(ctx.domains(scope), step)
    try:
        ctx.add_fold(
            scope, (0, start), fused, lambda s: accept(s[1]), positional=True, budget=_FUSED
        )
    except BudgetError:
        return False
    return True


def _fused_step(domains: Sequence[Domain], step: Callable[[Any, int, int], Any]) -> FusedStep:
    """The step of a state machine that also remembers the values, and takes none twice."""
    values = sorted({value for domain in domains for value in domain})
    bit = {value: 1 << i for i, value in enumerate(values)}

    def fused(state: tuple[int, Any], value: int, position: int) -> tuple[int, Any] | None:
        used, inner = state
        if used & bit[value]:
            return None
        inner = step(inner, value, position)
        return None if inner is None else (used | bit[value], inner)

    return fused


def _sum_step(
    domains: Sequence[Domain], weights: tuple[int, ...], targets: tuple[int, ...]
) -> Callable[[int, int, int], int | None]:
    """The step of a machine that adds up; totals that can reach no target are dead at once."""
    low = high = 0
    alive = [[(target, target) for target in targets]]
    for weight, domain in reversed(list(zip(weights[1:], domains[1:], strict=True))):
        low += weight * min(domain, default=0)
        high += weight * max(domain, default=0)
        alive.append([(target - high, target - low) for target in targets])
    alive.reverse()

    def step(total: int, value: int, position: int) -> int | None:
        total += weights[position] * value
        for least, most in alive[position]:
            if least <= total <= most:
                return total
        return None

    return step


def _sum_of_different(
    domains: tuple[Domain, ...], weights: tuple[int, ...], targets: tuple[int, ...], budget: Budget
) -> Automaton:
    """Different values with one of some sums."""
    step = _fused_step(domains, _sum_step(domains, weights, targets))
    return Automaton.from_fold(
        domains, (0, 0), step, lambda s: s[1] in targets, positional=True, budget=budget
    )


def _or(sums: tuple[int, ...]) -> str:
    return " or ".join(map(str, sums))


def span(values: list[int]) -> str:
    """The values as people write them."""
    if values == list(range(values[0], values[-1] + 1)):
        return f"{values[0]}-{values[-1]}"
    return ",".join(map(str, values))
