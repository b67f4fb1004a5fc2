"""Many puzzles at once: the answers, going on after a stop, and workers that die."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest

import csp_sudoku as cs
from csp_sudoku import executors
from csp_sudoku.batches.cubes import count_in_parts, cubes, solve_in_parts
from csp_sudoku.batches.files import batch
from csp_sudoku.cli import main
from csp_sudoku.crosscheck.many import cross_check_many

SOLVED = "2134342143121243"
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def puzzles(number):
    """Puzzles with one solution each, or several, or none."""
    for i in range(number):
        blank = i % 16
        grid = SOLVED[:blank] + "." + SOLVED[blank + 1 :]
        yield {0: grid, 1: "." * 16, 2: "12....3........."}.get(i % 5, grid)


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text("".join(f"{text}\n" for text in puzzles(40)))
    return path


def rows(path):
    """The rows of the answers, without what may differ from run to run."""
    found = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    for row in found:
        row.pop("seconds")
    return sorted(found, key=lambda row: row["row"])


def test_what_is_written_is_what_solving_says(source, tmp_path):
    out = tmp_path / "answers.jsonl"
    summary = batch(source, out, backend="sat", chunk=7)
    assert (summary.rows, summary.resumed, summary.undecided) == (40, 0, 0)
    for row, text in zip(rows(out), puzzles(40), strict=True):
        found = cs.solve(text, "sat", limit=2)
        assert row["status"] == found.status.value
        assert len(row.get("solutions", [])) == len(found.solutions)
        assert all(cs.verify(cs.read(text), cs.read(s).givens).ok for s in row.get("solutions", []))


def test_threads_say_the_same(source, tmp_path):
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    batch(source, alone, backend="sat", limit=3)
    with ThreadPoolExecutor(2) as executor:
        batch(source, shared, backend="sat", limit=3, executor=executor, chunk=3)
    assert [r | {"solutions": 0} for r in rows(shared)] == [
        r | {"solutions": 0} for r in rows(alone)
    ]


def test_tasks(source, tmp_path):
    counts = tmp_path / "counts"
    batch(source, counts, task="count", backend="sat", limit=None)
    assert {row["count"] for row in rows(counts)} == {0, 1, 288}
    agreed = tmp_path / "agreed"
    few = tmp_path / "few.txt"
    few.write_text("".join(source.read_text().splitlines(keepends=True)[:3]))
    summary = batch(few, agreed, task="cross-check")
    assert summary.undecided == 0
    found = [min(2, len(row.get("solutions", []))) for row in rows(agreed)]
    assert found == [1, 2, 0]


@pytest.mark.parametrize("task", ["solve", "count"])
@pytest.mark.parametrize("limit", [1, 2, 288, None])
def test_who_has_as_much_as_was_asked_for_has_decided(source, tmp_path, task, limit):
    """A row is undecided exactly if time ran out: a limit that was reached is an answer."""
    found = batch(source, tmp_path / "out", task=task, backend="sat", limit=limit)
    assert (found.rows, found.undecided) == (40, 0)
    late = batch(source, tmp_path / "late", task=task, backend="sat", limit=limit, timeout=0)
    assert (late.rows, late.undecided) == (40, 40)


@pytest.mark.parametrize(("backend", "solvers"), [("auto", None), ("dlx", ["dlx"])])
def test_a_cross_check_asks_the_backend_that_is_named(
    source, tmp_path, monkeypatch, backend, solvers
):
    from csp_sudoku.crosscheck import run

    asked = []
    original = run.cross_check
    monkeypatch.setattr(
        run, "cross_check", lambda p, s, **more: asked.append(s) or original(p, ["sat"], **more)
    )
    batch(source, tmp_path / "out", task="cross-check", backend=backend)
    assert {str(each) for each in asked} == {str(solvers)}


class Stops(Executor):
    """Does some work, then stops as if somebody had pressed Ctrl-C."""

    def __init__(self, after):
        self.left = after

    def submit(self, function, /, *arguments):
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        future = Future()
        future.set_result(function(*arguments))
        return future


def test_a_run_goes_on_where_it_was_stopped(source, tmp_path, monkeypatch):
    out, whole = tmp_path / "answers.jsonl", tmp_path / "whole.jsonl"
    monkeypatch.setattr("csp_sudoku.batches.files._AHEAD", 1)
    with pytest.raises(KeyboardInterrupt):
        batch(source, out, backend="sat", executor=Stops(after=3), chunk=5)
    # Killed in the middle of a line.
    done = len(rows(out))
    assert 0 < done < 40
    with open(out, "a") as file:
        file.write('{"row": 39, "sta')
    summary = batch(source, out, backend="sat")
    assert (summary.rows, summary.resumed) == (40, done)
    batch(source, whole, backend="sat")
    assert [row["row"] for row in rows(out)] == list(range(1, 41))
    assert [row["status"] for row in rows(out)] == [row["status"] for row in rows(whole)]


def test_answers_to_another_question_are_not_gone_on_with(source, tmp_path):
    out = tmp_path / "answers.jsonl"
    batch(source, out, backend="sat")
    with pytest.raises(cs.FormatError, match="or with other settings"):
        batch(source, out, backend="sat", rules=(cs.AntiKing(),))


@pytest.mark.parametrize("task", ["solve", "count"])
def test_a_puzzle_that_has_changed_is_asked_again(source, tmp_path, task):
    out = tmp_path / "answers.jsonl"
    batch(source, out, backend="sat", task=task)
    lines = source.read_text().splitlines()
    lines[6] = "1" + "." * 15
    lines[9], lines[10] = lines[10], lines[9]
    del lines[30:]
    source.write_text("\n".join(lines))
    summary = batch(source, out, backend="sat", task=task)
    assert (summary.rows, summary.resumed) == (30, 27)
    fresh = tmp_path / "fresh.jsonl"
    batch(source, fresh, backend="sat", task=task)
    said = [[(row["asked"], row["status"]) for row in rows(path)] for path in (out, fresh)]
    assert said[0] == said[1]


def test_rules_that_only_look_alike_are_other_settings(source, tmp_path):
    out = tmp_path / "answers.jsonl"
    blank = cs.Puzzle.blank(4)
    batch(source, out, backend="sat", like=blank.add(cs.AntiKing()))
    with pytest.raises(cs.FormatError, match="or with other settings"):
        batch(source, out, backend="sat", like=blank.add(cs.AntiKnight()))
    with pytest.raises(cs.FormatError, match="or with other settings"):
        batch(source, out, backend="sat", like=blank.add(cs.AntiKing()), size=4)


def test_two_runs_do_not_write_to_one_file(source, tmp_path):
    out = tmp_path / "answers.jsonl"
    seen = []

    def interfere(_):
        if not seen:
            seen.append(True)
            with pytest.raises(cs.FormatError, match="another run is writing this file"):
                batch(source, out, backend="sat")

    assert batch(source, out, backend="sat", progress=interfere).rows == 40
    assert seen
    assert [row["row"] for row in rows(out)] == list(range(1, 41))


def test_a_row_that_cannot_be_read_is_a_row(tmp_path):
    source, out = tmp_path / "puzzles.txt", tmp_path / "answers.jsonl"
    source.write_text(f"{SOLVED}\n8{SOLVED[1:]}\n{'.' * 16}\n")
    started = time.perf_counter()
    summary = batch(source, out, backend="sat")
    elapsed = time.perf_counter() - started
    assert (summary.rows, summary.undecided) == (3, 1)
    seconds = [json.loads(line)["seconds"] for line in out.read_text().splitlines()[1:]]
    assert 0 < sum(seconds) <= summary.seconds + 1e-5 <= elapsed + 1e-5
    assert "8" in rows(out)[1]["error"]


def test_the_command(source, tmp_path, capsys):
    out = str(tmp_path / "answers.jsonl")
    assert main(["batch", str(source), "--out", out, "--backend", "sat", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 40
    assert main(["batch", str(source), "--out", out, "--task", "guess"]) == 2
    refused = "error: Invalid value for '--task': 'guess' is not one of 'solve', 'count', "
    assert capsys.readouterr().err == f"{refused}'cross-check'.\n"
    assert main(["batch", "nowhere.txt", "--out", out]) == 2
    assert "nowhere.txt cannot be read" in capsys.readouterr().err


# Cubes


@pytest.mark.parametrize("parts", [1, 7, 50])
def test_cubes_share_no_solution_and_miss_none(parts):
    puzzle = cs.Puzzle.blank(4).add(cs.Thermometer("R1C1 R1C2 R2C2"))
    whole = set(cs.solutions(puzzle, "sat"))
    found = [solution for cube in cubes(puzzle, parts) for solution in cs.solutions(cube, "sat")]
    assert len(found) == len(set(found))
    assert set(found) == whole


@pytest.mark.parametrize("parts", [2, 10, 30, 300])
def test_there_are_as_many_cubes_as_were_asked_for_or_as_solutions(parts):
    puzzle = cs.Puzzle.blank(4).add(cs.AntiKing(), cs.Thermometer("R1C1 R1C2"))
    number = cs.count(puzzle, "brute").value
    assert number < 300
    found = cubes(puzzle, parts)
    assert len(found) >= parts or [int(cs.count(cube)) for cube in found] == [1] * number


def test_the_parts_sum_to_the_whole():
    puzzle = cs.Puzzle.blank(4).add(cs.AntiKnight())
    with ThreadPoolExecutor(2) as executor:
        counted = count_in_parts(puzzle, executor, "sat", parts=20)
        assert int(counted) == int(cs.count(puzzle))
        unique = solve_in_parts("0100 3001 4002 0040", executor, "sat", limit=2, parts=9)
        assert [s.text for s in unique.solutions] == [SOLVED]
        assert unique.complete
        some = solve_in_parts(puzzle, executor, "sat", limit=2, parts=9)
        assert (len(some.solutions), some.complete) == (2, False)
        none = solve_in_parts("12....3.........", executor, "sat", parts=9)
        assert none.status is cs.Status.NONE_EXIST


@pytest.mark.parametrize("limit", [1, 2, 3, 23, 24, 25, None])
def test_parts_are_complete_only_with_all_solutions(limit):
    """24 solutions in one part, which is then given up too late, or in several."""
    puzzle = "12" + "." * 14
    with ThreadPoolExecutor(1) as executor:
        for parts in (1, 2, 5):
            found = solve_in_parts(puzzle, executor, "sat", limit=limit, parts=parts)
            assert len({*found.solutions}) == len(found.solutions) == min(limit or 24, 24)
            assert not found.complete or len(found.solutions) == 24
            assert found.complete or (limit and limit <= 24)


def test_processes_count_together(capsys):
    arguments = ["count", "." * 16, "--workers", "2", "--backend", "sat"]
    assert main(arguments) == 0
    assert capsys.readouterr().out == "288\n"
    assert main([*arguments, "--limit", "3"]) == 2
    assert "--limit, --of and --seed are for one process" in capsys.readouterr().err


# A Dask cluster


@pytest.fixture
def cluster(tmp_path):
    """A scheduler, and a function that starts a worker in a process of its own."""
    started = []

    def start(module, *arguments):
        command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments, "--no-dashboard"]
        process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
            env=ENVIRONMENT,
            start_new_session=True,
        )
        started.append(process)
        return process

    known = tmp_path / "scheduler.json"
    start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(known))
    deadline = time.monotonic() + 60
    while not known.exists() or not known.read_text():
        assert time.monotonic() < deadline, "the scheduler does not start"
        time.sleep(0.05)
    address = json.loads(known.read_text())["address"]
    yield address, lambda: start("dask_worker", address, "--nthreads", "1", "--no-nanny")
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_cluster_loses_nothing_when_a_worker_dies(cluster, tmp_path):
    address, start_worker = cluster
    source, out, alone = (tmp_path / name for name in ("many.txt", "out.jsonl", "alone.jsonl"))
    source.write_text("".join(f"{text}\n" for text in puzzles(600)))
    first = start_worker()
    start_worker()
    done = 0

    def progress(rows):
        nonlocal done
        if done < 60 <= done + rows:
            first.send_signal(signal.SIGKILL)
            start_worker()
        done += rows

    with executors.dask(address) as executor:
        summary = batch(source, out, backend="sat", executor=executor, chunk=20, progress=progress)
    batch(source, alone, backend="sat")
    assert first.wait(10) == -signal.SIGKILL
    assert (summary.rows, summary.undecided) == (600, 0)
    assert [row["row"] for row in rows(out)] == list(range(1, 601))
    assert [row["status"] for row in rows(out)] == [row["status"] for row in rows(alone)]


def test_no_cluster_is_said_in_a_line(monkeypatch):
    monkeypatch.setattr("csp_sudoku.executors._PATIENCE", 0.2)
    with (
        pytest.raises(cs.BackendError, match="no Dask cluster answers at tcp://127.0.0.1:9"),
        executors.dask("tcp://127.0.0.1:9"),
    ):
        pass


def test_a_puzzle_is_cross_checked_again_when_its_worker_dies(cluster, tmp_path):
    address, start_worker = cluster
    first, second, marker = start_worker(), start_worker(), tmp_path / "killed"

    def kills_once(puzzle):
        with contextlib.suppress(FileExistsError):
            marker.touch(exist_ok=False)
            os.kill(os.getpid(), signal.SIGKILL)
        return [solution.text for solution in cs.solutions(puzzle, "sat")]

    texts = ["0100 3001 4002 0040", "12....3.........", SOLVED]
    with executors.dask(address) as executor:
        found = cross_check_many(texts, executor=executor, backends=["sat", kills_once], limit=2)
        outcomes = [agreement.summary for agreement in found]
    one, none = "one solution, certified", "no solution, certified"
    assert outcomes == [one, none, one]
    assert -signal.SIGKILL in (first.poll(), second.poll())


class Killed(Executor):
    """As Dask, when every worker has died that was given one piece of work."""

    def submit(self, function, /, *arguments, **settings):
        from distributed.scheduler import KilledWorker

        future = Future()
        future.set_exception(KilledWorker("work", None, 3))
        return future


CALLS = {
    "batch": lambda folder: batch(folder / "puzzles.txt", folder / "out.jsonl", executor=Killed()),
    "cross_check_many": lambda _: list(cross_check_many([SOLVED], executor=Killed())),
    "count_in_parts": lambda _: count_in_parts("." * 16, Killed()),
    "solve_in_parts": lambda _: solve_in_parts("." * 16, Killed()),
}


@pytest.mark.parametrize("name", CALLS)
def test_work_that_kills_every_worker_is_said_in_a_line(source, name):
    with pytest.raises(cs.BackendError, match="every worker that was given one piece") as caught:
        CALLS[name](source.parent)
    assert "\n" not in str(caught.value)
