"""The commands serve and listen: a page for puzzles, and a solver behind f-puzzles."""

from __future__ import annotations

import asyncio

import click

from csp_sudoku.cli import options, output
from csp_sudoku.cli.codes import SOLVED, exit_status

_EXIT = exit_status({130: "ended by Ctrl-C"}, reads=False)


@click.command(epilog=_EXIT)
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


@click.command(epilog=_EXIT)
@options.port("The port. The userscript asks 4545.", 4545)
@click.option(
    "--allow",
    metavar="ORIGIN",
    multiple=True,
    help="A further site that may connect, such as http://localhost:8000. Can be repeated.",
)
@options.seconds(300.0)
@options.QUIET
@options.DEBUG
def listen(*, port: int, allow: tuple[str, ...], timeout: float | None) -> int:
    """Answer the solver userscript of f-puzzles in the browser. Ctrl-C ends it.

    It listens on this machine alone, and only pages of known sites may connect. It needs the extra
    web: pip install 'csp-sudoku[web]'.

    \b
    Examples:
      csp-sudoku listen
      csp-sudoku listen --port 4546 --allow http://localhost:8000
    """
    from csp_sudoku.web import listening

    listening.warm_up(output.note)

    def ready(at: int) -> None:
        output.note(f"listening on ws://localhost:{at}; Ctrl-C ends it")

    asyncio.run(listening.listen(port, allow=allow, seconds=timeout, say=output.note, ready=ready))
    return SOLVED
