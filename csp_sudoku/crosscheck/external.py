"""External programs as backends: a command with a placeholder for the file to solve.

The program gets the constraint graph in a format that it knows (see :mod:`csp_encodings.export`)
and prints its answer. For each further solution it runs again, with the known solutions excluded.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import networkx as nx

from csp_encodings.automaton import Automaton
from csp_encodings.errors import EncodingError
from csp_encodings.export import FORMATS, export
from csp_encodings.factors import Regular
from csp_encodings.graph import (
    Assignment,
    FactorId,
    domains,
    factors,
    restricted_view,
    variables,
)
from csp_sudoku.backends.base import (
    Backend,
    Enumeration,
    Request,
    Session,
    Statistics,
    check_deadline,
)
from csp_sudoku.crosscheck.programs import Command, last_line
from csp_sudoku.errors import BackendError

_SUFFIXES = {"minizinc": ".mzn", "cpsat": ".txt", "cnf+": ".cnf"}


class ExternalSolver(Backend):
    """An external program.

    Parameters
    ----------
    command
        The command, as in a shell. ``{cnf}`` stands for the name of the file; for another format
        write its name instead, such as ``{minizinc}``.

    Examples
    --------
    >>> ExternalSolver("no-such-solver {cnf}")
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.BackendError: no-such-solver: there is no such program
    """

    name: ClassVar[str] = "external"
    summary: ClassVar[str] = "an external program, by its command"

    def __init__(self, command: str) -> None:
        self._command = Command(command, [*FORMATS])

    @property
    def label(self) -> str:
        """The name of the program."""
        return self._command.label

    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> ExternalSession:
        """Keep the graph. It is written for each run."""
        check_deadline(deadline)
        return ExternalSession(graph, self._command)


class ExternalSession(Session):
    """The runs of one program."""

    def __init__(self, graph: nx.Graph, command: Command) -> None:
        self._graph = graph
        self._command = command

    def enumerate(self, request: Request) -> Enumeration:
        """Enumerate with one run for each solution. The seed has no effect."""
        graph = restricted_view(self._graph, request.restrict) if request.restrict else self._graph
        return Enumeration(self._run(graph, request.deadline), Statistics())

    def _run(self, graph: nx.Graph, deadline: float | None) -> Iterator[Assignment]:
        # Not every format can express an empty domain.
        if not all(domains(graph).values()):
            return
        program, to = self._command.label, self._command.place
        with tempfile.TemporaryDirectory(prefix="csp-sudoku-") as folder:
            while True:
                exported = export(graph, to)
                path = Path(folder, f"graph{_SUFFIXES.get(to, f'.{to}')}")
                with open(path, "w", encoding="utf-8") as file:
                    for line in exported.lines():
                        check_deadline(deadline)
                        file.write(line)
                output = self._command.run(str(path), deadline, path.parent)
                try:
                    answer = exported.read(output)
                except EncodingError as error:
                    raise BackendError(f"{program}: {error}; {last_line(output)}") from None
                if answer.satisfiable is None:
                    raise BackendError(f"{program} gives no answer; {last_line(output)}")
                if not answer.satisfiable:
                    return
                for assignment in answer.assignments:
                    missing = [name for name in variables(graph) if name not in assignment]
                    if missing:
                        raise BackendError(f"{program}: its answer has no value for {missing[0]}")
                    yield assignment
                    graph = _excluding(graph, assignment)


def _excluding(graph: nx.Graph, assignment: Assignment) -> nx.Graph:
    """The graph with one more factor, an automaton that excludes a solution."""
    scope = tuple(variables(graph))
    row = [assignment[variable] for variable in scope]
    known = domains(graph)
    differs = Automaton.from_fold(
        [known[variable] for variable in scope],
        False,
        lambda differs, value, place: differs or value != row[place],
        bool,
        positional=True,
    )
    copy = graph.copy()
    node = FactorId(1 + max((node.index for node in factors(graph)), default=-1))
    copy.add_node(node, factor=Regular(scope, differs), source=None, definition=False)
    for place, variable in enumerate(scope):
        copy.add_edge(node, variable, positions=(place,))
    return nx.freeze(copy)
