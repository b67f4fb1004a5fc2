"""Propagation: revise arcs until nothing changes (AC-3), or only those of one variable.

AC-3 with its queue of arcs and its REVISE is A. K. Mackworth's (Consistency in networks of relations,
1977); S. Russell and P. Norvig show it in *Artificial Intelligence: A Modern Approach*. Here an arc may
have more than two variables, and REVISE then is generalised arc consistency for automata (G. Pesant
2004) and bounds consistency for sums.
"""

from __future__ import annotations

import numpy as np

from csp_encodings.arrays import (
    ALL_DIFFERENT,
    LINEAR,
    NO_ARC,
    RELATION,
    WORD,
    Network,
)
from csp_sudoku.kernels.all_different import revise_hall, revise_matching, revise_singles
from csp_sudoku.kernels.bits import NOTHING, ONE, highest, lowest
from csp_sudoku.kernels.jit import kernel
from csp_sudoku.kernels.state import (
    CHECKS,
    REVISIONS,
    STAMP,
    WORK,
    State,
    clear_queue,
    narrow,
    pop,
    record,
)

SINGLES, HALL, MATCHING = range(3)


@kernel
def propagate(network: Network, strength: int, state: State) -> int:
    """Revise the queued arcs and all they wake; the arc that failed, or NO_ARC."""
    while True:
        arc = pop(state)
        if arc == NO_ARC:
            return NO_ARC
        if not revise(network, strength, state, arc):
            clear_queue(state)
            return arc


@kernel
def revise(network: Network, strength: int, state: State, arc: int) -> bool:
    """Remove values that an arc rules out; False if it leaves a variable none."""
    kind = network.kind[arc]
    state.counters[REVISIONS] += 1
    state.counters[WORK] += network.first_place[arc + 1] - network.first_place[arc]
    if kind == ALL_DIFFERENT:
        if strength == SINGLES:
            return revise_singles(network, state, arc)
        if strength == HALL:
            return revise_hall(network, state, arc)
        return revise_matching(network, state, arc)
    if kind == RELATION:
        return _revise_relation(network, state, arc)
    if kind == LINEAR:
        return _revise_linear(network, state, arc)
    return _revise_regular(network, state, arc)


@kernel
def _revise_relation(network: Network, state: State, arc: int) -> bool:
    """Mackworth's REVISE: every value of the first variable needs a support in the second."""
    place = network.first_place[arc]
    variable, other = network.scope[place], network.scope[place + 1]
    start, end = network.first_word[other], network.first_word[other + 1]
    supports = network.data[arc]
    first = network.first_word[variable]
    for word in range(first, network.first_word[variable + 1]):
        mask = state.domain[word]
        rest, kept = mask, NOTHING
        while rest:
            bit = lowest(rest)
            rest &= rest - ONE
            state.counters[CHECKS] += 1
            row = supports + ((word - first) * WORD + bit) * (end - start)
            if _meets(network, state, row, start, end):
                kept |= ONE << np.uint64(bit)
        if kept != mask and not narrow(network, state, arc, word, kept):
            return False
    return True


@kernel
def _meets(network: Network, state: State, row: int, start: int, end: int) -> bool:
    """Whether a mask of the network and the domain in these words have a value in common."""
    for word in range(start, end):
        if network.masks[row + word - start] & state.domain[word]:
            return True
    return False


@kernel
def _revise_linear(network: Network, state: State, arc: int) -> bool:
    """Keep the values with which the others, at their least and greatest, can meet the bounds."""
    first, last = network.first_place[arc], network.first_place[arc + 1]
    data = network.data[arc]
    low, high = network.numbers[data], network.numbers[data + 1]
    least, most = 0, 0
    for place in range(first, last):
        ends = _ends(network, state, place, data + 2 + place - first)
        least += ends[0]
        most += ends[1]
    if least > high or most < low:
        return False
    for place in range(first, last):
        terms = data + 2 + place - first
        ends = _ends(network, state, place, terms)
        floor, ceiling = low - (most - ends[1]), high - (least - ends[0])
        if ends[0] >= floor and ends[1] <= ceiling:
            continue
        variable = network.scope[place]
        start = network.first_word[variable]
        for word in range(start, network.first_word[variable + 1]):
            rest, kept = state.domain[word], NOTHING
            while rest:
                bit = lowest(rest)
                rest &= rest - ONE
                term = network.numbers[network.numbers[terms] + (word - start) * WORD + bit]
                if floor <= term <= ceiling:
                    kept |= ONE << np.uint64(bit)
            if kept != state.domain[word] and not narrow(network, state, arc, word, kept):
                return False
        now = _ends(network, state, place, terms)
        least += now[0] - ends[0]
        most += now[1] - ends[1]
    return True


@kernel
def _ends(network: Network, state: State, place: int, terms: int) -> tuple[int, int]:
    """The least and the greatest term of a place; terms rise or fall with the values."""
    variable = network.scope[place]
    start, end = network.first_word[variable], network.first_word[variable + 1]
    word = start
    while not state.domain[word]:
        word += 1
    left = (word - start) * WORD + lowest(state.domain[word])
    word = end - 1
    while not state.domain[word]:
        word -= 1
    right = (word - start) * WORD + highest(state.domain[word])
    a = network.numbers[network.numbers[terms] + left]
    b = network.numbers[network.numbers[terms] + right]
    return min(a, b), max(a, b)


@kernel
def _revise_regular(network: Network, state: State, arc: int) -> bool:
    """Keep the values on a path from the start to the end of the automaton."""
    first = network.first_place[arc]
    length = network.first_place[arc + 1] - first
    stamp = state.counters[STAMP] + 1
    state.counters[STAMP] = stamp
    found = _walk_forwards(network, state, arc, stamp)
    if found == 0:
        return False
    state.counters[WORK] += found
    accepting = state.visited[found - 1]
    state.alive[accepting] = stamp
    for i in range(length - 1, -1, -1):
        variable = network.scope[first + i]
        start, end = network.first_word[variable], network.first_word[variable + 1]
        supported = state.mask
        supported[: end - start] = NOTHING
        for j in range(state.borders[i], state.borders[i + 1]):
            tail = state.visited[j]
            for edge in range(network.first_edge[tail], network.first_edge[tail + 1]):
                if state.alive[network.edge_head[edge]] != stamp:
                    continue
                label = network.edge_label[edge]
                for word in range(start, end):
                    common = network.masks[label + word - start] & state.domain[word]
                    if common:
                        supported[word - start] |= common
                        state.alive[tail] = stamp
        for word in range(start, end):
            kept = supported[word - start]
            if kept != state.domain[word] and not narrow(network, state, arc, word, kept):
                return False
    return True


@kernel
def _walk_forwards(network: Network, state: State, arc: int, stamp: int) -> int:
    """List the states that can be reached, layer by layer: how many, or 0 if not the last one."""
    first = network.first_place[arc]
    length = network.first_place[arc + 1] - first
    start_state = network.first_state[network.data[arc]]
    state.visited[0] = start_state
    state.borders[0] = 0
    found, begin = 1, 0
    for i in range(length):
        variable = network.scope[first + i]
        start, end = network.first_word[variable], network.first_word[variable + 1]
        border = found
        state.borders[i + 1] = border
        for j in range(begin, border):
            tail = state.visited[j]
            for edge in range(network.first_edge[tail], network.first_edge[tail + 1]):
                head = network.edge_head[edge]
                if state.reached[head] != stamp and _meets(
                    network, state, network.edge_label[edge], start, end
                ):
                    state.reached[head] = stamp
                    state.visited[found] = head
                    found += 1
        if found == border:
            return 0
        begin = border
    return found


@kernel
def check_forward(network: Network, strength: int, state: State, variable: int) -> int:
    """Forward checking: revise once the arcs of a variable that was assigned.

    Of an all-different only the value itself is taken from the others; larger factors are made
    consistent on their own (nFC2 of C. Bessière et al. 2002). The arc that failed, or NO_ARC.
    """
    failed = NO_ARC
    for i in range(network.first_link[variable], network.first_link[variable + 1]):
        arc = network.link[i]
        if network.kind[arc] == ALL_DIFFERENT:
            consistent = _take_from_others(network, state, arc, variable)
        else:
            consistent = revise(network, strength, state, arc)
        if not consistent:
            failed = arc
            break
    clear_queue(state)
    return failed


@kernel
def _take_from_others(network: Network, state: State, arc: int, variable: int) -> bool:
    """Remove the value of an assigned variable from the rest of an all-different."""
    first, last = network.first_place[arc], network.first_place[arc + 1]
    state.counters[REVISIONS] += 1
    state.counters[WORK] += last - first
    for place in range(first, last):
        other = network.scope[place]
        if other == variable:
            continue
        shift = network.first_word[variable] - network.first_word[other]
        for word in range(network.first_word[other], network.first_word[other + 1]):
            common = state.domain[word] & state.domain[word + shift]
            if common and not record(network, state, word, state.domain[word] & ~common):
                return False
    return True


@kernel
def check_assigned(network: Network, strength: int, state: State, variable: int) -> int:
    """Plain backtracking: test the factors of a variable that was just assigned.

    An all-different is tested against the variables assigned so far, any other factor when its last
    variable is assigned. The arc that failed, or NO_ARC.
    """
    for i in range(network.first_link[variable], network.first_link[variable + 1]):
        arc = network.link[i]
        state.counters[CHECKS] += 1
        state.counters[WORK] += 1
        if network.kind[arc] == ALL_DIFFERENT:
            consistent = _differs(network, state, arc, variable)
        else:
            consistent = _is_open(network, state, arc) or revise(network, strength, state, arc)
        if not consistent:
            return arc
    return NO_ARC


@kernel
def _differs(network: Network, state: State, arc: int, variable: int) -> bool:
    """Whether no other assigned variable of an all-different has the value of this one."""
    first_word, end = network.first_word[variable], network.first_word[variable + 1]
    for place in range(network.first_place[arc], network.first_place[arc + 1]):
        other = network.scope[place]
        if state.assigned[other] and other != variable:
            shift = network.first_word[other] - first_word
            for word in range(first_word, end):
                if state.domain[word] & state.domain[word + shift]:
                    return False
    return True


@kernel
def _is_open(network: Network, state: State, arc: int) -> bool:
    """Whether a variable of an arc is not assigned yet."""
    for place in range(network.first_place[arc], network.first_place[arc + 1]):
        if not state.assigned[network.scope[place]]:
            return True
    return False
