"""Unique rectangles: if four cells could swap two values, there would be two solutions.

This is right only if the puzzle has one solution and the swap keeps all rules: each group that has
one of the four cells has two of them that swap, and none of the cells is in a clue.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.step import Step

# Corners in order around the rectangle: neighbours differ, opposite corners are equal.
Corners = tuple[int, int, int, int]


def unique_rectangle(position: Position, score: float) -> Iterator[Step]:
    """Find rectangles in which only one corner, or two, have more than the two candidates."""
    net, masks = position.network, position.masks
    for corners, pair in _rectangles(position):
        extra = [corner for corner in corners if masks[corner] != pair]
        cells = sum(1 << corner for corner in corners)
        shown = f"{net.names(cells)} could swap {net.digits(pair)}"
        if len(extra) == 1:
            yield position.step(
                "unique rectangle",
                score,
                cells,
                f"if {net.name(extra[0])} were one of them too, {shown} and there would be two "
                f"solutions",
                eliminations=[(extra[0], value) for value in members(pair)],
                relies_on_uniqueness=True,
            )
        elif len(extra) == 2 and masks[extra[0]] == masks[extra[1]]:
            more = masks[extra[0]] & ~pair
            if more.bit_count() == 1:
                value = more.bit_length() - 1
                roof = 1 << extra[0] | 1 << extra[1]
                lost = net.sees[extra[0]] & net.sees[extra[1]] & position.boards[value]
                if lost:
                    yield position.step(
                        "unique rectangle",
                        score,
                        cells,
                        f"if neither of {net.names(roof)} were {net.digit(value)}, {shown} and "
                        f"there would be two solutions; {net.names(lost)} sees both",
                        eliminations=[(place, value) for place in members(lost)],
                        relies_on_uniqueness=True,
                    )


def _rectangles(position: Position) -> Iterator[tuple[Corners, int]]:
    """Yield rectangles whose cells share two candidates; two of the cells have no others."""
    masks = position.masks
    twos = [place for place in members(position.counted[1]) if _is_plain(position, place)]
    done = set()
    for one, two in combinations(twos, 2):
        pair = masks[one]
        if masks[two] != pair:
            continue
        # Each of the other corners must see one of these two.
        wide = position.open & (position.network.sees[one] | position.network.sees[two])
        for value in members(pair):
            wide &= position.boards[value]
        others = [p for p in members(wide & ~(1 << one | 1 << two)) if _is_plain(position, p)]
        for three, four in combinations(others, 2):
            for corners in (
                (one, two, three, four),
                (one, two, four, three),
                (one, three, two, four),
            ):
                cells = sum(1 << corner for corner in corners)
                if (cells, pair) not in done and _swaps(position, corners):
                    done.add((cells, pair))
                    yield corners, pair


def _is_plain(position: Position, place: int) -> bool:
    return not position.network.clues_at[place]


def _swaps(position: Position, corners: Corners) -> bool:
    """Whether neighbours see each other and the swap keeps every group."""
    net = position.network
    a, b, c, d = corners
    neighbours = [1 << a | 1 << b, 1 << b | 1 << c, 1 << c | 1 << d, 1 << d | 1 << a]
    if not all(net.sees[x] >> y & 1 for x, y in ((a, b), (b, c), (c, d), (d, a))):
        return False
    if net.sees[a] >> c & 1 or net.sees[b] >> d & 1:
        return False
    cells = neighbours[0] | neighbours[2]
    covered = [0, 0, 0, 0]
    for group in net.groups:
        inside = group.cells & cells
        if inside and inside not in neighbours:
            return False
        if inside:
            for i, corner in enumerate(corners):
                if inside >> corner & 1:
                    covered[i] |= group.cells
    # A place that sees a corner by a relation, not by a group, might not allow the swap.
    return all(not net.sees[corner] & ~covered[i] for i, corner in enumerate(corners))
