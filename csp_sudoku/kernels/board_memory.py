"""The memory of a search on boards: a network of differences and relations, value by value.

A *board* is the set of the cells (variables) that may have one value: the domains seen from the
side, so that one instruction looks at a value in 64 cells. A *candidate* is a cell with a value,
and its *conflicts* are the candidates of other cells that it rules out, as a part of each board. A
*house* is an all-different in which some values must occur.

As in :mod:`csp_sudoku.kernels.memory`, two flat arrays hold it all.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial, reduce
from itertools import combinations, product
from operator import or_

import numpy as np
from numpy.typing import NDArray

from csp_encodings.arrays import ALL_DIFFERENT, RELATION, WORD, ConstraintArrays, Network
from csp_sudoku.kernels.memory import (
    DOMAINS,
    DOMAINS_END,
    HEAD,
    RANDOM_STATE,
    START,
    Arena,
    Memory,
)

# The head of `ints` goes on after that of any search: how many cells there are, whether a value
# rules out others, how many places of a value are worth a look, and the last frame where they are,
CELLS, RELATED, FEW, DEEPEST = range(HEAD, HEAD + 4)
# where things are in `ints`,
OWN, CONFLICTS, ALTERNATIVES = range(HEAD + 4, HEAD + 7)
# and in `sets`.
HOUSES, HOUSES_OF, NEIGHBOURS, COMMON, TEMPLATE, FRAMES = range(HEAD + 7, HEAD + 13)
BOARD_HEAD = HEAD + 13

# A frame is the state at one level of the search, in `sets`. First a record for each value: the
# words of its board, and after them sets of houses: where it has no place yet, and where it lost a
# place since the last look for singles and for alternatives.
MISSING, STALE, LATE = range(3)
RECORD = 3
# Then the rest: the cells without a value, the cells that lost a value since the last look for
# alternatives, and after these, the values with stale and with late houses.
STALE_VALUES, LATE_VALUES = range(2)
REST = 2

# A conflict with another value: its board, and where the cells are.
VALUE, RULED_OUT = range(2)
CONFLICT = 2

# Kernels are compiled for a number of words of a set of cells and a number of values. These two do
# for all: what a network does not need stays empty, and a vector instruction takes four words.
SHAPES = ((2, 9), (4, 16))

# Sets of houses have one word. What a house more would say is not needed to solve a puzzle.
_MOST_HOUSES = WORD


def shape(arrays: ConstraintArrays) -> tuple[int, int] | None:
    """The words and values of the boards for a network, or None if it cannot be searched on any."""
    network = arrays.network
    cells = len(arrays.names)
    if (
        cells == 0
        or len(network.domain) != cells
        or len(set(arrays.universes)) > 1
        or not np.isin(network.kind, (ALL_DIFFERENT, RELATION)).all()
    ):
        return None
    values = len(arrays.universes[0])
    fitting = (shape for shape in SHAPES if cells <= WORD * shape[0] and 0 < values <= shape[1])
    return next(fitting, None)


def lay_out_boards(arrays: ConstraintArrays, shape: tuple[int, int]) -> Memory:
    """The memory of a search on boards that has not begun."""
    network = arrays.network
    cells, (words, values) = len(arrays.names), shape
    houses, needed = _houses(network)
    own, conflicts = _conflicts(network, values)
    parts: dict[int, int] = {}
    for part in (*own, *(part for conflict in conflicts for part in conflict.values())):
        parts.setdefault(part, words * len(parts))
    record, rest = words + RECORD, values * (words + RECORD)
    frame = rest + 2 * words + REST
    sets = Arena(
        np.uint64,
        domains=cells,
        start=cells,
        parts=len(parts) * words,
        houses=len(houses) * words,
        houses_of=cells,
        neighbours=cells * words,
        common=words,
        random_state=1,
        template=frame,
        frames=(cells + 1) * frame,
    )
    sets.block("domains")[:] = sets.block("start")[:] = network.domain
    sets.block("parts")[:] = _words(parts, words)
    sets.block("houses")[:] = _words(houses, words)
    sets.block("houses_of")[:] = _words(_turned(houses, cells), 1)
    sets.block("neighbours")[:] = _words(_neighbours(own, conflicts, values), words)
    template = sets.block("template")
    records = template[:rest].reshape(values, record)
    records[:, :words] = _words(_turned(network.domain.tolist(), values), words).reshape(-1, words)
    records[:, words:] = _words(_turned(needed, values), 1)[:, np.newaxis]
    template[rest : rest + words] = _words([(1 << cells) - 1], words)
    template[rest + words : rest + 2 * words] = template[rest : rest + words]
    template[rest + 2 * words :] = (1 << values) - 1
    ints = Arena(
        np.int64,
        head=BOARD_HEAD,
        own=cells * values,
        first=cells * values + 1,
        conflicts=CONFLICT * sum(map(len, conflicts)),
        alternatives=max(cells, values),
    )
    ints.block("own")[:] = [sets.at["parts"] + parts[part] for part in own]
    ints.block("first")[:] = ints.at["conflicts"] + CONFLICT * np.cumsum([0, *map(len, conflicts)])
    listed = ints.block("conflicts").reshape(-1, CONFLICT)
    listed[:, VALUE] = [value for conflict in conflicts for value in conflict]
    listed[:, RULED_OUT] = [
        sets.at["parts"] + parts[part] for conflict in conflicts for part in conflict.values()
    ]
    head = ints.block("head")
    head[DOMAINS], head[DOMAINS_END] = sets.at["domains"], sets.end["domains"]
    head[START], head[RANDOM_STATE] = sets.at["start"], sets.at["random_state"]
    head[CELLS] = cells
    overlap = max(((a & b).bit_count() for a, b in combinations(houses, 2)), default=0)
    head[FEW] = max(2, overlap)
    # Where a value rules out others, alternatives say much; where it only rules out itself, those
    # of a cell say nothing, and those of a house pay at the root.
    head[RELATED] = any(conflicts)
    head[DEEPEST] = sets.end["frames"] if head[RELATED] else sets.at["frames"]
    head[OWN], head[CONFLICTS] = ints.at["own"], ints.at["first"]
    head[ALTERNATIVES] = ints.at["alternatives"]
    head[HOUSES], head[HOUSES_OF] = sets.at["houses"], sets.at["houses_of"]
    head[NEIGHBOURS] = sets.at["neighbours"]
    head[COMMON], head[TEMPLATE] = sets.at["common"], sets.at["template"]
    head[FRAMES] = sets.at["frames"]
    return Memory(ints.array, sets.array)


def _houses(network: Network) -> tuple[list[int], list[int]]:
    """The cells of each house, and the values that must occur there, as bits."""
    houses, needed = [], []
    for kind, scope, data in zip(network.kind.tolist(), network.scopes, network.data, strict=True):
        if kind == ALL_DIFFERENT and network.masks[data]:
            houses.append(sum(1 << cell for cell in scope))
            needed.append(int(network.masks[data]))
    return houses[:_MOST_HOUSES], needed[:_MOST_HOUSES]


def _conflicts(network: Network, values: int) -> tuple[list[int], list[dict[int, int]]]:
    """For each candidate, cell by cell, the cells that it rules out as bits: for its own value, and
    for each other one."""
    domain = network.domain.tolist()
    peers = [0] * len(domain)
    others: dict[tuple[int, int], dict[int, int]] = {}
    ruled_out = cache(partial(_ruled_out, network.masks))
    for kind, scope, data in zip(
        network.kind.tolist(), network.scopes, network.data.tolist(), strict=True
    ):
        if kind == ALL_DIFFERENT:
            everybody = sum(1 << cell for cell in scope)
            for cell in scope:
                peers[cell] |= everybody & ~(1 << cell)
            continue
        a, b = scope
        pairs = ruled_out(data, domain[a], domain[b])
        if pairs is None:
            peers[a] |= 1 << b
            continue
        for i, j in pairs:
            boards = others.setdefault((a, i), {})
            boards[j] = boards.get(j, 0) | 1 << b
    candidates = list(product(range(len(domain)), range(values)))
    conflicts = [others.get(candidate, {}) for candidate in candidates]
    own = [
        peers[cell] | boards.pop(value, 0)
        for (cell, value), boards in zip(candidates, conflicts, strict=True)
    ]
    return own, conflicts


def _ruled_out(
    masks: NDArray[np.uint64], start: int, first: int, second: int
) -> list[tuple[int, int]] | None:
    """The pairs of values that a relation rules out, or None if these are all pairs of equals."""
    supports = masks[start : start + first.bit_length()].tolist()
    pairs = [(i, j) for i in _bits(first) for j in _bits(second & ~supports[i])]
    return None if pairs == [(i, i) for i in _bits(first & second)] else pairs


def _neighbours(own: list[int], conflicts: list[dict[int, int]], values: int) -> list[int]:
    """For each cell, those with which it has a conflict, as bits."""
    seen = [
        reduce(or_, {same, *boards.values()}) for same, boards in zip(own, conflicts, strict=True)
    ]
    return [reduce(or_, seen[i : i + values]) for i in range(0, len(seen), values)]


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _turned(rows: list[int], columns: int) -> list[int]:
    """The columns of a matrix of bits."""
    turned = [0] * columns
    for i, row in enumerate(rows):
        for column in _bits(row):
            turned[column] |= 1 << i
    return turned


def _words(masks: Iterable[int], words: int) -> NDArray[np.uint64]:
    text = b"".join(mask.to_bytes(8 * words, "little") for mask in masks)
    return np.frombuffer(text, "<u8").astype(np.uint64)
