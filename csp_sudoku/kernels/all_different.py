"""Propagation of all-different, at three strengths.

*Singles*: a value that a variable has taken is no other's; a value that must occur and has one
place left goes there (naked and hidden singles). *Hall*: also, k variables that have k values
between them keep these for themselves, where one of them has all k (P. Hall 1935). *Matching*:
every value left is part of a solution of the factor (J.-C. Régin 1994).
"""

from __future__ import annotations

import numpy as np

from csp_encodings.arrays import WORD
from csp_encodings.jit import subroutine
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest
from csp_sudoku.kernels.domains import fix, narrow
from csp_sudoku.kernels.memory import (
    DATA,
    DOMAIN,
    DOMAIN_END,
    HOLDER,
    HOLDER_END,
    LINE,
    MATCH,
    PARENT,
    REACH,
    SCOPE,
    SCOPE_END,
    SIZE,
    TRAIL_TOP,
    Ints,
    Sets,
)

NONE = -1


@subroutine
def revise_singles(ints: Ints, sets: Sets, arc: int) -> bool:
    """Propagate singles until nothing changes; False if the factor cannot be satisfied."""
    first, last = ints[arc + SCOPE], ints[arc + SCOPE_END]
    words = ints[ints[first] + DOMAIN_END] - ints[ints[first] + DOMAIN]
    offset, quiet = 0, 0
    while quiet < words:
        once, twice, fixed, clash = NOTHING, NOTHING, NOTHING, NOTHING
        for place in range(first, last):
            variable = ints[place]
            mask = sets[ints[variable + DOMAIN] + offset]
            twice |= once & mask
            once |= mask
            taken = mask if ints[variable + SIZE] == 1 else NOTHING
            clash |= fixed & taken
            fixed |= taken
        needed = sets[ints[arc + DATA] + offset]
        if clash | (needed & ~once):
            return False
        hidden = needed & ~(twice | fixed)
        if not (twice & fixed) | hidden:
            offset = offset + 1 if offset + 1 < words else 0
            quiet += 1
            continue
        quiet = 0
        for place in range(first, last):
            variable = ints[place]
            word = ints[variable + DOMAIN] + offset
            mask = sets[word]
            only = mask & hidden
            if only:
                if only & (only - ONE):
                    return False
                fix(ints, sets, variable, offset * WORD + lowest(only))
            elif (
                mask & fixed
                and ints[variable + SIZE] > 1
                and not narrow(ints, sets, variable, word, mask & ~fixed)
            ):
                return False
    return True


@subroutine
def revise_hall(ints: Ints, sets: Sets, arc: int) -> bool:
    """Propagate singles and Hall sets until nothing changes."""
    first, last = ints[arc + SCOPE], ints[arc + SCOPE_END]
    while True:
        if not revise_singles(ints, sets, arc):
            return False
        before = ints[TRAIL_TOP]
        for place in range(first, last):
            hall = ints[place]
            size = ints[hall + SIZE]
            if size == 1 or size >= last - first:
                continue
            inside = 0
            for other in range(first, last):
                inside += _is_within(ints, sets, ints[other], hall)
            if inside > size:
                return False
            if inside < size:
                continue
            for other in range(first, last):
                if not _keep_off(ints, sets, ints[other], hall):
                    return False
        if ints[TRAIL_TOP] == before:
            return True


@subroutine
def _is_within(ints: Ints, sets: Sets, variable: int, hall: int) -> bool:
    """Whether all values of a variable are values of another one with the same universe."""
    shift = ints[hall + DOMAIN] - ints[variable + DOMAIN]
    for word in range(ints[variable + DOMAIN], ints[variable + DOMAIN_END]):
        if sets[word] & ~sets[word + shift]:
            return False
    return True


@subroutine
def _keep_off(ints: Ints, sets: Sets, variable: int, hall: int) -> bool:
    """Take the values of one variable from another that has more than these."""
    if _is_within(ints, sets, variable, hall):
        return True
    shift = ints[hall + DOMAIN] - ints[variable + DOMAIN]
    for word in range(ints[variable + DOMAIN], ints[variable + DOMAIN_END]):
        if sets[word] & sets[word + shift]:
            narrow(ints, sets, variable, word, sets[word] & ~sets[word + shift])
    return ints[variable + SIZE] > 0


@subroutine
def revise_matching(ints: Ints, sets: Sets, arc: int) -> bool:
    """Leave only values that are part of a matching of all variables to different values."""
    if not _match(ints, sets, arc):
        return False
    _close(ints, sets, arc)
    first, last = ints[arc + SCOPE], ints[arc + SCOPE_END]
    row = ((last - first) >> 6) + 1
    for place in range(first, last):
        variable = ints[place]
        own = place - first
        start = ints[variable + DOMAIN]
        for word in range(start, ints[variable + DOMAIN_END]):
            rest, kept = sets[word], NOTHING
            while rest:
                bit = lowest(rest)
                rest &= rest - ONE
                holder = ints[ints[HOLDER] + (word - start) * WORD + bit]
                # A value is fine if it is free, or if its holder can move on, in the end to ours.
                fine = ONE
                if holder not in (NONE, own):
                    reach = sets[ints[REACH] + holder * row + (own >> 6)]
                    fine = reach >> np.uint64(own & 63) & ONE
                kept |= fine << np.uint64(bit)
            if kept != sets[word]:
                narrow(ints, sets, variable, word, kept)
    return True


@subroutine
def _match(ints: Ints, sets: Sets, arc: int) -> bool:
    """Complete the last matching; False if not all variables can be matched."""
    first, last = ints[arc + SCOPE], ints[arc + SCOPE_END]
    holders, match = ints[HOLDER], ints[arc + MATCH]
    for value in range(holders, ints[HOLDER_END]):
        ints[value] = NONE
    for place in range(last - first):
        value = ints[match + place]
        if value == NONE:
            continue
        word = ints[ints[first + place] + DOMAIN] + (value >> 6)
        if sets[word] >> np.uint64(value & 63) & ONE:
            ints[holders + value] = place
        else:
            ints[match + place] = NONE
    for place in range(last - first):
        if ints[match + place] == NONE and not _augment(ints, sets, arc, place):
            return False
    return True


@subroutine
def _augment(ints: Ints, sets: Sets, arc: int, place: int) -> bool:
    """Find a value for one more place by an augmenting path, breadth first."""
    first, match, line = ints[arc + SCOPE], ints[arc + MATCH], ints[LINE]
    holders, parents = ints[HOLDER], ints[PARENT]
    for value in range(ints[HOLDER_END] - holders):
        ints[parents + value] = NONE
    ints[line] = place
    done, waiting = 0, 1
    while done < waiting:
        taker = ints[line + done]
        done += 1
        start = ints[ints[first + taker] + DOMAIN]
        for word in range(start, ints[ints[first + taker] + DOMAIN_END]):
            rest = sets[word]
            while rest:
                value = (word - start) * WORD + lowest(rest)
                rest &= rest - ONE
                if ints[parents + value] != NONE:
                    continue
                ints[parents + value] = taker
                holder = ints[holders + value]
                if holder != NONE:
                    ints[line + waiting] = holder
                    waiting += 1
                    continue
                # A free value: hand the values on along the path.
                while value != NONE:
                    taker = ints[parents + value]
                    ints[holders + value] = taker
                    given_up = ints[match + taker]
                    ints[match + taker] = value
                    value = given_up
                return True
    return False


@subroutine
def _close(ints: Ints, sets: Sets, arc: int) -> None:
    """Find who can push whom off a value; one node more stands for the values that are free.

    The transitive closure (S. Warshall 1962) on bit sets: as good as strong components here, since
    a scope is seldom longer than a word.
    """
    first = ints[arc + SCOPE]
    arity = ints[arc + SCOPE_END] - first
    row = (arity >> 6) + 1
    reach = ints[REACH]
    for word in range(reach, reach + (arity + 1) * row):
        sets[word] = NOTHING
    for i in range(arity):
        # Who takes a free value may have left any place.
        sets[reach + arity * row + (i >> 6)] |= ONE << np.uint64(i & 63)
        start = ints[ints[first + i] + DOMAIN]
        for word in range(start, ints[ints[first + i] + DOMAIN_END]):
            rest = sets[word]
            while rest:
                j = ints[ints[HOLDER] + (word - start) * WORD + lowest(rest)]
                rest &= rest - ONE
                if j == NONE:
                    j = arity
                sets[reach + i * row + (j >> 6)] |= ONE << np.uint64(j & 63)
    for k in range(arity + 1):
        bit = ONE << np.uint64(k & 63)
        for i in range(arity + 1):
            if sets[reach + i * row + (k >> 6)] & bit:
                for word in range(row):
                    sets[reach + i * row + word] |= sets[reach + k * row + word]
