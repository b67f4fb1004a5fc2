"""The constraint graph of a puzzle as text: variables, domains, neighbours, factors."""

from __future__ import annotations

from collections.abc import Iterator

from csp_encodings.graph import conflict_graph, domains, factors
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.factor_text import factor_text
from csp_sudoku.puzzle import Puzzle, shared_graph


def lines(puzzle: Puzzle) -> Iterator[str]:
    """The lines of the graph.

    Examples
    --------
    >>> shown = list(lines(Puzzle.blank(2)))
    >>> shown[0]
    '4 variables, 4 factors'
    >>> shown[1]
    'R1C1: 1 2; beside R1C2 R2C1'
    >>> shown[5]
    'row 1: all-different R1C1 R1C2'
    """
    graph = shared_graph(puzzle)
    conflicts = conflict_graph(graph)
    known, asked = domains(graph), factors(graph)
    yield f"{len(known)} variables, {len(asked)} factors"
    for variable, domain in known.items():
        values = " ".join(map(str, domain)) or "no value"
        neighbours = " ".join(map(str, conflicts.neighbors(variable))) or "nothing"
        yield f"{variable}: {values}; beside {neighbours}"
    for node, factor in asked.items():
        source = graph.nodes[node]["source"]
        label = source.label if isinstance(source, Constraint) else str(node)
        yield f"{label}: {factor_text(factor)}"
