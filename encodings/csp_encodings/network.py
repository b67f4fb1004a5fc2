"""The arrays that a search with propagation runs on, and what their numbers mean.

A domain is a bit set over a *universe* of values, in as many 64-bit words as that needs. The things
that propagation revises are *arcs*: see :mod:`csp_encodings.arrays`, which makes them of factors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csp_encodings.errors import GraphError
from csp_encodings.factors import Domain
from csp_encodings.graph import Assignment, Row

Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

WORD = 64
ALL_DIFFERENT, RELATION, CAGE, LINEAR, REGULAR, CONNECTED = range(6)
NO_ARC = -1


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
    scope_word
        Where the domain of each variable of ``scope`` begins.
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
    scope_word: Ints
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
        >>> from csp_encodings.arrays import encode
        >>> from csp_encodings.graph import graph_of
        >>> encode(graph_of({"x": range(1, 10)})).restricted({"x": [1, 3, 77]})
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
            start, end = first[v], first[v + 1]
            words[start] &= mask
            for word in range(start + 1, end):
                mask >>= WORD
                words[word] &= mask
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
            return Row(self.names, [*map(self._common.__getitem__, masks)])
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
