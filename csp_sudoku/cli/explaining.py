"""The commands hint, explain and rate: how a person would solve a puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

import csp_sudoku as cs
from csp_sudoku.cli import inputs, options, output
from csp_sudoku.cli.codes import NO_SOLUTION, SOLVED, UNDECIDED, exit_status
from csp_sudoku.cli.inputs import HowToRead
from csp_sudoku.cli.output import answer, answer_json
from csp_sudoku.cli.reading import reading_options, reads_reading
from csp_sudoku.errors import FormatError, PuzzleError, UndecidedError
from csp_sudoku.formats import Reading
from csp_sudoku.pictures import terminal
from csp_sudoku.puzzle import Puzzle

if TYPE_CHECKING:
    from csp_sudoku.strategies import Explanation, Step

_EXIT = exit_status(
    {
        0: "a step was found; the puzzle was solved or rated",
        1: "no solution",
        3: "undecided: several solutions, or time ran out",
    }
)
# By the name of the ending, because the strategies are loaded late.
_CODES = {
    "SOLVED": SOLVED,
    "NO_SOLUTION": NO_SOLUTION,
    "SEVERAL_SOLUTIONS": UNDECIDED,
    "STUCK": UNDECIDED,
    "OUT_OF_TIME": UNDECIDED,
}

_SINGLES = (
    "last cell",
    "hidden single in a block",
    "hidden single in a line",
    "naked single",
)

_uniqueness: options.Decorator[Any] = click.option(
    "--uniqueness",
    is_flag=True,
    help="Allow steps that rely on there being one solution, such as unique rectangles.",
)


@click.command(epilog=_EXIT)
@reads_reading
@_uniqueness
@click.option("--technique", metavar="NAME", help="Find a step of this technique, as in W-wing.")
@options.drawing("step")
@options.TIMEOUT
@options.answering
def hint(
    *,
    given: Reading,
    to: str | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """Explain the next step of a puzzle.

    Candidate lists in the file of the puzzle are used as pencil marks. If the link of an f-puzzles,
    SudokuPad, SudokuMaker, SudokuWiki or penpa puzzle holds what a solver has entered, the step
    goes on from there, and an entry that is wrong is named.

    \b
    Examples:
      csp-sudoku hint 0100300140020040
      csp-sudoku hint half-way.json --json
      csp-sudoku hint puzzle.sdk --technique w-wing
      csp-sudoku hint puzzle.sdk -o step.svg
    """
    with output.working(lambda: "looking for a step"):
        step = cs.hint(given, **asked)
    if step is None:
        if as_json:
            answer_json(None)
        output.note("every cell is filled: there is no next step")
        return SOLVED
    if to is not None:
        from csp_sudoku.pictures.render import step_svg

        output.write_file(to, step_svg(step, given.started).encode())
    if as_json:
        answer_json(_record(step))
    elif to != "-":
        answer(str(step))
    if step.technique in ("contradiction", "wrong entry"):
        return NO_SOLUTION
    return SOLVED if step.conclusions else UNDECIDED


@click.command(epilog=_EXIT)
@reads_reading
@options.number("--steps", "Show only the first N steps.")
@click.option("--until", metavar="CELL", help="Stop when this cell has its value.")
@click.option("--html", metavar="FILE", help="Write a page with a picture for each step.")
@_uniqueness
@click.option("--only", metavar="NAME", multiple=True, help="Use this technique (repeatable).")
@click.option("--without", metavar="NAME", multiple=True, help="Do not use it (repeatable).")
@click.option("--full", is_flag=True, help="Tell long arguments in full.")
@click.option("--short", is_flag=True, help="Drop steps that no other needs; fold singles.")
@options.TIMEOUT
@options.answering
def explain(
    *,
    given: Reading,
    steps: int | None,
    until: str | None,
    html: str | None,
    full: bool,
    short: bool,
    as_json: bool,
    **asked: Any,
) -> int:
    """Solve a puzzle step by step, with a reason for each. Go on from what a solver has entered.

    \b
    Examples:
      csp-sudoku explain 0100300140020040
      csp-sudoku explain killer.json --steps 10
      csp-sudoku explain puzzle.sdk --until R5C5
      csp-sudoku explain puzzle.sdk --html steps.html
      csp-sudoku explain puzzle.sdk --short
      csp-sudoku explain puzzle.sdk --without "forcing chain" --without AIC
      csp-sudoku explain puzzle.sdk --rule anti-knight --json
    """
    with output.working(lambda: "looking for steps"):
        found = cs.explain(given, **asked)
        if short:
            found = found.shortened()
    shown = found.steps[: _last(found, steps, until)]
    if html is not None:
        from csp_sudoku.pictures.explanation import explanation_page

        output.write_file(html, explanation_page(found, len(shown)).encode())
        if not as_json:
            output.note(f"{len(shown)} of {len(found.steps)} steps: {found.remark}")
            return _CODES[found.ending.name]
    if as_json:
        answer_json(
            {
                "ending": output.verdict(found.ending.value),
                "remark": found.remark,
                "steps": [_record(step) for step in shown],
                "solution": found.solution.text if found.solution else None,
            }
        )
        return _CODES[found.ending.name]
    width = len(str(len(found.steps)))
    number = 0
    for steps_together in _runs(shown) if short else [[step] for step in shown]:
        number += len(steps_together)
        if len(steps_together) > 1:
            values = ", ".join(f"{p} = {v}" for step in steps_together for p, v in step.placements)
            first = number - len(steps_together) + 1
            answer(f"{first}-{number}. {len(steps_together)} singles: {values}")
            continue
        [step] = steps_together
        told = f"{step.technique}: {step.sentence}" if full else str(step)
        answer(f"{number:>{width}}. {told}")
    if len(shown) < len(found.steps):
        output.note(f"{len(found.steps) - len(shown)} more steps follow")
    else:
        _conclude(found)
    return _CODES[found.ending.name]


@click.command(epilog=_EXIT)
@options.argument(
    "puzzles", "PUZZLE...", "Files, puzzles, or - for standard input.", nargs=-1, required=True
)
@reading_options
@_uniqueness
@options.TIMEOUT
@options.answering
def rate(
    *,
    puzzles: tuple[str, ...],
    how: HowToRead,
    uniqueness: bool,
    timeout: float | None,
    as_json: bool,
) -> int:
    """Say how hard puzzles are.

    The answer is the score and the name of the hardest technique that a puzzle needs:
    1.2 is a hidden single in a box, 2.3 a naked single, 3.0 a pair, 4.2 an XY-wing, 6.6 a chain,
    8.5 a forcing chain, 10 and more nested ones. A file may hold many puzzles. Each puzzle gets a
    line, even if it cannot be rated.

    \b
    Examples:
      csp-sudoku rate 0100300140020040
      csp-sudoku rate puzzles.txt --timeout 60 --json
    """
    code = SOLVED
    for argument in puzzles:
        for puzzle in inputs.read_puzzles(argument, how):
            with output.working(lambda: "rating"):
                record, ending = _rated(puzzle, uniqueness, timeout)
            code = max(code, ending)
            if as_json:
                answer_json(record)
            else:
                rated = f"{record.get('score')} {record.get('hardest')}"
                answer(record.get("error") or output.verdict(rated))
    return code


def _last(found: Explanation, steps: int | None, until: str | None) -> int | None:
    """How many steps are shown: so many, or until a cell has its value."""
    if until is None:
        return steps
    place = cs.cell(until)
    if not found.puzzle.has(place):
        raise FormatError(f"--until {until}: {found.puzzle.no_such_place(place)}")
    for number, step in enumerate(found.steps, 1):
        if any(placed == place for placed, _ in step.placements):
            return number if steps is None else min(number, steps)
    return steps


def _runs(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """The steps in order; singles that follow each other are together."""
    for is_single, run in groupby(steps, key=lambda step: step.technique in _SINGLES):
        if is_single:
            yield list(run)
        else:
            yield from ([step] for step in run)


def _rated(puzzle: Puzzle, uniqueness: bool, timeout: float | None) -> tuple[dict[str, Any], int]:
    from csp_sudoku.strategies import rating_of

    explanation = cs.explain(puzzle, uniqueness=uniqueness, timeout=timeout)
    try:
        rating = rating_of(explanation)
    except (PuzzleError, UndecidedError) as error:
        return {"error": str(error)}, _CODES[explanation.ending.name]
    return {
        "score": rating.score,
        "hardest": rating.hardest or "nothing to do",
        "counts": dict(rating.counts),
    }, SOLVED


def _conclude(found: Explanation) -> None:
    if found.solution is not None:
        output.answer_solution(found.puzzle, found.solution)
        if found.left_out:
            answer(found.remark)
    else:
        if found.ending.name != "NO_SOLUTION":
            state = found.state()
            output.answer_grid(state, candidates=terminal.pencil_marks(state))
        output.note(found.remark)


def _record(step: Step) -> dict[str, Any]:
    return {
        "technique": step.technique,
        "score": step.score,
        "cells": [str(place) for place in step.cells],
        "placements": [[str(place), value] for place, value in step.placements],
        "eliminations": [[str(place), value] for place, value in step.eliminations],
        "summary": step.summary,
        "sentence": step.sentence,
        "relies_on_uniqueness": step.relies_on_uniqueness,
    }
