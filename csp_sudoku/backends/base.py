"""What a backend is: it compiles a constraint graph to a session, and a session enumerates.

A backend sees the graph and nothing else. It returns raw assignments; whether they obey the rules
is checked above it, by :mod:`csp_sudoku.verify`.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from csp_encodings.errors import GraphError
from csp_encodings.graph import Assignment

if TYPE_CHECKING:
    import networkx as nx

Restriction = Mapping[Any, tuple[int, ...]]

BLANK = -(2**63)
"""What stands for no given, and for no solution, in the arrays of ``solve_many``."""


class OutOfTime(Exception):  # noqa: N818 - a signal between layers, not an error
    """Raised inside an enumeration when its deadline has passed; never reaches a user."""


@dataclass
class Statistics:
    """What a run cost. Every backend has its own subclass with the counters it knows."""

    compile_seconds: float = 0.0
    solve_seconds: float = 0.0
    solutions: int = 0


@dataclass(frozen=True)
class Drained:
    """How many solutions :meth:`Enumeration.drain` passed over, and some of them."""

    count: int
    sample: list[Assignment]


class Enumeration(Iterator[Assignment]):
    """The solutions of one query, one at a time; it can be left and resumed.

    ``complete`` becomes True when the whole space was searched, ``out_of_time`` when the deadline
    passed first. A backend gives it a generator that raises :class:`OutOfTime` at the deadline and
    returns when there is nothing more to find; or it defines :meth:`_find`, which is quicker.
    """

    complete = False
    out_of_time = False
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
        """Pass over the next `limit` solutions (all that are left by default), keeping a sample.

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


class Session(ABC):
    """A compiled graph that answers many queries; a context manager.

    A session serves one query at a time: opening a new one closes the one before. It is not shared
    between threads; every thread compiles its own.
    """

    @abstractmethod
    def solutions(
        self,
        restrict: Restriction | None = None,
        *,
        limit: int | None = None,
        deadline: float | None = None,
        seed: int | None = None,
    ) -> Enumeration:
        """Enumerate the distinct solutions within a restriction.

        Parameters
        ----------
        restrict
            For some variables, the values that they may take (within their domains).
        limit
            How many solutions the caller will take at most; a hint.
        deadline
            A moment of ``time.monotonic()`` after which the search is given up.
        seed
            Fixes every random choice; equal seeds give equal runs.
        """

    def stop(self) -> None:  # noqa: B027 - most sessions come back by themselves
        """End a query that runs in another thread, soon, as if its time had run out."""

    def close(self) -> None:  # noqa: B027 - most sessions hold nothing
        """Release what the solver holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Backend(ABC):
    """A solver that takes a constraint graph. Its options are the arguments of its constructor."""

    name: ClassVar[str]
    summary: ClassVar[str]
    #: What it can do beyond enumerating within a restriction, a limit and a deadline.
    abilities: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> Session:
        """Compile a graph; raises :class:`OutOfTime` when the deadline passes first."""

    def version(self) -> str:
        """The version of the solver behind it."""
        return ""


def check_deadline(deadline: float | None) -> None:
    """Raise :class:`OutOfTime` once the deadline has passed."""
    if deadline is not None and time.monotonic() >= deadline:
        raise OutOfTime


def check_variables(restrict: Restriction, known: Mapping[Any, object]) -> None:
    """Raise :class:`GraphError` if a restriction names a variable that the graph has not."""
    if not restrict.keys() <= known.keys():
        unknown = next(variable for variable in restrict if variable not in known)
        raise GraphError(f"variable {unknown} is not in the graph")
