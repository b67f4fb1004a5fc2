"""Random mixes of rules on many grids go through every format: the same comes back, or a refusal.

As a program it runs as many puzzles as it is told, and counts what each format writes:
``python tests/formats/test_mixed.py 2000``.
"""

import random
import sys
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints import registry
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import document, fpuzzles, iss, sudokumaker, sudokupad
from csp_sudoku.formats.reading import Reading
from csp_sudoku.formats.sudokupad import scl
from csp_sudoku.fuzzing.rules import RuleMaker
from csp_sudoku.generating.easel import Easel

FORMS = {
    "json": (cs.write_json, lambda text: Reading(document.read_document(text))),
    "f-puzzles": (fpuzzles.write_fpuzzles, fpuzzles.read_text),
    "f-puzzles link": (fpuzzles.write_link, fpuzzles.read_text),
    "iss": (iss.write_iss, iss.read_text),
    "sudokumaker": (sudokumaker.write_sudokumaker, sudokumaker.read_text),
    "sudokupad": (scl.write_scl, scl.read_text),
    "sudokupad link": (sudokupad.write_link, sudokupad.read_text),
}
JIGSAW = "AAAABBAACBBBCCCCCBDDDEEEDDDEEEFFFFFF"
SHAPES = [
    cs.Puzzle.blank(9),
    cs.Puzzle.blank(6),
    cs.Puzzle.blank(6, box=(3, 2)),
    cs.Puzzle.blank(6, regions=JIGSAW),
    cs.Puzzle.blank(16),
    cs.Puzzle.blank(9, values=range(9)),
    cs.Puzzle.blank(4, values=range(4)),
]


@cache
def grids(shape):
    """Grids that keep the houses, and random ones."""
    rng = random.Random(1)
    found = [dict(cs.solve(shape, "sat", seed=seed).solutions[0]) for seed in range(3)]
    cells, values = shape.cells, shape.grids[0].values
    return found + [{cell: rng.choice(values) for cell in cells} for _ in range(60)]


def mixed(number):
    """A puzzle with three to six rules, most of which its first grid keeps."""
    rng = random.Random(number)
    shape = SHAPES[number % len(SHAPES)]
    easel = Easel(shape, grids(shape)[0], rng)
    maker = RuleMaker(shape, grids(shape)[0], rng)
    placed = [kind for kind in registry.built_in().values() if kind.placing]
    puzzle = shape
    wanted = rng.randint(3, 6)
    for _ in range(100):
        if len(puzzle.constraints) == wanted:
            break
        try:
            rule = rng.choice(placed).propose(easel) if rng.random() < 0.7 else maker.draw()
            more = puzzle if rule is None else puzzle.add(rule)
        except CspSudokuError:
            continue
        # Modifiers bring named variables, whose values no grid has.
        if not more.named:
            puzzle = more
    givens = rng.sample(shape.cells, 3)
    return puzzle.with_givens({cell: grids(shape)[0][cell] for cell in givens})


def difference(first, second):
    """What two puzzles do not share; nothing if they have the same rules, or say the same."""
    one, other = first.grids[0], second.grids[0]
    if (one.size, one.values) != (other.size, other.values):
        return f"the grids {one} and {other}"
    if sorted(map(sorted, one.boxes)) != sorted(map(sorted, other.boxes)):
        return "the regions"
    if any(set(second.candidates_of(cell)) - {v} for cell, v in first.givens.items()):
        return "the givens"
    mine = [rule for rule in first.constraints if rule not in second.constraints]
    theirs = [rule for rule in second.constraints if rule not in first.constraints]
    for grid in grids(cs.Puzzle((one,))):
        values = grid | first.givens
        if keeps(mine, first, values) != keeps(theirs, second, values):
            return f"{mine} is not {theirs}"
    return ""


def keeps(rules, puzzle, grid):
    """Whether a grid keeps these rules, and the candidates: a rule may have become some of them."""
    return all(grid[place] in values for place, values in puzzle.candidates) and all(
        rule.holds(grid, puzzle) for rule in rules
    )


def outcome(puzzle, form):
    """How many rules a format holds; without those that it refuses by name, the same comes back."""
    write, read = FORMS[form]
    left = puzzle
    while True:
        try:
            text = write(left)
            break
        except FormatError as error:
            named = [rule for rule in left.constraints if is_named(rule, str(error))]
            if not named and "holds the values" in str(error):
                return 0
            if not named:
                raise
            kept = [rule for rule in left.constraints if rule not in named]
            left = replace(left, constraints=()).add(*kept)
    again = read(text).puzzle
    assert not (lost := difference(left, again)), (form, lost)
    return len(left.constraints)


def is_named(rule, complaint):
    return rule.label in complaint or any(is_named(part, complaint) for part in rule.combined())


@pytest.mark.parametrize("number", range(42))
def test_mixed_rules(number):
    puzzle = mixed(number)
    for form in FORMS:
        outcome(puzzle, form)


def test_the_judge_sees_a_difference():
    blank = SHAPES[0]
    grid = grids(blank)[0]
    cage = cs.KillerCage("R1C1 R1C2", grid[blank.cells[0]] + grid[blank.cells[1]])
    assert difference(blank.add(cage), blank)
    assert difference(blank, blank.add(cs.KillerCage("R1C1 R1C2", 99)))
    assert not difference(blank.add(cage), blank.add(cage & cage))


def main(count):
    tally = Counter()
    for number in range(count):
        puzzle = mixed(number)
        tally["all", "rules"] += len(puzzle.constraints)
        for form in FORMS:
            try:
                tally[form, "written"] += outcome(puzzle, form)
            except Exception as error:
                tally[form, "WRONG"] += 1
                print(number, form, f"{type(error).__name__}: {str(error)[:600]}")
    for (form, what), times in sorted(tally.items()):
        print(f"{form:15} {what:8} {times}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
