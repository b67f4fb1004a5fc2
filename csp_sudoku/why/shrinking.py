"""Minimal cores of a question: leave out one item after the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from csp_sudoku.backends.base import OutOfTime, Restriction
from csp_sudoku.cells import Place
from csp_sudoku.solving.switching import Switchboard


class Shrinking:
    """Looks for a few items (places of `givens`, or switches) that leave no solution."""

    def __init__(
        self,
        board: Switchboard,
        question: Restriction,
        givens: Restriction,
        deadline: float | None,
    ) -> None:
        self._board = board
        self._question = question
        self._givens = givens
        self._deadline = deadline

    def core(self, items: Iterable[Any]) -> list[Any] | None:
        """Return some of the items that are enough; None if even all of them are not."""
        switched: list[int] = []
        restrict: dict[Place, tuple[int, ...]] = {**self._question}
        for item in items:
            if isinstance(item, int):
                switched.append(item)
            else:
                restrict[item] = self._givens[item]
        found = self._board.core(switched, restrict, deadline=self._deadline)
        return None if found is None else [item for item in found if item not in self._question]

    def minimal(
        self, core: list[Any], always: Iterable[Any] = (), *, below: int | None = None
    ) -> list[Any] | None:
        """Leave out one item after the other, each for good if the rest is enough.

        The items of `always` stay. Returns None if `below` or more items are needed. Raises
        :class:`OutOfTime`.
        """
        needed = list(always)
        first = len(needed)
        open_ = core
        most = len(core) + 1 if below is None else below
        while open_ and len(needed) - first < most:
            *rest, item = open_
            found = self.core([*needed, *rest])
            if found is None:
                needed.append(item)
                open_ = rest
            else:
                kept = set(found)
                open_ = [other for other in rest if other in kept]
        return needed[first:] if len(needed) - first < most else None

    def in_parts(self, needed: list[Any]) -> dict[int, list[int]]:
        """Return, for the rules with several factors among the items, the parts that are enough."""
        found: dict[int, list[int]] = {}
        items = list(needed)
        for rule in needed:
            parts = self._board.parts.get(rule) if isinstance(rule, int) else None
            if parts is None or self._board.companions(rule):
                continue
            items.remove(rule)
            try:
                core = self.core([*items, *parts]) or ()
                kept = self.minimal([part for part in core if part in parts], items)
            except OutOfTime:
                return found
            found[rule] = sorted(kept or ())
            items += found[rule]
        return found
