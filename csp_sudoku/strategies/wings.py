"""Wings: a pivot with two or three candidates, and two pincers that it sees."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from csp_sudoku.strategies.bits import is_single, members
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.step import Step


def wing(position: Position, score: float, technique: str, size: int) -> Iterator[Step]:
    """A pivot, AB or ABC, sees pincers AC and BC: a cell that sees all that may be C is not C.

    One of the pincers is C, or else the pivot is, if it has this candidate.
    """
    net, masks = position.network, position.masks
    twos = position.counted[1]
    for pivot in members(position.counted[size - 1]):
        near = members(twos & net.sees[pivot])
        around = [p for p in near if (masks[p] & masks[pivot]).bit_count() == size - 1]
        for one, two in combinations(around, 2):
            third = masks[one] & masks[two]
            other = (masks[one] | masks[two]) ^ third
            if not is_single(third) or masks[pivot] != (other if size == 2 else other | third):
                continue
            value = third.bit_length() - 1
            ends = 1 << one | 1 << two | (1 << pivot if size > 2 else 0)
            lost = position.boards[value] & ~(1 << pivot)
            for end in members(ends):
                lost &= net.sees[end]
            if lost:
                yield position.step(
                    technique,
                    score,
                    1 << pivot | ends,
                    f"whatever {net.name(pivot)} holds ({net.digits(masks[pivot], 'or')}), one of "
                    f"{net.names(ends)} is {net.digit(value)}, and {net.who_sees(lost)} "
                    f"{'both' if size == 2 else 'them all'}",
                    eliminations=[(place, value) for place in members(lost)],
                )
