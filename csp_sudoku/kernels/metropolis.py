"""Local search: a focused Metropolis walk.

Every variable has a value. One that clashes is drawn, and another value for it: what does not clash
more is taken, and what does with a chance that falls with every further clash. Only what clashes
ever moves; so a walk comes to rest in a solution, and nowhere else. (S. Seitz, M. Alava,
P. Orponen, "Focused local search for random 3-satisfiability", J. Stat. Mech. 2005, P06006.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csp_encodings.conflicts import Conflicts, Numbers
from csp_encodings.jit import kernel, subroutine

_BITS = np.uint64(32)
_LOW = np.uint64(2**32 - 1)


class Walk(NamedTuple):
    """Where a search is.

    Attributes
    ----------
    chosen
        The candidate of each variable.
    clashes
        How many of the chosen candidates each candidate clashes with.
    line, place
        The variables that clash, and where each of them stands in that line.
    length
        That of the line.
    chance
        The state of the random numbers.
    """

    chosen: Numbers
    clashes: NDArray[np.int32]
    line: Numbers
    place: Numbers
    length: NDArray[np.int64]
    chance: NDArray[np.uint64]


def start(conflicts: Conflicts, seed: int) -> Walk:
    """Begin at candidates by lot."""
    firsts = conflicts.first_candidate
    lot = np.random.default_rng(seed).integers(0, np.diff(firsts))
    return start_at(conflicts, (firsts[:-1] + lot).astype(np.uint32), seed)


def start_at(conflicts: Conflicts, chosen: Numbers, seed: int) -> Walk:
    """Begin at a choice of candidates."""
    clashes = np.zeros(len(conflicts.owner), np.int32)
    for candidate in chosen:
        first, end = conflicts.first_clash[[candidate, candidate + 1]]
        clashes[conflicts.clash[first:end]] += 1
    clashing = np.flatnonzero(clashes[chosen])
    line, place = np.zeros((2, len(chosen)), np.uint32)
    line[: len(clashing)] = clashing
    place[clashing] = np.arange(len(clashing))
    # Xorshift never leaves zero; the golden ratio keeps small seeds apart.
    chance = np.array([(2 * seed + 1) * 0x9E3779B97F4A7C15 % 2**64], np.uint64)
    return Walk(chosen.copy(), clashes, line, place, np.array([len(clashing)]), chance)


def improve(conflicts: Conflicts, walk: Walk, heat: float, steps: int) -> bool:
    """Take so many steps, or fewer to a choice without a clash: whether it is one.

    `heat` weighs all ways to one more clash against a single one to fewer: it is the chance to take
    such a way, times the other values that a variable has on average. Two more have the square of
    that chance, and so on.
    """
    others = np.diff(conflicts.first_candidate) - 1
    chance = heat * np.count_nonzero(others) / max(1, int(others.sum()))
    most = int(np.diff(conflicts.first_clash).max(initial=0))
    odds = (chance ** np.arange(most + 1) * 2**32).astype(np.uint64)
    return _improve(conflicts, walk, odds, steps)


@kernel
def _improve(conflicts: Conflicts, walk: Walk, odds: NDArray[np.uint64], steps: int) -> bool:
    """Take steps. Unsigned numbers as indices spare a test whether they count from the end."""
    chosen, clashes, line, length = walk.chosen, walk.clashes, walk.line, walk.length
    first_candidate = conflicts.first_candidate
    for _ in range(steps):
        if length[0] == 0:
            return True
        drawn = _draw(walk.chance)
        variable = line[((drawn >> _BITS) * np.uint64(length[0])) >> _BITS]
        now, first = chosen[variable], first_candidate[variable]
        others = first_candidate[variable + np.uint32(1)] - first - np.uint32(1)
        if others == 0:
            continue
        # The lower half of what was drawn: its product with the others is one of them, and a die.
        product = (drawn & _LOW) * np.uint64(others)
        candidate = np.uint32(first + (product >> _BITS))
        if candidate >= now:
            candidate += np.uint32(1)
        more = clashes[candidate] - clashes[now]
        if more <= 0 or (product & _LOW) < odds[more]:
            _change(conflicts, walk, variable, candidate)
    return bool(length[0] == 0)


@subroutine
def _change(conflicts: Conflicts, walk: Walk, variable: np.uint32, candidate: np.uint32) -> None:
    """Choose a candidate instead of the one that its variable has."""
    clashes, chosen, owner = walk.clashes, walk.chosen, conflicts.owner
    first_clash, clash = conflicts.first_clash, conflicts.clash
    left = chosen[variable]
    chosen[variable] = candidate
    for i in range(first_clash[left], first_clash[left + np.uint32(1)]):
        other = clash[i]
        clashes[other] -= 1
        if clashes[other] == 0 and chosen[owner[other]] == other:
            _leave_line(walk, owner[other])
    for i in range(first_clash[candidate], first_clash[candidate + np.uint32(1)]):
        other = clash[i]
        clashes[other] += 1
        if clashes[other] == 1 and chosen[owner[other]] == other:
            walk.line[walk.length[0]] = owner[other]
            walk.place[owner[other]] = walk.length[0]
            walk.length[0] += 1
    if clashes[candidate] == 0:
        _leave_line(walk, variable)


@subroutine
def _leave_line(walk: Walk, variable: np.uint32) -> None:
    """Let the last in line take the place of a variable."""
    walk.length[0] -= 1
    last = walk.line[walk.length[0]]
    walk.line[walk.place[variable]] = last
    walk.place[last] = walk.place[variable]


@subroutine
def _draw(chance: NDArray[np.uint64]) -> np.uint64:
    """A random number (xorshift, G. Marsaglia 2003)."""
    state = chance[0]
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    chance[0] = state
    return np.uint64(state)
