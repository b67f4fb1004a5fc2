"""From a puzzle and a backend to a session: newly compiled, or kept from earlier puzzles.

Which of several solutions a solver finds first depends on what was compiled. So what is compiled
depends on the puzzle alone, not on earlier calls. Many puzzles have the same rules for the whole
grid (houses, the knight's rule): these are compiled without givens, and all such puzzles share the
session. Other rules belong to one puzzle: it is compiled together with its givens, because it is
solved soonest that way. Such a session is kept when the puzzle comes a second time.

Rules are the same when they are equal. Constraints that contain functions are equal when the
functions are the same objects. A session is lent to one query at a time, so two threads never share
one. Sessions that the store drops are closed.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable

from csp_encodings.errors import BudgetError as EncodingBudgetError
from csp_encodings.store import STORE, Lease, Pool
from csp_encodings.watch import watched
from csp_sudoku import backends
from csp_sudoku.backends.base import Backend, Session
from csp_sudoku.backends.engines import BOARDS, engine_for
from csp_sudoku.errors import BudgetError, CspSudokuError
from csp_sudoku.integers import as_int
from csp_sudoku.puzzle import (
    Puzzle,
    of_rules,
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


def lend_session(
    puzzle: Puzzle, backend: str, *, rules_only: bool = True, deadline: float | None = None
) -> Lease[Session]:
    """Lend a session of a puzzle, or of its rules, that is kept; compile it if none is idle."""

    def compile_it() -> Session:
        return compile_puzzle(puzzle, backend, rules_only=rules_only, deadline=deadline)[1]

    def size(_: Session) -> int:
        extent = rules_extent(puzzle)
        return 0 if backend == "brute" else backends.get(backend).session_bytes(extent)

    return Lease(*STORE.take(_key(puzzle, backend, rules_only), compile_it, size))


@of_rules
def is_shared(rules: Puzzle) -> bool:
    """Whether rules are all over the grid, so that many puzzles have them."""
    everywhere = all(rule.of_grid for rule in rules.constraints)
    return everywhere and engine_for(shared_rules_graph(rules)) is BOARDS


def comes_again(puzzle: Puzzle, backend: str) -> bool:
    """Whether a puzzle comes to a backend for the second time, or later."""
    key = _key(puzzle, backend, False)
    known = key in STORE
    if not known:
        STORE.get(key, Pool)
    return known


def _key(puzzle: Puzzle, backend: str, rules_only: bool) -> Hashable:
    candidates = None if rules_only else puzzle.candidates
    return (lend_session, backend, shared_rules(puzzle), candidates)


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
    return backend.partition(":")[0] if isinstance(backend, str) else backends.get(backend).name
