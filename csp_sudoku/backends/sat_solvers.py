"""The solvers of PySAT: which can be used, and what they can do."""

from __future__ import annotations

from dataclasses import dataclass

from pysat import solvers

from csp_sudoku.errors import BackendError


@dataclass(frozen=True, slots=True)
class Traits:
    """What a solver of PySAT can do. This was measured; its documentation does not say."""

    kind: str
    """The name of its class."""
    native: bool = False
    """Whether it knows at-most constraints."""
    interruptible: bool = True
    """Whether another thread can stop it, and other threads run meanwhile."""
    stops_late: bool = False
    """Whether it looks at its budget and at the stop flag at restarts only: seconds late."""


# By the first of the names that PySAT has for each: see pysat.solvers.SolverNames.
SOLVERS: dict[str, Traits] = {
    # These keep to a budget, and stop at once.
    "minicard": Traits("Minicard", native=True),
    "minisat22": Traits("Minisat22"),
    "minisatgh": Traits("MinisatGH"),
    "minisatep": Traits("MinisatEP"),
    "ergo": Traits("Ergo"),
    "mergesat3": Traits("Mergesat3"),
    # These are not waited for when they are stopped.
    "glucose3": Traits("Glucose3", stops_late=True),
    "glucose4": Traits("Glucose4", stops_late=True),
    "glucose42": Traits("Glucose42", stops_late=True),
    "gluecard3": Traits("Gluecard3", native=True, stops_late=True),
    "gluecard4": Traits("Gluecard4", native=True, stops_late=True),
    # These cannot be stopped, but keep to a budget of conflicts: they solve in slices.
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
"""The solvers of PySAT that are refused, with the reason."""

# MiniCard has at-most-one constraints of its own. It loads them ten times faster than any encoding
# as clauses (a 25×25 in 0.06 s instead of 0.8 s; 64×64 is possible), and solves as fast or faster
# from 9×9 to 25×25. It is a MiniSat: it stops at once.
DEFAULT_SOLVER = "minicard"

# Where there are sums and automata, a Glucose with the same constraints is as quick to load, and
# quicker on hard puzzles. Glucose itself takes half as long again on easy ones.
SOLVER_FOR_SUMS = "gluecard3"
# With more candidates than this it is not taken: between two restarts it heeds neither its budget
# nor a stop, and on large grids a restart may never come.
MOST_FOR_SUMS = 2_000


def known_solver(name: str) -> str:
    """Return PySAT's first name of a solver; refuse one that cannot be used."""
    known: dict[str, object] = vars(solvers.SolverNames)
    for first, names in known.items():
        if isinstance(names, tuple) and (name == first or name in names):
            if first in SOLVERS:
                return first
            reason = UNUSABLE.get(first, "it has not been tried")
            raise BackendError(f"sat: solver {name} cannot be used: {reason}")
    raise BackendError(f"sat: no solver {name!r}; there are {', '.join(SOLVERS)}")
