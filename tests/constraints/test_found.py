"""Structure to be found: known counts on every backend, odd shapes, and digits on what is found."""

from __future__ import annotations

from itertools import pairwise, product

import networkx as nx
import pytest

import csp_sudoku as cs
from csp_sudoku.cells import LayerCell
from csp_sudoku.formats import write_json
from csp_sudoku.pictures.layers import layer_looks
from csp_sudoku.pictures.render import render_svg

BACKENDS = ("sat", "cpsat", "search", "dlx")


def bare(rows: int, columns: int | None = None) -> cs.Puzzle:
    """A grid of ones: nothing is left but the layers."""
    return cs.Puzzle.blank(
        rows, columns, box=None, values=[1], row_houses=False, column_houses=False
    )


KNOWN = {
    "yin-yang 3x3": (bare(3).add(cs.YinYang()), 34),
    "yin-yang 3x4": (bare(3, 4).add(cs.YinYang()), 50),
    "yin-yang 4x3": (bare(4, 3).add(cs.YinYang()), 50),
    "yin-yang 4x4": (bare(4).add(cs.YinYang()), 96),
    "yin-yang 1x4: no square, two connected colours": (bare(1, 4).add(cs.YinYang()), 8),
    "triples of 3x3": (bare(3).add(cs.RegionsToFind(3, repeats=True)), 10),
    "triples of 3x4": (bare(3, 4).add(cs.RegionsToFind(3, repeats=True)), 23),
    "fours of 4x3": (bare(4, 3).add(cs.RegionsToFind(4, repeats=True)), 23),
    "fours of 4x4": (bare(4).add(cs.RegionsToFind(4, repeats=True)), 117),
    "dominoes of 4x4": (bare(4).add(cs.RegionsToFind(2, repeats=True)), 36),
    "loops in 3x4": (bare(3, 4).add(cs.Loop()), 3),
    "loops in 3x5, and no figure of eight": (bare(3, 5).add(cs.Loop()), 6),
    "loops in 4x4": (bare(4).add(cs.Loop()), 13),
    "loops in 4x4 of 12 cells": (bare(4).add(cs.Loop(12)), 5),
    "loops in 4x4 that may touch": (bare(4).add(cs.Loop(touching=True)), 15),
    "loops over corners, too: diamonds and no triangle": (
        bare(3, 4).add(cs.Loop(diagonal=True)),
        3,
    ),
    "loops over edges of 3x3": (bare(3).add(cs.EdgeLoop()), 13),
    "loops over edges of 3x4": (bare(3, 4).add(cs.EdgeLoop()), 40),
    "loops over edges of 4x4": (bare(4).add(cs.EdgeLoop()), 213),
    "loops through all cells of 4x4": (bare(4).add(cs.EdgeLoop(16)), 6),
    "no loop in one cell": (bare(1).add(cs.EdgeLoop()), 0),
    "galaxies": (bare(3).add(cs.Galaxies(["R1C2", "R2C2", "R3C2"])), 2),
    "galaxies about edges and corners": (
        bare(3).add(cs.Galaxies(["R1C1 R1C2 R2C1 R2C2", "R1C3 R2C3", "R3C2"])),
        1,
    ),
    "a galaxy has no way round": (bare(1, 3).add(cs.Galaxies(["R1C1", "R1C3"])), 0),
    "snakes in 1x4": (bare(1, 4).add(cs.Snake()), 6),
    "snakes in 3x3 between corners": (bare(3).add(cs.Snake("R1C1 R3C3")), 6),
    "caves in 2x2": (bare(2).add(cs.Cave()), 13),
    "caves in 3x4": (bare(3, 4).add(cs.Cave()), 1049),
    "a rectangle that is too small": (bare(1, 3).add(cs.Rectangles("R1C1", (2,))), 0),
    "rectangles": (bare(2, 4).add(cs.Rectangles("R1C1 R2C4", (4, 4))), 2),
    "stars": (cs.Puzzle.blank(4, box=None, values=[1, 2, 3, 4]).add(cs.Stars()), 576 * 2),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", KNOWN)
def test_known_counts(name: str, backend: str) -> None:
    puzzle, number = KNOWN[name]
    assert cs.count(puzzle, backend).value == number


@pytest.mark.parametrize(
    "rule",
    [
        cs.ConnectedValues([1], layer="shaded"),
        cs.ConnectedValues([0], size=5, layer="shaded"),
        cs.YinYang(),
        cs.Cave(),
        cs.Loop(layer="shaded"),
        cs.Snake(layer="shaded", diagonal=True),
        cs.Stars(layer="shaded"),
    ],
    ids=str,
)
@pytest.mark.parametrize("shape", [(2, 4), (3, 3)])
def test_a_rule_or_its_negation_holds(rule: cs.Constraint, shape: tuple[int, int]) -> None:
    """Connected factors have a truth value, on any size of grid."""
    blank = bare(*shape).with_layer("shaded", (0, 1))
    space = 2 ** (shape[0] * shape[1])
    number = cs.count(blank.add(rule), "brute").value
    for backend in BACKENDS:
        assert cs.count(blank.add(~rule), backend).value == space - number
    assert cs.count(blank.add(rule | ~rule), "sat").value == space
    assert cs.count(blank.add(rule & ~rule), "search").value == 0


def test_not_connected_on_a_large_grid() -> None:
    odd = cs.ConnectedValues((1, 3, 5, 7, 9))
    puzzle = cs.Puzzle.blank(9).add(~odd)
    solution = cs.solve(puzzle, "sat").solutions[0]
    assert not odd.holds(solution, puzzle)
    either = cs.Puzzle.blank(9).add(odd | cs.ConnectedValues((2, 4, 6, 8)))
    assert cs.verify(either, cs.solve(either, "sat").solutions[0]).ok


def by_networkx(rows: int, columns: int, kind: str) -> int:
    """Count shadings by enumeration, with nothing of the library."""
    grid = nx.grid_2d_graph(rows, columns)
    found = 0
    for bits in product((0, 1), repeat=rows * columns):
        on = {node for node, bit in zip(sorted(grid), bits, strict=True) if bit}
        part = grid.subgraph(on)
        others = grid.subgraph(set(grid) - on)
        squares = [
            sum((r + i, c + j) in on for i in (0, 1) for j in (0, 1))
            for r in range(rows - 1)
            for c in range(columns - 1)
        ]
        if kind == "connected":
            found += bool(on) and nx.is_connected(part)
        elif kind == "yin-yang":
            both = all(not len(g) or nx.is_connected(g) for g in (part, others))
            found += both and not {0, 4} & {*squares}
        elif kind == "cave":
            with_outside = part.copy()
            at_edge = [n for n in on if n[0] in (0, rows - 1) or n[1] in (0, columns - 1)]
            with_outside.add_edges_from((node, "outside") for node in at_edge)
            out = not on or (bool(at_edge) and nx.is_connected(with_outside))
            found += out and len(others) > 0 and nx.is_connected(others)
        elif kind == "snake":
            degrees = sorted(d for _, d in part.degree)
            ends = degrees[:2] == [1, 1] and {*degrees[2:]} <= {2}
            found += ends and nx.is_connected(part)
    return found


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 2), (2, 5), (3, 4), (1, 5)])
def test_counts_agree_with_networkx(rows: int, columns: int) -> None:
    shaded = bare(rows, columns).with_layer("shaded", (0, 1))
    for kind, puzzle in {
        "connected": shaded.add(cs.ConnectedValues([1], layer="shaded")),
        "yin-yang": shaded.add(cs.YinYang()),
        "cave": shaded.add(cs.Cave()),
        "snake": shaded.add(cs.Snake(touching=True, layer="shaded")),
    }.items():
        assert cs.count(puzzle, "sat").value == by_networkx(rows, columns, kind), kind


def test_yin_yang_where_the_cells_are_no_rectangle() -> None:
    grids = [cs.Grid(2, 3, (1,), row_houses=False, column_houses=False)]
    grids.append(cs.Grid(2, 2, (1,), row_houses=False, column_houses=False, top=2))
    puzzle = cs.Puzzle.overlapping(grids).add(cs.YinYang())
    assert {cs.count(puzzle, backend).value for backend in (*BACKENDS, "brute")} == {
        sum(1 for _ in cs.solutions(puzzle, "brute"))
    }


def test_one_drawing_is_one_solution() -> None:
    puzzle = bare(4).add(cs.RegionsToFind(4, repeats=True))
    drawings = {
        frozenset(
            frozenset(place for place, label in layer.items() if label == number)
            for number in range(1, 5)
        )
        for layer in (s.layer("region") for s in cs.solutions(puzzle, "sat"))
    }
    assert len(drawings) == 117
    wrong = dict.fromkeys(puzzle.cells, 1)
    layer = {LayerCell("region", row, col): 4 - row for row, col in puzzle.cells}
    assert not cs.verify(puzzle, {**wrong, **layer}).ok


def test_digits_of_regions_to_find() -> None:
    # Brute force over the drawings: how many Latin squares have each digit once in each region.
    puzzle = cs.Puzzle.blank(3, box=None).add(cs.RegionsToFind())
    squares = list(cs.solutions(cs.Puzzle.blank(3, box=None), "brute"))
    drawings = list(cs.solutions(bare(3).add(cs.RegionsToFind(3, repeats=True)), "brute"))
    number = sum(
        all(
            len({square[p.cell] for p, label in d.layer("region").items() if label == n}) == 3
            for n in (1, 2, 3)
        )
        for square in squares
        for d in drawings
    )
    assert {cs.count(puzzle, backend).value for backend in BACKENDS} == {number}


def test_more_values_than_cells_in_a_region() -> None:
    puzzle = cs.Puzzle.blank(2, values=(1, 2, 3), box=None).add(cs.RegionsToFind(2))
    assert {cs.count(puzzle, b).value for b in (*BACKENDS, "brute")} == {
        sum(1 for _ in cs.solutions(puzzle, "brute"))
    }


def test_what_does_not_fit_is_refused() -> None:
    for make, said in (
        (lambda: bare(3).add(cs.RegionsToFind(2)), "9 cells are no regions of 2"),
        (lambda: bare(3).add(cs.ConnectedValues([1], layer="shaded")), "no layer shaded"),
        (lambda: bare(3).add(cs.NoTwoByTwo([1], layer="shaded")), "no layer shaded"),
        (lambda: cs.YinYang("a b"), "a name is"),
        (lambda: cs.Snake("R1C1 R1C1"), "comes twice"),
        (lambda: bare(3).add(cs.Snake("R4C1")), "outside the 3×3 grid"),
        (lambda: cs.Rectangles("R1C1", (1, 2)), "a size for each"),
        (lambda: cs.Rectangles("R1C1", (0,)), "must be 1 or more, not 0"),
        (lambda: cs.Rectangles("R1C1 R2C2 R3C3", (2, -1, 0)), "must be 1 or more, not -1"),
        (lambda: cs.Galaxies(["R1C1 R2C2"]), "two that share a side"),
        (lambda: cs.Galaxies(["R1C1 R1C3"]), "two that share a side"),
        (lambda: cs.Galaxies(["shaded:R1C1"]), "one cell, two that share"),
        (lambda: cs.Galaxies(["R1C1 R1C2", "R1C2 R1C1"]), "a centre comes twice"),
        (lambda: bare(3).add(cs.Galaxies(["R4C1"])), "outside the 3×3 grid"),
        (lambda: cs.LabelledSums("R1C1 R1C2", "R1C1 R1C2 R1C3"), "a label for each"),
        (lambda: cs.RunLength("R1C1", ["R1C1 R1C2", "R2C1 R2C2"]), "start at one place"),
        (
            lambda: bare(2).add(cs.YinYang("region"), cs.RegionsToFind(2, repeats=True)),
            "with different values",
        ),
        (
            lambda: bare(3).with_layer("wall", (0, 1), "edges").add(cs.NoTwoByTwo([1], "wall")),
            "lies on edges",
        ),
    ):
        with pytest.raises(cs.CspSudokuError, match=said):
            make()


def test_a_digit_counts_borders() -> None:
    counts = [cs.BorderCount("R2C2", ["region:R2C1-R2C3", "region:R1C2-R3C2"])]
    counts.append(cs.BorderCount("R1C1", ["region:R1C1 region:R1C2", "region:R1C1 region:R2C1"]))
    puzzle = cs.Puzzle.blank(3, box=None).add(cs.RegionsToFind(), *counts)
    wanted = {
        solution
        for solution in cs.solutions(cs.Puzzle.blank(3, box=None).add(cs.RegionsToFind()), "sat")
        if _borders(solution, "R2C1 R2C2 R2C3", "R1C2 R2C2 R3C2") == solution["R2C2"]
        and _borders(solution, "R1C1 R1C2", "R1C1 R2C1") == solution["R1C1"]
    }
    assert wanted
    for backend in BACKENDS:
        found = {str(s) for s in cs.solutions(puzzle, backend)}
        assert found == {str(s) for s in wanted}


def _borders(solution: cs.Solution, *lines: str) -> int:
    found = 0
    for line in lines:
        labels = [solution[f"region:{cell}"] for cell in line.split()]
        found += sum(a != b for a, b in pairwise(labels))
    return found


RULES = [
    cs.YinYang(),
    cs.RegionsToFind(),
    cs.Loop(8),
    cs.Snake("R1C1", length=4),
    cs.Snake(length=5, diagonal=True),
    cs.Cave(),
    cs.Stars(),
    cs.Rectangles("R1C1 R4C4", (8, 8)),
    cs.LayerWhisper(difference=1),
    cs.LayerDifferent(),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_layers_come_with_the_rule_and_are_drawn(rule: cs.Constraint) -> None:
    puzzle = cs.Puzzle.blank(4, box=None).add(rule)
    [(name, places)] = puzzle.layers.items()
    assert len(places) == 16
    assert cs.read(write_json(puzzle)) == puzzle
    solution = cs.solve(puzzle, "sat").solutions[0]
    assert cs.verify(puzzle, solution).ok
    assert name in layer_looks(puzzle)
    without = render_svg(puzzle, legend=False)
    assert len(render_svg(puzzle, solution=solution, legend=False)) > len(without)
    # A rule that says the same twice changes nothing.
    assert cs.count(puzzle.add(rule), "sat", limit=20).value == 20


def test_a_loop_that_is_a_whisper() -> None:
    puzzle = cs.Puzzle.blank(4, box=None).add(cs.Loop(8), cs.LayerWhisper("loop", 2))
    for solution in cs.solve(puzzle, "sat", limit=5).solutions:
        loop = [p.cell for p, on in solution.layer("loop").items() if on]
        for a, b in product(loop, repeat=2):
            if abs(a.row - b.row) + abs(a.col - b.col) == 1:
                assert abs(solution[a] - solution[b]) >= 2


def test_rules_of_digits_and_layers_meet() -> None:
    # R2C2 counts the shaded cells around it, and these hold a 2.
    near = "shaded:R1C2 shaded:R2C1 shaded:R2C3 shaded:R3C2"
    puzzle = cs.Puzzle.blank(3, box=None).with_layer("shaded", (0, 1), "R1C2 R2C1 R2C3 R3C2")
    puzzle = puzzle.add(cs.Sum(f"{near} R2C2", 0, (1, 1, 1, 1, -1)))
    puzzle = puzzle.add(
        *(
            cs.Table([place, place.cell], [(1, 2), (0, 1), (0, 2), (0, 3)])
            for place in puzzle.layers["shaded"]
        )
    )
    # R2C2 is 1, and one of the two 2s beside it is shaded: 4 squares, 2 shadings.
    assert {cs.count(puzzle, backend).value for backend in (*BACKENDS, "brute")} == {8}


@pytest.mark.parametrize(
    "rule", [~cs.RegionsToFind(2), cs.RegionsToFind(2) | cs.Equal("R1C1 R1C2")]
)
def test_a_layer_may_have_more_values_than_there_are_regions(rule):
    puzzle = cs.Puzzle.blank(2, box=None).with_layer("region", (1, 2, 3)).add(rule)
    wanted = set(cs.solutions(puzzle, "brute"))
    assert set(cs.solutions(puzzle, "sat")) == wanted != set()


def test_regions_of_two_grids_with_different_digits():
    grids = [
        cs.Grid(2, 2, values, box=None, row_houses=False, column_houses=False, left=left)
        for values, left in (((0, 1), 0), ((1, 2), 2))
    ]
    puzzle = cs.Puzzle.overlapping(grids).add(cs.RegionsToFind())
    puzzle = puzzle.with_givens({"region:R1C1": 1, "region:R2C4": 3, "R1C1": 0, "R2C4": 2})
    wanted = set(cs.solutions(puzzle, "brute"))
    assert set(cs.solutions(puzzle, "sat")) == wanted != set()
