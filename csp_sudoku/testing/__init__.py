"""The checks that our own constraints and backends pass, for use with plug-ins.

``lowering`` compares a constraint's lowering with its rule. ``conformance`` compares a backend's
solutions with the oracle's, for every constraint.
"""

from csp_sudoku.testing.conformance import Case, check_case, check_session, conformance_cases
from csp_sudoku.testing.lowering import assert_lowering

__all__ = ["Case", "assert_lowering", "check_case", "check_session", "conformance_cases"]
