"""Which values a connected factor leaves, by reachability and cut vertices, in plain Python."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from csp_encodings.factors import Connected


def supported(factor: Connected, domains: Sequence[Iterable[int]]) -> list[set[int]]:
    """Return the values that are left of the domains; one of them is empty in a contradiction.

    Of each class, the variables that must belong to it and those that may are known. A variable
    that none of the former can reach, or only by making the class too large, does not belong to
    it. A cut vertex between two of them belongs to it. Once every variable has a single value, this
    decides.

    Examples
    --------
    >>> path = Connected(("x", "y", "z"), ((0, 1), (1, 2)), ((1,),))
    >>> supported(path, [(1,), (0, 1), (1,)])
    [{1}, {1}, {1}]
    """
    left = [set(domain) for domain in domains]
    near = factor.neighbours()
    for values in factor.classes:
        members = frozenset(values)
        may = [not members.isdisjoint(domain) for domain in left]
        must = [members.issuperset(domain) for domain in left]
        number = sum(must)
        if not number:
            continue
        costs = costs_from(must.index(True), near, may, must)
        # The class has these variables, and at least as many others as the cheapest way needs.
        room = len(left) if factor.largest is None else factor.largest - number
        for place, cost in enumerate(costs):
            if may[place] and (cost is None or cost > room):
                left[place] -= members
                may[place] = False
        if room < 0 or not all(left):
            return [set() for _ in left]
        for place in cut_vertices(near, may, must):
            left[place] &= members
    return left


def cut_vertices(
    near: Sequence[Sequence[int]], may: Sequence[bool], must: Sequence[bool]
) -> list[int]:
    """Return the vertices without which two that must belong fall apart, among those that may.

    These are articulation points (Tarjan 1972), found by a depth-first search from one of those
    that must; none of those that must is returned, and all of them must be within its reach.

    Examples
    --------
    >>> path = [[1], [0, 2], [1]]
    >>> cut_vertices(path, [True] * 3, [True, False, True])
    [1]
    """
    root = must.index(True)
    order = {root: 0}  # when each vertex was found
    low = {root: 0}  # the first vertex that can be reached from below
    holds = {root: True}  # whether one that must belong is at or below it
    cuts: set[int] = set()
    stack = [(root, iter(near[root]))]
    while stack:
        vertex, others = stack[-1]
        for other in others:
            if not may[other]:
                continue
            if other in order:
                low[vertex] = min(low[vertex], order[other])
                continue
            order[other] = low[other] = len(order)
            holds[other] = must[other]
            stack.append((other, iter(near[other])))
            break
        else:
            stack.pop()
            if stack:
                above = stack[-1][0]
                low[above] = min(low[above], low[vertex])
                holds[above] |= holds[vertex]
                if holds[vertex] and low[vertex] >= order[above] and not must[above]:
                    cuts.add(above)
    return sorted(cuts)


def costs_from(
    root: int, near: Sequence[Sequence[int]], may: Sequence[bool], must: Sequence[bool]
) -> list[int | None]:
    """Return how many vertices that need not belong are on the cheapest way to each; None for none.

    Examples
    --------
    >>> costs_from(0, [[1], [0, 2], [1], []], [True] * 4, [True, False, True, False])
    [0, 1, 1, None]
    """
    costs: list[int | None] = [None] * len(near)
    costs[root] = 0
    due = deque([root])
    while due:
        vertex = due.popleft()
        cost = costs[vertex]
        for other in near[vertex]:
            if not may[other]:
                continue
            total = (cost or 0) + (not must[other])
            known = costs[other]
            if known is None or total < known:
                costs[other] = total
                (due.appendleft if must[other] else due.append)(other)
    return costs
