"""Outlines of sets of cells."""

from hypothesis import given, settings
from hypothesis import strategies as st

from csp_sudoku.cells import Cell
from csp_sudoku.pictures.outline import outlines

SIZE = 10


def around(cells, inset):
    return list(outlines(cells, lambda cell: (SIZE * cell.col, SIZE * cell.row), SIZE, inset))


def area(points):
    """Positive for the outer border, negative for that of a hole (the shoelace formula)."""
    return sum(
        (a[0] * b[1] - b[0] * a[1]) / 2
        for a, b in zip(points, [*points[1:], points[0]], strict=True)
    )


def test_a_corner_that_turns_outwards():
    bent = [Cell(0, 0), Cell(1, 0), Cell(1, 1)]
    assert around(bent, 1) == [[(1, 1), (9, 1), (9, 11), (19, 11), (19, 19), (1, 19)]]


def test_a_hole_has_an_outline_of_its_own():
    ring = [Cell(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]
    outer, hole = around(ring, 1)
    assert (area(outer), area(hole)) == (28 * 28, -12 * 12)


def test_cells_that_touch_at_a_corner_are_drawn_apart():
    assert len(around([Cell(0, 0), Cell(1, 1)], 1)) == 2


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)).map(lambda p: Cell(*p)), min_size=1))
def test_outlines_enclose_the_cells(cells):
    inset = 0.01
    sides = sum(
        Cell(cell.row + r, cell.col + c) not in cells
        for cell in cells
        for r, c in ((0, 1), (1, 0), (0, -1), (-1, 0))
    )
    enclosed = sum(map(area, around(cells, inset)))
    assert abs(enclosed - SIZE**2 * len(cells) + inset * SIZE * sides) < 0.02
