"""Which rule is at fault when all solvers of the constraint graph deny a grid that keeps the rules.

The grid was accepted by the short check of :mod:`csp_sudoku.checking.verify`. It is given to two
others: the definition of each rule, and the lowering of each rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from csp_sudoku.checking.verify import keeps_rules
from csp_sudoku.crosscheck.agreement import Disagreement
from csp_sudoku.errors import CspSudokuError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.why import Reasons

# How many seconds to look for the rule.
_SECONDS = 10.0


def blame(puzzle: Puzzle, found: Sequence[Disagreement]) -> Iterator[str]:
    """Yield where to look: the rules whose definitions or lowerings refuse the grid."""
    # A grid that breaks a rule is no evidence: it names the rule.
    grids = [
        each.evidence
        for each in found
        if each.evidence and each.evidence.keys() == {*puzzle.variables}
    ]
    accepted = [dict(grid) for grid in grids if keeps_rules(puzzle, grid)]
    if not accepted:
        return
    grid = accepted[0]
    broken = [rule.label for rule in puzzle.rules if not rule.holds(grid, puzzle)]
    if broken:
        yield (
            f"or at the checker (verify): it accepts the grid, but the definition of {broken[0]} "
            f"does not"
        )
        return
    try:
        with Reasons(puzzle, timeout=_SECONDS) as reasons:
            reason = reasons.why_unsolvable(grid, timeout=_SECONDS, tries=1, confirm=False)
    except CspSudokuError:
        return  # there is no time, or the clauses accept the grid
    names = ", ".join(rule.label for rule in reason.constraints)
    if names:
        yield f"the lowering of {names} refuses the grid, its definition (`holds`) does not"
