"""Your own rule as a class, with its own lowering, which is checked against the rule."""

from itertools import pairwise

import csp_sudoku as cs
from csp_sudoku.constraints.fields import Places, rule, some_places, whole
from csp_sudoku.testing import assert_lowering


@rule
class Mountain(cs.CellConstraint):
    """Mountain: values rise up to the cell at position `peak` and fall after it."""

    name = "mountain"
    cells: Places = some_places(least=3)  # the fields, with what they accept
    peak: int = whole(least=1)

    def validate(self):  # optional: what concerns several fields
        if self.peak > len(self.cells):
            raise cs.ConstraintError(
                f"{self.label}: its peak is beyond its {len(self.cells)} cells"
            )

    def accepts(self, values):  # the rule itself: the checker trusts nothing else
        steps = enumerate(pairwise(values), 1)
        return all(a < b if i < self.peak else a > b for i, (a, b) in steps)

    def lower(self, ctx):  # optional: a better way to compile it than trying all combinations
        for i, (a, b) in enumerate(pairwise(self.cells), 1):
            ctx.add_relation(a, b, int.__lt__ if i < self.peak else int.__gt__)

    def describe(self, puzzle):
        return f"values rise to {self.cells[self.peak - 1]} and then fall along {self.listing}"


mountain = Mountain("R3C1-R3C5", peak=3)
assert_lowering(Mountain("R1C1-R1C3", peak=2), cs.Puzzle.blank(4))

puzzle = cs.Puzzle.blank(6).add(mountain)
print(mountain.describe(puzzle))
for backend in ("sat", "search", "dlx"):
    print(backend, cs.solve(puzzle, backend).solutions[0].rows[2])
