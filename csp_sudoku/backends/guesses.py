"""Local search in turns with a complete solver: it guesses values for all variables.

On a large grid with half of its cells given, a SAT solver can go astray for hours, although there
are many solutions: its first choices were wrong, and it cannot tell. A local search sees the whole
grid. It proves nothing; so the solver tries first what it finds.

A walk that is hot finds no order, and one that is cold stays with the first that it finds, most
often with two clashes that nothing nearby can mend. In between, order comes and goes: the walk is
heated and cools down again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from csp_encodings.conflicts import CandidateConflicts
from csp_encodings.graph import Assignment
from csp_encodings.jit import announced
from csp_sudoku.kernels import metropolis
from csp_sudoku.kernels.records import pack

# The temperature, at first and at last. Tried on seven 36×36 grids with half of their cells given,
# which are harder than those with fewer or more givens: these solve five of them within 12 seconds,
# wider ranges two to four, and 0.22 alone, of five, none within 10 seconds.
_HEATS = (0.255, 0.225)
# The steps of a turn, less than a second; and those between two looks at whether to stop.
_STEPS = 64_000_000
_STEPS_AT_ONCE = 1_000_000


class Guesses:
    """Random walks; each begins at the same values and takes the same steps."""

    def __init__(self, encoded: CandidateConflicts) -> None:
        self._encoded = encoded
        self._conflicts = pack(encoded.conflicts)

    def turns(self, pause: Callable[[], None]) -> Iterator[Assignment | None]:
        """Walk on at each turn, from hot to cold: values without a clash, or None if it has none.

        It calls `pause` now and then, which may raise to give up.
        """
        walk = metropolis.start(self._conflicts, 0)
        heats = np.linspace(*_HEATS, _STEPS // _STEPS_AT_ONCE).tolist()
        while True:
            found = self._is_solved(walk, heats, pause)
            yield self._encoded.decode(walk.chosen) if found else None

    def _is_solved(
        self, walk: metropolis.Walk, heats: list[float], pause: Callable[[], None]
    ) -> bool:
        with announced("the local search"):
            for heat in heats:
                pause()
                if metropolis.improve(self._conflicts, walk, heat, _STEPS_AT_ONCE):
                    return True
        return False
