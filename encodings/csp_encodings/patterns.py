"""Clause patterns of relations and of sets of values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, product

from csp_encodings.automaton import Automaton
from csp_encodings.clauses import ClauseWriter, Pattern
from csp_encodings.factors import Domain
from csp_encodings.store import kept
from csp_encodings.value_sets import Sets


@kept(size=lambda found: found.bytes)
def relation_pattern(first: Domain, second: Domain, allowed: frozenset[tuple[int, int]]) -> Pattern:
    """Return the clauses of a relation: its conflicts if they are few, else supports.

    Examples
    --------
    >>> list(relation_pattern((1, 2), (1, 2, 3), frozenset({(1, 2), (1, 3), (2, 3)})).clauses)
    [(-1, -3), (-2, -3), (-2, -4)]
    """
    clauses = ClauseWriter()
    of_first, of_second = _numbers((first, second))
    conflicts = [pair for pair in product(first, second) if pair not in allowed]
    if len(conflicts) <= len(first) + len(second):
        clauses.add_all([(-of_first[a], -of_second[b]) for a, b in conflicts])
    else:
        supports = [[of_second[b] for b in second if (a, b) in allowed] for a in first]
        clauses.imply(of_first.values(), supports)
        supports = [[of_first[a] for a in first if (a, b) in allowed] for b in second]
        clauses.imply(of_second.values(), supports)
    return Pattern.of(clauses.finish())


@kept(size=lambda found: found.bytes if found else 0)
def alike_pattern(automaton: Automaton) -> Pattern | None:
    """Return the clauses of a bit, behind two variables, that goes with whether they are equal.

    With each of its values they are equal, or different, or nothing is said. None for any other
    automaton. There are no new variables, as there are for edges and states.

    Examples
    --------
    >>> either = Automaton.from_predicate(((1, 2), (1, 2), (0, 1)), lambda a, b, bit: bit or a != b)
    >>> list(alike_pattern(either).clauses)  # 5 is the bit's 0
    [(-1, -3, -5), (-2, -4, -5)]
    """
    if automaton.length != 3 or len(automaton.alphabets[2]) != 2:
        return None
    first, second, bit = automaton.alphabets
    every = {*product(first, second)}
    equal = {(a, b) for a, b in every if a == b}
    chosen: dict[int, set[tuple[int, int]]] = {value: set() for value in bit}
    for a, b, value in automaton.tuples():
        chosen[value].add((a, b))
    if any(allowed not in (equal, every - equal, every) for allowed in chosen.values()):
        return None
    *_, of_bit = _numbers((first, second, bit))
    clauses: list[tuple[int, ...]] = []
    for value, allowed in chosen.items():
        relation = relation_pattern(first, second, frozenset(allowed))
        clauses += [(*clause, -of_bit[value]) for clause in relation.clauses]
    return Pattern.of(clauses)


@kept(size=lambda found: found.bytes)
def sets_pattern(sets: Sets, domains: tuple[Domain, ...]) -> Pattern:
    """Return clauses that the values of some variables make up one of some sets.

    That is every value of the set, and no other.

    Examples
    --------
    >>> list(sets_pattern(((1, 2), (1, 3)), ((1, 2, 3),) * 2).clauses)  # 7 and 8 are the sets
    [(7, 8), (1, 4), (-7, 2, 5), (-2, 7), (-5, 7), (-8, 3, 6), (-3, 8), (-6, 8)]
    """
    clauses = ClauseWriter()
    places: dict[int, list[int]] = {}
    for numbers in _numbers(domains):
        for value, number in numbers.items():
            places.setdefault(value, []).append(number)
    possible = [values for values in sets if places.keys() >= {*values}]
    # A single set needs no variable.
    new = len(possible) if len(possible) > 1 else 0
    top = sum(map(len, domains))
    held = range(top + 1, top + 1 + new)
    if len(possible) != 1:
        clauses.add(held)
    for value, standing in places.items():
        if all(value in values for values in possible):
            clauses.add(standing)
            continue
        holding = [x for x, values in zip(held, possible, strict=False) if value in values]
        clauses.imply(holding, [standing] * len(holding))
        clauses.imply(standing, [holding] * len(standing))
    return Pattern.of(clauses.finish(), [(new, "set of values")] if new else ())


def _numbers(domains: Sequence[Domain]) -> Iterator[dict[int, int]]:
    """The numbers of the values of each position."""
    numbers = count(1)
    for domain in domains:
        yield dict(zip(domain, numbers, strict=False))
