"""Deadlines: moments of :func:`time.monotonic` at which work is given up; None for no limit.

A :class:`Deadline` also passes when an event is set: that is how a caller cancels work in another
thread. Whoever works asks :func:`has_passed`, and need not know whether there is an event.
"""

from __future__ import annotations

import time
from math import inf
from typing import TYPE_CHECKING, TypedDict

from csp_encodings.watch import Deadline, is_over

if TYPE_CHECKING:
    from threading import Event


class TimeLeft(TypedDict):
    """What is left of a deadline, as the arguments of a call."""

    timeout: float | None
    cancel: Event | None


def deadline_after(timeout: float | None, cancel: Event | None = None) -> float | None:
    """Return the deadline that is so many seconds from now, or when the event is set.

    Examples
    --------
    >>> deadline_after(None) is None, deadline_after(60) > time.monotonic()
    (True, True)
    >>> from threading import Event
    >>> cancel = Event()
    >>> deadline = deadline_after(None, cancel)
    >>> cancel.set()
    >>> has_passed(deadline)
    True
    """
    if cancel is None:
        return None if timeout is None else time.monotonic() + timeout
    return Deadline.at(inf if timeout is None else time.monotonic() + timeout, cancel)


def sooner(deadline: float | None, timeout: float | None) -> float | None:
    """Return a deadline, or so many seconds from now if that is earlier.

    Examples
    --------
    >>> sooner(0.0, 60), sooner(None, None) is None, sooner(None, 60) > time.monotonic()
    (0.0, True, True)
    """
    if timeout is None:
        return deadline
    moment = time.monotonic() + timeout
    if deadline is None or moment >= deadline:
        return moment if deadline is None else deadline
    return Deadline.at(moment, deadline.cancel) if isinstance(deadline, Deadline) else moment


def seconds_left(deadline: float | None) -> float | None:
    """Return the seconds until a deadline; 0 if it has passed.

    Examples
    --------
    >>> seconds_left(None) is None, seconds_left(0.0)
    (True, 0.0)
    """
    if deadline is None or has_passed(deadline):
        return None if deadline is None else 0.0
    left = max(0.0, deadline - time.monotonic())
    return None if left == inf else left


def time_left(deadline: float | None) -> TimeLeft:
    """Return what is left of a deadline, for a call that takes `timeout` and `cancel`.

    Examples
    --------
    >>> time_left(None)
    {'timeout': None, 'cancel': None}
    """
    return {"timeout": seconds_left(deadline), "cancel": _event(deadline)}


def has_passed(deadline: float | None) -> bool:
    """Whether a deadline has passed, or the caller's watch says that it is time to give up.

    Examples
    --------
    >>> has_passed(None), has_passed(0.0)
    (False, True)
    """
    return is_over(deadline)


def what_ended(deadline: float | None) -> str:
    """Return why a deadline has passed, in words.

    Examples
    --------
    >>> what_ended(0.0)
    'time ran out'
    """
    cancel = _event(deadline)
    return "it was cancelled" if cancel is not None and cancel.is_set() else "time ran out"


def _event(deadline: float | None) -> Event | None:
    return deadline.cancel if isinstance(deadline, Deadline) else None
