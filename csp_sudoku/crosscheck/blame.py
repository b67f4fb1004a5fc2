"""Where to look for a fault: at a lowering, an encoding, a search or the checker, and which rule.

A grid that keeps the rules, and that a solver denies, is given to others: to the definition of each
rule, to the lowering of each rule, and to the same solver once more with all of its cells given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from csp_sudoku.cells import Place
from csp_sudoku.checking.verify import keeps_rules
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.crosscheck.agreement import Answer, Disagreement
from csp_sudoku.errors import CspSudokuError
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.running.deadlines import deadline_after, has_passed
from csp_sudoku.why import Reasons

# How many seconds to look for the rule.
SECONDS = 10.0


def denied(puzzle: Puzzle, found: Sequence[Disagreement]) -> Mapping[Place, int] | None:
    """Return a grid that keeps the rules and that a solver denies, if one is known."""
    # A grid that breaks a rule is no evidence: it names the rule.
    for each in found:
        grid = each.evidence
        if grid and grid.keys() == {*puzzle.variables} and keeps_rules(puzzle, dict(grid)):
            return dict(grid)
    return None


def blame_lowering(puzzle: Puzzle, found: Sequence[Disagreement]) -> Iterator[str]:
    """Yield where to look if all solvers of the constraint graph deny a grid."""
    grid = denied(puzzle, found)
    broken = [rule for rule in puzzle.rules if grid and not rule.holds(grid, puzzle)]
    if broken:
        yield (
            f"look at the checker (verify): it accepts the grid, but the definition of "
            f"{broken[0].label} and all solvers that got the constraint graph do not"
        )
        return
    yield "all solvers that got the constraint graph are wrong: look at the lowerings"
    if grid is None:
        return
    try:
        with Reasons(puzzle, timeout=SECONDS) as reasons:
            reason = reasons.why_unsolvable(grid, timeout=SECONDS, tries=1, confirm=False)
    except CspSudokuError:
        return  # there is no time, or the clauses accept the grid
    names = ", ".join(rule.label for rule in reason.constraints)
    if names:
        yield (
            f"the lowering of {names} refuses the grid, its definition (`holds`) does not: "
            f"{_show(puzzle, reason.constraints[0])}"
        )


def blame_solver(
    puzzle: Puzzle, grid: Mapping[Place, int], name: str, ask: Callable[[Puzzle], Answer]
) -> Iterator[str]:
    """Yield where to look if one solver denies a grid that others find in the same graph."""
    deadline = deadline_after(SECONDS)

    def accepts(given: Puzzle) -> bool | None:
        answer = ask(given.with_givens(grid))
        return bool(answer.solutions) if answer.complete or answer.solutions else None

    if accepts(puzzle):
        yield f"{name} accepts the grid if all of its cells are given: look at its search"
    elif accepts(puzzle.without(*puzzle.constraints)) is False:
        yield (
            f"{name} denies the grid even if all of its cells are given and the houses are the "
            f"only rules: look at how it encodes houses, or at its search"
        )
    else:
        for rule in puzzle.constraints:
            if has_passed(deadline):
                return
            if accepts(puzzle.without(rule)):
                yield (
                    f"{name} accepts the grid without {rule.label}: look at how it encodes this "
                    f"rule; {_show(puzzle, rule)}"
                )
                return


def _show(puzzle: Puzzle, rule: Constraint) -> str:
    """The command that shows what a rule became."""
    number = puzzle.rules.index(rule) + 1
    return f"csp-sudoku encoding PUZZLE --number {number} shows what it became"
