"""The second way to compile a puzzle: a constraint graph built from the definitions of the rules.

A lowering that is too strong fools all backends at once, because all of them get its graph. Here a
table is made from ``holds`` for each rule that has few enough combinations of candidates. The other
rules keep their own lowering.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import prod

import networkx as nx

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Regular
from csp_encodings.graph import GraphBuilder, restricted_view
from csp_encodings.watch import look, watched
from csp_sudoku.cells import Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.regions import House
from csp_sudoku.lowering import Facts, Lowering
from csp_sudoku.puzzle import Puzzle

# How often `holds` is called in all: this takes about half a second.
DEFAULT_QUESTIONS = 200_000


@dataclass(frozen=True)
class Reference:
    """A graph, and how many of the puzzle's rules come from their definitions in it."""

    graph: nx.Graph
    rebuilt: int
    rules: int

    @property
    def text(self) -> str:
        """The number of rules from their definitions, in words."""
        return f"{self.rebuilt} of {self.rules} rules built from their definitions"


def build_reference(
    puzzle: Puzzle, *, questions: int = DEFAULT_QUESTIONS, deadline: float | None = None
) -> Reference:
    """Build the graph of a puzzle with as many rules as possible from their definitions.

    For each combination of candidates ``holds`` is called once. Rules with few combinations come
    first, until the number of `questions` is used up. Raises :class:`OutOfTime`, and
    :class:`BudgetError` if a rule can be built neither way.
    """
    with watched(deadline):
        return _build(puzzle, questions)


def _build(puzzle: Puzzle, questions: int) -> Reference:
    rules = puzzle.without_givens()
    candidates = {p: puzzle.values_of(p) for p in puzzle.variables} | dict(puzzle.candidates)
    chosen = _affordable(rules, candidates, questions)
    builder = GraphBuilder()
    for variable in rules.variables:
        builder.variable(variable, rules.values_of(variable))
    facts = Facts(group for rule in rules.rules for group in rule.different(rules))
    for number, rule in enumerate(rules.rules):
        look()
        if number in chosen:
            scope = rule.scope(rules)
            allowed = [candidates[place] for place in scope]
            holds = _definition(rule, rules)
            builder.factor(Regular(scope, Automaton.from_predicate(allowed, holds)), rule)
            continue
        ctx = Lowering(rules, builder, facts, rule)
        rule.lower(ctx)
        for test in ctx.tests:
            builder.factor(test, rule)
    graph = restricted_view(builder.build_view(), dict(puzzle.candidates))
    return Reference(graph, len(chosen), len(rules.rules))


def _affordable(
    rules: Puzzle, candidates: Mapping[Place, tuple[int, ...]], questions: int
) -> set[int]:
    """The numbers of the rules that are built from their definitions."""
    costs = [
        prod(len(candidates[place]) for place in rule.scope(rules))
        # Houses come last: that they hold different values is hardly ever wrong.
        * (50 if isinstance(rule, House) else 1)
        for rule in rules.rules
    ]
    order = sorted(range(len(costs)), key=costs.__getitem__)
    totals = accumulate(costs[number] for number in order)
    return {number for number, total in zip(order, totals, strict=True) if total <= questions}


def _definition(rule: Constraint, puzzle: Puzzle) -> Callable[..., bool]:
    scope = rule.scope(puzzle)

    def holds(*values: int) -> bool:
        return rule.holds(dict(zip(scope, values, strict=True)), puzzle)

    return holds
