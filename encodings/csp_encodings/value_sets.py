"""Automata that only ask which values occur: cages with sums, lines of consecutive values.

If the order of the values does not matter and no value repeats, the accepted tuples are the
permutations of some sets. There are few sets: five different values of 1-9 sum to 25 in 1,440 ways,
but only as 12 sets.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TypeAlias

from csp_encodings.automaton import Automaton
from csp_encodings.store import kept

# The most sets that are compared to find out whether only their sum matters.
_MOST_SETS = 10_000

Sets: TypeAlias = tuple[tuple[int, ...], ...]
"""Sets of values, each ascending."""

Moves = list[dict[int, int]]
"""For each state of a layer: the next state, by value."""


def value_sets(automaton: Automaton) -> Sets | None:
    """Return the sets whose permutations an automaton accepts, ascending.

    None if it does not accept permutations of sets, or if there are more sets than edges.

    Examples
    --------
    >>> def is_cage(a: int, b: int, c: int) -> bool:
    ...     return len({a, b, c}) == 3 and a + b + c == 8
    >>> value_sets(Automaton.from_predicate([range(1, 10)] * 3, is_cage))
    ((1, 2, 5), (1, 3, 4))
    >>> value_sets(Automaton.from_predicate([range(1, 10)] * 2, int.__lt__)) is None
    True
    """
    return automaton.sets or _found_sets(automaton)


@kept(size=lambda sets: 120 * len(sets or ()))
def _found_sets(automaton: Automaton) -> Sets | None:
    """The sets of an automaton that was not made of them."""
    if len(set(automaton.alphabets)) != 1 or not automaton.widths[0]:
        return None
    layers: list[Moves] = []
    for position in range(automaton.length):
        layers.append(_moves(automaton, position))
        if position and not _commute(*layers[-2:]):
            return None
    edges = sum(map(len, automaton.layers))
    found: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for moves in layers:
        found = [
            ((*values, value), head)
            for values, state in found
            for value, head in moves[state].items()
            if not values or values[-1] < value
        ]
        if len(found) > edges:
            return None
    return tuple(sorted([values for values, _ in found]))


@kept(size=lambda sets: 120 * len(sets))
def sets_with_sum(values: tuple[int, ...], size: int, total: int) -> Sets:
    """Return the sets of so many of some values that have a sum.

    Examples
    --------
    >>> sets_with_sum((1, 2, 3, 4, 5), 3, 8)
    ((1, 2, 5), (1, 3, 4))
    """
    return tuple([some for some in combinations(values, size) if sum(some) == total])


def sum_of_different(automaton: Automaton) -> int | None:
    """Return the sum of different values, if that is all an automaton asks for; else None.

    Examples
    --------
    >>> def is_cage(a: int, b: int, c: int) -> bool:
    ...     return len({a, b, c}) == 3 and a + b + c == 8
    >>> sum_of_different(Automaton.from_predicate([range(1, 10)] * 3, is_cage))
    8
    """
    sets = value_sets(automaton)
    if sets is None or comb(len(automaton.alphabets[0]), automaton.length) > _MOST_SETS:
        return None
    total = sum(sets[0])
    every = sets_with_sum(automaton.alphabets[0], automaton.length, total)
    return total if sets == every else None


def _moves(automaton: Automaton, position: int) -> Moves:
    moves: Moves = [{} for _ in range(automaton.widths[position])]
    for tail, values, head in automaton.layers[position]:
        moves[tail] |= dict.fromkeys(values, head)
    return moves


def _commute(now: Moves, then: Moves) -> bool:
    """Whether two neighbouring positions can be exchanged and never hold the same value.

    States of a reduced automaton accept different tuples, so they are compared by number. Every
    permutation is a series of exchanges of neighbours.
    """
    for here in now:
        for value, head in here.items():
            if value in then[head] or not then[head].keys() <= here.keys():
                return False
        for (a, after_a), (b, after_b) in combinations(here.items(), 2):
            if then[after_a].get(b) != then[after_b].get(a):
                return False
    return True
