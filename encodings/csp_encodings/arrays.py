"""Constraint graph to flat arrays: the form in which a search with propagation runs on it.

A domain is a bit set over a *universe* of values, in as many 64-bit words as that needs. Variables
that share an all-different share a universe, so that equal values are equal bits; any other
variable has its own domain for a universe, so that one wide domain (a sum) makes no other wider.

The factors become *arcs*, the things that propagation revises: two for a relation, one for each
direction (Mackworth 1977), and one for any other factor, which revises its whole scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import accumulate, chain
from typing import Any

import networkx as nx
import numpy as np

from csp_encodings.automaton import DEFAULT_BUDGET, Automaton, Budget
from csp_encodings.differing import Cage, Differing
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
from csp_encodings.graph import domains, each_factor, factors, variables
from csp_encodings.houses import Houses, alike_terms
from csp_encodings.network import (
    ALL_DIFFERENT,
    CAGE,
    CONNECTED,
    LINEAR,
    NO_ARC,
    REGULAR,
    RELATION,
    WORD,
    ConstraintArrays,
    Ints,
    Network,
    Words,
)

_FULL = (1 << WORD) - 1
_KINDS = (AllDifferent, Relation, Cage, Linear, Regular, Connected)

# A sum whose terms spread wider than this could overflow a machine word: it becomes an automaton.
_WIDEST_SUM = 1 << 60

# With more variables than this, sets of peers would take more memory than they are worth.
_MOST_WITH_PEERS = 2_000


def encode(
    graph: nx.Graph,
    *,
    hall: bool = False,
    shared: bool = False,
    budget: Budget = DEFAULT_BUDGET,
) -> ConstraintArrays:
    """Encode a constraint graph.

    Parameters
    ----------
    hall
        Let any change of a variable wake its all-different, because k variables with k values
        between them are looked for; otherwise only one that leaves a single value does, as far as
        there are no values that must occur.
    shared
        Let all variables share one universe, so that a bit means the same value for each of them.
    budget
        For the automaton of a sum whose terms do not fit into machine words.

    Examples
    --------
    >>> from csp_encodings.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> for name in "xyz":
    ...     builder.variable(name, range(1, 4))
    >>> _ = builder.factor(AllDifferent(("x", "y", "z")))
    >>> encode(builder.build()).network.scope
    array([0, 1, 2], dtype=int32)
    """
    encoder = _Encoder(domains(graph), list(factors(graph).values()), shared)

    def size() -> int:
        return len(encoder.scope) + len(encoder.masks) + len(encoder.numbers) + encoder.edges

    for _, original in each_factor(graph, size, key=encoder.rank):
        factor = encoder.forms[id(original)]
        match factor:
            case AllDifferent():
                encoder.add_all_different(factor.scope, hall)
            case Relation():
                encoder.add_relation(factor)
            case Cage():
                encoder.add_cage(factor)
            case Linear():
                encoder.add_linear(factor, budget)
            case Regular():
                encoder.add_regular(factor.scope, factor.automaton)
            case Connected():
                encoder.add_connected(factor)
    return encoder.finish(variables(graph))


class _Encoder:
    def __init__(
        self, domain_of: dict[Any, Domain], listed: Sequence[Factor], shared: bool
    ) -> None:
        self.domain_of = domain_of
        self.number: dict[Any, int] = {name: v for v, name in enumerate(domain_of)}
        self.differing = Differing(domain_of, listed)
        self.universes = self.find_universes(shared)
        self.listed = listed
        self.forms = {id(factor): self.cage(factor) or factor for factor in listed}
        mask_of = cache(_mask)  # most variables have one of a few domains
        self.domain = [
            mask_of(universe, values)
            for universe, values in zip(self.universes, domain_of.values(), strict=True)
        ]
        self.kind: list[int] = []
        self.first_place: list[int] = [0]
        self.scope: list[int] = []
        self.reverse: list[int] = []
        self.data: list[int] = []
        self.links: list[list[int]] = [[] for _ in self.domain]
        self.fixed_links: list[list[int]] = [[] for _ in self.domain]
        self.masks: list[int] = []
        self.numbers: list[int] = []
        self.tables: list[tuple[Ints, Ints, Ints]] = []
        self.states = self.edges = 0
        self.contradiction = False
        # Equal tables and automata over equal universes are stored once.
        self.supports: dict[object, tuple[int, int]] = {}
        self.automata: dict[object, int] = {}
        self.cages: dict[object, int] = {}
        self.first_term: dict[object, int] = {}
        self.labels: dict[tuple[Domain, Domain], int] = {}

    def find_universes(self, shared: bool) -> list[Domain]:
        """For each variable the values its bits stand for; one object for equal ones."""
        if shared:
            everything = set().union(*set(self.domain_of.values()))
            return [tuple(sorted(everything))] * len(self.number)
        group = list(range(len(self.number)))

        def root(v: int) -> int:
            while group[v] != v:
                group[v] = v = group[group[v]]
            return v

        for scope in self.differing.scopes:
            if scope:
                first, *others = map(root, map(self.number.__getitem__, scope))
                for other in others:
                    group[other] = first
        values: dict[int, set[Domain]] = {}
        for v, domain in enumerate(self.domain_of.values()):
            values.setdefault(root(v), set()).add(domain)
        one: dict[Domain, Domain] = {}
        universe_of = {}
        for v, several in values.items():
            universe = tuple(sorted(set().union(*several)))
            universe_of[v] = one.setdefault(universe, universe)
        return [universe_of[root(v)] for v in range(len(group))]

    def rank(self, factor: Factor) -> int:
        """When the turn of a factor comes: kind by kind, the arcs that cost little first."""
        return _KINDS.index(type(self.forms[id(factor)]))

    @cached_property
    def houses(self) -> Houses:
        return Houses(self.domain_of, dict(enumerate(self.listed)))

    def cage(self, factor: Factor) -> Cage | None:
        """A factor as a cage, if it is one, and its sets are words."""
        cage = self.differing.cage(factor)
        is_narrow = cage and len(self.universes[self.number[cage.scope[0]]]) <= WORD
        return cage if is_narrow else None

    def words(self, variable: int) -> int:
        return _width(self.universes[variable])

    def add_arc(
        self, kind: int, scope: Sequence[int], data: int, reverse: int, *, fixed: bool = False
    ) -> None:
        arc = len(self.kind)
        self.kind.append(kind)
        self.scope += scope
        self.first_place.append(len(self.scope))
        self.data.append(data)
        self.reverse.append(reverse)
        links = self.fixed_links if fixed else self.links
        for variable in dict.fromkeys(scope[1:] if kind == RELATION else scope):
            links[variable].append(arc)

    def add_masks(self, masks: Iterable[int], words: int) -> int:
        start = len(self.masks)
        for mask in masks:
            self.masks += _words(mask, words)
        return start

    def add_all_different(self, scope: tuple[Variable, ...], hall: bool) -> None:
        places = [self.number[variable] for variable in scope]
        if len(places) < 2:
            return
        union = 0
        for place in places:
            union |= self.domain[place]
        if len(set(places)) < len(places) or union.bit_count() < len(places):
            self.contradiction = True
            return
        permutation = union.bit_count() == len(places)
        data = self.add_masks([union if permutation else 0], self.words(places[0]))
        # Of two variables without values that must occur, only a single value rules others out.
        fixed = not permutation and (len(places) == 2 or not hall)
        self.add_arc(ALL_DIFFERENT, places, data, len(self.kind), fixed=fixed)

    def add_relation(self, relation: Relation) -> None:
        a, b = self.number[relation.first], self.number[relation.second]
        if a == b:
            self.domain[a] &= _mask(
                self.universes[a], tuple([x for x, y in relation.allowed if x == y])
            )
            return
        left, right = self.universes[a], self.universes[b]
        key = (relation.allowed, left, right)
        if key not in self.supports:
            bit_of = [{value: i for i, value in enumerate(universe)} for universe in (left, right)]
            rows, columns = [0] * len(left), [0] * len(right)
            for x, y in relation.allowed:
                i, j = bit_of[0].get(x), bit_of[1].get(y)
                if i is not None and j is not None:
                    rows[i] |= 1 << j
                    columns[j] |= 1 << i
            self.supports[key] = (
                self.add_masks(rows, self.words(b)),
                self.add_masks(columns, self.words(a)),
            )
        self.add_both_arcs(a, b, self.supports[key])

    def add_both_arcs(self, a: int, b: int, supports: tuple[int, int]) -> None:
        arc = len(self.kind)
        self.add_arc(RELATION, (a, b), supports[0], arc + 1)
        self.add_arc(RELATION, (b, a), supports[1], arc)

    def add_cage(self, cage: Cage) -> None:
        places = [self.number[variable] for variable in cage.scope]
        universe = self.universes[places[0]]
        key = (cage.sets, universe)
        if key not in self.cages:
            bit_of = {value: 1 << i for i, value in enumerate(universe)}
            masks = [
                sum([bit_of[value] for value in values])
                for values in cage.sets
                if bit_of.keys() >= {*values}
            ]
            self.cages[key] = self.add_masks([len(masks), *masks], 1)
        self.add_arc(CAGE, places, self.cages[key], len(self.kind))

    def add_linear(self, factor: Linear, budget: Budget) -> None:
        values = [self.domain_of[variable] for variable in factor.scope]
        if not all(values):
            return  # a domain is empty: there is no solution anyway
        low, high = factor.bounds(values)
        scope: list[int] = []
        groups: list[tuple[int, Domain, int]] = []
        spread = 0
        for coefficient, alike in alike_terms(factor).items():
            for group in self.houses.split(alike):
                places = [self.number[variable] for variable in group]
                universe = self.universes[places[0]]
                ends = coefficient * universe[0], coefficient * universe[-1]
                low, high = low - len(group) * min(ends), high - len(group) * min(ends)
                spread += len(group) * abs(ends[1] - ends[0])
                # The bounds of a group are found within a word.
                size = len(group) if len(universe) <= WORD else 1
                groups += [(coefficient, universe, size)] * (len(group) // size)
                scope += places
        if low > high:
            self.contradiction = True
        elif spread > _WIDEST_SUM:
            self.add_regular(factor.scope, automaton_of(factor, self.domain_of, budget))
        elif low > 0 or high < spread:
            terms = [(self.terms(coefficient, universe), n) for coefficient, universe, n in groups]
            data = len(self.numbers)
            self.numbers += [low, high, len(groups), *chain.from_iterable(terms)]
            self.add_arc(LINEAR, scope, data, NO_ARC)

    def terms(self, coefficient: int, universe: Domain) -> int:
        """Where the terms of the values of a universe begin."""
        key = (coefficient, universe)
        if key not in self.first_term:
            least = min(coefficient * universe[0], coefficient * universe[-1])
            self.first_term[key] = len(self.numbers)
            self.numbers += [coefficient * value - least for value in universe]
        return self.first_term[key]

    def add_regular(self, scope: tuple[Variable, ...], automaton: Automaton) -> None:
        if not all(automaton.widths):
            self.contradiction = True
        elif scope:
            places = [self.number[variable] for variable in scope]
            universes = tuple(self.universes[place] for place in places)
            key = (automaton, universes)
            if key not in self.automata:
                self.automata[key] = self.add_automaton(automaton, universes)
            # A variable in two places may lose in one what the other had counted on.
            repeats = len(set(places)) < len(places)
            reverse = NO_ARC if repeats else len(self.kind)
            self.add_arc(REGULAR, places, self.automata[key], reverse)

    def add_connected(self, factor: Connected) -> None:
        scope = [self.number[variable] for variable in factor.scope]
        largest = len(scope) if factor.largest is None else factor.largest
        labels = [
            self.label(self.universes[variable], values)
            for values in factor.classes
            for variable in scope
        ]
        near = factor.neighbours()
        data = len(self.numbers)
        begin = data + 2 + len(scope) + 1 + len(labels)
        self.numbers += [largest, len(factor.classes)]
        self.numbers += [begin + end for end in accumulate(map(len, near), initial=0)]
        self.numbers += [*labels, *chain.from_iterable(near)]
        # What it takes from one class may decide another.
        self.add_arc(CONNECTED, scope, data, NO_ARC)

    def add_automaton(self, automaton: Automaton, universes: tuple[Domain, ...]) -> int:
        table, start = automaton.edge_table, self.states
        labels = [self.label(universes[position], values) for position, values in table.labels]
        self.tables.append(
            (
                table.first[:-1] + np.int32(self.edges),
                table.head + np.int32(start),
                np.array(labels, np.int32)[table.label],
            )
        )
        self.states += len(table.first) - 1
        self.edges += len(table.head)
        return start

    def label(self, universe: Domain, values: Domain) -> int:
        """Where the mask of some values is."""
        key = (universe, values)
        if key not in self.labels:
            self.labels[key] = self.add_masks([_mask(universe, values)], _width(universe))
        return self.labels[key]

    def peer_sets(self) -> Words:
        """For each variable the set of its peers, if there are cages to ask for them."""
        if not self.cages or len(self.domain) > _MOST_WITH_PEERS:
            return np.zeros(0, np.uint64)
        width = -(-len(self.domain) // WORD)
        sets = [*self.differing.peers.values()] + [0] * self.contradiction
        return np.array([word for mask in sets for word in _words(mask, width)], np.uint64)

    def finish(self, shown: list[Any]) -> ConstraintArrays:
        if self.contradiction:
            self.domain.append(0)
            self.universes.append(())
            self.links.append([])
            self.fixed_links.append([])
        words = list(map(_width, self.universes))
        links = [a + b for a, b in zip(self.links, self.fixed_links, strict=True)]
        domain = [
            word for mask, n in zip(self.domain, words, strict=True) for word in _words(mask, n)
        ]
        tables = [*zip(*self.tables, strict=True)] or [(), (), ()]
        pairs = zip(self.links, self.fixed_links, strict=True)
        first_wake, wake_word, wake_mask = _as_sets([*chain.from_iterable(pairs)])
        network = Network(
            first_word=_ints(np.cumsum([0, *words])),
            domain=np.array(domain, np.uint64),
            kind=_ints(self.kind),
            first_place=_ints(self.first_place),
            scope=_ints(self.scope),
            reverse=_ints(self.reverse),
            data=_ints(self.data),
            first_link=_ints(np.cumsum([0, *map(len, links)])),
            link=_ints([*chain.from_iterable(links)]),
            first_wake=first_wake[::2],
            fixed_wake=first_wake[1::2],
            wake_word=wake_word,
            wake_mask=wake_mask,
            masks=np.array(self.masks, np.uint64),
            numbers=np.array(self.numbers, np.int64),
            first_edge=_joined(*tables[0], [self.edges]),
            edge_head=_joined(*tables[1]),
            edge_label=_joined(*tables[2]),
            peers=self.peer_sets(),
        )
        for array in network:
            array.setflags(write=False)
        return ConstraintArrays(
            network,
            tuple(self.number),
            tuple(self.universes),
            tuple(self.number[variable] for variable in shown),
        )


def _mask(universe: Domain, values: Domain) -> int:
    wanted = frozenset(values)
    return sum(1 << i for i, value in enumerate(universe) if value in wanted)


def _width(universe: Domain) -> int:
    """How many words a bit set over a universe has."""
    return max(1, -(-len(universe) // WORD))


def _words(mask: int, words: int) -> list[int]:
    """A bit set as words, the lowest bits first."""
    return [mask >> WORD * i & _FULL for i in range(words)] if words > 1 else [mask]


def _as_sets(lists: list[list[int]]) -> tuple[Ints, Ints, Words]:
    """Ascending lists of numbers as bit sets, without their empty words.

    List ``i`` has the words from ``first[i]``; each is the number of a word, and a mask.
    """
    members = np.array([*chain.from_iterable(lists)], np.int64)
    owner = np.repeat(np.arange(len(lists)), [*map(len, lists)])
    word, bit = members // WORD, np.uint64(1) << (members % WORD).astype(np.uint64)
    begins = np.flatnonzero((np.diff(word, prepend=-1) != 0) | (np.diff(owner, prepend=-1) != 0))
    first = np.searchsorted(owner[begins], np.arange(len(lists) + 1))
    masks = np.bitwise_or.reduceat(bit, begins) if len(begins) else bit
    return _ints(first), _ints(word[begins]), masks


def _ints(numbers: Any) -> Ints:
    return np.asarray(numbers, dtype=np.int32)


def _joined(*parts: Any) -> Ints:
    return np.concatenate([_ints(part) for part in ((), *parts)])
