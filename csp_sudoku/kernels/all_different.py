"""Propagation of all-different, at three strengths.

*Singles*: a value that a variable has taken is no other's; a value that must occur and has one place
left goes there (naked and hidden singles). *Hall*: also, k variables that have k values between them
keep these for themselves, where one of them has all k (P. Hall 1935). *Matching*: every value left is
part of a solution of the factor (J.-C. Régin 1994).
"""

from __future__ import annotations

import numpy as np

from csp_encodings.arrays import WORD, Network
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest
from csp_sudoku.kernels.jit import kernel
from csp_sudoku.kernels.state import TRAIL, State, keep_one, narrow

NONE = -1


@kernel
def revise_singles(network: Network, state: State, arc: int) -> bool:
    """Propagate singles until nothing changes; False if the factor cannot be satisfied."""
    variable = network.scope[network.first_place[arc]]
    words = network.first_word[variable + 1] - network.first_word[variable]
    again = True
    while again:
        before = state.counters[TRAIL]
        for offset in range(words):
            if not _singles_of_word(network, state, arc, offset):
                return False
        # A single found in one word empties the others: look there once more.
        again = words > 1 and state.counters[TRAIL] > before
    return True


@kernel
def _singles_of_word(network: Network, state: State, arc: int, offset: int) -> bool:
    first, last = network.first_place[arc], network.first_place[arc + 1]
    needed = network.masks[network.data[arc] + offset]
    while True:
        once, twice, fixed = NOTHING, NOTHING, NOTHING
        for place in range(first, last):
            variable = network.scope[place]
            mask = state.domain[network.first_word[variable] + offset]
            twice |= once & mask
            once |= mask
            if state.size[variable] == 1:
                if fixed & mask:
                    return False
                fixed |= mask
        if needed & ~once:
            return False
        hidden = needed & ~(twice | fixed)
        if not (twice & fixed) | hidden:
            return True
        for place in range(first, last):
            variable = network.scope[place]
            if state.size[variable] == 1:
                continue
            word = network.first_word[variable] + offset
            mask = state.domain[word]
            only = mask & hidden
            if only:
                if only & (only - ONE):
                    return False
                keep_one(network, state, arc, word, only)
            elif mask & fixed and not narrow(network, state, arc, word, mask & ~fixed):
                return False


@kernel
def revise_hall(network: Network, state: State, arc: int) -> bool:
    """Propagate singles and Hall sets until nothing changes."""
    first, last = network.first_place[arc], network.first_place[arc + 1]
    while True:
        if not revise_singles(network, state, arc):
            return False
        before = state.counters[TRAIL]
        for place in range(first, last):
            variable = network.scope[place]
            size = state.size[variable]
            if size == 1 or size >= last - first:
                continue
            inside = 0
            for other in range(first, last):
                inside += _within(network, state, network.scope[other], variable)
            if inside > size:
                return False
            if inside == size and not _keep_apart(network, state, arc, variable):
                return False
        if state.counters[TRAIL] == before:
            return True


@kernel
def _within(network: Network, state: State, inner: int, outer: int) -> bool:
    """Whether all values of a variable are values of another one with the same universe."""
    if state.size[inner] > state.size[outer]:
        return False
    shift = network.first_word[outer] - network.first_word[inner]
    for word in range(network.first_word[inner], network.first_word[inner + 1]):
        if state.domain[word] & ~state.domain[word + shift]:
            return False
    return True


@kernel
def _keep_apart(network: Network, state: State, arc: int, hall: int) -> bool:
    """Take the values of a variable from all whose own are not among them."""
    for place in range(network.first_place[arc], network.first_place[arc + 1]):
        variable = network.scope[place]
        if _within(network, state, variable, hall):
            continue
        shift = network.first_word[hall] - network.first_word[variable]
        for word in range(network.first_word[variable], network.first_word[variable + 1]):
            common = state.domain[word] & state.domain[word + shift]
            if common and not narrow(network, state, arc, word, state.domain[word] & ~common):
                return False
    return True


@kernel
def revise_matching(network: Network, state: State, arc: int) -> bool:
    """Leave only values that are part of a matching of all variables to different values."""
    first, last = network.first_place[arc], network.first_place[arc + 1]
    if not _match(network, state, first, last):
        return False
    _reach(network, state, first, last)
    row = (last - first) // WORD + 1
    for place in range(first, last):
        variable = network.scope[place]
        target = place - first
        start = network.first_word[variable]
        for word in range(start, network.first_word[variable + 1]):
            rest, kept = state.domain[word], NOTHING
            while rest:
                bit = lowest(rest)
                rest &= rest - ONE
                holder = state.holder[(word - start) * WORD + bit]
                # Taking another's value is fine if that one can move on, in the end to ours.
                if (
                    holder == NONE
                    or holder == target
                    or state.reach[holder * row + target // WORD] >> np.uint64(target % WORD) & ONE
                ):
                    kept |= ONE << np.uint64(bit)
            if kept != state.domain[word] and not narrow(network, state, arc, word, kept):
                return False
    return True


@kernel
def _match(network: Network, state: State, first: int, last: int) -> bool:
    """Complete the last matching by augmenting paths, breadth first; False if there is none."""
    state.holder[:] = NONE
    for place in range(first, last):
        value = state.match[place]
        if value != NONE:
            word = network.first_word[network.scope[place]] + value // WORD
            if state.domain[word] >> np.uint64(value % WORD) & ONE:
                state.holder[value] = place - first
            else:
                state.match[place] = NONE
    for place in range(first, last):
        if state.match[place] == NONE and not _augment(network, state, first, place):
            return False
    return True


@kernel
def _augment(network: Network, state: State, first: int, place: int) -> bool:
    """Give one more place a value, moving others on."""
    state.parent[:] = NONE
    state.line[0] = place - first
    waiting, done = 1, 0
    while done < waiting:
        at = state.line[done]
        done += 1
        variable = network.scope[first + at]
        start = network.first_word[variable]
        for word in range(start, network.first_word[variable + 1]):
            rest = state.domain[word]
            while rest:
                value = (word - start) * WORD + lowest(rest)
                rest &= rest - ONE
                if state.parent[value] != NONE:
                    continue
                state.parent[value] = at
                if state.holder[value] != NONE:
                    state.line[waiting] = state.holder[value]
                    waiting += 1
                    continue
                while value != NONE:
                    at = state.parent[value]
                    state.holder[value] = at
                    value, state.match[first + at] = state.match[first + at], value
                return True
    return False


@kernel
def _reach(network: Network, state: State, first: int, last: int) -> None:
    """Which place can push which off its value; one node more stands for the free values.

    The transitive closure (S. Warshall 1962) on bit sets: as good as strong components here, since a
    scope is seldom longer than a word.
    """
    arity = last - first
    row = arity // WORD + 1
    reach = state.reach
    reach[: (arity + 1) * row] = NOTHING
    for i in range(arity):
        # What is free may be taken, and who took it may have left any place.
        reach[arity * row + i // WORD] |= ONE << np.uint64(i % WORD)
        variable = network.scope[first + i]
        start = network.first_word[variable]
        for word in range(start, network.first_word[variable + 1]):
            rest = state.domain[word]
            while rest:
                holder = state.holder[(word - start) * WORD + lowest(rest)]
                rest &= rest - ONE
                j = arity if holder == NONE else holder
                reach[i * row + j // WORD] |= ONE << np.uint64(j % WORD)
    for k in range(arity + 1):
        bit = ONE << np.uint64(k % WORD)
        for i in range(arity + 1):
            if reach[i * row + k // WORD] & bit:
                for word in range(row):
                    reach[i * row + word] |= reach[k * row + word]
