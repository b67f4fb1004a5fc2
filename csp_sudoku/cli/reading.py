"""The options that say how to read a puzzle, declared once for all commands that read one."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce, wraps
from typing import Any

from csp_sudoku.cli import inputs, options, output
from csp_sudoku.puzzle import Puzzle

_READING = (
    options.RULE,
    options.SIZE,
    options.BOX,
    options.VALUES,
    options.DIALECT,
    options.LENIENT,
)


def reading_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that say how to read a puzzle.

    Its parameter ``how`` gets the keyword arguments of :func:`csp_sudoku.read`.

    Examples
    --------
    >>> import click
    >>> @click.command()
    ... @reading_options
    ... @options.QUIET
    ... def lenient(how, quiet):
    ...     return how["lenient"]
    >>> [parameter.name for parameter in lenient.params]
    ['rules', 'size', 'box', 'values', 'dialect', 'lenient', 'quiet']
    >>> lenient.main(["--lenient"], standalone_mode=False)
    True
    """

    @wraps(command)
    def run(
        *,
        rules: Any,
        size: Any,
        box: Any,
        values: Any,
        dialect: str | None,
        lenient: bool,
        **chosen: Any,
    ) -> int:
        how = {
            "rules": rules,
            "size": size,
            "box": box,
            "values": values,
            "dialect": dialect,
            "lenient": lenient,
        }
        return command(how=how, **chosen)

    return reduce(lambda known, option: option(known), reversed(_READING), run)


def reads_puzzle(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the argument PUZZLE and the options that say how to read it.

    The command's parameter ``given`` gets the puzzle that was read.

    Examples
    --------
    >>> import click
    >>> @click.command()
    ... @reads_puzzle
    ... def givens(given):
    ...     return len(given.givens)
    >>> givens.main(["12.............."], standalone_mode=False)
    2
    """

    @wraps(command)
    def run(*, puzzle: str, how: inputs.HowToRead, **chosen: Any) -> int:
        given = inputs.read_puzzle(puzzle, how)
        name_left_out(given)
        return command(given=given, **chosen)

    found: Callable[..., int] = options.puzzle()(reading_options(run))
    return found


def name_left_out(puzzle: Puzzle) -> None:
    """Name the rules that a puzzle was read without. ``--quiet`` does not hide them."""
    for reason in puzzle.left_out:
        output.note(f"left out: {reason}", quiet=False)
