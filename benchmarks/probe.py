"""One measurement in a process of its own, for its memory: prints a JSON object.

Seconds are those of the processor, all threads together, but for those of the wall.

``python -m benchmarks.probe BACKEND SIDE [--share 0.5] [--constraints 100] [--seed 1]``
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import time
from pathlib import Path
from typing import Any

import csp_sudoku as cs
from benchmarks import instances
from csp_sudoku import backends
from csp_sudoku.backends.base import Backend, OutOfTime


def megabytes() -> float:
    """The most memory that this process has had."""
    # On Linux, getrusage would say at least what the process had that started this one.
    if (status := Path("/proc/self/status")).exists():
        [most] = re.findall(r"VmHWM:\s*(\d+) kB", status.read_text(encoding="ascii"))
        return int(most) / 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("backend")
    parser.add_argument("side", type=int)
    parser.add_argument("--share", type=float, default=0.0, help="of the cells that are given")
    parser.add_argument("--constraints", type=int, default=0, help="short thermometers")
    parser.add_argument("--found", action="store_true", help="a solution without a pattern")
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--again", type=int, default=0, help="compile so often again, for the best time"
    )
    asked = parser.parse_args()
    backend = backends.get(asked.backend)
    # What is compiled once, and what importing a solver takes, is not part of the growth.
    with backend.compile(cs.Puzzle.blank(4).graph) as session:
        next(iter(session.solutions()))
    puzzle = instances.sized(
        asked.side, asked.share, asked.constraints, asked.seed, patterned=not asked.found
    )
    before = megabytes()
    said = measured(puzzle, backend, asked.timeout)
    said |= {"megabytes": megabytes(), "before": before}
    for _ in range(asked.again if "compile" in said else 0):
        started = time.process_time()
        backend.compile(puzzle.graph).close()
        said["compile"] = min(said["compile"], time.process_time() - started)
    print(json.dumps(said))


def measured(puzzle: cs.Puzzle, backend: Backend, timeout: float) -> dict[str, Any]:
    """The seconds that it takes to build the graph, to compile it and to solve the puzzle."""
    started, began = time.process_time(), time.perf_counter()
    graph = puzzle.graph
    built = time.process_time()
    deadline = time.monotonic() + timeout
    said: dict[str, Any] = {"nodes": len(graph), "edges": graph.number_of_edges(), "solved": False}
    said["graph"] = built - started
    try:
        with backend.compile(graph, deadline=deadline) as session:
            compiled = time.process_time()
            said["compile"] = compiled - built
            solution = next(session.solutions(limit=1, deadline=deadline), None)
            said["solve"] = time.process_time() - compiled
            said["wall"] = time.perf_counter() - began
            said["solved"] = solution is not None and cs.verify(puzzle, solution).ok
    except OutOfTime:
        pass
    return said


if __name__ == "__main__":
    main()
