"""The solvers that this machine has: our backends with their settings, CPMpy's, and programs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from csp_sudoku import backends as registry
from csp_sudoku.backends.sat_solvers import SOLVERS, UNUSABLE
from csp_sudoku.errors import BackendError

PROGRAMS = (
    "cadical -q {cnf}",
    "kissat -q {cnf}",
    "glucose -model {cnf}",
    "sh -c 'minisat -verb=0 $0 model >log; cat model' {cnf}",
    "picosat {cnf}",
    "cryptominisat5 --verb 0 {cnf}",
    "clasp --verbose=0 --outf=1 {cnf}",
    "clasp --verbose=0 --outf=1 {opb}",
    "minisat+ -v0 {opb}",
    "roundingsat --print-sol=1 {opb}",
    "glpsol --lp {lp} -o /dev/stdout",
    "glpsol --freemps {mps} -o /dev/stdout",
    "cbc {lp} solve printingOptions all solution stdout",
    "cbc {mps} solve printingOptions all solution stdout",
    "scip -q -c 'read {lp} optimize display solution quit'",
    "highs --solution_file /dev/stdout {lp}",
    "lp_solve -S3 -fmps {mps}",
    "minizinc --solver gecode {minizinc}",
    "minizinc --solver chuffed {minizinc}",
    "minizinc --solver org.minizinc.mip.coin-bc {minizinc}",
)
"""Commands of other programs that read an export format and print their answer."""

# Solvers of CPMpy that take no model without an objective.
_OPTIMIZERS = ("rc2",)

# What the survey asks of our own backends: each engine, and each setting that changes its input.
_OWN = (
    "auto",
    "search",
    "search:inference=forward",
    "search:all_different=matching",
    "search:implied=false",
    "dlx",
    "dlx:choice=fewest,branching=item,supports=false",
    "boards",
    "textbook",
    "cpsat",
    "cpsat:workers=4",
    "cpsat:implied=false",
    "cpsat:presolve=false",
    "lp:engine=scip",
    "lp:engine=cpsat",
    "lp:relaxation=false",
)


def solvers_at_hand() -> tuple[list[str], dict[str, str]]:
    """Return the solvers to survey, and for those that cannot be asked, why not.

    Examples
    --------
    >>> found, unusable = solvers_at_hand()
    >>> "sat:solver=cadical195" in found, unusable["sat:solver=lingeling"]
    (True, 'it cannot be stopped at a deadline')
    """
    found = [*_OWN, *_pysat()]
    unusable = {f"sat:solver={name}": reason for name, reason in UNUSABLE.items()}
    known = {registry.get(spec).name for spec in found}
    found += [name for name in registry.names() if name not in known]  # plug-ins
    try:
        found += _cpmpy()
    except (BackendError, ImportError) as error:
        unusable["cpmpy"] = str(error)
    for command in PROGRAMS:
        program = command.removeprefix("sh -c '").split()[0]
        if shutil.which(program):
            found.append(command)
        else:
            unusable[command] = "it is not installed"
    return found, unusable


def _pysat() -> Iterator[str]:
    for name, traits in SOLVERS.items():
        yield f"sat:solver={name}"
        if traits.native:
            yield f"sat:solver={name},at_most_one=native"
    yield from (f"sat:at_most_one={way}" for way in ("pairwise", "sequential", "product"))
    yield from ("sat:redundant=false", "sat:implied=false", "sat:names=true")


def _cpmpy() -> list[str]:
    """The solvers that CPMpy finds. Of PySAT's, which are asked directly, one is enough."""
    import cpmpy

    names = cpmpy.SolverLookup.supported()
    return [
        f"cpmpy:{name}"
        for name in names
        if (":" not in name or name.startswith("minizinc:")) and name not in _OPTIMIZERS
    ]
