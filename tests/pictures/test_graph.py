"""Pictures of constraint graphs."""

from itertools import combinations
from math import hypot
from xml.etree import ElementTree

import pytest

import csp_sudoku as cs
from csp_encodings.graph import domains, factors

SVG = "{http://www.w3.org/2000/svg}"

PUZZLES = {
    "blank": cs.Puzzle.blank(4),
    "given": cs.read("0100 3001 4002 0040"),
    "9×9 and all kinds of factor": cs.Puzzle.blank(9).add(
        cs.KillerCage("R1C1 R1C2", 9),
        cs.Thermometer("R2C1 R3C1"),
        cs.Arrow("R5C5", "R6C6 R7C7"),
        cs.AntiKnight(),
    ),
    "auxiliary variables": cs.Puzzle.blank(4).add(
        cs.KillerCage("R1C1 R2C2", 5) | cs.Thermometer("R3C1-R3C3")
    ),
    "named variables": cs.Puzzle.blank(4)
    .with_named("x", range(2, 9))
    .add(cs.Sum(["R1C1 R1C2", cs.Var("x")], 0, (1, 1, -1))),
    "two grids": cs.Puzzle.overlapping(
        cs.Grid(4, 4, (1, 2, 3, 4), box=(2, 2), top=i, left=i) for i in (0, 2)
    ),
}


def groups(root, class_):
    return [g for g in root.iter(f"{SVG}g") if g.get("class") == class_]


def place(group):
    """The upper left corner of a sign."""
    sign = group[1]
    if sign.tag == f"{SVG}rect":
        return float(sign.get("x")), float(sign.get("y"))
    return tuple(map(float, sign.get("d")[1:].split("L")[0].split()))


@pytest.mark.parametrize("name", PUZZLES)
def test_every_variable_and_factor_has_a_place_of_its_own(name):
    puzzle = PUZZLES[name]
    root = ElementTree.fromstring(cs.render_graph(puzzle))
    variables, squares = groups(root, "variable"), groups(root, "factor")
    assert len(variables) == len(domains(puzzle.graph))
    assert len(squares) == len(factors(puzzle.graph))
    for a, b in combinations([place(square) for square in squares], 2):
        assert hypot(a[0] - b[0], a[1] - b[1]) > 15
    titles = [group[0].text for group in variables]
    assert titles[0].startswith("R1C1: ")


def test_the_key_counts_what_there_is():
    root = ElementTree.fromstring(cs.render_graph(PUZZLES["9×9 and all kinds of factor"]))
    shown = {item.text for item in root.iter(f"{SVG}text")}
    wanted = {"row, column or box: 27", "all-different: 224", "automaton: 1", "relation: 1"}
    assert {*wanted, "linear sum: 1", "variable: 81"} <= shown
