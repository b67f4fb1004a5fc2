"""A network of differences and relations laid out on boards, value by value.

A *board* is the set of the cells (variables) that may have one value: the domains seen from the
side, so that one instruction looks at a value in 64 cells. A *candidate* is a cell with a value,
and its *conflicts* are the candidates of other cells that it rules out, as a set of cells for each
value. A *house* is an all-different in which some values must occur.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, combinations
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from csp_encodings.houses import mask_of
from csp_encodings.network import ALL_DIFFERENT, WORD, Network
from csp_sudoku.kernels.domains import Longs, Search, Words
from csp_sudoku.kernels.records import pack

# Sets of houses have one word. What a house more would say is not needed to solve a puzzle.
_MOST_HOUSES = WORD


class Boards(NamedTuple):
    """A network as boards; sets of cells have `words` words each.

    Attributes
    ----------
    words, values
        The shape. Kernels are compiled for each shape.
    domain
        The domains at the start, a word for each cell.
    houses
        The cells of each house.
    houses_of
        The houses of each cell, as one word.
    neighbours
        For each cell the cells with which it has a conflict.
    conflicting
        Sets of cells, to which the next fields refer by the place of their first word.
    own
        For each candidate, the cells that it rules out for its own value. Candidate ``c`` is cell
        ``c // values`` with value ``c % values``.
    first_conflict
        Candidate ``c`` has the conflicts with other values from ``first_conflict[c]``.
    conflict_value, conflict_cells
        A conflict: the other value, and the cells for which it is ruled out.
    """

    words: int
    values: int
    domain: Words
    houses: Words
    houses_of: Words
    neighbours: Words
    conflicting: Words
    own: Longs
    first_conflict: Longs
    conflict_value: Longs
    conflict_cells: Longs


class Frame:
    """The state at one level of a search on boards.

    Attributes
    ----------
    board
        For each value, the cells that may have it; `words` words each.
    missing
        For each value, the houses where it has no place yet.
    stale, late
        For each value, the houses where it lost a place since the last look for singles, and since
        the last look at alternatives.
    open
        The cells without a value.
    shrunk
        The cells that lost a value since the last look at alternatives.
    stale_values, late_values
        The values with stale and with late houses.
    """

    board: Words
    missing: Words
    stale: Words
    late: Words
    open: Words
    shrunk: Words
    stale_values: np.uint64
    late_values: np.uint64


@dataclass(kw_only=True)
class Frames(Search):
    """What changes in a search on boards.

    The domains are what it begins with, a word for each cell, and a solution when one is found.

    Attributes
    ----------
    frames
        A frame for each level. The first is a template that stays as it is; the search begins at
        level 1.
    common
        A set of cells that is at work.
    alternative
        Candidates that are at work.
    related
        1 if there are conflicts between different values.
    few
        How many places of a value in a house are worth a look at what they have in common.
    deepest
        The last level where such looks are taken.
    """

    frames: MutableSequence[Frame]
    common: Words
    alternative: Longs
    related: int
    few: int
    deepest: int


def lay_out(network: Network, shape: tuple[int, int]) -> tuple[Boards, Frames]:
    """Return a network as boards, and the frames of a search on them that has not begun.

    All arcs are differences or relations, and all variables share one universe.
    """
    cells, (words, values) = len(network.domain), shape
    held = network.domain.tolist()
    if not all(held):  # then there is no solution; and the variable that says so may find no room
        held[0] = 0
    houses, needed = _houses(network)
    own, conflicts, neighbours = _conflicts(network, values)
    listed = [*chain.from_iterable(conflict.items() for conflict in conflicts)]
    places = dict.fromkeys([*own, *[part for _, part in listed]])
    place_of = {part: words * i for i, part in enumerate(places)}
    boards = Boards(
        words=words,
        values=values,
        domain=network.domain,
        houses=_words(houses, words),
        houses_of=_words(_turned(houses, cells), 1),
        neighbours=_words(neighbours, words),
        conflicting=_words(place_of, words),
        own=_longs([place_of[part] for part in own]),
        first_conflict=_longs(np.cumsum([0, *map(len, conflicts)])),
        conflict_value=_longs([value for value, _ in listed]),
        conflict_cells=_longs([place_of[part] for _, part in listed]),
    )
    related = any(conflicts)
    overlap = max(((a & b).bit_count() for a, b in combinations(houses, 2)), default=0)
    words_of = {
        "board": _words(_turned(held[: WORD * words], values), words),
        **dict.fromkeys(("missing", "stale", "late"), _words(_turned(needed, values), 1)),
        **dict.fromkeys(("open", "shrunk"), _words([(1 << min(cells, WORD * words)) - 1], words)),
    }
    row = np.dtype(
        [(name, np.uint64, len(held)) for name, held in words_of.items()]
        + [("stale_values", np.uint64), ("late_values", np.uint64)]
    )
    rows = np.zeros(cells + 2, row)
    for name, held in words_of.items():
        rows[0][name] = held
    rows[0]["stale_values"] = rows[0]["late_values"] = (1 << values) - 1
    frames = Frames(
        domain=network.domain,
        domain_words=cells,
        random=np.zeros(1, np.uint64),
        trace=np.zeros(0, np.int64),
        frames=cast(MutableSequence[Frame], rows),
        common=np.zeros(words, np.uint64),
        alternative=np.zeros(max(cells, values), np.int64),
        related=related,
        few=max(2, overlap),
        # Where a value rules out others, alternatives say much; where it only rules out itself,
        # those of a cell say nothing, and those of a house pay at the root.
        deepest=cells + 1 if related else 1,
    )
    return pack(boards, constants=("words", "values")), pack(frames)


def _houses(network: Network) -> tuple[list[int], list[int]]:
    """The cells of each house, and the values that must occur there, as bits."""
    houses, needed = [], []
    for kind, scope, data in zip(network.kind.tolist(), network.scopes, network.data, strict=True):
        if kind == ALL_DIFFERENT and network.masks[data]:
            houses.append(mask_of(scope))
            needed.append(int(network.masks[data]))
    return houses[:_MOST_HOUSES], needed[:_MOST_HOUSES]


def _conflicts(network: Network, values: int) -> tuple[list[int], list[dict[int, int]], list[int]]:
    """For each candidate, cell by cell, the cells that it rules out as bits: for its own value, and
    for each other one. And for each cell, those with which it has a conflict.
    """
    domain = network.domain.tolist()
    peers = [0] * len(domain)
    # The cells that a relation joins a cell to; many relations have the same table.
    joined: dict[tuple[int, int, int, int], int] = {}
    for kind, scope, data in zip(
        network.kind.tolist(), network.scopes, network.data.tolist(), strict=True
    ):
        if kind == ALL_DIFFERENT:
            everybody = mask_of(scope)
            for cell in scope:
                peers[cell] |= everybody & ~(1 << cell)
        else:
            a, b = scope
            key = (a, data, domain[a], domain[b])
            joined[key] = joined.get(key, 0) | 1 << b
    ruled_out = cache(partial(_ruled_out, network.masks))
    related = []
    for (cell, *table), cells in joined.items():
        pairs = ruled_out(*table)
        if pairs is None:
            peers[cell] |= cells
        else:
            related.append((cell, pairs, cells))
    own = [cells for cells in peers for _ in range(values)]
    neighbours = [*peers]
    conflicts: list[dict[int, int]] = [{} for _ in own]
    for cell, pairs, cells in related:
        neighbours[cell] |= cells if pairs else 0
        for i, j in pairs:
            candidate = cell * values + i
            if i == j:
                own[candidate] |= cells
            else:
                conflicts[candidate][j] = conflicts[candidate].get(j, 0) | cells
    return own, conflicts, neighbours


def _ruled_out(
    masks: NDArray[np.uint64], start: int, first: int, second: int
) -> list[tuple[int, int]] | None:
    """The pairs of values that a relation rules out, or None if these are all pairs of equals."""
    supports = masks[start : start + first.bit_length()].tolist()
    pairs = [(i, j) for i in _bits(first) for j in _bits(second & ~supports[i])]
    return None if pairs == [(i, i) for i in _bits(first & second)] else pairs


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


def _longs(numbers: Iterable[int]) -> Longs:
    return np.fromiter(numbers, np.int64)
