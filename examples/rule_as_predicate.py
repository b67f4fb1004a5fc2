"""A rule of one's own as a predicate: any function of a few cells."""

import csp_sudoku as cs

average = cs.where("R1C1 R1C2 R1C3", lambda a, b, c: 2 * b == a + c, "R1C2 is the mean")
puzzle = cs.Puzzle.blank(6).add(average)

solution = cs.solve(puzzle).solutions[0]
print(*solution.rows[0])

# Rules combine with & (and), | (or) and ~ (not).
print(cs.count(cs.Puzzle.blank(4).add(average)).value, "grids keep it,")
print(cs.count(cs.Puzzle.blank(4).add(~average)).value, "grids break it")
