"""Ask for a puzzle row by row: ``csp-sudoku solve -i``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from csp_sudoku.cells import Cell, Place
from csp_sudoku.cli import options, output
from csp_sudoku.cli.inputs import HowToRead
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import read
from csp_sudoku.pictures import terminal
from csp_sudoku.puzzle import Puzzle

T = TypeVar("T")

_HELP = (
    "Type each row as 53..7...., or with spaces if a value has two digits; . or 0 is an empty "
    "cell. Enter keeps a row as it is, `back` goes back one row, `row 3` goes to row 3, "
    "`done` leaves the other rows empty."
)
_LAST = "Enter to go on, `row 3` to correct row 3: "
_RULES = ("king's rule", "anti-king"), ("knight's rule", "anti-knight")


class Asked(NamedTuple):
    """What a person has typed: a puzzle, and how many solutions to find (0 for all)."""

    puzzle: Puzzle
    limit: int


def ask(how: HowToRead, limit: int | None) -> Asked:
    """Ask for a puzzle, its rules and a number of solutions, unless the options have said it."""
    try:
        return _ask(how, limit)
    except EOFError:
        raise FormatError("the input ended before the puzzle did") from None


def _ask(how: HowToRead, limit: int | None) -> Asked:
    if how["size"] is not None:
        blank = _blank(how, how["size"])
    else:
        blank = _until(lambda: _blank(how, options.size(_say("size [9]: ") or "9")))
    puzzle = _rows(blank)
    added = how["rules"]
    if not added:
        names = [name for question, name in _RULES if _yes(f"{question}? [y/N]: ")]
        added = options.rules(tuple(names))
    if limit is None:
        limit = _until(lambda: _number(_say("how many solutions (0 for all) [1]: ") or "1"))
    return Asked(puzzle.add(*added), limit)


def _blank(how: HowToRead, size: int | tuple[int, int] | None) -> Puzzle:
    rows, columns = size if isinstance(size, tuple) else (size or 9, size)
    return Puzzle.blank(rows, columns, box=how["box"], values=how["values"])


def _rows(puzzle: Puzzle) -> Puzzle:
    """Ask for the rows and show the grid after each; any row can be corrected at the end."""
    _tell(_HELP)
    rows = puzzle.grids[0].rows
    held: dict[Place, int] = {}
    row = 0
    while True:
        answer = _say(_LAST if row == rows else f"row {row + 1} of {rows}: ")
        try:
            match answer.split():
                case [] if row == rows:
                    return puzzle.with_givens(held)
                case []:
                    row += 1
                case ["back"]:
                    row = max(0, row - 1)
                case ["row", number]:
                    row = _row(number, rows)
                case ["done"]:
                    row = rows
                case _ if row == rows:
                    raise FormatError(f"{answer!a}: there are no more rows; `row 3` corrects row 3")
                case _:
                    held = _replaced(held, row, answer, puzzle)
                    row += 1
        except CspSudokuError as error:
            _tell(str(error))
            continue
        _tell(terminal.draw(puzzle, held))
        for objection in puzzle.with_givens(held).objections():
            _tell(f"no solution: {objection}")


def _row(number: str, rows: int) -> int:
    if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= rows:
        raise FormatError(f"row {number}: the rows are 1 to {rows}")
    return int(number) - 1


def _replaced(held: dict[Place, int], row: int, text: str, puzzle: Puzzle) -> dict[Place, int]:
    """The values, with one row replaced by what was typed."""
    grid = puzzle.grids[0]
    line = read(text, size=(1, grid.columns), box=None, values=grid.values)
    kept = {place: value for place, value in held.items() if _row_of(place) != row}
    return kept | {
        Cell(row, place.col): value
        for place, value in line.givens.items()
        if isinstance(place, Cell)
    }


def _row_of(place: Place) -> int | None:
    return place.row if isinstance(place, Cell) else None


def _yes(question: str) -> bool:
    def answer() -> bool:
        said = _say(question).strip().lower()
        if said not in ("", "y", "yes", "n", "no"):
            raise FormatError(f"{said!a}: answer y or n")
        return said in ("y", "yes")

    return _until(answer)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise FormatError(f"{text!a} is not a number; give 1, 2, … or 0 for all")
    return int(text)


def _until(question: Callable[[], T]) -> T:
    """Ask until the answer can be understood."""
    while True:
        try:
            return question()
        except CspSudokuError as error:
            _tell(str(error))


def _say(question: str) -> str:
    """Ask a question on standard error and return what was typed."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()


def _tell(text: str) -> None:
    for line in text.split("\n"):
        output.tell(line)
