"""Local search: a focused Metropolis walk.

Every variable has a value. One that clashes is drawn, and another value for it. That is taken if it
does not clash more, and otherwise with a chance that falls with every further clash. Only variables
that clash ever move; so a walk comes to rest in a solution, and nowhere else. (S. Seitz, M. Alava,
P. Orponen, "Focused local search for random 3-satisfiability", J. Stat. Mech. 2005, P06006.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from csp_encodings.conflicts import Conflicts, Numbers
from csp_encodings.jit import kernel, subroutine
from csp_sudoku.kernels.bits import as_int
from csp_sudoku.kernels.records import pack

_BITS = np.uint64(32)
_LOW = np.uint64(2**32 - 1)


@dataclass
class Walk:
    """Where a search is.

    Attributes
    ----------
    chosen
        The candidate of each variable.
    clashes
        How many of the chosen candidates each candidate clashes with.
    line, place
        The variables that clash, and the place of each of them in that line.
    length
        How many these are.
    random
        The state of the random numbers.
    """

    chosen: Numbers
    clashes: NDArray[np.int32]
    line: Numbers
    place: Numbers
    random: NDArray[np.uint64]
    length: int


def start(conflicts: Conflicts, seed: int) -> Walk:
    """Begin at candidates drawn by lot."""
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
    random = np.array([(2 * seed + 1) * 0x9E3779B97F4A7C15 % 2**64], np.uint64)
    return pack(Walk(chosen, clashes, line, place, random, len(clashing)))


def improve(conflicts: Conflicts, walk: Walk, heat: float, steps: int) -> bool:
    """Take steps until no candidate clashes, or all steps are taken; whether none clashes.

    Parameters
    ----------
    conflicts
        The packed conflicts.
    heat
        Weighs all ways to one more clash against a single one to fewer: it is the chance to take
        such a way, times the other values that a variable has on average. Two more clashes have the
        square of that chance, and so on.
    """
    others = np.diff(conflicts.first_candidate.astype(np.int64)) - 1
    chance = heat * np.count_nonzero(others) / max(1, int(others.sum()))
    most = int(np.diff(conflicts.first_clash).max(initial=0))
    odds = (chance ** np.arange(most + 1) * 2**32).astype(np.uint64)
    return _improve(conflicts, walk, odds, steps)


@kernel
def _improve(conflicts: Conflicts, walk: Walk, odds: NDArray[np.uint64], steps: int) -> bool:
    """Take steps. A draw has two halves: one for the variable, one for the value and the chance."""
    for _ in range(steps):
        if walk.length == 0:
            return True
        drawn = _draw(walk)
        variable = walk.line[as_int(((drawn >> _BITS) * np.uint64(walk.length)) >> _BITS)]
        now, first = walk.chosen[variable], conflicts.first_candidate[variable]
        others = conflicts.first_candidate[variable + 1] - first - 1
        if others == 0:
            continue
        # The product of the lower half with the number of others is one of them, and a chance.
        product = (drawn & _LOW) * np.uint64(others)
        candidate = first + as_int(product >> _BITS)
        if candidate >= now:
            candidate += 1
        more = walk.clashes[candidate] - walk.clashes[now]
        if more <= 0 or (product & _LOW) < odds[more]:
            _change(conflicts, walk, variable, candidate)
    return walk.length == 0


@subroutine
def _change(conflicts: Conflicts, walk: Walk, variable: int, candidate: int) -> None:
    """Choose a candidate instead of the one that its variable has."""
    left = walk.chosen[variable]
    walk.chosen[variable] = candidate
    for i in range(conflicts.first_clash[left], conflicts.first_clash[left + 1]):
        other = conflicts.clash[i]
        walk.clashes[other] -= 1
        owner = conflicts.owner[other]
        if walk.clashes[other] == 0 and walk.chosen[owner] == other:
            _leave_line(walk, owner)
    for i in range(conflicts.first_clash[candidate], conflicts.first_clash[candidate + 1]):
        other = conflicts.clash[i]
        walk.clashes[other] += 1
        owner = conflicts.owner[other]
        if walk.clashes[other] == 1 and walk.chosen[owner] == other:
            walk.line[walk.length] = owner
            walk.place[owner] = walk.length
            walk.length += 1
    if walk.clashes[candidate] == 0:
        _leave_line(walk, variable)


@subroutine
def _leave_line(walk: Walk, variable: int) -> None:
    """Let the last in line take the place of a variable."""
    walk.length -= 1
    last = walk.line[walk.length]
    walk.line[walk.place[variable]] = last
    walk.place[last] = walk.place[variable]


@subroutine
def _draw(walk: Walk) -> np.uint64:
    """A random number (xorshift, G. Marsaglia 2003)."""
    x = walk.random[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    walk.random[0] = x
    return x
