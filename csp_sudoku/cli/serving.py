"""The command serve: a page for puzzles, on this machine."""

from __future__ import annotations

import asyncio

import click

from csp_sudoku.cli import options, output
from csp_sudoku.cli.codes import SOLVED, exit_status


@click.command(epilog=exit_status({130: "ended by Ctrl-C"}, reads=False))
@options.port("The port.", 4546)
@options.seconds(300.0)
@options.QUIET
@options.DEBUG
def serve(*, port: int, timeout: float | None) -> int:
    """Serve a page to work on puzzles.

    There puzzles are read, filled, checked, explained and watched. Ctrl-C ends it. The page is
    served to this machine alone, and loads nothing from elsewhere. It needs the extra web:
    pip install 'csp-sudoku[web]'.

    \b
    Examples:
      csp-sudoku serve
      csp-sudoku serve --port 8000
    """
    from csp_sudoku.web import listening, serving

    listening.warm_up(output.note)

    def ready(at: int) -> None:
        output.note(f"open http://localhost:{at} in a browser; Ctrl-C ends it")

    asyncio.run(serving.serve(port, seconds=timeout, ready=ready))
    return SOLVED
