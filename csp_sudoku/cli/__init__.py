"""The command line, ``csp-sudoku``.

``commands`` what there is to do · ``cross_checking`` ``fuzzing`` what if one trusts nobody ·
``explaining`` ``explaining_why`` ``generating`` for people · ``rendering`` pictures ·
``converting`` ``exporting`` files for other programs · ``batching`` many puzzles · ``timing`` the
solvers side by side · ``variants`` the rules there are · ``demo`` a guided tour.

``options`` the options, with one meaning everywhere · ``reading`` ``inputs`` ``asking`` where
puzzles come from · ``output`` ``progress`` answers, notes and progress · ``graph_text`` the
constraint graph as text · ``plain`` a quick start.

Answers go to standard output, all else to standard error; errors are one line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

INTERRUPTED, PIPE_CLOSED = 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code says what was found."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if isinstance(sys.stdout, TextIOWrapper):  # not every encoding has the signs of every rule
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        # Typer and Rich are needed here alone, and an interrupt may come while they load.
        from csp_sudoku.cli import commands, output

        try:
            code = commands.run(given)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except Exception as error:
            return output.fail(error, debug="--debug" in given)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone, as in `csp-sudoku solve … | head -1`. What is still in the buffer
        # must go nowhere, or Python complains at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return code
