"""How a domain shrinks, whom that wakes, and how it comes back."""

from __future__ import annotations

import numpy as np

from csp_encodings.jit import subroutine
from csp_sudoku.kernels.bits import NOTHING, ONE, as_int, popcount
from csp_sudoku.kernels.memory import (
    CHANGE,
    DOMAIN,
    DOMAIN_END,
    LOWEST_PENDING,
    PENDING,
    PENDING_END,
    SIZE,
    SPARED,
    TRAIL_TOP,
    WAKE,
    WAKE_END,
    WAKE_FIXED,
    WAKE_MASKS,
    Ints,
    Sets,
)


@subroutine
def narrow(ints: Ints, sets: Sets, variable: int, word: int, mask: np.uint64) -> bool:
    """Replace a word of a domain by a part of it; False if the domain is empty now.

    The old word goes on the trail, and the arcs that look at the variable become pending, all but
    the one that is spared.
    """
    old = sets[word]
    top = ints[TRAIL_TOP]
    sets[top] = old
    sets[top + 1] = np.uint64(word)
    sets[top + 2] = np.uint64(variable)
    ints[TRAIL_TOP] = top + CHANGE
    sets[word] = mask
    size = ints[variable + SIZE] - popcount(old & ~mask)
    ints[variable + SIZE] = size
    if size == 0:
        return False
    end = ints[variable + WAKE_END] if size == 1 else ints[variable + WAKE_FIXED]
    masks = ints[variable + WAKE_MASKS]
    spared = ints[SPARED]
    home_of_spared = ints[PENDING] + (spared >> 6)
    for wake in range(ints[variable + WAKE], end):
        pending = ints[wake]
        arcs = sets[wake + masks]
        if pending == home_of_spared:
            arcs &= ~(ONE << np.uint64(spared & 63))
        sets[pending] |= arcs
        ints[LOWEST_PENDING] = min(ints[LOWEST_PENDING], pending)
    return True


@subroutine
def fix(ints: Ints, sets: Sets, variable: int, value: int) -> None:
    """Leave a variable one of its values (a bit of its universe)."""
    home = ints[variable + DOMAIN] + (value >> 6)
    for word in range(ints[variable + DOMAIN], ints[variable + DOMAIN_END]):
        left = ONE << np.uint64(value & 63) if word == home else NOTHING
        if sets[word] != left:
            narrow(ints, sets, variable, word, left)


@subroutine
def undo(ints: Ints, sets: Sets, mark: int) -> int:
    """Take back all changes since the top of the trail was here: how many values come back."""
    count = 0
    top = ints[TRAIL_TOP]
    while top > mark:
        top -= CHANGE
        old = sets[top]
        word = as_int(sets[top + 1])
        back = popcount(old & ~sets[word])
        ints[as_int(sets[top + 2]) + SIZE] += back
        sets[word] = old
        count += back
    ints[TRAIL_TOP] = mark
    return count


@subroutine
def forget_pending(ints: Ints, sets: Sets) -> None:
    """Let no arc be pending."""
    for word in range(ints[LOWEST_PENDING], ints[PENDING_END]):
        sets[word] = NOTHING
    ints[LOWEST_PENDING] = ints[PENDING_END]
