"""Puzzles: shapes, givens, houses, several grids, named variables, and what they refuse."""

import networkx as nx
import numpy as np
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
        (lambda: cs.Even([Var("x")]), r"\$x is not declared"),
        (lambda: cs.Thermometer([]), "needs at least 1 cell"),
        (lambda: cs.KillerCage("R1C1", 2.5), "whole number"),
        (lambda: cs.Sum("R1C1 R1C2", 2, [1]), "1 coefficients for 2 cells"),
        (lambda: cs.Table("R1C1 R1C2", [(1,)]), "1 values for 2 cells"),
        (lambda: cs.GreaterThan("R1C1 R1C2 R1C3"), "exactly 2 cells"),
        (lambda: cs.Arrow("R1C1 R1C2", "R1C3"), "one cell"),
        (lambda: cs.Arrow("R1C1", ""), "its shaft needs at least 1 cell"),
        (lambda: cs.Diagonals(falling=False, rising=False), "falling or rising must be True"),
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


def test_givens_are_in_the_graph_and_not_in_that_of_the_rules():
    puzzle = cs.Puzzle.blank(4).with_givens({"R1C1": 1})
    assert domains(puzzle.graph)[Cell(0, 0)] == (1,)
    assert domains(puzzle.rules_graph)[Cell(0, 0)] == (1, 2, 3, 4)
    assert len(factors(puzzle.graph)) == 12


# The graph belongs to its puzzle


def spoilt(puzzle: cs.Puzzle) -> None:
    """Change everything that can be changed in the graphs of a puzzle."""
    for graph in (puzzle.graph, puzzle.rules_graph):
        nx.set_edge_attributes(graph, "red", "colour")
        nx.set_node_attributes(graph, "red", "colour")
        graph.graph["name"] = "spoilt"
        for _, data in graph.nodes(data=True):
            for name in data.keys() & {"domain", "factor"}:
                data[name] = (1,) if name == "domain" else None
            data.pop("source", None)
        for *_, data in graph.edges(data=True):
            data["positions"] = (99,)


def same_graph(a: nx.Graph, b: nx.Graph) -> bool:
    return (dict(a.nodes(data=True)), dict(a.adj), a.graph) == (
        dict(b.nodes(data=True)),
        dict(b.adj),
        b.graph,
    )


RULES = [cs.AntiKnight(), cs.KillerCage("R1C1 R2C2", 5), cs.PairSum("R1C1 R1C2", 4)]


@pytest.mark.parametrize("rules", [[], RULES])
@pytest.mark.parametrize("backend", ["sat", "search", "cpsat", "dlx", "auto"])
def test_who_changes_a_graph_changes_no_other(rules, backend):
    def fresh(given=1):
        return cs.Puzzle.blank(4).add(*rules).with_givens({"R4C4": given})

    cs.clear_cache()
    spoiler = fresh()
    others = {
        "an equal puzzle": fresh(),
        "other givens": spoiler.with_givens({"R4C1": 2}),
        "the rules alone": spoiler.without_givens(),
        "more rules": spoiler.add(cs.AntiKing()),
        "the puzzle itself": spoiler,
    }
    before = {name: nx.Graph(other.graph) for name, other in others.items()}
    counts = {name: cs.count(other, backend).value for name, other in others.items()}
    spoilt(spoiler)
    for clear in (False, True):
        if clear:
            cs.clear_cache()
        assert {name: cs.count(puzzle, backend).value for name, puzzle in others.items()} == counts
        assert cs.count(fresh(), backend).value == counts["an equal puzzle"]
    del others["the puzzle itself"]
    for name, other in [*others.items(), ("an equal puzzle", fresh())]:
        assert same_graph(other.graph, before[name]), name
        assert not same_graph(spoiler.graph, other.graph)
    # Even puzzles that are made from the one with the spoilt graph have their own.
    assert same_graph(spoiler.with_givens({"R4C1": 2}).graph, before["other givens"])
    assert same_graph(spoiler.without_givens().rules_graph, before["the rules alone"])


def test_no_two_nodes_or_edges_share_attributes():
    one, other = (cs.Puzzle.blank(4).add(*RULES) for _ in range(2))
    graphs = [one.graph, one.rules_graph, other.graph, one.with_givens({"R1C1": 1}).graph]
    seen = [id(data) for graph in graphs for _, data in graph.nodes(data=True)]
    seen += [id(data) for graph in graphs for *_, data in graph.edges(data=True)]
    assert len(set(seen)) == len(seen)


def test_a_graph_stays_with_its_puzzle():
    puzzle = cs.Puzzle.blank(4)
    puzzle.graph.nodes[Cell(0, 0)]["colour"] = "red"
    assert puzzle.graph.nodes[Cell(0, 0)]["colour"] == "red"
    assert puzzle.with_givens({"R2C2": 1}).graph.nodes[Cell(0, 0)].get("colour") is None


@pytest.mark.parametrize(
    "copy",
    [nx.Graph, nx.Graph.copy, lambda graph: nx.relabel_nodes(graph, {Cell(0, 0): "corner"})],
)
def test_a_copy_of_a_graph_can_be_changed_in_any_way(copy):
    puzzle = cs.Puzzle.blank(4)
    graph = copy(puzzle.graph)
    graph.remove_node(Cell(3, 3))
    nx.set_node_attributes(graph, (1,), "domain")
    assert cs.count(puzzle).value == cs.count(cs.Puzzle.blank(4)).value == 288
    assert same_graph(puzzle.graph, cs.Puzzle.blank(4).graph)


def test_the_structure_of_a_graph_is_frozen():
    graph = cs.Puzzle.blank(4).graph
    for change in (
        lambda: graph.remove_node(Cell(0, 0)),
        lambda: graph.add_edge(Cell(0, 0), Cell(1, 1)),
        lambda: nx.relabel_nodes(graph, {Cell(0, 0): "corner"}, copy=False),
    ):
        with pytest.raises(nx.NetworkXError):
            change()


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
        (cs.Puzzle.blank(4).add(cs.KillerCage("R1C1-R2C3")), "6 cells are too many for 4 values"),
        (cs.Puzzle.blank(4).add(cs.Sum("R1C1 R2C2", 9)), r"sum 9 is impossible \(2 to 8\)"),
        (cs.Puzzle.blank(4).add(cs.Arrow("R1C1", "R1C2-R3C4")), "sum to at least"),
        (cs.Puzzle.blank(4).add(cs.Thermometer("R1C1 R1C2 R1C1")), "a cell comes twice"),
        (cs.Puzzle.blank(4).add(cs.Thermometer("R1C1-R1C4 R2C4")), "5 cells are too many"),
    ],
)  # fmt: skip
def test_what_cannot_be_shows_at_a_glance(puzzle, message):
    with pytest.raises(AssertionError, match=message):
        assert not puzzle.objections(), puzzle.objections()[0]
    assert cs.solve(puzzle).status is cs.Status.NONE_EXIST


# Whole numbers of NumPy


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint8])
def test_whole_numbers_of_every_kind_are_taken(kind):
    puzzle = cs.Puzzle.blank(kind(4), kind(4), box=(kind(2), kind(2)), values=map(kind, range(4)))
    puzzle = puzzle.with_named("x", [kind(3), kind(5)])
    puzzle = puzzle.with_givens({(kind(0), kind(1)): kind(3), Cell(kind(1), kind(1)): [kind(2)]})
    puzzle = puzzle.with_givens([("$x", np.array([3], np.int16))])
    plain = cs.Puzzle.blank(4, values=range(4)).with_named("x", [3, 5])
    plain = plain.with_givens({"R1C2": 3, "R2C2": 2, "$x": 3})
    assert puzzle == plain
    assert hash(puzzle) == hash(plain)
    found = [
        puzzle.grids[0].rows,
        *puzzle.grids[0].box,
        *puzzle.grids[0].values,
        *puzzle.named[0][1],
    ]
    found += [n for place, values in puzzle.candidates[:2] for n in (*place, *values)]
    assert {*map(type, found)} == {int}
    assert cs.count(puzzle).value == cs.count(plain).value


def test_rows_of_an_array_are_candidates():
    allowed = np.array([[1, 2], [2, 3]])
    puzzle = cs.Puzzle.blank(4).with_givens(zip(["R1C1", "R1C2"], allowed, strict=True))
    assert [puzzle.candidates_of(place) for place in ("R1C1", "R1C2")] == [(1, 2), (2, 3)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cs.Puzzle.blank(np.int64(65)), "grid of 65 rows: 1 to 64 are possible"),
        (lambda: cs.Puzzle.blank(4.0), "grid of 4.0 rows"),
        (lambda: cs.Puzzle.blank(True), "grid of True rows"),
        (lambda: cs.Puzzle.blank(4, values=[1, 2.0]), "must be whole numbers"),
        (lambda: cs.Puzzle.blank(4, values=[False, True]), "must be whole numbers"),
        (lambda: cs.Puzzle.blank(4, box=(2, 2.0)), "give .rows, columns."),
        (lambda: cs.Puzzle.blank(4).with_givens({"R1C1": np.bool_(True)}), "R1C1: .*True"),
        (lambda: cs.Puzzle.blank(4).with_givens({"R1C1": [1, True]}), "whole numbers"),
        (lambda: cs.Puzzle.blank(4).with_givens({"R1C1": np.array([1.0])}), "whole numbers"),
        (lambda: cs.Puzzle.blank(4).with_givens({"R1C1": np.int8(5)}), "R1C1: 5 is not .*1 to 4"),
        (lambda: cs.Puzzle.blank(4).with_named("x", [1.5]), r"\$x: .*ascending whole numbers"),
        (lambda: cs.Puzzle.blank(4).with_named("x", [True]), r"\$x: .*ascending whole numbers"),
        (lambda: cs.Grid(4, 4, (1, 2, 3, 4), top=-1), "top -1 must be"),
        (lambda: cs.Grid(4, 4, (1, 2, 3, 4), left=0.5), "left 0.5 must be"),
    ],
)
def test_what_is_no_whole_number_is_refused_by_name(make, message):
    with pytest.raises(cs.PuzzleError, match=message):
        make()


@pytest.mark.parametrize("place", [(0.0, 1), (True, 1), Cell(0.5, 1)])
def test_a_cell_has_whole_numbers(place):
    with pytest.raises(cs.ConstraintError, match="not a cell"):
        cs.cell(place)


@pytest.mark.parametrize("value", [77, [1, 77]])
def test_a_second_given_must_be_a_value_too(value):
    puzzle = cs.Puzzle.blank(4).with_givens({"R1C1": 1})
    with pytest.raises(cs.PuzzleError, match=r"R1C1: 77 is not a value of this puzzle \(1 to 4\)"):
        puzzle.with_givens({"R1C1": value})


def test_candidates_are_read_wherever_they_come_from():
    grids = cs.Puzzle.blank(4).grids
    puzzle = cs.Puzzle(grids, (("R1C2", [3, 1]), ("R1C1", np.int64(2)), ("R1C2", (1, 2))))
    assert puzzle == cs.Puzzle.blank(4).with_givens({"R1C1": 2, "R1C2": 1})
