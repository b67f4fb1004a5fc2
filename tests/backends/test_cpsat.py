"""The CP-SAT backend: batches, repeats, workers, hints, and what is refused."""

from itertools import product

import pytest
from ortools.sat.python import cp_model

from csp_encodings.cpsat import MAX_VALUE, CpSatModel
from csp_encodings.errors import EncodingError
from csp_encodings.factors import AllDifferent
from csp_encodings.graph import GraphBuilder
from csp_sudoku.backends import cpsat
from csp_sudoku.backends.cpsat import CpSat, CpSatSession
from csp_sudoku.errors import BackendError


def latin(side):
    builder = GraphBuilder()
    for cell in product(range(side), repeat=2):
        builder.variable(cell, range(1, side + 1))
    for k in range(side):
        builder.factor(AllDifferent(tuple((k, c) for c in range(side))))
        builder.factor(AllDifferent(tuple((r, k) for r in range(side))))
    return builder.build()


FOUR = latin(4)  # 576 Latin squares


def grids(found):
    return [tuple(solution.values()) for solution in found]


@pytest.mark.parametrize("workers", [1, 4])
@pytest.mark.parametrize("presolve", [True, False])
def test_enumerations_are_whole_whatever_the_options(workers, presolve):
    """Several workers would give some solutions many times, others never, and no proof."""
    with CpSat(workers=workers, presolve=presolve).compile(FOUR) as session:
        found = session.solutions()
        squares = grids(found)
        assert len(squares) == len(set(squares)) == 576
        assert found.complete
        assert found.statistics.workers == 1


def test_workers_are_for_one_solution():
    with CpSat(workers=3).compile(FOUR) as session:
        assert session.solutions(limit=1).statistics.workers == 3
        assert session.solutions(limit=2).statistics.workers == 1
        assert session.solutions(limit=1, seed=1).statistics.workers == 1
        found = session.solutions(limit=1)
        assert len(set(grids(found))) == 576  # the limit is a hint
        assert found.complete


def test_batches_grow_and_lose_nothing(monkeypatch):
    monkeypatch.setattr(cpsat, "_FIRST_BATCH", 1)
    monkeypatch.setattr(cpsat, "_GROWTH", 3)
    with CpSat().compile(FOUR) as session:
        found = session.solutions({(0, 0): (1,)})
        assert len(set(grids(found))) == 144
        assert found.statistics.runs == 6  # 1, 3, 9, 27, 81, and the last 23


def test_a_limit_takes_one_run():
    with CpSat().compile(FOUR) as session:
        found = session.solutions(limit=7)
        assert found.drain(7).count == 7
        assert found.statistics.runs == 1


@pytest.mark.parametrize("limit", [None, 1, 2])
def test_solutions_that_are_reported_over_and_over(limit):
    """A variable that nothing determines: thousands of reports for three solutions."""
    model = cp_model.CpModel()
    x = model.new_int_var(0, 4, "x")
    model.new_int_var(0, 5000, "free")
    model.add_allowed_assignments([x], [(0,), (2,), (4,)])
    session = CpSatSession(CpSatModel(model, {"x": tuple(range(5))}, 1), 1, True, 0.0)
    for _ in range(2):  # what was forbidden to one query is not to the next
        found = session.solutions(limit=limit)
        assert sorted(grids(found)) == [(0,), (2,), (4,)]
        assert found.complete
        assert found.statistics.repeats < 5 * cpsat._PATIENCE
    assert grids(session.solutions({"x": (1, 2)})) == [(2,)]


def test_hints():
    with CpSat().compile(FOUR) as session:
        first = next(session.solutions(limit=1))
        hint = next(session.solutions(limit=1, seed=11))
        assert hint != first
        assert next(session.solutions(limit=1, hint=hint)) == hint
        impossible = dict.fromkeys(hint, 99)
        assert next(session.solutions(limit=1, hint=impossible))
        assert next(session.solutions(limit=1)) == first


def test_statistics():
    with CpSat().compile(FOUR) as session:
        found = session.solutions(limit=1)
        next(found)
        statistics = found.statistics
        assert (statistics.variables, statistics.constraints, statistics.runs) == (16, 8, 1)
        assert statistics.branches > 0 < statistics.wall_seconds
        assert statistics.conflicts >= 0


def test_refusals():
    for workers in (0, "many"):
        with pytest.raises(BackendError, match=f"workers={workers!r} must be a whole number"):
            CpSat(workers=workers)
    builder = GraphBuilder()
    builder.variable("x", (0, MAX_VALUE + 1))
    with pytest.raises(EncodingError, match="variable x: CP-SAT takes values up to"):
        CpSat().compile(builder.build())


def test_an_invalid_model_is_an_error_and_no_answer():
    model = cp_model.CpModel()
    model.new_int_var(5, 2, "x")
    session = CpSatSession(CpSatModel(model, {"x": (5,)}, 1), 1, True, 0.0)
    for limit in (1, None):
        with pytest.raises(BackendError, match="the model is invalid"):
            next(session.solutions(limit=limit))
