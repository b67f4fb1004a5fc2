"""Doppelganger: grids and missing digits, compared with a search that knows only the sentence."""

from itertools import chain, permutations

import pytest

import csp_sudoku as cs

FOUR = cs.Puzzle.blank(4, values=range(5)).add(cs.Doppelganger())


def houses(grid, *, boxes):
    """The rows, the columns and the boxes of a 4×4 grid, as sets of digits."""
    yield [set(row) for row in grid]
    yield [set(column) for column in zip(*grid, strict=True)]
    if boxes:
        corners = [(r, c) for r in (0, 2) for c in (0, 2)]
        yield [{grid[r + i][c + k] for i in (0, 1) for k in (0, 1)} for r, c in corners]


def missing(grid, *, boxes):
    """The missing digits by kind of house; None for a grid that breaks the rule."""
    found = []
    for kind in houses(grid, boxes=boxes):
        if any(len(house) < 4 or 0 not in house for house in kind):
            return None
        found.append([(set(range(5)) - house).pop() for house in kind])
        if len(set(found[-1])) < 4:
            return None
    for r, c in [(r, c) for r in range(4) for c in range(4) if grid[r][c] == 0]:
        digits = [found[0][r], found[1][c], *(kind[r // 2 * 2 + c // 2] for kind in found[2:])]
        if len(set(digits)) < len(digits):
            return None
    return found


def grids(rows=()):
    """The 4×4 grids whose rows and columns have different digits; no two rows miss the same."""
    if len(rows) == 4:
        yield rows
        return
    for row in permutations(range(5), 4):
        clashes = any(a == b for above in rows for a, b in zip(above, row, strict=True))
        if 0 in row and not clashes and all({*above} != {*row} for above in rows):
            yield from grids((*rows, row))


@pytest.fixture(scope="module")
def found():
    bare = [grid for grid in grids() if missing(grid, boxes=False)]
    return {
        boxes: [(grid, digits) for grid in bare if (digits := missing(grid, boxes=boxes))]
        for boxes in (True, False)
    }


def test_all_grids_of_side_4(found):
    assert cs.count(FOUR).value == len(found[True]) == 768
    bare = cs.Puzzle.blank(4, values=range(5), box=None).add(cs.Doppelganger())
    assert cs.count(bare).value == len(found[False])


def test_the_variables_are_the_missing_digits(found):
    wanted = {tuple(chain(*grid, *digits)) for grid, digits in found[True]}
    solutions = cs.solve(FOUR, limit=None).solutions
    names = [*FOUR.cells, *(f"$missing_{kind}{i}" for kind in "RCB" for i in range(1, 5))]
    assert {tuple(solution[name] for name in names) for solution in solutions} == wanted


def test_other_rules_may_speak_of_the_missing_digits(found):
    rule = cs.Sum(["$missing_C2", "R1C1", "R2C2"], 8)
    wanted = [1 for grid, digits in found[True] if digits[1][1] + grid[0][0] + grid[1][1] == 8]
    assert cs.count(FOUR.add(rule)).value == len(wanted) > 0


def test_grids_that_do_not_fit():
    assert cs.count(cs.Puzzle.blank(4).add(cs.Doppelganger())).value == 0
    assert "5 values" in str(cs.Doppelganger().objection(cs.Puzzle.blank(4)))
    with pytest.raises(cs.ConstraintError, match="R1 has 4 cells and misses more than one of 6"):
        cs.Puzzle.blank(4, values=range(6)).add(cs.Doppelganger())
