"""External programs as backends: a command with a placeholder for the file to solve.

The program gets the constraint graph in a format that it knows (see :mod:`csp_encodings.export`)
and prints its answer. For each further solution it runs again, with the known solutions excluded.
It runs without a shell. When its time is up, it is ended with all processes that it has started.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

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
    Restriction,
    Session,
    Statistics,
    check_deadline,
)
from csp_sudoku.errors import BackendError

_PLACE = re.compile(r"\{([a-z+]+)\}")
_SUFFIXES = {"minizinc": ".mzn", "cpsat": ".txt", "cnf+": ".cnf"}

_TICK = 0.02
_MAX_OUTPUT = 64 * 2**20


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
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise BackendError(f"command {command!r}: {error}") from None
        places = _PLACE.findall(command)
        if len(places) != 1 or places[0] not in FORMATS:
            raise BackendError(
                f"command {command!r}: must have one place for the file, as {{cnf}} "
                f"(or another of {', '.join(FORMATS)})"
            )
        if shutil.which(self._words[0]) is None:
            raise BackendError(f"{self._words[0]}: there is no such program")
        self._format: str = places[0]

    @property
    def label(self) -> str:
        """The name of the program."""
        return Path(self._words[0]).name

    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> ExternalSession:
        """Keep the graph. It is written for each run."""
        check_deadline(deadline)
        return ExternalSession(graph, self._words, self._format)


class ExternalSession(Session):
    """The runs of one program."""

    def __init__(self, graph: nx.Graph, words: list[str], to: str) -> None:
        self._graph = graph
        self._words = words
        self._format = to

    def solutions(
        self,
        restrict: Restriction | None = None,
        *,
        limit: int | None = None,
        deadline: float | None = None,
        seed: int | None = None,
    ) -> Enumeration:
        """Enumerate with one run for each solution. The seed has no effect."""
        graph = restricted_view(self._graph, restrict) if restrict else self._graph
        return Enumeration(self._enumerate(graph, deadline), Statistics())

    def _enumerate(self, graph: nx.Graph, deadline: float | None) -> Iterator[Assignment]:
        # Not every format can express an empty domain.
        if not all(domains(graph).values()):
            return
        with tempfile.TemporaryDirectory(prefix="csp-sudoku-") as folder:
            while True:
                exported = export(graph, self._format)
                path = Path(folder, f"graph{_SUFFIXES.get(self._format, f'.{self._format}')}")
                with open(path, "w", encoding="utf-8") as file:
                    for line in exported.lines():
                        check_deadline(deadline)
                        file.write(line)
                output = self._run(path, deadline)
                try:
                    answer = exported.read(output)
                except EncodingError as error:
                    raise BackendError(f"{self._words[0]}: {error}; {_last(output)}") from None
                if answer.satisfiable is None:
                    raise BackendError(f"{self._words[0]} gives no answer; {_last(output)}")
                if not answer.satisfiable:
                    return
                for assignment in answer.assignments:
                    yield assignment
                    graph = _excluding(graph, assignment)

    def _run(self, path: Path, deadline: float | None) -> str:
        words = [word.replace(f"{{{self._format}}}", str(path)) for word in self._words]
        check_deadline(deadline)
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=path.parent,
                # A process group, so that all that the program starts is ended with it.
                start_new_session=True,
            )
            try:
                while process.poll() is None:
                    check_deadline(deadline)
                    if os.fstat(output.fileno()).st_size > _MAX_OUTPUT:
                        raise BackendError(f"{words[0]} prints more than an answer can be")
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(_TICK)
            finally:
                _end(process)
            output.seek(0)
            return output.read(_MAX_OUTPUT).decode(errors="replace")


def _end(process: subprocess.Popen[Any]) -> None:
    """End a program and all processes that it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


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


def _last(output: str) -> str:
    """The end of what a program printed, for an error message."""
    lines = output.strip().splitlines()
    return f"it prints {lines[-1][:80]!r}" if lines else "it prints nothing"
