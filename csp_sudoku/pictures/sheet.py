"""The sheet of a picture: the places of cells, layers above each other, free places."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from csp_sudoku.cells import Cell
from csp_sudoku.pictures import theme
from csp_sudoku.pictures.svg import Point, clean, element
from csp_sudoku.pictures.terminal import with_gaps
from csp_sudoku.puzzle import Puzzle

UNIT = 64.0
"""The side of a cell."""

# From the lowest to the highest; True if the layer is see-through, so that digits show.
LAYERS = {
    "shade": False,
    "light": False,
    "shape": True,
    "line": True,
    "grid": False,
    "cage": False,
    "border": False,
    "sign": False,
    "digit": False,
    "margin": False,
}


class ClueSpot(NamedTuple):
    """A clue in the margin: its side, its row or column there, its text and its frame."""

    side: str
    line: int
    text: str
    frame: str
    direction: str | None


class Sheet:
    """Collects the elements of a picture. A cell is :data:`UNIT` wide and high."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.rows = with_gaps(sorted({cell.row for cell in puzzle.cells}))
        self.columns = with_gaps(sorted({cell.col for cell in puzzle.cells}))
        self._row = {row: i for i, row in enumerate(self.rows)}
        self._column = {column: i for i, column in enumerate(self.columns)}
        self.clues: list[ClueSpot] = []
        self.sentences: list[str] = []
        self._layers: dict[str, list[str]] = {name: [] for name in LAYERS}
        self._taken: dict[Hashable, int] = {}
        self._group: dict[str, list[str]] | None = None

    @property
    def width(self) -> float:
        """The width of the grids."""
        return UNIT * len(self.columns)

    @property
    def height(self) -> float:
        """The height of the grids."""
        return UNIT * len(self.rows)

    def corner(self, cell: Cell) -> Point:
        """Return the upper left corner of a cell, which may lie just outside the grids."""
        return UNIT * _nearest(self._column, cell.col), UNIT * _nearest(self._row, cell.row)

    def centre(self, cell: Cell) -> Point:
        """Return the centre of a cell."""
        left, top = self.corner(cell)
        return left + UNIT / 2, top + UNIT / 2

    def middle(self, cells: Iterable[Cell]) -> Point:
        """Return the mean of the centres of some cells."""
        points = [self.centre(cell) for cell in cells]
        return (
            sum(x for x, _ in points) / len(points),
            sum(y for _, y in points) / len(points),
        )

    def add(self, layer: str, drawn: str) -> None:
        """Add an element to a layer."""
        (self._layers if self._group is None else self._group)[layer].append(drawn)

    def free(self, *places: Hashable) -> int:
        """Count these places once more; return how often one of them was counted before."""
        before = max((self._taken.get(place, 0) for place in places), default=0)
        for place in places:
            self._taken[place] = before + 1
        return before

    def taken(self, place: Hashable) -> int:
        """Return how often a place was taken."""
        return self._taken.get(place, 0)

    @contextmanager
    def titled(self, title: str) -> Iterator[None]:
        """Group everything drawn meanwhile; pointing at it shows the title."""
        self._group = {name: [] for name in LAYERS}
        try:
            yield
        finally:
            drawn, self._group = self._group, None
            said = element("title", clean(title))
            for layer, items in drawn.items():
                if items:
                    opacity = 0.72 if LAYERS[layer] else None
                    self.add(layer, element("g", said, *items, opacity=opacity))

    def layers(self) -> str:
        """Return all elements, from the lowest layer to the highest."""
        return "\n".join(
            element("g", *items, class_=f"layer-{name}")
            for name, items in self._layers.items()
            if items
        )


def positions(puzzle: Puzzle) -> list[list[int]]:
    """Return the row and column of each cell in a picture, for pages that draw on it.

    Examples
    --------
    >>> positions(Puzzle.blank(2))
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    corners = map(Sheet(puzzle).corner, puzzle.cells)
    return [[round(top / UNIT), round(left / UNIT)] for left, top in corners]


def used_colours(drawn: str) -> set[str]:
    """Return the colours whose classes occur in a drawing; refuse unknown ones."""
    words = {word for part in drawn.split('class="')[1:] for word in part.split('"', 1)[0].split()}
    used = {word[2:] for word in words if word[:2] in ("f-", "s-")}
    for role in sorted(used):
        theme.check_colour(role)
    return used


def _nearest(places: dict[int, int], index: int) -> int:
    """Return the position of a row or column; outside the grids, count on from the nearest."""
    if index in places:
        return places[index]
    first, last = min(places), max(places)
    if index < first:
        return places[first] - (first - index)
    return places[last] + (index - last)
