"""Rules of regions and of the whole grid: exact counts, laws between them, marks, overlaps."""

from itertools import combinations

import pytest

import csp_sudoku as cs
from csp_encodings.factors import AllDifferent, Connected, Linear, Regular, Relation
from csp_sudoku.testing import assert_lowering

FOUR = cs.Puzzle.blank(4)
SIX = cs.Puzzle.blank(6)
NINE = cs.Puzzle.blank(9)


def count(*rules: cs.Constraint, puzzle: cs.Puzzle = FOUR, backend: str = "sat") -> int:
    return int(cs.count(puzzle.add(*rules), backend))


def grids(*rules: cs.Constraint, puzzle: cs.Puzzle = FOUR) -> set[cs.Solution]:
    return set(cs.solutions(puzzle.add(*rules)))


def bare(side: int, values=None) -> cs.Puzzle:
    return cs.Puzzle.blank(side, box=None, values=values, row_houses=False, column_houses=False)


def factors_of(rule: cs.Constraint, puzzle: cs.Puzzle) -> list:
    graph = puzzle.add(rule).rules_graph
    return [data["factor"] for _, data in graph.nodes(data=True) if data.get("source") == rule]


def label(parameter: object) -> str | None:
    return parameter.label if isinstance(parameter, cs.Constraint) else None


# How many of the 288 grids keep a rule, found by other programs.
COUNTS = [
    (cs.AntiKnight(), 24),
    (cs.AntiKing(), 0),
    (cs.Nonconsecutive(), 0),
    (cs.SelfTaxicab(), 0),
    (cs.NegativeXV(), 8),
    (cs.NegativeKropki(), 0),
    (cs.ConnectedValues((1, 2, 3), 12), 216),
    (cs.ConnectedValues((3, 1)), 0),
    (cs.ConnectedValues((1, 2, 3), 11), 0),
]


@pytest.mark.parametrize(("rule", "wanted"), COUNTS, ids=label)
def test_exact_counts(rule, wanted):
    assert count(rule) == wanted
    assert count(rule, backend="brute") == wanted


# Two ways to say the same.
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([cs.ChessOffset(1, 2)], [cs.AntiKnight()]),
        ([cs.ChessOffset(2, 1)], [cs.AntiKnight()]),
        ([cs.ChessOffset(1, 2, values=range(1, 7))], [cs.AntiKnight()]),
        ([cs.ChessOffset(1, 2, cells="R1C1-R6C6")], [cs.AntiKnight()]),
        ([cs.ChessOffset(1, 1)], [cs.AntiKing()]),
        ([cs.ChessOffset(1, 1), cs.ChessOffset(0, 2)], [cs.Taxicab(2)]),
        ([cs.ChessOffset(0, d, values=[d]) for d in (1, 2, 3, 4, 5)]
         + [cs.ChessOffset(r, d - r, values=[d]) for d in range(2, 7) for r in range(1, d)]
         + [cs.ChessOffset(0, 6, values=[6])], [cs.SelfTaxicab()]),
        ([cs.ChessOffset(d, d, values=[6]) for d in range(1, 6)], [cs.Queen()]),
        ([cs.ChessOffset(d, d, values=[2, 5]) for d in range(1, 6)], [cs.Queen((2, 5))]),
        ([cs.GlobalEntropy(((1, 3, 5), (2, 4, 6)))], [cs.GlobalModulo(2)]),
        ([cs.GlobalEntropy(((1, 2), (3, 4), (5, 6)))], [cs.GlobalEntropy()]),
        ([cs.NegativeKropki((1,), ())], [cs.Nonconsecutive()]),
        ([cs.GlobalModulo(1)], []),
    ],
)  # fmt: skip
def test_laws(one, other):
    givens = SIX.with_givens({"R1C1": 1, "R1C2": 4, "R1C3": 2, "R1C4": 5, "R1C5": 3, "R2C1": 2})
    some = givens.with_givens({"R2C2": [3, 5], "R3C1": [4, 5], "R4C4": [1, 2, 3]})
    assert grids(*one, puzzle=some) == grids(*other, puzzle=some)


@pytest.mark.parametrize(
    ("rule", "puzzle"),
    [
        (cs.Knightmare(), FOUR),
        (cs.Taxicab(3), FOUR),
        (cs.DiagonalNonconsecutive(), FOUR),
        (cs.Queen((1, 3)), FOUR),
        (cs.ChessOffset(1, 2, cells="R1C1 R3C3"), FOUR),
        (cs.DutchFlatmates(), cs.Puzzle.blank(3)),
        (cs.DutchFlatmates(3, above=1, below=4), FOUR),
        (cs.GlobalEntropy(), cs.Puzzle.blank(3)),
        (cs.SameValueHouses(), cs.Puzzle.blank(3, values=range(4))),
        (cs.SameValueHouses(), cs.Puzzle.blank(2, 3, values=range(4))),
        (cs.NegativeKropki((3,), ()), FOUR),
    ],
)
def test_the_oracle_counts_alike(rule, puzzle):
    assert count(rule, puzzle=puzzle) == count(rule, puzzle=puzzle, backend="brute") > 0


def test_single_cells_and_thin_grids():
    # Nobody lives above or below: the middle value needs a mate and has none.
    assert count(cs.DutchFlatmates(2), puzzle=cs.Puzzle.blank(1, 3)) == 0
    assert count(cs.DutchFlatmates(2), puzzle=cs.Puzzle.blank(1, 2)) == 0
    assert count(cs.GlobalModulo(2), puzzle=cs.Puzzle.blank(1, 4)) == 24
    assert count(cs.ConnectedValues((1, 2)), puzzle=cs.Puzzle.blank(1, 4)) == 12
    assert count(cs.ConnectedValues((1,)), puzzle=cs.Puzzle.blank(1, 1)) == 1
    assert count(cs.Taxicab(10**9), cs.SelfTaxicab(), puzzle=cs.Puzzle.blank(1, 1)) == 1


# A torus


def torus_apart(solution: cs.Solution, rows: int, columns: int) -> bool:
    side = len(solution.rows)
    return all(
        solution.rows[r][c] != solution.rows[(r + down) % side][(c + right) % side]
        for r in range(side)
        for c in range(side)
        for a, b in ((rows, columns), (columns, rows))
        for down in (a, -a)
        for right in (b, -b)
        if down % side or right % side
    )


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (1, 1), (0, 2), (2, 2), (0, 4), (1, 3)])
@pytest.mark.parametrize("side", [4, 5])
def test_leaps_around_the_edges(side, rows, columns):
    first = {cs.Cell(0, col): col + 1 for col in range(side)}
    latin = cs.Puzzle.blank(side, box=None).with_givens({**first, "R2C1": [2, 3], "R3C1": [4]})
    rule = cs.ChessOffset(rows, columns, toroidal=True)
    wanted = {s for s in cs.solutions(latin) if torus_apart(s, rows, columns)}
    assert {s.text for s in grids(rule, puzzle=latin)} == {s.text for s in wanted}
    assert len(set(rule.pairs(latin))) == len(list(rule.pairs(latin))), "a pair comes twice"


def test_a_torus_of_order_five():
    # Row by row one step to the side keeps knights apart, two steps keep kings apart; the steps go
    # to the left or to the right, and the five values can be renamed in 120 ways.
    latin = cs.Puzzle.blank(5, box=None)
    assert count(cs.ChessOffset(1, 2, toroidal=True), puzzle=latin) == 2 * 120
    assert count(cs.ChessOffset(1, 1, toroidal=True), puzzle=latin) == 2 * 120


# Overlapping grids: two that share a corner cell, or a box.

CHAIN = cs.Puzzle.overlapping(cs.Grid(3, 3, (1, 2, 3), top=t, left=t) for t in (0, 2))
TWINS = cs.Puzzle.overlapping(
    cs.Grid(4, 4, (1, 2, 3, 4), box=(2, 2), top=t, left=t) for t in (0, 2)
)


@pytest.mark.parametrize(
    "rule",
    [
        cs.AntiKnight(),
        cs.ChessOffset(1, 1, toroidal=True),
        cs.ChessOffset(1, 2, values=[1], toroidal=True),
        cs.Queen(),
        cs.SelfTaxicab(),
        cs.Taxicab(2),
        cs.DiagonalNonconsecutive(),
        cs.NegativeXV((3,)),
        cs.GlobalEntropy(),
        cs.GlobalModulo(2),
        cs.DutchFlatmates(),
        cs.ConnectedValues((1, 2)),
        cs.ConnectedValues((1, 3), 11),
        cs.SameValueHouses(),
        cs.Diagonals(),
        cs.RowIndexing("R3C3"),
        cs.ColumnIndexing("R3C3 R5C4"),
        cs.Maximum("R3C3"),
    ],
    ids=label,
)
def test_overlapping_grids(rule):
    assert count(rule, puzzle=CHAIN) == count(rule, puzzle=CHAIN, backend="brute")


def test_rules_of_one_grid_stay_within_it():
    # R2C2 and R4C4 are on one diagonal of both grids; R1C1 and R5C5 of none.
    pairs = {(a, b) for a, b, _ in cs.Queen()._queens(CHAIN)}
    assert cs.cells("R1C1 R3C3") in pairs
    assert cs.cells("R1C1 R5C5") not in pairs
    # A leap over an edge stays in its grid, any other may cross to the next one.
    assert cs.cells("R1C1 R3C3") in set(cs.ChessOffset(1, 1, toroidal=True).pairs(CHAIN))
    assert cs.cells("R2C3 R3C4") in set(cs.ChessOffset(1, 1).pairs(CHAIN))
    assert cs.cells("R2C3 R3C4") not in set(cs.ChessOffset(1, 1, toroidal=True).pairs(CHAIN))


def test_a_samurai_with_many_rules():
    nine = tuple(range(1, 10))
    corners = [(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)]
    samurai = cs.Puzzle.overlapping(
        cs.Grid(9, 9, nine, box=(3, 3), top=top, left=left) for top, left in corners
    )
    rules = [cs.Queen(), cs.Knightmare((4,)), cs.DutchFlatmates(), cs.GlobalModulo(2)]
    result = cs.solve(samurai.add(*rules), timeout=60)
    assert len(result.solutions) == 1


def test_a_block_that_two_grids_share_is_read_once():
    assert len(list(cs.GlobalModulo(2)._blocks(TWINS))) == 9 + 9 - 1


# Negative rules and their marks


def mark(pair, solution: cs.Solution) -> cs.Constraint | None:
    a, b = (solution[place] for place in pair)
    if abs(a - b) == 1:
        return cs.Difference(pair)
    return cs.Ratio(pair) if a == 2 * b or b == 2 * a else None


def beside(puzzle: cs.Puzzle) -> list:
    return [
        (a, b)
        for a, b in combinations(puzzle.cells, 2)
        if abs(a.row - b.row) + abs(a.col - b.col) == 1
    ]


@pytest.mark.parametrize("text", ["1234341221434321", "2134342143121243"])
def test_all_dots_of_a_grid_allow_that_grid(text):
    [solution] = cs.solve(text, limit=2).solutions
    dots = [dot for pair in beside(FOUR) if (dot := mark(pair, solution)) is not None]
    found = grids(cs.NegativeKropki(), *dots)
    assert text in {s.text for s in found}
    assert len(found) < len(grids(*dots)) or len(found) == 1
    # One dot less, and the pair that it marked is forbidden.
    assert text not in {s.text for s in grids(cs.NegativeKropki(), *dots[1:])}


def test_either_dot_exempts_from_both_rules():
    pairs = beside(FOUR)
    for dot in (cs.Difference("R1C1 R1C2"), cs.Ratio("R1C2 R1C1"), cs.Difference("R1C1 R1C2", 3)):
        found = list(cs.NegativeKropki().pairs(FOUR.add(dot)))
        assert len(found) == len(pairs) - 1
        assert cs.cells("R1C1 R1C2") not in found
    assert len(list(cs.NegativeXV().pairs(FOUR.add(cs.PairSum("R2C2 R1C2", 7))))) == len(pairs) - 1
    assert len(list(cs.NegativeXV().pairs(FOUR.add(cs.Difference("R1C1 R1C2"))))) == len(pairs)


def test_the_order_of_rules_does_not_matter():
    dots = [cs.Difference("R1C2 R1C3", 3), cs.Difference("R3C2 R3C3", 3)]
    rule = cs.NegativeKropki((3,), ())
    assert grids(rule, *dots) == grids(*dots, rule) == grids(dots[0] & rule & dots[1])
    assert len(grids(rule, *dots)) == 4


@pytest.mark.parametrize(
    ("rule", "dot"),
    [
        (cs.NegativeKropki(), cs.Difference("R1C1 R1C2")),
        (cs.NegativeKropki(), cs.Ratio("R1C1 R1C2")),
        (cs.NegativeXV(), cs.PairSum("R1C1 R1C2", 5)),
    ],
    ids=label,
)
def test_marks_that_may_not_hold_are_refused_by_name(rule, dot):
    message = f"{rule.name}: {dot.name} at R1C1 is inside an 'or' or a 'not'"
    for around in (dot | cs.Odd("R1C1"), ~dot, ~(cs.Odd("R1C1") & dot)):
        with pytest.raises(cs.ConstraintError, match=message):
            FOUR.add(rule, around)
        with pytest.raises(cs.ConstraintError, match=message):
            FOUR.add(around, rule)
    assert FOUR.add(rule, dot & cs.Odd("R1C1"))


# Connected values


@pytest.mark.parametrize("values", [(1, 2), (2,), (1, 2, 3)])
@pytest.mark.parametrize("size", [None, 3])
def test_connected_values_on_every_grid_of_two_rows(values, size):
    puzzle = cs.Puzzle.blank(
        2, 4, box=None, values=range(1, 4), row_houses=False, column_houses=False
    )
    assert assert_lowering(cs.ConnectedValues(values, size), puzzle) == 3**8


def test_regions_with_holes_and_detours():
    # Rings and spirals: parts that meet late, or never.
    holed = cs.Puzzle.overlapping(
        [cs.Grid(1, 4, (0, 1), top=0), cs.Grid(1, 4, (0, 1), top=3)]
        + [cs.Grid(2, 1, (0, 1), top=1, left=left) for left in (0, 3)]
        + [cs.Grid(1, 2, (0, 1), top=1, left=2)]
    )
    free = [cs.Grid(g.rows, g.columns, g.values, top=g.top, left=g.left, row_houses=False,
                    column_houses=False) for g in holed.grids]  # fmt: skip
    puzzle = cs.Puzzle.overlapping(free)
    rule = cs.ConnectedValues((1,))
    assert count(rule, puzzle=puzzle) == count(rule, puzzle=puzzle, backend="brute") > 100


def test_ten_by_ten_is_decided():
    puzzle = cs.Puzzle.blank(10).add(cs.ConnectedValues((1, 3, 5, 7, 9)))
    for backend in ("sat", "search", "cpsat"):
        assert cs.solve(puzzle, backend).solutions


@pytest.mark.parametrize(("side", "backends"), [(9, ("sat", "cpsat")), (16, ("sat",))])
def test_not_connected_works_on_any_size(side, backends):
    puzzle = cs.Puzzle.blank(side).add(~cs.ConnectedValues((1, 2)))
    for backend in backends:
        [solution] = cs.solve(puzzle, backend).solutions
        assert not cs.verify(cs.Puzzle.blank(side).add(cs.ConnectedValues((1, 2))), solution).ok


# Sizes


@pytest.mark.parametrize(
    ("rule", "kind", "number"),
    [
        (cs.Nonconsecutive(), Relation, 144),
        (cs.NegativeKropki(), Relation, 144),
        (cs.Queen(), Relation, 318),
        (cs.Taxicab(3), AllDifferent, 332),
        (cs.ChessOffset(1, 2, toroidal=True), AllDifferent, 4 * 81),
        (cs.SelfTaxicab(), Relation, 2010),
        (cs.Odd("R1C1-R1C9"), Relation, 9),
    ],
    ids=label,
)
def test_binary_rules_are_binary_factors(rule, kind, number):
    found = factors_of(rule, NINE)
    assert {type(factor) for factor in found} == {kind}
    assert len(found) == number


@pytest.mark.parametrize(
    ("rule", "width", "size"),
    [
        (cs.DutchFlatmates(), 2, 37),
        (cs.GlobalEntropy(), 6, 99),
        (cs.GlobalModulo(), 6, 99),
    ],
    ids=label,
)
def test_local_automata_are_small(rule, width, size):
    machines = [f.automaton for f in factors_of(rule, NINE) if isinstance(f, Regular)]
    assert max(machine.width for machine in machines) <= width
    assert max(machine.size for machine in machines) <= size


@pytest.mark.parametrize(
    "rule",
    [
        cs.SelfTaxicab(),
        cs.Queen(range(1, 17)),
        cs.ChessOffset(3, 5, toroidal=True),
        cs.GlobalModulo(4),
        cs.GlobalEntropy((range(1, 7), range(6, 12), range(11, 17))),
        cs.DutchFlatmates(8),
        cs.NegativeKropki(),
        cs.ConnectedValues((1,)),
    ],
    ids=label,
)
def test_sixteen_values_are_within_the_budget(rule):
    kinds = {type(factor) for factor in factors_of(rule, cs.Puzzle.blank(16))}
    assert kinds
    assert kinds <= {AllDifferent, Connected, Linear, Regular, Relation}


# What is said to people


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cs.Taxicab(0), "taxicab: its distance must be 1 or more, not 0"),
        (lambda: cs.ChessOffset(0, 0), "a leap of 0 rows and 0 columns goes nowhere"),
        (lambda: cs.ChessOffset(-1, 2), "chess-offset: its rows must be 0 or more, not -1"),
        (lambda: cs.ChessOffset(1, 2, cells="R9C9"), "chess-offset: R9C9 is outside the 4×4 grid"),
        (lambda: cs.ChessOffset(1, 2, cells="$x"), "its cells must be in the grid"),
        (lambda: cs.ChessOffset(1, 2, values="12"), "its values must be a list of whole numbers"),
        (lambda: cs.ChessOffset(1, 2, toroidal=1), "toroidal must be True or False, not 1"),
        (lambda: cs.Queen([1.5]), "queen: its values must be whole numbers, not 1.5"),
        (lambda: cs.Knightmare(5), "knightmare: its sums must be a list of whole numbers"),
        (cs.GlobalEntropy, "global-entropy: 4 values cannot be cut into thirds; give it groups"),
        (lambda: cs.GlobalModulo(5), "its modulus must be 4 or less, not 5"),
        (lambda: cs.GlobalModulo(0), "its modulus must be 1 or more"),
        (cs.DutchFlatmates, "dutch-flatmates: 4 values have no middle one"),
        (lambda: cs.DutchFlatmates("5"), "its value must be a whole number"),
        (lambda: cs.ConnectedValues(()), "connected-values: its values must not be empty"),
        (lambda: cs.ConnectedValues((1,), 0), "its size must be 1 or more, not 0"),
        (lambda: cs.NegativeKropki("1"), "its differences must be a list of whole numbers"),
        (lambda: cs.NegativeXV((5, None)), "its sums must be whole numbers, not None"),
        (lambda: cs.Odd(""), "odd: needs at least 1 cell, not 0"),
        (lambda: cs.Even("R5C1"), "even at R5C1: R5C1 is outside the 4×4 grid"),
    ],
)
def test_a_bad_rule_is_refused(make, message):
    with pytest.raises(cs.ConstraintError, match=message):
        FOUR.add(make())


def test_same_values_need_houses():
    with pytest.raises(cs.ConstraintError, match="needs a grid with rows, columns or boxes"):
        bare(3).add(cs.SameValueHouses())


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (cs.GlobalModulo(3), None),
        (cs.GlobalEntropy(((1, 2), (9,))), "the block at R1C1 cannot hold one of 9"),
        (
            cs.GlobalEntropy(((1, 2), ())),
            "the block at R1C1 cannot hold one of an empty group",
        ),
        (cs.ConnectedValues((7, 8)), "none of 7 8 is a value of the puzzle"),
        (cs.ConnectedValues((1,), 17), "a region of 17 cells is too large for a puzzle of 16"),
    ],
    ids=label,
)
def test_what_cannot_be_shows_at_a_glance(rule, message):
    found = FOUR.add(rule).objections()
    assert [message] == [text.partition(": ")[2] for text in found] or message is None
    assert message is None or count(rule) == 0


def test_no_odd_values():
    puzzle = cs.Puzzle.blank(2, values=(2, 4))
    assert puzzle.add(cs.Odd("R1C1")).objections() == ["odd at R1C1: R1C1 has no odd value"]
    assert count(cs.Odd("R1C1"), puzzle=puzzle) == 0
    assert count(cs.Even("R1C1"), puzzle=puzzle) == 2


@pytest.mark.parametrize(
    ("rule", "values", "cells"),
    [
        (cs.Odd("R1C1 R1C2"), {"R1C1": 1, "R1C2": 2}, "R1C2"),
        (cs.SelfTaxicab(), {"R1C1": 2, "R2C2": 2, "R3C3": 2}, "R1C1 R2C2"),
        (cs.Queen(), {"R1C1": 4, "R3C3": 4}, "R1C1 R3C3"),
        (cs.NegativeXV(), {"R1C1": 1, "R1C2": 4}, "R1C1 R1C2"),
        (cs.DutchFlatmates(3, 1, 4), {"R1C1": 3, "R2C1": 2}, "R1C1 R2C1"),
        (cs.GlobalModulo(2), {"R1C2": 1, "R1C3": 3, "R2C2": 3, "R2C3": 1}, "R1C2-R2C3"),
    ],
    ids=label,
)
def test_the_checker_names_the_cells(rule, values, cells):
    puzzle = bare(4).add(rule)
    assert cs.verify(puzzle, values).violations[0].cells == cs.cells(cells)
