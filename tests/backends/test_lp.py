"""The LP backend: what the relaxation says, both engines, and what is refused."""

from itertools import product

import pytest

from csp_encodings.factors import AllDifferent, Linear
from csp_encodings.graph import GraphBuilder
from csp_encodings.linear import LinearProgram
from csp_sudoku.backends.lp import ENGINES, Lp
from csp_sudoku.errors import BackendError


def sudoku(rows, columns):
    side = rows * columns
    builder = GraphBuilder()
    cells = list(product(range(side), repeat=2))
    for cell in cells:
        builder.variable(cell, range(1, side + 1))
    for house_of in (
        lambda r, c: r,
        lambda r, c: c,
        lambda r, c: r // rows * rows + c // columns,
    ):
        for house in range(side):
            builder.factor(AllDifferent(tuple(cell for cell in cells if house_of(*cell) == house)))
    return builder.build()


FOUR, NINE = sudoku(2, 2), sudoku(3, 3)
TWELVE = {(0, 0): (1,), (0, 1): (2,), (1, 0): (3,)}
INTEGRAL = "..............1..2.23....45.......6......71....4.2.........8......43....91....6.."
FRACTIONAL = "........1..1..2.3..4..5.6.......3.7....5....26...8.5...5..4....1.7......48.6..9.."
NONE = "005300000800000020070010050450005300910070006203200080060500009004000030000009700"


def givens(text):
    return {divmod(i, 9): (int(c),) for i, c in enumerate(text) if c in "123456789"}


def grids(found):
    return [tuple(solution.values()) for solution in found]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_relaxation_that_is_integral(engine):
    """The linear program alone gives the solution, and shows that there is no other."""
    with Lp(engine).compile(NINE) as session:
        found = session.solutions(givens(INTEGRAL))
        assert len(grids(found)) == 1
        assert found.complete
        statistics = found.statistics
        assert (statistics.relaxation, statistics.fractional) == ("integral", ())
        assert (statistics.relaxations, statistics.programs) == (2, 0)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_relaxation_that_is_fractional(engine):
    with Lp(engine).compile(NINE) as session:
        found = session.solutions(givens(FRACTIONAL))
        next(found)
        statistics = found.statistics
        assert statistics.relaxation == "fractional"
        assert 2 <= len(statistics.fractional) <= 81 - len(givens(FRACTIONAL))
        assert set(statistics.fractional).isdisjoint(givens(FRACTIONAL))
        assert statistics.programs == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_a_relaxation_that_is_infeasible_is_only_evidence(engine):
    """The engine decides."""
    with Lp(engine).compile(NINE) as session:
        found = session.solutions(givens(NONE))
        assert grids(found) == []
        assert found.complete
        assert (found.statistics.relaxation, found.statistics.programs) == ("infeasible", 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_without_the_relaxation(engine):
    with Lp(engine, relaxation=False).compile(FOUR) as session:
        found = session.solutions(TWELVE)
        assert len(set(grids(found))) == 12
        assert (found.statistics.relaxation, found.statistics.relaxations) == ("", 0)
        assert found.statistics.programs > 12


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("redundant", [True, False])
def test_every_engine(engine, redundant):
    with Lp(engine, redundant=redundant).compile(FOUR) as session:
        assert len(set(grids(session.solutions(TWELVE)))) == 12
        assert len(set(grids(session.solutions({(0, 0): (1, 3), (3, 3): (1, 3)})))) == 72
        first, again = (grids(session.solutions(TWELVE, seed=5)) for _ in range(2))
        assert first == again
        assert len(set(grids(session.solutions(TWELVE)))) == 12


@pytest.mark.parametrize("bits", [(0, 2), (0, 1)], ids=["even", "odd"])
def test_an_odd_sum_of_even_terms(bits):
    """It shows by division where all values are even; otherwise only branching finds it."""
    builder = GraphBuilder()
    for i in range(6):
        builder.variable(i, bits)
    builder.factor(Linear((2,) * 3 + (-2,) * 3, tuple(range(6)), 1, 1))
    builder.factor(Linear((1, 1, 1), (0, 1, 2), 1, 2))
    with Lp().compile(builder.build()) as session:
        found = session.solutions()
        assert next(found, None) is None
        assert found.complete


def test_a_point_that_breaks_a_row_is_an_error_and_no_answer(monkeypatch):
    monkeypatch.setattr(LinearProgram, "is_solution", lambda self, point: False)
    with (
        Lp().compile(FOUR) as session,
        pytest.raises(BackendError, match="the solution of scip breaks a row when it is rounded"),
    ):
        next(session.solutions())


def test_statistics():
    with Lp().compile(NINE) as session:
        found = session.solutions(givens(FRACTIONAL))
        next(found)
        statistics = found.statistics
        assert (statistics.engine, statistics.columns, statistics.rows) == ("scip", 729, 324)
        assert statistics.iterations > 0 < statistics.nodes


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("highs", "engine highs cannot be used: it writes to the standard output"),
        ("cplex", "no engine 'cplex'; there are scip, cpsat"),
    ],
)
def test_engines_that_are_refused(engine, message):
    with pytest.raises(BackendError, match=message):
        Lp(engine)
