"""Chains: assume a candidate, and follow links from one candidate to the next.

A weak link: if a candidate is right, another one is wrong. A strong link: if a candidate is wrong,
another one is right, because a cell has only these two candidates or a house only these two places
for a value. If it follows that some candidate is both right and wrong, the assumption is wrong. The
search goes breadth first, and only the shortest chains of a position are used.
"""

from __future__ import annotations

from collections.abc import Iterator

from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.position import Candidate, Position
from csp_sudoku.strategies.step import Step

# A candidate, and whether it is right.
Literal = tuple[int, int, bool]

# Nobody can follow longer chains; forcing chains take over.
_LONGEST = 24


def chain(position: Position, score: float) -> Iterator[Step]:
    """Find the shortest chains that refute a candidate."""
    links = _Links(position)
    walks = [_Walk(links, candidate) for candidate in members(links.open)]
    for depth in range(1, _LONGEST + 1):
        position.tick()
        found = [walk.start for walk in walks if walk.advance()]
        if found:
            yield from [_step(position, links, start, score, depth) for start in found]
            return
        walks = [walk for walk in walks if walk.fresh]
        if not walks:
            return


class _Links:
    """The links of a position. Here a candidate is a number, and a set of candidates is a mask."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._width = len(position.network.places)
        self._kills: dict[int, int] = {}
        self.open = 0
        for value, board in enumerate(position.boards):
            self.open |= (board & position.open) << value * self._width
        self.strong: dict[int, int] = {}
        for place in members(position.counted[1]):
            self._bind(*[(place, value) for value in members(position.masks[place])])
        for _, value, places in position.units():
            if places.bit_count() == 2:
                self._bind(*[(place, value) for place in members(places)])
        self.ends = sum(1 << candidate for candidate in self.strong)

    def _bind(self, one: Candidate, two: Candidate) -> None:
        a, b = self.number(one), self.number(two)
        self.strong[a] = self.strong.get(a, 0) | 1 << b
        self.strong[b] = self.strong.get(b, 0) | 1 << a

    def number(self, candidate: Candidate) -> int:
        return candidate[1] * self._width + candidate[0]

    def candidate(self, number: int) -> Candidate:
        value, place = divmod(number, self._width)
        return place, value

    def kills(self, number: int) -> int:
        """The candidates that are wrong if this one is right."""
        if number not in self._kills:
            fallen = self._position.kills(*self.candidate(number))
            self._kills[number] = sum(
                cells << value * self._width for value, cells in fallen.items()
            )
        return self._kills[number]


class _Walk:
    """What follows from a candidate; it grows by one link at a time."""

    def __init__(self, links: _Links, start: int) -> None:
        self._links = links
        self.start = start
        self.right, self.wrong = 1 << start, 0
        self.fresh = 1 << start
        self._is_right = True

    def advance(self) -> bool:
        """Follow one more link; return whether a candidate is now both right and wrong."""
        reached = 0
        if self._is_right:
            for number in members(self.fresh):
                reached |= self._links.kills(number)
            self.fresh = reached & ~self.wrong
            self.wrong |= reached
        else:
            for number in members(self.fresh & self._links.ends):
                reached |= self._links.strong[number]
            self.fresh = reached & ~self.right
            self.right |= reached
        self._is_right = not self._is_right
        return self.right & self.wrong != 0


def _step(position: Position, links: _Links, start: int, score: float, depth: int) -> Step:
    """Find the chain again, remember its links, and put it into words."""
    net = position.network
    parent: dict[tuple[int, bool], tuple[int, bool] | None] = {(start, True): None}
    front, clashes = [start], []
    for length in range(depth):
        right, following = length % 2 == 0, []
        for number in front:
            for reached in members(links.kills(number) if right else links.strong.get(number, 0)):
                if (reached, not right) not in parent:
                    parent[reached, not right] = (number, right)
                    following.append(reached)
                    if (reached, right) in parent:
                        clashes.append(reached)
        front = following
    ways = [_way(parent, (min(clashes), right)) for right in (True, False)]
    cells, told = 0, []
    for way in ways:
        words = []
        for number, right in way:
            place, value = links.candidate(number)
            cells |= 1 << place
            words.append(f"{net.name(place)} {'=' if right else '≠'} {net.digit(value)}")
        if len(way) > 1:
            told.append(" → ".join(words))
    place, value = links.candidate(start)
    return position.step(
        "chain",
        chain_score(score, depth),
        cells,
        f"if {net.name(place)} were {net.digit(value)}, then {', but also '.join(told)}",
        eliminations=[(place, value)],
    )


def _way(
    parent: dict[tuple[int, bool], tuple[int, bool] | None], end: tuple[int, bool]
) -> list[tuple[int, bool]]:
    way = [end]
    while (previous := parent[way[-1]]) is not None:
        way.append(previous)
    return way[::-1]


def chain_score(score: float, depth: int) -> float:
    """The score of a chain: a long chain scores up to 0.8 more than a short one.

    Examples
    --------
    >>> chain_score(6.6, 2), chain_score(6.6, 7), chain_score(6.6, 24)
    (6.6, 6.9, 7.4)
    """
    steps = (2, 4, 6, 9, 12, 15, 18, 21)
    return round(score + 0.1 * sum(depth > limit for limit in steps), 1)
