"""Explain a puzzle: the next step, all steps, how hard it is, and why a value is impossible."""

from pathlib import Path

import csp_sudoku as cs

puzzle = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
print(cs.hint(puzzle))

explanation = cs.explain(puzzle)
print(explanation.ending.value, "in", len(explanation.steps), "steps;", cs.rate(puzzle))
print(cs.why_not(puzzle, "R5C5", 9))

# Variants have techniques of their own.
variant = cs.explain(Path(__file__).parent / "variant.json")
for step in variant.steps[:3]:
    print("-", step)
assert variant.solved
