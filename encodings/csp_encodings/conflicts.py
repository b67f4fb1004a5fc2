"""Constraint graph to conflicts between values: arrays for a local search.

A *candidate* is a value of a variable. Two candidates clash if a factor rules out that a solution
has both. If every factor is a difference or a relation, the clashes are all there is: one candidate
for each variable, without a clash, is a solution.
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
    """Lists in one array: list ``i`` is from ``first_…[i]`` to before ``first_…[i + 1]``.

    Attributes
    ----------
    first_candidate
        The first candidate of each variable; those of one variable have consecutive numbers.
    owner
        The variable of each candidate.
    first_clash, clash
        The candidates of other variables that each candidate clashes with.
    """

    first_candidate: Numbers
    owner: Numbers
    first_clash: Numbers
    clash: Numbers


@dataclass(frozen=True, slots=True)
class CandidateConflicts:
    """The conflicts, and the variable and value of each candidate."""

    conflicts: Conflicts
    candidates: Sequence[tuple[Any, int]]

    def decode(self, chosen: Numbers) -> Assignment:
        """Return the values of the chosen candidates."""
        return dict([self.candidates[candidate] for candidate in chosen])


def encode(graph: nx.Graph, most: int = 1_000_000) -> CandidateConflicts | None:
    """List the conflicts of a graph.

    None if there are other factors than differences and relations, if there may be more than `most`
    conflicts, or if a variable has no value.

    Examples
    --------
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xy", range(1, 3)), AllDifferent(("x", "y")))
    >>> found = encode(graph)
    >>> found.candidates
    [('x', 1), ('x', 2), ('y', 1), ('y', 2)]
    >>> found.conflicts.clash.tolist()
    [2, 3, 0, 1]
    """
    own = domains(graph)
    listed = list(factors(graph).values())
    if not all(own.values()) or not all(map(_is_simple, listed)):
        return None
    if sum(_conflicts_of(factor, own) for factor in listed) > most:
        return None
    candidates = [(variable, value) for variable, domain in own.items() for value in domain]
    number = {candidate: i for i, candidate in enumerate(candidates)}
    clashes: list[set[int]] = [set() for _ in candidates]
    for factor in listed:
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
    """Whether the factor is nothing but conflicts of two candidates."""
    simple = isinstance(factor, AllDifferent | Relation)
    return simple and len(set(factor.scope)) == len(factor.scope)


def _conflicts_of(factor: Factor, own: Mapping[Any, Domain]) -> int:
    """The most conflicts that a factor can have, before they are listed."""
    if isinstance(factor, Relation):
        return len(own[factor.first]) * len(own[factor.second])
    places = Counter(chain.from_iterable(own[variable] for variable in factor.scope))
    return sum(count * (count - 1) // 2 for count in places.values())


def _ends(sizes: Iterable[int]) -> Numbers:
    return np.cumsum([0, *sizes], dtype=np.uint32)
