"""Which variables must differ, and what a sum or a cage of them is for a search.

Different variables whose values form one of some sets are a *cage*: which sets are left is a matter
of a few bit operations, where an automaton has a state for each set of values used so far. Other
sums are split into groups of different variables, so that their bounds know of the differences.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import comb
from typing import NamedTuple

from csp_encodings.factors import Factor, Linear, Regular, Variable
from csp_encodings.houses import Houses, mask_of
from csp_encodings.value_sets import Sets, sets_with_sum, value_sets

# With more sets than this, bounds or an automaton are quicker.
_MOST_SETS = 600
# The most sets that are looked through to find those with a sum.
_MOST_TRIED = 20_000


class Cage(NamedTuple):
    """The values of the variables are different, and together one of some sets."""

    scope: tuple[Variable, ...]
    sets: Sets


class Differing:
    """The pairs of variables that all-different factors and cages keep apart.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> apart = AllDifferent(("a", "b"))
    >>> differing = Differing(Houses(dict.fromkeys("abc", (1, 2, 3)), {0: apart}), [apart])
    >>> differing.cage(Linear((1, 1), ("a", "b"), 4, 4))
    Cage(scope=('a', 'b'), sets=((1, 3),))
    >>> differing.cage(Linear((1, 1), ("a", "c"), 4, 4)) is None
    True
    """

    def __init__(self, houses: Houses, factors: Iterable[Factor]) -> None:
        self._houses = houses
        own = [self._scope(f) for f in factors if isinstance(f, Regular) and self.cage(f)]
        #: The scopes of all-different factors and of cages, by numbers, and as masks.
        self.scopes = [*houses.scopes.values(), *own]
        self.masks = [*houses.masks.values(), *map(mask_of, own)]

    @cached_property
    def peers(self) -> list[int]:
        """For each variable a mask of itself and of those that must differ from it."""
        peers, known = self._houses.peers, len(self._houses.scopes)
        if len(self.scopes) == known:
            return peers
        peers = list(peers)
        for scope, mask in zip(self.scopes[known:], self.masks[known:], strict=True):
            for number in scope:
                peers[number] |= mask
        return peers

    def cage(self, factor: Factor) -> Cage | None:
        """Return a factor as a cage, if it is one and has few sets."""
        sets: Sets | None = None
        if isinstance(factor, Regular):
            # A variable that is read twice would have to hold two values.
            if 1 < len(factor.scope) == len(set(factor.scope)):
                sets = value_sets(factor.automaton)
        elif isinstance(factor, Linear):
            sets = self._sets_of_sum(factor)
        return Cage(factor.scope, sets) if sets is not None and len(sets) <= _MOST_SETS else None

    def _scope(self, factor: Factor) -> list[int]:
        return [self._houses.number[variable] for variable in factor.scope]

    def _sets_of_sum(self, factor: Linear) -> Sets | None:
        size, total = len(factor.scope), factor.low
        if size < 2 or total is None or total != factor.high or {*factor.coefficients} != {1}:
            return None
        scope, houses = self._scope(factor), self._houses
        kinds = {houses.kind[number] for number in scope}
        values = tuple(sorted(set().union(*[houses.kinds[kind] for kind in kinds])))
        mask = mask_of(scope)
        are_different = all(self.peers[i] & mask == mask for i in scope)
        if comb(len(values), size) > _MOST_TRIED or not are_different:
            return None
        return sets_with_sum(values, size, total)
