"""The command that looks for faults: fuzz."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from csp_sudoku.cli import INTERRUPTED, options, output
from csp_sudoku.cli.output import SOLVED, answer, answer_json
from csp_sudoku.errors import FormatError

if TYPE_CHECKING:
    from csp_sudoku.fuzzing.run import FuzzReport

FOUND = 1
_DEFAULT_MINUTES = 1.0
_DEFAULT_OUT = "fuzz-findings"
# Seconds between two lines in a log.
_EVERY = 300.0
_EXIT = "Exit status: 0 nothing was found, 1 findings, 2 bad input, 130 interrupted."

Minutes = Annotated[
    float | None,
    typer.Option("--minutes", metavar="N", help="How long; one minute if nothing is said."),
]
Puzzles = Annotated[
    int | None, typer.Option("--puzzles", metavar="N", min=1, help="Stop after so many puzzles.")
]
Backends = Annotated[
    list[str] | None,
    typer.Option(
        "--backend", metavar="NAME", help="Examine this solver. May be repeated; all by default."
    ),
]
Out = Annotated[
    str, typer.Option("--out", metavar="FOLDER", help="Where findings are written, if any.")
]
Replay = Annotated[
    list[str] | None,
    typer.Option(
        "--replay", metavar="PUZZLE", help="Examine this puzzle instead, with all there is."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=_EXIT)(fuzz)


def fuzz(
    *,
    minutes: Minutes = None,
    puzzles: Puzzles = None,
    seed: options.Seed = 0,
    backend: Backends = None,
    out: Out = _DEFAULT_OUT,
    replay: Replay = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> int:
    """Look for faults with random puzzles.

    Small, odd puzzles over all kinds of rules go to every solver and to the oracle, and laws are
    tried that hold for every puzzle. What must not be is shrunk and written to --out: a puzzle,
    and a note. The same --seed gives the same puzzles.

    Examples:

    csp-sudoku fuzz --minutes 10 --seed 1

    csp-sudoku fuzz --puzzles 100 --backend lp --json

    csp-sudoku fuzz --replay fuzz-findings/1-58.json
    """
    if replay:
        return _replay(replay, as_json=as_json, quiet=quiet)
    from csp_sudoku.fuzzing.run import fuzz as run

    if minutes is not None and not 0 < minutes < 10**6:
        raise FormatError(f"--minutes {minutes} is no time; give a number above 0")
    if minutes is None and puzzles is None:
        minutes = _DEFAULT_MINUTES
    with _progress(minutes, puzzles, quiet=quiet) as progress:
        report = run(
            minutes,
            seed or 0,
            puzzles=puzzles,
            backends=backend or (),
            out=out,
            progress=progress,
        )
    if as_json:
        answer_json(report.to_dict())
    else:
        for finding in report.findings:
            answer(str(finding))
        answer(str(report))
    if report.interrupted:
        return INTERRUPTED
    return SOLVED if report.ok else FOUND


def _replay(puzzles: list[str], *, as_json: bool, quiet: bool) -> int:
    from csp_sudoku.cli.inputs import HowToRead, read_puzzle
    from csp_sudoku.fuzzing.findings import replay

    found: dict[str, list[str]] = {}
    with output.working(lambda: f"{len(found)} of {len(puzzles)} replayed", quiet=quiet):
        for puzzle in puzzles:
            troubles = replay(read_puzzle(puzzle, HowToRead()))
            found[puzzle] = [f"{t.kind}: {t.name}: {t.text}" for t in troubles]
    if as_json:
        answer_json(found)
    else:
        for puzzle, said in found.items():
            for line in said or ["nothing is wrong with it"]:
                answer(f"{puzzle}: {line}")
    return FOUND if any(found.values()) else SOLVED


@contextmanager
def _progress(
    minutes: float | None, puzzles: int | None, *, quiet: bool
) -> Iterator[Callable[[FuzzReport], None]]:
    """A bar on a terminal; elsewhere a line for every finding, and now and then one without."""
    told = 0
    due = _EVERY

    def tell(report: FuzzReport) -> None:
        nonlocal told
        for finding in report.findings[told:]:
            output.note(str(finding), quiet=quiet)
        told = len(report.findings)

    def log(report: FuzzReport) -> None:
        nonlocal due
        tell(report)
        if report.seconds > due:
            due = report.seconds + _EVERY
            output.note(_so_far(report), quiet=quiet)

    if quiet or not sys.stderr.isatty():
        yield log
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        seconds = None if minutes is None else minutes * 60
        task = bar.add_task("fuzzing", total=seconds or puzzles)

        def show(report: FuzzReport) -> None:
            tell(report)
            done: Any = report.seconds if seconds else report.puzzles
            bar.update(task, description=_so_far(report), completed=done)

        yield show


def _so_far(report: FuzzReport) -> str:
    found = f", {len(report.findings)} findings" if report.findings else ""
    return f"{report.puzzles:,} puzzles, {report.rate:.1f} a second{found}"
