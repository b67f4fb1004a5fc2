"""Variants as a person would write them for one kind of puzzle, in PySAT and in CP-SAT; and us.

Each script builds the formula or the model of one puzzle with the encoding we know to be best for
its kind, and finds the first solution, or shows that there is no other. What it is given (cells by
numbers, sums, lines) is taken out of the puzzle before the clock starts. Ours begins with a puzzle
that was never seen before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise, product

from ortools.sat.python import cp_model
from pysat.solvers import Minicard

import csp_sudoku as cs
from benchmarks import variants
from benchmarks.by_hand import houses
from benchmarks.contest import Row, Setting, contest, each, shown
from csp_sudoku import lowering

KINDS = ("killer", "thermometer", "arrow", "whisper")
DIGITS = range(1, 10)

Line = list[int]


@dataclass
class Clues:
    """A puzzle in the numbers of its cells."""

    givens: dict[int, int]
    cages: list[tuple[Line, int]] = field(default_factory=list)
    arrows: list[Line] = field(default_factory=list)
    rising: list[tuple[int, int]] = field(default_factory=list)
    far: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def of(cls, puzzle: cs.Puzzle) -> Clues:
        """The clues of a puzzle of one of :data:`KINDS`."""

        def numbers(cells: Sequence[object]) -> Line:
            return [puzzle.cells.index(cell) for cell in cells]  # type: ignore[arg-type]

        found = cls({puzzle.cells.index(cell): v for cell, v in puzzle.givens.items()})  # type: ignore[arg-type]
        for rule in puzzle.constraints:
            match rule:
                case cs.KillerCage():
                    assert rule.sum is not None
                    found.cages.append((numbers(rule.cells), rule.sum))
                case cs.Arrow():
                    found.arrows.append(numbers([rule.circle, *rule.shaft]))
                case cs.Thermometer():
                    found.rising += pairwise(numbers(rule.cells))
                case cs.Whisper():
                    found.far += pairwise(numbers(rule.cells))
        return found


def literal(cell: int, digit: int) -> int:
    return 9 * cell + digit


class ByPySat:
    """MiniCard with its own at-most-one constraints."""

    def __init__(self, clues: Clues) -> None:
        self.solver = Minicard()
        self.top = 729
        for cell in range(81):
            self.exactly_one([literal(cell, d) for d in DIGITS])
        for house, d in product(houses(), DIGITS):
            self.exactly_one([literal(cell, d) for cell in house])
        for cell, digit in clues.givens.items():
            self.solver.add_clause([literal(cell, digit)])
        for cells, total in clues.cages:
            self.add_cage(cells, total)
        for circle, *line in clues.arrows:
            self.add_arrow(circle, line)
        for a, b in clues.rising:
            self.add_pair(a, b, lambda x, y: x < y)
        for a, b in clues.far:
            self.add_pair(a, b, lambda x, y: abs(x - y) >= 5)

    def exactly_one(self, literals: list[int]) -> None:
        self.solver.add_clause(literals)
        self.solver.add_atmost(literals, 1)

    def add_cage(self, cells: Line, total: int) -> None:
        """A variable for every set of digits: it holds what the cage holds."""
        sets = [c for c in combinations(DIGITS, len(cells)) if sum(c) == total]
        numbers = list(range(self.top + 1, self.top + 1 + len(sets)))
        self.top += len(sets)
        self.solver.add_clause(numbers)
        for digit in DIGITS:
            places = [literal(cell, digit) for cell in cells]
            holding = [n for n, digits in zip(numbers, sets, strict=True) if digit in digits]
            for n in holding:
                self.solver.add_clause([-n, *places])
            for place in places:
                self.solver.add_clause([-place, *holding])
            self.solver.add_atmost(places, 1)

    def add_arrow(self, circle: int, line: Line) -> None:
        """A variable for every row of the table of all that fits."""
        rows = [(sum(digits), *digits) for digits in product(DIGITS, repeat=len(line))]
        rows = [row for row in rows if row[0] <= 9]
        numbers = list(range(self.top + 1, self.top + 1 + len(rows)))
        self.top += len(rows)
        supports: dict[int, Line] = {
            literal(cell, d): [] for cell in (circle, *line) for d in DIGITS
        }
        for n, row in zip(numbers, rows, strict=True):
            for cell, digit in zip((circle, *line), row, strict=True):
                self.solver.add_clause([-n, literal(cell, digit)])
                supports[literal(cell, digit)].append(n)
        for place, support in supports.items():
            self.solver.add_clause([-place, *support])

    def add_pair(self, a: int, b: int, fits: Callable[[int, int], bool]) -> None:
        """Every digit of one cell needs one of those in the other that fit."""
        for x in DIGITS:
            self.solver.add_clause([-literal(a, x), *[literal(b, y) for y in DIGITS if fits(x, y)]])
            self.solver.add_clause([-literal(b, x), *[literal(a, y) for y in DIGITS if fits(y, x)]])

    def solve(self, limit: int) -> list[str]:
        found: list[str] = []
        while len(found) < limit and self.solver.solve():
            true = [x for x in self.solver.get_model()[:729] if x > 0]
            found.append("".join([str((x - 1) % 9 + 1) for x in true]))
            if len(found) < limit:
                self.solver.add_clause([-x for x in true])
        self.solver.delete()
        return found


class ByCpSat:
    """Native sums and all-different constraints."""

    def __init__(self, clues: Clues) -> None:
        self.model = model = cp_model.CpModel()
        self.cells = cells = [
            model.new_constant(clues.givens[i])
            if i in clues.givens
            else model.new_int_var(1, 9, "")
            for i in range(81)
        ]
        for house in houses():
            model.add_all_different([cells[i] for i in house])
        for numbers, total in clues.cages:
            cage = [cells[i] for i in numbers]
            model.add_all_different(cage)
            model.add(cp_model.LinearExpr.sum(cage) == total)
        for circle, *line in clues.arrows:
            model.add(cp_model.LinearExpr.sum([cells[i] for i in line]) == cells[circle])
        for a, b in clues.rising:
            model.add(cells[a] < cells[b])
        far = [(x, y) for x, y in product(DIGITS, DIGITS) if abs(x - y) >= 5]
        for a, b in clues.far:
            model.add_allowed_assignments([cells[a], cells[b]], far)

    def solve(self, limit: int) -> list[str]:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        found: list[str] = []
        while len(found) < limit:
            if solver.solve(self.model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                break
            values = [solver.value(cell) for cell in self.cells]
            found.append("".join(map(str, values)))
            if len(found) < limit:
                self.model.add_forbidden_assignments(self.cells, [values])
        return found


def ours(puzzle: cs.Puzzle, backend: str, limit: int) -> list[str]:
    """This library, from a puzzle that was never seen before; every solution is verified."""
    lowering.rules_graph.cache_clear()
    cs.clear_cache()
    fresh = cs.Puzzle(puzzle.grids, puzzle.candidates, puzzle.constraints, puzzle.named)
    return [solution.text for solution in cs.solve(fresh, backend, limit=limit).solutions]
