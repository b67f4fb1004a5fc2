"""Rules for all pairs of cells at a certain distance, everywhere in the grid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint, Values

if TYPE_CHECKING:
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


class _PairRule(Constraint):
    """A symmetric rule for every two cells that are one of the offsets apart."""

    offsets: ClassVar[tuple[tuple[int, int], ...]]

    def pairs(self, puzzle: Puzzle) -> Iterator[tuple[Cell, Cell]]:
        """The pairs it speaks of, each once."""
        for cell in puzzle.cells:
            for rows, columns in self.offsets:
                other = Cell(cell.row + rows, cell.col + columns)
                if puzzle.has(other):
                    yield cell, other

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return puzzle.cells

    def allows(self, a: int, b: int) -> bool:
        """Whether two such cells may hold these values."""
        return a != b

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return all(self.allows(values[a], values[b]) for a, b in self.pairs(puzzle))

    def clashes(self, values: Values, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The filled pairs that are not allowed."""
        for a, b in self.pairs(puzzle):
            if a in values and b in values and not self.allows(values[a], values[b]):
                yield a, b


class _NotEqualRule(_PairRule):
    """Cells one of the offsets apart hold different values."""

    def lower(self, ctx: Lowering) -> None:
        """An all-different of two for each pair: native in every target."""
        for pair in self.pairs(ctx.puzzle):
            ctx.add_different(pair)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return self.pairs(puzzle)


@dataclass(frozen=True)
class AntiKnight(_NotEqualRule):
    """Cells a knight's move apart hold different values.

    Examples
    --------
    >>> from csp_sudoku import AntiKnight, Puzzle, count
    >>> count(Puzzle.blank(4).add(AntiKnight())).value
    24
    """

    name = "anti-knight"
    offsets = ((1, -2), (1, 2), (2, -1), (2, 1))

    def describe(self, puzzle: Puzzle) -> str:
        return "cells a knight's move apart hold different values"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (AntiKnight(),)


@dataclass(frozen=True)
class AntiKing(_NotEqualRule):
    """Cells that touch, diagonally too, hold different values.

    Examples
    --------
    >>> from csp_sudoku import AntiKing, Puzzle, count
    >>> count(Puzzle.blank(4).add(AntiKing())).value
    0
    """

    name = "anti-king"
    offsets = ((0, 1), (1, -1), (1, 0), (1, 1))

    def describe(self, puzzle: Puzzle) -> str:
        return "cells a king's move apart hold different values"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (AntiKing(),)


@dataclass(frozen=True)
class Nonconsecutive(_PairRule):
    """Orthogonally adjacent cells do not differ by 1.

    Examples
    --------
    >>> from csp_sudoku import Nonconsecutive, Puzzle, count
    >>> count(Puzzle.blank(6).add(Nonconsecutive())).value
    48
    """

    name = "nonconsecutive"
    offsets = ((0, 1), (1, 0))

    def allows(self, a: int, b: int) -> bool:
        """Not one apart."""
        return abs(a - b) != 1

    def lower(self, ctx: Lowering) -> None:
        """One relation a pair."""
        for a, b in self.pairs(ctx.puzzle):
            ctx.add_relation(a, b, _not_consecutive)

    def describe(self, puzzle: Puzzle) -> str:
        return "orthogonally adjacent cells do not differ by 1"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Nonconsecutive(),)


def _not_consecutive(a: int, b: int) -> bool:
    return abs(a - b) != 1
