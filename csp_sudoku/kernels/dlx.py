"""Exact cover with colours, after Knuth's Algorithm C.

D. E. Knuth, *The Art of Computer Programming*, volume 4B, section 7.2.2.1. Algorithm C takes the
item with the fewest options (MRV), tries these one after the other, and goes back. Here the search
can do that, option by option (``by_item``). By default it differs:

- An item with one option left takes it before any choice is made.
- An option that was tried is dropped, and an item is chosen anew: the search branches on "this
  option or not", and not on all options of an item.
- The choice is that of dom/wdeg (F. Boussemart, F. Hemery, C. Lecoutre and L. Sais, 2004): few
  options, divided by how often the item was a dead end. On hard variants that is up to seventy
  times fewer nodes.
- Options that have lost their support are dropped, see :mod:`csp_sudoku.kernels.groups`.

In any case, options may be given: they are taken before the search, and it never goes back behind
them. And all state is in records that the caller owns, so that a search can stop after a budget of
nodes and go on later, and pass over many solutions in one call.
"""

from __future__ import annotations

from csp_encodings.jit import constant, kernel, subroutine
from csp_sudoku.kernels.options import (
    COVERED,
    OPEN,
    Groups,
    Longs,
    Options,
    count_all,
    drop,
    give,
    rule_out,
    take,
    undo,
)

# Why a search came back.
DONE, FOUND, SPENT = range(3)

# What a covered item costs: more than any other.
_NEVER = 1 << 62

_FIRST = constant(0)


@kernel
def choose(d: Options) -> int:
    """The primary item with the fewest options for its weight; -1 if all are covered.

    As long as a preferred item is left, the others do not count unless they have a single option:
    the "sharp preference" of Knuth's exercise 10.
    """
    best = _cheapest(d, _FIRST, d.preferred)
    # If not by item, single options are taken already.
    if best < 0 or (d.by_item and d.count[best] > 1):
        other = _cheapest(d, d.preferred, d.primary)
        if best < 0 or (other >= 0 and d.count[other] == 1):
            return other
    return best


@subroutine
def _cheapest(d: Options, start: int, stop: int) -> int:
    """The first of the cheapest items in a row, or -1."""
    # Two simple loops: the first one becomes vector instructions.
    least = _NEVER
    for item in range(start, stop):
        least = min(least, _cost(d, item))
    if least == _NEVER:
        return -1
    best = start
    while _cost(d, best) != least:
        best += 1
    return best


@subroutine
def _cost(d: Options, item: int) -> int:
    """How many options an item has, divided by its weight."""
    return d.count[item] * d.ease[item] if d.count[item] < COVERED else _NEVER


@subroutine
def _next_open(g: Groups, d: Options, item: int, place: int) -> int:
    """The place of the next open option of an item, this one included; or the end of its list."""
    while place < g.list_end[item] and d.mark[g.listed[place]] != OPEN:
        place += 1
    return place


@kernel
def propagate(g: Groups, d: Options) -> bool:
    """Drop what has no support, and take what is the only option of an item; False at a dead end.

    To branch as Algorithm C does, an only option has to be chosen like any other.
    """
    while d.pending > 0 and d.lost == 0:
        d.pending -= 1
        group = d.agenda[d.pending]
        if group >= d.primary:
            rule_out(g, d, group)
        elif d.count[group] == 1 and not d.by_item:
            take(g, d, g.listed[_next_open(g, d, group, g.list_start[group])])
    return d.lost == 0


@subroutine
def _try(g: Groups, d: Options, item: int, place: int) -> None:
    """Choose an option of an item."""
    choice = d.choices[d.depth]
    choice.item = item
    choice.place = place
    choice.drops = d.drops
    choice.takes = d.takes
    d.depth += 1
    take(g, d, g.listed[place])


@subroutine
def _go_back(g: Groups, d: Options) -> bool:
    """Undo the last choice, and make another one instead; False if there is none."""
    d.lost = 0
    d.pending = 0
    while d.depth > 0:
        d.depth -= 1
        choice = d.choices[d.depth]
        undo(g, d, choice.drops, choice.takes)
        if not d.by_item:
            drop(g, d, g.listed[choice.place])
            return True
        place = _next_open(g, d, choice.item, choice.place + 1)
        if place < g.list_end[choice.item]:
            _try(g, d, choice.item, place)
            return True
    return False


@subroutine
def _write_sample(d: Options) -> None:
    """Note the options that are taken."""
    d.sampled = d.takes
    for k in range(d.takes):
        d.sample[k] = d.taken[k]


@kernel
def search(g: Groups, d: Options, wanted: int, budget: int) -> int:
    """Go on until `wanted` more solutions are found, or `budget` more options taken.

    Returns
    -------
    DONE, FOUND or SPENT. After DONE there is nothing more to find.
    """
    stop = d.nodes + budget
    solutions = 0
    while True:
        if not d.forward:
            if d.nodes >= stop:
                return SPENT
            if not _go_back(g, d):
                return DONE
            d.forward = 1
        if not propagate(g, d):
            d.forward = 0
            continue
        item = choose(d)
        if item < 0:
            if solutions == 0:
                _write_sample(d)
            solutions += 1
            d.solutions += 1
            d.forward = 0
            if solutions == wanted:
                return FOUND
            continue
        if d.nodes >= stop:
            return SPENT
        _try(g, d, item, _next_open(g, d, item, g.list_start[item]))


@kernel
def begin(g: Groups, d: Options, given: Longs) -> None:
    """Begin a search among the open options, with those that are given; -1 is none."""
    d.drops = 0
    d.takes = 0
    d.depth = 0
    d.lost = 0
    d.forward = 1
    for option in given:
        if option >= 0:
            give(g, d, option)
    count_all(g, d)
