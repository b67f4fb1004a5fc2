"""Every backend finds what the oracle finds, for every constraint and every odd shape."""

import pytest

from csp_sudoku import backends
from csp_sudoku.testing import check_case, check_session, conformance_cases

CASES = conformance_cases()
# These pay for every solution with a run of their solver.
FEW = {"lp": 6, "cpsat": 24}


@pytest.mark.parametrize("backend", backends.names())
@pytest.mark.parametrize("case", CASES, ids=str)
def test_solutions(case, backend):
    check_case(backend, case, most=FEW.get(backend))


@pytest.mark.parametrize("backend", backends.names())
def test_sessions(backend):
    check_session(backend)
