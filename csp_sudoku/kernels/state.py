"""The state of a search in flat arrays, and how a domain shrinks and comes back.

Every change of a domain goes on the *trail*; undoing pops it. A change also wakes arcs: it puts them
on the queue of propagation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from csp_encodings.arrays import LINEAR, NO_ARC, WORD, Ints, Longs, Network, Words
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest, popcount
from csp_sudoku.kernels.jit import kernel

# The places in State.counters: first what a user may read, then where the search stands.
(
    ASSIGNMENTS,
    BACKTRACKS,
    REVISIONS,
    CHECKS,
    SOLUTIONS,
    RESTARTS,
    TRACED,
    WORK,
    MODE,
    DEPTH,
    TRAIL,
    STAMP,
    BACKTRACKS_LEFT,
    BACKTRACKS_ALLOWED,
    HEAD,
    _,
    COUNT,
    _,
    COUNTERS,
) = range(19)


class State(NamedTuple):
    """Everything that changes during a search.

    Attributes
    ----------
    domain, size
        The bit sets of the variables and how many values each has left.
    trail_word, trail_mask
        The words that were changed, and what they were.
    queue, queued
        A ring for the arcs that cost little, one for the others; whether an arc is in one of them.
    level_variable, level_trail
        For each depth the variable that is assigned there, and the length of the trail before.
    untried
        The values of an assigned variable that are still to try.
    assigned
        Whether the search itself has assigned a variable.
    weight, open_places
        For each arc, how often it failed, and how many of its variables are open.
    reached, alive, visited, borders
        Scratch of automata: marks on states, the states reached layer by layer.
    match
        For each place of an all-different the value it had in the last matching.
    holder, parent, line, reach
        Scratch of matchings.
    mask
        Scratch: one bit set.
    random
        The state of the random numbers.
    trace
        Rows of (kind, variable, value, depth); as many as fit.
    counters
        See the constants of this module.
    """

    domain: Words
    size: Ints
    trail_word: Ints
    trail_mask: Words
    queue: Ints
    queued: Ints
    level_variable: Ints
    level_trail: Ints
    untried: Words
    assigned: Ints
    weight: Ints
    open_places: Ints
    reached: Longs
    alive: Longs
    visited: Ints
    borders: Ints
    match: Ints
    holder: Ints
    parent: Ints
    line: Ints
    reach: Words
    mask: Words
    random: Words
    trace: Longs
    counters: Longs


def allocate(network: Network, domain: Words, seed: int, trace: int) -> State:
    """The state of a search that has not begun, from these domains.

    Parameters
    ----------
    seed
        Of the random choices.
    trace
        How many events to record.
    """
    variables, arcs = len(network.first_word) - 1, len(network.kind)
    words = int(np.diff(network.first_word).max(initial=1))
    arity = int(np.diff(network.first_place).max(initial=0))
    states = len(network.first_edge)
    # A change removes at least one value, and none twice on the way down.
    changes = sum(int(word).bit_count() for word in network.domain)

    def ints(length: int) -> Ints:
        return np.zeros(length, dtype=np.int32)

    def masks(length: int) -> Words:
        return np.zeros(length, dtype=np.uint64)

    return State(
        domain=domain,
        size=ints(variables),
        trail_word=ints(changes + 1),
        trail_mask=masks(changes + 1),
        queue=np.zeros((2, arcs), dtype=np.int32),
        queued=ints(arcs),
        level_variable=ints(variables + 1),
        level_trail=ints(variables + 1),
        untried=masks(len(network.domain)),
        assigned=ints(variables),
        weight=ints(arcs),
        open_places=ints(arcs),
        reached=np.zeros(states, dtype=np.int64),
        alive=np.zeros(states, dtype=np.int64),
        visited=ints(states),
        borders=ints(arity + 2),
        match=ints(len(network.scope)),
        holder=ints(WORD * words),
        parent=ints(WORD * words),
        line=ints(arity),
        reach=masks((arity + 1) * (arity // WORD + 1)),
        mask=masks(words),
        # Xorshift never leaves zero; mixing keeps small seeds apart (the golden ratio, as in hashing).
        random=np.array([((2 * seed + 1) * 0x9E3779B97F4A7C15) % 2**64 | 1], dtype=np.uint64),
        trace=np.zeros((trace, 4), dtype=np.int64),
        counters=np.zeros(COUNTERS, dtype=np.int64),
    )


@kernel
def start(network: Network, state: State) -> bool:
    """Begin: measure the domains, forget all that was; False if one of them is empty."""
    counters = state.counters
    counters[DEPTH] = 0
    counters[TRAIL] = 0
    clear_queue(state)
    state.assigned[:] = 0
    state.weight[:] = 1
    state.match[:] = -1
    possible = True
    for variable in range(len(state.size)):
        size = 0
        for word in range(network.first_word[variable], network.first_word[variable + 1]):
            size += popcount(state.domain[word])
        state.size[variable] = size
        possible = possible and size > 0
    return possible


@kernel
def record(network: Network, state: State, word: int, mask: np.uint64) -> bool:
    """Replace a word of a domain by a part of it; False if the domain is empty now."""
    old = state.domain[word]
    length = state.counters[TRAIL]
    state.trail_word[length] = word
    state.trail_mask[length] = old
    state.counters[TRAIL] = length + 1
    state.domain[word] = mask
    variable = network.owner[word]
    state.size[variable] -= popcount(old & ~mask)
    return state.size[variable] > 0


@kernel
def narrow(network: Network, state: State, arc: int, word: int, mask: np.uint64) -> bool:
    """Let an arc shrink a word of a domain and wake the arcs that care; False if it is empty."""
    if not record(network, state, word, mask):
        return False
    wake(network, state, network.owner[word], network.reverse[arc])
    return True


@kernel
def keep_one(network: Network, state: State, arc: int, word: int, mask: np.uint64) -> bool:
    """Let an arc shrink a domain to a single value, a bit of one of its words."""
    variable = network.owner[word]
    for other in range(network.first_word[variable], network.first_word[variable + 1]):
        left = mask if other == word else NOTHING
        if state.domain[other] != left:
            record(network, state, other, left)
    wake(network, state, variable, network.reverse[arc])
    return state.size[variable] > 0


@kernel
def assign(network: Network, state: State, variable: int, value: int) -> None:
    """Give a variable one of its values (a bit of its universe), without waking any arc."""
    chosen = network.first_word[variable] + value // WORD
    for word in range(network.first_word[variable], network.first_word[variable + 1]):
        left = ONE << np.uint64(value % WORD) if word == chosen else NOTHING
        if state.domain[word] != left:
            record(network, state, word, left)


@kernel
def value_of(network: Network, state: State, variable: int) -> int:
    """The least value (a bit of its universe) that a variable has left; -1 if it has none."""
    first = network.first_word[variable]
    for word in range(first, network.first_word[variable + 1]):
        if state.domain[word]:
            return (word - first) * WORD + lowest(state.domain[word])
    return -1


@kernel
def undo(network: Network, state: State, length: int) -> int:
    """Take back all changes after the trail had this length: how many values come back."""
    count = 0
    for i in range(state.counters[TRAIL] - 1, length - 1, -1):
        word, old = state.trail_word[i], state.trail_mask[i]
        back = popcount(old & ~state.domain[word])
        state.size[network.owner[word]] += back
        state.domain[word] = old
        count += back
    state.counters[TRAIL] = length
    return count


@kernel
def wake(network: Network, state: State, variable: int, without: int) -> None:
    """Queue the arcs that a change of a variable concerns, without the one that need not be."""
    fixed = state.size[variable] == 1
    end = network.first_link[variable + 1] if fixed else network.fixed_link[variable]
    for i in range(network.first_link[variable], end):
        arc = network.link[i]
        if arc != without and not state.queued[arc]:
            push(network, state, arc)


@kernel
def push(network: Network, state: State, arc: int) -> None:
    """Put an arc that is not there on its queue."""
    counters = state.counters
    row = 1 if network.kind[arc] >= LINEAR else 0
    slot = counters[HEAD + row] + counters[COUNT + row]
    if slot >= len(state.queued):
        slot -= len(state.queued)
    state.queue[row, slot] = arc
    state.queued[arc] = 1
    counters[COUNT + row] += 1


@kernel
def pop(state: State) -> int:
    """Take the next arc, one that costs little if there is one; NO_ARC if there is none."""
    counters = state.counters
    row = 0 if counters[COUNT] else 1
    if not counters[COUNT + row]:
        return NO_ARC
    head = counters[HEAD + row]
    arc = state.queue[row, head]
    state.queued[arc] = 0
    counters[HEAD + row] = head + 1 if head + 1 < len(state.queued) else 0
    counters[COUNT + row] -= 1
    return arc


@kernel
def clear_queue(state: State) -> None:
    """Take every arc off the queue."""
    while pop(state) != NO_ARC:
        pass
