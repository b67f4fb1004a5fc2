"""Shapes in a grid: random lines, cages, irregular regions; the orbits of symmetries."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from csp_encodings.store import kept
from csp_sudoku.cells import DIAGONALS, SIDES, Cell
from csp_sudoku.errors import PuzzleError
from csp_sudoku.puzzle import Puzzle

Cells = tuple[Cell, ...]


# Maps a cell of a rectangle; the arguments are the cell, the last row and the last column.
_Image = Callable[[Cell, int, int], Cell]
SYMMETRIES: dict[str, tuple[_Image, ...]] = {
    "none": (),
    "rotational": (lambda c, last_row, last_col: Cell(last_row - c.row, last_col - c.col),),
    "quarter-turn": (lambda c, _, last_col: Cell(c.col, last_col - c.row),),
    "mirror": (lambda c, _, last_col: Cell(c.row, last_col - c.col),),
    "flip": (lambda c, last_row, _: Cell(last_row - c.row, c.col),),
    "diagonal": (lambda c, *_: Cell(c.col, c.row),),
    "antidiagonal": (lambda c, last_row, last_col: Cell(last_col - c.col, last_row - c.row),),
    "full": (
        lambda c, _, last_col: Cell(c.col, last_col - c.row),
        lambda c, _, last_col: Cell(c.row, last_col - c.col),
    ),
}
"""The symmetries by name, each with its generators."""


def orbits(puzzle: Puzzle, symmetry: str | None) -> list[Cells]:
    """Group the cells that a symmetry maps onto each other.

    Examples
    --------
    >>> [len(orbit) for orbit in orbits(Puzzle.blank(3), "rotational")]
    [2, 2, 2, 2, 1]
    """
    name = symmetry or "none"
    if name not in SYMMETRIES:
        raise PuzzleError(f"no symmetry is called {name!r}; there are {', '.join(SYMMETRIES)}")
    return [*_orbits(puzzle.cells, name)]


@kept(size=lambda found: 200 * len(found))
def _orbits(cells: Cells, name: str) -> tuple[Cells, ...]:
    inside = set(cells)
    top, left = min(c.row for c in cells), min(c.col for c in cells)
    last_row, last_col = max(c.row for c in cells) - top, max(c.col for c in cells) - left
    found: dict[Cell, Cells] = {}
    for first in cells:
        if first in found:
            continue
        orbit, waiting = [first], [first]
        while waiting:
            place = waiting.pop()
            for image in SYMMETRIES[name]:
                moved = image(Cell(place.row - top, place.col - left), last_row, last_col)
                other = Cell(moved.row + top, moved.col + left)
                if other not in inside:
                    raise PuzzleError(f"symmetry {name}: the grid itself has no such symmetry")
                if other not in orbit:
                    orbit.append(other)
                    waiting.append(other)
        found |= dict.fromkeys(orbit, tuple(sorted(orbit)))
    return tuple(dict.fromkeys(found.values()))


def neighbours(place: Cell, *, corners: bool = False) -> list[Cell]:
    """Return the cells beside a cell, also outside the grid; with `corners` diagonal ones, too."""
    steps = (*SIDES, *sorted(DIAGONALS.values())) if corners else SIDES
    return [Cell(place.row + rows, place.col + columns) for rows, columns in steps]


def line(
    free: Collection[Cell],
    length: int,
    chance: random.Random,
    accepts: Callable[[Sequence[Cell]], bool] = lambda _: True,
) -> Cells:
    """Draw a line of different cells, at most this long; every beginning of it is accepted."""
    found = [chance.choice(sorted(free))] if free else []
    while found and len(found) < length:
        ways = [
            place
            for place in neighbours(found[-1], corners=True)
            if place in free and place not in found and accepts([*found, place])
        ]
        if not ways:
            break
        found.append(chance.choice(ways))
    return tuple(found)


def tiling(
    values: Mapping[Cell, int], sizes: Sequence[int], chance: random.Random
) -> Iterator[Cells]:
    """Cut the cells into connected pieces of about these sizes, without a repeated value."""
    left = set(values)
    for first in chance.sample(sorted(left), len(left)):
        if first not in left:
            continue
        size = chance.choice(sizes)
        piece = [first]
        left.discard(first)
        while len(piece) < size:
            held = {values[place] for place in piece}
            ways = {
                other
                for place in piece
                for other in neighbours(place)
                if other in left and values[other] not in held
            }
            if not ways:
                break
            # Cells with few free neighbours first: they would be left alone.
            fewest = min(_open(place, left) for place in ways)
            chosen = chance.choice(sorted(w for w in ways if _open(w, left) == fewest))
            piece.append(chosen)
            left.discard(chosen)
        yield tuple(sorted(piece))


def halves(cells: Sequence[Cell], chance: random.Random) -> tuple[Cells, Cells] | None:
    """Cut a connected piece into two of two or more cells each; None if that is impossible."""
    for first in chance.sample(list(cells), len(cells)):
        part, rest = [first], set(cells) - {first}
        while len(part) < len(cells) // 2:
            ways = sorted({o for p in part for o in neighbours(p) if o in rest})
            if not ways:
                break
            part.append(chance.choice(ways))
            rest.discard(part[-1])
        if len(part) > 1 and len(rest) > 1 and is_connected(rest):
            return tuple(sorted(part)), tuple(sorted(rest))
    return None


def regions(rows: int, columns: int, chance: random.Random) -> list[Cells]:
    """Cut a grid into as many irregular regions as it has rows, each with `columns` cells.

    It begins with the rows and exchanges cells between neighbouring regions many times, as long as
    both stay connected.

    Examples
    --------
    >>> found = regions(6, 6, random.Random(0))
    >>> [len(region) for region in found], all(map(is_connected, found))
    ([6, 6, 6, 6, 6, 6], True)
    """
    places = [Cell(r, c) for r in range(rows) for c in range(columns)]
    owner = {place: place.row for place in places}
    held: list[set[Cell]] = [{p for p in places if p.row == r} for r in range(rows)]
    for _ in range(20 * len(places)):
        a = chance.choice(places)
        beside = [o for o in neighbours(a) if o in owner and owner[o] != owner[a]]
        if not beside:
            continue
        # The neighbour takes the cell and gives back another one that touches the donor.
        mine, theirs = owner[a], owner[chance.choice(beside)]
        taken = (held[theirs] | {a}, held[mine] - {a})
        back = sorted(
            b for b in held[theirs] if any(o in taken[1] for o in neighbours(b)) or not taken[1]
        )
        if not back:
            continue
        b = chance.choice(back)
        grown, shrunk = taken[0] - {b}, taken[1] | {b}
        if is_connected(grown) and is_connected(shrunk):
            held[theirs], held[mine] = grown, shrunk
            owner[a], owner[b] = theirs, mine
    return [tuple(sorted(region)) for region in held]


def is_connected(cells: Iterable[Cell]) -> bool:
    """Whether the cells are connected by their sides."""
    left = set(cells)
    waiting = [left.pop()] if left else []
    while waiting:
        for other in neighbours(waiting.pop()):
            if other in left:
                left.discard(other)
                waiting.append(other)
    return not left


def _open(place: Cell, left: Collection[Cell]) -> int:
    return sum(other in left for other in neighbours(place))
