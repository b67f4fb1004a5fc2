"""Backtracking search as a state machine that can be left and resumed.

The pseudocode is BACKTRACKING-SEARCH of Russell and Norvig, with its three choices: which variable
next, in which order its values, and what to infer from an assignment. The recursion is unrolled
into levels kept in memory.
"""

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
    ASSIGNMENTS,
    BACKTRACKS,
    CHANGE,
    CHOSEN,
    DOMAIN,
    DOMAIN_END,
    EVENT,
    FRAME,
    GIVEN,
    INFERENCE,
    INFERRED,
    LEVEL,
    LEVELS,
    LOWEST_PENDING,
    MARK,
    MATCH,
    MODE,
    PENDING,
    RESTART,
    RESTARTS,
    REVERSE,
    RUN_LEFT,
    RUN_LENGTH,
    SCOPE,
    SCOPE_END,
    SIZE,
    SOLUTIONS,
    SPARED,
    TRACE_END,
    TRACE_TOP,
    TRAIL,
    TRAIL_TOP,
    UNTRIED,
    VARIABLE,
    VARIABLES,
    VARIABLES_END,
    WEIGHT,
    WORK,
    Ints,
    Sets,
    constant,
)
from csp_sudoku.kernels.orders import NONE, choose_value, choose_variable
from csp_sudoku.kernels.propagation import MAC, infer

# What a call of `run` returns.
EXHAUSTED, FOUND, SPENT = range(3)

# A setting.
NEVER, GEOMETRIC, WHEN_STUCK = range(3)

# Where the search stands: before the root, at a given, at a consistent node, about to try a value,
# at the end.
ROOT, _GIVENS, _NODE, _LEVEL, END = range(5)

# The kinds of events in a trace.
ASSIGN, REMOVE, BACKTRACK, SOLUTION = map(constant, range(4))

# So many backtracks before the first restart; then each time half as many more.
_FIRST_RUN = 100


@inlined
def run(ints: Ints, sets: Sets, solutions: int, budget: int) -> int:
    """Search on, for so many solutions more or until a budget of work is spent.

    Returns EXHAUSTED (there is nothing more to find), FOUND (the domains are the last of the
    solutions) or SPENT. To resume, call it again.
    """
    enough = ints[SOLUTIONS] + solutions
    limit = ints[WORK] + budget
    while ints[MODE] != END:
        variable, to_infer = NONE, False
        if ints[MODE] == _NODE:
            _descend(ints, sets)
            if ints[SOLUTIONS] == enough:
                return FOUND
        elif ints[MODE] == ROOT:
            to_infer = _begin(ints, sets)
        elif ints[MODE] == _GIVENS:
            variable = _next_given(ints)
            to_infer = variable != NONE
        else:
            variable = _return_to_level(ints, sets)
            to_infer = variable != NONE and _try(ints, sets, variable)
        if to_infer:
            _settle(ints, sets, infer(ints, sets, ints[INFERENCE], variable))
        ints[WORK] += 1
        if ints[WORK] >= limit:
            return SPENT
    return EXHAUSTED


@subroutine
def _begin(ints: Ints, sets: Sets) -> bool:
    """Forget what was. With MAC there is something to infer at the root: True.

    Otherwise the variables that have one value from the start count as assigned, one by one.
    """
    ints[LEVEL] = ints[LEVELS]
    ints[TRAIL_TOP] = ints[TRAIL]
    ints[INFERRED] = ints[TRAIL]
    ints[SPARED] = NO_ARC
    ints[RUN_LENGTH] = 1 if ints[RESTART] == WHEN_STUCK else _FIRST_RUN
    ints[RUN_LEFT] = ints[RUN_LENGTH]
    ints[MODE] = ROOT if ints[INFERENCE] == MAC else _GIVENS
    ints[GIVEN] = ints[VARIABLES]
    for variable in range(ints[VARIABLES], ints[VARIABLES_END], VARIABLE):
        size = 0
        for word in range(ints[variable + DOMAIN], ints[variable + DOMAIN_END]):
            size += popcount(sets[word])
        ints[variable + SIZE] = size
        ints[variable + ASSIGNED] = 1 if size == 1 and ints[INFERENCE] != MAC else 0
        if size == 0:
            ints[MODE] = END
    for arc in range(ints[ARCS], ints[ARCS_END], ARC):
        ints[arc + WEIGHT] = 1
        for place in range(ints[arc + SCOPE_END] - ints[arc + SCOPE]):
            ints[ints[arc + MATCH] + place] = NONE
        number = (arc - ints[ARCS]) // ARC
        sets[ints[PENDING] + (number >> 6)] |= ONE << np.uint64(number & 63)
    ints[LOWEST_PENDING] = ints[PENDING]
    return ints[MODE] == ROOT


@subroutine
def _next_given(ints: Ints) -> int:
    """The next variable that is assigned from the start; NONE if that was the last one."""
    for variable in range(ints[GIVEN], ints[VARIABLES_END], VARIABLE):
        if ints[variable + ASSIGNED]:
            ints[GIVEN] = variable + VARIABLE
            return variable
    ints[MODE] = _NODE
    return NONE


@subroutine
def _descend(ints: Ints, sets: Sets) -> None:
    """From a consistent node to the next variable; if there is none, this is a solution."""
    ints[MODE] = _LEVEL
    variable = choose_variable(ints, sets)
    if variable == NONE:
        ints[SOLUTIONS] += 1
        _trace(ints, SOLUTION, NONE, NONE)
        return
    level = ints[LEVEL] + FRAME
    ints[LEVEL] = level
    ints[level + CHOSEN] = variable
    ints[level + MARK] = ints[TRAIL_TOP]
    shift = ints[variable + UNTRIED] - ints[variable + DOMAIN]
    for word in range(ints[variable + DOMAIN], ints[variable + DOMAIN_END]):
        sets[word + shift] = sets[word]


@subroutine
def _return_to_level(ints: Ints, sets: Sets) -> int:
    """Undo the last assignment; its variable, or NONE if there is none: that is the end."""
    level = ints[LEVEL]
    if level == ints[LEVELS]:
        ints[MODE] = END
        return NONE
    undo(ints, sets, ints[level + MARK])
    ints[ints[level + CHOSEN] + ASSIGNED] = 0
    return ints[level + CHOSEN]


@inlined
def _try(ints: Ints, sets: Sets, variable: int) -> bool:
    """Assign a value; if none is left, return to the variable before, or perhaps start over."""
    value = choose_value(ints, sets, variable)
    if value != NONE:
        ints[ASSIGNMENTS] += 1
        _trace(ints, ASSIGN, variable, value)
        ints[variable + ASSIGNED] = 1
        sets[ints[variable + UNTRIED] + (value >> 6)] &= ~(ONE << np.uint64(value & 63))
        fix(ints, sets, variable, value)
        ints[INFERRED] = ints[TRAIL_TOP]
        return True
    ints[BACKTRACKS] += 1
    _trace(ints, BACKTRACK, variable, NONE)
    ints[LEVEL] -= FRAME
    # A restart only before the first solution, so that none is found twice.
    if ints[RESTART] != NEVER and ints[SOLUTIONS] == 0 and ints[LEVEL] != ints[LEVELS]:
        ints[RUN_LEFT] -= 1
        if ints[RUN_LEFT] == 0:
            _start_over(ints, sets)
    return False


@subroutine
def _start_over(ints: Ints, sets: Sets) -> None:
    """Return to the root, for a longer run if restarts are geometric; only the weights stay."""
    if ints[RESTART] == GEOMETRIC:
        ints[RUN_LENGTH] += ints[RUN_LENGTH] // 2
    ints[RUN_LEFT] = ints[RUN_LENGTH]
    ints[RESTARTS] += 1
    undo(ints, sets, ints[ints[LEVELS] + FRAME + MARK])
    for level in range(ints[LEVELS] + FRAME, ints[LEVEL] + FRAME, FRAME):
        ints[ints[level + CHOSEN] + ASSIGNED] = 0
    ints[LEVEL] = ints[LEVELS]
    ints[MODE] = _NODE


@subroutine
def _settle(ints: Ints, sets: Sets, failed: int) -> None:
    """Go on after an inference; the factor that failed, if any, weighs more from now on."""
    _trace_removals(ints, sets)
    ints[INFERRED] = ints[TRAIL_TOP]
    if failed == NO_ARC:
        if ints[MODE] != _GIVENS:
            ints[MODE] = _NODE
        return
    if ints[MODE] != _LEVEL:
        ints[MODE] = END
    ints[failed + WEIGHT] += 1
    # A relation is two arcs.
    reverse = ints[ARCS] + ARC * ints[failed + REVERSE]
    if ints[failed + REVERSE] != NO_ARC and reverse != failed:
        ints[reverse + WEIGHT] += 1


@subroutine
def _trace(ints: Ints, kind: int, variable: int, value: int) -> None:
    """Record an event, if there is room for it."""
    top = ints[TRACE_TOP]
    if top < ints[TRACE_END]:
        ints[top] = kind
        ints[top + 1] = variable
        ints[top + 2] = value
        ints[top + 3] = (ints[LEVEL] - ints[LEVELS]) // FRAME
        ints[TRACE_TOP] = top + EVENT


@subroutine
def _trace_removals(ints: Ints, sets: Sets) -> None:
    """Record the values that the last inference removed."""
    if ints[TRACE_TOP] == ints[TRACE_END]:
        return
    for change in range(ints[INFERRED], ints[TRAIL_TOP], CHANGE):
        word, variable = as_int(sets[change + 1]), as_int(sets[change + 2])
        after = sets[word]
        for later in range(ints[TRAIL_TOP] - CHANGE, change, -CHANGE):
            if as_int(sets[later + 1]) == word:
                after = sets[later]
        removed = sets[change] & ~after
        while removed:
            value = (word - ints[variable + DOMAIN]) * WORD + lowest(removed)
            removed &= removed - ONE
            _trace(ints, REMOVE, variable, value)
