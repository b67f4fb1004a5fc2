"""The `auto` backend: a portfolio of a hand-written engine, SAT and CP-SAT.

Most puzzles fall to propagation and a little search within milliseconds. So the engine is asked
first, where its kernel need not be compiled. Puzzles that it cannot finish quickly go to a SAT
solver: soon, or late where there are many sums, which the engine is better at. Some of those that
SAT cannot finish quickly are easy for the engine: they take turns, each with more work than before.
When all that was in vain, SAT goes on to the end. CP-SAT runs beside it in a thread of its own
after half a minute of CPU time, and the first answer counts. A member that refuses a puzzle, or
fails, is out; the others go on. Each member is compiled when its turn comes, and kept with what it
has learnt for the next queries.

A turn is an amount of work, not of time, so the same call gives the same answer. There is one
exception: a puzzle with several solutions that is so hard that CP-SAT runs beside SAT.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, cast
from weakref import ref

from csp_encodings.errors import EncodingError
from csp_encodings.graph import Assignment
from csp_encodings.regions import can_be_named
from csp_sudoku import backends
from csp_sudoku.backends.base import (
    Backend,
    Drained,
    Enumeration,
    OutOfTime,
    Request,
    Session,
    Statistics,
)
from csp_sudoku.backends.engines import BOARDS, Engine, engine_for
from csp_sudoku.backends.native import run_in_thread
from csp_sudoku.backends.turns import ROW_STEPS, Turns, turns_for
from csp_sudoku.errors import BackendError, CspSudokuError
from csp_sudoku.running.deadlines import has_passed

if TYPE_CHECKING:
    import networkx as nx

    from csp_sudoku.backends.base import Rows
    from csp_sudoku.backends.sat_session import SatEnumeration
    from csp_sudoku.backends.search_session import SearchEnumeration, SearchSession

_LOG = logging.getLogger("csp_sudoku")

# How many seconds of CPU time SAT has before CP-SAT comes to its side: this, or the time it took to
# compile. CP-SAT doubles the cost from then on, and is seldom the first.
_HEAD_START = 30.0

# The conflicts of SAT before regions to be found get second names. Of fifteen published puzzles
# all but three take up to 9,000.
_WITHOUT_NAMES = 12_000

# How often to look whether they are over, in seconds.
_LOOK = 0.1

# Up to this many solutions are decided as a whole, by whoever is first. More are enumerated.
_FEW = 2

# This many puzzles in one call are worth loading a kernel, and even compiling it.
_MANY = 100


@dataclass
class AutoStatistics(Statistics):
    """What a run cost, and who was asked: ``winner`` is the member that answered."""

    winner: str = ""
    asked: tuple[str, ...] = ()


class Auto(Backend):
    """A small portfolio.

    Parameters
    ----------
    race
        Whether two solvers may run side by side, in two threads, where one takes long.
    kernels
        Whether a hand-written engine is asked first. By default it is if its kernel was on disk
        when the process began: to load it takes half a second, to compile it many seconds. From
        the hundredth puzzle of a batch on, the kernel is compiled if need be.
    implied
        Whether to add sums that follow from houses and sums together (the default), see
        :func:`csp_encodings.implied.with_implied`.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xyz", range(1, 4)), AllDifferent(("x", "y", "z")))
    >>> with Auto().compile(graph) as session:
    ...     list(session.solutions({"x": (1,), "y": (1, 2)}))
    [{'x': 1, 'y': 2, 'z': 3}]
    """

    name: ClassVar[str] = "auto"
    summary: ClassVar[str] = "search, then SAT, then CP-SAT beside it: the first answer"
    abilities: ClassVar[tuple[str, ...]] = ("seed",)

    def __init__(
        self, race: bool = True, kernels: bool | None = None, implied: bool = True
    ) -> None:
        for option, value in (("race", race), ("kernels", kernels), ("implied", implied)):
            if not isinstance(value, bool) and (option, value) != ("kernels", None):
                raise BackendError(f"backend auto: {option}={value!r} must be true or false")
        self.race = race
        self.kernels = kernels
        self.implied = implied

    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> AutoSession:
        """Compile the graph for the member that is asked first."""
        return self._compile(graph, engine_for(graph), deadline)

    def compile_once(self, graph: nx.Graph, *, deadline: float | None = None) -> AutoSession:
        """Compile the graph for the member that is asked first, one that is soon ready."""
        return self._compile(graph, engine_for(graph, once=True), deadline)

    def _compile(self, graph: nx.Graph, engine: Engine, deadline: float | None) -> AutoSession:
        session = AutoSession(
            graph, engine, race=self.race, kernels=self.kernels, implied=self.implied
        )
        session.prepare(deadline)
        return session


class AutoSession(Session):
    """The members that were needed so far, each with the graph compiled."""

    def __init__(
        self,
        graph: nx.Graph,
        engine: Engine,
        *,
        race: bool,
        kernels: bool | None,
        implied: bool,
    ) -> None:
        self.race = race
        self.implied = implied
        self.engine = engine
        self.asks_engine = self.engine.is_compiled if kernels is None else kernels
        self._never_asks_engine = kernels is False
        #: The members, in the order in which they are asked to enumerate.
        self.enumerators = ("sat", "cpsat", self.engine.name)
        #: How long the engine and SAT work in turn; known once the engine is compiled.
        self.turns = Turns(0, ())
        #: Why members are out.
        self.failures: dict[str, Exception] = {}
        self._graph = graph
        self._members: dict[str, Session] = {}
        self._seconds: dict[str, float] = {}
        # Weak: a session that nobody asks any more goes at once, with the arrays of its members.
        self._query: Callable[[], AutoEnumeration | None] = _no_query

    def enumerate(self, request: Request) -> AutoEnumeration:
        """Enumerate the solutions within a restriction; with a seed, SAT does it alone."""
        ask_engine = self.asks_engine and request.seed is None
        return self._begin(AutoEnumeration(self, request, ask_engine=ask_engine))

    def projected(self, variables: tuple[Any, ...], request: Request) -> Enumeration:
        """Let one member enumerate: SAT need not look at every solution."""
        try:
            chosen = self._members[self.enumerator(request.deadline)]
        except OutOfTime:
            found = Enumeration(iter(()), AutoStatistics())
            found.out_of_time = True
            return found
        return chosen.projected(variables, request)

    def takes_rows(self, number: int) -> bool:
        """Whether the engine is asked first, or there are enough puzzles to load its kernel.

        A single puzzle that may take long is enumerated: rows are not resumed.
        """
        asks = self.asks_engine and (number > 1 or self.engine is BOARDS)
        worth_it = asks or (number >= _MANY and not self._never_asks_engine)
        return worth_it and self.search(None) is not None

    def solve_many(
        self, givens: Rows, *, limit: int = 1, deadline: float | None = None
    ) -> tuple[Rows, Rows]:
        """Let the engine solve the puzzles that it can solve quickly."""
        search = self.search(deadline)
        if search is not None:
            try:
                return search.solve_rows(givens, limit, deadline, ROW_STEPS)
            except Exception as error:
                self.drop(self.engine.name, error)
        return super().solve_many(givens, limit=limit, deadline=deadline)

    def row_statistics(self, seconds: float, solutions: int) -> AutoStatistics:
        """Return what one puzzle cost that the engine has solved."""
        return AutoStatistics(0.0, seconds, solutions, self.engine.name, (self.engine.name,))

    def prepare(self, deadline: float | None) -> None:
        """Compile for the member that is asked first."""
        if not (self.asks_engine and self.search(deadline)):
            self.enumerator(deadline)

    def enumerator(self, deadline: float | None) -> str:
        """Return the first member that takes the graph, of those that can enumerate on and on."""
        for name in self.enumerators:
            if self.member(name, deadline):
                return name
        raise next(iter(self.failures.values()))

    def member(self, name: str, deadline: float | None) -> Session | None:
        """Return a member with the graph compiled; None if it refuses the graph, or failed."""
        if name not in self._members and name not in self.failures:
            started = time.process_time()
            try:
                self._members[name] = self._backend(name).compile(self._graph, deadline=deadline)
            except OutOfTime:
                raise
            except Exception as error:
                self._leave_out(name, error)
            finally:
                self._seconds[name] = time.process_time() - started
        return self._members.get(name)

    def _backend(self, name: str) -> Backend:
        """Return a member, which adds implied sums itself: each has its own measure of them."""
        # Boards hold no sums.
        return backends.get(name if self.implied or name == "boards" else f"{name}:implied=false")

    def drop(self, name: str, error: Exception) -> None:
        """Leave out a member that failed, from now on."""
        self._members.pop(name)
        self._leave_out(name, error)

    def _leave_out(self, name: str, error: Exception) -> None:
        self.failures[name] = error
        # To refuse a graph is usual; anything else is a fault that others make up for.
        is_usual = isinstance(error, CspSudokuError | EncodingError)
        level = logging.DEBUG if is_usual else logging.WARNING
        _LOG.log(level, "auto goes on without %s: %s", name, error)

    def search(self, deadline: float | None) -> SearchSession | None:
        """Return the engine with the graph compiled; None if it refuses the graph."""
        search = cast("SearchSession | None", self.member(self.engine.name, deadline))
        if search is not None and not self.turns.first:
            self.turns = turns_for(search.arrays.network, self.engine.name)
        return search

    @cached_property
    def finisher(self) -> str:
        """The SAT member that goes on to the end, where few solutions are wanted.

        Regions to be found get their second names here: they decide hard ones, and cost more than
        many an easy one takes.
        """
        return "sat:names=true" if self.implied and can_be_named(self._graph) else "sat"

    @property
    def head_start(self) -> float:
        """The seconds of CPU time that SAT has for itself."""
        return max(_HEAD_START, self._seconds.get(self.finisher, 0.0))

    def _begin(self, query: AutoEnumeration) -> AutoEnumeration:
        """Begin a query, in place of the one before."""
        self._end_query()
        self._query = ref(query)
        return query

    def _end_query(self) -> None:
        if (query := self._query()) is not None:
            query.close()

    def stop(self) -> None:
        """Stop all members."""
        for session in [*self._members.values()]:
            session.stop()

    def close(self) -> None:
        """Release all members."""
        self._end_query()
        for session in self._members.values():
            session.close()


def _no_query() -> None:
    """No query was begun."""


class AutoEnumeration(Enumeration):
    """The solutions of a query. Who gives them is settled when the first is asked for."""

    statistics: AutoStatistics

    def __init__(self, session: AutoSession, request: Request, *, ask_engine: bool) -> None:
        super().__init__(self._each(), AutoStatistics())
        self._session = session
        self._request = request
        self._limit, self._deadline = request.limit, request.deadline
        self._ask_engine = ask_engine
        #: The members' queries, each with what it has found so far.
        self._asked: dict[str, tuple[Enumeration, list[Assignment]]] = {}
        self._first: list[Assignment] = []
        self._rest: Enumeration | None = None
        self._settled = False

    def drain(self, limit: int | None = None) -> Drained:
        """Pass over the next `limit` solutions; a member that can counts them by itself."""
        if self._rest is None or self._first:
            return super().drain(limit)
        started = time.perf_counter()
        try:
            found = self._rest.drain(limit)
        except BaseException:
            self._given_up = True
            raise
        finally:
            self.statistics.solve_seconds += time.perf_counter() - started
        self.complete, self.out_of_time = self._rest.complete, self._rest.out_of_time
        self.statistics.solutions += found.count
        return found

    def close(self) -> None:
        """Give up the query, and that of the member that answers."""
        super().close()
        if self._rest:
            self._rest.close()

    def _each(self) -> Iterator[Assignment]:
        self._settle()
        yield from self._first
        if self._settled:
            return
        # The whole enumeration, for callers that want more than they first asked for.
        given = {frozenset(solution.items()) for solution in self._first}
        self._rest = self._query(self.statistics.winner, None)
        for solution in self._rest:
            if not given or frozenset(solution.items()) not in given:
                yield solution
        if not self._rest.complete:
            raise OutOfTime

    def _settle(self) -> None:
        """Find who is to answer; where few solutions are wanted, find these as well.

        `_settled` says whether nothing more is to be found after them.
        """
        session, few = self._session, self._limit is not None and self._limit <= _FEW
        if self._ask_engine and session.search(self._deadline):
            engine, (first, later) = session.engine.name, session.turns
            if self._is_answered_by(engine, first, self._limit if few else 1):
                return
            for conflicts, steps in later if few else ():
                if self._is_answered_by("sat", conflicts, self._limit):
                    return
                if self._is_answered_by(engine, steps, self._limit):
                    return
        if few and self._request.seed is None and session.race:
            if session.finisher != "sat" and self._is_answered_by(
                "sat", _WITHOUT_NAMES, self._limit
            ):
                return
            self._decide()
        else:
            self._answer(session.enumerator(self._deadline), [], False)

    def _is_answered_by(self, name: str, effort: int, wanted: int | None) -> bool:
        """Let a member work; whether it has found what is wanted, or time is up."""
        if self._session.member(name, self._deadline) is None:
            return False
        try:
            taken, complete = self._ask(name, effort, wanted)
        except Exception as error:
            self._session.drop(name, error)
            return False
        if complete or len(taken) == wanted:
            # Where one is found quickly, all are: from the start, and without a break.
            few = wanted == self._limit
            self._answer(name, taken if few else [], complete and (few or not taken))
            return True
        if has_passed(self._deadline):
            self._answer(name, taken, False)
            return True
        return False

    def _ask(
        self, name: str, effort: int | None, wanted: int | None
    ) -> tuple[list[Assignment], bool]:
        """Let a member work, from where it stopped the last time: its solutions, and if it is over.

        Without an effort it works to the end.
        """
        if name not in self._asked:
            self._asked[name] = self._query(name, wanted, effort), []
        else:
            cast("SatEnumeration | SearchEnumeration", self._asked[name][0]).go_on(effort)
        found, taken = self._asked[name]
        taken += islice(found, None if wanted is None else wanted - len(taken))
        return taken, found.complete

    def _decide(self) -> None:
        """Few solutions are wanted: ask SAT, and CP-SAT too if SAT takes long."""
        sat = self._session.finisher
        if self._session.member(sat, self._deadline) is None:
            self._answer(self._session.enumerator(self._deadline), [], False)
            return
        runs = {sat: self._start(sat)}
        best: list[Assignment] = []
        try:
            end = time.process_time() + self._session.head_start
            while not runs[sat].done() and time.process_time() < end:
                wait(runs.values(), timeout=_LOOK)
            if not runs[sat].done() or runs[sat].exception():
                runs["cpsat"] = self._start("cpsat")
            waiting = {*runs.values()}
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for name, run in runs.items():
                    if run not in done or run.exception():
                        continue
                    taken, complete = run.result()
                    if complete or len(taken) == self._limit:
                        self._answer(name, taken, complete)
                        return
                    best = max(best, taken, key=len)
        finally:
            # A solver belongs to one thread at a time: none may run on unseen.
            while not all(run.done() for run in runs.values()):
                self._session.stop()
                wait(runs.values(), timeout=0.05)
        failures = {name: run.exception() for name, run in runs.items() if run.exception()}
        # Time is up: what was found by then is handed out. Or all have failed but the engine.
        for name in (sat, *self._session.enumerators):
            if name not in failures and self._session.member(name, self._deadline):
                self._answer(name, best, False)
                return
        raise failures[sat] or OutOfTime

    def _start(self, name: str) -> Future[tuple[list[Assignment], bool]]:
        """Ask a member in a thread: the first solutions, and whether these are all."""
        self._note(name)
        future: Future[tuple[list[Assignment], bool]] = Future()
        run_in_thread(partial(self._run, name), future)
        return future

    def _run(self, name: str) -> tuple[list[Assignment], bool]:
        try:
            return self._ask(name, None, self._limit)
        except OutOfTime:  # it was not even compiled
            return [], False

    def _query(self, name: str, limit: int | None, effort: int | None = None) -> Enumeration:
        """Begin a query of a member; raise what it failed with if it is out."""
        member = self._session.member(name, self._deadline)
        if member is None:
            raise self._session.failures[name]
        self._note(name)
        return member.enumerate(self._request._replace(limit=limit, effort=effort))

    def _note(self, name: str) -> None:
        self.statistics.asked += () if name in self.statistics.asked else (name,)

    def _answer(self, name: str, first: list[Assignment], whole: bool) -> None:
        self.statistics.winner = name
        self._first, self._settled = first, whole
