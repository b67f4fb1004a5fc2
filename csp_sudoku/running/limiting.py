"""Limits for reading, building and solving, for those who serve files of strangers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from csp_encodings.watch import Limits, OutOfTime, watched
from csp_sudoku.errors import UndecidedError
from csp_sudoku.running.deadlines import deadline_after
from csp_sudoku.solving.query import check_count, check_query

_DEFAULT = Limits()


@contextmanager
def limits(
    *,
    seconds: float | None = None,
    factors: int = _DEFAULT.factors,
    edges: int = _DEFAULT.edges,
    clauses: int = _DEFAULT.clauses,
    bytes: int = _DEFAULT.bytes,
) -> Iterator[None]:
    """Limit what a puzzle may cost, in a ``with`` statement, if you serve files of strangers.

    Time counts for all that is inside: reading, building and solving. A function with a `timeout`
    answers as if its own time had run out; another raises :class:`UndecidedError`. A puzzle that is
    too large raises :class:`BudgetError`, which names the rule that costs most. The sizes have
    these limits by default, without this function.

    Parameters
    ----------
    seconds
        Until when all must be done; default: no limit.
    factors, edges
        The size of the constraint graph: its factors, and the edges of the automata in it.
    clauses
        The size of an encoding: its clauses, or the rows, options or table rows in their place.
    bytes
        About how much memory the graph may take, and how much each encoding of it.

    Examples
    --------
    >>> import csp_sudoku as cs
    >>> puzzle = cs.Puzzle.blank(4).add(cs.KillerCage("R1C1 R1C2 R2C1", 6))
    >>> with cs.limits(seconds=60, edges=1_000):
    ...     cs.count(puzzle).value
    72
    >>> with cs.limits(edges=10):
    ...     cs.count(puzzle.add(cs.Arrow("R3C3", "R4C3 R4C4")))
    Traceback (most recent call last):
    csp_sudoku.errors.BudgetError: the whole needs more than 10 edges of automata; killer-cage at \
R1C1 takes most, 12
    """
    query = check_query(timeout=seconds)
    sizes = {"factors": factors, "edges": edges, "clauses": clauses, "bytes": bytes}
    most = Limits(**{name: check_count(name, number) for name, number in sizes.items()})
    try:
        with watched(deadline_after(query.timeout), most):
            yield
    except OutOfTime:
        raise UndecidedError(f"{seconds:g} seconds were not enough") from None
