"""How a command ends: signals, a full disk, a closed output. Nothing is left behind."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

resource = pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="uses /dev/full and /proc")

# Hard enough to keep two workers busy for a while.
EMPTY = "." * 81


def start(*arguments, **options):
    return subprocess.Popen(
        [sys.executable, "-m", "csp_sudoku", *arguments],
        env=os.environ,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def descendants(pid):
    """The processes that a process has started, and those that they have started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            child = int(stat.parent.name)
            found += [child, *descendants(child)]
    return found


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition, seconds=30):
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.1)


@pytest.fixture
def batch(tmp_path):
    """A batch on two processes that would take very long."""
    source, out = tmp_path / "puzzles.txt", tmp_path / "answers.jsonl"
    source.write_text(f"{EMPTY}\n" * 50)
    options = ["--task", "count", "--limit", "0", "--workers", "2", "--chunk", "1"]
    run = start("batch", str(source), "--out", str(out), "--backend", "sat", *options)
    try:
        # Two workers, and the process that tracks shared resources.
        wait_until(lambda: len(descendants(run.pid)) >= 3)
        time.sleep(2)
        yield run
    finally:
        for pid in [*descendants(run.pid), run.pid]:
            if is_running(pid):
                os.kill(pid, signal.SIGKILL)
        run.wait()
        run.stderr.close()


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_no_worker_is_left_behind(batch, sent, status):
    workers = descendants(batch.pid)
    batch.send_signal(sent)
    assert batch.wait(30) == status
    wait_until(lambda: not any(map(is_running, workers)))
    if sent == signal.SIGTERM:
        said = batch.stderr.read()
        assert "the same command continues it" in said
        assert said.endswith("interrupted\n")


def test_a_full_disk_is_said_in_a_line():
    with open("/dev/full", "w") as full:
        run = start("solve", "0100300140020040", stdout=full)
        _, said = run.communicate()
    assert (run.returncode, said) == (74, "error: No space left on device\n")


def test_a_full_disk_for_answers(tmp_path):
    source = tmp_path / "puzzles.txt"
    source.write_text("0100300140020040\n")
    command = ("batch", str(source), "--out", str(tmp_path / "answers.jsonl"))
    small = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (100, 100))
    run = start(*command, stdout=subprocess.DEVNULL, preexec_fn=small)
    _, said = run.communicate()
    assert (run.returncode, said) == (74, f"error: {tmp_path / 'answers.jsonl'}: File too large\n")
    # What is there of a line does no harm.
    again = start(*command, stdout=subprocess.DEVNULL)
    again.communicate()
    assert again.returncode == 0


def test_answers_go_to_a_file(tmp_path):
    source = tmp_path / "puzzles.txt"
    source.write_text("0100300140020040\n")
    run = start("batch", str(source), "--out", "/dev/full", stdout=subprocess.DEVNULL)
    _, said = run.communicate()
    assert (run.returncode, said) == (2, "error: /dev/full is not a file\n")


def test_a_closed_output_is_said_in_a_line():
    run = start("solve", "0100300140020040", preexec_fn=lambda: os.close(1))
    _, said = run.communicate()
    assert (run.returncode, said) == (74, "error: the standard output is closed\n")
