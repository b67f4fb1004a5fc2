"""Cages and sums: killer cages and their relatives, and sums with coefficients."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import eq, ge, gt, le, lt, mul
from typing import TYPE_CHECKING, Any

from csp_encodings.automaton import Automaton, Budget
from csp_encodings.errors import BudgetError
from csp_encodings.factors import Domain
from csp_encodings.value_sets import sets_with_sum
from csp_sudoku import pictures
from csp_sudoku.cells import Place, Var
from csp_sudoku.constraints.aspects import DOTTED, Placing
from csp_sudoku.constraints.base import (
    CellConstraint,
    Constraint,
    all_values,
    clashing_pairs,
    in_grid,
)
from csp_sudoku.constraints.counting import occurrence
from csp_sudoku.constraints.fields import (
    OpenNumber,
    OptionalOpenNumber,
    OptionalWholeNumbers,
    brief,
    open_number,
    rule,
    whole,
    whole_numbers,
)
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import FPuzzles, Iss, Number, SudokuMaker
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.generating.easel import Easel
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


# A cage whose automaton is larger is split into two factors: it would propagate no better, and
# cost more to build.
_FUSED = Budget(states=20_000, edges=60_000)

# Of so many values all sets are soon listed, and their automaton is never too large.
_FEW_VALUES = 12

FusedStep = Callable[[tuple[int, Any], int, int], tuple[int, Any] | None]


class Cage(CellConstraint):
    """A cage: no value occurs twice, and :meth:`keeps` says what else must hold.

    A cell that is listed twice counts once.
    """

    def keeps(self, values: tuple[int, ...], puzzle: Puzzle) -> bool:
        """Whether different values, one for each cell, keep the rest of the rule."""
        raise ConstraintError(f"{type(self).__name__} must define keeps()")

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        held = tuple([values[place] for place in self.scope(puzzle)])
        return len({*held}) == len(held) and self.keeps(held, puzzle)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return [self.scope(puzzle)]

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The cells that share a value; if there are none, what breaks the rest of the rule."""
        repeats = list(clashing_pairs(values, self.scope(puzzle)))
        yield from repeats or super().clashes(values, puzzle)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to more cells than values."""
        size, values = len(self.scope(puzzle)), all_values(self.cells, puzzle)
        if size <= len(values):
            return None
        return f"cage at {self.cells[0]}: {size} cells are too many for {len(values)} values"


@rule
class KillerCage(Cage):
    """Killer cage: no value occurs twice, and the values sum to `sum`, if it is given.

    The sum may be open: several sums, or a named variable. A cell that is listed twice counts twice
    in the sum.

    Examples
    --------
    >>> from csp_sudoku import KillerCage, Puzzle, Var, count
    >>> count(Puzzle.blank(4).add(KillerCage("R1C1 R1C2", 5))).value
    96
    >>> count(Puzzle.blank(4).add(KillerCage("R1C1 R1C2", range(4, 6)))).value
    144
    >>> count(Puzzle.blank(4).add(KillerCage("R1C1 R1C2", Var("x")))).value
    288
    """

    sum: OptionalOpenNumber = open_number(default=None)
    name = "killer-cage"
    aliases = ("killer", "cage")
    saying = "Digits in a {colour}cage do not repeat and sum to its number, if it has one."

    def _weights(self, scope: tuple[Place, ...]) -> tuple[int, ...]:
        if len(scope) == len(self.cells):
            return (1,) * len(scope)
        return tuple(map(self.cells.count, scope))

    def keeps(self, values: tuple[int, ...], puzzle: Puzzle) -> bool:
        """Whether the values have the sum."""
        if self.sum is None:
            return True
        if len(values) < len(self.cells):  # a cell is listed twice
            values = tuple(map(mul, self._weights(self.scope(puzzle)), values))
        return sum(values) == self.sum

    def lower(self, ctx: Lowering) -> None:
        """Add an automaton for the sum and the used values, if there is a sum."""
        if self.sum is None:
            ctx.add_different(self.scope(ctx.puzzle))
        else:
            self.lower_one_of(ctx, (self.sum,))

    def lower_one_of(self, ctx: Lowering, numbers: tuple[int, ...]) -> None:
        """Add one automaton for the sums and the used values; if it is too large, two factors."""
        scope = self.scope(ctx.puzzle)
        weights = self._weights(scope)
        try:
            ctx.add_machine(scope, _sum_of_different, weights, tuple(numbers), _FUSED)
            return
        except BudgetError:
            ctx.add_different(scope)
        Sum(scope, numbers, weights).lower(ctx)

    def linked(self, place: Place, puzzle: Puzzle) -> tuple[Constraint, ...]:
        """Different values, whose sum less the value of the place is 0."""
        return (type(self)(self.cells), Sum(self.cells, place))

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a sum that is too small or too large, or more cells than values."""
        if (objection := super().objection(puzzle)) is not None:
            return objection
        size, values = len(self.scope(puzzle)), all_values(self.cells, puzzle)
        if self.sum is None or len(self.cells) > size:
            return None
        low, high = sum(values[:size]), sum(values[-size:])
        if low <= self.sum <= high:
            return None
        return (
            f"cage at {self.cells[0]}: sum {self.sum} is impossible for {size} "
            f"different cells of {span(values)} ({low} to {high})"
        )

    def describe(self, puzzle: Puzzle) -> str:
        clue = "" if self.sum is None else f" and sum to {self.sum}"
        return f"the cells {self.listing} of the cage differ{clue}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        clue = "" if self.sum is None else brief(self.sum)
        return [pictures.Cage(in_grid(self.cells), clue)]

    placing = Placing(in_three_rows=3, drawn=True)

    @classmethod
    def propose(cls, easel: Easel) -> Constraint | None:
        """Draw a single cage; to tile the whole grid is a recipe of its own."""
        piece = easel.cage(easel.chance.randint(2, 4))
        return cls(piece, sum(map(easel.value, piece))) if len(piece) > 1 else None

    def complemented(self, total: int) -> Constraint | None:
        if self.sum is None:
            return self
        return type(self)(self.cells, len(self.cells) * total - self.sum)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            KillerCage("R1C1 R1C2 R2C2", 7),
            KillerCage("R1C1 R3C3"),
            KillerCage("R1C1 R1C2", 99),
            KillerCage("R1C1 R1C2 R1C1", 7),
            KillerCage("R1C1", 3),
            KillerCage("R1C1 R1C2 R2C2", [6, 8, 99]),
            KillerCage("R1C1 R2C3 R1C1", [4, 5]),
            KillerCage("R1C1 R1C2", "R3C3"),
        )

    formats = (
        FPuzzles("killercage", "cells", value="sum"),
        FPuzzles("cage", "digital root", several=True),
        SudokuMaker(301, "cells", within="cages", value=Number("sum", none=0)),
        Iss("Cage", "cells", sum=Number("sum", none=0)),
    )

    phrases = (
        Phrase(
            "cage",
            "cage sum|no-repeat",
            may="sum no-repeat corner may-repeat if-given compares hidden-digits",
        ),
        Phrase("cage", "normal-killer", may="sum no-repeat corner cage if-given"),
        Phrase("cage", "compares|hidden-digits", may="sum compares hidden-digits cage"),
        Phrase(
            "cage",
            "cage sum",
            may="no-repeat may-repeat",
            fields={"sum": "number"},
            text="",
        ),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A cage whose digits may repeat is a sum. The text goes before what the document says."""
        said = sentence.concepts
        for figure in figures:
            text = figure.text.strip()
            may_repeat = "may-repeat" in said or figure.unique is False
            different = bool({"no-repeat", "normal-killer"} & said) or not may_repeat
            if not text or text.lstrip("-").isdigit():
                total = int(text) if text else fields.get("sum")
                if different:
                    yield cls(figure.cells, total)
                elif total is None:
                    raise ValueError("a cage without a number, whose digits may repeat")
                else:
                    yield Sum(figure.cells, total)
            elif not different or ("?" in text and "hidden-digits" not in said):
                raise ValueError(f"a cage with the text {text!r}")
            else:
                yield cls(figure.cells, _sums(text, len(figure.cells), grid))


def _sums(text: str, size: int, grid: Grid) -> list[int]:
    """The sums that a text such as ``<12``, ``>?`` or ``1?`` leaves; a ``?`` is a hidden digit."""
    found = re.fullmatch(r"([<>≤≥]?)\s?([0-9?]{1,3})", text)
    if not found:
        raise ValueError(f"a cage with the text {text!r}")
    compare = {"<": lt, ">": gt, "≤": le, "≥": ge}.get(found[1], eq)
    least, most = sum(grid.values[:size]), sum(grid.values[-size:])
    pattern = found[2].replace("?", "[0-9]")
    totals = [
        total
        for total in range(10 ** (len(found[2]) - 1), 10 ** len(found[2]))
        if re.fullmatch(pattern, str(total))
    ]
    return [s for s in range(least, most + 1) if any(compare(s, total) for total in totals)]


@rule
class RellikCage(Cage):
    """Rellik cage: no value occurs twice, and no selection of the values sums to `sum`.

    A single value is a selection, too.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, RellikCage, count
    >>> count(Puzzle.blank(4).add(RellikCage("R1C1 R1C2", 3))).value
    96
    """

    sum: int = whole()
    name = "rellik-cage"
    aliases = ("rellik",)

    def keeps(self, values: tuple[int, ...], puzzle: Puzzle) -> bool:
        """Whether no selection of the values has the sum."""
        sums: set[int] = set()
        for value in values:
            sums |= {value, *(value + total for total in sums)}
        return self.sum not in sums

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton for the sums and the used values.

        If it is too large: an all-different, and an automaton over bits that say which values
        occur.
        """
        scope = self.scope(ctx.puzzle)
        values, forbidden = all_values(self.cells, ctx.puzzle), self.sum
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
            # Forget the sums from which the next values cannot reach the forbidden one.
            rest = values[position + 1 :]
            low, high = (sum(v for v in rest if sign * v > 0) for sign in (-1, 1))
            return frozenset(t for t in after if low <= forbidden - t <= high)

        ctx.add_fold(bits, start, read, lambda sums: True, positional=True)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the cells {self.listing} of the cage differ and no selection sums to {self.sum}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        dash = (0.14, 0.05, 0.03, 0.05)
        return [pictures.Cage(in_grid(self.cells), f"≠{self.sum}", "strike", dash)]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            RellikCage("R1C1 R1C2 R2C2", 5),
            RellikCage("R1C1 R2C3", 4),
            RellikCage("R1C1 R2C3 R1C1", 0),
            RellikCage("R1C1", 2),
        )

    formats = (Iss("RellikCage", "cells", sum="sum", once=True),)


class EqualityCage(Cage):
    """Equality cage: different values, as many odd as even ones, and as many low as high ones.

    The low values are the lower half of all values, the high ones the upper half. A value in the
    middle is forbidden.

    Examples
    --------
    >>> from csp_sudoku import EqualityCage, Puzzle, count
    >>> count(Puzzle.blank(4).add(EqualityCage("R1C1 R1C2"))).value
    96
    """

    name = "equality-cage"

    def validate(self) -> None:
        """Require that the number of cells is even."""
        if len(set(self.cells)) % 2:
            raise ConstraintError(
                f"{self.label}: needs an even number of cells, not {len(set(self.cells))}"
            )

    def _halves(self, puzzle: Puzzle) -> dict[int, int]:
        """Every low value with -1 and every high value with 1; the middle one is left out."""
        values = all_values(self.cells, puzzle)
        half = len(values) // 2
        return dict.fromkeys(values[:half], -1) | dict.fromkeys(values[len(values) - half :], 1)

    def keeps(self, values: tuple[int, ...], puzzle: Puzzle) -> bool:
        """Whether as many values are odd as even, and as many low as high."""
        halves = self._halves(puzzle)
        if not all(value in halves for value in values):
            return False
        odd = sum(value % 2 for value in values)
        return 2 * odd == len(values) and sum(halves[value] for value in values) == 0

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton for balances and used values; if it is too large, two factors."""
        scope, halves = self.scope(ctx.puzzle), self._halves(ctx.puzzle)
        size = len(scope)

        def step(state: tuple[int, int], value: int, position: int) -> tuple[int, int] | None:
            if value not in halves:
                return None
            parity, half = state[0] + 2 * (value % 2) - 1, state[1] + halves[value]
            # The cells that are still to come must be able to restore the balance.
            left = size - 1 - position
            return (parity, half) if max(abs(parity), abs(half)) <= left else None

        if not add_fused(ctx, scope, (0, 0), step, lambda state: True):
            ctx.add_different(scope)
            ctx.add_fold(scope, (0, 0), step, lambda state: True, positional=True)

    def describe(self, puzzle: Puzzle) -> str:
        return f"the cells {self.listing} of the cage differ, half of them odd and half of them low"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [pictures.Cage(in_grid(self.cells), "=", "found", (0.14, 0.05))]

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        places = maker.grid_cells(maker.rng.choice((2, 4)))
        return {"cells": [*places, *places[: maker.rng.random() < 0.2]]}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (EqualityCage("R1C1 R1C2 R2C1 R2C2"), EqualityCage("R1C1 R2C3 R1C1"))

    formats = (Iss("EqualityCage", "cells", once=True),)


@rule
class Sum(CellConstraint):
    """Sum: the values, each times its coefficient, sum to `total`. Values may repeat.

    With `at_most` the sum lies between `total` and `at_most`. The total may be open: several
    numbers, or a named variable.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Sum, Var, count
    >>> count(Puzzle.blank(4).add(Sum("R1C1 R2C3", 0, coefficients=(2, -1)))).value
    24
    >>> sums = [Sum("R1C1 R2C3", Var("x")), Sum("R3C1 R4C3", Var("x"))]
    >>> count(Puzzle.blank(4).add(*sums)).value
    64
    """

    total: OpenNumber = open_number()
    coefficients: OptionalWholeNumbers = whole_numbers(default=None)
    at_most: int | None = whole(default=None)
    name = "sum"
    aliases = ("sum-cage",)
    saying = "Digits in a {colour}cage may repeat and sum to its number."

    def validate(self) -> None:
        """Require that every cell has a coefficient."""
        if len(self._weights) != len(self.cells):
            raise ConstraintError(
                f"{self.label}: {len(self._weights)} coefficients for {len(self.cells)} cells"
            )
        if self.unknown is not None and self.at_most is not None:
            raise ConstraintError(f"{self.label}: at_most needs a known total, not {self.total}")

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
        """Add one linear factor."""
        ctx.add_sum(self.cells, self.total, self._high, self._weights)

    def lower_one_of(self, ctx: Lowering, numbers: tuple[int, ...]) -> None:
        """Add one linear factor if no number between is missing; else one automaton."""
        if numbers[-1] - numbers[0] == len(numbers) - 1:
            ctx.add_sum(self.cells, numbers[0], numbers[-1], self._weights)
            return
        step = _sum_step(ctx.domains(self.cells), self._weights, numbers)
        ctx.add_fold(self.cells, 0, step, numbers.__contains__, positional=True)

    def linked(self, place: Place, puzzle: Puzzle) -> tuple[Constraint, ...]:
        """The sum less the value of the place is 0."""
        return (type(self)((*self.cells, place), 0, (*self._weights, -1)),)

    def uses(self, puzzle: Puzzle) -> Iterable[tuple[Var, tuple[int, ...]]]:
        """The variable of the total; or a single term that all others determine."""
        terms = list(zip(self._weights, self.cells, strict=True))
        new = [place for place in self.cells if type(place) is Var and not puzzle.has(place)]
        if len(new) != 1 or self.unknown is not None:
            return super().uses(puzzle)
        [weight] = [weight for weight, place in terms if place == new[0]]
        if abs(weight) != 1:
            return ()
        rest = [(weight, place) for weight, place in terms if place != new[0]]
        places, weights = [place for _, place in rest], [weight for weight, _ in rest]
        low, high = type(self)(places, 0, weights)._reach(puzzle) if rest else (0, 0)
        ends = [weight * (self.total - high), weight * (self._high - low)]
        return [(new[0], tuple(range(min(ends), max(ends) + 1)))]

    def numbers(self, puzzle: Puzzle) -> Iterable[int]:
        """All numbers from the least to the greatest sum."""
        low, high = self._reach(puzzle)
        return range(low, high + 1)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a total that is too small or too large."""
        low, high = self._reach(puzzle)
        if self.total <= high and low <= self._high and self.total <= self._high:
            return None
        return f"{self.label}: sum {self._target} is impossible ({low} to {high})"

    def _reach(self, puzzle: Puzzle) -> tuple[int, int]:
        """The least and the greatest sum."""
        terms = [
            [w * v for v in puzzle.values_of(place)] or [0]
            for w, place in zip(self._weights, self.cells, strict=True)
        ]
        return sum(map(min, terms)), sum(map(max, terms))

    @property
    def _target(self) -> str:
        return str(self.total) if self.at_most is None else f"{self.total} to {self.at_most}"

    def describe(self, puzzle: Puzzle) -> str:
        terms = ""
        for w, place in zip(self._weights, self.cells, strict=True):
            sign = ("-" if w < 0 else "") if not terms else (" - " if w < 0 else " + ")
            terms += sign + (str(place) if abs(w) == 1 else f"{abs(w)}·{place}")
        return f"{terms or 0} is {self._target}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        places = in_grid(self.cells)
        if self.coefficients is None and len(set(places)) == len(places):
            text = brief(self.total) if self.at_most is None else f"{self.total}–{self.at_most}"
            return [pictures.Cage(places, f"Σ{text}", "pencil", DOTTED)]
        return [
            pictures.Cage(places, "Σ", "pencil", DOTTED),
            pictures.sentence(self, puzzle),
        ]

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        rng = maker.rng
        places = maker.line(rng.randint(1, maker.longest))
        weights = None
        if rng.random() < 0.5:
            weights = [rng.choice((-2, -1, 0, 1, 1, 2, 3)) for _ in places]
        total = rng.randint(-5, 14)
        at_most = total + rng.randint(-1, 6) if rng.random() < 0.4 else None
        return {"cells": places, "total": total, "coefficients": weights, "at_most": at_most}

    def complemented(self, total: int) -> Constraint | None:
        weights = self._weights
        whole = sum(weights) * total
        if self.at_most is None:
            return type(self)(self.cells, whole - self.total, weights)
        return type(self)(self.cells, whole - self.at_most, weights, whole - self.total)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Sum("R1C1 R2C2 R3C3", 7),
            Sum("R1C1 R2C2", 1, (2, -1)),
            Sum("R1C1 R2C2 R3C3", 4, at_most=6),
            Sum("R1C1 R1C1", 4),
            Sum("R1C1 R2C2 R3C3", [4, 5, 6]),
            Sum("R1C1 R2C2", [1, 4, 5], (2, -1)),
            Sum("R1C1 R2C2", "R3C3"),
        )

    formats = (
        SudokuMaker(405, "sequence"),
        Iss("Sum", "weighted sum"),
    )

    phrases = (
        Phrase("outside", "outside sum first three", may="row column or", text="[0-9]+"),
        Phrase("corner", "sum four", may="circle adjacent diamond", text="[0-9]+"),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A number on a corner, or beside a line of which it is the sum of three."""
        for figure in figures:
            cells = figure.cells
            if figure.kind == "outside":
                line, reverse = figure.line_beside(grid)
                index = int(line[1:]) - 1
                cells = grid.row(index) if line[0] == "R" else grid.column(index)
                cells = cells[-3:] if reverse else cells[:3]
            yield cls(cells, int(figure.text))


def add_fused(
    ctx: Lowering,
    scope: tuple[Place, ...],
    start: Any,
    step: Callable[[Any, int, int], Any],
    accept: Callable[[Any], object],
) -> bool:
    """Add one automaton for a state machine and for different values, unless it is too large."""
    fused = _fused_step(ctx.domains(scope), step)
    try:
        ctx.add_fold(
            scope, (0, start), fused, lambda s: accept(s[1]), positional=True, budget=_FUSED
        )
    except BudgetError:
        return False
    return True


def _fused_step(domains: Sequence[Domain], step: Callable[[Any, int, int], Any]) -> FusedStep:
    """The step of a state machine that also remembers the used values, and takes none twice."""
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
    """The step of a machine that adds up; a total that can reach no target ends it at once."""
    low = high = 0
    alive = [[(target, target) for target in targets]]
    for weight, domain in reversed(list(zip(weights[1:], domains[1:], strict=True))):
        ends = [weight * value for value in (domain[:1] + domain[-1:])] or [0]
        low, high = low + min(ends), high + max(ends)
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
    """The automaton of different values with one of the target sums."""
    size, values = len(domains), domains[0]
    if len(values) <= _FEW_VALUES and {*domains} == {values} and {*weights} == {1}:
        sets = [some for total in {*targets} for some in sets_with_sum(values, size, total)]
        if sets:
            return Automaton.from_sets(values, sets, budget=budget)
    step = _fused_step(domains, _sum_step(domains, weights, targets))
    return Automaton.from_fold(
        domains, (0, 0), step, lambda s: s[1] in targets, positional=True, budget=budget
    )


def span(values: list[int]) -> str:
    """The values as people write them: ``1-9``, or ``0,2,5``."""
    if values == list(range(values[0], values[-1] + 1)):
        return f"{values[0]}-{values[-1]}"
    return ",".join(map(str, values))
