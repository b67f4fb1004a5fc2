"""Propagation on boards: what must be somewhere, and what all its alternatives rule out.

A cell has a value, and a value that must occur in a house has a place there. Where one alternative
is left, that is it (naked and hidden singles); where a few are left, what conflicts with all of
them is ruled out. For the places of a value in a house these are locked candidates; for the values
of a cell it is arc consistency.
"""

from __future__ import annotations

import numpy as np

from csp_encodings.arrays import WORD
from csp_encodings.jit import subroutine
from csp_sudoku.kernels.bits import (
    NOTHING,
    ONE,
    lowest,
    popcount,
)
from csp_sudoku.kernels.board_memory import (
    ALTERNATIVES,
    COMMON,
    CONFLICT,
    CONFLICTS,
    DEEPEST,
    FEW,
    HOUSES,
    HOUSES_OF,
    LATE,
    LATE_VALUES,
    MISSING,
    OWN,
    RECORD,
    RELATED,
    RULED_OUT,
    STALE,
    STALE_VALUES,
    VALUE,
)
from csp_sudoku.kernels.flat import constants
from csp_sudoku.kernels.memory import (
    REVISIONS,
    WORK,
    Ints,
    Sets,
    constant,
)

NONE = constant(-1)
_ZERO = constant(0)


@subroutine
def place(ints: Ints, sets: Sets, frame: int, cell: int, value: int) -> bool:
    """Give a cell a value; False if it has been ruled out."""
    words, values = constants(sets)
    word, shift = cell >> 6, np.uint64(cell & 63)
    home = frame + value * (words + RECORD) + word
    if not sets[home] >> shift & ONE:
        return False
    houses = sets[ints[HOUSES_OF] + cell]
    stale = NOTHING
    for other in range(values):
        record = frame + other * (words + RECORD)
        had = sets[record + word] >> shift & ONE
        sets[record + word] &= ~(ONE << shift)
        sets[record + words + STALE] |= houses * had
        stale |= had << np.uint64(other)
    sets[home] |= ONE << shift
    sets[frame + values * (words + RECORD) + 2 * words + STALE_VALUES] |= stale
    return place_single(ints, sets, frame, cell, value)


@subroutine
def place_single(ints: Ints, sets: Sets, frame: int, cell: int, value: int) -> bool:
    """Give a cell its only value; False if it has been ruled out."""
    words, values = constants(sets)
    word, bit = cell >> 6, ONE << np.uint64(cell & 63)
    board = frame + value * (words + RECORD)
    rest = frame + values * (words + RECORD)
    if not sets[board + word] & bit:
        return False
    sets[rest + word] &= ~bit
    sets[board + words + MISSING] &= ~sets[ints[HOUSES_OF] + cell]
    candidate = cell * values + value
    rule_out(sets, frame, value, ints[ints[OWN] + candidate])
    if ints[RELATED]:
        first = ints[CONFLICTS] + candidate
        for conflict in range(ints[first], ints[first + 1], CONFLICT):
            rule_out(sets, frame, ints[conflict + VALUE], ints[conflict + RULED_OUT])
    return True


@subroutine
def rule_out(sets: Sets, frame: int, value: int, cells: int) -> None:
    """Rule out a value for a set of cells."""
    words, values = constants(sets)
    board = frame + value * (words + RECORD)
    rest = frame + values * (words + RECORD)
    for i in range(words):
        lost = sets[board + i] & sets[cells + i]
        sets[board + i] ^= lost
        sets[rest + words + i] |= lost
    sets[board + words + STALE] = sets[board + words + MISSING]
    sets[rest + 2 * words + STALE_VALUES] |= ONE << np.uint64(value)


@subroutine
def propagate(ints: Ints, sets: Sets, frame: int) -> bool:
    """Rule out candidates until nothing changes; False if a cell or a house is left without one."""
    words, values = constants(sets)
    stale = frame + values * (words + RECORD) + 2 * words + STALE_VALUES
    while True:
        found = _place_naked_singles(ints, sets, frame)
        while found == 0 and sets[stale]:
            value = lowest(sets[stale])
            sets[stale] &= sets[stale] - ONE
            found = _place_hidden_singles(ints, sets, frame, value)
        if found < 0:
            return False
        if found == 0 and (frame > ints[DEEPEST] or not _look_at_alternatives(ints, sets, frame)):
            return True


@subroutine
def _place_naked_singles(ints: Ints, sets: Sets, frame: int) -> int:
    """Place what is the only value of a cell: 1 if there was one, -1 if a cell has none."""
    words, values = constants(sets)
    found = 0
    for word in range(words):
        open_cells = sets[frame + values * (words + RECORD) + word]
        once, twice = NOTHING, NOTHING
        for value in range(values):
            board = sets[frame + value * (words + RECORD) + word]
            twice |= once & board
            once |= board
        if open_cells & ~once:
            return -1
        single = open_cells & ~twice
        if not single:
            continue
        found = 1
        for value in range(values):
            cells = sets[frame + value * (words + RECORD) + word] & single
            single &= ~cells
            while cells:
                if not place_single(ints, sets, frame, word * WORD + lowest(cells), value):
                    return -1
                cells &= cells - ONE
            if not single:
                break
        # A single that is on no board any more has been ruled out by another one.
        if single:
            return -1
    return found


@subroutine
def _place_hidden_singles(ints: Ints, sets: Sets, frame: int, value: int) -> int:
    """Place a value where a stale house has one place left for it.

    Returns 1 if there was one, -1 if a house has no place left.
    """
    ints[REVISIONS] += 1
    ints[WORK] += 1
    words, values = constants(sets)
    board = frame + value * (words + RECORD)
    missing = board + words + MISSING
    houses = sets[board + words + STALE] & sets[missing]
    sets[board + words + STALE] = NOTHING
    sets[board + words + LATE] |= houses
    sets[frame + values * (words + RECORD) + 2 * words + LATE_VALUES] |= ONE << np.uint64(value)
    found = 0
    while houses:
        house = ints[HOUSES] + lowest(houses) * words
        houses &= houses - ONE
        count = count_common(sets, board, house)
        if count > 1:
            continue
        if count == 0:
            return -1
        i = 0
        while not sets[board + i] & sets[house + i]:
            i += 1
        place(ints, sets, frame, i * WORD + lowest(sets[board + i] & sets[house + i]), value)
        houses &= sets[missing]
        found = 1
    return found


@subroutine
def count_common(sets: Sets, a: int, b: int) -> int:
    """How many cells two sets share."""
    words, _ = constants(sets)
    count = 0
    for i in range(words):
        count += popcount(sets[a + i] & sets[b + i])
    return count


@subroutine
def _look_at_alternatives(ints: Ints, sets: Sets, frame: int) -> bool:
    """Look at the alternatives of one value or one cell that changed; False if there is none."""
    words, values = constants(sets)
    rest = frame + values * (words + RECORD)
    late = sets[rest + 2 * words + LATE_VALUES]
    if late:
        sets[rest + 2 * words + LATE_VALUES] = late & (late - ONE)
        _rule_out_by_places(ints, sets, frame, lowest(late))
        return True
    if not ints[RELATED]:
        return False
    for word in range(words):
        shrunk = rest + words + word
        cells = sets[shrunk] & sets[rest + word]
        if cells:
            sets[shrunk] = cells & (cells - ONE)
            _rule_out_by_values(ints, sets, frame, word * WORD + lowest(cells))
            return True
        sets[shrunk] = NOTHING
    return False


@subroutine
def _rule_out_by_places(ints: Ints, sets: Sets, frame: int, value: int) -> None:
    """Rule out what conflicts with all places that a value has left in a house."""
    words, values = constants(sets)
    board = frame + value * (words + RECORD)
    houses = sets[board + words + LATE] & sets[board + words + MISSING]
    sets[board + words + LATE] = NOTHING
    while houses:
        house = ints[HOUSES] + lowest(houses) * words
        houses &= houses - ONE
        if count_common(sets, board, house) > ints[FEW]:
            continue
        _rule_out_seen(ints, sets, frame, value, house)
        if not ints[RELATED]:
            continue
        count = _ZERO
        for i in range(words):
            places = sets[board + i] & sets[house + i]
            while places:
                cell = i * WORD + lowest(places)
                ints[ints[ALTERNATIVES] + count] = cell * values + value
                count += 1
                places &= places - ONE
        _rule_out_related(ints, sets, frame, count)


@subroutine
def _rule_out_seen(ints: Ints, sets: Sets, frame: int, value: int, house: int) -> None:
    """Rule out a value for the cells where all its places in a house rule it out.

    Without any place, which is a contradiction, these are all cells.
    """
    words, values = constants(sets)
    common, board = ints[COMMON], frame + value * (words + RECORD)
    own = ints[OWN] + value
    some = NOTHING
    for i in range(words):
        cells = sets[board + i]
        for j in range(words):
            places = sets[board + j] & sets[house + j]
            while places:
                cells &= sets[ints[own + (j * WORD + lowest(places)) * values] + i]
                places &= places - ONE
        sets[common + i] = cells
        some |= cells
    if some:
        rule_out(sets, frame, value, common)


@subroutine
def _rule_out_by_values(ints: Ints, sets: Sets, frame: int, cell: int) -> None:
    """Rule out what conflicts with all values that a cell has left."""
    words, values = constants(sets)
    count = _ZERO
    for value in range(values):
        board = frame + value * (words + RECORD)
        if sets[board + (cell >> 6)] >> np.uint64(cell & 63) & ONE:
            ints[ints[ALTERNATIVES] + count] = cell * values + value
            count += 1
    if count:  # none is a contradiction, which the next look for singles sees
        _rule_out_beside(ints, sets, frame, count, ints[ints[ALTERNATIVES]] % values)
        _rule_out_related(ints, sets, frame, count)


@subroutine
def _rule_out_related(ints: Ints, sets: Sets, frame: int, count: int) -> None:
    """Rule out other values than the first one's where each of so many alternatives does."""
    if count == 0:
        return
    first = ints[CONFLICTS] + ints[ints[ALTERNATIVES]]
    for conflict in range(ints[first], ints[first + 1], CONFLICT):
        _rule_out_beside(ints, sets, frame, count, ints[conflict + VALUE])


@subroutine
def _rule_out_beside(ints: Ints, sets: Sets, frame: int, count: int, value: int) -> None:
    """Rule out a value for the cells where each of so many alternatives rules it out."""
    words, _ = constants(sets)
    common, board = ints[COMMON], frame + value * (words + RECORD)
    for i in range(words):
        sets[common + i] = sets[board + i]
    for k in range(count):
        cells = _ruled_out(ints, sets, ints[ints[ALTERNATIVES] + k], value)
        if cells == NONE:
            return
        some = NOTHING
        for i in range(words):
            sets[common + i] &= sets[cells + i]
            some |= sets[common + i]
        if not some:
            return
    rule_out(sets, frame, value, common)


@subroutine
def _ruled_out(ints: Ints, sets: Sets, candidate: int, value: int) -> int:
    """Where the cells are that cannot have a value beside a candidate; NONE if all can."""
    _, values = constants(sets)
    if candidate % values == value:
        return ints[ints[OWN] + candidate]
    first = ints[CONFLICTS] + candidate
    for conflict in range(ints[first], ints[first + 1], CONFLICT):
        if ints[conflict + VALUE] == value:
            return ints[conflict + RULED_OUT]
    return NONE
