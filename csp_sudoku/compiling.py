"""From a puzzle and a backend to a session: compiled for it, or kept from the puzzles before it."""

from __future__ import annotations

import atexit
from collections.abc import Callable

from csp_encodings.errors import BudgetError as EncodingBudgetError
from csp_sudoku import backends
from csp_sudoku.backends.base import Backend, Session
from csp_sudoku.errors import BudgetError
from csp_sudoku.puzzle import Puzzle, forget_rules
from csp_sudoku.rules_cache import RulesCache

_cache = RulesCache()
# At the very end of the process solvers can no longer release what they hold.
atexit.register(_cache.clear)


class KeptSession:
    """The session of some rules, compiled if it is not kept; it is kept afterwards."""

    def __init__(self, rules: Puzzle, backend: str) -> None:
        self._key = backend, rules

    def __enter__(self) -> Session:
        self._session = _cache.take(self._key, self._compile) or self._compile()
        return self._session

    def __exit__(self, *_: object) -> None:
        _cache.give_back(self._key, self._session)

    def _compile(self) -> Session:
        backend, rules = self._key
        return compile_puzzle(rules, backend, rules_only=True, deadline=None)[1]


def clear_cache() -> None:
    """Release the rules, compiled or not, that are kept for the next puzzles of the same rules.

    :mod:`csp_sudoku.rules_cache` says which are kept compiled.
    """
    _cache.clear()
    forget_rules()


def compiled(
    puzzle: Puzzle, backend: str | Backend, deadline: float | None
) -> tuple[str, Session, Callable[[], None] | None]:
    """The puzzle compiled; or its rules alone if they are kept, and what gives them back."""
    rules = puzzle.without_givens
    if isinstance(backend, str) and backend != "brute":
        key = (backend, rules)
        kept = _cache.take(
            key, lambda: compile_puzzle(rules, backend, rules_only=True, deadline=deadline)[1]
        )
        if kept is not None:
            return backend_name(backend), kept, lambda: _cache.give_back(key, kept)
    return *compile_puzzle(puzzle, backend, rules_only=False, deadline=deadline), None


def compile_puzzle(
    puzzle: Puzzle, backend: str | Backend, *, rules_only: bool, deadline: float | None
) -> tuple[str, Session]:
    """A puzzle, or its rules alone, compiled; and the name of the backend."""
    if backend == "brute":
        from csp_sudoku.backends.brute import BruteSession

        return "brute", BruteSession(puzzle)
    graph = puzzle.rules_graph if rules_only else puzzle.graph
    chosen = backends.get(backend)
    try:
        return chosen.name, chosen.compile(graph, deadline=deadline)
    except EncodingBudgetError as error:
        raise BudgetError(f"backend {chosen.name}: {error}") from None


def backend_name(backend: str | Backend) -> str:
    """The name of a backend, without its options."""
    return backend.partition(":")[0] if isinstance(backend, str) else backend.name
