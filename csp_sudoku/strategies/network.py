"""The constraint graph as a person sees it: places, houses, clues, and places that see others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any

import networkx as nx

from csp_encodings.factors import AllDifferent, Relation
from csp_encodings.graph import FactorId, domains, variables
from csp_encodings.watch import look
from csp_sudoku.cells import Cell, LayerCell
from csp_sudoku.constraints.regions import House
from csp_sudoku.puzzle import Puzzle, of_rules, rules_extent, shared_rules_graph
from csp_sudoku.strategies.bits import mask_of, members
from csp_sudoku.strategies.clues import Clue, clues_of, crossings_of

# Layers of these names have words for their values; those of the other are numbers of regions.
COLOURS = {"shaded": ("unshaded", "shaded")}
REGIONS = "region"


@dataclass(frozen=True, eq=False)
class Group:
    """Places that hold no value twice.

    Attributes
    ----------
    members, cells
        The numbers of its places, as a tuple and as a set.
    values
        The numbers of the values that its places may hold by the rules.
    is_house
        Whether there are as many values as places: then every value occurs.
    block
        Whether it is compact, like a box, and not a line.
    family
        The name of its kind, such as rows. No two groups of a family share a place.
    """

    name: str
    rule: Any
    members: tuple[int, ...]
    cells: int
    values: int
    is_house: bool
    block: bool
    family: str


class Network:
    """Everything about the rules of a puzzle that does not change while it is solved.

    Examples
    --------
    >>> from csp_sudoku import Puzzle
    >>> network = network_of(Puzzle.blank(4))
    >>> len(network.houses), len(network.clues), bin(network.sees[0])
    (12, 0, '0b1000100111110')
    """

    def __init__(
        self,
        graph: nx.Graph,
        puzzle: Puzzle | None = None,
        more_groups: Iterable[tuple[Any, Sequence[Any]]] = (),
    ) -> None:
        self.puzzle = puzzle
        self.places: tuple[Any, ...] = tuple(variables(graph))
        self.number = {place: i for i, place in enumerate(self.places)}
        known = domains(graph)
        self.values: tuple[int, ...] = tuple(sorted({v for d in known.values() for v in d}))
        self.code = {value: i for i, value in enumerate(self.values)}
        self.everywhere = (1 << len(self.places)) - 1
        self.domains = tuple(mask_of(self.code[v] for v in known[place]) for place in self.places)
        self.groups = self._groups(graph, more_groups)
        self.houses = tuple(group for group in self.groups if group.is_house)
        self.sees = self._sees(graph)
        self.clues: tuple[Clue, ...] = tuple(clues_of(graph, self.number, self.values))
        self.crossings: tuple[Clue, ...] = tuple(crossings_of(graph, self.number, self.values))
        self.clues_at: list[list[int]] = [[] for _ in self.places]
        for index, clue in enumerate(self.clues):
            for place in clue.scope:
                self.clues_at[place].append(index)

    def _groups(
        self, graph: nx.Graph, more: Iterable[tuple[Any, Sequence[Any]]]
    ) -> tuple[Group, ...]:
        found: list[tuple[Any, Sequence[Any]]] = []
        for node, data in graph.nodes(data=True):
            if isinstance(node, FactorId) and isinstance(data["factor"], AllDifferent):
                listed = data["factor"].scope
                if all(v in self.number for v in listed) and len(set(listed)) == len(listed):
                    found.append((data["source"], listed))
        announced = Counter(rule for rule, _ in found)
        groups: dict[int, Group] = {}
        for rule, scope in [*found, *more]:
            look()
            cells = mask_of(self.number[v] for v in scope)
            if len(scope) > 1 and cells not in groups:
                groups[cells] = self._group(rule, scope, cells, alone=announced[rule] < 2)
        return _with_families(tuple(groups.values()))

    def _group(self, rule: Any, scope: Sequence[Any], cells: int, *, alone: bool) -> Group:
        places = tuple(sorted(self.number[v] for v in scope))
        values = 0
        for place in places:
            values |= self.domains[place]
        label = str(getattr(rule, "label", "group"))
        # A rule with a plural for its label has several groups, of which this is one.
        one = label.removesuffix("s")
        is_named = alone and rule is not None and one == label
        name = label if is_named else f"{one} {scope[0]}–{scope[-1]}"
        # "row 3 of grid 2" is one of the family "row of grid 2".
        family = re.sub(r" \d+", "", label, count=1) if isinstance(rule, House) else label
        is_house = values.bit_count() == len(places)
        return Group(name, rule, places, cells, values, is_house, _is_block(scope), family)

    def _sees(self, graph: nx.Graph) -> tuple[int, ...]:
        sees = [0] * len(self.places)
        for group in self.groups:
            look()
            for place in group.members:
                sees[place] |= group.cells
        for node, data in graph.nodes(data=True):
            if isinstance(node, FactorId) and isinstance(data["factor"], Relation):
                look()
                relation = data["factor"]
                a, b = (self.number.get(v) for v in relation.scope)
                if a is None or b is None or a == b:
                    continue
                common = self.domains[a] & self.domains[b]
                values = [self.values[v] for v in members(common)]
                if all((value, value) not in relation.allowed for value in values):
                    sees[a] |= 1 << b
                    sees[b] |= 1 << a
        return tuple(seen & ~(1 << i) for i, seen in enumerate(sees))

    @cached_property
    def families(self) -> tuple[tuple[Group, ...], ...]:
        """The groups by family."""
        found: dict[str, list[Group]] = {}
        for group in self.groups:
            found.setdefault(group.family, []).append(group)
        return tuple(map(tuple, found.values()))

    @cached_property
    def houses_of(self) -> tuple[tuple[int, ...], ...]:
        """For each value the houses that must contain it, as sets of places."""
        return tuple(
            tuple(house.cells for house in self.houses if house.values >> value & 1)
            for value in range(len(self.values))
        )

    @cached_property
    def house_names(self) -> dict[int, str]:
        """The names of the houses by their places."""
        return {house.cells: house.name for house in self.houses}

    @cached_property
    def overlaps(self) -> dict[int, tuple[int, ...]]:
        """For each house the parts of it that lie in other groups, each once."""
        return {
            house.cells: tuple(
                dict.fromkeys(part for group in self.groups if (part := group.cells & house.cells))
            )
            for house in self.houses
        }

    @cached_property
    def links(self) -> tuple[dict[int, dict[int, int]], ...]:
        """What relations forbid: for each place and its value, the values that other places lose.

        Examples
        --------
        >>> from csp_sudoku import Puzzle, Thermometer
        >>> network = network_of(Puzzle.blank(4).add(Thermometer("R1C1 R2C2")))
        >>> network.links[0][3]  # a 4 in the bulb leaves the cell after it no value at all
        {0: 32, 1: 32, 2: 32, 3: 32}
        """
        links: tuple[dict[int, dict[int, int]], ...] = tuple({} for _ in self.places)
        for clue in self.clues:
            for pair in clue.pairs:
                a, b = clue.scope[pair.first], clue.scope[pair.second]
                for own, other, partners in ((a, b, pair.forwards), (b, a, pair.backwards)):
                    for value in members(self.domains[own]):
                        fallen = links[own].setdefault(value, {})
                        for lost in members(self.domains[other] & ~partners.get(value, 0)):
                            fallen[lost] = fallen.get(lost, 0) | 1 << other
        return links

    # Words

    def say(self, rule: Any) -> str:
        """A rule as a sentence."""
        if self.puzzle is not None and hasattr(rule, "describe"):
            return str(rule.describe(self.puzzle))
        return str(getattr(rule, "label", "a rule holds"))

    def name(self, place: int) -> str:
        """The name of a place, such as R1C1."""
        return self._names[place]

    def is_coloured(self, place: int) -> bool:
        """Whether a place belongs to a layer that has words for its values, such as shaded."""
        where = self.places[place]
        return isinstance(where, LayerCell) and COLOURS.get(where.layer) is not None

    def is_of_region(self, place: int) -> bool:
        """Whether the value of a place is the number of the region of a cell."""
        where = self.places[place]
        return isinstance(where, LayerCell) and where.layer == REGIONS

    def has_words(self, place: int) -> bool:
        """Whether the values of a place are no numbers: they are colours, or regions."""
        return self.is_coloured(place) or self.is_of_region(place)

    def short_name(self, place: int) -> str:
        """The same, but R1C1 for a place of a layer whose values have words."""
        return self._short_names[place]

    def among(self, place: int, values: int) -> str:
        """Some values of a place in words: 4 or 5, or else in region 4 or 5, or shaded."""
        if not self.is_coloured(place):
            return f"{'in region ' if self.is_of_region(place) else ''}{self.digits(values, 'or')}"
        words = dict(enumerate(COLOURS[self.places[place].layer]))
        numbers = [self.values[value] for value in members(values)]
        return listing([words.get(number, str(number)) for number in numbers], "or")

    def word(self, place: int, value: int) -> str:
        """What a value is called at a place: a number, or a word such as shaded."""
        return self.among(place, 1 << value)

    def claim(self, place: int, value: int, *, right: bool = True) -> str:
        """A claim about a candidate in words, such as R1C1 = 5, R1C1 ≠ 5 or R1C1 is not shaded."""
        return self._claims(right, place, value)

    @cached_property
    def _claims(self) -> Callable[[bool, int, int], str]:
        def say(right: bool, place: int, value: int) -> str:
            sign = "=" if right else "≠"
            if self.has_words(place):
                sign = "is" if right else "is not"
            return f"{self.short_name(place)} {sign} {self.word(place, value)}"

        return cache(say)

    def cannot_be(self, place: int, value: int) -> str:
        """That a candidate is wrong, in words: R1C1 cannot be 5."""
        return f"{self.short_name(place)} cannot be {self.word(place, value)}"

    def were(self, place: int, value: int) -> str:
        """An assumption in words: if R1C1 were 5."""
        return f"if {self.short_name(place)} were {self.word(place, value)}"

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(map(str, self.places))

    @cached_property
    def _short_names(self) -> tuple[str, ...]:
        return tuple(
            name.partition(":")[2] if self.has_words(place) else name
            for place, name in enumerate(self._names)
        )

    def names(self, cells: int, word: str = "and") -> str:
        """The names of a set of places."""
        return listing([self.name(place) for place in members(cells)], word)

    def who_sees(self, cells: int) -> str:
        """The names of a set of places and the verb: R1C1 sees, R1C1 and R1C2 see."""
        return f"{self.names(cells)} {'sees' if cells & cells - 1 == 0 else 'see'}"

    def digit(self, value: int) -> str:
        """The value of this number, as text."""
        return str(self.values[value])

    def digits(self, values: int, word: str = "and") -> str:
        """The values of these numbers, as text."""
        return listing([self.digit(value) for value in members(values)], word)


def listing(words: Sequence[str], word: str = "and") -> str:
    """Join words with commas and a last "and".

    Examples
    --------
    >>> listing(["R1C1", "R1C2", "R2C1"])
    'R1C1, R1C2 and R2C1'
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {word} {words[-1]}"


@partial(of_rules, size=lambda rules, _: 60 * rules_extent(rules))
def network_of(rules: Puzzle) -> Network:
    """The network of a puzzle's rules: one object for all puzzles with the same rules."""
    announced = [
        (rule, group) for rule in rules.rules for group in rule.different(rules) if len(group) > 1
    ]
    return Network(shared_rules_graph(rules), rules, announced)


def _with_families(groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """Give a group that overlaps with another group of its family a family of its own."""
    once: dict[str, int] = {}
    twice: dict[str, int] = {}
    for group in groups:
        seen = once.get(group.family, 0)
        twice[group.family] = twice.get(group.family, 0) | seen & group.cells
        once[group.family] = seen | group.cells
    return tuple(
        replace(group, family=f"{group.family}: {group.cells}")  # names may be equal
        if group.cells & twice[group.family]
        else group
        for group in groups
    )


def _is_block(scope: Sequence[Any]) -> bool:
    """Whether cells are connected and do not lie in one line."""
    if not all(isinstance(place, Cell) for place in scope):
        return False
    if len({p.row for p in scope}) == 1 or len({p.col for p in scope}) == 1:
        return False
    left = set(scope)
    front = [left.pop()]
    while front:
        row, col = front.pop()
        for near in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
            if near in left:
                left.remove(Cell(*near))
                front.append(Cell(*near))
    return not left
