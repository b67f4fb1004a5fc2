"""The algorithms by name, on puzzles and on graphs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import networkx as nx

from csp_encodings.exact_cover import ExactCover, encode
from csp_encodings.graph import FactorId
from csp_sudoku.backends.base import Restriction
from csp_sudoku.errors import BackendError
from csp_sudoku.textbook.arc_consistency import ac3_events
from csp_sudoku.textbook.csp import Csp, constraint_graph, rule_names
from csp_sudoku.textbook.dancing_links import algorithm_x
from csp_sudoku.textbook.events import Event
from csp_sudoku.textbook.search import Heuristics, backtracking_search, by_name, look_up


@dataclass(frozen=True)
class Prepared:
    """An algorithm that is ready for a graph: how large its input is, and what runs it."""

    size: dict[str, int]
    run: Callable[[Restriction], Iterator[Event]]


Prepare: TypeAlias = Callable[[nx.Graph], Prepared]


def trace(
    puzzle: object,
    algorithm: str = "search",
    *,
    variable_order: str | None = None,
    value_order: str | None = None,
    inference: str | None = None,
) -> Iterator[Event]:
    """Run an algorithm on a puzzle, and yield everything that it does.

    Parameters
    ----------
    puzzle
        A puzzle, whatever :func:`csp_sudoku.read` takes, or a constraint graph.
    algorithm
        ``search`` (backtracking), ``x`` (Algorithm X with dancing links) or ``ac3``.
    variable_order
        For ``search``: ``first``, ``mrv`` or ``mrv+degree`` (the default).
    value_order
        For ``search``: ``natural`` or ``lcv`` (the default).
    inference
        For ``search``: ``none``, ``forward`` or ``mac`` (the default).

    Examples
    --------
    >>> from csp_sudoku.textbook.events import Backtracked, Chosen
    >>> for event in trace("..3. ..4. 2.13 ...4"):
    ...     if isinstance(event, Chosen | Backtracked):
    ...         print("- " * event.depth + str(event))
    - choose 4 for R1C1
    - - choose 2 for R1C2
    - - - choose 1 for R2C1
    - - - choose 3 for R2C1
    - - - backtrack from R2C1
    - - choose 1 for R1C2
    - - backtrack from R1C2
    - choose 1 for R1C1
    - backtrack from R1C1
    """
    prepare = prepare_algorithm(
        algorithm, variable_order=variable_order, value_order=value_order, inference=inference
    )
    return prepare(constraint_graph(puzzle)).run({})


def prepare_algorithm(algorithm: str, **options: str | None) -> Prepare:
    """The algorithm of this name, with the options of :func:`trace`; None is the default."""
    prepare = look_up("algorithm", algorithm, _ALGORITHMS)
    given = {option: name for option, name in options.items() if name is not None}
    if given and algorithm != "search":
        raise BackendError(f"textbook: {', '.join(given)} is for algorithm='search' only")
    return partial(_search, heuristics=by_name(**given)) if given else prepare


def _search(graph: nx.Graph, heuristics: Heuristics | None = None) -> Prepared:
    csp = Csp.of(graph)
    functions = heuristics or by_name()
    return Prepared(
        {"variables": len(csp.domains), "arcs": len(csp.arcs)},
        lambda restrict: backtracking_search(csp.restricted(restrict), *functions),
    )


def exact_cover(graph: nx.Graph) -> ExactCover:
    """The matrix of a graph; its items have the names of the rules.

    Examples
    --------
    >>> exact_cover(constraint_graph("1... .... .... ....")).items[16:18]
    ('row 1 has 1', 'row 1 has 2')
    """
    problem = encode(graph)
    names = rule_names(graph)

    def readable(item: str) -> str:
        return re.sub(
            r"^factor (\d+)\b", lambda found: names.get(FactorId(int(found[1])), found[0]), item
        )

    return replace(problem, items=tuple(map(readable, problem.items)))


def _x(graph: nx.Graph) -> Prepared:
    problem = exact_cover(graph)
    return Prepared(
        {"items": len(problem.items), "options": len(problem.meanings)},
        lambda restrict: algorithm_x(problem, restrict),
    )


def _ac3(graph: nx.Graph) -> Prepared:
    csp = Csp.of(graph)
    return Prepared(
        {"variables": len(csp.domains), "arcs": len(csp.arcs)},
        lambda restrict: ac3_events(csp.restricted(restrict), csp.arcs),
    )


_ALGORITHMS: dict[str, Prepare] = {"search": _search, "x": _x, "ac3": _ac3}
