"""Propagation of sums and cages that know which of their variables differ.

*Cages*: the sets of values that are still possible say which values may occur, and which must. A
value that must occur leaves all variables that differ from each of its places. *Sums*: bounds, in
which different variables have different values; of the last two variables, the exact pairs.
"""

from __future__ import annotations

import numpy as np

from csp_encodings.jit import constant, subroutine
from csp_encodings.network import WORD, Network
from csp_sudoku.kernels.bits import NOTHING, ONE, as_int, highest, lowest
from csp_sudoku.kernels.domains import Domains, fix, narrow

NONE = -1
_NO_PLACE = constant(-1)
_PAIR = 2

# The parameters of a sum, behind its bounds: the widest range of terms, how many groups it has, and
# from here on two for each group.
_WIDEST, _GROUPS, _FIRST = 2, 3, 4


@subroutine
def revise_cage(network: Network, d: Domains, arc: int) -> bool:
    """Keep the values of the sets that are left, until nothing changes; False if there is none."""
    first, last = network.first_place[arc], network.first_place[arc + 1]
    while True:
        before = d.trail_top
        possible, needed = _possible_sets(network, d, arc)
        if not possible:
            return False
        once, twice = NOTHING, NOTHING
        for place in range(first, last):
            word = network.scope_word[place]
            mask = d.domain[word]
            if not mask & (mask - ONE):
                continue
            if mask & ~possible:
                mask &= possible
                if not narrow(network, d, network.scope[place], word, mask):
                    return False
            twice |= once & mask
            once |= mask
        if needed & ~once or not _settle(network, d, arc, needed & ~twice):
            return False
        if d.trail_top == before:
            return _leave_peers(network, d, arc, needed & twice)


@subroutine
def _possible_sets(network: Network, d: Domains, arc: int) -> tuple[np.uint64, np.uint64]:
    """The values that open variables can have, and those that they must; nothing if no set fits."""
    first, last = network.first_place[arc], network.first_place[arc + 1]
    every, fixed, opened = NOTHING, NOTHING, 0
    for place in range(first, last):
        mask = d.domain[network.scope_word[place]]
        every |= mask
        if mask & (mask - ONE):
            d.gathered[opened] = mask
            opened += 1
        else:
            if fixed & mask:
                return NOTHING, NOTHING
            fixed |= mask
    data = network.data[arc]
    sets = as_int(network.masks[data])
    d.work += sets >> 3
    possible, needed = NOTHING, every
    for i in range(data + 1, data + 1 + sets):
        values = network.masks[i]
        if not (fixed & ~values) | (values & ~every) and _meets_all(d, opened, values):
            possible |= values
            needed &= values
    # With all variables fixed there is nothing left to say: anything will do.
    return (possible if possible == fixed else possible & ~fixed), needed & ~fixed


@subroutine
def _settle(network: Network, d: Domains, arc: int, hidden: np.uint64) -> bool:
    """Fix the variables that alone can have a value that must occur; False if one has two."""
    if hidden:
        for place in range(network.first_place[arc], network.first_place[arc + 1]):
            only = d.domain[network.scope_word[place]] & hidden
            if only & (only - ONE):
                return False
            variable = network.scope[place]
            if only and d.size[variable] > 1:
                fix(network, d, variable, lowest(only))
    return True


@subroutine
def _meets_all(d: Domains, opened: int, values: np.uint64) -> bool:
    """Whether each of the gathered open variables of a cage may have one of the values."""
    for i in range(opened):  # noqa: SIM110 - a kernel has no generators
        if not d.gathered[i] & values:
            return False
    return True


@subroutine
def _leave_peers(network: Network, d: Domains, arc: int, needed: np.uint64) -> bool:
    """Take values that a cage must hold from the variables that differ from all their places."""
    first, last = network.first_place[arc], network.first_place[arc + 1]
    words = d.peer_words
    while needed and words:
        value = needed & (~needed + ONE)
        needed &= needed - ONE
        for k in range(words):
            d.common[k] = ~NOTHING
        for place in range(first, last):
            if d.domain[network.scope_word[place]] & value:
                variable = network.scope[place]
                for k in range(words):
                    d.common[k] &= network.peers[variable * words + k]
        for k in range(words):
            rest = d.common[k]
            while rest:
                variable = k * WORD + lowest(rest)
                rest &= rest - ONE
                word = network.first_word[variable]
                mask = d.domain[word]
                if mask & value and not narrow(network, d, variable, word, mask & ~value):
                    return False
    return True


@subroutine
def revise_linear(network: Network, d: Domains, arc: int) -> bool:
    """Keep the values with which the others, at their least and greatest, can meet the bounds."""
    data = network.data[arc]
    low, high = network.numbers[data], network.numbers[data + 1]
    least, most, opened = _bound_groups(network, d, arc)
    if least > high or most < low or opened == NONE:
        return False
    if low <= least and most <= high:
        return True
    if opened == _PAIR:
        return _keep_pairs(network, d, arc)
    if min(high - least, most - low) >= network.numbers[data + _WIDEST]:
        return True  # there is room for any term
    start = network.first_place[arc]
    for group in range(network.numbers[data + _GROUPS]):
        end = start + network.numbers[data + _FIRST + 1 + 2 * group]
        for place in range(start, end):
            if d.size[network.scope[place]] > 1 and not _narrow_term(
                network, d, arc, group, start, place, high - least, most - low
            ):
                return False
        start = end
    return True


@subroutine
def _bound_groups(network: Network, d: Domains, arc: int) -> tuple[int, int, int]:
    """Find the bounds of all groups; returns their sums, and how many variables are open.

    If the variables of a group cannot differ, that number is NONE.
    """
    data, start = network.data[arc], network.first_place[arc]
    least, most, opened = 0, 0, 0
    for group in range(network.numbers[data + _GROUPS]):
        terms = network.numbers[data + _FIRST + 2 * group]
        end = start + network.numbers[data + _FIRST + 1 + 2 * group]
        if end - start == 1:
            smallest, greatest = _extremes(network, d, network.scope[start], terms)
        else:
            smallest, greatest = _reach(network, d, start, end, _NO_PLACE, terms)
            if smallest == NONE:
                return 0, 0, NONE
        d.group_least[group] = smallest
        d.group_most[group] = greatest
        least += smallest
        most += greatest
        for place in range(start, end):
            opened += d.size[network.scope[place]] > 1
        start = end
    return least, most, opened


@subroutine
def _narrow_term(  # noqa: PLR0917
    network: Network,
    d: Domains,
    arc: int,
    group: int,
    start: int,
    place: int,
    up: int,
    down: int,
) -> bool:
    """Keep the values of a variable that the sum, with so much room up and down, can bear."""
    data, variable = network.data[arc] + _FIRST + 2 * group, network.scope[place]
    terms, size = network.numbers[data], network.numbers[data + 1]
    smallest, greatest = _extremes(network, d, variable, terms)
    if greatest - smallest <= up and greatest - smallest <= down:
        return True
    if size > 1:
        # What the others of the group leave of its bounds.
        others_least, others_most = _reach(network, d, start, start + size, place, terms)
        if others_least == NONE:
            return False
        smallest = d.group_least[group] - others_least
        greatest = d.group_most[group] - others_most
    return _keep_terms(network, d, variable, terms, greatest - down, smallest + up)


@subroutine
def _keep_pairs(network: Network, d: Domains, arc: int) -> bool:
    """Keep the values of the two open variables that have a partner within the bounds."""
    data, start = network.data[arc], network.first_place[arc]
    fixed, one, other, one_terms, other_terms, other_group = 0, 0, 0, 0, 0, NONE
    together = False
    for group in range(network.numbers[data + _GROUPS]):
        terms = network.numbers[data + _FIRST + 2 * group]
        end = start + network.numbers[data + _FIRST + 1 + 2 * group]
        for place in range(start, end):
            variable = network.scope[place]
            if d.size[variable] == 1:
                fixed += _extremes(network, d, variable, terms)[0]
                continue
            together = other_group == group
            one, one_terms = other, other_terms
            other, other_terms, other_group = variable, terms, group
        start = end
    low, high = network.numbers[data] - fixed, network.numbers[data + 1] - fixed
    start = network.first_word[other]
    for word in range(start, network.first_word[other + 1]):
        d.supported[word - start] = NOTHING
    for word in range(network.first_word[one], network.first_word[one + 1]):
        rest, kept = d.domain[word], NOTHING
        while rest:
            bit = ONE << np.uint64(lowest(rest))
            term = network.numbers[one_terms + lowest(rest)]
            rest &= rest - ONE
            taken = bit if together else NOTHING
            if _find_partners(network, d, other, other_terms, taken, low - term, high - term):
                kept |= bit
        if kept != d.domain[word] and not narrow(network, d, one, word, kept):
            return False
        one_terms += WORD
    for word in range(start, network.first_word[other + 1]):
        kept = d.supported[word - start]
        if kept != d.domain[word] and not narrow(network, d, other, word, kept):
            return False
    return True


@subroutine
def _find_partners(  # noqa: PLR0917
    network: Network, d: Domains, variable: int, terms: int, taken: np.uint64, low: int, high: int
) -> bool:
    """Note the values, except the one taken, with terms between two bounds; whether there are."""
    found = False
    first = network.first_word[variable]
    for word in range(first, network.first_word[variable + 1]):
        rest = d.domain[word] & ~taken
        while rest:
            bit = lowest(rest)
            rest &= rest - ONE
            if low <= network.numbers[terms + bit] <= high:
                d.supported[word - first] |= ONE << np.uint64(bit)
                found = True
        terms += WORD
    return found


@subroutine
def _keep_terms(  # noqa: PLR0917
    network: Network, d: Domains, variable: int, terms: int, floor: int, ceiling: int
) -> bool:
    """Keep the values of a variable whose terms lie between two bounds."""
    for word in range(network.first_word[variable], network.first_word[variable + 1]):
        rest, kept = d.domain[word], NOTHING
        while rest:
            bit = lowest(rest)
            rest &= rest - ONE
            if floor <= network.numbers[terms + bit] <= ceiling:
                kept |= ONE << np.uint64(bit)
        if kept != d.domain[word] and not narrow(network, d, variable, word, kept):
            return False
        terms += WORD
    return True


@subroutine
def _reach(  # noqa: PLR0917
    network: Network, d: Domains, start: int, end: int, skipped: int, terms: int
) -> tuple[int, int]:
    """The least and the greatest sum of the terms of different variables; NONE if they cannot be.

    Each variable takes the first free value from its least one on. Whatever the order of the
    variables, the values that are taken in the end are the same, and none can be less.
    """
    every = NOTHING
    for place in range(start, end):
        every |= d.domain[network.scope_word[place]]
    lower, upper, a, b = every, every, 0, 0
    for place in range(start, end):
        if place == skipped:
            continue
        mask = d.domain[network.scope_word[place]]
        free = lower & ~((mask & (~mask + ONE)) - ONE)
        if not free:
            return NONE, NONE
        bit = lowest(free)
        a += network.numbers[terms + bit]
        lower &= ~(ONE << np.uint64(bit))
        top = ONE << np.uint64(highest(mask))
        free = upper & (top | (top - ONE))
        if not free:
            return NONE, NONE
        bit = highest(free)
        b += network.numbers[terms + bit]
        upper &= ~(ONE << np.uint64(bit))
    return (a, b) if a < b else (b, a)


@subroutine
def _extremes(network: Network, d: Domains, variable: int, terms: int) -> tuple[int, int]:
    """The least and the greatest term of a variable; terms rise or fall with the values."""
    first = network.first_word[variable]
    word = first
    while not d.domain[word]:
        word += 1
    a = network.numbers[terms + (word - first) * WORD + lowest(d.domain[word])]
    word = network.first_word[variable + 1] - 1
    while not d.domain[word]:
        word -= 1
    b = network.numbers[terms + (word - first) * WORD + highest(d.domain[word])]
    return (a, b) if a < b else (b, a)
