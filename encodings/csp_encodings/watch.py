"""The one place that looks at the clock while something is built, and at how large it has grown.

Whoever has a deadline enters :func:`watched`. Whatever builds (automata,
graphs, encodings) calls :func:`look` in its loops, which raises :class:`OutOfTime` when it is time
to give up. So a deadline reaches every loop, and no function has to hand it on. A graph and an
encoding each have a :class:`Tally`, which refuses what grows past the :class:`Limits`.
"""

from __future__ import annotations

import time
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from csp_encodings.errors import LimitError

if TYPE_CHECKING:
    from threading import Event

__all__ = ["Deadline", "Limits", "OutOfTime", "Tally", "Watch", "is_over", "look", "watched"]

# About how many bytes one of each takes: measured, see `graph_bytes` and `Automaton.bytes`.
_BYTES = {"factors": 800, "edges": 150, "clauses": 100}

# How many factors a graph may get between two looks at the clock.
_OFTEN = 16

# How much of the name of a rule an error message shows.
_SHOWN = 80


class OutOfTime(Exception):  # noqa: N818 - a signal between layers, not an error
    """Raised when the deadline has passed or somebody has cancelled; never reaches a user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How large the graph of a whole puzzle may grow, and each encoding of it.

    Attributes
    ----------
    factors
        Factors of the graph.
    edges
        Edges of the automata in the graph; one that two factors share counts twice.
    clauses
        Clauses of a formula, or the entries that another encoding has in their place.
    bytes
        About how much memory the graph, or an encoding, may take.

    Examples
    --------
    >>> Limits(clauses=1_000_000).clauses
    1000000
    """

    factors: int = 2_000_000
    edges: int = 5_000_000
    clauses: int = 40_000_000
    bytes: int = 4 * 2**30


class Deadline(float):
    """A moment, infinity if there is no time limit, and an event that makes it pass at once."""

    __slots__ = ("cancel",)
    cancel: Event

    @classmethod
    def at(cls, moment: float, cancel: Event) -> Deadline:
        """Return the deadline of a moment and an event."""
        deadline = cls(moment)
        deadline.cancel = cancel
        return deadline


@dataclass(frozen=True, slots=True)
class Watch:
    """Until when building may go on, and how far.

    Attributes
    ----------
    deadlines
        Moments of :func:`time.monotonic`; the first that passes ends it.
    limits
        What the tallies refuse to exceed.
    """

    deadlines: tuple[float, ...] = ()
    limits: Limits = Limits()


_WATCH: ContextVar[Watch] = ContextVar("watch", default=Watch())  # noqa: B039 - it is frozen


class watched:  # noqa: N801 - it reads as a verb
    """Give up what is built inside at a deadline; an outer watch goes on.

    Examples
    --------
    >>> with watched(deadline=time.monotonic() - 1):
    ...     look()
    Traceback (most recent call last):
    csp_encodings.watch.OutOfTime
    """

    __slots__ = ("_deadline", "_limits", "_token")

    def __init__(self, deadline: float | None = None, limits: Limits | None = None) -> None:
        self._deadline = deadline
        self._limits = limits

    def __enter__(self) -> None:
        watch, deadline = _WATCH.get(), self._deadline
        # A call hands its deadline on to those inside, who watch it once more.
        is_new = deadline is not None and all(other is not deadline for other in watch.deadlines)
        if is_new or self._limits is not None:
            own = (deadline,) if is_new and deadline is not None else ()
            watch = Watch((*watch.deadlines, *own), self._limits or watch.limits)
        self._token = _WATCH.set(watch)

    def __exit__(self, *_: object) -> None:
        _WATCH.reset(self._token)


def is_over(deadline: float | None = None) -> bool:
    """Whether this deadline or one of the caller's watch has passed, or its event is set.

    No other place looks at the clock or at an event to give up work.
    """
    if deadline is not None and _has_passed(deadline):
        return True
    deadlines = _WATCH.get().deadlines
    return bool(deadlines) and any(map(_has_passed, deadlines))


def _has_passed(deadline: float) -> bool:
    return time.monotonic() >= deadline or (
        isinstance(deadline, Deadline) and deadline.cancel.is_set()
    )


def look() -> None:
    """Raise :class:`OutOfTime` if it is time to give up."""
    # What `is_over` does, without its calls: this is asked in every loop.
    for deadline in _WATCH.get().deadlines:
        if time.monotonic() >= deadline or (
            type(deadline) is Deadline and deadline.cancel.is_set()
        ):
            raise OutOfTime


class Tally:
    """How large a graph or an encoding has grown, and through which sources.

    Examples
    --------
    >>> tally = Tally()
    >>> with watched(limits=Limits(edges=100)):
    ...     tally.add("edges", 80, "first cage")
    ...     tally.add("edges", 30, "second cage")
    Traceback (most recent call last):
    csp_encodings.errors.LimitError: the whole needs more than 100 edges of automata; first cage \
takes most, 80
    """

    def __init__(self) -> None:
        self._used = dict.fromkeys(_BYTES, 0)
        self._bytes = 0
        # By identity: sources need not be hashable, and equal rules are still two.
        self._shares: dict[str, dict[int, int]] = {what: {} for what in _BYTES}
        self._sources: dict[int, object] = {}

    def copy(self) -> Tally:
        """Return a tally that goes on from here."""
        other = Tally()
        other._used, other._bytes = dict(self._used), self._bytes
        other._shares = {what: dict(shares) for what, shares in self._shares.items()}
        other._sources = dict(self._sources)
        return other

    def add(self, what: str, number: int, source: object = None) -> None:
        """Note that so many more were added for a source; refuse them past the limits."""
        watch, before = _WATCH.get(), self._used[what]
        # To add a factor to a graph takes no time; to encode one may.
        if watch.deadlines and (what != "factors" or before % _OFTEN == 0):
            look()
        used = self._used[what] = before + number
        self._bytes += number * _BYTES[what]
        shares, key = self._shares[what], id(source)
        shares[key] = shares.get(key, 0) + number
        self._sources[key] = source
        most: int = getattr(watch.limits, what)
        if used > most:
            raise LimitError(self._refusal(most, what, what))
        if self._bytes > watch.limits.bytes:
            raise LimitError(self._refusal(watch.limits.bytes, "bytes", what))

    def _refusal(self, most: int, limited: str, what: str) -> str:
        sources = self._sources
        shares = [
            (number, sources[key])
            for key, number in self._shares[what].items()
            if sources[key] is not None
        ]
        text = f"the whole needs more than {most:,} {_NAMES[limited]}"
        if not shares:
            return text
        number, source = max(shares, key=lambda share: share[0])
        share = f"{number:,}" if limited == what else f"{number:,} {_NAMES[what]}"
        return f"{text}; {_name(source)} takes most, {share}"


_NAMES = {
    "factors": "factors",
    "edges": "edges of automata",
    "clauses": "clauses",
    "bytes": "bytes",
}


def _name(source: Any) -> str:
    """The label of a rule, or its text; long ones are cut."""
    text = str(getattr(source, "label", source))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
