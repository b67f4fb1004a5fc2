"""Rules that hold everywhere in the grid: for all pairs at a distance, for all 2×2 blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from csp_sudoku.cells import Cell, CellsLike, Place, cells
from csp_sudoku.constraints.base import Constraint, Values, check_int, read_ints
from csp_sudoku.constraints.pairs import Difference, PairSum, Ratio, marks, refuse_uncertain_marks
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle

Offsets = tuple[tuple[int, int], ...]

_BESIDE: Offsets = ((0, 1), (1, 0))
_DIAGONAL: Offsets = ((1, -1), (1, 1))
_KNIGHT: Offsets = ((1, -2), (1, 2), (2, -1), (2, 1))


class _PairRule(Constraint):
    """A symmetric rule for every two cells that are one of the offsets apart.

    Offsets point down, or to the right in the same row, so that each pair is found once.
    """

    offsets: ClassVar[Offsets]

    def pairs(self, puzzle: Puzzle) -> Iterator[tuple[Cell, Cell]]:
        """The pairs it speaks of, each once."""
        return _pairs_at(puzzle, self.offsets)

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return puzzle.cells

    def allows(self, a: int, b: int) -> bool:
        """Whether two such cells may hold these values."""
        raise ConstraintError(f"{type(self).__name__} does not say what it allows")

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return next(self.clashes(values, puzzle), None) is None

    def clashes(self, values: Values, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The filled pairs that are not allowed."""
        for a, b in self.pairs(puzzle):
            if a in values and b in values and not self.allows(values[a], values[b]):
                yield a, b

    def lower(self, ctx: Lowering) -> None:
        """One relation a pair."""
        allows = self.allows
        for a, b in self.pairs(ctx.puzzle):
            ctx.add_relation(a, b, allows)


class _NotEqualRule(_PairRule):
    """Cells one of the offsets apart hold different values."""

    def allows(self, a: int, b: int) -> bool:
        """Different."""
        return a != b

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
    offsets = _KNIGHT

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
    offsets = _BESIDE + _DIAGONAL

    def describe(self, puzzle: Puzzle) -> str:
        return "cells a king's move apart hold different values"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (AntiKing(),)


@dataclass(frozen=True)
class Taxicab(_NotEqualRule):
    """Cells whose rows and columns are together exactly so far apart hold different values.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Taxicab, count
    >>> count(Puzzle.blank(4).add(Taxicab(3))).value
    24
    """

    distance: int
    name = "taxicab"

    def __post_init__(self) -> None:
        check_int(self.name, "distance", self.distance, least=1)

    def pairs(self, puzzle: Puzzle) -> Iterator[tuple[Cell, Cell]]:
        """The pairs at that distance."""
        return _pairs_around(puzzle, self.distance)

    def describe(self, puzzle: Puzzle) -> str:
        return f"cells at taxicab distance {self.distance} hold different values"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Taxicab(2),)


@dataclass(frozen=True)
class SelfTaxicab(Constraint):
    """No two cells at taxicab distance x both hold x.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, SelfTaxicab, count
    >>> count(Puzzle.blank(4).add(SelfTaxicab())).value
    0
    """

    name = "self-taxicab"

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return puzzle.cells

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return next(self.clashes(values, puzzle), None) is None

    def clashes(self, values: Values, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The pairs that hold their distance."""
        filled = [place for place in puzzle.cells if place in values]
        for a, b in combinations(filled, 2):
            if values[a] == values[b] == _distance(a, b):
                yield a, b

    def lower(self, ctx: Lowering) -> None:
        """A relation for each pair that could hold its distance and that no house keeps apart."""
        puzzle = ctx.puzzle
        for distance in sorted({v for place in puzzle.cells for v in puzzle.values_of(place)}):
            allows = _Unequal(frozenset([distance]))
            for pair in _pairs_around(puzzle, distance):
                if not ctx.distinct(pair):
                    ctx.add_relation(*pair, allows)

    def describe(self, puzzle: Puzzle) -> str:
        return "no two cells at taxicab distance x both hold x"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (SelfTaxicab(),)


@dataclass(frozen=True, init=False)
class ChessOffset(_PairRule):
    """Cells a leap apart, so many rows and columns either way round, hold different values.

    With `values` only those must differ; with `cells` only leaps from or to one of those count.
    On a toroidal grid a leap over an edge arrives at the opposite one.

    Examples
    --------
    >>> from csp_sudoku import ChessOffset, Puzzle, count
    >>> knight = ChessOffset(1, 2)
    >>> count(Puzzle.blank(4).add(knight)).value
    24
    >>> count(Puzzle.blank(4).add(ChessOffset(1, 2, values=[4]))).value
    72
    """

    rows: int
    columns: int
    values: tuple[int, ...] | None
    cells: tuple[Place, ...] | None
    toroidal: bool
    name = "chess-offset"

    def __init__(
        self,
        rows: int,
        columns: int,
        values: Iterable[int] | None = None,
        cells: CellsLike | None = None,
        toroidal: bool = False,
    ) -> None:
        check_int(self.name, "rows", rows, least=0)
        check_int(self.name, "columns", columns, least=0)
        if rows == columns == 0:
            raise ConstraintError(f"{self.name}: a leap of 0 rows and 0 columns goes nowhere")
        listed = None if values is None else read_ints(self.name, "values", values)
        if type(toroidal) is not bool:
            raise ConstraintError(f"{self.name}: toroidal must be true or false, not {toroidal!r}")
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "values", listed)
        object.__setattr__(self, "cells", None if cells is None else _grid_cells(self.name, cells))
        object.__setattr__(self, "toroidal", toroidal)

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
            found = _pairs_at(puzzle, offsets)
        if self.cells is None:
            return found
        listed = set(self.cells)
        return ((a, b) for a, b in found if a in listed or b in listed)

    def allows(self, a: int, b: int) -> bool:
        """Not the same one of the values."""
        return a != b or (self.values is not None and a not in self.values)

    def lower(self, ctx: Lowering) -> None:
        """An all-different of two a leap; for some values only, a relation where it says more."""
        for pair in self.pairs(ctx.puzzle):
            if self.values is None:
                ctx.add_different(pair)
            elif not ctx.distinct(pair):
                ctx.add_relation(*pair, self.allows)

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        return self.pairs(puzzle) if self.values is None else ()

    def describe(self, puzzle: Puzzle) -> str:
        which = "" if self.cells is None else ", one of them of " + " ".join(map(str, self.cells))
        what = "" if self.values is None else " one of " + " ".join(map(str, self.values))
        edge = " (around the edges, too)" if self.toroidal else ""
        return (
            f"cells a leap of {self.rows} and {self.columns} apart{edge}{which} "
            f"do not hold the same value{what}"
        )

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            ChessOffset(2, 0, toroidal=True),
            ChessOffset(2, 1, values=[1, 3], cells="R1C1 R3C2"),
        )


@dataclass(frozen=True)
class Queen(Constraint):
    """No two cells on one diagonal both hold the same of the values, by default the largest.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Queen, count
    >>> count(Puzzle.blank(4).add(Queen())).value
    36
    """

    values: tuple[int, ...] | None = None
    name = "queen"

    def __post_init__(self) -> None:
        if self.values is not None:
            object.__setattr__(self, "values", read_ints(self.name, "values", self.values))

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return puzzle.cells

    def _queens(self, puzzle: Puzzle) -> Iterator[tuple[Cell, Cell, frozenset[int]]]:
        """The pairs on a diagonal of one grid, with the values that they may not share."""
        for grid in puzzle.grids:
            values = frozenset(self.values if self.values is not None else grid.values[-1:])
            for a, b in combinations(grid.cells, 2):
                if abs(a.row - b.row) == abs(a.col - b.col):
                    yield a, b, values

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return next(self.clashes(values, puzzle), None) is None

    def clashes(self, values: Values, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """The queens that see each other."""
        for a, b, queens in self._queens(puzzle):
            if a in values and b in values and values[a] == values[b] and values[a] in queens:
                yield a, b

    def lower(self, ctx: Lowering) -> None:
        """A relation for each pair that no house keeps apart."""
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
    offsets = _BESIDE

    def allows(self, a: int, b: int) -> bool:
        """Not one apart."""
        return abs(a - b) != 1

    def describe(self, puzzle: Puzzle) -> str:
        return "orthogonally adjacent cells do not differ by 1"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Nonconsecutive(),)


@dataclass(frozen=True)
class DiagonalNonconsecutive(_PairRule):
    """Diagonally adjacent cells do not differ by 1.

    Examples
    --------
    >>> from csp_sudoku import DiagonalNonconsecutive, Puzzle, count
    >>> count(Puzzle.blank(4).add(DiagonalNonconsecutive())).value
    8
    """

    name = "diagonal-nonconsecutive"
    offsets = _DIAGONAL

    def allows(self, a: int, b: int) -> bool:
        """Not one apart."""
        return abs(a - b) != 1

    def describe(self, puzzle: Puzzle) -> str:
        return "diagonally adjacent cells do not differ by 1"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (DiagonalNonconsecutive(),)


@dataclass(frozen=True)
class Knightmare(_PairRule):
    """Cells a knight's move apart sum to none of the sums, by default 5 and 15.

    Examples
    --------
    >>> from csp_sudoku import Knightmare, Puzzle, count
    >>> count(Puzzle.blank(4).add(Knightmare())).value
    32
    """

    sums: tuple[int, ...] = (5, 15)
    name = "knightmare"
    offsets = _KNIGHT

    def __post_init__(self) -> None:
        object.__setattr__(self, "sums", read_ints(self.name, "sums", self.sums))

    def allows(self, a: int, b: int) -> bool:
        """None of the sums."""
        return a + b not in self.sums

    def describe(self, puzzle: Puzzle) -> str:
        return f"cells a knight's move apart do not sum to {' or '.join(map(str, self.sums))}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Knightmare((3, 5)),)


class _NegativeRule(_PairRule):
    """A rule for adjacent cells that carry no mark; any mark of its kinds exempts its pair."""

    offsets = _BESIDE
    kinds: ClassVar[tuple[type[Difference] | type[Ratio] | type[PairSum], ...]]

    def pairs(self, puzzle: Puzzle) -> Iterator[tuple[Cell, Cell]]:
        """The adjacent pairs without a mark."""
        marked = {frozenset(mark.cells) for mark in marks(puzzle, *self.kinds)}
        return (pair for pair in super().pairs(puzzle) if frozenset(pair) not in marked)

    def check(self, puzzle: Puzzle) -> None:
        """Marks that may or may not hold are refused."""
        refuse_uncertain_marks(puzzle, self.label, *self.kinds)


@dataclass(frozen=True)
class NegativeKropki(_NegativeRule):
    """Adjacent cells without a dot neither differ by 1 nor is one twice the other.

    Any dot, white or black, exempts its pair from both. Other differences and ratios can be named.

    Examples
    --------
    >>> from csp_sudoku import Difference, NegativeKropki, Puzzle, count
    >>> puzzle = Puzzle.blank(4).add(NegativeKropki(differences=(3,), ratios=()))
    >>> count(puzzle).value
    8
    >>> count(puzzle.add(Difference("R1C2 R1C3", 3), Difference("R3C2 R3C3", 3))).value
    4
    """

    differences: tuple[int, ...] = (1,)
    ratios: tuple[int, ...] = (2,)
    name = "negative-kropki"
    kinds = (Difference, Ratio)

    def __post_init__(self) -> None:
        for field in ("differences", "ratios"):
            object.__setattr__(self, field, read_ints(self.name, field, getattr(self, field)))

    def allows(self, a: int, b: int) -> bool:
        """No dot could stand between these."""
        if abs(a - b) in self.differences:
            return False
        return not any(a == ratio * b or b == ratio * a for ratio in self.ratios)

    def describe(self, puzzle: Puzzle) -> str:
        rules = [f"differ by {n}" for n in self.differences]
        rules += [f"have the ratio 1:{n}" for n in self.ratios]
        return f"adjacent cells without a dot do not {' or '.join(rules)}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (NegativeKropki((1,), (3,)),)


@dataclass(frozen=True)
class NegativeXV(_NegativeRule):
    """Adjacent cells without a sign sum to neither 5 nor 10; other sums can be named.

    Any :class:`PairSum` on a pair exempts it.

    Examples
    --------
    >>> from csp_sudoku import NegativeXV, Puzzle, count
    >>> count(Puzzle.blank(4).add(NegativeXV())).value
    8
    """

    sums: tuple[int, ...] = (5, 10)
    name = "negative-xv"
    kinds = (PairSum,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sums", read_ints(self.name, "sums", self.sums))

    def allows(self, a: int, b: int) -> bool:
        """None of the sums."""
        return a + b not in self.sums

    def describe(self, puzzle: Puzzle) -> str:
        return f"adjacent cells without a sign do not sum to {' or '.join(map(str, self.sums))}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (NegativeXV((3, 5)),)


@dataclass(frozen=True)
class _Unequal:
    """Not twice the same one of the values. Equal where the values are, so tables are shared."""

    values: frozenset[int]

    def __call__(self, a: int, b: int) -> bool:
        return a != b or a not in self.values


def _pairs_at(puzzle: Puzzle, offsets: Offsets) -> Iterator[tuple[Cell, Cell]]:
    for cell in puzzle.cells:
        for rows, columns in offsets:
            other = Cell(cell.row + rows, cell.col + columns)
            if puzzle.has(other):
                yield cell, other


def _wrapped_pairs(grid: Grid, offsets: Offsets) -> Iterator[tuple[Cell, Cell]]:
    """The pairs that far apart on a torus; where leaps meet, a pair may come twice."""
    for cell in grid.cells:
        for rows, columns in offsets:
            other = Cell(
                grid.top + (cell.row - grid.top + rows) % grid.rows,
                grid.left + (cell.col - grid.left + columns) % grid.columns,
            )
            if other != cell:
                yield min(cell, other), max(cell, other)


def _leaps(rows: int, columns: int) -> Offsets:
    """The leaps so far, either way round, that point down, or to the right in the same row."""
    ways = ((rows, columns), (columns, rows))
    ends = {(r * down, c * right) for r, c in ways for down in (1, -1) for right in (1, -1)}
    return tuple(sorted(end for end in ends if end > (0, 0)))


def _pairs_around(puzzle: Puzzle, distance: int) -> Iterator[tuple[Cell, Cell]]:
    """The pairs at this taxicab distance, each once."""
    furthest = max(cell.row for cell in puzzle.cells) + max(cell.col for cell in puzzle.cells)
    if distance > furthest:
        return iter(())
    ring = {(r, c) for r in range(distance + 1) for c in (distance - r, r - distance)}
    return _pairs_at(puzzle, tuple(sorted(end for end in ring if end > (0, 0))))


def _distance(a: Cell, b: Cell) -> int:
    return abs(a.row - b.row) + abs(a.col - b.col)


def _grid_cells(label: str, places: CellsLike) -> tuple[Place, ...]:
    found = cells(places)
    if not all(isinstance(place, Cell) for place in found):
        raise ConstraintError(f"{label}: speaks of cells of the grid, not of named variables")
    return found
