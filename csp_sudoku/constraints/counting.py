"""How often a value occurs among some variables: one small automaton a value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Regular

if TYPE_CHECKING:
    from csp_encodings.factors import Domain
    from csp_encodings.graph import Auxiliary
    from csp_sudoku.lowering import Lowering, Variable


def add_count(
    ctx: Lowering,
    variables: Sequence[Variable],
    value: int,
    accept: Callable[[int], bool],
    *,
    most: int,
) -> None:
    """Test: how often the value occurs is accepted; counts from `most` on are all alike."""
    ctx.add_fold(variables, 0, lambda count, held: min(most, count + (held == value)), accept)


def occurs(domains: Sequence[Domain], value: int) -> Automaton:
    """The automaton of ``(*values, bit)`` where the bit says whether the value occurs."""
    seen = Automaton.from_fold(domains, False, lambda seen, held: seen or held == value, bool)
    return seen.reified()


def occurrence(ctx: Lowering, variables: Sequence[Variable], value: int) -> Auxiliary:
    """A bit that is 1 exactly when the value occurs."""
    machine = occurs(ctx.domains(variables), value)
    return ctx.auxiliary(f"has {value}", (0, 1), lambda bit: Regular((*variables, bit), machine))
