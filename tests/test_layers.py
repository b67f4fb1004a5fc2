"""Layers: further values over cells, edges and corners."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import csp_sudoku as cs
from csp_sudoku.cli import main
from csp_sudoku.formats import write_json
from csp_sudoku.fuzzing.transforms import transposed
from csp_sudoku.pictures.render import render_svg, solution_svg
from csp_sudoku.pictures.terminal import draw

SHADED = cs.Puzzle.blank(3, box=None).with_layer("shaded", (0, 1))


def test_places_of_layers_are_written_and_read() -> None:
    for text in ("shaded:R1C1", "wall:R1C1.5", "corner:R12.5C0.5", "_a1:R10C64"):
        place = cs.cell(text)
        assert isinstance(place, cs.LayerCell)
        assert str(place) == text
        assert cs.cell(str(place)) == place == pickle.loads(pickle.dumps(place))
        assert eval(repr(place), {"LayerCell": cs.LayerCell}) == place
    assert cs.cells("a:R1C2-R2C1") == cs.cells("a:R1C2 a:R1C1 a:R2C2 a:R2C1")
    assert cs.cells("a:R1C1.5-R1C3.5") == cs.cells("a:R1C1.5 a:R1C2.5 a:R1C3.5")
    assert cs.cells("a:R1C1-a:R1C3") == cs.on_layer("a", "R1C1-R1C3")
    assert cs.cell("a:R1C1") != cs.Var("a")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a:", "not a cell of a layer"),
        ("a:R1C1.25", "not a cell of a layer"),
        ("a:$x", "not a cell of a layer"),
        ("1a:R1C1", "layer '1a': a name is letters"),
        (":R1C1", "layer '': a name is letters"),
        ("a:R1C1-b:R1C3", "not a range"),
        ("R1C1-a:R1C3", "not a range"),
        ("a:R1C1-R1C2.5", "from cell to cell"),
    ],
)
def test_wrong_places_are_refused(text: str, said: str) -> None:
    with pytest.raises(cs.ConstraintError, match=said):
        cs.cells(text)


def test_order_is_by_layer_then_row_by_row() -> None:
    places = [*cs.cells("$z b:R2C1 a:R10C1 a:R2C1 a:R2C0.5")]
    assert [str(place) for place in sorted(places)] == [
        "$z", "a:R2C0.5", "a:R2C1", "a:R10C1", "b:R2C1",
    ]  # fmt: skip


def test_layers_that_do_not_fit_are_refused() -> None:
    for change, said in (
        (lambda: SHADED.with_layer("shaded", (0, 1)), "declared twice"),
        (lambda: SHADED.with_layer("a", (1, 0)), "ascending"),
        (lambda: SHADED.with_layer("a", ()), "ascending"),
        (lambda: SHADED.with_layer("a", (0, 1), "$x"), "not a cell of the grid"),
        (lambda: SHADED.with_layer("a", (0, 1), "R1C1 R1C1"), "each once"),
        (lambda: SHADED.with_layer("a b", (0, 1)), "a name is"),
        (lambda: SHADED.with_givens({"shaded:R1C1": 2}), "not a value"),
        (lambda: SHADED.with_givens({"shaded:R4C1": 1}), "outside the layer"),
        (lambda: SHADED.with_givens({"region:R1C1": 1}), "no layer region; add it"),
        (lambda: SHADED.add(cs.Sum("loop:R1C1-R1C3", 1)), "no layer loop; add it"),
    ):
        with pytest.raises(cs.CspSudokuError, match=said):
            change()


TWO = cs.Puzzle.overlapping([cs.Grid(2, 2, (1, 2)), cs.Grid(2, 2, (1, 2), top=1, left=1)])
# Wide, tall, two grids; cells, edges, corners, a part.
SHAPES = [
    (cs.Puzzle.blank(2, 4, box=None), "cells", 8),
    (cs.Puzzle.blank(4, 2, box=None, values=range(4)), "edges", 10),
    (cs.Puzzle.blank(3, box=None), "corners", 4),
    (cs.Puzzle.blank(3, box=None), "R1C1 R3C2", 2),
    (cs.Puzzle.blank(2), "R1C1-R3C4", 12),
    (TWO, "cells", 7),
    (TWO, "edges", 8),
]


@pytest.mark.parametrize(("grid", "on", "size"), SHAPES)
def test_layers_of_any_shape_go_every_way(grid: cs.Puzzle, on: str, size: int) -> None:
    puzzle = grid.with_named("x", (1, 2)).with_layer("a", (-1, 0, 12), on)
    places = puzzle.layers["a"]
    assert len(places) == size
    puzzle = puzzle.add(cs.AllDifferent(places[:3])).with_givens({places[0]: 12})
    again = cs.read(write_json(puzzle))
    assert again == puzzle
    assert hash(again) == hash(puzzle)
    assert again.variables == puzzle.variables
    assert pickle.loads(pickle.dumps(puzzle)) == puzzle
    solution = cs.solve(puzzle).solutions[0]
    assert pickle.loads(pickle.dumps(solution)) == solution
    assert solution.named == {"x": solution["$x"]}
    assert [*solution.layer("a")] == [*places]
    assert solution[str(places[0])] == 12
    assert cs.verify(puzzle, solution).ok
    assert not cs.verify(puzzle, {**solution, places[0]: 0}).ok
    assert render_svg(puzzle, solution=solution).startswith("<svg")
    assert solution_svg(solution).startswith("<svg")
    assert "a:" in draw(puzzle, solution)
    mirrored = transposed(puzzle)
    assert mirrored is not None
    limit = 40
    assert cs.count(mirrored[1], limit=limit).value == cs.count(puzzle, limit=limit).value


def test_named_variables_come_before_layers_whatever_the_order() -> None:
    one = cs.Puzzle.blank(2).with_layer("a", (0, 1)).with_named("x", (1, 2))
    other = cs.Puzzle.blank(2).with_named("x", (1, 2)).with_layer("a", (0, 1))
    assert one == other
    assert one.variables == other.variables


@pytest.mark.parametrize("backend", ["sat", "cpsat", "search", "dlx", "lp", "brute", "auto"])
def test_every_backend_counts_layers(backend: str) -> None:
    # 2 grids; of the 16 shadings those with as many shaded cells as R1C1 says.
    puzzle = cs.Puzzle.blank(2).with_layer("shaded", (0, 1))
    puzzle = puzzle.add(cs.Sum("shaded:R1C1-R2C2 R1C1", 0, (1, 1, 1, 1, -1)))
    assert cs.count(puzzle, backend).value == 4 + 6
    shaded = puzzle.with_givens({"shaded:R1C1": 1, "R1C1": 1})
    assert [s.line for s in cs.solve(shaded, backend, limit=2).solutions] == ["1221 shaded=1000"]


def test_solvers_are_compared_by_their_layers() -> None:
    puzzle = cs.Puzzle.blank(1).with_layer("shaded", (0, 1))
    agreement = cs.cross_check(puzzle, limit=None)
    assert len(agreement.solutions) == 2
    assert [str(place) for place in agreement.differing] == ["shaded:R1C1"]


def test_a_format_without_layers_refuses_them_by_name() -> None:
    for write in (cs.write_fpuzzles, cs.write_sudokumaker):
        with pytest.raises(cs.FormatError, match="layers such as shaded:R1C1"):
            write(SHADED)


@pytest.mark.parametrize(
    ("layers", "said"),
    [
        ([], "layers: .* is not an object"),
        ({"a": [0, 1]}, "layers.a: a layer is an object"),
        ({"a": {"values": [0, 1], "cells": "R1C1"}}, "layers.a: a layer is an object"),
        ({"a": {"values": [1, 0]}}, "ascending"),
        ({"a": {"values": [0, 1], "on": "R9"}}, "not a cell"),
        ({"a": {"values": [0, 1], "on": [7]}}, r"layers.a.on: .* is not a list"),
        ({"a": {"values": "01"}}, "layers.a.values"),
    ],
)
def test_wrong_documents_are_refused_by_place(layers: object, said: str) -> None:
    document = {"format": "csp-sudoku", "version": 1, "grids": [{"rows": 4}], "layers": layers}
    with pytest.raises(cs.FormatError, match=said):
        cs.read(json.dumps(document))


def test_the_command_line_shows_layers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "puzzle.json"
    file.write_text(write_json(SHADED.with_givens({f"shaded:{p}": 1 for p in SHADED.cells})))

    def run(*words: str) -> str:
        assert main([*words, str(file)]) == 0
        return capsys.readouterr().out

    assert "shaded=111111111" in run("solve")
    shown = run("show")
    assert "layer shaded: 0 1, on 9 places" in shown
    assert "shaded:\n 1 1 1" in shown
    answer = json.loads(run("solve", "--json"))
    assert answer["layers"] == [{"shaded": "111111111"}]


def test_candidates_of_layers_are_drawn() -> None:
    puzzle = cs.Puzzle.blank(1, 2).with_layer("a", (0, 1)).with_givens({"a:R1C1": 1})
    left = {place: puzzle.candidates_of(place) for place in puzzle.variables}
    assert "a:\n   1 0,1" in draw(puzzle, candidates=left)
