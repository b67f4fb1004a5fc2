"""Rules for the whole grid: anti-knight and other chess rules, nonconsecutive, negative rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import CellConstraint, Constraint, WholeGrid, all_values
from csp_sudoku.constraints.fields import (
    OptionalPlaces,
    OptionalWholeNumbers,
    WholeNumbers,
    flag,
    rule,
    some_places,
    whole,
    whole_numbers,
)
from csp_sudoku.constraints.logic import others_of, refuse_unsure_marks
from csp_sudoku.constraints.pair_tables import Pair
from csp_sudoku.constraints.pairs import Difference, PairSum, Ratio
from csp_sudoku.constraints.regions import AllDifferent
from csp_sudoku.errors import ConstraintError
from csp_sudoku.forms import FPuzzles, Iss, SudokuMaker, SudokuPad, values_from_1
from csp_sudoku.geometry import leaps
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


Offsets = tuple[tuple[int, int], ...]

_BESIDE: Offsets = ((0, 1), (1, 0))
_DIAGONAL: Offsets = ((1, -1), (1, 1))
_KNIGHT: Offsets = ((1, -2), (1, 2), (2, -1), (2, 1))


@rule
class _PairRule(WholeGrid):
    """A symmetric rule for every two cells whose distance is one of the offsets.

    Offsets point down, or to the right in the same row, so that each pair is found once.
    """

    offsets: ClassVar[Offsets]
    of_grid = True

    def pairs(self, puzzle: Puzzle) -> Iterator[tuple[Cell, Cell]]:
        """The pairs of cells that the rule is for, each once."""
        return puzzle.pairs_at(self.offsets)

    def allows(self, a: int, b: int) -> bool:
        """Whether two such cells may hold these values."""
        raise ConstraintError(f"{type(self).__name__} must define allows()")

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The filled pairs that are not allowed."""
        for a, b in self.pairs(puzzle):
            if a in values and b in values and not self.allows(values[a], values[b]):
                yield a, b

    def lower(self, ctx: Lowering) -> None:
        """Add one relation for each pair."""
        allows = self.allows
        for a, b in self.pairs(ctx.puzzle):
            ctx.add_relation(a, b, allows)

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        if different := list(self.different(puzzle)):
            return [AllDifferent(pair) for pair in different]
        allowed = cache(self._allowed)
        return [Pair(pair, allowed(*map(puzzle.values_of, pair))) for pair in self.pairs(puzzle)]

    def _allowed(
        self, first: tuple[int, ...], second: tuple[int, ...]
    ) -> tuple[tuple[int, int], ...]:
        return tuple((a, b) for a in first for b in second if self.allows(a, b))


class _NotEqualRule(_PairRule):
    """Cells whose distance is one of the offsets hold different values."""

    def allows(self, a: int, b: int) -> bool:
        """Whether the values are different."""
        return a != b

    sees = "equality"

    def lower(self, ctx: Lowering) -> None:
        """Add one all-different factor for each pair: every target has a native form of it."""
        for pair in self.pairs(ctx.puzzle):
            ctx.add_different(pair)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return self.pairs(puzzle)


class AntiKnight(_NotEqualRule):
    """Anti-knight: cells a knight's move apart hold different values.

    Examples
    --------
    >>> from csp_sudoku import AntiKnight, Puzzle, count
    >>> count(Puzzle.blank(4).add(AntiKnight())).value
    24
    """

    name = "anti-knight"
    aliases = ("antiknight", "knights-move")
    offsets = _KNIGHT

    def describe(self, puzzle: Puzzle) -> str:
        return "cells a knight's move apart hold different values"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (AntiKnight(),)

    formats = (
        FPuzzles("antiknight", "flag"),
        SudokuMaker(13, "flag"),
        SudokuPad("antiknight", "flag"),
        Iss("AntiKnight", "flag", houses=True),
    )

    phrases = (
        Phrase("", "knight not same|appear", may="divide if appear knight-step seen"),
        Phrase("", "knight no-repeat|different", may="divide if knight-step"),
        Phrase("", "knight"),
    )


class AntiKing(_NotEqualRule):
    """Anti-king: cells a king's move apart, also diagonally, hold different values.

    Examples
    --------
    >>> from csp_sudoku import AntiKing, Puzzle, count
    >>> count(Puzzle.blank(4).add(AntiKing())).value
    0
    """

    name = "anti-king"
    aliases = ("antiking", "kings-move")
    offsets = _BESIDE + _DIAGONAL

    def describe(self, puzzle: Puzzle) -> str:
        return "cells a king's move apart hold different values"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (AntiKing(),)

    formats = (
        FPuzzles("antiking", "flag"),
        SudokuMaker(12, "flag"),
        SudokuPad("antiking", "flag"),
        Iss("AntiKing", "flag", houses=True),
    )

    phrases = (
        Phrase("", "king not same|appear", may="divide if appear adjacent diagonal neighbours"),
        Phrase("", "king no-repeat|different", may="divide if adjacent diagonal neighbours"),
        Phrase("", "diagonal adjacent not same"),
        Phrase("", "diagonal adjacent no-repeat"),
        Phrase("", "king"),
    )


@rule
class Taxicab(_NotEqualRule):
    """Taxicab: cells at the taxicab distance `distance` hold different values.

    The taxicab distance is the distance of the rows plus the distance of the columns.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Taxicab, count
    >>> count(Puzzle.blank(4).add(Taxicab(3))).value
    24
    """

    distance: int = whole(least=1)
    name = "taxicab"

    def pairs(self, puzzle: Puzzle) -> Iterator[tuple[Cell, Cell]]:
        """The pairs at this distance."""
        return _pairs_around(puzzle, self.distance)

    def describe(self, puzzle: Puzzle) -> str:
        return f"cells at taxicab distance {self.distance} hold different values"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Taxicab(2),)


@rule
class SelfTaxicab(WholeGrid):
    """Self taxicab: no two cells at taxicab distance x both hold x.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, SelfTaxicab, count
    >>> count(Puzzle.blank(4).add(SelfTaxicab())).value
    0
    """

    name = "self-taxicab"

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The pairs that both hold their distance."""
        filled = [place for place in puzzle.cells if place in values]
        for a, b in combinations(filled, 2):
            if values[a] == values[b] == _distance(a, b):
                yield a, b

    def lower(self, ctx: Lowering) -> None:
        """Add one relation for each pair that could hold its distance and is in no common house."""
        puzzle = ctx.puzzle
        for distance in all_values(puzzle.cells, puzzle):
            allows = _Unequal(frozenset([distance]))
            for pair in _pairs_around(puzzle, distance):
                if not ctx.distinct(pair):
                    ctx.add_relation(*pair, allows)

    def describe(self, puzzle: Puzzle) -> str:
        return "no two cells at taxicab distance x both hold x"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (SelfTaxicab(),)

    formats = (Iss("AntiTaxicab", "flag", needs=values_from_1),)


@rule
class ChessOffset(_PairRule):
    """Chess offset: cells a leap apart hold different values. A knight is a leap of 1 and 2.

    A leap goes `rows` and `columns` away, or the other way round. With `values` only these values
    must be different; with `cells` only leaps from or to these cells count. With `toroidal` a leap
    over an edge of the grid arrives at the opposite edge.

    Examples
    --------
    >>> from csp_sudoku import ChessOffset, Puzzle, count
    >>> knight = ChessOffset(1, 2)
    >>> count(Puzzle.blank(4).add(knight)).value
    24
    >>> count(Puzzle.blank(4).add(ChessOffset(1, 2, values=[4]))).value
    72
    """

    rows: int = whole(least=0)
    columns: int = whole(least=0)
    values: OptionalWholeNumbers = whole_numbers(default=None)
    cells: OptionalPlaces = some_places(least=0, on_grid=True, default=None)
    toroidal: bool = flag(default=False)
    name = "chess-offset"
    aliases = ("leaper",)

    def validate(self) -> None:
        """Require that the leap goes somewhere."""
        if self.rows == self.columns == 0:
            raise ConstraintError(f"{self.name}: a leap of 0 rows and 0 columns goes nowhere")

    def check(self, puzzle: Puzzle) -> None:
        for place in self.cells or ():
            if not puzzle.has(place):
                raise ConstraintError(f"{self.label}: {puzzle.no_such_place(place)}")

    def pairs(self, puzzle: Puzzle) -> Iterator[tuple[Cell, Cell]]:
        """The leaps, each once."""
        offsets = _leaps(self.rows, self.columns)
        if self.toroidal:
            grids = (_wrapped_pairs(grid, offsets) for grid in puzzle.grids)
            found = iter(dict.fromkeys(pair for pairs in grids for pair in pairs))
        else:
            found = puzzle.pairs_at(offsets)
        if self.cells is None:
            return found
        listed = set(self.cells)
        return ((a, b) for a, b in found if a in listed or b in listed)

    def allows(self, a: int, b: int) -> bool:
        """Whether the values are different, or the rule is not about them."""
        return a != b or (self.values is not None and a not in self.values)

    def lower(self, ctx: Lowering) -> None:
        """Add one all-different factor for each leap; a relation if it is only for some values."""
        for pair in self.pairs(ctx.puzzle):
            if self.values is None:
                ctx.add_different(pair)
            elif not ctx.distinct(pair):
                ctx.add_relation(*pair, self.allows)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return self.pairs(puzzle) if self.values is None else ()

    def describe(self, puzzle: Puzzle) -> str:
        where = "" if self.cells is None else " from or to " + " ".join(map(str, self.cells))
        edge = ", also over the edges," if self.toroidal else ""
        what = "" if self.values is None else " among " + " ".join(map(str, self.values))
        return (
            f"a leap of {self.rows} and {self.columns}{where}{edge} does not join two cells with "
            f"the same value{what}"
        )

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        rng = maker.rng
        some = rng.sample(maker.puzzle.cells, rng.randint(1, len(maker.puzzle.cells)))
        rows, columns = rng.randint(0, 3), rng.randint(0, 3)
        values = [maker.value() for _ in range(rng.randint(0, 2))] if rng.random() >= 0.5 else None
        return {
            "rows": rows,
            "columns": columns,
            "values": values,
            "cells": None if rng.random() < 0.6 else some,
            "toroidal": rng.random() < 0.4,
        }

    sees, listed = "equality", ("values",)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            ChessOffset(2, 0, toroidal=True),
            ChessOffset(2, 1, values=[1, 3], cells="R1C1 R3C2"),
        )


@rule
class Queen(WholeGrid):
    """Queen: no diagonal holds the largest value twice, or any one of the `values` twice.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Queen, count
    >>> count(Puzzle.blank(4).add(Queen())).value
    36
    """

    values: OptionalWholeNumbers = whole_numbers(default=None)
    name = "queen"
    aliases = ("anti-queen", "queens")

    def _queens(self, puzzle: Puzzle) -> Iterator[tuple[Cell, Cell, frozenset[int]]]:
        """The pairs on a diagonal of one grid, with the values that they must not share."""
        for grid in puzzle.grids:
            values = frozenset(self.values if self.values is not None else grid.values[-1:])
            for a, b in combinations(grid.cells, 2):
                if abs(a.row - b.row) == abs(a.col - b.col):
                    yield a, b, values

    def clashes(self, values: Assignment, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The pairs of queens that attack each other."""
        for a, b, queens in self._queens(puzzle):
            if a in values and b in values and values[a] == values[b] and values[a] in queens:
                yield a, b

    def lower(self, ctx: Lowering) -> None:
        """Add one relation for each pair, except for cells in one house."""
        for a, b, queens in self._queens(ctx.puzzle):
            if not ctx.distinct((a, b)):
                ctx.add_relation(a, b, _Unequal(queens))

    def describe(self, puzzle: Puzzle) -> str:
        largest = puzzle.grids[0].values[-1:]
        shown = " or ".join(map(str, self.values if self.values is not None else largest))
        return f"no diagonal holds {shown} twice"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Queen((1, 3)),)


class _NotConsecutive(_PairRule):
    """Cells whose distance is one of the offsets do not hold consecutive values."""

    sees = "distance"

    def allows(self, a: int, b: int) -> bool:
        """Whether the values are not consecutive."""
        return abs(a - b) != 1


class Nonconsecutive(_NotConsecutive):
    """Nonconsecutive: orthogonally adjacent cells do not hold consecutive values.

    Examples
    --------
    >>> from csp_sudoku import Nonconsecutive, Puzzle, count
    >>> count(Puzzle.blank(6).add(Nonconsecutive())).value
    48
    """

    name = "nonconsecutive"
    aliases = ("non-consecutive",)
    offsets = _BESIDE

    def describe(self, puzzle: Puzzle) -> str:
        return "orthogonally adjacent cells do not hold consecutive values"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Nonconsecutive(),)

    formats = (
        FPuzzles("nonconsecutive", "unmarked"),
        SudokuMaker(15, "flag"),
        SudokuPad("nonconsecutive", "unmarked"),
        Iss("AntiConsecutive", "flag"),
    )

    phrases = (
        Phrase("", "neighbours|adjacent non-consecutive", may="adjacent neighbours"),
        Phrase("", "non-consecutive global", may="sudoku"),
    )


class DiagonalNonconsecutive(_NotConsecutive):
    """Diagonal nonconsecutive: diagonally adjacent cells do not hold consecutive values.

    Examples
    --------
    >>> from csp_sudoku import DiagonalNonconsecutive, Puzzle, count
    >>> count(Puzzle.blank(4).add(DiagonalNonconsecutive())).value
    8
    """

    name = "diagonal-nonconsecutive"
    offsets = _DIAGONAL

    def describe(self, puzzle: Puzzle) -> str:
        return "diagonally adjacent cells do not hold consecutive values"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (DiagonalNonconsecutive(),)

    phrases = (Phrase("", "diagonal adjacent non-consecutive"),)


def _forbidden_sums(sentence: Sentence) -> tuple[int, ...]:
    """The sums that a sentence forbids."""
    if not sentence.numbers:
        raise ValueError("the sentence says no sums")
    return tuple(sorted(set(sentence.numbers)))


@rule
class Knightmare(_PairRule):
    """Knightmare: cells a knight's move apart do not sum to 5 or 15, or to any of the `sums`.

    Examples
    --------
    >>> from csp_sudoku import Knightmare, Puzzle, count
    >>> count(Puzzle.blank(4).add(Knightmare())).value
    32
    """

    sums: WholeNumbers = whole_numbers(default=(5, 15))
    name = "knightmare"
    offsets = _KNIGHT

    def allows(self, a: int, b: int) -> bool:
        """Whether the sum is not forbidden."""
        return a + b not in self.sums

    def describe(self, puzzle: Puzzle) -> str:
        return f"cells a knight's move apart do not sum to {' or '.join(map(str, self.sums))}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Knightmare((3, 5)),)

    phrases = (Phrase("", "knight not sum", may="or either", numbers=True),)

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        return [cls(_forbidden_sums(sentence))]


class _NegativeRule(_PairRule):
    """A rule for adjacent cells without a mark. A mark that the rule reads exempts its pair."""

    offsets = _BESIDE
    of_grid = False

    def pairs(self, puzzle: Puzzle) -> Iterator[tuple[Cell, Cell]]:
        """The adjacent pairs without a mark."""
        marked = {frozenset(mark.cells) for mark in others_of(self, puzzle, CellConstraint)}
        return (pair for pair in super().pairs(puzzle) if frozenset(pair) not in marked)

    def check(self, puzzle: Puzzle) -> None:
        """Require that no mark is inside an ``or`` or a ``not``."""
        refuse_unsure_marks(self, puzzle)

    def loosened(self, clues: Iterable[Constraint]) -> Constraint:
        marks = [clue for clue in clues if isinstance(clue, CellConstraint)]
        marks = [mark for mark in marks if self.depends_on(mark)]
        return _Unfinished(self, tuple(marks)) if marks else self


@rule
class NegativeKropki(_NegativeRule):
    """Negative Kropki: adjacent cells without a dot do not fit a white or a black dot.

    They neither differ by 1 nor is one twice the other; `differences` and `ratios` name other
    numbers. Any dot, white or black, exempts its pair from both.

    Examples
    --------
    >>> from csp_sudoku import Difference, NegativeKropki, Puzzle, count
    >>> puzzle = Puzzle.blank(4).add(NegativeKropki(differences=(3,), ratios=()))
    >>> count(puzzle).value
    8
    >>> count(puzzle.add(Difference("R1C2 R1C3", 3), Difference("R3C2 R3C3", 3))).value
    4
    """

    differences: WholeNumbers = whole_numbers(default=(1,))
    ratios: WholeNumbers = whole_numbers(default=(2,))
    name = "negative-kropki"
    phrases = (
        Phrase("", "no-dot non-consecutive ratio not", may="if adjacent neighbours between"),
    )

    def allows(self, a: int, b: int) -> bool:
        """Whether the values fit no dot."""
        if abs(a - b) in self.differences:
            return False
        return not any(a == ratio * b or b == ratio * a for ratio in self.ratios)

    def describe(self, puzzle: Puzzle) -> str:
        rules = [f"differ by {n}" for n in self.differences]
        rules += [f"are in the ratio 1:{n}" for n in self.ratios]
        return f"no adjacent cells without a dot {' or '.join(rules) or 'are restricted'}"

    @classmethod
    def reads(cls) -> tuple[type[Constraint], ...]:
        return (Difference, Ratio)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (NegativeKropki((1,), (3,)),)

    formats = (
        FPuzzles("negative", "unmarked"),
        SudokuMaker(200, "unmarked"),
        SudokuPad("antiratio", "unmarked", fixed={"differences": (), "ratios": (2,)}),
        Iss("StrictKropki", "flag", fixed={"differences": (1,), "ratios": (2,)}),
    )


@rule
class NegativeXV(_NegativeRule):
    """Negative XV: adjacent cells without an X or V do not sum to 5 or 10, or to any of the `sums`.

    Any :class:`PairSum` exempts its pair.

    Examples
    --------
    >>> from csp_sudoku import NegativeXV, Puzzle, count
    >>> count(Puzzle.blank(4).add(NegativeXV())).value
    8
    """

    sums: WholeNumbers = whole_numbers(default=(5, 10))
    name = "negative-xv"
    phrases = (
        Phrase(
            "", "adjacent|neighbours not sum", may="adjacent neighbours or either", numbers=True
        ),
        Phrase(
            "",
            "adjacent|neighbours not sum unmarked",
            may="adjacent neighbours or either letter-x letter-v letters between",
            numbers=True,
        ),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        return [cls(_forbidden_sums(sentence))]

    def allows(self, a: int, b: int) -> bool:
        """Whether the sum is not forbidden."""
        return a + b not in self.sums

    def describe(self, puzzle: Puzzle) -> str:
        return f"adjacent cells without an X or V do not sum to {' or '.join(map(str, self.sums))}"

    @classmethod
    def reads(cls) -> tuple[type[Constraint], ...]:
        return (PairSum,)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (NegativeXV((3, 5)),)

    formats = (
        FPuzzles("negative", "unmarked", fixed={"sums": (5, 10)}),
        SudokuMaker(202, "unmarked"),
        SudokuPad("antixv", "unmarked", fixed={"sums": (5, 10)}),
        Iss("StrictXV", "flag", fixed={"sums": (5, 10)}),
    )


@rule
class _Unfinished(_NegativeRule):
    """A negative rule before its marks are placed: a pair keeps it, or would fit a mark."""

    rule: _NegativeRule
    marks: tuple[CellConstraint, ...]
    name = "unfinished negative rule"

    def allows(self, a: int, b: int) -> bool:
        return self.rule.allows(a, b) or any(mark.accepts((a, b)) for mark in self.marks)

    def depends_on(self, other: Constraint) -> bool:
        return self.rule.depends_on(other)


@dataclass(frozen=True)
class _Unequal:
    """The test: not the same one of the values. Equal tests are equal objects and share a table."""

    values: frozenset[int]

    def __call__(self, a: int, b: int) -> bool:
        return a != b or a not in self.values


def _wrapped_pairs(grid: Grid, offsets: Offsets) -> Iterator[tuple[Cell, Cell]]:
    """The pairs at these offsets on a torus; a pair may come twice."""
    for cell in grid.cells:
        for rows, columns in offsets:
            other = Cell(
                grid.top + (cell.row - grid.top + rows) % grid.rows,
                grid.left + (cell.col - grid.left + columns) % grid.columns,
            )
            if other != cell:
                yield min(cell, other), max(cell, other)


def _leaps(rows: int, columns: int) -> Offsets:
    """The leaps of this size that point down, or to the right in the same row."""
    return tuple(end for end in leaps(rows, columns) if end > (0, 0))


def _pairs_around(puzzle: Puzzle, distance: int) -> Iterator[tuple[Cell, Cell]]:
    """The pairs at this taxicab distance, each once."""
    furthest = max(cell.row for cell in puzzle.cells) + max(cell.col for cell in puzzle.cells)
    if distance > furthest:
        return iter(())
    ring = {(r, c) for r in range(distance + 1) for c in (distance - r, r - distance)}
    return puzzle.pairs_at(tuple(sorted(end for end in ring if end > (0, 0))))


def _distance(a: Cell, b: Cell) -> int:
    return abs(a.row - b.row) + abs(a.col - b.col)
