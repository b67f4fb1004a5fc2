"""A worker process: it gets constraint graphs and returns assignments. Started by `isolation`.

A message is JSON, after its length in four bytes. Requests come in on the standard input. Replies
go out on the standard output: `Accepted`, any number of `Compiled` and `Found`, then one that is
the last. Whatever a solver prints goes to the standard error. When the standard input ends, the
worker ends at once: the process that started it has ended, or does not need it any more.
"""

from __future__ import annotations

import faulthandler
import os
import queue
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import cache
from typing import IO, Literal, TypeAlias

import msgspec
import networkx as nx

from csp_encodings import serial
from csp_encodings.errors import BudgetError
from csp_encodings.factors import AllDifferent, Linear, Relation
from csp_encodings.graph import GraphBuilder, factors, variables
from csp_encodings.watch import watched
from csp_sudoku import backends
from csp_sudoku.backends.base import Backend, OutOfTime, Statistics
from csp_sudoku.errors import BackendError, CspSudokuError
from csp_sudoku.running.deadlines import deadline_after, seconds_left

# How many characters of an error are reported; some errors print half a compiler.
_TEXT = 300

# How often solutions are sent: a crash loses only those found since.
_SEND_SECONDS = 0.2

# Up to this many variables, graphs of differences alone have an engine of their own.
_FEW = 256

_LENGTH = struct.Struct(">I")

PING = b""
"""Not a request: it asks whether the worker is there."""

Row: TypeAlias = tuple[int, ...]


class Question(msgspec.Struct, frozen=True):
    """What is asked about a graph: its solutions, or a proof, or a core."""

    limit: int | None = None
    seed: int | None = None
    known: tuple[Row, ...] | None = None
    """The known solutions, if a proof is wanted that there are no others."""
    restrict: tuple[tuple[int, tuple[int, ...]], ...] | None = None
    """The values that variables (by number) may take, if a core of these is wanted."""


class Request(msgspec.Struct, frozen=True):
    """A question to a worker."""

    graph: msgspec.Raw
    backend: str
    question: Question = Question()
    timeout: float | None = None
    memory: int | None = None
    """The bytes that the worker may use; None for no limit."""


class Accepted(msgspec.Struct, frozen=True, tag=True):
    """The solver is loaded; the time of the request starts now."""


class Compiled(msgspec.Struct, frozen=True, tag=True):
    """The graph is compiled: how long that took, and how large the solver's input is."""

    seconds: float
    size: dict[str, int]


class Found(msgspec.Struct, frozen=True, tag=True):
    """Solutions: the values in the order of the graph's variables."""

    rows: tuple[Row, ...]


class Done(msgspec.Struct, frozen=True, tag=True):
    """The end of an enumeration."""

    complete: bool
    out_of_time: bool
    statistics: dict[str, int | float | str]


class Proved(msgspec.Struct, frozen=True, tag=True):
    """A proof, as lines, that there are no other solutions; or another solution."""

    lines: tuple[str, ...]
    other: Row | None = None
    seconds: float = 0.0


class Core(msgspec.Struct, frozen=True, tag=True):
    """The numbers of restricted variables that leave no solution; None if there is a solution."""

    numbers: tuple[int, ...] | None


class CrashError(BackendError):
    """A program of others was ended by a signal."""


class Failed(msgspec.Struct, frozen=True, tag=True):
    """Failed: too large, out of memory or time, stuck, or an error."""

    kind: Literal["refused", "memory", "time", "stuck", "error", "crash"]
    text: str


Last: TypeAlias = Done | Proved | Core | Failed
Reply: TypeAlias = Accepted | Compiled | Found | Done | Proved | Core | Failed


def replies(
    graph: nx.Graph, backend: Backend, question: Question, deadline: float | None
) -> Iterator[Reply]:
    """Answer a question about a graph. What goes wrong is a reply; only an interrupt is raised."""
    try:
        if question.known is not None:
            from csp_sudoku.crosscheck.certificates import prove

            yield prove(graph, question.known, deadline=deadline)
        elif question.restrict is not None:
            from csp_sudoku.crosscheck.cores import find_core

            yield find_core(graph, question.restrict, deadline=deadline)
        else:
            yield from _solve(graph, backend, question, deadline)
    except Exception as error:
        yield failure(error)


def _solve(
    graph: nx.Graph, backend: Backend, question: Question, deadline: float | None
) -> Iterator[Reply]:
    started = time.perf_counter()
    limit = question.limit
    with backend.compile(graph, deadline=deadline) as session:
        found = session.solutions(limit=limit, deadline=deadline, seed=question.seed)
        yield Compiled(time.perf_counter() - started, _size(found.statistics))
        order = variables(graph)
        rows: list[Row] = []
        count = 0
        sent = time.monotonic()
        while limit is None or count < limit:
            assignment = next(found, None)
            if assignment is None:
                break
            rows.append(tuple([assignment[variable] for variable in order]))
            count += 1
            if time.monotonic() - sent > _SEND_SECONDS:
                yield Found(tuple(rows))
                rows, sent = [], time.monotonic()
        yield Found(tuple(rows))
        found.close()
        if found.stuck:
            yield Failed("stuck", found.stuck)
        else:
            yield Done(found.complete, found.out_of_time, _plain(found.statistics))


def failure(error: Exception) -> Failed:
    """Return the reply for an exception."""
    if isinstance(error, OutOfTime):
        return Failed("time", "time ran out before it answered")
    if isinstance(error, BudgetError):
        return Failed("refused", str(error))
    if isinstance(error, CrashError):
        return Failed("crash", str(error))
    # Without memory, libraries cannot be loaded and threads cannot be started.
    starved = isinstance(error, ImportError) or "can't start new thread" in str(error)
    if isinstance(error, MemoryError) or (starved and _is_limited()):
        return Failed("memory", "it needs more memory than it may have")
    text = str(error) if isinstance(error, CspSudokuError) else f"{type(error).__name__}: {error}"
    return Failed("error", text.partition("\n")[0][:_TEXT])


def _size(statistics: Statistics) -> dict[str, int]:
    """The counters that are set before the search begins: the size of the solver's input."""
    settings = ("workers",)
    return {
        name: value
        for name, value in _plain(statistics).items()
        if type(value) is int and value and name not in settings
    }


def _plain(statistics: Statistics) -> dict[str, int | float | str]:
    return {k: v for k, v in asdict(statistics).items() if type(v) in (int, float, str)}


# The process


def main() -> None:
    """Serve requests until the standard input ends."""
    replies, requests = _take_over()

    def send(reply: Reply) -> None:
        write_frame(replies, msgspec.json.encode(reply))
        if isinstance(reply, Failed) and reply.kind == "memory":
            os._exit(1)  # after this, nothing in the process can be trusted

    while True:
        _limit_memory(None)
        data = requests.get()
        if data == PING:
            send(Accepted())
        else:
            _serve(msgspec.json.decode(data, type=Request), send)


def _take_over() -> tuple[IO[bytes], queue.SimpleQueue[bytes]]:
    """Reserve the standard output for replies, and read requests in a thread."""
    faulthandler.enable()
    # Ctrl-C is the business of the process that started this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        source = sys.stdin.buffer
        while (data := read_frame(source)) is not None:
            requests.put(data)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return replies, requests


def _serve(request: Request, send: Callable[[Reply], None]) -> None:
    try:
        deadline = deadline_after(request.timeout)
        with watched(deadline):
            graph = serial.loads(bytes(request.graph))
        left = seconds_left(deadline)
        # To load a solver for the first time does not count.
        backend = _loaded(request.backend, _sample(graph))
        _limit_memory(request.memory)
        send(Accepted())
        for reply in replies(graph, backend, request.question, deadline_after(left)):
            send(reply)
    except Exception as error:
        send(failure(error))


def _sample(graph: nx.Graph) -> nx.Graph:
    """A tiny graph that needs the same parts of a solver as this one."""
    differences = all(isinstance(f, AllDifferent | Relation) for f in factors(graph).values())
    return _tiny(differences and len(variables(graph)) <= _FEW)


@cache
def _tiny(differences: bool) -> nx.Graph:
    builder = GraphBuilder()
    builder.variable("x", (1, 2))
    builder.variable("y", (1, 2))
    builder.factor(AllDifferent(("x", "y")))
    if not differences:
        builder.factor(Linear((1, 1), ("x", "y"), 3, 3))
    return builder.build()


@cache
def _loaded(spec: str, sample: nx.Graph) -> Backend:
    """A backend that has solved a graph: its solver is loaded and its kernels are compiled."""
    backend = backends.get(spec)
    with backend.compile(sample) as session:
        list(session.solutions())
    return backend


def _is_limited() -> bool:
    if sys.platform == "win32":
        return False
    import resource

    least, most = resource.getrlimit(resource.RLIMIT_AS)
    return least != most


def _limit_memory(size: int | None) -> None:
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_AS)
    highest = sys.maxsize if most == resource.RLIM_INFINITY else most
    resource.setrlimit(resource.RLIMIT_AS, (most if size is None or size > highest else size, most))


def read_frame(source: IO[bytes]) -> bytes | None:
    """Read a message; None at the end."""
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    [length] = _LENGTH.unpack(head)
    data = source.read(length)
    return data if len(data) == length else None


def write_frame(target: IO[bytes], data: bytes) -> None:
    """Send a message."""
    target.write(_LENGTH.pack(len(data)))
    target.write(data)
    target.flush()


if __name__ == "__main__":
    main()
