"""Exact cover with colours by dancing links: Knuth's Algorithm C, as a machine that can be resumed.

D. E. Knuth, *The Art of Computer Programming*, volume 4B, section 7.2.2.1. The names of the links
and of the operations, and the steps C1 to C8, are his, and so is the choice of the item (MRV, ties
to the first). What differs:

- All state lies in arrays that the caller owns, so that a search can stop after a budget of nodes
  and go on later, and pass over many solutions in one call.
- Options may be given: they are committed before the search, on levels that it never leaves.
- Items have no LLINK and RLINK. An item that is covered has COVERED added to its LEN, and the
  choice reads the LEN of all primary items in a row: many times as fast as following links.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csp_encodings.jit import kernel

# Nodes are unsigned: that a signed index may count from the end costs Numba a branch each time.
Node: TypeAlias = np.uint32
Nodes: TypeAlias = NDArray[np.uint32]
Ints: TypeAlias = NDArray[np.int32]
Counters: TypeAlias = NDArray[np.int64]

ONE = np.uint32(1)
COVERED = np.int32(1 << 30)

# Why a search came back
DONE, FOUND, SPENT = 0, 1, 2

# The places of the state of a search
LEVEL = 0  # l, how many options are chosen
FLOOR = 1  # how many of them were given
FORWARD = 2  # 1 where the next step is C2, 0 where it is C8
NODES = 3  # how often an item was chosen (C3)
UPDATES = 4  # how many nodes and items were taken out of their lists
SOLUTIONS = 5  # how often no item was left (C2)
SAMPLED = 6  # how many options the last sample has
ROW = 7  # in a batch, the row that is under way
PREFERRED = 8  # how many items are preferred
STATE_SIZE = 9


class Links(NamedTuple):
    """The dancing links.

    Node 0 is left out (Knuth's root), 1 to N are the items, the primary ones first. Then come the
    options, with a spacer before the first and after each.

    Attributes
    ----------
    top
        TOP: the item of a node; 0 in a spacer.
    color
        COLOR: of a node, 0 for none, -1 while its item is purified to its colour. Of an item, the
        colour it was purified to, or -1 if a given covered it. In a spacer, the number of the
        option before it.
    ulink, dlink
        ULINK, DLINK: the circular list of an item and its nodes. In a spacer, the first node of the
        option before it and the last node of the option after it.
    length
        LEN: how many nodes the list of an item has, plus COVERED if it is covered.
    """

    top: Nodes
    color: Ints
    ulink: Nodes
    dlink: Nodes
    length: Ints


class Run(NamedTuple):
    """Where a search stands.

    Attributes
    ----------
    trail
        x_0, x_1, …: a node of each chosen option. As long as there are primary items.
    sample
        As long as `trail`: the options of the first solution of the last call that found one.
    state
        Counters; their places are constants of this module.
    """

    trail: Nodes
    sample: Ints
    state: Counters


class Batch(NamedTuple):
    """Many searches with the same links, a row each.

    Attributes
    ----------
    template
        The links as they are before a search.
    given
        For each row, the first nodes of its given options; 0 for none.
    column
        The place of an option in the row of a solution, or -1.
    solutions
        Rows as long as those of `given`; each gets the options of its first solution.
    counts
        How many solutions each row has, up to the limit; -1 before its search.
    """

    template: Links
    given: Nodes
    column: Ints
    solutions: Ints
    counts: Counters


def link(
    items: int, starts: Ints, members: Ints, colours: Ints, order: Ints
) -> tuple[Links, Nodes]:
    """C1: set the links up, with the options in the given order; gives their first nodes, too.

    Parameters
    ----------
    items
        How many there are.
    starts, members, colours
        The options, as in :class:`csp_encodings.exact_cover.ExactCover`.
    order
        The numbers of all options, in the order in which they are tried.
    """
    sizes = np.diff(starts)[order]
    spacers = items + 1 + np.cumsum([0, *(sizes + 1)])
    nodes = np.setdiff1d(np.arange(items + 1, spacers[-1] + 1), spacers, assume_unique=True)
    # Where the members of the options begin, and where in the order they are asked for.
    moved = starts[:-1][order] - np.cumsum([0, *sizes])[:-1]
    source = np.arange(len(members)) + np.repeat(moved, sizes)
    top, color, ulink, dlink = np.zeros((4, spacers[-1] + 1), np.int32)
    top[nodes] = members[source] + 1
    color[nodes] = colours[source]
    color[spacers[1:]] = order
    ulink[spacers[1:]] = spacers[:-1] + 1
    dlink[spacers[:-1]] = spacers[1:] - 1
    # Sorted by item, stably: each item, then its nodes from top to bottom.
    headers = np.arange(1, items + 1)
    ring = np.concatenate([headers, nodes])
    ring = ring[np.argsort(np.concatenate([headers, top[nodes]]), kind="stable")]
    length = np.bincount(top[nodes], minlength=items + 1)
    below = np.roll(ring, -1)
    below[np.cumsum(length[1:] + 1) - 1] = headers
    dlink[ring] = below
    ulink[below] = ring
    first = np.zeros(len(order), np.uint32)
    first[order] = spacers[:-1] + 1
    links = Links(
        top.astype(np.uint32),
        color,
        ulink.astype(np.uint32),
        dlink.astype(np.uint32),
        length.astype(np.int32),
    )
    return links, first


def copy(links: Links) -> Links:
    """Links of one's own; TOP never changes."""
    return Links(
        links.top,
        links.color.copy(),
        links.ulink.copy(),
        links.dlink.copy(),
        links.length.copy(),
    )


def new_run(preferred: int, primary: int) -> Run:
    """A search that has not begun, for that many preferred and primary items."""
    state = np.zeros(STATE_SIZE, np.int64)
    state[PREFERRED] = preferred
    return Run(np.zeros(primary, np.uint32), np.zeros(primary, np.int32), state)


@kernel
def hide(links: Links, p: Node) -> int:
    """Take the other nodes of the option of `p` out of their lists; gives how many there were."""
    top, color, ulink, dlink = links.top, links.color, links.ulink, links.dlink
    updates = 0
    q = p + ONE
    while q != p:
        x = top[q]
        if x == 0:
            q = ulink[q]
        else:
            if color[q] >= 0:
                u, d = ulink[q], dlink[q]
                dlink[u], ulink[d] = d, u
                links.length[x] -= 1
                updates += 1
            q += ONE
    return updates


@kernel
def unhide(links: Links, p: Node) -> None:
    """Undo `hide`."""
    top, color, ulink, dlink = links.top, links.color, links.ulink, links.dlink
    q = p - ONE
    while q != p:
        x = top[q]
        if x == 0:
            q = dlink[q]
        else:
            if color[q] >= 0:
                u, d = ulink[q], dlink[q]
                dlink[u] = ulink[d] = q
                links.length[x] += 1
            q -= ONE


@kernel
def cover(links: Links, i: Node) -> int:
    """Take an item out, and hide its options."""
    updates = 1
    p = links.dlink[i]
    while p != i:
        updates += hide(links, p)
        p = links.dlink[p]
    links.length[i] += COVERED
    return updates


@kernel
def uncover(links: Links, i: Node) -> None:
    """Undo `cover`."""
    links.length[i] -= COVERED
    p = links.ulink[i]
    while p != i:
        unhide(links, p)
        p = links.ulink[p]


@kernel
def purify(links: Links, p: Node) -> int:
    """Give the item of `p` its colour: hide the options with another, mark those with the same."""
    color, dlink = links.color, links.dlink
    updates = 0
    c, i = color[p], links.top[p]
    color[i] = c
    q = dlink[i]
    while q != i:
        if color[q] == c:
            color[q] = -1
        else:
            updates += hide(links, q)
        q = dlink[q]
    return updates


@kernel
def unpurify(links: Links, p: Node) -> None:
    """Undo `purify`."""
    color, ulink = links.color, links.ulink
    c, i = color[p], links.top[p]
    q = ulink[i]
    while q != i:
        if color[q] < 0:
            color[q] = c
        else:
            unhide(links, q)
        q = ulink[q]


@kernel
def commit(links: Links, x: Node) -> int:
    """Cover or purify the other items of the option of `x`, from left to right."""
    top, color = links.top, links.color
    updates = 0
    p = x + ONE
    while p != x:
        j = top[p]
        if j == 0:
            p = links.ulink[p]
        else:
            if color[p] == 0:
                updates += cover(links, j)
            elif color[p] > 0:
                updates += purify(links, p)
            p += ONE
    return updates


@kernel
def uncommit(links: Links, x: Node) -> None:
    """Undo `commit`, from right to left."""
    top, color = links.top, links.color
    p = x - ONE
    while p != x:
        j = top[p]
        if j == 0:
            p = links.dlink[p]
        else:
            if color[p] == 0:
                uncover(links, j)
            elif color[p] > 0:
                unpurify(links, p)
            p -= ONE


@kernel
def choose(links: Links, preferred: int, primary: int) -> Node:
    """The first of the primary items with the fewest options (MRV); 0 if all are covered.

    As long as a preferred item is left, the others count only if they have one option or none: the
    "sharp preference" of Knuth's exercise 10.
    """
    length = links.length
    best, fewest = 0, COVERED
    for i in range(1, preferred + 1):
        if length[i] < fewest:
            best, fewest = i, length[i]
    if best != 0:
        fewest = min(fewest, np.int32(2))
    for i in range(preferred + 1, primary + 1):
        if length[i] < fewest:
            best, fewest = i, length[i]
    return np.uint32(best)


@kernel
def search(links: Links, run: Run, wanted: int, budget: int) -> int:
    """Go on until `wanted` more solutions are found, or `budget` more nodes visited.

    Returns
    -------
    DONE, FOUND or SPENT. After DONE there is nothing more to find.
    """
    top, dlink = links.top, links.dlink
    trail, state = run.trail, run.state
    level, floor, forward = state[LEVEL], state[FLOOR], state[FORWARD]
    nodes = updates = solutions = 0
    while True:
        if forward:  # C2, enter level l
            i = choose(links, state[PREFERRED], len(trail))  # C3, choose i
            if i == 0:
                if solutions == 0:
                    state[SAMPLED] = level
                    for k in range(level):
                        p = trail[k] + ONE
                        while top[p] != 0:
                            p += ONE
                        run.sample[k] = links.color[p]
                solutions += 1
                forward = 0
                if solutions == wanted:
                    status = FOUND
                    break
                continue
            if nodes == budget:
                status = SPENT
                break
            nodes += 1
            updates += cover(links, i)  # C4, cover i
            x = dlink[i]
        else:  # C8, leave level l
            if level == floor:
                status = DONE
                break
            level -= 1
            x = trail[level]  # C6, try again
            uncommit(links, x)
            i = top[x]
            x = dlink[x]
        trail[level] = x
        if x == i:  # C7, backtrack
            uncover(links, i)
            forward = 0
        else:  # C5, try x_l
            updates += commit(links, x)
            level += 1
            forward = 1
    state[LEVEL], state[FORWARD] = level, forward
    state[NODES] += nodes
    state[UPDATES] += updates
    state[SOLUTIONS] += solutions
    return status


@kernel
def give(links: Links, x: Node) -> bool:
    """C4 and C5 for a given option, `x` its first node; False if it clashes with one before it."""
    top, color = links.top, links.color
    p = x - ONE
    while True:
        p += ONE
        j = top[p]
        if j == 0:
            return True
        if color[p] == 0:
            if color[j] != 0:  # covered twice
                return False
            cover(links, j)
            color[j] = -1
        elif color[p] > 0:
            if color[j] == 0:
                purify(links, p)
            elif color[j] != color[p]:
                return False


@kernel
def begin(links: Links, run: Run, given: Nodes, start: int, stop: int) -> None:
    """Begin a search with given options: their first nodes, or 0, are `given[start:stop]`."""
    level = 0
    forward = 1
    for k in range(start, stop):
        if given[k] != 0:
            if not give(links, given[k]):
                forward = 0  # from the floor, that is: done
                break
            run.trail[level] = given[k]
            level += 1
    run.state[LEVEL] = run.state[FLOOR] = level
    run.state[FORWARD] = forward


@kernel
def remove(links: Links, removed: Nodes) -> None:
    """Take options out for good, before a search begins; they are named by their first nodes."""
    for k in range(len(removed)):
        x = removed[k]
        hide(links, x)
        u, d = links.ulink[x], links.dlink[x]
        links.dlink[u], links.ulink[d] = d, u
        links.length[links.top[x]] -= 1


@kernel
def restore(links: Links, template: Links) -> None:
    """Undo all that was done to a copy of the template."""
    for p in range(len(template.top)):
        links.color[p] = template.color[p]
        links.ulink[p] = template.ulink[p]
        links.dlink[p] = template.dlink[p]
    for i in range(len(template.length)):
        links.length[i] = template.length[i]


@kernel
def solve_many(links: Links, run: Run, batch: Batch, limit: int, budget: int) -> int:
    """Go on with a batch, on links that are a copy of its template.

    Returns
    -------
    DONE or SPENT: then ``state[ROW]`` is the row where to go on.
    """
    counts, column, sample, state = batch.counts, batch.column, run.sample, run.state
    rows = len(counts)
    width = len(batch.given) // max(rows, 1)
    while state[ROW] < rows:
        row = state[ROW]
        start = row * width
        if counts[row] < 0:
            counts[row] = 0
            restore(links, batch.template)
            begin(links, run, batch.given, start, start + width)
            budget -= state[LEVEL] + 1  # a given costs about as much as a node
        nodes, solutions = state[NODES], state[SOLUTIONS]
        status = search(links, run, limit - counts[row], max(budget, 0))
        budget -= state[NODES] - nodes
        if counts[row] == 0 and state[SOLUTIONS] > solutions:
            for k in range(state[SAMPLED]):
                if column[sample[k]] >= 0:
                    batch.solutions[start + column[sample[k]]] = sample[k]
        counts[row] += state[SOLUTIONS] - solutions
        if status == SPENT:
            return SPENT
        state[ROW] += 1
    return DONE
