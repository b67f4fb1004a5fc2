"""Constraint graph to CNF: the direct encoding, one propositional variable per value.

Every factor is encoded so that unit propagation does as much as it can: supports instead of
conflicts where a relation forbids much (Gent, "Arc consistency in SAT", ECAI 2002), and edges and
states of automata as variables, on which unit propagation is generalised arc consistency (Quimper &
Walsh, "Global grammar constraints", CP 2006; Bacchus, "GAC via unit propagation", CP 2007). Where
an automaton only looks at which values there are, a variable for each set of values that it accepts
propagates a little less with a tenth of the clauses, and is solved sooner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

import networkx as nx

from csp_encodings.at_most_one import ENCODINGS, suitable
from csp_encodings.automaton import Automaton
from csp_encodings.automaton_clauses import pattern
from csp_encodings.clauses import Clause, ClauseWriter, Pattern
from csp_encodings.connected_clauses import connected_pattern
from csp_encodings.errors import EncodingError
from csp_encodings.factors import (
    AllDifferent,
    Connected,
    Domain,
    Factor,
    Linear,
    Regular,
    Relation,
    Variable,
    automaton_of,
)
from csp_encodings.graph import Assignment, domains, each_factor, factors, variables
from csp_encodings.houses import Houses
from csp_encodings.patterns import alike_pattern, relation_pattern, sets_pattern
from csp_encodings.regions import alike_pairs, are_complete
from csp_encodings.sums import SumWriter, automaton_edges
from csp_encodings.value_sets import Sets, sets_with_sum, value_sets

# A sum whose automaton is larger is encoded by groups. The most sets of values that different
# variables with a sum may have to choose from.
_MOST_EDGES = 500
_MOST_SETS = 200

# Solvers keep a literal as 2v or 2v + 1 in a signed int, and crash beyond. Some numbers are left
# for those who add to the formula.
MAX_VARIABLES = 2**30 - 2**20


@dataclass(frozen=True)
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
    domains
        The values of every variable of the graph.
    first
        The literal that says that a variable of the graph has its first value; those of its other
        values follow.
    shown
        The variables of the graph that are part of a solution. Their literals come first, in this
        order: a solution is the head of every model.
    labels
        Runs of variables of the encoding itself: the first number, whose they are, and what for.
    starts
        Where the clauses of each factor begin, in the order of the factors; those before the first
        say that a variable has one value.
    """

    variables: int
    clauses: Sequence[Clause]
    at_most: tuple[tuple[Clause, int], ...]
    domains: Mapping[Any, Domain]
    first: Mapping[Any, int]
    shown: tuple[Any, ...]
    labels: tuple[tuple[int, object, str], ...]
    starts: tuple[int, ...]

    @cached_property
    def literals(self) -> Mapping[tuple[Any, int], int]:
        """The literal that says that a variable of the graph has a value."""
        return {
            (variable, value): literal
            for variable, first in self.first.items()
            for literal, value in enumerate(self.domains[variable], first)
        }

    @cached_property
    def meaning(self) -> Mapping[int, tuple[Any, int]]:
        """The way back, for the variables that are part of a solution."""
        return dict(enumerate([(v, value) for v in self.shown for value in self.domains[v]], 1))

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
        used: Counter[str] = Counter()
        for (first, owner, use), end in zip(self.labels, ends, strict=True):
            whose = f"{owner}: {use}"
            for _ in range(first, end):
                used[whose] += 1
                yield f"{whose} {used[whose]}"


def encode(
    graph: nx.Graph,
    *,
    at_most_one: str | None = None,
    redundant: bool = True,
    alone: bool = False,
    valued: bool = False,
) -> Cnf:
    """Encode a constraint graph.

    Parameters
    ----------
    at_most_one
        How to say it: ``pairwise``, ``sequential``, ``product``, or ``native`` for a solver with
        cardinality constraints; default: clauses that suit the size of each group.
    redundant
        Whether a permutation also says that every value occurs: it follows, but propagates more.
    alone
        Whether the clauses of each factor say the whole of it without those of any other, so that
        a factor can be switched off. Otherwise sums use what all-different factors say.
    valued
        Whether another formula says that what a solution is made of has one value each; here only
        auxiliary variables need to be told.

    Examples
    --------
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xy", range(2)), AllDifferent(("x", "y")))
    >>> cnf = encode(graph)
    >>> list(cnf.clauses)
    [(1, 2), (3, 4), (-1, -2), (-3, -4), (-1, -3), (-2, -4), (1, 3), (2, 4)]
    >>> cnf.decode([-1, 2, 3, -4])
    {'x': 1, 'y': 0}
    """
    if at_most_one not in (None, *ENCODINGS, "native"):
        raise EncodingError(
            f"at-most-one encoding {at_most_one!r}: expected one of {', '.join(ENCODINGS)}, native"
        )
    encoder = _Encoder(graph, at_most_one, redundant, alone, valued)
    for node, factor in each_factor(graph, lambda: len(encoder.clauses)):
        encoder.add(node, factor)
    return encoder.finish()


class _Encoder:
    def __init__(
        self,
        graph: nx.Graph,
        at_most_one: str | None,
        redundant: bool,
        alone: bool,
        valued: bool,
    ) -> None:
        self.domains: Mapping[Any, Domain] = domains(graph)
        self.factors = factors(graph)
        self.encoding = at_most_one
        self.redundant = redundant
        self.alone = alone
        self.clauses = ClauseWriter()
        self.at_most: list[tuple[Clause, int]] = []
        self.labels: list[tuple[int, object, str]] = []
        self.starts: list[int] = []
        # What a solution is made of comes first, so that it is the head of every model.
        self.shown = variables(graph)
        # Most variables have the same domain, which is one object for all of them.
        self.usual = usual = _most_common(self.domains.values())
        self.held: dict[Any, tuple[Domain, Clause]] = {}
        self.top = sum(map(len, self.domains.values()))
        numbers = tuple(range(1, self.top + 1))
        end = 0
        for variable in dict.fromkeys((*self.shown, *self.domains)):
            domain = self.domains[variable]
            start, end = end, end + len(domain)
            self.held[variable] = usual if domain == usual else domain, numbers[start:end]
        unvalued = [*self.held][len(self.shown) if valued else 0 :]
        rows = [self.held[variable][1] for variable in unvalued]
        self.clauses.add_all(rows)
        self.owner: object = None
        if self.encoding == "native":
            self.add_at_most_one(rows)
        else:
            for variable, row in zip(unvalued, rows, strict=True):
                self.owner = variable
                self.add_at_most_one([row])

    def finish(self) -> Cnf:
        if self.top > MAX_VARIABLES:
            raise EncodingError(
                f"the formula needs {self.top:,} variables; solvers take {MAX_VARIABLES:,}"
            )
        return Cnf(
            self.top,
            self.clauses.finish(),
            tuple(self.at_most),
            self.domains,
            {variable: row[0] for variable, (_, row) in self.held.items() if row},
            tuple(self.shown),
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

    def add(self, owner: object, factor: Factor) -> None:
        self.owner = owner
        self.starts.append(len(self.clauses))
        match factor:
            case AllDifferent():
                self.add_all_different(factor.scope)
            case Relation():
                self.add_relation(factor)
            case Linear():
                self.add_linear(factor)
            case Regular():
                self.add_regular(factor)
            case Connected():
                self.add_connected(factor)

    def add_false(self) -> None:
        self.clauses.add(())

    def add_at_most_one(self, groups: Iterable[Clause]) -> None:
        """At most one literal of each group is true."""
        if self.encoding == "native":
            self.at_most += [(group, 1) for group in groups if len(group) > 1]
            return
        for group in groups:
            say = ENCODINGS[self.encoding or suitable(len(group))]
            self.clauses.add_all(say(group, lambda count: self.fresh(count, "at most one")))

    def places(self, scope: tuple[Variable, ...]) -> dict[int, Clause]:
        """For every value, the literals that say where in the scope it stands."""
        alike: list[Clause] = []
        others: list[tuple[Domain, Clause]] = []
        for variable in scope:
            held = self.held[variable]
            if held[0] is self.usual:
                alike.append(held[1])
            else:
                others.append(held)
        # Column by column is the quickest way.
        columns = zip(*alike, strict=True)
        places: dict[int, Clause] = dict(zip(self.usual, columns, strict=False))
        for domain, row in others:
            for value, literal in zip(domain, row, strict=True):
                places[value] = (*places.get(value, ()), literal)
        return places

    def add_all_different(self, scope: tuple[Variable, ...]) -> None:
        places = self.places(scope)
        # Said outright, or the solver would have to prove a pigeonhole principle.
        if len(set(scope)) < len(scope) or len(places) < len(scope):
            self.add_false()
            return
        self.add_at_most_one(places.values())
        permutation = len(places) == len(scope)
        if permutation and self.redundant:
            self.clauses.add_all(places.values())

    def add_relation(self, relation: Relation) -> None:
        allowed = relation.allowed
        first, row = self.held[relation.first]
        second, other_row = self.held[relation.second]
        if relation.first == relation.second:
            held = zip(first, row, strict=True)
            self.clauses.add_units([-x for a, x in held if (a, a) not in allowed])
        else:
            self.add_pattern(relation_pattern(first, second, allowed), row + other_row)

    def add_linear(self, factor: Linear) -> None:
        own = [self.domains[variable] for variable in factor.scope]
        if not all(own):
            return  # a variable without a value makes the formula false already
        sets = self.possible_sets(factor, own)
        if sets is not None:
            self.add_sets(factor.scope, sets)
        elif automaton_edges(factor, own) <= _MOST_EDGES:
            self.add_automaton(factor.scope, automaton_of(factor, self.domains))
        else:
            self.sums.add(factor)

    def possible_sets(self, factor: Linear, own: Sequence[Domain]) -> Sets | None:
        """The sets of values that different variables with a sum can hold, if they are few."""
        size, total = len(factor.scope), factor.low
        if total is None or total != factor.high or {*factor.coefficients} != {1} or size < 2:
            return None
        values = tuple(sorted(set().union(*set(own))))
        if comb(len(values), size) > _MOST_SETS or not self.is_different(factor.scope):
            return None
        return sets_with_sum(values, size, total)

    @property
    def sums(self) -> SumWriter:
        return SumWriter(self, Houses(self.domains, {})) if self.alone else self.shared_sums

    @cached_property
    def shared_sums(self) -> SumWriter:
        return SumWriter(self, Houses(self.domains, self.factors))

    def add_regular(self, factor: Regular) -> None:
        sets = value_sets(factor.automaton)
        # A variable that is read twice would have to hold two values.
        if sets is None or len(set(factor.scope)) < len(factor.scope):
            self.add_automaton(factor.scope, automaton_of(factor, self.domains))
            return
        self.add_sets(factor.scope, sets)
        # They are different in any case, or they would not hold a whole set; but it propagates.
        if not self.is_different(factor.scope):
            self.add_at_most_one(self.places(factor.scope).values())

    def add_sets(self, scope: tuple[Variable, ...], sets: Sets) -> None:
        """The variables hold the values of one of these sets."""
        held = [self.held[variable] for variable in scope]
        found = sets_pattern(sets, tuple([domain for domain, _ in held]))
        self.add_pattern(found, [literal for _, row in held for literal in row])

    def is_different(self, scope: tuple[Variable, ...]) -> bool:
        """Whether all-different factors keep every two of these variables apart."""
        groups = [self.groups[variable] for variable in scope]
        return all(a & b for a, b in combinations(groups, 2))

    @cached_property
    def groups(self) -> dict[Any, int]:
        """The all-different factors that each variable belongs to, as bits."""
        groups = dict.fromkeys(self.domains, 0)
        if self.alone:
            return groups
        bit = 1
        for factor in self.factors.values():
            if isinstance(factor, AllDifferent):
                for variable in factor.scope:
                    groups[variable] |= bit
                bit <<= 1
        return groups

    def add_connected(self, factor: Connected) -> None:
        held = [self.held[variable] for variable in factor.scope]
        own = tuple([domain for domain, _ in held])
        pairs = {} if self.alone else self.pairs[factor]
        literals = [literal for _, row in held for literal in row]
        literals += [self.held[bit][1][1] for bit in pairs.values()]
        # Where every two variables that may be in one class have a bit, and other labels the same
        # bits, both name the same classes. These are said to be connected once, for the last names.
        alike = [f for f, bits in self.pairs.items() if _say_the_same(f, factor) and bits == pairs]
        found = connected_pattern(
            own,
            factor.edges,
            factor.classes,
            factor.largest,
            tuple(pairs),
            bool(pairs) and factor != alike[-1] and are_complete(factor, pairs),
        )
        self.add_pattern(found, literals)

    @cached_property
    def pairs(self) -> dict[Connected, dict[tuple[int, int], Variable]]:
        """For each connected factor, the bits that say that two of its variables are alike."""
        return {
            factor: alike_pairs(factor, self.domains, self.factors.values())
            for factor in self.factors.values()
            if isinstance(factor, Connected)
        }

    def add_automaton(self, scope: tuple[Variable, ...], automaton: Automaton) -> None:
        """The clauses of an automaton whose alphabets lie within the domains of the scope."""
        literals: list[int] = []
        for variable, alphabet in zip(scope, automaton.alphabets, strict=True):
            domain, row = self.held[variable]
            if alphabet == domain:
                literals += row
                continue
            held = dict(zip(domain, row, strict=True))
            literals += [held.pop(value) for value in alphabet]
            self.clauses.add_units([-x for x in held.values()])
        self.add_pattern(alike_pattern(automaton) or pattern(automaton), literals)

    def add_pattern(self, found: Pattern, literals: Sequence[int]) -> None:
        """Clauses over literals, and over new variables."""
        every = [*literals]
        for number, use in found.new:
            every += self.fresh(number, use)
        self.clauses.add_pattern(found, every)


def _say_the_same(a: Connected, b: Connected) -> bool:
    """Whether two factors differ in their labels only."""
    return (a.edges, a.largest, len(a.classes)) == (b.edges, b.largest, len(b.classes))


def _most_common(some: Iterable[Domain]) -> Domain:
    """The domain that most variables have."""
    counted = Counter(some)
    return max(counted, key=counted.__getitem__, default=())
