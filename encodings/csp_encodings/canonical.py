"""The canonical form of a constraint graph: equal exactly if graphs differ in names alone.

Variables get other names, and so do values where no factor counts with them. The graph is written
as a coloured graph for :func:`csp_encodings.labelling.label`: variables, values and factors are
vertices. Two orders of a scope that mean the same look the same: all orders of a difference or of a
sum, and those positions of an automaton that can be exchanged with their neighbours or read
backwards.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from hashlib import sha256
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from csp_encodings.automaton import Automaton, Budget
from csp_encodings.errors import BudgetError
from csp_encodings.factors import (
    AllDifferent,
    Connected,
    Domain,
    Factor,
    Linear,
    Regular,
    Relation,
)
from csp_encodings.graph import Auxiliary, domains, factors
from csp_encodings.labelling import label

Key: TypeAlias = tuple[str | int | None, ...]
"""What vertices of one colour have in common, whatever they are called."""

# Whether an automaton reads the same backwards is not asked beyond this size.
_BACKWARDS = Budget(states=5_000, edges=20_000)


class Form(NamedTuple):
    """A canonical form.

    Attributes
    ----------
    key
        A hash of the form (SHA-256).
    place
        The place of each vertex in the canonical order; see :class:`Structure`.
    """

    key: str
    place: NDArray[np.int64]


class Value(NamedTuple):
    """A value, as a vertex."""

    number: int


class Structure:
    """The rules of a graph as a coloured graph; :meth:`form` adds what is given.

    Attributes
    ----------
    names
        The vertex of each variable and of each :class:`Value`.
    differences
        The vertex of each set of variables that differ, by their vertices.
    """

    def __init__(self, graph: nx.Graph) -> None:
        self._colours: list[Key] = []
        self._edges: list[tuple[int, int]] = []
        self.names: dict[Hashable, int] = {}
        self._domain = domains(graph)
        shown = [v for v in self._domain if not isinstance(v, Auxiliary)]
        self._values = sorted({value for v in shown for value in self._domain[v]})
        listed = dict.fromkeys(factors(graph).values())
        free = all(isinstance(factor, AllDifferent | Relation) for factor in listed)
        self._free = free and len(shown) == len(self._domain)
        for value in self._values:
            key: Key = ("value",) if self._free else ("value", value)
            self.names[Value(value)] = self._vertex(key)
        for variable, domain in self._domain.items():
            is_shown = not isinstance(variable, Auxiliary)
            key = ("variable",) if is_shown else ("auxiliary", *domain)
            self.names[variable] = self._vertex(key)
        self.differences: dict[tuple[frozenset[int], int], int] = {}
        self._tables: dict[frozenset[tuple[int, int]], tuple[int, int]] = {}
        self._parts: dict[Automaton, _Parts] = {}
        for factor in listed:
            self._add(factor)
        self._base = np.array(self._edges, np.int64).reshape(-1, 2)

    def form(self, restrict: Mapping[Any, Iterable[int]]) -> Form:
        """Return the form of the graph within a restriction."""
        colours = [*self._colours]
        edges = []
        everything = tuple(self._values)
        for variable, domain in self._domain.items():
            if isinstance(variable, Auxiliary):
                continue
            left: Iterable[int] = domain
            if variable in restrict:
                allowed = {*restrict[variable]}
                left = tuple([value for value in domain if value in allowed])
            if left != everything:
                vertex = self.names[variable]
                colours[vertex] = ("variable", "listed")
                edges += [(vertex, self.names[Value(value)]) for value in left]
        kinds = sorted({*colours}, key=repr)
        number = {kind: i for i, kind in enumerate(kinds)}
        numbers = [number[colour] for colour in colours]
        every = np.concatenate([self._base, np.array(edges, np.int64).reshape(-1, 2)])
        labelling = label(numbers, every)
        counts = np.bincount(numbers, minlength=len(kinds)).tolist()
        head = repr([*zip(kinds, counts, strict=True)]).encode()
        key = sha256(head + b"\0" + labelling.matrix).hexdigest()
        place = np.empty(len(colours), np.int64)
        place[labelling.order] = np.arange(len(colours))
        return Form(key, place)

    # Vertices of factors

    def _vertex(self, key: Key, *beside: int) -> int:
        """Add a vertex with edges to others."""
        self._colours.append(key)
        vertex = len(self._colours) - 1
        self._edges += [(vertex, other) for other in beside]
        return vertex

    def _add(self, factor: Factor) -> None:
        scope = [self.names[variable] for variable in factor.scope]
        match factor:
            case AllDifferent():
                self._add_different(scope)
            case Relation():
                self._add_relation(factor, *scope)
            case Linear():
                self._add_linear(factor, scope)
            case Regular():
                self._add_regular(factor, scope)
            case Connected():
                classes = [number for values in factor.classes for number in (None, *values)]
                hub = self._vertex(("connected", factor.largest, *classes))
                slots = [self._vertex(("connected slot",), hub, vertex) for vertex in scope]
                self._edges += [(slots[a], slots[b]) for a, b in factor.edges]

    def _add_different(self, scope: list[int]) -> None:
        members = frozenset(scope)
        twice = len(scope) - len(members)
        if (members, twice) not in self.differences:
            vertex = self._vertex(("different", twice), *members)
            self.differences[members, twice] = vertex

    def _add_relation(self, factor: Relation, first: int, second: int) -> None:
        a, b = self._domain[factor.first], self._domain[factor.second]
        pairs = frozenset(pair for pair in product(a, b) if pair in factor.allowed)
        if first == second:
            self._vertex(("alone", *sorted(x for x, y in pairs if x == y)), first)
            self._free_is_lost()
            return
        if pairs == {(x, y) for x, y in product(a, b) if x != y}:
            self._add_different([first, second])
            return
        turned = frozenset((y, x) for x, y in pairs)
        if min(sorted(pairs), sorted(turned)) != sorted(pairs):
            pairs, turned, first, second = turned, pairs, second, first
        if not self._free:
            table = tuple(number for pair in sorted(pairs) for number in pair)
            hub = self._vertex(("relation", *table))
            if pairs == turned:
                self._edges += [(hub, first), (hub, second)]
            else:
                self._vertex(("relation first",), hub, first)
                self._vertex(("relation second",), hub, second)
            return
        left, right = self._sides(pairs, symmetric=pairs == turned)
        hub = self._vertex(("relation",))
        self._vertex(("relation slot",), hub, left, first)
        self._vertex(("relation slot",), hub, right, second)

    def _free_is_lost(self) -> None:
        """Give the values colours of their own: a factor names some of them."""
        for value in self._values:
            self._colours[self.names[Value(value)]] = ("value", value)

    def _sides(self, pairs: frozenset[tuple[int, int]], *, symmetric: bool) -> tuple[int, int]:
        """Return the two sides of a table, as vertices; a symmetric one has one side."""
        if pairs not in self._tables:
            table = self._vertex(("table",))
            left = self._vertex(("side",), table)
            right = left if symmetric else self._vertex(("side",), table)
            for x, y in sorted(pairs):
                if symmetric and x > y:
                    continue
                pair = self._vertex(("pair",), table)
                self._vertex(("pair slot",), pair, left, self.names[Value(x)])
                self._vertex(("pair slot",), pair, right, self.names[Value(y)])
            self._tables[pairs] = left, right
        return self._tables[pairs]

    def _add_linear(self, factor: Linear, scope: list[int]) -> None:
        """Add a sum: the terms of each sign are on one side, and both sides may be exchanged."""
        low, high = factor.low, factor.high
        terms = sorted(factor.coefficients), (low is None, low), (high is None, high)
        less = None if high is None else -high
        more = None if low is None else -low
        turned = sorted(-c for c in terms[0]), (less is None, less), (more is None, more)
        sign = 1
        if repr(turned) < repr(terms):
            low, high, sign = less, more, -1
        hub = self._vertex(("linear", low, high))
        alike = turned == terms
        sides = {way: self._vertex(("sign", 0 if alike else way), hub) for way in (1, -1)}
        for coefficient, vertex in zip(factor.coefficients, scope, strict=True):
            side = sides[1 if coefficient * sign > 0 else -1]
            self._vertex(("term", abs(coefficient)), side, vertex)

    def _add_regular(self, factor: Regular, scope: list[int]) -> None:
        automaton = factor.automaton
        if automaton not in self._parts:
            self._parts[automaton] = _Parts.of(automaton)
        parts = self._parts[automaton]
        hub = self._vertex(("regular", parts.digest))
        before = None
        last = len(parts.blocks) - 1
        for i, block in enumerate(parts.blocks):
            here = self._vertex(("block", min(i, last - i) if parts.both_ways else i), hub)
            if before is not None:
                self._edges.append((before, here))
            before = here
            for position in block:
                self._vertex(("position",), here, scope[position])


class _Parts(NamedTuple):
    """The positions of an automaton in blocks, whose order alone matters.

    Attributes
    ----------
    blocks
        Positions within a block can be exchanged.
    both_ways
        Whether the automaton accepts the same when it reads backwards.
    digest
        A hash of the automaton.
    """

    blocks: tuple[range, ...]
    both_ways: bool
    digest: str

    @classmethod
    def of(cls, automaton: Automaton) -> _Parts:
        starts = [0]
        for i in range(1, automaton.length):
            if not _commute(automaton, i - 1):
                starts.append(i)
        ends = [*starts[1:], automaton.length]
        blocks = tuple([range(start, end) for start, end in zip(starts, ends, strict=True)])
        sizes = [*map(len, blocks)]
        both_ways = len(blocks) > 1 and sizes == sizes[::-1] and _reads_backwards(automaton)
        digest = sha256(repr((automaton.alphabets, automaton.layers)).encode()).hexdigest()
        return cls(blocks, both_ways, digest)


def _commute(automaton: Automaton, position: int) -> bool:
    """Whether the values of a position and the next one can always be exchanged.

    States that accept the same are one state, so two values must lead to the same state in either
    order.
    """
    if automaton.alphabets[position] != automaton.alphabets[position + 1]:
        return False
    first, second = (
        {(edge.tail, value): edge.head for edge in layer for value in edge.values}
        for layer in automaton.layers[position : position + 2]
    )
    values = automaton.alphabets[position]

    def after(state: int, a: int, b: int) -> int | None:
        between = first.get((state, a))
        return None if between is None else second.get((between, b))

    return all(
        after(state, a, b) == after(state, b, a)
        for state in range(automaton.widths[position])
        for a in values
        for b in values
        if a < b
    )


def _reads_backwards(automaton: Automaton) -> bool:
    """Whether an automaton accepts the same tuples from the last value to the first."""
    alphabets: tuple[Domain, ...] = automaton.alphabets[::-1]
    if alphabets != automaton.alphabets:
        return False
    tails: list[dict[tuple[int, int], list[int]]] = []
    for layer in reversed(automaton.layers):
        into: dict[tuple[int, int], list[int]] = {}
        for edge in layer:
            for value in edge.values:
                into.setdefault((edge.head, value), []).append(edge.tail)
        tails.append(into)

    def step(states: frozenset[int], value: int, position: int) -> frozenset[int] | None:
        found = {tail for s in states for tail in tails[position].get((s, value), ())}
        return frozenset(found) or None

    try:
        backwards = Automaton.from_fold(
            alphabets,
            frozenset({0}),
            step,
            lambda states: 0 in states,
            positional=True,
            budget=_BACKWARDS,
        )
    except BudgetError:
        return False
    return backwards == automaton
