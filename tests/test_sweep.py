"""Counting by a sweep gives the same numbers as enumeration, for all factors, shapes and orders."""

from __future__ import annotations

import random
import time
from itertools import permutations, product

import pytest

import csp_sudoku as cs
from csp_encodings.automaton import Automaton
from csp_encodings.errors import BudgetError as EncodingBudgetError
from csp_encodings.factors import AllDifferent, Linear, Regular, Relation
from csp_encodings.graph import assignments, graph_of
from csp_encodings.sweep import Planner
from csp_encodings.watch import OutOfTime
from csp_sudoku.counting import count as counting
from csp_sudoku.counting.sweeping import _Run, count_by_sweep


@pytest.mark.parametrize(
    ("puzzle", "number"),
    [
        (cs.Puzzle.blank(6), 28_200_960),
        (cs.Puzzle.blank(6, box=None), 812_851_200),
        (cs.Puzzle.blank(6).add(cs.Diagonals()), 8640),
        (cs.Puzzle.blank(6).add(cs.AntiKnight()), 11_520),
        (cs.Puzzle.blank(6).add(cs.AntiKing()), 74_160),
        (cs.Puzzle.blank(6).add(cs.Nonconsecutive()), 48),
        (cs.Puzzle.blank(6).add(cs.DisjointGroups()), 2_799_360),
        (cs.Puzzle.blank(7, box=None), 61_479_419_904_000),  # more than a limb in all
        (cs.Puzzle.blank(8), 29_136_487_207_403_520),
        # Two cells of a row increase in half of the grids.
        (cs.Puzzle.blank(8).add(cs.Thermometer("R1C1 R1C2")), 14_568_243_603_701_760),
        (cs.Puzzle.blank(3, box=None, row_houses=False, column_houses=False), 3**9),
        (cs.Puzzle.blank(2, 3, box=None), 12),
        (cs.Puzzle.blank(1), 1),
        (cs.read("11.. .... .... ...."), 0),
        (cs.Puzzle.blank(4).with_named("x", range(5)), 288 * 5),
    ],
)
def test_known_numbers(puzzle, number):
    found = cs.count(puzzle, "sweep")
    assert (int(found), found.backend) == (number, "sweep")


def test_all_sums_of_a_cage_together():
    """The cells of the cage come first; the values are interchangeable afterwards."""
    cages = [cs.KillerCage("R1C1 R1C2 R2C1", total) for total in range(6, 16)]
    counts = [count_by_sweep(cs.Puzzle.blank(6).add(cage).graph) for cage in cages]
    assert sum(counts) == 28_200_960


def test_numbers_of_many_limbs():
    loose = cs.Puzzle.blank(9, box=None, row_houses=False, column_houses=False)
    assert int(cs.count(loose, "sweep")) == 9**81


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs(seed):
    """All kinds of factor together, with scopes in any order and with repeated variables."""
    chance = random.Random(seed)
    names = [f"v{i}" for i in range(chance.randint(3, 7))]
    domain_of = {name: chance.sample(range(-2, 3), chance.randint(1, 4)) for name in names}
    listed = []
    for _ in range(chance.randint(1, 6)):
        scope = tuple(chance.sample(names, chance.randint(2, min(4, len(names)))))
        match chance.randrange(4):
            case 0:
                listed.append(AllDifferent(scope))
            case 1:
                chosen = {(chance.randint(-2, 2), chance.randint(-2, 2)) for _ in range(12)}
                listed.append(Relation(scope[0], chance.choice(names), frozenset(chosen)))
            case 2:
                weights = tuple(chance.choice((-2, -1, 1, 3)) for _ in scope)
                listed.append(Linear(weights, scope, chance.randint(-4, 0), chance.randint(0, 5)))
            case 3:
                scope = tuple(chance.choices(names, k=3))
                listed.append(Regular(scope, _thirds(scope, domain_of)))
    graph = graph_of({name: sorted(domain) for name, domain in domain_of.items()}, *listed)
    assert count_by_sweep(graph) == sum(1 for _ in assignments(graph))


def _thirds(scope, domain_of):
    alphabets = [sorted(domain_of[name]) for name in scope]
    return Automaton.from_predicate(alphabets, lambda a, b, c: (a + 2 * b - c) % 3 != 1)


def test_a_relation_tells_values_apart_if_a_permutation_changes_it():
    """Of the relations on three values, four stay the same: none, equal, unequal, all."""
    values = (-1, 0, 4)
    swaps = [dict(zip(values, others, strict=True)) for others in permutations(values)]
    pairs = [*product(values, repeat=2)]
    relations = [
        Relation("x", "y", frozenset(pair for i, pair in enumerate(pairs) if kept >> i & 1))
        for kept in range(1 << len(pairs))
    ]
    planner = Planner(graph_of(dict.fromkeys("xy", values), *relations))
    alike = [relation for relation in relations if not planner.tells_apart(relation)]
    assert alike == [
        relation
        for relation in relations
        if all({(p[a], p[b]) for a, b in relation.allowed} == relation.allowed for p in swaps)
    ]
    for relation in alike:
        graph = graph_of(dict.fromkeys("xy", values), relation)
        assert count_by_sweep(graph) == len(relation.allowed)


@pytest.mark.parametrize("seed", range(6))
def test_random_givens_and_orders(seed):
    """Any order of the variables counts the same."""
    chance = random.Random(seed)
    solution = cs.random_solution(6, seed=seed)
    cells = chance.sample(cs.Puzzle.blank(6).cells, 15)
    corner = "R1C1 R1C2 R2C1"
    cage = cs.KillerCage(corner, sum(solution[cell] for cell in corner.split()))
    puzzle = cs.Puzzle.blank(6).with_givens({cell: solution[cell] for cell in cells}).add(cage)
    known = int(cs.count(puzzle, "sat"))
    assert count_by_sweep(puzzle.graph) == known
    planner = Planner(puzzle.graph)
    order = [*planner.mask]
    chance.shuffle(order)
    run = _Run(planner.plan(order))
    assert run.go_on(None, 1 << 30, None)
    assert run.total == known


def test_count_takes_it(monkeypatch):
    monkeypatch.setattr(counting, "_PATIENCE", 0.0)
    puzzle = cs.Puzzle.blank(6).add(cs.AntiKing(), cs.Thermometer("R1C1 R2C2 R3C3"))
    found = cs.count(puzzle, timeout=300)
    assert (found.complete, found.backend) == (True, "sweep")
    assert int(found) == int(cs.count(puzzle, "sat"))


def test_what_was_found_before_still_counts(monkeypatch):
    monkeypatch.setattr(counting, "_PATIENCE", 0.3)
    monkeypatch.setitem(counting.WAYS, "sweep", lambda *_: (_ for _ in ()).throw(OutOfTime))
    none = counting.Count(0, False, 0, "auto", counting.Statistics(), (), "time ran out")
    monkeypatch.setattr(counting, "_count_on", lambda *_: none)
    found = cs.count(cs.Puzzle.blank(9).add(cs.Thermometer("R1C1 R2C2 R3C3")), timeout=60)
    assert found.value >= found.verified > 0
    assert not found.complete


def test_a_wrong_sweep(monkeypatch):
    monkeypatch.setattr(counting, "_PATIENCE", 0.3)
    monkeypatch.setitem(counting.WAYS, "sweep", lambda *_: 3)
    with pytest.raises(cs.WrongAnswerError, match="sweep counts 3 solutions, but"):
        cs.count(cs.Puzzle.blank(9).add(cs.Thermometer("R1C1 R2C2 R3C3")), timeout=60)


def test_too_much_and_too_long():
    with pytest.raises(EncodingBudgetError, match="states after .* variables, and more"):
        count_by_sweep(cs.Puzzle.blank(9).graph, most_bytes=1 << 22)
    with pytest.raises(OutOfTime):
        count_by_sweep(cs.Puzzle.blank(9).graph, time.monotonic() + 0.1)
    many = graph_of({"x": range(100)})
    with pytest.raises(EncodingBudgetError, match="up to 64 values; here are 100"):
        count_by_sweep(many)
    with pytest.raises(cs.BudgetError, match="sweep counts whole solutions"):
        cs.count(cs.Puzzle.blank(4), "sweep", of="R1C1")
