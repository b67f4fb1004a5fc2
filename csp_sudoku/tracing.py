"""The way of a rule into clauses, and back: which factors a rule became, and which clauses those.

A clause that a proof, a core or another solver speaks of is found by its number.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from csp_encodings.cnf import Cnf, encode
from csp_encodings.factors import Factor
from csp_encodings.graph import FactorId
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import PuzzleError
from csp_sudoku.factor_text import factor_text
from csp_sudoku.formats import read
from csp_sudoku.integers import as_int
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.solving.answers import AboutPuzzle


@dataclass(frozen=True)
class FactorTrace:
    """A factor of a rule and its clauses.

    Attributes
    ----------
    number
        Its number in the graph: ``FactorId(number)``.
    definition
        Whether it defines an auxiliary variable, and so holds in any case.
    clauses
        The numbers of its clauses in the formula, counted from 1 as proofs count them.
    """

    number: int
    factor: Factor
    definition: bool
    clauses: range

    def __str__(self) -> str:
        kind = "definition, " if self.definition else ""
        return f"factor {self.number}: {kind}{factor_text(self.factor)}; {_numbers(self.clauses)}"


@dataclass(frozen=True)
class RuleTrace:
    """A rule of a puzzle, with the factors that it was lowered to.

    `number` counts the rules from 1: first the houses, then the constraints in their order. Of
    equal rules, the first has the factors of all.
    """

    number: int
    rule: Constraint
    factors: tuple[FactorTrace, ...]

    def __str__(self) -> str:
        clauses = sum(len(factor.clauses) for factor in self.factors)
        size = f"{_number(len(self.factors), 'factor')}, {_number(clauses, 'clause')}"
        return f"rule {self.number}, {self.rule.label}: {size}"


@dataclass(frozen=True)
class Trace(AboutPuzzle):
    """All rules of a puzzle with their factors and clauses, and the formula.

    Examples
    --------
    >>> import csp_sudoku as cs
    >>> trace = cs.trace_encoding(cs.Puzzle.blank(4).add(cs.Thermometer("R1C1 R1C2")))
    >>> print(trace.rule(13))
    rule 13, thermometer at R1C1: 1 factor, 8 clauses
    >>> print(trace.rule(13).factors[0])
    factor 12: relation R1C1 R1C2, 6 pairs; clauses 449 to 456
    >>> trace.names(449)
    ('not R1C1=1', 'R1C2=2', 'R1C2=3', 'R1C2=4')
    >>> print(trace.rule_of(449).rule.label)
    thermometer at R1C1
    """

    puzzle: Puzzle
    cnf: Cnf
    rules: tuple[RuleTrace, ...]

    def rule(self, number: int) -> RuleTrace:
        """Return a rule by its number, counted from 1."""
        wanted = as_int(number)
        if wanted is None or not 1 <= wanted <= len(self.rules):
            raise PuzzleError(f"rule {number!r}: the rules have the numbers 1 to {len(self.rules)}")
        return self.rules[wanted - 1]

    def origin(self, clause: int) -> FactorTrace | None:
        """Return the factor that a clause, by its number, was written for.

        The first clauses belong to no factor: they say that each variable has one value.
        """
        self._check(clause)
        place = bisect_right(self._firsts, clause) - 1
        return self._in_order[place] if place >= 0 else None

    def rule_of(self, clause: int) -> RuleTrace | None:
        """Return the rule that a clause, by its number, was written for; None for no rule."""
        factor = self.origin(clause)
        return None if factor is None else self._owners[factor.number]

    def names(self, clause: int) -> tuple[str, ...]:
        """Return the literals of a clause, by its number, in words."""
        self._check(clause)
        literals = self.cnf.clauses[clause - 1]
        return tuple([f"{'not ' * (x < 0)}{self._names[abs(x) - 1]}" for x in literals])

    def to_dict(self) -> dict[str, Any]:
        """Return the trace without the formula, for JSON."""
        return {
            "variables": self.cnf.variables,
            "clauses": len(self.cnf.clauses),
            "rules": [
                {
                    "rule": each.number,
                    "label": each.rule.label,
                    "sentence": each.rule.describe(self.puzzle),
                    "factors": [
                        {
                            "factor": factor.number,
                            "text": factor_text(factor.factor),
                            "definition": factor.definition,
                            "first_clause": factor.clauses.start,
                            "clauses": len(factor.clauses),
                        }
                        for factor in each.factors
                    ],
                }
                for each in self.rules
            ],
        }

    def _check(self, clause: int) -> None:
        if as_int(clause) is None or not 1 <= clause <= len(self.cnf.clauses):
            most = len(self.cnf.clauses)
            raise PuzzleError(f"clause {clause!r}: the clauses have the numbers 1 to {most}")

    @cached_property
    def _in_order(self) -> list[FactorTrace]:
        """The factors that have clauses, in the order of these."""
        listed = [factor for each in self.rules for factor in each.factors if factor.clauses]
        return sorted(listed, key=lambda factor: factor.clauses.start)

    @cached_property
    def _firsts(self) -> list[int]:
        return [factor.clauses.start for factor in self._in_order]

    @cached_property
    def _owners(self) -> dict[int, RuleTrace]:
        return {factor.number: each for each in self.rules for factor in each.factors}

    @cached_property
    def _names(self) -> list[str]:
        return list(self.cnf.names())


def trace_encoding(puzzle: object) -> Trace:
    """Return which factors and clauses each rule of a puzzle became, and the way back.

    It is the formula of :func:`export` and of certificates.

    Examples
    --------
    >>> trace = trace_encoding("1... .... .... ....")
    >>> print(trace.rules[0])
    rule 1, row 1: 1 factor, 19 clauses
    >>> trace.rule_of(len(trace.cnf.clauses)).rule.label
    'box 4'
    """
    wanted = read(puzzle)
    graph = shared_graph(wanted)
    cnf = encode(graph)
    nodes = [node for node in graph if isinstance(node, FactorId)]
    ends = (*cnf.starts[1:], len(cnf.clauses))
    found: dict[Constraint, list[FactorTrace]] = {}
    for node, start, end in zip(nodes, cnf.starts, ends, strict=True):
        data = graph.nodes[node]
        clauses = range(start + 1, end + 1)
        factor = FactorTrace(node.index, data["factor"], data["definition"], clauses)
        found.setdefault(data["source"], []).append(factor)
    rules = [
        RuleTrace(number, rule, tuple(found.pop(rule, ())))
        for number, rule in enumerate(wanted.rules, 1)
    ]
    return Trace(wanted, cnf, tuple(rules))


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


def _numbers(clauses: range) -> str:
    if not clauses:
        return "no clause"
    if len(clauses) == 1:
        return f"clause {clauses[0]}"
    return f"clauses {clauses[0]} to {clauses[-1]}"
