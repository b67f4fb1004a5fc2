"""Check that the lowering of a constraint is its rule.

The lowering is compared with ``holds``: exhaustively if the scope is small enough, else by samples
of grids that keep the rule and of grids that break it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import Any

import networkx as nx

from csp_encodings.graph import assignments, restricted_view
from csp_sudoku.cells import Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.lowering import lower
from csp_sudoku.puzzle import Puzzle

Row = tuple[int, ...]


def assert_lowering(
    constraint: Constraint, puzzle: Puzzle, *, reference: bool = False, limit: int = 70_000
) -> int:
    """Raise AssertionError unless a constraint's lowering accepts exactly what ``holds`` accepts.

    Parameters
    ----------
    constraint
        The constraint to test.
    puzzle
        The puzzle it is added to. If the puzzle has houses, only grids that keep the houses are
        compared, because a lowering may rely on them.
    reference
        Test the reference lowering, which is built from ``holds``, and not the constraint's own.
    limit
        Compare all assignments if there are at most this many; else compare samples.

    Returns
    -------
    The number of assignments that were compared.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, Thermometer
    >>> raw = Puzzle.blank(3, box=None, row_houses=False, column_houses=False)
    >>> assert_lowering(Thermometer("R1C1 R1C2"), raw)
    9
    """
    rules = replace(puzzle.without_givens(), constraints=()).add(constraint)
    graph = lower(rules, reference=reference)
    # Places in no rule are fixed: they would only multiply the cases.
    spoken = {place for rule in rules.rules for place in rule.scope(rules)}
    scope = [place for place in rules.variables if place in spoken]
    rest = {p: rules.values_of(p)[:1] for p in rules.variables if p not in spoken}
    size = prod(len(rules.values_of(place)) for place in scope)
    if rules.houses or size <= limit:
        return _assert_equal_sets(rules, restricted_view(graph, rest), scope)
    return _assert_samples(rules, restricted_view(graph, rest), scope, limit)


def _assert_equal_sets(rules: Puzzle, graph: nx.Graph, scope: list[Place]) -> int:
    wanted = set(_rows(rules, scope))
    found = [tuple(solution[place] for place in scope) for solution in assignments(graph)]
    name = rules.constraints[0]
    assert len(found) == len(set(found)), f"{name}: the lowering gives a solution twice"
    for row in wanted.symmetric_difference(found):
        _fail(rules, dict(zip(scope, row, strict=True)), too_strong=row in wanted)
    return prod(len(rules.values_of(place)) for place in scope)


def _rows(rules: Puzzle, scope: list[Place]) -> Iterator[Row]:
    """All assignments that keep the rules by `holds`. A rule is asked once its cells are full."""
    place = {variable: i for i, variable in enumerate(scope)}
    due: list[list[Constraint]] = [[] for _ in range(len(scope) + 1)]
    for rule in rules.rules:
        due[max((place[v] + 1 for v in rule.scope(rules)), default=0)].append(rule)
    values: dict[Any, int] = {}

    def extend(depth: int) -> Iterator[Row]:
        if not all(rule.holds(values, rules) for rule in due[depth]):
            return
        if depth == len(scope):
            yield tuple(values[v] for v in scope)
            return
        for value in rules.values_of(scope[depth]):
            values[scope[depth]] = value
            yield from extend(depth + 1)

    return extend(0)


def _assert_samples(rules: Puzzle, graph: nx.Graph, scope: list[Place], limit: int) -> int:
    [constraint] = rules.constraints
    rng = random.Random(0)
    compared = 0
    kept: list[dict[Place, int]] = []
    for _ in range(limit):
        # Half of the samples change one cell of a grid that keeps the rule: faults show there.
        if kept and rng.random() < 0.5:
            values = dict(rng.choice(kept))
            place = rng.choice(scope)
            values[place] = rng.choice(rules.values_of(place))
        else:
            values = {place: rng.choice(rules.values_of(place)) for place in scope}
        holds = constraint.holds(values, rules)
        if holds and len(kept) < 100:
            kept.append(values)
        # Most random grids break the rule: a few of them are enough.
        if holds or compared < 200:
            compared += 1
            fixed = restricted_view(graph, {place: (value,) for place, value in values.items()})
            if (next(assignments(fixed), None) is not None) != holds:
                _fail(rules, values, too_strong=holds)
        if compared >= 400:
            break
    return compared


def _fail(rules: Puzzle, values: dict[Place, int], *, too_strong: bool) -> None:
    shown = " ".join(f"{place}={value}" for place, value in values.items())
    fault = "too strong: it refuses" if too_strong else "too weak: it accepts"
    raise AssertionError(f"{rules.constraints[0]}: the lowering is {fault} {shown}")
