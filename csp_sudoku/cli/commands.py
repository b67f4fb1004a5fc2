"""The commands: solve, check, count, show, and lists of what there is."""

from __future__ import annotations

import json
import os
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.main

from csp_sudoku import backends, drawing, plugins, solving
from csp_sudoku.cli import inputs, options, output
from csp_sudoku.cli.inputs import HowToRead
from csp_sudoku.cli.output import (
    NO_SOLUTION,
    SOLVED,
    UNDECIDED,
    answer,
    answer_json,
    answer_lines,
)
from csp_sudoku.cli.plain import take_plain_values
from csp_sudoku.cli.reading import knows_how_to_read, reads_puzzle, say_left_out
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.results import Count, Status
from csp_sudoku.solving import Solutions
from csp_sudoku.verify import Verdict

_EXIT = (
    "Exit status: 0 solved (correct), 1 no solution (a rule is broken), 2 bad input, "
    "3 undecided (cells are still open), 130 interrupted."
)

app = typer.Typer(
    name="csp-sudoku",
    help="Solve, cross-check, explain and make Sudoku puzzles and their variants.",
    epilog=_EXIT,
    rich_markup_mode="rich",
)
# Where the commands are. A module is loaded when one of its commands is called.
_HOMES = {
    "commands": "solve count check show backends schema",
    "cross_checking": "cross-check check-claims",
    "exporting": "export import-answer",
    "variants": "variants",
    "rendering": "render",
    "converting": "convert",
    "batching": "batch",
    "timing": "bench",
    "demo": "demo",
    "fuzzing": "fuzz",
    "explaining": "hint explain rate",
    "explaining_why": "why",
    "generating": "generate",
}


# Set by a shell that has the completion installed.
_COMPLETION = "_CSP_SUDOKU_COMPLETE"


@cache
def _load(home: str) -> None:
    if home != "commands":
        import_module(f"csp_sudoku.cli.{home}").register(app)


def run(arguments: list[str]) -> int:
    """Run a command line; the exit code."""
    wanted = [home for home, names in _HOMES.items() if set(arguments[:1]) & set(names.split())]
    completing = _COMPLETION in os.environ
    for home in _HOMES if completing else wanted or _HOMES:
        _load(home)
    group: Any = typer.main.get_command(app)
    if completing:  # a shell asks what could be typed next
        group.main(prog_name="csp-sudoku")
    for command in (group, *group.commands.values()):
        take_plain_values(command)
    try:
        with group.make_context("csp-sudoku", arguments or ["--help"]) as context:
            return int(group.invoke(context) or SOLVED)
    except typer.Exit as done:
        return done.exit_code


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        answer(f"csp-sudoku {version('csp-sudoku')}")
        raise typer.Exit


@app.callback()
def _start(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


@app.command(epilog=_EXIT)
@knows_how_to_read
def solve(
    puzzle: options.MaybePuzzle = None,
    *,
    interactive: Annotated[
        bool, typer.Option("--interactive", "-i", help="Ask for the puzzle, row by row.")
    ] = False,
    how: HowToRead,
    backend: options.Backend = "auto",
    limit: options.Limit = None,
    timeout: options.Timeout = None,
    seed: options.Seed = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> int:
    """Solve a puzzle; one solution, unless --limit says otherwise.

    On a terminal solutions are drawn; elsewhere each is one line.

    Examples:

    csp-sudoku solve 0100300140020040

    csp-sudoku solve puzzle.json --limit 0 --json

    csp-sudoku solve hard.sdk --rule anti-knight --backend cpsat --timeout 10

    csp-sudoku solve -i
    """
    if interactive:
        from csp_sudoku.cli import asking

        given, limit = asking.ask(how, limit)
    elif puzzle is not None:
        given = inputs.read_puzzle(puzzle, how)
    else:
        raise FormatError(
            "missing argument 'PUZZLE': a file, a link, the puzzle itself or -; or -i to be asked"
        )
    limit = 1 if limit is None else limit
    say_left_out(given, quiet=quiet)
    inputs.refuse_objections(given)
    found = _solutions(given, backend, limit=limit, timeout=timeout, seed=seed, quiet=quiet)
    taken: list[str] = []
    named: list[dict[str, int]] = []
    count = 0
    while not limit or count < limit:
        with output.working(
            lambda: f"searching, {found.statistics.solutions} found so far", quiet=quiet
        ):
            solution = next(found, None)
        if solution is None:
            break
        count += 1
        if as_json:
            taken.append(solution.text)
            named.append(solution.named)
        else:
            output.answer_solution(given, solution)
    found.close()
    if as_json:
        extra = {"named": named} if given.named else {}
        answer_json(
            {"status": found.status.name, "complete": found.complete, "solutions": taken}
            | extra
            | _details(found)
        )
    return _conclude(found, count, limit, quiet=quiet)


@app.command(epilog=_EXIT)
@reads_puzzle
def count(
    given: Puzzle,
    *,
    backend: options.Backend = "auto",
    limit: options.Limit = 0,
    timeout: options.Timeout = None,
    seed: options.Seed = None,
    workers: options.Workers = 1,
    dask: options.Dask = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> int:
    """Count the solutions of a puzzle.

    With --workers or --dask the puzzle is cut into parts, and --timeout is for each of them.

    Examples:

    csp-sudoku count 1...............

    csp-sudoku count puzzle.json --limit 1000 --json

    csp-sudoku count puzzle.json --workers 2
    """
    inputs.refuse_objections(given)
    if workers > 1 or dask is not None:
        if limit or seed is not None:
            raise FormatError("--limit and --seed are for one process: leave out --workers, --dask")
        with output.working(lambda: "counting in parts", quiet=quiet):
            found = _count_in_parts(given, backend, options.timeout(timeout), workers, dask)
    else:
        started = _solutions(given, backend, limit=limit, timeout=timeout, seed=seed, quiet=quiet)
        with output.working(
            lambda: f"counting, {started.statistics.solutions} so far", quiet=quiet
        ):
            found = started.count(limit or None)
    if as_json:
        answer_json(
            {"count": found.value, "complete": found.complete, "verified": found.verified}
            | _details(found)
        )
    else:
        answer(str(found.value) if found.complete else f"at least {found.value}")
    if found.complete:
        return SOLVED if found.value else NO_SOLUTION
    if limit and found.value >= limit:
        return SOLVED
    output.note("time ran out before all solutions were counted", quiet=quiet)
    return UNDECIDED


@app.command(epilog=_EXIT)
@reads_puzzle
def check(
    given: Puzzle,
    grid: options.Grid = "",
    *,
    argument: str = "",
    claim: Annotated[
        str | None,
        typer.Option(
            "--claim",
            metavar="FILE",
            help="Check what somebody claims: solutions, 'no solution', a count, a proof.",
        ),
    ] = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> int:
    """Check a full or partly filled grid by the rules alone; no solver is asked.

    With --claim, check the output of another program; solvers are asked where they must be. A
    claim that is not so has the exit status 6.

    Examples:

    csp-sudoku check 0100300140020040 2134342143121243

    csp-sudoku check puzzle.json --claim answer.txt

    csp-sudoku check solved.txt --rule anti-king
    """
    if claim is not None:
        from csp_sudoku.cli import cross_checking

        return cross_checking.check_claim(given, claim, as_json=as_json)
    found = inputs.check(argument, grid, given)
    if as_json:
        answer_json(
            {
                "verdict": found.verdict.name,
                "violations": [str(violation) for violation in found.violations],
                "open": [str(place) for place in found.missing],
            }
        )
    elif found.violations:
        for violation in found.violations:
            answer(str(violation))
    else:
        open_cells = f": {len(found.missing)} cells are empty" if found.missing else ""
        answer(f"{found.verdict.value}{open_cells}")
    return {Verdict.CORRECT: SOLVED, Verdict.BROKEN: NO_SOLUTION, Verdict.OPEN: UNDECIDED}[
        found.verdict
    ]


@app.command()
@reads_puzzle
def show(
    given: Puzzle,
    *,
    graph: Annotated[
        bool, typer.Option("--graph", help="Print the constraint graph in place of the grid.")
    ] = False,
    candidates: Annotated[
        bool, typer.Option("--candidates", help="Write the candidates into the open cells.")
    ] = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> int:
    """Draw a puzzle and say its rules; with --json, write it as a document.

    Examples:

    csp-sudoku show puzzle.sdk

    csp-sudoku show 0100300140020040 --graph

    csp-sudoku show puzzle.sdk --rule diagonals --json > puzzle.json
    """
    if as_json:
        from csp_sudoku.formats import write_json

        answer_lines(write_json(given))
    elif graph:
        from csp_sudoku.cli import graph_text

        for line in graph_text.lines(given):
            answer(line)
    else:
        marks = drawing.pencil_marks(given) if candidates else None
        output.answer_grid(given, candidates=marks)
        for variable, domain in given.named:
            answer(f"{variable}: {' '.join(map(str, domain))}")
        for constraint in given.constraints:
            answer(f"{constraint.label}: {constraint.describe(given)}")
        for objection in given.objections():
            output.note(f"no solution: {objection}", quiet=quiet)
    return SOLVED


@app.command(name="backends")
def list_backends(as_json: options.Json = False, debug: options.Debug = False) -> int:
    """List the solvers, with their versions."""
    rows = [_backend(name) for name in (*backends.names(), *backends.BY_NAME)]
    rows.append({"name": "brute", "summary": "tries all candidates, asking the rules alone"})
    output.answer_table(rows, as_json=as_json)
    _warn()
    return SOLVED


@app.command()
def schema(debug: options.Debug = False) -> int:
    """Print the JSON Schema of puzzle documents."""
    from csp_sudoku import formats

    answer_lines(json.dumps(formats.schema(), indent=2))
    return SOLVED


def _solutions(
    puzzle: Puzzle,
    backend: str,
    *,
    limit: int | None,
    timeout: float | None,
    seed: int | None,
    quiet: bool,
) -> Solutions:
    with output.working(lambda: "compiling", quiet=quiet):
        wait = options.timeout(timeout)
        return solving.solutions(puzzle, backend, limit=limit or None, timeout=wait, seed=seed)


def _conclude(found: Solutions, count: int, limit: int | None, *, quiet: bool) -> int:
    """Say what was established; the exit code."""
    match found.status:
        case Status.NONE_EXIST:
            output.note("no solution", quiet=quiet)
            return NO_SOLUTION
        case Status.UNKNOWN:
            stuck = getattr(found.statistics, "stuck", 0)
            why = f"stuck with {stuck} open cells" if stuck else "time ran out"
            output.note(f"undecided: {why} before a solution was found", quiet=quiet)
            return UNDECIDED
        case Status.ALL_FOUND:
            all_of_them = "the only solution" if count == 1 else f"all {count} solutions"
            output.hint(all_of_them, quiet=quiet)
        case Status.SOME_FOUND:
            why = "--limit 0 finds all" if count == limit else "time ran out"
            output.hint(f"there may be more solutions: {why}", quiet=quiet)
    return SOLVED


def _count_in_parts(
    puzzle: Puzzle, backend: str, timeout: float | None, workers: int, address: str | None
) -> Count:
    from csp_sudoku import executors
    from csp_sudoku.batches import count_in_parts

    with executors.wanted(workers, address) as executor:
        if executor is None:
            return solving.count(puzzle, backend, timeout=timeout)
        return count_in_parts(puzzle, executor, backend, timeout=timeout)


def _details(found: Solutions | Count) -> dict[str, Any]:
    statistics = found.statistics
    seconds = statistics.compile_seconds + statistics.solve_seconds
    left_out = found.puzzle.left_out if isinstance(found, Solutions) else found.left_out
    return {"backend": found.backend, "seconds": round(seconds, 6)} | (
        {"left_out": list(left_out)} if left_out else {}
    )


def _backend(name: str) -> dict[str, str]:
    try:
        found = backends.get(name)
        return {
            "name": name,
            "summary": found.summary,
            "abilities": ", ".join(found.abilities),
            "version": found.version(),
        }
    except CspSudokuError as error:
        return {"name": name, "summary": f"cannot be used: {error}"}


def _warn() -> None:
    for plugin in plugins.broken():
        output.note(f"warning: {plugin}", quiet=False)
