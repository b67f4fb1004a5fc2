"""What a person would write who wants only 9×9 Sudoku from PySAT or CP-SAT; and us, side by side.

Each script is the best we know for its job: the rules are loaded once, the givens of a puzzle are
assumptions (SAT) or edited domains (CP-SAT), and the first solution is wanted. Like ours, it checks
that this has the givens and keeps the rules; unlike ours, it takes any text for a puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import combinations, product
from operator import eq, itemgetter

from ortools.sat.python import cp_model
from pysat.solvers import Cadical153, Minicard

import csp_sudoku as cs
from benchmarks.contest import Setting, contest, each

Solve = Callable[[str], str]


def houses() -> list[list[int]]:
    """The cells of rows, columns and boxes."""
    rows = [[9 * i + j for j in range(9)] for i in range(9)]
    columns = [[9 * j + i for j in range(9)] for i in range(9)]
    boxes = [
        [27 * band + 3 * stack + 9 * i + j for i in range(3) for j in range(3)]
        for band, stack in product(range(3), repeat=2)
    ]
    return rows + columns + boxes


_HOUSES = [itemgetter(*house) for house in houses()]


def check_houses(grid: str) -> None:
    """Refuse a grid that is not full, or has a digit twice in a house."""
    assert len(grid) == 81
    for house in _HOUSES:
        assert len({*house(grid)}) == 9


def checked(grid: str, text: str, givens: int) -> str:
    """A full grid, if it has the givens and keeps the rules."""
    assert sum(map(eq, grid, text)) == givens
    check_houses(grid)
    return grid


@contextmanager
def pysat_by_hand(kind: type[Minicard | Cadical153]) -> Iterator[Solve]:
    """The extended encoding, loaded once; givens are assumptions.

    MiniCard knows at-most-one constraints; for CaDiCaL they are pairs.
    """

    def literal(cell: int, digit: int) -> int:
        return 9 * cell + digit

    digits = ["", *[str(digit) for _ in range(81) for digit in range(1, 10)]]

    with kind() as solver:
        groups = [[literal(cell, d) for d in range(1, 10)] for cell in range(81)]
        groups += [[literal(cell, d) for cell in house] for house in houses() for d in range(1, 10)]
        for group in groups:
            solver.add_clause(group)
            if kind is Minicard:
                solver.add_atmost(group, 1)
            else:
                solver.append_formula([[-x, -y] for x, y in combinations(group, 2)])

        def solve(text: str) -> str:
            givens = [literal(i, int(sign)) for i, sign in enumerate(text) if sign in "123456789"]
            if not solver.solve(assumptions=givens):
                return ""
            grid = "".join([digits[x] for x in solver.get_model() if x > 0])
            return checked(grid, text, len(givens))

        yield solve


@contextmanager
def cpsat_by_hand() -> Iterator[Solve]:
    """27 all-different constraints, built once; givens are edited domains."""
    model = cp_model.CpModel()
    cells = [model.new_int_var(1, 9, "") for _ in range(81)]
    for house in houses():
        model.add_all_different([cells[i] for i in house])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.symmetry_level = 0  # looking for symmetries costs more than it gives
    solver.parameters.max_presolve_iterations = 1  # and so do more of presolve and probing
    solver.parameters.cp_model_probing_level = 1
    variables = model.proto.variables

    def solve(text: str) -> str:
        givens = 0
        for variable, sign in zip(variables, text, strict=True):
            given = int(sign) if sign in "123456789" else 0
            givens += given > 0
            variable.domain[0], variable.domain[1] = given or 1, given or 9
        if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return ""
        grid = "".join(map(str, list(solver.response_proto.solution)[:81]))
        return checked(grid, text, givens)

    yield solve


@contextmanager
def ours(backend: str) -> Iterator[Solve]:
    """A session of this library; every solution is verified."""
    with cs.session(cs.Puzzle.blank(9), backend) as session:

        def solve(text: str) -> str:
            found = session.solve(text).solutions
            return found[0].text if found else ""

        yield solve


# Both sides with the same solver. CaDiCaL takes longer to load, and less to solve.
CONTESTS: dict[str, Callable[[], AbstractContextManager[Solve]]] = {
    "sat": lambda: pysat_by_hand(Minicard),
    "sat:solver=cadical153": lambda: pysat_by_hand(Cadical153),
    "cpsat": cpsat_by_hand,
}


def measure(texts: list[str], backend: str, setting: Setting) -> dict[str, float]:
    """The seconds of a puzzle for the script by hand, and for ours."""
    with ExitStack() as stack:
        solvers = {
            "by hand": stack.enter_context(CONTESTS[backend]()),
            "ours": stack.enter_context(ours(backend)),
        }
        for text in texts:
            assert len({solve(text) for solve in solvers.values()}) == 1, text
        return contest({name: each(texts, solve) for name, solve in solvers.items()}, setting)
