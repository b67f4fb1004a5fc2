"""A constraint satisfaction problem as the textbooks have it: variables, domains and arcs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from operator import ne
from typing import Any, ClassVar, TypeAlias

import networkx as nx

from csp_encodings.connectivity import supported
from csp_encodings.factors import (
    AllDifferent,
    Connected,
    Domain,
    Linear,
    Regular,
    Relation,
    Variable,
)
from csp_encodings.graph import FactorId, domains, factors, variables
from csp_encodings.watch import look
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.formats import read

Domains: TypeAlias = dict[Any, Domain]
Allows: TypeAlias = Callable[[int, int], bool]
Supports: TypeAlias = Iterable[tuple[Variable, set[int]]]


def constraint_graph(puzzle: object) -> nx.Graph:
    """The graph of a puzzle or of whatever :func:`csp_sudoku.read` takes; a graph is its own."""
    if isinstance(puzzle, nx.Graph):
        return puzzle
    return puzzle.graph if hasattr(puzzle, "graph") else read(puzzle).graph


def rule_names(graph: nx.Graph) -> dict[FactorId, str]:
    """For each factor the name of its rule, such as "row 1"; with its number if that is not enough.

    Examples
    --------
    >>> list(rule_names(constraint_graph("1... .... .... ....")).values())[:2]
    ['row 1', 'row 2']
    """
    sources = {node: graph.nodes[node].get("source") for node in factors(graph)}
    # A rule of many parts has a long name and many factors.
    rules = {id(rule): rule for rule in sources.values() if isinstance(rule, Constraint)}
    names = {key: rule.label for key, rule in rules.items()}
    labels = {node: names.get(id(rule), str(node)) for node, rule in sources.items()}
    uses = Counter(labels.values())
    return {
        node: label if uses[label] == 1 else f"{label} ({node})" for node, label in labels.items()
    }


@dataclass(eq=False, slots=True)
class Arc:
    """An arc (X, Y): each value of `variable` needs a value of `other` that goes with it.

    `reverse` is the arc (Y, X) of the same constraint, and `rule` names that.
    """

    variable: Variable
    other: Variable
    allows: Allows
    factor: FactorId
    rule: str
    reverse: Arc | None = None

    @property
    def scope(self) -> tuple[Variable, ...]:
        """Both variables."""
        return self.variable, self.other

    @property
    def watched(self) -> tuple[Variable, ...]:
        """The variables after whose change it has to be revised."""
        return (self.other,)

    def supports(self, domain_of: Domains) -> Supports:
        """For each variable that it revises, the values that have a support."""
        others = domain_of[self.other]
        values = domain_of[self.variable]
        return [(self.variable, {x for x in values if any(self.allows(x, y) for y in others)})]

    def __str__(self) -> str:
        return f"({self.variable}, {self.other}) of {self.rule}"


@dataclass(eq=False, slots=True)
class HyperArc:
    """An arc of many variables: a sum, an automaton or a connected factor, revising all of them."""

    condition: Linear | Regular | Connected
    factor: FactorId
    rule: str
    #: It is revised again after it changed a domain: one pass may leave work for another.
    reverse: ClassVar[None] = None

    @property
    def scope(self) -> tuple[Variable, ...]:
        """Its variables, in order."""
        return self.condition.scope

    @property
    def watched(self) -> tuple[Variable, ...]:
        """The variables after whose change it has to be revised."""
        return tuple(dict.fromkeys(self.scope))

    def supports(self, domain_of: Domains) -> Supports:
        """For each variable, the values that have a support.

        For an automaton that is generalised arc consistency (Pesant 2004), for a sum bounds
        consistency: each other variable is anywhere between its least and its greatest value. For a
        connected factor it is what cannot be reached, and what would cut two variables apart.
        """
        values = [domain_of[variable] for variable in self.scope]
        if isinstance(self.condition, Linear):
            return zip(self.scope, _within_bounds(self.condition, values), strict=True)
        if isinstance(self.condition, Connected):
            return zip(self.scope, supported(self.condition, values), strict=True)
        return zip(self.scope, map(set, self.condition.automaton.filter(values)), strict=True)

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.scope))}) of {self.rule}"


AnyArc: TypeAlias = Arc | HyperArc


@dataclass(frozen=True)
class Csp:
    """The variables with their domains, and the arcs between them.

    Attributes
    ----------
    domains
        The values left of every variable, auxiliaries included. Inference makes them smaller.
    assigned
        The variables that have got their value.
    arcs
        All arcs, in the order of the factors: for a relation and for each two variables of an
        all-different both directions, for any other factor one.
    arcs_to
        For each variable the arcs to revise after its domain changed.
    shown
        The variables that make up a solution.
    contradiction
        Whether a factor without variables is false.
    """

    domains: Domains
    assigned: set[Variable]
    arcs: tuple[AnyArc, ...]
    arcs_to: Mapping[Variable, list[AnyArc]]
    shown: tuple[Any, ...]
    contradiction: bool

    @classmethod
    def of(cls, graph: nx.Graph) -> Csp:
        """The problem of a constraint graph, made node consistent: no arc has a variable twice.

        Examples
        --------
        >>> from csp_encodings.graph import graph_of
        >>> csp = Csp.of(graph_of({"x": (1, 2), "y": (1, 2)}, AllDifferent(("x", "y"))))
        >>> [str(arc) for arc in csp.arcs]
        ['(x, y) of factor 0', '(y, x) of factor 0']
        """
        domain_of, rules = dict(domains(graph)), rule_names(graph)
        arcs: list[AnyArc] = []
        known: set[object] = set()
        contradiction = False
        for node, factor in factors(graph).items():
            look()
            if not factor.scope:
                contradiction |= not factor.accepts(())
            elif isinstance(factor, Linear | Regular | Connected):
                arcs.append(HyperArc(factor, node, rules[node]))
            else:
                for a, b, allows, allows_back in _pairs(factor):
                    if a == b:
                        domain_of[a] = tuple(x for x in domain_of[a] if allows(x, x))
                    # Two cells that share a row and a box have to differ once.
                    elif (a, b, allows) not in known:
                        known |= {(a, b, allows), (b, a, allows_back)}
                        there = Arc(a, b, allows, node, rules[node])
                        back = there.reverse = Arc(b, a, allows_back, node, rules[node], there)
                        arcs += [there, back]
        arcs_to: dict[Variable, list[AnyArc]] = {variable: [] for variable in domain_of}
        for any_arc in arcs:
            for variable in any_arc.watched:
                arcs_to[variable].append(any_arc)
        return cls(domain_of, set(), tuple(arcs), arcs_to, tuple(variables(graph)), contradiction)

    @property
    def consistent(self) -> bool:
        """Whether no variable is left without a value."""
        return not self.contradiction and all(self.domains.values())

    @property
    def unassigned(self) -> list[Any]:
        """The variables to choose from, in order: auxiliaries only when all others have a value."""
        shown = [variable for variable in self.shown if variable not in self.assigned]
        return shown or [variable for variable in self.domains if variable not in self.assigned]

    def restricted(self, restrict: Mapping[Any, Iterable[int]]) -> Csp:
        """A copy of its own, in which some variables may take only the values named."""
        narrower = dict(self.domains)
        for variable, values in restrict.items():
            allowed = set(values)
            narrower[variable] = tuple(x for x in narrower[variable] if x in allowed)
        return replace(self, domains=narrower, assigned=set(self.assigned))

    def assign(self, variable: Variable, value: int) -> Csp:
        """A copy of its own, in which a variable has a value."""
        return replace(
            self, domains={**self.domains, variable: (value,)}, assigned={*self.assigned, variable}
        )


def _pairs(factor: AllDifferent | Relation) -> Iterator[tuple[Any, Any, Allows, Allows]]:
    """The pairs of variables of a factor, and which values go together, seen from either side."""
    if isinstance(factor, Relation):
        allowed = factor.allowed
        yield *factor.scope, lambda x, y: (x, y) in allowed, lambda y, x: (x, y) in allowed
    else:
        for a, b in combinations(factor.scope, 2):
            yield a, b, ne, ne


def _within_bounds(total: Linear, values: list[Domain]) -> list[set[int]]:
    """For each variable of a sum, the values with which the others can meet its bounds."""
    low = -inf if total.low is None else total.low
    high = inf if total.high is None else total.high
    terms = [
        {x: c * x for x in domain} for c, domain in zip(total.coefficients, values, strict=True)
    ]
    ends = [(min(term.values()), max(term.values())) for term in terms]
    least, most = (sum(end) for end in zip(*ends, strict=True))
    return [
        {x for x in term if low <= most - greatest + term[x] and least - smallest + term[x] <= high}
        for term, (smallest, greatest) in zip(terms, ends, strict=True)
    ]
