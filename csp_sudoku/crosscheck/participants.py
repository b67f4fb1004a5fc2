"""Who takes part in a cross-check: backends, the oracle, and functions and programs of others."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import prod
from typing import Any, TypeAlias

import networkx as nx

from csp_sudoku import backends as registry
from csp_sudoku._worker import Done, Reply, solve
from csp_sudoku.backends.base import Backend
from csp_sudoku.backends.brute import BruteSession
from csp_sudoku.crosscheck.external import ExternalSolver
from csp_sudoku.crosscheck.grids import Values, all_grids
from csp_sudoku.errors import BackendError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.results import Result, Status

Function: TypeAlias = Callable[[Puzzle], Any]
Solver: TypeAlias = str | Backend | Function

# What the oracle can enumerate while one waits. It sees a rule only when all its cells are set.
_TINY = 10**10


@dataclass(frozen=True)
class Grids:
    """The grids that a function gave; with `single`, it gave one and said nothing of others."""

    grids: tuple[Values, ...]
    single: bool = False


@dataclass(frozen=True)
class Participant:
    """One who gives an answer.

    `name` is what the report calls it, `family` what it has in common with its variants: two of
    one family are not two witnesses. A name of a backend can be sent to a worker.
    """

    name: str
    family: str
    solver: Solver

    @property
    def takes_graphs(self) -> bool:
        """Whether it gets the constraint graph; else the puzzle."""
        return isinstance(self.solver, Backend | str) and self.solver != "brute"

    @property
    def spec(self) -> str | None:
        """The name by which a worker knows it, if it does."""
        return self.solver if isinstance(self.solver, str) and self.takes_graphs else None


def participants(solvers: Iterable[Solver] | None) -> list[Participant]:
    """Read the list of those who take part; by default all backends."""
    found: list[Participant] = []
    for solver in registry.names() if solvers is None else solvers:
        if isinstance(solver, str) and "{" in solver:
            solver = ExternalSolver(solver)  # noqa: PLW2901 - the command stands for it
        if isinstance(solver, str):
            name, family = solver, _family(solver)
        elif isinstance(solver, Backend):
            name = family = getattr(solver, "label", solver.name)
        elif callable(solver):
            name = family = getattr(solver, "__name__", type(solver).__name__)
        else:
            raise BackendError(f"{solver!r} is neither a backend nor a function of a puzzle")
        taken = {participant.name for participant in found}
        number = next(n for n in range(1, len(taken) + 2) if _numbered(name, n) not in taken)
        found.append(Participant(_numbered(name, number), family, solver))
    if not found:
        raise BackendError("a cross-check needs at least one backend")
    return found


def is_tiny(puzzle: Puzzle) -> bool:
    """Whether the oracle can enumerate a puzzle while one waits."""
    known = dict(puzzle.candidates)
    sizes = [len(known.get(place, puzzle.values_of(place))) for place in puzzle.variables]
    return prod(sizes) <= _TINY


def ask_here(
    participant: Participant,
    puzzle: Puzzle,
    graph: nx.Graph | None,
    *,
    limit: int | None,
    timeout: float | None,
    seed: int | None,
) -> Iterator[Reply | Grids]:
    """The answer of a participant, in this process."""
    deadline = None if timeout is None else time.monotonic() + timeout
    solver = participant.solver
    if participant.takes_graphs:
        assert graph is not None
        assert isinstance(solver, str | Backend)
        yield from solve(graph, registry.get(solver), limit=limit, deadline=deadline, seed=seed)
    elif solver == "brute":
        found = BruteSession(puzzle).solutions(deadline=deadline)
        yield Grids(tuple(islice(found, limit)))
        yield Done(found.complete, found.out_of_time, {})
    else:
        assert callable(solver)
        yield from _ask_function(solver(puzzle), puzzle, limit)


def _ask_function(given: Any, puzzle: Puzzle, limit: int | None) -> Iterator[Reply | Grids]:
    if isinstance(given, Result):
        yield Grids(given.solutions)
        yield Done(given.complete, given.status is Status.UNKNOWN, {})
        return
    grids, single = (iter(()), False) if given is None else all_grids(given, puzzle)
    taken = tuple(islice(grids, limit))
    yield Grids(taken, single)
    # A list that ends before the limit says: these are all.
    yield Done(not single and (limit is None or len(taken) < limit), False, {})


def _family(spec: str) -> str:
    """The name of a backend; a wrong one is the caller's mistake and no finding."""
    name, _, options = spec.partition(":")
    if options or name not in (*registry.BUILT_IN, "brute"):
        registry.get(spec)
    return name


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name} {number}"
