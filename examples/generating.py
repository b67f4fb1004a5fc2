"""Make puzzles to order: a classic one with a symmetry, and a killer without givens."""

import csp_sudoku as cs

classic = cs.generate(9, symmetry="rotational", seed=8)
print(cs.write_text(classic.puzzle, form="frame"))
print(classic.clues, "givens; difficulty", cs.rate(classic.puzzle))

killer = cs.generate(6, recipe="killer", clues=0, seed=5)
for cage in killer.puzzle.constraints:
    print("-", cage.describe(killer.puzzle))

for found in (classic, killer):
    assert found.unique  # by proof
    assert not found.shortfalls  # everything is as wished
