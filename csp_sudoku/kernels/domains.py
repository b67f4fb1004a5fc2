"""The domains of a search: how one shrinks, which arcs that wakes, and how it comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from csp_encodings.jit import subroutine
from csp_encodings.network import CAGE, CONNECTED, NO_ARC, WORD, Network
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest, popcount

Longs: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

# An event of the trace has four numbers: its kind, the variable, the value, the depth.
EVENT = 4

# How many lists of vertices a connected factor is revised with.
_VERTEX_LISTS = 7


class Change:
    """A change on the trail: a word of the domain of a variable, and what it was before."""

    variable: int
    word: int
    mask: np.uint64


class Level:
    """A level of the search: the variable that it assigns, and the top of the trail before."""

    variable: int
    mark: int


_LEVEL = np.dtype([("variable", np.int64), ("mark", np.int64)])
_CHANGE = np.dtype([("variable", np.int64), ("word", np.int64), ("mask", np.uint64)])


@dataclass(kw_only=True)
class Search:
    """What changes in any search: the domains, where it stands, and what it has done.

    Attributes
    ----------
    domain
        The words of all domains; where those of a variable begin, says the network.
    domain_words
        How many these are.
    random
        The state of the random numbers.
    trace
        The events that were recorded, EVENT numbers each, up to `trace_top`; there is room for more
        up to `trace_end`.
    mode, level
        Where the search stands, and how deep.
    row
        The row of a batch that is searched.
    assignments, backtracks, revisions, checks, restarts, solutions, work
        What the search has done so far.
    """

    domain: Words
    domain_words: int
    random: Words
    trace: Longs
    trace_top: int = 0
    trace_end: int = 0
    mode: int = 0
    level: int = 0
    row: int = 0
    assignments: int = 0
    backtracks: int = 0
    revisions: int = 0
    checks: int = 0
    restarts: int = 0
    solutions: int = 0
    work: int = 0


@dataclass(kw_only=True)
class Domains(Search):
    """What changes in a search on a network.

    Attributes
    ----------
    untried
        For a variable that the search branches on, the values that were not tried yet.
    size
        How many values each variable has left.
    assigned
        1 for each variable that the search has assigned.
    trail
        The changes of domains, up to `trail_top`.
    pending
        The set of arcs that have to be revised.
    turn
        The arcs of one word of `pending`, `turn_word`, that have not had their turn yet.
    weight
        How often each arc failed, and one.
    score
        How often arcs of each variable failed lately.
    open
        How many variables of each arc have more than one value.
    match
        For each place in a scope, its value in the last matching of that all-different.
    gathered, holder, parent, line, reach
        What an all-different is revised with, see :mod:`csp_sudoku.kernels.all_different`.
    group_least, group_most, common
        What a sum or a cage is revised with, see :mod:`csp_sudoku.kernels.sums`.
    reached, alive, visited, border, supported
        What an automaton is revised with, see :mod:`csp_sudoku.kernels.revision`.
    vertices, vertex_room
        What a connected factor is revised with, see :mod:`csp_sudoku.kernels.connectivity`: lists
        as long as the largest graph.
    levels
        The levels of the search, from 1 to `level`.
    inference, variable_order, value_order, all_different, restart
        The options of the search.
    """

    untried: Words
    size: Longs
    assigned: Longs
    trail: Sequence[Change]
    pending: Words
    turn: Words
    weight: Longs
    score: Longs
    open: Longs
    match: Longs
    gathered: Words
    holder: Longs
    parent: Longs
    line: Longs
    reach: Words
    group_least: Longs
    group_most: Longs
    common: Words
    reached: Longs
    alive: Longs
    visited: Longs
    border: Longs
    supported: Words
    vertices: Longs
    levels: Sequence[Level]
    # Sizes
    variables: int
    arcs: int
    pending_words: int
    values: int
    vertex_room: int
    peer_words: int
    # Options
    inference: int = 0
    variable_order: int = 0
    value_order: int = 0
    all_different: int = 0
    restart: int = 0
    # Where the search stands
    given: int = 0
    branched: int = 0
    conflicts: int = 0
    trail_top: int = 0
    inferred: int = 0
    lowest_pending: int = 0
    turn_word: int = 0
    spared: int = NO_ARC
    stamp: int = 0
    run_left: int = 0
    run_length: int = 0


def new_domains(network: Network, trace: int = 0) -> Domains:
    """Return the domains of a search that has not begun, with room for `trace` events."""
    variables, arcs, words = len(network.first_word) - 1, len(network.kind), len(network.domain)
    states = len(network.first_edge)
    sizes = np.diff(network.first_place)
    arity = int(sizes.max(initial=0))
    widest = 1 if words == variables else int(np.diff(network.first_word).max(initial=1))
    # The arcs are sorted by their kinds.
    has_graphs = arcs > 0 and network.kind[-1] == CONNECTED
    vertex_room = int(sizes[network.kind == CONNECTED].max()) if has_graphs else 0
    # A change removes at least one value, and on the way down none is removed twice.
    changes = sum([word.bit_count() for word in network.domain.tolist()])
    return Domains(
        domain=network.domain,
        untried=_words(words),
        size=_longs(variables),
        assigned=_longs(variables),
        trail=cast(Sequence[Change], np.zeros(changes, _CHANGE)),
        pending=_words(-(-arcs // WORD)),
        turn=_words(1),
        weight=_longs(arcs),
        score=_longs(variables),
        open=_longs(arcs),
        match=_longs(len(network.scope)),
        holder=_longs(WORD * widest),
        parent=_longs(WORD * widest),
        line=_longs(arity),
        gathered=_words(arity * widest),
        reach=_words((arity + 1) * (arity // WORD + 1)),
        group_least=_longs(arity),
        group_most=_longs(arity),
        common=_words(-(-variables // WORD)),
        reached=_longs(states),
        alive=_longs(states),
        visited=_longs(states),
        border=_longs(arity + 2),
        supported=_words(widest),
        vertices=_longs(_VERTEX_LISTS * vertex_room),
        levels=cast(Sequence[Level], np.zeros(variables + 1, _LEVEL)),
        trace=_longs(EVENT * trace),
        random=_words(1),
        variables=variables,
        domain_words=words,
        arcs=arcs,
        pending_words=-(-arcs // WORD),
        values=WORD * widest,
        vertex_room=vertex_room,
        peer_words=-(-variables // WORD) if len(network.peers) else 0,
        trace_end=EVENT * trace,
    )


def _longs(size: int) -> Longs:
    return np.zeros(size, np.int64)


def _words(size: int) -> Words:
    return np.zeros(size, np.uint64)


@subroutine
def narrow(network: Network, d: Domains, variable: int, word: int, mask: np.uint64) -> bool:
    """Replace a word of a domain by a part of it; False if the domain is empty now.

    The old word goes on the trail, and the arcs that look at the variable become pending, all but
    the one that is spared.
    """
    old = d.domain[word]
    top = d.trail_top
    change = d.trail[top]
    change.variable = variable
    change.word = word
    change.mask = old
    d.trail_top = top + 1
    d.domain[word] = mask
    size = d.size[variable] - popcount(old & ~mask)
    d.size[variable] = size
    if size == 0:
        return False
    end = network.first_wake[variable + 1] if size == 1 else network.fixed_wake[variable]
    spared, lowest_pending = d.spared, d.lowest_pending
    for wake in range(network.first_wake[variable], end):
        pending = network.wake_word[wake]
        arcs = network.wake_mask[wake]
        if pending == spared >> 6:
            arcs &= ~(ONE << np.uint64(spared & 63))
        d.pending[pending] |= arcs
        lowest_pending = min(lowest_pending, pending)
    d.lowest_pending = lowest_pending
    return True


@subroutine
def fix(network: Network, d: Domains, variable: int, value: int) -> None:
    """Leave a variable one of its values (a bit of its universe)."""
    first = network.first_word[variable]
    home = first + (value >> 6)
    for word in range(first, network.first_word[variable + 1]):
        left = ONE << np.uint64(value & 63) if word == home else NOTHING
        if d.domain[word] != left:
            narrow(network, d, variable, word, left)


@subroutine
def undo(d: Domains, mark: int) -> int:
    """Take back the changes above a mark of the trail; return how many values come back."""
    count = 0
    top = d.trail_top
    while top > mark:
        top -= 1
        change = d.trail[top]
        back = popcount(change.mask & ~d.domain[change.word])
        d.size[change.variable] += back
        d.domain[change.word] = change.mask
        count += back
    d.trail_top = mark
    return count


@subroutine
def take_pending(network: Network, d: Domains) -> int:
    """Take an arc from the set of pending arcs; NO_ARC if it is empty.

    The arcs come in words of 64, those that cost little first. Within a word every pending arc has
    its turn before one has its second. But after a dear one, those that cost little come first.
    """
    if not d.turn[0]:
        word = d.lowest_pending
        while word < d.pending_words and not d.pending[word]:
            word += 1
        d.lowest_pending = word
        if word == d.pending_words:
            return NO_ARC
        turn = d.pending[word]
        if network.kind[word * WORD + lowest(turn)] > CAGE:
            turn &= ~turn + ONE
        d.turn[0] = turn
        d.turn_word = word
    bit = lowest(d.turn[0])
    d.turn[0] &= d.turn[0] - ONE
    d.pending[d.turn_word] &= ~(ONE << np.uint64(bit))
    return d.turn_word * WORD + bit


@subroutine
def forget_pending(d: Domains) -> None:
    """Empty the set of pending arcs."""
    for word in range(d.lowest_pending, d.pending_words):
        d.pending[word] = NOTHING
    d.lowest_pending = d.pending_words
    d.turn[0] = NOTHING
