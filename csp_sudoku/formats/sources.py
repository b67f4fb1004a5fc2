"""Text from a string, bytes or a file, which must be text and not too large."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from csp_encodings.watch import OutOfTime, watched
from csp_sudoku.errors import FormatError, UndecidedError
from csp_sudoku.running.deadlines import what_ended

if TYPE_CHECKING:
    from csp_sudoku.puzzle import Puzzle

# No puzzle is this large. A larger file is something else, and is not read to its end.
MAX_BYTES = 4 * 2**20
# The length of a document for a 64×64 grid with candidates in every cell.
_MAX_LINE = 2**20

# A path, or a name with an ending.
_MAX_NAME = 500
_FILE_NAME = re.compile(r"[^\s{\[]+[/\\]\S*|[^\n{\[]*[\w)-]\.[A-Za-z][A-Za-z0-9]{1,9}")

_TOO_LARGE = f"larger than {MAX_BYTES // 2**20} MB, so it is not a puzzle"
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f]")


class SourceError(FormatError):
    """A source that is no text at all, or a file that cannot be read; the message names it."""


def text_of(source: str | bytes | PathLike[str]) -> str:
    """The text of a source. A string is the text itself, never the name of a file."""
    if isinstance(source, str):
        if len(source) > MAX_BYTES:
            raise SourceError(f"the text is {_TOO_LARGE}")
        return _not_empty(source, "the text")
    if isinstance(source, bytes):
        return decode(source, "the text")
    return decode(read_bytes(Path(source)), str(source))


def names_file(text: str) -> bool:
    """Whether a text that is no puzzle looks like the name of a file.

    Examples
    --------
    >>> names_file("puzzles/easy.sdk"), names_file("easy.txt"), names_file("12..34")
    (True, True, False)
    """
    return len(text) <= _MAX_NAME and bool(_FILE_NAME.fullmatch(text.strip()))


def is_large(path: PathLike[str]) -> bool:
    """Whether this is a file that is too large to be read at once."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size > MAX_BYTES


def lines_of_file(path: PathLike[str]) -> Iterator[str]:
    """The lines of a file of any size, one by one."""
    with open(path, "rb") as file:
        while line := file.readline(_MAX_LINE):
            if len(line) == _MAX_LINE:
                raise SourceError(f"{path} has a line that is too long for a puzzle")
            yield decode(line, str(path), empty=True)


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, at most a few more than :data:`MAX_BYTES`."""
    try:
        if stat.S_ISDIR(os.stat(path).st_mode):
            raise SourceError(f"{path} is a directory, not a puzzle file")
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} cannot be read: {_reason(error)}") from None


def decode(data: bytes, name: str, *, empty: bool = False) -> str:
    """Bytes as text: UTF-8, or else Latin-1, which old puzzle files have in comments."""
    if len(data) > MAX_BYTES:
        raise SourceError(f"{name} is {_TOO_LARGE}")
    if found := _CONTROL.search(data):
        raise SourceError(f"{name} is not text: byte {found.start() + 1} is 0x{found[0].hex()}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text if empty else _not_empty(text, name)


def _not_empty(text: str, name: str) -> str:
    if not text or text.isspace():
        raise SourceError(f"{name} is empty; a puzzle is 81 characters such as 53..7…, or JSON")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


@contextmanager
def read_by(deadline: float | None, what: str = "the puzzle was read") -> Iterator[None]:
    """Give up reading a puzzle, or other work, at a deadline: a document may be large."""
    try:
        with watched(deadline):
            yield
    except OutOfTime:
        raise UndecidedError(f"{what_ended(deadline)} before {what}") from None


def as_puzzle(source: object, deadline: float | None = None) -> Puzzle:
    """The puzzle itself, or the puzzle that :func:`read` makes of a source until a deadline.

    Examples
    --------
    >>> as_puzzle("1...............")
    <Puzzle 4×4, 1 given, 0 constraints>
    """
    # Imported here, because the formats import this module.
    from csp_sudoku.formats.recognition import read
    from csp_sudoku.puzzle import Puzzle

    if isinstance(source, Puzzle):
        return source
    if deadline is None:
        return read(source)
    with read_by(deadline):
        return read(source)
