"""Simple colouring: in a chain of houses with two places for a value, the places alternate."""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.step import Step


def simple_colouring(position: Position, score: float) -> Iterator[Step]:
    """One of two colours holds the value everywhere: a clash refutes one, or a cell sees both."""
    net, sees = position.network, position.network.sees
    for value, board in enumerate(position.boards):
        for colours in colourings(position, value):
            if (colours[0] | colours[1]).bit_count() < 3:
                continue  # two places are not a chain
            shown = (
                f"{net.digit(value)} is either in all of {net.names(colours[0])} or in all of "
                f"{net.names(colours[1])}"
            )
            for colour in colours:
                if any(sees[place] & colour for place in members(colour)):
                    yield position.step(
                        "simple colouring",
                        score,
                        colours[0] | colours[1],
                        f"{shown}; of {net.names(colour)} two see each other",
                        eliminations=[(place, value) for place in members(colour)],
                    )
            seen = [0, 0]
            for i, colour in enumerate(colours):
                for place in members(colour):
                    seen[i] |= sees[place]
            lost = board & seen[0] & seen[1] & ~(colours[0] | colours[1])
            if lost:
                yield position.step(
                    "simple colouring",
                    score,
                    colours[0] | colours[1],
                    f"{shown}; {net.who_sees(lost)} both",
                    eliminations=[(place, value) for place in members(lost)],
                )


def colourings(position: Position, value: int) -> Iterator[tuple[int, int]]:
    """The places of a value that are connected by strong links, in two colours."""
    partners: dict[int, int] = {}
    for house in position.network.houses:
        places = position.boards[value] & house.cells
        if house.values >> value & 1 and places.bit_count() == 2:
            for place in members(places):
                partners[place] = partners.get(place, 0) | places & ~(1 << place)
    return two_colours(partners)


def remote_pair(position: Position, score: float) -> Iterator[Step]:
    """Cells with the same two candidates, of which each sees the next: the values alternate.

    A cell that sees both colours holds neither value (Sudopedia: Remote Pairs).
    """
    net, sees = position.network, position.network.sees
    same: dict[int, int] = {}
    for place in members(position.counted[1]):
        pair = position.masks[place]
        same[pair] = same.get(pair, 0) | 1 << place
    for pair, cells in same.items():
        partners = {place: near for place in members(cells) if (near := sees[place] & cells)}
        for colours in two_colours(partners):
            both = colours[0] | colours[1]
            seen = [0, 0]
            for i, colour in enumerate(colours):
                for place in members(colour):
                    seen[i] |= sees[place]
            lost = [
                (place, value)
                for value in members(pair)
                for place in members(position.boards[value] & seen[0] & seen[1] & ~both)
            ]
            if lost and both.bit_count() > 3:
                yield position.step(
                    "remote pair",
                    score,
                    both,
                    f"{net.digits(pair)} alternate in {net.names(both)}; each value is either in "
                    f"all of {net.names(colours[0])} or in all of {net.names(colours[1])}, and "
                    f"{net.who_sees(sum(1 << place for place in {p for p, _ in lost}))} both",
                    eliminations=lost,
                )


def two_colours(partners: dict[int, int]) -> Iterator[tuple[int, int]]:
    """The connected parts of a graph of places, each in two colours if neighbours can differ."""
    left = set(partners)
    for start in sorted(partners):
        if start not in left:
            continue
        colours = [1 << start, 0]
        front = [(start, 0)]
        left.discard(start)
        while front:
            place, colour = front.pop()
            for other in members(partners[place]):
                colours[1 - colour] |= 1 << other
                if other in left:
                    left.discard(other)
                    front.append((other, 1 - colour))
        # An odd ring of strong links gives a place both colours: then there is no solution, which
        # other techniques show.
        if not colours[0] & colours[1]:
            yield colours[0], colours[1]
