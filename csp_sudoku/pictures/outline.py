"""The outline of a set of cells, a little inside their borders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from csp_sudoku.cells import Cell
from csp_sudoku.pictures.svg import Point

Step = tuple[int, int]

# The four sides, clockwise: the direction along the side, and the direction out of the cell.
_SIDES = (((0, 1), (-1, 0)), ((1, 0), (0, 1)), ((0, -1), (1, 0)), ((-1, 0), (0, -1)))


def outlines(
    cells: Iterable[Cell], corner: Callable[[Cell], Point], size: float, inset: float
) -> Iterator[list[Point]]:
    """Yield the closed paths around the cells, in the order of their first cells.

    `corner` returns the upper left corner of a cell; `size` is its side.

    Examples
    --------
    >>> pair = [Cell(0, 0), Cell(0, 1)]
    >>> list(outlines(pair, lambda cell: (10 * cell.col, 10 * cell.row), 10, 1))
    [[(1.0, 1.0), (19.0, 1.0), (19.0, 9.0), (1.0, 9.0)]]
    """
    inside = set(cells)
    following: dict[Point, Point] = {}
    for cell in sorted(inside):
        for along, out in _SIDES:
            if _moved(cell, out) in inside:
                continue
            left, top = corner(cell)
            middle = (left + size / 2, top + size / 2)
            start, end = (
                _moved_point(
                    middle,
                    (along, way * (size / 2 + inset * _turn(cell, along, way, out, inside))),
                    (out, size / 2 - inset),
                )
                for way in (-1, 1)
            )
            following[start] = end
    while following:
        first = next(iter(following))
        points, point = [first], following.pop(first)
        while point != first:
            points.append(point)
            point = following.pop(point)
        yield _straightened(points)


def _turn(cell: Cell, along: Step, way: int, out: Step, inside: set[Cell]) -> int:
    """Return how the outline goes on after a side: -1 inwards, 0 straight on, 1 outwards."""
    beside = _moved(cell, (way * along[0], way * along[1]))
    if beside not in inside:
        return -1
    return int(_moved(beside, out) in inside)


def _moved_point(point: Point, *moves: tuple[Step, float]) -> Point:
    x, y = point
    for (rows, columns), length in moves:
        x, y = x + columns * length, y + rows * length
    return round(x, 6), round(y, 6)


def _moved(cell: Cell, step: Step) -> Cell:
    return Cell(cell.row + step[0], cell.col + step[1])


def _straightened(points: list[Point]) -> list[Point]:
    """Leave out the points in the middle of a straight line."""
    return [
        here
        for before, here, after in zip(
            [points[-1], *points], points, [*points[1:], points[0]], strict=False
        )
        if not (before[0] == here[0] == after[0] or before[1] == here[1] == after[1])
    ]
