"""The command duplicates: puzzles that are the same up to symmetry."""

from __future__ import annotations

import click

from csp_sudoku.cli import options, output
from csp_sudoku.cli.codes import NO_SOLUTION, SOLVED, exit_status
from csp_sudoku.cli.inputs import HowToRead, read_puzzles
from csp_sudoku.cli.output import answer, answer_json
from csp_sudoku.cli.reading import reading_options
from csp_sudoku.integers import counted

_EXIT = exit_status({0: "all puzzles differ", 1: "some are the same up to symmetry"})


@click.command(epilog=_EXIT)
@options.argument("files", "FILE…", "Files with puzzles.", nargs=-1, required=True)
@reading_options
@options.answering
def duplicates(*, files: tuple[str, ...], how: HowToRead, as_json: bool) -> int:
    """Find puzzles that are the same up to symmetry.

    Classic puzzles are the same if permuted bands, stacks, rows and columns, a transposition and
    other names for the digits make one from the other. Each line of the answer lists puzzles that
    are the same: the file, and which of its puzzles it is.

    \b
    Examples:
      csp-sudoku duplicates puzzles.txt
      csp-sudoku duplicates ours.txt theirs.jsonl --json
    """
    from csp_sudoku.canonical import canonical

    groups: dict[str, list[tuple[str, int]]] = {}
    number = 0
    for file in files:
        for place, puzzle in enumerate(read_puzzles(file, how), 1):
            groups.setdefault(canonical(puzzle).key, []).append((file, place))
            number += 1
    found = [group for group in groups.values() if len(group) > 1]
    if as_json:
        answer_json({"puzzles": number, "classes": len(groups), "duplicates": found})
    else:
        for group in found:
            answer("  ".join(f"{file}:{place}" for file, place in group))
        output.note(f"{counted(number, 'puzzle')}, {len(groups):,} different")
    return NO_SOLUTION if found else SOLVED
