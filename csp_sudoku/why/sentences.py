"""The sentences of a reason: one for each given and each rule."""

from __future__ import annotations

from typing import Any

from csp_sudoku.cells import Cell, Place, Var
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.regions import House
from csp_sudoku.puzzle import Puzzle

Groups = tuple[tuple[Place, ...], ...]


def of_given(place: Place, values: tuple[int, ...]) -> str:
    """Say the candidates of a place.

    Examples
    --------
    >>> of_given(Cell(0, 0), (5,)), of_given(Cell(0, 0), (1, 2, 4))
    ('R1C1 is 5', 'R1C1 is 1, 2 or 4')
    """
    if not values:
        return f"the candidate lists of {place} have no value in common"
    *most, last = map(str, values)
    return f"{place} is {', '.join(most)} or {last}" if most else f"{place} is {last}"


def of_rule(rule: Constraint, puzzle: Puzzle, used: Groups) -> str:
    """Say a rule, with the cells that matter if it is about many more."""
    if isinstance(rule, House):
        values = {value for place in rule.cells for value in puzzle.values_of(place)}
        if len(values) == len(rule.cells):
            return f"{rule.label} holds each value once"
    where = ", ".join([" and ".join(map(str, group)) for group in used])
    return rule.describe(puzzle) + (f" (here: {where})" if where else "")


def groups(scopes: list[tuple[Any, ...]]) -> Groups:
    """Return the cells of some factors; nothing if they use auxiliary variables, too."""
    if any(not isinstance(variable, Cell | Var) for scope in scopes for variable in scope):
        return ()
    return tuple(dict.fromkeys([tuple(dict.fromkeys(scope)) for scope in scopes]))
