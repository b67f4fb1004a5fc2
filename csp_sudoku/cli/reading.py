"""The options of how to read a puzzle, declared once for all commands that read one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from csp_sudoku.cli import inputs, options, output


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
    reading = inspect.signature(_reading, eval_str=True)
    own = inspect.signature(command, eval_str=True)
    others = [p for name, p in own.parameters.items() if name != "argument"][1:]

    @wraps(command)
    def run(puzzle: str, **chosen: Any) -> int:
        how = {name: chosen.pop(name) for name in reading.parameters if name in chosen}
        if "argument" in own.parameters:
            chosen["argument"] = puzzle
        given = inputs.read_puzzle(puzzle, how.pop("rule"), **how)
        for reason in given.left_out:
            output.note(f"left out: {reason}", quiet=chosen.get("quiet", False))
        return command(given, **chosen)

    parameters = sorted((*reading.parameters.values(), *others), key=lambda p: p.kind)
    run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    return run


def _reading(
    puzzle: options.Puzzle,
    *,
    rule: options.Rules = None,
    size: options.Size = None,
    box: options.Box = None,
    values: options.Values = None,
    dialect: options.Dialect = None,
    lenient: options.Lenient = False,
) -> None:
    """What a command that reads a puzzle can be told about it."""
