"""The oracle: it enumerates candidates and calls only `holds`. For tiny grids and few blanks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from csp_encodings.graph import Assignment
from csp_sudoku.backends.base import (
    Enumeration,
    Request,
    Restriction,
    Session,
    Statistics,
    check_deadline,
)
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.puzzle import Puzzle


class BruteSession(Session):
    """Plain backtracking over a puzzle's candidates.

    This is no graph backend: it never sees a lowering, so it cannot share a fault of one. It asks a
    rule as soon as the last variable of the rule is set, and not before.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._order = puzzle.variables
        place = {variable: i for i, variable in enumerate(self._order)}
        self._due: list[list[Constraint]] = [[] for _ in self._order]
        self._constant: list[Constraint] = []
        for rule in puzzle.rules:
            scope = rule.scope(puzzle)
            due = self._due[max(place[v] for v in scope)] if scope else self._constant
            due.append(rule)

    def enumerate(self, request: Request) -> Enumeration:
        """Enumerate in the order of the candidates; the seed changes nothing."""
        return Enumeration(self._search(request.restrict, request.deadline), Statistics())

    def _search(self, restrict: Restriction, deadline: float | None) -> Iterator[Assignment]:
        puzzle = self._puzzle
        domains = []
        for variable in self._order:
            allowed = puzzle.candidates_of(variable)
            keep = restrict.get(variable, allowed)
            domains.append([value for value in allowed if value in keep])
        if not all(rule.holds({}, puzzle) for rule in self._constant):
            return
        values: dict[Any, int] = {}
        last = len(domains) - 1
        choices = [iter(domains[0])]
        while choices:
            depth = len(choices) - 1
            value = next(choices[-1], None)
            if value is None:
                choices.pop()
                continue
            check_deadline(deadline)
            values[self._order[depth]] = value
            if not all(rule.holds(values, puzzle) for rule in self._due[depth]):
                continue
            if depth < last:
                choices.append(iter(domains[depth + 1]))
            else:
                yield dict(values)
