"""Why not: the rules and givens that forbid a value, or every solution, in sentences.

A SAT solver refutes the puzzle with a switch for each rule and each given (see
:mod:`csp_sudoku.switching`), and names those it needed. They are left out one by one, each for good
where the rest still leaves no solution: what remains is *minimal*, none of it can go. There may be
a smaller set elsewhere; several orders are tried, and the shortest reason is taken. A second
backend confirms it.

``reasons`` the questions and their answers · ``shrinking`` from a core to a minimal one ·
``sentences`` the words.
"""

from csp_sudoku.why.reasons import Reason, Reasons, why_not, why_unsolvable

__all__ = ["Reason", "Reasons", "why_not", "why_unsolvable"]
