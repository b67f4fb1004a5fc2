"""Filters: remove the candidates that one factor excludes.

A filter changes a list of domains, one set of value numbers for each variable. A value number is an
index into the ascending list of all values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from csp_encodings.automaton import Automaton
from csp_encodings.connectivity import supported
from csp_encodings.factors import AllDifferent, Connected, Factor, Linear, Regular, Relation
from csp_encodings.watch import look
from csp_sudoku.strategies.bits import is_single, mask_of, members

Domains = list[int]


class Filter(Protocol):
    """Removes the values that a factor excludes."""

    #: Whether one run is enough: a second run would remove nothing more.
    at_once: bool

    def narrow(self, domains: Domains) -> bool:
        """Narrow the domains in place; return False if one of them becomes empty."""
        ...


class PairFilter:
    """Arc consistency of a relation, both ways (Mackworth 1977)."""

    at_once = True

    def __init__(self, relation: Relation, number: Mapping[Any, int], code: Mapping[int, int]):
        self.first, self.second = number[relation.first], number[relation.second]
        self.forwards: dict[int, int] = {}
        self.backwards: dict[int, int] = {}
        for a, b in relation.allowed:
            if a in code and b in code:
                i, j = code[a], code[b]
                self.forwards[i] = self.forwards.get(i, 0) | 1 << j
                self.backwards[j] = self.backwards.get(j, 0) | 1 << i

    def excludes(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether a variable with a value excludes another with a value."""
        for (a, x), (b, y) in ((one, other), (other, one)):
            if (a, b) == (self.first, self.second) and not self.forwards.get(x, 0) >> y & 1:
                return True
        return False

    def narrow(self, domains: Domains) -> bool:
        """Keep the values that have a partner in the other domain."""
        if self.first == self.second:
            domains[self.first] &= mask_of(
                value for value, others in self.forwards.items() if others >> value & 1
            )
            return domains[self.first] != 0
        for own, other, partners in (
            (self.first, self.second, self.forwards),
            (self.second, self.first, self.backwards),
        ):
            kept, there = 0, domains[other]
            for value in members(domains[own]):
                if partners.get(value, 0) & there:
                    kept |= 1 << value
            domains[own] = kept
            if not kept:
                return False
        return True


class SumFilter:
    """Bounds consistency of a weighted sum."""

    at_once = False

    def __init__(self, factor: Linear, number: Mapping[Any, int], values: Sequence[int]):
        self.terms = [
            (c, number[v]) for c, v in zip(factor.coefficients, factor.scope, strict=True)
        ]
        self.low, self.high = factor.low, factor.high
        self.values = values

    def narrow(self, domains: Domains) -> bool:
        """Keep the values with which the sum is possible, by the bounds of the other variables."""
        values = self.values
        ends = []
        least = most = 0
        for c, variable in self.terms:
            domain = domains[variable]
            a = c * values[(domain & -domain).bit_length() - 1]
            b = c * values[domain.bit_length() - 1]
            ends.append((a, b) if a < b else (b, a))
            least, most = least + min(a, b), most + max(a, b)
        low = least if self.low is None else self.low
        high = most if self.high is None else self.high
        if least > high or most < low:
            return False
        for (c, variable), (smallest, greatest) in zip(self.terms, ends, strict=True):
            floor, ceiling = low - (most - greatest), high - (least - smallest)
            if floor <= smallest and greatest <= ceiling:
                continue
            domains[variable] = mask_of(
                value
                for value in members(domains[variable])
                if floor <= c * values[value] <= ceiling
            )
            if not domains[variable]:
                return False
        return True


class MachineFilter:
    """Generalised arc consistency of an automaton (Pesant 2004); its states are sets of numbers."""

    def __init__(
        self,
        scope: Sequence[Any],
        automaton: Automaton,
        number: Mapping[Any, int],
        code: Mapping[int, int],
    ):
        self.scope = [number[variable] for variable in scope]
        self.at_once = len(set(scope)) == len(scope)
        self.start = automaton.widths[0] > 0
        # For each layer and state the values that lead on, each with the next state as a set.
        self.layers: list[list[list[tuple[int, int]]]] = []
        for width, edges, following in zip(
            automaton.widths, automaton.layers, automaton.widths[1:], strict=False
        ):
            look()
            heads = [1 << state for state in range(following)]
            layer: list[list[tuple[int, int]]] = [[] for _ in range(width)]
            for edge in edges:
                values = mask_of(code[v] for v in edge.values if v in code)
                layer[edge.tail].append((values, heads[edge.head]))
            self.layers.append(layer)

    def narrow(self, domains: Domains) -> bool:
        """Keep the values that are on a path from the start to the end."""
        if not self.start:
            return False
        reached, fronts = 1, []
        for variable, layer in zip(self.scope, self.layers, strict=True):
            domain, heads = domains[variable], 0
            fronts.append(members(reached))
            for tail in fronts[-1]:
                for values, head in layer[tail]:
                    if values & domain:
                        heads |= head
            reached = heads
        alive = reached
        for variable, layer, front in zip(
            reversed(self.scope), reversed(self.layers), reversed(fronts), strict=True
        ):
            domain, supported, before = domains[variable], 0, 0
            for tail in front:
                for values, head in layer[tail]:
                    if head & alive and (kept := values & domain):
                        supported |= kept
                        before |= 1 << tail
            alive = before
            # A variable that is in the scope twice is narrowed at both positions.
            domains[variable] = supported
            if not supported:
                return False
        return True


class DifferentFilter:
    """Forward checking of an all-different: a value that is set is removed elsewhere."""

    at_once = False

    def __init__(self, factor: AllDifferent, number: Mapping[Any, int]):
        self.scope = [number[variable] for variable in factor.scope]
        self.possible = len(set(self.scope)) == len(self.scope)

    def narrow(self, domains: Domains) -> bool:
        """Remove the values that are set elsewhere."""
        if not self.possible:
            return False
        for variable in self.scope:
            domain = domains[variable]
            if is_single(domain):
                for other in self.scope:
                    if other != variable:
                        domains[other] &= ~domain
        return all(domains[variable] for variable in self.scope)


class ConnectedFilter:
    """Reachability and cut vertices of a connected factor."""

    at_once = False

    def __init__(self, factor: Connected, number: Mapping[Any, int], code: Mapping[int, int]):
        self.factor = replace(
            factor,
            scope=tuple([number[variable] for variable in factor.scope]),
            classes=tuple(
                [tuple([code[v] for v in values if v in code]) for values in factor.classes]
            ),
        )

    def narrow(self, domains: Domains) -> bool:
        """Remove what cannot be reached, and what would cut the variables of a class apart."""
        scope: tuple[Any, ...] = self.factor.scope
        left = supported(self.factor, [members(domains[variable]) for variable in scope])
        for variable, values in zip(scope, left, strict=True):
            domains[variable] = mask_of(values)
        return all(left)


def filter_of(factor: Factor, number: Mapping[Any, int], values: Sequence[int]) -> Filter:
    """The filter of a factor. Variables are numbered, and values are in ascending order.

    Examples
    --------
    >>> two = filter_of(Linear((1, 1), ("x", "y"), 9, 9), {"x": 0, "y": 1}, (1, 2, 3, 4, 5, 6))
    >>> domains = [0b111111, 0b111111]
    >>> two.narrow(domains), [list(members(domain)) for domain in domains]
    (True, [[2, 3, 4, 5], [2, 3, 4, 5]])
    """
    code = {value: i for i, value in enumerate(values)}
    match factor:
        case Relation():
            return PairFilter(factor, number, code)
        case Linear():
            return SumFilter(factor, number, values)
        case Regular():
            return MachineFilter(factor.scope, factor.automaton, number, code)
        case AllDifferent():
            return DifferentFilter(factor, number)
        case Connected():
            return ConnectedFilter(factor, number, code)
