"""Constraint graph to CNF: the direct encoding, one propositional variable per value.

Every factor is encoded so that unit propagation does as much as it can: supports instead of
conflicts where a relation forbids much (Gent, "Arc consistency in SAT", ECAI 2002), and edges and
states of automata as variables, on which unit propagation is generalised arc consistency (Quimper &
Walsh, "Global grammar constraints", CP 2006; Bacchus, "GAC via unit propagation", CP 2007).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
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

# Solvers keep a literal as 2v or 2v + 1 in a signed int, and crash beyond. Some numbers are left
# for those who add to the formula.
MAX_VARIABLES = 2**30 - 2**20


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
        Runs of variables of the encoding itself: the first number, whose they are, and what for.
    starts
        Where the clauses of each factor begin, in the order of the factors; those before the first
        say that a variable has one value.
    """

    variables: int
    clauses: tuple[Clause, ...]
    at_most: tuple[tuple[Clause, int], ...]
    literals: Mapping[tuple[Any, int], int]
    meaning: Mapping[int, tuple[Any, int]]
    labels: tuple[tuple[int, str, str], ...]
    starts: tuple[int, ...]

    def decode(self, model: Iterable[int]) -> Assignment:
        """Read a solution from the literals of a model; those without a meaning are passed over."""
        meaning = self.meaning
        return dict(map(meaning.__getitem__, filter(meaning.__contains__, model)))

    def names(self) -> Iterator[str]:
        """A readable name of every variable, in the order of their numbers.

        Examples
        --------
        >>> from csp_encodings.graph import GraphBuilder
        >>> builder = GraphBuilder()
        >>> builder.variable("x", range(2, 5))
        >>> list(encode(builder.build(), at_most_one="sequential").names())
        ['x=2', 'x=3', 'x=4', 'x: at most one 1', 'x: at most one 2']
        """
        for variable, value in self.literals:
            yield f"{variable}={value}"
        ends = [*[first for first, _, _ in self.labels], self.variables + 1][1:]
        used: Counter[tuple[str, str]] = Counter()
        for (first, owner, use), end in zip(self.labels, ends, strict=True):
            for _ in range(first, end):
                used[owner, use] += 1
                yield f"{owner}: {use} {used[owner, use]}"


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
        self.encoding = at_most_one
        self.redundant = redundant
        self.clauses: list[Clause] = []
        self.at_most: list[tuple[Clause, int]] = []
        self.labels: list[tuple[int, str, str]] = []
        self.starts: list[int] = []
        self.literals: dict[tuple[Any, int], int] = {}
        self.values: dict[Any, dict[int, int]] = {}
        # What a solution is made of comes first, so that it is the head of every model.
        shown = variables(graph)
        hidden = [variable for variable in self.domains if graph.nodes[variable]["auxiliary"]]
        for variable in (*shown, *hidden):
            values = self.values[variable] = {}
            for value in self.domains[variable]:
                values[value] = self.literals[variable, value] = len(self.literals) + 1
        self.top = len(self.literals)
        self.meaning = {
            literal: (variable, value)
            for variable in shown
            for value, literal in self.values[variable].items()
        }
        for variable, values in self.values.items():
            self.owner = str(variable)
            self.clauses.append(tuple(values.values()))
            self.add_at_most_one(tuple(values.values()))

    def finish(self) -> Cnf:
        if self.top > MAX_VARIABLES:
            raise EncodingError(
                f"the formula needs {self.top:,} variables; solvers take {MAX_VARIABLES:,}"
            )
        return Cnf(
            self.top,
            tuple(self.clauses),
            tuple(self.at_most),
            self.literals,
            self.meaning,
            tuple(self.labels),
            tuple(self.starts),
        )

    def fresh(self, count: int, use: str) -> range:
        """Take unused numbers."""
        first = self.top + 1
        self.top += count
        if count:
            self.labels.append((first, self.owner, use))
        return range(first, first + count)

    def imply(self, literal: int, alternatives: Iterable[int]) -> None:
        clause = (-literal, *alternatives)
        if literal not in clause:
            self.clauses.append(clause)

    def add(self, owner: str, factor: Factor) -> None:
        self.owner = owner
        self.starts.append(len(self.clauses))
        match factor:
            case AllDifferent():
                self.add_all_different(factor.scope)
            case Relation():
                self.add_relation(factor)
            case Linear() | Regular():
                self.add_regular(factor.scope, automaton_of(factor, self.domains))

    def add_at_most_one(self, literals: Clause) -> None:
        if len(literals) < 2:
            return
        if self.encoding == "native":
            self.at_most.append((literals, 1))
        else:
            say = ENCODINGS[self.encoding]
            self.clauses += say(literals, lambda count: self.fresh(count, "at most one"))

    def add_all_different(self, scope: tuple[Variable, ...]) -> None:
        places: dict[int, list[int]] = defaultdict(list)
        for variable in scope:
            for value, literal in self.values[variable].items():
                places[value].append(literal)
        # Said outright, or the solver would have to prove a pigeonhole principle.
        if len(set(scope)) < len(scope) or len(places) < len(scope):
            self.clauses.append(())
            return
        permutation = len(places) == len(scope)
        for literals in places.values():
            self.add_at_most_one(tuple(literals))
            if permutation and self.redundant:
                self.clauses.append(tuple(literals))

    def add_relation(self, relation: Relation) -> None:
        first, second = self.values[relation.first], self.values[relation.second]
        allowed = relation.allowed
        if relation.first == relation.second:
            self.clauses += [(-x,) for a, x in first.items() if (a, a) not in allowed]
            return
        conflicts = [
            (-x, -y) for a, x in first.items() for b, y in second.items() if (a, b) not in allowed
        ]
        if len(conflicts) <= len(first) + len(second):
            self.clauses += conflicts
            return
        for a, x in first.items():
            self.imply(x, [y for b, y in second.items() if (a, b) in allowed])
        for b, y in second.items():
            self.imply(y, [x for a, x in first.items() if (a, b) in allowed])

    def add_regular(self, scope: tuple[Variable, ...], automaton: Automaton) -> None:
        if not automaton.widths[0]:
            self.clauses.append(())
            return
        tails: list[int] = []  # the literals of the states; one state alone needs none
        for i, (variable, layer) in enumerate(zip(scope, automaton.layers, strict=True), 1):
            values = self.values[variable]
            carriers = Counter([value for edge in layer for value in edge.values])
            self.clauses += [(-x,) for value, x in values.items() if value not in carriers]
            heads: list[int] = []
            if len(layer) > 1:
                use = f"edge over position {i}"
                edges = self.edge_literals(values, layer, carriers, tails, use)
                if automaton.widths[i] > 1:
                    heads = self.head_literals(layer, edges, f"state after position {i}")
                self.add_layer(values, layer, edges, tails, heads)
            tails = heads

    def edge_literals(
        self,
        values: dict[int, int],
        layer: tuple[Edge, ...],
        carriers: Counter[int],
        tails: list[int],
        use: str,
    ) -> list[int]:
        """The literals of edges: new ones, but for those that are equivalent to a known one."""
        leaving = Counter([edge.tail for edge in layer])
        literals = []
        for tail, carried, _ in layer:
            if len(carried) == 1 and carriers[carried[0]] == 1:
                literals.append(values[carried[0]])
            elif tails and leaving[tail] == 1:
                literals.append(tails[tail])
            else:
                literals.append(0)
        unknown = iter(self.fresh(literals.count(0), use))
        return [literal or next(unknown) for literal in literals]

    def head_literals(self, layer: tuple[Edge, ...], edges: list[int], use: str) -> list[int]:
        """The literals of the states behind a layer; a state that one edge enters is that edge."""
        entering: dict[int, list[int]] = defaultdict(list)
        for edge, literal in zip(layer, edges, strict=True):
            entering[edge.head].append(literal)
        unknown = iter(self.fresh(sum(len(e) > 1 for e in entering.values()), use))
        return [
            entering[head][0] if len(entering[head]) == 1 else next(unknown)
            for head in range(len(entering))
        ]

    def add_layer(
        self,
        values: dict[int, int],
        layer: tuple[Edge, ...],
        edges: list[int],
        tails: list[int],
        heads: list[int],
    ) -> None:
        """An edge implies its ends and one of its values; each of those implies an edge of it."""
        carrying: dict[int, list[int]] = defaultdict(list)
        leaving: dict[int, list[int]] = defaultdict(list)
        entering: dict[int, list[int]] = defaultdict(list)
        for (tail, carried, head), edge in zip(layer, edges, strict=True):
            self.imply(edge, [values[value] for value in carried])
            for value in carried:
                carrying[value].append(edge)
            if tails:
                self.imply(edge, (tails[tail],))
                leaving[tail].append(edge)
            if heads:
                self.imply(edge, (heads[head],))
                entering[head].append(edge)
        for literals, implied in ((values, carrying), (tails, leaving), (heads, entering)):
            for key, alternatives in implied.items():
                self.imply(literals[key], alternatives)
