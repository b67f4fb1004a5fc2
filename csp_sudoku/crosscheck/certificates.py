"""Certificates: that a graph has no solutions but those listed, as a proof that anybody can check.

What is certified is the CNF of a constraint graph. That the graph is the puzzle is another matter:
for that rules have a second way down (see `reference`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import networkx as nx

from csp_encodings.cnf import Cnf, encode
from csp_encodings.dimacs import Clause, Step, read_proof, write_cnf, write_proof
from csp_encodings.graph import domains, variables
from csp_encodings.proof import Checked, check
from csp_sudoku._worker import Proved
from csp_sudoku.backends.base import OutOfTime, check_deadline

SOLVER = "glucose4"
"""The solver of PySAT that proofs come from: sound, and short to check."""

# The values of a variable from which on pairs of them are too many.
_PAIRWISE = 25

_SUFFIXES = (".cnf", ".drup", ".drat", ".proof")


@dataclass(frozen=True)
class Certificate:
    """A checked proof that a graph has no solutions but some that are known.

    Attributes
    ----------
    cnf
        The formula of the graph.
    blocking
        A clause for each known solution, which says that it is another one.
    proof
        Refutes the two together.
    checked
        What our own checker said of it.
    """

    cnf: Cnf
    blocking: tuple[Clause, ...]
    proof: tuple[Step, ...]
    checked: Checked
    prove_seconds: float = 0.0
    check_seconds: float = 0.0

    @property
    def statement(self) -> str:
        """What it certifies."""
        size = f"{self.cnf.variables:,} variables, {len(self.cnf.clauses):,} clauses"
        known = f" but the {len(self.blocking)} known" if self.blocking else ""
        return f"the CNF of this graph ({size}) has no solution{known}"

    def check(self) -> Checked:
        """Check the proof once more."""
        return check([*self.cnf.clauses, *self.blocking], self.proof)

    def write(self, path: str | Path) -> tuple[Path, Path]:
        """Write the formula (.cnf) and the proof (.drup), as ``drat-trim`` and others read them."""
        stem = Path(path)
        if stem.suffix in _SUFFIXES:
            stem = stem.with_suffix("")
        formula, proof = stem.with_name(stem.name + ".cnf"), stem.with_name(stem.name + ".drup")
        with open(formula, "w", encoding="utf-8") as file:
            clauses = [*self.cnf.clauses, *self.blocking]
            file.writelines(write_cnf(self.cnf.variables, clauses, self._comments()))
        with open(proof, "w", encoding="ascii") as file:
            file.writelines(write_proof(self.proof))
        return formula, proof

    def _comments(self) -> Iterator[str]:
        yield self.statement
        if self.blocking:
            yield f"the last {len(self.blocking)} clauses exclude the known solutions"
        for number, name in enumerate(self.cnf.names(), 1):
            yield f"{number} means {name}"


def prove(
    graph: nx.Graph, known: Iterable[Sequence[int]], *, deadline: float | None = None
) -> Proved:
    """A proof that a graph has no solutions but the known ones, or another solution.

    Solutions are values in the order of the graph's variables. Raises :class:`OutOfTime`.
    """
    from pysat.solvers import Solver

    from csp_sudoku.backends.native import run_stoppable

    started = time.perf_counter()
    cnf = formula(graph)
    clauses = [*cnf.clauses, *blocking(graph, cnf, known)]
    if () in clauses:
        return Proved(())  # refuted as it stands, and not every solver takes an empty clause
    with Solver(SOLVER, with_proof=True) as solver:
        # Everything is a clause and nothing an assumption: a proof under assumptions is none.
        for i, clause in enumerate(clauses):
            if i % 1024 == 0:
                check_deadline(deadline)
            solver.add_clause(clause)
        satisfiable = run_stoppable(
            lambda: solver.solve_limited(expect_interrupt=True), solver.interrupt, deadline
        )
        if satisfiable is None:
            raise OutOfTime
        seconds = time.perf_counter() - started
        if not satisfiable:
            return Proved(tuple(solver.get_proof()), None, seconds)
        model = cnf.decode(solver.get_model())
        return Proved((), tuple([model[variable] for variable in variables(graph)]), seconds)


def certify(
    graph: nx.Graph,
    known: Sequence[Sequence[int]],
    proved: Proved,
    *,
    deadline: float | None = None,
) -> Certificate:
    """Check a proof of :func:`prove`, on a formula that is encoded anew.

    The certificate holds whatever the checker said: look at `checked`. Raises :class:`OutOfTime`.
    """
    started = time.perf_counter()
    cnf = formula(graph)
    known_clauses = tuple(blocking(graph, cnf, known))
    proof = tuple(read_proof(proved.lines))
    checked = check(
        [*cnf.clauses, *known_clauses], proof, progress=lambda: check_deadline(deadline)
    )
    seconds = time.perf_counter() - started
    return Certificate(cnf, known_clauses, proof, checked, proved.seconds, seconds)


def formula(graph: nx.Graph) -> Cnf:
    """The formula of a graph, in clauses alone: the one that is exported as DIMACS CNF."""
    widest = max(map(len, domains(graph).values()), default=0)
    return encode(graph, at_most_one="pairwise" if widest <= _PAIRWISE else "product")


def blocking(graph: nx.Graph, cnf: Cnf, known: Iterable[Sequence[int]]) -> Iterator[Clause]:
    """For each known solution a clause that says that it is another one."""
    order = variables(graph)
    for row in known:
        places = zip(order, row, strict=True)
        yield tuple([-cnf.literals[variable, value] for variable, value in places])
