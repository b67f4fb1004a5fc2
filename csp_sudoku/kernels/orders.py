"""The orders of a search: which variable is next, and which of its values."""

from __future__ import annotations

import numpy as np

from csp_encodings.jit import constant, inlined, subroutine
from csp_encodings.network import NO_ARC, WORD, Network
from csp_sudoku.kernels.bits import ONE, as_int, lowest, popcount
from csp_sudoku.kernels.domains import Domains, fix, undo
from csp_sudoku.kernels.propagation import FORWARD, MAC, infer

# The options `variable_order` and `value_order`.
FIRST, MRV, MRV_DEGREE, DOM_WDEG, CONFLICTS = range(5)
NATURAL, LCV, RANDOM = range(3)

NONE = constant(-1)
_FORWARD = constant(FORWARD)

# What a failure adds to a score, what each score is at first, and how many failures halve them all.
BLAME = 64
FIRST_SCORE = 256
_HALF_LIFE = 512


@subroutine
def choose_variable(network: Network, d: Domains) -> int:
    """The next variable to assign, or NONE."""
    return _choose_by_conflicts(d) if is_two_way(d) else _choose_by_size(network, d)


@inlined
def _choose_by_size(network: Network, d: Domains) -> int:
    """The next variable to assign, or NONE, where all its values will be tried.

    MRV takes the fewest values left; the degree, how many open variables share a factor with it,
    breaks ties. Dom/wdeg (F. Boussemart et al. 2004) takes the fewest values in proportion to the
    weight of its factors that have another open variable. What is still equal goes to the first
    variable, or to one by lot if values are chosen by lot. Conflicts are for two-way branching;
    without it they are dom/wdeg.
    """
    order = d.variable_order
    if order >= MRV_DEGREE:
        _count_open(network, d)
    best, best_size, best_rank, ties = NONE, NONE, NONE, NONE
    for variable in range(d.variables):
        size = d.size[variable]
        # After MAC, a single value needs no assignment.
        if d.assigned[variable] or (size == 1 and d.inference == MAC):
            continue
        if order == FIRST:
            return variable
        rank = 0
        if order >= DOM_WDEG or (order == MRV_DEGREE and (best == NONE or size <= best_size)):
            rank = _rank(network, d, variable)
        if best == NONE:
            ahead = 1
        elif order >= DOM_WDEG:
            ahead = best_size * rank - size * best_rank
        elif size != best_size:
            ahead = best_size - size
        else:
            ahead = rank - best_rank
        if ahead > 0:
            ties = 1
        elif ahead == 0 and d.value_order == RANDOM:
            ties += 1
            ahead = 1 if _random_below(d, ties) == 0 else 0
        if ahead > 0:
            best, best_size, best_rank = variable, size, rank
    return best


@inlined
def is_two_way(d: Domains) -> bool:
    """Whether the search branches on one value, taken or not; otherwise on all of a variable."""
    return d.variable_order == CONFLICTS and d.inference == MAC and d.value_order == NATURAL


@subroutine
def blame(network: Network, d: Domains, failed: int) -> None:
    """Raise the scores of the variables of an arc that failed, and of the one branched on.

    Now and then halve all scores.
    """
    for place in range(network.first_place[failed], network.first_place[failed + 1]):
        d.score[network.scope[place]] += BLAME
    if d.branched != NONE:
        d.score[d.branched] += BLAME
    d.conflicts += 1
    if d.conflicts == _HALF_LIFE:
        d.conflicts = 0
        for variable in range(d.variables):
            d.score[variable] >>= 1


@subroutine
def _choose_by_conflicts(d: Domains) -> int:
    """The variable with the highest score for each of its values; what is equal: fewest values."""
    best, best_size, best_score = NONE, 1, 0
    for variable in range(d.variables):
        size = d.size[variable]
        if size == 1:
            continue
        score = d.score[variable]
        ahead = score * best_size - best_score * size
        if best == NONE or ahead > 0 or (ahead == 0 and size < best_size):
            best, best_size, best_score = variable, size, score
    return best


@subroutine
def first_value(network: Network, d: Domains, variable: int) -> int:
    """The least value of a variable, as a bit of its universe."""
    first = network.first_word[variable]
    word = first
    while not d.domain[word]:
        word += 1
    return (word - first) * WORD + lowest(d.domain[word])


@subroutine
def _count_open(network: Network, d: Domains) -> None:
    """Count the open variables of every arc: those with more than one value."""
    for arc in range(d.arcs):
        count = 0
        for place in range(network.first_place[arc], network.first_place[arc + 1]):
            if d.size[network.scope[place]] > 1:
                count += 1
        d.open[arc] = count


@subroutine
def _rank(network: Network, d: Domains, variable: int) -> int:
    """The degree of a variable; for dom/wdeg, the weights of its factors with an open variable."""
    weighted = d.variable_order >= DOM_WDEG
    own = 1 if d.size[variable] > 1 else 0
    rank = 0
    for link in range(network.first_link[variable], network.first_link[variable + 1]):
        arc = network.link[link]
        others = d.open[arc] - own
        if others > 0:
            rank += d.weight[arc] if weighted else others
    return rank if rank > 0 or not weighted else 1


@inlined
def choose_value(network: Network, d: Domains, variable: int) -> int:
    """The next value to try, or NONE: the least, one by lot, or the least constraining."""
    first, end = network.first_word[variable], network.first_word[variable + 1]
    count = 0
    for word in range(first, end):
        count += popcount(d.untried[word])
    skip = _random_below(d, count) if d.value_order == RANDOM and count > 1 else 0
    best, least = NONE, NONE
    for word in range(first, end):
        rest = d.untried[word]
        while rest:
            value = (word - first) * WORD + lowest(rest)
            rest &= rest - ONE
            if d.value_order == LCV and count > 1:
                ruled_out = _ruled_out(network, d, variable, value)
                if best == NONE or ruled_out < least:
                    best, least = value, ruled_out
            elif skip == 0:
                return value
            else:
                skip -= 1
    return best


@inlined
def _ruled_out(network: Network, d: Domains, variable: int, value: int) -> int:
    """How many values of other variables a value rules out by itself, by forward checking."""
    before = d.trail_top
    fix(network, d, variable, value)
    assigned = d.trail_top
    failed = infer(network, d, _FORWARD, variable)
    ruled_out = undo(d, assigned)
    undo(d, before)
    # A value that leaves a variable none comes last.
    return ruled_out if failed == NO_ARC else 1 << 60


@subroutine
def _random_below(d: Domains, bound: int) -> int:
    """A random number from 0 to bound - 1 (xorshift, G. Marsaglia 2003)."""
    x = d.random[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    d.random[0] = x
    return as_int((x >> np.uint64(16)) % np.uint64(bound))
