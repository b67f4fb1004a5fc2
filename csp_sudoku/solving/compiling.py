"""From a puzzle and a backend to a session: newly compiled, or kept from earlier puzzles.

The first puzzle of some rules on some backend is compiled together with its givens: a single puzzle
is solved soonest that way. When a second one comes, the rules are compiled without givens, and that
session is kept in the store for all puzzles that follow.

Rules are the same when they are equal. Constraints that contain functions are equal when the
functions are the same objects. A session is lent to one query at a time, so two threads never share
one. Sessions that the store drops are closed.
"""

from __future__ import annotations

import logging

from csp_encodings.errors import BudgetError as EncodingBudgetError
from csp_encodings.store import STORE, Lease, Pool
from csp_encodings.watch import watched
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

_LOG = logging.getLogger("csp_sudoku")


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


def lend_session(rules: Puzzle, backend: str, *, deadline: float | None = None) -> Lease[Session]:
    """Lend a session of some rules that is kept afterwards; compile it if none is idle."""
    rules = shared_rules(rules)

    def compile_rules() -> Session:
        return compile_puzzle(rules, backend, rules_only=True, deadline=deadline)[1]

    def size(_: Session) -> int:
        return 0 if backend == "brute" else backends.get(backend).session_bytes(rules_extent(rules))

    return Lease(*STORE.take((lend_session, backend, rules), compile_rules, size))


def is_worth_keeping(rules: Puzzle, backend: str) -> bool:
    """Whether some rules come to a backend for the second time, or later."""
    if backend == "brute":
        return False
    key = (lend_session, backend, shared_rules(rules))
    known = key in STORE
    if not known:
        STORE.get(key, Pool)
    return known


def compile_puzzle(
    puzzle: Puzzle, backend: str | Backend, *, rules_only: bool, deadline: float | None
) -> tuple[str, Session]:
    """Compile a puzzle, or its rules alone; return the name of the backend and the session."""
    if backend == "brute":
        from csp_sudoku.backends.brute import BruteSession

        return "brute", BruteSession(puzzle)
    with watched(deadline):
        graph = shared_rules_graph(puzzle) if rules_only else shared_graph(puzzle)
    chosen = backends.get(backend)
    _LOG.debug("compiling %r for %s", puzzle, backend)
    try:
        compiling = chosen.compile if rules_only else chosen.compile_once
        return chosen.name, compiling(graph, deadline=deadline)
    except EncodingBudgetError as error:
        raise BudgetError(f"backend {chosen.name}: {error}") from None


def backend_name(backend: str | Backend) -> str:
    """Return the name of a backend, without its options."""
    return backend.partition(":")[0] if isinstance(backend, str) else backend.name
