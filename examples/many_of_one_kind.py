"""Compile the rules once, and solve many puzzles that have them: a session."""

import csp_sudoku as cs

rules = cs.Puzzle.blank(9).add(cs.AntiKnight())
puzzles = [
    "931000000785000000642000000423000000159000000876000000367000924594000813218000765",
    "931000000785000000642000000423000000159000000876000000367952924594000813218000765",
    "." * 81,
]

with cs.session(rules, backend="sat") as session:
    for text in puzzles:
        result = session.solve(text, limit=3)
        print(len(result.solutions), result.status.value)
