"""The `lp` backend against a script by hand that does the same job with the same solvers."""

from __future__ import annotations

from itertools import product
from typing import Any

from ortools.linear_solver import pywraplp

import csp_sudoku as cs
from benchmarks import instances
from benchmarks.contest import Row, Setting, against_script, contest, each

VALUES = range(9)


class ByHand:
    """Classic Sudoku as 729 columns and 324 equations: GLOP first, SCIP where that is fractional.

    The program is loaded once; a puzzle is a change of bounds.
    """

    def __init__(self) -> None:
        self.relaxed = self._load("GLOP")
        self.relaxed[0].SetSolverSpecificParametersAsString("use_dual_simplex: true")
        self.whole = self._load("SCIP")
        self.parameters = pywraplp.MPSolverParameters()
        self.parameters.SetIntegerParam(
            pywraplp.MPSolverParameters.INCREMENTALITY,
            pywraplp.MPSolverParameters.INCREMENTALITY_OFF,
        )
        self.bounds: dict[int, list[bool]] = {}

    def solve(self, text: str) -> str:
        """The first solution that is found."""
        allowed = [char in (".", "0", str(v + 1)) for char in text for v in VALUES]
        values = self._run(self.relaxed, allowed, None)
        if any(1e-5 < value < 1 - 1e-5 for value in values):
            values = self._run(self.whole, allowed, self.parameters)
        return "".join(
            str(1 + max(VALUES, key=values[9 * cell : 9 * cell + 9].__getitem__))
            for cell in range(81)
        )

    def _load(self, kind: str) -> tuple[Any, list[Any]]:
        solver = pywraplp.Solver.CreateSolver(kind)
        make = solver.NumVar if kind == "GLOP" else solver.IntVar
        x = [make(0, 1, "") for _ in range(729)]
        for a, b in product(range(9), range(9)):
            box = [(a // 3 * 3 + i // 3) * 9 + a % 3 * 3 + i % 3 for i in range(9)]
            for columns in (
                [(9 * a + b) * 9 + v for v in VALUES],
                [(9 * a + c) * 9 + b for c in range(9)],
                [(9 * r + a) * 9 + b for r in range(9)],
                [cell * 9 + b for cell in box],
            ):
                row = solver.RowConstraint(1, 1, "")
                for column in columns:
                    row.SetCoefficient(x[column], 1)
        if kind == "GLOP":
            for column in x:
                solver.Objective().SetCoefficient(column, 1)
        return solver, x

    def _run(self, model: tuple[Any, list[Any]], allowed: list[bool], how: Any) -> list[float]:
        solver, x = model
        known = self.bounds.get(id(solver), [True] * 729)
        for column, (new, old) in enumerate(zip(allowed, known, strict=True)):
            if new != old:
                x[column].SetUb(int(new))
        self.bounds[id(solver)] = allowed
        assert solver.Solve(how) == 0 if how else solver.Solve() == 0
        return [column.solution_value() for column in x]


def measure(setting: Setting) -> list[Row]:
    """One row: the first solution of classic puzzles, the rules loaded once."""
    texts = list(setting.puzzles)[:50] or instances.texts(setting.number(50), setting.seed)
    by_hand = ByHand()
    with cs.session(cs.Puzzle.blank(9), "lp") as session:
        for text in texts:
            assert by_hand.solve(text) == session.solve(text).solutions[0].text
        took = contest(
            {"ours": each(texts, session.solve), "by hand": each(texts, by_hand.solve)}, setting
        )
    what = "lp: first solution, checked; by hand: the same solvers, bounds edited"
    return [against_script(what, took, 1.2, "lp")]
