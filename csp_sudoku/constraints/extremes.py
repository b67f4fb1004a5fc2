"""The least and the greatest value among some variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Regular

if TYPE_CHECKING:
    from csp_encodings.graph import Auxiliary
    from csp_sudoku.lowering import Lowering, Variable


def extreme(
    ctx: Lowering, scope: Sequence[Variable], choose: Callable[[int, int], int]
) -> Auxiliary:
    """An auxiliary variable for the least (`min`) or the greatest (`max`) value of the scope."""
    domains = ctx.domains(scope)
    values = sorted({value for domain in domains for value in domain})

    def step(best: int | None, value: int, position: int) -> int | None:
        if position == len(scope):
            return 0 if value == best else None
        return value if best is None else choose(best, value)

    machine = Automaton.from_fold((*domains, values), None, step, lambda s: True, positional=True)
    return ctx.auxiliary(choose.__name__, values, lambda end: Regular((*scope, end), machine))
