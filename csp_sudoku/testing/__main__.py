"""``python -m csp_sudoku.testing --backend mine``: the conformance suite for a backend."""

from __future__ import annotations

import json
import sys

import click

from csp_sudoku import backends
from csp_sudoku.errors import CspSudokuError
from csp_sudoku.testing.report import check_backend


@click.command(epilog="Exit status: 0 the backend conforms, 1 it does not, 2 bad arguments.")
@click.option(
    "--backend", required=True, metavar="NAME", help="A backend, with options or without."
)
@click.option("--include", multiple=True, metavar="PATTERN", help="Only cases of such names.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="No cases of such names.")
@click.option(
    "--most", type=click.IntRange(1), metavar="N", help="Ask for at most N solutions of a case."
)
@click.option(
    "--may-refuse", is_flag=True, help="A refusal (BudgetError) is listed, and is no failure."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def main(
    *,
    backend: str,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    most: int | None,
    may_refuse: bool,
    as_json: bool,
) -> None:
    """Compare a backend with the oracle, for every constraint and many shapes of grids."""

    def progress(name: str, wrong: str) -> None:
        if wrong and not as_json:
            click.echo(f"{name}: {wrong}")

    try:
        backends.get(backend)
        report = check_backend(
            backend,
            include=include,
            exclude=exclude,
            most=most,
            may_refuse=may_refuse,
            progress=progress,
        )
    except CspSudokuError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
    click.echo(json.dumps(report.to_dict()) if as_json else str(report))
    sys.exit(0 if report.ok else 1)


if __name__ == "__main__":
    main(prog_name="python -m csp_sudoku.testing")
