"""The options of all commands: each has one name and one meaning everywhere."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import typer

from csp_sudoku.errors import FormatError

Puzzle = Annotated[
    str,
    typer.Argument(
        metavar="PUZZLE", help="A file, a link, the puzzle itself, or - for standard input."
    ),
]
MaybePuzzle = Annotated[
    str | None,
    typer.Argument(
        metavar="[PUZZLE]", help="A file, a link, the puzzle itself, or - for standard input."
    ),
]
Grid = Annotated[
    str,
    typer.Argument(metavar="[GRID]", help="What to check; without it, PUZZLE itself is checked."),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="NAME",
        help="Add a rule for the whole grid, such as anti-knight. May be repeated.",
    ),
]
Size = Annotated[
    str | None,
    typer.Option("--size", metavar="N|RxC", help="The rows and columns, if they are no square."),
]
Box = Annotated[
    str | None,
    typer.Option("--box", metavar="RxC|none", help="The rows and columns of a box."),
]
Values = Annotated[
    str | None,
    typer.Option("--values", metavar="LOW-HIGH", help="The values, if they do not begin at 1."),
]
Dialect = Annotated[
    str | None,
    typer.Option("--dialect", metavar="NAME", help="How to read text that may mean two things."),
]
Lenient = Annotated[
    bool,
    typer.Option("--lenient", help="Leave out rules that are unknown here, and name them."),
]
Backend = Annotated[
    str,
    typer.Option("--backend", metavar="NAME", help="The solver: see csp-sudoku backends."),
]
Limit = Annotated[
    int | None,
    typer.Option(
        "--limit", metavar="N", min=0, help="Stop after so many solutions; 0 for no limit."
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", metavar="SECONDS", help="Stop when so much time has passed."),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="Fix every random choice."),
]
Workers = Annotated[
    int, typer.Option("--workers", metavar="N", min=1, help="Processes of this machine.")
]
Dask = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="The scheduler of a Dask cluster, tcp://…"),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No notes and no progress.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]


def size(text: str | None) -> int | tuple[int, int] | None:
    """A size as people write it: ``9``, ``6x9`` or ``6×9``."""
    if text is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]?)(?:[xX×]([1-9][0-9]?))?", text, re.ASCII)
    if not found:
        raise FormatError(f"--size {text!a} is not a size; write it as 9 or 6x9")
    return (int(found[1]), int(found[2])) if found[2] else int(found[1])


def box(text: str | None) -> tuple[int, int] | Literal["auto"] | None:
    """A box as people write it: ``2x3``, or ``none``."""
    if text is None:
        return "auto"
    if text == "none":
        return None
    found = re.fullmatch(r"([1-9][0-9]?)[xX×]([1-9][0-9]?)", text, re.ASCII)
    if not found:
        raise FormatError(f"--box {text!a} is not a box; write it as 2x3 (rows x columns) or none")
    return int(found[1]), int(found[2])


def values(text: str | None) -> range | None:
    """Values as people write them: ``0-8``."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", text, re.ASCII)
    if not found or int(found[1]) > int(found[2]):
        raise FormatError(f"--values {text!a} is no range; write it as 0-8")
    return range(int(found[1]), int(found[2]) + 1)


def timeout(seconds: float | None) -> float | None:
    """A time that can pass."""
    if seconds is not None and not seconds > 0:
        raise FormatError(f"--timeout {seconds} is no time; give seconds above 0")
    return seconds
