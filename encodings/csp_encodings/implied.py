"""Constraint graph to a graph with more factors, which follow from several of its own together.

The values of a permutation are known, and so is their sum. So the variables of a house, or of
several houses, that are in no sum have the rest of it (*innies*). Where sums stick out of the
houses, their variables outside are known (*outies*). And a sum of several clues says much if it is
close to what is possible at all. None of this changes the solutions, but it shortens the search.

A sum that is out of reach is refuted here, by a bound. What follows from connected factors is in
:mod:`csp_encodings.planar`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple, TypeAlias

import networkx as nx

from csp_encodings.factors import Connected, Domain, Factor, Linear, Regular
from csp_encodings.graph import FactorId, extended
from csp_encodings.houses import Houses
from csp_encodings.planar import planar_facts
from csp_encodings.regions import with_names
from csp_encodings.value_sets import sum_of_different

# Innies and outies of a single house are different, so more of them pay than over several houses.
_MOST_IN_A_HOUSE = 6

_NEVER = Linear((), (), 1, None)


class _Measure(NamedTuple):
    """Which implied sums are worth what they cost.

    Attributes
    ----------
    most
        How many variables innies and outies of several houses may have.
    tight
        How close to a bound a sum of several clues must be, in parts of its range.
    clues, starts
        How many clues it may have, and how many of the tightest clues it may begin with.
    """

    most: int
    tight: float
    clues: int
    starts: int


_DEAR = _Measure(most=3, tight=0.12, clues=6, starts=4)
_CHEAP = _Measure(most=6, tight=0.35, clues=8, starts=8)


def with_implied(
    graph: nx.Graph, *, cheap: bool = False, names: bool = False, houses: Houses | None = None
) -> nx.Graph:
    """Return a graph with factors that follow from others; the solutions are the same.

    Sums of many variables, or far from their bounds, are added only if sums are `cheap` for the
    solver. In clauses they are not. With `names`, connected classes get second names, which pays in
    clauses (:mod:`csp_encodings.regions`). The caller may hand over the houses of the graph.

    The node of such a factor has the attribute ``implied``: the ids of the factors that it follows
    from. If a sum is out of reach, the only new factor is one that nothing satisfies. If nothing
    follows, the graph itself is returned.

    Examples
    --------
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import factors, graph_of
    >>> house, cage = AllDifferent(("a", "b", "c")), Linear((1, 1), ("a", "b"), 4, 4)
    >>> more = with_implied(graph_of(dict.fromkeys("abc", (1, 2, 3)), house, cage))
    >>> node, factor = list(factors(more).items())[-1]
    >>> factor, [source.index for source in more.nodes[node]["implied"]]
    (Linear(coefficients=(1,), scope=('c',), low=2, high=2), [0, 1])
    """
    houses = houses or Houses.of(graph)
    domain_of, factor_of = houses.domain_of, houses.factor_of
    kinds = {*map(type, factor_of.values())}
    if Connected in kinds and (facts := list(planar_facts(graph))):
        graph = extended(graph, facts)
    if names and Connected in kinds:
        graph = with_names(graph)
    if kinds.isdisjoint((Linear, Regular)) or not all(domain_of.values()):
        return graph
    measure = _CHEAP if cheap else _DEAR
    clues = list(_clues(houses, domain_of, factor_of))
    found: dict[_Difference, tuple[FactorId, ...]] = {}
    rests, merged = _rests(houses, clues, measure), _merged(houses, clues, factor_of, measure)
    for difference, sources in (*rests, *merged):
        found.setdefault(difference, sources)
    for mask, sources in _out_of_reach(houses, clues, factor_of, found):
        shared = [h.node for h in houses.all if (h.mask & mask).bit_count() > 1]
        return extended(graph, [(_NEVER, (*sources, *shared))])
    implied = [(_linear(houses, *difference), sources) for difference, sources in found.items()]
    return extended(graph, implied) if implied else graph


def _out_of_reach(
    houses: Houses,
    clues: Sequence[_Sum],
    factor_of: Mapping[FactorId, Factor],
    found: Mapping[_Difference, tuple[FactorId, ...]],
) -> Iterator[tuple[int, tuple[FactorId, ...]]]:
    """Yield the variables of sums that cannot be, and the factors that these follow from."""
    known = {clue.sources[0]: clue for clue in clues}
    for node, factor in factor_of.items():
        if not isinstance(factor, Linear):
            continue
        if (clue := known.get(node)) is not None:
            least, most = houses.reach(clue.mask)
            if not least <= clue.total <= most:
                yield clue.mask, clue.sources
            continue
        least, most = houses.bounds(factor)
        if (factor.high is not None and factor.high < least) or (
            factor.low is not None and most < factor.low
        ):
            yield houses.mask(factor.scope), (node,)
    for (plus, minus, total), sources in found.items():
        added, taken = houses.reach(plus), houses.reach(minus)
        if not added[0] - taken[1] <= total <= added[1] - taken[0]:
            yield plus | minus, sources


class _Sum(NamedTuple):
    """Open variables, as a mask, that have a sum, and the factors that it follows from."""

    mask: int
    total: int
    sources: tuple[FactorId, ...]

    def __or__(self, other: _Sum) -> _Sum:
        """Add the sum of other variables."""
        return _Sum(self.mask | other.mask, self.total + other.total, self.sources + other.sources)


_Difference: TypeAlias = tuple[int, int, int]
"""Variables whose sum, less that of other variables, is a total."""


def _clues(
    houses: Houses, domain_of: Mapping[Any, Domain], factor_of: Mapping[FactorId, Factor]
) -> Iterator[_Sum]:
    """Yield the sums that the graph has itself, over variables of houses."""
    in_houses = reduce(or_, [house.mask for house in houses.all], 0)
    for node, factor in factor_of.items():
        total = None
        if isinstance(factor, Linear):
            if factor.low == factor.high and {*factor.coefficients} == {1}:
                total = factor.low
        elif isinstance(factor, Regular) and len({*factor.scope}) == len(factor.scope):
            total = sum_of_different(factor.automaton)
        if total is not None:
            fixed = [v for v in factor.scope if len(domain_of[v]) == 1]
            mask = houses.mask(factor.scope) ^ houses.mask(fixed)
            if mask & in_houses:
                yield _Sum(mask, total - sum([domain_of[v][0] for v in fixed]), (node,))


def _rests(
    houses: Houses, clues: Sequence[_Sum], measure: _Measure
) -> Iterator[tuple[_Difference, tuple[FactorId, ...]]]:
    """Yield innies and outies: what the clues that lie mostly in some houses leave of them."""
    known = {clue.mask for clue in clues}
    # This is asked for a hundred unions and more, so it works on bare numbers.
    sized = [(clue.mask, clue.mask.bit_count(), clue) for clue in clues]
    in_no_clue = ~reduce(or_, known, 0)
    for union in _unions(houses, in_no_clue) if clues else ():
        whole, covered, used = union.mask, 0, []
        for mask, size, clue in sized:
            inside = mask & whole
            if inside and 2 * inside.bit_count() > size and not mask & covered:
                covered |= mask
                used.append(clue)
        innies, outies = whole & ~covered, covered & ~whole
        is_in_a_house = len(union.sources) == 1 and not outies
        most = _MOST_IN_A_HOUSE if is_in_a_house else measure.most
        if not used or innies.bit_count() + outies.bit_count() > most:
            continue
        total = union.total - sum([clue.total for clue in used])
        if outies or (innies not in known and (innies or total)):
            sources = union.sources + tuple([node for clue in used for node in clue.sources])
            yield (innies, outies, total), sources


def _unions(houses: Houses, in_no_clue: int) -> Iterator[_Sum]:
    """Yield permutations, and those that follow each other in a family together.

    Those of which many variables are in no clue are left out.
    """
    for family in houses.families:
        whole = [
            (house.mask, house.least[-1], house.node) for house in family if house.is_permutation
        ]
        for first in range(len(whole)):
            together = total = 0
            nodes: tuple[FactorId, ...] = ()
            for mask, own, node in whole[first:]:
                together |= mask
                if (together & in_no_clue).bit_count() > _MOST_IN_A_HOUSE:
                    break
                total += own
                nodes = (*nodes, node)
                yield _Sum(together, total, nodes)


def _merged(
    houses: Houses,
    clues: Sequence[_Sum],
    factor_of: Mapping[FactorId, Factor],
    measure: _Measure,
) -> Iterator[tuple[_Difference, tuple[FactorId, ...]]]:
    """Yield tight sums of several clues, each of which reaches over several houses."""

    def tightness(clue: _Sum) -> float:
        least, most = houses.reach(clue.mask)
        return min(clue.total - least, most - clue.total) / (most - least or 1)

    wide = [
        clue
        for clue in clues
        if isinstance(factor_of[clue.sources[0]], Linear)
        and all(clue.mask & ~house.mask for house in houses.all)
    ]
    for start in sorted(wide, key=tightness)[: measure.starts]:
        merged = start
        while len(merged.sources) < measure.clues:
            more = [merged | clue for clue in wide if not clue.mask & merged.mask]
            if not more:
                break
            merged = min(more, key=tightness)
            if tightness(merged) <= measure.tight:
                yield (merged.mask, 0, merged.total), merged.sources


def _linear(houses: Houses, plus: int, minus: int, total: int) -> Linear:
    signs = (1,) * plus.bit_count() + (-1,) * minus.bit_count()
    return Linear(signs, houses.members(plus) + houses.members(minus), total, total)
