"""Propagation on boards: what must be somewhere, and what all its alternatives rule out.

A cell has a value, and a value that must occur in a house has a place there. Where one alternative
is left, that is it (naked and hidden singles); where a few are left, what conflicts with all of
them is ruled out. For the places of a value in a house these are locked candidates; for the values
of a cell it is arc consistency.
"""

from __future__ import annotations

import numpy as np

from csp_encodings.arrays import WORD
from csp_encodings.jit import kernel
from csp_sudoku.kernels.bits import (
    NOTHING,
    ONE,
    lowest,
    popcount,
)
from csp_sudoku.kernels.board_memory import (
    ALTERNATIVES,
    CHANGED,
    COMMON,
    CONFLICT,
    CONFLICTS,
    DEEPEST,
    FEW,
    HOUSE_WORDS,
    HOUSES,
    HOUSES_OF,
    LATE,
    MISSING,
    OPEN,
    RELATED,
    RULED_OUT,
    SHRUNK,
    VALUE,
    VALUES,
    WORDS,
)
from csp_sudoku.kernels.memory import (
    REVISIONS,
    WORK,
    Ints,
    Sets,
    constant,
)

NONE = constant(-1)
_ZERO = constant(0)


@kernel
def place(ints: Ints, sets: Sets, frame: int, cell: int, value: int) -> bool:
    """Give a cell a value; False if it has been ruled out."""
    words, shift = ints[WORDS], np.uint64(cell & 63)
    board = frame + (cell >> 6)
    home = board + value * words
    if not sets[home] >> shift & ONE:
        return False
    changed = NOTHING
    for other in range(ints[VALUES]):
        changed |= (sets[board] >> shift & ONE) << np.uint64(other)
        sets[board] &= ~(ONE << shift)
        board += words
    sets[home] |= ONE << shift
    sets[frame + ints[CHANGED]] |= changed
    return _place_single(ints, sets, frame, cell, value)


@kernel
def _place_single(ints: Ints, sets: Sets, frame: int, cell: int, value: int) -> bool:
    """Give a cell its only value; False if it has been ruled out."""
    words, word = ints[WORDS], cell >> 6
    bit = ONE << np.uint64(cell & 63)
    if not sets[frame + value * words + word] & bit:
        return False
    sets[frame + ints[OPEN] + word] &= ~bit
    missing = frame + ints[MISSING] + value * ints[HOUSE_WORDS]
    houses = ints[HOUSES_OF] + cell * ints[HOUSE_WORDS]
    for i in range(ints[HOUSE_WORDS]):
        sets[missing + i] &= ~sets[houses + i]
    shrunk = frame + ints[SHRUNK]
    candidate = ints[CONFLICTS] + cell * ints[VALUES] + value
    changed = NOTHING
    for conflict in range(ints[candidate], ints[candidate + 1], CONFLICT):
        board = frame + ints[conflict + VALUE] * words
        cells = ints[conflict + RULED_OUT]
        changed |= ONE << np.uint64(ints[conflict + VALUE])
        for i in range(words):
            lost = sets[board + i] & sets[cells + i]
            sets[board + i] ^= lost
            sets[shrunk + i] |= lost
    sets[frame + ints[CHANGED]] |= changed
    return True


@kernel
def propagate(ints: Ints, sets: Sets, frame: int) -> bool:
    """Rule out candidates until nothing changes; False if a cell or a house is left without one."""
    changed, late = frame + ints[CHANGED], frame + ints[LATE]
    while True:
        found = _place_naked_singles(ints, sets, frame)
        if found < 0:
            return False
        if found > 0:
            continue
        values = sets[changed]
        if values:
            sets[changed] = values & (values - ONE)
            sets[late] |= values
            if not _place_hidden_singles(ints, sets, frame, lowest(values)):
                return False
        elif frame > ints[DEEPEST] or not _rule_out(ints, sets, frame):
            return True


@kernel
def _place_naked_singles(ints: Ints, sets: Sets, frame: int) -> int:
    """Place what is the only value of a cell: whether there was one, or -1 if a cell has none."""
    words = ints[WORDS]
    found = 0
    for word in range(words):
        open_cells = sets[frame + ints[OPEN] + word]
        if not open_cells:
            continue
        once, twice = NOTHING, NOTHING
        for value in range(ints[VALUES]):
            board = sets[frame + value * words + word]
            twice |= once & board
            once |= board
        if open_cells & ~once:
            return -1
        single = open_cells & ~twice
        if not single:
            continue
        found = 1
        for value in range(ints[VALUES]):
            cells = sets[frame + value * words + word] & single
            single &= ~cells
            while cells:
                if not _place_single(ints, sets, frame, word * WORD + lowest(cells), value):
                    return -1
                cells &= cells - ONE
            if not single:
                break
        # A single that is on no board any more has been ruled out by another one.
        if single:
            return -1
    return found


@kernel
def _place_hidden_singles(ints: Ints, sets: Sets, frame: int, value: int) -> bool:
    """Place a value where it has one place left in a house; False if it has none in one."""
    ints[REVISIONS] += 1
    ints[WORK] += 1
    words = ints[WORDS]
    board = frame + value * words
    missing = frame + ints[MISSING] + value * ints[HOUSE_WORDS]
    for word in range(ints[HOUSE_WORDS]):
        houses = sets[missing + word]
        while houses:
            house = ints[HOUSES] + (word * WORD + lowest(houses)) * words
            houses &= houses - ONE
            count = count_common(sets, board, house, words)
            if count > 1:
                continue
            if count == 0:
                return False
            i = 0
            while not sets[board + i] & sets[house + i]:
                i += 1
            place(ints, sets, frame, i * WORD + lowest(sets[board + i] & sets[house + i]), value)
            houses &= sets[missing + word]
    return True


@kernel
def count_common(sets: Sets, a: int, b: int, words: int) -> int:
    """How many members two sets share."""
    count = 0
    for i in range(words):
        count += popcount(sets[a + i] & sets[b + i])
    return count


@kernel
def _rule_out(ints: Ints, sets: Sets, frame: int) -> bool:
    """Look at the alternatives of one value or one cell that changed; False if there is none."""
    values = sets[frame + ints[LATE]]
    if values:
        sets[frame + ints[LATE]] = values & (values - ONE)
        _rule_out_by_places(ints, sets, frame, lowest(values))
        return True
    if not ints[RELATED]:
        return False
    for word in range(ints[WORDS]):
        shrunk = frame + ints[SHRUNK] + word
        cells = sets[shrunk] & sets[frame + ints[OPEN] + word]
        if cells:
            sets[shrunk] = cells & (cells - ONE)
            _rule_out_by_values(ints, sets, frame, word * WORD + lowest(cells))
            return True
        sets[shrunk] = NOTHING
    return False


@kernel
def _rule_out_by_places(ints: Ints, sets: Sets, frame: int, value: int) -> None:
    """Rule out what conflicts with all places that a value has left in a house."""
    words = ints[WORDS]
    board = frame + value * words
    missing = frame + ints[MISSING] + value * ints[HOUSE_WORDS]
    for word in range(ints[HOUSE_WORDS]):
        houses = sets[missing + word]
        while houses:
            house = ints[HOUSES] + (word * WORD + lowest(houses)) * words
            houses &= houses - ONE
            if count_common(sets, board, house, words) > ints[FEW]:
                continue
            count = _ZERO
            for i in range(words):
                places = sets[board + i] & sets[house + i]
                while places:
                    cell = i * WORD + lowest(places)
                    ints[ints[ALTERNATIVES] + count] = cell * ints[VALUES] + value
                    count += 1
                    places &= places - ONE
            _rule_out_common(ints, sets, frame, count)


@kernel
def _rule_out_by_values(ints: Ints, sets: Sets, frame: int, cell: int) -> None:
    """Rule out what conflicts with all values that a cell has left."""
    board = frame + (cell >> 6)
    count = _ZERO
    for value in range(ints[VALUES]):
        if sets[board] >> np.uint64(cell & 63) & ONE:
            ints[ints[ALTERNATIVES] + count] = cell * ints[VALUES] + value
            count += 1
        board += ints[WORDS]
    _rule_out_common(ints, sets, frame, count)


@kernel
def _rule_out_common(ints: Ints, sets: Sets, frame: int, count: int) -> None:
    """Rule out what conflicts with each of so many alternatives."""
    if count == 0:  # a contradiction, which the next look for singles sees
        return
    words, common = ints[WORDS], ints[COMMON]
    first = ints[CONFLICTS] + ints[ints[ALTERNATIVES]]
    for conflict in range(ints[first], ints[first + 1], CONFLICT):
        value = ints[conflict + VALUE]
        board, cells = frame + value * words, ints[conflict + RULED_OUT]
        some = NOTHING
        for i in range(words):
            sets[common + i] = sets[board + i] & sets[cells + i]
            some |= sets[common + i]
        for k in range(1, count):
            if not some:
                break
            cells = _ruled_out(ints, ints[ints[ALTERNATIVES] + k], value)
            some = NOTHING
            if cells != NONE:
                for i in range(words):
                    sets[common + i] &= sets[cells + i]
                    some |= sets[common + i]
        if some:
            for i in range(words):
                sets[board + i] &= ~sets[common + i]
                sets[frame + ints[SHRUNK] + i] |= sets[common + i]
            sets[frame + ints[CHANGED]] |= ONE << np.uint64(value)


@kernel
def _ruled_out(ints: Ints, candidate: int, value: int) -> int:
    """Where the cells are that cannot have a value beside a candidate; NONE if all can."""
    first = ints[CONFLICTS] + candidate
    for conflict in range(ints[first], ints[first + 1], CONFLICT):
        if ints[conflict + VALUE] == value:
            return ints[conflict + RULED_OUT]
    return NONE
