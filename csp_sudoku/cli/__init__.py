"""The command line, ``csp-sudoku``.

``group`` the table of commands, and how one is run · ``commands`` solve, count, check, show ·
``inspecting`` how a puzzle was read · ``candidates`` what follows, and what is needed ·
``cross_checking`` ``fuzzing`` ``surveying`` solvers check each other ·
``watching`` an algorithm at work · ``serving`` a page, and a solver behind f-puzzles ·
``explaining`` ``explaining_why`` ``generating`` for people · ``rendering`` pictures ·
``converting`` ``exporting`` files for other programs · ``tracing`` rules and their clauses ·
``batching`` many puzzles · ``comparing`` duplicates · ``scoring`` answers · ``timing`` the solvers
side by side · ``variants`` the rules there are · ``demo`` a guided tour · ``completing``
completion in the shell.

``options`` options with one meaning everywhere · ``reading`` ``inputs`` ``asking`` where puzzles
come from · ``output`` ``progress`` answers, notes and progress · ``codes`` exit codes ·
``graph_text`` the graph as text.

Answers go to standard output, everything else to standard error. An error is one line.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence
from io import TextIOWrapper

from csp_sudoku.cli.codes import CANNOT_WRITE, INTERRUPTED, PIPE_CLOSED, TERMINATED


class _Terminated(KeyboardInterrupt):
    """SIGTERM: it ends a run as Ctrl-C does."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _terminate)
    if sys.stdout is None:
        sys.stderr.write("error: the standard output is closed\n")
        return CANNOT_WRITE
    if isinstance(sys.stdout, TextIOWrapper):  # not every encoding has a × or a ≤
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        # Imported here, because an interrupt may come while Click loads.
        from csp_sudoku.cli import group, output

        try:
            code = group.run(given)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except Exception as error:
            return output.fail(error, debug="--debug" in given)
    except KeyboardInterrupt as error:
        sys.stderr.write("interrupted\n")
        return TERMINATED if isinstance(error, _Terminated) else INTERRUPTED
    except BrokenPipeError:
        # The reader has gone, as in `csp-sudoku solve … | head -1`. The rest of the buffer must go
        # nowhere, or Python complains when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return code


def _terminate(*_: object) -> None:
    raise _Terminated
