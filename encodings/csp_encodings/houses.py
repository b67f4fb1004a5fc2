"""Groups of variables that all-different factors keep apart, and what such groups can sum to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from csp_encodings.factors import AllDifferent, Domain, Factor, Linear, Variable
from csp_encodings.graph import base_of, domains, factors

if TYPE_CHECKING:
    import networkx as nx

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

    def __init__(
        self,
        domains: Mapping[Any, Domain],
        factors: Mapping[Any, Factor],
        *,
        base: Houses | None = None,
    ) -> None:
        #: The domain of each variable, and the factors, as the graph has them.
        self.domain_of = domains
        self.factor_of = factors
        #: The houses of the first variables and factors, whose results are taken over.
        self.base = base
        #: The same, if the domains are the same, too.
        self.whole_base = base if base and base.domain_of.items() <= domains.items() else None
        self._variables = list(domains)
        #: The number of each variable.
        self.number: dict[Any, int]
        #: The different domains that there are, and which of them each variable has.
        self.kinds: list[Domain]
        self.kind: list[int]
        if self.whole_base and len(self.whole_base.number) == len(domains):
            known = self.whole_base
            self.number, self.kinds, self.kind = known.number, known.kinds, known.kind
        else:
            self.number = {variable: number for number, variable in enumerate(domains)}
            self.kinds = list(dict.fromkeys(domains.values()))
            numbers = {domain: number for number, domain in enumerate(self.kinds)}
            self.kind = [numbers[domain] for domain in domains.values()]
        # Bounds and groups are asked for the same sums.
        self._known: dict[int, list[_Way]] = {}
        self._reached: dict[int, tuple[int, int]] = {}

    @classmethod
    def of(cls, graph: nx.Graph) -> Houses:
        """Return the houses of a graph; those of its base are found once.

        Examples
        --------
        >>> from csp_encodings.graph import graph_of
        >>> Houses.of(graph_of({"a": (1, 2), "b": (1, 2)}, AllDifferent(("a", "b")))).scopes
        {FactorId(index=0): [0, 1]}
        """
        base = base_of(graph)
        if base is None:
            return cls(domains(graph), factors(graph))
        known = base.found.get(cls)
        if known is None:
            known = base.found.setdefault(cls, cls(base.domains, base.factors))
        return cls(domains(graph), factors(graph), base=known)

    @property
    def further(self) -> Iterable[tuple[Any, Factor]]:
        """The factors that the base does not have."""
        return islice(self.factor_of.items(), len(self.base.factor_of) if self.base else 0, None)

    @cached_property
    def scopes(self) -> dict[Any, list[int]]:
        """The variables of each all-different factor, by numbers."""
        number = self.number
        found = {
            node: [number[variable] for variable in factor.scope]
            for node, factor in self.further
            if isinstance(factor, AllDifferent)
        }
        return {**self.base.scopes, **found} if self.base else found

    @cached_property
    def masks(self) -> dict[Any, int]:
        """The variables of each all-different factor, as a mask."""
        found = dict(self.base.masks) if self.base else {}
        scopes = islice(self.scopes.items(), len(found), None)
        found.update({node: mask_of(scope) for node, scope in scopes})
        return found

    @cached_property
    def peers(self) -> list[int]:
        """For each variable a mask of itself and of those that all-different factors keep apart."""
        peers = list(self.base.peers) if self.base else []
        peers += [1 << number for number in range(len(peers), len(self.number))]
        known = len(self.base.scopes) if self.base else 0
        for scope, mask in islice(
            zip(self.scopes.values(), self.masks.values(), strict=True), known, None
        ):
            for number in scope:
                peers[number] |= mask
        return peers

    @cached_property
    def all(self) -> list[House]:
        """The houses with two open variables or more; without those that cannot be satisfied."""
        base = self.whole_base
        found = list(base.all) if base else []
        known: dict[frozenset[int], tuple[Domain, Domain, Domain]] = {}
        kind, kinds = self.kind, self.kinds
        is_open = sum([1 << i for i, k in enumerate(kind) if len(kinds[k]) > 1])
        scopes = islice(self.scopes.items(), len(base.scopes) if base else 0, None)
        for node, scope in scopes:
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
        known = self.whole_base._families if self.whole_base else []
        found: list[tuple[int, list[House]]] = [(mask, [*members]) for mask, members in known]
        for house in islice(self.all, sum([len(members) for _, members in known]), None):
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
        number, mask = self.number, 0
        for variable in variables:
            mask |= 1 << number[variable]
        return mask

    def domains(self, variables: Iterable[Variable]) -> list[Domain]:
        """Return the domains of some variables."""
        return [self.domain_of[variable] for variable in variables]

    def members(self, mask: int) -> Group:
        """Return the variables of a mask."""
        return tuple([self._variables[number] for number in numbers_of(mask)])

    def split(self, variables: Iterable[Variable]) -> list[Group]:
        """Split variables into groups of different ones, so that their sum has the least room."""
        return [self.members(group) for group in self.groups(self.mask(variables))]

    def groups(self, mask: int) -> list[int]:
        """Split a mask as :meth:`split` does."""
        if mask.bit_count() < 2:
            return [mask] if mask else []
        ways = self._ways(mask)
        # If one house holds all, that is what greed finds.
        if not any(groups[0][0] == mask for groups, _ in ways):
            ways = [*ways, self._greedy(mask)]
        best = 0
        if len(ways) > 1:
            ends = [self._ends(way) for way in ways]
            _, best = min([(most - least, i) for i, (least, most) in enumerate(ends)])
        groups, left = ways[best]
        return [*[group for group, _ in groups], *[1 << number for number in numbers_of(left)]]

    def reach(self, mask: int) -> tuple[int, int]:
        """Return bounds of the sum of some variables."""
        found = self._reached.get(mask)
        if found is None:
            ways = self._ways(mask) or [([], mask)]
            ends = [self._ends(way) for way in ways]
            found = max([least for least, _ in ends]), min([most for _, most in ends])
            self._reached[mask] = found
        return found

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

    def _ways(self, mask: int) -> list[_Way]:
        """Split a mask by each family that has a house with two or more of its variables."""
        ways = self._known.get(mask)
        if ways is None:
            ways = self._known[mask] = []
            for whole, family in self._families:
                if (whole & mask).bit_count() < 2:
                    continue
                groups = []
                left = mask
                for house in family:
                    inside = house.mask & mask
                    if inside & (inside - 1):
                        groups.append((inside, house))
                        left ^= inside
                if groups:
                    ways.append((groups, left))
        return ways

    def _greedy(self, mask: int) -> _Way:
        """Split a mask, always by the house that holds most of what is left."""
        groups = []
        houses = [house for way, _ in self._ways(mask) for _, house in way]
        while houses := [house for house in houses if (house.mask & mask).bit_count() > 1]:
            largest = max(houses, key=lambda house: (house.mask & mask).bit_count())
            groups.append((largest.mask & mask, largest))
            mask &= ~largest.mask
        return groups, mask

    def _ends(self, way: _Way) -> tuple[int, int]:
        """The least and the greatest sum of variables that are split in a way."""
        groups, left = way
        least = most = 0
        for mask, house in groups:
            count = mask.bit_count()
            least, most = least + house.least[count], most + house.most[count]
        for number in numbers_of(left):
            domain = self.kinds[self.kind[number]]
            least, most = least + domain[0], most + domain[-1]
        return least, most


_Way: TypeAlias = tuple[list[tuple[int, House]], int]
"""Sets of variables that are in a house together, and a set of those that stand alone."""


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
