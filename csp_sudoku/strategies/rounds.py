"""Rounds: the easiest technique that applies, all its steps at once, then from the start again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from csp_sudoku.strategies.position import Contradiction, Position
from csp_sudoku.strategies.step import Step
from csp_sudoku.strategies.techniques import TECHNIQUES, Technique


def chosen(
    *, uniqueness: bool = False, hardest: float = float("inf"), beyond: float = 0.0
) -> tuple[Technique, ...]:
    """The techniques within a range of scores, with or without those that rely on uniqueness.

    Examples
    --------
    >>> [technique.name for technique in chosen(hardest=1.5)]
    ['last cell', 'cell rule', 'hidden single in a block', 'hidden single in a line']
    """
    return tuple(
        technique
        for technique in TECHNIQUES
        if beyond < technique.score <= hardest and (uniqueness or not technique.needs_uniqueness)
    )


def next_steps(position: Position, techniques: Sequence[Technique]) -> list[Step]:
    """All steps of the first technique that has any; raises :class:`Contradiction`."""
    for technique in techniques:
        position.tick()
        if steps := technique.steps(position):
            return steps
    return []


def rounds(
    position: Position, techniques: Sequence[Technique]
) -> Iterator[tuple[list[Step], Position]]:
    """The steps of round after round and the positions after them, until none is left.

    Raises :class:`Contradiction` as soon as it shows that there is no solution.
    """
    check(position)
    while not position.solved:
        steps = next_steps(position, techniques)
        if not steps:
            return
        position = position.after_steps(steps)
        check(position)
        yield steps, position


def check(position: Position) -> None:
    """Raise :class:`Contradiction` where a position has no solution at a glance.

    A position in which every place is set is a solution if nothing is raised.
    """
    if clash := position.clash():
        raise clash
    if position.solved:
        for index, clue in enumerate(position.network.clues):
            if position.narrowed(index) is None:
                said = position.network.say(clue.rule)
                raise Contradiction(f"{said}: that is not kept", clue.cells)
