"""Rounds: apply all steps of the easiest technique that has any, then begin again."""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Iterator, Sequence

from csp_sudoku.errors import PuzzleError
from csp_sudoku.plugins import nearest
from csp_sudoku.solving.query import check_items
from csp_sudoku.strategies.position import Contradiction, Position
from csp_sudoku.strategies.step import Step
from csp_sudoku.strategies.techniques import TECHNIQUES, Technique

# In positions with more candidates in open cells, techniques above this score take too long. A
# solver's steps come in their place.
MANY, _EASY = 3_000, 6.0

# Other names by which techniques are asked for.
_ALSO = {"parity colouring": "polarity colouring"}


def chosen(*, uniqueness: bool = False, hardest: float = float("inf")) -> tuple[Technique, ...]:
    """The techniques up to a score, with or without those that rely on uniqueness.

    Examples
    --------
    >>> [technique.name for technique in chosen(hardest=1.5)]
    ['last cell', 'cell rule', 'hidden single in a block', 'hidden single in a line']
    """
    return tuple(
        technique
        for technique in TECHNIQUES
        if technique.score <= hardest
        and (uniqueness or not technique.needs_uniqueness)
        and not technique.by_request
    )


def named(names: Collection[str]) -> tuple[Technique, ...]:
    """The techniques of these names, from easy to hard; case, spaces and hyphens do not matter.

    Examples
    --------
    >>> [technique.name for technique in named(["w-wing", "x wing"])]
    ['X-wing', 'W-wing']
    >>> [technique.name for technique in named(["parity colouring"])]
    ['polarity colouring']
    """
    names = check_items("techniques", names, "names of techniques")
    known = {_plain(technique.name): technique for technique in TECHNIQUES}
    for name in names:
        if _plain(name) not in {*known, *_ALSO}:
            hint = nearest(name, [technique.name for technique in TECHNIQUES])
            raise PuzzleError(f"{reprlib.repr(name)} is no technique; {hint}")
    wanted = {_plain(_ALSO.get(_plain(name), name)) for name in names}
    return tuple(technique for name, technique in known.items() if name in wanted)


def _plain(name: str) -> str:
    if not isinstance(name, str):
        raise PuzzleError(f"{reprlib.repr(name)} is no name of a technique")
    return name.casefold().replace("-", " ").replace("_", " ")


def next_steps(
    position: Position, techniques: Sequence[Technique], *, patient: bool = True
) -> list[Step]:
    """All steps of the easiest technique that has any. Raises :class:`Contradiction`.

    If not `patient`, hard techniques are left out in positions with many candidates.
    """
    in_haste = not patient and position.choices > MANY
    for technique in techniques:
        if in_haste and technique.score > _EASY:
            return []
        position.tick()
        if steps := technique.steps(position):
            return steps
    return []


def rounds(
    position: Position, techniques: Sequence[Technique], *, patient: bool = True
) -> Iterator[tuple[list[Step], Position]]:
    """Yield the steps of each round and the position after it, until there are no more steps.

    Raises :class:`Contradiction` once it shows that there is no solution.
    """
    check(position)
    while not position.solved:
        steps = next_steps(position, techniques, patient=patient)
        if not steps:
            return
        position = position.after_steps(steps)
        check(position)
        yield steps, position


def check(position: Position) -> None:
    """Raise :class:`Contradiction` if a position clearly has no solution.

    If every place is set and nothing is raised, the position is a solution.
    """
    if clash := position.clash():
        raise clash
    if position.solved:
        for index, clue in enumerate(position.network.clues):
            if position.narrowed(index) is None:
                said = position.network.say(clue.rule)
                raise Contradiction(f"{said}: that is not kept", clue.cells)
