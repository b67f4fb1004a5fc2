"""Exact cover with colours by dancing links: Knuth's Algorithm C, as a machine that can be resumed.

D. E. Knuth, *The Art of Computer Programming*, volume 4B, section 7.2.2.1. The names of the links and
of the operations, and the steps C1 to C8, are his; so is the choice of the item (MRV, ties to the
first). Each operation returns how many links it took out: his "updates".

Three things are ours. All state lies in arrays that the caller owns, so that a search can stop after
a budget of nodes and go on later. Restrictions are applied to a copy of the arrays: an option that is
given is committed before the search starts, on levels to which it never backtracks. And a search can
pass over many solutions in one call.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csp_sudoku.kernels.jit import kernel

Ints = NDArray[np.int32]

# Why a search came back
DONE, FOUND, SPENT = 0, 1, 2

# The places of a search in its state
LEVEL = 0  # l, how many options are chosen
FLOOR = 1  # how many of them were given
BACKWARD = 2  # 1 where the next step is C8, 0 where it is C2
NODES = 3  # how often an item was chosen (C3)
UPDATES = 4  # how many links were taken out
SOLUTIONS = 5  # how often C2 had no item left
SAMPLED = 6  # how many options the last sample has
STATE_SIZE = 7


class Links(NamedTuple):
    """The dancing links. Node 0 is the root, 1 to N are the items; then come the options, each
    followed by a spacer.

    Attributes
    ----------
    top
        TOP: the item of a node; 0 or less in a spacer, where it is minus the number of the option
        before it.
    color
        COLOR: of a node, 0 for none, -1 once its item was purified to it. Of an item, the colour it
        was purified to; -1 if it was covered by a given.
    ulink, dlink
        ULINK, DLINK: the circular list of an item's nodes; in a spacer, the first node of the option
        before it and the last node of the option after it.
    length
        LEN: how many nodes the list of an item has.
    llink, rlink
        LLINK, RLINK: the circular list of the primary items. A secondary item is alone in its own.
    """

    top: Ints
    color: Ints
    ulink: Ints
    dlink: Ints
    length: Ints
    llink: Ints
    rlink: Ints


def link(primary: int, items: int, starts: Ints, members: Ints, colours: Ints, order: Ints) -> Links:
    """C1: set the links up, with the options in the given order.

    Parameters
    ----------
    primary, items
        How many items are primary, and how many there are.
    starts, members, colours
        The options, as in :class:`csp_encodings.exact_cover.ExactCover`.
    order
        The numbers of all options, in the order in which they are tried.
    """
    sizes = np.diff(starts)[order]
    size = items + 2 + len(members) + len(order)
    spacers = items + 1 + np.concatenate([[0], np.cumsum(sizes + 1)])
    first, last = spacers[:-1] + 1, spacers[1:] - 1
    top, color, ulink, dlink = np.zeros((4, size), np.int32)
    nodes = np.ones(size, np.bool_)
    nodes[: items + 1] = nodes[spacers] = False
    places = np.flatnonzero(nodes)
    # The member at each of these places: those of the first option of the order, of the second, …
    skipped = np.concatenate([[0], np.cumsum(sizes)[:-1]]) if len(order) else sizes
    source = np.repeat(starts[order] - skipped, sizes) + np.arange(len(members))
    top[places] = members[source] + 1
    color[places] = colours[source]
    top[spacers[1:]] = -order
    ulink[spacers[1:]], dlink[spacers[:-1]] = first, last
    # The list of an item is a cycle through itself and its nodes.
    headers = np.arange(1, items + 1)
    ring = np.concatenate([headers, places])
    owner = np.concatenate([headers, top[places]])
    ring = ring[np.argsort(owner, kind="stable")]
    length = np.bincount(top[places], minlength=items + 1).astype(np.int32)
    ends = np.cumsum(length[1:] + 1)
    below = np.roll(ring, -1)
    below[ends - 1] = headers
    dlink[ring] = below
    ulink[below] = ring
    llink, rlink = np.tile(np.arange(items + 1, dtype=np.int32), (2, 1))
    rlink[: primary + 1] = np.roll(llink[: primary + 1], -1)
    llink[: primary + 1] = np.roll(llink[: primary + 1], 1)
    return Links(top, color, ulink, dlink, length, llink, rlink)


def copy(links: Links) -> Links:
    """Links of one's own."""
    return Links(*[array.copy() for array in links])


@kernel
def hide(links: Links, p: int) -> int:
    """Take the other nodes of the option of `p` out of their lists."""
    top, color, ulink, dlink, length = (
        links.top,
        links.color,
        links.ulink,
        links.dlink,
        links.length,
    )
    updates = 0
    q = p + 1
    while q != p:
        x = top[q]
        if x <= 0:
            q = ulink[q]
        else:
            if color[q] >= 0:
                u, d = ulink[q], dlink[q]
                dlink[u], ulink[d] = d, u
                length[x] -= 1
                updates += 1
            q += 1
    return updates


@kernel
def unhide(links: Links, p: int) -> None:
    """Undo `hide`."""
    top, color, ulink, dlink, length = (
        links.top,
        links.color,
        links.ulink,
        links.dlink,
        links.length,
    )
    q = p - 1
    while q != p:
        x = top[q]
        if x <= 0:
            q = dlink[q]
        else:
            if color[q] >= 0:
                u, d = ulink[q], dlink[q]
                dlink[u] = ulink[d] = q
                length[x] += 1
            q -= 1


@kernel
def cover(links: Links, i: int) -> int:
    """Take an item out of its list, and hide its options."""
    updates = 1
    p = links.dlink[i]
    while p != i:
        updates += hide(links, p)
        p = links.dlink[p]
    left, right = links.llink[i], links.rlink[i]
    links.rlink[left], links.llink[right] = right, left
    return updates


@kernel
def uncover(links: Links, i: int) -> None:
    """Undo `cover`."""
    left, right = links.llink[i], links.rlink[i]
    links.rlink[left] = links.llink[right] = i
    p = links.ulink[i]
    while p != i:
        unhide(links, p)
        p = links.ulink[p]


@kernel
def purify(links: Links, p: int) -> int:
    """Hide the options that have the item of `p` in another colour; mark those that have it in the same."""
    color = links.color
    updates = 0
    c, i = color[p], links.top[p]
    color[i] = c
    q = links.dlink[i]
    while q != i:
        if color[q] == c:
            color[q] = -1
        else:
            updates += hide(links, q)
        q = links.dlink[q]
    return updates


@kernel
def unpurify(links: Links, p: int) -> None:
    """Undo `purify`."""
    color = links.color
    c, i = color[p], links.top[p]
    q = links.ulink[i]
    while q != i:
        if color[q] < 0:
            color[q] = c
        else:
            unhide(links, q)
        q = links.ulink[q]


@kernel
def commit(links: Links, x: int) -> int:
    """C5: commit the other nodes of the option of `x`, from left to right."""
    top, color = links.top, links.color
    updates = 0
    p = x + 1
    while p != x:
        j = top[p]
        if j <= 0:
            p = links.ulink[p]
        else:
            if color[p] == 0:
                updates += cover(links, j)
            elif color[p] > 0:
                updates += purify(links, p)
            p += 1
    return updates


@kernel
def uncommit(links: Links, x: int) -> None:
    """C6: undo `commit`, from right to left."""
    top, color = links.top, links.color
    p = x - 1
    while p != x:
        j = top[p]
        if j <= 0:
            p = links.dlink[p]
        else:
            if color[p] == 0:
                uncover(links, j)
            elif color[p] > 0:
                unpurify(links, p)
            p -= 1


@kernel
def choose(links: Links) -> int:
    """C3: the first of the primary items with the fewest options (MRV)."""
    rlink, length = links.rlink, links.length
    best = rlink[0]
    fewest = length[best]
    i = rlink[best]
    while i != 0 and fewest > 0:
        if length[i] < fewest:
            best, fewest = i, length[i]
        i = rlink[i]
    return best


@kernel
def search(
    links: Links, trail: Ints, sample: Ints, state: NDArray[np.int64], wanted: int, budget: int
) -> int:
    """Go on until `wanted` more solutions are found, or `budget` more nodes visited.

    Parameters
    ----------
    trail
        x_0, x_1, …: a node of each chosen option; as long as there are primary items.
    sample
        As long as `trail`; gets the options of the first solution of this call.
    state
        Where the search stands; see the constants of this module.

    Returns
    -------
    DONE, FOUND or SPENT. After DONE there is nothing more to find.
    """
    top, dlink = links.top, links.dlink
    level, floor, backward = state[LEVEL], state[FLOOR], state[BACKWARD]
    nodes = updates = solutions = 0
    while True:
        if backward == 0:  # C2, enter level l
            if links.rlink[0] == 0:
                if solutions == 0:
                    state[SAMPLED] = level
                    for k in range(level):
                        p = trail[k]
                        while top[p] > 0:
                            p += 1
                        sample[k] = -top[p]
                solutions += 1
                backward = 1
                if solutions == wanted:
                    status = FOUND
                    break
                continue
            if nodes == budget:
                status = SPENT
                break
            nodes += 1
            i = choose(links)  # C3, choose i
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
            backward = 1
        else:  # C5, try x_l
            updates += commit(links, x)
            level += 1
            backward = 0
    state[LEVEL], state[BACKWARD] = level, backward
    state[NODES] += nodes
    state[UPDATES] += updates
    state[SOLUTIONS] += solutions
    return status


@kernel
def give(links: Links, x: int) -> bool:
    """C4 and C5 for an option that is given, `x` its first node; False if it clashes with another."""
    top, color = links.top, links.color
    p = x
    while top[p] > 0:
        j = top[p]
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
        p += 1
    return True


@kernel
def restrict(
    links: Links, trail: Ints, state: NDArray[np.int64], removed: Ints, given: Ints
) -> None:
    """Begin a search without some options and with others; each is named by its first node."""
    state[LEVEL] = state[FLOOR] = state[BACKWARD] = 0
    for x in removed:
        hide(links, x)
        u, d = links.ulink[x], links.dlink[x]
        links.dlink[u], links.ulink[d] = d, u
        links.length[links.top[x]] -= 1
    for k in range(len(given)):
        if not give(links, given[k]):
            state[BACKWARD] = 1  # at level 0: done
            return
        trail[k] = given[k]
    state[LEVEL] = state[FLOOR] = len(given)


@kernel
def restore(links: Links, template: Links) -> None:
    """Undo all that was done to a copy of the template."""
    links.color[:] = template.color
    links.ulink[:] = template.ulink
    links.dlink[:] = template.dlink
    links.length[:] = template.length
    links.llink[:] = template.llink
    links.rlink[:] = template.rlink


@kernel
def solve_many(
    template: Links,
    links: Links,
    trail: Ints,
    sample: Ints,
    state: NDArray[np.int64],
    owner: Ints,
    given: Ints,
    solutions: Ints,
    counts: Ints,
    limit: int,
    budget: int,
) -> int:
    n, width = given.shape
    nothing = given[0, :0]
    row = np.empty(width, np.int32)
    used = 0
    while state[7] < n:
        r = state[7]
        if state[8] == 0:
            restore(links, template)
            k = 0
            for v in range(width):
                if given[r, v] > 0:
                    row[k] = given[r, v]
                    k += 1
            restrict(links, trail, state, nothing, row[:k])
            counts[r] = 0
            used += k + 1
        before = state[NODES]
        found = state[SOLUTIONS]
        status = search(links, trail, sample, state, limit - counts[r], max(budget - used, 1))
        used += state[NODES] - before
        found = state[SOLUTIONS] - found
        if counts[r] == 0 and found > 0:
            for k in range(state[SAMPLED]):
                if owner[sample[k]] >= 0:
                    solutions[r, owner[sample[k]]] = sample[k]
        counts[r] += found
        if status == SPENT:
            state[8] = 1
            return SPENT
        state[8] = 0
        state[7] += 1
        if used >= budget:
            return SPENT
    return DONE
