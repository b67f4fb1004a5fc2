"""The geometry of a puzzle: neighbours, edges, corners, rays, lines, houses of a cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from csp_sudoku.cells import DIAGONALS, SIDES, Cell, CellsLike, Place, cell, cells
from csp_sudoku.errors import ConstraintError, PuzzleError

if TYPE_CHECKING:
    from csp_sudoku.constraints.regions import House
    from csp_sudoku.grid import Grid

Steps = tuple[tuple[int, int], ...]


def leaps(rows: int, columns: int) -> Steps:
    """All steps of this size, in every direction: up to eight, in reading order.

    Examples
    --------
    >>> leaps(0, 1)
    ((-1, 0), (0, -1), (0, 1), (1, 0))
    """
    ways = ((rows, columns), (columns, rows))
    ends = {(r * down, c * right) for r, c in ways for down in (1, -1) for right in (1, -1)}
    return tuple(sorted(ends))


#: The moves that neighbours are named by.
MOVES: dict[str, Steps] = {
    "orthogonal": SIDES,
    "diagonal": leaps(1, 1),
    "king": tuple(sorted((*SIDES, *leaps(1, 1)))),
    "knight": leaps(1, 2),
}

#: The step in each direction of the compass.
DIRECTIONS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1), **DIAGONALS}

# A cell of the grid or around it, as drawings name it: R0C3 is above the first row.
_AROUND = re.compile(r"[Rr]([0-9]{1,4})[Cc]([0-9]{1,4})", re.ASCII)


class Geometry:
    """What is where in a puzzle."""

    # A puzzle says these.
    if TYPE_CHECKING:
        grids: tuple[Grid, ...]

        @property
        def cells(self) -> tuple[Cell, ...]: ...
        @property
        def houses(self) -> tuple[House, ...]: ...
        def has(self, place: Place) -> bool: ...
        def no_such_place(self, place: Place) -> str: ...

    def neighbours(
        self, place: str | Cell, move: str | tuple[int, int] = "orthogonal"
    ) -> tuple[Cell, ...]:
        """The cells that are one move away from a cell, in reading order.

        Parameters
        ----------
        place
            A cell of the puzzle.
        move
            ``orthogonal``, ``diagonal``, ``king`` or ``knight``; or the rows and columns of a leap:
            a knight leaps (1, 2).

        Examples
        --------
        >>> from csp_sudoku import Puzzle
        >>> [str(cell) for cell in Puzzle.blank(9).neighbours("R1C1", "king")]
        ['R1C2', 'R2C1', 'R2C2']
        >>> [str(cell) for cell in Puzzle.blank(9).neighbours("R5C5", (0, 3))]
        ['R2C5', 'R5C2', 'R5C8', 'R8C5']
        """
        row, col = self._inside(place)
        around = [Cell(row + rows, col + columns) for rows, columns in _steps(move)]
        return tuple([near for near in around if self.has(near)])

    def edges(self) -> tuple[tuple[Cell, Cell], ...]:
        """All pairs of cells that share an edge, each once, in reading order.

        Examples
        --------
        >>> from csp_sudoku import Puzzle
        >>> edges = Puzzle.blank(9).edges()
        >>> len(edges), [str(cell) for cell in edges[0]]
        (144, ['R1C1', 'R1C2'])
        """
        return tuple(self.pairs_at(((0, 1), (1, 0))))

    def pairs_at(self, steps: Steps) -> Iterator[tuple[Cell, Cell]]:
        """All pairs of cells that are one of some steps apart: the cell, and where the step ends.

        Each pair comes once if all steps point down, or to the right in the same row.

        Examples
        --------
        >>> from csp_sudoku import Puzzle
        >>> len(list(Puzzle.blank(4).pairs_at(((1, 2),))))
        6
        """
        for place in self.cells:
            for rows, columns in steps:
                other = Cell(place.row + rows, place.col + columns)
                if self.has(other):
                    yield place, other

    def corners(self) -> tuple[tuple[Cell, Cell, Cell, Cell], ...]:
        """The four cells around each inner corner, in reading order.

        Examples
        --------
        >>> from csp_sudoku import Puzzle
        >>> corners = Puzzle.blank(9).corners()
        >>> len(corners), [str(cell) for cell in corners[0]]
        (64, ['R1C1', 'R1C2', 'R2C1', 'R2C2'])
        """
        blocks = [
            (Cell(r, c), Cell(r, c + 1), Cell(r + 1, c), Cell(r + 1, c + 1)) for r, c in self.cells
        ]
        return tuple([block for block in blocks if all(map(self.has, block))])

    def ray(self, start: str | Cell, direction: str) -> tuple[Cell, ...]:
        """The cells from a cell in one direction, to the end of the puzzle.

        The start is a cell of the puzzle, which is then the first one, or the place beside the grid
        where drawings put a clue: ``R0C3`` is above row 1. The direction is one of ``N``, ``NE``,
        ``E``, ``SE``, ``S``, ``SW``, ``W`` and ``NW``.

        Examples
        --------
        >>> from csp_sudoku import Puzzle
        >>> [str(cell) for cell in Puzzle.blank(4).ray("R2C1", "SE")]
        ['R2C1', 'R3C2', 'R4C3']
        >>> [str(cell) for cell in Puzzle.blank(4).ray("R1C0", "SE")]
        ['R2C1', 'R3C2', 'R4C3']
        """
        if not isinstance(direction, str) or direction not in DIRECTIONS:
            raise PuzzleError(f"direction {direction!r}: write one of {', '.join(DIRECTIONS)}")
        rows, columns = DIRECTIONS[direction]
        place = _around(start)
        if not self.has(place):
            place = Cell(place.row + rows, place.col + columns)
        found = []
        while self.has(place):
            found.append(place)
            place = Cell(place.row + rows, place.col + columns)
        if not found:
            raise PuzzleError(f"{start} {direction}: there is no cell of the puzzle")
        return tuple(found)

    def line(self, *ends: CellsLike) -> tuple[Cell, ...]:
        """The cells of a line that is told by its corners; the straight pieces are filled in.

        A piece runs along a row, a column or a diagonal.

        Examples
        --------
        >>> from csp_sudoku import Puzzle
        >>> [str(cell) for cell in Puzzle.blank(9).line("R1C1-R3C3 R3C5")]
        ['R1C1', 'R2C2', 'R3C3', 'R3C4', 'R3C5']
        """
        named = [part.replace("-", " ") if isinstance(part, str) else part for part in ends]
        corners = [self._inside(place) for place in cells(*named)]
        found = corners[:1]
        for first, second in pairwise(corners):
            down, right = second.row - first.row, second.col - first.col
            length = max(abs(down), abs(right))
            if 0 not in (down, right) and abs(down) != abs(right):
                raise PuzzleError(f"{first}-{second} is no straight piece of a line")
            found += [
                self._inside(Cell(first.row + i * down // length, first.col + i * right // length))
                for i in range(1, length + 1)
            ]
        return tuple(found)

    def houses_of(self, place: str | Cell) -> tuple[House, ...]:
        """The houses that a cell belongs to: its row, its column and its box or region.

        Examples
        --------
        >>> from csp_sudoku import Puzzle
        >>> [house.label for house in Puzzle.blank(9).houses_of("R5C1")]
        ['row 5', 'column 1', 'box 4']
        """
        where = self._inside(place)
        return tuple([house for house in self.houses if where in house.cells])

    def runs(self, *line: CellsLike) -> tuple[tuple[Place, ...], ...]:
        """The parts of a line that lie in one box or region each, in order.

        A cell outside all boxes ends a part and belongs to none. On a loop, which names its first
        cell again at the end, a part may go over the end.

        Examples
        --------
        >>> from csp_sudoku import Puzzle
        >>> [[str(cell) for cell in run] for run in Puzzle.blank(4).runs("R1C1-R1C3 R2C3 R3C3")]
        [['R1C1', 'R1C2'], ['R1C3', 'R2C3'], ['R3C3']]
        """
        places = cells(*line)
        box_of: dict[Place, int] = {}
        for number, box in enumerate(box for grid in self.grids for box in grid.boxes):
            for place in box:
                box_of.setdefault(place, number)
        closed = len(places) > 2 and places[0] == places[-1]
        once = places[:-1] if closed else places
        parts = [(number, tuple(run)) for number, run in groupby(once, box_of.get)]
        if closed and len(parts) > 1 and parts[0][0] == parts[-1][0]:
            last, end = parts.pop()
            parts[0] = (last, end + parts[0][1])
        return tuple([run for number, run in parts if number is not None])

    def _inside(self, place: str | Place) -> Cell:
        """Read a cell of the puzzle."""
        found = cell(place)
        if not isinstance(found, Cell) or not self.has(found):
            named = f"{found} is not a cell of the grid"
            raise PuzzleError(self.no_such_place(found) if isinstance(found, Cell) else named)
        return found


def _steps(move: str | tuple[int, int]) -> Iterable[tuple[int, int]]:
    if isinstance(move, str) and move in MOVES:
        return MOVES[move]
    if (
        isinstance(move, tuple)
        and len(move) == 2
        and all(type(side) is int and side >= 0 for side in move)
        and move != (0, 0)
    ):
        return leaps(*move)
    raise PuzzleError(
        f"move {move!r}: write one of {', '.join(MOVES)}, or the rows and columns of a leap"
    )


def _around(place: str | Cell) -> Cell:
    """Read a cell of the grid or around it."""
    if isinstance(place, str) and (found := _AROUND.fullmatch(place)):
        return Cell(int(found[1]) - 1, int(found[2]) - 1)
    read = cell(place)
    if not isinstance(read, Cell):
        raise ConstraintError(f"{read} is not a cell of the grid; write one as R1C1")
    return read
