"""Write the graph itself: GraphML for viewers, node-link JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator

import networkx as nx

from csp_encodings.errors import EncodingError
from csp_encodings.export.base import Answer, Exported
from csp_encodings.factors import Connected, Linear, Regular, Relation
from csp_encodings.graph import FactorId


def export_graphml(graph: nx.Graph) -> Exported:
    """Write GraphML, for yEd, Gephi and networkx."""
    return Exported(
        lambda: (line + "\n" for line in nx.generate_graphml(_plain(graph))), _no_answer
    )


def export_json(graph: nx.Graph) -> Exported:
    """Write node-link JSON, for networkx and D3."""

    def lines() -> Iterator[str]:
        yield json.dumps(nx.node_link_data(_plain(graph), edges="links"), indent=1) + "\n"

    return Exported(lines, _no_answer)


def _plain(graph: nx.Graph) -> nx.Graph:
    """A copy in which all attributes are text, numbers or Booleans."""
    plain = nx.Graph()
    for node, data in graph.nodes(data=True):
        if not isinstance(node, FactorId):
            domain = " ".join(map(str, data["domain"]))
            plain.add_node(
                str(node), kind="variable", domain=domain, auxiliary=bool(data["auxiliary"])
            )
            continue
        factor, source = data["factor"], data["source"]
        said = {"kind": type(factor).__name__, "definition": bool(data["definition"])}
        said["source"] = getattr(source, "label", "" if source is None else str(source))
        match factor:
            case Relation():
                said["allowed"] = " ".join(f"{a},{b}" for a, b in sorted(factor.allowed))
            case Linear():
                said["coefficients"] = " ".join(map(str, factor.coefficients))
                said["low"], said["high"] = str(factor.low), str(factor.high)
            case Regular():
                automaton = factor.automaton
                said["widths"] = " ".join(map(str, automaton.widths))
                said["edges"] = "; ".join(
                    f"{i}: {tail}-{','.join(map(str, values))}-{head}"
                    for i, layer in enumerate(automaton.layers)
                    for tail, values, head in layer
                )
            case Connected():
                said["edges"] = " ".join(f"{a}-{b}" for a, b in factor.edges)
                said["classes"] = "; ".join(" ".join(map(str, c)) for c in factor.classes)
                said["largest"] = str(factor.largest)
        plain.add_node(str(node), **said)
    for a, b, data in graph.edges(data=True):
        plain.add_edge(str(a), str(b), positions=" ".join(map(str, data["positions"])))
    return plain


def _no_answer(text: str) -> Answer:
    raise EncodingError("this format is for graphs only: there is no answer to read")
