"""Connected factors as a person sees them: places, and the values with which they are joined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from csp_encodings.connectivity import costs_from, cut_vertices
from csp_encodings.factors import Connected, Factor, Relation
from csp_sudoku.strategies.bits import mask_of


@dataclass(frozen=True)
class Connection:
    """One class of a connected factor.

    Attributes
    ----------
    places
        The number of the place of each vertex; -1 for one that is no place, such as the outside.
    inside
        For each vertex the values, as a set of value numbers, with which it belongs to the class.
    near
        The neighbours of each vertex.
    largest
        The most vertices that may belong to the class, if that is limited.
    """

    places: tuple[int, ...]
    inside: tuple[int, ...]
    near: tuple[tuple[int, ...], ...]
    largest: int | None

    def look(self, masks: Sequence[int]) -> tuple[list[bool], list[bool]]:
        """Which vertices may belong to the class, and which must; by the candidates of all places.

        Examples
        --------
        >>> pair = Connection((0, 1), (0b10, 0b10), ((1,), (0,)), None)
        >>> pair.look([0b11, 0b10])
        ([True, True], [False, True])
        """
        own = [masks[place] if place >= 0 else -1 for place in self.places]
        may = [bool(mask & inside) for mask, inside in zip(own, self.inside, strict=True)]
        must = [not mask & ~inside for mask, inside in zip(own, self.inside, strict=True)]
        return may, must

    def out_of_reach(self, may: Sequence[bool], must: Sequence[bool]) -> tuple[list[int], bool]:
        """The vertices that may belong, but are out of reach of those that must.

        With them, whether some of them are only too far away.
        """
        costs = costs_from(must.index(True), self.near, may, must)
        room = len(may) if self.largest is None else self.largest - sum(must)
        far = [v for v, cost in enumerate(costs) if may[v] and (cost is None or cost > room)]
        return far, any(costs[vertex] is not None for vertex in far)

    def cuts(self, may: Sequence[bool], must: Sequence[bool]) -> list[tuple[int, int, int]]:
        """The vertices without which the class would fall apart, each with two that it joins."""
        root = must.index(True)
        found = []
        for vertex in cut_vertices(self.near, may, must):
            without = [allowed and v != vertex for v, allowed in enumerate(may)]
            costs = costs_from(root, self.near, without, must)
            parted = next(v for v, needed in enumerate(must) if needed and costs[v] is None)
            found.append((vertex, root, parted))
        return found


def connections_of(
    factors: Iterable[Factor],
    number: Mapping[Any, int],
    code: Mapping[int, int],
    domains: Mapping[Any, Sequence[int]],
) -> tuple[Connection, ...]:
    """The connections of the factors of a rule; `number` has the places, `code` the values."""
    listed = list(factors)
    # An auxiliary that a place determines stands for it.
    origins = {
        relation.second: relation
        for relation in listed
        if isinstance(relation, Relation)
        and relation.first in number
        and relation.second not in number
        and len(domains[relation.second]) > 1
    }
    found = []
    for factor in listed:
        if not isinstance(factor, Connected):
            continue
        near = tuple(map(tuple, factor.neighbours()))
        for values in factor.classes:
            places, inside = [], []
            for variable in factor.scope:
                held: Iterable[int] = values
                place = number.get(variable, -1)
                if variable in origins:
                    place = number[origins[variable].first]
                    held = {a for a, b in origins[variable].allowed if b in values}
                places.append(place)
                if place >= 0:
                    inside.append(mask_of(code[v] for v in held if v in code))
                else:
                    inside.append(-1 if set(domains[variable]) <= set(values) else 0)
            found.append(Connection(tuple(places), tuple(inside), near, factor.largest))
    return tuple(found)
