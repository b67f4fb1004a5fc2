"""The commands candidates, redundant, minimal and estimate: what follows, and what is needed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

import csp_sudoku as cs
from csp_sudoku.cells import Place
from csp_sudoku.cli import options, output
from csp_sudoku.cli.codes import NO_SOLUTION, SOLVED, UNDECIDED, exit_status
from csp_sudoku.cli.output import answer, answer_json
from csp_sudoku.cli.reading import reads_puzzle
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import UndecidedError
from csp_sudoku.pictures import terminal
from csp_sudoku.puzzle import Puzzle

if TYPE_CHECKING:
    from csp_sudoku.solving.redundancy import TrueCandidates

_BY_SIGHT = "these candidates follow from givens and houses alone; --true asks a solver"


def marks(
    puzzle: Puzzle, *, only_true: bool, timeout: float | None
) -> dict[Place, tuple[int, ...]]:
    """The candidates of the empty cells: the true ones, or those that show at a glance."""
    if only_true:
        return _of_empty_cells(_ask(puzzle, 1, timeout), puzzle)
    output.note(_BY_SIGHT)
    return terminal.pencil_marks(puzzle)


@click.command(
    epilog=exit_status({0: "shown", 1: "no solution", 3: "some are undecided: time ran out"})
)
@reads_puzzle
@options.number("--count", "Count the solutions of each candidate, up to N.", default=1)
@options.TIMEOUT
@options.answering
def candidates(*, given: Puzzle, count: int, timeout: float | None, as_json: bool) -> int:
    """Show the candidates that are in some solution.

    With --count N, each candidate has the number of its solutions; N+ means N or more.

    \b
    Examples:
      csp-sudoku candidates "1... ..3. .... ...2"
      csp-sudoku candidates puzzle.json --count 10 --json
    """
    found = _ask(given, count, timeout)
    if as_json:
        counts = {str(place): _by_text(row) for place, row in found.counts.items()}
        undecided = [[str(place), value] for place, value in sorted(found.undecided)]
        answer_json({"limit": count, "candidates": counts, "undecided": undecided})
    elif count == 1:
        output.answer_grid(given, candidates=_of_empty_cells(found, given))
        _limit(given, "these are the candidates")
    else:
        _limit(given, "these are the candidates")
        for place, row in found.counts.items():
            shown = [f"{value}:{n}{'+' * (n == count)}" for value, n in row.items() if n]
            answer(f"{place}  {' '.join(shown)}")
    if found.undecided:
        output.note(f"{len(found.undecided)} candidates are undecided: time ran out")
        return UNDECIDED
    if not any(any(row.values()) for row in found.counts.values()):
        return output.no_solution(given)
    return SOLVED


@click.command(
    epilog=exit_status({0: "listed, or nothing can go", 3: "some are undecided: time ran out"})
)
@reads_puzzle
@options.TIMEOUT
@options.answering
def redundant(*, given: Puzzle, timeout: float | None, as_json: bool) -> int:
    """List givens and rules that are not needed.

    Without them the solutions are the same. The first lists name what can go by itself. The last
    one names what can go together.

    \b
    Examples:
      csp-sudoku redundant "1234 3412 2143 4..."
      csp-sudoku redundant puzzle.json --json
    """
    with output.working(lambda: "asking about each given and each rule"):
        found = cs.redundant(given, timeout=timeout)
    lists = {
        "givens": found.givens,
        "rules": found.constraints,
        "together": found.together,
        "undecided": found.undecided,
    }
    if as_json:
        answer_json({name: [*map(_name, items)] for name, items in lists.items()})
    else:
        for name, items in lists.items():
            if items:
                answer(f"{name}: {', '.join(map(_name, items))}")
        if not (found.together or found.undecided):
            answer(output.verdict("nothing can go"))
        else:
            _limit(given, "these can go")
    return UNDECIDED if found.undecided else SOLVED


@click.command(epilog=exit_status({0: "minimal", 1: "not minimal", 3: "undecided: time ran out"}))
@reads_puzzle
@options.TIMEOUT
@options.answering
def minimal(*, given: Puzzle, timeout: float | None, as_json: bool) -> int:
    """Say whether every given is needed. `csp-sudoku redundant` names those that are not.

    \b
    Examples:
      csp-sudoku minimal "1... ..3. .4.. ...2"
    """
    try:
        with output.working(lambda: "asking about each given"):
            # The verdict names what was left out.
            found = cs.is_minimal(replace(given, left_out=()), timeout=timeout)
    except UndecidedError as error:
        if as_json:
            answer_json({"minimal": None})
        output.note(f"undecided: {error}")
        return UNDECIDED
    said = output.verdict("minimal" if found else "not minimal: a given can go")
    output.answer_either({"minimal": found}, [said], as_json=as_json)
    return SOLVED if found else NO_SOLUTION


@click.command(
    epilog=exit_status({0: "estimated, or counted", 1: "no solution", 3: "undecided: no time"})
)
@reads_puzzle
@options.number("--samples", "How many samples to draw.", default=200)
@options.SEED
@options.TIMEOUT
@options.answering
def estimate(*, given: Puzzle, as_json: bool, **asked: Any) -> int:
    """Estimate the number of solutions.

    It is for puzzles with too many to count. The estimate is unbiased, and has a 95 % confidence
    interval.

    \b
    Examples:
      csp-sudoku estimate puzzle.json
      csp-sudoku estimate puzzle.json --samples 1000 --seed 1
    """
    try:
        with output.working(lambda: "drawing samples"):
            found = cs.estimate(given, **asked)
    except UndecidedError as error:
        output.note(f"undecided: {error}")
        return UNDECIDED
    if as_json:
        answer_json(
            {
                "estimate": found.value,
                "low": found.low,
                "high": found.high,
                "error": found.error,
                "samples": found.samples,
                "exact": found.exact,
                "method": found.method,
            }
        )
    else:
        answer(str(found))
        output.hint(found.method)
    return output.no_solution(given) if found.exact and not found.value else SOLVED


def _limit(puzzle: Puzzle, words: str) -> None:
    """Say that an answer is about a part of the rules, if it is."""
    if puzzle.left_out:
        answer(output.verdict(words))


def _ask(puzzle: Puzzle, limit: int, timeout: float | None) -> TrueCandidates:
    with output.working(lambda: "asking about each candidate"):
        return cs.true_candidates(puzzle, limit=limit, timeout=timeout)


def _of_empty_cells(found: TrueCandidates, puzzle: Puzzle) -> dict[Place, tuple[int, ...]]:
    return {place: v for place, v in found.values.items() if place not in puzzle.givens}


def _by_text(row: Any) -> dict[str, int]:
    return {str(value): number for value, number in row.items()}


def _name(item: Place | Constraint) -> str:
    return item.label if isinstance(item, Constraint) else str(item)
