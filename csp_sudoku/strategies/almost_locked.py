"""Almost locked sets in other shapes than chains: death blossom and Sue de Coq.

References
----------
Sudopedia: Death Blossom, Sue de Coq (Two-Sector Disjoint Subsets).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from csp_sudoku.strategies.bits import mask_of, members
from csp_sudoku.strategies.links import Links, links_of
from csp_sudoku.strategies.position import Candidate, Position
from csp_sudoku.strategies.step import Step

# The most cells of each rest in a Sue de Coq.
_LARGEST = 5


def death_blossom(position: Position, score: float) -> Iterator[Step]:
    """Each candidate of a cell, the stem, takes a value from an almost locked set, a petal.

    Whatever the stem holds, one of the petals is locked then. A candidate that every petal would
    exclude is wrong.
    """
    net = position.network
    links = links_of(position, "cell", "set")
    for stem in members(position.open):
        if not _may_be_stem(links, stem):
            continue
        petals = [_petals(links, stem, value) for value in members(position.masks[stem])]
        common = -1
        for petal in petals:
            fallen = 0
            for _, _, lost in petal:
                fallen |= lost
            common &= fallen
            if not common:
                break
        for victim in members(common) if petals else ():
            chosen = [
                min((p for p in petal if p[2] >> victim & 1), key=lambda p: (p[0].bit_count(), p))
                for petal in petals
            ]
            cells = 1 << stem
            for where, _, _ in chosen:
                cells |= where
            # The values of the stem by what they do: some exclude the candidate themselves.
            after: dict[str, int] = {}
            for value, (where, held, _) in zip(members(position.masks[stem]), chosen, strict=True):
                then = f"{net.names(where)} must hold {net.digit(held)}"
                then = "that excludes it" if where == 1 << stem else then
                after[then] = after.get(then, 0) | 1 << value
            told = [
                f"if it is {net.digits(values, 'or')}, {then}" for then, values in after.items()
            ]
            [(place, lost)] = position.split(1 << victim)
            yield position.step(
                "death blossom",
                score,
                cells,
                f"whatever {net.name(stem)} holds, {net.digit(lost)} is excluded in "
                f"{net.name(place)} ({'; '.join(told)})",
                eliminations=[(place, lost)],
                briefly=f"whatever {net.name(stem)} holds, an almost locked set excludes "
                f"{net.digit(lost)} in {net.name(place)}",
            )


def _may_be_stem(links: Links, stem: int) -> bool:
    """Whether some candidate is excluded by a petal of each value; a quick look."""
    common = -1
    for value in members(links.position.masks[stem]):
        candidate = 1 << links.position.number(stem, value)
        right = 0
        for wrong in members(links.killed(candidate)):
            right |= links.strong[wrong]
        fallen = links.kills(candidate)
        for node in members(right):
            fallen |= links.killed_by[node]
        common &= fallen
        if not common:
            return False
    return True


def _petals(links: Links, stem: int, value: int) -> list[tuple[int, int, int]]:
    """The cells that lose a value to the stem, another value that they hold, and what this kills.

    The stem itself is a petal too: it holds the value.
    """
    candidate = 1 << links.position.number(stem, value)
    found = [(1 << stem, value, links.kills(candidate))]
    for wrong in members(links.killed(candidate)):
        for right in members(links.strong[wrong]):
            for link in links.between(wrong, right):
                if not link.where >> stem & 1:
                    found.append((link.where, links.value(right), links.killed_by[right]))
    return found


class _Part(NamedTuple):
    """Cells in the rest of a group, their values, and how many of these they can spare."""

    cells: int
    values: int
    spare: int


def sue_de_coq(position: Position, score: float) -> Iterator[Step]:
    """Cells in two groups, and some cells of each of these, that together use up their values.

    Each value can be once in the cells, but for a value that only the two rests have, which can be
    in both. If the cells are as many as that, each value is in its place, and other cells that see
    all its places lose it.
    """
    for one, two in combinations(position.network.groups, 2):
        shared = one.cells & two.cells & position.open
        if shared.bit_count() > 1:
            rests = [members(g.cells & position.open & ~shared) for g in (one, two)]
            places = [*members(shared), *rests[0], *rests[1]]
            key = (
                "Sue de Coq",
                shared,
                *map(tuple, rests),
                *(position.masks[place] for place in places),
            )
            for each in position.recalled(key, _cells_and_parts, position, shared, rests):
                yield from _disjoint(position, score, *each)


def _cells_and_parts(
    position: Position, shared: int, rests: Sequence[Sequence[int]]
) -> Iterator[tuple[int, int, tuple[_Part, _Part]]]:
    """Yield some of the cells in both groups, their values, and parts of the rests that fit."""
    position.tick()
    for size in range(2, shared.bit_count() + 1):
        for cells in combinations(members(shared), size):
            values = 0
            for place in cells:
                values |= position.masks[place]
            need = values.bit_count() - size
            if need < 2:
                continue
            # Each part spares what the other cannot.
            most = [_most_spare(position, rest, values) for rest in rests]
            if sum(most) < need or min(most) < 1:
                continue
            firsts = _parts(position, rests[0], values, need - most[1], need - 1)
            seconds = _parts(position, rests[1], values, need - most[0], need - 1) if firsts else []
            for first in firsts:
                for second in seconds:
                    if first.spare + second.spare == need and not (
                        first.values & second.values & values
                    ):
                        yield mask_of(cells), values, (first, second)


def _most_spare(position: Position, places: Sequence[int], values: int) -> int:
    """A bound on how many of these values a part of these places can spare; a quick look.

    A part has at least as many other values as any of its cells.
    """
    others = sorted((position.masks[place] & ~values).bit_count() for place in places)
    return max((size - least for size, least in enumerate(others[:_LARGEST], 1)), default=0)


def _parts(
    position: Position, places: Sequence[int], values: int, least: int, most: int
) -> list[_Part]:
    """The sets of these places that have more cells than values of their own, by `least` to `most`.

    They leave one of the values at least to the other part.
    """
    found = []
    front = [(0, 0, 0)]
    largest = min(len(places), _LARGEST)
    least = max(least, 1)
    for size in range(1, largest + 1):
        front = [
            (i + 1, cells | 1 << places[i], union)
            for start, cells, own in front
            for i in range(start, len(places))
            if values & ~(union := own | position.masks[places[i]])
            and (union & ~values).bit_count() <= largest - least
        ]
        for _, cells, own in front:
            spare = size - (own & ~values).bit_count()
            if least <= spare <= most and own & values:
                found.append(_Part(cells, own, spare))
    return found


def _disjoint(
    position: Position, score: float, cells: int, values: int, parts: tuple[_Part, _Part]
) -> Iterator[Step]:
    net = position.network
    gone: list[Candidate] = []
    for part, other in (parts, parts[::-1]):
        for value in members(part.values | values & ~other.values):
            held = (cells | part.cells) & position.boards[value]
            lost = position.boards[value]
            for place in members(held):
                lost &= net.sees[place]
            gone += [(place, value) for place in members(lost)]
    if gone:
        one, two = parts
        yield position.step(
            "Sue de Coq",
            score,
            cells | one.cells | two.cells,
            f"{net.names(cells)} ({net.digits(values)}) with {net.names(one.cells)} "
            f"({net.digits(one.values)}) and {net.names(two.cells)} ({net.digits(two.values)}) "
            f"have as many values as cells",
            eliminations=gone,
        )
