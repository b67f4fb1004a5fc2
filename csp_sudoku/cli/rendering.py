"""The command render: pictures of puzzles and of their constraint graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import click

from csp_sudoku.checking.verify import verify
from csp_sudoku.cli import options, output
from csp_sudoku.cli.candidates import marks
from csp_sudoku.cli.codes import SOLVED, UNDECIDED, exit_status
from csp_sudoku.cli.reading import reads_puzzle
from csp_sudoku.errors import FormatError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving import solve as solving
from csp_sudoku.solving.results import Result, Status

Kind = Literal["svg", "png", "pdf", "html"]

_PAGE = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    "<style>body{{margin:1rem;text-align:center}}svg{{max-width:100%;height:auto}}"
    "@media screen and (prefers-color-scheme:dark){{body{{background:#1c1e22}}}}</style></head>"
    "<body>\n{picture}</body></html>\n"
)


_EXIT = exit_status(
    {
        0: "drawn",
        1: "no solution to draw (--solution)",
        3: "time ran out (--solution)",
    }
)


@click.command(epilog=_EXIT)
@reads_puzzle
@click.option(
    "--output",
    "-o",
    "to",
    metavar="FILE",
    default="-",
    help="A file .svg, .png, .pdf or .html. Default: SVG to standard output.",
)
@click.option("--solution", is_flag=True, help="Solve the puzzle, and draw its solution.")
@click.option("--candidates", is_flag=True, help="Draw the candidates of empty cells.")
@options.TRUE
@click.option("--highlight", metavar="CELLS", help="Colour these cells, such as R1C1,R2C1-R2C4.")
@click.option("--clashes", is_flag=True, help="Frame the givens that break a rule.")
@click.option("--graph", is_flag=True, help="Draw the constraint graph instead of the puzzle.")
@click.option(
    "--theme",
    metavar="NAME",
    default="auto",
    show_default=True,
    help="light, dark, or auto (as the screen).",
)
@click.option(
    "--legend/--no-legend",
    default=True,
    show_default=True,
    help="Explain the marks below the picture.",
)
@options.backend()
@options.TIMEOUT
@options.QUIET
@options.DEBUG
def render(
    *,
    given: Puzzle,
    to: str,
    solution: bool,
    candidates: bool,
    only_true: bool,
    highlight: str | None,
    clashes: bool,
    graph: bool,
    theme: str,
    legend: bool,
    backend: str,
    timeout: float | None,
) -> int:
    """Draw a puzzle, or its constraint graph, as a picture.

    PNG and PDF need: pip install 'csp-sudoku[pictures]'

    \b
    Examples:
      csp-sudoku render puzzle.json -o puzzle.svg
      csp-sudoku render puzzle.json --solution -o solved.pdf
      csp-sudoku render 0100300140020040 --graph -o graph.png
    """
    from csp_sudoku.pictures import theme as themes
    from csp_sudoku.pictures.graph import render_graph
    from csp_sudoku.pictures.printing import print_svg
    from csp_sudoku.pictures.render import render_svg
    from csp_sudoku.pictures.svg import html_text

    kind = _kind(to)
    themes.check(theme)
    # PNG and PDF cannot follow the screen: they are light unless told otherwise.
    chosen: themes.Theme = "dark" if theme == "dark" else "light"
    if theme == "auto" and kind in ("svg", "html"):
        chosen = "auto"
    if graph:
        if solution or candidates or only_true or clashes or highlight:
            raise FormatError(
                "--graph draws no grid: leave out what is drawn on a grid, such as --solution"
            )
        with output.working(lambda: "compiling"):
            picture = render_graph(given, theme=chosen)
    else:
        found = None
        if solution:
            result = _solve(given, backend, timeout)
            if not result.solutions:
                return _unsolved(given, result)
            found = result.solutions[0]
        if highlight and clashes:
            raise FormatError("--highlight and --clashes cannot be combined")
        broken = verify(given.without_givens(), given.givens) if clashes else None
        shown = candidates or only_true
        picture = render_svg(
            given,
            solution=found,
            candidates=shown and marks(given, only_true=only_true, timeout=timeout),
            highlight=highlight or broken,
            legend=legend,
            theme=chosen,
        )
    match kind:
        case "svg":
            drawn = picture.encode()
        case "html":
            typed = click.get_current_context().params["puzzle"]
            title = html_text(typed if len(typed) < 60 else "Sudoku")
            drawn = _PAGE.format(title=title, picture=picture).encode()
        case "png" | "pdf":
            drawn = print_svg(picture, kind)
    output.write_file(to, drawn)
    return SOLVED


def _kind(path: str) -> Kind:
    ending = Path(path).suffix.removeprefix(".").lower() if path != "-" else "svg"
    for kind in get_args(Kind):
        if ending == kind:
            found: Kind = kind
            return found
    raise FormatError(f"{path}: the name of a picture ends in .svg, .png, .pdf or .html")


def _solve(puzzle: Puzzle, backend: str, timeout: float | None) -> Result:
    with output.working(lambda: "solving"):
        chosen = options.for_one_puzzle(backend)
        return solving.solve(puzzle, chosen, timeout=timeout)


def _unsolved(puzzle: Puzzle, result: Result) -> int:
    """Say why nothing was drawn, and return the exit code."""
    if result.status is Status.NONE_EXIST:
        return output.no_solution(puzzle)
    output.note(f"undecided: {result.reason} before a solution was found")
    return UNDECIDED
