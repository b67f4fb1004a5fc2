"""Deadlines that are passed: ``python -m benchmarks overruns [--timeout N] [WORD …]``.

Puzzles that are made to take long go to every public function that takes a timeout, and `solve` and
`cross_check` to every backend. Each call runs in a process of its own and reads the puzzle from a
JSON text. What counts is the CPU time that it and its workers take after the deadline, because
other work on the machine does not change it: a call is late above 0.1 × the timeout + 0.2 s. Words
choose puzzles or functions. It needs Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path

import csp_sudoku as cs

_SMALL = cs.write_json(cs.read("0100 3001 4002 0040"))

BACKENDS = ("auto", "sat", "cpsat", "lp", "dlx", "search", "textbook", "strategies")


def attackers() -> dict[str, Callable[[], cs.Puzzle]]:
    """Return what makes each puzzle, by its name."""
    return {
        "self-taxicab 64×64": lambda: cs.Puzzle.blank(64).add(cs.SelfTaxicab()),
        "nested or/and of sums": _nested,
        "50 value modifiers 64×64": lambda: cs.Puzzle.blank(64).add(
            cs.ValueModifiers([(1, n) for n in range(1, 51)])
        ),
        "64 full ranks 64×64": lambda: cs.Puzzle.blank(64).add(
            *[cs.FullRank(f"R{n}", 3 * n) for n in range(1, 65)]
        ),
        "count-distinct of 500": lambda: cs.Puzzle.blank(25).add(
            cs.CountDistinct([str(cell) for cell in cs.Puzzle.blank(25).cells[:500]], ["R25C25"])
        ),
        "or of 10,000 tables": _tables,
        "blank 49×49": lambda: cs.Puzzle.blank(49),
        "anti-knight, anti-king 64×64": lambda: cs.Puzzle.blank(64).add(
            cs.AntiKnight(), cs.AntiKing()
        ),
    }


def _nested() -> cs.Puzzle:
    rule: cs.Constraint = cs.Sum("R1C1-R1C9", 45)
    for row in range(2, 10):
        total = cs.Sum(f"R{row}C1-R{row}C9", 44 + row)
        rule = cs.Or([cs.And([rule, total]), cs.And([rule, ~total])])
    return cs.Puzzle.blank(9).add(rule)


def _tables() -> cs.Puzzle:
    pairs = list(product(range(1, 10), repeat=2))
    tables = [
        cs.Table(f"R{n % 9 + 1}C{n % 8 + 1} R{n % 7 + 1}C{n % 5 + 1}", pairs[n % 40 : n % 40 + 30])
        for n in range(10_000)
    ]
    return cs.Puzzle.blank(9).add(cs.Or(tables))


def _solve(backend: str, puzzle: str, timeout: float) -> object:
    return cs.solve(puzzle, backend, timeout=timeout)


def _cross_check(solver: str, puzzle: str, timeout: float, *, isolate: bool = True) -> object:
    """Ask one solver: a timeout of a cross-check is for each of them."""
    return cs.cross_check(
        puzzle, [solver], timeout=timeout, isolate=isolate, reference=False, certify=False
    )


def _score(puzzle: str, timeout: float) -> object:
    """Score a full grid, so that all rules have to be looked at."""
    size = int(puzzle.partition('"rows": ')[2].partition(",")[0])
    answer = [[1 + (row + column) % size for column in range(size)] for row in range(size)]
    return cs.score(puzzle, json.dumps(answer), timeout=timeout)


def _in_parts(function: Callable[..., object], puzzle: str, timeout: float) -> object:
    with ThreadPoolExecutor(1) as executor:
        return function(puzzle, executor, timeout=timeout)


CALLS: dict[str, Callable[[str, float], object]] = {
    **{f"solve, {name}": partial(_solve, name) for name in BACKENDS},
    "solutions": lambda p, t: list(cs.solutions(p, limit=2, timeout=t)),
    "count": lambda p, t: cs.count(p, timeout=t),
    "is_unique": lambda p, t: cs.is_unique(p, timeout=t),
    "solve_many": lambda p, t: list(cs.solve_many([p], timeout=t)),
    "count_in_parts": lambda p, t: _in_parts(cs.count_in_parts, p, t),
    "solve_in_parts": lambda p, t: _in_parts(cs.solve_in_parts, p, t),
    "random_solution": lambda p, t: cs.random_solution(p, timeout=t),
    "generate": lambda p, t: cs.generate(p, timeout=t),
    "estimate": lambda p, t: cs.estimate(p, timeout=t),
    "space": lambda p, t: cs.space(p, timeout=t),
    "true_candidates": lambda p, t: cs.true_candidates(p, timeout=t),
    "redundant": lambda p, t: cs.redundant(p, timeout=t),
    "is_minimal": lambda p, t: cs.is_minimal(p, timeout=t),
    "explain": lambda p, t: cs.explain(p, timeout=t),
    "hint": lambda p, t: cs.hint(p, timeout=t),
    "rate": lambda p, t: cs.rate(p, timeout=t),
    "why_not": lambda p, t: cs.why_not(p, "R1C1", 1, timeout=t),
    "why_unsolvable": lambda p, t: cs.why_unsolvable(p, timeout=t),
    "assess": lambda p, t: cs.assess(p, {"R1C1": 1}, timeout=t),
    "score": _score,
    "check_claim, a number": lambda p, t: cs.check_claim(p, 2000, timeout=t),
    "check_claim, unique": lambda p, t: cs.check_claim(p, "unique", backends=["sat"], timeout=t),
    "cross_check, here": partial(_cross_check, "sat", isolate=False),
    **{
        f"cross_check, {name}": partial(_cross_check, name)
        for name in ("sat", "cpsat", "lp", "dlx", "search")
    },
}
"""Every public function that takes a timeout and a puzzle."""


def main(arguments: Sequence[str]) -> int:
    """Print the table; the exit status is 1 if a call is late."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks overruns", description=__doc__)
    parser.add_argument("--timeout", type=float, default=1.0, metavar="N")
    parser.add_argument("words", nargs="*", metavar="WORD")
    asked = parser.parse_args(arguments)
    most = 0.1 * asked.timeout + 0.2
    late = 0
    print(f"timeout {asked.timeout:g} s; late: more than {most:.2f} s of CPU time after it\n")
    print("| puzzle | function | CPU, s | after the deadline | wall, s | MB | answer |")
    print("|---|---|---:|---:|---:|---:|---|")
    for puzzle, function in _chosen(asked.words):
        text = cs.write_json(attackers()[puzzle]())
        cpu, after, wall, size, said = measured(CALLS[function], text, asked.timeout)
        mark = "**late** " if after > most else ""
        late += bool(mark)
        times = f"{cpu:.2f} | {mark}{after:.2f} | {wall:.2f}"
        print(f"| {puzzle} | {function} | {times} | {size} | {said} |", flush=True)
    print(f"\n{late} late")
    return 1 if late else 0


def _chosen(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    for puzzle, function in product(attackers(), CALLS):
        name = f"{puzzle} {function}"
        if all(word in name for word in words):
            yield puzzle, function


def measured(
    call: Callable[[str, float], object], text: str, timeout: float
) -> tuple[float, float, float, int, str]:
    """Run a call in a process of its own.

    Returns its CPU time, how much of it came after the deadline, its wall time, its size in
    megabytes, and its answer.
    """
    source, target = os.pipe()
    child = os.fork()
    if child == 0:
        # Modules and machine code are loaded once: that does not count against a timeout.
        with suppress(cs.CspSudokuError):
            call(_SMALL, 60.0)
        os.write(target, b".")
        try:
            said = type(call(text, timeout)).__name__
        except cs.CspSudokuError as error:
            said = f"{type(error).__name__}: {str(error)[:90]}"
        except BaseException as error:
            said = f"FAULT {type(error).__name__}: {str(error)[:90]}"
        os.write(target, said.encode())
        time.sleep(60.0)  # until its time is read, with that of its workers
    os.close(target)
    os.read(source, 1)
    started, at_first = time.perf_counter(), _cpu_seconds(child)
    in_time, _, _ = select.select([source], [], [], timeout)
    at_deadline = _cpu_seconds(child)
    said = os.read(source, 1_000).decode()
    os.close(source)
    wall, cpu = time.perf_counter() - started, _cpu_seconds(child)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)  # its workers end when it does
    _, _, used = os.wait4(child, 0)
    after = 0.0 if in_time else cpu - at_deadline
    return cpu - at_first, after, wall, used.ru_maxrss // 1024, said or "killed"


def _cpu_seconds(process: int) -> float:
    """Return the CPU time of a process so far, with its workers, as Linux counts it."""
    ticks, processes = 0, [process]
    while processes:
        folder = Path("/proc", str(processes.pop()))
        with suppress(OSError):
            fields = (folder / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))  # the last two are those of ended children
            for children in folder.glob("task/*/children"):
                processes += map(int, children.read_text(encoding="ascii").split())
    return ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
