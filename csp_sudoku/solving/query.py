"""What is asked about a puzzle: how many solutions, in what time, with which seed."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from math import inf
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from csp_sudoku.errors import BackendError
from csp_sudoku.integers import as_int
from csp_sudoku.running.deadlines import deadline_after

if TYPE_CHECKING:
    from threading import Event

    from csp_sudoku.cells import Place

_LAST_SEED = 2**31 - 1


T = TypeVar("T")


class Query(NamedTuple):
    """The settings of a question; :func:`check_query` makes one of what a user says.

    Attributes
    ----------
    limit
        How many solutions to look for; None for all.
    timeout
        Seconds for each puzzle; None for as long as it takes.
    seed
        Fixes every random choice.
    cancel
        Once this event is set, the work ends as if time had run out.
    of
        The places that count: solutions that differ only elsewhere are one. None for all places.
    """

    limit: int | None = 1
    timeout: float | None = None
    seed: int | None = None
    cancel: Event | None = None
    of: tuple[Place, ...] | None = None

    def deadline(self, puzzles: float = 1) -> float | None:
        """Return the moment of ``time.monotonic()`` at which this number of puzzles must be done.

        The time begins now.
        """
        seconds = None if self.timeout is None else self.timeout * puzzles
        return deadline_after(seconds, self.cancel)


def check_query(
    limit: object = None,
    timeout: object = None,
    seed: object = None,
    cancel: Event | None = None,
) -> Query:
    """Return the settings of a question; refuse those that make no sense.

    Numbers of NumPy are numbers; True and False are not.

    Examples
    --------
    >>> check_query(limit=2, timeout=1.5)
    Query(limit=2, timeout=1.5, seed=None, cancel=None, of=None)
    """
    if limit is not None:
        limit = _whole("limit", limit, 1, None, ", or None for all solutions")
    if timeout is not None:
        is_number = isinstance(timeout, Real) and not isinstance(timeout, bool)
        seconds = float(timeout) if isinstance(timeout, Real) else 0.0
        if not is_number or not 0 <= seconds < inf:
            raise BackendError(
                f"timeout {reprlib.repr(timeout)}: must be seconds from 0 up, or None"
            )
        timeout = seconds
    if seed is not None:
        seed = _whole("seed", seed, 0, _LAST_SEED, ", or None")
    if cancel is not None and not callable(getattr(cancel, "is_set", None)):
        raise BackendError(f"cancel {cancel!r}: must be a threading.Event, or None")
    return Query(limit, timeout, seed, cancel)


def check_count(name: str, number: object, most: int | None = None) -> int:
    """Return a number of things, such as ``workers``; refuse what is no whole number from 1 up."""
    return _whole(name, number, 1, most)


def check_items(name: str, given: Iterable[T] | None, what: str) -> tuple[T, ...]:
    """Return the items of a list; refuse what is no list, and a text.

    Examples
    --------
    >>> check_items("backends", "sat", "names of solvers")
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.BackendError: backends 'sat': must be a list of names of solvers
    """
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise BackendError(f"{name} {reprlib.repr(given)}: must be a list of {what}")
    return tuple(given)


def _whole(name: str, value: object, least: int, most: int | None, else_: str = "") -> int:
    number = as_int(value)
    if number is None or number < least or (most is not None and number > most):
        bounds = f"from {least} up" if most is None else f"from {least} to {most}"
        raise BackendError(f"{name} {reprlib.repr(value)}: must be a whole number {bounds}{else_}")
    return number
