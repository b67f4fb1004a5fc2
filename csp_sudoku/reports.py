"""Reports of long runs: one line for each row, written at once, so that a run can be resumed.

The first line says what was asked. If the same run is started again, it continues where the report
ends. Every row says by a digest what it is the answer to: a row whose question has changed since
is dropped, and asked again. A report about other settings is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import IO, Generic, TypeVar

import msgspec

from csp_sudoku.errors import FormatError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.closing import Closing


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a report: its kind, and the settings."""

    format: str
    version: int
    settings: dict[str, str | int | float | None] = {}


class ReportRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a report: the number of its row, counted from 1, and the digest of what was asked.

    Subclasses add the answer.
    """

    row: int
    asked: str


Row = TypeVar("Row", bound=ReportRow)


class Report(Closing, Generic[Row]):
    """A report file that rows are added to; a context manager. Without a path nothing is written.

    Parameters
    ----------
    head
        The first line.
    kind
        The type of the rows.
    asked
        The digest of what each row asks now, in order. It is only read if the file has rows.

    Attributes
    ----------
    rows
        The rows that the file already had and that still hold.
    """

    def __init__(
        self, path: str | Path | None, head: Head, kind: type[Row], asked: Iterable[str]
    ) -> None:
        self.rows: list[Row] = []
        self._file: IO[bytes] | None = None
        if path is None:
            return
        if Path(path).exists() and not Path(path).is_file():
            raise FormatError(f"{path} is not a file")
        try:
            Path(path).touch()
            self._file = open(path, "r+b")  # noqa: SIM115 - closed in `close`
        except OSError as error:
            raise FormatError(f"{path} cannot be written: {error.strerror or error}") from None
        try:
            _lock(self._file, path)
            self._resume(Path(path), head, kind, asked)
        except BaseException:
            self.close()
            raise

    def _resume(self, path: Path, head: Head, kind: type[Row], asked: Iterable[str]) -> None:
        assert self._file is not None
        old = self._file.read()
        # The run may have been killed while it wrote its last line.
        whole = old[: old.rfind(b"\n") + 1]
        found = _read(path, whole, head, kind) if whole else []
        now = dict(enumerate(asked, 1)) if found else {}
        self.rows = [*{row.row: row for row in found if now.get(row.row) == row.asked}.values()]
        if whole and len(self.rows) == len(found):
            self._file.seek(len(whole))
            self._file.truncate()
            return
        self._file.seek(0)
        self._file.truncate()
        self._write(head, *self.rows)

    def add(self, *rows: Row) -> None:
        """Write rows at once."""
        self._write(*rows)

    def _write(self, *lines: msgspec.Struct) -> None:
        if self._file is not None:
            with _named(self._file):
                self._file.write(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
                self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            with _named(self._file):  # what could not be written is tried again
                self._file.close()


@contextmanager
def _named(file: IO[bytes]) -> Iterator[None]:
    """An error of a file, such as a full disk, names the file."""
    try:
        yield
    except OSError as error:
        error.filename = file.name
        raise


def digest(*parts: object) -> str:
    """Return a short text that differs for different parts, such as the texts of puzzles.

    Examples
    --------
    >>> digest("1..2"), digest("1..3")
    ('b0471878872ea39af3e3a315', '49233de4b8048a9bac3cb439')
    """
    return blake2b(repr(tuple(map(_content, parts))).encode(), digest_size=12).hexdigest()


def _content(part: object) -> object:
    """All of a puzzle: its own repr is short."""
    if isinstance(part, Puzzle):
        return (part.grids, part.candidates, part.constraints, part.named)
    return part


def _read(path: Path, data: bytes, head: Head, kind: type[Row]) -> list[Row]:
    first, *lines = data.splitlines()
    try:
        known = msgspec.json.decode(first, type=Head)
        rows = [msgspec.json.decode(line, type=kind) for line in lines]
    except msgspec.DecodeError as error:
        raise FormatError(f"{path} is not a report that can be resumed: {error}") from None
    if known != head:
        raise FormatError(f"{path} is a report of another run, or with other settings")
    return rows


def _lock(file: IO[bytes], path: str | Path) -> None:
    """Refuse a file that another run is writing; the lock ends with the file, or the process."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise FormatError(f"{path}: another run is writing this file; choose another one") from None
