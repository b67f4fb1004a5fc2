"""Reports of long runs: one line for each row, written at once, so that a run can be resumed.

The first line says what the report is about. If the same run is started again, it continues where
the report ends. A report about something else is refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, Generic, TypeVar

import msgspec

from csp_sudoku.closing import Closing
from csp_sudoku.errors import FormatError

Row = TypeVar("Row", bound=msgspec.Struct)


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a report: its kind, the file it is about, and the settings."""

    format: str
    version: int
    source: str
    bytes: int
    settings: dict[str, str | int | float | None] = {}


class Report(Closing, Generic[Row]):
    """A report file that rows are added to; a context manager. Without a path nothing is written.

    `rows` are the rows that the file already had.
    """

    def __init__(self, path: str | Path | None, head: Head, kind: type[Row]) -> None:
        self.rows: list[Row] = []
        self._file: IO[bytes] | None = None
        if path is None:
            return
        try:
            old = Path(path).read_bytes() if Path(path).exists() else b""
            # The run may have been killed while it wrote its last line.
            whole = old[: old.rfind(b"\n") + 1]
            if whole:
                self.rows = _read(Path(path), whole, head, kind)
            self._file = open(path, "r+b" if old else "wb")  # noqa: SIM115 - closed in `close`
        except OSError as error:
            raise FormatError(f"{path} cannot be written: {error.strerror or error}") from None
        self._file.seek(len(whole))
        self._file.truncate()
        if not whole:
            self._write(head)

    def add(self, *rows: Row) -> None:
        """Write rows at once."""
        self._write(*rows)

    def _write(self, *lines: msgspec.Struct) -> None:
        if self._file is not None:
            self._file.write(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def _read(path: Path, data: bytes, head: Head, kind: type[Row]) -> list[Row]:
    first, *lines = data.splitlines()
    try:
        known = msgspec.json.decode(first, type=Head)
        rows = [msgspec.json.decode(line, type=kind) for line in lines]
    except msgspec.DecodeError as error:
        raise FormatError(f"{path} is not a report that can be resumed: {error}") from None
    if known != head:
        raise FormatError(
            f"{path} is a report about another file, a changed file, or other settings"
        )
    return rows
