"""Workers in their own processes: a crash, a hang or a lack of memory stays with the worker.

A worker is a fresh Python, not a copy of the caller. It does not run the caller's script again, and
it gets nothing but the constraint graph (see :mod:`csp_encodings.serial`). Workers are kept between
calls, because loading a solver takes longer than solving a puzzle.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Literal, TypeAlias

import msgspec

import csp_encodings
import csp_sudoku
from csp_encodings.store import STORE
from csp_sudoku.errors import BackendError
from csp_sudoku.running.closing import Closing
from csp_sudoku.running.worker import PING, Accepted, Last, Reply, Request, read_frame, write_frame

# How many seconds a worker may take to load its solver, and to notice that its time is up.
START_SECONDS = 120.0
GRACE_SECONDS = 5.0

# How many seconds an idle worker may take to answer a ping.
_PING_SECONDS = 2.0

# How many idle workers are kept.
_KEEP = 8

# How much of a lost worker's error output is read.
_STDERR_BYTES = 4_000
# What Python, C++, MiniSat and its kin, and SCIP print when they run out of memory.
_NO_MEMORY = ("MemoryError", "bad_alloc", "OutOfMemory", "Insufficient memory")


class Lost(msgspec.Struct, frozen=True):
    """The last event of a worker that ended, or was ended, without an answer."""

    kind: Literal["crash", "hang", "memory"]
    text: str


Event: TypeAlias = Reply | Lost
Deliver: TypeAlias = Callable[[Event], None]


class Worker:
    """One process, which handles one request at a time."""

    def __init__(self) -> None:
        if not sys.executable:
            raise BackendError("no Python is known to start a worker with; use isolate=False")
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `_read`
        self._process = subprocess.Popen(
            # -P: no file of the current folder is taken for a module.
            [sys.executable, "-P", "-m", "csp_sudoku.running.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env=environment(),
            # Ctrl-C goes to the caller only, who then ends the workers.
            start_new_session=True,
        )
        self._lock = threading.Lock()
        self._deliver: Deliver | None = None
        self._lost: Lost | None = None
        self._hung = False
        self._timeout: float | None = None
        self.deadline: float | None = None
        self._reader = _in_background(self._read)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def idle(self) -> bool:
        """Whether it has answered its last request."""
        return self._deliver is None and self._lost is None

    def responds(self) -> bool:
        """Whether an idle worker answers a ping."""
        answered = threading.Event()
        with self._lock:
            self._deliver = lambda event: answered.set()
        self._write(PING)
        # A worker that does not answer stays busy, so that it is ended when it is given back.
        if not answered.wait(_PING_SECONDS):
            return False
        with self._lock:
            self._deliver = None
        return self._lost is None

    def start(self, request: Request, deliver: Deliver) -> None:
        """Send a request; another thread delivers every event of the answer.

        `deadline` is the moment from which the worker counts as hanging.
        """
        self.deadline = time.monotonic() + START_SECONDS
        self._timeout = request.timeout
        with self._lock:
            self._deliver = None if self._lost else deliver
        if self._lost:
            deliver(self._lost)
            return
        data = msgspec.json.encode(request)
        # In the background: a worker that does not read must not block its caller.
        _in_background(lambda: self._write(data))

    def end(self, *, hung: bool = False) -> None:
        """Kill the process, whatever it is doing."""
        self._hung = hung
        self._process.kill()
        self._process.wait()
        self._reader.join()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        # That a worker is gone is noticed where its replies are read.
        with suppress(OSError, ValueError):
            write_frame(self._process.stdin, data)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as source:
            while (frame := read_frame(source)) is not None:
                reply: Reply = msgspec.json.decode(frame, type=Reply)
                if isinstance(reply, Accepted) and self._timeout is not None:
                    self.deadline = time.monotonic() + self._timeout + GRACE_SECONDS
                elif isinstance(reply, Accepted):
                    self.deadline = None
                self._hand_on(reply, last=isinstance(reply, Last))
        with self._stderr:
            lost = self._loss()
        with self._lock:
            self._lost = lost
        self._hand_on(lost, last=True)

    def _hand_on(self, event: Event, *, last: bool) -> None:
        with self._lock:
            deliver = self._deliver
            if last:
                self._deliver = None
        if deliver is not None:
            deliver(event)

    def _loss(self) -> Lost:
        code = self._process.wait()
        if self._hung:
            return Lost("hang", "it did not stop when its time was up, and was ended")
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - _STDERR_BYTES))
        printed = self._stderr.read().decode(errors="replace").strip().splitlines()
        memory = [line for line in printed if any(sign in line for sign in _NO_MEMORY)]
        text = (
            f"it ended with code {code}" if code >= 0 else f"it was ended by {signal_name(-code)}"
        )
        # A traceback ends with a line that is not indented. A fatal error is printed before one.
        said = [line for line in printed if line and not line[0].isspace()]
        fatal = [line for line in said if "Fatal" in line]
        last = next(iter([*memory, *fatal, *said[-1:]]), "")
        return Lost("memory" if memory else "crash", f"{text}: {last}" if last else text)


class WorkerPool(Closing):
    """Workers that are kept for the next request; a context manager.

    A worker serves requests of one kind only: it has the solver for it loaded.
    """

    def __init__(self) -> None:
        self._idle: list[tuple[str, Worker]] = []
        self._busy: list[Worker] = []
        self._lock = threading.Lock()
        self._owner = os.getpid()

    def take(self, kind: str) -> Worker:
        """Return a worker for a request of this kind."""
        while (worker := self._take_idle(kind)) is not None:
            if worker.responds():
                return worker
            self.give_back(kind, worker)
        worker = Worker()
        with self._lock:
            self._busy.append(worker)
        return worker

    def _take_idle(self, kind: str) -> Worker | None:
        with self._lock:
            for i, (known, worker) in enumerate(self._idle):
                if known == kind:
                    del self._idle[i]
                    self._busy.append(worker)
                    return worker
        return None

    def give_back(self, kind: str, worker: Worker) -> None:
        """Keep a worker for the next request, or end it if it is still busy."""
        with self._lock:
            self._busy.remove(worker)
            if worker.idle:
                self._idle.append((kind, worker))
                surplus = self._idle[:-_KEEP]
                del self._idle[:-_KEEP]
            else:
                surplus = [(kind, worker)]
        for _, unwanted in surplus:
            unwanted.end()

    @property
    def pids(self) -> list[int]:
        """The process ids of all workers, those at work first."""
        with self._lock:
            return [worker.pid for worker in [*self._busy, *(w for _, w in self._idle)]]

    def end_idle(self) -> None:
        """End the workers that wait for a request."""
        # A forked copy of the caller has the pool as well, but not the workers.
        if self._owner != os.getpid():
            return
        with self._lock:
            idle, self._idle = self._idle, []
        for _, worker in idle:
            worker.end()

    def close(self) -> None:
        """End all workers, even those at work."""
        self.end_idle()
        if self._owner == os.getpid():
            with self._lock:
                busy = [*self._busy]
            for worker in busy:
                worker.end()


def shared_pool() -> WorkerPool:
    """Return the pool that is kept between calls until the process ends."""
    return _shared_pool(os.getpid())


@cache
def _shared_pool(_owner: int) -> WorkerPool:
    pool = WorkerPool()
    atexit.register(pool.close)
    STORE.on_clear(pool.end_idle)
    return pool


def environment() -> dict[str, str]:
    """Return the caller's environment, plus the folders of our packages if not installed."""
    folders = [str(Path(package.__path__[0]).parent) for package in (csp_sudoku, csp_encodings)]
    installed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    known = os.environ.get("PYTHONPATH")
    paths = [folder for folder in dict.fromkeys(folders) if folder not in installed]
    return os.environ | {"PYTHONPATH": os.pathsep.join([*paths, *([known] if known else [])])}


def _in_background(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True, name="csp-sudoku worker")
    thread.start()
    return thread


def signal_name(number: int) -> str:
    """The name of a signal, such as SIGSEGV."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
