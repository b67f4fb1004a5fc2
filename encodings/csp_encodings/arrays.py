"""Constraint graph to flat arrays: the form in which a search with propagation runs on it.

A domain is a bit set over a *universe* of values, in as many 64-bit words as that needs. Variables
that share an all-different share a universe, so that equal values are equal bits; any other
variable has its own domain for a universe, so that one wide domain (a sum) makes no other wider.

The factors become *arcs*, the things that propagation revises: two for a relation, one for each
direction (Mackworth 1977), and one for any other factor, which revises its whole scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple, TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from csp_encodings.automaton import DEFAULT_BUDGET, Automaton, Budget
from csp_encodings.differing import Cage, Differing
from csp_encodings.errors import GraphError
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
from csp_encodings.houses import Houses, alike_terms

Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

WORD = 64
_FULL = (1 << WORD) - 1
ALL_DIFFERENT, RELATION, CAGE, LINEAR, REGULAR, CONNECTED = range(6)
NO_ARC = -1

_KINDS = (AllDifferent, Relation, Cage, Linear, Regular, Connected)

# A sum whose terms spread wider than this could overflow a machine word: it becomes an automaton.
_WIDEST_SUM = 1 << 60

# With more variables than this, sets of peers would take more memory than they are worth.
_MOST_WITH_PEERS = 2_000


class Network(NamedTuple):
    """The arrays alone, as a kernel takes them. "From x[i]" means: up to x[i + 1].

    Attributes
    ----------
    first_word
        Variable ``v`` has the words of ``domain`` from ``first_word[v]``.
    domain
        The domains at the start.
    kind
        The kind of each arc: ALL_DIFFERENT, RELATION, CAGE, LINEAR, REGULAR or CONNECTED, in this
        order.
    first_place
        Arc ``a`` has the places of ``scope`` from ``first_place[a]``.
    scope
        The variables of the arcs. The arc of a relation revises its first one, by its second.
    reverse
        The arc that need not be revised after this one has changed a domain: itself if one pass
        leaves nothing for a second, the other direction of a relation, or NO_ARC.
    data
        Where the parameters of an arc begin. ALL_DIFFERENT: in ``masks``, the values that must
        occur (all of them in a permutation, else none). RELATION: in ``masks``, for each value of
        the first variable its supports among the values of the second. CAGE: in ``masks``, how many
        sets there are, then the sets. LINEAR: in ``numbers``, the lower bound, the upper bound, the
        number of groups of different variables, and for each group where its terms begin in
        ``numbers`` and how many places it has. REGULAR: the start state. CONNECTED: in ``numbers``,
        the largest size of a class, the number of classes, for each place and for the end where its
        neighbours begin in ``numbers``, for each class and each place where its values are in
        ``masks``.
    first_link
        Variable ``v`` has the links from ``first_link[v]``: the arcs to revise after it changes.
    link
        The arcs of the links.
    first_wake
        The links once more, as sets of arcs: variable ``v`` wakes the sets from ``first_wake[v]``.
    fixed_wake
        The sets from here on are woken only when the variable has a single value left.
    wake_word, wake_mask
        A set of at most 64 arcs: a word of the set of all arcs, and a mask of its bits.
    masks
        Bit sets: needed values, supports, labels of edges.
    numbers
        Bounds and terms of linear arcs: a term is never negative and follows the order of values.
        Sizes and neighbours of connected ones.
    first_edge
        State ``s`` has the edges from ``first_edge[s]``.
    edge_head
        The state that an edge leads to.
    edge_label
        Where in ``masks`` the values of an edge are.
    peers
        For each variable the set of those that must differ from it; empty if there is no cage.
    """

    first_word: Ints
    domain: Words
    kind: Ints
    first_place: Ints
    scope: Ints
    reverse: Ints
    data: Ints
    first_link: Ints
    link: Ints
    first_wake: Ints
    fixed_wake: Ints
    wake_word: Ints
    wake_mask: Words
    masks: Words
    numbers: Longs
    first_edge: Ints
    edge_head: Ints
    edge_label: Ints
    peers: Words

    @property
    def scopes(self) -> list[list[int]]:
        """The variables of each arc."""
        scope: list[int] = self.scope.tolist()
        return [scope[start:end] for start, end in pairwise(self.first_place.tolist())]


@dataclass(frozen=True, eq=False)
class ConstraintArrays:
    """A network, and what its numbers mean.

    Attributes
    ----------
    network
        The arrays.
    names
        The variable of the graph behind each number. A factor without variables that is false adds
        a nameless variable without values at the end.
    universes
        The values, ascending, that the bits of each variable stand for.
    shown
        The numbers of the variables that make up a solution, in their order.
    """

    network: Network
    names: tuple[Any, ...]
    universes: tuple[Domain, ...]
    shown: tuple[int, ...]

    def restricted(self, restrict: Mapping[Any, Iterable[int]]) -> Words:
        """The domains at the start, of each variable named only the values named.

        Examples
        --------
        >>> from csp_encodings.graph import GraphBuilder
        >>> builder = GraphBuilder()
        >>> builder.variable("x", range(1, 10))
        >>> encode(builder.build()).restricted({"x": [1, 3, 77]})
        array([5], dtype=uint64)
        """
        words, first = self._start.copy(), self._first_word
        for variable, values in restrict.items():
            v = self._number.get(variable)
            if v is None:
                raise GraphError(f"variable {variable} is not in the graph")
            bit_of = self._bits[v]
            mask = 0
            for value in values:
                mask |= bit_of.get(value, 0)
            for word in range(first[v], first[v + 1]):
                words[word] &= mask
                mask >>= WORD
        return np.array(words, np.uint64)

    def candidates(self, domain: Words) -> dict[Any, Domain]:
        """The values left of every variable of the graph, auxiliaries included."""
        masks = self._masks(domain)
        return {
            name: tuple([x for i, x in enumerate(universe) if mask >> i & 1])
            for name, universe, mask in zip(self.names, self.universes, masks, strict=False)
        }

    def decode(self, domain: Words) -> Assignment:
        """The solution that domains of a single value stand for, without auxiliaries."""
        masks = self._masks(domain)
        if self._common is not None:
            return dict(zip(self.names, map(self._common.__getitem__, masks), strict=True))
        return {self.names[v]: self.universes[v][masks[v].bit_length() - 1] for v in self.shown}

    def _masks(self, domain: Words) -> list[int]:
        """The bit set of each variable as one number."""
        words: list[int] = domain.tolist()
        if len(words) == len(self.universes):  # a word each, as usual
            return words
        masks = []
        for start, end in pairwise(self._first_word):
            mask = words[start]
            for word in range(start + 1, end):
                mask |= words[word] << WORD * (word - start)
            masks.append(mask)
        return masks

    # What every query needs, as plain Python has it.

    @cached_property
    def _number(self) -> dict[Any, int]:
        return {name: v for v, name in enumerate(self.names)}

    @cached_property
    def _bits(self) -> list[dict[int, int]]:
        """For each variable the bit of each value; variables share few universes."""
        bits_of = {
            universe: {value: 1 << i for i, value in enumerate(universe)}
            for universe in set(self.universes)
        }
        return [bits_of[universe] for universe in self.universes]

    @cached_property
    def _common(self) -> dict[int, int] | None:
        """The value of each bit, if all variables are shown and have the same universe."""
        if self.shown != tuple(range(len(self.universes))) or len(set(self.universes)) != 1:
            return None
        return {1 << i: value for i, value in enumerate(self.universes[0])}

    @cached_property
    def _start(self) -> list[int]:
        start: list[int] = self.network.domain.tolist()
        return start

    @cached_property
    def _first_word(self) -> list[int]:
        first: list[int] = self.network.first_word.tolist()
        return first


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
