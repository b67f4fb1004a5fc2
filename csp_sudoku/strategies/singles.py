"""Singles: a place has one candidate left, or a value has one place left in a house."""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.strategies.bits import is_single, members
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.step import Step


def last_cell(position: Position, score: float) -> Iterator[Step]:
    """All cells of a house but one are filled: the last cell takes the missing value."""
    net = position.network
    for house in net.houses:
        left = house.cells & position.open
        if is_single(left):
            place = left.bit_length() - 1
            for value in members(position.masks[place] & house.values):
                yield position.step(
                    "last cell",
                    score,
                    house.cells,
                    f"{house.name} has one open cell, and {net.digit(value)} is missing",
                    placements=[(place, value)],
                )


def hidden_single_in_block(position: Position, score: float) -> Iterator[Step]:
    """Cross-hatching: a value has one place left in a box."""
    return _hidden(position, score, block=True)


def hidden_single_in_line(position: Position, score: float) -> Iterator[Step]:
    """A value has one place left in a row, a column or another house."""
    return _hidden(position, score, block=False)


def _hidden(position: Position, score: float, *, block: bool) -> Iterator[Step]:
    net = position.network
    technique = "hidden single in a block" if block else "hidden single in a line"
    for house, value, places in position.units():
        if house.block == block and is_single(places):
            place = places.bit_length() - 1
            yield position.step(
                technique,
                score,
                house.cells,
                f"{house.name} has only one place left for {net.digit(value)}",
                placements=[(place, value)],
            )


def naked_single(position: Position, score: float) -> Iterator[Step]:
    """A place has one candidate left."""
    net = position.network
    for place in members(position.counted[0]):
        value = position.masks[place].bit_length() - 1
        seen = [
            other
            for other in members(net.sees[place] & position.placed)
            if net.domains[place] & position.masks[other]
        ]
        yield position.step(
            "naked single",
            score,
            1 << place | sum(1 << other for other in seen),
            f"{net.short_name(place)} has only one candidate left",
            placements=[(place, value)],
        )
