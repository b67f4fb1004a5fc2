"""The options of an exact cover problem: how they are taken, dropped, and brought back.

D. E. Knuth, *The Art of Computer Programming*, volume 4B, section 7.2.2.1, has the problem and the
words; his "dancing cells" (2023) showed that nothing need be linked. Here the lists of options do
not change at all: what dances are marks of the options and counts of the groups
(:mod:`csp_sudoku.kernels.groups` says what these are). That is several numbers less to write for
every option that goes, and just as many less when it comes back.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csp_encodings.jit import kernel
from csp_sudoku.kernels.flat import Flat, of_one_type

Numbers: TypeAlias = NDArray[np.int64]


@of_one_type
class Options(NamedTuple):
    """The options and groups of a problem, which do not change, and a search, which does.

    Attributes
    ----------
    bounds
        Three for each option, of its members: where the groups begin that it takes, those that are
        primary items, and those that are supports. They end where those of the next option begin;
        it is counted in the last two kinds.
    members
        Groups.
    ranges
        Two for each group: where its list begins and ends.
    lists
        Options.
    counts
        Of each primary item, how many options it has left, plus COVERED once one of them is taken.
        Of each support, one more than it counts: either has to be looked at when it comes to one.
    marks
        Of each option, whether it is OPEN, GONE or TAKEN.
    weights
        Of each primary item, how often it had no option left, and one.
    ease
        Of each primary item, LIGHT divided by its weight.
    dropped, taken
        The options that are, in this order.
    choices
        Two for each choice that led here: how many options were dropped and taken before.
    agenda
        A stack of groups that came to one.
    sample
        The options of a solution.
    state
        Numbers, by the names below.
    """

    bounds: Flat[int]
    members: Flat[int]
    ranges: Flat[int]
    lists: Flat[int]
    counts: Flat[int]
    marks: Flat[int]
    weights: Flat[int]
    ease: Flat[int]
    dropped: Flat[int]
    taken: Flat[int]
    choices: Flat[int]
    agenda: Flat[int]
    sample: Flat[int]
    state: Flat[int]


# The places of the state: sizes,
OPTIONS = 0  # how many options there are
PREFERRED = 1  # how many items are preferred; they come first
PRIMARY = 2  # how many are primary; these are the first groups
COUNTED = 3  # how many groups are counted: the primary items, and the supports after them
LEARNING = 4  # by how much the weight of an item grows at a dead end
# where the search is,
DROPS = 5  # how many options are dropped
TAKES = 6  # how many are taken
DEPTH = 7  # how many of these were chosen
PENDING = 8  # how much is on the agenda
LOST = 9  # 1 at a dead end
FORWARD = 10  # 1 to go on from here, 0 to go back
# and what it has done
NODES = 11  # how often an option was taken
UPDATES = 12  # how often an option was dropped
SOLUTIONS = 13  # how often no item was left
SAMPLED = 14  # how many options the last sample has
STATE_SIZE = 15

# A mark is made by setting bits.
OPEN, GONE, TAKEN = 0, 1, 3

COVERED = 1 << 28

LIGHT = 1 << 28


def new_options(
    bounds: Numbers,
    members: Numbers,
    ranges: Numbers,
    lists: Numbers,
    *,
    preferred: int,
    primary: int,
    counted: int,
) -> Options:
    """Options with a search that has not begun; :func:`own_search` makes others."""
    number = len(bounds) // 3
    state = np.zeros(STATE_SIZE, np.int64)
    state[[OPTIONS, PREFERRED, PRIMARY, COUNTED]] = number, preferred, primary, counted
    state[LEARNING] = 1
    return Options(
        bounds=Flat(bounds.astype(np.int32)),
        members=Flat(members.astype(np.int32)),
        ranges=Flat(ranges.astype(np.int32)),
        lists=Flat(lists.astype(np.int32)),
        counts=_zeros(counted),
        marks=Flat(np.zeros(number, np.uint8)),
        weights=Flat(np.ones(primary, np.int64)),
        ease=Flat(np.full(primary, LIGHT, np.int64)),
        # Where something is written that may not stay there is room for one more.
        dropped=_zeros(number + 1),
        taken=_zeros(number),
        choices=_zeros(2 * number),
        agenda=_zeros(counted + 1),
        sample=_zeros(number),
        state=Flat(state),
    )


def _zeros(size: int) -> Flat[int]:
    return Flat(np.zeros(size, np.int32))


def own_search(d: Options) -> Options:
    """The same options with a search of its own."""
    return Options(*d[:4], *[Flat(field.array.copy()) for field in d[4:]])


@kernel
def reset(d: Options) -> None:
    """Make all options open, and forget what was learnt."""
    for option in range(d.state[OPTIONS]):
        d.marks[option] = OPEN
    for i in range(d.state[PRIMARY]):
        d.weights[i] = 1
        d.ease[i] = LIGHT


@kernel
def sweep(d: Options, x: int, level: int) -> int:
    """Mark the open options of a group as gone and list them as dropped; gives how many are then.

    A taken one among them is a dead end.
    """
    seen = 0
    # No branch: a processor that guesses which options are open is wrong too often.
    for k in range(d.ranges[2 * x], d.ranges[2 * x + 1]):
        option = d.lists[k]
        mark = d.marks[option]
        d.dropped[level] = option
        level += mark == OPEN
        d.marks[option] = mark | GONE
        seen |= mark
    if seen == TAKEN:
        d.state[LOST] = 1
    return level


@kernel
def count_down(d: Options, stop: int) -> None:
    """Drop the options that are listed so, up to `stop`, or to a dead end."""
    state = d.state
    first, pending = state[DROPS], state[PENDING]
    for level in range(first, stop):
        option = d.dropped[level]
        lost = -1
        for k in range(d.bounds[3 * option + 1], d.bounds[3 * option + 3]):
            x = d.members[k]
            left = d.counts[x] - 1
            d.counts[x] = left
            d.agenda[pending] = x
            pending += left == 1
            lost = x if left == 0 else lost
        if lost >= 0:
            d.weights[lost] += state[LEARNING]
            d.ease[lost] = LIGHT // d.weights[lost]
            state[LOST] = 1
            for later in range(level + 1, stop):
                d.marks[d.dropped[later]] = OPEN
            stop = level + 1
            break
    state[DROPS] = stop
    state[PENDING] = pending
    state[UPDATES] += stop - first


@kernel
def drop(d: Options, option: int) -> None:
    """Give up an open option."""
    level = d.state[DROPS]
    d.marks[option] = GONE
    d.dropped[level] = option
    count_down(d, level + 1)


@kernel
def rule_out(d: Options, x: int) -> None:
    """Drop all open options of a group."""
    count_down(d, sweep(d, x, d.state[DROPS]))


@kernel
def take(d: Options, option: int) -> None:
    """Take an open option, and drop what it rules out."""
    state = d.state
    d.taken[state[TAKES]] = option
    state[TAKES] += 1
    state[NODES] += 1
    level = state[DROPS]
    d.marks[option] = GONE  # it does not rule out itself
    for k in range(d.bounds[3 * option], d.bounds[3 * option + 1]):
        level = sweep(d, d.members[k], level)
    for k in range(d.bounds[3 * option + 1], d.bounds[3 * option + 2]):
        i = d.members[k]
        left = d.counts[i]
        d.counts[i] = left + COVERED
        if left > 1:
            level = sweep(d, i, level)
    d.marks[option] = TAKEN
    count_down(d, level)


@kernel
def undo(d: Options, drops: int, takes: int) -> None:
    """Go back to where so many options were dropped and taken."""
    for level in range(drops, d.state[DROPS]):
        option = d.dropped[level]
        d.marks[option] = OPEN
        for k in range(d.bounds[3 * option + 1], d.bounds[3 * option + 3]):
            d.counts[d.members[k]] += 1
    for level in range(takes, d.state[TAKES]):
        option = d.taken[level]
        d.marks[option] = OPEN
        for k in range(d.bounds[3 * option + 1], d.bounds[3 * option + 2]):
            d.counts[d.members[k]] -= COVERED
    d.state[DROPS] = drops
    d.state[TAKES] = takes


@kernel
def give(d: Options, option: int) -> None:
    """Take an option before anything is counted."""
    state = d.state
    if d.marks[option] != OPEN:
        state[LOST] = 1
        return
    d.taken[state[TAKES]] = option
    state[TAKES] += 1
    for k in range(d.bounds[3 * option], d.bounds[3 * option + 2]):
        sweep(d, d.members[k], 0)
    d.marks[option] = TAKEN


@kernel
def count(d: Options) -> None:
    """Count all that is counted, from the options that are open or taken."""
    state = d.state
    for x in range(state[COUNTED]):
        d.counts[x] = x >= state[PRIMARY]
    # The open ones are listed where nothing is as yet.
    number = 0
    for option in range(state[OPTIONS]):
        d.dropped[number] = option
        number += d.marks[option] == OPEN
    for level in range(number):
        option = d.dropped[level]
        for k in range(d.bounds[3 * option + 1], d.bounds[3 * option + 3]):
            d.counts[d.members[k]] += 1
    for level in range(state[TAKES]):
        option = d.taken[level]
        for k in range(d.bounds[3 * option + 1], d.bounds[3 * option + 2]):
            d.counts[d.members[k]] += COVERED
        for k in range(d.bounds[3 * option + 2], d.bounds[3 * option + 3]):
            d.counts[d.members[k]] += 1
    pending = 0
    for x in range(state[COUNTED]):
        d.agenda[pending] = x
        pending += d.counts[x] == 1
        state[LOST] |= d.counts[x] == 0
    state[PENDING] = pending
