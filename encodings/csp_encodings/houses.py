"""Groups of variables that all-different factors keep apart, and what such groups can sum to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

from csp_encodings.factors import AllDifferent, Domain, Factor, Linear, Variable

Group: TypeAlias = tuple[Variable, ...]


class House(NamedTuple):
    """The open variables of an all-different factor.

    Attributes
    ----------
    node
        The id of the factor.
    mask
        Its variables that have several values, a bit for each.
    values
        The values that these can take, ascending.
    least, most
        The least and the greatest sum of none, one, two … different values.
    """

    node: Any
    mask: int
    values: Domain
    least: tuple[int, ...]
    most: tuple[int, ...]

    @property
    def is_permutation(self) -> bool:
        """Whether every value must occur."""
        return self.mask.bit_count() == len(self.values)


class Houses:
    """The all-different factors of a graph whose variables all have values.

    Sets of variables are masks: a bit for each variable, in the order of the graph.

    Examples
    --------
    >>> houses = Houses(dict.fromkeys("abc", (1, 2, 3)), {0: AllDifferent(("a", "b"))})
    >>> houses.split("abc")
    [('a', 'b'), ('c',)]
    >>> houses.reach(houses.mask("abc"))
    (4, 8)
    """

    def __init__(self, domains: Mapping[Any, Domain], factors: Mapping[Any, Factor]) -> None:
        self._domains = domains
        self._factors = factors
        self._variables = list(domains)
        self._bits = {variable: 1 << number for number, variable in enumerate(domains)}

    @cached_property
    def all(self) -> list[House]:
        """The houses with two open variables or more; without those that cannot be satisfied."""
        found = []
        for node, factor in self._factors.items():
            if not isinstance(factor, AllDifferent):
                continue
            own = [self._domains[variable] for variable in factor.scope]
            taken = [domain[0] for domain in own if len(domain) == 1]
            mask = self.mask([v for v in factor.scope if len(self._domains[v]) > 1])
            values = sorted(set().union(*set(own)).difference(taken))
            # A variable that stands twice in the scope is one bit.
            size = len(own) - len(taken)
            if mask.bit_count() == size and len(values) >= size > 1:
                least = tuple(accumulate(values, initial=0))
                most = tuple(accumulate(reversed(values), initial=0))
                found.append(House(node, mask, tuple(values), least, most))
        return found

    @cached_property
    def families(self) -> list[list[House]]:
        """The houses in lists of disjoint ones, such as all rows."""
        found: list[tuple[int, list[House]]] = []
        for house in self.all:
            for i, (mask, members) in enumerate(found):
                if not mask & house.mask:
                    found[i] = mask | house.mask, [*members, house]
                    break
            else:
                found.append((house.mask, [house]))
        return [members for _, members in found]

    def mask(self, variables: Iterable[Variable]) -> int:
        """Return the mask of some variables."""
        return sum([self._bits[variable] for variable in dict.fromkeys(variables)])

    def members(self, mask: int) -> Group:
        """Return the variables of a mask."""
        return tuple([self._variables[number] for number in _numbers(mask)])

    def split(self, variables: Iterable[Variable]) -> list[Group]:
        """Split variables into groups of different ones, so that their sum has the least room."""
        mask = self.mask(variables)
        ways = [*self._by_families(mask), self._greedy(mask)]
        ends = [self._reach(groups) for groups in ways]
        _, best = min([(most - least, i) for i, (least, most) in enumerate(ends)])
        return [self.members(group) for group, _ in ways[best]]

    def reach(self, mask: int) -> tuple[int, int]:
        """Return bounds of the sum of some variables."""
        ways = self._by_families(mask) or [self._greedy(mask)]
        ends = [self._reach(groups) for groups in ways]
        return max([least for least, _ in ends]), min([most for _, most in ends])

    def bounds(self, factor: Linear) -> tuple[int, int]:
        """Return bounds of the weighted sum of a factor, whatever bounds it has itself.

        Examples
        --------
        >>> houses = Houses(dict.fromkeys("ab", (1, 2, 3)), {0: AllDifferent(("a", "b"))})
        >>> houses.bounds(Linear((2, 2), ("a", "b"), None, 5))
        (6, 10)
        """
        least = most = 0
        for coefficient, alike in alike_terms(factor).items():
            low, high = sorted([coefficient * end for end in self.reach(self.mask(alike))])
            least, most = least + low, most + high
        return least, most

    def _by_families(self, mask: int) -> list[list[tuple[int, House | None]]]:
        """Split a mask by each family that has two or more of its variables in a house."""
        found = []
        for family in self.families:
            groups: list[tuple[int, House | None]] = []
            left = mask
            for house in family:
                inside = house.mask & mask
                if inside.bit_count() > 1:
                    groups.append((inside, house))
                    left ^= inside
            if groups:
                found.append([*groups, *_singles(left)])
        return found

    def _greedy(self, mask: int) -> list[tuple[int, House | None]]:
        """Split a mask, always by the house that holds most of what is left."""
        groups: list[tuple[int, House | None]] = []
        houses = self.all
        while houses := [house for house in houses if (house.mask & mask).bit_count() > 1]:
            largest = max(houses, key=lambda house: (house.mask & mask).bit_count())
            groups.append((largest.mask & mask, largest))
            mask &= ~largest.mask
        return [*groups, *_singles(mask)]

    def _reach(self, groups: Iterable[tuple[int, House | None]]) -> tuple[int, int]:
        least = most = 0
        for mask, house in groups:
            if house is None:
                domain = self._domains[self._variables[mask.bit_length() - 1]]
                least, most = least + domain[0], most + domain[-1]
            else:
                count = mask.bit_count()
                least, most = least + house.least[count], most + house.most[count]
        return least, most


def alike_terms(factor: Linear) -> dict[int, list[Variable]]:
    """Return the variables of a sum by their coefficients."""
    alike: dict[int, list[Variable]] = {}
    for coefficient, variable in zip(factor.coefficients, factor.scope, strict=True):
        alike.setdefault(coefficient, []).append(variable)
    return alike


def _numbers(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits of a mask, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _singles(mask: int) -> Iterator[tuple[int, None]]:
    for number in _numbers(mask):
        yield 1 << number, None
