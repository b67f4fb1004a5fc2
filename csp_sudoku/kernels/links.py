"""Dancing links: the lists of an exact cover problem with colours, and what is done to them.

D. E. Knuth, *The Art of Computer Programming*, volume 4B, section 7.2.2.1: the names of the links
and of most operations are his (hide, cover, purify). What differs:

- An option is taken as a whole, the item it was chosen for included, and its items count as covered
  before any list is touched. So a list that becomes empty is a dead end, and is noticed at once.
- An option can also be dropped: it is not taken, and leaves all its lists.
- Items have no LLINK and RLINK. An item that is covered has COVERED added to its LEN, and the
  choice reads the LEN of all primary items in a row: many times as fast as following links.
- Lists that become short are noted on the way, for those who draw conclusions from that.

Whatever is done is undone in the reverse order, which leaves the links as they were.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csp_encodings.exact_cover import ExactCover
from csp_encodings.jit import kernel
from csp_sudoku.kernels.flat import Flat

Ints: TypeAlias = NDArray[np.int32]

COVERED = 1 << 28

# The places of what is noted
UNITS = 0  # how many items are on the stack of those that came to have one option
LOST = 1  # 1 once a primary item has no option left
UPDATES = 2  # how many nodes were taken out of their lists
SIZE = 3  # how many nodes there are, node 0 included
ITEMS = 4  # how many of them are items, node 0 included
NOTES_SIZE = 5


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
        colour it is purified to. In a spacer, the number of the option before it.
    ulink, dlink
        ULINK, DLINK: the circular list of an item and its nodes. In a spacer, the first node of the
        option before it and the last node of the option after it.
    length
        LEN: how many nodes the list of an item has, plus COVERED if it is covered, plus COVERED if
        it is secondary: how short its list is says nothing.
    short
        From which length on the list of an item counts as short: from 1, or from as many options
        as it has in common with another item at most.
    weight
        How often an item came to have no option left.
    shrunk
        1 for the items whose lists became short, or shorter.
    units
        The stack of the items whose lists came to have one node.
    notes
        Counters; their places are constants of this module.
    """

    top: Flat[int]
    color: Flat[int]
    ulink: Flat[int]
    dlink: Flat[int]
    length: Flat[int]
    short: Flat[int]
    weight: Flat[int]
    shrunk: Flat[int]
    units: Flat[int]
    notes: Flat[int]


def link(cover: ExactCover, order: Ints) -> tuple[Links, Ints]:
    """Set the links up, with the options in the given order; gives their first nodes, too."""
    items, primary = len(cover.items), cover.primary
    starts, members, colours = cover.starts, cover.members, cover.colours
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
    counts = np.bincount(top[nodes], minlength=items + 1)
    below = np.roll(ring, -1)
    below[np.cumsum(counts[1:] + 1) - 1] = headers
    dlink[ring] = below
    ulink[below] = ring
    first = np.zeros(len(order), np.int32)
    first[order] = spacers[:-1] + 1
    length = counts.astype(np.int32)
    length[primary + 1 :] += COVERED
    short, weight, shrunk = np.zeros((3, items + 1), np.int32)
    units = np.zeros(primary + 1, np.int32)
    notes = np.array([0, 0, 0, len(top), items + 1], np.int64)
    arrays: list[NDArray[Any]] = [top, color, ulink, dlink, length, short, weight, shrunk, units]
    links = Links(*map(Flat, [*arrays, notes]))
    find_short(links, primary)
    return links, first


def copy(links: Links) -> Links:
    """Links of one's own; TOP and what is short never change."""
    own = {
        name: Flat(flat.array.copy())
        for name, flat in links._asdict().items()
        if name not in ("top", "short")
    }
    return links._replace(**own)


@kernel
def find_short(links: Links, primary: int) -> None:
    """Fill `short`, counting in `shrunk`."""
    for i in range(1, primary + 1):
        most = 1
        for step in (1, 0):  # count, then clear
            p = links.dlink[i]
            while p != i:
                q = right(links, p)
                while q != p:
                    x = links.top[q]
                    links.shrunk[x] = (links.shrunk[x] + 1) * step
                    most = max(most, links.shrunk[x])
                    q = right(links, q)
                p = links.dlink[p]
        links.short[i] = most


@kernel
def restore(links: Links, template: Links) -> None:
    """Undo all that was done to a copy of the template."""
    for p in range(links.notes[SIZE]):
        links.color[p] = template.color[p]
    for p in range(links.notes[SIZE]):
        links.ulink[p] = template.ulink[p]
    for p in range(links.notes[SIZE]):
        links.dlink[p] = template.dlink[p]
    for i in range(links.notes[ITEMS]):
        links.length[i] = template.length[i]
        links.weight[i] = 0


@kernel
def right(links: Links, p: int) -> int:
    """The next node of an option; after the last comes the first."""
    return p + 1 if links.top[p + 1] else links.ulink[p + 1]


@kernel
def left(links: Links, p: int) -> int:
    """The node before; before the first comes the last."""
    return p - 1 if links.top[p - 1] else links.dlink[p - 1]


@kernel
def unlink(links: Links, q: int) -> None:
    """Take a node out of its list, and note what that leaves."""
    x, u, d = links.top[q], links.ulink[q], links.dlink[q]
    links.dlink[u] = d
    links.ulink[d] = u
    length = links.length[x] - 1
    links.length[x] = length
    if length <= links.short[x]:
        if length > 1:
            links.shrunk[x] = 1
        elif length == 1:
            links.units[links.notes[UNITS]] = x
            links.notes[UNITS] += 1
        else:
            links.weight[x] += 1
            links.notes[LOST] = 1


@kernel
def relink(links: Links, q: int) -> None:
    """Undo `unlink`."""
    u, d = links.ulink[q], links.dlink[q]
    links.dlink[u] = q
    links.ulink[d] = q
    links.length[links.top[q]] += 1


@kernel
def hide(links: Links, p: int) -> None:
    """Take the other nodes of the option of `p` out of their lists."""
    updates = 0
    q = right(links, p)
    while q != p:
        if links.color[q] >= 0:
            unlink(links, q)
            updates += 1
        q = right(links, q)
    links.notes[UPDATES] += updates


@kernel
def unhide(links: Links, p: int) -> None:
    """Undo `hide`."""
    q = left(links, p)
    while q != p:
        if links.color[q] >= 0:
            relink(links, q)
        q = left(links, q)


@kernel
def cover(links: Links, x: int) -> None:
    """Hide the other options of the item of `x`."""
    i = links.top[x]
    p = links.dlink[i]
    while p != i:
        if p != x:
            hide(links, p)
        p = links.dlink[p]


@kernel
def uncover(links: Links, x: int) -> None:
    """Undo `cover`."""
    i = links.top[x]
    p = links.ulink[i]
    while p != i:
        if p != x:
            unhide(links, p)
        p = links.ulink[p]


@kernel
def purify(links: Links, x: int) -> None:
    """Give the item of `x` its colour: hide the options with another, mark those with the same."""
    c, i = links.color[x], links.top[x]
    links.color[i] = c
    p = links.dlink[i]
    while p != i:
        if links.color[p] != c:
            hide(links, p)
        elif p != x:
            links.color[p] = -1
        p = links.dlink[p]


@kernel
def unpurify(links: Links, x: int) -> None:
    """Undo `purify`."""
    c, i = links.color[x], links.top[x]
    links.color[i] = 0
    p = links.ulink[i]
    while p != i:
        if links.color[p] < 0:
            links.color[p] = c
        elif p != x:
            unhide(links, p)
        p = links.ulink[p]


@kernel
def add_to_length(links: Links, x: int, amount: int) -> None:
    """Add to the LEN of the items of the option of `x`, but for those that it gives a colour."""
    p = x
    while True:
        if links.color[p] == 0:
            links.length[links.top[p]] += amount
        p = right(links, p)
        if p == x:
            break


@kernel
def take(links: Links, x: int) -> bool:
    """Cover or purify all items of the option of `x`; at a dead end undo it, and give False."""
    add_to_length(links, x, COVERED)
    p = x
    while True:
        if links.color[p] == 0:
            cover(links, p)
        elif links.color[p] > 0:
            purify(links, p)
        if links.notes[LOST]:
            untake(links, x, p)
            return False
        p = right(links, p)
        if p == x:
            return True


@kernel
def untake(links: Links, x: int, last: int) -> None:
    """Undo `take` from the node on that was its last."""
    p = last
    while True:
        if links.color[p] == 0:
            uncover(links, p)
        elif links.color[p] > 0:
            unpurify(links, p)
        if p == x:
            break
        p = left(links, p)
    add_to_length(links, x, -COVERED)


@kernel
def drop(links: Links, x: int) -> None:
    """Take an option out of all its lists."""
    hide(links, x)
    unlink(links, x)


@kernel
def undrop(links: Links, x: int) -> None:
    """Undo `drop`."""
    relink(links, x)
    unhide(links, x)
