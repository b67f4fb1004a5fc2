"""Workers: what goes wrong in one stays in it, and none outlives its caller."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

import csp_sudoku as cs
from csp_encodings import serial
from csp_sudoku.crosscheck.jobs import Job, Scheduler
from csp_sudoku.running import isolation
from csp_sudoku.running.isolation import Lost, WorkerPool
from csp_sudoku.running.worker import Accepted, Compiled, Failed, Found, Question, Request

FOUR = cs.Puzzle.blank(4)
ROOT = Path(__file__).parents[2]


def request(puzzle, backend="sat", limit=None, **more):
    return Request(msgspec.Raw(serial.dumps(puzzle.graph)), backend, Question(limit), **more)


@pytest.fixture(scope="module")
def pool():
    with WorkerPool() as made:
        yield made


def ask(pool, asked):
    """The events of one request."""
    scheduler = Scheduler(pool, 1)
    scheduler.add(Job(asked.timeout, request=asked, kind="sat"))
    with closing(scheduler.events()) as events:
        yield from (event for _, event in events if event is not None)


def endless(pool):
    """A worker in the midst of an enumeration that does not end."""
    events = ask(pool, request(cs.Puzzle.blank(9), timeout=100))
    assert [type(next(events)) for _ in range(3)] == [Accepted, Compiled, Found]
    return events


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def wait_until(condition, seconds=30.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def test_solutions_come_as_rows_in_the_order_of_the_variables(pool):
    accepted, compiled, found, done = ask(pool, request(FOUR, timeout=60))
    assert isinstance(accepted, Accepted)
    assert compiled.size["variables"] == 64
    wanted = {tuple(s.values()) for s in cs.solutions(FOUR, "sat")}
    assert set(found.rows) == wanted
    assert len(found.rows) == 288
    assert done.complete
    assert done.statistics["solver"] == "minicard"


def test_limits_and_timeouts_are_kept(pool):
    *_, found, done = ask(pool, request(FOUR, limit=3))
    assert (len(found.rows), done.complete) == (3, False)
    [failed] = ask(pool, request(cs.Puzzle.blank(9), timeout=0.0))
    assert failed == Failed("time", "time ran out before it answered")


def test_a_worker_is_used_again(pool):
    list(ask(pool, request(FOUR, limit=1)))
    before = pool.pids
    list(ask(pool, request(FOUR, limit=1)))
    assert pool.pids == before


@pytest.mark.parametrize(
    ("backend", "message"),
    [
        ("magic", "no backend is called 'magic'"),
        ("sat:solver=kissat404", "solver kissat404 cannot be used"),
    ],
)
def test_what_a_backend_refuses_is_said(pool, backend, message):
    [failed] = ask(pool, request(FOUR, backend))
    assert failed.kind == "error"
    assert message in failed.text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (signal.SIGKILL, "it was ended by SIGKILL"),
        (signal.SIGSEGV, "it was ended by SIGSEGV: Fatal Python error: Segmentation fault"),
    ],
)
def test_a_crash_is_an_event(pool, number, text):
    events = endless(pool)
    os.kill(pool.pids[0], number)
    last = list(events)[-1]
    assert isinstance(last, Lost)
    assert last.kind == "crash"
    assert last.text.startswith(text)
    assert list(ask(pool, request(FOUR)))[-1].complete


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_an_idle_worker_that_does_not_respond_is_replaced(pool, number, monkeypatch):
    monkeypatch.setattr(isolation, "_PING_SECONDS", 0.5)
    list(ask(pool, request(FOUR, limit=1)))
    [pid] = pool.pids
    os.kill(pid, number)
    assert list(ask(pool, request(FOUR)))[-1].complete
    assert pid not in pool.pids
    assert not is_running(pid)


def test_a_worker_that_does_not_stop_is_ended(pool, monkeypatch):
    monkeypatch.setattr(isolation, "GRACE_SECONDS", 0.2)
    events = ask(pool, request(cs.Puzzle.blank(9), timeout=0.5))
    assert isinstance(next(events), Accepted)
    pid = pool.pids[0]
    os.kill(pid, signal.SIGSTOP)
    assert list(events)[-1] == Lost("hang", "it did not stop when its time was up, and was ended")
    wait_until(lambda: not is_running(pid))


def test_a_worker_that_does_not_even_read_is_ended(monkeypatch):
    monkeypatch.setattr(isolation, "START_SECONDS", 0.01)
    with WorkerPool() as fresh:
        # It is not up yet, and this is too large for a pipe: the caller must not wait for that.
        assert [event.kind for event in ask(fresh, request(cs.Puzzle.blank(36)))] == ["hang"]


def test_memory_can_be_limited(pool):
    list(ask(pool, request(FOUR, limit=1)))
    events = list(ask(pool, request(cs.Puzzle.blank(36), memory=90 * 2**20, timeout=60)))
    assert events[-1].kind == "memory"
    assert list(ask(pool, request(FOUR, timeout=60)))[-1].complete


def test_a_request_that_is_left_half_way_ends_its_worker(pool):
    events = endless(pool)
    pid = pool.pids[0]
    events.close()
    assert pid not in pool.pids
    assert not is_running(pid)


def test_a_copy_of_the_process_does_not_end_the_workers_of_the_original(pool, monkeypatch):
    list(ask(pool, request(FOUR, limit=1)))
    shared = isolation.shared_pool()
    with monkeypatch.context() as forked:
        forked.setattr(os, "getpid", lambda: -1)
        pool.close()
        assert isolation.shared_pool() is not shared
    assert isolation.shared_pool() is shared
    assert [is_running(pid) for pid in pool.pids] == [True]


# No guard around the main part, and a rule that no other process could read.
SCRIPT = """
import sys
import csp_sudoku as cs
from csp_sudoku.running.isolation import shared_pool

def tell(puzzle):
    while len(shared_pool().pids) < 1:
        pass
    print(*shared_pool().pids, flush=True)
    return "." * 81

puzzle = cs.Puzzle.blank(9).add(cs.where("R1C1 R1C2", lambda a, b: a + b == 10))
print("started", flush=True)
cs.cross_check(puzzle, ["sat", tell], limit=None, timeout=60, certify=False, reference=False)
"""


@pytest.fixture
def script(tmp_path):
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    # A file that is called like a module must not confuse the workers.
    (tmp_path / "networkx.py").write_text("raise SystemExit('the wrong module')")
    started = subprocess.Popen(
        [sys.executable, "-P", str(file)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "encodings")])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with started:
        yield started
        started.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_its_caller(script, number):
    assert script.stdout.readline() == "started\n"
    pids = list(map(int, script.stdout.readline().split()))
    assert pids
    assert all(map(is_running, pids))
    script.send_signal(number)
    _, errors = script.communicate(timeout=30)
    assert ("KeyboardInterrupt" in errors) == (number == signal.SIGINT)
    wait_until(lambda: not any(map(is_running, pids)))


# Who does not end: a function, and a program whose child has left its group and holds the pipe.
HANGING = {
    "function": "lambda puzzle: time.sleep(60)",
    "program": "f'{sys.executable} leaver.py {{line}}'",
    "kept running": "f'{sys.executable} leaver.py {{stdin}}'",
}
LEAVER = """
import os, subprocess, sys, time
child = subprocess.Popen(["sleep", "60"], start_new_session=True)
open("child", "w").write(str(child.pid))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
@pytest.mark.parametrize("what", HANGING)
def test_no_thread_keeps_the_caller_alive(what, tmp_path):
    (tmp_path / "leaver.py").write_text(LEAVER)
    code = (
        "import sys, time, csp_sudoku as cs\n"
        "from csp_sudoku.crosscheck import jobs, programs\n"
        "jobs.GRACE_SECONDS = programs._PIPE_SECONDS = 0.2\n"
        f"how = dict(timeout=1, isolate={what == 'function'}, certify=False, reference=False)\n"
        f"found = cs.cross_check('1' * 16, [{HANGING[what]}], **how)\n"
        "print(found.answers[0].ending.value)\n"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "encodings")])},
            capture_output=True,
            text=True,
            timeout=50,  # or it raises
            check=True,
        )
    finally:
        if (child := tmp_path / "child").exists():
            os.kill(int(child.read_text()), signal.SIGKILL)
    assert done.stdout in ("hung\n", "failed\n", "out of time\n")
