"""Executors for work on several processes or machines."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from csp_sudoku.errors import BackendError

Item = TypeVar("Item")
Found = TypeVar("Found")

# How many seconds a cluster may take to answer.
_PATIENCE = 10.0
# Enough items to keep a cluster busy, and few enough to hold in memory.
_AHEAD = 256


@contextmanager
def processes(number: int) -> Iterator[Executor]:
    """An executor with this number of processes on this machine.

    The processes are spawned, not forked: OR-tools and Numba have threads, which a fork loses. A
    script that calls this needs the usual ``if __name__ == "__main__":``.

    If an error or an interrupt ends the work, the processes are ended at once. They also end when
    this process dies.
    """
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(number, mp_context=context, initializer=_end_with_parent)
    others = {*multiprocessing.active_children()}
    try:
        yield executor
    except BaseException:
        for process in {*multiprocessing.active_children()} - others:
            process.terminate()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """End this process when its parent dies: nobody else would tell it to."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def dask(address: str) -> Iterator[Executor]:
    """An executor with the workers of a Dask cluster, by the address of its scheduler.

    An address looks like ``tcp://host:8786``. If a worker dies, Dask gives its work to another one.
    Workers that join later are used as well.
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
    """A Dask cluster if there is an address, else processes; None for this process alone."""
    if address is not None:
        with dask(address) as executor:
            yield executor
    elif number > 1:
        with processes(number) as executor:
            yield executor
    else:
        yield None


@contextmanager
def telling_deaths(advice: str = "") -> Iterator[None]:
    """Say in one line that workers have died, when the result of a future is asked for."""
    try:
        yield
    except BrokenExecutor as error:
        died = f"a worker has died, and the others with it ({error})"
    except Exception as error:
        # Dask gives work to other workers first. To name its class would load Dask.
        if type(error).__name__ != "KilledWorker":
            raise
        died = "every worker that was given one piece of the work has died"
    else:
        return
    raise BackendError(died + advice)


def in_order(
    executor: Executor,
    function: Callable[[Item], Found],
    items: Iterable[Item],
    *,
    ahead: int = _AHEAD,
) -> Iterator[Found]:
    """Yield the result of a function for each item, in the order of the items.

    At most `ahead` items are under way at a time. If the caller stops early, items that have not
    begun are cancelled.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as executor:
    ...     list(in_order(executor, abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    waiting: deque[Future[Found]] = deque()

    def first() -> Found:
        with telling_deaths():
            return waiting.popleft().result()

    try:
        for item in items:
            with telling_deaths():
                waiting.append(executor.submit(function, item))
            if len(waiting) >= ahead:
                yield first()
        while waiting:
            yield first()
    finally:
        for future in waiting:
            future.cancel()
