"""Sums as clauses: every small sum against plain enumeration, with one model for each solution."""

from itertools import combinations_with_replacement, product
from unittest.mock import patch

import pytest
from pysat.solvers import Minisat22

from csp_encodings import cnf
from csp_encodings.factors import AllDifferent, Linear, automaton_of
from csp_encodings.graph import assignments, graph_of, variables
from csp_encodings.houses import Houses
from csp_encodings.sums import automaton_edges, group_diagram, merge_pattern


@pytest.fixture(autouse=True)
def by_groups():
    """Neither automata nor sets: all sums go by groups."""
    with patch.multiple(cnf, _MOST_EDGES=-1, _MOST_SETS=0):
        yield


def check(graph):
    """Compare the models with the solutions: the same ones, each once."""
    formula = cnf.encode(graph)
    shown = variables(graph)
    expected = sorted(tuple(a[v] for v in shown) for a in assignments(graph))
    with Minisat22() as solver:
        for clause in formula.clauses:
            if not clause:
                assert expected == []
                return
            solver.add_clause(clause)
        found = [formula.decode(model) for model in solver.enum_models()]
    assert sorted(tuple(a[v] for v in shown) for a in found) == expected


DOMAINS = [(1, 2, 3), (0, 1), (-2, 0, 5), (1, 2, 3, 4), (7,)]


@pytest.mark.parametrize("different", [(), ("ab",), ("abc",), ("ab", "cd"), ("abc", "bcd")])
@pytest.mark.parametrize("signs", [(1, 1, 1, 1), (1, 1, -1, -1), (10, 1, -1, -1), (2, 2, 2, -3)])
@pytest.mark.parametrize("domain", DOMAINS)
def test_every_total_of_four_variables(domain, signs, different):
    domains = dict.fromkeys("abcd", domain)
    reach = Linear(signs, tuple("abcd"), None, None).bounds([domain] * 4)
    for total in range(reach[0] - 1, reach[1] + 2, max(1, (reach[1] - reach[0]) // 8)):
        factor = Linear(signs, tuple("abcd"), total, total)
        check(graph_of(domains, *map(AllDifferent, map(tuple, different)), factor))


@pytest.mark.parametrize(("low", "high"), [(None, 5), (6, None), (4, 6), (6, 4), (None, None)])
def test_bounds(low, high):
    for different in ("ab", "abc", ""):
        factors = [AllDifferent(tuple(different))] if different else []
        factors.append(Linear((1, 1, 1), tuple("abc"), low, high))
        check(graph_of(dict.fromkeys("abc", (1, 2, 3, 4)), *factors))


def test_unequal_domains_in_a_house():
    """Values that a fixed variable takes are still in the domains of the others."""
    domains = {"a": (1,), "b": (1, 2, 3), "c": (1, 2), "d": (2, 3, 4), "e": (1, 2, 3, 4)}
    house = AllDifferent(tuple("abcd"))
    for total in range(3, 12):
        check(graph_of(domains, house, Linear((1, 1, 1), tuple("bce"), total, total)))
        check(graph_of(domains, house, Linear((1, 1, -1), tuple("abd"), total - 6, total - 5)))


def test_sums_with_a_common_group():
    """Two sums share the bits of a group; the bounds of one do not bind the other wrongly."""
    domains = dict.fromkeys("abcde", (1, 2, 3, 4))
    house = AllDifferent(tuple("abc"))
    for first, second in product(range(6, 14, 2), repeat=2):
        sums = (
            Linear((1, 1, 1, 1), tuple("abcd"), first, first),
            Linear((1, 1, 1, 1), tuple("abce"), None, second),
        )
        check(graph_of(domains, house, *sums))


def test_sums_that_stand_alone_know_no_house():
    """Without the clauses of the houses, a sum allows equal values."""
    house, factor = AllDifferent(("a", "b")), Linear((1, 1), ("a", "b"), 4, 4)
    formula = cnf.encode(graph_of(dict.fromkeys("ab", (1, 2, 3)), house, factor), alone=True)
    start, end = formula.starts
    clauses = [*formula.clauses[:start], *formula.clauses[end:]]
    with Minisat22(clauses) as solver:
        found = {tuple(formula.decode(model).values()) for model in solver.enum_models()}
    assert found == {(1, 3), (2, 2), (3, 1)}


def test_merged_pairs_are_exact():
    """Order literals of two numbers fix those of their sum."""
    for first, second in product([(0, 1), (1, 2, 5), (-3, 0, 4)], repeat=2):
        sums = tuple(sorted({a + b for a in first for b in second}))
        clauses = merge_pattern(first, second, sums[0], sums[-1], sums).clauses
        for a, b in product(first, second):
            order = [a >= x for x in first[1:]] + [b >= x for x in second[1:]]
            given = [i if true else -i for i, true in enumerate(order, 1)]
            with Minisat22(clauses) as solver:
                found = list(solver.enum_models(given))
            assert len(found) == 1
            total = sums[sum(x > 0 for x in found[0][len(given) :])]
            assert total == a + b


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_diagram_reads_sets_and_their_sums(count):
    values = (-1, 0, 2, 3, 7)
    read = set(group_diagram(values, count).tuples())
    sets = {bits for bits in product((0, 1), repeat=5) if sum(bits) == count}
    assert read == {(*bits, sum(b * v for b, v in zip(bits, values, strict=True))) for bits in sets}


def test_the_estimate_is_at_least_the_automaton():
    for domain, size in combinations_with_replacement((2, 3, 5), 2):
        own = [tuple(range(1, domain + 1))] * size
        for total in range(size, size * domain + 1):
            factor = Linear((1,) * size, tuple(range(size)), total, total)
            edges = automaton_of(factor, dict(enumerate(own))).edge_count
            assert edges <= automaton_edges(factor, own)


def test_groups_with_the_least_room():
    rows = {i: AllDifferent(tuple("abcdef"[3 * i : 3 * i + 3])) for i in range(2)}
    column = {2: AllDifferent(("a", "d"))}
    houses = Houses(dict.fromkeys("abcdef", tuple(range(1, 7))), rows | column)
    assert houses.split("abde") == [("a", "b"), ("d", "e")]
    assert houses.split("ad") == [("a", "d")]
    assert houses.reach(houses.mask("abcdef")) == (12, 30)
