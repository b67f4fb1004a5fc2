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
from typing import NamedTuple

from pysat.solvers import Cadical153

import csp_sudoku as cs
from benchmarks import instances
from benchmarks.contest import Row, Setting, shown
from benchmarks.growth import probe
from csp_sudoku.cells import Place

COMMAND = "python -m benchmarks --only large"


class Hard(NamedTuple):
    """Puzzles of a size: the share of the cells that are given, so many puzzles of each kind."""

    side: int
    share: float
    limit: int
    """The seconds of CPU time that each puzzle has."""
    number: int


HARD = (Hard(25, 0.4, 30, 5), Hard(36, 0.5, 30, 15), Hard(49, 0.5, 45, 1), Hard(64, 0.55, 45, 1))
KINDS = ("pattern", "found")
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
    for hard in () if setting.quick else HARD:
        found += [_hard(hard, kind, setting) for kind in KINDS]
    return found


def _hard(hard: Hard, kind: str, setting: Setting) -> Row:
    """How many puzzles of a kind are solved, and how soon: a median that counts the others too."""
    side, share, limit, number = hard
    what = f"auto: {number} of {side}×{side}, {share:.0%} given, solution {kind}"
    ours: list[float | None] = []
    theirs: list[float | None] = []
    most = 0.0
    for seed in range(FIRST_SEED, FIRST_SEED + number):
        setting.tell(f"{what}, seed {seed}")
        options = ["--share", str(share), "--seed", str(seed)]
        options += ["--found"] if kind == "found" else []
        # A busy machine gives a process half of its time or less. When it compiles again, the
        # kernels are loaded.
        point = probe("auto", side, 3 * limit, *options, "--again", "1")
        took = point["graph"] + point["compile"] + point["solve"] if point["solved"] else limit + 1
        ours.append(took if took <= limit else None)
        theirs.append(by_hand(side, limit, *options))
        most = max(most, point.get("megabytes", 0))
    middle, of_peer = _median(ours), _median(theirs)
    ratio = middle / of_peer if middle and of_peer else None
    if side < 36:
        target, met = "≤ 1.5 ×", ratio is not None and ratio <= 1.5
    else:
        target, met = "all, median ≤ 5 s", None not in ours and middle is not None and middle <= 5
    return Row(
        f"{what}: median, solved within {limit} s; CaDiCaL",
        f"{_shown(middle)}, {number - ours.count(None)} of {number}, {most:.0f} MB",
        f"{_shown(of_peer)}, {number - theirs.count(None)} of {number}",
        ratio,
        target,
        met,
        COMMAND,
    )


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
