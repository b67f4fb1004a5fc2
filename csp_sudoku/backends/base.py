"""What a backend is: it compiles a constraint graph to a session, and a session enumerates.

A backend sees the graph and nothing else. It returns raw assignments; whether they obey the rules
is checked above it, by :mod:`csp_sudoku.checking.verify`.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    NamedTuple,
    ParamSpec,
    Self,
    TypeAlias,
    TypeVar,
    cast,
)

from csp_encodings.errors import GraphError
from csp_encodings.graph import Assignment
from csp_encodings.watch import OutOfTime as OutOfTime  # noqa: PLC0414 - backends raise it
from csp_encodings.watch import watched
from csp_sudoku.kernels import BLANK
from csp_sudoku.running.closing import Closing
from csp_sudoku.running.deadlines import has_passed

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray


P = ParamSpec("P")
T = TypeVar("T")

Restriction = Mapping[Any, tuple[int, ...]]

#: Rows of values: one for each puzzle, with a column for each variable.
Rows: TypeAlias = "NDArray[np.int64]"


class Stuck(Exception):  # noqa: N818 - a signal between layers, not an error
    """Raised inside an enumeration when an incomplete method finds no next step.

    Its text says where, such as "stuck with 14 open cells". It never reaches a user.
    """


@dataclass
class Statistics:
    """What a run cost. Every backend has its own subclass with the counters it knows."""

    compile_seconds: float = 0.0
    solve_seconds: float = 0.0
    solutions: int = 0

    # Fields of a portfolio alone; a single solver has no members.
    winner = ""
    """The member of a portfolio that answered."""
    asked = tuple[str, ...]()
    """The members of a portfolio that were asked."""


@dataclass(frozen=True)
class Drained:
    """How many solutions :meth:`Enumeration.drain` passed over, and a sample of them."""

    count: int
    sample: list[Assignment]


class Enumeration(Iterator[Assignment]):
    """The solutions of one query, one at a time; it can be left and resumed.

    A backend gives it a generator that raises :class:`OutOfTime` at the deadline and returns when
    there is nothing more to find. Or a subclass defines :meth:`_find`, which is quicker.

    Attributes
    ----------
    complete
        Whether the whole space was searched.
    out_of_time
        Whether the deadline passed before that.
    stuck
        Where an incomplete method found no next step; empty if it did not get stuck.
    """

    complete = False
    out_of_time = False
    stuck = ""
    _given_up = False

    def __init__(self, found: Iterator[Assignment], statistics: Statistics) -> None:
        self.statistics = statistics
        self._found = found

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Assignment:
        if self.complete or self.out_of_time or self._given_up:
            raise StopIteration
        started = time.perf_counter()
        try:
            assignment = self._find()
        except StopIteration:
            self.complete = True
            raise
        except OutOfTime:
            self.out_of_time = True
            raise StopIteration from None
        except Stuck as signal:
            self.stuck, self._given_up = str(signal), True
            raise StopIteration from None
        except BaseException:
            # An interrupted generator would end without having searched the whole space.
            self._given_up = True
            raise
        finally:
            self.statistics.solve_seconds += time.perf_counter() - started
        self.statistics.solutions += 1
        return assignment

    def _find(self) -> Assignment:
        return next(self._found)

    def drain(self, limit: int | None = None) -> Drained:
        """Pass over the next `limit` solutions (default: all that are left), keeping a sample.

        Backends that can count without handing out each solution override this.
        """
        count, sample = 0, []
        while limit is None or count < limit:
            assignment = next(self, None)
            if assignment is None:
                break
            count += 1
            # The powers of two: a sample that grows with the logarithm and needs no random state.
            if count & (count - 1) == 0:
                sample.append(assignment)
        return Drained(count, sample)

    def close(self) -> None:
        """Give up the query; the session stays usable."""
        if not self._given_up:
            self._given_up = True
            if close := getattr(self._found, "close", None):
                close()


class Distinct(Enumeration):
    """The solutions of another enumeration; of those that agree on some variables, the first."""

    def __init__(self, found: Enumeration, variables: tuple[Any, ...]) -> None:
        super().__init__(found, found.statistics)
        self._all = found
        self._variables = variables
        self._seen: set[tuple[int, ...]] = set()

    def _find(self) -> Assignment:
        seconds, statistics = self.statistics.solve_seconds, self.statistics
        try:
            for assignment in self._all:
                part = tuple([assignment[variable] for variable in self._variables])
                if part not in self._seen:
                    self._seen.add(part)
                    return assignment
        finally:
            # The caller counts the time and the solution.
            statistics.solve_seconds, statistics.solutions = seconds, max(0, len(self._seen) - 1)
        if self._all.stuck:
            raise Stuck(self._all.stuck)
        if not self._all.complete:
            raise OutOfTime
        statistics.solutions = len(self._seen)
        raise StopIteration


class Request(NamedTuple):
    """What is asked of a session.

    Attributes
    ----------
    restrict
        For some variables, the values that they may take (within their domains).
    limit
        How many solutions the caller will take at most; a hint.
    deadline
        A moment of ``time.monotonic()`` after which the search is given up.
    seed
        Fixes every random choice; equal seeds give equal runs.
    hint
        Values to try first, for some variables or all; a session may ignore them.
    effort
        Bounds the work as a deadline bounds the time, but does not depend on the clock: conflicts
        of `sat`, steps of `search`. Other sessions ignore it.
    repeatable
        Whether the same request is to give the same solutions, whatever was asked before. If any
        solution will do, a SAT solver that has learnt from earlier requests is quicker.
    """

    restrict: Restriction = MappingProxyType({})
    limit: int | None = None
    deadline: float | None = None
    seed: int | None = None
    hint: Mapping[Any, int] = MappingProxyType({})
    effort: int | None = None
    repeatable: bool = True


class Session(Closing):
    """A compiled graph that answers many queries; a context manager.

    A session serves one query at a time: opening a new one closes the one before. It is not shared
    between threads; every thread compiles its own.
    """

    @abstractmethod
    def enumerate(self, request: Request) -> Enumeration:
        """Enumerate the distinct solutions within the restriction of a request."""

    def solutions(self, restrict: Restriction | None = None, **asked: Any) -> Enumeration:
        """Enumerate the distinct solutions; the other fields of :class:`Request` are keywords."""
        return self.enumerate(Request(restrict or {}, **asked))

    def projected(self, variables: tuple[Any, ...], request: Request) -> Enumeration:
        """Enumerate solutions that differ on some variables: one of those that agree there.

        By default all solutions are passed through. A session that can do better overrides this.
        """
        return Distinct(self.enumerate(request._replace(limit=None)), variables)

    # A session with a kernel for many puzzles defines these as well.

    def takes_rows(self, number: int) -> bool:
        """Whether :meth:`solve_many` is the best way to ask about this number of puzzles."""
        return False

    def solve_many(
        self, givens: Rows, *, limit: int = 1, deadline: float | None = None
    ) -> tuple[Rows, Rows]:
        """Solve many puzzles of the same rules in one call of a kernel.

        Without a kernel it decides none: the caller asks :meth:`solutions` about each.

        Parameters
        ----------
        givens
            A row for each puzzle. A column for each variable of the graph, in its order, without
            auxiliaries: a value, or BLANK.
        limit
            How many solutions of a puzzle to look for.

        Returns
        -------
        The first solution of each puzzle, in rows like the givens, BLANK where there is none. And
        how many solutions were found, or -1 where that is not decided.
        """
        import numpy as np

        return np.full(givens.shape, BLANK), np.full(len(givens), -1)

    def row_statistics(self, seconds: float, solutions: int) -> Statistics:
        """Return what one puzzle of :meth:`solve_many` cost: its share of the time."""
        return Statistics(0.0, seconds, solutions)

    def stop(self) -> None:
        """End a query that runs in another thread, soon, as if its time had run out."""

    def close(self) -> None:
        """Release what the solver holds."""


class Backend(ABC):
    """A solver that takes a constraint graph. Its options are the arguments of its constructor."""

    name: ClassVar[str]
    summary: ClassVar[str]
    #: What it can do beyond enumerating within a restriction, a limit and a deadline.
    abilities: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> Session:
        """Compile a graph; raises :class:`OutOfTime` when the deadline passes first.

        What this library builds looks at the deadline of :func:`within_deadline` by itself.
        """

    def compile_once(self, graph: nx.Graph, *, deadline: float | None = None) -> Session:
        """Compile a graph for a single query: what pays only after many is not worth its time."""
        return self.compile(graph, deadline=deadline)

    def session_bytes(self, extent: int) -> int:
        """Return about how many bytes a session takes, by the extent of its graph.

        The default was measured for SAT and DLX; see :func:`csp_encodings.graph.extent`.
        """
        return 50_000 + 120 * extent

    def version(self) -> str:
        """Return the version of the solver behind it."""
        return ""


def within_deadline(compiling: Callable[P, T]) -> Callable[P, T]:
    """Let a ``compile`` give up at its deadline, wherever it then is: see `csp_encodings.watch`."""

    @wraps(compiling)
    def compile(*arguments: P.args, **options: P.kwargs) -> T:
        with watched(cast("float | None", options.get("deadline"))):
            return compiling(*arguments, **options)

    return compile


def check_deadline(deadline: float | None) -> None:
    """Raise :class:`OutOfTime` once the deadline has passed."""
    if has_passed(deadline):
        raise OutOfTime


def check_variables(restrict: Restriction, known: Mapping[Any, object]) -> None:
    """Raise :class:`GraphError` if a restriction names a variable that the graph does not have."""
    if not restrict.keys() <= known.keys():
        unknown = next(variable for variable in restrict if variable not in known)
        raise GraphError(f"variable {unknown} is not in the graph")
