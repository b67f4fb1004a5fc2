"""Chains: strong and weak links in turn, so that one of the two ends is right.

If the first node of a chain is wrong, the next one is right, so the next is wrong, and so on to the
last, which is right. A candidate that both ends exclude is wrong. If the ends exclude each other,
the chain closes to a loop: then each of its weak links is a strong one too.

The search goes by candidates: what follows if this one were right? Sets of nodes are numbers, and a
candidate is refuted as soon as a node that is right excludes it. Short chains come first.

References
----------
Sudopedia: Alternating Inference Chain, Nice Loop, X-Chain, XY-Chain, Grouped Link, ALS-XZ,
ALS-XY-Wing, Almost Locked Set chain.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from itertools import islice, product
from operator import or_

from csp_sudoku.strategies.bits import members
from csp_sudoku.strategies.links import Links, links_of
from csp_sudoku.strategies.position import Position
from csp_sudoku.strategies.step import Step

# The most strong links. Nobody can follow longer chains; forcing chains take over.
_LONGEST = 12
# The most loops of the same length between two nodes.
_MOST_WAYS = 20

# The kinds of links, from easy to hard.
_KINDS = ("cell", "house", "group", "set")

# A chain scores 0.1 more for each of these numbers of nodes that it exceeds.
_LONGER = (4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)


def chain(
    position: Position,
    score: float,
    technique: str,
    kinds: Collection[str],
    *,
    one_value: bool = False,
    shortest: int = 2,
    longest: int = _LONGEST,
    cells: int | None = None,
) -> Iterator[Step]:
    """If one end of a chain is wrong, the other one is right: what both exclude is wrong.

    Finds chains of strong links of these kinds, short ones first. With `cells`, only chains whose
    strong links have this number of cells together.
    """
    candidates = refutable(position, kinds)
    if not candidates:
        return
    links = links_of(position, *kinds, one_value=one_value)
    walks = [_Walk(links, links.killed(1 << c), 1 << c) for c in members(candidates)]
    # What if a node of one candidate is wrong? If it follows that it is right, it is placed.
    walks += [
        _Walk(links, 1 << number)
        for number, node in enumerate(links.nodes)
        if node & node - 1 == 0 and not links.killed_by[number] & ~candidates
    ]
    for length in range(1, longest + 1):
        position.tick()
        walks = [walk for walk in walks if walk.advance()]
        refuted = [walk for walk in walks if walk.refuted]
        if refuted and length >= shortest:
            gone = sum(walk.candidate for walk in refuted)
            starts = reduce(or_, (walk.killed for walk in refuted))
            for ways in _ways(links, starts, gone, length):
                fitting = (way for way in ways if cells in (None, _extent(links, way)))
                if (way := next(fitting, None)) is not None:
                    yield _step(links, technique, chain_score(score, 2 * length), way, gone)
        walks = [walk for walk in walks if not walk.refuted]
        if not walks:
            return


def loop(
    position: Position,
    score: float,
    technique: str,
    kinds: Collection[str],
    *,
    longest: int = _LONGEST,
) -> Iterator[Step]:
    """The ends of a chain exclude each other: what the ends of any of its links exclude is wrong.

    Short loops come first.
    """
    if not refutable(position, kinds):
        return
    links = links_of(position, *kinds)
    fronts = [_Walk(links, 1 << node) for node in range(len(links.nodes))]
    for length in range(1, longest + 1):
        position.tick()
        fronts = [front for front in fronts if front.advance()]
        if length > 1:
            for front in fronts:
                for end in members(front.fresh & links.weak(front.start)):
                    if length > 2 and not links.excluded(front.start, end):
                        continue  # the loop is found from another of its links, if it is of use
                    for way in islice(front.ways(end), _MOST_WAYS):
                        yield from _loop(links, technique, chain_score(score, 2 * length), way)


def refutable(position: Position, kinds: Collection[str]) -> int:
    """The candidates that chains of any length refute, of these kinds of links and easier ones.

    This is found quickly. If there are none, no chain has to be looked for.
    """
    last = max(_KINDS.index(kind) for kind in kinds)
    wider = _KINDS[: max(last + 1, 2)]

    def search(position: Position) -> int:
        links, found = links_of(position, *wider), 0
        for candidate in members(position.left):
            position.tick()
            killed = links.killed(1 << candidate)
            first = right = 0
            for node in members(killed):
                first |= links.strong[node]
            while rest := first & ~right:
                right |= links.following(rest.bit_length() - 1)
            if right & killed:
                found |= 1 << candidate
        return found

    return position.remembered(f"refutable {wider}", search)


class _Walk:
    """The nodes that are right if some others are wrong; they grow by one strong link at a time.

    `killed` are those that are wrong: what a candidate excludes, or the node where chains begin.
    """

    def __init__(self, links: Links, killed: int, candidate: int = 0) -> None:
        self._links = links
        self.killed = killed
        self.candidate = candidate
        self._layers: list[int] = []
        self._right = self.fresh = 0

    def advance(self) -> bool:
        """Follow one more weak link and strong link; return whether there is anything new."""
        reached = 0
        if self._layers:
            for node in members(self.fresh):
                reached |= self._links.next(node)
        else:
            for node in members(self.killed):
                reached |= self._links.strong[node]
        self.fresh = reached & ~self._right
        self._right |= reached
        self._layers.append(self.fresh)
        return self.fresh != 0

    @property
    def refuted(self) -> bool:
        """Whether a node is right that was to be wrong."""
        return self.fresh & self.killed != 0

    @property
    def start(self) -> int:
        """The only node that is wrong."""
        return self.killed.bit_length() - 1

    def ways(self, end: int) -> Iterator[list[int]]:
        """Yield the chains from the start to this node of the last layer, as lists of nodes."""
        return self._backwards([end], len(self._layers) - 2)

    def _backwards(self, way: list[int], layer: int) -> Iterator[list[int]]:
        links = self._links
        if layer < 0:
            yield [self.start, *way]
            return
        for right in members(self._layers[layer]):
            if links.next(right) >> way[0] & 1:
                for wrong in members(links.weak(right) & links.strong[way[0]]):
                    yield from self._backwards([right, wrong, *way], layer - 1)


def _ways(links: Links, starts: int, gone: int, length: int) -> Iterator[Iterator[list[int]]]:
    """Yield the chains between two nodes that both exclude one of these candidates."""
    for start in members(starts):
        front = _Walk(links, 1 << start)
        if all(front.advance() for _ in range(length)):
            for end in members(front.fresh):
                if end == start or (end > start and gone & links.excluded(start, end)):
                    yield front.ways(end)


def _extent(links: Links, way: Sequence[int]) -> int:
    """The number of cells that the strong links of a chain have together, at least."""
    options = [links.between(*ends) for ends in zip(way[::2], way[1::2], strict=True)]
    return min(
        reduce(or_, (link.where for link in chosen)).bit_count() for chosen in product(*options)
    )


def _step(links: Links, technique: str, score: float, way: list[int], gone: int) -> Step:
    first, last = way[0], way[-1]
    lost = links.excluded(first, last) & gone
    if first != last:
        return told(links, technique, score, way, either(links, way), lost=lost)
    end = f"so {links.say(first, right=True)} in any case"
    return told(links, technique, score, way, end, lost=lost, sure=links.nodes[first])


def either(links: Links, way: Sequence[int]) -> str:
    """That one end of a chain at least is right, in words."""
    return f"so {links.say(way[0], right=True)} or {links.say(way[-1], right=True)}"


def _loop(links: Links, technique: str, score: float, way: list[int]) -> Iterator[Step]:
    """The step of a loop: what each pair of neighbours excludes, and each almost locked set."""
    lost = 0
    for wrong, right in zip(way[::2], [way[-1], *way[1:-1:2]], strict=True):
        lost |= links.excluded(wrong, right)
    for one, two in zip(way[::2], way[1::2], strict=True):
        for link in links.between(one, two):
            lost |= links.locked(link)
    if lost:
        yield told(
            links,
            technique,
            score,
            way,
            "and so on in a loop, so all of this holds, or else the opposite of each",
            lost=lost,
        )


def told(
    links: Links,
    technique: str,
    score: float,
    way: Sequence[int],
    end: str,
    *,
    lost: int,
    sure: int = 0,
) -> Step:
    """A chain in words."""
    net, cells = links.position.network, 0
    words = []
    for i, node in enumerate(way):
        cells |= links.cells(node)
        words.append(links.say(node, right=i % 2 == 1))
    sets = []
    for one, two in zip(way[::2], way[1::2], strict=True):
        link = links.between(one, two)[0]
        if link.kind == "set":
            cells |= link.where
            sets.append(net.names(link.where))
    sets = list(dict.fromkeys(sets))  # a chain may come back to a set
    almost = (
        f" (almost locked set{'s' if len(sets) > 1 else ''}: {'; '.join(sets)})" if sets else ""
    )
    is_placement = sure.bit_count() == 1
    return links.position.step(
        technique,
        score,
        cells,
        f"if {' → '.join(words)}{almost}, {end}",
        placements=links.position.split(sure) if is_placement else (),
        eliminations=() if is_placement else links.position.split(lost),
        briefly=f"if {words[0]}, {len(words) - 1} links later {words[-1]}, {end}",
    )


def chain_score(score: float, nodes: int) -> float:
    """The score of a chain with this number of nodes: a long chain scores more.

    The limits are those of Sudoku Explainer. A strong link has two nodes.

    Examples
    --------
    >>> chain_score(6.6, 4), chain_score(6.6, 10), chain_score(6.6, 24), chain_score(10.5, 200)
    (6.6, 6.9, 7.1, 11.7)
    """
    return round(score + 0.1 * sum(nodes > limit for limit in _LONGER), 1)
