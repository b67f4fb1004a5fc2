"""Large grids: an empty 64×64 with its memory, and partly filled ones that are hard.

The solutions of these are patterns under random symmetries, or found by a SAT solver that tries
random values. The cells that are given are drawn. The peer is CaDiCaL on the clauses of a person
who leaves out what the givens rule out.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from itertools import combinations

from pysat.solvers import Cadical153

import csp_sudoku as cs
from benchmarks import instances
from benchmarks.contest import Row, Setting, shown
from benchmarks.growth import probe
from csp_sudoku.cells import Place

COMMAND = "python -m benchmarks --only large"
# The side, the share of the cells that are given, the seconds of CPU time, the puzzles of each
# kind, and the goal for the median.
HARD = (
    (25, 0.4, 30, 5, 5.0),
    (36, 0.5, 30, 15, 5.0),
    (49, 0.5, 45, 1, 45.0),
    (64, 0.55, 45, 1, 45.0),
)
# Nothing was tuned on these seeds.
FIRST_SEED = 100


def measure(setting: Setting) -> list[Row]:
    """One row for each goal; the hard ones only when there is time."""
    setting.tell("sat: empty 64×64")
    empty = probe("sat", 64, 60)
    took = empty["graph"] + empty["compile"] + empty["solve"]
    found = [
        Row(
            "sat: empty 64×64, graph included",
            f"{shown(took)}, {empty['megabytes']:.0f} MB",
            "",
            None,
            "≤ 2 s, 400 MB",
            took <= 2 and empty["megabytes"] <= 400,
            COMMAND,
        )
    ]
    for side, share, limit, number, goal in () if setting.quick else HARD:
        for kind in ("pattern", "found"):
            what = f"auto: {side}×{side}, {share:.0%} given, solution {kind}"
            ours, theirs, most = [], [], 0.0
            for seed in range(FIRST_SEED, FIRST_SEED + number):
                setting.tell(f"{what}, seed {seed}")
                options = ["--share", str(share), "--seed", str(seed)]
                options += ["--found"] if kind == "found" else []
                # A busy machine gives a process half of its time or less.
                # Kernels are loaded by then when it compiles again.
                point = probe("auto", side, 3 * limit, *options, "--again", "1")
                used = point["graph"] + point["compile"] + point["solve"] if point["solved"] else 0
                ours.append(used if 0 < used <= limit else None)
                theirs.append(by_hand(side, limit, *options))
                most = max(most, point.get("megabytes", 0))
            solved = [seconds for seconds in ours if seconds is not None]
            middle = _median(ours)
            found.append(
                Row(
                    f"{what}, {number} puzzles: median, solved within {limit} s of CPU time",
                    f"{_shown(middle)}, {len(solved)} of {number}, {most:.0f} MB",
                    f"{_shown(_median(theirs))}, {len(theirs) - theirs.count(None)} of {number}",
                    None,
                    f"≤ {goal:g} s, all",
                    len(solved) == number and middle is not None and middle <= goal,
                    COMMAND,
                )
            )
    return found


def _median(seconds: list[float | None]) -> float | None:
    """The median, where what is not solved takes longest; None if that is not solved."""
    middle = statistics.median_high([float("inf") if s is None else s for s in seconds])
    return middle if middle < float("inf") else None


def _shown(seconds: float | None) -> str:
    return "not solved" if seconds is None else shown(seconds)


def by_hand(side: int, limit: int, *options: str) -> float | None:
    """The seconds of CPU time of CaDiCaL in a process of its own; None if it takes too long."""
    command = [sys.executable, "-m", "benchmarks.large", str(side), str(limit), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return float(json.loads(done.stdout)) if done.returncode == 0 else None


def main() -> None:
    """Solve a grid with CaDiCaL."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("side", type=int)
    parser.add_argument("limit", type=int, help="seconds of CPU time")
    parser.add_argument("--share", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--found", action="store_true")
    asked = parser.parse_args()
    puzzle = instances.sized(asked.side, asked.share, seed=asked.seed, patterned=not asked.found)
    started = time.process_time()
    limit = asked.limit + int(started) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    solve(puzzle)
    print(json.dumps(time.process_time() - started))


def solve(puzzle: cs.Puzzle) -> dict[Place, int]:
    """Each cell and each place of a value is one of its candidates, and no two of them."""
    houses = [house.cells for house in puzzle.houses]
    beside: dict[Place, set[Place]] = {cell: set() for cell in puzzle.cells}
    for house in houses:
        for cell in house:
            beside[cell].update(house)
    left: dict[Place, set[int]] = {cell: {*puzzle.grids[0].values} for cell in puzzle.cells}
    for cell, value in puzzle.givens.items():
        left[cell] = {value}
        for other in beside[cell] - {cell}:
            left[other].discard(value)
    numbers = {pair: n for n, pair in enumerate(((c, v) for c in left for v in left[c]), 1)}
    groups = [[numbers[cell, value] for value in left[cell]] for cell in left]
    groups += [
        [numbers[cell, value] for cell in house if value in left[cell]]
        for house in houses
        for value in puzzle.grids[0].values
    ]
    with Cadical153() as solver:
        for group in groups:
            solver.add_clause(group)
            solver.append_formula([[-x, -y] for x, y in combinations(group, 2)])
        assert solver.solve()
        true = {x for x in solver.get_model() if x > 0}
    found = {cell: value for (cell, value), n in numbers.items() if n in true}
    assert cs.verify(puzzle, found).ok
    return found


if __name__ == "__main__":
    main()
