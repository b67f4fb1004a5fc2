"""An export: the lines of a file, and a function that reads a solver's answer to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx

    from csp_encodings.graph import Assignment


@dataclass(frozen=True)
class Answer:
    """A solver's answer: its solutions, and whether there are any (None: it does not know)."""

    satisfiable: bool | None
    assignments: list[Assignment]


@dataclass(frozen=True)
class Exported:
    """A graph in another program's format.

    Attributes
    ----------
    lines
        Returns the lines of the file, each with its line end.
    read
        Reads the text of an answer; raises :class:`EncodingError` if it is not an answer.
    graph, to
        What was written, and in which format: a pickle holds these.
    """

    lines: Callable[[], Iterator[str]] = field(repr=False)
    read: Callable[[str], Answer] = field(repr=False)
    graph: nx.Graph | None = field(default=None, repr=False)
    to: str = ""

    def __reduce__(self) -> tuple[Callable[..., Exported], tuple[nx.Graph | None, str]]:
        from csp_encodings.export import export

        return export, (self.graph, self.to)

    @property
    def text(self) -> str:
        """The whole file."""
        return "".join(self.lines())


def identifiers(graph: nx.Graph) -> dict[Any, str]:
    """Give each variable a name that is valid in every format: letters, digits and ``_`` only.

    If two names would be equal, the second gets its number as a suffix.

    Examples
    --------
    >>> from csp_encodings.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> for name in ("R1C1", "$x", "x", "2"):
    ...     builder.variable(name, (1, 2))
    >>> list(identifiers(builder.build()).values())
    ['R1C1', 'x', 'x_2', 'v2']
    """
    from csp_encodings.graph import domains

    names: dict[Any, str] = {}
    taken: set[str] = set()
    for number, variable in enumerate(domains(graph)):
        name = re.sub(r"[^A-Za-z0-9]+", "_", str(variable)).strip("_") or "v"
        if not name[0].isalpha():
            name = f"v{name}"
        if name in taken:
            name = f"{name}_{number}"
        taken.add(name)
        names[variable] = name
    return names


def sources(graph: nx.Graph, what: str, firsts: Sequence[int], total: int) -> Iterator[str]:
    """Say which clauses, rows or constraints, counted from 1, each factor became, and its rule.

    `firsts` has the first of each factor, counted from 0; those before belong to no factor.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of({"x": (1, 2), "y": (1, 2)}, AllDifferent(("x", "y")))
    >>> list(sources(graph, "rows", [2], 4))
    ['rows 1 to 2: each variable has one value', 'rows 3 to 4: factor 0']
    """
    from csp_encodings.graph import FactorId

    bounds = [*firsts, total]
    if bounds[0]:
        yield f"{what} 1 to {bounds[0]}: each variable has one value"
    nodes = [node for node in graph if isinstance(node, FactorId)]
    for node, (first, end) in zip(nodes, pairwise(bounds), strict=True):
        source = graph.nodes[node]["source"]
        rule = "" if source is None else f", {getattr(source, 'label', source)}"
        if end > first:
            yield f"{what} {first + 1} to {end}: {node}{rule}"


def number_text(value: int) -> str:
    """Write a value as part of a name, in which a minus sign is not allowed."""
    return str(value) if value >= 0 else f"m{-value}"


def commented(sign: str, comments: Iterable[str]) -> Iterator[str]:
    """Return comment lines."""
    return (f"{sign} {' '.join(comment.splitlines())}\n" for comment in comments)
