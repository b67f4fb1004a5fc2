"""The command why: the rules and givens that forbid a value, or every solution."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from csp_sudoku.cli import options, output
from csp_sudoku.cli.output import NO_SOLUTION, SOLVED, answer_json, answer_lines
from csp_sudoku.cli.reading import reads_puzzle
from csp_sudoku.errors import FormatError
from csp_sudoku.puzzle import Puzzle

_EXIT = (
    "Exit status: 0 the value is impossible (with one), 1 there is no solution (without), "
    "2 bad input, or there is no reason: it is possible; 130 interrupted."
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=_EXIT)(reads_puzzle(why))


def why(
    puzzle: Puzzle,
    value: Annotated[
        str,
        typer.Argument(
            metavar="[CELL=VALUE]", help="Why not this, such as R1C1=5; else why no solution."
        ),
    ] = "",
    *,
    timeout: options.Timeout = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> int:
    """Say why a value is impossible, or why a puzzle has no solution.

    The reason is minimal: without any of its rules and givens there would be a solution.

    Examples:

    csp-sudoku why 1............... R1C2=1

    csp-sudoku why broken.json --json
    """
    from csp_sudoku.why import why_not, why_unsolvable

    wait = options.timeout(timeout)
    with output.working(lambda: "looking for the shortest reason", quiet=quiet):
        if value:
            place, number = _asked(value)
            reason = why_not(puzzle, place, number, timeout=wait)
        else:
            reason = why_unsolvable(puzzle, timeout=wait)
    if as_json:
        answer_json(
            {
                "claim": reason.claim,
                "sentences": list(reason.sentences),
                "givens": {str(place): list(kept) for place, kept in reason.givens.items()},
                "rules": [rule.label for rule in reason.constraints],
                "minimal": reason.minimal,
                "confirmed_by": reason.confirmed_by,
            }
        )
    else:
        answer_lines(str(reason))
    if not reason.minimal:
        output.note("time ran out: a part of this may be enough", quiet=quiet)
    if reason.confirmed_by is None:
        output.note("time ran out before a second backend confirmed it", quiet=quiet)
    elif not as_json:
        output.hint(f"minimal, and confirmed by {reason.confirmed_by}", quiet=quiet)
    return SOLVED if value else NO_SOLUTION


def _asked(text: str) -> tuple[str, int]:
    found = re.fullmatch(r"\s*(\S+?)\s*=\s*(-?[0-9]{1,9})\s*", text, re.ASCII)
    if not found:
        raise FormatError(f"{text!a} is no question; write it as R1C1=5")
    return found[1], int(found[2])
