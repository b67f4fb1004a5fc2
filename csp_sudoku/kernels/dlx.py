"""Exact cover with colours by dancing links: Knuth's Algorithm C, with more drawn from the lists.

D. E. Knuth, *The Art of Computer Programming*, volume 4B, section 7.2.2.1. What differs, besides
what :mod:`csp_sudoku.kernels.links` says:

- An item with one option left takes it before any choice is made.
- If all options left of an item have another item in common, in one colour if it is coloured, then
  that item is theirs: its other options are dropped. In Sudoku these are locked candidates. This is
  done until the first choice; below, it costs more than it saves.
- The choice is Knuth's (MRV), ties go to the item that was a dead end most often: a third of the
  nodes on hard puzzles.
- After an option was tried it is dropped, and the choice is made anew.
- All state lies in arrays that the caller owns, so that a search can stop after a budget of nodes
  and go on later, and pass over many solutions in one call.
- Options may be given: they are taken before the search, and it never goes back behind them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from csp_encodings.exact_cover import ExactCover
from csp_encodings.jit import kernel
from csp_sudoku.kernels.flat import Flat
from csp_sudoku.kernels.links import (
    COVERED,
    LOST,
    UNITS,
    Ints,
    Links,
    drop,
    left,
    right,
    take,
    undrop,
    untake,
)

# Why a search came back
DONE, FOUND, SPENT = 0, 1, 2

# What was done to an option of the trail
GIVEN, CHOSEN, FORCED, DROPPED = 0, 1, 2, 3

# The places of the state of a search
LEVEL = 0  # how long the trail is
FORWARD = 1  # 1 to go on from here, 0 to go back
NODES = 2  # how often an option was taken
SOLUTIONS = 3  # how often no item was left
SAMPLED = 4  # how many options the last sample has
PREFERRED = 5  # how many items are preferred
PRIMARY = 6  # how many items are primary
DEPTH = 7  # how many of the options that are taken were chosen
STATE_SIZE = 8

# Marks of items hold a colour and how many options have the item in that colour.
_MARK = 1 << 10


class Run(NamedTuple):
    """Where a search stands.

    Attributes
    ----------
    trail, deeds
        A node of each option that was taken or dropped, in order, and which of the two and why.
    sample
        The options of the first solution of the last call that found one.
    marks
        A 0 for each item, to count in.
    state
        Counters; their places are constants of this module.
    """

    trail: Flat[int]
    deeds: Flat[int]
    sample: Flat[int]
    marks: Flat[int]
    state: Flat[int]


def new_run(cover: ExactCover) -> Run:
    """A search that has not begun."""
    state = np.zeros(STATE_SIZE, np.int64)
    state[PREFERRED], state[PRIMARY] = cover.preferred, cover.primary
    options = len(cover.meanings)
    return Run(
        Flat(np.zeros(options, np.int32)),
        Flat(np.zeros(options, np.uint8)),
        Flat(np.zeros(cover.primary, np.int32)),
        Flat(np.zeros(len(cover.items) + 1, np.int32)),
        Flat(state),
    )


@kernel
def push(run: Run, x: int, deed: int) -> None:
    """Write down what was done to the option of `x`."""
    level = run.state[LEVEL]
    run.trail[level] = x
    run.deeds[level] = deed
    run.state[LEVEL] = level + 1


@kernel
def choose(links: Links, run: Run) -> int:
    """The primary item with the fewest options (MRV); 0 if all are covered.

    As long as a preferred item is left, the others do not count: the "sharp preference" of Knuth's
    exercise 10.
    """
    best = fewest_options(links, 1, run.state[PREFERRED])
    return best or fewest_options(links, run.state[PREFERRED] + 1, run.state[PRIMARY])


@kernel
def fewest_options(links: Links, first: int, last: int) -> int:
    """Of primary items in a row, the one with the fewest options; ties as said above."""
    best, fewest, heaviest = 0, COVERED, 0
    for i in range(first, last + 1):
        length = links.length[i]
        if length < fewest or (length == fewest and links.weight[i] > heaviest):
            best, fewest, heaviest = i, length, links.weight[i]
    return best


@kernel
def propagate(links: Links, run: Run) -> bool:
    """Take what is the only option of an item, and drop what :func:`claim` finds.

    Gives False at a dead end.
    """
    units, notes, shrunk = links.units, links.notes, links.shrunk
    while True:
        while notes[UNITS] > 0 and notes[LOST] == 0:
            notes[UNITS] -= 1
            i = units[notes[UNITS]]
            if links.length[i] == 1:
                run.state[NODES] += 1
                x = links.dlink[i]
                if take(links, x):
                    push(run, x, FORCED)
        if notes[LOST]:
            return False
        if run.state[DEPTH] > 0:
            return True
        for i in range(1, run.state[PRIMARY] + 1):
            if shrunk[i]:
                shrunk[i] = 0
                if links.length[i] <= links.short[i]:
                    claim(links, run, i)
                    if notes[LOST]:
                        return False
                    if notes[UNITS] > 0:
                        break
        if notes[UNITS] == 0:
            return True


@kernel
def claim(links: Links, run: Run, i: int) -> None:
    """Drop the other options of an item that all options left of `i` have in common."""
    top, color, dlink, marks = links.top, links.color, links.dlink, run.marks
    first = dlink[i]
    p = first
    count = 0
    while p != i:
        q = right(links, p)
        while q != p:
            x, mark = top[q], color[q] * _MARK + count
            if color[q] >= 0 and (count == 0 or marks[x] == mark):
                marks[x] = mark + 1
            q = right(links, q)
        count += 1
        p = dlink[p]
    q = right(links, first)
    while q != first:
        x, c = top[q], color[q]
        if c >= 0:
            if marks[x] == c * _MARK + count:
                p = dlink[x]
                while p != x and links.notes[LOST] == 0:
                    if (c > 0 and color[p] != c) or (c == 0 and not has_item(links, p, i)):
                        drop(links, p)
                        push(run, p, DROPPED)
                    p = dlink[p]
            marks[x] = 0
        q = right(links, q)


@kernel
def has_item(links: Links, p: int, i: int) -> bool:
    """Whether the option of `p` has the item, which is not that of `p`."""
    q = right(links, p)
    while q != p:
        if links.top[q] == i:
            return True
        q = right(links, q)
    return False


@kernel
def go_back(links: Links, run: Run) -> bool:
    """Undo all up to the last choice, and drop its option; False if there was none."""
    links.notes[LOST] = links.notes[UNITS] = 0
    while run.state[LEVEL] > 0:
        level = run.state[LEVEL] - 1
        x, deed = run.trail[level], run.deeds[level]
        if deed == GIVEN:
            return False
        run.state[LEVEL] = level
        if deed == DROPPED:
            undrop(links, x)
        else:
            untake(links, x, left(links, x))
        if deed == CHOSEN:
            run.state[DEPTH] -= 1
            drop(links, x)
            push(run, x, DROPPED)
            return True
    return False


@kernel
def write_sample(links: Links, run: Run) -> None:
    """Note the numbers of the options that are taken."""
    taken = 0
    for level in range(run.state[LEVEL]):
        if run.deeds[level] != DROPPED:
            p = run.trail[level]
            while links.top[p] != 0:
                p += 1
            run.sample[taken] = links.color[p]
            taken += 1
    run.state[SAMPLED] = taken


@kernel
def search(links: Links, run: Run, wanted: int, budget: int) -> int:
    """Go on until `wanted` more solutions are found, or `budget` more options taken.

    Returns
    -------
    DONE, FOUND or SPENT. After DONE there is nothing more to find.
    """
    state = run.state
    stop = state[NODES] + budget
    solutions = 0
    while True:
        if not state[FORWARD]:
            if not go_back(links, run):
                return DONE
            state[FORWARD] = 1
        if not propagate(links, run):
            state[FORWARD] = 0
            continue
        i = choose(links, run)
        if i == 0:
            if solutions == 0:
                write_sample(links, run)
            solutions += 1
            state[SOLUTIONS] += 1
            state[FORWARD] = 0
            if solutions == wanted:
                return FOUND
            continue
        if state[NODES] >= stop:
            return SPENT
        state[NODES] += 1
        x = links.dlink[i]
        if take(links, x):
            push(run, x, CHOSEN)
            state[DEPTH] += 1
        else:
            links.notes[LOST] = links.notes[UNITS] = 0
            drop(links, x)
            push(run, x, DROPPED)


@kernel
def give(links: Links, run: Run, x: int) -> bool:
    """Take a given option, `x` its first node; False if it clashes with one before it."""
    color, primary = links.color, run.state[PRIMARY]
    p = x
    while links.top[p] != 0:
        i = links.top[p]
        if color[p] > 0:
            if color[i] != 0:
                return False
        elif links.length[i] >= (COVERED if i <= primary else 2 * COVERED):
            return False
        p += 1
    if not take(links, x):
        return False
    push(run, x, GIVEN)
    links.notes[UNITS] = 0
    return True


@kernel
def begin(links: Links, run: Run, given: Ints, start: int, stop: int) -> None:
    """Begin a search with given options: their first nodes, or 0, are `given[start:stop]`."""
    state, notes = run.state, links.notes
    state[LEVEL] = state[FORWARD] = state[DEPTH] = notes[LOST] = notes[UNITS] = 0
    for k in range(start, stop):
        if given[k] != 0 and not give(links, run, given[k]):
            return
    for i in range(1, state[PRIMARY] + 1):
        left_over = links.length[i]
        if left_over == 0:
            return
        links.shrunk[i] = left_over <= links.short[i]
        if left_over == 1:
            links.units[notes[UNITS]] = i
            notes[UNITS] += 1
    state[FORWARD] = 1


@kernel
def remove(links: Links, removed: Ints) -> None:
    """Take options out for good, before a search begins; they are named by their first nodes."""
    for k in range(len(removed)):
        drop(links, removed[k])
        links.notes[UNITS] = 0
