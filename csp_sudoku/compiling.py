"""From a puzzle and a backend to a session: newly compiled, or kept from earlier puzzles.

The first puzzle of some rules on some backend is compiled together with its givens: a single puzzle
is solved soonest that way. When a second one comes, the rules are compiled without givens, and that
session is kept in the store for all puzzles that follow.

Rules are the same when they are equal. Constraints that contain functions are equal when the
functions are the same objects. A session is lent to one query at a time, so two threads never share
one. Sessions that the store drops are closed.
"""

from __future__ import annotations

from collections.abc import Callable

from csp_encodings.errors import BudgetError as EncodingBudgetError
from csp_encodings.store import STORE, Lease, Pool
from csp_sudoku import backends
from csp_sudoku.backends.base import Backend, Session
from csp_sudoku.errors import BudgetError, CspSudokuError
from csp_sudoku.integers import as_int
from csp_sudoku.puzzle import (
    Puzzle,
    rules_extent,
    shared_graph,
    shared_rules,
    shared_rules_graph,
)


class _Sessions:
    """The sessions that are kept for some rules on some backend."""

    def __init__(self, rules: Puzzle, backend: str) -> None:
        self._rules = shared_rules(rules)
        self._backend = backend
        self._key = (_Sessions, backend, self._rules)

    def are_kept(self) -> bool:
        """Whether these sessions were asked for before."""
        return self._key in STORE

    def ask(self) -> None:
        """Ask for these sessions, but take none yet."""
        STORE.get(self._key, Pool)

    def take(self, deadline: float | None = None) -> tuple[Pool[Session], Session]:
        """Return a session for the caller alone, compiled if none is idle, and its pool."""

        def compile_rules() -> Session:
            return compile_puzzle(self._rules, self._backend, rules_only=True, deadline=deadline)[1]

        return STORE.take(self._key, compile_rules, self._bytes)

    def _bytes(self, _: Session) -> int:
        if self._backend == "brute":
            return 0
        return backends.get(self._backend).session_bytes(rules_extent(self._rules))


class KeptSession:
    """A session of some rules that is kept afterwards; a context manager."""

    def __init__(self, rules: Puzzle, backend: str) -> None:
        self._sessions = _Sessions(rules, backend)

    def __enter__(self) -> Session:
        self._pool, self._session = self._sessions.take()
        return self._session

    def __exit__(self, *_: object) -> None:
        self._pool.give_back(self._session)


def clear_cache() -> None:
    """Release everything that is kept between calls.

    That is compiled rules with their solvers, constraint graphs, automata and the like, and the
    idle workers of cross-checks.
    """
    STORE.clear()


def forget_rules(puzzle: Puzzle) -> None:
    """Release what is kept for the rules of a puzzle; automata, which other rules share, stay."""
    rules = shared_rules(puzzle)
    STORE.drop(lambda key: isinstance(key, tuple) and rules in key)


def set_cache_budget(size: int) -> None:
    """Set how many bytes may be kept between calls; 256 MB by default.

    The bytes are estimates. When they exceed the budget, what was used least recently is released.

    Examples
    --------
    >>> import csp_sudoku as cs
    >>> cs.set_cache_budget(64_000_000)
    >>> cs.set_cache_budget(256 * 2**20)
    """
    number = as_int(size)
    if number is None or number < 0:
        raise CspSudokuError(f"cache budget {size!r}: must be a number of bytes from 0 on")
    STORE.budget = number


def kept_session(
    rules: Puzzle, backend: str | Backend, deadline: float | None
) -> tuple[Session, Callable[[], None]] | None:
    """Return a kept session of some rules, and a function that gives it back.

    None the first time the rules are asked for, and for a backend that has no name. The session
    goes back by itself when the function is garbage.
    """
    if not isinstance(backend, str) or backend == "brute":
        return None
    sessions = _Sessions(rules, backend)
    if not sessions.are_kept():
        sessions.ask()
        return None
    lease = Lease(*sessions.take(deadline))
    return lease.thing, lease.release


def compile_puzzle(
    puzzle: Puzzle, backend: str | Backend, *, rules_only: bool, deadline: float | None
) -> tuple[str, Session]:
    """Compile a puzzle, or its rules alone; return the name of the backend and the session."""
    if backend == "brute":
        from csp_sudoku.backends.brute import BruteSession

        return "brute", BruteSession(puzzle)
    graph = shared_rules_graph(puzzle) if rules_only else shared_graph(puzzle)
    chosen = backends.get(backend)
    try:
        return chosen.name, chosen.compile(graph, deadline=deadline)
    except EncodingBudgetError as error:
        raise BudgetError(f"backend {chosen.name}: {error}") from None


def backend_name(backend: str | Backend) -> str:
    """Return the name of a backend, without its options."""
    return backend.partition(":")[0] if isinstance(backend, str) else backend.name
