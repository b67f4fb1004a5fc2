"""Findings: faults shrunk to the smallest puzzle that shows them, and saved with a note."""

from __future__ import annotations

from pathlib import Path

import msgspec

from csp_sudoku.crosscheck.programs import command_line
from csp_sudoku.crosscheck.shrink import smallest, writable
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import read, write_json
from csp_sudoku.fuzzing.checking import (
    Examination,
    Plan,
    Trouble,
    every_backend,
    examine,
    only,
    whole_plans,
)
from csp_sudoku.fuzzing.siblings import Turn, examine_siblings, whole_turns
from csp_sudoku.puzzle import Puzzle

# How many seconds to look for a smaller puzzle.
SECONDS = 20.0


class Finding(msgspec.Struct, frozen=True):
    """A fault that a puzzle of a run shows.

    Attributes
    ----------
    number
        The number of the puzzle.
    kind
        ``disagreement``, ``law``, ``error``, ``crash`` or ``hang``.
    name
        Who is wrong, or which law is broken.
    text
        How it shows.
    path
        The file of the shrunk puzzle, if it could be written.
    constraints
        The number of constraints of the shrunk puzzle.
    """

    number: int
    kind: str
    name: str
    text: str
    path: str | None = None
    constraints: int | None = None

    def __str__(self) -> str:
        where = f" ({self.path})" if self.path else ""
        return f"puzzle {self.number}: {self.kind}: {self.name}: {self.text}{where}"


def shrunk(
    puzzle: Puzzle,
    plan: Plan,
    trouble: Trouble,
    *,
    turn: Turn | None = None,
    seconds: float = SECONDS,
) -> Puzzle:
    """Return the smallest puzzle found that shows the same fault."""
    if trouble.puzzle is not None:
        assert turn is not None
        return smallest(
            trouble.puzzle,
            lambda p: any(t.sort == trouble.sort for t in _as_only_child(p, turn)),
            seconds=seconds,
        )
    if trouble.agreement is not None:
        return trouble.agreement.shrink(seconds=seconds).puzzle
    part = only(plan, trouble)
    return smallest(
        puzzle,
        lambda p: any(t.sort == trouble.sort for t in examine(p, part).troubles),
        seconds=seconds,
    )


def save(
    puzzle: Puzzle, trouble: Trouble, number: int, *, folder: Path, seed: int, name: str
) -> Finding:
    """Write the puzzle as a document, and a note beside it that says what it shows."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    try:
        path.write_text(write_json(writable(puzzle)) + "\n", encoding="utf-8")
        again = command_line(["csp-sudoku", "fuzz", "--replay", str(path)])
    except (FormatError, ValueError) as error:
        path, again = None, f"it cannot be written: {error}"  # type: ignore[assignment]
    note = (
        f"{trouble.kind}: {trouble.name}: {trouble.text}\nseed {seed}, puzzle {number}\n{again}\n"
    )
    (folder / f"{name}.txt").write_text(f"{note}{trouble.trace}", encoding="utf-8")
    return Finding(
        number,
        trouble.kind,
        trouble.name,
        trouble.text,
        None if path is None else str(path),
        len(puzzle.constraints),
    )


def replay(puzzle: object) -> list[Trouble]:
    """Do everything with a puzzle that a run may do, and return the faults that it shows.

    The puzzle may have any form that :func:`csp_sudoku.read` takes.

    Examples
    --------
    >>> replay("0100 3001 4002 0040")
    []
    """
    examined = read(puzzle)
    found: list[Trouble] = []
    for plan in whole_plans():
        found += examine(examined, plan).troubles
    for turn in whole_turns(every_backend()):
        found += _as_only_child(examined, turn)
    return found


def _as_only_child(puzzle: Puzzle, turn: Turn) -> list[Trouble]:
    found = Examination()
    examine_siblings([puzzle], turn, found)
    return found.troubles
