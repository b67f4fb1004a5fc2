"""Vertex elimination: whether variables are connected, said by small factors.

The vertices of a graph go one by one. When a vertex goes, any two of its neighbours that it linked
become neighbours. So a set of vertices is connected if only one of them has no link when it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import Any

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Connected, Domain, Regular, Variable

_BIT = (0, 1)


def elimination_order(
    size: int, edges: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, list[int]]]:
    """Yield the vertices in the order of elimination, each with its neighbours at that time.

    The next vertex is one that joins the fewest neighbours that were not joined.

    Examples
    --------
    >>> list(elimination_order(3, [(0, 1), (1, 2)]))
    [(0, [1]), (1, [2]), (2, [])]
    """
    near: list[set[int]] = [set() for _ in range(size)]
    for a, b in edges:
        near[a].add(b)
        near[b].add(a)

    def cost(vertex: int) -> tuple[int, int, int]:
        around = near[vertex]
        joined = sum(len(around & near[other]) for other in around)
        return len(around) * (len(around) - 1) - joined, len(around), vertex

    costs = [cost(vertex) for vertex in range(size)]
    due = costs.copy()
    heapify(due)
    gone = [False] * size
    while due:
        entry = heappop(due)
        vertex = entry[-1]
        if gone[vertex] or entry != costs[vertex]:
            continue  # a newer entry has replaced it
        gone[vertex] = True
        around = near[vertex]
        yield vertex, sorted(around)
        for other in around:
            near[other] |= around
            near[other] -= {other, vertex}
        for other in around.union(*[near[other] for other in around]):
            costs[other] = cost(other)
            heappush(due, costs[other])


def connected_tests(
    factor: Connected,
    domains: Mapping[Any, Domain],
    auxiliary: Callable[[str, Domain, Callable[[Any], Regular]], Any],
) -> list[Regular]:
    """Return automata that hold together exactly if a connected factor holds.

    They read auxiliaries, which `auxiliary` adds: links, and a bit for each vertex that has no link
    when it goes. A connected factor by itself has no truth value that a solver could use; these
    automata have, so that "not connected" can be said.

    Examples
    --------
    >>> from csp_encodings.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> for name in "xyz":
    ...     builder.variable(name, (0, 1))
    >>> path = Connected(("x", "y", "z"), ((0, 1), (1, 2)), ((1,),))
    >>> [test] = connected_tests(path, dict.fromkeys("xyz", (0, 1)), builder.auxiliary)
    >>> [str(variable) for variable in test.scope]
    ['x', 'no link#2', 'y', 'no link#3', 'z', 'no link#4']
    """
    alphabets = [tuple(domains[variable]) for variable in factor.scope]
    class_of = factor.class_of
    links: dict[tuple[int, int], Variable] = {}
    for a, b in factor.edges:
        machine = _same_class(alphabets[a], alphabets[b], class_of)
        links[a, b] = auxiliary(
            "link", _BIT, _definition((factor.scope[a], factor.scope[b]), machine)
        )
    through = _function(3, lambda before, first, second: before or (first and second))
    joint = _function(2, min)
    alone: list[Variable] = []
    order = []
    for vertex, around in elimination_order(len(alphabets), factor.edges):
        own = [links[min(vertex, other), max(vertex, other)] for other in around]
        machine = Automaton.from_fold([_BIT] * len(own), 0, max, lambda some: not some).reified()
        alone.append(auxiliary("no link", _BIT, _definition(tuple(own), machine)))
        order.append(vertex)
        for (a, first), (b, second) in combinations(zip(around, own, strict=True), 2):
            before = links.get((a, b))
            scope = (first, second) if before is None else (before, first, second)
            define = _definition(scope, joint if before is None else through)
            links[a, b] = auxiliary("link", _BIT, define)
    read = [alphabets[vertex] for vertex in order]
    ends = tuple(
        [v for pair in zip((factor.scope[i] for i in order), alone, strict=True) for v in pair]
    )
    tests = [Regular(ends, _one_end(read, values)) for values in factor.classes]
    if factor.largest is not None:
        tests += [
            Regular(factor.scope, _at_most(alphabets, values, factor.largest))
            for values in factor.classes
        ]
    return tests


def _definition(scope: tuple[Variable, ...], machine: Automaton) -> Callable[[Any], Regular]:
    return lambda bit: Regular((*scope, bit), machine)


def _function(number: int, function: Callable[..., object]) -> Automaton:
    """The last bit is a function of the others."""
    bits = (_BIT,) * number
    return Automaton.from_predicate(bits, function).reified()


def _same_class(first: Domain, second: Domain, class_of: Mapping[int, int]) -> Automaton:
    """The last bit says whether the first two values are in one class."""
    return Automaton.from_predicate(
        (first, second), lambda a, b: a in class_of and class_of[a] == class_of.get(b)
    ).reified()


def _one_end(alphabets: Iterable[Domain], values: Iterable[int]) -> Automaton:
    """Of the values, each with the bit of its vertex, at most one of a class has the bit."""
    members = frozenset(values)

    # The state: how many there were, and whether the value before is of the class.
    def step(state: tuple[int, bool], value: int, i: int) -> tuple[int, bool] | None:
        ends, inside = state
        if i % 2 == 0:
            return ends, value in members
        ends += inside and bool(value)
        return (ends, False) if ends <= 1 else None

    read = [alphabet for own in alphabets for alphabet in (own, _BIT)]
    return Automaton.from_fold(read, (0, False), step, lambda state: True, positional=True)


def _at_most(alphabets: Iterable[Domain], values: Iterable[int], most: int) -> Automaton:
    """At most so many values are of a class."""
    members = frozenset(values)

    def step(number: int, value: int) -> int | None:
        number += value in members
        return number if number <= most else None

    return Automaton.from_fold(list(alphabets), 0, step, lambda number: True)
