"""The SAT backend: every solver and encoding, cores, hints, selectors, and what is refused."""

import signal
import time
from itertools import combinations, product

import numpy as np
import pytest
from pysat.solvers import SolverNames

import csp_sudoku as cs
from csp_encodings.errors import GraphError
from csp_encodings.factors import AllDifferent, Relation
from csp_encodings.graph import GraphBuilder, variables
from csp_sudoku.backends import sat_session
from csp_sudoku.backends.base import OutOfTime
from csp_sudoku.backends.sat import Sat
from csp_sudoku.backends.sat_solvers import DEFAULT_SOLVER, SOLVERS, UNUSABLE
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
PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
GIVENS = {divmod(i, 9): (int(c),) for i, c in enumerate(PUZZLE) if c != "0"}


def pigeons(count):
    """One hole too few, said pair by pair: exponential for clause learning."""
    builder = GraphBuilder()
    for i in range(count):
        builder.variable(i, range(count - 1))
    different = frozenset((a, b) for a, b in product(range(count - 1), repeat=2) if a != b)
    for i, j in combinations(range(count), 2):
        builder.factor(Relation(i, j, different))
    return builder.build()


def grids(found):
    return [tuple(solution.values()) for solution in found]


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver(solver):
    with Sat(solver).compile(FOUR) as session:
        assert len(set(grids(session.solutions()))) == 288
        assert len(set(grids(session.solutions(TWELVE)))) == 12
        assert grids(session.solutions({(0, 0): (1,), (0, 1): (1,)})) == []
        assert session.core({(0, 0): (1,), (3, 3): (2,), (0, 1): (1,)}) == ((0, 0), (0, 1))
        assert session.core(TWELVE) is None
        first, again = (grids(session.solutions(seed=5)) for _ in range(2))
        assert first == again
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_takes_graphs_without_clauses(solver):
    """An empty formula, an empty clause, a variable in no clause but its own."""
    with Sat(solver).compile(GraphBuilder().build()) as session:
        assert list(session.solutions()) == [{}]
    builder = GraphBuilder()
    builder.variable("x", (1, 2))
    with Sat(solver).compile(builder.build()) as session:
        assert sorted(grids(session.solutions())) == [(1,), (2,)]
    builder = GraphBuilder()
    builder.variable("x", ())
    with Sat(solver).compile(builder.build()) as session:
        assert list(session.solutions()) == []
        assert session.core({}) == ()


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_keeps_a_deadline_and_goes_on(solver):
    hard = pigeons(14)
    with Sat(solver).compile(hard) as session:
        found = session.solutions(deadline=time.monotonic() + 0.1)
        assert next(found, None) is None
        assert found.out_of_time
        with pytest.raises(OutOfTime):
            session.core({0: (1, 2)}, deadline=time.monotonic() + 0.1)
        fixed = session.solutions(dict.fromkeys(range(13), (0,)))
        assert next(fixed, None) is None
        assert fixed.complete


def test_every_solver_of_pysat_is_known_or_refused():
    names = [name for name in vars(SolverNames) if not name.startswith("__")]
    named = {name for name in names if isinstance(getattr(SolverNames, name), tuple)}
    assert named <= {*SOLVERS, *UNUSABLE}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"solver": "maplesat"}, "maplesat cannot be used: it crashes on an empty formula"),
        ({"solver": "kissat"}, "kissat cannot be used: it ignores assumptions"),
        ({"solver": "maplecm"}, "maplecm cannot be used: it takes over the alarm"),
        ({"solver": "lgl"}, "lgl cannot be used: it cannot be stopped"),
        ({"solver": "z3"}, "no solver 'z3'; there are minicard"),
        ({"solver": "minisat22", "at_most_one": "native"}, "minisat22 has no at-most constraints"),
        ({"at_most_one": "bogus"}, "no at-most-one encoding 'bogus'; there are pairwise"),
    ],
)
def test_options_that_are_refused(options, message):
    with pytest.raises(BackendError, match=message):
        Sat(**options)


def test_solvers_have_all_the_names_of_pysat():
    assert Sat("g42").solver == Sat("glucose421").solver == "glucose42"
    assert Sat("mgh").solver == Sat("minisat-gh").solver == "minisatgh"


@pytest.mark.parametrize(
    ("solver", "side", "native"), [("minicard", 9, True), ("minisat22", 9, False)]
)
def test_the_encoding_suits_the_solver(solver, side, native):
    with Sat(solver).compile(NINE) as session:
        assert bool(session.cnf.at_most) is native
        assert session.cnf.variables == side**3  # pairs need no others


def test_pairs_are_not_taken_for_large_scopes():
    builder = GraphBuilder()
    builder.variable("x", range(100))
    with Sat("minisat22").compile(builder.build()) as session:
        assert len(session.cnf.clauses) < 300 < 100 * 99 // 2


def test_a_core_is_unsatisfiable_and_within_the_restriction():
    wrong = {**GIVENS, (0, 2): (5,), (8, 0): (2, 3)}
    with Sat().compile(NINE) as session:
        core = session.core(wrong)
        assert set(core) <= set(wrong)
        assert list(core) == [variable for variable in wrong if variable in core]
        assert session.core({variable: wrong[variable] for variable in core}) is not None
        assert session.core(GIVENS) is None
        assert session.core({(0, 0): ()}) == ((0, 0),)
        assert len(grids(session.solutions(GIVENS))) == 1


def test_a_hint_is_found_first_and_does_not_stay():
    with Sat().compile(NINE) as session, Sat().compile(NINE) as other:
        assert next(session.solutions()) == next(other.solutions())
        hint = next(session.solutions(seed=3))
        assert next(session.solutions(hint=hint)) == hint != next(session.solutions(seed=4))
        assert next(session.solutions()) == next(other.solutions())


@pytest.mark.parametrize("solver", [DEFAULT_SOLVER, "cadical195"])
def test_worn_solvers_are_replaced(solver, monkeypatch):
    """Each query uses up a variable; models would grow without bound."""
    monkeypatch.setattr(sat_session, "_MAX_SELECTORS", 3)
    with Sat(solver).compile(FOUR) as session:
        for _ in range(10):
            assert session.solutions(TWELVE).drain().count == 12
            assert session._loaded.solver.nof_vars() <= session.cnf.variables + 3


def test_numbers_of_numpy_are_taken():
    with Sat().compile(FOUR) as session:
        restrict = {(0, 0): (np.int64(1),), (0, 1): (np.int8(2), np.int8(3))}
        wanted = {(0, 0): (1,), (0, 1): (2, 3)}
        assert set(grids(session.solutions(restrict))) == set(grids(session.solutions(wanted)))


def test_statistics():
    with Sat().compile(NINE) as session:
        found = session.solutions(GIVENS)
        list(found)
        statistics = found.statistics
        assert (statistics.solver, statistics.variables) == ("minicard", 729)
        assert statistics.clauses == len(session.cnf.clauses) + len(session.cnf.at_most)
        assert statistics.propagations > 0
        assert min(statistics.conflicts, statistics.decisions, statistics.restarts) >= 0
        assert statistics.compile_seconds > 0 < statistics.solve_seconds


def test_statistics_count_what_was_done_before_a_deadline():
    with Sat().compile(pigeons(14)) as session:
        found = session.solutions(deadline=time.monotonic() + 0.1)
        assert next(found, None) is None
        assert found.statistics.conflicts > 0


def test_a_closed_session_says_so():
    session = Sat().compile(FOUR)
    found = session.solutions()
    next(found)
    session.close()
    session.close()
    assert next(found, None) is None
    assert not found.complete
    with pytest.raises(BackendError, match="this session is closed"):
        session.solutions()


def test_a_large_grid():
    """64×64 with 262,144 variables: at-most-one as clauses would be tens of millions of them."""
    graph = sudoku(8, 8)
    with Sat().compile(graph) as session:
        solution = next(session.solutions(limit=1))
    for k in range(64):
        assert {solution[k, c] for c in range(64)} == {solution[r, k] for r in range(64)}
    assert len(variables(graph)) == len(solution) == 4096


def test_an_unknown_variable_is_refused_even_where_nothing_is_possible():
    builder = GraphBuilder()
    for name in "xy":
        builder.variable(name, (1,))
    builder.factor(AllDifferent(("x", "y")))
    with Sat().compile(builder.build()) as session:
        assert list(session.solutions({"x": (1,)})) == []
        with pytest.raises(GraphError, match="variable z is not in the graph"):
            session.solutions({"z": (1,)})


@pytest.mark.parametrize("side", [25, 36, 64])
def test_a_deadline_holds_on_large_grids_with_a_sum(side):
    puzzle = cs.Puzzle.blank(side).add(cs.KillerCage("R1C1 R1C2", 9))
    with cs.session(puzzle, "sat") as session:
        started = time.monotonic()
        session.solve(puzzle, timeout=0.5)
        assert time.monotonic() - started < 10
