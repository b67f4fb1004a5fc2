"""The orders of a search: which variable next, and which of its values."""

from __future__ import annotations

import numpy as np

from csp_encodings.arrays import NO_ARC, WORD
from csp_encodings.jit import inlined, subroutine
from csp_sudoku.kernels.bits import ONE, as_int, lowest, popcount
from csp_sudoku.kernels.domains import fix, undo
from csp_sudoku.kernels.memory import (
    ARC,
    ARCS,
    ARCS_END,
    ASSIGNED,
    DOMAIN,
    DOMAIN_END,
    INFERENCE,
    LINKS,
    LINKS_END,
    OPEN,
    RANDOM_STATE,
    SCOPE,
    SCOPE_END,
    SIZE,
    TRAIL_TOP,
    UNTRIED,
    VALUE_ORDER,
    VARIABLE,
    VARIABLE_ORDER,
    VARIABLES,
    VARIABLES_END,
    WEIGHT,
    Ints,
    Sets,
    constant,
)
from csp_sudoku.kernels.propagation import FORWARD, MAC, infer

# Settings.
FIRST, MRV, MRV_DEGREE, DOM_WDEG = range(4)
NATURAL, LCV, RANDOM = range(3)

NONE = constant(-1)
_FORWARD = constant(FORWARD)


@subroutine
def choose_variable(ints: Ints, sets: Sets) -> int:
    """The next variable to assign, or NONE.

    MRV takes the fewest values left; the degree, how many open variables share a factor with it,
    breaks ties. Dom/wdeg (F. Boussemart et al. 2004) takes the fewest values in proportion to the
    weight of its factors that have another open variable. What is still equal goes to the first, or
    by lot if values do.
    """
    order = ints[VARIABLE_ORDER]
    if order >= MRV_DEGREE:
        _count_open(ints)
    best, best_size, best_rank, ties = NONE, NONE, NONE, NONE
    for variable in range(ints[VARIABLES], ints[VARIABLES_END], VARIABLE):
        size = ints[variable + SIZE]
        # After MAC, a single value needs no assignment.
        if ints[variable + ASSIGNED] or (size == 1 and ints[INFERENCE] == MAC):
            continue
        if order == FIRST:
            return variable
        rank = 0
        if order == DOM_WDEG or (order == MRV_DEGREE and (best == NONE or size <= best_size)):
            rank = _rank(ints, variable)
        if best == NONE:
            ahead = 1
        elif order == DOM_WDEG:
            ahead = best_size * rank - size * best_rank
        elif size != best_size:
            ahead = best_size - size
        else:
            ahead = rank - best_rank
        if ahead > 0:
            ties = 1
        elif ahead == 0 and ints[VALUE_ORDER] == RANDOM:
            ties += 1
            ahead = 1 if _random_below(ints, sets, ties) == 0 else 0
        if ahead > 0:
            best, best_size, best_rank = variable, size, rank
    return best


@subroutine
def _count_open(ints: Ints) -> None:
    """Count the open variables of every arc: those with more than one value."""
    for arc in range(ints[ARCS], ints[ARCS_END], ARC):
        count = 0
        for place in range(ints[arc + SCOPE], ints[arc + SCOPE_END]):
            if ints[ints[place] + SIZE] > 1:
                count += 1
        ints[arc + OPEN] = count


@subroutine
def _rank(ints: Ints, variable: int) -> int:
    """The degree of a variable; for dom/wdeg, the weights of its factors with an open variable."""
    weighted = ints[VARIABLE_ORDER] == DOM_WDEG
    own = 1 if ints[variable + SIZE] > 1 else 0
    rank = 0
    for link in range(ints[variable + LINKS], ints[variable + LINKS_END]):
        arc = ints[link]
        others = ints[arc + OPEN] - own
        if others > 0:
            rank += ints[arc + WEIGHT] if weighted else others
    return rank if rank > 0 or not weighted else 1


@inlined
def choose_value(ints: Ints, sets: Sets, variable: int) -> int:
    """The next value to try, or NONE: the least, one by lot, or the least constraining."""
    first = ints[variable + UNTRIED]
    end = first + ints[variable + DOMAIN_END] - ints[variable + DOMAIN]
    count = _count_values(sets, first, end)
    order = ints[VALUE_ORDER]
    skip = _random_below(ints, sets, count) if order == RANDOM and count > 1 else 0
    best, least = NONE, NONE
    for word in range(first, end):
        rest = sets[word]
        while rest:
            value = (word - first) * WORD + lowest(rest)
            rest &= rest - ONE
            if order == LCV and count > 1:
                ruled_out = _ruled_out(ints, sets, variable, value)
                if best == NONE or ruled_out < least:
                    best, least = value, ruled_out
            elif skip == 0:
                return value
            else:
                skip -= 1
    return best


@subroutine
def _count_values(sets: Sets, start: int, end: int) -> int:
    """How many values are in these words."""
    count = 0
    for word in range(start, end):
        count += popcount(sets[word])
    return count


@inlined
def _ruled_out(ints: Ints, sets: Sets, variable: int, value: int) -> int:
    """How many values of other variables a value rules out by itself, by forward checking."""
    before = ints[TRAIL_TOP]
    fix(ints, sets, variable, value)
    assigned = ints[TRAIL_TOP]
    failed = infer(ints, sets, _FORWARD, variable)
    ruled_out = undo(ints, sets, assigned)
    undo(ints, sets, before)
    # What leaves a variable none comes last.
    return ruled_out if failed == NO_ARC else 1 << 60


@subroutine
def _random_below(ints: Ints, sets: Sets, bound: int) -> int:
    """A random number from 0 to bound - 1 (xorshift, G. Marsaglia 2003)."""
    x = sets[ints[RANDOM_STATE]]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    sets[ints[RANDOM_STATE]] = x
    return as_int((x >> np.uint64(16)) % np.uint64(bound))
