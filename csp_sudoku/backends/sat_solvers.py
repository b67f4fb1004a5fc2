"""The solvers of PySAT: which can be used, and what they can do."""

from __future__ import annotations

from dataclasses import dataclass

from pysat import solvers

from csp_sudoku.errors import BackendError


@dataclass(frozen=True, slots=True)
class Traits:
    """What a solver of PySAT can do, as measured; its documentation does not say."""

    kind: str
    """The name of its class."""
    native: bool = False
    """Knows at-most constraints."""
    interruptible: bool = True
    """Stops when told from another thread, and lets other threads run meanwhile."""


# By PySAT's names, of which it has several for most: see pysat.solvers.SolverNames.
SOLVERS: dict[str, Traits] = {
    # Keep to a budget and stop at once.
    "minicard": Traits("Minicard", native=True),
    "minisat22": Traits("Minisat22"),
    "minisatgh": Traits("MinisatGH"),
    "minisatep": Traits("MinisatEP"),
    "ergo": Traits("Ergo"),
    "mergesat3": Traits("Mergesat3"),
    # Look at budget and stop flag at restarts only: up to a second late.
    "glucose3": Traits("Glucose3"),
    "glucose4": Traits("Glucose4"),
    "glucose42": Traits("Glucose42"),
    "gluecard3": Traits("Gluecard3", native=True),
    "gluecard4": Traits("Gluecard4", native=True),
    # Cannot be stopped, but keep to a budget of conflicts: they solve in slices.
    "cadical153": Traits("Cadical153", interruptible=False),
    "cadical195": Traits("Cadical195", interruptible=False),
    "cadical300": Traits("Cadical300", interruptible=False),
}
"""The solvers that can be chosen."""

UNUSABLE: dict[str, str] = {
    "cadical103": "it takes no preferred phases, so it knows neither seeds nor hints",
    "cryptosat": "it needs another package, and cannot be stopped at a deadline",
    "kissat404": "it ignores assumptions, and aborts the process when it is used twice",
    "lingeling": "it cannot be stopped at a deadline",
    "maplechrono": "it takes over the alarm of the process, and equal seeds give unequal runs",
    "maplecm": "it takes over the alarm of the process",
    "maplesat": "it crashes on an empty formula, and its proofs are invalid",
}
"""The solvers of PySAT that are refused, and why."""

# MiniCard with its own at-most-one constraints loads ten times faster than any encoding of them as
# clauses (a 25×25 in 0.06 s instead of 0.8 s, and 64×64 at all), and solves as fast or faster from
# 9×9 to 25×25. It is a MiniSat: it stops at once.
DEFAULT_SOLVER = "minicard"


def known_solver(name: str) -> str:
    """PySAT's first name of a solver, if it can be used."""
    known: dict[str, object] = vars(solvers.SolverNames)
    for first, names in known.items():
        if isinstance(names, tuple) and (name == first or name in names):
            if first in SOLVERS:
                return first
            reason = UNUSABLE.get(first, "it has not been tried")
            raise BackendError(f"sat: solver {name} cannot be used: {reason}")
    raise BackendError(f"sat: no solver {name!r}; there are {', '.join(SOLVERS)}")
