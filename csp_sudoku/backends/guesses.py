"""Local search beside a complete solver: it guesses values for all variables.

On a large grid with half of its cells given, a SAT solver can go astray for hours, although there
are many solutions: its first choices were wrong, and it cannot tell. A local search sees the whole
grid. It proves nothing; so the solver tries first what it finds.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from csp_encodings.conflicts import CandidateConflicts
from csp_encodings.graph import Assignment
from csp_encodings.jit import announced
from csp_sudoku.kernels import metropolis
from csp_sudoku.kernels.records import pack

# The temperature. Hotter, a walk never comes down; colder, it does not move. Tried on 36×36 grids
# with half of their cells given, which are harder than those with fewer or more givens.
_HEAT = 0.22
# The steps of a walk, which take a second or two; with fewer, less is found in the same time.
_STEPS = 100_000_000
# The steps between two looks at whether to stop, less than a tenth of a second.
_STEPS_AT_ONCE = 1_000_000


class Guesses:
    """One random walk after the other, each from its own start."""

    def __init__(self, encoded: CandidateConflicts) -> None:
        self._encoded = encoded
        self._conflicts = pack(encoded.conflicts)

    def find(self, pause: Callable[[], None]) -> Assignment:
        """Guess until nothing clashes; call `pause` now and then, which may raise to give up."""
        conflicts = self._conflicts
        seeds = count()
        while True:
            walk = metropolis.start(conflicts, next(seeds))
            with announced("the local search"):
                for _ in range(_STEPS // _STEPS_AT_ONCE):
                    pause()
                    if metropolis.improve(conflicts, walk, _HEAT, _STEPS_AT_ONCE):
                        return self._encoded.decode(walk.chosen)
