"""SudokuWiki: links to its solver, which hold a classic Sudoku and how far it is solved."""

from __future__ import annotations

import re

from csp_sudoku.errors import FormatError
from csp_sudoku.formats.links import clean, parameter
from csp_sudoku.formats.reading import NO_HELP, Help, Progress, Reading
from csp_sudoku.puzzle import Puzzle

# Its other pages are for other rules, and write their puzzles in other ways.
_LINK = re.compile(r"https://(www\.)?sudokuwiki\.org/sudoku\.htm\?", re.IGNORECASE)
_GRID = re.compile(r"[0-9]{81}")
_STATE = re.compile(r"S9B([0-9a-z]{162})")
_LAST = 18 + 0b111111111


def recognises(text: str) -> bool:
    """Whether a text is a link to the solver that holds a puzzle."""
    link = clean(text)
    return bool(_LINK.match(link)) and parameter(link, "bd") is not None


def read_text(text: str, help_given: Help = NO_HELP) -> Reading:
    """Read a link.

    Examples
    --------
    >>> read_text("https://www.sudokuwiki.org/sudoku.htm?bd=" + 80 * "0" + "7").puzzle
    <Puzzle 9×9, 1 given, 0 constraints>
    """
    board = parameter(clean(text), "bd") or ""
    puzzle = Puzzle.blank(9)
    if _GRID.fullmatch(board):
        digits = zip(puzzle.cells, map(int, board), strict=True)
        return Reading(puzzle.with_givens({place: digit for place, digit in digits if digit}))
    state = _STATE.fullmatch(board)
    if not state:
        raise FormatError("this SudokuWiki link holds no 81 cells; was it copied in full?")
    # A number in base 36 for each cell: 1 to 9 are givens, then come digits that were entered, then
    # sets of candidates.
    givens, values, candidates = {}, {}, {}
    for i, place in enumerate(puzzle.cells):
        code = int(state[1][2 * i : 2 * i + 2], 36)
        if code > _LAST:
            raise FormatError(f"{place}: this SudokuWiki link is damaged; was it copied in full?")
        if code > 18:
            candidates[place] = tuple(d for d in range(1, 10) if (code - 18) >> (d - 1) & 1)
        elif code > 9:
            values[place] = code - 9
        elif code:
            givens[place] = code
    return Reading(puzzle.with_givens(givens), progress=Progress(values, candidates))
