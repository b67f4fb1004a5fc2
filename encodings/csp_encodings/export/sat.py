"""DIMACS CNF, and CNF+ with at-most-one constraints of its own (MiniCard's format)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import networkx as nx

from csp_encodings.cnf import Cnf, encode
from csp_encodings.dimacs import read_answer, write_cnf
from csp_encodings.export.base import Answer, Exported, commented


def export_cnf(graph: nx.Graph) -> Exported:
    """Clauses alone: what every SAT solver reads."""
    # Pairs of literals would be gigabytes for the largest grids.
    cnf = encode(graph, at_most_one=_suitable(graph))
    return Exported(lambda: write_cnf(cnf.variables, cnf.clauses, _legend(cnf)), _reader(cnf))


def export_cnf_plus(graph: nx.Graph) -> Exported:
    """Clauses and cardinality constraints ``1 2 3 <= 1``."""
    cnf = encode(graph, at_most_one="native")

    def lines() -> Iterator[str]:
        yield from commented("c", _legend(cnf))
        yield f"p cnf+ {cnf.variables} {len(cnf.clauses) + len(cnf.at_most)}\n"
        for clause in cnf.clauses:
            yield " ".join([*map(str, clause), "0\n"])
        for literals, bound in cnf.at_most:
            yield f"{' '.join(map(str, literals))} <= {bound}\n"

    return Exported(lines, _reader(cnf))


def _suitable(graph: nx.Graph) -> str:
    widest = max((len(data.get("domain", ())) for _, data in graph.nodes(data=True)), default=0)
    return "pairwise" if widest <= 25 else "product"


def _legend(cnf: Cnf) -> Iterator[str]:
    yield "a constraint graph; variable numbers and what they say:"
    for number, name in enumerate(cnf.names(), 1):
        yield f"{number} {name}"


def _reader(cnf: Cnf) -> Callable[[str], Answer]:
    def read(text: str) -> Answer:
        said = read_answer(text.splitlines())
        found = [cnf.decode(said.model)] if said.satisfiable else []
        return Answer(said.satisfiable, found)

    return read
