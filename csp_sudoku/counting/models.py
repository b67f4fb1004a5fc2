"""The model counter Ganak, of the extra ``csp-sudoku[count]``: it counts the models of the CNF.

It projects them on the cells, and splits what falls into parts. So it is quick where rules tie few
cells together, and slow where houses tie all of them. It runs in a process of its own: nobody else
can stop it, and it may need much memory.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from importlib.util import find_spec
from threading import Thread

from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.cells import CellsLike
from csp_sudoku.errors import BackendError
from csp_sudoku.puzzle import Puzzle, shared_graph
from csp_sudoku.running.deadlines import has_passed
from csp_sudoku.solving.query import check_query
from csp_sudoku.solving.solve import projecting

_LOG = logging.getLogger("csp_sudoku")

# Seconds between looks at the clock.
_LOOK = 0.02

# Reads the variables, the projection and the clauses, a line each; writes the number.
_PROGRAM = """
import sys
from pyganak import Counter
counter = Counter()
lines = iter(sys.stdin)
counter.new_vars(int(next(lines)))
counter.set_sampling_set([*map(int, next(lines).split())])
for line in lines:
    counter.add_clause([*map(int, line.split())])
print("\\nmodels", counter.count())
"""


def is_installed() -> bool:
    """Whether the model counter is installed."""
    return find_spec("pyganak") is not None


def count_models(puzzle: Puzzle, of: CellsLike | None = None, deadline: float | None = None) -> int:
    """Return how many models the CNF of a puzzle has, projected on its variables, or on some.

    Raises :class:`OutOfTime`, and :class:`BackendError` if the model counter fails.
    """
    if not is_installed():
        raise BackendError(
            "backend ganak: not installed; pip install 'csp-sudoku[count]' "
            "(it has no package for Windows or Python 3.14)"
        )
    from csp_encodings.cnf import encode

    formula = encode(shared_graph(puzzle))
    shown = {*(projecting(check_query(), puzzle, of).of or formula.shown)}
    kept = [number for (place, _), number in formula.literals.items() if place in shown]
    lines = [str(formula.variables), " ".join(map(str, kept))]
    lines += [" ".join(map(str, clause)) for clause in formula.clauses]
    if not all(formula.clauses):
        return 0
    if has_passed(deadline):
        raise OutOfTime
    _LOG.debug("counting models of %d clauses for %r", len(formula.clauses), puzzle)
    return _run("\n".join(lines), deadline)


def _run(text: str, deadline: float | None) -> int:
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said: list[tuple[str, str]] = []
    talk = Thread(target=lambda: said.append(process.communicate(text)), daemon=True)
    talk.start()
    try:
        while talk.is_alive():
            if has_passed(deadline):
                raise OutOfTime
            talk.join(_LOOK)
    finally:
        process.kill()
        talk.join()
    out, errors = said[0]
    found = [line for line in out.splitlines() if line.startswith("models ")]
    if not found:
        last = (errors.splitlines() or ["it said nothing"])[-1]
        raise BackendError(f"backend ganak: the model counter failed: {last}")
    return int(found[-1].removeprefix("models "))
