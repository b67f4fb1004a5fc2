"""Three ways to write a rule of one's own; each runs on every backend."""

from dataclasses import dataclass
from itertools import pairwise

import csp_sudoku as cs

# 1. A predicate of a few cells.
average = cs.where("R1C1 R1C2 R1C3", lambda a, b, c: 2 * b == a + c, "R1C2 is the mean")

# 2. A state machine, for lines of any length: the digits alternate between odd and even.
alternating = cs.fold(
    "R2C1-R2C4",
    start="?",
    step=lambda last, value: None if last == value % 2 else value % 2,
    accept=lambda last: True,
    text="odd and even take turns in row 2",
)


# 3. A class: `accepts` is the rule, `lower` (optional) a fast way to compile it.
@dataclass(frozen=True, init=False)
class Mountain(cs.CellConstraint):
    """Values rise to the middle cell and fall after it."""

    name = "mountain"

    def accepts(self, values):
        middle = len(values) // 2
        return all((a < b) if i < middle else (a > b) for i, (a, b) in enumerate(pairwise(values)))

    def lower(self, ctx):
        middle = len(self.cells) // 2
        for i, (a, b) in enumerate(pairwise(self.cells)):
            ctx.add_relation(a, b, int.__lt__ if i < middle else int.__gt__)

    def describe(self, puzzle):
        return f"values rise and fall along {self.listing}"


puzzle = cs.Puzzle.blank(6).add(average, alternating, Mountain("R3C1-R3C3"))
for rule in puzzle.constraints:
    print("-", rule.describe(puzzle))
for backend in ("sat", "search", "dlx"):
    print(backend, cs.count(puzzle, backend, limit=500).value)

# The rules combine: at least one of the first two, but not the mountain.
print(cs.solve(cs.Puzzle.blank(6).add(average | alternating, ~Mountain("R3C1-R3C3"))).status)
