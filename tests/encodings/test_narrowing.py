"""Narrowing: fewer values, the same solutions."""

import random

import pytest

from csp_encodings.factors import AllDifferent, Linear
from csp_encodings.graph import GraphBuilder, assignments, domains, restricted
from csp_encodings.narrowing import narrowed


def build(domain_of, *scopes):
    builder = GraphBuilder()
    for name, domain in domain_of.items():
        builder.variable(name, domain)
    for scope in scopes:
        builder.factor(AllDifferent(tuple(scope)))
    return builder


def left(graph):
    return {variable: set(domain) for variable, domain in domains(narrowed(graph)).items()}


def test_nothing_is_given():
    graph = build({"x": (1, 2), "y": (1, 2)}, "xy").build()
    assert narrowed(graph) is graph


@pytest.mark.parametrize(
    ("domain_of", "scopes", "expected"),
    [
        ({"x": (1,), "y": (1, 2), "z": (1, 2, 3)}, ["xyz"], {"x": {1}, "y": {2}, "z": {3}}),
        # not a permutation: only what is naked
        ({"x": (1,), "y": (1, 2), "z": (3, 4, 5)}, ["xyz"], {"x": {1}, "y": {2}, "z": {3, 4, 5}}),
        # 1 has one place in the second group, once the first one has ruled out the other
        (
            {"a": (1,), "x": (1, 2, 3), "y": (1, 2, 3), "z": (2, 3)},
            ["ax", "xyz"],
            {"a": {1}, "x": {2, 3}, "y": {1}, "z": {2, 3}},
        ),
    ],
    ids=["naked", "no permutation", "hidden"],
)
def test_singles(domain_of, scopes, expected):
    assert left(build(domain_of, *scopes).build()) == expected


def test_solutions_stay():
    rng = random.Random(7)
    cells = [(r, c) for r in range(4) for c in range(4)]
    builder = build(dict.fromkeys(cells, range(1, 5)))
    for house in range(4):
        builder.factor(AllDifferent(tuple(cell for cell in cells if cell[0] == house)))
        builder.factor(AllDifferent(tuple(cell for cell in cells if cell[1] == house)))
        builder.factor(AllDifferent(tuple(c for c in cells if c[0] // 2 * 2 + c[1] // 2 == house)))
    builder.factor(Linear((1, 1), ((0, 0), (1, 2)), 3, 6))
    graph = builder.build()
    smaller = 0
    for _ in range(25):
        given = {cell: (rng.randint(1, 4),) for cell in rng.sample(cells, 4)}
        puzzle = restricted(graph, given)
        fewer = narrowed(puzzle)
        assert list(assignments(fewer)) == list(assignments(puzzle))
        smaller += domains(fewer) != domains(puzzle)
    assert smaller > 20
