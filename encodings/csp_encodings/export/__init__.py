"""Write constraint graphs for other programs, and read their answers.

``sat`` DIMACS CNF and CNF+ · ``programs`` OPB, LP and MPS · ``covers`` Knuth's XCC text ·
``models`` MiniZinc and CP-SAT's text proto · ``graphs`` node-link JSON and GraphML.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from csp_encodings.errors import EncodingError
from csp_encodings.export.base import Answer, Exported

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["FORMATS", "Answer", "Exported", "export"]

# A module is loaded when its format is first used.
FORMATS = {
    "cnf": "sat:export_cnf",
    "cnf+": "sat:export_cnf_plus",
    "opb": "programs:export_opb",
    "lp": "programs:export_lp",
    "mps": "programs:export_mps",
    "xcc": "covers:export_xcc",
    "minizinc": "models:export_minizinc",
    "cpsat": "models:export_cpsat",
    "graphml": "graphs:export_graphml",
    "json": "graphs:export_json",
}
"""The names of the formats, with the modules and functions that write them."""


def export(graph: nx.Graph, to: str) -> Exported:
    """Write a graph in a format.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xy", range(2)), AllDifferent(("x", "y")))
    >>> exported = export(graph, "cnf")
    >>> exported.text.splitlines()[-9:-6]
    ['p cnf 4 8', '1 2 0', '3 4 0']
    >>> exported.read("s SATISFIABLE\\nv 1 -2 -3 4 0").assignments
    [{'x': 0, 'y': 1}]
    """
    if to not in FORMATS:
        raise EncodingError(f"no format is called {to!r}; there are {', '.join(FORMATS)}")
    module, _, function = FORMATS[to].partition(":")
    write: Callable[[nx.Graph], Exported] = getattr(
        import_module(f"csp_encodings.export.{module}"), function
    )
    return replace(write(graph), graph=graph, to=to)
