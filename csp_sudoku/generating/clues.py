"""Clues read off a solution: for each kind, endless random ones that the solution keeps.

The rule itself is asked whether the solution keeps it, so a kind needs only to propose shapes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

from csp_sudoku import constraints as c
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import ConstraintError
from csp_sudoku.generating import shapes
from csp_sudoku.puzzle import Puzzle

# How many proposals in a row may fail before a kind has no more clues to give.
_PATIENCE = 400


@dataclass
class Easel:
    """What clues are read off: the solution, and the cells on which no line lies yet."""

    puzzle: Puzzle
    solution: Mapping[Place, int]
    chance: random.Random
    free: set[Cell] = field(init=False)

    def __post_init__(self) -> None:
        self.free = set(self.puzzle.cells)

    @property
    def side(self) -> int:
        """The longer side of the first grid."""
        grid = self.puzzle.grids[0]
        return max(grid.rows, grid.columns)

    def keeps(self, clue: Constraint) -> bool:
        """Whether the clue fits the puzzle and the solution keeps it."""
        try:
            clue.check(self.puzzle)
        except ConstraintError:
            return False
        return clue.holds(self.solution, self.puzzle)

    def value(self, place: Place) -> int:
        """What the solution has there."""
        return self.solution[place]


Proposal = Callable[[Easel], Constraint | None]


@dataclass(frozen=True)
class Kind:
    """A kind of clue: how it is proposed, and how many of them a puzzle of a side gets."""

    propose: Proposal
    usual: Callable[[int], int]
    drawn: bool = False
    """Whether it is a drawing over cells that no other shall cover."""


def clues(kind: Kind, easel: Easel) -> Iterator[Constraint]:
    """Different clues of a kind that the solution keeps, until no more are found."""
    known: set[object] = set()
    failed = 0
    while failed < _PATIENCE:
        failed += 1
        clue = kind.propose(easel)
        # Two clues of a kind never lie on the same cells.
        where = getattr(clue, "cells", clue)
        if clue is None or where in known or not easel.keeps(clue):
            continue
        known.add(where)
        failed = 0
        if kind.drawn:
            easel.free -= set(clue.scope(easel.puzzle))
            if len(easel.free) < len(easel.puzzle.cells) // 4:
                easel.free = set(easel.puzzle.cells)
        yield clue


# Proposals


def _grown(make: Callable[..., Constraint], longest: int, shortest: int, easel: Easel) -> Any:
    """A line of which every beginning keeps the rule, as of a thermometer."""
    length = easel.chance.randint(shortest, longest)
    cells = shapes.line(easel.free, length, easel.chance, lambda some: easel.keeps(make(some)))
    return make(cells) if len(cells) >= shortest else None


def _tried(make: Callable[..., Constraint], longest: int, shortest: int, easel: Easel) -> Any:
    """A line by lot, which seldom keeps the rule, as of a palindrome."""
    length = easel.chance.randint(shortest, longest)
    cells = shapes.line(easel.free, length, easel.chance)
    return make(cells) if len(cells) == length else None


def _palindrome(easel: Easel) -> Constraint | None:
    """A line grown from its middle at both ends."""
    cells = list(shapes.line(easel.free, easel.chance.choice((1, 2)), easel.chance))
    if len({easel.value(place) for place in cells}) > 1:
        cells.pop()
    for _ in range(easel.chance.randint(1, 3) if cells else 0):
        ends = [shapes.neighbours(end, corners=True) for end in (cells[0], cells[-1])]
        open_ = easel.free.difference(cells)
        ways = [
            (a, b)
            for a, b in product(*ends)
            if a != b and a in open_ and b in open_ and easel.value(a) == easel.value(b)
        ]
        if not ways:
            break
        a, b = easel.chance.choice(ways)
        cells = [a, *cells, b]
    return c.Palindrome(cells) if len(cells) > 2 else None


def _region_sum(easel: Easel) -> Constraint | None:
    """A line through several boxes."""
    clue = _tried(c.RegionSum, 6, 3, easel)
    boxes = [set(box) for grid in easel.puzzle.grids for box in grid.boxes]
    inside = clue is None or any(box.issuperset(clue.cells) for box in boxes)
    return None if inside else clue


def _arrow(easel: Easel) -> Constraint | None:
    cells = shapes.line(easel.free, easel.chance.randint(3, 4), easel.chance)
    for end in range(3, len(cells) + 1):
        if sum(map(easel.value, cells[1:end])) == easel.value(cells[0]):
            return c.Arrow(cells[0], cells[1:end])
    return None


def _beside(make: Callable[[Sequence[Cell]], Constraint], easel: Easel) -> Constraint | None:
    """A mark between two cells side by side."""
    first = easel.chance.choice(easel.puzzle.cells)
    second = easel.chance.choice(shapes.neighbours(first))
    if not easel.puzzle.has(second):
        return None
    pair = [first, second]
    clue = make(pair if first < second else pair[::-1])
    return clue if easel.keeps(clue) else make(pair)


def _in_one(makes: Sequence[Callable[..., Constraint]], easel: Easel) -> Constraint | None:
    """A mark in a single cell."""
    return easel.chance.choice(makes)([easel.chance.choice(easel.puzzle.cells)])


def _extreme(makes: Sequence[Callable[..., Constraint]], easel: Easel) -> Constraint | None:
    return easel.chance.choice(makes)(easel.chance.choice(easel.puzzle.cells))


def _quadruple(easel: Easel) -> Constraint | None:
    corner = easel.chance.choice(easel.puzzle.cells)
    around = [Cell(corner.row + r, corner.col + col) for r in (0, 1) for col in (0, 1)]
    if not all(map(easel.puzzle.has, around)):
        return None
    held = sorted(map(easel.value, around))
    size = easel.chance.randint(2, 4)
    return c.Quadruple(around, sorted(easel.chance.sample(held, size)))


def _cage(easel: Easel) -> Constraint | None:
    """A single cage, where the grid is not to be tiled."""
    size = easel.chance.randint(2, 4)
    values = {place: easel.value(place) for place in easel.free}
    piece = next(shapes.tiling(values, [size], easel.chance), ())
    return c.KillerCage(piece, sum(map(easel.value, piece))) if len(piece) > 1 else None


def _little_killer(easel: Easel) -> Constraint | None:
    start = easel.chance.choice(easel.puzzle.cells)
    direction = easel.chance.choice(("NE", "SE", "SW", "NW"))
    grid = easel.puzzle.grids[0]
    edges = (grid.top, grid.top + grid.rows - 1, grid.left, grid.left + grid.columns - 1)
    row, column = edges["SN".index(direction[0])], edges[2 + "EW".index(direction[1])]
    if start.row != row and start.col != column:
        return None
    diagonal = c.LittleKiller(start, direction, 0).scope(easel.puzzle)
    total = sum(map(easel.value, diagonal))
    return c.LittleKiller(start, direction, total) if len(diagonal) > 1 else None


def _outside(make: Callable[..., Constraint], sides: bool, easel: Easel) -> Constraint | None:
    """A number beside a row or column: the one that the solution keeps."""
    grid = easel.puzzle.grids[0]
    letter, count = easel.chance.choice((("R", grid.rows), ("C", grid.columns)))
    name = f"{letter}{easel.chance.randint(1, count)}"
    more = {"reverse": easel.chance.random() < 1 / 2} if sides else {}
    numbers = range(sum(value for value in grid.values if value > 0) + 1)
    clues = (make(name, number, **more) for number in numbers)
    return next((clue for clue in clues if easel.keeps(clue)), None)


def _line(make: Callable[..., Constraint], longest: int, shortest: int = 3) -> Kind:
    return Kind(partial(_grown, make, longest, shortest), lambda n: (2 * n + 2) // 3, drawn=True)


def _rare(make: Callable[..., Constraint], longest: int, shortest: int = 3) -> Kind:
    return Kind(partial(_tried, make, longest, shortest), lambda n: (2 * n + 2) // 3, drawn=True)


def _mark(make: Callable[..., Constraint]) -> Kind:
    return Kind(partial(_beside, make), lambda n: 2 * n)


def _number(make: Callable[..., Constraint], *, sides: bool = True) -> Kind:
    return Kind(partial(_outside, make, sides), lambda n: n)


KINDS: dict[str, Kind] = {
    "killer-cage": Kind(_cage, lambda n: n, drawn=True),
    "thermometer": _line(c.Thermometer, 6),
    "slow-thermometer": _line(c.SlowThermometer, 6),
    "whisper": _line(c.Whisper, 6),
    "parity-line": _line(c.ParityLine, 6),
    "entropic": _line(c.Entropic, 6),
    "modular": _line(c.Modular, 6),
    "nabner": _line(c.Nabner, 5),
    "renban": _rare(c.Renban, 5),
    "between": _rare(c.Between, 5),
    "region-sum": Kind(_region_sum, lambda n: (2 * n + 2) // 3, drawn=True),
    "zipper": _rare(c.Zipper, 5),
    "double-arrow": _rare(c.DoubleArrow, 5),
    "palindrome": Kind(_palindrome, lambda n: (2 * n + 2) // 3, drawn=True),
    "arrow": Kind(_arrow, lambda n: (2 * n + 2) // 3, drawn=True),
    "difference": _mark(c.Difference),
    "ratio": _mark(c.Ratio),
    "greater-than": _mark(c.GreaterThan),
    "x": _mark(partial(c.PairSum, total=10)),
    "v": _mark(partial(c.PairSum, total=5)),
    "quadruple": Kind(_quadruple, lambda n: n),
    "parity": Kind(partial(_in_one, (c.Odd, c.Even)), lambda n: 2 * n),
    "extremes": Kind(partial(_extreme, (c.Minimum, c.Maximum)), lambda n: n),
    "row-indexing": Kind(partial(_in_one, (c.RowIndexing,)), lambda n: n),
    "column-indexing": Kind(partial(_in_one, (c.ColumnIndexing,)), lambda n: n),
    "little-killer": Kind(_little_killer, lambda n: n),
    "sandwich": _number(c.Sandwich, sides=False),
    "skyscraper": _number(c.Skyscraper),
    "x-sum": _number(c.XSum),
    "numbered-room": _number(c.NumberedRoom),
    "before-greatest": _number(c.BeforeGreatest),
    "hidden-skyscraper": _number(c.HiddenSkyscraper),
}
"""The kinds of clues that can be read off a solution, by name."""
