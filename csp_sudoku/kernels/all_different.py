"""Propagation of all-different, at three strengths.

*Singles*: a value that a variable has taken is no other's; a value that must occur and has one
place left goes there (naked and hidden singles). *Hall*: also, k variables that have k values
between them keep these for themselves, where one of them has all k (P. Hall 1935). *Matching*:
every value left is part of a solution of the factor (J.-C. Régin 1994).
"""

from __future__ import annotations

import numpy as np

from csp_encodings.jit import subroutine
from csp_encodings.network import WORD, Network
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest
from csp_sudoku.kernels.domains import Domains, fix, narrow

NONE = -1


@subroutine
def revise_singles(network: Network, d: Domains, arc: int) -> bool:
    """Propagate singles until nothing changes; False if the factor cannot be satisfied."""
    first, last = network.first_place[arc], network.first_place[arc + 1]
    words = _width(network, network.scope[first])
    offset, quiet = 0, 0
    while quiet < words:
        once, twice, fixed, clash = NOTHING, NOTHING, NOTHING, NOTHING
        for place in range(first, last):
            mask = d.domain[network.scope_word[place] + offset]
            twice |= once & mask
            once |= mask
            if words == 1:  # as usual; no size need be loaded
                taken = NOTHING if mask & (mask - ONE) else mask
            else:
                taken = mask if d.size[network.scope[place]] == 1 else NOTHING
            clash |= fixed & taken
            fixed |= taken
        needed = network.masks[network.data[arc] + offset]
        if clash | (needed & ~once):
            return False
        hidden = needed & ~(twice | fixed)
        if not (twice & fixed) | hidden:
            offset = offset + 1 if offset + 1 < words else 0
            quiet += 1
            continue
        quiet = 0
        for place in range(first, last):
            word = network.scope_word[place] + offset
            mask = d.domain[word]
            if not mask & (hidden | fixed):
                continue
            variable = network.scope[place]
            only = mask & hidden
            if only:
                if only & (only - ONE):
                    return False
                fix(network, d, variable, offset * WORD + lowest(only))
            elif (
                mask & fixed
                and d.size[variable] > 1
                and not narrow(network, d, variable, word, mask & ~fixed)
            ):
                return False
    return True


@subroutine
def revise_hall(network: Network, d: Domains, arc: int) -> bool:
    """Propagate singles and Hall sets until nothing changes; False if there is no solution."""
    first, last = network.first_place[arc], network.first_place[arc + 1]
    arity = last - first
    words = _width(network, network.scope[first])
    while True:
        if not revise_singles(network, d, arc):
            return False
        before = d.trail_top
        _gather(network, d, arc, words)
        for i in range(arity):
            size = d.size[network.scope[first + i]]
            if size == 1 or size >= arity:
                continue
            inside = _count_within(d, i, arity, words)
            if inside > size:
                return False
            if inside == size:
                _keep_for(network, d, arc, i, words)
        if d.trail_top == before:
            return True


@subroutine
def _width(network: Network, variable: int) -> int:
    """How many words the domain of a variable has."""
    return network.first_word[variable + 1] - network.first_word[variable]


@subroutine
def _gather(network: Network, d: Domains, arc: int, words: int) -> None:
    """Copy the domains of an all-different one after the other, where they are quick to compare."""
    first = network.first_place[arc]
    for place in range(first, network.first_place[arc + 1]):
        start = network.scope_word[place]
        for k in range(words):
            d.gathered[(place - first) * words + k] = d.domain[start + k]


@subroutine
def _count_within(d: Domains, i: int, arity: int, words: int) -> int:
    """How many of the gathered domains are within the one of place `i`, itself included."""
    count = 0
    if words == 1:  # as usual; this loop becomes vector instructions
        own = d.gathered[i]
        for j in range(arity):
            count += (d.gathered[j] & ~own) == NOTHING
        return count
    for j in range(arity):
        count += _is_within(d, j, i, words)
    return count


@subroutine
def _is_within(d: Domains, j: int, i: int, words: int) -> bool:
    """Whether all values of place `j` are values of place `i`."""
    outside = NOTHING
    for k in range(words):
        outside |= d.gathered[j * words + k] & ~d.gathered[i * words + k]
    return outside == NOTHING


@subroutine
def _keep_for(network: Network, d: Domains, arc: int, i: int, words: int) -> None:
    """Take the values of place `i` from all places that have others, too."""
    first = network.first_place[arc]
    for j in range(network.first_place[arc + 1] - first):
        if _is_within(d, j, i, words):
            continue
        variable = network.scope[first + j]
        for k in range(words):
            old, taken = d.gathered[j * words + k], d.gathered[i * words + k]
            if old & taken:
                left = old & ~taken
                narrow(network, d, variable, network.first_word[variable] + k, left)
                d.gathered[j * words + k] = left


@subroutine
def revise_matching(network: Network, d: Domains, arc: int) -> bool:
    """Leave only values that are part of a matching of all variables to different values."""
    if not _match(network, d, arc):
        return False
    _close(network, d, arc)
    first, last = network.first_place[arc], network.first_place[arc + 1]
    row = ((last - first) >> 6) + 1
    for own in range(last - first):
        variable = network.scope[first + own]
        start = network.first_word[variable]
        for word in range(start, network.first_word[variable + 1]):
            rest, kept = d.domain[word], NOTHING
            while rest:
                bit = lowest(rest)
                rest &= rest - ONE
                holder = d.holder[(word - start) * WORD + bit]
                # A value is fine if it is free, or if its holder can move on, in the end to ours.
                fine = ONE
                if holder not in (NONE, own):
                    fine = d.reach[holder * row + (own >> 6)] >> np.uint64(own & 63) & ONE
                kept |= fine << np.uint64(bit)
            if kept != d.domain[word]:
                narrow(network, d, variable, word, kept)
    return True


@subroutine
def _match(network: Network, d: Domains, arc: int) -> bool:
    """Complete the last matching; False if not all variables can be matched.

    `holder` says which place of the scope holds a value, counted from the first.
    """
    first, last = network.first_place[arc], network.first_place[arc + 1]
    for value in range(d.values):
        d.holder[value] = NONE
    for place in range(first, last):
        value = d.match[place]
        if value == NONE:
            continue
        word = network.scope_word[place] + (value >> 6)
        if d.domain[word] >> np.uint64(value & 63) & ONE:
            d.holder[value] = place - first
        else:
            d.match[place] = NONE
    for place in range(first, last):
        if d.match[place] == NONE and not _augment(network, d, first, place - first):
            return False
    return True


@subroutine
def _augment(network: Network, d: Domains, first: int, own: int) -> bool:
    """Find a value for one more place by an augmenting path, breadth first."""
    for value in range(d.values):
        d.parent[value] = NONE
    d.line[0] = own
    done, waiting = 0, 1
    while done < waiting:
        taker = d.line[done]
        done += 1
        variable = network.scope[first + taker]
        start = network.first_word[variable]
        for word in range(start, network.first_word[variable + 1]):
            rest = d.domain[word]
            while rest:
                value = (word - start) * WORD + lowest(rest)
                rest &= rest - ONE
                if d.parent[value] != NONE:
                    continue
                d.parent[value] = taker
                holder = d.holder[value]
                if holder != NONE:
                    d.line[waiting] = holder
                    waiting += 1
                    continue
                # A free value: hand the values on along the path.
                while value != NONE:
                    taker = d.parent[value]
                    d.holder[value] = taker
                    given_up = d.match[first + taker]
                    d.match[first + taker] = value
                    value = given_up
                return True
    return False


@subroutine
def _close(network: Network, d: Domains, arc: int) -> None:
    """Find who can push whom off a value; one node more stands for the values that are free.

    The transitive closure (S. Warshall 1962) on bit sets: as good as strong components here, since
    a scope is seldom longer than a word.
    """
    first = network.first_place[arc]
    arity = network.first_place[arc + 1] - first
    row = (arity >> 6) + 1
    for word in range((arity + 1) * row):
        d.reach[word] = NOTHING
    for i in range(arity):
        # Whoever takes a free value may have left any place.
        d.reach[arity * row + (i >> 6)] |= ONE << np.uint64(i & 63)
        variable = network.scope[first + i]
        start = network.first_word[variable]
        for word in range(start, network.first_word[variable + 1]):
            rest = d.domain[word]
            while rest:
                j = d.holder[(word - start) * WORD + lowest(rest)]
                rest &= rest - ONE
                if j == NONE:
                    j = arity
                d.reach[i * row + (j >> 6)] |= ONE << np.uint64(j & 63)
    for k in range(arity + 1):
        bit = ONE << np.uint64(k & 63)
        for i in range(arity + 1):
            if d.reach[i * row + (k >> 6)] & bit:
                for word in range(row):
                    d.reach[i * row + word] |= d.reach[k * row + word]
