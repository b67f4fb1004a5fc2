"""Count solutions: exactly, up to a limit, and for numbers that are known."""

import csp_sudoku as cs

# All 4×4 grids, and those that also keep both diagonals.
print(int(cs.count(cs.Puzzle.blank(4))), int(cs.count(cs.Puzzle.blank(4).add(cs.Diagonals()))))

# Latin squares of order 5 are grids without boxes; the hand-written engines count fastest.
print(int(cs.count(cs.Puzzle.blank(5, box=None), "dlx")))

# A count with a limit says that it is not complete, and refuses to be taken for the number.
count = cs.count(cs.Puzzle.blank(9), limit=1000)
print(count.value, "or more;", "complete:", count.complete)
try:
    int(count)
except cs.UndecidedError as error:
    print(error)
