"""The command survey: all solvers that this machine has, on the same puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli import options, output
from csp_sudoku.cli.codes import DISAGREEMENT, INTERRUPTED, SOLVED, exit_status
from csp_sudoku.cli.output import answer_json

if TYPE_CHECKING:
    from csp_sudoku.crosscheck.survey import Survey

_EXIT = exit_status({0: "all that could be asked agree", 5: "a solver fails"}, reads=False)


@click.command(epilog=_EXIT)
@options.backends("Ask")
@click.option(
    "--solver",
    "programs",
    metavar="COMMAND",
    multiple=True,
    help="Ask another program, such as 'kissat {cnf}'. Can be repeated.",
)
@options.number("--puzzles", "How many random puzzles.", default=1_000)
@options.seconds(300.0)
@options.SEED
@click.option(
    "--out",
    metavar="FOLDER",
    default="survey-findings",
    show_default=True,
    help="Write the puzzles on which a solver fails to this folder.",
)
@options.answering
def survey(
    *,
    backends: tuple[str, ...],
    programs: tuple[str, ...],
    timeout: float | None,
    seed: int | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """Compare all solvers at hand on the same puzzles.

    It says who agrees, who fails where, and who is unusable. The puzzles are the conformance cases
    and random ones; the oracle says what is right. By default all backends with their settings are
    asked, the solvers that CPMpy finds, and the programs that are installed. --timeout is the time
    for each solver in all: a slow one is asked about fewer puzzles. Each way to fail is shown once,
    in the smallest puzzle found.

    \b
    Examples:
      csp-sudoku survey --puzzles 200 --timeout 60
      csp-sudoku survey --backend cpmpy:choco --solver 'kissat -q {cnf}' --json
    """
    from csp_sudoku.crosscheck.survey import survey as run

    done: Survey | None = None

    def progress(found: Survey) -> None:
        nonlocal done
        done = found

    def label() -> str:
        if done is None:
            return "asking the oracle"
        failing = sum(not row.ok for row in done.rows)
        return f"{sum(row.asked for row in done.rows):,} answers, {failing} solvers fail"

    with output.working(label):
        found = run(
            [*backends, *programs] or None,
            seconds=timeout,
            seed=seed or 0,
            progress=progress,
            **asked,
        )
    if as_json:
        answer_json(found.to_dict())
    else:
        output.answer_rich(found)
    if found.interrupted:
        return INTERRUPTED
    return SOLVED if found.ok else DISAGREEMENT
