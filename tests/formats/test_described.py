"""Descriptions are complete: what is described is read back as the same puzzle."""

from __future__ import annotations

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints import registry
from csp_sudoku.errors import CspSudokuError, FormatError

SHAPES = {
    "classic": cs.read(
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ),
    "blank": cs.Puzzle.blank(4),
    "wide": cs.Puzzle.blank(2, 5, box=None).with_givens({"R2C5": 3}),
    "from 0": cs.Puzzle.blank(6, values=range(6)).with_givens({"R1C1": 0}),
    "16×16": cs.Puzzle.blank(16).with_givens({"R1C16": 16, "R2C1": 3}),
    "jigsaw": cs.Puzzle.blank(4, regions="aabbaabbccddccdd"),
    "no houses": cs.Puzzle.blank(3, box=None, row_houses=False, column_houses=False),
    "lists": cs.Puzzle.blank(4).with_givens({"R1C1": [1, 2], "R2C2": 3}),
    "named": cs.Puzzle.blank(4).with_named("x", range(3)).with_givens({cs.Var("x"): 2}),
    "two grids": cs.Puzzle.overlapping(
        [cs.Grid(4, 4, (1, 2, 3, 4), box=(2, 2)), cs.Grid(4, 4, (1, 2, 3, 4), top=2, left=2)]
    ).with_givens({"R6C6": 1}),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    text = cs.describe(SHAPES[name])
    assert cs.read(text) == SHAPES[name], text
    assert cs.read(f"\n  {text}\n\n") == SHAPES[name]


@pytest.mark.parametrize("name", registry.built_in())
def test_rules(name):
    for example in registry.built_in()[name].examples():
        try:
            puzzle = cs.Puzzle.blank(4).add(example).with_givens({"R1C1": 1})
            cs.write_json(puzzle)
        except CspSudokuError:
            continue
        assert cs.read(cs.describe(puzzle)) == puzzle


def test_functions_are_refused():
    puzzle = cs.Puzzle.blank(4).add(cs.where("R1C1 R1C2", lambda a, b: a < b))
    with pytest.raises(CspSudokuError):
        cs.describe(puzzle)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("1 . . .", "1 . ."), "the grid must have 4 rows of 4 cells"),
        (lambda text: text.replace("1 . . .", "x . . ."), "R1C1: 'x' is no value"),
        (lambda text: text.replace(" (thermometer", " (", 1), "line 3: a rule ends with its name"),
    ],
)
def test_damaged(change, message):
    puzzle = cs.read("1... .... .... ....").add(cs.Thermometer("R1C1 R2C2"))
    with pytest.raises(FormatError, match=message):
        cs.read(change(cs.describe(puzzle)))
