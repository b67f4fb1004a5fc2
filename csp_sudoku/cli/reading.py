"""The options of how to read a puzzle, declared once for all commands that read one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from csp_sudoku.cli import inputs, options, output
from csp_sudoku.cli.inputs import HowToRead
from csp_sudoku.puzzle import Puzzle


def knows_how_to_read(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of how to read a puzzle: its parameter ``how`` holds them.

    Examples
    --------
    >>> @knows_how_to_read
    ... def puzzles(file, *, how, loud=False):
    ...     return len(list(inputs.read_puzzles(file, how)))
    >>> list(inspect.signature(puzzles).parameters)
    ['file', 'rule', 'size', 'box', 'values', 'dialect', 'lenient', 'loud']
    >>> puzzles("1...............", lenient=True)
    1
    """
    reading = inspect.signature(_reading, eval_str=True).parameters
    own = inspect.signature(command, eval_str=True)

    @wraps(command)
    def run(*arguments: Any, **chosen: Any) -> int:
        how = HowToRead(**{name: chosen.pop(name) for name in reading if name in chosen})
        return command(*arguments, how=how, **chosen)

    others = [p for name, p in own.parameters.items() if name != "how"]
    parameters = sorted((*reading.values(), *others), key=lambda p: p.kind)
    _pretend(run, own.replace(parameters=parameters))
    return run


def reads_puzzle(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the argument PUZZLE and the options of how to read it.

    The command itself takes the puzzle that was read, as its first parameter. If it has a parameter
    ``argument``, it is told what was typed as well.

    Examples
    --------
    >>> @reads_puzzle
    ... def givens(puzzle, *, loud=False):
    ...     return len(puzzle.givens)
    >>> list(inspect.signature(givens).parameters)
    ['puzzle', 'rule', 'size', 'box', 'values', 'dialect', 'lenient', 'loud']
    """
    own = inspect.signature(command, eval_str=True)

    @wraps(command)
    def run(puzzle: str, *arguments: Any, how: HowToRead, **chosen: Any) -> int:
        if "argument" in own.parameters:
            chosen["argument"] = puzzle
        given = inputs.read_puzzle(puzzle, how)
        say_left_out(given, quiet=chosen.get("quiet", False))
        return command(given, *arguments, **chosen)

    [_, *others] = [p for name, p in own.parameters.items() if name != "argument"]
    how = inspect.Parameter("how", inspect.Parameter.KEYWORD_ONLY)
    mine = inspect.signature(_puzzle, eval_str=True).parameters.values()
    parameters = sorted((*mine, *others, how), key=lambda p: p.kind)
    _pretend(run, own.replace(parameters=parameters))
    return knows_how_to_read(run)


def say_left_out(puzzle: Puzzle, *, quiet: bool) -> None:
    """Name the rules that a puzzle was read without."""
    for reason in puzzle.left_out:
        output.note(f"left out: {reason}", quiet=quiet)


def _pretend(function: Any, signature: inspect.Signature) -> None:
    """Give a function a signature for those who look at it, as Typer does."""
    function.__signature__ = signature
    function.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()}


def _puzzle(puzzle: options.Puzzle) -> None:
    """The argument of a command that reads a puzzle."""


def _reading(
    *,
    rule: options.Rules = None,
    size: options.Size = None,
    box: options.Box = None,
    values: options.Values = None,
    dialect: options.Dialect = None,
    lenient: options.Lenient = False,
) -> None:
    """What such a command can be told about the puzzle."""
