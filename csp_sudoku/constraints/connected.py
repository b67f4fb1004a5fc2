"""Connected values: the cells that hold them form one orthogonal region."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from csp_encodings.automaton import Budget
from csp_encodings.factors import Relation
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint, Values, check_int, read_ints
from csp_sudoku.constraints.pairs import SIDES
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_encodings.graph import Auxiliary
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle

# Two edges a state: as many edges as any other automaton may have.
_BUDGET = Budget(states=200_000)


class _State(NamedTuple):
    """What is known of the region after some cells were read."""

    parts: tuple[int, ...] = ()
    """For each cell on the frontier the number of its part of the region, 0 for none."""
    complete: bool = False
    """Whether no cell may be added any more."""
    in_row: int = 0
    """How many cells of the current row belong to it, where the row has a quota."""


@dataclass(frozen=True)
class ConnectedValues(Constraint):
    """The cells that hold one of the values form one orthogonally connected region.

    With `size` it has exactly so many cells. It is never empty.

    Examples
    --------
    >>> from csp_sudoku import ConnectedValues, Puzzle, count
    >>> count(Puzzle.blank(4).add(ConnectedValues((1, 2, 3), size=12))).value
    216
    """

    values: tuple[int, ...]
    size: int | None = None
    name = "connected-values"

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", read_ints(self.name, "values", self.values))
        check_int(self.name, "size", self.size, least=1, optional=True)
        if not self.values:
            raise ConstraintError(f"{self.name}: no values are named")

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return puzzle.cells

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        region = {place for place in puzzle.cells if values[place] in self.values}
        if self.size is not None and len(region) != self.size:
            return False
        return bool(region) and _reached(region) == region

    def lower(self, ctx: Lowering) -> None:
        """A bit for each cell; they are counted, and a frontier automaton reads them."""
        rows = _rows(ctx.puzzle.cells)
        bits: dict[Place, Auxiliary] = {
            place: self._bit(ctx, place) for row in rows for place in row
        }
        if self.size is not None:
            ctx.add_sum(list(bits.values()), self.size, self.size)
        for house in ctx.puzzle.houses:
            # Follows from the house, but not for a solver that sees only the bits.
            if (quota := self._quota(ctx, house.cells)) is not None:
                ctx.add_sum([bits[place] for place in house.cells], quota, quota)
        frontier = _Frontier(rows, [self._quota(ctx, row) for row in rows])
        ctx.add_fold(
            list(bits.values()),
            frontier.start,
            frontier.step,
            lambda state: state.complete,
            positional=True,
            budget=_BUDGET,
        )

    def _bit(self, ctx: Lowering, place: Cell) -> Auxiliary:
        pairs = frozenset((value, int(value in self.values)) for value in ctx.domain(place))
        return ctx.auxiliary("in region", (0, 1), lambda bit: Relation(place, bit, pairs))

    def _quota(self, ctx: Lowering, house: Sequence[Place]) -> int | None:
        """How many cells of a house belong to the region, where every value occurs in it."""
        values = {value for domain in ctx.domains(house) for value in domain}
        if len(values) == len(house) and ctx.distinct(house):
            return len(values.intersection(self.values))
        return None

    def objection(self, puzzle: Puzzle) -> str | None:
        """Values that do not occur, or more cells than there are."""
        values = {value for place in puzzle.cells for value in puzzle.values_of(place)}
        if values.isdisjoint(self.values):
            return f"{self.label}: none of {self._listing} is a value of the puzzle"
        if self.size is not None and self.size > len(puzzle.cells):
            return f"{self.label}: {self.size} cells are more than all {len(puzzle.cells)}"
        return None

    @property
    def _listing(self) -> str:
        return " ".join(map(str, self.values))

    def describe(self, puzzle: Puzzle) -> str:
        size = "" if self.size is None else f" of {self.size} cells"
        return f"the cells with one of {self._listing} form one connected region{size}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (ConnectedValues((1, 3)),)


class _Frontier:
    """Reads row by row whether each cell belongs to the region.

    Between the cells read and those to come lies the frontier: the cells read that have a neighbour
    to come. Which of them hang together, by way of cells read, is all that matters of the past
    (the method of Knuth's Simpath, TAOCP 7.1.4). A row with a quota is given up as
    soon as it cannot be kept: that follows from the houses, and cuts the automaton down.
    """

    start = _State()

    def __init__(self, rows: list[list[Cell]], quotas: list[int | None]) -> None:
        order = [place for row in rows for place in row]
        number = {place: i for i, place in enumerate(order)}
        near = [[number[p] for p in _neighbours(place) if p in number] for place in order]
        front: list[int] = []
        # For each cell, as places in the frontier and the cell after it: its neighbours there,
        # what stays on the next frontier, and what leaves.
        self._near: list[list[int]] = []
        self._stays: list[list[int]] = []
        self._leaves: list[list[int]] = []
        for i in range(len(order)):
            front.append(i)
            stays = [max(near[j], default=0) > i for j in front]
            self._near.append([place for place, j in enumerate(front) if j in near[i]])
            self._stays.append([place for place, stay in enumerate(stays) if stay])
            self._leaves.append([place for place, stay in enumerate(stays) if not stay])
            front = [front[place] for place in self._stays[-1]]
        # The quota of the row of each cell, and how many cells come after it in the row.
        self._quotas = [
            (quota, after)
            for row, quota in zip(rows, quotas, strict=True)
            for after in reversed(range(len(row)))
        ]

    def step(self, state: _State, bit: int, i: int) -> _State | None:
        """Read whether cell i belongs to the region."""
        in_row = self._counted(state.in_row, bit, i)
        if in_row is None or (bit and state.complete):
            return None
        parts = [*state.parts, 0]
        if bit:
            parts[-1] = len(parts)  # no other part has this number
            touched = {parts[place] for place in self._near[i]}
            touched.discard(0)
            if touched:
                parts = [len(parts) if part in touched else part for part in parts]
        kept = [parts[place] for place in self._stays[i]]
        closed = {parts[place] for place in self._leaves[i]}.difference(kept, (0,))
        if closed and (len(closed) > 1 or any(kept)):
            return None
        # Number the parts in the order of the frontier, so that equal situations are equal states.
        names = {0: 0}
        numbered = tuple([names.setdefault(part, len(names)) for part in kept])
        return _State(numbered, state.complete or bool(closed), in_row)

    def _counted(self, count: int, bit: int, i: int) -> int | None:
        quota, after = self._quotas[i]
        if quota is None:
            return 0
        count += bit
        if not count <= quota <= count + after:
            return None
        return count if after else 0


def _rows(places: tuple[Cell, ...]) -> list[list[Cell]]:
    """The cells in rows, or in columns if these are shorter: the frontier is as long as a row."""
    by_row: dict[int, list[Cell]] = {}
    by_col: dict[int, list[Cell]] = {}
    for place in sorted(places):
        by_row.setdefault(place.row, []).append(place)
        by_col.setdefault(place.col, []).append(place)
    across, down = by_row.values(), [by_col[col] for col in sorted(by_col)]
    return list(across) if max(map(len, across)) <= max(map(len, down)) else down


def _neighbours(place: Cell) -> Iterator[Cell]:
    return (Cell(place.row + rows, place.col + cols) for rows, cols in SIDES)


def _reached(region: set[Cell]) -> set[Cell]:
    """What can be reached from one cell of a region."""
    reached: set[Cell] = set()
    fresh = [min(region)]
    while fresh:
        place = fresh.pop()
        if place not in reached:
            reached.add(place)
            fresh.extend(near for near in _neighbours(place) if near in region)
    return reached
