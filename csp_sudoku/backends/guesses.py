"""Guesses beside a complete solver: values for all variables, until they are a solution.

On a large grid of which half is given a SAT solver can go astray for hours, though there are many
solutions: what it has chosen first is wrong, and it cannot tell. A local search sees the whole
grid. It proves nothing; so what it finds is what the solver tries first.
"""

from __future__ import annotations

from collections.abc import Callable

from csp_encodings.conflicts import CandidateConflicts
from csp_encodings.graph import Assignment
from csp_encodings.jit import announced
from csp_sudoku.kernels import beliefs, tabu

# Beliefs take a tenth of the time that the steps from there take; both were tried on 36×36 grids
# with half of their cells given, and on 64×64 with three in five.
_SWEEPS = 300
_STEPS = 1_000_000
# So many steps take a tenth of a second, after which somebody may want to stop.
_STEPS_AT_ONCE = 50_000


class Guesses:
    """One guess after the other, each from a start of its own."""

    def __init__(self, encoded: CandidateConflicts) -> None:
        self._encoded = encoded
        self._made = 0

    def find(self, pause: Callable[[], None]) -> Assignment:
        """Guess until nothing clashes; `pause` is called now and then, and may raise to give up."""
        conflicts = self._encoded.conflicts
        while True:
            seed, self._made = self._made, self._made + 1
            with announced("the local search"):
                walk = tabu.start(conflicts, beliefs.choose(conflicts, _SWEEPS, seed), seed)
                for _ in range(_STEPS // _STEPS_AT_ONCE):
                    pause()
                    if tabu.improve(conflicts, walk, _STEPS_AT_ONCE):
                        return self._encoded.decode(walk.best)
