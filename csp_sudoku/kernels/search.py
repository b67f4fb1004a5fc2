"""Backtracking search as a state machine that can be left and resumed.

The pseudocode is BACKTRACKING-SEARCH of Russell and Norvig, with its three choices: which variable
next, in which order its values, and what to infer from an assignment. The recursion is unrolled
into levels kept in memory.
"""

from __future__ import annotations

import numpy as np

from csp_encodings.jit import constant, inlined, subroutine
from csp_encodings.network import NO_ARC, WORD, Network
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest, popcount
from csp_sudoku.kernels.domains import EVENT, Domains, fix, narrow, undo
from csp_sudoku.kernels.orders import (
    FIRST_SCORE,
    NONE,
    blame,
    choose_value,
    choose_variable,
    first_value,
    is_two_way,
)
from csp_sudoku.kernels.propagation import MAC, infer

# What a call of `run` returns.
EXHAUSTED, FOUND, SPENT = range(3)

# The option `restart`.
NEVER, GEOMETRIC, WHEN_STUCK = range(3)

# Where the search stands: before the root, at a given, at a consistent node, about to try a value,
# at the end.
ROOT, _GIVENS, _NODE, _LEVEL, END = range(5)

# The kinds of events in a trace.
ASSIGN, REMOVE, BACKTRACK, SOLUTION = map(constant, range(4))

# The first restart comes after this many backtracks; then each run is half as long again.
_FIRST_RUN = 100


@inlined
def run(network: Network, d: Domains, solutions: int, budget: int) -> int:
    """Search on until this many more solutions are found, or a budget of work is spent.

    Returns EXHAUSTED (there is nothing more to find), FOUND (the domains are the last of the
    solutions) or SPENT. To resume, call it again.
    """
    enough = d.solutions + solutions
    limit = d.work + budget
    while d.mode != END:
        variable, to_infer = NONE, False
        if d.mode == _NODE:
            _descend(network, d)
            if d.solutions == enough:
                return FOUND
        elif d.mode == ROOT:
            to_infer = _begin(network, d)
        elif d.mode == _GIVENS:
            variable = _next_given(d)
            to_infer = variable != NONE
        else:
            variable = _return_to_level(d)
            to_infer = variable != NONE and _try(network, d, variable)
        if to_infer:
            _settle(network, d, infer(network, d, d.inference, variable))
        d.work += 1
        if d.work >= limit:
            return SPENT
    return EXHAUSTED


@subroutine
def _begin(network: Network, d: Domains) -> bool:
    """Forget what was before. With MAC there is something to infer at the root: True.

    Otherwise the variables that have one value from the start count as assigned, one by one.
    """
    d.level = 0
    d.conflicts = 0
    d.branched = NONE
    d.trail_top = 0
    d.inferred = 0
    d.spared = NO_ARC
    d.run_length = 1 if d.restart == WHEN_STUCK else _FIRST_RUN
    d.run_left = d.run_length
    d.mode = ROOT if d.inference == MAC else _GIVENS
    d.given = 0
    for variable in range(d.variables):
        size = 0
        for word in range(network.first_word[variable], network.first_word[variable + 1]):
            size += popcount(d.domain[word])
        d.size[variable] = size
        d.score[variable] = FIRST_SCORE
        d.assigned[variable] = 1 if size == 1 and d.inference != MAC else 0
        if size == 0:
            d.mode = END
    for arc in range(d.arcs):
        d.weight[arc] = 1
        for place in range(network.first_place[arc], network.first_place[arc + 1]):
            d.match[place] = NONE
        d.pending[arc >> 6] |= ONE << np.uint64(arc & 63)
    d.lowest_pending = 0
    return d.mode == ROOT


@subroutine
def _next_given(d: Domains) -> int:
    """The next variable that is assigned from the start; NONE if that was the last one."""
    for variable in range(d.given, d.variables):
        if d.assigned[variable]:
            d.given = variable + 1
            return variable
    d.mode = _NODE
    return NONE


@subroutine
def _descend(network: Network, d: Domains) -> None:
    """From a consistent node to the next variable; if there is none, this is a solution."""
    d.mode = _LEVEL
    variable = choose_variable(network, d)
    if variable == NONE:
        d.solutions += 1
        _trace(d, SOLUTION, NONE, NONE)
        return
    d.level += 1
    level = d.levels[d.level]
    level.variable = variable
    level.mark = d.trail_top
    for word in range(network.first_word[variable], network.first_word[variable + 1]):
        d.untried[word] = d.domain[word]
    if is_two_way(d):
        value = first_value(network, d, variable)
        home = network.first_word[variable] + (value >> 6)
        for word in range(network.first_word[variable], network.first_word[variable + 1]):
            d.untried[word] = ONE << np.uint64(value & 63) if word == home else NOTHING


@subroutine
def _return_to_level(d: Domains) -> int:
    """Undo the last assignment; its variable, or NONE if there is none: that is the end."""
    if d.level == 0:
        d.mode = END
        return NONE
    level = d.levels[d.level]
    undo(d, level.mark)
    d.assigned[level.variable] = 0
    return level.variable


@inlined
def _try(network: Network, d: Domains, variable: int) -> bool:
    """Assign a value; if none is left, return to the variable before, or perhaps start over."""
    value = choose_value(network, d, variable)
    d.branched = variable
    if value != NONE:
        d.assignments += 1
        _trace(d, ASSIGN, variable, value)
        d.assigned[variable] = 1
        d.untried[network.first_word[variable] + (value >> 6)] &= ~(ONE << np.uint64(value & 63))
        fix(network, d, variable, value)
        d.inferred = d.trail_top
        return True
    d.backtracks += 1
    _trace(d, BACKTRACK, variable, NONE)
    d.level -= 1
    # A restart only before the first solution, so that none is found twice.
    if d.restart != NEVER and d.solutions == 0 and d.level != 0:
        d.run_left -= 1
        if d.run_left == 0:
            _start_over(d)
            return False
    if is_two_way(d):
        # The value is refuted: that may say more.
        d.inferred = d.trail_top
        value = first_value(network, d, variable)
        word = network.first_word[variable] + (value >> 6)
        return narrow(network, d, variable, word, d.domain[word] & ~(ONE << np.uint64(value & 63)))
    return False


@subroutine
def _start_over(d: Domains) -> None:
    """Return to the root, for a longer run if restarts are geometric; only the weights stay."""
    if d.restart == GEOMETRIC:
        d.run_length += d.run_length // 2
    d.run_left = d.run_length
    d.restarts += 1
    undo(d, d.levels[1].mark)
    for level in range(1, d.level + 1):
        d.assigned[d.levels[level].variable] = 0
    d.level = 0
    d.mode = _NODE


@subroutine
def _settle(network: Network, d: Domains, failed: int) -> None:
    """Go on after an inference; the factor that failed, if any, weighs more from now on."""
    _trace_removals(network, d)
    d.inferred = d.trail_top
    if failed == NO_ARC:
        if d.mode != _GIVENS:
            d.mode = _NODE
        return
    if d.mode != _LEVEL:
        d.mode = END
    if is_two_way(d):
        blame(network, d, failed)
    d.weight[failed] += 1
    # A relation is two arcs.
    reverse = network.reverse[failed]
    if reverse not in (NO_ARC, failed):
        d.weight[reverse] += 1


@subroutine
def _trace(d: Domains, kind: int, variable: int, value: int) -> None:
    """Record an event, if there is room for it."""
    top = d.trace_top
    if top < d.trace_end:
        d.trace[top] = kind
        d.trace[top + 1] = variable
        d.trace[top + 2] = value
        d.trace[top + 3] = d.level
        d.trace_top = top + EVENT


@subroutine
def _trace_removals(network: Network, d: Domains) -> None:
    """Record the values that the last inference removed."""
    if d.trace_top == d.trace_end:
        return
    for i in range(d.inferred, d.trail_top):
        change = d.trail[i]
        after = d.domain[change.word]
        for later in range(d.trail_top - 1, i, -1):
            if d.trail[later].word == change.word:
                after = d.trail[later].mask
        removed = change.mask & ~after
        while removed:
            value = (change.word - network.first_word[change.variable]) * WORD + lowest(removed)
            removed &= removed - ONE
            _trace(d, REMOVE, change.variable, value)
