"""Write DIMACS CNF, and CNF+ with cardinality constraints (MiniCard's format)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

import networkx as nx

from csp_encodings.cnf import Cnf, encode
from csp_encodings.dimacs import read_answer, write_cnf
from csp_encodings.export.base import Answer, Exported, commented, sources


def export_cnf(graph: nx.Graph) -> Exported:
    """Write clauses only, for every SAT solver."""
    cnf = encode(graph)
    total = len(cnf.clauses)

    def lines() -> Iterator[str]:
        legend = chain(_legend(cnf), sources(graph, "clauses", cnf.starts, total))
        return write_cnf(cnf.variables, cnf.clauses, legend)

    return Exported(lines, _reader(cnf))


def export_cnf_plus(graph: nx.Graph) -> Exported:
    """Write clauses, and cardinality constraints such as ``1 2 3 <= 1``."""
    cnf = encode(graph, at_most_one="native")

    def lines() -> Iterator[str]:
        yield from commented("c", _legend(cnf))
        yield f"p cnf+ {cnf.variables} {len(cnf.clauses) + len(cnf.at_most)}\n"
        for clause in cnf.clauses:
            yield " ".join([*map(str, clause), "0\n"])
        for literals, bound in cnf.at_most:
            yield f"{' '.join(map(str, literals))} <= {bound}\n"

    return Exported(lines, _reader(cnf))


def _legend(cnf: Cnf) -> Iterator[str]:
    yield "a constraint graph; the variables and their meanings:"
    for number, name in enumerate(cnf.names(), 1):
        yield f"{number} {name}"


def _reader(cnf: Cnf) -> Callable[[str], Answer]:
    def read(text: str) -> Answer:
        said = read_answer(text.splitlines())
        found = [cnf.decode(said.model)] if said.satisfiable else []
        return Answer(said.satisfiable, found)

    return read
