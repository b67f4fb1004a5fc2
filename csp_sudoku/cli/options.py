"""The options of the commands: each has one name and one meaning everywhere.

What a command only hands on to a function of the library comes as ``**asked``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import click
from click.shell_completion import CompletionItem

from csp_sudoku.errors import FormatError

if TYPE_CHECKING:
    from csp_sudoku.constraints.base import Constraint


Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]


# What the text of an option means


def size(text: str | None) -> int | tuple[int, int] | None:
    """Read a grid size: ``9``, ``6x9`` or ``6×9``."""
    if text is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]?)(?:[xX×]([1-9][0-9]?))?", text, re.ASCII)
    if not found:
        raise FormatError(f"--size {text!a} is not a size; write it as 9 or 6x9")
    return (int(found[1]), int(found[2])) if found[2] else int(found[1])


def box(text: str | None) -> tuple[int, int] | Literal["auto"] | None:
    """Read a box size: ``2x3``, or ``none``."""
    if text is None:
        return "auto"
    if text == "none":
        return None
    found = re.fullmatch(r"([1-9][0-9]?)[xX×]([1-9][0-9]?)", text, re.ASCII)
    if not found:
        raise FormatError(f"--box {text!a} is not a box; write it as 2x3 (rows x columns) or none")
    return int(found[1]), int(found[2])


def values(text: str | None) -> range | None:
    """Read a range of values: ``0-8``."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", text, re.ASCII)
    if not found or int(found[1]) > int(found[2]):
        raise FormatError(f"--values {text!a} is not a range; write it as 0-8")
    return range(int(found[1]), int(found[2]) + 1)


def rules(names: tuple[str, ...]) -> tuple[Constraint, ...]:
    """The rules of these names."""
    if not names:
        return ()
    from csp_sudoku.constraints import registry

    return tuple([registry.rule(name) for name in names])


def texts(given: tuple[str, ...]) -> tuple[Constraint, ...]:
    """The rules that are given as text."""
    if not given:
        return ()
    from csp_sudoku.constraints import rule

    return tuple([rule(text) for text in given])


def timeout(seconds: float | None) -> float | None:
    """Refuse a time that cannot pass."""
    if seconds is not None and not seconds > 0:
        raise FormatError(f"--timeout {seconds} is not a time; give a number of seconds above 0")
    return seconds


def for_one_puzzle(backend: str) -> str:
    """The backend for one puzzle: `auto` without kernels, which take half a second to load."""
    return "auto:kernels=false" if backend == "auto" else backend


def _read_by(function: Callable[[Any], Any]) -> Callable[..., Any]:
    """A callback of Click that converts a value."""
    return lambda context, parameter, value: function(value)


IS_QUIET = "csp_sudoku.quiet"
"""Under this name the context of a command remembers ``--quiet``."""


def _keep_quiet(context: click.Context, parameter: object, value: bool) -> None:
    context.meta[IS_QUIET] = value


# Arguments


class _Argument(click.Argument):
    """An argument that has a line in the help of its command, as options have."""

    def __init__(self, declarations: Sequence[str], help: str, **settings: Any) -> None:
        super().__init__(declarations, **settings)
        self.help = help

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        return str(self.metavar), str(self.help)


def _file_names(context: object, parameter: object, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete names of files."""
    return [CompletionItem(incomplete, type="file")]


def argument(name: str, metavar: str, help_text: str, **settings: Any) -> Decorator[Any]:
    """An argument that may be the name of a file."""
    return click.argument(
        name,
        cls=_Argument,
        metavar=metavar,
        help=help_text,
        shell_complete=_file_names,
        **settings,
    )


def puzzle(*, required: bool = True) -> Decorator[Any]:
    """The puzzle that a command is about."""
    return argument(
        "puzzle",
        "PUZZLE" if required else "[PUZZLE]",
        "A file, a link, the puzzle itself, or - for standard input.",
        required=required,
    )


# Options


def _adding_rules(command: Command) -> Command:
    """Give a command the options that add rules, by name and as text; it gets them as `rules`."""

    @wraps(command)
    def run(*, rules: tuple[Constraint, ...], texts: tuple[Constraint, ...], **chosen: Any) -> Any:
        return command(rules=rules + texts, **chosen)

    named = click.option(
        "--rule",
        "rules",
        metavar="NAME",
        multiple=True,
        callback=_read_by(rules),
        help="Add a rule for the whole grid, such as anti-knight. Can be repeated.",
    )
    written = click.option(
        "--where",
        "texts",
        metavar="TEXT",
        multiple=True,
        callback=_read_by(texts),
        help="Add a rule as text, such as 'R1C1 + R1C2 == 2 * R3C3'. Can be repeated.",
    )
    return cast(Command, named(written(run)))


def backend(default: str = "auto") -> Decorator[Any]:
    """One solver."""
    return click.option(
        "--backend",
        metavar="NAME",
        default=default,
        show_default=True,
        help="The solver. `csp-sudoku backends` lists them.",
    )


def backends(verb: str) -> Decorator[Any]:
    """Several solvers; all of them by default."""
    return click.option(
        "--backend",
        "backends",
        metavar="NAME",
        multiple=True,
        help=f"{verb} this solver. Can be repeated. Default: all.",
    )


def limit(default: int | None) -> Decorator[Any]:
    """A number of solutions; 0 means all."""
    return click.option(
        "--limit",
        metavar="N",
        type=click.IntRange(min=0),
        default=default,
        show_default=bool(default),
        help="Stop after N solutions; 0 means no limit.",
    )


def seconds(default: float | None = None) -> Decorator[Any]:
    """A time limit."""
    return click.option(
        "--timeout",
        metavar="SECONDS",
        type=float,
        default=default,
        show_default=default is not None,
        callback=_read_by(timeout),
        help="Stop after this many seconds.",
    )


def number(
    name: str,
    help_text: str,
    *,
    default: int | None = None,
    least: int = 1,
    most: int | None = None,
) -> Decorator[Any]:
    """A whole number within bounds."""
    return click.option(
        name,
        metavar="N",
        type=click.IntRange(min=least, max=most),
        default=default,
        show_default=default is not None,
        help=help_text,
    )


def drawing(what: str) -> Decorator[Any]:
    """The file for a picture of a step or a reason; the command gets it as `to`."""

    def as_svg(to: str | None) -> str | None:
        if to is None or to == "-" or to.endswith(".svg"):
            return to
        raise FormatError(f"{to}: a {what} is drawn as SVG; name the file with .svg, or write -")

    return click.option(
        "--output",
        "-o",
        "to",
        metavar="FILE",
        callback=_read_by(as_svg),
        help=f"Draw the {what}, as SVG.",
    )


def port(help_text: str, default: int) -> Decorator[Any]:
    """The port of a server."""
    return number("--port", help_text, default=default, most=65_535)


RULE: Decorator[Any] = _adding_rules
SIZE: Decorator[Any] = click.option(
    "--size",
    metavar="N|RxC",
    callback=_read_by(size),
    help="Grid size, such as 9, or 6x9 if not square (rows x columns).",
)
BOX: Decorator[Any] = click.option(
    "--box",
    metavar="RxC|none",
    callback=_read_by(box),
    help="Box size, such as 2x3 (rows x columns), or none.",
)
VALUES: Decorator[Any] = click.option(
    "--values",
    metavar="LOW-HIGH",
    callback=_read_by(values),
    help="Values, such as 0-8. They begin at 1 by default.",
)
DIALECT: Decorator[Any] = click.option(
    "--dialect", metavar="NAME", help="The notation of text that has more than one reading."
)
LENIENT: Decorator[Any] = click.option(
    "--lenient",
    is_flag=True,
    help="Leave out what is not understood, and name it. The exit status is 7 then.",
)
DOWNLOAD: Decorator[Any] = click.option(
    "--download", is_flag=True, help="Fetch a puzzle that a link only names from its site."
)
EXPLAINS: Decorator[Any] = click.option(
    "--explains",
    metavar="TEXT",
    multiple=True,
    help="The beginning of a sentence of the rules text that is no rule, or that --rule adds.",
)
READING: Decorator[Any] = number(
    "--reading", "Which reading to take of a rules text that has several, or is worded unusually."
)
TRUE: Decorator[Any] = click.option(
    "--true",
    "only_true",
    is_flag=True,
    help="With --candidates: only those that are in some solution.",
)
TIMEOUT: Decorator[Any] = seconds()
SEED: Decorator[Any] = click.option(
    "--seed", metavar="N", type=int, help="Fix all random choices: same seed, same answer."
)
WORKERS: Decorator[Any] = number(
    "--workers", "How many processes of this machine to use.", default=1
)
DASK: Decorator[Any] = click.option(
    "--dask", metavar="ADDRESS", help="The scheduler of a Dask cluster, such as tcp://host:8786."
)
JSON: Decorator[Any] = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
QUIET: Decorator[Any] = click.option(
    "--quiet",
    "-q",
    is_flag=True,
    expose_value=False,
    callback=_keep_quiet,
    help="Print no notes and show no progress.",
)
# The traceback of an error is printed by `main`, which looks for this word itself.
DEBUG: Decorator[Any] = click.option(
    "--debug", is_flag=True, expose_value=False, help="Print the traceback of an error."
)


def answering(command: Command) -> Command:
    """The options of a command that gives an answer."""
    answered: Command = JSON(QUIET(DEBUG(command)))
    return answered
