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
from csp_sudoku.kernels import metropolis

# Hotter, a walk never comes down; colder, it stays where it is. Tried on 36×36 grids with half of
# their cells given, which are harder than those with fewer or more.
_HEAT = 0.22
# Fewer find less in the same time; so many take a second or two.
_STEPS = 100_000_000
# As many take less than a tenth of a second, after which somebody may want to stop.
_STEPS_AT_ONCE = 1_000_000


class Guesses:
    """One walk after the other, each from a start of its own."""

    def __init__(self, encoded: CandidateConflicts) -> None:
        self._encoded = encoded
        self._begun = 0

    def find(self, pause: Callable[[], None]) -> Assignment:
        """Guess until nothing clashes; `pause` is called now and then, and may raise to give up."""
        conflicts = self._encoded.conflicts
        while True:
            seed, self._begun = self._begun, self._begun + 1
            walk = metropolis.start(conflicts, seed)
            with announced("the local search"):
                for _ in range(_STEPS // _STEPS_AT_ONCE):
                    pause()
                    if metropolis.improve(conflicts, walk, _HEAT, _STEPS_AT_ONCE):
                        return self._encoded.decode(walk.chosen)
