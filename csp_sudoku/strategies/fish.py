"""Fish: in k disjoint houses, all places of a value lie in k groups of another family."""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.network import Group, listing
from csp_sudoku.strategies.position import Contradiction, Position
from csp_sudoku.strategies.step import Step
from csp_sudoku.strategies.tight import NoMatching, tight_sets

NAMES = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}

# A value, its base houses, the groups that cover them, and the places that lose the value.
Fish = tuple[int, tuple[Group, ...], tuple[Group, ...], int]


def fish(position: Position, score: float, size: int) -> Iterator[Step]:
    """Find fish of this size: X-wing (2), swordfish (3), jellyfish (4)."""
    for found in fishes(position):
        if len(found[1]) == size:
            yield _step(position, NAMES[size], score, found)


def large_fish(position: Position, score: float) -> Iterator[Step]:
    """Find the smallest fish of five or more houses."""
    found = [each for each in fishes(position) if len(each[1]) > 4]
    least = min((len(each[1]) for each in found), default=0)
    for each in found:
        if len(each[1]) == least:
            yield _step(position, "large fish", score, each)


def fishes(position: Position) -> list[Fish]:
    """All fish that remove a candidate."""
    return position.remembered("fish", _fishes)


def _fishes(position: Position) -> list[Fish]:
    net = position.network
    found: list[Fish] = []
    for bases in net.families:
        if len(bases) < 2 or not all(base.is_house for base in bases):
            continue
        for covers in net.families:
            if covers is not bases and len(covers) > 1:
                for value in range(len(net.values)):
                    found += _between(position, value, bases, covers)
    return found


def _between(
    position: Position, value: int, bases: tuple[Group, ...], covers: tuple[Group, ...]
) -> Iterator[Fish]:
    net, board = position.network, position.boards[value]
    everything = 0
    for cover in covers:
        everything |= cover.cells
    rows, choices = [], []
    for base in bases:
        places = board & base.cells
        # A house is no use if the value is set in it, or can be outside of all covers.
        if base.values >> value & 1 and not places & position.placed and not places & ~everything:
            rows.append(base)
            choices.append(sum(1 << i for i, cover in enumerate(covers) if cover.cells & places))
    if len(rows) < 2:
        return
    try:
        tight = tight_sets(choices)
    except NoMatching as error:
        short = [rows[i].name for i in members(error.items)]
        cells = 0
        for i in members(error.items):
            cells |= rows[i].cells
        raise Contradiction(
            f"{listing(short)} have too few places left for {net.digit(value)}", cells
        ) from None
    for items, columns in tight:
        own = [rows[i] for i in members(items)]
        used = [covers[i] for i in members(columns)]
        base_cells = cover_cells = 0
        for base in own:
            base_cells |= base.cells
        for cover in used:
            cover_cells |= cover.cells
        if lost := board & cover_cells & ~base_cells:
            yield value, tuple(own), tuple(used), lost


def _step(position: Position, technique: str, score: float, found: Fish) -> Step:
    net = position.network
    value, bases, covers, lost = found
    cells = 0
    for base in bases:
        cells |= base.cells & position.boards[value]
    return position.step(
        technique,
        score,
        cells,
        f"{net.digit(value)} in {listing([base.name for base in bases])} lies in "
        f"{listing([cover.name for cover in covers])} only",
        eliminations=[(place, value) for place in members(lost)],
    )
