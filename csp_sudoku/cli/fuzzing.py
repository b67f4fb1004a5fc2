"""The command fuzz: look for faults with random puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli import options, output
from csp_sudoku.cli.codes import INTERRUPTED, SOLVED, exit_status
from csp_sudoku.errors import FormatError

if TYPE_CHECKING:
    from csp_sudoku.fuzzing.run import FuzzReport

FOUND = 1
_DEFAULT_MINUTES = 1.0
_DEFAULT_OUT = "fuzz-findings"
# Seconds between two lines of progress in a log.
_EVERY = 300.0
_EXIT = exit_status({0: "no fault was found", 1: "faults were found"})


@click.command(epilog=_EXIT)
@click.option(
    "--minutes", metavar="N", type=float, help="How long to run. Default: 1, unless --puzzles."
)
@options.number("--puzzles", "Stop after N puzzles.")
@options.SEED
@options.backends("Test")
@click.option(
    "--out",
    metavar="FOLDER",
    default=_DEFAULT_OUT,
    show_default=True,
    help="Write findings to this folder.",
)
@options.number("--siblings", "Also draw N puzzles with the rules of each, which take less time.")
@click.option(
    "--record",
    metavar="FILE",
    help="Write the report to this JSON file. If it exists, go on where it ended.",
)
@click.option(
    "--replay",
    metavar="PUZZLE",
    multiple=True,
    help="Test this puzzle instead, with every check. Can be repeated.",
)
@options.answering
def fuzz(
    *,
    minutes: float | None,
    puzzles: int | None,
    seed: int | None,
    replay: tuple[str, ...],
    as_json: bool,
    **asked: Any,
) -> int:
    """Look for faults with random puzzles.

    Small, odd puzzles with all kinds of rules go to every solver and to the oracle. Laws that hold
    for every puzzle are tried on them. A puzzle that shows a fault is made smaller and written to
    --out, with a note. The default seed is 0.

    \b
    Examples:
      csp-sudoku fuzz --minutes 10 --seed 1
      csp-sudoku fuzz --puzzles 100 --backend lp --json
      csp-sudoku fuzz --puzzles 200000 --siblings 20 --record fuzz.json
      csp-sudoku fuzz --replay fuzz-findings/1-58.json
    """
    if replay:
        return _replay(replay, as_json=as_json)
    from csp_sudoku.fuzzing.run import fuzz as run

    if minutes is not None and not 0 < minutes < 10**6:
        raise FormatError(f"--minutes {minutes} is not a time; give a number above 0")
    if minutes is None and puzzles is None:
        minutes = _DEFAULT_MINUTES
    with _progress(minutes, puzzles) as progress:
        report = run(minutes, seed or 0, puzzles=puzzles, progress=progress, **asked)
    output.answer_either(report.to_dict(), [*report.findings, report], as_json=as_json)
    if report.interrupted:
        return INTERRUPTED
    return SOLVED if report.ok else FOUND


def _replay(puzzles: tuple[str, ...], *, as_json: bool) -> int:
    from csp_sudoku.cli.inputs import read_puzzle
    from csp_sudoku.fuzzing.findings import replay

    found: dict[str, list[str]] = {}
    with output.working(lambda: f"{len(found)} of {len(puzzles)} replayed"):
        for puzzle in puzzles:
            troubles = replay(read_puzzle(puzzle, {}))
            found[puzzle] = [f"{t.kind}: {t.name}: {t.text}" for t in troubles]
    lines = [
        f"{name}: {line}" for name, said in found.items() for line in said or ["no fault found"]
    ]
    output.answer_either(found, lines, as_json=as_json)
    if any(found.values()):
        # Not returned: a fault is one, even if rules of the puzzle were left out.
        raise click.exceptions.Exit(FOUND)
    return SOLVED


@contextmanager
def _progress(
    minutes: float | None,
    puzzles: int | None,
) -> Iterator[Callable[[FuzzReport], None]]:
    """A bar on a terminal; elsewhere a line for each finding, and one every few minutes."""
    told = 0
    due = _EVERY

    def tell(report: FuzzReport) -> None:
        nonlocal told
        for finding in report.findings[told:]:
            output.note(str(finding))
        told = len(report.findings)

    def log(report: FuzzReport) -> None:
        nonlocal due
        tell(report)
        if report.seconds > due:
            due = report.seconds + _EVERY
            output.note(_so_far(report))

    if not output.is_watched():
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
