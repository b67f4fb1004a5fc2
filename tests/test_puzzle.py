"""Puzzles: shapes, givens, houses, several grids, named variables, and what they refuse."""

import pytest

import csp_sudoku as cs
from csp_encodings.graph import domains, factors
from csp_sudoku.cells import Cell, Var


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("R1C1", [(0, 0)]),
        ("r1c1, R2C10", [(0, 0), (1, 9)]),
        ("R1C3-R1C1", [(0, 2), (0, 1), (0, 0)]),
        ("R1C1-R2C2", [(0, 0), (0, 1), (1, 0), (1, 1)]),
        ("R1C1 R1C1", [(0, 0), (0, 0)]),
        ("", []),
    ],
)
def test_cells_are_read(text, wanted):
    assert cs.cells(text) == tuple(Cell(*place) for place in wanted)


@pytest.mark.parametrize(
    "text", ["R0C1", "R1", "C1R1", "R１C1", "R1C1-", "$1", "R1C1-$x", "R99999C1"]
)
def test_what_is_no_cell_is_named(text):
    with pytest.raises(cs.ConstraintError, match="cell|name"):
        cs.cells(text)


@pytest.mark.parametrize(
    ("rows", "columns", "box"),
    [(4, 4, (2, 2)), (6, 6, (2, 3)), (8, 8, (2, 4)), (9, 9, (3, 3)), (12, 12, (3, 4)),
     (25, 25, (5, 5)), (64, 64, (8, 8)), (7, 7, None), (1, 1, None), (2, 2, None), (4, 6, (2, 3))],
)  # fmt: skip
def test_the_usual_box(rows, columns, box):
    assert cs.Puzzle.blank(rows, columns).grids[0].box == box


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cs.Puzzle.blank(0), "0 rows: 1 to 64"),
        (lambda: cs.Puzzle.blank(65), "65 rows: 1 to 64"),
        (lambda: cs.Puzzle.blank("9"), "rows"),
        (lambda: cs.Puzzle.blank(9, box=(2, 3)), "boxes of 2×3 do not tile a 9×9 grid"),
        (lambda: cs.Puzzle.blank(4, box=(2,)), "give .rows, columns."),
        (lambda: cs.Puzzle.blank(4, values=[1, 1]), "ascending"),
        (lambda: cs.Puzzle.blank(4, values=[]), "0 values"),
        (lambda: cs.Puzzle.blank(4, regions="AABB"), "4 characters for a 4×4 grid; 16"),
        (lambda: cs.Puzzle.blank(4, regions=["R1C1 R9C9"]), "region 1: R9C9 is outside"),
        (lambda: cs.Puzzle.blank(4, regions=["R1C1 R1C1"]), "region 1: .*twice"),
        (lambda: cs.Puzzle.blank(4, regions="AABB" * 4, box=(2, 2)), "not both"),
        (lambda: cs.Puzzle.blank(4).with_givens({"R5C1": 1}), "R5C1 is outside the 4×4 grid"),
        (lambda: cs.Puzzle.blank(4).with_givens({"R1C1": 5}), "R1C1: 5 is not a value .*1 to 4"),
        (lambda: cs.Puzzle.blank(4).with_givens({"R1C1": "1"}), "not a value"),
        (lambda: cs.Puzzle.blank(4).with_givens({"R1C1": True}), "whole numbers"),
        (lambda: cs.Puzzle.blank(4).add("AntiKnight"), "not a constraint"),
        (lambda: cs.Puzzle.blank(4).row(4), "row 4: the grid has rows 0 to 3"),
        (lambda: cs.Puzzle.blank(4).with_named("x", [1]).with_named("x", [2]), "twice"),
    ],
)
def test_a_bad_puzzle_is_refused(make, message):
    with pytest.raises(cs.PuzzleError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cs.KillerCage("R1C1 R10C1", 5), r"killer-cage at R1C1: R10C1 is outside"),
        (lambda: cs.Sum([Var("x")], 5), r"\$x is not declared"),
        (lambda: cs.Thermometer([]), "no cells"),
        (lambda: cs.KillerCage("R1C1", 2.5), "whole number"),
        (lambda: cs.Sum("R1C1 R1C2", 2, [1]), "1 coefficients for 2 cells"),
        (lambda: cs.Table("R1C1 R1C2", [(1,)]), "1 values for 2 cells"),
        (lambda: cs.GreaterThan("R1C1 R1C2 R1C3"), "exactly 2 cells"),
        (lambda: cs.Arrow("R1C1 R1C2", "R1C3"), "one cell"),
        (lambda: cs.Arrow("R1C1", ""), "no cells"),
        (lambda: cs.Diagonals(falling=False, rising=False), "at least one"),
        (lambda: cs.Or(()), "at least one"),
        (lambda: cs.Not("x"), "not a constraint"),
    ],
)
def test_a_bad_constraint_is_refused(make, message):
    with pytest.raises(cs.ConstraintError, match=message):
        cs.Puzzle.blank(9).add(make())


def test_houses_are_switched_and_named():
    titles = [house.title for house in cs.Puzzle.blank(2, 4, box=(2, 2)).houses]
    assert titles == [
        "row 1", "row 2", "column 1", "column 2", "column 3", "column 4", "box 1", "box 2",
    ]  # fmt: skip
    assert cs.Puzzle.blank(4, box=None, row_houses=False, column_houses=False).houses == ()


def test_more_values_than_cells_is_only_all_different():
    assert int(cs.count(cs.Puzzle.blank(2, box=None, values=range(3)))) == 3 * 2 * 3 - 3 * 2 + 6


def test_a_jigsaw_has_its_regions_in_place_of_boxes():
    puzzle = cs.Puzzle.blank(4, regions="AABB AABB CCDD CCDD")
    assert [h.title for h in puzzle.houses][-4:] == [f"region {i}" for i in range(1, 5)]
    assert int(cs.count(puzzle)) == 288
    assert int(cs.count(cs.Puzzle.blank(4, regions="AAAB CABB CCBD CDDD"))) == int(
        cs.count(cs.Puzzle.blank(4, regions="AAAB CABB CCBD CDDD"), "brute")
    )


def test_two_grids_that_share_a_box():
    four = (1, 2, 3, 4)
    grids = [cs.Grid(4, 4, four, box=(2, 2), top=t, left=t) for t in (0, 2)]
    puzzle = cs.Puzzle.overlapping(grids)
    assert len(puzzle.cells) == 28
    # The shared box can be any of 24, and each of them completes both grids alike.
    assert int(cs.count(puzzle)) == 24 * (288 // 24) ** 2
    assert "row 1 of grid 2" in [house.title for house in puzzle.houses]
    [solution] = cs.solve(puzzle).solutions
    assert [len(row) for row in solution.rows] == [4, 4, 6, 6, 4, 4]


def test_cells_of_two_grids_take_the_values_of_both():
    grids = [cs.Grid(1, 2, (1, 2, 3)), cs.Grid(1, 2, (2, 3, 4), left=1)]
    assert cs.Puzzle.overlapping(grids).values_of(Cell(0, 1)) == (2, 3)


def test_candidate_lists_intersect():
    puzzle = cs.Puzzle.blank(4).with_givens({"R1C1": [1, 2, 3]}).with_givens({"R1C1": [2, 4]})
    assert puzzle.candidates_of("R1C1") == (2,)
    assert puzzle.givens == {Cell(0, 0): 2}
    empty = puzzle.with_givens({"R1C1": 3})
    assert cs.solve(empty).status is cs.Status.NONE_EXIST
    assert "no value in common" in empty.objections()[0]


def test_puzzles_of_equal_rules_share_one_graph():
    a, b = (cs.Puzzle.blank(4).with_givens({"R1C1": v}) for v in (1, 2))
    assert a.rules_graph is b.rules_graph
    assert domains(a.graph)[Cell(0, 0)] == (1,)
    assert domains(a.rules_graph)[Cell(0, 0)] == (1, 2, 3, 4)
    assert len(factors(a.graph)) == 12


def test_the_order_of_rules_and_givens_does_not_matter():
    rules = [cs.AntiKnight(), cs.KillerCage("R1C1 R2C2", 5), cs.Thermometer("R1C1-R1C2")]
    forward = cs.Puzzle.blank(6).add(*rules)
    backward = cs.Puzzle.blank(6).add(*reversed(rules))
    assert set(cs.solutions(forward)) == set(cs.solutions(backward))


def test_named_variables_are_part_of_the_solution():
    puzzle = cs.Puzzle.blank(4).with_named("half", [0, 1]).with_named("free", [5, 6])
    puzzle = puzzle.add(cs.where(["R1C1", Var("half")], lambda v, h: (v > 2) == h))
    assert int(cs.count(puzzle)) == int(cs.count(puzzle, "brute")) == 288 * 2
    [solution] = cs.solve(puzzle.with_givens({"R1C1": 4, "$free": 6})).solutions
    assert solution.named == {"half": 1, "free": 6}
    assert solution["$half"] == 1


@pytest.mark.parametrize(
    ("puzzle", "message"),
    [
        (cs.read("11" + "." * 14), "R1C1 and R1C2 hold 1, against row 1"),
        (cs.Puzzle.blank(9).add(cs.KillerCage("R1C1-R1C3", 50)),
         r"cage at R1C1: sum 50 is impossible for 3 different cells of 1-9 \(6 to 24\)"),
        (cs.Puzzle.blank(4).add(cs.KillerCage("R1C1-R2C3")), "6 cells cannot hold 4 values"),
        (cs.Puzzle.blank(4).add(cs.Sum("R1C1 R2C2", 9)), r"9 is out of reach \(2 to 8\)"),
        (cs.Puzzle.blank(4).add(cs.Arrow("R1C1", "R1C2-R3C4")), "sum to at least"),
        (cs.Puzzle.blank(4).add(cs.Thermometer("R1C1 R1C2 R1C1")), "drawn twice"),
        (cs.Puzzle.blank(4).add(cs.Thermometer("R1C1-R1C4 R2C4")), "cannot increase"),
    ],
)  # fmt: skip
def test_what_cannot_be_shows_at_a_glance(puzzle, message):
    with pytest.raises(AssertionError, match=message):
        assert not puzzle.objections(), puzzle.objections()[0]
    assert cs.solve(puzzle).status is cs.Status.NONE_EXIST
