"""Variants as a person would write them for one kind of puzzle, in PySAT and in CP-SAT; and us.

Each script builds the formula or the model of one puzzle with the encoding we know to be best for
its kind, finds the first solution, or shows that there is no other, and checks what it found, as
ours does. What it is given (cells by numbers, sums, lines) is taken out of the puzzle before the
clock starts. Ours begins with a puzzle that was never seen before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, pairwise, product

from ortools.sat.python import cp_model
from pysat.solvers import Minicard

import csp_sudoku as cs
from benchmarks.by_hand import check_houses, houses
from benchmarks.contest import Row, Setting, against_script, contest, each
from benchmarks.variants import make
from csp_sudoku.solving.compiling import forget_rules

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

        number = {cell: i for i, cell in enumerate(puzzle.variables)}

        def numbers(cells: Iterable[cs.Cell | cs.Var]) -> Line:
            return [number[cell] for cell in cells]

        found = cls({number[cell]: value for cell, value in puzzle.givens.items()})
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

    def checked(self, grid: str) -> str:
        """A full grid, if it has the givens and keeps all rules."""
        check_houses(grid)
        digits = [*map(int, grid)]
        for i, given in self.givens.items():
            assert digits[i] == given
        for cells, total in self.cages:
            held = [digits[i] for i in cells]
            assert sum(held) == total
            assert len({*held}) == len(held)
        for circle, *line in self.arrows:
            assert digits[circle] == sum([digits[i] for i in line])
        for a, b in self.rising:
            assert digits[a] < digits[b]
        for a, b in self.far:
            assert abs(digits[a] - digits[b]) >= 5
        return grid


def literal(cell: int, digit: int) -> int:
    return 9 * cell + digit


@cache
def cage_sets(size: int, total: int) -> list[tuple[int, ...]]:
    return [digits for digits in combinations(DIGITS, size) if sum(digits) == total]


@cache
def arrow_rows(length: int) -> list[tuple[int, ...]]:
    rows = [(sum(digits), *digits) for digits in product(DIGITS, repeat=length)]
    return [row for row in rows if row[0] <= 9]


class ByPySat:
    """MiniCard with its own at-most-one constraints."""

    def __init__(self, clues: Clues) -> None:
        self.clues = clues
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
        sets = cage_sets(len(cells), total)
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
        rows = arrow_rows(len(line))
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
            found.append(self.clues.checked("".join([str((x - 1) % 9 + 1) for x in true])))
            if len(found) < limit:
                self.solver.add_clause([-x for x in true])
        self.solver.delete()
        return found


class ByCpSat:
    """Native sums and all-different constraints."""

    def __init__(self, clues: Clues) -> None:
        self.clues = clues
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
        solver.parameters.symmetry_level = 0
        solver.parameters.max_presolve_iterations = 1
        solver.parameters.cp_model_probing_level = 1
        solver.parameters.table_compression_level = 0
        if limit == 1:
            assert solver.solve(self.model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)
            return [self.clues.checked("".join([str(solver.value(cell)) for cell in self.cells]))]
        solver.parameters.enumerate_all_solutions = True
        collector = _Collector(self.cells, limit)
        solver.solve(self.model, collector)
        return [*map(self.clues.checked, collector.found)]


class _Collector(cp_model.CpSolverSolutionCallback):
    def __init__(self, cells: list[cp_model.IntVar], limit: int) -> None:
        super().__init__()
        self.cells = cells
        self.limit = limit
        self.found: dict[str, None] = {}  # CP-SAT may report a solution twice

    def on_solution_callback(self) -> None:
        self.found["".join([str(self.value(cell)) for cell in self.cells])] = None
        if len(self.found) == self.limit:
            self.stop_search()


def ours(puzzle: cs.Puzzle, backend: str, limit: int) -> list[str]:
    """This library, from a puzzle whose rules are not kept; every solution is verified."""
    fresh = cs.Puzzle(puzzle.grids, puzzle.candidates, puzzle.constraints, puzzle.named)
    return [solution.text for solution in cs.solve(fresh, backend, limit=limit).solutions]


SCRIPTS: dict[str, type[ByPySat | ByCpSat]] = {"sat": ByPySat, "cpsat": ByCpSat}
JOBS = {1: "first solution", 2: "the only solution"}


def measure(setting: Setting) -> Iterator[Row]:
    """A row for every kind of puzzle, solver and job."""
    for kind in KINDS:
        setting.tell(f"making puzzles: {kind}")
        puzzles = [make(kind, seed) for seed in range(1 if setting.quick else 4)]
        for backend, limit in product(SCRIPTS, JOBS):
            took = _contest(puzzles, backend, limit, setting)
            what = f"{backend} against a script by hand for {kind}: build, {JOBS[limit]}"
            yield against_script(what, took, 1.1, "scripts")


def _contest(
    puzzles: list[cs.Puzzle], backend: str, limit: int, setting: Setting
) -> dict[str, float]:
    both = [(puzzle, Clues.of(puzzle)) for puzzle in puzzles]
    for puzzle, clues in both:
        assert len(ours(puzzle, backend, limit)) == 1, "every puzzle must have one solution"
        (found,) = SCRIPTS[backend](clues).solve(limit)
        assert cs.verify(puzzle, found).ok
    return contest(
        {
            "ours": each(
                both,
                lambda pair: ours(pair[0], backend, limit),
                prepare=lambda pair: forget_rules(pair[0]),
            ),
            "by hand": each(both, lambda pair: SCRIPTS[backend](pair[1]).solve(limit)),
        },
        setting,
    )
