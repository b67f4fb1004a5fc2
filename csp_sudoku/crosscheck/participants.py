"""The participants of a cross-check: backends, the oracle, functions and external programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from inspect import signature
from math import prod
from typing import Any, TypeAlias

import networkx as nx

from csp_encodings.export import FORMATS
from csp_sudoku import backends as registry
from csp_sudoku.backends.base import Backend
from csp_sudoku.backends.engines import fits_boards
from csp_sudoku.crosscheck.agreement import Role, Way
from csp_sudoku.crosscheck.external import ExternalSolver
from csp_sudoku.crosscheck.grids import Values
from csp_sudoku.crosscheck.programs import Command
from csp_sudoku.crosscheck.puzzle_programs import PLACES, PuzzleProgram
from csp_sudoku.errors import BackendError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.worker import Failed

Function: TypeAlias = Callable[[Puzzle], Any]
Solver: TypeAlias = str | Backend | PuzzleProgram | Function

# The number of assignments up to which the oracle is asked: it needs a few seconds for them.
_TINY = 10**10

# The oracle and the textbook algorithms are asked for tiny puzzles only. If that takes longer, the
# puzzle was not tiny.
_TINY_SECONDS = 5.0


@dataclass(frozen=True)
class Grids:
    """The grids that a function returned; `single` if it was one grid and not a list.

    `claimed` is how many solutions there are, if that is all that was said.
    """

    grids: tuple[Values, ...]
    single: bool = False
    claimed: int | None = None


@dataclass(frozen=True)
class Participant:
    """A solver that takes part.

    `name` is its name in reports. `family` is the same for all settings of one solver: two of one
    family are one witness. `seconds` is the most time that it gets, if others get more. `role` says
    why it is asked.
    """

    name: str
    family: str
    solver: Solver
    seconds: float | None = None
    role: Role = Role.EXTRA

    @property
    def takes_graphs(self) -> bool:
        """Whether it gets the constraint graph and not the puzzle."""
        return isinstance(self.solver, Backend | str) and self.solver != "brute"

    @property
    def way(self) -> Way:
        """What it is given as its input."""
        if self.takes_graphs:
            return Way.GRAPH
        return Way.LINE if isinstance(self.solver, PuzzleProgram) else Way.RULES

    @property
    def spec(self) -> str | None:
        """The name that can be sent to a worker, if there is one."""
        return self.solver if isinstance(self.solver, str) and self.takes_graphs else None

    @property
    def plain(self) -> Participant:
        """The same solver without implied sums; itself if it has no such option, or no name."""
        if self.spec is None:
            return self
        name, _, options = self.spec.partition(":")
        if "implied" not in signature(registry.load(name)).parameters:
            return self
        return replace(self, solver=f"{name}:{options},implied=false")

    @property
    def without_presolve(self) -> Participant | None:
        """CP-SAT with the same options, but without presolve; None for other solvers."""
        if self.spec is None or self.family != "cpsat" or "presolve=" in self.spec:
            return None
        spec = f"{self.spec}{',' if ':' in self.spec else ':'}presolve=false"
        return Participant(spec, self.family, spec)

    def timeout(self, timeout: float | None) -> float | None:
        """Its share of a timeout for everybody."""
        return min((s for s in (timeout, self.seconds) if s is not None), default=None)


ORACLE = Participant("brute", "brute", "brute", _TINY_SECONDS)
TEXTBOOK = Participant("textbook", "textbook", "textbook", _TINY_SECONDS)


def default_participants(puzzle: Puzzle, graph: nx.Graph | Failed) -> list[Participant]:
    """All backends that can hold the puzzle, and for tiny puzzles the textbook algorithms."""
    boards = not isinstance(graph, Failed) and fits_boards(graph)
    names = [name for name in registry.names() if name != "boards" or boards]
    return [*participants(names), *([TEXTBOOK] if is_tiny(puzzle) else [])]


def participants(solvers: Iterable[Solver]) -> list[Participant]:
    """Return the participants of these solvers."""
    found: list[Participant] = []
    for solver in solvers:
        if isinstance(solver, str) and "{" in solver:
            solver = external_program(solver)  # noqa: PLW2901 - the command stands for it
        if isinstance(solver, str):
            name, family = solver, _family(solver)
        elif isinstance(solver, PuzzleProgram):
            name = family = solver.label
        elif isinstance(solver, Backend):
            name = family = getattr(solver, "label", solver.name)
        elif callable(solver):
            name = family = getattr(solver, "__name__", type(solver).__name__)
        else:
            raise BackendError(f"{solver!r} is neither a backend nor a function of a puzzle")
        taken = {participant.name for participant in found}
        number = next(n for n in range(1, len(taken) + 2) if _numbered(name, n) not in taken)
        seconds = ORACLE.seconds if solver == "brute" else None
        ours = isinstance(solver, str) and family in (*registry.BUILT_IN, "brute")
        role = Role.ASKED if ours else Role.TESTED
        found.append(Participant(_numbered(name, number), family, solver, seconds, role))
    if not found:
        raise BackendError("a cross-check needs at least one backend")
    return found


def external_program(command: str) -> ExternalSolver | PuzzleProgram:
    """Return the participant of a command: it reads a puzzle, or a file in an export format."""
    reads_puzzles = Command(command, (*PLACES, *FORMATS)).place in PLACES
    return PuzzleProgram(command) if reads_puzzles else ExternalSolver(command)


def is_tiny(puzzle: Puzzle) -> bool:
    """Whether the oracle can enumerate a puzzle in a few seconds."""
    known = dict(puzzle.candidates)
    sizes = [len(known.get(place, puzzle.values_of(place))) for place in puzzle.variables]
    return prod(sizes) <= _TINY


def _family(spec: str) -> str:
    """The name of a backend without options. An unknown name is refused at once."""
    name, _, options = spec.partition(":")
    if options or name not in (*registry.BUILT_IN, "brute"):
        registry.get(spec)
    return name


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name} {number}"
