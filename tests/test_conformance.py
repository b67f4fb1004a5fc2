"""Every backend finds what the oracle finds, for every constraint and every odd shape."""

import pytest

from csp_sudoku import BudgetError, backends
from csp_sudoku.backends.base import Backend
from csp_sudoku.backends.engines import fits_boards
from csp_sudoku.testing import check_case, check_session, conformance_cases

CASES = conformance_cases()
# These pay for every solution with a run of their solver.
FEW = {"lp": 6, "cpsat": 24}


@pytest.mark.parametrize("backend", backends.names())
@pytest.mark.parametrize("case", CASES, ids=str)
def test_solutions(case, backend):
    # Boards hold differences and relations, and refuse the rest.
    fits = backend != "boards" or fits_boards(case.puzzle.graph)
    assert check_case(backend, case, most=FEW.get(backend), may_refuse=not fits) is fits


@pytest.mark.parametrize("backend", backends.names())
def test_sessions(backend):
    check_session(backend)


class RefusesAll(Backend):
    name = "refuses"
    summary = "finds every puzzle too large"

    def compile(self, graph, *, deadline=None):
        raise BudgetError("too large")


def test_a_backend_that_refuses_everything_does_not_pass():
    for case in CASES[::60]:
        with pytest.raises(AssertionError, match="the backend refuses it: .*too large"):
            check_case(RefusesAll(), case)
        assert not check_case(RefusesAll(), case, may_refuse=True)
    assert check_case("sat", CASES[0], may_refuse=True)
