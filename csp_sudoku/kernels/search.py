"""Backtracking search as a state machine that can be left and resumed.

The pseudocode is BACKTRACKING-SEARCH of Russell and Norvig, with its three choices: which variable
next, in which order its values, and what to infer from an assignment. The recursion is unrolled into
levels kept in arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from csp_encodings.arrays import NO_ARC, WORD, Ints, Network
from csp_sudoku.kernels.bits import NOTHING, ONE, lowest, popcount
from csp_sudoku.kernels.jit import kernel
from csp_sudoku.kernels.propagation import check_assigned, check_forward, propagate
from csp_sudoku.kernels.state import (
    ASSIGNMENTS,
    BACKTRACKS,
    BACKTRACKS_ALLOWED,
    BACKTRACKS_LEFT,
    DEPTH,
    MODE,
    RESTARTS,
    SOLUTIONS,
    TRACED,
    TRAIL,
    WORK,
    State,
    assign,
    push,
    start,
    undo,
    value_of,
    wake,
)

# What a call of `run` returns.
EXHAUSTED, FOUND, SPENT = range(3)

# Settings.
NO_INFERENCE, FORWARD, MAC = range(3)
FIRST, MRV, MRV_DEGREE, DOM_WDEG = range(4)
NATURAL, LCV, RANDOM = range(3)
NEVER, GEOMETRIC, WHEN_STUCK = range(3)

# Where the search stands: before the root, at a consistent node, about to try another value.
_ROOT, _NODE, _LEVEL, _END = range(4)

# The kinds of events in a trace.
ASSIGN, REMOVE, BACKTRACK, SOLUTION = range(4)

# What the count of a restriction is before the search of it is done.
_FRESH, _BEGUN = -1, -2

# So many backtracks before the first restart; each time half as many more.
_FIRST_RUN = 100


class Settings(NamedTuple):
    """The choices of a search, each one of the constants of this module and of `propagation`."""

    inference: int
    variable_order: int
    value_order: int
    all_different: int
    restart: int


@kernel
def run(network: Network, settings: Settings, state: State, solutions: int, budget: int) -> int:
    """Search on, up to the given number of solutions more or until a budget of work is spent.

    Returns EXHAUSTED (there is nothing more to find), FOUND (the domains are the last of the
    solutions) or SPENT. To resume, call it again.
    """
    counters = state.counters
    enough = counters[SOLUTIONS] + solutions
    limit = counters[WORK] + budget
    while True:
        if counters[MODE] == _ROOT:
            counters[MODE] = _NODE if _begin(network, settings, state) else _END
        elif counters[MODE] == _NODE:
            variable = _choose_variable(network, settings, state)
            if variable < 0:
                counters[MODE] = _LEVEL
                counters[SOLUTIONS] += 1
                _trace(state, SOLUTION, -1, -1)
                if counters[SOLUTIONS] == enough:
                    return FOUND
            else:
                _open_level(network, state, variable)
                counters[MODE] = _LEVEL
        elif counters[MODE] == _LEVEL:
            _next_on_level(network, settings, state)
        else:
            return EXHAUSTED
        counters[WORK] += 1
        if counters[WORK] >= limit:
            return SPENT


@kernel
def _begin(network: Network, settings: Settings, state: State) -> bool:
    """The root: with MAC the whole network is made consistent first."""
    state.counters[BACKTRACKS_ALLOWED] = 1 if settings.restart == WHEN_STUCK else _FIRST_RUN
    state.counters[BACKTRACKS_LEFT] = state.counters[BACKTRACKS_ALLOWED]
    if not start(network, state):
        return False
    if settings.inference != MAC:
        return True
    for arc in range(len(network.kind)):
        push(network, state, arc)
    failed = propagate(network, settings.all_different, state)
    _trace_removals(network, state, 0)
    return failed == NO_ARC


@kernel
def _open_level(network: Network, state: State, variable: int) -> None:
    depth = state.counters[DEPTH] + 1
    state.counters[DEPTH] = depth
    state.level_variable[depth] = variable
    state.level_trail[depth] = state.counters[TRAIL]
    for word in range(network.first_word[variable], network.first_word[variable + 1]):
        state.untried[word] = state.domain[word]


@kernel
def _next_on_level(network: Network, settings: Settings, state: State) -> None:
    """Try the next value of the last variable; if none is left, go back to the one before."""
    counters = state.counters
    depth = counters[DEPTH]
    if depth == 0:
        counters[MODE] = _END
        return
    variable = state.level_variable[depth]
    undo(network, state, state.level_trail[depth])
    state.assigned[variable] = 0
    value = _choose_value(network, settings, state, variable)
    if value < 0:
        counters[DEPTH] = depth - 1
        counters[BACKTRACKS] += 1
        _trace(state, BACKTRACK, variable, -1)
        # Only before the first solution: the search never comes to the same one twice.
        if settings.restart != NEVER and counters[SOLUTIONS] == 0 and depth > 1:
            _perhaps_restart(network, settings, state)
        return
    word = network.first_word[variable] + value // WORD
    state.untried[word] &= ~(ONE << np.uint64(value % WORD))
    counters[ASSIGNMENTS] += 1
    assign(network, state, variable, value)
    state.assigned[variable] = 1
    _trace(state, ASSIGN, variable, value)
    mark = counters[TRAIL]
    failed = _infer(network, settings, state, variable)
    _trace_removals(network, state, mark)
    if failed == NO_ARC:
        counters[MODE] = _NODE
    else:
        _blame(network, state, failed)


@kernel
def _infer(network: Network, settings: Settings, state: State, variable: int) -> int:
    """What follows from an assignment; the arc that failed, or NO_ARC."""
    if settings.inference == MAC:
        wake(network, state, variable, NO_ARC)
        return propagate(network, settings.all_different, state)
    if settings.inference == FORWARD:
        return check_forward(network, settings.all_different, state, variable)
    return check_assigned(network, settings.all_different, state, variable)


@kernel
def _blame(network: Network, state: State, arc: int) -> None:
    """Make the factor of a failed arc weigh more."""
    state.weight[arc] += 1
    reverse = network.reverse[arc]
    if reverse != NO_ARC and reverse != arc:
        state.weight[reverse] += 1


@kernel
def _perhaps_restart(network: Network, settings: Settings, state: State) -> None:
    """Once the backtracks allowed are used up, return to the root and keep only the weights."""
    counters = state.counters
    counters[BACKTRACKS_LEFT] -= 1
    if counters[BACKTRACKS_LEFT] > 0:
        return
    if settings.restart == GEOMETRIC:
        counters[BACKTRACKS_ALLOWED] += counters[BACKTRACKS_ALLOWED] // 2
    counters[BACKTRACKS_LEFT] = counters[BACKTRACKS_ALLOWED]
    counters[RESTARTS] += 1
    counters[DEPTH] = 0
    counters[MODE] = _NODE
    state.assigned[:] = 0
    undo(network, state, state.level_trail[1])


@kernel
def _choose_variable(network: Network, settings: Settings, state: State) -> int:
    """The next variable to assign, or -1 if none is left.

    MRV: the fewest values left. Ties go to the degree, how many open variables share a factor with
    it. Dom/wdeg (F. Boussemart et al. 2004): the fewest values for the weight of its factors that
    have another open variable.
    """
    order = settings.variable_order
    if order >= MRV_DEGREE:
        _count_open(network, state)
    best, best_size, best_rank, ties = -1, 1, 0, 1
    for variable in range(len(state.size)):
        size = state.size[variable]
        if state.assigned[variable] or (size == 1 and settings.inference == MAC):
            continue
        if order == FIRST:
            return variable
        rank = 1
        if order == MRV_DEGREE and (best < 0 or size <= best_size):
            rank = _degree(network, state, variable, False)
        elif order == DOM_WDEG:
            rank = _degree(network, state, variable, True)
        # Sizes are compared for equal ranks, or per rank: size / rank without a division.
        if best < 0:
            ahead = 1
        elif order == DOM_WDEG:
            ahead = best_size * rank - size * best_rank
        elif size != best_size:
            ahead = best_size - size
        else:
            ahead = rank - best_rank
        if ahead == 0 and settings.value_order == RANDOM:
            ties += 1
            ahead = 1 if _random_below(state, ties) == 0 else 0
        elif ahead > 0:
            ties = 1
        if ahead > 0:
            best, best_size, best_rank = variable, size, rank
    return best


@kernel
def _count_open(network: Network, state: State) -> None:
    """Count the open variables of every arc: those with more than one value."""
    for arc in range(len(network.kind)):
        count = 0
        for place in range(network.first_place[arc], network.first_place[arc + 1]):
            count += state.size[network.scope[place]] > 1
        state.open_places[arc] = count


@kernel
def _degree(network: Network, state: State, variable: int, weighted: bool) -> int:
    """The open variables in the factors of a variable, or the weights of those that have any."""
    degree = 0
    self = 1 if state.size[variable] > 1 else 0
    for i in range(network.first_link[variable], network.first_link[variable + 1]):
        arc = network.link[i]
        others = state.open_places[arc] - self
        if weighted:
            degree += state.weight[arc] if others > 0 else 0
        else:
            degree += others
    # A variable that is bound to no other one is as good as weightless.
    return max(degree, 1) if weighted else degree


@kernel
def _choose_value(network: Network, settings: Settings, state: State, variable: int) -> int:
    """The next value to try, or -1 if none is left."""
    first, end = network.first_word[variable], network.first_word[variable + 1]
    count = 0
    for word in range(first, end):
        count += popcount(state.untried[word])
    if count == 0:
        return -1
    skip = 0
    if settings.value_order == RANDOM:
        skip = _random_below(state, count)
    best, least = -1, -1
    for word in range(first, end):
        rest = state.untried[word]
        while rest:
            value = (word - first) * WORD + lowest(rest)
            rest &= rest - ONE
            if settings.value_order != LCV or count == 1:
                if skip == 0:
                    return value
                skip -= 1
                continue
            ruled_out = _ruled_out(network, settings, state, variable, value)
            if best < 0 or ruled_out < least:
                best, least = value, ruled_out
    return best


@kernel
def _ruled_out(
    network: Network, settings: Settings, state: State, variable: int, value: int
) -> int:
    """How many values of other variables a value rules out by itself: the least constrain least."""
    mark = state.counters[TRAIL]
    assign(network, state, variable, value)
    assigned = state.counters[TRAIL]
    failed = check_forward(network, settings.all_different, state, variable)
    removed = undo(network, state, assigned)
    undo(network, state, mark)
    return removed if failed == NO_ARC else 1 << 30


@kernel
def _mask_after(state: State, entry: int) -> np.uint64:
    """What a change on the trail made of its word."""
    word = state.trail_word[entry]
    for later in range(entry + 1, state.counters[TRAIL]):
        if state.trail_word[later] == word:
            return state.trail_mask[later]
    return state.domain[word]


@kernel
def _random_below(state: State, bound: int) -> int:
    """A random number from 0 to bound - 1 (xorshift, G. Marsaglia 2003)."""
    x = state.random[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state.random[0] = x
    return int((x >> np.uint64(16)) % np.uint64(bound))


@kernel
def _trace(state: State, kind: int, variable: int, value: int) -> None:
    """Record an event, if there is room for it."""
    number = state.counters[TRACED]
    if number < len(state.trace):
        state.trace[number, 0] = kind
        state.trace[number, 1] = variable
        state.trace[number, 2] = value
        state.trace[number, 3] = state.counters[DEPTH]
        state.counters[TRACED] = number + 1


@kernel
def _trace_removals(network: Network, state: State, mark: int) -> None:
    """Record the values removed since the trail had this length."""
    if state.counters[TRACED] >= len(state.trace):
        return
    for i in range(mark, state.counters[TRAIL]):
        word = state.trail_word[i]
        variable = network.owner[word]
        removed = state.trail_mask[i] & ~_mask_after(state, i)
        while removed:
            value = (word - network.first_word[variable]) * WORD + lowest(removed)
            removed &= removed - ONE
            _trace(state, REMOVE, variable, value)


@kernel
def run_many(
    network: Network,
    settings: Settings,
    state: State,
    shown: Ints,
    givens: Ints,
    solutions: Ints,
    counts: Ints,
    limit: int,
    budget: int,
) -> bool:
    """Search one restriction after the other; True once all are done, False if the budget is spent.

    Parameters
    ----------
    shown
        The variables that the columns are about.
    givens
        A row for each restriction: the value (a bit of the universe) of a variable, or -1.
    solutions
        Receives the first solution of each.
    counts
        Receives how many were found, at most `limit`; negative where the search is not done.
    """
    counters = state.counters
    stop = counters[WORK] + budget
    for i in range(len(givens)):
        if counts[i] >= 0:
            continue
        if counts[i] == _FRESH:
            _restrict(network, state, shown, givens[i])
            counts[i] = _BEGUN
        while counts[i] < 0:
            result = run(network, settings, state, 1, stop - counters[WORK])
            if result == SPENT:
                return False
            if result == FOUND and counters[SOLUTIONS] == 1:
                for j in range(len(shown)):
                    solutions[i, j] = value_of(network, state, shown[j])
            if result == EXHAUSTED or counters[SOLUTIONS] == limit:
                counts[i] = counters[SOLUTIONS]
    return True


@kernel
def _restrict(network: Network, state: State, shown: Ints, givens: Ints) -> None:
    """Set the domains of the start, less what the givens rule out; the search begins anew."""
    state.domain[:] = network.domain
    state.counters[MODE] = _ROOT
    state.counters[SOLUTIONS] = 0
    for j in range(len(shown)):
        if givens[j] < 0:
            continue
        first = network.first_word[shown[j]]
        for word in range(first, network.first_word[shown[j] + 1]):
            if word - first == givens[j] // WORD:
                state.domain[word] &= ONE << np.uint64(givens[j] % WORD)
            else:
                state.domain[word] = NOTHING
