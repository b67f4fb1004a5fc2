"""Doublers, negators and other modifiers: hidden cells that count as another value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Regular
from csp_sudoku.cells import Cell, CellsLike, Place, Var, cells
from csp_sudoku.constraints.base import Composed, Constraint
from csp_sudoku.constraints.fields import Read, number_rows, rule
from csp_sudoku.constraints.sets import ContainsExactly
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment, Auxiliary
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


Kinds = tuple[tuple[int, int], ...]


def modified(*places: CellsLike) -> tuple[Var, ...]:
    """The variables for the modified values of cells: ``$value_R1C1`` for R1C1.

    Give them instead of the cells to a rule that should see modified values.

    Examples
    --------
    >>> [str(variable) for variable in modified("R1C1-R1C3")]
    ['$value_R1C1', '$value_R1C2', '$value_R1C3']
    """
    return tuple(_variable("value", place) for place in cells(*places))


def _variable(role: str, place: Place) -> Var:
    if not isinstance(place, Cell):
        raise ConstraintError(f"{place} is not a cell of the grid, so it has no modified value")
    return Var(f"{role}_{place}")


@rule
class _Modifiers(Composed):
    """Hidden cells that count as another value; see :class:`ValueModifiers`."""

    @property
    def changes(self) -> Kinds:
        """The factor and the summand of each kind."""
        raise ConstraintError(f"{type(self).__name__} must define changes")

    def declares(self, puzzle: Puzzle) -> Iterator[tuple[Var, tuple[int, ...]]]:
        """For each cell its modifier, then for each cell its modified value."""
        for place in puzzle.cells:
            yield _variable("modifier", place), tuple(range(len(self.changes) + 1))
        modified: dict[tuple[int, ...], tuple[int, ...]] = {}
        for place in puzzle.cells:
            digits = puzzle.values_of(place)
            if digits not in modified:
                changed = {factor * d + summand for factor, summand in self.changes for d in digits}
                modified[digits] = tuple(sorted(changed.union(digits)))
            yield _variable("value", place), modified[digits]

    def expand(self, puzzle: Puzzle) -> tuple[Constraint, ...]:
        """The parts: one modified cell of each kind in a house, different digits, and values."""
        modifier = {place: _variable("modifier", place) for place in puzzle.cells}
        kinds = range(1, len(self.changes) + 1)
        houses = dict.fromkeys(house for grid in puzzle.grids for house in _houses(grid))
        parts: list[Constraint] = [
            _OneOfEach([modifier[place] for place in house], kinds) for house in houses
        ]
        for grid in puzzle.grids:
            rows = tuple(tuple((modifier[place], place) for place in row) for row in _rows(grid))
            parts += [_DifferentDigits(rows, kind) for kind in kinds]
        for place in puzzle.cells:
            value = _variable("value", place)
            parts.append(_CountsFor(modifier[place], place, value, self.changes))
        return tuple(parts)

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return (*puzzle.cells, *(variable for variable, _ in self.declares(puzzle)))

    def check(self, puzzle: Puzzle) -> None:
        """Require square grids with fitting boxes, and no other rule that modifies values."""
        super().check(puzzle)
        for grid in puzzle.grids:
            if grid.rows != grid.columns or len(grid.boxes) not in (0, grid.rows):
                raise ConstraintError(
                    f"{self.label}: needs as many rows as columns (and boxes, if there are any), "
                    f"not a {grid.size} grid with {len(grid.boxes)} boxes"
                )
        for other in puzzle.constraints:
            if isinstance(other, _Modifiers) and other != self:
                raise ConstraintError(
                    f"{self.label}: {other.label} modifies values, too; "
                    f"use one value-modifiers rule with all kinds"
                )


@rule
class ValueModifiers(_Modifiers):
    """Value modifiers: in each row, column and box, one cell of each kind counts as another value.

    A kind is a factor and a summand: the digit d counts as factor · d + summand. The modified cells
    of one kind hold different digits, and no cell is modified twice.

    Which cells are modified is part of the solution. So the rule brings two named variables for
    each cell into the puzzle: ``$modifier_R1C1``, the number of its kind or 0, and ``$value_R1C1``,
    its modified value. A rule that should see modified values takes these variables instead of the
    cells; :func:`modified` gives them. All other rules see the digits. For example, a killer cage
    of modified values is an :class:`AllDifferent` of the cells and a :class:`Sum` of their modified
    values.

    Examples
    --------
    >>> from csp_sudoku import AllDifferent, Puzzle, Sum, ValueModifiers, count, modified
    >>> puzzle = Puzzle.blank(4).add(ValueModifiers([(2, 0), (1, -1)]))  # double, and one less
    >>> count(puzzle).value
    1152
    >>> cage = [AllDifferent("R1C1 R2C3"), Sum(modified("R1C1 R2C3"), 10)]
    >>> count(puzzle.add(*cage)).value
    48
    """

    kinds: Read[Iterable[tuple[int, int]], Kinds] = number_rows(form="factor, summand", empty=False)
    name = "value-modifiers"
    aliases = ("modifiers",)

    @property
    def changes(self) -> Kinds:
        """The kinds."""
        return self.kinds

    def describe(self, puzzle: Puzzle) -> str:
        kinds = ", ".join(f"{factor}·d{summand:+}" for factor, summand in self.kinds)
        return (
            f"one cell of each row, column and box counts as {kinds} instead of its digit d, "
            f"all with different digits"
        )

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        rng = maker.rng
        return {
            "kinds": [(rng.randint(-1, 3), rng.randint(-1, 2)) for _ in range(rng.randint(1, 2))]
        }

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (ValueModifiers(((1, 1),)),)


class Doublers(_Modifiers):
    """Doublers: one cell of each row, column and box counts double; their digits are different.

    See :class:`ValueModifiers` for how other rules see the doubled values.

    Examples
    --------
    >>> from csp_sudoku import Arrow, Doublers, Puzzle, count, modified, solve
    >>> arrow = Arrow(modified("R1C1"), modified("R1C2 R1C3"))
    >>> puzzle = Puzzle.blank(4).add(Doublers(), arrow).with_givens({"$value_R1C1": 6})
    >>> count(puzzle).value
    8
    >>> solution = solve(puzzle).solutions[0]
    >>> solution["R1C1"], solution["$modifier_R1C1"], solution["$value_R1C1"]
    (3, 1, 6)
    """

    name = "doublers"
    aliases = ("doubler",)

    @property
    def changes(self) -> Kinds:
        """A doubler counts as twice its digit."""
        return ((2, 0),)

    def describe(self, puzzle: Puzzle) -> str:
        return "one cell of each row, column and box counts double, all with different digits"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Doublers(),)


class Negators(_Modifiers):
    """Negators: one cell of each row, column and box counts negative; their digits are different.

    See :class:`ValueModifiers` for how other rules see the negative values.

    Examples
    --------
    >>> from csp_sudoku import Negators, Puzzle, Sum, count, modified
    >>> count(Puzzle.blank(4).add(Negators(), Sum(modified("R1C1-R1C4"), 2))).value
    96
    """

    name = "negators"
    aliases = ("negator",)

    @property
    def changes(self) -> Kinds:
        """A negator counts as minus its digit."""
        return ((-1, 0),)

    def describe(self, puzzle: Puzzle) -> str:
        return "one cell of each row, column and box counts negative, all with different digits"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Negators(),)


class _OneOfEach(ContainsExactly):
    """One cell of a house is modified by each kind."""

    name = "modifiers"

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        held = [values[variable] for variable in self.cells]
        return all(held.count(kind) == 1 for kind in self.values)

    def describe(self, puzzle: Puzzle) -> str:
        return "one cell of each row, column and box is modified by each kind"


@rule
class _DifferentDigits(Constraint):
    """The modified cells of one kind, one in each row, hold different digits."""

    rows: tuple[tuple[tuple[Var, Cell], ...], ...]
    kind: int
    name = "modified digits"

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(place for row in self.rows for pair in row for place in pair)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        digits = [
            values[place]
            for row in self.rows
            for modifier, place in row
            if values[modifier] == self.kind
        ]
        return len(set(digits)) == len(digits)

    def lower(self, ctx: Lowering) -> None:
        """Add an auxiliary variable for the modified digit of each row; these are different."""
        ctx.add_different([self._digit(ctx, row) for row in self.rows])

    def _digit(self, ctx: Lowering, row: tuple[tuple[Var, Cell], ...]) -> Auxiliary:
        scope = [place for pair in row for place in pair]
        domains = ctx.domains(scope)
        digits = sorted({digit for domain in domains[1::2] for digit in domain})

        # The state: whether the next cell is the modified one; the digit, or None if unknown.
        def step(state: tuple[bool, int | None], value: int, i: int) -> object:
            is_next, digit = state
            if i == len(scope):
                # A row without a modified cell breaks another rule; here any digit will do.
                return () if value == (digits[0] if digit is None else digit) else None
            if digit is not None:
                return state
            return (value == self.kind, None) if i % 2 == 0 else (False, value if is_next else None)

        machine = Automaton.from_fold(
            (*domains, digits), (False, None), step, lambda state: True, positional=True
        )
        return ctx.auxiliary(
            "modified digit", digits, lambda digit: Regular((*scope, digit), machine)
        )

    def describe(self, puzzle: Puzzle) -> str:
        return "modified cells of one kind hold different digits"


@rule
class _CountsFor(Constraint):
    """The modified value of a cell is its digit, changed as its modifier says."""

    modifier: Var
    cell: Cell
    value: Var
    changes: Kinds
    name = "modified value"

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return (self.modifier, self.cell, self.value)

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return self._fits(values[self.modifier], values[self.cell], values[self.value])

    def _fits(self, modifier: int, digit: int, value: int) -> bool:
        factor, summand = self.changes[modifier - 1] if modifier else (1, 0)
        return value == factor * digit + summand

    def lower(self, ctx: Lowering) -> None:
        """Add one small automaton."""
        scope = self.scope(ctx.puzzle)
        ctx.add(Regular(scope, Automaton.from_predicate(ctx.domains(scope), self._fits)))

    @property
    def label(self) -> str:
        return f"modified value of {self.cell}"

    def describe(self, puzzle: Puzzle) -> str:
        return f"{self.value} is {self.cell}, changed as {self.modifier} says"


def _houses(grid: Grid) -> Iterator[tuple[Cell, ...]]:
    yield from _rows(grid)
    yield from (grid.column(i) for i in range(grid.columns))
    yield from grid.boxes


def _rows(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    return tuple(grid.row(i) for i in range(grid.rows))
