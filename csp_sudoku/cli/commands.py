"""The commands solve, count, check and show, and the lists backends and schema."""

from __future__ import annotations

import json
from typing import Any

import click

from csp_sudoku import backends, plugins
from csp_sudoku.cells import Var
from csp_sudoku.cli import inputs, options, output
from csp_sudoku.cli.codes import NO_SOLUTION, SOLVED, UNDECIDED, exit_status
from csp_sudoku.cli.inputs import HowToRead
from csp_sudoku.cli.output import answer, answer_json, answer_lines
from csp_sudoku.cli.reading import reading_options, reads_puzzle, reads_reading
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import Reading
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving import solve as solving
from csp_sudoku.solving.results import Count, Status
from csp_sudoku.solving.solve import Solutions

_EXIT = exit_status({0: "solved, or counted", 1: "no solution", 3: "undecided: time ran out"})
_CHECK_EXIT = exit_status(
    {
        0: "the grid is correct, or the claim is right",
        1: "the grid breaks a rule",
        3: "cells are empty, the claim is undecided, or the stated solution disagrees",
        6: "the claim is wrong",
    }
)


@click.command(epilog=_EXIT)
@options.puzzle(required=False)
@click.option("--interactive", "-i", is_flag=True, help="Ask for the puzzle, row by row.")
@reading_options
@options.backend()
@options.limit(None)
@options.TIMEOUT
@options.SEED
@options.answering
def solve(
    *,
    puzzle: str | None,
    interactive: bool,
    how: HowToRead,
    backend: str,
    limit: int | None,
    timeout: float | None,
    seed: int | None,
    as_json: bool,
) -> int:
    """Solve a puzzle: find one solution, or more with --limit.

    On a terminal each solution is drawn. Elsewhere it is one line.

    \b
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
    found = _solutions(given, backend, limit=limit, timeout=timeout, seed=seed)
    texts: list[str] = []
    named: list[dict[str, int]] = []
    layers: list[dict[str, str]] = []
    count = 0
    while not limit or count < limit:
        with output.working(lambda: f"searching, {found.statistics.solutions} found so far"):
            solution = next(found, None)
        if solution is None:
            break
        count += 1
        if as_json:
            texts.append(solution.text)
            named.append(solution.named)
            layers.append(solution.layer_texts)
        else:
            output.answer_solution(given, solution)
    found.close()
    if as_json:
        extra = ({"named": named} if any(named) else {}) | (
            {"layers": layers} if any(layers) else {}
        )
        answer_json(
            {
                "status": output.verdict(found.status.name),
                "complete": found.complete,
                "solutions": texts,
            }
            | extra
            | _details(found)
        )
    return _conclude(given, found, count, limit)


@click.command(epilog=_EXIT)
@reads_puzzle
@options.backend()
@options.limit(0)
@click.option(
    "--of",
    metavar="CELLS",
    help="The cells and variables that count, or 'grid': solutions that differ only elsewhere are "
    "one. Default: all.",
)
@options.TIMEOUT
@options.SEED
@options.WORKERS
@options.DASK
@options.answering
def count(
    *,
    given: Puzzle,
    backend: str,
    limit: int,
    of: str | None,
    timeout: float | None,
    seed: int | None,
    workers: int,
    dask: str | None,
    as_json: bool,
) -> int:
    """Count the solutions of a puzzle.

    With --workers or --dask the puzzle is split into parts, and --timeout applies to each part.
    Where counting one by one takes long, a 9x9 without further rules is counted by its bands, and
    others by a sweep over the cells and by the model counter ganak, of the extra csp-sudoku[count].
    --backend bands, --backend sweep or --backend ganak asks one alone.

    \b
    Examples:
      csp-sudoku count 1...............
      csp-sudoku count puzzle.json --limit 1000 --json
      csp-sudoku count puzzle.json --workers 2
    """
    from csp_sudoku.counting import count as counting

    if workers > 1 or dask is not None:
        if limit or of or seed is not None:
            raise FormatError(
                "--limit, --of and --seed are for one process: leave out --workers, --dask"
            )
        with output.working(lambda: "counting in parts"):
            found = _count_in_parts(given, backend, timeout, workers, dask)
    elif backend in counting.WAYS or (seed is None and not limit):
        with output.working(lambda: "counting"):
            chosen = backend if backend in counting.WAYS else options.for_one_puzzle(backend)
            found = counting.count(given, chosen, limit=limit or None, timeout=timeout, of=of)
    else:
        started = _solutions(given, backend, limit=limit, timeout=timeout, seed=seed, of=of)
        with output.working(lambda: f"counting, {started.statistics.solutions} so far"):
            found = started.count(limit or None)
    document = {"count": found.value, "complete": found.complete, "verified": found.verified}
    said = output.verdict(f"{'' if found.complete else 'at least '}{found.value}")
    output.answer_either(document | _details(found), [said], as_json=as_json)
    if found.complete and not found.value:
        return output.no_solution(given)
    if found.complete or (limit and found.value >= limit):
        return SOLVED
    output.note(f"{found.reason} before all solutions were counted")
    return UNDECIDED


@click.command(epilog=_CHECK_EXIT)
@reads_reading
@options.argument(
    "grid",
    "[GRID]",
    "The grid to check. Default: the givens of PUZZLE, and what a solver has entered.",
    required=False,
)
@click.option(
    "--claim",
    metavar="FILE",
    help="Check a claim instead: solutions, 'no solution', a count or a proof.",
)
@options.answering
def check(*, given: Reading, grid: str | None, claim: str | None, as_json: bool) -> int:
    """Check a grid, full or partly filled, by the rules alone. No solver is asked.

    If the source of PUZZLE states its solution, the grid is compared with it, too.

    With --claim, check the output of another program. Solvers are asked where the rules alone
    cannot tell.

    \b
    Examples:
      csp-sudoku check 0100300140020040 2134342143121243
      csp-sudoku check puzzle.json --claim answer.txt
      csp-sudoku check solved.txt --rule anti-king
    """
    if claim is not None:
        from csp_sudoku.cli import cross_checking

        return cross_checking.check_claim(given.puzzle, claim, as_json=as_json)
    found = inputs.check(click.get_current_context().params["puzzle"], grid or "", given)
    document = {
        "verdict": output.verdict(found.verdict.name),
        "violations": [str(violation) for violation in found.violations],
        "open": [str(place) for place in found.missing],
        "disputes": list(found.disputes),
    }
    said = (*found.violations, *found.disputes) if found.violations else (found,)
    output.answer_either(document, said, as_json=as_json)
    if found.violations:
        return NO_SOLUTION
    return SOLVED if found.ok else UNDECIDED


@click.command(epilog=exit_status({0: "shown"}))
@reads_reading
@click.option("--graph", is_flag=True, help="Print the constraint graph instead of the grid.")
@click.option("--candidates", is_flag=True, help="Print the candidates of empty cells.")
@options.TRUE
@options.TIMEOUT
@options.answering
def show(
    *,
    given: Reading,
    graph: bool,
    candidates: bool,
    only_true: bool,
    timeout: float | None,
    as_json: bool,
) -> int:
    """Draw a puzzle and list its rules. With --json, write it as a document.

    The title, the author, the rules text, the stated solution, what a solver has entered, and the
    notes are listed, too, if the source has them. `csp-sudoku inspect` says how they were read.

    \b
    Examples:
      csp-sudoku show puzzle.sdk
      csp-sudoku show 0100300140020040 --graph
      csp-sudoku show puzzle.sdk --candidates --true
      csp-sudoku show puzzle.sdk --rule diagonals --json > puzzle.json
    """
    puzzle = given.puzzle
    if as_json:
        from csp_sudoku.formats import write_json

        answer_lines(write_json(puzzle))
    elif graph:
        from csp_sudoku.cli import graph_text

        for line in graph_text.lines(puzzle):
            answer(line)
    else:
        marks = None
        if candidates or only_true:
            from csp_sudoku.cli.candidates import marks as marked

            marks = marked(puzzle, only_true=only_true, timeout=timeout)
        output.answer_grid(puzzle, candidates=marks)
        for variable, domain in puzzle.named:
            if type(variable) is Var:
                answer(f"{variable}: {' '.join(map(str, domain))}")
        for name, places in puzzle.layers.items():
            values = " ".join(map(str, puzzle.values_of(places[0])))
            answer(f"layer {name}: {values}, on {len(places)} places")
        for constraint in puzzle.constraints:
            answer(f"{constraint.label}: {constraint.describe(puzzle)}")
        for name, said in besides(given).items():
            for line in said:
                answer(f"{name}: {line}")
        for objection in puzzle.objections():
            output.note(f"no solution: {objection}")
    return SOLVED


def besides(reading: Reading) -> dict[str, list[str]]:
    """What the source of a puzzle says besides its rules, by name; only what it has."""
    values = ["." if value is None else str(value) for value in reading.solution]
    solution = ("" if all(len(value) == 1 for value in values) else " ").join(values)
    said = {
        "title": [reading.title],
        "author": [reading.author],
        "rules text": reading.rules.splitlines(),
        "stated solution": [solution],
        "entered": [" ".join(entered(reading))],
        "note": list(reading.notes),
    }
    return {name: kept for name, lines in said.items() if (kept := [*filter(None, lines)])}


def entered(reading: Reading) -> list[str]:
    """The digits that a solver has entered."""
    return [f"{place}={value}" for place, value in reading.progress.values.items()]


@click.command()
@options.JSON
@options.DEBUG
def list_backends(*, as_json: bool) -> int:
    """List the solvers and their versions."""
    rows = [_backend(name) for name in (*backends.names(), *backends.BY_NAME)]
    rows.append({"name": "brute", "summary": "tries all candidates, asking the rules alone"})
    output.answer_table(rows, as_json=as_json)
    for plugin in plugins.broken():
        output.note(f"warning: {plugin}")
    return SOLVED


@click.command()
@options.DEBUG
def schema() -> int:
    """Print the JSON Schema of puzzle documents."""
    from csp_sudoku import formats

    answer_lines(json.dumps(formats.schema(), indent=2))
    return SOLVED


def _solutions(
    puzzle: Puzzle,
    backend: str,
    *,
    limit: int,
    timeout: float | None,
    seed: int | None,
    of: str | None = None,
) -> Solutions:
    with output.working(lambda: "compiling"):
        chosen, most = options.for_one_puzzle(backend), limit or None
        return solving.solutions(puzzle, chosen, limit=most, timeout=timeout, seed=seed, of=of)


def _conclude(puzzle: Puzzle, found: Solutions, count: int, limit: int) -> int:
    """Say what was established, and return the exit code."""
    match found.status:
        case Status.NONE_EXIST:
            return output.no_solution(puzzle)
        case Status.UNKNOWN:
            output.note(f"undecided: {found.reason} before a solution was found")
            return UNDECIDED
        case Status.ALL_FOUND:
            all_of_them = "the only solution" if count == 1 else f"all {count} solutions"
            output.hint(output.verdict(all_of_them))
        case Status.SOME_FOUND:
            why = "--limit 0 finds all" if count == limit else found.reason
            output.hint(f"there may be more solutions: {why}")
    return SOLVED


def _count_in_parts(
    puzzle: Puzzle, backend: str, timeout: float | None, workers: int, address: str | None
) -> Count:
    from csp_sudoku import executors
    from csp_sudoku.batches.cubes import count_in_parts

    with executors.wanted(workers, address) as executor:
        if executor is None:
            from csp_sudoku.counting.count import count

            return count(puzzle, backend, timeout=timeout)
        return count_in_parts(puzzle, executor, backend, timeout=timeout)


def _details(found: Solutions | Count) -> dict[str, Any]:
    statistics = found.statistics
    seconds = statistics.compile_seconds + statistics.solve_seconds
    return {"backend": found.backend, "seconds": round(seconds, 6)}


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
