"""Groups of variables that all-different factors keep apart, and what such groups can sum to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import accumulate, chain
from operator import or_
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
        #: The domain of each variable, and the factors, as the graph has them.
        self.domain_of = domains
        self.factor_of = factors
        self._variables = list(domains)
        #: The number of each variable.
        self.number = {variable: number for number, variable in enumerate(domains)}
        #: The different domains that there are, and which of them each variable has.
        self.kinds = list(dict.fromkeys(domains.values()))
        numbers = {domain: number for number, domain in enumerate(self.kinds)}
        self.kind = [numbers[domain] for domain in domains.values()]
        # Bounds and groups are asked for the same sums.
        self._known: dict[int, list[list[House]]] = {}

    @cached_property
    def scopes(self) -> dict[Any, list[int]]:
        """The variables of each all-different factor, by numbers."""
        number = self.number
        return {
            node: [number[variable] for variable in factor.scope]
            for node, factor in self.factor_of.items()
            if isinstance(factor, AllDifferent)
        }

    @cached_property
    def masks(self) -> dict[Any, int]:
        """The variables of each all-different factor, as a mask."""
        bits = [1 << number for number in range(len(self.number))]
        return {
            node: reduce(or_, [bits[number] for number in scope], 0)
            for node, scope in self.scopes.items()
        }

    @cached_property
    def all(self) -> list[House]:
        """The houses with two open variables or more; without those that cannot be satisfied."""
        found = []
        known: dict[frozenset[int], tuple[Domain, Domain, Domain]] = {}
        kind, kinds = self.kind, self.kinds
        is_open = sum([1 << i for i, k in enumerate(kind) if len(kinds[k]) > 1])
        for node, scope in self.scopes.items():
            whole = self.masks[node]
            mask = whole & is_open
            size = mask.bit_count()
            # A variable that stands twice in the scope is one bit.
            if size < 2 or whole.bit_count() < len(scope):
                continue
            key = frozenset([kind[i] for i in scope])
            if key not in known:
                known[key] = _open_values([kinds[k] for k in key])
            values, least, most = known[key]
            if len(values) >= size:
                found.append(House(node, mask, values, least, most))
        return found

    @property
    def families(self) -> list[list[House]]:
        """The houses in lists of disjoint ones, such as all rows."""
        return [members for _, members in self._families]

    @cached_property
    def _families(self) -> list[tuple[int, list[House]]]:
        """The families, each with a mask of its variables."""
        found: list[tuple[int, list[House]]] = []
        for house in self.all:
            for i, (mask, members) in enumerate(found):
                if not mask & house.mask:
                    members.append(house)
                    found[i] = mask | house.mask, members
                    break
            else:
                found.append((house.mask, [house]))
        return found

    def mask(self, variables: Iterable[Variable]) -> int:
        """Return the mask of some variables."""
        number = self.number
        return mask_of([number[variable] for variable in variables])

    def domains(self, variables: Iterable[Variable]) -> list[Domain]:
        """Return the domains of some variables."""
        return [self.domain_of[variable] for variable in variables]

    def members(self, mask: int) -> Group:
        """Return the variables of a mask."""
        return tuple([self._variables[number] for number in numbers_of(mask)])

    def split(self, variables: Iterable[Variable]) -> list[Group]:
        """Split variables into groups of different ones, so that their sum has the least room."""
        mask = self.mask(variables)
        if mask.bit_count() < 2:
            return [self.members(mask)] if mask else []
        shared = self._shared(mask)
        ways = [*_by_families(mask, shared), _greedy(mask, shared)]
        ends = [self._reach(groups) for groups in ways]
        _, best = min([(most - least, i) for i, (least, most) in enumerate(ends)])
        return [self.members(group) for group, _ in ways[best]]

    def reach(self, mask: int) -> tuple[int, int]:
        """Return bounds of the sum of some variables."""
        shared = self._shared(mask)
        ways = _by_families(mask, shared) or [_greedy(mask, shared)]
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

    def _shared(self, mask: int) -> list[list[House]]:
        """The houses that hold two or more variables of a mask, by families."""
        if (known := self._known.get(mask)) is not None:
            return known
        found = self._known[mask] = []
        for whole, family in self._families:
            if (whole & mask).bit_count() > 1 and (
                several := [house for house in family if (house.mask & mask).bit_count() > 1]
            ):
                found.append(several)
        return found

    def _reach(self, groups: Iterable[tuple[int, House | None]]) -> tuple[int, int]:
        least = most = 0
        for mask, house in groups:
            if house is None:
                domain = self.domain_of[self._variables[mask.bit_length() - 1]]
                least, most = least + domain[0], most + domain[-1]
            else:
                count = mask.bit_count()
                least, most = least + house.least[count], most + house.most[count]
        return least, most


_Groups: TypeAlias = list[tuple[int, House | None]]
"""Sets of variables; those of several variables with the house that keeps them apart."""


def _by_families(mask: int, shared: list[list[House]]) -> list[_Groups]:
    """Split a mask by each family."""
    found = []
    for family in shared:
        groups: _Groups = [(house.mask & mask, house) for house in family]
        left = mask
        for inside, _ in groups:
            left ^= inside
        found.append([*groups, *_singles(left)])
    return found


def _greedy(mask: int, shared: list[list[House]]) -> _Groups:
    """Split a mask, always by the house that holds most of what is left."""
    groups: _Groups = []
    houses = list(chain.from_iterable(shared))
    while houses := [house for house in houses if (house.mask & mask).bit_count() > 1]:
        largest = max(houses, key=lambda house: (house.mask & mask).bit_count())
        groups.append((largest.mask & mask, largest))
        mask &= ~largest.mask
    return [*groups, *_singles(mask)]


def alike_terms(factor: Linear) -> dict[int, list[Variable]]:
    """Return the variables of a sum by their coefficients."""
    alike: dict[int, list[Variable]] = {}
    for coefficient, variable in zip(factor.coefficients, factor.scope, strict=True):
        alike.setdefault(coefficient, []).append(variable)
    return alike


def mask_of(numbers: Iterable[int]) -> int:
    """Return the set of some numbers as a mask.

    Examples
    --------
    >>> bin(mask_of([0, 3, 3]))
    '0b1001'
    """
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def _open_values(domains: Sequence[Domain]) -> tuple[Domain, Domain, Domain]:
    """The values that open variables can take; the least and greatest sums of so many of them."""
    taken = {domain[0] for domain in domains if len(domain) == 1}
    several = [domain for domain in domains if len(domain) > 1]
    values = several[0] if len(several) == 1 else sorted({*chain.from_iterable(several)})
    values = [value for value in values if value not in taken]
    least = tuple(accumulate(values, initial=0))
    return tuple(values), least, tuple(accumulate(reversed(values), initial=0))


def numbers_of(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits of a mask, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _singles(mask: int) -> Iterator[tuple[int, None]]:
    for number in numbers_of(mask):
        yield 1 << number, None
