"""The checks that our own constraints and backends pass, for those of others to pass as well.

``lowering`` compares a constraint's lowering with its rule; ``conformance`` compares a backend's
solutions with the oracle's, for every constraint there is.
"""

from csp_sudoku.testing.conformance import Case, check_case, check_session, conformance_cases
from csp_sudoku.testing.lowering import assert_lowering

__all__ = ["Case", "assert_lowering", "check_case", "check_session", "conformance_cases"]
