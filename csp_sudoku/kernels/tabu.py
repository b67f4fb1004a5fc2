"""Local search: min-conflicts with a tabu list.

Every variable has a value, and the one change is made that leaves the fewest clashes: of a variable
that is part of one, to a value that it has not left of late. (P. Galinier, J.-K. Hao, "Tabu search
for maximal constraint satisfaction problems", CP 1997.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from csp_encodings.conflicts import Conflicts, Ints
from csp_encodings.jit import kernel, subroutine

STEP, CLASHES, LEAST, IN_LINE = range(4)
NOWHERE = -1

# A value that was left is tabu for so many steps, by lot, and more the more variables clash.
_TENURE = 10
_TENURE_PER_CLASH = 0.45


class Walk(NamedTuple):
    """Where a search is.

    Attributes
    ----------
    chosen
        The candidate of each variable.
    clashes
        How many of the chosen candidates each candidate clashes with.
    free_from
        The step from which a candidate may be chosen again.
    line, place
        The variables that clash, and where each of them stands in that line.
    best
        What was chosen when the clashes were fewest.
    numbers
        The step, the clashes of all variables, the fewest so far, and the length of the line.
    chance
        The state of the random numbers.
    """

    chosen: Ints
    clashes: NDArray[np.int32]
    free_from: NDArray[np.int32]
    line: Ints
    place: Ints
    best: Ints
    numbers: Ints
    chance: NDArray[np.uint64]


def start(conflicts: Conflicts, chosen: Ints, seed: int) -> Walk:
    """Begin at a choice of candidates."""
    variables, candidates = len(chosen), len(conflicts.owner)
    clashes = np.zeros(candidates, np.int32)
    for candidate in chosen:
        clashes[
            conflicts.clash[conflicts.first_clash[candidate] : conflicts.first_clash[candidate + 1]]
        ] += 1
    clashing = np.flatnonzero(clashes[chosen])
    line = np.zeros(variables, np.int64)
    line[: len(clashing)] = clashing
    place = np.full(variables, NOWHERE)
    place[clashing] = np.arange(len(clashing))
    count = int(clashes[chosen].sum())
    return Walk(
        chosen.copy(),
        clashes,
        np.zeros(candidates, np.int32),
        line,
        place,
        chosen.copy(),
        np.array([0, count, count, len(clashing)]),
        # Xorshift never leaves zero; the golden ratio keeps small seeds apart.
        np.array([(2 * seed + 1) * 0x9E3779B97F4A7C15 % 2**64], np.uint64),
    )


@kernel
def improve(conflicts: Conflicts, walk: Walk, steps: int) -> bool:
    """Take so many steps, or fewer to a choice without a clash: whether it is one."""
    numbers = walk.numbers
    for _ in range(steps):
        if numbers[CLASHES] == 0:
            break
        candidate = _best_change(conflicts, walk)
        numbers[STEP] += 1
        if candidate == NOWHERE:  # all are tabu
            continue
        _change(conflicts, walk, candidate)
        if numbers[CLASHES] < numbers[LEAST]:
            numbers[LEAST] = numbers[CLASHES]
            walk.best[:] = walk.chosen
    return bool(numbers[LEAST] == 0)


@subroutine
def _best_change(conflicts: Conflicts, walk: Walk) -> int:
    """The candidate that leaves the fewest clashes, by lot among equals; a record is never tabu."""
    clashes, chosen, free_from, numbers = walk.clashes, walk.chosen, walk.free_from, walk.numbers
    found, least, ties = NOWHERE, np.iinfo(np.int64).max, 0
    step, record = numbers[STEP], (numbers[LEAST] - numbers[CLASHES]) // 2
    for variable in walk.line[: numbers[IN_LINE]]:
        now = chosen[variable]
        already = clashes[now]
        for candidate in range(
            conflicts.first_candidate[variable], conflicts.first_candidate[variable + 1]
        ):
            more = clashes[candidate] - already
            if more > least or candidate == now or (free_from[candidate] > step and more >= record):
                continue
            if more < least:
                found, least, ties = candidate, more, 1
            else:
                ties += 1
                if _random_below(walk.chance, ties) == 0:
                    found = candidate
    return found


@subroutine
def _change(conflicts: Conflicts, walk: Walk, candidate: int) -> None:
    """Choose a candidate instead of the one that its variable has."""
    clashes, numbers, chosen = walk.clashes, walk.numbers, walk.chosen
    variable = conflicts.owner[candidate]
    left = chosen[variable]
    chosen[variable] = candidate
    numbers[CLASHES] += 2 * (clashes[candidate] - clashes[left])
    tenure = _random_below(walk.chance, _TENURE) + int(_TENURE_PER_CLASH * numbers[IN_LINE])
    walk.free_from[left] = numbers[STEP] + 1 + tenure
    for i in range(conflicts.first_clash[left], conflicts.first_clash[left + 1]):
        other = conflicts.clash[i]
        clashes[other] -= 1
        if clashes[other] == 0 and chosen[conflicts.owner[other]] == other:
            _stand_in_line(walk, conflicts.owner[other])
    for i in range(conflicts.first_clash[candidate], conflicts.first_clash[candidate + 1]):
        other = conflicts.clash[i]
        clashes[other] += 1
        if clashes[other] == 1 and chosen[conflicts.owner[other]] == other:
            _stand_in_line(walk, conflicts.owner[other])
    _stand_in_line(walk, variable)


@subroutine
def _stand_in_line(walk: Walk, variable: int) -> None:
    """Let a variable stand in line if it clashes, and not otherwise."""
    line, place, numbers = walk.line, walk.place, walk.numbers
    spot = place[variable]
    if walk.clashes[walk.chosen[variable]] > 0:
        if spot == NOWHERE:
            line[numbers[IN_LINE]] = variable
            place[variable] = numbers[IN_LINE]
            numbers[IN_LINE] += 1
    elif spot != NOWHERE:
        numbers[IN_LINE] -= 1
        last = line[numbers[IN_LINE]]
        line[spot] = last
        place[last] = spot
        place[variable] = NOWHERE


@subroutine
def _random_below(chance: NDArray[np.uint64], bound: int) -> int:
    """A random number from 0 to bound - 1 (xorshift, G. Marsaglia 2003)."""
    state = chance[0]
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    chance[0] = state
    return int((state >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32))
