"""From a rule to every solver, and back: its factors, and what each factor became.

A clause, row, constraint or option that a proof, a core or another solver speaks of is found by its
number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import Any, cast

import networkx as nx

from csp_encodings.cnf import Cnf, encode
from csp_encodings.factors import Factor
from csp_encodings.graph import FactorId
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import PuzzleError
from csp_sudoku.factor_text import factor_text
from csp_sudoku.formats import read
from csp_sudoku.integers import as_int, counted
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
        size = f"{counted(len(self.factors), 'factor')}, {counted(clauses, 'clause')}"
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
    >>> trace.text(449)
    'not R1C1=1 or R1C2=2 or R1C2=3 or R1C2=4'
    >>> [each.rule.label for each in trace.rules_of(449)]
    ['thermometer at R1C1']
    """

    puzzle: Puzzle
    cnf: Cnf
    rules: tuple[RuleTrace, ...]

    def __repr__(self) -> str:
        return f"<Trace of {self.puzzle}: {len(self.rules)} rules, {len(self.cnf.clauses)} clauses>"

    def rule(self, number: int) -> RuleTrace:
        """Return a rule by its number, counted from 1."""
        wanted = as_int(number)
        if wanted is None or not 1 <= wanted <= len(self.rules):
            raise PuzzleError(f"rule {number!r}: the rules have the numbers 1 to {len(self.rules)}")
        return self.rules[wanted - 1]

    def numbers(self, factor: int, kind: str = "clauses") -> Sequence[int]:
        """Return what a factor, by its number, became: the numbers of these, counted from 1.

        Parameters
        ----------
        kind
            ``clauses``; ``rows`` of the linear program; ``constraints`` of the CP-SAT model; or
            ``options`` of the exact cover, of which one may belong to several factors.

        Examples
        --------
        >>> trace = trace_encoding("1... .... .... ....")
        >>> {kind: len(trace.numbers(0, kind)) for kind in KINDS}
        {'clauses': 19, 'rows': 4, 'constraints': 1, 'options': 13}
        """
        return self._listing(kind).numbers.get(factor, ())

    def origins(self, number: int, kind: str = "clauses") -> tuple[FactorTrace, ...]:
        """Return the factors that a clause, row, constraint or option was written for.

        The first clauses belong to no factor: they say that each variable has one value.
        """
        listing = self._listing(kind)
        _check_number(number, kind, len(listing.texts))
        wanted = listing.owners.get(number, ())
        return tuple([self._factors[factor] for factor in wanted])

    def rules_of(self, number: int, kind: str = "clauses") -> tuple[RuleTrace, ...]:
        """Return the rules that a clause, row, constraint or option was written for."""
        found = [self._owners[factor.number] for factor in self.origins(number, kind)]
        return tuple(dict.fromkeys(found))

    def text(self, number: int, kind: str = "clauses") -> str:
        """Return a clause, row, constraint or option in words.

        Examples
        --------
        >>> trace = trace_encoding(Puzzle.blank(2))
        >>> for kind in KINDS:
        ...     print(kind, "|", trace.text(len(trace._listing(kind).texts), kind))
        clauses | R1C2=2 or R2C2=2
        rows | 1 <= R1C2=2 + R2C2=2 <= 1
        constraints | all_diff { exprs { vars: 1 coeffs: 1 } exprs { vars: 3 coeffs: 1 } }
        options | R2C2, factor 1 has 2, factor 3 has 2
        """
        texts = self._listing(kind).texts
        _check_number(number, kind, len(texts))
        return texts[number - 1]

    def _listing(self, kind: str) -> _Listing:
        if kind not in KINDS:
            raise PuzzleError(f"kind {kind!r}: one of {', '.join(KINDS)}")
        if kind not in self._listings:
            self._listings[kind] = KINDS[kind](shared_graph(self.puzzle))
        return self._listings[kind]

    def to_dict(self, kind: str = "clauses") -> dict[str, Any]:
        """Return the trace as plain data for JSON: without the formula, for one kind of target."""
        return {
            "variables": self.cnf.variables,
            "clauses": len(self.cnf.clauses),
            "rules": [
                {
                    "rule": each.number,
                    "label": each.rule.label,
                    "sentence": each.rule.describe(self.puzzle),
                    "factors": [self._factor_dict(factor, kind) for factor in each.factors],
                }
                for each in self.rules
            ],
        }

    def _factor_dict(self, factor: FactorTrace, kind: str) -> dict[str, Any]:
        found = {
            "factor": factor.number,
            "text": factor_text(factor.factor),
            "definition": factor.definition,
            "first_clause": factor.clauses.start,
            "clauses": len(factor.clauses),
        }
        if kind != "clauses":
            found[kind] = list(self.numbers(factor.number, kind))
        return found

    @cached_property
    def _owners(self) -> dict[int, RuleTrace]:
        return {factor.number: each for each in self.rules for factor in each.factors}

    @cached_property
    def _factors(self) -> dict[int, FactorTrace]:
        return {factor.number: factor for each in self.rules for factor in each.factors}

    @cached_property
    def _listings(self) -> dict[str, _Listing]:
        return {}


def trace_encoding(puzzle: object) -> Trace:
    """Return which factors and clauses each rule of a puzzle became, and the way back.

    It is the formula of :func:`export` and of certificates.

    Examples
    --------
    >>> trace = trace_encoding("1... .... .... ....")
    >>> print(trace.rules[0])
    rule 1, row 1: 1 factor, 19 clauses
    >>> [each.rule.label for each in trace.rules_of(len(trace.cnf.clauses))]
    ['box 4']
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


@dataclass(frozen=True)
class _Listing:
    """The clauses, rows, constraints or options of a graph, and those of each factor."""

    texts: list[str]
    numbers: dict[int, Sequence[int]]

    @classmethod
    def in_runs(cls, graph: nx.Graph, texts: list[str], firsts: Sequence[int]) -> _Listing:
        """Those of a factor follow each other; `firsts` has the first of each, from 0."""
        nodes = [node for node in graph if isinstance(node, FactorId)]
        ends = [*firsts[1:], len(texts)]
        runs = zip(nodes, firsts, ends, strict=True)
        return cls(texts, {node.index: range(a + 1, b + 1) for node, a, b in runs})

    @cached_property
    def owners(self) -> dict[int, list[int]]:
        """The factors of each number."""
        found: dict[int, list[int]] = {}
        for factor, numbers in self.numbers.items():
            for number in numbers:
                found.setdefault(number, []).append(factor)
        return found


def _list_clauses(graph: nx.Graph) -> _Listing:
    cnf = encode(graph)
    names = list(cnf.names())
    texts = [
        " or ".join(f"{'not ' * (x < 0)}{names[abs(x) - 1]}" for x in clause) or "nothing"
        for clause in cnf.clauses
    ]
    return _Listing.in_runs(graph, texts, cnf.starts)


def _list_rows(graph: nx.Graph) -> _Listing:
    from csp_encodings import linear

    program = linear.encode(graph)
    names = list(program.names())
    texts = []
    for columns, weights, low, high in program.rows():
        terms = [
            f"{'' if w == 1 else f'{w} '}{names[c]}" for w, c in zip(weights, columns, strict=True)
        ]
        left = "" if low == -inf else f"{low:g} <= "
        texts.append(f"{left}{' + '.join(terms)}{'' if high == inf else f' <= {high:g}'}")
    return _Listing.in_runs(graph, texts, program.firsts)


def _list_constraints(graph: nx.Graph) -> _Listing:
    from csp_encodings import cpsat

    model = cpsat.encode(graph)
    texts = [" ".join(str(each).split()) for each in model.model.proto.constraints]
    return _Listing.in_runs(graph, texts, model.firsts)


def _list_options(graph: nx.Graph) -> _Listing:
    from csp_encodings import exact_cover

    cover = exact_cover.encode(graph)
    # The items of a factor are called after it.
    owner = {
        item: int(said[1])
        for item, name in enumerate(cover.items)
        if (said := re.match(r"factor (\d+)\b", name))
    }
    texts, numbers = [], dict[int, list[int]]()
    members, starts = cover.members.tolist(), cover.starts.tolist()
    for number, (first, last) in enumerate(pairwise(starts), 1):
        items = members[first:last]
        texts.append(", ".join(cover.items[item] for item in items))
        for factor in dict.fromkeys(owner[item] for item in items if item in owner):
            numbers.setdefault(factor, []).append(number)
    return _Listing(texts, {**numbers})


KINDS: dict[str, Callable[[nx.Graph], _Listing]] = {
    "clauses": _list_clauses,
    "rows": _list_rows,
    "constraints": _list_constraints,
    "options": _list_options,
}
"""What a factor becomes, by the target: CNF, linear program, CP-SAT model, exact cover."""


def _check_number(number: object, kind: str, last: int) -> None:
    if as_int(number) is None or not 1 <= cast(int, number) <= last:
        raise PuzzleError(f"{kind[:-1]} {number!r}: the {kind} have the numbers 1 to {last}")


def _numbers(clauses: range) -> str:
    if not clauses:
        return "no clause"
    if len(clauses) == 1:
        return f"clause {clauses[0]}"
    return f"clauses {clauses[0]} to {clauses[-1]}"
