"""The command bench: how long each solver takes for a puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from statistics import median

import click

from csp_sudoku import backends as registry
from csp_sudoku.cli import options, output
from csp_sudoku.cli.codes import SOLVED, UNDECIDED, exit_status
from csp_sudoku.cli.reading import reads_puzzle
from csp_sudoku.errors import CspSudokuError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving import solve as solving
from csp_sudoku.solving.results import Result, Status

_EXIT = exit_status({0: "timed", 3: "no solver finished"})


@click.command(epilog=_EXIT)
@reads_puzzle
@options.backends("Time")
@options.number("--rounds", "How often each solver is asked.", default=5)
@options.limit(2)
@options.seconds(60.0)
@options.answering
def bench(
    *,
    given: Puzzle,
    backends: tuple[str, ...],
    rounds: int,
    limit: int,
    timeout: float | None,
    as_json: bool,
) -> int:
    """Compare how long the solvers take for a puzzle.

    They are asked in turns, so that all have the same load of the machine. Each is asked once
    before the clock runs, to load it and to compile its machine code. The default limit of 2 makes
    each solver prove that there is no other solution.

    \b
    Examples:
      csp-sudoku bench examples/variant.json
      csp-sudoku bench hard.sdk --backend search --backend sat --rounds 20 --json
    """
    names = backends or registry.names()
    for name in set(names) - {"brute", "auto"}:
        registry.get(name)  # an unknown name is refused before anything runs
    runs = _Runs(given, limit or None, timeout)
    doing = "starting"
    with output.working(lambda: doing):
        for turn in range(rounds + 1):
            for name in names:
                doing = f"round {turn} of {rounds}: {name}"
                runs.ask(name)
    timings = sorted(runs.timings(), key=lambda timing: timing.milliseconds)
    document = {"backends": [asdict(timing) for timing in timings], "failed": runs.failed}
    lines = [timing.line(timings[0].milliseconds) for timing in timings]
    lines += [f"{name:<10} {why}" for name, why in runs.failed.items()]
    output.answer_either(document, lines, as_json=as_json)
    return SOLVED if timings else UNDECIDED


@dataclass(frozen=True)
class Timing:
    """How long a solver took: the medians of its runs."""

    backend: str
    milliseconds: float
    compile_milliseconds: float
    solve_milliseconds: float
    status: str
    solutions: int

    @classmethod
    def of(cls, backend: str, runs: list[Result]) -> Timing:
        """The timing of these runs."""
        compiled = [run.statistics.compile_seconds for run in runs]
        solved = [run.statistics.solve_seconds for run in runs]
        both = [one + other for one, other in zip(compiled, solved, strict=True)]
        last = runs[-1]
        return cls(
            backend,
            _milliseconds(both),
            _milliseconds(compiled),
            _milliseconds(solved),
            output.verdict(last.status.value),
            len(last.solutions),
        )

    def line(self, best: float) -> str:
        """A row of the table, with the ratio to the fastest solver."""
        return (
            f"{self.backend:<10} {self.milliseconds:>10.3f} ms "
            f"{self.milliseconds / best if best else 1:>8.1f} ×  "
            f"(compile {self.compile_milliseconds:.3f}, solve {self.solve_milliseconds:.3f})  "
            f"{self.status}, {self.solutions} found"
        )


class _Runs:
    """The runs of all solvers. A solver that has failed is not asked again."""

    def __init__(self, puzzle: Puzzle, limit: int | None, timeout: float | None) -> None:
        self.failed: dict[str, str] = {}
        self._puzzle = puzzle
        self._limit = limit
        self._timeout = timeout
        self._runs: dict[str, list[Result]] = {}

    def ask(self, name: str) -> None:
        """Ask one solver."""
        if name in self.failed:
            return
        try:
            found = solving.solve(self._puzzle, name, limit=self._limit, timeout=self._timeout)
        except CspSudokuError as error:
            self.failed[name] = str(error)
            return
        if found.status is Status.UNKNOWN:
            self.failed[name] = f"undecided: {found.reason}"
        self._runs.setdefault(name, []).append(found)

    def timings(self) -> Iterator[Timing]:
        """The timings, without the first run of each solver, in which it was loaded."""
        for name, runs in self._runs.items():
            if name not in self.failed:
                yield Timing.of(name, runs[1:])


def _milliseconds(seconds: list[float]) -> float:
    return round(1000 * median(seconds), 4)
