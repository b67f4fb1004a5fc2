"""Run a native solver so that a deadline and Ctrl-C reach it."""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from csp_encodings.store import STORE
from csp_encodings.watch import OutOfTime
from csp_sudoku.running.deadlines import has_passed, seconds_left

T = TypeVar("T")

# How many seconds to wait before looking again whether a solver is to stop: at first, and at most.
# The first looks come soon, because some solvers need only milliseconds; each takes time from them.
_FIRST_TICK = 0.005
_TICK = 0.05


# Work that nobody waits for; its thread must end before the process does.
_left_alone: set[Future[Any]] = set()
_LAST_SECONDS = 30.0


class StillRunning(OutOfTime):
    """Time is up, but the solver has not come back yet; `work` is its future."""

    def __init__(self, work: Future[Any]) -> None:
        super().__init__()
        self.work = work


def run_stoppable(
    work: Callable[[], T],
    stop: Callable[[], None],
    deadline: float | None = None,
    is_over: Callable[[], bool] = bool,
    patience: float | None = None,
) -> T:
    """Call `work` in another thread and wait; call `stop` at the deadline or on Ctrl-C.

    It also calls `stop` when `is_over`, which it asks now and then, says so.

    A native solve in the main thread would hold off every signal until it ends. After `stop` it
    waits for the result of `work`, which returns early and says so in its own way. Then it raises
    an interrupt again. It calls `stop` until `work` returns: a solver may miss one that comes too
    early.

    With `patience`, it waits only so many seconds after the first `stop`, and then raises
    :class:`StillRunning`. Nobody may touch what the solver works on until :func:`finished` returns.
    """
    future: Future[T] = Future()
    given_up_at: float | None = None
    try:
        run_in_thread(work, future)
        tick = _FIRST_TICK
        while not future.done():
            if has_passed(deadline) or is_over():
                stop()
                if patience is not None:
                    given_up_at = given_up_at or time.monotonic() + patience
                    if time.monotonic() > given_up_at:
                        _left_alone.add(future)
                        future.add_done_callback(_left_alone.discard)
                        raise StillRunning(future)
            left = seconds_left(deadline)
            _wait(future, min(tick, left) if left else tick)
            tick = min(_TICK, tick * 1.2)
    except StillRunning:
        raise
    except BaseException:
        # A thread that has not begun is cancelled. One that has is in the solver, and nobody else
        # may touch that before it comes out, however often Ctrl-C is pressed.
        while not (future.cancel() or future.done()):
            with suppress(KeyboardInterrupt):
                stop()
                _wait(future, _TICK)
        raise
    return future.result()


def finished(work: Future[Any] | None, deadline: float | None) -> None:
    """Wait for work that was left alone; raises :class:`OutOfTime`."""
    while work is not None and not work.done():
        if has_passed(deadline):
            raise OutOfTime
        _wait(work, _TICK)


@atexit.register
def _await_all() -> None:
    # Unloading the library of a solver that is still at work would crash the process.
    wait([*_left_alone], _LAST_SECONDS)


def _wait(future: Future[Any], seconds: float) -> None:
    """Wait until a future is done, but no longer than this."""
    with suppress(TimeoutError):
        future.exception(seconds)


# Threads that wait for work. A new thread for each solve would take longer than some solves: it
# also gets new memory.
_idle: list[SimpleQueue[Callable[[], None] | None]] = []
# A forked process has none of them.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)


def _end_idle() -> None:
    while _idle:
        with suppress(IndexError):
            _idle.pop().put(None)


STORE.on_clear(_end_idle)


def run_in_thread(work: Callable[[], T], future: Future[T]) -> None:
    """Do some work in an idle thread, or in a new one; the future gets the result or the error."""

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
    # The thread keeps the caller's watch (see `csp_encodings.watch`).
    tasks.put(partial(copy_context().run, run))


def _serve(tasks: SimpleQueue[Callable[[], None] | None]) -> None:
    while (task := tasks.get()) is not None:
        task()
        del task  # it holds what it worked on
        _idle.append(tasks)
