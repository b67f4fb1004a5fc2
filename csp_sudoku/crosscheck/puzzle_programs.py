"""Programs that read a puzzle as one line of text, as most Sudoku solvers do, and print an answer.

The line holds the givens alone. A program that is asked about a variant must know its rules: its
answer is verified by all rules of the puzzle, whatever it was told.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from csp_sudoku.crosscheck.claim_reading import Claim, read_output
from csp_sudoku.crosscheck.programs import Command, Conversation, last_line
from csp_sudoku.errors import BackendError, FormatError
from csp_sudoku.formats.texts.writing import write_text
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.closing import Closing

PLACES = ("line", "stdin", "file")
"""Where the line goes: an argument, the input of a program that is kept running, or a file."""


class PuzzleProgram(Closing):
    """A program that reads a line, 81 characters for a 9×9 grid with ``.`` for a blank.

    It prints a solution, a number of solutions, or "no solution"; see
    :func:`csp_sudoku.crosscheck.claim_reading.read_output`.

    Parameters
    ----------
    command
        The command, as in a shell. ``{line}`` stands for the line as an argument, ``{file}`` for
        the name of a file with the line. With ``{stdin}`` the program is kept running: it reads a
        line for each puzzle from its standard input and prints one line as its answer.
    """

    def __init__(self, command: str) -> None:
        self._command = Command(command, PLACES)
        self._conversation: Conversation | None = None

    @property
    def label(self) -> str:
        """The name of the program."""
        return self._command.label

    def close(self) -> None:
        """End the program, if it is kept running. It starts again when it is asked."""
        if self._conversation is not None:
            self._conversation.close()

    def ask(self, puzzle: Puzzle, deadline: float | None) -> Claim:
        """Return what the program says about a puzzle."""
        try:
            line = write_text(puzzle)
        except FormatError as error:
            raise BackendError(f"{self.label} takes a line of givens only: {error}") from None
        output = self._output(line, deadline)
        try:
            return read_output(output, puzzle)
        except FormatError as error:
            said = last_line(output)
            raise BackendError(f"{self.label} gives no answer: {error}; {said}") from None

    def _output(self, line: str, deadline: float | None) -> str:
        if self._command.place == "line":
            return self._command.run(line, deadline)
        if self._command.place == "file":
            with tempfile.TemporaryDirectory(prefix="csp-sudoku-") as folder:
                path = Path(folder, "puzzle.txt")
                path.write_text(f"{line}\n", encoding="utf-8")
                return self._command.run(str(path), deadline)
        if self._conversation is None or self._conversation.is_over:
            self._conversation = Conversation(self._command)
        return self._conversation.ask(line, deadline)
