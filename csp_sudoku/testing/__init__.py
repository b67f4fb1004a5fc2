"""The checks that our own constraints and backends pass, for use with plug-ins.

``lowering`` compares a constraint's lowering with its rule. ``conformance`` compares a backend's
solutions with the oracle's, for every constraint. ``report`` runs all of that on a backend; on the
command line: ``python -m csp_sudoku.testing --backend mine``.
"""

from csp_sudoku.testing.conformance import Case, check_case, check_session, conformance_cases
from csp_sudoku.testing.lowering import assert_lowering
from csp_sudoku.testing.report import ConformanceReport, check_backend

__all__ = [
    "Case",
    "ConformanceReport",
    "assert_lowering",
    "check_backend",
    "check_case",
    "check_session",
    "conformance_cases",
]
