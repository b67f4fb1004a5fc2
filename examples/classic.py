"""Solve a classic puzzle, and check that its solution is the only one."""

import csp_sudoku as cs

puzzle = cs.read(
    "53..7.... 6..195... .98....6. 8...6...3 4..8.3..1 7...2...6 .6....28. ...419..5 ....8..79"
)
result = cs.solve(puzzle, limit=2)

print(result.status)
for row in result.solutions[0].rows:
    print(*row)
assert cs.verify(puzzle, result.solutions[0]).ok
assert cs.is_unique(puzzle)
