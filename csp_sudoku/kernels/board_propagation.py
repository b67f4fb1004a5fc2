"""Propagation on boards: what must be somewhere, and what all its alternatives rule out.

A cell has a value, and a value that must occur in a house has a place there. Where one alternative
is left, it is taken (naked and hidden singles); where a few are left, what conflicts with all of
them is ruled out. For the places of a value in a house these are locked candidates; for the values
of a cell it is arc consistency.
"""

from __future__ import annotations

import numpy as np

from csp_encodings.jit import constant, subroutine
from csp_encodings.network import WORD
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest, popcount
from csp_sudoku.kernels.board_layout import Boards, Frame, Frames
from csp_sudoku.kernels.domains import Words

NONE = constant(-1)
_ZERO = constant(0)


@subroutine
def place(b: Boards, d: Frames, f: Frame, cell: int, value: int) -> bool:
    """Give a cell a value; False if that has been ruled out."""
    word, shift = cell >> 6, np.uint64(cell & 63)
    home = value * b.words + word
    if not f.board[home] >> shift & ONE:
        return False
    houses = b.houses_of[cell]
    stale = NOTHING
    for other in range(b.values):
        i = other * b.words + word
        had = f.board[i] >> shift & ONE
        f.board[i] &= ~(ONE << shift)
        f.stale[other] |= houses * had
        stale |= had << np.uint64(other)
    f.board[home] |= ONE << shift
    f.stale_values |= stale
    return place_single(b, d, f, cell, value)


@subroutine
def place_single(b: Boards, d: Frames, f: Frame, cell: int, value: int) -> bool:
    """Give a cell its only value; False if that has been ruled out."""
    word, bit = cell >> 6, ONE << np.uint64(cell & 63)
    if not f.board[value * b.words + word] & bit:
        return False
    f.open[word] &= ~bit
    f.missing[value] &= ~b.houses_of[cell]
    candidate = cell * b.values + value
    rule_out(b, f, value, b.conflicting, b.own[candidate])
    if d.related:
        for conflict in range(b.first_conflict[candidate], b.first_conflict[candidate + 1]):
            other, cells = b.conflict_value[conflict], b.conflict_cells[conflict]
            rule_out(b, f, other, b.conflicting, cells)
    return True


@subroutine
def rule_out(b: Boards, f: Frame, value: int, sets: Words, cells: int) -> None:
    """Rule out a value for a set of cells, which has its words from ``sets[cells]``."""
    for i in range(b.words):
        lost = f.board[value * b.words + i] & sets[cells + i]
        f.board[value * b.words + i] ^= lost
        f.shrunk[i] |= lost
    f.stale[value] = f.missing[value]
    f.stale_values |= ONE << np.uint64(value)


@subroutine
def propagate(b: Boards, d: Frames, f: Frame) -> bool:
    """Rule out candidates until nothing changes; False if a cell or a house is left without one."""
    while True:
        found = _place_naked_singles(b, d, f)
        while found == 0 and f.stale_values:
            value = lowest(f.stale_values)
            f.stale_values &= f.stale_values - ONE
            found = _place_hidden_singles(b, d, f, value)
        if found < 0:
            return False
        if found == 0 and (d.level > d.deepest or not _look_at_alternatives(b, d, f)):
            return True


@subroutine
def _place_naked_singles(b: Boards, d: Frames, f: Frame) -> int:
    """Place what is the only value of a cell: 1 if there was one, -1 if a cell has none."""
    found = 0
    for word in range(b.words):
        open_cells = f.open[word]
        once, twice = NOTHING, NOTHING
        for value in range(b.values):
            board = f.board[value * b.words + word]
            twice |= once & board
            once |= board
        if open_cells & ~once:
            return -1
        single = open_cells & ~twice
        if not single:
            continue
        found = 1
        for value in range(b.values):
            cells = f.board[value * b.words + word] & single
            single &= ~cells
            while cells:
                if not place_single(b, d, f, word * WORD + lowest(cells), value):
                    return -1
                cells &= cells - ONE
            if not single:
                break
        # A single that is on no board any more has been ruled out by another one.
        if single:
            return -1
    return found


@subroutine
def _place_hidden_singles(b: Boards, d: Frames, f: Frame, value: int) -> int:
    """Place a value where a stale house has one place left for it.

    Returns 1 if there was one, -1 if a house has no place left.
    """
    d.revisions += 1
    d.work += 1
    houses = f.stale[value] & f.missing[value]
    f.stale[value] = NOTHING
    f.late[value] |= houses
    f.late_values |= ONE << np.uint64(value)
    found = 0
    while houses:
        house = lowest(houses)
        houses &= houses - ONE
        count = count_places(b, f, value, house)
        if count > 1:
            continue
        if count == 0:
            return -1
        place(b, d, f, first_place(b, f, value, house), value)
        houses &= f.missing[value]
        found = 1
    return found


@subroutine
def count_places(b: Boards, f: Frame, value: int, house: int) -> int:
    """How many places a value has in a house."""
    count = 0
    for i in range(b.words):
        count += popcount(f.board[value * b.words + i] & b.houses[house * b.words + i])
    return count


@subroutine
def first_place(b: Boards, f: Frame, value: int, house: int) -> int:
    """The first cell of a house where a value has a place."""
    i = 0
    while not f.board[value * b.words + i] & b.houses[house * b.words + i]:
        i += 1
    return i * WORD + lowest(f.board[value * b.words + i] & b.houses[house * b.words + i])


@subroutine
def _look_at_alternatives(b: Boards, d: Frames, f: Frame) -> bool:
    """Look at the alternatives of one value or one cell that changed; False if there is none."""
    late = f.late_values
    if late:
        f.late_values = late & (late - ONE)
        _rule_out_by_places(b, d, f, lowest(late))
        return True
    if not d.related:
        return False
    for word in range(b.words):
        cells = f.shrunk[word] & f.open[word]
        if cells:
            f.shrunk[word] = cells & (cells - ONE)
            _rule_out_by_values(b, d, f, word * WORD + lowest(cells))
            return True
        f.shrunk[word] = NOTHING
    return False


@subroutine
def _rule_out_by_places(b: Boards, d: Frames, f: Frame, value: int) -> None:
    """Rule out what conflicts with all places that a value has left in a house."""
    houses = f.late[value] & f.missing[value]
    f.late[value] = NOTHING
    while houses:
        house = lowest(houses)
        houses &= houses - ONE
        if count_places(b, f, value, house) > d.few:
            continue
        _rule_out_seen(b, d, f, value, house)
        if not d.related:
            continue
        count = _ZERO
        for i in range(b.words):
            places = f.board[value * b.words + i] & b.houses[house * b.words + i]
            while places:
                d.alternative[count] = (i * WORD + lowest(places)) * b.values + value
                count += 1
                places &= places - ONE
        _rule_out_related(b, d, f, count)


@subroutine
def _rule_out_seen(b: Boards, d: Frames, f: Frame, value: int, house: int) -> None:
    """Rule out a value for the cells where all its places in a house rule it out.

    Without any place, which is a contradiction, these are all cells.
    """
    board = value * b.words
    some = NOTHING
    for i in range(b.words):
        cells = f.board[board + i]
        for j in range(b.words):
            places = f.board[board + j] & b.houses[house * b.words + j]
            while places:
                candidate = (j * WORD + lowest(places)) * b.values + value
                cells &= b.conflicting[b.own[candidate] + i]
                places &= places - ONE
        d.common[i] = cells
        some |= cells
    if some:
        rule_out(b, f, value, d.common, _ZERO)


@subroutine
def _rule_out_by_values(b: Boards, d: Frames, f: Frame, cell: int) -> None:
    """Rule out what conflicts with all values that a cell has left."""
    count = _ZERO
    for value in range(b.values):
        board = f.board[value * b.words + (cell >> 6)]
        if board >> np.uint64(cell & 63) & ONE:
            d.alternative[count] = cell * b.values + value
            count += 1
    if count:  # none is a contradiction, which the next look for singles sees
        _rule_out_beside(b, d, f, count, d.alternative[0] % b.values)
        _rule_out_related(b, d, f, count)


@subroutine
def _rule_out_related(b: Boards, d: Frames, f: Frame, count: int) -> None:
    """Rule out other values than the first one's, where each of the alternatives does."""
    if count == 0:
        return
    first = d.alternative[0]
    for conflict in range(b.first_conflict[first], b.first_conflict[first + 1]):
        _rule_out_beside(b, d, f, count, b.conflict_value[conflict])


@subroutine
def _rule_out_beside(b: Boards, d: Frames, f: Frame, count: int, value: int) -> None:
    """Rule out a value for the cells where each of the alternatives rules it out."""
    board = value * b.words
    for i in range(b.words):
        d.common[i] = f.board[board + i]
    for k in range(count):
        cells = _ruled_out(b, d.alternative[k], value)
        if cells == NONE:
            return
        some = NOTHING
        for i in range(b.words):
            d.common[i] &= b.conflicting[cells + i]
            some |= d.common[i]
        if not some:
            return
    rule_out(b, f, value, d.common, _ZERO)


@subroutine
def _ruled_out(b: Boards, candidate: int, value: int) -> int:
    """Where the cells are that cannot have a value beside a candidate; NONE if all can."""
    if candidate % b.values == value:
        return b.own[candidate]
    for conflict in range(b.first_conflict[candidate], b.first_conflict[candidate + 1]):
        if b.conflict_value[conflict] == value:
            return b.conflict_cells[conflict]
    return NONE
