"""What programs ask for in loops: checking, generating, canonical forms, counting.

``python -m benchmarks loops [--python PYTHON …]`` measures them beside what somebody would take
instead: reasoning-gym, py-sudoku, dokusan and python-constraint, as far as one of the interpreters
has them. All times are CPU time for one item, the best of several rounds that take turns.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import csp_sudoku as cs

_ROUNDS = 3
# The names of the tasks. What peers measure has one of these.
_CHECK, _CHECK_OTHER = "check a right grid", "check a wrong grid"
_GENERATE, _SOLVE = "generate a classic", "solve a classic"

# Some cells of a random grid.
_TWELVE = ".1................8..........3....96........3..93.........3.84.....4............."
_NINE = "9................8.....3..........9........8...9...........9....9.............9.."

# Runs in an interpreter that may have some of the packages; prints a line for each measurement.
_PEERS = r"""
import json, sys, time
task_list = json.loads(sys.stdin.read())

def measure(name, task, note, call, number):
    call()
    started = time.process_time()
    for _ in range(number):
        call()
    seconds = (time.process_time() - started) / number
    print(json.dumps({"name": name, "task": task, "seconds": seconds, "note": note}))

grid, puzzle = task_list["grid"], task_list["puzzle"]
rows = [[int(c) for c in puzzle[i : i + 9]] for i in range(0, 81, 9)]
full = [[int(c) for c in grid[i : i + 9]] for i in range(0, 81, 9)]
try:
    import reasoning_gym
    data = reasoning_gym.create_dataset("sudoku", size=100000, seed=1)
    entry = data[0]
    right = entry["answer"]
    wrong = right[:-1] + ("1" if right[-1] != "1" else "2")
    measure("reasoning-gym", "check a right grid", "compares with one stored grid",
            lambda: data.score_answer(right, entry), 2000)
    measure("reasoning-gym", "check a wrong grid", "", lambda: data.score_answer(wrong, entry), 500)
    numbers = iter(range(1, 10**6))
    measure("reasoning-gym", "generate a classic", "unique, 30 to 50 empty, not minimal",
            lambda: data[next(numbers)], 30)
except ImportError:
    pass
try:
    from sudoku import Sudoku
    seeds = iter(range(10**6))
    measure("py-sudoku", "generate a classic", "may have several solutions",
            lambda: Sudoku(3, seed=next(seeds)).difficulty(0.6), 5)
    measure("py-sudoku", "solve a classic", "", lambda: Sudoku(3, 3, board=rows).solve(), 3)
    measure("py-sudoku", "check a right grid", "",
            lambda: Sudoku(3, 3, board=full).validate(), 200)
except ImportError:
    pass
try:
    from dokusan import generators
    measure("dokusan", "generate a classic", "unique, not minimal",
            lambda: generators.random_sudoku(avg_rank=150), 2)
except ImportError:
    pass
try:
    from constraint import AllDifferentConstraint, Problem
    def solve():
        problem = Problem()
        for r in range(9):
            for c in range(9):
                problem.addVariable((r, c), [rows[r][c]] if rows[r][c] else range(1, 10))
        for i in range(9):
            problem.addConstraint(AllDifferentConstraint(), [(i, j) for j in range(9)])
            problem.addConstraint(AllDifferentConstraint(), [(j, i) for j in range(9)])
            top, left = i // 3 * 3, i % 3 * 3
            problem.addConstraint(AllDifferentConstraint(),
                                  [(top + a, left + b) for a in range(3) for b in range(3)])
        return problem.getSolution()
    measure("python-constraint", "solve a classic", "", solve, 2)
except ImportError:
    pass
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks loops", description=__doc__)
    help_text = "an interpreter that has packages to compare with, as often as wanted"
    parser.add_argument("--python", action="append", default=[], metavar="PYTHON", help=help_text)
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the figures as JSON, too")
    asked = parser.parse_args(arguments)
    puzzle = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
    grid = cs.solve(puzzle).solutions[0].text
    wrong = grid[:-1] + ("1" if grid[-1] != "1" else "2")
    many = [grid] * 5000
    array = np.array([[int(sign) for sign in grid]] * 5000).reshape(-1, 9, 9)
    seeds = iter(range(10**9))
    classics = [made.puzzle for made in cs.generate_many(100, minimal=True, seed=3)]
    six = cs.Puzzle.blank(6)
    cages = cs.Puzzle.blank(8).add(
        cs.KillerCage("R1C1 R1C2 R2C1", 14), cs.KillerCage("R5C5 R5C6 R6C6", 10)
    )
    variant, variant_grid = _with_rules(grid)

    def generate(number: int, rules: object, **wishes: Any) -> Callable[[], object]:
        return lambda: [*cs.generate_many(number, rules, seed=next(seeds), **wishes)]

    ours: list[tuple[str, str, int, Callable[[], object]]] = [
        (_CHECK, "verify: any solution is right", 1, lambda: cs.verify(puzzle, grid)),
        (_CHECK, "verify_many, 5,000 texts", 5000, lambda: cs.verify_many(puzzle, many).ok),
        (_CHECK, "verify: an array", 1, lambda: cs.verify(puzzle, array[0])),
        (_CHECK, "verify_many, an array", 5000, lambda: cs.verify_many(puzzle, array).ok),
        (_CHECK_OTHER, "verify: the verdict", 1, lambda: cs.verify(puzzle, wrong).ok),
        (
            _CHECK_OTHER,
            "verify, with the broken rules",
            1,
            lambda: cs.verify(puzzle, wrong).violations,
        ),
        (
            "check a variant with 30 rules",
            "verify: cages, thermometers, differences",
            1,
            lambda: cs.verify(variant, variant_grid),
        ),
        (_GENERATE, "unique and minimal", 200, generate(200, 9, minimal=True)),
        (_GENERATE, "unique, 60 % empty", 200, generate(200, 9)),
        ("generate a killer 6×6", "no givens", 20, generate(20, six, recipe="killer", clues=0)),
        (
            "generate thermometers 6×6",
            "no givens",
            20,
            generate(20, six, recipe="thermometer", clues=0),
        ),
        (_SOLVE, "all solutions are looked for", 1, lambda: cs.solve(puzzle, limit=2)),
        ("canonical form of a classic", "minimal", 100, lambda: [*map(cs.canonical, classics)]),
        ("count 6×6 without givens", "28,200,960", 1, lambda: cs.count(six)),
        (
            "count 8×8 without givens",
            "29,136,487,207,403,520",
            1,
            lambda: cs.count(cs.Puzzle.blank(8), "sweep"),
        ),
        ("count 8×8 with two cages", "222,845,341,040,640", 1, lambda: cs.count(cages, "sweep")),
        ("count 9×9 with 12 givens", "578,942,251,806", 1, lambda: cs.count(_TWELVE, "bands")),
        ("count 9×9 with 9 givens", "780,880,722,969,600", 1, lambda: cs.count(_NINE, "bands")),
    ]
    best: dict[tuple[str, str, str], float] = {}
    given = json.dumps({"puzzle": puzzle, "grid": grid})
    for task, note, number, call in ours:
        call()
        best[task, "csp-sudoku", note] = _seconds(call) / number
    for _ in range(_ROUNDS):
        for task, note, number, call in ours:
            key = task, "csp-sudoku", note
            best[key] = min(best[key], _seconds(call) / number)
        for python in [sys.executable, *asked.python]:
            for row in _peers(python, given):
                key = row["task"], row["name"], row["note"]
                best[key] = min(best.get(key, 1e9), row["seconds"])
    _show(best)
    if asked.out is not None:
        rows = [{"task": t, "who": w, "note": n, "seconds": s} for (t, w, n), s in best.items()]
        asked.out.write_text(json.dumps(rows, indent=1, ensure_ascii=False), encoding="utf-8")
    return 0


def _with_rules(grid: str) -> tuple[cs.Puzzle, str]:
    """A 9×9 with 30 rules that a grid keeps, and the grid."""
    value = {cell: int(text) for cell, text in zip(cs.Puzzle.blank(9).cells, grid, strict=True)}
    pairs = [(row, col) for row in range(9) for col in range(0, 8, 2)][:30]
    rules: list[cs.Constraint] = []
    for number, (row, col) in enumerate(pairs):
        one, two = sorted([cs.Cell(row, col), cs.Cell(row, col + 1)], key=value.__getitem__)
        match number % 3:
            case 0:
                rules.append(cs.KillerCage([one, two], value[one] + value[two]))
            case 1:
                rules.append(cs.Thermometer([one, two]))
            case _:
                rules.append(cs.Difference([one, two], value[two] - value[one]))
    return cs.Puzzle.blank(9).add(*rules), grid


def _seconds(call: Callable[[], object], least: float = 0.05) -> float:
    """The CPU time of a call; short ones are repeated."""
    number, started = 0, time.process_time()
    while not number or time.process_time() - started < least:
        call()
        number += 1
    return (time.process_time() - started) / number


def _peers(python: str, given: str) -> list[dict[str, Any]]:
    done = subprocess.run(
        [python, "-c", _PEERS], input=given, capture_output=True, text=True, check=False
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def _show(best: dict[tuple[str, str, str], float]) -> None:
    table = Table("task", "who", "CPU time", "a second", "ratio", "note")
    for task in dict.fromkeys(task for task, _, _ in best):
        rows = sorted((s, who, note) for (t, who, note), s in best.items() if t == task)
        own = min(s for s, who, _ in rows if who == "csp-sudoku")
        for seconds, who, note in rows:
            table.add_row(
                task, who, _time(seconds), f"{1 / seconds:,.0f}", f"{seconds / own:.2g}", note
            )
    Console(width=120).print(table)


def _time(seconds: float) -> str:
    unit, scale = next(
        ((u, s) for u, s in (("s", 1.0), ("ms", 1e-3)) if seconds >= s), ("µs", 1e-6)
    )
    return f"{seconds / scale:.3g} {unit}"
