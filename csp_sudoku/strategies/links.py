"""Links between candidates: what chains are made of.

A *node* is a candidate, or several places of one value that count as one: "one of them holds the
value". A *weak link*: if a node is right, another one is wrong, because all its candidates are. A
*strong link*: if a node is wrong, another one is right. Strong links come from four kinds:

- ``cell``: a cell with two candidates;
- ``house``: a house with two places for a value;
- ``group``: a house whose places for a value lie in two parts, each in another group too;
- ``set``: an almost locked set, n cells with n + 1 values. If it lacks one, it has all others.

Weak links come from any rule for two cells, so that chains run along houses, cages and lines.

References
----------
Sudopedia: Strong Link, Weak Link, Grouped Link, Almost Locked Set.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import cached_property
from itertools import permutations
from typing import NamedTuple

from csp_sudoku.strategies.bits import mask_of, members
from csp_sudoku.strategies.network import Group
from csp_sudoku.strategies.position import Position

# The largest almost locked set, in groups of at most nine places and in larger groups.
_LARGEST_SET = 8
_LARGEST_SET_OF_MANY = 4


class AlmostLockedSet(NamedTuple):
    """Cells of a group that have one value more than their number."""

    cells: int
    values: int


class Clique(NamedTuple):
    """Nodes of which at most one is wrong, in these cells (and this house): sets of candidates."""

    kind: str
    nodes: Sequence[int]
    where: int
    house: Group | None = None


class Link(NamedTuple):
    """A strong link between two nodes, in these cells (and this house)."""

    kind: str
    one: int
    two: int
    where: int
    house: Group | None = None


class Links:
    """The links of a position. A set of nodes, or of candidates, is a mask.

    Attributes
    ----------
    nodes
        For each node its candidates.
    strong
        For each node the nodes that are right if it is wrong.
    """

    def __init__(
        self, position: Position, kinds: Container[str], *, one_value: bool = False
    ) -> None:
        self.position = position
        self._kinds = kinds
        self._width = len(position.network.places)
        self._row = (1 << self._width) - 1
        self._one_value = one_value
        self.nodes: list[int] = []
        self.strong: list[int] = []
        self._number: dict[int, int] = {}
        self._next: dict[int, int] = {}
        self._following: dict[int, int] = {}
        self._followed = 0  # the nodes for which it is known
        for found in cliques(position, kinds):
            numbers = [self._node(node) for node in found.nodes]
            together = mask_of(numbers)
            for number in numbers:
                self.strong[number] |= together ^ 1 << number

    def _node(self, candidates: int) -> int:
        number = self._number.get(candidates)
        if number is None:
            number = self._number[candidates] = len(self.nodes)
            self.nodes.append(candidates)
            self.strong.append(0)
        return number

    @cached_property
    def _links(self) -> dict[tuple[int, int], list[Link]]:
        """The strong links by their nodes; only chains that were found need them."""
        found: dict[tuple[int, int], list[Link]] = {}
        for kind, nodes, where, house in cliques(self.position, self._kinds):
            for one, two in permutations([self._number[node] for node in nodes], 2):
                found.setdefault((one, two), []).append(Link(kind, one, two, where, house))
        return found

    def between(self, one: int, two: int) -> list[Link]:
        """The strong links between two nodes."""
        return self._links[one, two]

    def value(self, node: int) -> int:
        """The value of a node."""
        return (self.nodes[node].bit_length() - 1) // self._width

    def cells(self, node: int) -> int:
        """The places of a node."""
        return self.nodes[node] >> self.value(node) * self._width

    def kills(self, candidates: int) -> int:
        """The candidates that are wrong if one of these is right, whichever it is."""
        fallen = self.position.victims(candidates)
        if self._one_value:
            fallen &= self._row << (candidates.bit_length() - 1) // self._width * self._width
        return fallen

    @cached_property
    def killed_by(self) -> list[int]:
        """For each node the candidates that are wrong if it is right."""
        return [self.kills(node) for node in self.nodes]

    @cached_property
    def _victims(self) -> dict[int, int]:
        """For each candidate the nodes that are wrong if it is right.

        Exclusion is mutual: what all candidates of a node exclude are those that exclude the node.
        """
        found: dict[int, int] = {}
        for number, killed in enumerate(self.killed_by):
            for candidate in members(killed):
                found[candidate] = found.get(candidate, 0) | 1 << number
        return found

    def killed(self, candidates: int) -> int:
        """The nodes that are wrong if one of these candidates is right, whichever it is."""
        killed = -1
        for candidate in members(candidates):
            killed &= self._victims.get(candidate, 0)
        return killed

    def excluded(self, one: int, two: int) -> int:
        """The candidates that are wrong if one of these nodes is right, whichever it is."""
        return self.killed_by[one] & self.killed_by[two]

    def weak(self, node: int) -> int:
        """The nodes that are wrong if this one is right."""
        return self.killed(self.nodes[node])

    def next(self, node: int) -> int:
        """The nodes that are right if this one is: over a weak link and a strong link."""
        if node not in self._next:
            reached = 0
            for wrong in members(self.weak(node)):
                reached |= self.strong[wrong]
            self._next[node] = reached
        return self._next[node]

    def following(self, node: int) -> int:
        """This node, and those that are right if it is, over any number of links."""
        if node not in self._following:
            reached = fresh = 1 << node
            while fresh:
                if known := fresh & self._followed:
                    more = self._following[known.bit_length() - 1]
                    fresh &= ~more
                else:
                    nearest = fresh.bit_length() - 1
                    more = self.next(nearest)
                    fresh = fresh & ~(1 << nearest) | more & ~reached
                reached |= more
            self._following[node] = reached
            self._followed |= 1 << node
        return self._following[node]

    def locked(self, link: Link) -> int:
        """The candidates that an almost locked set excludes if it lacks one end of this link."""
        fallen = 0
        if link.kind == "set":
            ends = 1 << self.value(link.one) | 1 << self.value(link.two)
            for value, board in enumerate(self.position.boards):
                if not ends >> value & 1 and (cells := board & link.where):
                    fallen |= self.kills(cells << value * self._width)
        return fallen

    def say(self, node: int, *, right: bool) -> str:
        """A node in words, such as R1C1 ≠ 5."""
        net = self.position.network
        names = "/".join(net.name(place) for place in members(self.cells(node)))
        return f"{names} {'=' if right else '≠'} {net.digit(self.value(node))}"


def links_of(position: Position, *kinds: str, one_value: bool = False) -> Links:
    """The links of a position: strong links of these kinds, and weak links (of one value only)."""
    return position.remembered(
        f"links {kinds} {one_value}", lambda p: Links(p, kinds, one_value=one_value)
    )


def cliques(position: Position, kinds: Container[str]) -> Iterator[Clique]:
    """Yield nodes with strong links of these kinds between all of them."""
    width = len(position.network.places)
    if "cell" in kinds:
        for place in members(position.counted[1]):
            nodes = [1 << value * width + place for value in members(position.masks[place])]
            yield Clique("cell", nodes, 1 << place)
    for house, value, places in position.units():
        shift = value * width
        if places.bit_count() == 2:
            if "house" in kinds:
                nodes = [1 << shift + place for place in members(places)]
                yield Clique("house", nodes, places, house)
        elif "group" in kinds:
            key = ("parts", house.cells, places)
            for part in position.recalled(key, _parts, position, house, places):
                yield Clique("group", [part << shift, (places & ~part) << shift], places, house)
    if "set" in kinds:
        for found in almost_locked_sets(position):
            nodes = [
                (found.cells & position.boards[value]) << value * width
                for value in members(found.values)
            ]
            # A node that excludes nothing is no part of any chain.
            useful = [node for node in nodes if position.victims(node)]
            if len(useful) > 1:
                yield Clique("set", useful, found.cells)


def _parts(position: Position, house: Group, places: int) -> Iterator[int]:
    """Yield parts of some places in a house that lie in another group, as does the rest."""
    parts = dict.fromkeys(places & cells for cells in position.network.overlaps[house.cells])
    done = {0, places}
    for part in parts:
        rest = places & ~part
        if part in done or rest in done:
            continue
        if rest & rest - 1 == 0 or any(not rest & ~other for other in parts if other != places):
            done.add(part)
            yield part


def almost_locked_sets(position: Position) -> list[AlmostLockedSet]:
    """All almost locked sets of two or more cells."""
    return position.remembered("almost locked sets", _almost_locked_sets)


def _almost_locked_sets(position: Position) -> list[AlmostLockedSet]:
    found: dict[int, AlmostLockedSet] = {}
    for group in position.network.groups:
        places = tuple([place for place in group.members if position.open >> place & 1])
        masks = tuple([position.masks[place] for place in places])
        largest = _LARGEST_SET if len(group.members) <= 9 else _LARGEST_SET_OF_MANY
        key = ("almost locked", places, masks)
        for each in position.recalled(key, _sets_among, places, masks, largest):
            found[each.cells] = each
    return list(found.values())


def _sets_among(
    places: Sequence[int], masks: Sequence[int], largest: int
) -> Iterator[AlmostLockedSet]:
    most = min(largest, len(places) - 1)
    front = [(0, 0, 0)]
    for size in range(1, most + 1):
        front = [
            (i + 1, cells | 1 << places[i], union)
            for start, cells, values in front
            for i in range(start, len(places))
            if (union := values | masks[i]).bit_count() <= most + 1
        ]
        for _, cells, values in front if size > 1 else ():
            if values.bit_count() == size + 1:
                yield AlmostLockedSet(cells, values)
