"""Laws that hold for every puzzle, whatever its rules: counts and solutions under changes."""

from itertools import combinations, permutations

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import csp_sudoku as cs
from csp_encodings.automaton import Automaton
from csp_encodings.factors import AllDifferent, Regular, Relation
from csp_encodings.graph import GraphBuilder, restricted
from csp_sudoku.constraints import registry
from csp_sudoku.fuzzing.laws import LAWS, Solve, Undecided

FOUR = cs.Puzzle.blank(4)
RULES = [
    example
    for cls in registry.built_in().values()
    for example in cls.examples()
    if not any(example.declares(FOUR))
]
# Rules that speak of equal and different values only: the names of the values do not matter.
NAMELESS = [
    cs.AntiKnight(), cs.AntiKing(), cs.Diagonals(), cs.Windoku(), cs.DisjointGroups(),
    cs.AllDifferent("R1C1 R2C3 R4C4"), cs.Equal("R1C2 R3C1"), cs.NotEqual("R2C2 R3C4"),
    cs.Palindrome("R1C1 R1C2 R3C2 R2C3"), cs.Equal("R1C1 R3C4") | cs.AntiKnight(),
]  # fmt: skip
# Laws about such rules.
TURNING = ("relabelling", "complement", "transposition")
BACKENDS = st.sampled_from(["sat", "search", "dlx", "cpsat"])


def with_rules(puzzle, *rules):
    """Some rules refuse the company of others, or a place under an or; those are passed over."""
    try:
        return puzzle.add(*rules)
    except cs.ConstraintError:
        reject()


def puzzles(rules, most=2):
    chosen = st.lists(st.sampled_from(rules), max_size=most)
    cells = st.dictionaries(st.sampled_from(FOUR.cells), st.integers(1, 4), max_size=2)
    return st.builds(
        lambda added, filled: with_rules(FOUR, *added).with_givens(filled), chosen, cells
    )


def found(puzzle, backend="sat"):
    return set(cs.solutions(puzzle, backend))


@pytest.mark.parametrize("law", LAWS)
@given(st.data())
@settings(deadline=None, derandomize=True, max_examples=15)
def test_the_laws_of_the_fuzzer(law, data):
    rules = [*NAMELESS, cs.Whisper("R1C1 R1C2 R2C3", 2)] if law in TURNING else RULES
    puzzle = data.draw(puzzles(rules))
    rng = data.draw(st.randoms(use_true_random=False))
    try:
        broken = LAWS[law](puzzle, rng, Solve(data.draw(BACKENDS)))
    except (Undecided, cs.ConstraintError, cs.PuzzleError, cs.BudgetError):
        reject()
    assert not broken, broken


@given(puzzles(NAMELESS, most=0))  # rules would see distances between cells, which are not kept
@settings(deadline=None, derandomize=True, max_examples=10)
def test_swapping_bands_and_rows_changes_no_count(puzzle):
    def moved(change):
        return puzzle.without_givens().with_givens(
            {cs.Cell(*change(*place)): values for place, values in puzzle.candidates}
        )

    whole = int(cs.count(puzzle))
    assert int(cs.count(moved(lambda r, c: ((r + 2) % 4, c)))) == whole
    assert int(cs.count(moved(lambda r, c: (r ^ 1, c)))) == whole


@given(st.sampled_from(NAMELESS[:3]), st.sampled_from(NAMELESS[:3]))
@settings(deadline=None, derandomize=True, max_examples=6)
def test_puzzles_side_by_side_multiply(a, b):
    left, right = cs.Grid(3, 3, (1, 2, 3)), cs.Grid(3, 3, (1, 2, 3), left=10)
    both = cs.Puzzle.overlapping([left, right]).add(a, b)
    alone = cs.Puzzle((left,)).add(a, b)
    assert int(cs.count(both)) == int(cs.count(alone)) ** 2


def test_all_different_in_four_ways():
    values = (1, 2, 4, 7)
    pairs = frozenset(permutations(values, 2))
    ways = {
        "factor": [AllDifferent(tuple("wxyz"))],
        "relations": [Relation(a, b, pairs) for a, b in combinations("wxyz", 2)],
        "table": [Regular(tuple("wxyz"), Automaton.from_table([values] * 4, permutations(values)))],
        "automaton": [
            Regular(
                tuple("wxyz"),
                Automaton.from_fold(
                    [values] * 4,
                    frozenset(),
                    lambda used, v: None if v in used else used | {v},
                    lambda used: True,
                ),
            )
        ],
    }
    from csp_sudoku import backends

    for way, parts in ways.items():
        builder = GraphBuilder()
        for name in "wxyz":
            builder.variable(name, values)
        for factor in parts:
            builder.factor(factor)
        graph = builder.build()
        for name in backends.names():
            if name == "boards" and way in ("table", "automaton"):
                continue  # boards hold differences and relations alone
            with backends.get(name).compile(graph) as session:
                rows = [tuple(s.values()) for s in session.solutions({"w": (1,)})]
            assert sorted(rows) == [(1, *p) for p in permutations((2, 4, 7))], (way, name)


@given(puzzles(RULES))
@settings(deadline=None, derandomize=True, max_examples=30)
def test_ac3_keeps_every_solution_and_repeats_itself(puzzle):
    reduced = cs.ac3(puzzle.graph)
    for solution in found(puzzle):
        assert all(value in reduced.domains[place] for place, value in solution.items())
    if reduced.consistent:
        again = cs.ac3(restricted(puzzle.graph, reduced.domains))
        assert again.domains == reduced.domains
        smaller = cs.ac3(puzzle.with_givens({"R1C1": [1, 2]}).graph)
        if smaller.consistent:
            assert all(set(smaller.domains[v]) <= set(reduced.domains[v]) for v in FOUR.cells)
    else:
        assert found(puzzle) == set()


@given(puzzles(RULES))
@settings(deadline=None, derandomize=True, max_examples=25)
def test_an_infeasible_relaxation_means_that_none_exist(puzzle):
    result = cs.solve(puzzle, "lp", limit=1)
    if result.statistics.relaxation == "infeasible":
        assert found(puzzle) == set()
    assert bool(result.solutions) is bool(found(puzzle))
