"""Constraint graph to conflicts between values: arrays for a local search.

A *candidate* is a value of a variable, and two candidates clash if no solution has both by a single
factor. That says it all where every factor is a difference or a relation: a choice of one candidate
for each variable without a clash is a solution.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from csp_encodings.factors import AllDifferent, Domain, Factor, Relation
from csp_encodings.graph import Assignment, domains, factors

Numbers = NDArray[np.uint32]


class Conflicts(NamedTuple):
    """Lists one behind the other: list ``i`` is from ``first_…[i]`` to before ``first_…[i + 1]``.

    Attributes
    ----------
    first_candidate
        Of each variable; its candidates have consecutive numbers.
    owner
        The variable of each candidate.
    first_clash, clash
        The candidates that each candidate clashes with, those of its own variable aside.
    """

    first_candidate: Numbers
    owner: Numbers
    first_clash: Numbers
    clash: Numbers


@dataclass(frozen=True, slots=True)
class CandidateConflicts:
    """The conflicts, and which variable and value a candidate is."""

    conflicts: Conflicts
    candidates: Sequence[tuple[Any, int]]

    def decode(self, chosen: Numbers) -> Assignment:
        """The values that were chosen."""
        return dict([self.candidates[candidate] for candidate in chosen])


def encode(graph: nx.Graph, most: int = 1_000_000) -> CandidateConflicts | None:
    """List the conflicts; None if there are other factors than differences and relations.

    None, too, if factors say more than `most` conflicts, or a variable has no value.

    Examples
    --------
    >>> from csp_encodings.graph import GraphBuilder
    >>> builder = GraphBuilder()
    >>> for name in "xy":
    ...     builder.variable(name, range(1, 3))
    >>> _ = builder.factor(AllDifferent(("x", "y")))
    >>> found = encode(builder.build())
    >>> found.candidates
    [('x', 1), ('x', 2), ('y', 1), ('y', 2)]
    >>> found.conflicts.clash.tolist()
    [2, 3, 0, 1]
    """
    own = domains(graph)
    said = list(factors(graph).values())
    if not all(own.values()) or not all(map(_is_simple, said)):
        return None
    if sum(_conflicts_of(factor, own) for factor in said) > most:
        return None
    candidates = [(variable, value) for variable, domain in own.items() for value in domain]
    number = {candidate: i for i, candidate in enumerate(candidates)}
    clashes: list[set[int]] = [set() for _ in candidates]
    for factor in said:
        pairs: Iterable[tuple[int, int]] = ()
        if isinstance(factor, AllDifferent):
            places: dict[int, list[int]] = defaultdict(list)
            for variable in factor.scope:
                for value in own[variable]:
                    places[value].append(number[variable, value])
            pairs = chain.from_iterable(combinations(there, 2) for there in places.values())
        elif isinstance(factor, Relation):
            pairs = [
                (number[factor.first, a], number[factor.second, b])
                for a, b in product(own[factor.first], own[factor.second])
                if (a, b) not in factor.allowed
            ]
        for one, other in pairs:
            clashes[one].add(other)
            clashes[other].add(one)
    sizes = [len(domain) for domain in own.values()]
    conflicts = Conflicts(
        _ends(sizes),
        np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes),
        _ends(map(len, clashes)),
        np.array([other for others in clashes for other in sorted(others)], np.uint32),
    )
    return CandidateConflicts(conflicts, candidates)


def _is_simple(factor: Factor) -> bool:
    """Whether conflicts of two candidates say all that the factor says."""
    simple = isinstance(factor, AllDifferent | Relation)
    return simple and len(set(factor.scope)) == len(factor.scope)


def _conflicts_of(factor: Factor, own: Mapping[Any, Domain]) -> int:
    """How many conflicts a factor says at most, before they are listed."""
    if isinstance(factor, Relation):
        return len(own[factor.first]) * len(own[factor.second])
    places = Counter(chain.from_iterable(own[variable] for variable in factor.scope))
    return sum(count * (count - 1) // 2 for count in places.values())


def _ends(sizes: Iterable[int]) -> Numbers:
    return np.cumsum([0, *sizes], dtype=np.uint32)
