"""Backtracking on boards, for networks whose factors are differences and relations.

The search is a state machine that can be left and resumed, as in
:mod:`csp_sudoku.kernels.search`. At each level it assumes a candidate in a copy of the frame; if
that fails, or all its solutions are found, the frame goes on without that candidate.
"""

from __future__ import annotations

import numpy as np

from csp_encodings.arrays import WORD
from csp_encodings.jit import kernel
from csp_sudoku.kernels.bits import (
    NOTHING,
    ONE,
    lowest,
)
from csp_sudoku.kernels.board_memory import (
    CELLS,
    CHANGED,
    FRAME,
    FRAMES,
    HOUSE_WORDS,
    HOUSES,
    MISSING,
    NEIGHBOURS,
    OPEN,
    SHRUNK,
    TEMPLATE,
    VALUES,
    WORDS,
)
from csp_sudoku.kernels.board_propagation import NONE, count_common, place, propagate
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


@kernel
def run(ints: Ints, sets: Sets, solutions: int, budget: int) -> int:
    """Search on, for so many solutions more or until a budget of work is spent.

    Returns EXHAUSTED (there is nothing more to find), FOUND (the domains are the last of the
    solutions) or SPENT. To resume, call it again.
    """
    enough = ints[SOLUTIONS] + solutions
    limit = ints[WORK] + budget
    while ints[MODE] != END:
        if ints[MODE] == ROOT:
            _begin(ints, sets)
        elif ints[MODE] == _RETURN:
            _return(ints)
        elif not propagate(ints, sets, ints[LEVEL]):
            ints[MODE] = _RETURN
        else:
            candidate = _choose(ints, sets, ints[LEVEL])
            if candidate != NONE:
                _assume(ints, sets, candidate // ints[VALUES], candidate % ints[VALUES])
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


@kernel
def _begin(ints: Ints, sets: Sets) -> None:
    """Set up the first frame: the template, less what the domains have lost since the start."""
    frame = ints[FRAMES]
    ints[LEVEL] = frame
    ints[MODE] = _NODE
    for i in range(ints[FRAME]):
        sets[frame + i] = sets[ints[TEMPLATE] + i]
    for cell in range(ints[CELLS]):
        domain = sets[ints[DOMAINS] + cell]
        lost = sets[ints[START] + cell] & ~domain
        if not lost:
            continue
        if domain and not domain & (domain - ONE):
            if place(ints, sets, frame, cell, lowest(domain)):
                continue
            ints[MODE] = END
            return
        while lost:
            board = frame + lowest(lost) * ints[WORDS]
            sets[board + (cell >> 6)] &= ~(ONE << np.uint64(cell & 63))
            lost &= lost - ONE


@kernel
def _return(ints: Ints) -> None:
    """Go back to the level before, where the candidate that was assumed is ruled out."""
    if ints[LEVEL] == ints[FRAMES]:
        ints[MODE] = END
        return
    ints[BACKTRACKS] += 1
    ints[LEVEL] -= ints[FRAME]
    ints[MODE] = _NODE


@kernel
def _assume(ints: Ints, sets: Sets, cell: int, value: int) -> None:
    """Assume a candidate, one level deeper, and rule it out on this one."""
    ints[ASSIGNMENTS] += 1
    frame = ints[LEVEL]
    deeper = frame + ints[FRAME]
    for i in range(ints[FRAME]):
        sets[deeper + i] = sets[frame + i]
    word, bit = cell >> 6, ONE << np.uint64(cell & 63)
    sets[frame + value * ints[WORDS] + word] &= ~bit
    sets[frame + ints[SHRUNK] + word] |= bit
    sets[frame + ints[CHANGED]] |= ONE << np.uint64(value)
    place(ints, sets, deeper, cell, value)
    ints[LEVEL] = deeper


@kernel
def _choose(ints: Ints, sets: Sets, frame: int) -> int:
    """The candidate to assume, or NONE if every cell has a value.

    A cell with two values is best; of these, the one that is bound to the most open cells.
    """
    words, values = ints[WORDS], ints[VALUES]
    best, most, solved = NONE, NONE, True
    for word in range(words):
        open_cells = sets[frame + ints[OPEN] + word]
        if not open_cells:
            continue
        solved = False
        once, twice, thrice = NOTHING, NOTHING, NOTHING
        for value in range(values):
            board = sets[frame + value * words + word]
            thrice |= twice & board
            twice |= once & board
            once |= board
        pairs = open_cells & ~thrice
        while pairs:
            cell = word * WORD + lowest(pairs)
            pairs &= pairs - ONE
            degree = count_common(sets, frame + ints[OPEN], ints[NEIGHBOURS] + cell * words, words)
            if degree > most:
                best, most = cell, degree
    if best == NONE:
        return NONE if solved else _choose_rarest(ints, sets, frame)
    value = 0
    while not sets[frame + value * words + (best >> 6)] >> np.uint64(best & 63) & ONE:
        value += 1
    return best * values + value


@kernel
def _choose_rarest(ints: Ints, sets: Sets, frame: int) -> int:
    """A candidate with the fewest alternatives: places of its value, or values of its cell."""
    words, values = ints[WORDS], ints[VALUES]
    best, fewest = NONE, values + 1
    for value in range(values):
        board = frame + value * words
        missing = frame + ints[MISSING] + value * ints[HOUSE_WORDS]
        for word in range(ints[HOUSE_WORDS]):
            houses = sets[missing + word]
            while houses:
                house = ints[HOUSES] + (word * WORD + lowest(houses)) * words
                houses &= houses - ONE
                count = count_common(sets, board, house, words)
                if count < fewest:
                    i = 0
                    while not sets[board + i] & sets[house + i]:
                        i += 1
                    cell = i * WORD + lowest(sets[board + i] & sets[house + i])
                    best, fewest = cell * values + value, count
        if fewest == 2:
            return best
    for word in range(words):
        cells = sets[frame + ints[OPEN] + word]
        while cells:
            cell = word * WORD + lowest(cells)
            cells &= cells - ONE
            count, least = 0, NONE
            for value in range(values - 1, -1, -1):
                if sets[frame + value * words + word] >> np.uint64(cell & 63) & ONE:
                    count += 1
                    least = value
            if count < fewest:
                best, fewest = cell * values + least, count
    return best


@kernel
def _write_domains(ints: Ints, sets: Sets) -> None:
    """Leave every cell the value that it has in the last frame."""
    words = ints[WORDS]
    for value in range(ints[VALUES]):
        for i in range(words):
            cells = sets[ints[LEVEL] + value * words + i]
            while cells:
                sets[ints[DOMAINS] + i * WORD + lowest(cells)] = ONE << np.uint64(value)
                cells &= cells - ONE
