"""Every rule, batch, technique and format on shapes that are easily forgotten.

The holes of a test suite are missing shapes: most tests use squares with the values 1 to n. Here is
one list of others, and what must hold on every one of them. What is expected never comes from the
code that is tested: it comes from the oracle, from a second definition, or from a table made by
hand.
"""

from functools import cache
from itertools import combinations
from random import Random

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints import registry
from csp_sudoku.fuzzing.rules import RuleMaker
from csp_sudoku.fuzzing.shapes import narrowed, planted_grid

FIVE = tuple(range(1, 6))
X, Y = cs.Var("x"), cs.Var("y")
MANY = cs.Puzzle.blank(2).with_named("x", range(1, 101)).with_named("y", range(1, 101))
SHAPES = {
    "wide": cs.Puzzle((cs.Grid(2, 5, FIVE, column_houses=False),)),
    "tall": cs.Puzzle((cs.Grid(5, 2, FIVE, row_houses=False),)),
    "from 0": cs.Puzzle.blank(4, values=range(4)),
    "negative": cs.Puzzle.blank(4, values=(-2, -1, 0, 5)),
    "gaps": cs.Puzzle((cs.Grid(2, 3, (1, 70, 200)),)),
    "over 64 values": MANY,
    "jigsaw": cs.Puzzle.blank(5, regions="AABBB AABBC AECCC EEDDC EEDDD"),
    "two grids": cs.Puzzle.overlapping(
        [cs.Grid(4, 4, (1, 2, 3, 4), (2, 2)), cs.Grid(4, 4, (1, 2, 3, 4), (2, 2), top=2, left=2)]
    ),
    "window": cs.Puzzle.blank(6).add(cs.AllDifferent("R2C2-R2C4 R3C2-R3C4")),
    "nine": cs.Puzzle.blank(9),
    "sixteen": cs.Puzzle.blank(16),
}
BACKENDS = ("search", "sat", "dlx", "cpsat")
KINDS = sorted(registry.built_in())


@cache
def planted(name):
    """A grid that is right without further rules."""
    return planted_grid(SHAPES[name], Random(1))


def narrow(puzzle, rng, planted, most=200):
    """The puzzle with givens and candidate lists, so that the oracle is quick."""
    few = most if len(puzzle.variables) < 40 else 12
    return narrowed(puzzle, puzzle.variables, planted, rng, few)


def solved(puzzle, backend):
    return {*cs.solutions(puzzle, backend)}


def with_rule(name, kind, rng):
    """The shape of this name with a rule of this class, or None if it does not go there."""
    maker = RuleMaker(SHAPES[name], planted(name), rng)
    for _ in range(8):
        try:
            return SHAPES[name].add(maker.instance(registry.get(kind)))
        except cs.CspSudokuError:
            continue
    return None


# Rules


@pytest.mark.parametrize("part", range(4))
def test_every_rule_on_many_shapes(part):
    """Each rule on a third of the shapes, on one backend after the other, against the oracle."""
    names = [*SHAPES]
    compared = 0
    for number, kind in enumerate(KINDS):
        if number % 4 != part:
            continue
        for turn in range(0, len(names), 3):
            name = names[(number + turn) % len(names)]
            rng = Random(f"{kind} {name}")
            puzzle = with_rule(name, kind, rng)
            if puzzle is None or any(puzzle.constraints[-1].declares(puzzle)):
                continue
            puzzle = narrow(puzzle, rng, planted(name))
            backend = BACKENDS[(number + turn) % len(BACKENDS)]
            try:
                found = solved(puzzle, backend)
            except cs.BudgetError:
                continue
            assert found == solved(puzzle, "brute"), (puzzle.constraints, name, backend)
            compared += 1
    assert compared > 40


def test_scopes_that_repeat_a_cell():
    """What a cell loses at one place of an automaton may be what its other place counted on."""
    for seed in range(60):
        rng = Random(seed)
        places = rng.choices(["R1C1", "R1C2", "R1C3"], k=rng.randint(2, 4))
        rows = {tuple(rng.choices(range(1, 5), k=len(places))) for _ in range(rng.randint(2, 6))}
        rule = cs.fold(places, (), lambda read, v: (*read, v), rows.__contains__)
        puzzle = cs.Puzzle((cs.Grid(1, 3, (1, 2, 3, 4), row_houses=False),)).add(rule)
        for backend in BACKENDS:
            assert solved(puzzle, backend) == solved(puzzle, "brute"), (seed, backend)


def test_variables_of_many_words():
    """More than 64 values for each of several variables, which differ or rise: known numbers."""
    grids = cs.count(cs.Puzzle.blank(2)).value
    rising = MANY.add(cs.Thermometer([X, Y]))
    assert cs.count(rising, "search:divide=false").value == grids * 4950
    some = MANY.add(cs.AllDifferent([X, Y])).with_givens({X: [1, 64, 65, 100], Y: [1, 2, 65, 66]})
    for backend in BACKENDS:
        assert cs.count(some, backend).value == grids * 14
    names = [f"v{i}" for i in range(3)]
    three = cs.Puzzle.blank(1)
    for name in names:
        three = three.with_named(name, range(130))
    three = three.add(cs.AllDifferent([cs.Var(name) for name in names]))
    some = three.with_givens({cs.Var(name): [0, 63, 64, 128, 129] for name in names})
    for options in ("inference=none", "inference=forward", "inference=mac,all_different=hall"):
        # Compiled without the candidate lists: with them, few values would be left.
        with cs.session(three, f"search:divide=false,{options}") as session:
            assert session.count(some).value == 5 * 4 * 3


def holds_for(test, allowed):
    """The rule that every two cells whose distances pass the test have values that are allowed."""

    def holds(values):
        pairs = combinations(values, 2)
        near = [(a, b) for a, b in pairs if test(abs(a.row - b.row), abs(a.col - b.col))]
        return all(allowed(values[a], values[b]) for a, b in near)

    return holds


KNIGHT = lambda r, c: {r, c} == {1, 2}  # noqa: E731
UNEQUAL = lambda x, y: x != y  # noqa: E731
# Second definitions of the rules that hold all over a grid.
EVERYWHERE = [
    (cs.AntiKnight(), holds_for(KNIGHT, UNEQUAL)),
    (cs.AntiKing(), holds_for(lambda r, c: max(r, c) == 1, UNEQUAL)),
    (cs.Nonconsecutive(), holds_for(lambda r, c: r + c == 1, lambda x, y: abs(x - y) != 1)),
    (
        cs.DiagonalNonconsecutive(),
        holds_for(lambda r, c: r == c == 1, lambda x, y: abs(x - y) != 1),
    ),
    (cs.Knightmare(), holds_for(KNIGHT, lambda x, y: x + y not in (5, 15))),
    (cs.Knightmare((3, 4)), holds_for(KNIGHT, lambda x, y: x + y not in (3, 4))),
    *[
        (cs.Taxicab(d), holds_for(lambda r, c, d=d: r + c == d, UNEQUAL))
        for d in (1, 2, 3, 4, 5, 6, 7)
    ],
    *[
        (
            cs.ChessOffset(d, e),
            holds_for(lambda r, c, d=d, e=e: {(r, c)} <= {(d, e), (e, d)}, UNEQUAL),
        )
        for d, e in ((1, 1), (1, 3), (0, 4), (3, 3))
    ],
    (
        cs.SelfTaxicab(),
        lambda values: (
            not any(
                values[a] == values[b] == abs(a.row - b.row) + abs(a.col - b.col)
                for a, b in combinations(values, 2)
            )
        ),
    ),
    (cs.NegativeXV(), holds_for(lambda r, c: r + c == 1, lambda x, y: x + y not in (5, 10))),
    (
        cs.NegativeKropki(),
        holds_for(
            lambda r, c: r + c == 1,
            lambda x, y: abs(x - y) != 1 and x != 2 * y and y != 2 * x,
        ),
    ),
]


@pytest.mark.parametrize("number", range(len(EVERYWHERE)))
def test_rules_all_over_a_grid_by_a_second_definition(number):
    """On wide, tall and square grids, up to the largest distance: both say the same of any grid."""
    rule, expected = EVERYWHERE[number]
    rng = Random(number)
    for rows, columns in ((2, 5), (5, 2), (3, 4), (4, 3), (4, 4), (1, 6), (6, 1)):
        bare = cs.Grid(rows, columns, tuple(range(1, 10)), row_houses=False, column_houses=False)
        puzzle = cs.Puzzle((bare,)).add(rule)
        said = set()
        for values in (2, 4, 9, 9, 9):
            for _ in range(15):
                # Mostly equal grids: a rule of one far pair shows only there.
                grid = {place: rng.randint(1, values) for place in puzzle.cells}
                said.add(expected(grid))
                assert rule.holds(grid, puzzle) == expected(grid), (rule, rows, columns, grid)


# What a rule means where its file says no number: size, and the difference by the trade's tables.
DEFAULTS = [
    (cs.Whisper, {4: 2, 5: 3, 6: 3, 7: 4, 8: 4, 9: 5, 16: 8}),
    (cs.Lockout, {4: 2, 5: 2, 6: 3, 7: 3, 8: 4, 9: 4, 16: 8}),
]


@pytest.mark.parametrize(("kind", "table"), DEFAULTS, ids=lambda each: getattr(each, "name", ""))
def test_defaults_that_depend_on_the_size(kind, table):
    for side, least in table.items():
        grids = [cs.Grid(side, side, tuple(range(1, side + 1)))]
        grids += [cs.Grid(side, 3, tuple(range(1, side + 1)), row_houses=False)]
        grids += [cs.Grid(3, side, tuple(range(1, side + 1)), column_houses=False)]
        for grid in grids:
            puzzle = cs.Puzzle((grid,))
            rule = kind("R1C1 R2C2")
            for other in range(1, side):
                values = {cs.cell("R1C1"): 1, cs.cell("R2C2"): 1 + other}
                assert rule.holds(values, puzzle.add(rule)) == (other >= least), (side, other, grid)


def test_defaults_that_are_fixed():
    """Which pairs of digits a mark without a number allows."""
    puzzle = cs.Puzzle.blank(9)
    for rule, allowed in (
        (cs.Difference("R1C1 R1C2"), lambda a, b: abs(a - b) == 1),
        (cs.Ratio("R1C1 R1C2"), lambda a, b: a == 2 * b or b == 2 * a),
    ):
        for a, b in combinations(range(1, 10), 2):
            values = {cs.cell("R1C1"): a, cs.cell("R1C2"): b}
            assert rule.holds(values, puzzle) == allowed(a, b), (rule, a, b)


# Batches


@pytest.mark.parametrize("name", SHAPES)
def test_a_batch_says_of_every_puzzle_what_the_oracle_says(name):
    """Puzzles with givens, with candidate lists and with both, in one call: each for itself."""
    rng = Random(name)
    shape = SHAPES[name]
    puzzles = []
    for number in range(8):
        lists = dict(narrow(shape, rng, planted(name), most=60).candidates)
        if number % 2:  # a row of givens alone
            lists = {place: values[:1] for place, values in lists.items()}
        puzzles.append(shape.with_givens(lists))
    expected = [solved(puzzle, "brute") for puzzle in puzzles]
    for backend in ("search", "dlx", "sat", "auto"):
        found = list(cs.solve_many(puzzles * 2, backend, limit=3))
        for puzzle, result, wanted in zip(puzzles * 2, found, expected * 2, strict=True):
            assert len(result.solutions) == min(3, len(wanted)), (name, backend)
            assert {*result.solutions} <= wanted
            assert all(cs.verify(puzzle, solution).ok for solution in result.solutions)


# Techniques


def test_a_fish_needs_covers_for_all_places():
    """In random positions of a windoku, whose windows do not cover the grid."""
    from csp_sudoku.strategies.fish import fishes
    from csp_sudoku.strategies.network import network_of
    from csp_sudoku.strategies.position import Position

    puzzle = cs.Puzzle.blank(9).add(cs.Windoku())
    network = network_of(puzzle)
    seen = 0
    for seed in range(60):
        rng = Random(seed)
        value = rng.randint(1, 9)
        # In a few rows the value has few places left, some of them outside of the windows.
        lists = {}
        for row in rng.sample(range(9), 4):
            kept = rng.sample(range(9), 3)
            for column in range(9):
                if column not in kept:
                    lists[cs.Cell(row, column)] = [v for v in range(1, 10) if v != value]
        position = Position.start(network, dict(puzzle.with_givens(lists).candidates))
        for code, bases, covers in fishes(position):
            seen += 1
            board = position.boards[code]
            places = {p for base in bases for p in base.members if board >> p & 1}
            assert places <= {p for cover in covers for p in cover.members}, (seed, bases, covers)
    assert seen > 10


@pytest.mark.parametrize(
    "rule", [cs.AntiKnight(), cs.Taxicab(4), cs.Nonconsecutive(), cs.NegativeXV()], ids=str
)
def test_the_two_values_of_a_unique_rectangle_can_be_swapped(rule):
    """What the technique relies on, in a grid that obeys the rules: by the rules themselves."""
    from csp_sudoku.strategies.network import Network, network_of
    from csp_sudoku.strategies.position import Position
    from csp_sudoku.strategies.uniqueness import rectangles

    puzzle, plain = cs.Puzzle.blank(6).add(rule), cs.Puzzle.blank(6)
    # A network knows more of a puzzle than of its graph.
    for network in (network_of(puzzle), Network(puzzle.graph), network_of(plain)):
        found = 0
        puzzle = network.puzzle or puzzle
        for seed in range(25):
            rng = Random(seed)
            top, bottom = sorted(rng.sample(range(6), 2))
            left, right = sorted(rng.sample(range(6), 2))
            a, b = rng.sample(range(1, 7), 2)
            corners = {cs.Cell(r, c): [a, b] for r in (top, bottom) for c in (left, right)}
            position = Position.start(network, dict(puzzle.with_givens(corners).candidates))
            for around, pair in rectangles(position):
                values = [network.values[code] for code in range(6) if pair >> code & 1]
                places = [network.places[corner] for corner in around]
                pattern = dict(zip(places, values * 2, strict=True))
                for solution in cs.solve(puzzle.with_givens(pattern), "sat").solutions:
                    swap = {place: sum(values) - value for place, value in pattern.items()}
                    assert cs.verify(puzzle, {**dict(solution), **swap}).ok, (seed, rule)
                    found += 1
    assert found


# Formats


@pytest.mark.parametrize(("rows", "columns"), [(5, 2), (2, 5), (6, 3), (3, 6), (4, 4)])
def test_every_diagonal_of_a_grid_can_be_written(rows, columns):
    values = tuple(range(1, max(rows, columns) + 1))
    shape = cs.Puzzle((cs.Grid(rows, columns, values),))
    clues = {}
    for start in shape.cells:
        for direction in ("NE", "NW", "SE", "SW"):
            try:
                clue = cs.LittleKiller(start, direction, 5)
                scope = frozenset(clue.scope(shape.add(clue)))
            except cs.ConstraintError:
                continue
            across = {(p.row, p.col) for p in scope}
            ends = [p for p in across if p[0] in (0, rows - 1) or p[1] in (0, columns - 1)]
            if len(scope) > 1 and len(ends) > 1 and start == min(scope, key=lambda p: p.row):
                clues.setdefault(scope, clue)
    assert len(clues) > rows + columns - 3
    for scope, clue in clues.items():
        text = cs.write_iss(shape.add(clue))
        # The format knows all diagonals down from the top and from the left by their first cell;
        # of the others, some are sums.
        known = clue.start.row == 0 if clue.direction == "SW" else clue.start.col == 0
        assert "LittleKiller" in text or not known
        [again] = cs.read(text).constraints
        assert frozenset(again.scope(shape)) == scope


@pytest.mark.parametrize("name", ["wide", "tall", "from 0", "jigsaw", "window", "nine"])
def test_what_is_written_of_a_shape_is_read_as_the_same_rules(name):
    """Every rule that a format can hold on this shape; two puzzles say the same of any grid."""
    writers = (cs.write_json, cs.write_iss, cs.write_fpuzzles, cs.write_sudokumaker, cs.write_scl)
    written = 0
    for kind in KINDS:
        rng = Random(f"{kind} {name}")
        for _ in range(2):
            puzzle = with_rule(name, kind, rng)
            if puzzle is None:
                continue
            for writer in writers:
                try:
                    again = cs.read(writer(puzzle))
                except cs.CspSudokuError:
                    continue
                written += 1
                assert again.variables == puzzle.variables
                chance = {p: rng.choice(puzzle.values_of(p)) for p in puzzle.variables}
                for grid in (chance, chance | planted(name)):
                    said = [cs.verify(each, grid).ok for each in (puzzle, again)]
                    assert said[0] == said[1], (writer.__name__, puzzle.constraints)
    assert written > 80
