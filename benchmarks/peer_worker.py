"""Solves exact covers and Sudokus with one package of others; runs in their environment.

Reads a JSON object a line and answers each with one: ``{"puzzles": […]}`` or ``{"covers": […]}``
sets the instances and warms up, ``{"run": true}`` solves them all and gives the seconds that each
took, ``{"answers": true}`` what was found. Only the package's own work is timed; matrices are made
before. This file imports nothing of this project.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

SIDE, BOX = 9, 3


def classic_matrix(text: str) -> tuple[list[tuple[int, int, int]], np.ndarray]:
    """The options of a classic Sudoku that agree with its givens, and their matrix."""
    options = [
        (r, c, v)
        for r in range(SIDE)
        for c in range(SIDE)
        for v in range(SIDE)
        if text[r * SIDE + c] in (".", "0", str(v + 1))
    ]
    matrix = np.zeros((len(options), 4 * SIDE * SIDE), dtype=bool)
    for row, (r, c, v) in enumerate(options):
        box = r // BOX * BOX + c // BOX
        for kind, place in enumerate(((r, c), (r, v), (c, v), (box, v))):
            matrix[row, kind * SIDE * SIDE + place[0] * SIDE + place[1]] = True
    return options, matrix


def written(options: list[tuple[int, int, int]], rows: Iterable[int]) -> str:
    """The grid that some options make."""
    cells = {(r, c): v + 1 for r, c, v in (options[row] for row in rows)}
    return "".join(str(cells[r, c]) for r in range(SIDE) for c in range(SIDE))


def by_matrix(solve: Callable[[np.ndarray], Iterable[int]]) -> Callable[[str], Any]:
    """A way to prepare a puzzle for a solver of matrices."""

    def prepare(text: str) -> tuple[Callable[[], Any], Callable[[Any], str]]:
        options, matrix = classic_matrix(text)
        return lambda: solve(matrix), lambda rows: written(options, rows)

    return prepare


def exact_cover_py() -> Callable[[str], Any]:
    from exact_cover_py import exact_covers

    return by_matrix(lambda matrix: next(iter(exact_covers(matrix))))


def exact_cover() -> Callable[[str], Any]:
    from exact_cover import get_exact_cover

    return by_matrix(get_exact_cover)


def xcover() -> Callable[[Any], Any]:
    from xcover import algorithm_c, covers_bool

    solve_matrix = by_matrix(lambda matrix: next(iter(covers_bool(matrix))))

    def prepare(instance: Any) -> Any:
        if isinstance(instance, str):
            return solve_matrix(instance)
        arrays = [np.array(instance[name], np.uint32) for name in ("members", "starts", "colours")]
        sizes = np.uint32(instance["items"]), np.uint32(instance["items"] - instance["primary"])
        return lambda: next(iter(algorithm_c(*arrays, *sizes))), lambda rows: list(map(int, rows))

    return prepare


def cpmpy() -> Callable[[str], Any]:
    import cpmpy as cp

    def solve(givens: np.ndarray) -> np.ndarray:
        cells = cp.intvar(1, SIDE, shape=(SIDE, SIDE))
        model = cp.Model(
            [cp.AllDifferent(row) for row in cells],
            [cp.AllDifferent(column) for column in cells.T],
            [
                cp.AllDifferent(cells[r : r + BOX, c : c + BOX].flatten())
                for r in range(0, SIDE, BOX)
                for c in range(0, SIDE, BOX)
            ],
            cells[givens > 0] == givens[givens > 0],
        )
        assert model.solve(solver="ortools", num_workers=1)
        values: np.ndarray = cells.value()
        return values

    def prepare(text: str) -> Any:
        givens = np.array([int(c) if c in "123456789" else 0 for c in text]).reshape(SIDE, SIDE)
        return lambda: solve(givens), lambda grid: "".join(map(str, grid.flatten()))

    return prepare


PEERS = {
    "exact-cover-py": exact_cover_py,
    "xcover": xcover,
    "exact-cover": exact_cover,
    "cpmpy": cpmpy,
}


def main(name: str) -> None:
    prepare = PEERS[name]()
    instances: list[Any] = []
    for line in sys.stdin:
        message = json.loads(line)
        answer: dict[str, Any] = {}
        if "run" in message:
            answer["seconds"] = [timed(solve) for solve, _ in instances]
        elif "answers" in message:
            answer["answers"] = [show(solve()) for solve, show in instances]
        else:
            instances = [prepare(instance) for instance in message.popitem()[1]]
            instances[0][0]()  # some compile themselves on the first call
        print(json.dumps(answer), flush=True)


def timed(solve: Callable[[], Any]) -> float:
    started = time.process_time()
    solve()
    return time.process_time() - started


if __name__ == "__main__":
    main(sys.argv[1])
