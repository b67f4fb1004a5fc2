"""Second names of regions to be found: the same solutions, also with other rules and givens."""

import pytest

import csp_sudoku as cs
from csp_encodings import cnf
from csp_encodings.automaton import Automaton
from csp_encodings.connected_clauses import connected_pattern
from csp_encodings.factors import AllDifferent, Connected, alike
from csp_encodings.graph import Auxiliary, domains, factors, variables
from csp_encodings.implied import with_implied
from csp_encodings.patterns import alike_pattern
from csp_encodings.regions import NAME, can_be_named, with_names

FOUR = cs.Puzzle.blank(4, box=None).add(cs.RegionsToFind())
SQUARE = FOUR.with_givens({f"R1C{i}": i for i in range(1, 5)})
FLAT = cs.Puzzle.blank(4, 6, box=None, values=range(1, 7), column_houses=False)

PUZZLES = {
    "a square": SQUARE,
    "the rule twice": SQUARE.add(cs.RegionsToFind(size=4)),
    "labels are given": SQUARE.with_givens({"region:R2C2": 2, "region:R3C4": 3, "region:R4C1": 4}),
    "labels that cannot be": SQUARE.with_givens({"region:R1C2": 3}),
    "two cells are alike": SQUARE.add(cs.Equal("region:R1C1 region:R2C2")),
    "a border": SQUARE.add(cs.AllDifferent("region:R1C1 region:R1C2 region:R3C3")),
    "a rule about the numbers": SQUARE.add(cs.Sum("region:R2C1 region:R4C4 R4C1", 8)),
    "a cell counts its region": SQUARE.add(
        cs.SameCount("R2C2", "region:R2C2 region:R1C2 region:R3C2 region:R2C1 region:R2C3")
    ),
    "a run": SQUARE.add(cs.RunLength("R2C1", ["region:R2C1-R2C4", "region:R2C1-R4C1"])),
    "regions around a cell": SQUARE.add(
        cs.CountDistinct("R3C3 region:R2C3 region:R3C2 region:R3C4 region:R4C3")
    ),
    "all cells of two values": SQUARE.with_givens({"R2C1": 2, "R2C2": 1, "R3C3": 2, "R4C4": 2}),
    "four rows of six": FLAT.add(cs.RegionsToFind()).with_givens(
        {f"R{row}C{i}": (i + 2 * row) % 6 + 1 for row in (1, 2, 3, 4) for i in range(1, 7)}
        | {"region:R3C2": 3, "region:R2C6": 2, "region:R2C2": 1}
    ),
    "two cells are not alike": SQUARE.add(~cs.Equal("region:R2C2 region:R3C3")),
}


def found(puzzle, backend):
    return sorted(solution.line for solution in cs.solutions(puzzle, backend, limit=3_000))


@pytest.mark.parametrize("name", PUZZLES)
def test_solutions_with_and_without_names(name):
    puzzle = PUZZLES[name]
    wanted = found(puzzle, "sat:implied=false")
    assert len(wanted) == len({*wanted}) < 3_000
    assert bool(wanted) == (name != "labels that cannot be")
    # Each solution comes once: it determines the names.
    assert found(puzzle, "sat:names=true") == wanted
    assert found(puzzle, "sat:names=true,solver=cadical195") == wanted
    assert cs.count(puzzle, "search").value == len(wanted)


def test_a_session_is_asked_with_givens():
    """The names are made for the rules alone here, and givens are assumptions."""
    rows = [SQUARE.with_givens({"R2C1": value, "R2C2": other}) for value, other in ((2, 1), (3, 4))]
    for puzzle in rows:
        assert found(puzzle, "sat:names=true") == found(puzzle, "search")


def test_every_solution_determines_the_names():
    """Each model of the formula is another solution: there is one for each of the 578."""
    from pysat.solvers import Solver

    more = with_names(SQUARE.graph)
    formula = cnf.encode(more)
    names = [v for v in domains(more) if isinstance(v, Auxiliary) and v.label == NAME]
    assert len(names) == 16
    literals = [formula.literals[v, x] for v in variables(more) for x in domains(more)[v]]
    with Solver(
        "cadical195", bootstrap_with=[list(clause) for clause in formula.clauses]
    ) as solver:
        number = 0
        while solver.solve():
            number += 1
            true = {x for x in solver.get_model() if x > 0}
            fixed = [x for x in literals if x in true]
            others = [x if x in true else -x for x in range(1, formula.variables + 1)]
            # No other values of anything with this solution.
            solver.add_clause([-x for x in others])
            assert not solver.solve(assumptions=fixed)
            solver.add_clause([-x for x in fixed])
    assert number == 578


def test_a_value_stands_in_the_house_of_the_name():
    more = with_names(SQUARE.graph)
    data = dict(more.nodes(data=True))
    named = [
        node for node, d in data.items() if "implied" in d and isinstance(d["factor"], Connected)
    ]
    assert len(named) == 1
    sources = {data[s]["source"].name for s in data[named[0]]["implied"] if s in data}
    assert "regions-to-find" in sources
    # What says that digits of a region differ is said of the names instead.
    assert sum(isinstance(f, AllDifferent) for f in factors(more).values()) == 9
    assert sum(isinstance(f, AllDifferent) for f in factors(SQUARE.graph).values()) == 9


@pytest.mark.parametrize(
    "puzzle",
    [
        cs.Puzzle.blank(4, box=None).add(cs.RegionsToFind(repeats=True)),
        cs.Puzzle.blank(4, box=None, values=range(1, 6)).add(cs.RegionsToFind(4)),
        cs.Puzzle.blank(4, box=None, row_houses=False, column_houses=False).add(cs.RegionsToFind()),
        cs.Puzzle.blank(16, box=None).add(cs.RegionsToFind()),
        cs.Puzzle.blank(2, box=None).with_layer("region", range(1, 3)).add(~cs.RegionsToFind()),
        cs.Puzzle.blank(4).add(cs.YinYang()),
    ],
    ids=["digits repeat", "digits to spare", "no houses", "too large", "negated", "shading"],
)
def test_others_get_no_names(puzzle):
    graph = puzzle.graph
    assert not can_be_named(graph)
    assert with_names(graph) is graph


def test_names_are_only_for_those_who_ask():
    assert not any("implied" in data for _, data in with_implied(SQUARE.graph).nodes(data=True))
    assert can_be_named(SQUARE.graph)


def test_a_bit_that_says_alike_has_few_clauses():
    pattern = alike_pattern(alike((1, 2, 3), (1, 2, 3)))
    assert pattern.new == ()
    assert len(pattern.clauses) == 9
    for other in (lambda a, b: a < b, lambda a, b: a + b > 2):
        machine = Automaton.from_predicate(((1, 2, 3), (1, 2, 3)), other).reified()
        assert alike_pattern(machine) is None


def test_classes_that_are_linked_already_only_say_what_is_far():
    path = tuple((i, i + 1) for i in range(3))
    every = ((0, 1), (1, 2), (2, 3))
    plain = connected_pattern(((1, 2),) * 4, path, ((1,), (2,)), 2, every)
    linked = connected_pattern(((1, 2),) * 4, path, ((1,), (2,)), 2, every, True)
    assert len(linked.clauses) == 3 * 2 < len(plain.clauses)
    assert linked.new == ()


def test_auto_names_regions_that_take_long(monkeypatch):
    from csp_sudoku.backends import auto

    monkeypatch.setattr(auto, "_WITHOUT_NAMES", 1)
    puzzle = SQUARE.with_givens({"R2C1": 2, "R3C1": 3, "region:R4C4": 3})
    wanted = found(puzzle, "search")[:2]
    result = cs.solve(puzzle, "auto:kernels=false", limit=2)
    assert {s.line for s in result.solutions} <= {*found(puzzle, "search")}
    assert len(result.solutions) == len(wanted)
