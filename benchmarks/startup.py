"""Start-up: importing the package against importing networkx, and the command line."""

from __future__ import annotations

import subprocess
import sys
import time

from benchmarks.contest import Contender, Row, Setting, contest, shown, timed

PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
COMMAND = "python -m benchmarks --only startup"


def measure(setting: Setting) -> list[Row]:
    """Two rows, from fresh processes."""

    def run(*arguments: str) -> None:
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)

    def fresh(*arguments: str) -> Contender:
        return lambda: [timed(lambda: run(*arguments), time.perf_counter)]

    nothing, import_ours, import_theirs, solve = "python", "csp_sudoku", "networkx", "solve"
    took = contest(
        {
            nothing: fresh("-c", "pass"),
            import_ours: fresh("-c", "import csp_sudoku"),
            import_theirs: fresh("-c", "import networkx"),
            solve: fresh("-m", "csp_sudoku", "solve", PUZZLE),
        },
        setting,
    )
    ours, theirs = took[import_ours] - took[nothing], took[import_theirs] - took[nothing]
    return [
        Row(
            "import csp_sudoku against import networkx",
            shown(ours),
            shown(theirs),
            ours / theirs,
            "≤ 1.3 ×",
            ours / theirs <= 1.3,
            COMMAND,
        ),
        Row(
            "csp-sudoku solve of a classic, wall",
            shown(took[solve]),
            "",
            None,
            "≤ 0.5 s",
            took[solve] <= 0.5,
            COMMAND,
        ),
    ]
