"""Shorten an explanation: drop the steps that no other step needs.

Each round of an explanation tells all steps of a technique, and many of them remove candidates that
do not matter later. From the last step to the first, each step is looked for again without them; if
it is not found any more, the steps that it needs are kept. Values are placed once each, so steps
that place one always stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from csp_sudoku.strategies.position import Contradiction, Position
from csp_sudoku.strategies.step import Step
from csp_sudoku.strategies.techniques import TECHNIQUES

_BY_NAME = {technique.name: technique for technique in TECHNIQUES}


def shortened(start: Position, steps: Sequence[Step]) -> list[Step]:
    """The steps that lead from a position to the same values, told anew where they stand."""
    pruning = _Pruning(start, steps)
    needed = pruning.needed()
    while (told := pruning.told(needed)) is None:
        # A step is not found with what it needs and more. This is rare: keep all steps before it.
        needed |= set(range(pruning.missed))
    return told


class _Pruning:
    """An explanation of which some steps are left out.

    `missed` is the number of the last step that was not found.
    """

    def __init__(self, start: Position, steps: Sequence[Step]) -> None:
        self._start = start
        self._steps = steps
        self._places = {i for i, step in enumerate(steps) if step.placements}
        self.missed = 0

    def needed(self) -> set[int]:
        """The numbers of the steps that stay."""
        needed = set(self._places)
        for number in reversed(range(len(self._steps))):
            if number in needed:
                needed |= self._needs(number, needed)
        return needed

    def _needs(self, number: int, needed: set[int]) -> set[int]:
        """The other steps that a step needs."""
        spare = [i for i in range(number) if i not in needed]
        if not spare or self._again(number, needed):
            return set()
        if self._again(number, needed | set(spare)) is None:
            return set(spare)
        # Halve what can go, as long as something can (Junker's QuickXplain in its simplest form).
        kept: list[int] = []
        parts = [spare]
        while parts:
            part = parts.pop()
            rest = [*kept, *(i for other in parts for i in other)]
            if self._again(number, needed | set(rest)):
                continue
            if len(part) == 1:
                kept += part
            else:
                parts += [part[: len(part) // 2], part[len(part) // 2 :]]
        return set(kept)

    def told(self, needed: set[int]) -> list[Step] | None:
        """The steps that stay, as they are found without the others."""
        found: list[Step] = []
        position = self._start
        for number in sorted(needed):
            wanted = self._steps[number]
            if not wanted.placements and self._is_known(position, wanted):
                continue
            step = self._found(position, wanted)
            if step is None:
                if any(i not in needed for i in range(number)):
                    self.missed = number
                    return None
                # Another step of its round has changed the pattern: all that it says is still so.
                step = wanted
            found.append(step)
            position = position.after_steps([step])
        return found

    def _is_known(self, position: Position, step: Step) -> bool:
        candidates = position.candidates
        return all(value not in candidates[place] for place, value in step.eliminations)

    def _again(self, number: int, before: Iterable[int]) -> Step | None:
        """A step, if it is found after these of the earlier steps."""
        earlier = [self._steps[i] for i in sorted(before) if i < number]
        try:
            return self._found(self._start.after_steps(earlier), self._steps[number])
        except Contradiction:
            return None

    def _found(self, position: Position, wanted: Step) -> Step | None:
        position.tick()
        technique = _BY_NAME.get(wanted.technique)
        if technique is None:
            # A proof is not looked for again: it needs all that was known.
            return wanted if self._is_same(position, wanted) else None
        return next(
            (
                step
                for step in technique.find(position, technique.score)
                if step.conclusions >= wanted.conclusions
            ),
            None,
        )

    def _is_same(self, position: Position, wanted: Step) -> bool:
        number = next(i for i, step in enumerate(self._steps) if step is wanted)
        return position.boards == self._start.after_steps(self._steps[:number]).boards
