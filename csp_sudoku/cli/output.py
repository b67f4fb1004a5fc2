"""What a command prints: answers on standard output; notes, errors, progress on standard error."""

from __future__ import annotations

import json
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from csp_encodings.errors import EncodingError
from csp_sudoku.cells import Place
from csp_sudoku.cli.codes import BAD_INPUT, CANNOT_WRITE, FAULT, NO_SOLUTION, about_a_part
from csp_sudoku.cli.options import IS_QUIET
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.pictures import terminal
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving.answers import limited
from csp_sudoku.solving.solution import Solution

if TYPE_CHECKING:
    from rich.console import RenderableType, RichCast

# What the context of a command remembers: the rules that its puzzle was read without, and whether
# any of its puzzles was.
_MISSING, _MARKED = "csp_sudoku.left_out", "csp_sudoku.any_left_out"

# Seconds after which progress is shown.
_PATIENCE = 1.0


def answer(text: str) -> None:
    """Print an answer on one line. Line breaks within the text are escaped."""
    sys.stdout.write(printable(text) + "\n")


def answer_lines(text: str) -> None:
    """Print an answer of several lines."""
    for line in text.split("\n"):
        answer(line)


def answer_json(document: object) -> None:
    """Print an answer in JSON. An object also lists the rules that were left out, if any."""
    if isinstance(document, dict) and (missing := _remembered(_MISSING)):
        document = {**document, "left_out": list(missing)}
    answer(json.dumps(document))


def answer_either(document: object, lines: Iterable[object], *, as_json: bool) -> None:
    """Print an answer in JSON, or in lines of text."""
    if as_json:
        answer_json(document)
    else:
        for line in lines:
            answer(str(line))


def answer_table(rows: list[dict[str, str]], *, as_json: bool) -> None:
    """Print rows with a name, a summary and optional details."""
    if as_json:
        answer_json(rows)
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        more = [row["summary"]]
        if row.get("abilities"):
            more.append(f"[{row['abilities']}]")
        if row.get("version"):
            more.append(f"({row['version']})")
        if row.get("needs"):
            more.append(f"[needs {row['needs']}]")
        answer(f"{row['name']:<{width}}  {' '.join(more)}")


def answer_rich(table: RichCast | RenderableType) -> None:
    """Print a table or a report, in colours on a terminal."""
    from rich.console import Console

    if sys.stdout.isatty():
        Console(highlight=False).print(table)
        return
    # Wide enough for any row: a program reads this, or a person who can scroll.
    console = Console(highlight=False, width=250, no_color=True)
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        answer(line.rstrip())


def answer_grid(
    puzzle: Puzzle,
    values: Mapping[Place, int] | None = None,
    *,
    candidates: terminal.Candidates | None = None,
) -> None:
    """Draw a grid, in colours on a terminal."""
    if sys.stdout.isatty():
        from rich.console import Console

        drawn = terminal.styled(puzzle, values, candidates=candidates)
        Console(highlight=False).print(drawn, soft_wrap=True)
    else:
        answer_lines(terminal.draw(puzzle, values, candidates=candidates, signs=_signs()))


def answer_solution(puzzle: Puzzle, solution: Solution) -> None:
    """Draw a solution on a terminal; print it as one line elsewhere."""
    if not sys.stdout.isatty():
        answer(solution.line)
        return
    answer_grid(puzzle, solution)
    if named := [f"${name}={value}" for name, value in solution.named.items()]:
        answer(" ".join(named))


def write_file(path: str, content: bytes) -> None:
    """Write a file; ``-`` stands for standard output."""
    if path == "-":
        sys.stdout.buffer.write(content)
        return
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise FormatError(f"{path} cannot be written: {error.strerror}") from None


def hint(text: str) -> None:
    """Print a note that only a person at a terminal wants to read."""
    if is_watched():
        tell(text)


def note(text: str) -> None:
    """Print a note: what is worth knowing, but no answer."""
    if not _remembered(IS_QUIET):
        tell(text)


def is_watched() -> bool:
    """Whether somebody is at the terminal and wants to see progress."""
    return sys.stderr.isatty() and not _remembered(IS_QUIET)


def no_solution(puzzle: Puzzle) -> int:
    """Say that there is no solution, and why if that shows at a glance; return the exit code."""
    objections = puzzle.objections()
    reason = f": {objections[0]}" if objections else ""
    more = f" (and {len(objections) - 1} more)" if len(objections) > 1 else ""
    note(f"{verdict('no solution')}{reason}{more}")
    return NO_SOLUTION


def name_left_out(left_out: Sequence[str]) -> None:
    """Name the rules that a puzzle was read without. ``--quiet`` does not hide them.

    All that is answered from now on is about this puzzle.
    """
    context = click.get_current_context()
    context.meta[_MISSING] = tuple(left_out)
    if left_out:
        context.meta[_MARKED] = True
        tell(f"left out: {'; '.join(left_out)}")


def verdict(words: str) -> str:
    """A verdict on the puzzle; it says so if rules were left out."""
    return limited(words, _remembered(_MISSING) or ())


def exit_code(code: int, context: click.Context) -> int:
    """The exit code of a command; an answer about a part of the rules has a code of its own."""
    return about_a_part(code) if context.meta.get(_MARKED) else code


def _remembered(key: str) -> Any:
    """What the context of the command remembers; None if there is nothing."""
    context = click.get_current_context(silent=True)
    return context.meta.get(key) if context else None


def fail(error: Exception, *, debug: bool) -> int:
    """Print what went wrong on one line, and return the exit code."""
    if debug:
        traceback.print_exception(error)
    if isinstance(error, click.ClickException):  # a mistake in the arguments
        tell(f"error: {error.format_message()}")
        return BAD_INPUT
    if isinstance(error, CspSudokuError | EncodingError):
        tell(f"error: {error}")
        return BAD_INPUT
    if isinstance(error, OSError):  # a full disk, a device that fails, no right to write
        where = f"{error.filename}: " if error.filename else ""
        tell(f"error: {where}{error.strerror or error}")
        return CANNOT_WRITE
    tell(f"fault in csp-sudoku: {type(error).__name__}: {error} (--debug shows where)")
    return FAULT


@contextmanager
def working(label: Callable[[], str]) -> Iterator[None]:
    """Show on a terminal what is being done, if it takes longer than a second."""
    if not is_watched():
        yield
        return
    done = threading.Event()
    display = threading.Thread(target=_show, args=(label, done), daemon=True)
    display.start()
    try:
        yield
    finally:
        done.set()
        display.join()


@contextmanager
def noting_interrupt(text: str | None) -> Iterator[None]:
    """Print a note on Ctrl-C, such as how to continue."""
    try:
        yield
    except KeyboardInterrupt:
        if text is not None:
            note(text)
        raise


def _show(label: Callable[[], str], done: threading.Event) -> None:
    if done.wait(_PATIENCE):
        return
    from rich.console import Console

    with Console(stderr=True).status(label()) as status:
        while not done.wait(0.2):
            status.update(label())


def tell(text: str) -> None:
    """Print one line on standard error, ``--quiet`` or not."""
    sys.stderr.write(printable(text) + "\n")


def printable(text: str) -> str:
    """Escape what is not printable: control characters in a puzzle must not reach a terminal."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def _signs() -> str:
    try:
        terminal.UNICODE.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return terminal.ASCII
    return terminal.UNICODE
