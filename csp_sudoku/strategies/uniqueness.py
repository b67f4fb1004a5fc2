"""Patterns that would give a puzzle a second solution: unique rectangles and the BUG.

If four cells could swap two values, there would be two solutions. This is right only if the puzzle
has one solution and the swap keeps all rules: each group that has one of the four cells has two of
them that swap, and none of the cells is in a clue; and the puzzle allows both values in each cell.

References
----------
Sudopedia: Uniqueness Test, Hidden Rectangle, Avoidable Rectangle, Bivalue Universal Grave.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from csp_sudoku.strategies.bits import is_single, mask_of, members
from csp_sudoku.strategies.network import listing
from csp_sudoku.strategies.position import Candidate, Position
from csp_sudoku.strategies.step import Step

# Corners in order around the rectangle: neighbours differ, opposite corners are equal.
Corners = tuple[int, int, int, int]


def unique_rectangle(position: Position, score: float) -> Iterator[Step]:
    """Find rectangles of open cells: one of their other candidates, the guardians, is right.

    Types 1, 2 and 5: a candidate that all guardians exclude is wrong. Type 3: the guardians are one
    cell of a naked subset. Types 4 and 6, and hidden rectangles: a candidate of the rectangle that
    would force the other corners is wrong.
    """
    for corners, pair in rectangles(position):
        if not mask_of(corners) & position.placed:
            yield from _guarded(position, "unique rectangle", score, corners, pair)
            yield from _with_subset(position, score, corners, pair)
            yield from _forced(position, score, corners, pair)


def avoidable_rectangle(position: Position, score: float) -> Iterator[Step]:
    """Find rectangles with corners that were placed, and not given."""
    for corners, pair in rectangles(position):
        if mask_of(corners) & position.placed:
            yield from _guarded(position, "avoidable rectangle", score, corners, pair)


def bug(position: Position, score: float) -> Iterator[Step]:
    """Bivalue universal grave: all cells but one have two candidates, and each value two places.

    Without the third candidate of that cell, each solution would have a counterpart.
    """
    net = position.network
    _, twos, threes = position.counted
    if net.clues or not is_single(threes) or position.open != twos | threes:
        return
    if not all(group.is_house for group in net.groups):
        return
    place = threes.bit_length() - 1
    for value in members(position.masks[place]):
        left = {value: 1 << place}
        if all(
            (places & ~left.get(other, 0)).bit_count() == 2 for _, other, places in position.units()
        ):
            yield position.step(
                "BUG+1",
                score,
                1 << place,
                f"without {net.digit(value)} in {net.name(place)}, every cell would have two "
                f"candidates and every value two places, and there would be two solutions or none",
                placements=[(place, value)],
                relies_on_uniqueness=True,
            )


def _guarded(
    position: Position, technique: str, score: float, corners: Corners, pair: int
) -> Iterator[Step]:
    """The candidates that all guardians exclude."""
    guardians = _guardians(position, corners, pair)
    gone = position.split(
        position.victims(mask_of(position.number(place, value) for place, value in guardians))
    )
    if len({place for place, _ in guardians}) == 1:
        # Type 1: only the corner itself is told, and what follows from it later.
        place = guardians[0][0]
        gone = [(place, value) for value in members(position.masks[place] & pair)]
    if gone:
        yield _step(
            position,
            technique,
            score,
            corners,
            f"one of {_said(position, guardians)} is right",
            eliminations=gone,
            pair=pair,
        )


def _with_subset(position: Position, score: float, corners: Corners, pair: int) -> Iterator[Step]:
    """Guardians in two cells of a group, as one cell of a naked subset of this group."""
    net, masks = position.network, position.masks
    guardians = _guardians(position, corners, pair)
    roof = mask_of(place for place, _ in guardians)
    values = mask_of(value for _, value in guardians)
    if roof.bit_count() != 2:
        return
    for group in net.groups:
        if roof & ~group.cells:
            continue
        rest = [p for p in group.members if position.open >> p & 1 and p not in corners]
        for size in range(1, min(len(rest), 5)):
            for chosen in combinations(rest, size):
                held = values
                for place in chosen:
                    held |= masks[place]
                if held.bit_count() != size + 1:
                    continue
                gone = []
                for value in members(held):
                    own = mask_of(chosen) | (roof if values >> value & 1 else 0)
                    lost = position.boards[value]
                    for place in members(own & position.boards[value]):
                        lost &= net.sees[place]
                    gone += [(place, value) for place in members(lost & position.open)]
                if gone:
                    yield _step(
                        position,
                        "unique rectangle",
                        score,
                        corners,
                        f"one of {_said(position, guardians)} is right, which is a naked subset "
                        f"with {net.names(mask_of(chosen))}",
                        eliminations=gone,
                        pair=pair,
                    )


def _forced(position: Position, score: float, corners: Corners, pair: int) -> Iterator[Step]:
    """A candidate of a corner after which each other corner has only its value of the pair."""
    net, masks = position.network, position.masks
    for i, corner in enumerate(corners):
        for value in members(masks[corner] & pair):
            if _forces(position, corners, pair, i, value):
                yield _step(
                    position,
                    "unique rectangle",
                    score,
                    corners,
                    f"{net.digit(value)} in {net.name(corner)} would leave the others no choice",
                    eliminations=[(corner, value)],
                    pair=pair,
                )


def _forces(position: Position, corners: Corners, pair: int, first: int, value: int) -> bool:
    """Whether a value in a corner leaves the other corners one value of the pair each."""

    def follows(i: int) -> bool:
        """Whether a corner has one value left, or is the last place of a house for it."""
        own = value if (i - first) % 2 == 0 else other
        near = [n % 4 for n in (i + 1, i - 1)]
        if not position.masks[corners[i]] & ~pair and not held.isdisjoint(near):
            return True
        # Its neighbours see the opposite corner, which holds the same value.
        return any(
            _has_only(position, own, 1 << corners[i] | 1 << corners[n])
            for n in near
            if n in held or (i + 2) % 4 in held
        )

    other = (pair ^ 1 << value).bit_length() - 1
    held = {first}
    while fresh := [i for i in range(4) if i not in held and follows(i)]:
        held.update(fresh)
    return len(held) == 4


def _has_only(position: Position, value: int, places: int) -> bool:
    """Whether some house that has these places has no others for a value."""
    return any(
        not places & ~cells and not position.boards[value] & cells & ~places
        for cells in position.network.houses_of[value]
    )


def _guardians(position: Position, corners: Corners, pair: int) -> list[Candidate]:
    masks = position.masks
    return [(corner, value) for corner in corners for value in members(masks[corner] & ~pair)]


def _said(position: Position, guardians: list[Candidate]) -> str:
    net = position.network
    return listing([f"{net.name(place)} = {net.digit(value)}" for place, value in guardians])


def _step(
    position: Position,
    technique: str,
    score: float,
    corners: Corners,
    because: str,
    *,
    pair: int,
    eliminations: list[Candidate],
) -> Step:
    net, cells = position.network, mask_of(corners)
    return position.step(
        technique,
        score,
        cells,
        f"{net.names(cells)} must not hold only {net.digits(pair)}, which could be swapped, and "
        f"there would be two solutions; {because}",
        eliminations=eliminations,
        relies_on_uniqueness=True,
    )


def rectangles(position: Position) -> list[tuple[Corners, int]]:
    """Rectangles with two values that each corner may hold; one corner has no other candidate."""
    return position.remembered("rectangles", lambda p: list(_rectangles(p)))


def _rectangles(position: Position) -> Iterator[tuple[Corners, int]]:
    sees, masks = position.network.sees, position.masks
    done = set()
    placed = [p for p in members(position.placed) if _is_plain(position, p)]
    starts = [(p, masks[p]) for p in members(position.counted[1]) if _is_plain(position, p)]
    starts += [
        (place, masks[place] | masks[near])
        for place in placed
        for near in placed
        if sees[place] >> near & 1 and masks[place] != masks[near]
    ]
    for one, pair in starts:
        if not position.is_allowed(one, pair):
            continue
        wide = 0
        for value in members(pair):
            wide |= position.boards[value]
        fitting = mask_of(
            place
            for place in members(wide)
            if position.is_allowed(place, pair) and _is_plain(position, place)
        )
        for two, four in combinations(members(fitting & sees[one]), 2):
            for three in members(fitting & sees[two] & sees[four] & ~sees[one] & ~(1 << one)):
                corners = (one, two, three, four)
                key = (mask_of(corners), pair)
                if key[0] & position.open and key not in done and _swaps(position, corners):
                    done.add(key)
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
