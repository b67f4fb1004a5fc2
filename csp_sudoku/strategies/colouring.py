"""Colouring: places that alternate, because of each two neighbours one holds a value.

References
----------
Sudopedia: Simple Colors, Remote Pairs.
"""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.strategies.bits import mask_of, members
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.step import Step


def simple_colouring(position: Position, score: float) -> Iterator[Step]:
    """Places of a value, two in each of some houses: they hold it in one of two colours.

    If two places of a colour see each other, it is the other colour. A place that sees both colours
    does not hold the value.
    """
    net = position.network
    for value, board in enumerate(position.boards):
        partners: dict[int, int] = {}
        for house in net.houses_of[value]:
            if (board & house).bit_count() == 2:
                for place in members(board & house):
                    partners[place] = partners.get(place, 0) | board & house & ~(1 << place)
        for colours in two_colours(partners):
            both = colours[0] | colours[1]
            if both.bit_count() < 3:
                continue  # two places are not a chain
            shown = (
                f"{net.digit(value)} is either in all of {net.names(colours[0])} or in all of "
                f"{net.names(colours[1])}"
            )
            seen = [_seen(position, colour) for colour in colours]
            found = [
                (f"; of {net.names(colour)} two see each other", colour)
                for colour, near in zip(colours, seen, strict=True)
                if colour & near
            ]
            if lost := board & seen[0] & seen[1] & ~both:
                found.append((f"; {net.who_sees(lost)} both", lost))
            for end, gone in found:
                yield position.step(
                    "simple colouring",
                    score,
                    both,
                    shown + end,
                    eliminations=[(place, value) for place in members(gone)],
                )


def remote_pair(position: Position, score: float) -> Iterator[Step]:
    """Cells with the same two candidates, of which each sees the next: the values alternate.

    A cell that sees both colours holds neither value.
    """
    net = position.network
    same: dict[int, int] = {}
    for place in members(position.counted[1]):
        pair = position.masks[place]
        same[pair] = same.get(pair, 0) | 1 << place
    for pair, cells in same.items():
        partners = {p: near for p in members(cells) if (near := net.sees[p] & cells)}
        for colours in two_colours(partners):
            both = colours[0] | colours[1]
            seen = _seen(position, colours[0]) & _seen(position, colours[1]) & ~both
            lost = [(p, v) for v in members(pair) for p in members(position.boards[v] & seen)]
            if lost and both.bit_count() > 3:
                yield position.step(
                    "remote pair",
                    score,
                    both,
                    f"{net.digits(pair)} alternate in {net.names(both)}; each value is either in "
                    f"all of {net.names(colours[0])} or in all of {net.names(colours[1])}, and "
                    f"{net.who_sees(mask_of(place for place, _ in lost))} both",
                    eliminations=lost,
                )


def _seen(position: Position, places: int) -> int:
    """The places that see one of these."""
    seen = 0
    for place in members(places):
        seen |= position.network.sees[place]
    return seen


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
