"""Closed lines: for every line rule, a first cell that comes again at the end closes a loop."""

from itertools import combinations, pairwise, product

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints import registry

RING = "R2C2 R2C3 R3C3 R3C2 R2C2"
CELLS = cs.cells("R2C2 R2C3 R3C3 R3C2")
GRID = cs.Puzzle.blank(6, box=None, row_houses=False, column_houses=False)
THIRDS = {1: 0, 2: 0, 3: 1, 4: 1, 5: 2, 6: 2}


def around(line):
    return list(zip(line, (*line[1:], line[0]), strict=True))


def splits(line, total):
    """Whether a loop can be cut into parts of this sum, by trying all sets of cuts."""
    for size in range(1, len(line) + 1):
        for cuts in combinations(range(len(line)), size):
            turned = line[cuts[0] :] + line[: cuts[0]]
            ends = [cut - cuts[0] for cut in cuts] + [len(line)]
            if all(sum(turned[a:b]) == total for a, b in pairwise(ends)):
                return True
    return False


def windows(line, kind):
    turns = (line, line[1:] + line[:1], line[2:] + line[:2])
    return all(len(set(map(kind, three))) == 3 for three in zip(*turns, strict=True))


# What each rule means on a loop of four cells: a, b, c and d, then a again.
MEANINGS = {
    "arithmetic-sequence": lambda *line: len(set(line)) == 1,
    "between": lambda a, b, c, d: False,
    "double-arrow": lambda a, b, c, d: 2 * a == b + c + d,
    "entropic": lambda *line: False,
    "lockout": lambda a, b, c, d: False,
    "modular": lambda *line: False,
    "nabner": lambda *line: all(abs(x - y) > 1 for x, y in combinations(line, 2)),
    "pair": lambda *line: all(y in (x, x % 6 + 1) for x, y in around(line)),
    "palindrome": lambda a, b, c, d: b == d,
    "parity-line": lambda *line: all((x + y) % 2 for x, y in around(line)),
    "product-line": lambda a, b, c, d: a * b * c * d == 60,
    "region-sum": lambda *line: True,  # without boxes
    "renban": lambda *line: sorted(line) == list(range(min(line), min(line) + 4)),
    "slow-thermometer": lambda *line: len(set(line)) == 1,
    "sum-line": lambda *line: splits(line, 10),
    "thermometer": lambda *line: False,
    "whisper": lambda *line: all(abs(x - y) >= 3 for x, y in around(line)),
    "zipper": lambda a, b, c, d: 2 * a == b + d == c,
}
FIELDS = {"pair": [[(x, y) for x in range(1, 7) for y in (x, x % 6 + 1)]], "product-line": [60]}
# Drawn as lines, too: rules that are read from end to end, and rules for sets of cells.
NOT_LOOPS = {"value-indexing", "regex", "state-machine", "fold", "equal", "all-pairs"}
NOT_LOOPS |= {"index-line", "recurrence"}


def test_every_line_rule_is_in_the_table():
    lines = {name for name, kind in registry.built_in().items() if getattr(kind, "look", None)}
    assert lines - NOT_LOOPS <= MEANINGS.keys()


@pytest.mark.parametrize("name", MEANINGS)
def test_a_repeated_end_closes_the_loop(name):
    rule = registry.get(name)(RING, *FIELDS.get(name, ()))
    wanted = {line for line in product(range(1, 7), repeat=4) if MEANINGS[name](*line)}
    held = {
        line
        for line in product(range(1, 7), repeat=4)
        if rule.holds(dict(zip(CELLS, line, strict=True)), GRID)
    }
    assert held == wanted
    if not wanted:
        assert rule.objection(GRID), "a loop that has no solution must say why"
    others = [place for place in GRID.cells if place not in CELLS]
    puzzle = GRID.add(rule).with_givens(dict.fromkeys(others, 1))
    assert cs.count(puzzle, "sat").value == len(wanted)


@pytest.mark.parametrize(
    ("coefficients", "modulus"), [((1, 1), None), ((1, 1), 4), ((0, 1), None), ((-1, 2), 5)]
)
def test_a_recurrence_ends_where_it_began(coefficients, modulus):
    """Nothing is said of the first values: the first cell is one more item at the end."""
    rule = cs.Recurrence(RING, coefficients, modulus)
    first, second = coefficients

    def fits(before, last, value):
        rest = value - first * last - second * before
        return rest % modulus == 0 if modulus else rest == 0

    wanted = sum(
        fits(a, b, c) and fits(b, c, d) and fits(c, d, a)
        for a, b, c, d in product(range(1, 7), repeat=4)
    )
    assert (wanted > 0) == ((coefficients, modulus) != ((1, 1), None))
    others = dict.fromkeys([place for place in GRID.cells if place not in CELLS], 1)
    for backend in ("sat", "search"):
        assert cs.count(GRID.add(rule).with_givens(others), backend).value == wanted


def test_an_index_line_is_no_loop():
    with pytest.raises(cs.ConstraintError, match="must all be different, but R2C2 comes twice"):
        cs.IndexLine(RING)


def test_a_region_sum_loop_may_begin_in_the_middle_of_a_part():
    puzzle = cs.Puzzle.blank(4, row_houses=False, column_houses=False)
    ring = cs.cells("R1C2 R1C3 R2C3 R3C3 R3C2 R2C2")
    box_by_box = cs.EqualSum(["R1C2 R2C2", "R1C3 R2C3", "R3C3", "R3C2"])
    wanted = cs.count(puzzle.add(box_by_box)).value
    assert wanted > 0
    for start in range(6):
        loop = [*ring[start:], *ring[: start + 1]]
        assert cs.count(puzzle.add(cs.RegionSum(loop))).value == wanted


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (cs.Entropic("R1C1 R1C2 R1C3 R2C3 R2C2 R2C1 R1C1"), THIRDS.get),
        (cs.Modular("R1C1 R1C2 R1C3 R2C3 R2C2 R2C1 R1C1"), lambda value: value % 3),
    ],
)
def test_three_successive_cells_anywhere_on_a_loop(rule, kind):
    cells = rule.cells[:-1]
    wanted = sum(windows(line, kind) for line in product(range(1, 7), repeat=6))
    others = [place for place in GRID.cells if place not in cells]
    puzzle = GRID.add(rule).with_givens(dict.fromkeys(others, 1))
    assert rule.objection(GRID) is None
    assert cs.count(puzzle, "sat").value == wanted == 6 * 2**6
