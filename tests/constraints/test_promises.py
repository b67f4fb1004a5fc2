"""What every constraint promises besides its rule: differences, objections, clashes."""

import random
from itertools import combinations, product

import pytest

import csp_sudoku as cs
from csp_sudoku.constraints import registry

VALUES = [(1, 2, 3, 4), (-2, -1, 0, 5)]
EXAMPLES = [example for cls in registry.built_in().values() for example in cls.examples()]


def bare(values) -> cs.Puzzle:
    return cs.Puzzle.blank(4, box=None, values=values, row_houses=False, column_houses=False)


def fitting(puzzle: cs.Puzzle, rule: cs.Constraint) -> cs.Puzzle | None:
    """The puzzle with the rule; None where the rule says that it does not fit."""
    try:
        return puzzle.add(rule)
    except cs.ConstraintError:
        return None


SMALL = [rule for rule in EXAMPLES if len(rule.scope(cs.Puzzle.blank(4).add(rule))) < 6]


KINDS = {rule.name: [other for other in SMALL if other.name == rule.name] for rule in SMALL}


def placed(name):
    """The examples of a kind of rule, each on the grids that it fits."""
    for rule, values in product(KINDS[name], VALUES):
        puzzle = fitting(bare(values), rule)
        if puzzle is not None:
            yield rule, puzzle


@pytest.mark.parametrize("name", KINDS)
def test_promises(name):
    for rule, puzzle in placed(name):
        check_what_differs(rule, puzzle)
        check_clashes(rule, puzzle)


def check_what_differs(rule, puzzle):
    """What a rule says to differ does."""
    scope, groups = rule.scope(puzzle), list(rule.different(puzzle))
    for row in product(*map(puzzle.values_of, scope)) if groups else ():
        held = dict(zip(scope, row, strict=True))
        if rule.holds(held, puzzle):
            for group in groups:
                assert all(held[a] != held[b] for a, b in combinations(group, 2)), held


@pytest.mark.parametrize("values", VALUES, ids=str)
def test_no_solution_where_a_rule_objects(values):
    objected = 0
    for rule in EXAMPLES:
        puzzle = fitting(cs.Puzzle.blank(4, values=values), rule)
        if puzzle is not None and rule.objection(puzzle) is not None:
            objected += 1
            assert cs.solve(puzzle).status is cs.Status.NONE_EXIST, rule
    assert objected > 10


def check_clashes(rule, puzzle):
    """A clash cannot be mended."""
    scope, rng = rule.scope(puzzle), random.Random(0)
    for _ in range(30):
        filled = {p: rng.choice(puzzle.values_of(p)) for p in scope if rng.random() < 0.7}
        missing = [p for p in scope if p not in filled]
        mended = any(
            rule.holds(filled | dict(zip(missing, row, strict=True)), puzzle)
            for row in product(*map(puzzle.values_of, missing))
        )
        groups = list(rule.clashes(filled, puzzle))
        assert not (groups and mended), f"{rule}: {filled} clashes at {groups}"
        for group in groups:
            assert set(group) <= set(filled), "a clash names cells that are empty"
        found = cs.verify(puzzle, filled).verdict
        if missing:
            assert (found is cs.Verdict.BROKEN) is bool(groups)
        else:
            assert (found is cs.Verdict.BROKEN) is not mended
