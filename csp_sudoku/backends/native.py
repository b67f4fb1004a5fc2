"""Run a native solver so that a deadline and Ctrl-C reach it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")

# How long to wait before looking again whether a solver is to stop: at first, and at most. One that
# was told to stop is told again. To look takes time from a solver that needs only milliseconds.
_FIRST_TICK = 0.005
_TICK = 0.05


def run_stoppable(
    work: Callable[[], T],
    stop: Callable[[], None],
    deadline: float | None = None,
    is_over: Callable[[], bool] = bool,
) -> T:
    """Call `work` in another thread and wait; call `stop` at the deadline or on Ctrl-C.

    Also when `is_over` says so, which is asked now and then.

    A native solve in the main thread would hold off every signal until it ends. After `stop` the
    result of `work` is awaited (it returns early, saying so in its own way); an interrupt is then
    raised again. `stop` is called until `work` returns: a solver may miss one that comes too early.
    """
    future: Future[T] = Future()
    try:
        run_in_thread(work, future)
        tick = _FIRST_TICK
        while not future.done():
            left = tick if deadline is None else min(tick, deadline - time.monotonic())
            if left <= 0 or is_over():
                stop()
            _wait(future, left if left > 0 else tick)
            tick = min(_TICK, tick * 1.2)
    except BaseException:
        # A thread that does not run yet is cancelled. One that runs is in the solver, which nobody
        # else may touch before it is out, however often one asks.
        while not (future.cancel() or future.done()):
            with suppress(KeyboardInterrupt):
                stop()
                _wait(future, _TICK)
        raise
    return future.result()


def _wait(future: Future[Any], seconds: float) -> None:
    """Wait until a future is done, or for so long."""
    with suppress(TimeoutError):
        future.exception(seconds)


# Threads that wait for work. To start one for each solve would take longer than some: the memory
# that a solver asks for in a new thread is new as well.
_idle: list[SimpleQueue[Callable[[], None]]] = []
# After a fork they are not there.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)


def run_in_thread(work: Callable[[], T], future: Future[T]) -> None:
    """Do some work in a thread that is idle, or in a new one; the future gets what comes of it."""

    def run() -> None:
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

    try:
        tasks = _idle.pop()
    except IndexError:
        tasks = SimpleQueue()
        Thread(target=_serve, args=(tasks,), daemon=True, name="csp-sudoku solver").start()
    tasks.put(run)


def _serve(tasks: SimpleQueue[Callable[[], None]]) -> None:
    while True:
        tasks.get()()
        _idle.append(tasks)
