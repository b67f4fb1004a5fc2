"""Pairs of values that are allowed: on a line, or between any two cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from csp_sudoku.cells import Place
from csp_sudoku.constraints.aspects import Look
from csp_sudoku.constraints.base import MOST_LISTED, CellConstraint, Constraint, listed_rows
from csp_sudoku.constraints.fields import Read, number_rows, rule
from csp_sudoku.forms import Iss
from csp_sudoku.understanding.phrases import BETWEEN_CELLS, Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


@rule
class Pair(CellConstraint):
    """Allowed pairs: every two successive cells hold one of the `allowed` pairs of values.

    Examples
    --------
    >>> from csp_sudoku import Pair, Puzzle, count
    >>> rising = [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
    >>> count(Puzzle.blank(4).add(Pair("R1C1-R1C3", rising))).value
    48
    """

    allowed: Read[Iterable[tuple[int, int]], tuple[tuple[int, int], ...]] = number_rows(
        form="first value, second value", as_set=True
    )
    name = "pair"

    def pairs(self) -> Iterable[tuple[Place, Place]]:
        """The pairs of cells that the table is for."""
        return pairwise(self.cells)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return all((values[a], values[b]) in self.allowed for a, b in self.pairs())

    def lower(self, ctx: Lowering) -> None:
        """Add one relation for each pair of cells."""
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
        pairs = listed_rows(self.allowed, "allowed pairs")
        return f"successive cells of {self.listing} hold {pairs}"

    @property
    def is_told(self) -> bool:
        return len(self.allowed) <= MOST_LISTED

    look = Look("teal", 0.06, (0.04, 0.12), head=True, written=True)
    sees, listed = "equality", ("allowed",)

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        return {"cells": maker.line(maker.rng.randint(1, 4)), "allowed": maker.pairs()}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        table = [(1, 2), (2, 3), (3, 1), (3, 3), (0, 1)]
        return (
            Pair("R1C1 R2C3 R3C2", table),
            Pair("R1C1 R2C3 R1C1", table),
            Pair("R1C1", table),
            Pair("R1C1 R1C2", []),
        )

    formats = (
        Iss("Pair", "table"),
        Iss("Binary", "old table", read_only=True),
    )

    phrases: ClassVar[tuple[Phrase, ...]] = (
        Phrase(
            "edge",
            "dot|square|diamond|circle "
            "consecutive|non-consecutive|even|odd|sum|difference|ratio|either|alternate",
            may=f"or letter-x letter-v at-least parity {BETWEEN_CELLS}",
            text="",
            numbers=True,
            general=True,
        ),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """A mark of the setter's own: everything that the sentence says of the two values."""
        tests = list(_tests_of_two(sentence))
        if not tests:
            raise ValueError("nothing is said of the two values")
        if "either" in sentence.concepts and "or" not in sentence.concepts:
            raise ValueError("either, or what else")
        if len(tests) > 1 and len(sentence.colours) > 1:
            raise ValueError("it is not clear which colour means what")
        combine = any if len(tests) > 1 and sentence.concepts & {"or", "either"} else all
        pairs = [(a, b) for a in grid.values for b in grid.values]
        allowed = [pair for pair in pairs if combine(test(*pair) for test in tests)]
        if not allowed:
            raise ValueError("no two values are so")
        return [cls(figure.cells, allowed) for figure in figures]


class AllPairs(Pair):
    """Allowed pairs of all cells: any two of them, in order, hold one of the `allowed` pairs.

    Examples
    --------
    >>> from csp_sudoku import AllPairs, Puzzle, count
    >>> apart = [(a, b) for a in range(1, 5) for b in range(1, 5) if abs(a - b) > 1]
    >>> count(Puzzle.blank(4).add(AllPairs("R1C1 R1C2", apart))).value
    144
    """

    name = "all-pairs"
    phrases = ()

    def pairs(self) -> Iterable[tuple[Place, Place]]:
        """Every two cells of the list."""
        return combinations(self.cells, 2)

    def describe(self, puzzle: Puzzle) -> str:
        pairs = listed_rows(self.allowed, "allowed pairs")
        return f"any two cells of {self.listing}, in this order, hold {pairs}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._described(puzzle)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        table = [(1, 2), (2, 3), (1, 3), (3, 3), (0, 1), (0, 0)]
        return (
            AllPairs("R1C1 R2C3 R3C2", table),
            AllPairs("R1C1 R2C3 R1C1", table),
            AllPairs("R1C1", []),
        )

    formats = (
        Iss("PairX", "symmetric table"),
        Iss("BinaryX", "old symmetric table", read_only=True),
    )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        return [Pair(pair, self.allowed) for pair in self.pairs()]


def _tests_of_two(sentence: Sentence) -> Iterator[Callable[[int, int], bool]]:
    """What a sentence says of the two values beside a mark."""
    said, numbers = sentence.concepts, set(sentence.numbers)
    if numbers and not said & {"sum", "difference", "either"}:
        raise ValueError("it is not clear what the numbers are")
    letters = {"letter-x": 10, "letter-v": 5}
    totals = {total for letter, total in letters.items() if letter in said}
    if "sum" in said:
        totals |= numbers
        if not totals or (len(totals) > 1 and "or" not in said):
            raise ValueError("it is not clear what the two values sum to")
    if totals:
        yield lambda a, b: a + b in totals
    plain: dict[str, Callable[[int, int], bool]] = {
        "non-consecutive": lambda a, b: abs(a - b) != 1,
        "consecutive": lambda a, b: abs(a - b) == 1,
        "ratio": lambda a, b: a == 2 * b or b == 2 * a,
    }
    yield from (test for concept, test in plain.items() if concept in said)
    if {"even", "odd"} <= said or "alternate" in said:
        yield lambda a, b: (a - b) % 2 == 1
    elif said & {"even", "odd"}:
        rest = int("odd" in said)
        yield lambda a, b: a % 2 == b % 2 == rest
    if "difference" in said:
        if (sentence.at_least is None) == (len(numbers) != 1):
            raise ValueError("it is not clear by how much the two values differ")
        least, most = (sentence.at_least, 99) if sentence.at_least is not None else 2 * (*numbers,)
        yield lambda a, b: least <= abs(a - b) <= most
