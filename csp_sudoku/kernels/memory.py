"""The memory of a search: a network and all that changes, as records in two flat arrays.

``ints`` holds records of integers, ``sets`` the bit sets. An address is an index into one of them.
A record refers to others by their addresses, as in C: ``ints[variable + SIZE]`` is how many values
are left of the variable whose record is at ``variable``. So a kernel takes two arrays, whatever it
needs of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from csp_encodings.arrays import LINEAR, WORD, Network
from csp_sudoku.kernels.flat import Flat

Ints: TypeAlias = Flat[int]
Sets: TypeAlias = Flat[np.uint64]

# The head of `ints`. What a run has cost,
ASSIGNMENTS, BACKTRACKS, REVISIONS, CHECKS, RESTARTS, SOLUTIONS, WORK = range(7)
# its settings,
INFERENCE, VARIABLE_ORDER, VALUE_ORDER, STRENGTH, RESTART = range(7, 12)
# where it stands (SPARED is the number of the arc that a change does not wake),
MODE, GIVEN, LEVEL, TRAIL_TOP, INFERRED, TRACE_TOP, LOWEST_PENDING = range(12, 19)
SPARED, STAMP, RUN_LEFT, RUN_LENGTH = range(19, 23)
# where things are in `ints`,
VARIABLES, VARIABLES_END, ARCS, ARCS_END, LEVELS, VISITED, BORDERS = range(23, 30)
HOLDER, HOLDER_END, PARENT, LINE, TRACE, TRACE_END = range(30, 36)
# and in `sets`.
DOMAINS, DOMAINS_END, START, PENDING, PENDING_END, REACH = range(36, 42)
SCRATCH, RANDOM_STATE, TRAIL = range(42, 45)
HEAD = 45

# A variable: its words in `sets`, its untried values there, how many values it has left, whether
# the search has assigned it, its arcs. And whom to wake: the words of PENDING whose addresses are
# from WAKE on (from WAKE_FIXED on only when it has a single value), with the masks that are
# WAKE_MASKS further, in `sets`.
DOMAIN, DOMAIN_END, UNTRIED, SIZE, ASSIGNED, LINKS, LINKS_END = range(7)
WAKE, WAKE_FIXED, WAKE_END, WAKE_MASKS = range(7, 11)
VARIABLE = 11

# An arc: its kind, its variables, its parameters, the number of the arc it spares, the values of
# its last matching, how often it failed, how many of its variables are open.
KIND, SCOPE, SCOPE_END, DATA, REVERSE, MATCH, WEIGHT, OPEN = range(8)
ARC = 8

# A state of an automaton: its edges, the stamps of the last passes that came by.
EDGES, EDGES_END, REACHED, ALIVE = range(4)
STATE = 4

# An edge: the state it leads to, its values in `sets`.
NEXT, LABEL = range(2)
EDGE = 2

# A level of the search: the variable assigned there, the top of the trail before.
CHOSEN, MARK = range(2)
FRAME = 2

# A change on the trail, in `sets`: the word before, its address, the variable.
CHANGE = 3

# An event of the trace: its kind, the variable, the value, the depth.
EVENT = 4


def constant(number: int) -> int:
    """A number to call kernels with: for each plain one Numba would compile them anew."""
    return cast(int, np.int64(number))


class Memory(NamedTuple):
    """The two arrays of a search."""

    ints: NDArray[np.int64]
    sets: NDArray[np.uint64]

    def copy(self) -> Memory:
        """The memory of another search, from the same state."""
        return Memory(self.ints.copy(), self.sets.copy())

    @property
    def domain(self) -> NDArray[np.uint64]:
        """The words of all domains."""
        return self.sets[self.ints[DOMAINS] : self.ints[DOMAINS_END]]


class Arena:
    """An array of blocks, one after the other."""

    def __init__(self, kind: type[np.generic], **lengths: int) -> None:
        ends = np.cumsum([*lengths.values()]).tolist()
        self.end = dict(zip(lengths, ends, strict=True))
        self.at = {name: self.end[name] - length for name, length in lengths.items()}
        self.array: NDArray[Any] = np.zeros(ends[-1], kind)

    def block(self, name: str) -> NDArray[Any]:
        return self.array[self.at[name] : self.end[name]]


def lay_out(network: Network, trace: int = 0) -> Memory:
    """The memory of a search that has not begun, with room for so many events of a trace."""
    variables, arcs, words = len(network.first_word) - 1, len(network.kind), len(network.domain)
    arity = int(np.diff(network.first_place).max(initial=0))
    widest = int(np.diff(network.first_word).max(initial=1))
    wakes = _wakes(network)
    sets = Arena(
        np.uint64,
        domains=words,
        start=words,
        untried=words,
        pending=-(-arcs // WORD),
        masks=len(network.masks),
        wake_masks=len(wakes.mask),
        reach=(arity + 1) * (arity // WORD + 1),
        scratch=widest,
        random_state=1,
        # A change removes at least one value, and on the way down none is removed twice.
        trail=CHANGE * sum(int(word).bit_count() for word in network.domain),
    )
    ints = Arena(
        np.int64,
        head=HEAD,
        variables=VARIABLE * variables,
        arcs=ARC * arcs,
        scope=len(network.scope),
        match=len(network.scope),
        links=len(network.link),
        wake=len(wakes.word),
        numbers=len(network.numbers),
        states=STATE * (len(network.first_edge) - 1),
        edges=EDGE * len(network.edge_head),
        levels=FRAME * (variables + 1),
        visited=len(network.first_edge),
        borders=arity + 2,
        holder=WORD * widest,
        parent=WORD * widest,
        line=arity,
        trace=EVENT * trace,
    )
    sets.block("domains")[:] = sets.block("start")[:] = network.domain
    sets.block("masks")[:] = network.masks
    sets.block("wake_masks")[:] = wakes.mask
    ints.block("scope")[:] = ints.at["variables"] + VARIABLE * network.scope.astype(np.int64)
    ints.block("links")[:] = ints.at["arcs"] + ARC * network.link.astype(np.int64)
    ints.block("wake")[:] = sets.at["pending"] + wakes.word
    _write_head(ints, sets)
    _write_variables(ints, sets, network, wakes)
    _write_arcs(ints, sets, network)
    _write_automata(ints, sets, network)
    return Memory(ints.array, sets.array)


def _write_head(ints: Arena, sets: Arena) -> None:
    head = ints.block("head")
    head[VARIABLES], head[VARIABLES_END] = ints.at["variables"], ints.end["variables"]
    head[ARCS], head[ARCS_END] = ints.at["arcs"], ints.end["arcs"]
    head[LEVELS] = ints.at["levels"]
    head[VISITED], head[BORDERS] = ints.at["visited"], ints.at["borders"]
    head[HOLDER], head[HOLDER_END] = ints.at["holder"], ints.end["holder"]
    head[PARENT], head[LINE] = ints.at["parent"], ints.at["line"]
    head[TRACE] = head[TRACE_TOP] = ints.at["trace"]
    head[TRACE_END] = ints.end["trace"]
    head[DOMAINS], head[DOMAINS_END] = sets.at["domains"], sets.end["domains"]
    head[START], head[REACH] = sets.at["start"], sets.at["reach"]
    head[PENDING], head[PENDING_END] = sets.at["pending"], sets.end["pending"]
    head[SCRATCH], head[RANDOM_STATE] = sets.at["scratch"], sets.at["random_state"]
    head[TRAIL] = sets.at["trail"]


def _write_variables(ints: Arena, sets: Arena, network: Network, wakes: _Wakes) -> None:
    record = ints.block("variables").reshape(-1, VARIABLE)
    record[:, DOMAIN] = sets.at["domains"] + network.first_word[:-1]
    record[:, DOMAIN_END] = sets.at["domains"] + network.first_word[1:]
    record[:, UNTRIED] = sets.at["untried"] + network.first_word[:-1]
    record[:, LINKS] = ints.at["links"] + network.first_link[:-1]
    record[:, LINKS_END] = ints.at["links"] + network.first_link[1:]
    record[:, WAKE] = ints.at["wake"] + wakes.first[:-1]
    record[:, WAKE_FIXED] = ints.at["wake"] + wakes.fixed
    record[:, WAKE_END] = ints.at["wake"] + wakes.first[1:]
    record[:, WAKE_MASKS] = sets.at["wake_masks"] - ints.at["wake"]


def _write_arcs(ints: Arena, sets: Arena, network: Network) -> None:
    record = ints.block("arcs").reshape(-1, ARC)
    record[:, KIND] = network.kind
    record[:, SCOPE] = ints.at["scope"] + network.first_place[:-1]
    record[:, SCOPE_END] = ints.at["scope"] + network.first_place[1:]
    record[:, REVERSE] = network.reverse
    record[:, MATCH] = ints.at["match"] + network.first_place[:-1]
    # Where the parameters of each kind of arc are.
    base = np.array([sets.at["masks"], sets.at["masks"], ints.at["numbers"], ints.at["states"]])
    stride = np.array([1, 1, 1, STATE])
    record[:, DATA] = base[network.kind] + stride[network.kind] * network.data
    # Linear arcs refer to their terms.
    numbers = ints.block("numbers")
    numbers[:] = network.numbers
    for arc in np.flatnonzero(network.kind == LINEAR):
        terms = network.data[arc] + 2
        arity = network.first_place[arc + 1] - network.first_place[arc]
        numbers[terms : terms + arity] += ints.at["numbers"]


def _write_automata(ints: Arena, sets: Arena, network: Network) -> None:
    record = ints.block("states").reshape(-1, STATE)
    record[:, EDGES] = ints.at["edges"] + EDGE * network.first_edge[:-1].astype(np.int64)
    record[:, EDGES_END] = ints.at["edges"] + EDGE * network.first_edge[1:].astype(np.int64)
    record = ints.block("edges").reshape(-1, EDGE)
    record[:, NEXT] = ints.at["states"] + STATE * network.edge_head.astype(np.int64)
    record[:, LABEL] = sets.at["masks"] + network.edge_label


class _Wakes(NamedTuple):
    """The links of the variables as bit sets over the arcs; `first` and `fixed` as in a network."""

    first: NDArray[np.int64]
    fixed: NDArray[np.int64]
    word: NDArray[np.int64]
    mask: NDArray[np.uint64]


def _wakes(network: Network) -> _Wakes:
    variables = len(network.fixed_link)
    borders = np.stack([network.first_link[:-1], network.fixed_link], axis=1).ravel()
    # Even groups are woken by any change of their variable, odd ones when it has a single value.
    group = np.repeat(np.arange(2 * variables), np.diff(borders, append=network.first_link[-1]))
    link = network.link.astype(np.int64)
    word, bit = link // WORD, np.left_shift(np.uint64(1), (link % WORD).astype(np.uint64))
    begins = np.flatnonzero((np.diff(word, prepend=-1) != 0) | (np.diff(group, prepend=-1) != 0))
    first = np.searchsorted(group[begins], np.arange(2 * variables + 1))
    mask = np.bitwise_or.reduceat(bit, begins) if len(begins) else bit
    return _Wakes(first[::2], first[1::2], word[begins], mask)
