"""Belief propagation on groups of which exactly one candidate holds.

Each group tells each of its candidates how little the others claim; a candidate believes what its
groups say together. Cells of a row and a box share two groups or more, so what comes back along
such loops would be believed twice: beliefs are scaled down, and less and less while messages go
round, which settles them on one choice. (J. S. Yedidia, W. T. Freeman, Y. Weiss 2003; scaled as by
W. Wiegerinck, T. Heskes, "Fractional belief propagation", NIPS 2002.)
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from csp_encodings.conflicts import Conflicts, Ints
from csp_encodings.jit import kernel

# Below the first scale beliefs stay undecided; somewhere between the two they settle.
_FIRST_SCALE, _LAST_SCALE = 0.7, 0.85
_DAMPING = 0.3
# No message is surer than that, so that none is for ever.
_DOUBT = 1e-4
_SUREST = 40.0


def choose(conflicts: Conflicts, sweeps: int, seed: int) -> Ints:
    """The most believed candidate of each variable, after so many sweeps over all groups."""
    lottery = np.random.default_rng(seed)
    groups = len(conflicts.first_member) - 1
    sizes = np.diff(conflicts.first_member)
    messages = -np.log(np.repeat(sizes, sizes))
    beliefs = np.zeros(len(conflicts.owner))
    np.add.at(beliefs, conflicts.member, messages)
    for scale in np.linspace(_FIRST_SCALE, _LAST_SCALE, sweeps):
        sweep(conflicts, messages, beliefs, lottery.permutation(groups), scale)
    return np.array(
        [
            first + np.argmax(beliefs[first:end])
            for first, end in pairwise(conflicts.first_candidate)
        ],
        np.int64,
    )


@kernel
def sweep(
    conflicts: Conflicts,
    messages: NDArray[np.float64],
    beliefs: NDArray[np.float64],
    order: Ints,
    scale: float,
) -> None:
    """Let every group speak once. Messages and beliefs are logarithms of odds."""
    claims = np.empty(len(messages))
    for group in order:
        first, end = conflicts.first_member[group], conflicts.first_member[group + 1]
        total = 0.0
        for i in range(first, end):
            odds = scale * beliefs[conflicts.member[i]] - messages[i]
            claims[i] = np.exp(min(_SUREST, max(-_SUREST, odds)))
            total += claims[i]
        for i in range(first, end):
            others = max(total - claims[i], 0.0)
            change = (1 - _DAMPING) * (-np.log(others + _DOUBT) - messages[i])
            messages[i] += change
            beliefs[conflicts.member[i]] += change
