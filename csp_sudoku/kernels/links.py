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

The links are records in one array of 32-bit numbers, named by their addresses: those of the items
from address 8 on, the primary ones first; then those of the nodes of the options, with a spacer
before the first and after each. Behind them is room for three lists.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from csp_encodings.exact_cover import ExactCover
from csp_encodings.jit import kernel
from csp_sudoku.kernels.flat import Flat

Ints: TypeAlias = NDArray[np.int32]
Counters: TypeAlias = NDArray[np.int64]
Links: TypeAlias = Flat[int]
State: TypeAlias = Flat[int]

# The record of a node, with Knuth's names
TOP = 0  # its item; 0 in a spacer
COLOR = 1  # 0 for none, -1 while its item is purified to its colour; in a spacer, which option ends
ULINK = 2  # up in the circular list of an item and its nodes; in a spacer, the node after the last
DLINK = 3  # down in it; in a spacer, the node before the first: an option is a circle, too
NODE_SIZE = 4

# The record of an item; links and colour (that it is purified to) are where those of a node are
LEN = 0  # how many nodes its list has, plus COVERED if it is covered, plus COVERED if secondary
SHORT = 4  # from which LEN on the list counts as short: 1, or what it shares with another at most
WEIGHT = 5  # how often it came to have no option left
SHRUNK = 6  # 1 if its list became short, or shorter
MARK = 7  # 0, to count in
ITEM_SIZE = 8

COVERED = 1 << 28

# The places of the state of a search, an array of 64-bit numbers: what is where in the links
PREFERRED_END = 0  # the end of the items that are preferred
PRIMARY_END = 1  # the end of the primary ones
LINKS_END = 2  # the end of the records; a stack of the items that came to have one option
TRAIL = 3  # a list of the options that were taken or dropped
SAMPLE = 4  # a list of the options of a solution
# and what was counted and noted
UNITS = 5  # how many items are on the stack
LOST = 6  # 1 once a primary item has no option left
UPDATES = 7  # how many nodes were taken out of their lists
LEVEL = 8  # how long the trail is
DEPTH = 9  # how many of the options that are taken were chosen
FORWARD = 10  # 1 to go on from here, 0 to go back
NODES = 11  # how often an option was taken
SOLUTIONS = 12  # how often no item was left
SAMPLED = 13  # how many options the last sample has
STATE_SIZE = 14


def link(cover: ExactCover, order: Ints) -> tuple[Ints, Counters, Ints]:
    """The links with the options in the given order, the state, and the options' first nodes."""
    items, options = len(cover.items), len(order)
    sizes = np.diff(cover.starts)[order]
    first_spacer = ITEM_SIZE * (items + 1)
    spacers = first_spacer + NODE_SIZE * np.cumsum([0, *(sizes + 1)])
    end = int(spacers[-1]) + NODE_SIZE
    nodes = np.setdiff1d(np.arange(first_spacer, end, NODE_SIZE), spacers, assume_unique=True)
    # Where the members of the options begin, and where in the order they are asked for.
    moved = cover.starts[:-1][order] - np.cumsum([0, *sizes])[:-1]
    source = np.arange(len(cover.members)) + np.repeat(moved, sizes)
    top = ITEM_SIZE * (cover.members[source] + 1)
    links = np.zeros(end + 2 * cover.primary + options, np.int32)
    links[nodes + TOP] = top
    links[nodes + COLOR] = cover.colours[source]
    links[spacers[1:] + COLOR] = order
    links[spacers[1:] + ULINK] = spacers[:-1] + NODE_SIZE
    links[spacers[:-1] + DLINK] = spacers[1:] - NODE_SIZE
    # Sorted by item, stably: each item, then its nodes from top to bottom.
    headers = np.arange(ITEM_SIZE, first_spacer, ITEM_SIZE)
    ring = np.concatenate([headers, nodes])
    ring = ring[np.argsort(np.concatenate([headers, top]), kind="stable")]
    counts = np.bincount(top // ITEM_SIZE, minlength=items + 1)[1:]
    below = np.roll(ring, -1)
    below[np.cumsum(counts + 1) - 1] = headers
    links[ring + DLINK] = below
    links[below + ULINK] = ring
    links[headers + LEN] = counts
    links[headers[cover.primary :] + LEN] += COVERED
    state = np.zeros(STATE_SIZE, np.int64)
    state[PREFERRED_END] = ITEM_SIZE * (cover.preferred + 1)
    state[PRIMARY_END] = ITEM_SIZE * (cover.primary + 1)
    state[LINKS_END] = end
    state[TRAIL] = end + cover.primary
    state[SAMPLE] = end + cover.primary + options
    find_short(Flat(links), Flat(state))
    first = np.zeros(options, np.int32)
    first[order] = spacers[:-1] + NODE_SIZE
    return links, state, first


@kernel
def find_short(links: Links, state: State) -> None:
    """Fill SHORT, counting in MARK."""
    for i in range(ITEM_SIZE, state[PRIMARY_END], ITEM_SIZE):
        most = 1
        for step in (1, 0):  # count, then clear
            p = links[i + DLINK]
            while p != i:
                q = right(links, p)
                while q != p:
                    x = links[q + TOP]
                    count = (links[x + MARK] + 1) * step
                    links[x + MARK] = count
                    most = max(most, count)
                    q = right(links, q)
                p = links[p + DLINK]
        links[i + SHORT] = most


@kernel
def restore(links: Links, template: Links, state: State) -> None:
    """Undo all that was done to a copy of the template."""
    for address in range(state[LINKS_END]):
        links[address] = template[address]


@kernel
def right(links: Links, p: int) -> int:
    """The next node of an option; after the last comes the first."""
    q = p + NODE_SIZE
    return q if links[q + TOP] else links[q + ULINK]


@kernel
def left(links: Links, p: int) -> int:
    """The node before; before the first comes the last."""
    q = p - NODE_SIZE
    return q if links[q + TOP] else links[q + DLINK]


@kernel
def unlink(links: Links, state: State, q: int) -> None:
    """Take a node out of its list, and note what that leaves."""
    x, u, d = links[q + TOP], links[q + ULINK], links[q + DLINK]
    links[u + DLINK] = d
    links[d + ULINK] = u
    length = links[x + LEN] - 1
    links[x + LEN] = length
    if length <= links[x + SHORT]:
        if length > 1:
            links[x + SHRUNK] = 1
        elif length == 1:
            links[state[LINKS_END] + state[UNITS]] = x
            state[UNITS] += 1
        else:
            links[x + WEIGHT] += 1
            state[LOST] = 1


@kernel
def relink(links: Links, q: int) -> None:
    """Undo `unlink`."""
    links[links[q + ULINK] + DLINK] = q
    links[links[q + DLINK] + ULINK] = q
    links[links[q + TOP] + LEN] += 1


@kernel
def hide(links: Links, state: State, p: int) -> None:
    """Take the other nodes of the option of `p` out of their lists."""
    q = right(links, p)
    while q != p:
        if links[q + COLOR] >= 0:
            unlink(links, state, q)
            state[UPDATES] += 1
        q = right(links, q)


@kernel
def unhide(links: Links, p: int) -> None:
    """Undo `hide`."""
    q = left(links, p)
    while q != p:
        if links[q + COLOR] >= 0:
            relink(links, q)
        q = left(links, q)


@kernel
def cover(links: Links, state: State, x: int) -> None:
    """Hide the other options of the item of `x`."""
    i = links[x + TOP]
    p = links[i + DLINK]
    while p != i:
        if p != x:
            hide(links, state, p)
        p = links[p + DLINK]


@kernel
def uncover(links: Links, x: int) -> None:
    """Undo `cover`."""
    i = links[x + TOP]
    p = links[i + ULINK]
    while p != i:
        if p != x:
            unhide(links, p)
        p = links[p + ULINK]


@kernel
def purify(links: Links, state: State, x: int) -> None:
    """Give the item of `x` its colour: hide the options with another, mark those with the same."""
    c, i = links[x + COLOR], links[x + TOP]
    links[i + COLOR] = c
    p = links[i + DLINK]
    while p != i:
        if links[p + COLOR] != c:
            hide(links, state, p)
        elif p != x:
            links[p + COLOR] = -1
        p = links[p + DLINK]


@kernel
def unpurify(links: Links, x: int) -> None:
    """Undo `purify`."""
    c, i = links[x + COLOR], links[x + TOP]
    links[i + COLOR] = 0
    p = links[i + ULINK]
    while p != i:
        if links[p + COLOR] < 0:
            links[p + COLOR] = c
        elif p != x:
            unhide(links, p)
        p = links[p + ULINK]


@kernel
def add_to_lengths(links: Links, x: int, amount: int) -> None:
    """Add to the LEN of the items of the option of `x`, but for those that it gives a colour."""
    p = x
    while True:
        if links[p + COLOR] == 0:
            links[links[p + TOP] + LEN] += amount
        p = right(links, p)
        if p == x:
            break


@kernel
def take(links: Links, state: State, x: int) -> bool:
    """Cover or purify all items of the option of `x`; at a dead end undo it, and give False."""
    add_to_lengths(links, x, COVERED)
    p = x
    while True:
        if links[p + COLOR] == 0:
            cover(links, state, p)
        elif links[p + COLOR] > 0:
            purify(links, state, p)
        if state[LOST]:
            untake(links, x, p)
            return False
        p = right(links, p)
        if p == x:
            return True


@kernel
def untake(links: Links, x: int, last: int) -> None:
    """Undo `take`, which went from `x` to the node `last`."""
    p = last
    while True:
        if links[p + COLOR] == 0:
            uncover(links, p)
        elif links[p + COLOR] > 0:
            unpurify(links, p)
        if p == x:
            break
        p = left(links, p)
    add_to_lengths(links, x, -COVERED)


@kernel
def drop(links: Links, state: State, x: int) -> None:
    """Take an option out of all its lists."""
    hide(links, state, x)
    unlink(links, state, x)


@kernel
def undrop(links: Links, x: int) -> None:
    """Undo `drop`."""
    relink(links, x)
    unhide(links, x)
