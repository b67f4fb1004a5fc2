"""Which variables must differ, and what a sum or a cage of them is for a search.

Different variables whose values form one of some sets are a *cage*: which sets are left is a matter
of a few bit operations, where an automaton has a state for each set of values used so far. Other
sums are split into groups of different variables, so that their bounds know of the differences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import comb
from typing import Any, NamedTuple

from csp_encodings.factors import AllDifferent, Domain, Factor, Linear, Regular, Variable
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
    >>> differing = Differing(dict.fromkeys("abc", (1, 2, 3)), [AllDifferent(("a", "b"))])
    >>> differing.groups("abc")
    [['a', 'b'], ['c']]
    >>> differing.cage(Linear((1, 1), ("a", "b"), 4, 4))
    Cage(scope=('a', 'b'), sets=((1, 3),))
    """

    def __init__(self, domains: Mapping[Any, Domain], factors: Iterable[Factor]) -> None:
        self._domains = domains
        self._bits = {variable: 1 << number for number, variable in enumerate(domains)}
        #: For each variable a mask of those that must differ from it.
        self.peers = dict.fromkeys(domains, 0)
        #: The scopes of all-different factors and of cages.
        self.scopes = [
            factor.scope
            for factor in factors
            if isinstance(factor, AllDifferent)
            or (isinstance(factor, Regular) and self.cage(factor))
        ]
        for scope in self.scopes:
            bits = [self._bits[variable] for variable in scope]
            mask = sum(dict.fromkeys(bits))
            for variable, bit in zip(scope, bits, strict=True):
                self.peers[variable] |= mask & ~bit

    def groups(self, variables: Iterable[Variable]) -> list[list[Variable]]:
        """Split variables into groups of different ones."""
        found: list[tuple[int, list[Variable]]] = []
        for variable in variables:
            peers = self.peers[variable]
            for i, (mask, members) in enumerate(found):
                if not mask & ~peers:
                    members.append(variable)
                    found[i] = mask | self._bits[variable], members
                    break
            else:
                found.append((self._bits[variable], [variable]))
        return [members for _, members in found]

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

    def _sets_of_sum(self, factor: Linear) -> Sets | None:
        size, total = len(factor.scope), factor.low
        if size < 2 or total is None or total != factor.high or {*factor.coefficients} != {1}:
            return None
        values = tuple(sorted(set().union(*{self._domains[v] for v in factor.scope})))
        if comb(len(values), size) > _MOST_TRIED or len(self.groups(factor.scope)) > 1:
            return None
        return sets_with_sum(values, size, total)
