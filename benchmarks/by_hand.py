"""What a person would write who wants only 9×9 Sudoku from PySAT or CP-SAT; and us, side by side.

Each script is the best we know for its job: the rules are loaded once, the givens of a puzzle are
assumptions (SAT) or edited domains (CP-SAT), and the first solution is wanted.

Run ``python -m benchmarks.by_hand FILE …``, files with a puzzle of 81 characters on every line;
without files, on minimal puzzles made from a seed.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import combinations, product
from pathlib import Path

from ortools.sat.python import cp_model
from pysat.solvers import Minisat22

import csp_sudoku as cs
from benchmarks.instances import minimal

Maker = Callable[[], AbstractContextManager[Callable[[str], str]]]

Solve = Callable[[str], str]


def _houses() -> list[list[int]]:
    rows = [[9 * i + j for j in range(9)] for i in range(9)]
    columns = [[9 * j + i for j in range(9)] for i in range(9)]
    boxes = [
        [27 * band + 3 * stack + 9 * i + j for i in range(3) for j in range(3)]
        for band, stack in product(range(3), repeat=2)
    ]
    return rows + columns + boxes


@contextmanager
def pysat_by_hand() -> Iterator[Solve]:
    """The extended encoding in MiniSat, loaded once; givens are assumptions."""

    def literal(cell: int, digit: int) -> int:
        return 9 * cell + digit

    with Minisat22() as solver:
        groups = [[literal(cell, d) for d in range(1, 10)] for cell in range(81)]
        groups += [
            [literal(cell, d) for cell in house] for house in _houses() for d in range(1, 10)
        ]
        for group in groups:
            solver.add_clause(group)
            for a, b in combinations(group, 2):
                solver.add_clause([-a, -b])

        def solve(text: str) -> str:
            givens = [literal(i, int(sign)) for i, sign in enumerate(text) if sign in "123456789"]
            if not solver.solve(assumptions=givens):
                return ""
            true = [x for x in solver.get_model()[:729] if x > 0]
            return "".join(str((x - 1) % 9 + 1) for x in true)

        yield solve


@contextmanager
def cpsat_by_hand() -> Iterator[Solve]:
    """27 all-different constraints, built once; givens are edited domains."""
    model = cp_model.CpModel()
    cells = [model.new_int_var(1, 9, "") for _ in range(81)]
    for house in _houses():
        model.add_all_different([cells[i] for i in house])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    variables = model.proto.variables

    def solve(text: str) -> str:
        for variable, sign in zip(variables, text, strict=True):
            given = int(sign) if sign in "123456789" else 0
            variable.domain[0], variable.domain[1] = given or 1, given or 9
        if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return ""
        return "".join(map(str, list(solver.response_proto.solution)[:81]))

    yield solve


@contextmanager
def ours(backend: str) -> Iterator[Solve]:
    """A session of this library; every solution is verified."""
    with cs.session(cs.Puzzle.blank(9), backend) as session:

        def solve(text: str) -> str:
            found = session.solve(text).solutions
            return found[0].text if found else ""

        yield solve


CONTESTS = {
    "sat": {
        "PySAT by hand": pysat_by_hand,
        "sat": lambda: ours("sat"),
        "sat:solver=minisat22": lambda: ours("sat:solver=minisat22"),
    },
    "cpsat": {"CP-SAT by hand": cpsat_by_hand, "cpsat": lambda: ours("cpsat")},
}


def contest(texts: list[str], names: Mapping[str, Maker]) -> dict[str, float]:
    """The mean CPU seconds of each, puzzle by puzzle in turn; all must find the same."""
    taken: dict[str, list[float]] = {name: [] for name in names}
    with ExitStack() as stack:
        solvers = {name: stack.enter_context(make()) for name, make in names.items()}
        for text in texts[:5]:  # to warm up
            for solve in solvers.values():
                solve(text)
        for text in texts:
            found = set()
            for name, solve in solvers.items():
                started = time.process_time()
                found.add(solve(text))
                taken[name].append(time.process_time() - started)
            assert len(found) == 1, text
    return {name: statistics.mean(times) for name, times in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.by_hand")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--number", type=int, default=200, help="puzzles of each set")
    options = parser.parse_args()
    sets = {path.name: path.read_text().split() for path in options.files}
    if not sets:
        made = minimal(options.number)
        sets = {"minimal": ["".join(str(p.givens.get(c, ".")) for c in p.cells) for p in made]}
    for title, texts in sets.items():
        for number, names in ((options.number, CONTESTS["sat"]), (50, CONTESTS["cpsat"])):
            means = contest(texts[:number], names)
            best = next(iter(means.values()))
            for name, seconds in means.items():
                print(f"{title:10} {name:22} {1000 * seconds:8.3f} ms {seconds / best:6.2f} ×")


if __name__ == "__main__":
    main()
