"""Constraint graph to CNF: the direct encoding, one propositional variable per value.

Every factor is encoded so that unit propagation does as much as it can: supports instead of
conflicts where a relation forbids much (Gent, "Arc consistency in SAT", ECAI 2002), and edges and
states of automata as variables, on which unit propagation is generalised arc consistency (Quimper &
Walsh, "Global grammar constraints", CP 2006; Bacchus, "GAC via unit propagation", CP 2007).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import networkx as nx

from csp_encodings.at_most_one import ENCODINGS, Clause
from csp_encodings.automaton import Automaton, Edge
from csp_encodings.errors import EncodingError
from csp_encodings.factors import (
    AllDifferent,
    Domain,
    Factor,
    Linear,
    Regular,
    Relation,
    Variable,
    automaton_of,
)
from csp_encodings.graph import Assignment, domains, factors, variables

# Solvers keep a literal as 2v or 2v + 1 in 32 bits; one beyond that crashes the process.
MAX_VARIABLES = 2**30 - 1


@dataclass(frozen=True, slots=True)
class Cnf:
    """A formula in conjunctive normal form, and what its variables mean.

    Attributes
    ----------
    variables
        How many there are; they are numbered from 1.
    clauses
        An empty one stands for a factor that nothing can satisfy.
    at_most
        Literals of which at most that many are true, for solvers that know such constraints.
    literals
        The literal that says that a variable of the graph has a value.
    meaning
        The way back, for the variables that are part of a solution.
    labels
        What the variables from some number on were made for.
    """

    variables: int
    clauses: tuple[Clause, ...]
    at_most: tuple[tuple[Clause, int], ...]
    literals: Mapping[tuple[Any, int], int]
    meaning: Mapping[int, tuple[Any, int]]
    labels: tuple[tuple[int, str], ...]

    def decode(self, model: Iterable[int]) -> Assignment:
        """Read a solution from the literals of a model; those without a meaning are passed over."""
        meaning = self.meaning
        return dict([meaning[literal] for literal in model if literal in meaning])

    def name(self, number: int) -> str:
        """A readable name of a variable.

        Examples
        --------
        >>> from csp_encodings.graph import GraphBuilder
        >>> builder = GraphBuilder()
        >>> builder.variable("x", range(2, 5))
        >>> [encode(builder.build(), at_most_one="sequential").name(n) for n in range(1, 6)]
        ['x=2', 'x=3', 'x=4', 'x: at most one 1', 'x: at most one 2']
        """
        first, label = self.labels[bisect_right(self.labels, number, key=lambda entry: entry[0]) - 1]
        if number <= len(self.literals):
            variable_values = list(self.literals)
            variable, value = variable_values[number - 1]
            return f"{variable}={value}"
        return f"{label} {number - first + 1}"


def encode(
    graph: nx.Graph,
    *,
    at_most_one: str = "pairwise",
    redundant: bool = True,
    progress: Callable[[], None] | None = None,
) -> Cnf:
    """Encode a constraint graph.

    Parameters
    ----------
    at_most_one
        How to say it: ``pairwise``, ``sequential``, ``product``, or ``native`` for a solver with
        cardinality constraints.
    redundant
        Whether a permutation also says that every value occurs: it follows, but propagates more.
    progress
        Called before every factor; it may raise to give up.

    Examples
    --------
    >>> from csp_encodings.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> for name in "xy":
    ...     builder.variable(name, range(2))
    >>> _ = builder.factor(AllDifferent(("x", "y")))
    >>> cnf = encode(builder.build())
    >>> cnf.clauses
    ((1, 2), (-1, -2), (3, 4), (-3, -4), (-1, -3), (1, 3), (-2, -4), (2, 4))
    >>> cnf.decode([-1, 2, 3, -4])
    {'x': 1, 'y': 0}
    """
    if at_most_one not in (*ENCODINGS, "native"):
        raise EncodingError(
            f"at-most-one encoding {at_most_one!r}: expected one of {', '.join(ENCODINGS)}, native"
        )
    encoder = _Encoder(graph, at_most_one, redundant)
    for node, factor in factors(graph).items():
        if progress:
            progress()
        encoder.add(str(node), factor)
    return encoder.finish()


class _Encoder:
    def __init__(self, graph: nx.Graph, at_most_one: str, redundant: bool) -> None:
        self.domains: dict[Any, Domain] = domains(graph)
        self.clauses: list[Clause] = []
        self.at_most: list[tuple[Clause, int]] = []
        self.literals: dict[tuple[Any, int], int] = {}
        self.of: dict[Any, dict[int, int]] = {}
        self.labels: list[tuple[int, str]] = [(1, "value")]
        self.encoding = at_most_one
        self.redundant = redundant
        # What a solution is made of comes first, so that it is the head of every model.
        shown = variables(graph)
        hidden = [variable for variable in self.domains if graph.nodes[variable]["auxiliary"]]
        for variable in (*shown, *hidden):
            values = self.of[variable] = {}
            for value in self.domains[variable]:
                values[value] = self.literals[variable, value] = len(self.literals) + 1
        self.top = len(self.literals)
        self.meaning = {
            self.literals[variable, value]: (variable, value)
            for variable in shown
            for value in self.domains[variable]
        }
        for variable, values in self.of.items():
            self.label = str(variable)
            self.clauses.append(tuple(values.values()))
            self.add_at_most_one(tuple(values.values()))

    def finish(self) -> Cnf:
        return Cnf(
            self.top,
            tuple(self.clauses),
            tuple(self.at_most),
            self.literals,
            self.meaning,
            tuple(self.labels),
        )

    def fresh(self, count: int, kind: str) -> range:
        first = self.top + 1
        self.top += count
        if self.top > MAX_VARIABLES:
            raise EncodingError(f"{self.label}: more than {MAX_VARIABLES:,} propositional variables")
        self.labels.append((first, f"{self.label}: {kind}"))
        return range(first, self.top + 1)

    def add_at_most_one(self, literals: Clause) -> None:
        if len(literals) < 2:
            return
        if self.encoding == "native":
            self.at_most.append((literals, 1))
        else:
            self.clauses += ENCODINGS[self.encoding](
                literals, lambda count: self.fresh(count, "at most one")
            )

    def add(self, label: str, factor: Factor) -> None:
        self.label = label
        match factor:
            case AllDifferent():
                self.add_all_different(factor.scope)
            case Relation():
                self.add_relation(factor)
            case Linear() | Regular():
                self.add_regular(factor.scope, automaton_of(factor, self.domains))

    def add_all_different(self, scope: tuple[Variable, ...]) -> None:
        places: dict[int, list[int]] = defaultdict(list)
        for variable in scope:
            for value, literal in self.of[variable].items():
                places[value].append(literal)
        # Said outright: the solver would have to prove the pigeonhole principle.
        if len(set(scope)) < len(scope) or len(places) < len(scope):
            self.clauses.append(())
            return
        permutation = len(places) == len(scope)
        for literals in places.values():
            self.add_at_most_one(tuple(literals))
            if permutation and self.redundant:
                self.clauses.append(tuple(literals))

    def add_relation(self, relation: Relation) -> None:
        first, second = self.of[relation.first], self.of[relation.second]
        allowed = relation.allowed
        if relation.first == relation.second:
            self.clauses += [(-x,) for a, x in first.items() if (a, a) not in allowed]
            return
        forbidden = [
            (-x, -y) for a, x in first.items() for b, y in second.items() if (a, b) not in allowed
        ]
        if len(forbidden) <= len(first) + len(second):
            self.clauses += forbidden
            return
        for a, x in first.items():
            self.clauses.append((-x, *[y for b, y in second.items() if (a, b) in allowed]))
        for b, y in second.items():
            self.clauses.append((-y, *[x for a, x in first.items() if (a, b) in allowed]))

    def add_regular(self, scope: tuple[Variable, ...], automaton: Automaton) -> None:
        if not automaton.widths[0]:
            self.clauses.append(())
            return
        tails: list[int] | None = None  # the literals of the states; one state alone needs none
        for variable, layer, width in zip(
            scope, automaton.layers, automaton.widths[1:], strict=True
        ):
            tails = self.add_layer(self.of[variable], layer, tails, width)

    def add_layer(
        self, values: dict[int, int], layer: tuple[Edge, ...], tails: list[int] | None, width: int
    ) -> list[int] | None:
        """Encode the edges of one layer; gives the literals of the states they lead to."""
        clauses = self.clauses
        carriers = Counter(value for edge in layer for value in edge.values)
        clauses += [(-x,) for value, x in values.items() if value not in carriers]
        if len(layer) == 1:
            return None
        # An edge that alone carries its one value is that value, one that alone leaves its state
        # is that state, and a state that one edge alone enters is that edge.
        leaving = Counter(edge.tail for edge in layer)
        entering = Counter(edge.head for edge in layer)
        literals: list[int] = []
        for tail, carried, _ in layer:
            if len(carried) == 1 and carriers[carried[0]] == 1:
                literals.append(values[carried[0]])
            elif tails and leaving[tail] == 1:
                literals.append(tails[tail])
            else:
                literals.append(self.fresh(1, "edge")[0])
        heads = None
        if width > 1:
            heads = [0] * width
            for (_, _, head), literal in zip(layer, literals, strict=True):
                if entering[head] == 1:
                    heads[head] = literal
            for head, literal in enumerate(heads):
                if not literal:
                    heads[head] = self.fresh(1, "state")[0]
        by_value: dict[int, list[int]] = {value: [] for value in carriers}
        by_tail: dict[int, list[int]] = {tail: [] for tail in leaving}
        by_head: dict[int, list[int]] = {head: [] for head in entering}
        for (tail, carried, head), edge in zip(layer, literals, strict=True):
            by_tail[tail].append(edge)
            by_head[head].append(edge)
            for value in carried:
                by_value[value].append(edge)
            labels = [values[value] for value in carried]
            if edge not in labels:
                clauses.append((-edge, *labels))
            if tails and edge != tails[tail]:
                clauses.append((-edge, tails[tail]))
            if heads and edge != heads[head]:
                clauses.append((-edge, heads[head]))
        implications = [(values[value], edges) for value, edges in by_value.items()]
        if tails:
            implications += [(tails[tail], edges) for tail, edges in by_tail.items()]
        if heads:
            implications += [(heads[head], edges) for head, edges in by_head.items()]
        clauses += [(-x, *edges) for x, edges in implications if x not in edges]
        return heads
