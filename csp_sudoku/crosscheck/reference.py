"""The second way down: a constraint graph with rules built from their definitions alone.

A lowering that is too strong fools every backend at once, because all of them get its graph. Here
rules with few enough combinations of candidates are tabulated from ``holds``; only the others keep
their own lowering.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate, count
from math import prod

import networkx as nx

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Regular
from csp_encodings.graph import GraphBuilder, restricted
from csp_sudoku.backends.base import check_deadline
from csp_sudoku.cells import Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.regions import House
from csp_sudoku.lowering import Facts, Lowering
from csp_sudoku.puzzle import Puzzle

# How often rules are asked in all: about half a second.
DEFAULT_QUESTIONS = 200_000


@dataclass(frozen=True)
class Reference:
    """A graph, and how many of the puzzle's rules are in it by definition."""

    graph: nx.Graph
    rebuilt: int
    rules: int

    @property
    def text(self) -> str:
        """How much of the puzzle it covers."""
        return f"{self.rebuilt} of {self.rules} rules built from their definitions"


def build_reference(
    puzzle: Puzzle, *, questions: int = DEFAULT_QUESTIONS, deadline: float | None = None
) -> Reference:
    """Build the graph of a puzzle with as many rules by definition as can be.

    Every combination of candidates is a question to the rule; those with few come first. Raises
    :class:`OutOfTime`, and :class:`BudgetError` if a rule can be built neither way.
    """
    rules = puzzle.without_givens
    candidates = {p: puzzle.values_of(p) for p in puzzle.variables} | dict(puzzle.candidates)
    chosen = _affordable(rules, candidates, questions)
    builder = GraphBuilder()
    for variable in rules.variables:
        builder.variable(variable, rules.values_of(variable))
    facts = Facts(group for rule in rules.rules for group in rule.different(rules))
    for number, rule in enumerate(rules.rules):
        check_deadline(deadline)
        if number in chosen:
            scope = rule.scope(rules)
            allowed = [candidates[place] for place in scope]
            holds = _definition(rule, rules, deadline)
            builder.factor(Regular(scope, Automaton.from_predicate(allowed, holds)), rule)
            continue
        ctx = Lowering(rules, builder, facts, rule)
        rule.lower(ctx)
        for test in ctx.tests:
            builder.factor(test, rule)
    graph = restricted(builder.build(), dict(puzzle.candidates))
    return Reference(graph, len(chosen), len(rules.rules))


def _affordable(
    rules: Puzzle, candidates: Mapping[Place, tuple[int, ...]], questions: int
) -> set[int]:
    """The numbers of the rules that are asked."""
    costs = [
        prod(len(candidates[place]) for place in rule.scope(rules))
        # What a house means is plain: it is asked only if that costs next to nothing.
        * (50 if isinstance(rule, House) else 1)
        for rule in rules.rules
    ]
    order = sorted(range(len(costs)), key=costs.__getitem__)
    totals = accumulate(costs[number] for number in order)
    return {number for number, total in zip(order, totals, strict=True) if total <= questions}


def _definition(rule: Constraint, puzzle: Puzzle, deadline: float | None) -> Callable[..., bool]:
    scope = rule.scope(puzzle)
    asked = count(1)

    def holds(*values: int) -> bool:
        if next(asked) % 1024 == 0:
            check_deadline(deadline)
        return rule.holds(dict(zip(scope, values, strict=True)), puzzle)

    return holds
