"""What each idea of the search is worth, with the other backends beside it.

Run ``python -m benchmarks.ablation``; it prints a table and, with ``--plot FILE``, draws it.
Every engine gets the same puzzles in the same process, compiled once per size of grid. The time is
that of a proof of uniqueness; one that takes longer than the limit counts as unsolved.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.progress import track
from rich.table import Table

import csp_sudoku as cs
from benchmarks import instances
from csp_sudoku.backends.base import Backend
from csp_sudoku.backends.search import Search

ENGINES: dict[str, Callable[[], str | Backend]] = {
    "plain backtracking": lambda: Search(
        inference="none", variable_order="first", value_order="natural"
    ),
    "forward checking": lambda: Search(
        inference="forward", variable_order="first", value_order="natural"
    ),
    "MAC": lambda: Search(inference="mac", variable_order="first", value_order="natural"),
    "MAC + MRV": lambda: Search(inference="mac", variable_order="mrv", value_order="natural"),
    "MAC + MRV + degree": lambda: Search(
        inference="mac", variable_order="mrv+degree", value_order="natural"
    ),
    "MAC + MRV + degree + LCV": lambda: Search(
        inference="mac", variable_order="mrv+degree", value_order="lcv"
    ),
    "MAC + dom/wdeg, the default of search": lambda: "search",
    "boards": lambda: "boards",
    "dancing links": lambda: "dlx",
    "SAT": lambda: "sat",
    "CP-SAT": lambda: "cpsat",
    "linear programming": lambda: "lp",
}


@dataclass(frozen=True)
class Measured:
    """What an engine did on a set of puzzles."""

    solved: int
    total: int
    seconds: float
    nodes: float | None


def measure(engine: str | Backend, puzzles: list[cs.Puzzle], timeout: float) -> Measured:
    """Solve every puzzle, twice the first one: compiling a kernel is not solving."""
    seconds, nodes = [], []
    with cs.session(puzzles[0], engine) as session:
        session.solve(puzzles[0], limit=2, timeout=timeout)
        for puzzle in puzzles:
            started = time.perf_counter()
            result = session.solve(puzzle, limit=2, timeout=timeout)
            if result.complete or len(result.solutions) == 2:
                seconds.append(time.perf_counter() - started)
                nodes.append(nodes_of(result.statistics))
    known = [n for n in nodes if n is not None]
    return Measured(
        len(seconds),
        len(puzzles),
        statistics.median(seconds) if seconds else float("inf"),
        statistics.median(known) if known else None,
    )


def measure_or_refuse(engine: str | Backend, puzzles: list[cs.Puzzle], timeout: float) -> Measured:
    """Like `measure`; an engine that refuses the puzzles has solved none of them."""
    try:
        return measure(engine, puzzles, timeout)
    except cs.BudgetError:
        return Measured(0, len(puzzles), float("inf"), None)


def nodes_of(counters: object) -> int | None:
    """Assignments tried, nodes or decisions: what this engine counts."""
    for name in ("assignments", "nodes", "decisions", "branches"):
        if hasattr(counters, name):
            return int(getattr(counters, name))
    return None


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=20, help="puzzles in each set")
    parser.add_argument("--timeout", type=float, default=5.0, help="seconds for one puzzle")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", metavar="FILE", help="draw the times (needs matplotlib)")
    options = parser.parse_args(arguments)
    few = max(1, options.number // 4)
    sets = {
        "easy 9×9": list(instances.easy(options.number, options.seed)),
        "minimal 9×9": list(instances.minimal(options.number, options.seed)),
        "16×16, half": list(instances.partly_filled(16, 0.5, few, options.seed)),
        "25×25, 60 %": list(instances.partly_filled(25, 0.6, few, options.seed)),
    }
    console = Console()
    table = Table("engine", *sets, title="median time (nodes); solved within the limit")
    results: dict[str, list[Measured]] = {}
    for name, make in track(ENGINES.items(), console=Console(stderr=True), description="engines"):
        results[name] = [
            measure_or_refuse(make(), puzzles, options.timeout) for puzzles in sets.values()
        ]
        table.add_row(name, *map(show, results[name]))
    console.print(table)
    if options.plot:
        plot(results, list(sets), options.plot)


def show(measured: Measured) -> str:
    """One cell of the table."""
    if not measured.solved:
        return f"none of {measured.total}"
    text = f"{measured.seconds * 1000:.3g} ms"
    if measured.nodes is not None:
        text += f" ({measured.nodes:,.0f})"
    if measured.solved < measured.total:
        text += f" {measured.solved}/{measured.total}"
    return text


def plot(results: dict[str, list[Measured]], sets: list[str], path: str) -> None:
    """A bar for every engine and set, on a logarithmic scale."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(sets), figsize=(4 * len(sets), 5), sharey=True)
    names = list(results)[::-1]
    for axis, column, title in zip(axes, range(len(sets)), sets, strict=True):
        measured = [results[name][column] for name in names]
        times = [m.seconds * 1000 if m.solved else 0 for m in measured]
        colours = ["tab:blue" if m.solved == m.total else "tab:orange" for m in measured]
        axis.barh(names, times, color=colours, log=True)
        axis.set_title(title)
        axis.xaxis.set_minor_formatter("")
        axis.set_xlabel("median ms (orange: not all solved)")
    figure.tight_layout()
    figure.savefig(path)


if __name__ == "__main__":
    main()
