"""The solvers of CPMpy: each says what the oracle says."""

from itertools import product

import pytest

import csp_sudoku as cs
from csp_encodings.factors import Connected
from csp_encodings.graph import graph_of
from csp_sudoku import backends
from csp_sudoku.testing import check_backend

SOME = [
    "KillerCage 1*", "Thermometer 1*", "AntiKnight 1*", "Arrow 1*", "Table 1*", "Sandwich 1*",
    "1×1", "2×2*", "too few values", "jigsaw", "overlapping grids*", "candidates", "no candidates",
    "a named*", "a wide domain", "not of an or", "a table that repeats a cell", "an empty table",
    "sessions",
]  # fmt: skip


def test_it_conforms():
    report = check_backend("cpmpy:solver=ortools", include=SOME, most=4)
    assert report.failed == {}
    assert len(report.passed) > 25


def test_connected_parts():
    # In a cycle of four, the ones are connected unless two of them stand across.
    cycle = ((0, 1), (1, 2), (2, 3), (0, 3))
    scope = tuple("wxyz")
    graph = graph_of(dict.fromkeys(scope, (0, 1)), Connected(scope, cycle, ((1,),)))
    with backends.get("cpmpy:ortools").compile(graph) as session:
        found = {tuple(solution.values()) for solution in session.solutions()}
    assert found == {*product((0, 1), repeat=4)} - {(1, 0, 1, 0), (0, 1, 0, 1)}


def test_a_solver_that_must_begin_anew_finds_the_same(monkeypatch):
    monkeypatch.setattr("csp_sudoku.backends.cpmpy._BEGIN_ANEW", ("ortools",))
    assert cs.count("..3434214312..43", "cpmpy:ortools").value == 2


def test_solvers_that_are_not_there_are_named():
    with pytest.raises(cs.BackendError, match="cpmpy: no solver 'magic' is installed for CPMpy"):
        cs.solve("1...", "cpmpy:solver=magic")


def test_it_takes_part_in_a_cross_check():
    found = cs.cross_check("0100 3001 4002 0040", ["sat", "cpmpy"], isolate=False)
    assert found.summary == "one solution, certified"
    assert [answer.complete for answer in found.answers[:2]] == [True, True]
