"""Sequences: index lines, arithmetic sequences, recurrences, ascending starts of lines."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from csp_encodings.factors import Domain
from csp_sudoku.constraints.aspects import Look, numbers_outside, tried_lines
from csp_sudoku.constraints.base import CellConstraint, Constraint
from csp_sudoku.constraints.fields import (
    OpenNumber,
    OptionalOpenNumber,
    Places,
    WholeNumbers,
    brief,
    flag,
    open_number,
    rule,
    some_places,
    whole,
    whole_numbers,
)
from csp_sudoku.constraints.indexing import Points
from csp_sudoku.constraints.line_clue import SideClue
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle


@rule(init=False)
class IndexLine(CellConstraint):
    """Index line: if the cell at position P of the line holds V, then position V holds P.

    Positions count from 1, from the first cell of the line.

    Examples
    --------
    >>> from csp_sudoku import IndexLine, Puzzle, count
    >>> count(Puzzle.blank(4).add(IndexLine("R1C1-R1C4"))).value
    120
    """

    cells: Places = some_places(distinct=True)
    name = "index-line"
    aliases = ("index-lines", "indexing-line")

    def accepts(self, values: tuple[int, ...]) -> bool:
        return all(
            1 <= value <= len(values) and values[value - 1] == position
            for position, value in enumerate(values, 1)
        )

    def lower(self, ctx: Lowering) -> None:
        """Add a relation for every two positions: one points at the other, or neither does."""
        positions = range(1, len(self.cells) + 1)
        for place in self.cells:
            ctx.add_condition(place, positions.__contains__)
        for i, place in enumerate(self.cells, 1):
            for j, other in enumerate(self.cells[:i], 1):
                if i != j:
                    ctx.add_relation(place, other, Points(j, i))

    def describe(self, puzzle: Puzzle) -> str:
        return f"if position P of the line {self.listing} holds V, then position V holds P"

    # A drawing of others seldom says where the line begins, so no phrase reads it.
    look = Look("teal", 0.1, (0.02, 0.14), head=True, written=True)
    placing = tried_lines(longest=4)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (IndexLine("R1C1 R1C2 R2C3"), IndexLine("R2C2"), IndexLine("R1C1 R1C2 R2C2 R3C3"))


@rule
class ArithmeticSequence(CellConstraint):
    """Arithmetic sequence: along the line each value is the same step after the one before.

    The step may be any number, also 0 or negative. With `difference` it is this number, up or down
    the line.

    Examples
    --------
    >>> from csp_sudoku import ArithmeticSequence, Puzzle, count
    >>> count(Puzzle.blank(4).add(ArithmeticSequence("R1C1-R1C3"))).value
    48
    """

    difference: OptionalOpenNumber = open_number(default=None, least=0)
    name = "arithmetic-sequence"
    aliases = ("arithmetic-progression", "sequence-line")
    saying = "Digits along a {colour}line form an arithmetic sequence."

    def accepts(self, values: tuple[int, ...]) -> bool:
        steps = {b - a for a, b in pairwise(values)}
        if len(steps) > 1:
            return False
        return self.difference is None or all(abs(step) == self.difference for step in steps)

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers the last value and the step."""
        wanted = self.difference

        def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
            if not state:
                return (value,)
            taken = value - state[0]
            if wanted is not None and abs(taken) != wanted:
                return None
            return (value, taken) if state[1:] in ((), (taken,)) else None

        ctx.add_fold(self.cells, (), step, lambda state: True)

    def numbers(self, puzzle: Puzzle) -> Iterable[int]:
        values = [v for place in self.cells for v in puzzle.values_of(place)]
        return range(max(values, default=0) - min(values, default=0) + 1)

    def describe(self, puzzle: Puzzle) -> str:
        step = "" if self.difference is None else f" with steps of {self.difference}"
        return f"the values along {self.listing} form an arithmetic sequence{step}"

    phrases = (Phrase("line", "arithmetic-sequence", may="line"),)
    look = Look("blue", 0.12, (0.3, 0.08))
    sees = "distance"
    placing = tried_lines(longest=4)

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._line(puzzle, "" if self.difference is None else f"±{brief(self.difference)}")

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            ArithmeticSequence("R1C1 R2C2 R3C3"),
            ArithmeticSequence("R1C1 R1C2 R2C3", 1),
            ArithmeticSequence("R1C1 R2C3 R3C2", [0, 2]),
            ArithmeticSequence("R1C1", 9),
            ArithmeticSequence("R1C1 R2C2 R1C1"),
        )


@rule
class Recurrence(CellConstraint):
    """Fibonacci line: each value from the third on is the sum of the two values before it.

    In general each value is a sum of those before it, each times a coefficient: `coefficients` are
    those of the last value, of the value before it, and so on. With `modulus` only the remainders
    count: 10 for the last digit.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Recurrence, count
    >>> count(Puzzle.blank(4).add(Recurrence("R1C1-R1C3"))).value
    48
    >>> count(Puzzle.blank(4).add(Recurrence("R1C1-R1C3", [2]))).value
    12
    """

    coefficients: WholeNumbers = whole_numbers(empty=False, default=(1, 1))
    modulus: int | None = whole(default=None, least=1)
    name = "recurrence"
    aliases = ("fibonacci", "fibonacci-line")

    def accepts(self, values: tuple[int, ...]) -> bool:
        order = len(self.coefficients)
        return all(self._fits(values[i - order : i], values[i]) for i in range(order, len(values)))

    def _fits(self, before: tuple[int, ...], value: int) -> bool:
        rest = value - sum(c * v for c, v in zip(self.coefficients, before[::-1], strict=True))
        return rest == 0 if self.modulus is None else rest % self.modulus == 0

    def lower(self, ctx: Lowering) -> None:
        """Add a sum for every window; with a modulus one automaton of the last values."""
        order = len(self.coefficients)
        if self.modulus is None:
            weights = (*[-c for c in reversed(self.coefficients)], 1)
            for i in range(order, len(self.cells)):
                ctx.add_sum(self.cells[i - order : i + 1], 0, 0, weights)
            return

        def step(before: tuple[int, ...], value: int) -> tuple[int, ...] | None:
            if len(before) == order and not self._fits(before, value):
                return None
            return (*before, value)[-order:]

        ctx.add_fold(self.cells, (), step, lambda state: True)

    def describe(self, puzzle: Puzzle) -> str:
        order = len(self.coefficients)
        terms = " + ".join(
            f"{'' if c == 1 else f'{c}·'}v(n-{i})" for i, c in enumerate(self.coefficients, 1)
        )
        equal = "" if self.modulus is None else f", up to multiples of {self.modulus}"
        return f"along {self.listing}, from value {order + 1} on, v(n) is {terms}{equal}"

    # A drawing of others seldom says where the line begins, so no phrase reads it.
    look = Look("gold", 0.1, (0.02, 0.08), bulb=True, written=True)
    placing = tried_lines(longest=4)

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        rng = maker.rng
        return {
            "cells": maker.line(rng.randint(1, 4)),
            "coefficients": [rng.choice((-1, 0, 1, 1, 2)) for _ in range(rng.randint(1, 3))],
            "modulus": rng.choice((None, None, 1, 3, 10)),
        }

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Recurrence("R1C1 R1C2 R2C3 R3C3"),
            Recurrence("R1C1 R1C2 R2C3 R3C3", [1, 1], 4),
            Recurrence("R1C1 R2C3 R3C2", [-1]),
            Recurrence("R1C1 R2C3 R1C1", [1, 0], 3),
            Recurrence("R1C1"),
        )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        from csp_sudoku.constraints.cages import Sum

        if self.modulus is not None:
            return []
        order = len(self.coefficients)
        weights = (*[-c for c in reversed(self.coefficients)], 1)
        windows = [self.cells[i - order : i + 1] for i in range(order, len(self.cells))]
        return [Sum(window, 0, weights) for window in windows]


@rule
class AscendingStart(SideClue):
    """Ascending start: the values from the side sum to `sum` as long as they increase.

    The first value always counts; the run ends before the first value that is not greater than the
    one before it.

    Examples
    --------
    >>> from csp_sudoku import AscendingStart, Puzzle, count
    >>> count(Puzzle.blank(4).add(AscendingStart("R1", 5))).value
    36
    """

    sum: OpenNumber = open_number()
    reverse: bool = flag(default=False)
    name = "ascending-start"
    aliases = ("ascending-starter", "ascending-starters", "ascending-run")
    saying = (
        "A {colour}clue outside the grid is the sum of the digits from there, as long as they "
        "increase."
    )

    def accepts(self, line: tuple[int, ...], values: Domain) -> bool:
        total = line[0]
        for before, value in pairwise(line):
            if value <= before:
                break
            total += value
        return total == self.sum

    def lower(self, ctx: Lowering) -> None:
        """Add one automaton that remembers the last value and what is missing, until the end."""
        done, total = "done", self.sum

        def step(state: Any, value: int) -> Any:
            if state == done:
                return state
            if state and value <= state[0]:
                return done if state[1] == 0 else None
            left = (state[1] if state else total) - value
            # Only negative values can make up for too large a sum.
            return None if left < 0 and least >= 0 else (value, left)

        least = ctx.puzzle.grids[0].values[0]
        ctx.add_fold(self.cells(ctx.puzzle), (), step, lambda state: state == done or state[1] == 0)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a sum that is too small or too large."""
        values = puzzle.grids[0].values
        size = len(self.cells(puzzle))
        low = min(sum(v for v in values[:size] if v < 0) or values[0], values[0])
        high = max(sum([v for v in values if v > 0][-size:]), values[-1])
        if low <= self.sum <= high:
            return None
        return f"{self.label}: sum {self.sum} is impossible ({low} to {high})"

    def describe(self, puzzle: Puzzle) -> str:
        return f"in {self._place} the values sum to {self.sum} as long as they increase"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [self._clue(puzzle, f"↗{brief(self.sum)}")]

    phrases = (Phrase("outside", "ascending-start", may="outside sum row column or"),)

    placing = numbers_outside()

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            AscendingStart("R1", 5),
            AscendingStart("C2", 4, reverse=True),
            AscendingStart("R2", 99),
            AscendingStart("C3", [3, 7]),
        )
