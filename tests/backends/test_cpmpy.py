"""The solvers of CPMpy: each says what the oracle says, or refuses by name."""

import pytest

import csp_sudoku as cs
from csp_encodings.errors import BudgetError
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


def test_what_it_has_no_word_for_is_refused_by_name():
    graph = graph_of({"x": (0, 1), "y": (0, 1)}, Connected(("x", "y"), ((0, 1),), ((1,),)))
    with pytest.raises(BudgetError, match="cpmpy has no factor Connected"):
        backends.get("cpmpy").compile(graph)


def test_solvers_that_are_not_there_are_named():
    with pytest.raises(cs.BackendError, match="cpmpy: no solver 'magic' is installed for CPMpy"):
        cs.solve("1...", "cpmpy:solver=magic")


def test_it_takes_part_in_a_cross_check():
    found = cs.cross_check("0100 3001 4002 0040", ["sat", "cpmpy"], isolate=False)
    assert found.summary == "one solution, certified"
    assert [answer.complete for answer in found.answers[:2]] == [True, True]
