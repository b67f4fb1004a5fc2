"""The options that say how to read a puzzle, declared once for all commands that read one."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce, wraps
from typing import Any

from csp_sudoku.cli import inputs, options

# The keyword arguments of `read`, and the option of each.
_READING = {
    "rules": options.RULE,
    "size": options.SIZE,
    "box": options.BOX,
    "values": options.VALUES,
    "dialect": options.DIALECT,
    "lenient": options.LENIENT,
    "download": options.DOWNLOAD,
    "explains": options.EXPLAINS,
    "reading": options.READING,
}


def reading_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that say how to read a puzzle.

    Its parameter ``how`` gets the keyword arguments of :func:`csp_sudoku.read`.

    Examples
    --------
    >>> import click
    >>> @click.command()
    ... @reading_options
    ... def lenient(how):
    ...     return how["lenient"]
    >>> lenient.main(["--lenient"], standalone_mode=False)
    True
    """

    @wraps(command)
    def run(**chosen: Any) -> int:
        how = {name: chosen.pop(name) for name in _READING}
        return command(how=how, **chosen)

    return reduce(lambda known, option: option(known), reversed(_READING.values()), run)


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

    return _reads(command, inputs.read_puzzle)


def reads_reading(command: Callable[..., int]) -> Callable[..., int]:
    """Do the same as :func:`reads_puzzle`; ``given`` gets a Reading, with what was entered."""
    return _reads(command, inputs.read_reading)


def _reads(
    command: Callable[..., int], read: Callable[[str, inputs.HowToRead], object]
) -> Callable[..., int]:
    @wraps(command)
    def run(*, puzzle: str, how: inputs.HowToRead, **chosen: Any) -> int:
        return command(given=read(puzzle, how), **chosen)

    found: Callable[..., int] = options.puzzle()(reading_options(run))
    return found
