"""The command batch: many puzzles of a file, on one machine or many."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from csp_sudoku import executors
from csp_sudoku.batches.files import Task
from csp_sudoku.batches.files import batch as run
from csp_sudoku.cli import options, output
from csp_sudoku.cli.inputs import HowToRead
from csp_sudoku.cli.output import SOLVED, UNDECIDED, answer, answer_json
from csp_sudoku.cli.progress import bar
from csp_sudoku.cli.reading import knows_how_to_read
from csp_sudoku.errors import BackendError, FormatError
from csp_sudoku.formats.recognition import split_many

_EXIT = (
    "Exit status: 0 all rows were decided, 2 bad input, 3 some were not (time ran out, or a row "
    "cannot be read), 130 interrupted."
)

Chunk = Annotated[
    int, typer.Option("--chunk", metavar="N", min=1, help="Puzzles a worker is given at a time.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="batch", epilog=_EXIT)(batch)


@knows_how_to_read
def batch(
    puzzles: Annotated[str, typer.Argument(metavar="FILE", help="A file with many puzzles.")],
    *,
    out: Annotated[
        str, typer.Option("--out", metavar="FILE", help="The answers; go on where it ends.")
    ],
    task: Annotated[
        str, typer.Option("--task", metavar="TASK", help="solve, count or cross-check.")
    ] = "solve",
    how: HowToRead,
    backend: options.Backend = "auto",
    limit: options.Limit = 2,
    timeout: options.Timeout = None,
    workers: options.Workers = 1,
    dask: options.Dask = None,
    chunk: Chunk = 50,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> int:
    """Solve, count or cross-check all puzzles of a file; the answers are JSON, one a line.

    The limit of 2 tells whether a puzzle has one solution. A run that was stopped goes on where it
    ended when the same command is given again.

    Examples:

    csp-sudoku batch puzzles.txt --out answers.jsonl --workers 2

    csp-sudoku batch puzzles.jsonl --out answers.jsonl --dask tcp://scheduler:8786

    csp-sudoku batch puzzles.txt --out checked.jsonl --task cross-check --timeout 10
    """
    reading = how.arguments()
    chosen = _task(task)
    path = Path(puzzles)
    if not path.is_file():
        raise FormatError(f"{puzzles} cannot be read: there is no such file")
    total = sum(1 for _ in split_many(path, size=reading["size"]))
    with (
        executors.wanted(workers, dask) as executor,
        _resumable(out, quiet=quiet),  # outside of the bar, which would wipe out what it says
        bar("puzzles", total, quiet=quiet) as advance,
    ):
        summary = run(
            path,
            out,
            task=chosen,
            backend=backend,
            limit=limit or None,
            timeout=options.timeout(timeout),
            executor=executor,
            chunk=chunk,
            progress=advance,
            **reading,
        )
    if as_json:
        answer_json(asdict(summary))
    else:
        answer(str(summary))
    return UNDECIDED if summary.undecided else SOLVED


@contextmanager
def _resumable(out: str, *, quiet: bool) -> Iterator[None]:
    """Say on Ctrl-C that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        output.note(f"what was done is in {out}: the same command goes on from there", quiet=quiet)
        raise


def _task(name: str) -> Task:
    if name not in get_args(Task):
        raise BackendError(f"--task {name!a}: one of {', '.join(get_args(Task))}")
    return cast(Task, name)
