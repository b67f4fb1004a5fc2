"""The command batch: many puzzles from one file, on one machine or many."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import click

from csp_sudoku import executors
from csp_sudoku.batches.files import Task
from csp_sudoku.batches.files import batch as run
from csp_sudoku.cli import options, output
from csp_sudoku.cli.codes import SOLVED, UNDECIDED, exit_status
from csp_sudoku.cli.inputs import HowToRead
from csp_sudoku.cli.progress import bar
from csp_sudoku.cli.reading import reading_options
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.recognition import split_many

_EXIT = exit_status(
    {
        0: "every puzzle was decided",
        3: "some were not: time ran out, or a puzzle cannot be read",
    }
)


@click.command(epilog=_EXIT)
@options.argument("puzzles", "FILE", "A file with many puzzles.")
@click.option("--out", metavar="FILE", required=True, help="Write the answers to this file.")
@click.option(
    "--task",
    type=click.Choice(get_args(Task)),
    default="solve",
    show_default=True,
    help="What to do with each puzzle.",
)
@reading_options
@options.backend()
@options.limit(2)
@options.TIMEOUT
@options.WORKERS
@options.DASK
@options.number("--chunk", "How many puzzles a worker gets at a time.", default=50)
@options.answering
def batch(
    *,
    puzzles: str,
    out: str,
    how: HowToRead,
    limit: int,
    workers: int,
    dask: str | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """Solve, count or cross-check all puzzles of a file. The answers are JSON, one on each line.

    The default limit of 2 tells whether a puzzle has one solution. If a run was stopped, the same
    command continues it.

    \b
    Examples:
      csp-sudoku batch puzzles.txt --out answers.jsonl --workers 2
      csp-sudoku batch puzzles.jsonl --out answers.jsonl --dask tcp://scheduler:8786
      csp-sudoku batch puzzles.txt --out checked.jsonl --task cross-check --timeout 10
    """
    path = Path(puzzles)
    if not path.is_file():
        raise FormatError(f"{puzzles} cannot be read: there is no such file")
    total = sum(1 for _ in split_many(path, how["rules"], size=how["size"]))
    to_continue = f"{out} has what was done so far: the same command continues it"
    with (
        executors.wanted(workers, dask) as executor,
        # Outside of the bar, which would erase the note.
        output.noting_interrupt(to_continue),
        bar("puzzles", total) as advance,
    ):
        summary = run(
            path,
            out,
            limit=limit or None,
            executor=executor,
            progress=advance,
            **asked,
            **how,
        )
    if summary.partly_read:
        output.name_left_out([f"rules of {summary.partly_read:,} puzzles; see left_out in {out}"])
    output.answer_either(asdict(summary), [summary], as_json=as_json)
    return UNDECIDED if summary.undecided else SOLVED
