"""Constraint graph to flat arrays: the form in which a search with propagation runs on it.

A domain is a bit set over a *universe* of values, in as many 64-bit words as that needs. Variables
that share an all-different share a universe, so that equal values are equal bits; any other
variable has its own domain for a universe, so that one wide domain (a sum) makes no other wider.

The factors become *arcs*, the things that propagation revises: two for a relation, one for each
direction (Mackworth 1977), and one for any other factor, which revises its whole scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import accumulate, chain, islice
from operator import or_
from typing import Any, NamedTuple, TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import NDArray

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
from csp_encodings.graph import base_of, each_factor, factors, variables
from csp_encodings.houses import Houses, alike_terms, numbers_of
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
    Longs,
    Network,
    Words,
)
from csp_encodings.watch import look

_FULL = (1 << WORD) - 1
_WORD_BITS = WORD.bit_length() - 1

# The kind of an arc, its variables, where its data are, its reverse, and whether only a single
# value wakes it.
_Arc: TypeAlias = tuple[int, Sequence[int], int, int, bool]
_KINDS = (Relation, Cage, Linear, Regular, Connected)
_RANK = {kind: rank for rank, kind in enumerate(_KINDS)}

# A sum whose terms spread wider than this could overflow a machine word: it becomes an automaton.
_WIDEST_SUM = 1 << 60

# After so many arcs, look at the clock.
_MANY_ARCS = 256

# With more variables than this, sets of peers would take more memory than they are worth.
_MOST_WITH_PEERS = 2_000


def encode(
    graph: nx.Graph,
    *,
    hall: bool = False,
    shared: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    houses: Houses | None = None,
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
    houses
        The houses of the graph, if the caller has them.

    Examples
    --------
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xyz", range(1, 4)), AllDifferent(("x", "y", "z")))
    >>> encode(graph).network.scope
    array([0, 1, 2], dtype=int32)
    """
    listed = factors(graph)
    houses = houses or Houses.of(graph)
    differing = Differing(houses, listed.values())
    encoder = _Encoder(houses, differing, _start(graph, houses, differing, shared, hall), listed)
    for _, original in each_factor(graph, encoder.size, key=encoder.rank, but=AllDifferent):
        factor = encoder.form(original)
        match factor:
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
        self, houses: Houses, differing: Differing, start: _Start, listed: Mapping[Any, Factor]
    ) -> None:
        self.houses = houses
        self.number = houses.number
        self.differing = differing
        self.universes, self.domain = [*start.universes], [*start.domain]
        self.arcs, self.masks = [*start.arcs], [*start.masks]
        self.places = sum([len(scope) for _, scope, *_ in start.arcs])
        self.contradiction = start.contradiction
        self.forms = {
            id(factor): cage
            for factor in listed.values()
            if isinstance(factor, Linear | Regular) and (cage := self.cage(factor))
        }
        self.numbers: list[int] = []
        self.tables: list[tuple[Ints, Ints, Ints]] = []
        self.states = self.edges = 0
        # Equal tables and automata over equal universes are stored once.
        self.supports: dict[object, tuple[int, int]] = {}
        self.automata: dict[object, int] = {}
        self.cages: dict[object, int] = {}
        self.first_term: dict[object, int] = {}
        self.labels: dict[tuple[Domain, Domain], int] = {}

    def size(self) -> int:
        """How much is written."""
        return self.places + len(self.masks) + len(self.numbers) + self.edges

    def form(self, factor: Factor) -> Factor | Cage:
        """A factor as it is added: as a cage, if it is one."""
        return self.forms.get(id(factor), factor)

    def rank(self, factor: Factor) -> int:
        """When the turn of a factor comes: kind by kind, the arcs that cost little first."""
        return _RANK[type(self.forms.get(id(factor), factor))]

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
        self.arcs.append((kind, scope, data, reverse, fixed))
        self.places += len(scope)

    def add_masks(self, masks: Iterable[int], words: int) -> int:
        start = len(self.masks)
        for mask in masks:
            self.masks += _words(mask, words)
        return start

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
        arc = len(self.arcs)
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
        self.add_arc(CAGE, places, self.cages[key], len(self.arcs))

    def add_linear(self, factor: Linear, budget: Budget) -> None:
        values = self.houses.domains(factor.scope)
        if not all(values):
            return  # a domain is empty: there is no solution anyway
        low, high = factor.bounds(values)
        scope: list[int] = []
        groups: list[tuple[int, Domain, int]] = []
        spread, widest = 0, 0
        for coefficient, alike in alike_terms(factor).items():
            for group in self.houses.groups(self.houses.mask(alike)):
                places = list(numbers_of(group))
                universe, count = self.universes[places[0]], len(places)
                ends = coefficient * universe[0], coefficient * universe[-1]
                low, high = low - count * min(ends), high - count * min(ends)
                reach = abs(ends[1] - ends[0])
                spread += count * reach
                widest = max(widest, reach)
                # The bounds of a group are found within a word.
                size = count if len(universe) <= WORD else 1
                groups += [(coefficient, universe, size)] * (count // size)
                scope += places
        if low > high:
            self.contradiction = True
        elif spread > _WIDEST_SUM:
            self.add_regular(
                factor.scope,
                automaton_of(factor, dict(zip(factor.scope, values, strict=True)), budget),
            )
        elif low > 0 or high < spread:
            terms = [(self.terms(coefficient, universe), n) for coefficient, universe, n in groups]
            data = len(self.numbers)
            self.numbers += [low, high, widest, len(groups), *chain.from_iterable(terms)]
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
            reverse = NO_ARC if repeats else len(self.arcs)
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
        width = 8 * -(-len(self.domain) // WORD)
        peers = [mask ^ 1 << number for number, mask in enumerate(self.differing.peers)]
        sets = [mask.to_bytes(width, "little") for mask in peers]
        sets += [bytes(width)] * self.contradiction
        return np.frombuffer(b"".join(sets), "<u8").astype(np.uint64)

    def finish(self, shown: list[Any]) -> ConstraintArrays:
        if self.contradiction:
            self.domain.append(0)
            self.universes.append(())
        domain, first_word = self.domain, np.arange(len(self.domain) + 1, dtype=np.int32)
        if max(map(len, self.universes), default=0) > WORD:
            words = list(map(_width, self.universes))
            several = zip(domain, words, strict=True)
            domain = [word for mask, n in several for word in _words(mask, n)]
            first_word = _ints(np.cumsum([0, *words]))
        tables = [*zip(*self.tables, strict=True)] or [(), (), ()]
        kinds, scopes, data, reverse, fixed = [*zip(*self.arcs, strict=True)] or [()] * 5
        kind, first_place = _ints(kinds), _ints([*accumulate(map(len, scopes), initial=0)])
        scope = np.fromiter(chain.from_iterable(scopes), np.int32, self.places)
        network = Network(
            first_word=first_word,
            domain=np.array(domain, np.uint64),
            kind=kind,
            first_place=first_place,
            scope=scope,
            scope_word=first_word[scope],
            reverse=_ints(reverse),
            data=_ints(data),
            **_links(
                kind, first_place, scope, np.array(fixed, np.bool_), len(self.domain)
            )._asdict(),
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
            tuple([self.number[variable] for variable in shown]),
        )


class _Start(NamedTuple):
    """What an encoding begins with: the variables, and the arcs of the all-different factors.

    Attributes
    ----------
    universes, domain
        The values that the bits of each variable stand for, and its bits at the start.
    arcs, masks
        The arcs, and the sets of values that must occur.
    contradiction
        Whether one of the factors cannot be satisfied.
    """

    universes: list[Domain]
    domain: list[int]
    arcs: list[_Arc]
    masks: list[int]
    contradiction: bool


def _start(
    graph: nx.Graph, houses: Houses, differing: Differing, shared: bool, hall: bool
) -> _Start:
    """Return what the encoding of a graph begins with.

    If nothing but the base of the graph keeps variables apart, that is found once.
    """
    base, known = base_of(graph), houses.whole_base
    if base is None or known is None or shared or len(differing.masks) > len(known.masks):
        return _new_start(houses, differing, shared, hall)
    key = (_new_start, hall)
    start: _Start | None = base.found.get(key)
    if start is None:
        made = _new_start(known, Differing(known, ()), False, hall)
        start = base.found.setdefault(key, made)
    # Each further variable is apart from all others, and has a universe of its own.
    further = list(islice(houses.domain_of.values(), len(base.domains), None))
    return start._replace(
        universes=[*start.universes, *further],
        domain=[*start.domain, *[(1 << len(values)) - 1 for values in further]],
    )


def _new_start(houses: Houses, differing: Differing, shared: bool, hall: bool) -> _Start:
    universes, domain = _bit_sets(houses, differing, shared)
    start = _Start(universes, domain, [], [], False)
    # Most houses have the same values that must occur: these are stored once.
    needs: dict[tuple[int, int], int] = {}
    known: dict[tuple[int, int, int], tuple[int, bool]] = {}
    for places, mask in zip(houses.scopes.values(), houses.masks.values(), strict=True):
        size = len(places)
        if size < 2:
            continue
        if len(start.arcs) % _MANY_ARCS == 0:
            look()
        union = reduce(or_, [domain[place] for place in places])
        if union.bit_count() < size or mask.bit_count() < size:
            start = start._replace(contradiction=True)
            continue
        words = _width(universes[places[0]])
        key = (union, size, words)
        if key not in known:
            permutation = union.bit_count() == size
            need = union if permutation else 0
            if (need, words) not in needs:
                needs[need, words] = len(start.masks)
                start.masks.extend(_words(need, words))
            # Of two variables without values that must occur, only a single value rules others out.
            known[key] = needs[need, words], not permutation and (size == 2 or not hall)
        data, fixed = known[key]
        start.arcs.append((ALL_DIFFERENT, places, data, len(start.arcs), fixed))
    return start


def _bit_sets(houses: Houses, differing: Differing, shared: bool) -> tuple[list[Domain], list[int]]:
    """Find the values that the bits of each variable stand for, and its bits at the start."""
    everything = (1 << len(houses.number)) - 1
    apart = [everything] if shared else _separate_groups(differing)
    alone = everything & ~reduce(or_, apart, 0)
    apart += [1 << number for number in numbers_of(alone)]
    kind, kinds = houses.kind, houses.kinds
    universes: list[Domain] = [()] * len(kind)
    domain = [0] * len(kind)
    one: dict[Domain, Domain] = {}  # one object for equal universes
    for group in apart:
        members = list(numbers_of(group))
        own = {kind[number] for number in members}
        universe = tuple(sorted(set().union(*[kinds[k] for k in own])))
        universe = one.setdefault(universe, universe)
        masks = {k: _mask(universe, kinds[k]) for k in own}
        for number in members:
            universes[number] = universe
            domain[number] = masks[kind[number]]
    return universes, domain


def _separate_groups(differing: Differing) -> list[int]:
    """Sets of variables, such that no two of different sets must differ."""
    found: list[int] = []
    for mask in differing.masks:
        if found and mask & ~found[-1] == 0:
            continue
        group, others = mask, []
        for other in found:
            if other & group:
                group |= other
            else:
                others.append(other)
        found = [*others, group]
    return found


class _Links(NamedTuple):
    """Which arcs each variable wakes: fields of a network."""

    first_link: Ints
    link: Ints
    first_wake: Ints
    fixed_wake: Ints
    wake_word: Ints
    wake_mask: Words


def _links(
    kind: Ints, first_place: Ints, scope: Ints, fixed: NDArray[np.bool_], variables: int
) -> _Links:
    """Find the arcs to revise after a variable changes; last those for a single value alone."""
    arcs = np.repeat(np.arange(len(kind)), np.diff(first_place))
    # Each variable owns two lists of arcs. Numbers of a list and an arc are sorted: all lists in
    # one. An arc has a whole number of words for its bits, so a shift tells its word.
    bits = max(_WORD_BITS, len(kind).bit_length())
    places = ((2 * scope.astype(np.int64) + fixed[arcs]) << bits) + arcs
    wakes = np.ones(len(scope), np.bool_)
    wakes[first_place[:-1][kind == RELATION]] = False  # it revises its first variable
    places = places[wakes]
    places.sort()
    begins = _begins(places)
    if not begins.all():  # a variable that stands twice in a scope
        places = places[begins]
    owner, link = places >> bits, places & ((1 << bits) - 1)
    sets = np.flatnonzero(_begins(places >> _WORD_BITS))
    bit = np.uint64(1) << (places & (WORD - 1)).view(np.uint64)
    first_wake = _firsts(owner[sets], 2 * variables)
    return _Links(
        first_link=_firsts(owner, 2 * variables)[::2],
        link=_ints(link),
        first_wake=first_wake[::2],
        fixed_wake=first_wake[1::2],
        wake_word=_ints(link[sets] >> _WORD_BITS),
        wake_mask=np.bitwise_or.reduceat(bit, sets) if len(sets) else bit,
    )


def _firsts(owners: Longs, number: int) -> Ints:
    """Where the items of each of so many owners begin, if they are sorted by owners."""
    firsts = np.zeros(number + 1, np.int32)
    np.cumsum(np.bincount(owners, minlength=number), out=firsts[1:])
    return firsts


def _begins(numbers: Longs) -> NDArray[np.bool_]:
    """Where another number than the one before stands, in a sorted list."""
    begins = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=begins[1:])
    return begins


def _mask(universe: Domain, values: Domain) -> int:
    wanted = frozenset(values)
    return sum(1 << i for i, value in enumerate(universe) if value in wanted)


def _width(universe: Domain) -> int:
    """How many words a bit set over a universe has."""
    size = len(universe)
    return 1 if size <= WORD else -(-size // WORD)


def _words(mask: int, words: int) -> list[int]:
    """A bit set as words, the lowest bits first."""
    return [mask >> WORD * i & _FULL for i in range(words)] if words > 1 else [mask]


def _ints(numbers: Any) -> Ints:
    return np.asarray(numbers, dtype=np.int32)


def _joined(*parts: Any) -> Ints:
    return np.concatenate([_ints(part) for part in ((), *parts)])
