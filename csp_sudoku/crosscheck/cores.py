"""Cores: in a puzzle without solution, the givens that by themselves leave no solution."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import networkx as nx

from csp_encodings.graph import variables
from csp_sudoku import backends
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.worker import Core

# Up to this number givens are named one by one.
_LISTED = 12

Restriction = Iterable[tuple[int, tuple[int, ...]]]


def restriction(puzzle: Puzzle) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The candidates of a puzzle; each place is given by its number."""
    return tuple([(puzzle.columns[place], values) for place, values in puzzle.candidates])


def find_core(graph: nx.Graph, restrict: Restriction, *, deadline: float | None = None) -> Core:
    """Find restricted variables, by number, that are enough to refute a graph."""
    from csp_sudoku.backends.sat_session import SatSession

    order = variables(graph)
    number = {variable: i for i, variable in enumerate(order)}
    with backends.get("sat").compile(graph, deadline=deadline) as session:
        assert isinstance(session, SatSession)
        core = session.core({order[i]: values for i, values in restrict}, deadline=deadline)
    return Core(None if core is None else tuple([number[variable] for variable in core]))


def only(puzzle: Puzzle, core: Core) -> Puzzle:
    """The puzzle with only the candidates of the core."""
    places = {puzzle.variables[i] for i in core.numbers or ()}
    kept = tuple([item for item in puzzle.candidates if item[0] in places])
    return replace(puzzle, candidates=kept)


def in_words(puzzle: Puzzle) -> str:
    """The givens of a puzzle, in words."""
    words = [f"{place}={'/'.join(map(str, values))}" for place, values in puzzle.candidates]
    if len(words) > _LISTED:
        return f"{len(words)} of the givens"
    return f"the givens {' '.join(words)}" if words else "the rules alone"
