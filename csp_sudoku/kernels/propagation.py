"""Propagation: revise arcs until nothing changes (AC-3), or only those of one variable.

AC-3 with its set of arcs and its REVISE is A. K. Mackworth's (Consistency in networks of relations,
1977); S. Russell and P. Norvig show it in *Artificial Intelligence: A Modern Approach*. Here an arc
may have more than two variables: REVISE then is generalised arc consistency for automata (G. Pesant
2004) and bounds consistency for sums.
"""

from __future__ import annotations

import numpy as np

from csp_encodings.arrays import ALL_DIFFERENT, LINEAR, NO_ARC, RELATION, WORD
from csp_encodings.jit import inlined, subroutine
from csp_sudoku.kernels.all_different import revise_hall, revise_matching, revise_singles
from csp_sudoku.kernels.bits import NOTHING, ONE, highest, lowest
from csp_sudoku.kernels.domains import forget_pending, narrow
from csp_sudoku.kernels.memory import (
    ALIVE,
    ARC,
    ARCS,
    ASSIGNED,
    BORDERS,
    CHECKS,
    DATA,
    DOMAIN,
    DOMAIN_END,
    EDGE,
    EDGES,
    EDGES_END,
    KIND,
    LABEL,
    LINKS,
    LINKS_END,
    LOWEST_PENDING,
    NEXT,
    PENDING,
    PENDING_END,
    REACHED,
    REVERSE,
    REVISIONS,
    SCOPE,
    SCOPE_END,
    SCRATCH,
    SPARED,
    STAMP,
    STRENGTH,
    VISITED,
    WORK,
    Ints,
    Sets,
)

# Settings.
NO_INFERENCE, FORWARD, MAC = range(3)
SINGLES, HALL, MATCHING = range(3)


@subroutine
def infer(ints: Ints, sets: Sets, inference: int, variable: int) -> int:
    """Draw conclusions from the assignment of a variable; the arc that failed, or NO_ARC.

    MAC revises all pending arcs and those that they wake. Forward checking revises the arcs of the
    variable, once. Without inference they are tested: an all-different against the variables
    assigned so far, any other factor when its last variable is assigned.
    """
    link, links_end = 0, 0
    if inference != MAC:
        link, links_end = ints[variable + LINKS], ints[variable + LINKS_END]
    word, turn = 0, NOTHING
    failed = NO_ARC
    while failed == NO_ARC:
        if inference != MAC:
            if link == links_end:
                break
            arc = ints[link]
            link += 1
        else:
            # Words of 64 arcs, those that cost little first. Within a word, all that are pending
            # have their turn before one has its second.
            if not turn:
                word = ints[LOWEST_PENDING]
                while word < ints[PENDING_END] and not sets[word]:
                    word += 1
                ints[LOWEST_PENDING] = word
                if word == ints[PENDING_END]:
                    break
                turn = sets[word]
            bit = lowest(turn)
            turn &= turn - ONE
            sets[word] &= ~(ONE << np.uint64(bit))
            arc = ints[ARCS] + ARC * ((word - ints[PENDING]) * WORD + bit)
        ints[WORK] += ints[arc + SCOPE_END] - ints[arc + SCOPE]
        ints[SPARED] = ints[arc + REVERSE]
        if inference == NO_INFERENCE:
            consistent = _test(ints, sets, arc, variable)
        elif inference == FORWARD and ints[arc + KIND] == ALL_DIFFERENT:
            consistent = _take_from_others(ints, sets, arc, variable)
        else:
            consistent = _revise(ints, sets, arc)
        if not consistent:
            failed = arc
    ints[SPARED] = NO_ARC
    forget_pending(ints, sets)
    return failed


@inlined
def _revise(ints: Ints, sets: Sets, arc: int) -> bool:
    """Remove values that an arc rules out; False if it leaves a variable none."""
    kind = ints[arc + KIND]
    ints[REVISIONS] += 1
    if kind == RELATION:
        consistent = _revise_relation(ints, sets, arc)
    elif kind == LINEAR:
        consistent = _revise_linear(ints, sets, arc)
    elif kind != ALL_DIFFERENT:
        consistent = _revise_regular(ints, sets, arc)
    elif ints[STRENGTH] == SINGLES:
        consistent = revise_singles(ints, sets, arc)
    elif ints[STRENGTH] == HALL:
        consistent = revise_hall(ints, sets, arc)
    else:
        consistent = revise_matching(ints, sets, arc)
    return consistent


@subroutine
def _revise_relation(ints: Ints, sets: Sets, arc: int) -> bool:
    """Mackworth's REVISE: every value of the first variable needs a support in the second."""
    variable, other = ints[ints[arc + SCOPE]], ints[ints[arc + SCOPE] + 1]
    start, end = ints[other + DOMAIN], ints[other + DOMAIN_END]
    supports = ints[arc + DATA]
    for word in range(ints[variable + DOMAIN], ints[variable + DOMAIN_END]):
        rest, kept = sets[word], NOTHING
        while rest:
            bit = lowest(rest)
            rest &= rest - ONE
            ints[CHECKS] += 1
            row = supports + bit * (end - start)
            for i in range(end - start):
                if sets[row + i] & sets[start + i]:
                    kept |= ONE << np.uint64(bit)
                    break
        if kept != sets[word] and not narrow(ints, sets, variable, word, kept):
            return False
        supports += WORD * (end - start)
    return True


@subroutine
def _revise_linear(ints: Ints, sets: Sets, arc: int) -> bool:
    """Keep the values with which the others, at their least and greatest, can meet the bounds."""
    first, last = ints[arc + SCOPE], ints[arc + SCOPE_END]
    data = ints[arc + DATA]
    low, high = ints[data], ints[data + 1]
    least, most = 0, 0
    for place in range(first, last):
        smallest, greatest = _ends(ints, sets, ints[place], ints[data + 2 + place - first])
        least += smallest
        most += greatest
    if least > high or most < low:
        return False
    for place in range(first, last):
        variable, terms = ints[place], ints[data + 2 + place - first]
        smallest, greatest = _ends(ints, sets, variable, terms)
        floor, ceiling = low - (most - greatest), high - (least - smallest)
        if floor <= smallest and greatest <= ceiling:
            continue
        for word in range(ints[variable + DOMAIN], ints[variable + DOMAIN_END]):
            rest, kept = sets[word], NOTHING
            while rest:
                bit = lowest(rest)
                rest &= rest - ONE
                if floor <= ints[terms + bit] <= ceiling:
                    kept |= ONE << np.uint64(bit)
            if kept != sets[word] and not narrow(ints, sets, variable, word, kept):
                return False
            terms += WORD
    return True


@subroutine
def _ends(ints: Ints, sets: Sets, variable: int, terms: int) -> tuple[int, int]:
    """The least and the greatest term of a variable; terms rise or fall with the values."""
    word = ints[variable + DOMAIN]
    while not sets[word]:
        word += 1
    a = ints[terms + (word - ints[variable + DOMAIN]) * WORD + lowest(sets[word])]
    word = ints[variable + DOMAIN_END] - 1
    while not sets[word]:
        word -= 1
    b = ints[terms + (word - ints[variable + DOMAIN]) * WORD + highest(sets[word])]
    return (a, b) if a < b else (b, a)


@subroutine
def _revise_regular(ints: Ints, sets: Sets, arc: int) -> bool:
    """Keep the values on a path from the start to the end of the automaton."""
    first = ints[arc + SCOPE]
    length = ints[arc + SCOPE_END] - first
    stamp = ints[STAMP] + 1
    ints[STAMP] = stamp
    found = _walk_forwards(ints, sets, arc)
    if found == 0:
        return False
    ints[WORK] += found
    visited, borders, supported = ints[VISITED], ints[BORDERS], ints[SCRATCH]
    ints[ints[visited + found - 1] + ALIVE] = stamp
    for i in range(length - 1, -1, -1):
        variable = ints[first + i]
        start = ints[variable + DOMAIN]
        width = ints[variable + DOMAIN_END] - start
        for k in range(1, width):
            sets[supported + k] = NOTHING
        # The first word, mostly the only one, is kept at hand.
        word, word_supported = sets[start], NOTHING
        for j in range(ints[borders + i], ints[borders + i + 1]):
            tail = ints[visited + j]
            carried = NOTHING
            for edge in range(ints[tail + EDGES], ints[tail + EDGES_END], EDGE):
                if ints[ints[edge + NEXT] + ALIVE] != stamp:
                    continue
                label = ints[edge + LABEL]
                common = sets[label] & word
                word_supported |= common
                carried |= common
                for k in range(1, width):
                    common = sets[label + k] & sets[start + k]
                    sets[supported + k] |= common
                    carried |= common
            if carried:
                ints[tail + ALIVE] = stamp
        sets[supported] = word_supported
        for k in range(width):
            kept = sets[supported + k]
            if kept != sets[start + k] and not narrow(ints, sets, variable, start + k, kept):
                return False
    return True


@subroutine
def _walk_forwards(ints: Ints, sets: Sets, arc: int) -> int:
    """List the states that can be reached, layer by layer: how many, or 0 if not the last one."""
    first = ints[arc + SCOPE]
    length = ints[arc + SCOPE_END] - first
    stamp, visited, borders = ints[STAMP], ints[VISITED], ints[BORDERS]
    ints[visited] = ints[arc + DATA]
    ints[borders] = 0
    begin, found = 0, 1
    for i in range(length):
        variable = ints[first + i]
        start = ints[variable + DOMAIN]
        width = ints[variable + DOMAIN_END] - start
        word = sets[start]
        border = found
        ints[borders + i + 1] = border
        for j in range(begin, border):
            tail = ints[visited + j]
            for edge in range(ints[tail + EDGES], ints[tail + EDGES_END], EDGE):
                head = ints[edge + NEXT]
                if ints[head + REACHED] == stamp:
                    continue
                label = ints[edge + LABEL]
                common = sets[label] & word
                for k in range(1, width):
                    common |= sets[label + k] & sets[start + k]
                if common:
                    ints[head + REACHED] = stamp
                    ints[visited + found] = head
                    found += 1
        if found == border:
            return 0
        begin = border
    return found


@subroutine
def _take_from_others(ints: Ints, sets: Sets, arc: int, variable: int) -> bool:
    """Remove the value of an assigned variable from the rest of an all-different."""
    ints[REVISIONS] += 1
    for place in range(ints[arc + SCOPE], ints[arc + SCOPE_END]):
        other = ints[place]
        if other == variable:
            continue
        shift = ints[variable + DOMAIN] - ints[other + DOMAIN]
        for word in range(ints[other + DOMAIN], ints[other + DOMAIN_END]):
            left = sets[word] & ~sets[word + shift]
            if left != sets[word] and not narrow(ints, sets, other, word, left):
                return False
    return True


@inlined
def _test(ints: Ints, sets: Sets, arc: int, variable: int) -> bool:
    """Whether the variables assigned so far, of which this is the last one, satisfy a factor."""
    ints[CHECKS] += 1
    for place in range(ints[arc + SCOPE], ints[arc + SCOPE_END]):
        other = ints[place]
        if ints[arc + KIND] != ALL_DIFFERENT:
            if not ints[other + ASSIGNED]:
                return True
        elif ints[other + ASSIGNED] and other != variable:
            shift = ints[variable + DOMAIN] - ints[other + DOMAIN]
            for word in range(ints[other + DOMAIN], ints[other + DOMAIN_END]):
                if sets[word] & sets[word + shift]:
                    return False
    # Where every variable has a single value, to revise is to test.
    return ints[arc + KIND] == ALL_DIFFERENT or _revise(ints, sets, arc)
