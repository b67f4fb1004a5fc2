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
from itertools import combinations
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

# The head of `ints` goes on after that of any search: how many cells and values there are, the
# words of a set of cells and of a set of houses,
CELLS, VALUES, WORDS, HOUSE_WORDS = range(HEAD, HEAD + 4)
# whether a value rules out others; how many places of a value are worth a look, and the last frame
# where they are,
RELATED, FEW, DEEPEST = range(HEAD + 4, HEAD + 7)
# where things are in `ints`,
CONFLICTS, ALTERNATIVES = range(HEAD + 7, HEAD + 9)
# and in `sets`.
HOUSES, HOUSES_OF, NEIGHBOURS, COMMON, TEMPLATE, FRAMES = range(HEAD + 9, HEAD + 15)
# A frame is the state at one level of the search, in `sets`: the boards; from MISSING on, for each
# value the houses where it has no place yet; from OPEN on, the cells without a value; the values
# whose boards lost a cell since the last look for singles (CHANGED) and for alternatives (LATE);
# from SHRUNK on, the cells that lost a value since the last look for alternatives.
MISSING, OPEN, CHANGED, LATE, SHRUNK, FRAME = range(HEAD + 15, HEAD + 21)
BOARD_HEAD = HEAD + 21

# A conflict: the value of a board, and where the cells are.
VALUE, RULED_OUT = range(2)
CONFLICT = 2

# Beyond so many cells, domains are quicker than boards: a house is in too many words.
_MOST_CELLS = 256


def fits(arrays: ConstraintArrays) -> bool:
    """Whether a network can be searched on boards."""
    network = arrays.network
    return bool(
        0 < len(arrays.names) == len(network.domain) <= _MOST_CELLS
        and len(set(arrays.universes)) == 1
        and arrays.universes[0]
        and np.isin(network.kind, (ALL_DIFFERENT, RELATION)).all()
    )


def lay_out_boards(arrays: ConstraintArrays) -> Memory:
    """The memory of a search on boards that has not begun."""
    network = arrays.network
    cells, values = len(arrays.names), len(arrays.universes[0])
    houses, needed = _houses(network)
    conflicts = _conflicts(network, values)
    everything = (part for conflict in conflicts for part in conflict.values())
    parts = {part: i for i, part in enumerate(dict.fromkeys(everything))}
    words, house_words = -(-cells // WORD), -(-len(houses) // WORD)
    missing = values * words
    open_ = missing + values * house_words
    frame = open_ + 2 * words + 2
    sets = Arena(
        np.uint64,
        domains=cells,
        start=cells,
        parts=len(parts) * words,
        houses=len(houses) * words,
        houses_of=cells * house_words,
        neighbours=cells * words,
        common=words,
        random_state=1,
        template=frame,
        frames=(cells + 1) * frame,
    )
    sets.block("domains")[:] = sets.block("start")[:] = network.domain
    sets.block("parts")[:] = _words(parts, words)
    sets.block("houses")[:] = _words(houses, words)
    sets.block("houses_of")[:] = _words(_turned(houses, cells), house_words)
    sets.block("neighbours")[:] = _words(_neighbours(conflicts, values), words)
    template = sets.block("template")
    boards = _turned(network.domain.tolist(), values)
    template[:missing] = _words(boards, words)
    template[missing:open_] = _words(_turned(needed, values), house_words)
    template[open_ : open_ + words] = _words([(1 << cells) - 1], words)
    template[open_ + words : open_ + words + 2] = (1 << values) - 1
    template[open_ + words + 2 :] = template[open_ : open_ + words]
    ints = Arena(
        np.int64,
        head=BOARD_HEAD,
        first=cells * values + 1,
        conflicts=CONFLICT * sum(map(len, conflicts)),
        alternatives=max(cells, values),
    )
    ints.block("first")[:] = ints.at["conflicts"] + CONFLICT * np.cumsum([0, *map(len, conflicts)])
    record = ints.block("conflicts").reshape(-1, CONFLICT)
    record[:, VALUE] = [value for conflict in conflicts for value in conflict]
    record[:, RULED_OUT] = [
        sets.at["parts"] + words * parts[part]
        for conflict in conflicts
        for part in conflict.values()
    ]
    head = ints.block("head")
    head[DOMAINS], head[DOMAINS_END] = sets.at["domains"], sets.end["domains"]
    head[START], head[RANDOM_STATE] = sets.at["start"], sets.at["random_state"]
    head[CELLS], head[VALUES], head[WORDS], head[HOUSE_WORDS] = cells, values, words, house_words
    overlap = max(((a & b).bit_count() for a, b in combinations(houses, 2)), default=0)
    head[FEW] = max(2, overlap)
    # Where a value rules out others, alternatives say much; where it only rules out itself, those
    # of a cell say nothing, and those of a house pay at the root.
    head[RELATED] = any(boards.keys() - {i % values} for i, boards in enumerate(conflicts))
    head[DEEPEST] = sets.end["frames"] if head[RELATED] else sets.at["frames"]
    head[CONFLICTS], head[ALTERNATIVES] = ints.at["first"], ints.at["alternatives"]
    head[HOUSES], head[HOUSES_OF] = sets.at["houses"], sets.at["houses_of"]
    head[NEIGHBOURS] = sets.at["neighbours"]
    head[COMMON], head[TEMPLATE] = sets.at["common"], sets.at["template"]
    head[FRAMES], head[FRAME] = sets.at["frames"], frame
    head[MISSING], head[OPEN], head[CHANGED] = missing, open_, open_ + words
    head[LATE], head[SHRUNK] = open_ + words + 1, open_ + words + 2
    return Memory(ints.array, sets.array)


def _houses(network: Network) -> tuple[list[int], list[int]]:
    """The cells of each house, and the values that must occur there, as bits."""
    houses, needed = [], []
    for kind, scope, data in zip(network.kind.tolist(), network.scopes, network.data, strict=True):
        if kind == ALL_DIFFERENT and network.masks[data]:
            houses.append(sum(1 << cell for cell in scope))
            needed.append(int(network.masks[data]))
    return houses, needed


def _conflicts(network: Network, values: int) -> list[dict[int, int]]:
    """For each candidate, cell by cell, the cells of each board that it rules out, as bits."""
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
    conflicts: list[dict[int, int]] = []
    for cell, seen in enumerate(peers):
        for value in range(values):
            boards = others.get((cell, value), {})
            if seen:
                boards = {**boards, value: seen | boards.get(value, 0)}
            conflicts.append(boards)
    return conflicts


def _ruled_out(
    masks: NDArray[np.uint64], start: int, first: int, second: int
) -> list[tuple[int, int]] | None:
    """The pairs of values that a relation rules out, or None if these are all pairs of equals."""
    supports = masks[start : start + first.bit_length()].tolist()
    pairs = [(i, j) for i in _bits(first) for j in _bits(second & ~supports[i])]
    return None if pairs == [(i, i) for i in _bits(first & second)] else pairs


def _neighbours(conflicts: list[dict[int, int]], values: int) -> list[int]:
    """For each cell, those with which it has a conflict, as bits."""
    neighbours = []
    for start in range(0, len(conflicts), values):
        own = conflicts[start : start + values]
        neighbours.append(reduce(or_, {part for boards in own for part in boards.values()}, 0))
    return neighbours


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
