"""Executors for work on several processes or machines."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from csp_sudoku.errors import BackendError

Item = TypeVar("Item")
Found = TypeVar("Found")

# How long a cluster may take to answer.
_PATIENCE = 10.0
# Enough to keep a cluster busy, and few enough to be held.
_AHEAD = 256


@contextmanager
def processes(number: int) -> Iterator[Executor]:
    """So many processes of this machine.

    They are started afresh, not forked: OR-tools and Numba have threads that do not survive that.
    A script that calls this needs the usual ``if __name__ == "__main__":``.
    """
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(number, mp_context=context)
    try:
        yield executor
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def dask(address: str) -> Iterator[Executor]:
    """The workers of a Dask cluster, named by the address of its scheduler (``tcp://host:8786``).

    Dask gives the work of a worker that dies to another one, and uses workers that join late.
    """
    try:
        from distributed import Client
    except ImportError:
        raise BackendError(
            "a Dask cluster needs the package distributed: pip install 'csp-sudoku[dask]'"
        ) from None
    try:
        client: Any = Client(address, timeout=_PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        raise BackendError(f"no Dask cluster answers at {address}: {error}") from None
    with client, client.get_executor() as executor:
        yield executor


@contextmanager
def wanted(number: int, address: str | None) -> Iterator[Executor | None]:
    """A Dask cluster if an address is given, else so many processes; None for this one alone."""
    if address is not None:
        with dask(address) as executor:
            yield executor
    elif number > 1:
        with processes(number) as executor:
            yield executor
    else:
        yield None


def in_order(
    executor: Executor,
    function: Callable[[Item], Found],
    items: Iterable[Item],
    *,
    ahead: int = _AHEAD,
) -> Iterator[Found]:
    """What a function makes of each item, in their order, however long they are.

    Only so many items are under way at a time; what has not begun is given up when the caller is.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as executor:
    ...     list(in_order(executor, abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    waiting: deque[Future[Found]] = deque()
    try:
        for item in items:
            waiting.append(executor.submit(function, item))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
