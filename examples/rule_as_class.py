"""A rule of one's own as a class, with a lowering of its own that is checked against the rule."""

from dataclasses import dataclass
from itertools import pairwise

import csp_sudoku as cs
from csp_sudoku.testing import assert_lowering


@dataclass(frozen=True, init=False)
class Mountain(cs.CellConstraint):
    """Values rise to the middle cell and fall after it."""

    name = "mountain"

    def accepts(self, values):  # the rule itself: the only thing that the checker trusts
        middle = len(values) // 2
        return all((a < b) if i < middle else (a > b) for i, (a, b) in enumerate(pairwise(values)))

    def lower(self, ctx):  # optional: a better way to compile it than trying all combinations
        middle = len(self.cells) // 2
        for i, (a, b) in enumerate(pairwise(self.cells)):
            ctx.add_relation(a, b, int.__lt__ if i < middle else int.__gt__)

    def describe(self, puzzle):
        return f"values rise and fall along {self.listing}"


mountain = Mountain("R3C1-R3C5")
assert_lowering(Mountain("R1C1-R1C3"), cs.Puzzle.blank(4))

puzzle = cs.Puzzle.blank(6).add(mountain)
print(mountain.describe(puzzle))
for backend in ("sat", "search", "dlx"):
    print(backend, cs.solve(puzzle, backend).solutions[0].rows[2])
