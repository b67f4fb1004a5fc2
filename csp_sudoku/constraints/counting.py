"""Counting: how often a value occurs among some variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from csp_encodings.automaton import Automaton
from csp_encodings.factors import Regular
from csp_sudoku.machines import kept_machine

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
    """Add the test that `accept` is true for the number of times that the value occurs.

    Counts from `most` on are all treated as `most`.
    """
    ctx.add_fold(variables, 0, lambda count, held: min(most, count + (held == value)), accept)


def occurs(domains: Sequence[Domain], value: int) -> Automaton:
    """The automaton that reads ``(*values, bit)``: the bit says whether the value occurs."""
    seen = Automaton.from_fold(domains, False, lambda seen, held: seen or held == value, bool)
    return seen.reified()


def occurrence(ctx: Lowering, variables: Sequence[Variable], value: int) -> Auxiliary:
    """An auxiliary bit that is 1 if the value occurs, and else 0."""
    machine = kept_machine(occurs, ctx.domains(variables), value)
    return ctx.auxiliary(f"has {value}", (0, 1), lambda bit: Regular((*variables, bit), machine))
