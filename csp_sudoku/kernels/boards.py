"""Backtracking on boards, for networks whose factors are differences and relations.

The search is a state machine that can be left and resumed, as in
:mod:`csp_sudoku.kernels.search`. At each level it assumes a candidate in a copy of the frame; if
that fails, or all its solutions are found, the frame goes on without that candidate.
"""

from __future__ import annotations

import numpy as np

from csp_encodings.arrays import WORD
from csp_encodings.jit import subroutine
from csp_sudoku.kernels.bits import (
    NOTHING,
    ONE,
    lowest,
)
from csp_sudoku.kernels.board_memory import (
    CELLS,
    COMMON,
    FRAMES,
    HOUSES,
    HOUSES_OF,
    MISSING,
    NEIGHBOURS,
    RECORD,
    REST,
    STALE,
    STALE_VALUES,
    TEMPLATE,
)
from csp_sudoku.kernels.board_propagation import NONE, count_common, place, place_single, propagate
from csp_sudoku.kernels.flat import constants
from csp_sudoku.kernels.memory import (
    ASSIGNMENTS,
    BACKTRACKS,
    DOMAINS,
    LEVEL,
    MODE,
    SOLUTIONS,
    START,
    WORK,
    Ints,
    Sets,
)
from csp_sudoku.kernels.search import END, EXHAUSTED, FOUND, ROOT, SPENT

# Where the search stands, between the root and the end.
_NODE, _RETURN = range(1, 3)


@subroutine
def run(ints: Ints, sets: Sets, solutions: int, budget: int) -> int:
    """Search on, for so many solutions more or until a budget of work is spent.

    Returns EXHAUSTED (there is nothing more to find), FOUND (the domains are the last of the
    solutions) or SPENT. To resume, call it again.
    """
    _, values = constants(sets)
    enough = ints[SOLUTIONS] + solutions
    limit = ints[WORK] + budget
    while ints[MODE] != END:
        if ints[MODE] == ROOT:
            _begin(ints, sets)
        elif ints[MODE] == _RETURN:
            _return(ints, sets)
        elif not propagate(ints, sets, ints[LEVEL]):
            ints[MODE] = _RETURN
        else:
            candidate = _choose(ints, sets, ints[LEVEL])
            if candidate != NONE:
                _assume(ints, sets, candidate // values, candidate % values)
            else:
                ints[MODE] = _RETURN
                ints[SOLUTIONS] += 1
                if ints[SOLUTIONS] == enough:
                    _write_domains(ints, sets)
                    return FOUND
        ints[WORK] += 1
        if ints[WORK] >= limit:
            return SPENT
    return EXHAUSTED


@subroutine
def _frame(sets: Sets) -> int:
    """The length of a frame."""
    words, values = constants(sets)
    return values * (words + RECORD) + 2 * words + REST


@subroutine
def _begin(ints: Ints, sets: Sets) -> None:
    """Set up the first frame: the template, less what the domains have lost since the start."""
    words, _ = constants(sets)
    frame, givens = ints[FRAMES], ints[COMMON]
    ints[LEVEL] = frame
    for i in range(_frame(sets)):
        sets[frame + i] = sets[ints[TEMPLATE] + i]
    for i in range(words):
        sets[givens + i] = NOTHING
    for cell in range(ints[CELLS]):
        domain = sets[ints[DOMAINS] + cell]
        lost = sets[ints[START] + cell] & ~domain
        if not lost:
            continue
        word, bit = cell >> 6, ONE << np.uint64(cell & 63)
        if domain and not domain & (domain - ONE):
            sets[givens + word] |= bit
            continue
        while lost:
            sets[frame + lowest(lost) * (words + RECORD) + word] &= ~bit
            lost &= lost - ONE
    ints[MODE] = _NODE if _place_givens(ints, sets, frame) else END


@subroutine
def _place_givens(ints: Ints, sets: Sets, frame: int) -> bool:
    """Give the cells in COMMON the only value of their domain; False if one has been ruled out."""
    words, values = constants(sets)
    givens = ints[COMMON]
    # First, all of them lose their other values.
    for value in range(values):
        for i in range(words):
            sets[frame + value * (words + RECORD) + i] &= ~sets[givens + i]
    for i in range(words):
        cells = sets[givens + i]
        while cells:
            others = cells & (cells - ONE)
            value = lowest(sets[ints[DOMAINS] + i * WORD + lowest(cells)])
            sets[frame + value * (words + RECORD) + i] |= cells ^ others
            cells = others
    for i in range(words):
        cells = sets[givens + i]
        while cells:
            cell = i * WORD + lowest(cells)
            cells &= cells - ONE
            if not place_single(ints, sets, frame, cell, lowest(sets[ints[DOMAINS] + cell])):
                return False
    return True


@subroutine
def _return(ints: Ints, sets: Sets) -> None:
    """Go back to the level before, where the candidate that was assumed is ruled out."""
    if ints[LEVEL] == ints[FRAMES]:
        ints[MODE] = END
        return
    ints[BACKTRACKS] += 1
    ints[LEVEL] -= _frame(sets)
    ints[MODE] = _NODE


@subroutine
def _assume(ints: Ints, sets: Sets, cell: int, value: int) -> None:
    """Assume a candidate, one level deeper, and rule it out on this one."""
    ints[ASSIGNMENTS] += 1
    words, values = constants(sets)
    frame = ints[LEVEL]
    deeper = frame + _frame(sets)
    for i in range(_frame(sets)):
        sets[deeper + i] = sets[frame + i]
    word, bit = cell >> 6, ONE << np.uint64(cell & 63)
    record, rest = frame + value * (words + RECORD), frame + values * (words + RECORD)
    sets[record + word] &= ~bit
    sets[record + words + STALE] |= sets[ints[HOUSES_OF] + cell]
    sets[rest + words + word] |= bit
    sets[rest + 2 * words + STALE_VALUES] |= ONE << np.uint64(value)
    place(ints, sets, deeper, cell, value)
    ints[LEVEL] = deeper


@subroutine
def _choose(ints: Ints, sets: Sets, frame: int) -> int:
    """The candidate to assume, or NONE if every cell has a value.

    A cell with two values is best; of these, the one that is bound to the most open cells.
    """
    words, values = constants(sets)
    rest = frame + values * (words + RECORD)
    best, most, solved = NONE, NONE, True
    for word in range(words):
        open_cells = sets[rest + word]
        if not open_cells:
            continue
        solved = False
        once, twice, thrice = NOTHING, NOTHING, NOTHING
        for value in range(values):
            board = sets[frame + value * (words + RECORD) + word]
            thrice |= twice & board
            twice |= once & board
            once |= board
        pairs = open_cells & ~thrice
        while pairs:
            cell = word * WORD + lowest(pairs)
            pairs &= pairs - ONE
            degree = count_common(sets, rest, ints[NEIGHBOURS] + cell * words)
            if degree > most:
                best, most = cell, degree
    if best == NONE:
        return NONE if solved else _choose_rarest(ints, sets, frame)
    value = 0
    while not sets[frame + value * (words + RECORD) + (best >> 6)] >> np.uint64(best & 63) & ONE:
        value += 1
    return best * values + value


@subroutine
def _choose_rarest(ints: Ints, sets: Sets, frame: int) -> int:
    """A candidate with the fewest alternatives: places of its value, or values of its cell."""
    words, values = constants(sets)
    best, fewest = NONE, values + 1
    for value in range(values):
        board = frame + value * (words + RECORD)
        houses = sets[board + words + MISSING]
        while houses:
            house = ints[HOUSES] + lowest(houses) * words
            houses &= houses - ONE
            count = count_common(sets, board, house)
            if count < fewest:
                i = 0
                while not sets[board + i] & sets[house + i]:
                    i += 1
                cell = i * WORD + lowest(sets[board + i] & sets[house + i])
                best, fewest = cell * values + value, count
        if fewest == 2:
            return best
    for word in range(words):
        cells = sets[frame + values * (words + RECORD) + word]
        while cells:
            cell = word * WORD + lowest(cells)
            cells &= cells - ONE
            count, least = 0, NONE
            for value in range(values - 1, -1, -1):
                board = frame + value * (words + RECORD)
                if sets[board + word] >> np.uint64(cell & 63) & ONE:
                    count += 1
                    least = value
            if count < fewest:
                best, fewest = cell * values + least, count
    return best


@subroutine
def _write_domains(ints: Ints, sets: Sets) -> None:
    """Leave every cell the value that it has in the last frame."""
    words, values = constants(sets)
    for value in range(values):
        for i in range(words):
            cells = sets[ints[LEVEL] + value * (words + RECORD) + i]
            while cells:
                sets[ints[DOMAINS] + i * WORD + lowest(cells)] = ONE << np.uint64(value)
                cells &= cells - ONE
