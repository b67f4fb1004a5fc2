"""Backtracking on boards, for networks whose factors are differences and relations.

The search is a state machine that can be left and resumed, as in
:mod:`csp_sudoku.kernels.search`. At each level it assumes a candidate in a copy of the frame; if
that fails, or all its solutions are found, the frame goes on without that candidate.
"""

from __future__ import annotations

import numpy as np

from csp_encodings.jit import constant, inlined, subroutine
from csp_encodings.network import WORD
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest, popcount
from csp_sudoku.kernels.board_layout import Boards, Frame, Frames
from csp_sudoku.kernels.board_propagation import (
    NONE,
    count_places,
    first_place,
    place,
    place_single,
    propagate,
)
from csp_sudoku.kernels.search import END, EXHAUSTED, FOUND, ROOT, SPENT

# Where the search stands, between the root and the end.
_NODE, _RETURN = range(1, 3)

_TEMPLATE, _FIRST = constant(0), constant(1)


@inlined
def run(b: Boards, d: Frames, solutions: int, budget: int) -> int:
    """Search on until this many more solutions are found, or a budget of work is spent.

    Returns EXHAUSTED (there is nothing more to find), FOUND (the domains are the last of the
    solutions) or SPENT. To resume, call it again.
    """
    enough = d.solutions + solutions
    limit = d.work + budget
    while d.mode != END:
        if d.mode == ROOT:
            _begin(b, d)
        elif d.mode == _RETURN:
            _return(d)
        elif not propagate(b, d, d.frames[d.level]):
            d.mode = _RETURN
        else:
            candidate = _choose(b, d.frames[d.level])
            if candidate != NONE:
                _assume(b, d, candidate // b.values, candidate % b.values)
            else:
                d.mode = _RETURN
                d.solutions += 1
                if d.solutions == enough:
                    _write_domains(b, d)
                    return FOUND
        d.work += 1
        if d.work >= limit:
            return SPENT
    return EXHAUSTED


@subroutine
def _begin(b: Boards, d: Frames) -> None:
    """Set up the first frame: the template, less what the domains have lost since the start."""
    d.level = _FIRST
    d.frames[_FIRST] = d.frames[_TEMPLATE]
    f = d.frames[_FIRST]
    for i in range(b.words):
        d.common[i] = NOTHING
    for cell in range(d.domain_words):
        domain = d.domain[cell]
        lost = b.domain[cell] & ~domain
        if not lost:
            continue
        word, bit = cell >> 6, ONE << np.uint64(cell & 63)
        if domain and not domain & (domain - ONE):
            d.common[word] |= bit
            continue
        while lost:
            f.board[lowest(lost) * b.words + word] &= ~bit
            lost &= lost - ONE
    d.mode = _NODE if _place_givens(b, d) else END


@subroutine
def _place_givens(b: Boards, d: Frames) -> bool:
    """Give the cells in `common` the only value of their domain; False if one is ruled out."""
    f = d.frames[_FIRST]
    # First, all of them lose their other values.
    for value in range(b.values):
        for i in range(b.words):
            f.board[value * b.words + i] &= ~d.common[i]
    for i in range(b.words):
        cells = d.common[i]
        while cells:
            others = cells & (cells - ONE)
            value = lowest(d.domain[i * WORD + lowest(cells)])
            f.board[value * b.words + i] |= cells ^ others
            cells = others
    for i in range(b.words):
        cells = d.common[i]
        while cells:
            cell = i * WORD + lowest(cells)
            cells &= cells - ONE
            if not place_single(b, d, f, cell, lowest(d.domain[cell])):
                return False
    return True


@subroutine
def _return(d: Frames) -> None:
    """Go back to the level before, where the candidate that was assumed is ruled out."""
    if d.level == _FIRST:
        d.mode = END
        return
    d.backtracks += 1
    d.level -= 1
    d.mode = _NODE


@subroutine
def _assume(b: Boards, d: Frames, cell: int, value: int) -> None:
    """Assume a candidate, one level deeper, and rule it out on this one."""
    d.assignments += 1
    f, deeper = d.frames[d.level], d.frames[d.level + 1]
    d.frames[d.level + 1] = f
    word, bit = cell >> 6, ONE << np.uint64(cell & 63)
    f.board[value * b.words + word] &= ~bit
    f.stale[value] |= b.houses_of[cell]
    f.shrunk[word] |= bit
    f.stale_values |= ONE << np.uint64(value)
    place(b, d, deeper, cell, value)
    d.level += 1


@subroutine
def _choose(b: Boards, f: Frame) -> int:
    """The candidate to assume, or NONE if every cell has a value.

    A cell with two values is best; of these, the one that is bound to the most open cells.
    """
    best, most = NONE, NONE
    for word in range(b.words):
        open_cells = f.open[word]
        if not open_cells:
            continue
        once, twice, thrice = NOTHING, NOTHING, NOTHING
        for value in range(b.values):
            board = f.board[value * b.words + word]
            thrice |= twice & board
            twice |= once & board
            once |= board
        pairs = open_cells & ~thrice
        while pairs:
            cell = word * WORD + lowest(pairs)
            pairs &= pairs - ONE
            degree = 0
            for i in range(b.words):
                neighbours = b.neighbours[cell * b.words + i]
                degree += popcount(f.open[i] & neighbours)
            if degree > most:
                best, most = cell, degree
    if best == NONE:
        return _choose_rarest(b, f)
    value = 0
    while not _is_candidate(b, f, best, value):
        value += 1
    return best * b.values + value


@subroutine
def _is_candidate(b: Boards, f: Frame, cell: int, value: int) -> bool:
    """Whether a cell may have a value."""
    board = f.board[value * b.words + (cell >> 6)]
    return board >> np.uint64(cell & 63) & ONE != NOTHING


@subroutine
def _choose_rarest(b: Boards, f: Frame) -> int:
    """A candidate with the fewest alternatives: places of its value, or values of its cell.

    NONE if no cell is open.
    """
    best, fewest = NONE, b.values + 1
    for value in range(b.values):
        houses = f.missing[value]
        while houses:
            house = lowest(houses)
            houses &= houses - ONE
            count = count_places(b, f, value, house)
            if count < fewest:
                best, fewest = first_place(b, f, value, house) * b.values + value, count
        if fewest == 2:
            return best
    for word in range(b.words):
        cells = f.open[word]
        while cells:
            cell = word * WORD + lowest(cells)
            cells &= cells - ONE
            count, least = 0, NONE
            for value in range(b.values - 1, -1, -1):
                if _is_candidate(b, f, cell, value):
                    count += 1
                    least = value
            if count < fewest:
                best, fewest = cell * b.values + least, count
    return best


@subroutine
def _write_domains(b: Boards, d: Frames) -> None:
    """Leave every cell the value that it has at the last level."""
    f = d.frames[d.level]
    for value in range(b.values):
        for i in range(b.words):
            cells = f.board[value * b.words + i]
            while cells:
                d.domain[i * WORD + lowest(cells)] = ONE << np.uint64(value)
                cells &= cells - ONE
