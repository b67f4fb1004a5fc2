"""Wings: a pivot with two or three candidates, and two pincers that it sees."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.step import Step


def xy_wing(position: Position, score: float) -> Iterator[Step]:
    """A pivot AB sees pincers AC and BC: one pincer is C, so a cell that sees both is not C."""
    sees, masks = position.network.sees, position.masks
    twos = position.counted[1]
    for pivot in members(twos):
        around = [
            p for p in members(twos & sees[pivot]) if (masks[p] & masks[pivot]).bit_count() == 1
        ]
        for one, two in combinations(around, 2):
            third = masks[one] & masks[two]
            if masks[one] | masks[two] != masks[pivot] | third or third & masks[pivot]:
                continue
            if third.bit_count() == 1 and masks[one] != masks[two]:
                yield from _wing(
                    position, "XY-wing", score, pivot=pivot, pincers=(one, two), third=third
                )


def xyz_wing(position: Position, score: float) -> Iterator[Step]:
    """A pivot ABC sees AC and BC: one of the three is C, so a cell that sees all is not C."""
    sees, masks = position.network.sees, position.masks
    _, twos, threes = position.counted
    for pivot in members(threes):
        around = [p for p in members(twos & sees[pivot]) if not masks[p] & ~masks[pivot]]
        for one, two in combinations(around, 2):
            if masks[one] != masks[two]:
                third = masks[one] & masks[two]
                yield from _wing(
                    position,
                    "XYZ-wing",
                    score,
                    pivot=pivot,
                    pincers=(one, two),
                    third=third,
                    also=1 << pivot,
                )


def _wing(
    position: Position,
    technique: str,
    score: float,
    *,
    pivot: int,
    pincers: tuple[int, int],
    third: int,
    also: int = 0,
) -> Iterator[Step]:
    net, sees = position.network, position.network.sees
    value = third.bit_length() - 1
    seen = sees[pincers[0]] & sees[pincers[1]]
    for place in members(also):
        seen &= sees[place]
    lost = seen & position.boards[value] & ~(1 << pivot)
    if lost:
        ends = 1 << pincers[0] | 1 << pincers[1]
        yield position.step(
            technique,
            score,
            1 << pivot | ends,
            f"whatever {net.name(pivot)} holds ({net.digits(position.masks[pivot], 'or')}), "
            f"one of {net.names(ends | also)} is {net.digit(value)}, and {net.who_sees(lost)} "
            f"{'them all' if also else 'both'}",
            eliminations=[(place, value) for place in members(lost)],
        )
