"""Published variants: CPU time to build, solve and prove unique, by our solvers and by a peer.

``python -m benchmarks published FILE`` reads a file of JSON lines: ``id``, ``iss`` (the puzzle as
Interactive Sudoku Solver writes it), ``solutions`` (0, 1, or 2 for several; null if not known). All
solvers run in turn on each puzzle, each in a process of its own that is warm.

``--peer COMMAND`` is a program that reads a puzzle a line, and answers each with a line of JSON:
``{"solutions": 1, "cpu_ms": 12.3}``, without ``solutions`` if it did not come to an end. Our own
solvers are such programs: ``python -m benchmarks.published --serve BACKEND``.
"""

from __future__ import annotations

import argparse
import json
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import csp_sudoku as cs
from benchmarks.variants import warm_up

BACKENDS = ("auto", "sat", "search")
PEER = "peer"
ABOVE = 50.0
"""Milliseconds from which `auto` is compared with its best member puzzle by puzzle."""


class Run(NamedTuple):
    """What a solver said of a puzzle: how many solutions (None: not decided), and CPU time."""

    solutions: int | None
    cpu_ms: float


class Program:
    """A program that answers puzzles, a line each."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, text: str) -> Run:
        """Ask the program."""
        assert self.process.stdin
        assert self.process.stdout
        print(text.replace("\n", ""), file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        return Run(answer.get("solutions"), answer["cpu_ms"])


def serve(backend: str, limit: float) -> None:
    """Answer the puzzles of the standard input."""
    warm_up([backend])
    run(".Shape~4x4.Thermo~R1C1~R1C2", backend, limit)  # the reader, too
    for line in sys.stdin:
        print(json.dumps(run(line, backend, limit)._asdict()), flush=True)


class CpuLimit:
    """Cancels a query when the process has used so many more seconds of CPU time."""

    def __init__(self, seconds: float) -> None:
        self.end = time.process_time() + seconds

    def is_set(self) -> bool:
        """Whether the time is used up."""
        return time.process_time() > self.end


def run(text: str, backend: str, limit: float) -> Run:
    """Solve a puzzle as one that was never seen before."""
    started = time.process_time()
    try:
        spent: Any = CpuLimit(limit)
        result = cs.solve(cs.read(text), backend, limit=2, cancel=spent)
    except cs.CspSudokuError:
        return Run(None, 0.0)
    taken = time.process_time() - started
    decided = (result.complete or len(result.solutions) == 2) and taken <= limit
    return Run(len(result.solutions) if decided else None, 1000 * taken)


def table(runs: dict[str, dict[str, Run]], names: Sequence[str]) -> str:
    """Median, p90, p99 and total of each solver on the puzzles that all have decided."""
    common = [r for r in runs.values() if all(r[name].solutions is not None for name in names)]
    lines = [f"{len(runs)} puzzles, {len(common)} decided by all: CPU milliseconds"]
    lines.append(f"{'':8} {'median':>8} {'p90':>8} {'p99':>8} {'total':>9} {'undecided':>9}")
    for name in names:
        taken = sorted(r[name].cpu_ms for r in common) or [0.0]
        nearly, last = (taken[round(part * (len(taken) - 1))] for part in (0.9, 0.99))
        undecided = sum(r[name].solutions is None for r in runs.values())
        lines.append(
            f"{name:8} {statistics.median(taken):8.1f} {nearly:8.1f} {last:8.1f} "
            f"{sum(taken):9.0f} {undecided:9}"
        )
    members = [name for name in names if name not in ("auto", PEER)]
    if "auto" in names and members:
        best = [min(r[name].cpu_ms for name in members) for r in common]
        own = [r["auto"].cpu_ms for r in common]
        ratios = [a / b for a, b in zip(own, best, strict=True) if max(a, b) > ABOVE]
        above = sum(ratio > 1.3 for ratio in ratios)
        lines.append(
            f"auto / best member: {sum(own) / sum(best):.2f} in total; "
            f"more than 1.3 on {above} of {len(ratios)} above {ABOVE:.0f} ms"
        )
    return "\n".join(lines)


def slowest(runs: dict[str, dict[str, Run]], names: Sequence[str], number: int) -> str:
    """The puzzles that took the first solver longest."""
    order = sorted(runs, key=lambda key: -runs[key][names[0]].cpu_ms)
    return "\n".join(
        f"{key:24}" + " ".join(f"{name} {_shown(runs[key][name])}" for name in names)
        for key in order[:number]
    )


def _shown(one: Run) -> str:
    return f"{one.cpu_ms:9.1f}{'?' if one.solutions is None else ' '}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the puzzles of a file; 1 if a solver gave another number of solutions."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks published", description=__doc__)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--serve", metavar="BACKEND", help="answer the puzzles of the input")
    parser.add_argument("--backends", nargs="+", default=list(BACKENDS))
    parser.add_argument("--peer", help="the command of another solver")
    parser.add_argument("--limit", type=float, default=20.0, help="CPU seconds for a puzzle")
    parser.add_argument("--every", type=int, default=1, help="take each so many-th puzzle")
    parser.add_argument("--first", type=int, default=0, help="and begin with this one")
    parser.add_argument("--only", nargs="+", help="the ids of the puzzles to take")
    parser.add_argument("--slow", type=int, default=10, help="list so many of the slowest")
    parser.add_argument("--out", type=Path, help="a file of JSON lines for what each puzzle took")
    asked = parser.parse_args(arguments)
    if asked.serve:
        serve(asked.serve, asked.limit)
        return 0
    if asked.file is None:
        parser.error("a file of puzzles is needed")
    lines = asked.file.read_text(encoding="utf-8").splitlines()
    puzzles: list[dict[str, Any]] = [json.loads(line) for line in lines]
    puzzles = puzzles[asked.first :: asked.every]
    if asked.only:
        puzzles = [puzzle for puzzle in puzzles if puzzle["id"] in asked.only]
    own_program = [sys.executable, "-m", "benchmarks.published", "--limit", str(asked.limit)]
    commands = {name: [*own_program, "--serve", name] for name in asked.backends}
    # `auto` asks only engines that were compiled before its process began.
    subprocess.run(commands[asked.backends[0]], stdin=subprocess.DEVNULL, check=True)
    if asked.peer:
        commands[PEER] = shlex.split(asked.peer)
    programs = {name: Program(command) for name, command in commands.items()}
    names = list(programs)
    runs: dict[str, dict[str, Run]] = {}
    wrong = []
    for puzzle in puzzles:
        own = {name: program.run(puzzle["iss"]) for name, program in programs.items()}
        runs[puzzle["id"]] = own
        said = {r.solutions for r in own.values()} | {puzzle["solutions"]}
        if len(said - {None}) > 1:
            wrong.append(puzzle["id"])
        if asked.out:
            with asked.out.open("a", encoding="utf-8") as file:
                print(json.dumps({"id": puzzle["id"]} | own), file=file)
    print(table(runs, names))
    print(slowest(runs, names, asked.slow))
    print(f"another number of solutions: {', '.join(wrong) or 'none'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
