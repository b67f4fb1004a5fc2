"""Exact cover with colours: Knuth's Algorithm C, with more drawn from the lists.

D. E. Knuth, *The Art of Computer Programming*, volume 4B, section 7.2.2.1. What differs, besides
what :mod:`csp_sudoku.kernels.groups` says:

- An item with one option left takes it before any choice is made, and what has lost its support is
  dropped.
- The choice is not Knuth's (MRV) but that of dom/wdeg (F. Boussemart, F. Hemery, C. Lecoutre and
  L. Sais, 2004): few options, divided by how often the item was a dead end. On hard variants that
  is up to seventy times fewer nodes.
- After an option was tried it is dropped, and the choice is made anew.
- All state lies in arrays that the caller owns, so that a search can stop after a budget of nodes
  and go on later, and pass over many solutions in one call.
- Options may be given: they are taken before the search, and it never goes back behind them.
"""

from __future__ import annotations

from csp_encodings.jit import kernel, subroutine
from csp_sudoku.kernels.flat import Flat
from csp_sudoku.kernels.options import (
    COVERED,
    DEPTH,
    DROPS,
    FORWARD,
    LOST,
    NODES,
    OPEN,
    PENDING,
    PREFERRED,
    PRIMARY,
    SAMPLED,
    SOLUTIONS,
    TAKES,
    Options,
    count,
    drop,
    give,
    rule_out,
    take,
    undo,
)

# Why a search came back
DONE, FOUND, SPENT = 0, 1, 2

# What a covered item costs: more than any other
_NEVER = 1 << 62


@kernel
def choose(d: Options) -> int:
    """The primary item with the fewest options for its weight; -1 if all are covered.

    As long as a preferred item is left, the others do not count: the "sharp preference" of Knuth's
    exercise 10.
    """
    best = cheapest(d, 0, d.state[PREFERRED])
    return best if best >= 0 else cheapest(d, d.state[PREFERRED], d.state[PRIMARY])


@subroutine
def cheapest(d: Options, start: int, stop: int) -> int:
    """The first of the cheapest items in a row, or -1."""
    # Two simple loops: the first one becomes vector instructions.
    least = _NEVER
    for i in range(start, stop):
        least = min(least, cost(d, i))
    if least == _NEVER:
        return -1
    best = start
    while cost(d, best) != least:
        best += 1
    return best


@subroutine
def cost(d: Options, i: int) -> int:
    """How many options an item has, divided by its weight."""
    return d.counts[i] * d.ease[i] if d.counts[i] < COVERED else _NEVER


@subroutine
def first_open(d: Options, i: int) -> int:
    """The first open option of an item that has one."""
    k = d.ranges[2 * i]
    while d.marks[d.lists[k]] != OPEN:
        k += 1
    return d.lists[k]


@kernel
def propagate(d: Options) -> bool:
    """Take what is the only option of an item, drop what has no support; False at a dead end."""
    state = d.state
    while state[PENDING] > 0 and state[LOST] == 0:
        state[PENDING] -= 1
        x = d.agenda[state[PENDING]]
        if x >= state[PRIMARY]:
            rule_out(d, x)
        elif d.counts[x] == 1:
            take(d, first_open(d, x))
    return state[LOST] == 0


@subroutine
def go_back(d: Options) -> bool:
    """Undo all up to the last choice, and drop its option; False if there was none."""
    state = d.state
    state[LOST] = 0
    state[PENDING] = 0
    if state[DEPTH] == 0:
        return False
    state[DEPTH] -= 1
    takes = d.choices[2 * state[DEPTH] + 1]
    undo(d, d.choices[2 * state[DEPTH]], takes)
    drop(d, d.taken[takes])
    return True


@subroutine
def write_sample(d: Options) -> None:
    """Note the options that are taken."""
    d.state[SAMPLED] = d.state[TAKES]
    for k in range(d.state[TAKES]):
        d.sample[k] = d.taken[k]


@kernel
def search(d: Options, wanted: int, budget: int) -> int:
    """Go on until `wanted` more solutions are found, or `budget` more options taken.

    Returns
    -------
    DONE, FOUND or SPENT. After DONE there is nothing more to find.
    """
    state = d.state
    stop = state[NODES] + budget
    solutions = 0
    while True:
        if not state[FORWARD]:
            if not go_back(d):
                return DONE
            state[FORWARD] = 1
        if not propagate(d):
            state[FORWARD] = 0
            continue
        i = choose(d)
        if i < 0:
            if solutions == 0:
                write_sample(d)
            solutions += 1
            state[SOLUTIONS] += 1
            state[FORWARD] = 0
            if solutions == wanted:
                return FOUND
            continue
        if state[NODES] >= stop:
            return SPENT
        d.choices[2 * state[DEPTH]] = state[DROPS]
        d.choices[2 * state[DEPTH] + 1] = state[TAKES]
        state[DEPTH] += 1
        take(d, first_open(d, i))


@kernel
def begin(d: Options, given: Flat[int], start: int, stop: int) -> None:
    """Begin a search among the open options with `given[start:stop]`, where -1 is none."""
    state = d.state
    state[DROPS] = 0
    state[TAKES] = 0
    state[DEPTH] = 0
    state[LOST] = 0
    state[FORWARD] = 1
    for k in range(start, stop):
        if given[k] >= 0:
            give(d, given[k])
    count(d)
