"""The command why: which rules and givens forbid a value, or any solution."""

from __future__ import annotations

import re

import click

from csp_sudoku.cells import cell
from csp_sudoku.cli import options, output
from csp_sudoku.cli.codes import NO_SOLUTION, SOLVED, exit_status
from csp_sudoku.cli.output import answer_json, answer_lines
from csp_sudoku.cli.reading import reads_puzzle
from csp_sudoku.errors import FormatError
from csp_sudoku.puzzle import Puzzle

_EXIT = exit_status(
    {
        0: "CELL=VALUE is impossible, for this reason",
        1: "the puzzle has no solution, for this reason (without CELL=VALUE)",
        2: "bad input; or there is no reason, because there is a solution",
    }
)


@click.command(epilog=_EXIT)
@reads_puzzle
@options.argument(
    "value",
    "[CELL=VALUE]",
    "Why this is impossible, such as R1C1=5. Default: why there is no solution.",
    required=False,
)
@options.drawing("reason")
@options.TIMEOUT
@options.answering
def why(
    *,
    given: Puzzle,
    value: str | None,
    to: str | None,
    timeout: float | None,
    as_json: bool,
) -> int:
    """Explain why a value, or a whole puzzle, is impossible.

    The reason is minimal: without any one of its rules and givens there would be a solution.

    \b
    Examples:
      csp-sudoku why 1............... R1C2=1
      csp-sudoku why broken.json --json
      csp-sudoku why 1............... R1C2=1 -o reason.svg
    """
    from csp_sudoku.why import why_not, why_unsolvable

    excluded = None
    with output.working(lambda: "looking for the shortest reason"):
        if value:
            place, number = _asked(value)
            excluded = (cell(place), number)
            reason = why_not(given, place, number, timeout=timeout)
        else:
            reason = why_unsolvable(given, timeout=timeout)
    if to is not None:
        from csp_sudoku.pictures.explanation import reason_svg

        output.write_file(to, reason_svg(reason, given, excluded).encode())
    if as_json:
        answer_json(
            {
                "claim": output.verdict(reason.claim),
                "sentences": list(reason.sentences),
                "givens": {str(place): list(kept) for place, kept in reason.givens.items()},
                "rules": [rule.label for rule in reason.constraints],
                "minimal": reason.minimal,
                "confirmed_by": reason.confirmed_by,
            }
        )
    elif to != "-":
        answer_lines(str(reason))
    if not reason.minimal:
        output.note("time ran out: a smaller reason may exist")
    if reason.confirmed_by is None:
        output.note("time ran out before a second solver confirmed it")
    elif not as_json:
        output.hint(f"minimal, and confirmed by {reason.confirmed_by}")
    return SOLVED if value else NO_SOLUTION


def _asked(text: str) -> tuple[str, int]:
    found = re.fullmatch(r"\s*(\S+?)\s*=\s*(-?[0-9]{1,9})\s*", text, re.ASCII)
    if not found:
        raise FormatError(f"{text!a} is not a cell and a value; write it as R1C1=5")
    return found[1], int(found[2])
