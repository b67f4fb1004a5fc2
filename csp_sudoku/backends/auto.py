"""The `auto` backend: a slice of search, then SAT, and CP-SAT beside it where that takes long.

Most puzzles fall to propagation and a little search within milliseconds. What does not is learnt
about by a SAT solver; and what that cannot settle soon is given to CP-SAT as well, in a thread of
its own: the first answer counts. Each solver is compiled when its turn comes, and kept with what it
has learnt for the queries to come.

The search is given an amount of work, not of time, and SAT is never interrupted to be asked again:
so an answer does not depend on the clock, but for which solutions are given of a puzzle that has
several and for which CP-SAT was needed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from csp_encodings.errors import BudgetError
from csp_encodings.graph import Assignment
from csp_sudoku import backends
from csp_sudoku.backends.base import (
    Backend,
    Drained,
    Enumeration,
    OutOfTime,
    Restriction,
    Session,
    Statistics,
)
from csp_sudoku.backends.native import run_in_thread

if TYPE_CHECKING:
    import networkx as nx

    from csp_sudoku.backends.search_session import SearchSession

# The work of the search before SAT has its turn: so many steps at least, some fifteen milliseconds,
# and so many for each place in a scope: to compile for SAT takes about as long. On boards a step
# does more, and much more where there are relations.
_LEAST_STEPS = 600_000
_STEPS_A_PLACE = 400
_STEP_ON_BOARDS = 2
_STEP_WITH_RELATIONS = 16

# How long SAT has before CP-SAT comes to its side: so many seconds, and at least as long as it took
# to compile.
_HEAD_START = 0.5

# Up to so many solutions are decided as a whole, by whoever is first; more are enumerated.
_FEW = 2

# When a process has worked so much without the search, its kernels are worth loading; and so much,
# if they must be compiled first. The unit is what a query takes, and to compile takes ten.
_WORTH_LOADING = 500
_WORTH_COMPILING = 15_000
_COMPILATION = 10
_KERNELS = "csp_sudoku.backends.search"


@dataclass
class AutoStatistics(Statistics):
    """What a run cost, and who was asked: ``winner`` is the one whose answer it is."""

    winner: str = ""
    asked: tuple[str, ...] = ()


class Auto(Backend):
    """A small portfolio.

    Parameters
    ----------
    race
        Whether two solvers may run side by side, in two threads, where one takes long.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> for name in "xyz":
    ...     builder.variable(name, range(1, 4))
    >>> _ = builder.factor(AllDifferent(("x", "y", "z")))
    >>> with Auto().compile(builder.build()) as session:
    ...     list(session.solutions({"x": (1,), "y": (1, 2)}))
    [{'x': 1, 'y': 2, 'z': 3}]
    """

    name: ClassVar[str] = "auto"
    summary: ClassVar[str] = "search, then SAT, then CP-SAT beside it: the first answer"
    abilities: ClassVar[tuple[str, ...]] = ("seed",)

    def __init__(self, race: bool = True) -> None:
        self.race = race

    def compile(self, graph: nx.Graph, *, deadline: float | None = None) -> AutoSession:
        """Compile the graph for the solver that is asked first."""
        session = AutoSession(graph, self.race)
        session.prepare(deadline)
        return session


class AutoSession(Session):
    """The solvers that were needed so far, each with the graph compiled."""

    def __init__(self, graph: nx.Graph, race: bool) -> None:
        self.race = race
        self._graph = graph
        self._members: dict[str, Session | None] = {}
        self._seconds: dict[str, float] = {}
        self._refusals: list[BudgetError] = []
        self._query: AutoEnumeration | None = None

    def solutions(
        self,
        restrict: Restriction | None = None,
        *,
        limit: int | None = None,
        deadline: float | None = None,
        seed: int | None = None,
    ) -> AutoEnumeration:
        """Enumerate the solutions within a restriction; with a seed, SAT does it alone."""
        if self._query:
            self._query.close()
        self._query = AutoEnumeration(self, restrict or {}, limit, deadline, seed)
        return self._query

    def prepare(self, deadline: float | None) -> None:
        """Compile for the solver that is asked first."""
        if not (search_is_ready() and self.member("search", deadline)):
            self.enumerator(deadline)

    def enumerator(self, deadline: float | None) -> str:
        """The name of the solver that enumerates where the search does not find its way."""
        for name in ("sat", "cpsat", "search"):
            if self.member(name, deadline):
                return name
        raise self._refusals[0]

    def member(self, name: str, deadline: float | None) -> Session | None:
        """A solver with the graph compiled; None if the graph is too large for it."""
        if name not in self._members:
            started = time.perf_counter()
            try:
                self._members[name] = backends.get(name).compile(self._graph, deadline=deadline)
            except BudgetError as error:
                self._members[name] = None
                self._refusals.append(error)
            finally:
                self._seconds[name] = time.perf_counter() - started
                if name != "search":
                    _Experience.work += _COMPILATION
        return self._members[name]

    def search(self, deadline: float | None) -> SearchSession | None:
        """The search; None if the graph is too large for it."""
        return cast("SearchSession | None", self.member("search", deadline))

    @property
    def head_start(self) -> float:
        """The seconds that SAT has for itself."""
        return max(_HEAD_START, self._seconds.get("sat", 0.0))

    def stop(self) -> None:
        """Stop all solvers."""
        for session in list(self._members.values()):
            if session:
                session.stop()

    def close(self) -> None:
        """Release all solvers."""
        if self._query:
            self._query.close()
        for session in self._members.values():
            if session:
                session.close()


class AutoEnumeration(Enumeration):
    """The solutions of a query. Who gives them is settled when the first is asked for."""

    statistics: AutoStatistics

    def __init__(
        self,
        session: AutoSession,
        restrict: Restriction,
        limit: int | None,
        deadline: float | None,
        seed: int | None,
    ) -> None:
        super().__init__(self._each(), AutoStatistics())
        self._session = session
        self._restrict = restrict
        self._limit = limit
        self._deadline = deadline
        self._seed = seed
        self._first: list[Assignment] = []
        self._rest: Enumeration | None = None
        self._settled = False

    def drain(self, limit: int | None = None) -> Drained:
        """Pass over the next `limit` solutions; a solver that can counts them by itself."""
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
        super().close()
        if self._rest:
            self._rest.close()

    def _each(self) -> Iterator[Assignment]:
        self._settle()
        yield from self._first
        if self._settled:
            return
        # The whole enumeration, for who wants more than was asked for in the first place.
        given = {frozenset(solution.items()) for solution in self._first}
        self._rest = self._query(self.statistics.winner, None)
        for solution in self._rest or ():
            if not given or frozenset(solution.items()) not in given:
                yield solution
        if self._rest is None or not self._rest.complete:
            raise OutOfTime

    def _settle(self) -> None:
        """Find who is to answer, and with few solutions the answer; `_settled` if it is whole."""
        few = self._limit is not None and self._limit <= _FEW
        if self._seed is None and search_is_ready():
            wanted = self._limit if few else 1
            found = self._search_a_while(wanted)
            taken = list(islice(found or (), wanted))
            if found and (found.complete or len(taken) == wanted):
                # Where one is found quickly, all are: from the start, and without a break.
                self._answer("search", taken if few else [], found.complete and (few or not taken))
                return
            if self._deadline is not None and time.monotonic() >= self._deadline:
                # Time is up; what was found by then is handed out.
                self._answer("search", taken, False)
                return
        _Experience.work += 1
        if few and self._seed is None and self._session.race:
            self._decide()
        else:
            self._answer(self._session.enumerator(self._deadline), [], False)

    def _search_a_while(self, limit: int | None) -> Enumeration | None:
        """Ask the search, for as much work as may pay; None if the graph is too large for it."""
        search = self._session.search(self._deadline)
        if search is None:
            return None
        self._note("search")
        return search.solutions(
            self._restrict, limit=limit, deadline=self._deadline, effort=_effort(search)
        )

    def _decide(self) -> None:
        """Few solutions are wanted: ask SAT, and CP-SAT too if SAT takes long."""
        if self._session.member("sat", self._deadline) is None:
            self._answer(self._session.enumerator(self._deadline), [], False)
            return
        runs = [self._start("sat")]
        best: list[Assignment] = []
        try:
            _, waiting = wait(runs, timeout=self._session.head_start)
            if waiting:
                runs.append(self._start("cpsat"))
            waiting = set(runs)
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for name, taken, complete in [future.result() for future in done]:
                    if complete or len(taken) == self._limit:
                        self._answer(name, taken, complete)
                        return
                    best = max(best, taken, key=len)
            # Time is up; what was found by then is handed out.
            self._answer("sat", best, False)
        finally:
            # A solver belongs to one thread at a time: none may run on unseen.
            while not all(future.done() for future in runs):
                self._session.stop()
                wait(runs, timeout=0.05)

    def _start(self, name: str) -> Future[tuple[str, list[Assignment], bool]]:
        """Ask a solver in a thread."""
        self._note(name)
        future: Future[tuple[str, list[Assignment], bool]] = Future()
        run_in_thread(partial(self._run, name), future)
        return future

    def _run(self, name: str) -> tuple[str, list[Assignment], bool]:
        try:
            found = self._query(name, self._limit)
        except OutOfTime:  # it was not even compiled
            found = None
        return name, list(islice(found or (), self._limit)), found is not None and found.complete

    def _query(self, name: str, limit: int | None) -> Enumeration | None:
        """Ask a solver; None if the graph is too large for it."""
        member = self._session.member(name, self._deadline)
        if member is None:
            return None
        self._note(name)
        return member.solutions(
            self._restrict, limit=limit, deadline=self._deadline, seed=self._seed
        )

    def _note(self, name: str) -> None:
        self.statistics.asked += () if name in self.statistics.asked else (name,)

    def _answer(self, name: str, first: list[Assignment], whole: bool) -> None:
        self.statistics.winner = name
        self._first, self._settled = first, whole


def _effort(search: SearchSession) -> int:
    """The work that the search may do before SAT has its turn."""
    from csp_encodings.arrays import RELATION

    steps = max(_LEAST_STEPS, _STEPS_A_PLACE * len(search.arrays.network.scope))
    if search.engine.name != "boards":
        return steps
    related = RELATION in search.arrays.network.kind
    return steps // (_STEP_WITH_RELATIONS if related else _STEP_ON_BOARDS)


class _Experience:
    """How much this process has worked without the search."""

    work = 0


def search_is_ready() -> bool:
    """Whether the kernels of the search are loaded, or worth it by now.

    Numba alone takes longer to load than most puzzles to solve, and to compile the kernels takes
    seconds, the first time on a machine: a single puzzle should not wait for that.
    """
    if _KERNELS in sys.modules:
        return True
    if _Experience.work < _WORTH_LOADING:
        return False
    return _kernels_are_on_disk() or _Experience.work >= _WORTH_COMPILING


@cache
def _kernels_are_on_disk() -> bool:
    from csp_sudoku.kernels.batch import search_domains

    stats = getattr(search_domains, "stats", None)  # none where Numba is told not to compile
    if stats is None or stats.cache_path is None:
        return False
    return any(Path(stats.cache_path).glob(f"*.{search_domains.__qualname__}*.nbi"))
