"""Run jobs side by side and yield their events: in worker processes, in threads, or in turn."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from csp_sudoku.running.isolation import GRACE_SECONDS, Lost, Worker, WorkerPool
from csp_sudoku.running.worker import Failed, Last, Request, failure

# How often a cancel token is looked at, in seconds.
_POLL_SECONDS = 0.05


@dataclass(eq=False)
class Job:
    """A source of events: a request to a worker, or `work`, a function that yields them.

    `kind` says which workers are best for a request.
    """

    timeout: float | None
    request: Request | None = None
    kind: str = ""
    work: Callable[[], Iterable[Any]] | None = None
    worker: Worker | None = field(default=None, init=False)
    deadline: float | None = field(default=None, init=False)
    started: float = field(default=0.0, init=False)

    @property
    def overdue_at(self) -> float | None:
        """The moment after which it counts as hanging."""
        return self.deadline if self.worker is None else self.worker.deadline


class Scheduler:
    """Runs a number of jobs at a time, by default one for each processor.

    More may be added while the events are read.

    Requests go to the workers of the pool, other work goes to threads. Without a pool the caller's
    thread does one job after the other; then there must be no requests. When `cancel` is set, all
    jobs end as if their time had run out.
    """

    def __init__(
        self,
        pool: WorkerPool | None,
        at_a_time: int | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        self._pool = pool
        self._cancel = cancel
        self._at_a_time = (at_a_time or _processors()) if pool else 1
        self._waiting: deque[Job] = deque()
        self._running: list[Job] = []
        self._events: queue.SimpleQueue[tuple[Job, Any]] = queue.SimpleQueue()

    def add(self, job: Job, *, at_once: bool = False) -> None:
        """Add a job; it is run after those that wait, or before them."""
        if at_once:
            self._waiting.appendleft(job)
        else:
            self._waiting.append(job)

    def events(self) -> Generator[tuple[Job, Any], None, None]:
        """Yield each event with its job until no job is left. The last event of a job is None."""
        try:
            while self._waiting or self._running:
                while self._waiting and len(self._running) < self._at_a_time:
                    self._start(self._waiting.popleft())
                found = self._next()
                if found is None:
                    yield from self._cancelled()
                    return
                job, event = found
                if job not in self._running:
                    continue  # from a thread that was given up but still runs
                if event is None:
                    self._finish(job)
                yield job, event
        finally:
            # Also after an interrupt: a worker that is at work is ended.
            for job in list(self._running):
                self._finish(job)

    def _cancelled(self) -> Iterator[tuple[Job, Any]]:
        """Yield the end of every job."""
        for job in (*self._running, *self._waiting):
            yield job, Failed("time", "it was cancelled")
            yield job, None

    def _start(self, job: Job) -> None:
        self._running.append(job)
        job.started = time.monotonic()
        if job.timeout is not None:
            job.deadline = job.started + job.timeout + GRACE_SECONDS
        if job.request is not None:
            assert self._pool is not None
            job.worker = self._pool.take(job.kind)
            job.worker.start(job.request, lambda event: self._deliver(job, event))
        elif self._pool is None:
            self._work(job)
        else:
            # A daemon, so that a job that hangs does not keep the process alive.
            threading.Thread(target=self._work, args=(job,), daemon=True).start()

    def _deliver(self, job: Job, event: Any) -> None:
        self._events.put((job, event))
        if isinstance(event, Last | Lost):
            self._events.put((job, None))

    def _work(self, job: Job) -> None:
        assert job.work is not None
        try:
            for event in job.work():
                self._events.put((job, event))
        except Exception as error:
            self._events.put((job, failure(error)))
        self._events.put((job, None))

    def _next(self) -> tuple[Job, Any] | None:
        """Wait for an event; None when all is cancelled."""
        while self._cancel is None or not self._cancel.is_set():
            moments = [job.overdue_at for job in self._running if job.overdue_at is not None]
            left = None if self._cancel is None else _POLL_SECONDS
            if moments:
                until = max(0.0, min(moments) - time.monotonic())
                left = min(until, threading.TIMEOUT_MAX if left is None else left)
            try:
                return self._events.get(timeout=left)
            except queue.Empty:
                self._give_up()
        return None

    def _give_up(self) -> None:
        now = time.monotonic()
        for job in self._running:
            if job.overdue_at is None or job.overdue_at > now:
                continue
            if job.worker is None:
                self._deliver(job, Lost("hang", "it did not return when its time was up"))
                job.deadline = None
            else:
                job.worker.end(hung=True)
                job.worker.deadline = None

    def _finish(self, job: Job) -> None:
        self._running.remove(job)
        if job.worker is not None:
            assert self._pool is not None
            self._pool.give_back(job.kind, job.worker)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
