"""Exact cover with colours by dancing links: Knuth's Algorithm C, with more drawn from the lists.

D. E. Knuth, *The Art of Computer Programming*, volume 4B, section 7.2.2.1. What differs, besides
what :mod:`csp_sudoku.kernels.links` says:

- An item with one option left takes it before any choice is made.
- If all options left of an item have another item in common, in one colour if it is coloured, then
  that item is theirs: its other options are dropped. In Sudoku these are locked candidates. This is
  done until the first choice; below, it costs more than it saves.
- The choice is Knuth's (MRV), ties go to the item that was a dead end most often: that halves the
  nodes on hard puzzles.
- After an option was tried it is dropped, and the choice is made anew.
- All state lies in arrays that the caller owns, so that a search can stop after a budget of nodes
  and go on later, and pass over many solutions in one call.
- Options may be given: they are taken before the search, and it never goes back behind them.
"""

from __future__ import annotations

from csp_encodings.jit import kernel
from csp_sudoku.kernels.links import (
    COLOR,
    COVERED,
    DEPTH,
    DLINK,
    FORWARD,
    ITEM_SIZE,
    LEN,
    LEVEL,
    LINKS_END,
    LOST,
    MARK,
    NODE_SIZE,
    NODES,
    PREFERRED_END,
    PRIMARY_END,
    SAMPLE,
    SAMPLED,
    SHORT,
    SHRUNK,
    SOLUTIONS,
    TOP,
    TRAIL,
    UNITS,
    WEIGHT,
    Links,
    State,
    drop,
    left,
    right,
    take,
    undrop,
    untake,
)

# Why a search came back
DONE, FOUND, SPENT = 0, 1, 2

# What was done to an option of the trail: the lowest bits of its node's address
GIVEN, CHOSEN, FORCED, DROPPED = 0, 1, 2, 3
DEED = 3

# A mark of an item holds a colour and how many options have the item in that colour.
_COLOUR = 1 << 10


@kernel
def push(links: Links, state: State, x: int, deed: int) -> None:
    """Write down what was done to the option of `x`."""
    links[state[TRAIL] + state[LEVEL]] = x | deed
    state[LEVEL] += 1


@kernel
def choose(links: Links, state: State) -> int:
    """The primary item with the fewest options (MRV); 0 if all are covered.

    As long as a preferred item is left, the others do not count: the "sharp preference" of Knuth's
    exercise 10.
    """
    best = fewest_options(links, ITEM_SIZE, state[PREFERRED_END])
    return best or fewest_options(links, state[PREFERRED_END], state[PRIMARY_END])


@kernel
def fewest_options(links: Links, start: int, end: int) -> int:
    """Of primary items in a row, the one with the fewest options, and of these the heaviest."""
    best, fewest, heaviest = 0, COVERED, 0
    for i in range(start, end, ITEM_SIZE):
        length = links[i + LEN]
        if length < fewest or (length == fewest and links[i + WEIGHT] > heaviest):
            best, fewest, heaviest = i, length, links[i + WEIGHT]
    return best


@kernel
def propagate(links: Links, state: State) -> bool:
    """Take what is the only option of an item, and drop what others claim; False at a dead end."""
    while True:
        while state[UNITS] > 0 and state[LOST] == 0:
            state[UNITS] -= 1
            i = links[state[LINKS_END] + state[UNITS]]
            if links[i + LEN] == 1:
                state[NODES] += 1
                x = links[i + DLINK]
                if take(links, state, x):
                    push(links, state, x, FORCED)
        if state[LOST]:
            return False
        if state[DEPTH] > 0:
            return True
        for i in range(ITEM_SIZE, state[PRIMARY_END], ITEM_SIZE):
            if links[i + SHRUNK]:
                links[i + SHRUNK] = 0
                if links[i + LEN] <= links[i + SHORT]:
                    claim(links, state, i)
                    if state[LOST]:
                        return False
                    if state[UNITS] > 0:
                        break
        if state[UNITS] == 0:
            return True


@kernel
def claim(links: Links, state: State, i: int) -> None:
    """Drop the other options of an item that all options left of `i` have in common."""
    first = links[i + DLINK]
    p = first
    count = 0
    while p != i:
        q = right(links, p)
        while q != p:
            x, c = links[q + TOP], links[q + COLOR]
            if c >= 0 and (count == 0 or links[x + MARK] == c * _COLOUR + count):
                links[x + MARK] = c * _COLOUR + count + 1
            q = right(links, q)
        count += 1
        p = links[p + DLINK]
    q = right(links, first)
    while q != first:
        x, c = links[q + TOP], links[q + COLOR]
        if c >= 0:
            if links[x + MARK] == c * _COLOUR + count:
                drop_others(links, state, x, c, i)
            links[x + MARK] = 0
        q = right(links, q)


@kernel
def drop_others(links: Links, state: State, x: int, c: int, i: int) -> None:
    """Drop the options of `x` that have another colour or, without colours, not the item `i`."""
    p = links[x + DLINK]
    while p != x and state[LOST] == 0:
        if links[p + COLOR] != c if c > 0 else not has_item(links, p, i):
            drop(links, state, p)
            push(links, state, p, DROPPED)
        p = links[p + DLINK]


@kernel
def has_item(links: Links, p: int, i: int) -> bool:
    """Whether the option of `p` has the item, which is not that of `p`."""
    q = right(links, p)
    while q != p:
        if links[q + TOP] == i:
            return True
        q = right(links, q)
    return False


@kernel
def go_back(links: Links, state: State) -> bool:
    """Undo all up to the last choice, and drop its option; False if there was none."""
    state[LOST] = 0
    state[UNITS] = 0
    while state[LEVEL] > 0:
        entry = links[state[TRAIL] + state[LEVEL] - 1]
        x, deed = entry & ~DEED, entry & DEED
        if deed == GIVEN:
            return False
        state[LEVEL] -= 1
        if deed == DROPPED:
            undrop(links, x)
        else:
            untake(links, x, left(links, x))
        if deed == CHOSEN:
            state[DEPTH] -= 1
            drop(links, state, x)
            push(links, state, x, DROPPED)
            return True
    return False


@kernel
def write_sample(links: Links, state: State) -> None:
    """Note the numbers of the options that are taken."""
    taken = 0
    for level in range(state[LEVEL]):
        entry = links[state[TRAIL] + level]
        if entry & DEED != DROPPED:
            p = entry & ~DEED
            while links[p + TOP]:
                p += NODE_SIZE
            links[state[SAMPLE] + taken] = links[p + COLOR]
            taken += 1
    state[SAMPLED] = taken


@kernel
def search(links: Links, state: State, wanted: int, budget: int) -> int:
    """Go on until `wanted` more solutions are found, or `budget` more options taken.

    Returns
    -------
    DONE, FOUND or SPENT. After DONE there is nothing more to find.
    """
    stop = state[NODES] + budget
    solutions = 0
    while True:
        if not state[FORWARD]:
            if not go_back(links, state):
                return DONE
            state[FORWARD] = 1
        if not propagate(links, state):
            state[FORWARD] = 0
            continue
        i = choose(links, state)
        if i == 0:
            if solutions == 0:
                write_sample(links, state)
            solutions += 1
            state[SOLUTIONS] += 1
            state[FORWARD] = 0
            if solutions == wanted:
                return FOUND
            continue
        if state[NODES] >= stop:
            return SPENT
        state[NODES] += 1
        x = links[i + DLINK]
        if take(links, state, x):
            push(links, state, x, CHOSEN)
            state[DEPTH] += 1
        else:
            state[LOST] = 0
            state[UNITS] = 0
            drop(links, state, x)
            push(links, state, x, DROPPED)


@kernel
def give(links: Links, state: State, x: int) -> bool:
    """Take a given option, `x` its first node; False if it clashes with one before it."""
    p = x
    while links[p + TOP]:
        i = links[p + TOP]
        if links[p + COLOR] > 0:
            if links[i + COLOR] != 0:
                return False
        elif links[i + LEN] >= (COVERED if i < state[PRIMARY_END] else 2 * COVERED):
            return False
        p += NODE_SIZE
    if not take(links, state, x):
        return False
    push(links, state, x, GIVEN)
    state[UNITS] = 0
    return True


@kernel
def begin(links: Links, state: State, given: Links, start: int, stop: int) -> None:
    """Begin a search with given options: their first nodes, or 0, are `given[start:stop]`."""
    state[LEVEL] = 0
    state[DEPTH] = 0
    state[FORWARD] = 0
    state[LOST] = 0
    state[UNITS] = 0
    for k in range(start, stop):
        if given[k] and not give(links, state, given[k]):
            return
    for i in range(ITEM_SIZE, state[PRIMARY_END], ITEM_SIZE):
        length = links[i + LEN]
        if length == 0:
            return
        links[i + SHRUNK] = length <= links[i + SHORT]
        if length == 1:
            links[state[LINKS_END] + state[UNITS]] = i
            state[UNITS] += 1
    state[FORWARD] = 1


@kernel
def remove(links: Links, state: State, removed: Links, number: int) -> None:
    """Take options out for good, before a search begins; they are named by their first nodes."""
    for k in range(number):
        drop(links, state, removed[k])
        state[UNITS] = 0
