"""Clues: all rules other than "these places hold different values".

Factors of one rule that share an auxiliary variable are one clue. All factors of a rule with few
places, such as a thermometer, are one clue, too. A rule for the whole grid is split into its parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import networkx as nx

from csp_encodings.automaton import Automaton, Edge
from csp_encodings.errors import BudgetError
from csp_encodings.factors import AllDifferent, Factor, Linear, Relation, automaton_of
from csp_encodings.graph import FactorId
from csp_encodings.planar import planar_facts
from csp_sudoku.strategies.bits import mask_of, members
from csp_sudoku.strategies.connections import Connection, connections_of
from csp_sudoku.strategies.filters import Filter, PairFilter, filter_of

# A rule with at most this many places is one clue.
_AT_A_GLANCE = 12

# With more partial combinations than this, combinations are not used.
_COMBINATIONS = 20_000

Masks = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Clue:
    """A rule for the values of some places.

    Attributes
    ----------
    rule
        The constraint that it comes from, if the graph has it.
    scope
        The numbers of its places, each once.
    filters
        One for each factor. Their variables are the places, then the auxiliaries of the rule.
    auxiliaries
        The domains of the auxiliaries.
    values, domains
        All values of the puzzle, and those of each variable.
    connections
        What its connected factors say, if it has any.
    """

    rule: Any
    factors: tuple[Factor, ...]
    scope: tuple[int, ...]
    filters: tuple[Filter, ...]
    auxiliaries: Masks
    values: tuple[int, ...]
    domains: Mapping[Any, tuple[int, ...]]
    connections: tuple[Connection, ...] = ()

    @cached_property
    def cells(self) -> int:
        """The places as a set."""
        return mask_of(self.scope)

    @cached_property
    def pairs(self) -> tuple[PairFilter, ...]:
        """The relations between two places; chains use their links."""
        return tuple(
            f
            for f in self.filters
            if isinstance(f, PairFilter) and max(f.first, f.second) < len(self.scope)
        )

    @cached_property
    def pair(self) -> PairFilter | None:
        """The relation between two places that is all of the clue, if it is one."""
        return (
            self.pairs[0]
            if len(self.scope) == 2 and len(self.filters) == 1 and self.pairs
            else None
        )

    def narrow(self, masks: Masks) -> Masks | None:
        """The candidates that the clue allows in its places; None if it cannot be kept."""
        domains = [*masks, *self.auxiliaries]
        while True:
            before = list(domains)
            for each in self.filters:
                if not each.narrow(domains):
                    return None
            if domains == before or (len(self.filters) == 1 and self.filters[0].at_once):
                return tuple(domains[: len(masks)])

    @cached_property
    def machine(self) -> Automaton | None:
        """All combinations of values of a clue with one factor; None if there are too many."""
        if len(self.factors) != 1 or self.auxiliaries:
            return None
        factor = self.factors[0]
        if len(set(factor.scope)) != len(factor.scope):
            return None
        try:
            return automaton_of(factor, self.domains)
        except BudgetError:
            return None

    def combine(self, masks: Masks, sees: Sequence[int]) -> Masks | None:
        """The candidates in combinations in which places that see each other differ.

        None if there is no such combination; the masks unchanged if there are too many.
        """
        if self.machine is None:
            return masks
        return combinations(self.machine, self.scope, masks, sees, self.values)


class _Slots(NamedTuple):
    """How the values that were used are kept from a place to the next, in slots of a number.

    Places that the same later places see share a slot: which of them holds which value does not
    matter any more.
    """

    seen: list[int]
    """The slots from whose values the place must differ."""
    moved: list[tuple[int, int]]
    """The slots that are still of use, and where they are after this place."""
    own: int | None
    """The slot of the place itself."""


def _slots(scope: Sequence[int], sees: Sequence[int]) -> Iterator[_Slots]:
    """The slots at each place of a clue."""
    slots: list[int] = []  # for each slot the later places that see its places
    for i, place in enumerate(scope):
        own = mask_of(j for j in range(i + 1, len(scope)) if sees[place] >> scope[j] & 1)
        seen = [slot for slot, later in enumerate(slots) if later >> i & 1]
        left = [later & ~(1 << i) for later in slots]
        slots = [later for later in dict.fromkeys([*left, own]) if later]
        moved = [(slot, slots.index(later)) for slot, later in enumerate(left) if later]
        yield _Slots(seen, moved, slots.index(own) if own else None)


def _moves(
    layer: Iterable[Edge], code: Mapping[int, int], mask: int
) -> dict[int, list[tuple[int, int]]]:
    """For each state the candidates of a place that lead on, each with the next state."""
    moves: dict[int, list[tuple[int, int]]] = {}
    for tail, labels, head in layer:
        for value in labels:
            if (number := code.get(value)) is not None and mask >> number & 1:
                moves.setdefault(tail, []).append((number, head))
    return moves


def combinations(
    machine: Automaton,
    scope: Sequence[int],
    masks: Masks,
    sees: Sequence[int],
    values: Sequence[int],
) -> Masks | None:
    """Walk an automaton layer by layer, with the values used so far, and then back from its end."""
    code = {value: i for i, value in enumerate(values)}
    width = len(values)
    everything = (1 << width) - 1
    nodes = {(0, 0)}  # a state, and the values in slots
    walked: list[list[tuple[tuple[int, int], int, tuple[int, int]]]] = []
    room = _COMBINATIONS
    for layer, mask, slots in zip(machine.layers, masks, _slots(scope, sees), strict=True):
        moves = _moves(layer, code, mask)
        edges = []
        for node in nodes:
            state, used = node
            taken = kept = 0
            for slot in slots.seen:
                taken |= used >> slot * width
            for old, new in slots.moved:
                kept |= (used >> old * width & everything) << new * width
            for number, head in moves.get(state, ()):
                if not taken >> number & 1:
                    own = 0 if slots.own is None else 1 << number + slots.own * width
                    edges.append((node, number, (head, kept | own)))
            if len(edges) > room:
                return masks
        room -= len(edges)
        walked.append(edges)
        nodes = {after for _, _, after in edges}
    alive = nodes
    kept_values = []
    for edges in reversed(walked):
        supported, before = 0, set()
        for tail_node, number, head_node in edges:
            if head_node in alive:
                supported |= 1 << number
                before.add(tail_node)
        alive = before
        kept_values.append(supported)
    return tuple(reversed(kept_values)) if all(kept_values) else None


def clues_of(graph: nx.Graph, places: Mapping[Any, int], values: tuple[int, ...]) -> Iterator[Clue]:
    """The clues of a constraint graph; its places are numbered."""
    by_rule: dict[int, list[tuple[Factor, Any]]] = {}
    for node, data in graph.nodes(data=True):
        if not isinstance(node, FactorId):
            continue
        factor, rule = data["factor"], data["source"]
        if _only_differs(factor, places, graph):
            continue
        key = id(rule) if rule is not None else -node.index - 1
        by_rule.setdefault(key, []).append((factor, rule))
    for found in by_rule.values():
        factors = [factor for factor, _ in found]
        everything = {v for factor in factors for v in factor.scope if v in places}
        # Factors of a large rule are combined only if they share an auxiliary.
        hold = (lambda v: True) if len(everything) <= _AT_A_GLANCE else (lambda v: v not in places)
        for part in _connected(factors, hold):
            yield _clue(part, found[0][1], graph, places, values)


def crossings_of(
    graph: nx.Graph, places: Mapping[Any, int], values: tuple[int, ...]
) -> Iterator[Clue]:
    """What follows from connected cells in the plane, as clues; its places are numbered."""
    for factor, sources in planar_facts(graph):
        if all(variable in places for variable in factor.scope):
            yield _clue([factor], graph.nodes[sources[0]]["source"], graph, places, values)


def _only_differs(factor: Factor, places: Mapping[Any, int], graph: nx.Graph) -> bool:
    """Whether a factor only says that places differ: then it is not a clue."""
    if isinstance(factor, AllDifferent):
        return all(v in places for v in factor.scope) and len(set(factor.scope)) == len(
            factor.scope
        )
    return is_disequality(factor, graph)


def is_disequality(factor: Factor, graph: nx.Graph) -> bool:
    """Whether a relation only says that two variables differ."""
    if not isinstance(factor, Relation) or factor.first == factor.second:
        return False
    first, second = (graph.nodes[v]["domain"] for v in factor.scope)
    return all(((a, b) in factor.allowed) == (a != b) for a in first for b in second)


def _connected(factors: Iterable[Factor], hold: Any) -> list[list[Factor]]:
    """Group factors that are connected by variables for which `hold` is true."""
    graph = nx.Graph()
    listed = list(factors)
    for i, factor in enumerate(listed):
        graph.add_node(i)
        for variable in factor.scope:
            if hold(variable):
                graph.add_edge(i, ("variable", variable))
    groups = []
    for component in nx.connected_components(graph):
        groups.append([listed[i] for i in sorted(n for n in component if isinstance(n, int))])
    return groups


def _clue(
    factors: list[Factor],
    rule: Any,
    graph: nx.Graph,
    places: Mapping[Any, int],
    values: tuple[int, ...],
) -> Clue:
    ordered = list(dict.fromkeys(v for factor in factors for v in factor.scope))
    own = [v for v in ordered if v in places]
    rest = [v for v in ordered if v not in places]
    number = {v: i for i, v in enumerate([*own, *rest])}
    code = {value: i for i, value in enumerate(values)}
    return Clue(
        rule=rule,
        factors=tuple(factors),
        scope=tuple(places[v] for v in own),
        filters=tuple(filter_of(factor, number, values) for factor in factors),
        auxiliaries=tuple(mask_of(code[x] for x in graph.nodes[v]["domain"]) for v in rest),
        values=values,
        domains={v: graph.nodes[v]["domain"] for v in own},
        connections=connections_of(
            factors, places, code, {v: graph.nodes[v]["domain"] for v in ordered}
        ),
    )


def sum_clue(
    terms: Sequence[tuple[int, int]], total: int, values: tuple[int, ...], domains: Sequence[int]
) -> Clue:
    """A clue that follows from others: places with signs, and their total."""
    scope = tuple(place for place, _ in terms)
    factor = Linear(tuple(sign for _, sign in terms), scope, total, total)
    number = {place: i for i, place in enumerate(scope)}
    return Clue(
        rule=None,
        factors=(factor,),
        scope=scope,
        filters=(filter_of(factor, number, values),),
        auxiliaries=(),
        values=values,
        domains={p: tuple(values[v] for v in members(domains[p])) for p in scope},
    )
