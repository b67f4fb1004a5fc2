"""Why not: the rules and givens that forbid a value, or every solution, in sentences.

Each rule and each given has a switch (:mod:`csp_sudoku.solving.switching`). A SAT solver refutes
the puzzle and names the switches that it needed. They are left out one by one, each for good if the
rest still has no solution. What remains is *minimal*: none of it can go. Another set may be
smaller, so several orders are tried and the shortest reason is taken. A second backend confirms it.

A rule in a reason means what it means in the whole puzzle: a dot that the reason does not name
still exempts its cells from a negative rule.

``reasons`` the questions and their answers · ``shrinking`` from a core to a minimal one ·
``sentences`` the words.
"""

from csp_sudoku.why.reasons import Reason, Reasons, why_not, why_unsolvable

__all__ = ["Reason", "Reasons", "why_not", "why_unsolvable"]
