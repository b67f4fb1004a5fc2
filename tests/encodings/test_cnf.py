"""CNF: what the clauses allow, what unit propagation sees, and that they are always the same."""

import os
import subprocess
import sys
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from csp_encodings import cnf as cnf_module
from csp_encodings.at_most_one import ENCODINGS
from csp_encodings.automaton import Automaton
from csp_encodings.cnf import encode
from csp_encodings.errors import BudgetError, EncodingError
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import GraphBuilder, assignments, graph_of, variables

CHOICES = [*ENCODINGS, "native"]


def propagate(clauses, literals):
    """Plain unit propagation: the literals that follow, or None if there is a contradiction."""
    true = set(literals)
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if true.isdisjoint(clause):
                open_literals = [literal for literal in clause if -literal not in true]
                if not open_literals:
                    return None
                if len(open_literals) == 1:
                    true.add(open_literals[0])
                    changed = True
    return true


def left(cnf, literals):
    """The values that propagation leaves."""
    true = propagate(cnf.clauses, literals)
    return set() if true is None else {v for v, x in cnf.literals.items() if -x not in true}


def models(cnf):
    """Every model over all variables, by branching on unit propagation."""
    clauses = [*cnf.clauses]
    for literals, bound in cnf.at_most:
        clauses += [tuple(-x for x in some) for some in combinations(literals, bound + 1)]

    def extend(true, number):
        if number > cnf.variables:
            yield true
            return
        for literal in (number, -number):
            if -literal not in true:
                more = propagate(clauses, [*true, literal])
                if more is not None:
                    yield from extend(more, number + 1)

    first = propagate(clauses, [])
    return [] if first is None else list(extend(first, 1))


def solutions(cnf):
    return sorted(tuple(sorted(cnf.decode(model).items())) for model in models(cnf))


def expected(graph):
    shown = variables(graph)
    return sorted(tuple(sorted((v, a[v]) for v in shown)) for a in assignments(graph))


def fresh_from(first):
    top = first - 1

    def fresh(count):
        nonlocal top
        top += count
        return range(top - count + 1, top + 1)

    return fresh


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 6, 7, 8, 13])
@pytest.mark.parametrize("name", ENCODINGS)
def test_at_most_one(name, size):
    """A true literal makes the others false by propagation, and no set of two is allowed."""
    literals = range(1, size + 1)
    clauses = list(ENCODINGS[name](literals, fresh_from(size + 1)))
    assert propagate(clauses, [-x for x in literals]) is not None
    for x in literals:
        assert {-y for y in literals if y != x} <= propagate(clauses, [x])
    for pair in combinations(literals, 2):
        assert propagate(clauses, pair) is None


@pytest.mark.parametrize(
    ("name", "clauses", "new"),
    [
        ("pairwise", lambda n: n * (n - 1) // 2, lambda n: 0),
        ("sequential", lambda n: 3 * n - 4, lambda n: n - 1),
    ],
)
def test_sizes_of_the_papers(name, clauses, new):
    for n in range(2, 20):
        taken = []
        fresh = fresh_from(n + 1)
        found = list(
            ENCODINGS[name](
                range(1, n + 1), lambda k, fresh=fresh, taken=taken: taken.append(k) or fresh(k)
            )
        )
        assert (len(found), sum(taken)) == (clauses(n), new(n))


def test_the_product_encoding_is_the_smallest_for_large_sets():
    sizes = {name: len(list(e(range(1, 101), fresh_from(101)))) for name, e in ENCODINGS.items()}
    assert sizes["product"] < sizes["sequential"] < sizes["pairwise"]


CAGE = Automaton.from_predicate(
    [range(5)] * 3, lambda *held: len(set(held)) == 3 and sum(held) == 6
)
EMPTY = Automaton.from_fold([], 0, lambda s, v: s, lambda s: True)
CASES = {
    "nothing at all": graph_of({}),
    "a variable in no factor": graph_of({"x": (-5, 0, 10**30)}),
    "an empty domain": graph_of({"x": (), "y": (1, 2)}),
    "all different, a permutation": graph_of(
        dict.fromkeys("xyz", (0, 1, 2)), AllDifferent(tuple("xyz"))
    ),
    "all different, domains that differ": graph_of(
        {"x": (1, 2), "y": (2, 3), "z": (3,)}, AllDifferent(tuple("xyz"))
    ),
    "all different, more values than variables": graph_of(
        dict.fromkeys("xy", (1, 2, 3)), AllDifferent(tuple("xy"))
    ),
    "all different, too few values": graph_of(
        dict.fromkeys("xyz", (1, 2)), AllDifferent(tuple("xyz"))
    ),
    "all different, a variable twice": graph_of({"x": (1, 2)}, AllDifferent(("x", "x"))),
    "all different of nothing": graph_of({"x": (1, 2)}, AllDifferent(())),
    "a relation that forbids little": graph_of(
        dict.fromkeys("xy", range(4)),
        Relation.where("x", "y", range(4), range(4), lambda a, b: a != b),
    ),
    "a relation that allows little": graph_of(
        dict.fromkeys("xy", range(4)),
        Relation.where("x", "y", range(4), range(4), lambda a, b: a == b),
    ),
    "a relation that allows nothing": graph_of(
        dict.fromkeys("xy", range(4)), Relation("x", "y", frozenset())
    ),
    "a relation of a variable with itself": graph_of(
        {"x": range(4)}, Relation("x", "x", frozenset({(0, 1), (2, 2), (9, 9)}))
    ),
    "a sum": graph_of(dict.fromkeys("xyz", range(-1, 3)), Linear((2, -1, 1), tuple("xyz"), 0, 3)),
    "a sum, open below": graph_of(
        dict.fromkeys("xy", range(3)), Linear((1, 1), ("x", "y"), None, 2)
    ),
    "a sum, open": graph_of(dict.fromkeys("xy", range(3)), Linear((1, 1), ("x", "y"), None, None)),
    "a sum out of reach": graph_of(
        dict.fromkeys("xy", range(3)), Linear((1, 1), ("x", "y"), 9, None)
    ),
    "an empty sum that holds": graph_of({"x": (1, 2)}, Linear((), (), 0, 0)),
    "an empty sum that does not": graph_of({"x": (1, 2)}, Linear((), (), 1, 1)),
    "an automaton of no position": graph_of({"x": (1, 2)}, Regular((), EMPTY)),
    "an automaton of one position": graph_of(
        {"x": range(4)}, Regular(("x",), Automaton.from_table([range(4)], [(1,), (3,)]))
    ),
    "an automaton that accepts nothing": graph_of(
        dict.fromkeys("xy", range(2)), Regular(("x", "y"), Automaton.nothing([range(2)] * 2))
    ),
    "an automaton that reads a variable twice": graph_of(
        dict.fromkeys("xy", range(3)),
        Regular(
            ("x", "y", "x"),
            Automaton.from_predicate([range(3)] * 3, lambda a, b, c: a + b == 2 * c),
        ),
    ),
    "sets of values": graph_of(dict.fromkeys("xyz", range(5)), Regular(tuple("xyz"), CAGE)),
    "sets of values, smaller domains": graph_of(
        {"x": (0, 4), "y": range(5), "z": (0, 2, 3)}, Regular(tuple("xyz"), CAGE)
    ),
    "sets of values, none is left": graph_of(
        {"x": (0, 1), "y": (0, 1), "z": (0, 2)}, Regular(tuple("xyz"), CAGE)
    ),
    "sets of values, a variable twice": graph_of(
        dict.fromkeys("xy", range(5)), Regular(("x", "y", "x"), CAGE)
    ),
    "values outside the alphabet": graph_of(
        {"x": range(5), "y": range(-2, 2)},
        Regular(("x", "y"), Automaton.from_predicate([range(3), range(3)], lambda a, b: a != b)),
    ),
    "values outside the alphabet, in order": graph_of(
        {"x": range(5), "y": range(-2, 2)},
        Regular(("x", "y"), Automaton.from_predicate([range(3), range(3)], lambda a, b: a > b)),
    ),
    "values outside the alphabet, and nothing is accepted": graph_of(
        {"x": range(5), "y": range(-2, 2)},
        Regular(("x", "y"), Automaton.nothing([range(3), range(3, 5)])),
    ),
    "domains smaller than the alphabet": graph_of(
        {"x": (1,), "y": (0, 2)},
        Regular(("x", "y"), Automaton.from_predicate([range(3), range(3)], lambda a, b: a < b)),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_models_are_the_solutions(case):
    for at_most_one, redundant in product(CHOICES, (True, False)):
        cnf = encode(CASES[case], redundant=redundant, at_most_one=at_most_one)
        assert sorted(set(solutions(cnf))) == expected(CASES[case]), (at_most_one, redundant)


def test_auxiliaries_are_not_decoded_and_are_determined():
    builder = GraphBuilder()
    builder.variable("x", range(3))
    builder.auxiliary("double", range(5), lambda d: Linear((2, -1), ("x", d), 0, 0))
    cnf = encode(builder.build())
    assert solutions(cnf) == [(("x", 0),), (("x", 1),), (("x", 2),)]


tables = st.sets(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=30)
subsets = st.sets(st.integers(0, 2), min_size=1)


@given(tables, st.tuples(*[subsets] * 4))
@settings(max_examples=150, deadline=None)
def test_unit_propagation_on_an_automaton_is_generalised_arc_consistency(table, kept):
    automaton = Automaton.from_table([range(3)] * 4, table)
    graph = graph_of(dict.fromkeys("wxyz", range(3)), Regular(tuple("wxyz"), automaton))
    cnf = encode(graph)
    removed = [-x for (v, value), x in cnf.literals.items() if value not in kept["wxyz".index(v)]]
    assert left(cnf, removed) == {
        (v, value)
        for v, values in zip("wxyz", automaton.filter(kept), strict=True)
        for value in values
    }


@given(tables)
@settings(max_examples=30, deadline=None)
def test_edges_and_states_are_determined(table):
    automaton = Automaton.from_table([range(3)] * 4, table)
    graph = graph_of(dict.fromkeys("wxyz", range(3)), Regular(tuple("wxyz"), automaton))
    assert len(models(encode(graph))) == len(table)


def test_sets_of_values_are_determined():
    graph = graph_of(dict.fromkeys("xyz", range(5)), Regular(tuple("xyz"), CAGE))
    cnf = encode(graph)
    assert "factor 0: set of values 2" in list(cnf.names())
    assert len(models(cnf)) == CAGE.count() == 12


def test_unit_propagation_on_sets_of_values():
    """A value that is in no set any more goes; and what all sets hold needs a place."""
    cnf = encode(graph_of(dict.fromkeys("xyz", range(5)), Regular(tuple("xyz"), CAGE)))
    # 0 2 4 and 1 2 3
    assert left(cnf, [-cnf.literals[v, 4] for v in "xyz"]) == set(product("xyz", (1, 2, 3)))
    assert left(cnf, [cnf.literals["x", 1], cnf.literals["y", 3]]) == {("x", 1), ("y", 3), ("z", 2)}


def test_sets_of_values_that_others_keep_apart_do_not_say_so_again():
    def at_most(*groups):
        said = [AllDifferent(tuple(group)) for group in groups]
        graph = graph_of(dict.fromkeys("wxyz", range(5)), *said, Regular(tuple("xyz"), CAGE))
        return len(encode(graph, at_most_one="native").at_most) - 4 - 5 * len(said)

    assert at_most() == at_most("xy") == at_most("xy", "yz", "wz") == 5
    assert at_most("wxyz") == at_most("xy", "yz", "xz") == 0


@given(st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3))), subsets, subsets)
@settings(max_examples=100, deadline=None)
def test_unit_propagation_on_a_relation(pairs, xs, ys):
    """Support clauses give arc consistency; the few conflict clauses may give less, never more."""
    cnf = encode(graph_of({"x": range(4), "y": range(4)}, Relation("x", "y", frozenset(pairs))))
    removed = [-x for (v, b), x in cnf.literals.items() if b not in (xs if v == "x" else ys)]
    alive = [(a, b) for a, b in product(sorted(xs), sorted(ys)) if (a, b) in pairs]
    forbidden = 16 - len(pairs)
    wanted = {("x", a) for a, _ in alive} | {("y", b) for _, b in alive}
    found = left(cnf, removed)
    assert found == wanted if forbidden > 8 else found >= wanted


def test_a_relation_takes_the_smaller_encoding():
    def clauses(predicate):
        relation = Relation.where("x", "y", range(9), range(9), predicate)
        bare = graph_of(dict.fromkeys("xy", range(9)))
        with_it = graph_of(dict.fromkeys("xy", range(9)), relation)
        return len(encode(with_it).clauses) - len(encode(bare).clauses)

    assert clauses(lambda a, b: a != b) == 9  # conflicts
    assert clauses(lambda a, b: a == b) == 18  # supports


def test_an_impossible_all_different_is_said_outright():
    """Solvers take exponential time for a pigeonhole principle."""
    graph = graph_of({i: range(20) for i in range(21)}, AllDifferent(tuple(range(21))))
    assert () in encode(graph).clauses


def test_a_large_grid_stays_small_with_native_constraints():
    side = range(36)
    rows = [AllDifferent(tuple((r, c) for c in side)) for r in side]
    graph = graph_of({(r, c): side for r in side for c in side}, *rows)
    cnf = encode(graph, at_most_one="native")
    assert (cnf.variables, len(cnf.at_most), len(cnf.clauses)) == (36**3, 2 * 36**2, 2 * 36**2)


def test_names():
    automaton = Automaton.from_predicate([range(2)] * 3, lambda *v: sum(v) == 2)
    regular, different = Regular(tuple("xyz"), automaton), AllDifferent(("x", "z"))
    graph = graph_of(dict.fromkeys("xyz", range(2)), regular, different)
    cnf = encode(graph, at_most_one="sequential")
    names = list(cnf.names())
    assert len(names) == len(set(names)) == cnf.variables
    assert names[:3] == ["x=0", "x=1", "y=0"]
    assert "factor 0: edge over position 2 1" in names
    assert "factor 1: at most one 2" in names


def test_a_formula_beyond_the_range_of_solvers_is_refused(monkeypatch):
    monkeypatch.setattr(cnf_module, "MAX_VARIABLES", 8)
    with pytest.raises(EncodingError, match="needs 9 variables; solvers take 8"):
        encode(graph_of(dict.fromkeys("xyz", range(3))))


def test_errors():
    with pytest.raises(EncodingError, match="'bogus': expected one of pairwise"):
        encode(graph_of({}), at_most_one="bogus")
    huge = Linear(tuple(2**i for i in range(40)), tuple(range(40)), 2**20, None)
    with pytest.raises(BudgetError):
        encode(graph_of({i: range(2) for i in range(40)}, huge))


SAME = """
from csp_encodings.automaton import Automaton
from csp_encodings.cnf import encode
from csp_encodings.factors import *
from csp_encodings.graph import GraphBuilder
builder = GraphBuilder()
for name in ("one", "two", "three"):
    builder.variable(name, range(4))
builder.factor(AllDifferent(("one", "two", "three")))
builder.factor(Relation("one", "two", frozenset({(0, 1), (1, 2), (2, 3)})))
automaton = Automaton.from_table([range(4)] * 3, [(0, 1, 2), (1, 2, 3), (3, 1, 0)])
builder.factor(Regular(("one", "two", "three"), automaton))
print(encode(builder.build(), at_most_one="product"))
"""


def test_equal_graphs_give_equal_encodings_in_every_process():
    runs = {
        subprocess.run(
            [sys.executable, "-c", SAME],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
