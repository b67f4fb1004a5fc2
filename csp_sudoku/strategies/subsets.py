"""Subsets: k cells that have only k candidates, or k values that have only k places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.network import Group
from csp_sudoku.strategies.position import Contradiction, Position
from csp_sudoku.strategies.step import Step
from csp_sudoku.strategies.tight import NoMatching, tight_sets

# The size of a quad.
_LARGEST = 4


class Subset(NamedTuple):
    """Some cells of a group, and as many values."""

    group: Group
    cells: int
    values: int

    @property
    def size(self) -> int:
        """The number of cells, which is the number of values."""
        return self.cells.bit_count()


def naked_subset(position: Position, score: float, technique: str, size: int) -> Iterator[Step]:
    """k cells of a group have only k candidates: the other cells of the group lose these."""
    for found in _of_size(naked_sets(position), size):
        yield _naked(position, technique, score, found)


def hidden_subset(position: Position, score: float, technique: str, size: int) -> Iterator[Step]:
    """k values of a house have only k places: these cells lose their other candidates."""
    for found in _of_size(hidden_sets(position), size):
        yield _hidden(position, technique, score, found)


def _of_size(found: list[Subset], size: int) -> list[Subset]:
    """The subsets of this size; above a quad, the smallest ones."""
    if size > _LARGEST:
        size = min((each.size for each in found if each.size >= size), default=size)
    return [each for each in found if each.size == size]


def naked_sets(position: Position) -> list[Subset]:
    """All naked subsets that remove a candidate."""
    return position.remembered("naked", _naked_sets)


def hidden_sets(position: Position) -> list[Subset]:
    """All hidden subsets that remove a candidate."""
    return position.remembered("hidden", _hidden_sets)


def _naked_sets(position: Position) -> list[Subset]:
    found = []
    net, masks = position.network, position.masks
    for group in net.groups:
        places = [place for place in group.members if position.open >> place & 1]
        if len(places) < 2 or len(group.members) < 3:
            continue
        try:
            choices = [masks[place] for place in places]
            tight = position.recalled(("tight", *choices), tight_sets, choices)
        except NoMatching as error:
            short = sum(1 << places[i] for i in members(error.items))
            raise Contradiction(
                f"{net.names(short)} of {group.name} have only {net.digits(error.choices)} left",
                short,
            ) from None
        for items, values in tight:
            cells = sum(1 << places[i] for i in members(items))
            rest = [p for p in places if not cells >> p & 1 and masks[p] & values]
            if rest:
                found.append(Subset(group, cells, values))
    return found


def _hidden_sets(position: Position) -> list[Subset]:
    found = []
    net, masks = position.network, position.masks
    for house in net.houses:
        places = [place for place in house.members if position.open >> place & 1]
        left = house.values
        for place in members(house.cells & position.placed):
            left &= ~masks[place]
        values = list(members(left))
        if len(values) < 2:
            continue
        column = {place: i for i, place in enumerate(places)}
        choices = [
            sum(1 << column[p] for p in members(position.boards[v] & house.cells & position.open))
            for v in values
        ]
        try:
            tight = position.recalled(("tight", *choices), tight_sets, choices)
        except NoMatching as error:
            short = sum(1 << values[i] for i in members(error.items))
            raise Contradiction(
                f"{house.name} has too few places left for {net.digits(short)}", house.cells
            ) from None
        for items, columns in tight:
            cells = sum(1 << places[i] for i in members(columns))
            own = sum(1 << values[i] for i in members(items))
            if any(masks[place] & ~own for place in members(cells)):
                found.append(Subset(house, cells, own))
    return found


def _naked(position: Position, technique: str, score: float, found: Subset) -> Step:
    net = position.network
    group, cells, values = found
    return position.step(
        technique,
        score,
        cells,
        f"{net.names(cells)} of {group.name} hold only {net.digits(values)}",
        eliminations=[
            (place, value)
            for place in members(group.cells & position.open & ~cells)
            for value in members(position.masks[place] & values)
        ],
        rules=() if group.is_house else (group.rule,),
    )


def _hidden(position: Position, technique: str, score: float, found: Subset) -> Step:
    net = position.network
    house, cells, values = found
    return position.step(
        technique,
        score,
        cells,
        f"{net.digits(values)} have only {net.names(cells)} left in {house.name}",
        eliminations=[
            (place, value)
            for place in members(cells)
            for value in members(position.masks[place] & ~values)
        ],
    )
