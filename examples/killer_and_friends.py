"""Cages, a thermometer and an arrow on an empty 6×6 grid, compiled for several backends."""

import csp_sudoku as cs

puzzle = cs.Puzzle.blank(6).add(
    cs.KillerCage("R1C1 R1C2 R2C1", 12),
    cs.KillerCage("R5C5 R5C6 R6C6", 6),
    cs.Thermometer("R2C2 R3C3 R4C4 R5C4"),
    cs.Arrow("R6C1", "R5C1 R5C2"),
    cs.Diagonals(),
)

for backend in ("sat", "search", "dlx", "cpsat"):
    result = cs.solve(puzzle, backend, limit=None)
    print(f"{backend:7} {len(result.solutions)} solutions ({result.status.value})")
