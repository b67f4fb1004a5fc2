"""Certificates: proofs, which anybody can check, that a graph has no solutions but those listed.

A certificate is about the CNF of a constraint graph. It does not show that the graph is the puzzle;
that is what the second way of compiling rules is for (see `reference`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import networkx as nx

from csp_encodings.cnf import Cnf, encode
from csp_encodings.dimacs import Clause, Step, read_proof, write_cnf, write_proof
from csp_encodings.export.base import sources
from csp_encodings.graph import variables
from csp_encodings.lrat import Hinted, add_hints, write_lrat
from csp_encodings.proof import Checked, check
from csp_sudoku.backends.base import OutOfTime, check_deadline
from csp_sudoku.running.worker import Proved

SOLVER = "glucose4"
"""The solver of PySAT that writes the proofs: they are sound, and short to check."""

_SUFFIXES = (".cnf", ".drup", ".drat", ".lrat", ".proof")


@dataclass(frozen=True)
class Certificate:
    """A checked proof that a graph has no solutions but the known ones.

    Attributes
    ----------
    cnf
        The formula of the graph.
    blocking
        A clause for each known solution, which excludes it.
    proof
        Refutes the formula and these clauses together.
    checked
        The verdict of our own proof checker.
    origins
        Which clauses each rule became, in words.
    """

    cnf: Cnf
    blocking: tuple[Clause, ...]
    proof: tuple[Step, ...]
    checked: Checked
    prove_seconds: float = 0.0
    check_seconds: float = 0.0
    origins: tuple[str, ...] = ()

    @property
    def statement(self) -> str:
        """What is certified."""
        size = f"{self.cnf.variables:,} variables, {len(self.cnf.clauses):,} clauses"
        known = f" but the {len(self.blocking)} known" if self.blocking else ""
        return f"the CNF of this graph ({size}) has no solution{known}"

    def check(self) -> Checked:
        """Check the proof again."""
        return check([*self.cnf.clauses, *self.blocking], self.proof)

    def used_clauses(self) -> list[int]:
        """Return the numbers of the clauses that the proof needs, without spare ones.

        :meth:`csp_sudoku.Trace.rules_of` says which rule a clause belongs to.
        """
        last = len(self.cnf.clauses)
        return sorted({h for lemma in self.hinted() for h in lemma.hints if h <= last})

    def hinted(self) -> list[Hinted]:
        """Return the proof with hints (LRAT), for verified checkers; without spare lemmas."""
        return add_hints([*self.cnf.clauses, *self.blocking], self.proof)

    def write(self, path: str | Path) -> tuple[Path, Path]:
        """Write the formula (.cnf) and the proof for any proof checker.

        The suffix of the path says in which form: ``.lrat`` with hints (for ``lrat-check``,
        ``cake_lpr``), else as DRAT (for ``drat-trim``), in a file ``.drat`` or ``.drup``.
        """
        stem = Path(path)
        form = stem.suffix if stem.suffix in (".drat", ".lrat") else ".drup"
        if stem.suffix in _SUFFIXES:
            stem = stem.with_suffix("")
        formula, proof = stem.with_name(stem.name + ".cnf"), stem.with_name(stem.name + form)
        lines = write_lrat(self.hinted()) if form == ".lrat" else write_proof(self.proof)
        with open(formula, "w", encoding="utf-8") as file:
            clauses = [*self.cnf.clauses, *self.blocking]
            file.writelines(write_cnf(self.cnf.variables, clauses, self._comments()))
        with open(proof, "w", encoding="ascii") as file:
            file.writelines(lines)
        return formula, proof

    def _comments(self) -> Iterator[str]:
        yield self.statement
        if self.blocking:
            yield f"the last {len(self.blocking)} clauses exclude the known solutions"
        for number, name in enumerate(self.cnf.names(), 1):
            yield f"{number} means {name}"
        yield from self.origins


def prove(
    graph: nx.Graph, known: Iterable[Sequence[int]], *, deadline: float | None = None
) -> Proved:
    """Find a proof that a graph has no solutions but the known ones, or another solution.

    A solution is a row of values in the order of the graph's variables. Raises
    :class:`OutOfTime`.
    """
    from pysat.solvers import Solver

    from csp_sudoku.backends.native import run_stoppable

    started = time.perf_counter()
    cnf = encode(graph)
    clauses = [*cnf.clauses, *blocking(graph, cnf, known)]
    if () in clauses:
        return Proved(())  # already refuted, and not every solver takes an empty clause
    with Solver(SOLVER, with_proof=True) as solver:
        # Everything is a clause: a proof under assumptions proves nothing about the formula.
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
    """Check a proof of :func:`prove` against a newly encoded formula.

    `checked` of the certificate says whether the proof was accepted. Raises :class:`OutOfTime`.
    """
    started = time.perf_counter()
    cnf = encode(graph)
    known_clauses = tuple(blocking(graph, cnf, known))
    proof = tuple(read_proof(proved.lines))
    checked = check(
        [*cnf.clauses, *known_clauses], proof, progress=lambda: check_deadline(deadline)
    )
    seconds = time.perf_counter() - started
    origins = tuple(sources(graph, "clauses", cnf.starts, len(cnf.clauses)))
    return Certificate(cnf, known_clauses, proof, checked, proved.seconds, seconds, origins)


def blocking(graph: nx.Graph, cnf: Cnf, known: Iterable[Sequence[int]]) -> Iterator[Clause]:
    """A clause for each known solution, which excludes it."""
    order = variables(graph)
    for row in known:
        places = zip(order, row, strict=True)
        yield tuple([-cnf.literals[variable, value] for variable, value in places])
