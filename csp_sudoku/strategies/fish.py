"""Fish: in k disjoint houses, all places of a value lie in k groups of another family.

A *finned* fish has places outside of these groups, the fins. Either a fin holds the value, or the
fish is there: a place that sees all fins, and is outside of the houses but in one of the groups,
cannot hold it. If such a place held the value, the fins were gone, and the k houses would share the
k - 1 other groups: this is how finned fish are found. In a *sashimi* fish one of the houses would
then have a single place at most.

References
----------
Sudopedia: Fish, Finned Fish, Sashimi Fish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.network import Group, listing
from csp_sudoku.strategies.position import Contradiction, Position
from csp_sudoku.strategies.step import Step
from csp_sudoku.strategies.tight import NoMatching, tight_sets

# The most houses of a finned fish.
_LARGEST = 4

T = TypeVar("T")
Groups = tuple[Group, ...]
# A value, its base houses, and the groups that cover them.
Fish = tuple[int, Groups, Groups]


def fish(position: Position, score: float, technique: str, size: int) -> Iterator[Step]:
    """In some houses a value lies only in as many groups that cross them, which lose it elsewhere.

    The size is 2 for an X-wing, 3 for a swordfish, 4 for a jellyfish; 5 finds the smallest larger.
    """
    found = fishes(position)
    if size > _LARGEST:
        size = min((len(bases) for _, bases, _ in found if len(bases) >= size), default=size)
    for each in found:
        if len(each[1]) == size:
            yield from _step(position, technique, score, each)


def finned_fish(
    position: Position, score: float, technique: str, size: int, *, sashimi: bool
) -> Iterator[Step]:
    """A fish, but for some places, the fins: what the fish excludes and all fins see is wrong."""
    for found in position.remembered(f"finned {size}", partial(_finned, size=size)):
        value, bases, covers = found
        board, outside = position.boards[value], _union(covers)
        thin = any((base.cells & board & outside).bit_count() < 2 for base in bases)
        if thin == sashimi and _union(bases) & board & ~outside:
            yield from _step(position, technique, score, found)


def _finned(position: Position, size: int) -> list[Fish]:
    """Fish of lines such that some place of a group leaves the lines too few other groups."""
    found: dict[object, Fish] = {}
    for bases, covers in _families(position):
        if bases[0].block or covers[0].block:
            continue
        for value in range(len(position.boards)):
            for fish in _once(position, _too_many, (value, bases, covers), size):
                _, chosen, groups = fish
                same = frozenset(b.cells for b in chosen), frozenset(g.cells for g in groups)
                found.setdefault((value, same), fish)
    return list(found.values())


def _too_many(
    position: Position, value: int, bases: Groups, covers: Groups, size: int
) -> Iterator[Fish]:
    for victim, rows in _once(position, _without_victims, (value, bases, covers)):
        own = [cover for cover in covers if cover.cells >> victim & 1]
        for chosen, used in _crowded(rows, size):
            yield value, chosen, (*own, *(covers[i] for i in members(used)))


def _without_victims(
    position: Position, value: int, bases: Groups, covers: Groups
) -> Iterator[tuple[int, list[tuple[Group, int]]]]:
    """If each place held a value, where would this be in lines without the place?

    Yields the place, and the lines with the numbers of the groups that have the value.
    """
    board, sees = position.boards[value], position.network.sees
    column = {place: 1 << i for i, cover in enumerate(covers) for place in cover.members}
    everything = _union(covers)
    open_rows = [
        (base, board & base.cells)
        for base in bases
        if base.values >> value & 1 and not board & base.cells & position.placed
    ]
    for victim in members(board & position.open) if len(open_rows) > 1 else ():
        position.tick()
        left = ~sees[victim]
        yield (
            victim,
            [
                (base, used)
                for base, places in open_rows
                if not places >> victim & 1
                and not places & left & ~everything
                and (used := _crossed(column, places & left)).bit_count() < _LARGEST
            ],
        )


def _crossed(column: dict[int, int], places: int) -> int:
    """The groups that some places are in; in vain if there are as many as in the largest fish."""
    used = 0
    for place in members(places):
        used |= column[place]
        if used.bit_count() >= _LARGEST:
            break
    return used


def mixed_fish(
    position: Position, score: float, technique: str, size: int, *, mutant: bool
) -> Iterator[Step]:
    """A fish in lines and blocks, with fins or without.

    The houses of a *Franken* fish are blocks and lines of one direction, and the groups blocks and
    lines of the other direction; a *mutant* fish has no such order (Sudopedia: Franken Fish, Mutant
    Fish).
    """
    net = position.network
    done = set()
    for value, bases, covers in _mixed(position, size):
        key = (value, frozenset(base.cells for base in bases), frozenset(c.cells for c in covers))
        if key in done or _is_mutant(bases, covers) != mutant:
            continue
        done.add(key)
        board, once, twice = position.boards[value], 0, 0
        for base in bases:
            twice |= once & base.cells
            once |= base.cells
        fins = board & (once & ~_union(covers) | twice)
        lost = board & ~once
        for fin in members(fins):
            lost &= net.sees[fin]
        if lost:
            yield position.step(
                technique,
                score,
                once & board,
                f"{net.digit(value)} in {listing([base.name for base in bases])} cannot always lie "
                f"in {listing([cover.name for cover in covers])}, which is one too few: one of "
                f"{net.names(fins)} is {net.digit(value)}, and {net.who_sees(lost)} all of them",
                eliminations=[(place, value) for place in members(lost)],
            )


def _is_mutant(bases: Sequence[Group], covers: Sequence[Group]) -> bool:
    lines = [{group.family for group in side if not group.block} for side in (bases, covers)]
    return len(lines[0]) > 1 or len(lines[1]) > 1 or bool(lines[0] & lines[1])


def _mixed(position: Position, size: int) -> Iterator[Fish]:
    """Yield a value with houses, and groups that are one too few for them if a place holds it."""
    net = position.network
    groups_at = [[g for g in net.groups if g.cells >> p & 1] for p in range(len(net.places))]
    for value, board in enumerate(position.boards):
        houses = [
            (house, board & house.cells)
            for house in net.houses
            if house.values >> value & 1 and not board & house.cells & position.placed
        ]
        for victim in members(board & position.open):
            position.tick()
            seen = net.sees[victim]
            left = [(h, places & ~seen) for h, places in houses if not places >> victim & 1]
            if all(places for _, places in left):
                for bases, covers in _too_few(left, groups_at, size):
                    yield value, bases, covers


def _too_few(
    houses: list[tuple[Group, int]], groups_at: list[list[Group]], size: int
) -> Iterator[tuple[Groups, Groups]]:
    """Yield disjoint houses whose places lie in groups that are one fewer than the houses."""
    done: set[tuple[frozenset[int], frozenset[int]]] = set()

    def grow(
        bases: tuple[Group, ...], covers: tuple[Group, ...], used: int, covered: int
    ) -> Iterator[tuple[Groups, Groups]]:
        if open_places := used & ~covered:
            if len(covers) == size - 1:
                return
            for group in groups_at[(open_places & -open_places).bit_length() - 1]:
                if group not in bases:
                    yield from grow(bases, (*covers, group), used, covered | group.cells)
            return
        key = (frozenset(b.cells for b in bases), frozenset(c.cells for c in covers))
        if key in done:
            return
        done.add(key)
        if len(covers) < len(bases):
            if len(bases) == size:
                yield bases, covers
            return
        for house, places in houses:
            if not places & used and places & covered and house not in covers:
                yield from grow((*bases, house), covers, used | places, covered)

    for house, places in houses:
        if places.bit_count() < 3 * size:
            yield from grow((house,), (), places, 0)


def _crowded(rows: list[tuple[Group, int]], size: int) -> Iterator[tuple[tuple[Group, ...], int]]:
    """Yield this many houses that have too few groups together, though no fewer houses do."""
    small = [row for row in rows if row[1].bit_count() < size]

    def grow(
        start: int, chosen: tuple[tuple[Group, int], ...], used: int
    ) -> Iterator[tuple[tuple[Group, ...], int]]:
        if len(chosen) == size:
            if used.bit_count() == size - 1:
                yield tuple(base for base, _ in chosen), used
            return
        if len(chosen) > used.bit_count() and chosen:
            return  # fewer houses are too many already
        for i in range(start, len(small)):
            wider = used | small[i][1]
            if wider.bit_count() < size:
                yield from grow(i + 1, (*chosen, small[i]), wider)

    return grow(0, (), 0)


def _union(groups: Iterable[Group]) -> int:
    cells = 0
    for group in groups:
        cells |= group.cells
    return cells


def _families(position: Position) -> Iterator[tuple[Groups, Groups]]:
    """Yield families of houses, each with each other family of groups."""
    net = position.network
    for bases in net.families:
        if len(bases) > 1 and all(base.is_house for base in bases):
            for covers in net.families:
                if covers is not bases and len(covers) > 1:
                    yield bases, covers


def _once(
    position: Position, find: Callable[..., Iterator[T]], where: Fish, *options: int
) -> list[T]:
    """What a search finds; while the places of the value stay the same, so does this."""
    value, bases, covers = where
    board = position.boards[value]
    state = (bases[0].cells, covers[0].cells, value, board, board & position.placed)
    key = (find.__name__, *state, *options)
    return position.recalled(key, find, position, *where, *options)


def fishes(position: Position) -> list[Fish]:
    """All fish that remove a candidate, and have no fins."""
    return position.remembered(
        "fish",
        lambda position: [
            found
            for bases, covers in _families(position)
            for value in range(len(position.boards))
            for found in _once(position, _between, (value, bases, covers))
        ],
    )


def _between(position: Position, value: int, bases: Groups, covers: Groups) -> Iterator[Fish]:
    position.tick()
    net, board = position.network, position.boards[value]
    everything = _union(covers)
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
        raise Contradiction(
            f"{listing(short)} have too few places left for {net.digit(value)}",
            _union(rows[i] for i in members(error.items)),
        ) from None
    for items, columns in tight:
        own = tuple(rows[i] for i in members(items))
        used = tuple(covers[i] for i in members(columns))
        if board & _union(used) & ~_union(own):
            yield value, own, used


def _step(position: Position, technique: str, score: float, found: Fish) -> Iterator[Step]:
    """The step of a fish, if it excludes anything: fins are outside of its groups."""
    net = position.network
    value, bases, covers = found
    board, outside = position.boards[value], _union(covers)
    inside = _union(bases) & board
    lost = board & outside & ~inside
    for fin in members(inside & ~outside):
        lost &= net.sees[fin]
    if lost:
        fins = inside & ~outside
        where = f"in {listing([base.name for base in bases])}, {net.digit(value)} lies only in "
        where += listing([cover.name for cover in covers])
        if fins:
            where += f", or else in {net.names(fins, 'or')}, which {net.who_sees(lost)}"
        yield position.step(
            technique,
            score,
            inside,
            where,
            eliminations=[(place, value) for place in members(lost)],
        )
