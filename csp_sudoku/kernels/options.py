"""The options of an exact cover problem: how they are taken, dropped, and brought back.

D. E. Knuth, *The Art of Computer Programming*, volume 4B, section 7.2.2.1, has the problem and the
words; his "dancing cells" (2023) showed that nothing need be linked. Here the lists of options do
not change at all: what dances are marks of the options and counts of the groups
(:mod:`csp_sudoku.kernels.groups` says what these are). That is several numbers less to write for
every option that goes, and for every option that comes back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from csp_encodings.jit import constant, kernel, subroutine

Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]

# A mark is made by setting bits.
OPEN, GONE, TAKEN = 0, 1, 3

COVERED = 1 << 28

LIGHT = 1 << 28

_FIRST = constant(0)


class Groups(NamedTuple):
    """The groups of options in a problem.

    Attributes
    ----------
    first_taken, first_primary, first_support
        For each option, where its members of three kinds begin: groups that it takes, primary items
        and supports. They end where those of the next kind begin, the supports where the next
        option has its first member. An option is counted in primary items and supports.
    member
        The members, which are groups. The primary items are the first groups, supports come next.
    list_start, list_end
        For each group, where its list of options begins and ends.
    listed
        The options of the lists.
    """

    first_taken: Ints
    first_primary: Ints
    first_support: Ints
    member: Ints
    list_start: Ints
    list_end: Ints
    listed: Ints


class Choice:
    """A choice of the search.

    Attributes
    ----------
    item, place
        The item, and where the option is in the lists.
    drops, takes
        How many options were dropped and taken before.
    """

    item: int
    place: int
    drops: int
    takes: int


_CHOICE = np.dtype([(name, np.int64) for name in ("item", "place", "drops", "takes")])


@dataclass
class Options:
    """The options of a problem in a search: what is taken and dropped, and what is left.

    Attributes
    ----------
    mark
        For each option, whether it is OPEN, GONE or TAKEN.
    count
        For each primary item, how many options it has left, plus COVERED once one of them is taken.
        For each support, one more than it counts: either has to be looked at when it comes to one.
    weight
        For each primary item, how often it had no option left, and one.
    ease
        For each primary item, LIGHT divided by its weight.
    dropped, taken
        The options that are dropped and taken, in this order; `drops` and `takes` is how many.
    choices
        The choices that led here, up to `depth`.
    agenda
        A stack of groups that came to one; `pending` is its height.
    sample
        The options of a solution; `sampled` is how many.
    options, preferred, primary, counted
        How many options there are; items that are preferred, which come first; primary items; and
        groups that are counted.
    by_item
        1 to branch as Algorithm C does, see :mod:`csp_sudoku.kernels.dlx`.
    learning
        How much weight an item gains at a dead end.
    lost
        1 at a dead end.
    forward
        1 to go on from here, 0 to go back.
    row, begun
        The row of a batch that is searched, and whether that has begun.
    nodes, updates, solutions
        How often an option was taken, an option was dropped, and no item was left.
    """

    mark: NDArray[np.uint8]
    count: Ints
    weight: Longs
    ease: Longs
    dropped: Ints
    taken: Ints
    choices: Sequence[Choice]
    agenda: Ints
    sample: Ints
    # Sizes and settings
    options: int
    preferred: int
    primary: int
    counted: int
    by_item: int = 0
    learning: int = 1
    # Where the search stands
    drops: int = 0
    takes: int = 0
    depth: int = 0
    pending: int = 0
    lost: int = 0
    forward: int = 0
    sampled: int = 0
    row: int = 0
    begun: int = 0
    # What it has done
    nodes: int = 0
    updates: int = 0
    solutions: int = 0


def new_options(*, options: int, preferred: int, primary: int, counted: int) -> Options:
    """Return the options of a search that has not begun."""
    return Options(
        mark=np.zeros(options, np.uint8),
        count=_ints(counted),
        weight=np.ones(primary, np.int64),
        ease=np.full(primary, LIGHT, np.int64),
        # Where something is written that may not stay, there is room for one more.
        dropped=_ints(options + 1),
        taken=_ints(options),
        choices=cast(Sequence[Choice], np.zeros(options, _CHOICE)),
        agenda=_ints(counted + 1),
        sample=_ints(options),
        options=options,
        preferred=preferred,
        primary=primary,
        counted=counted,
    )


def _ints(size: int) -> Ints:
    return np.zeros(size, np.int32)


@subroutine
def reset(d: Options) -> None:
    """Make all options open, and forget what was learnt."""
    for option in range(d.options):
        d.mark[option] = OPEN
    for i in range(d.primary):
        d.weight[i] = 1
        d.ease[i] = LIGHT


@subroutine
def sweep(g: Groups, d: Options, group: int, level: int) -> int:
    """Mark the open options of a group as gone and list them as dropped, from `level` on.

    Returns where the list of the dropped ends then. A taken option among them is a dead end.
    """
    seen = 0
    # No branch: a processor that guesses which options are open is wrong too often.
    for k in range(g.list_start[group], g.list_end[group]):
        option = g.listed[k]
        mark = d.mark[option]
        d.dropped[level] = option
        level += mark == OPEN
        d.mark[option] = mark | GONE
        seen |= mark
    if seen == TAKEN:
        d.lost = 1
    return level


@subroutine
def count_down(g: Groups, d: Options, stop: int) -> None:
    """Drop the options that are listed so, up to `stop`, or to a dead end."""
    first, pending = d.drops, d.pending
    for level in range(first, stop):
        option = d.dropped[level]
        lost = -1
        for k in range(g.first_primary[option], g.first_taken[option + 1]):
            group = g.member[k]
            left = d.count[group] - 1
            d.count[group] = left
            d.agenda[pending] = group
            pending += left == 1
            lost = group if left == 0 else lost
        if lost >= 0:
            d.weight[lost] += d.learning
            d.ease[lost] = LIGHT // d.weight[lost]
            d.lost = 1
            for later in range(level + 1, stop):
                d.mark[d.dropped[later]] = OPEN
            stop = level + 1
            break
    d.drops = stop
    d.pending = pending
    d.updates += stop - first


@subroutine
def drop(g: Groups, d: Options, option: int) -> None:
    """Give up an open option."""
    d.mark[option] = GONE
    d.dropped[d.drops] = option
    count_down(g, d, d.drops + 1)


@subroutine
def rule_out(g: Groups, d: Options, group: int) -> None:
    """Drop all open options of a group."""
    count_down(g, d, sweep(g, d, group, d.drops))


@kernel
def take(g: Groups, d: Options, option: int) -> None:
    """Take an open option, and drop what it rules out."""
    d.taken[d.takes] = option
    d.takes += 1
    d.nodes += 1
    level = d.drops
    d.mark[option] = GONE  # it does not rule out itself
    for k in range(g.first_taken[option], g.first_primary[option]):
        level = sweep(g, d, g.member[k], level)
    for k in range(g.first_primary[option], g.first_support[option]):
        item = g.member[k]
        left = d.count[item]
        d.count[item] = left + COVERED
        if left > 1:
            level = sweep(g, d, item, level)
    d.mark[option] = TAKEN
    count_down(g, d, level)


@kernel
def undo(g: Groups, d: Options, drops: int, takes: int) -> None:
    """Go back to where this many options were dropped and taken."""
    for level in range(drops, d.drops):
        option = d.dropped[level]
        d.mark[option] = OPEN
        for k in range(g.first_primary[option], g.first_taken[option + 1]):
            d.count[g.member[k]] += 1
    for level in range(takes, d.takes):
        option = d.taken[level]
        d.mark[option] = OPEN
        for k in range(g.first_primary[option], g.first_support[option]):
            d.count[g.member[k]] -= COVERED
    d.drops = drops
    d.takes = takes


@subroutine
def give(g: Groups, d: Options, option: int) -> None:
    """Take an option before anything is counted."""
    if d.mark[option] != OPEN:
        d.lost = 1
        return
    d.taken[d.takes] = option
    d.takes += 1
    for k in range(g.first_taken[option], g.first_support[option]):
        sweep(g, d, g.member[k], _FIRST)
    d.mark[option] = TAKEN


@subroutine
def count_all(g: Groups, d: Options) -> None:
    """Count all that is counted, from the options that are open or taken."""
    for group in range(d.counted):
        d.count[group] = group >= d.primary
    # The open options are listed where no dropped one is as yet.
    number = 0
    for option in range(d.options):
        d.dropped[number] = option
        number += d.mark[option] == OPEN
    for level in range(number):
        option = d.dropped[level]
        for k in range(g.first_primary[option], g.first_taken[option + 1]):
            d.count[g.member[k]] += 1
    for level in range(d.takes):
        option = d.taken[level]
        for k in range(g.first_primary[option], g.first_support[option]):
            d.count[g.member[k]] += COVERED
        for k in range(g.first_support[option], g.first_taken[option + 1]):
            d.count[g.member[k]] += 1
    pending = 0
    for group in range(d.counted):
        d.agenda[pending] = group
        pending += d.count[group] == 1
        if d.count[group] == 0:
            d.lost = 1
    d.pending = pending
