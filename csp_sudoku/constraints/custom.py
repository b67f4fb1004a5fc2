"""Rules of one's own: a table, a predicate, a state machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Regular
from csp_sudoku.cells import CellsLike
from csp_sudoku.constraints.base import CellConstraint, Constraint
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


@dataclass(frozen=True, init=False)
class Table(CellConstraint):
    """The values of the cells, in order, are one of the listed rows.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Table, count
    >>> count(Puzzle.blank(4).add(Table("R1C1 R1C2", [(1, 2), (3, 4)]))).value
    48
    """

    rows: tuple[tuple[int, ...], ...]
    name = "table"

    def __init__(self, cells: CellsLike, rows: Iterable[Iterable[int]]) -> None:
        self._set(cells=cells, rows=tuple(map(tuple, rows)))

    def __post_init__(self) -> None:
        super().__post_init__()
        for row in self.rows:
            if len(row) != len(self.cells):
                raise ConstraintError(
                    f"{self.label}: row {row} has {len(row)} values for {len(self.cells)} cells"
                )
            if any(type(value) is not int for value in row):
                raise ConstraintError(f"{self.label}: row {row} must hold whole numbers only")

    def accepts(self, values: tuple[int, ...]) -> bool:
        return values in self.rows

    def lower(self, ctx: Lowering) -> None:
        """The table as an automaton."""
        machine = Automaton.from_table(ctx.domains(self.cells), self.rows)
        ctx.add(Regular(self.cells, machine))

    def describe(self, puzzle: Puzzle) -> str:
        return f"the cells {self.listing} hold one of {len(self.rows)} listed rows"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Table("R1C1 R1C2 R1C3", [(1, 2, 3), (2, 1, 4), (3, 3, 9)]),
            Table("R1C1 R1C2 R1C1", [(1, 2, 1), (1, 2, 3)]),
        )


@dataclass(frozen=True, init=False)
class Where(CellConstraint):
    """A predicate holds for the values of the cells; see :func:`where`."""

    predicate: Callable[..., object]
    text: str
    name = "where"

    def __init__(self, cells: CellsLike, predicate: Callable[..., object], text: str = "") -> None:
        self._set(cells=cells, predicate=predicate, text=text)

    def accepts(self, values: tuple[int, ...]) -> bool:
        return bool(self.predicate(*values))

    def describe(self, puzzle: Puzzle) -> str:
        return self.text or f"a custom rule holds for {self.listing}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Where("R1C1 R1C2 R1C3", lambda a, b, c: a + b == c),)


@dataclass(frozen=True, init=False)
class Fold(CellConstraint):
    """A state machine reads the cells in order and accepts; see :func:`fold`."""

    start: Any
    step: Callable[..., Any]
    accept: Callable[[Any], object]
    positional: bool
    text: str
    name = "fold"

    def __init__(
        self,
        cells: CellsLike,
        start: Any,
        step: Callable[..., Any],
        accept: Callable[[Any], object],
        *,
        positional: bool = False,
        text: str = "",
    ) -> None:
        self._set(
            cells=cells, start=start, step=step, accept=accept, positional=positional, text=text
        )

    def accepts(self, values: tuple[int, ...]) -> bool:
        state = self.start
        for position, value in enumerate(values):
            state = (
                self.step(state, value, position) if self.positional else self.step(state, value)
            )
            if state is None:
                return False
        return bool(self.accept(state))

    def lower(self, ctx: Lowering) -> None:
        """The machine itself, explored breadth-first."""
        ctx.add_fold(self.cells, self.start, self.step, self.accept, positional=self.positional)

    def describe(self, puzzle: Puzzle) -> str:
        return self.text or f"a state machine accepts {self.listing}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Fold("R1C1 R2C2 R3C3 R4C4", 0, lambda s, v: (s + v) % 3, lambda s: s == 0),
            Fold("R1C1 R2C2 R3C3", 0, lambda s, v, i: s + i * v, lambda s: s > 5, positional=True),
        )


def where(cells: CellsLike, predicate: Callable[..., object], text: str = "") -> Where:
    """A rule of one's own: a predicate of the cells' values. Runs on every backend.

    The predicate is asked once for every combination of values, so it suits some five cells of
    nine values; for longer lines :func:`fold` is the way. `text` says the rule to people.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, count, where
    >>> count(Puzzle.blank(4).add(where("R1C1-R1C3", lambda a, b, c: a + b == c))).value
    48
    """
    return Where(cells, predicate, text)


def fold(
    cells: CellsLike,
    start: Any,
    step: Callable[..., Any],
    accept: Callable[[Any], object],
    *,
    positional: bool = False,
    text: str = "",
) -> Fold:
    """A rule of one's own as a state machine: fast for long lines. Runs on every backend.

    ``step(state, value)`` gives the next state, ``None`` where nothing can follow, and
    ``accept(state)`` judges the last one. With `positional` it is ``step(state, value, position)``.
    States are any hashable values.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, count, fold
    >>> even = fold("R1C1 R2C2 R3C3 R4C4", 0, lambda s, v: (s + v) % 2, lambda s: s == 0)
    >>> count(Puzzle.blank(4).add(even)).value
    160
    """
    return Fold(cells, start, step, accept, positional=positional, text=text)
