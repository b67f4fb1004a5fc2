"""Programs of others: their commands, their runs within a time, and their end.

They run without a shell. When a run ends or its time is up, all processes that the program has
started are ended with it.
"""

from __future__ import annotations

import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from csp_sudoku.backends.base import OutOfTime, check_deadline
from csp_sudoku.errors import BackendError
from csp_sudoku.running.closing import Closing
from csp_sudoku.running.deadlines import seconds_left

_PLACE = re.compile(r"\{([a-z+]+)\}")
_TICK = 0.02
_MAX_OUTPUT = 64 * 2**20
_PART = 2**16
_PIPE_SECONDS = 2.0


class Command:
    """A command with one place for what the program shall read, such as ``kissat {cnf}``.

    Attributes
    ----------
    place
        The name of the place.
    label
        The name of the program.

    Examples
    --------
    >>> Command("no-such-solver {cnf}", ["cnf"])
    Traceback (most recent call last):
        ...
    csp_sudoku.errors.BackendError: no-such-solver: there is no such program
    """

    def __init__(self, text: str, known: Sequence[str]) -> None:
        try:
            words = _split(text)
        except ValueError as error:
            raise BackendError(f"command {text!r}: {error}") from None
        places = _PLACE.findall(text)
        if len(places) != 1 or places[0] not in known:
            raise BackendError(
                f"command {text!r}: must have one place for the puzzle, as {{{known[0]}}} "
                f"(or another of {', '.join(known[1:])})"
            )
        program = shutil.which(words[0])
        if program is None:
            raise BackendError(f"{words[0]}: there is no such program")
        self.place: str = places[0]
        self.label = Path(words[0]).name
        # Absolute, because it may run in another folder.
        self._words = [str(Path(program).absolute()), *words[1:]]

    def words(self, value: str | None) -> list[str]:
        """The command with this value in its place; None leaves out the word."""
        place = f"{{{self.place}}}"
        if value is None:
            return [word for word in self._words if word != place]
        return [word.replace(place, value) for word in self._words]

    def run(self, value: str, deadline: float | None, folder: Path | None = None) -> str:
        """Run the program with this value in its place; return all that it prints."""
        check_deadline(deadline)
        # A pipe: some programs are told to write to /dev/stdout, and would begin a file anew.
        process = _start(self.words(value), stdout=subprocess.PIPE, cwd=folder)
        parts: list[bytes] = []

        def listen() -> None:
            left = _MAX_OUTPUT
            while left > 0 and (part := process.stdout.read1(_PART)):
                parts.append(part)
                left -= len(part)

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        try:
            while process.poll() is None and listener.is_alive():
                check_deadline(deadline)
                listener.join(_TICK)
            if process.poll() is None:
                # It has closed its output, or prints without end.
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_TICK)
        finally:
            status = _end(process)
            # A process that has left the group may still hold the pipe: it is not waited for.
            listener.join(_PIPE_SECONDS)
            if not listener.is_alive():
                process.stdout.close()
        output = b"".join(parts)
        if len(output) >= _MAX_OUTPUT:
            raise BackendError(f"{self.label} prints more than an answer can be")
        _check_ending(self.label, status)
        return output.decode(errors="replace")


class Conversation(Closing):
    """A program that is kept running: it reads a line and prints a line, again and again."""

    def __init__(self, command: Command) -> None:
        self._label = command.label
        self._process = _start(command.words(None), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        while line := self._process.stdout.readline(_MAX_OUTPUT):
            self._lines.put(line)
        self._lines.put(b"")  # it has closed its output

    def ask(self, line: str, deadline: float | None) -> str:
        """Send a line and return the next one that is not empty; an error ends the program."""
        try:
            more = b"" if self._lines.empty() else self._lines.get().strip()
            if more:
                said = more.decode(errors="replace")
                raise BackendError(f"{self._label} prints more than a line: {said[:80]!r}")
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()
            while answer := self._lines.get(timeout=seconds_left(deadline)):
                if answer.strip():
                    return answer.decode(errors="replace")
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_TICK)
            _check_ending(self._label, _end(self._process))
            raise BackendError(f"{self._label} has ended without an answer")
        except BaseException as error:
            # Whatever it prints later would be taken for the answer to another line.
            self.close()
            if isinstance(error, queue.Empty):
                raise OutOfTime from None
            if isinstance(error, OSError):
                raise BackendError(f"{self._label} reads no more: {error.strerror}") from None
            raise

    @property
    def is_over(self) -> bool:
        """Whether the program has ended."""
        return self._process.poll() is not None

    def close(self) -> None:
        """End the program."""
        _end(self._process)
        with suppress(OSError):  # what was not read by the program is lost
            self._process.stdin.close()
        # A process that has left the group may still hold the pipe: it is not waited for.
        self._listener.join(_PIPE_SECONDS)
        if not self._listener.is_alive():
            self._process.stdout.close()

    __del__ = close


def _check_ending(label: str, status: int | None) -> None:
    """Raise :class:`CrashError` if a program was ended by a signal, whatever it had printed."""
    if status is not None and status < 0:
        # The command line reads this module for its help, and these load solvers.
        from csp_sudoku.running.isolation import signal_name
        from csp_sudoku.running.worker import CrashError

        raise CrashError(f"{label} was ended by {signal_name(-status)}")


def last_line(output: str) -> str:
    """The end of what a program printed, for an error message."""
    lines = output.strip().splitlines()
    return f"it prints {lines[-1][:80]!r}" if lines else "it prints nothing"


def _split(text: str) -> list[str]:
    """The words of a command. On Windows a backslash is part of a path."""
    words = shlex.shlex(text, posix=True, punctuation_chars=False)
    words.whitespace_split, words.commenters = True, ""
    if sys.platform == "win32":
        words.escape = ""
    return list(words)


def command_line(words: Sequence[str]) -> str:
    """Return the command to type for these words."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def _start(words: list[str], *, stdin: int = subprocess.DEVNULL, **options: Any) -> Any:
    try:
        return subprocess.Popen(
            words,
            stdin=stdin,
            stderr=subprocess.STDOUT if stdin == subprocess.DEVNULL else subprocess.DEVNULL,
            # A process group, so that all that the program starts is ended with it.
            start_new_session=True,
            **options,
        )
    except OSError as error:
        raise BackendError(f"{words[0]} cannot be started: {error.strerror}") from None


def _end(process: subprocess.Popen[bytes]) -> int | None:
    """End a program and all processes that it has started; return its status if it had ended."""
    had_ended = process.poll()
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return had_ended
