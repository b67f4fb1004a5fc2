"""Intersections: a candidate elsewhere sees all places for a value in a house.

Pointing and claiming are the classic cases: the places left in a box lie in a line, or those in a
line lie in a box. Here any rule counts by which a cell sees all the places: a diagonal, a cage, a
knight's move, or a rule for two cells such as dots.
"""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.strategies.bits import is_single, mask_of, members
from csp_sudoku.strategies.network import listing
from csp_sudoku.strategies.position import Candidate, Position
from csp_sudoku.strategies.step import Step


def pointing(position: Position, score: float) -> Iterator[Step]:
    """A cell outside a box sees all places for a value in it: it cannot hold the value."""
    return _intersections(position, score, block=True)


def claiming(position: Position, score: float) -> Iterator[Step]:
    """A cell outside a line sees all places for a value in it: it cannot hold the value."""
    return _intersections(position, score, block=False)


def direct_pointing(position: Position, score: float) -> Iterator[Step]:
    """Pointing after which a value has one place left in another house."""
    return _direct(position, score, block=True)


def direct_claiming(position: Position, score: float) -> Iterator[Step]:
    """Claiming after which a value has one place left in another house."""
    return _direct(position, score, block=False)


def _intersections(position: Position, score: float, *, block: bool) -> Iterator[Step]:
    net = position.network
    for name, value, places, victims in locked(position, block=block):
        yield position.step(
            "pointing" if block else "claiming",
            score,
            places,
            f"in {name}, {net.digit(value)} lies in {net.names(places, 'or')}, and cells that see "
            "all of these lose it",
            eliminations=[(place, value) for place in members(victims)],
        )


def _direct(position: Position, score: float, *, block: bool) -> Iterator[Step]:
    net = position.network
    for name, value, places, victims in locked(position, block=block):
        if is_single(places):
            continue  # a hidden single
        board = position.boards[value] & ~victims
        for house in net.houses:
            left = board & house.cells
            if house.cells & victims and is_single(left) and house.values >> value & 1:
                place = left.bit_length() - 1
                if not position.placed >> place & 1:
                    yield position.step(
                        "direct pointing" if block else "direct claiming",
                        score,
                        places,
                        f"in {name}, {net.digit(value)} lies in {net.names(places, 'or')}, so that "
                        f"{house.name} has only one place left for it",
                        placements=[(place, value)],
                    )


def locked(position: Position, *, block: bool | None = None) -> Iterator[tuple[str, int, int, int]]:
    """Yield houses with a value, its places there, and the places that see all of them."""
    sees = position.network.sees
    for house, value, places in position.units():
        if block is not None and house.block != block:
            continue
        victims = position.boards[value] & ~house.cells
        for place in members(places):
            victims &= sees[place]
            if not victims:
                break
        if victims:
            yield house.name, value, places, victims


def common_victims(position: Position, score: float) -> Iterator[Step]:
    """Remove a candidate that all candidates of a cell exclude, or all places of a value.

    Only for puzzles with rules for two cells: else this is pointing or claiming.
    """
    net = position.network
    if not any(clue.pairs for clue in net.clues):
        return
    cases = [
        (
            f"whatever {net.short_name(place)} holds ({net.among(place, position.masks[place])})",
            mask_of(position.number(place, value) for value in members(position.masks[place])),
        )
        for place in members(position.open)
    ]
    cases += [
        (
            f"wherever {net.digit(value)} goes in {house.name} ({net.names(places, 'or')})",
            places << position.number(0, value),
        )
        for house, value, places in position.units()
    ]
    for words, candidates in cases:
        if victims := position.victims(candidates):
            gone = position.split(victims)
            sources = position.split(candidates)
            yield position.step(
                "common victims",
                score,
                mask_of(place for place, _ in sources),
                f"{words}, the same candidates are excluded" + _because(position, sources, gone),
                eliminations=gone,
            )


def _because(position: Position, sources: list[Candidate], gone: list[Candidate]) -> str:
    """The rules for two cells by which some candidates exclude others, in words."""
    net = position.network
    said = dict.fromkeys(
        net.say(clue.rule)
        for place, value in gone
        for clue in (net.clues[index] for index in net.clues_at[place])
        for pair in clue.pairs
        for other, digit in sources
        if other in clue.scope
        and pair.excludes((clue.scope.index(other), digit), (clue.scope.index(place), value))
    )
    return f", because {listing(list(said))}" if said else ""
