"""SudokuWiki links: a grid, or a grid with what was entered."""

import pytest

import csp_sudoku as cs
from csp_sudoku.errors import FormatError

LINK = "https://www.sudokuwiki.org/sudoku.htm?bd="
GRID = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def state(cells):
    """A link for cells that are givens, entered digits (negative) or sets of candidates."""
    codes = []
    for cell in cells:
        if isinstance(cell, int):
            codes.append(cell if cell >= 0 else 9 - cell)
        else:
            codes.append(18 + sum(1 << (digit - 1) for digit in cell))
    return LINK + "S9B" + "".join(DIGITS[code // 36] + DIGITS[code % 36] for code in codes)


def test_a_grid():
    assert cs.read(LINK + GRID) == cs.read(GRID)
    assert list(cs.read_many(f"{LINK}{GRID}\n{LINK}{GRID}")) == [cs.read(GRID)] * 2


def test_what_was_entered_is_progress():
    cells = [5, -3, (4,), (1, 2, 9), 7, *range(-9, 0), *[tuple(range(1, 10))] * 67]
    found = cs.read_with_notes(state(cells))
    assert found.puzzle == cs.Puzzle.blank(9).with_givens({"R1C1": 5, "R1C5": 7})
    names = {str(cell): value for cell, value in found.progress.values.items()}
    entered = "R1C2 R1C6 R1C7 R1C8 R1C9 R2C1 R2C2 R2C3 R2C4 R2C5".split()
    assert names == dict(zip(entered, [3, *range(9, 0, -1)], strict=True))
    marks = {str(cell): digits for cell, digits in found.progress.candidates.items()}
    assert (marks["R1C3"], marks["R1C4"], len(marks)) == ((4,), (1, 2, 9), 69)


@pytest.mark.parametrize("board", ["", GRID[1:], "S9B" + "01" * 80, "S9B" + "zz" * 81, "S9C"])
def test_damaged_links(board):
    with pytest.raises(FormatError, match="copied in full"):
        cs.read(LINK + board)


def test_pages_for_other_rules_are_refused():
    for download in (False, True):
        with pytest.raises(FormatError, match=r"links to 'www.sudokuwiki.org' hold no puzzle"):
            cs.read(f"https://www.sudokuwiki.org/jigsaw.htm?bd={GRID}", download=download)
