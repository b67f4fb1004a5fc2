"""Constraint graph to CNF: the direct encoding, one propositional variable per value.

Every factor is encoded so that unit propagation does as much as it can: supports instead of
conflicts where a relation forbids much (Gent, "Arc consistency in SAT", ECAI 2002), and edges and
states of automata as variables, on which unit propagation is generalised arc consistency (Quimper &
Walsh, "Global grammar constraints", CP 2006; Bacchus, "GAC via unit propagation", CP 2007). Where
an automaton only looks at which values there are, a variable for each set of values that it accepts
propagates a little less with a tenth of the clauses, and is solved sooner.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, product
from typing import Any

import networkx as nx

from csp_encodings.at_most_one import ENCODINGS
from csp_encodings.automaton import Automaton
from csp_encodings.automaton_clauses import pattern
from csp_encodings.clauses import Clause, ClauseWriter
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
from csp_encodings.value_sets import value_sets

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
    clauses: Sequence[Clause]
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
    >>> list(cnf.clauses)
    [(1, 2), (-1, -2), (3, 4), (-3, -4), (-1, -3), (1, 3), (-2, -4), (2, 4)]
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
        encoder.add(node, factor)
    return encoder.finish()


class _Encoder:
    def __init__(self, graph: nx.Graph, at_most_one: str, redundant: bool) -> None:
        self.domains: dict[Any, Domain] = domains(graph)
        self.encoding = at_most_one
        self.redundant = redundant
        self.clauses = ClauseWriter()
        self.at_most: list[tuple[Clause, int]] = []
        self.labels: list[tuple[int, str, str]] = []
        self.starts: list[int] = []
        self.literals: dict[tuple[Any, int], int] = {}
        self.values: dict[Any, dict[int, int]] = {}
        # What a solution is made of comes first, so that it is the head of every model.
        shown = variables(graph)
        hidden = [variable for variable in self.domains if graph.nodes[variable]["auxiliary"]]
        for variable in (*shown, *hidden):
            domain = self.domains[variable]
            numbers = count(len(self.literals) + 1)
            self.values[variable] = values = dict(zip(domain, numbers, strict=False))
            self.literals.update(zip(product((variable,), domain), values.values(), strict=True))
        self.top = len(self.literals)
        of_shown = sum([len(self.domains[variable]) for variable in shown])
        self.meaning = dict(zip(range(1, of_shown + 1), self.literals, strict=False))
        self.tables: dict[tuple[Domain, Domain, frozenset[tuple[int, int]]], _Table] = {}
        self.owner: object = None
        for variable, values in self.values.items():
            self.owner = variable
            self.clauses.add(values.values())
            self.add_at_most_one(tuple(values.values()))

    def finish(self) -> Cnf:
        if self.top > MAX_VARIABLES:
            raise EncodingError(
                f"the formula needs {self.top:,} variables; solvers take {MAX_VARIABLES:,}"
            )
        return Cnf(
            self.top,
            self.clauses.finish(),
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
            self.labels.append((first, str(self.owner), use))
        return range(first, first + count)

    def add(self, owner: object, factor: Factor) -> None:
        self.owner = owner
        self.starts.append(len(self.clauses))
        match factor:
            case AllDifferent():
                self.add_all_different(factor.scope)
            case Relation():
                self.add_relation(factor)
            case Linear():
                self.add_automaton(factor.scope, automaton_of(factor, self.domains))
            case Regular():
                self.add_regular(factor)

    def add_false(self) -> None:
        self.clauses.add(())

    def add_at_most_one(self, literals: Clause) -> None:
        if len(literals) < 2:
            return
        if self.encoding == "native":
            self.at_most.append((literals, 1))
        else:
            say = ENCODINGS[self.encoding]
            self.clauses.add_pairs(say(literals, lambda count: self.fresh(count, "at most one")))

    def places(self, scope: tuple[Variable, ...]) -> dict[int, list[int]]:
        """For every value, the literals that say where in the scope it stands."""
        places: dict[int, list[int]] = defaultdict(list)
        for variable in scope:
            for value, literal in self.values[variable].items():
                places[value].append(literal)
        return places

    def add_all_different(self, scope: tuple[Variable, ...]) -> None:
        places = self.places(scope)
        # Said outright, or the solver would have to prove a pigeonhole principle.
        if len(set(scope)) < len(scope) or len(places) < len(scope):
            self.add_false()
            return
        permutation = len(places) == len(scope)
        for literals in places.values():
            self.add_at_most_one(tuple(literals))
            if permutation and self.redundant:
                self.clauses.add(literals)

    def add_relation(self, relation: Relation) -> None:
        first, second = self.values[relation.first], self.values[relation.second]
        if relation.first == relation.second:
            allowed = relation.allowed
            self.clauses.add_units([-x for a, x in first.items() if (a, a) not in allowed])
            return
        table = self.table(relation)
        if len(table.conflicts) <= len(first) + len(second):
            self.clauses.add_pairs([(-first[a], -second[b]) for a, b in table.conflicts])
            return
        for known, other, supports in (
            (first, second, table.supports),
            (second, first, table.supports_of_second),
        ):
            self.clauses.imply(known.values(), [[other[v] for v in some] for some in supports])

    def table(self, relation: Relation) -> _Table:
        """What a relation allows; found once for all that are alike."""
        alike = (self.domains[relation.first], self.domains[relation.second], relation.allowed)
        if alike not in self.tables:
            self.tables[alike] = _Table.of(*alike)
        return self.tables[alike]

    def add_regular(self, factor: Regular) -> None:
        sets = value_sets(factor.automaton)
        # A variable that is read twice would have to hold two values.
        if sets is None or len(set(factor.scope)) < len(factor.scope):
            self.add_automaton(factor.scope, automaton_of(factor, self.domains))
        else:
            self.add_sets(factor.scope, sets)

    def add_sets(self, scope: tuple[Variable, ...], sets: Sequence[tuple[int, ...]]) -> None:
        """The scope holds one of the sets: every value of it somewhere, and no other value."""
        places = self.places(scope)
        possible = [values for values in sets if places.keys() >= {*values}]
        held = self.fresh(len(possible), "set of values")
        self.clauses.add(held)
        for value, literals in places.items():
            holding = [x for x, values in zip(held, possible, strict=True) if value in values]
            self.clauses.imply(holding, [literals] * len(holding))
            self.clauses.imply(literals, [holding] * len(literals))
            self.add_at_most_one(tuple(literals))

    def add_automaton(self, scope: tuple[Variable, ...], automaton: Automaton) -> None:
        """The clauses of an automaton whose alphabets lie within the domains of the scope."""
        found = pattern(automaton)
        literals: list[int] = []
        for variable, alphabet in zip(scope, automaton.alphabets, strict=True):
            values = self.values[variable]
            literals += [values[value] for value in alphabet]
            if len(alphabet) < len(values):
                self.clauses.add_units([-x for v, x in values.items() if v not in alphabet])
        for number, use in found.new:
            literals += self.fresh(number, use)
        self.clauses.add_renamed(found.clauses, literals)


@dataclass(frozen=True, slots=True)
class _Table:
    """A relation over two domains: pairs that it forbids, and what it allows beside each value."""

    conflicts: list[tuple[int, int]]
    supports: list[list[int]]
    supports_of_second: list[list[int]]

    @classmethod
    def of(cls, first: Domain, second: Domain, allowed: frozenset[tuple[int, int]]) -> _Table:
        return cls(
            [pair for pair in product(first, second) if pair not in allowed],
            [[b for b in second if (a, b) in allowed] for a in first],
            [[a for a in first if (a, b) in allowed] for b in second],
        )
