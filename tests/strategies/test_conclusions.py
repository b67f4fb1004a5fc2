"""Laws of steps: no conclusion is missing, none is said twice, and the cells that are named do."""

from itertools import permutations, product
from random import Random

import pytest

import csp_sudoku as cs
from csp_sudoku.strategies import TECHNIQUES
from csp_sudoku.strategies.network import network_of
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.step import Step
from csp_sudoku.strategies.techniques import Technique

BY_NAME = {technique.name: technique for technique in TECHNIQUES}
SHAPES = {
    "classic": cs.Puzzle.blank(9),
    "wide": cs.Puzzle((cs.Grid(4, 7, tuple(range(-3, 4))),)),
    "no boxes": cs.Puzzle.blank(6, box=None, values=range(6)),
    "anti-knight": cs.Puzzle.blank(6, values=(-5, -3, 0, 2, 7, 40)).add(cs.AntiKnight()),
}


def steps(name, puzzle):
    return BY_NAME[name].all_steps(Position.start(network_of(puzzle), dict(puzzle.candidates)))


@pytest.mark.parametrize("name", SHAPES)
def test_the_cells_of_a_naked_single_are_enough(name):
    blank, found = SHAPES[name], 0
    for seed in range(20):
        solution = cs.solve(blank, seed=seed).solutions[0]
        some = Random(seed).sample(blank.cells, len(blank.cells) // 2)
        puzzle = blank.with_givens({cell: solution[cell] for cell in some})
        for step in steps("naked single", puzzle):
            [(place, value)] = step.placements
            alone = blank.with_givens({c: solution[c] for c in step.cells if c != place})
            position = Position.start(network_of(alone), dict(alone.candidates))
            assert position.candidates[place] == [value]
            found += 1
    assert found


@pytest.mark.parametrize("seed", range(20))
def test_no_step_is_part_of_another(seed):
    draw = Random(seed)
    wrong = [(cs.Cell(1, 1), value) for value in range(5)]
    drawn = [
        Step("any", 1.0, (), "", eliminations=tuple(draw.sample(wrong, draw.randrange(1, 5))))
        for _ in range(12)
    ]
    said = [step.conclusions for step in drawn]
    kept = [
        step
        for i, step in enumerate(drawn)
        if said[i] not in said[:i] and not any(said[i] < other for other in said)
    ]
    technique = Technique("any", 1.0, lambda *_: iter(drawn))
    blank = cs.Puzzle.blank(4)
    position = Position.start(network_of(blank), dict(blank.candidates))
    assert technique.steps(position) == technique.all_steps(position) == kept


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("sizes", [(2, 2), (3, 2), (3, 3)])
def test_two_sets_that_are_linked_twice_exclude_what_all_their_fillings_do(name, sizes):
    puzzle, draw = SHAPES[name], Random(name)
    [grid] = puzzle.grids
    values = draw.sample(grid.values, 6)
    shared, own = values[:2], [values[2 : 1 + sizes[0]], values[4 : 3 + sizes[1]]]
    columns = draw.sample(range(grid.columns), 3)
    rows = 0, grid.rows - 1
    masks = {}
    for row, size, rest in zip(rows, sizes, own, strict=True):
        for i, column in enumerate(columns[:size]):
            masks[cs.Cell(row, column)] = [*rest, *shared[i : i + 1]]
    puzzle = puzzle.with_givens(masks)
    sees = seen_by(puzzle)
    left = {
        (place, value)
        for place in puzzle.cells
        for value in puzzle.candidates_of(place)
        if place not in masks
    }
    for filling in product(*masks.values()):
        pairs = list(zip(masks, filling, strict=True))
        if not any(v == w and two in sees[one] for one, v in pairs for two, w in pairs):
            left &= {(p, value) for one, value in pairs for p in sees[one]}
    assert left
    found = [s for s in steps("doubly linked ALS-XZ", puzzle) if set(s.cells) == set(masks)]
    assert any(left <= set(step.eliminations) for step in found)


def seen_by(puzzle):
    """For each cell those that see it."""
    network = network_of(puzzle)
    return {
        one: {two for two in puzzle.cells if network.sees[i] >> network.number[two] & 1}
        for one, i in network.number.items()
    }


def test_a_rectangle_whose_corner_differs_from_a_cell_elsewhere_cannot_be_swapped():
    """That the cells differ is no clue, and they are in no group: it shows in what sees them."""
    blank = cs.Puzzle.blank(4)
    rectangle = {"R3C2": [1, 2], "R3C4": [1, 2], "R4C2": [1, 2], "R4C4": [1, 2, 3]}
    assert steps("unique rectangle", blank.with_givens(rectangle))
    sees = seen_by(blank)
    for corner, other in permutations(blank.cells, 2):
        if str(corner) not in rectangle:
            continue
        puzzle = blank.add(cs.where((corner, other), lambda a, b: a != b))
        found = steps("unique rectangle", puzzle.with_givens(rectangle))
        assert bool(found) == (other in sees[corner])
