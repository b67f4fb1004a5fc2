"""The command render: pictures of puzzles and of their constraint graphs."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Annotated, Literal, get_args

import typer

from csp_sudoku import solving
from csp_sudoku.cli import options, output
from csp_sudoku.cli.output import NO_SOLUTION, SOLVED, UNDECIDED
from csp_sudoku.cli.reading import reads_puzzle
from csp_sudoku.errors import FormatError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.results import Status
from csp_sudoku.solution import Solution
from csp_sudoku.verify import verify

Kind = Literal["svg", "png", "pdf", "html"]

_PAGE = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    "<style>body{{margin:1rem;text-align:center}}svg{{max-width:100%;height:auto}}"
    "@media screen and (prefers-color-scheme:dark){{body{{background:#1c1e22}}}}</style></head>"
    "<body>\n{picture}</body></html>\n"
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="render")(render)


@reads_puzzle
def render(
    given: Puzzle,
    *,
    argument: str = "",
    to: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="A file .svg, .png, .pdf or .html; - for SVG."
        ),
    ] = "-",
    solution: Annotated[
        bool, typer.Option("--solution", help="Solve the puzzle, and draw what was found.")
    ] = False,
    candidates: Annotated[
        bool, typer.Option("--candidates", help="Draw pencil marks in the open cells.")
    ] = False,
    highlight: Annotated[
        str | None,
        typer.Option("--highlight", metavar="CELLS", help="Colour these cells: R1C1,R2C1-R2C4."),
    ] = None,
    clashes: Annotated[
        bool, typer.Option("--clashes", help="Frame the givens that break a rule.")
    ] = False,
    graph: Annotated[
        bool, typer.Option("--graph", help="Draw the constraint graph in place of the puzzle.")
    ] = False,
    theme: Annotated[
        str,
        typer.Option("--theme", metavar="NAME", help="auto (as the screen), light or dark."),
    ] = "auto",
    legend: Annotated[
        bool, typer.Option("--legend/--no-legend", help="Say below what the marks mean.")
    ] = True,
    backend: options.Backend = "auto",
    timeout: options.Timeout = None,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> int:
    """Draw a puzzle, or its constraint graph, as a picture; the ending of FILE says which kind.

    PNG and PDF need pip install 'csp-sudoku\\[pictures]'.

    Examples:

    csp-sudoku render puzzle.json -o puzzle.svg

    csp-sudoku render puzzle.json --solution -o solved.pdf

    csp-sudoku render 0100300140020040 --graph -o graph.png
    """
    from csp_sudoku.pictures import theme as themes
    from csp_sudoku.pictures.graph import render_graph
    from csp_sudoku.pictures.printing import print_svg
    from csp_sudoku.pictures.render import render_svg

    kind = _kind(to)
    themes.check(theme)
    # Paper follows no screen.
    chosen: themes.Theme = "dark" if theme == "dark" else "light"
    if theme == "auto" and kind in ("svg", "html"):
        chosen = "auto"
    if graph:
        if solution or candidates or clashes or highlight:
            raise FormatError("--graph is a picture of its own: leave out what is drawn on a grid")
        with output.working(lambda: "compiling", quiet=quiet):
            picture = render_graph(given, theme=chosen)
    else:
        found = None
        if solution:
            found, status = _solved(given, backend, timeout, quiet=quiet)
            if found is None:
                return _unsolved(status, quiet=quiet)
        if highlight and clashes:
            raise FormatError("--highlight and --clashes: one of them at a time")
        broken = verify(given.without_givens, given.givens) if clashes else None
        picture = render_svg(
            given,
            solution=found,
            candidates=candidates,
            highlight=highlight or broken,
            legend=legend,
            theme=chosen,
        )
    match kind:
        case "svg":
            drawn = picture.encode()
        case "html":
            title = escape(argument if len(argument) < 60 else "Sudoku")
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
    raise FormatError(f"{path}: its ending says no kind of picture; .svg, .png, .pdf or .html do")


def _solved(
    puzzle: Puzzle, backend: str, timeout: float | None, *, quiet: bool
) -> tuple[Solution | None, Status]:
    with output.working(lambda: "solving", quiet=quiet):
        result = solving.solve(puzzle, backend, timeout=options.timeout(timeout))
    return (result.solutions[0] if result.solutions else None), result.status


def _unsolved(status: Status, *, quiet: bool) -> int:
    """Say why nothing was drawn; the exit code."""
    if status is Status.NONE_EXIST:
        output.note("no solution to draw", quiet=quiet)
        return NO_SOLUTION
    output.note("undecided: time ran out before a solution was found", quiet=quiet)
    return UNDECIDED
