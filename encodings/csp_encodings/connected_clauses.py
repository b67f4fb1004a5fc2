"""The clause pattern of a connected factor: connectivity by vertex elimination.

The vertices are eliminated one by one. When a vertex goes, any two neighbours that it joined become
neighbours: a variable for each such pair says whether both are in one class and joined, directly or
through vertices that have gone. A vertex that has no link when it goes is the last of its class:
none of the class is left. (Vertex elimination for acyclicity: M. F. Rankooh & J. Rintanen, AAAI
2022.) All variables are functions of the values, by unit propagation, and no distance has to be
bounded: 9×9 cells in two classes take 2,000 variables.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from csp_encodings.clauses import ClauseWriter, Pattern
from csp_encodings.elimination import elimination_order
from csp_encodings.factors import Domain
from csp_encodings.store import kept

# More clauses than this are not worth it to say which vertices are too far from each other.
_MOST_FAR = 200_000

# Parts of up to so many vertices are said to be no whole class; fewer where there are many of them.
_SMALL = 4
_MOST_PARTS = 20_000


@kept(size=lambda found: found.bytes)
def connected_pattern(  # noqa: PLR0917 - kept functions have no keyword arguments
    domains: tuple[Domain, ...],
    edges: tuple[tuple[int, int], ...],
    classes: tuple[tuple[int, ...], ...],
    largest: int | None,
    pairs: tuple[tuple[int, int], ...] = (),
    linked: bool = False,
) -> Pattern:
    """Return the clauses of a connected factor over the values of its variables.

    Behind the values come literals for some `pairs` of variables: whether both are in one class.
    With `linked`, other clauses say of the same classes that they are connected, and no larger.

    Examples
    --------
    >>> found = connected_pattern(((0, 1),) * 3, ((0, 1), (1, 2)), ((1,),), None)
    >>> found.new  # x=0, x=1, y=0 … are 1 to 6
    ((2, 'link'), (2, 'of class 1 from here on'))
    >>> len(found.clauses)
    14
    """
    writer = _Writer(domains, classes, pairs)
    if linked:
        writer.add_far(edges, largest or len(domains))
        return writer.finish()
    joined = [writer.same(a, b) for a, b in edges]
    links = {edge: link for edge, link in zip(edges, joined, strict=True) if link}
    if largest is not None:
        if largest * len(classes) == len(domains) and _are_covered(domains, classes):
            writer.add_small_parts(links, largest)  # each class is as large as it may be
        writer.add_largest(edges, largest)
    writer.add_elimination(edges, links)
    return writer.finish()


class _Writer:
    def __init__(
        self,
        domains: tuple[Domain, ...],
        classes: tuple[tuple[int, ...], ...],
        pairs: tuple[tuple[int, int], ...],
    ) -> None:
        self.clauses = ClauseWriter()
        self.new: list[tuple[int, str]] = []
        self.size = len(domains)
        first = sum(map(len, domains)) + 1
        # The literals of pairs that have one already.
        self.known = dict(zip(pairs, range(first, first + len(pairs)), strict=True))
        self.top = self.start = first + len(pairs) - 1
        self.far: set[tuple[int, int]] = set()
        # For each class, the literals of the vertices that can be in it.
        self.inside: list[dict[int, int]] = [{} for _ in classes]
        first = 1
        for vertex, domain in enumerate(domains):
            held = dict(zip(domain, range(first, first + len(domain)), strict=True))
            first += len(domain)
            for inside, values in zip(self.inside, classes, strict=True):
                literals = [held.pop(value) for value in values if value in held]
                if literals:
                    inside[vertex] = self.any_of(literals, "in a class")

    def finish(self) -> Pattern:
        return Pattern.of(self.clauses.finish(), self.new)

    def fresh(self, use: str) -> int:
        self.top += 1
        if self.new and self.new[-1][1] == use:
            self.new[-1] = (self.new[-1][0] + 1, use)
        else:
            self.new.append((1, use))
        return self.top

    def any_of(self, literals: Sequence[int], use: str) -> int:
        """The literal that says that one of these literals is true."""
        if len(literals) == 1:
            return literals[0]
        found = self.fresh(use)
        self.clauses.add((-found, *literals))
        self.clauses.add_all([(-literal, found) for literal in literals])
        return found

    def same(self, a: int, b: int) -> int:
        """The literal that says that two vertices are in one class, or 0 if they never are."""
        if (a, b) in self.known:
            return self.known[a, b]
        common = [(inside[a], inside[b]) for inside in self.inside if a in inside and b in inside]
        if not common:
            return 0
        found = self.fresh("link")
        for x, y in common:
            self.clauses.add((found, -x, -y))
        if len(common) == 1:
            self.clauses.add_all([(-found, x) for x in common[0]])
            return found
        for x, y in common:
            self.clauses.add_all([(-found, -x, y), (-found, x, -y)])
        self.clauses.add((-found, *[x for x, _ in common]))
        return found

    def add_elimination(
        self, edges: Sequence[tuple[int, int]], links: dict[tuple[int, int], int]
    ) -> None:
        steps = list(elimination_order(self.size, edges))
        later = [
            self.later(number, [vertex for vertex, _ in steps])
            for number in range(len(self.inside))
        ]
        behind = {vertex: number for number, (vertex, _) in enumerate(steps)}
        together = defaultdict(list)
        for (a, b), literal in self.known.items():
            together[min(a, b, key=behind.__getitem__)].append(literal)
        for vertex, around in steps:
            own = [
                (other, links.get((min(vertex, other), max(vertex, other)), 0)) for other in around
            ]
            own = [(other, link) for other, link in own if link]
            for inside, some in zip(self.inside, later, strict=True):
                if vertex in inside and some[vertex]:
                    self.clauses.add((-inside[vertex], -some[vertex], *[link for _, link in own]))
            for literal in together[vertex]:
                if [literal] != [link for _, link in own]:
                    self.clauses.add((-literal, *[link for _, link in own]))
            for (a, first), (b, second) in combinations(own, 2):
                if (a, b) in self.far:
                    self.clauses.add((-first, -second))
                    continue
                before = links.get((a, b), 0)
                known = (before,) if before else ()
                links[a, b] = link = self.fresh("link")
                if (a, b) in self.known:
                    self.clauses.add((-link, self.known[a, b]))
                self.clauses.add_all(
                    [
                        (-first, -second, link),
                        (-link, first, *known),
                        (-link, second, *known),
                        *[(-literal, link) for literal in known],
                    ]
                )

    def add_small_parts(self, links: Mapping[tuple[int, int], int], size: int) -> None:
        """A few vertices that are linked are no whole class: one more link leaves them.

        This follows, but a solver sees it late: unit propagation does not find the only way out.
        """
        near = defaultdict(list)
        for a, b in links:
            near[a].append(b)
            near[b].append(a)
        parts: set[tuple[int, ...]] = {(vertex,) for vertex in range(self.size)}
        for _ in range(min(_SMALL, size - 1)):
            for part in sorted(parts):
                ways = {(min(a, b), max(a, b)) for a in part for b in near[a]}
                within = [way for way in sorted(ways) if way[0] in part and way[1] in part]
                out = sorted(ways.difference(within))
                self.clauses.add((*[-links[way] for way in within], *[links[way] for way in out]))
            if len(parts) > _MOST_PARTS:
                break
            parts = {
                tuple(sorted((*part, other)))
                for part in parts
                for vertex in part
                for other in near[vertex]
                if other not in part
            }

    def later(self, number: int, order: Sequence[int]) -> dict[int, int]:
        """For each vertex, the literal that says that one after it is in a class; 0 for none."""
        inside = self.inside[number]
        found: dict[int, int] = {}
        after = 0
        for vertex in reversed(order):
            found[vertex] = after
            if vertex in inside:
                some = [inside[vertex], after] if after else [inside[vertex]]
                after = self.any_of(some, f"of class {number + 1} from here on")
        return found

    def add_largest(self, edges: Sequence[tuple[int, int]], largest: int) -> None:
        """A class has at most so many vertices."""
        for inside in self.inside:
            self.add_at_most([*inside.values()], largest, "size of a class")
        self.add_far(edges, largest)

    def add_far(self, edges: Sequence[tuple[int, int]], largest: int) -> None:
        """Vertices that are too far from each other are not in one class."""
        far = list(_far_apart(self.size, edges, largest))
        self.far.update(far)
        if len(far) * len(self.inside) <= _MOST_FAR:
            for inside in self.inside:
                self.clauses.add_all(
                    [(-inside[a], -inside[b]) for a, b in far if a in inside and b in inside]
                )

    def add_at_most(self, literals: Sequence[int], most: int, use: str) -> None:
        """At most so many of these are true: a totalizer (Bailleux & Boufkhad, CP 2003)."""
        if len(literals) <= most:
            return
        due = deque([literal] for literal in literals)
        while len(due) > 1:
            due.append(self.total(due.popleft(), due.popleft(), most + 1, use))
        self.clauses.add((-due[0][most],))

    def total(self, left: list[int], right: list[int], most: int, use: str) -> list[int]:
        """Literals that say "at least 1", "at least 2" … of two such lists together."""
        count = min(len(left) + len(right), most)
        found = [self.fresh(use) for _ in range(count)]
        for i in range(len(left) + 1):
            for j in range(len(right) + 1):
                reached = [-literal for literal in (*left[i - 1 : i], *right[j - 1 : j])]
                if 0 < i + j <= count:
                    self.clauses.add((*reached, found[i + j - 1]))
                if i + j < count:
                    self.clauses.add((*left[i : i + 1], *right[j : j + 1], -found[i + j]))
        return found


def _are_covered(domains: Iterable[Domain], classes: Iterable[tuple[int, ...]]) -> bool:
    """Whether every value of every variable is in a class."""
    known = {value for values in classes for value in values}
    return all(known.issuperset(domain) for domain in domains)


def _far_apart(
    size: int, edges: Sequence[tuple[int, int]], largest: int
) -> Iterator[tuple[int, int]]:
    """The pairs of vertices that no connected part of this size holds."""
    near = defaultdict(list)
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    for vertex in range(size):
        reached = {vertex}
        fresh = [vertex]
        for _ in range(largest - 1):
            fresh = [*{other for place in fresh for other in near[place]} - reached]
            reached.update(fresh)
        yield from [(vertex, other) for other in range(vertex + 1, size) if other not in reached]
