"""The puzzles of a seed, one after the other: in this process, or in one of its own.

In a process of its own, a crash or a hang costs one puzzle: the parent draws the puzzle again from
its number, saves it, and goes on with the next one.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import TypeAlias

import msgspec

from csp_sudoku.errors import BackendError
from csp_sudoku.fuzzing.checking import Trouble, every_backend, examine, kinds_of, random_plan
from csp_sudoku.fuzzing.findings import Finding, save, shrunk
from csp_sudoku.fuzzing.puzzles import random_puzzle
from csp_sudoku.fuzzing.shapes import shape_of
from csp_sudoku.fuzzing.siblings import examine_siblings, random_turn
from csp_sudoku.running.isolation import environment
from csp_sudoku.running.worker import read_frame, write_frame

COMMAND = (sys.executable, "-P", "-m", "csp_sudoku.fuzzing.worker")
"""The command of the other process; with -P no file of the current folder is a module."""

# How many findings of one sort are shrunk and saved; further ones are only counted.
_SAVED = 5

# How often a process may end before its first puzzle.
_STARTS = 3

# A puzzle takes less than a second, to shrink it half a minute: anything longer hangs.
_HANG_SECONDS = 180.0


class Settings(msgspec.Struct, frozen=True):
    """The seed, the folder for findings, the backends (default: all), and siblings a puzzle."""

    seed: int
    out: str
    backends: tuple[str, ...] = ()
    siblings: int = 0


class Started(msgspec.Struct, frozen=True, tag=True):
    """A puzzle is being made and examined."""

    number: int


class Checked(msgspec.Struct, frozen=True, tag=True):
    """The result of one puzzle and its siblings."""

    number: int
    puzzles: int = 1
    refused: int = 0
    solutions: int = 0
    comparisons: int = 0
    unknowns: int = 0
    laws: dict[str, int] = {}
    kinds: dict[str, int] = {}
    cases: dict[str, int] = {}
    shapes: dict[str, int] = {}
    findings: tuple[Finding, ...] = ()


Event: TypeAlias = Started | Checked


def here(settings: Settings, first: int = 0) -> Generator[Event, None, None]:
    """Examine all puzzles of a seed, from a number on, in this process."""
    seen: Counter[tuple[str, str]] = Counter()
    number = first
    while True:
        yield Started(number)
        yield _check(settings, number, seen)
        number += 1


def _check(settings: Settings, number: int, seen: Counter[tuple[str, str]]) -> Checked:
    seed, out = settings.seed, Path(settings.out)
    try:
        drawn = random_puzzle(seed, number, settings.siblings)
    except Exception as error:
        trace = traceback.format_exc()
        trouble = Trouble("error", f"construction: {type(error).__name__}", str(error), trace)
        return Checked(number, findings=(note(trouble, number, out, seed),))
    plan = random_plan(seed, number, tiny=drawn.tiny, chosen=settings.backends)
    done = examine(drawn.puzzle, plan)
    turn = random_turn(seed, number, settings.backends or every_backend())
    if drawn.siblings:
        examine_siblings(drawn.siblings, turn, done)
    findings = []
    for i, trouble in enumerate(done.troubles):
        seen[trouble.sort] += 1
        if seen[trouble.sort] > _SAVED:
            findings.append(Finding(number, trouble.kind, trouble.name, trouble.text))
            continue
        small = shrunk(drawn.puzzle, plan, trouble, turn=turn)
        name = f"{seed}-{number}" + (f"-{i + 1}" if i else "")
        findings.append(save(small, trouble, number, folder=out, seed=seed, name=name))
    puzzles = 1 + len(drawn.siblings)
    return Checked(
        number,
        puzzles,
        drawn.refused,
        done.solutions,
        done.comparisons,
        done.unknowns,
        dict(done.laws),
        dict(kinds_of(drawn.puzzle.constraints)),
        dict(done.cases),
        {shape_of(drawn.puzzle): puzzles},
        tuple(findings),
    )


def note(trouble: Trouble, number: int, out: Path, seed: int) -> Finding:
    """Write a note of a fault without a puzzle."""
    out.mkdir(parents=True, exist_ok=True)
    said = f"{trouble.kind}: {trouble.name}: {trouble.text}\nseed {seed}, puzzle {number}\n"
    (out / f"{seed}-{number}.txt").write_text(said + trouble.trace, encoding="utf-8")
    return Finding(number, trouble.kind, trouble.name, trouble.text)


# A process of its own


def isolated(settings: Settings, first: int = 0) -> Generator[Event, None, None]:
    """Examine puzzles from a number on in another process; after a crash in a new one."""
    number = first
    failed_starts = 0
    while True:
        child = _Child(settings, number)
        failed_starts += 1
        try:
            while not isinstance(event := child.next(), str):
                failed_starts = 0
                number = event.number
                yield event
        finally:
            child.end()
        if failed_starts == _STARTS:
            raise BackendError(f"the process that examines puzzles cannot be started: {event}")
        yield _lost(event, settings, number)
        number += 1


def _lost(kind: str, settings: Settings, number: int) -> Checked:
    """Save the puzzle at which a process was lost, as it is."""
    seed, out = settings.seed, Path(settings.out)
    drawn = random_puzzle(seed, number)
    plan = random_plan(seed, number, tiny=drawn.tiny, chosen=settings.backends)
    trouble = Trouble(kind, "worker", f"the process was lost, with {' '.join(plan.backends)}")
    found = save(drawn.puzzle, trouble, number, folder=out, seed=seed, name=f"{seed}-{number}")
    return Checked(number, findings=(found,))


class _Child:
    """A process that examines puzzles."""

    def __init__(self, settings: Settings, first: int) -> None:
        told = msgspec.json.encode(settings).decode()
        self._process = subprocess.Popen(
            [*COMMAND, told, str(first)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
            # Ctrl-C reaches only the caller, which then ends this process.
            start_new_session=True,
        )
        self._events: queue.SimpleQueue[Event | str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> Event | str:
        """Return the next event, or how the process was lost."""
        try:
            return self._events.get(timeout=_HANG_SECONDS)
        except queue.Empty:
            return "hang"

    def end(self) -> None:
        """Kill it, whatever it is doing."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.kill()
        self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as source:
            while (frame := read_frame(source)) is not None:
                event: Event = msgspec.json.decode(frame, type=Event)
                self._events.put(event)
        self._events.put("crash")


def main(arguments: list[str]) -> None:
    """Examine puzzles until the parent has gone."""
    settings = msgspec.json.decode(arguments[0], type=Settings)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The output of a solver must not mix with the events.
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def wait() -> None:
        sys.stdin.buffer.read()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()
    for event in here(settings, int(arguments[1])):
        write_frame(target, msgspec.json.encode(event))


if __name__ == "__main__":
    main(sys.argv[1:])
