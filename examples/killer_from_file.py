"""Read a killer Sudoku from a file, and ask three very different solvers."""

from pathlib import Path

import csp_sudoku as cs

puzzle = cs.read(Path(__file__).parent / "killer.json")
print(puzzle)
print(puzzle.constraints[0].describe(puzzle))

for backend in ("sat", "cpsat", "search"):
    result = cs.solve(puzzle, backend, limit=2)
    print(f"{backend:7}", result.status.value, result.solutions[0].text)
