"""Deadlines: moments of :func:`time.monotonic` at which work is given up; None for no limit."""

from __future__ import annotations

import time


def deadline_after(timeout: float | None) -> float | None:
    """Return the deadline that is so many seconds from now.

    Examples
    --------
    >>> deadline_after(None) is None, deadline_after(60) > time.monotonic()
    (True, True)
    """
    return None if timeout is None else time.monotonic() + timeout


def seconds_left(deadline: float | None) -> float | None:
    """Return the seconds until a deadline; 0 if it has passed.

    Examples
    --------
    >>> seconds_left(None) is None, seconds_left(0.0)
    (True, 0.0)
    """
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def has_passed(deadline: float | None) -> bool:
    """Whether a deadline has passed.

    Examples
    --------
    >>> has_passed(None), has_passed(0.0)
    (False, True)
    """
    return deadline is not None and time.monotonic() >= deadline
