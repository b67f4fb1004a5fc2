"""Rules for the whole grid: how many grids are left when equal values avoid each other?"""

import csp_sudoku as cs

rules = [cs.AntiKnight(), cs.AntiKing(), cs.Nonconsecutive()]
puzzle = cs.Puzzle.blank(9).add(*rules)

for rule in rules:
    print("-", rule.describe(puzzle))
print(int(cs.count(puzzle)), "grids keep all three rules")
