"""The algorithms of the textbooks in plain Python, which tell every step that they take.

``csp`` variables, domains and arcs · ``arc_consistency`` AC-3 and REVISE · ``search`` backtracking
with MRV, degree, LCV, forward checking and MAC · ``dancing_links`` Algorithm X with cover and
uncover · ``events`` what they tell · ``tracing`` all of them by name.

They are for reading, for teaching, and for the tests, which hold the fast engines to them.
"""

from csp_sudoku.textbook.arc_consistency import Ac3Result, ac3, ac3_events, revise
from csp_sudoku.textbook.csp import Csp
from csp_sudoku.textbook.dancing_links import algorithm_x
from csp_sudoku.textbook.events import (
    Backtracked,
    Chosen,
    Covered,
    Event,
    Removed,
    Revised,
    SolutionFound,
    Uncovered,
)
from csp_sudoku.textbook.search import (
    backtracking_search,
    first_unassigned,
    forward_checking,
    lcv,
    mac,
    mrv,
    mrv_degree,
    natural,
    no_inference,
)
from csp_sudoku.textbook.tracing import trace

__all__ = [
    "Ac3Result",
    "Backtracked",
    "Chosen",
    "Covered",
    "Csp",
    "Event",
    "Removed",
    "Revised",
    "SolutionFound",
    "Uncovered",
    "ac3",
    "ac3_events",
    "algorithm_x",
    "backtracking_search",
    "first_unassigned",
    "forward_checking",
    "lcv",
    "mac",
    "mrv",
    "mrv_degree",
    "natural",
    "no_inference",
    "revise",
    "trace",
]
