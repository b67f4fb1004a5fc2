"""Connected values: the cells that hold them form one region."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from csp_encodings.automaton import Budget
from csp_encodings.factors import Relation
from csp_sudoku.cells import SIDES, Cell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.fields import WholeNumbers, rule, whole, whole_numbers
from csp_sudoku.forms import Iss

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment, Auxiliary
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


# The automaton reads bits, so it has at most two edges for each state.
_BUDGET = Budget(states=200_000)


class _State(NamedTuple):
    """What is known about the region after some cells were read."""

    parts: tuple[int, ...] = ()
    """For each cell of the frontier, the number of its part of the region; 0 for none."""
    complete: bool = False
    """Whether the region is finished, so that no other cell belongs to it."""
    in_row: int = 0
    """How many cells of the current row belong to the region, if the row has a quota."""


@rule
class ConnectedValues(Constraint):
    """Connected values: the cells that hold one of the `values` form one connected region.

    Cells are connected if they share an edge. The region is not empty; with `size` it has this
    number of cells.

    Examples
    --------
    >>> from csp_sudoku import ConnectedValues, Puzzle, count
    >>> count(Puzzle.blank(4).add(ConnectedValues((1, 2, 3), size=12))).value
    216
    """

    values: WholeNumbers = whole_numbers(empty=False)
    size: int | None = whole(default=None, least=1)
    name = "connected-values"

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return puzzle.cells

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        region = {place for place in puzzle.cells if values[place] in self.values}
        if self.size is not None and len(region) != self.size:
            return False
        return bool(region) and _reached(region) == region

    def lower(self, ctx: Lowering) -> None:
        """Add a bit for each cell, whether it is in the region, and an automaton over the bits."""
        rows = _rows(ctx.puzzle.cells)
        bits: dict[Place, Auxiliary] = {
            place: self._bit(ctx, place) for row in rows for place in row
        }
        if self.size is not None:
            ctx.add_sum(list(bits.values()), self.size, self.size)
        for house in ctx.puzzle.houses:
            # The house implies this, but a solver does not see it from the bits.
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
        """How many cells of a house belong to the region, if every value occurs in the house."""
        values = {value for domain in ctx.domains(house) for value in domain}
        if len(values) == len(house) and ctx.distinct(house):
            return len(values.intersection(self.values))
        return None

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to values that do not occur, or a region that is too large for the puzzle."""
        values = {value for place in puzzle.cells for value in puzzle.values_of(place)}
        if values.isdisjoint(self.values):
            return f"{self.label}: none of {self._listing} is a value of the puzzle"
        if self.size is not None and self.size > len(puzzle.cells):
            return (
                f"{self.label}: a region of {self.size} cells is too large for a puzzle of "
                f"{len(puzzle.cells)}"
            )
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

    formats = (Iss("ConnectedValues", "connected", inside=False),)


class _Frontier:
    """Reads row by row whether each cell belongs to the region.

    The frontier is the cells that were read and have a neighbour that was not. All that matters
    about the past is which cells of the frontier are connected through cells that were read. This
    is the method of Knuth's Simpath (TAOCP 7.1.4). A state that cannot keep the quota of its row is
    dropped at once: the houses imply this, and it makes the automaton much smaller.
    """

    start = _State()

    def __init__(self, rows: list[list[Cell]], quotas: list[int | None]) -> None:
        order = [place for row in rows for place in row]
        number = {place: i for i, place in enumerate(order)}
        near = [[number[p] for p in _neighbours(place) if p in number] for place in order]
        front: list[int] = []
        # For each cell, as positions in the frontier with the cell itself at its end: its
        # neighbours, the cells that stay in the next frontier, and the cells that leave it.
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
        # For each cell, the quota of its row and the number of cells after it in the row.
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
            parts[-1] = len(parts)  # a number that no other part has
            touched = {parts[place] for place in self._near[i]}
            touched.discard(0)
            if touched:
                parts = [len(parts) if part in touched else part for part in parts]
        kept = [parts[place] for place in self._stays[i]]
        closed = {parts[place] for place in self._leaves[i]}.difference(kept, (0,))
        if closed and (len(closed) > 1 or any(kept)):
            return None
        # Number the parts in the order of the frontier: then equal situations are equal states.
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
    """The cells by rows, or by columns if these are shorter: the frontier is as long as a row."""
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
    """The cells of a region that can be reached from its first cell."""
    reached: set[Cell] = set()
    fresh = [min(region)]
    while fresh:
        place = fresh.pop()
        if place not in reached:
            reached.add(place)
            fresh.extend(near for near in _neighbours(place) if near in region)
    return reached
