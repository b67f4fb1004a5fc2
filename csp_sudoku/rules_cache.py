"""Compiled rules that are kept, so that to solve in a loop is to compile once.

The first puzzle of some rules on some backend is compiled with its givens: a single one is solved
soonest that way. For the second, the rules are compiled without givens, and that session is kept
for all that follow.

Rules are the same when they are equal: constraints with functions of their own in them are equal
when the functions are the same objects. What is kept is bounded: the rules asked for last, at most
:data:`MOST_RULES` of them, and not more of them than a 64×64 grid is large. What is no longer kept
is closed, as is everything by :func:`csp_sudoku.clear_cache`. A session is lent to one query at a
time, so threads do not meet in it; they have one each.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from csp_sudoku.backends.base import Session

if TYPE_CHECKING:
    from csp_sudoku.puzzle import Puzzle

MOST_RULES = 32
# In candidates: what all the grids together may have.
_MOST_CANDIDATES = 64**3
# Sessions that wait for the next query of the same rules.
_MOST_IDLE = 4

Key = tuple[str, "Puzzle"]


@dataclass
class _Entry:
    size: int
    idle: list[Session] = field(default_factory=list)


class RulesCache:
    """Sessions by backend and rules.

    Examples
    --------
    >>> from csp_sudoku import Puzzle, backends
    >>> cache, rules = RulesCache(), Puzzle.blank(4)
    >>> def compile():
    ...     return backends.get("sat").compile(rules.rules_graph)
    >>> cache.take(("sat", rules), compile) is None  # the first time
    True
    >>> session = cache.take(("sat", rules), compile)
    >>> cache.give_back(("sat", rules), session)
    >>> cache.take(("sat", rules), compile) is session
    True
    """

    def __init__(self) -> None:
        self._entries: OrderedDict[Key, _Entry] = OrderedDict()
        self._lock = Lock()

    def take(self, key: Key, compile_rules: Callable[[], Session]) -> Session | None:
        """A session for the caller alone; None the first time that these rules are asked for."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
                if entry.idle:
                    return entry.idle.pop()
        if entry is not None:
            return compile_rules()
        rules = key[1]
        self._add(key, sum(map(len, map(rules.values_of, rules.variables))))
        return None

    def give_back(self, key: Key, session: Session) -> None:
        """Keep a session for the next one who asks, if the rules are still among those kept."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None and len(entry.idle) < _MOST_IDLE:
                entry.idle.append(session)
                return
        session.close()

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            entries, self._entries = self._entries, OrderedDict()
        _close(entries.values())

    def _add(self, key: Key, size: int) -> None:
        dropped = []
        with self._lock:
            self._entries[key] = _Entry(size)
            while len(self._entries) > 1 and (
                len(self._entries) > MOST_RULES
                or sum(entry.size for entry in self._entries.values()) > _MOST_CANDIDATES
            ):
                dropped.append(self._entries.popitem(last=False)[1])
        _close(dropped)


def _close(entries: Iterable[_Entry]) -> None:
    for entry in entries:
        for session in entry.idle:
            session.close()
