"""The command watch: an algorithm at work, as a page to play."""

from __future__ import annotations

import click

from csp_sudoku.cli import options, output
from csp_sudoku.cli.codes import SOLVED, exit_status
from csp_sudoku.cli.reading import reads_puzzle
from csp_sudoku.puzzle import Puzzle


@click.command(epilog=exit_status({0: "written"}))
@reads_puzzle
@click.option(
    "--algorithm",
    metavar="NAME",
    default="backtracking",
    show_default=True,
    help="ac3, backtracking, dlx, lp or sat.",
)
@click.option("--output", "-o", "to", metavar="FILE", default="-", help="Default: standard output.")
@options.number("--frames", "At most this many frames.", default=1_000)
@options.QUIET
@options.DEBUG
def watch(*, given: Puzzle, algorithm: str, to: str, frames: int) -> int:
    """Write a page that shows an algorithm at work.

    It plays what the algorithm does on a puzzle, step by step: back and forward, speed, the next
    dead end. The page is one HTML file and needs nothing else.

    \b
    Examples:
      csp-sudoku watch "..3. ..4. 2.13 ...4" --algorithm ac3 -o ac3.html
      csp-sudoku watch puzzle.sdk --algorithm dlx -o dlx.html
    """
    from csp_sudoku.watching import watch as film

    with output.working(lambda: "recording"):
        page = film(given, algorithm, frames=frames)
    output.write_file(to, page.encode())
    return SOLVED
