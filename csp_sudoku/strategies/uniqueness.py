"""Unique rectangles: four cells that could swap two values, which a single solution forbids.

Sound only where the puzzle has one solution and the swap is a symmetry of the rules: every group
that holds one of the four cells holds a pair of them that swaps, and no clue touches them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.step import Step

# Corners in order around the rectangle: neighbours differ, opposite ones are equal.
Corners = tuple[int, int, int, int]


def unique_rectangle(position: Position, score: float) -> Iterator[Step]:
    """Three corners of two candidates each, or two and a roof with one candidate more."""
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
    """Rectangles whose cells all have two values in common, two of them no others."""
    masks = position.masks
    twos = [place for place in members(position.counted[1]) if _is_plain(position, place)]
    done = set()
    for one, two in combinations(twos, 2):
        pair = masks[one]
        if masks[two] != pair:
            continue
        # Each of the others has to see one of the two.
        wide = position.open & (position.network.sees[one] | position.network.sees[two])
        for value in members(pair):
            wide &= position.boards[value]
        near = [p for p in members(wide & ~(1 << one | 1 << two)) if _is_plain(position, p)]
        for three, four in combinations(near, 2):
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
    """Whether neighbours see each other and no group would notice the swap."""
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
    # What sees a corner without a group, by a relation, would notice the swap as well.
    return all(not net.sees[corner] & ~covered[i] for i, corner in enumerate(corners))
