"""Second names for connected classes that hold each value once, and bits for pairs of vertices.

Labels in the order of their first vertices hide what follows from a few borders: a label means
nothing before its first vertex is known. So the classes get a second name. Each class, such as a
region of a grid, holds a value once, and so does each house of a family, such as the rows. Then the
house in which the value of a class stands is a name for the class. And a bit for every two vertices
that may be in one class says whether they are, whatever its name is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from csp_encodings.automaton import Automaton
from csp_encodings.factors import (
    AllDifferent,
    Connected,
    Domain,
    Factor,
    Regular,
    Relation,
    alike,
)
from csp_encodings.graph import Auxiliary, FactorId, domains, extended, factors
from csp_encodings.store import kept

if TYPE_CHECKING:
    import networkx as nx

# The most clauses that bits for pairs may take: each of them three for each label, twice.
_MOST_CLAUSES = 300_000
_CLAUSES_A_LABEL = 6

_BIT = (0, 1)

NAME = "house of a value"
"""The label of the variables that are the second names of labels."""


class _Regions(NamedTuple):
    """Classes of one size that are connected, and hold each value once.

    Attributes
    ----------
    connected
        The factor that says that they are connected.
    digits
        For each vertex, the variable of which a class holds each value once.
    houses
        Houses that hold each value once, as many as there are classes: the vertices of each.
    sources
        The ids of the factors from which all this follows.
    without
        What says that values differ in a class, and is of no other use.
    """

    connected: Connected
    digits: tuple[Any, ...]
    houses: tuple[tuple[int, ...], ...]
    sources: tuple[FactorId, ...]
    without: tuple[Any, ...]


def with_names(graph: nx.Graph) -> nx.Graph:
    """Return a graph in which connected classes have a second name; the solutions are the same.

    This is done where the classes have equal sizes and hold each value once, if there are houses
    that do so, too, and the classes are not too large. What says that the values differ in each
    class is then said of the new names, in place of the labels.

    Examples
    --------
    >>> import networkx as nx
    >>> from csp_encodings.graph import graph_of
    >>> edge = Connected.of(nx.path_graph("ab"), [(1,), (2,)], largest=1)
    >>> plain = graph_of(dict.fromkeys("ab", (1, 2)), edge)
    >>> with_names(plain) is plain  # nothing is known of the values in a class
    True
    """
    for regions in _nameable(graph):
        graph = _named(graph, regions)
    return graph


def can_be_named(graph: nx.Graph) -> bool:
    """Whether there are classes in a graph that :func:`with_names` gives second names."""
    return any(True for _ in _nameable(graph))


def _nameable(graph: nx.Graph) -> Iterator[_Regions]:
    """The classes that get names: each only once, also if a rule is given twice."""
    named: set[tuple[Any, ...]] = set()
    for regions in _found_regions(graph):
        clauses = len(_near(regions.connected)) * _CLAUSES_A_LABEL * len(regions.houses)
        if clauses <= _MOST_CLAUSES and regions.connected.scope not in named:
            named.add(regions.connected.scope)
            yield regions


def _named(graph: nx.Graph, regions: _Regions) -> nx.Graph:
    """Add names, and bits for pairs, to a graph."""
    domain_of = domains(graph)
    connected, digits, sources = regions.connected, regions.digits, regions.sources
    labels = connected.scope
    index = max([v.index for v in domain_of if isinstance(v, Auxiliary)], default=-1) + 1
    new: dict[Auxiliary, Domain] = {}
    facts: list[tuple[Factor, tuple[FactorId, ...]]] = []

    def add(label: str, domain: Domain) -> Auxiliary:
        variable = Auxiliary(index + len(new), label)
        new[variable] = domain
        return variable

    numbers = tuple(range(1, len(regions.houses) + 1))
    names = [add(NAME, numbers) for _ in labels]
    value = _fewest([domain_of[digit] for digit in digits])
    for number, house in enumerate(regions.houses, 1):
        for vertex in house:
            digit = digits[vertex]
            pairs = product(domain_of[digit], numbers)
            table = frozenset([(v, name) for v, name in pairs if v != value or name == number])
            facts.append((Relation(digit, names[vertex], table), sources))
    classes = tuple([(number,) for number in numbers])
    same = Connected(tuple(names), connected.edges, classes, connected.largest)
    facts.append((same, sources))
    values = tuple(sorted({v for digit in digits for v in domain_of[digit]}))
    codes = []
    for name, digit in zip(names, digits, strict=True):
        machine = _numbered(numbers, domain_of[digit], values)
        code = add("name and value", machine.alphabets[-1])
        facts.append((Regular((name, digit, code), machine), sources))
        codes.append(code)
    facts.append((AllDifferent(tuple(codes)), sources))
    bits = alike_pairs(connected, domain_of, factors(graph).values())
    apart = _apart(factors(graph).values(), digits)
    for a, b in _near(connected):
        bit = bits.get((a, b))
        if bit is None:
            bit = add("alike", _BIT)
            machine = alike(domain_of[labels[a]], domain_of[labels[b]])
            facts.append((Regular((labels[a], labels[b], bit), machine), ()))
        facts.append((Regular((names[a], names[b], bit), alike(numbers, numbers)), sources))
        if not apart[a] & apart[b]:
            machine = _different_if(domain_of[digits[a]], domain_of[digits[b]])
            facts.append((Regular((digits[a], digits[b], bit), machine), sources))
    return extended(graph, facts, new, regions.without)


def alike_pairs(
    connected: Connected, domain_of: Mapping[Any, Domain], every: Iterable[Factor]
) -> dict[tuple[int, int], Any]:
    """Return the bits of a graph that say whether two variables of a connected factor are alike.

    None are returned if a class has several values, or a value is of no class.
    """
    if not _are_labels(connected, domain_of):
        return {}
    at = {variable: vertex for vertex, variable in enumerate(connected.scope)}
    found: dict[tuple[int, int], Any] = {}
    for factor in every:
        if isinstance(factor, Regular) and len(factor.scope) == 3:
            first, second, bit = factor.scope
            if first in at and second in at and first != second:
                machine = factor.automaton
                if machine.alphabets[2] == _BIT and machine == alike(*machine.alphabets[:2]):
                    a, b = sorted((at[first], at[second]))
                    found.setdefault((a, b), bit)
    return dict(sorted(found.items()))


def are_complete(connected: Connected, pairs: Mapping[tuple[int, int], Any]) -> bool:
    """Whether there is a bit for every two vertices that may be in one class."""
    return all(pair in pairs for pair in _near(connected))


def _fewest(some: Iterable[Domain]) -> int:
    """The value that the fewest domains have; of several, the least."""
    counted = Counter([value for domain in some for value in domain])
    return min(counted, key=lambda value: (counted[value], value))


@kept(size=lambda machine: machine.bytes)
def _different_if(first: Domain, second: Domain) -> Automaton:
    """The automaton of a bit that makes two values different."""
    return Automaton.from_predicate((first, second, _BIT), lambda a, b, bit: not bit or a != b)


@kept(size=lambda machine: machine.bytes)
def _numbered(names: Domain, own: Domain, values: Domain) -> Automaton:
    """The third variable numbers the pairs of the first two, in the same way for every vertex."""
    table = [
        (name, value, name * len(values) + values.index(value)) for name in names for value in own
    ]
    return Automaton.from_table((names, own, tuple([row[-1] for row in table])), table)


def _found_regions(graph: nx.Graph) -> Iterator[_Regions]:
    domain_of, factor_of = domains(graph), factors(graph)
    codes = {
        factor.scope[-1]: (node, factor)
        for node, factor in factor_of.items()
        if isinstance(factor, Regular) and len(factor.scope) == 3
    }
    different = {n: factor for n, factor in factor_of.items() if isinstance(factor, AllDifferent)}
    for node, connected in factor_of.items():
        if not isinstance(connected, Connected) or not _are_full(connected, domain_of):
            continue
        at = {label: vertex for vertex, label in enumerate(connected.scope)}
        for other, factor in different.items():
            known = [codes[code] for code in factor.scope if code in codes]
            digits = _numbered_with(at, factor, [definition for _, definition in known])
            houses = list(_houses(digits, different, domain_of, connected.largest))
            if len(houses) == len(connected.classes):
                definitions = [n for n, _ in known]
                sources = (node, other, *definitions, *[house for house, _ in houses])
                is_alone = all(len(graph.adj[code]) == 2 for code in factor.scope)
                without = (other, *definitions, *factor.scope) if is_alone else ()
                own = tuple([vertices for _, vertices in houses])
                yield _Regions(connected, digits, own, sources, without)
                break


def _are_labels(connected: Connected, domain_of: Mapping[Any, Domain]) -> bool:
    """Whether every value of every variable is a class of its own."""
    labels = {values[0] for values in connected.classes}
    return (
        all(len(values) == 1 for values in connected.classes)
        and len({*connected.scope}) == len(connected.scope)
        and all(labels.issuperset(domain_of[variable]) for variable in connected.scope)
    )


def _are_full(connected: Connected, domain_of: Mapping[Any, Domain]) -> bool:
    """Whether every class has a label, and exactly as many vertices as it may have."""
    return (
        connected.largest is not None
        and connected.largest * len(connected.classes) == len(connected.scope)
        and _are_labels(connected, domain_of)
    )


def _numbered_with(
    at: Mapping[Any, int], factor: AllDifferent, definitions: Sequence[Regular]
) -> tuple[Any, ...]:
    """For each label, the variable of which equal labels have different values; () if it is not so.

    The all-different factor is over numbers of pairs, of a label and that variable.
    """
    if not len(factor.scope) == len(definitions) == len(at):
        return ()
    digits: dict[int, Any] = {}
    pair_of: dict[int, tuple[int, int]] = {}
    for definition in definitions:
        label, digit, _ = definition.scope
        if label not in at:
            return ()
        digits[at[label]] = digit
    for automaton in dict.fromkeys([definition.automaton for definition in definitions]):
        for label, value, number in automaton.tuples():
            if pair_of.setdefault(number, (label, value)) != (label, value):
                return ()
    if len(digits) < len(at) or len({*pair_of.values()}) < len(pair_of):
        return ()
    return tuple([digits[vertex] for vertex in range(len(at))])


def _houses(
    digits: Sequence[Any],
    different: Mapping[FactorId, AllDifferent],
    domain_of: Mapping[Any, Domain],
    size: int | None,
) -> Iterator[tuple[FactorId, tuple[int, ...]]]:
    """Disjoint houses that hold each value once, and so does each class: their vertices."""
    at = {digit: vertex for vertex, digit in enumerate(digits)}
    if len(at) < len(digits) or len({v for digit in digits for v in domain_of[digit]}) != size:
        return
    left = {*digits}
    for node, factor in different.items():
        if len(factor.scope) == size and left.issuperset(factor.scope):
            left -= {*factor.scope}
            yield node, tuple([at[digit] for digit in factor.scope])


def _near(connected: Connected) -> list[tuple[int, int]]:
    """The pairs of vertices that a class may have together."""
    near = connected.neighbours()
    found = []
    for vertex in range(len(near)):
        reached, fresh = {vertex}, {vertex}
        for _ in range((connected.largest or len(near)) - 1):
            fresh = {other for v in fresh for other in near[v]} - reached
            reached |= fresh
        found += [(vertex, other) for other in sorted(reached) if other > vertex]
    return found


def _apart(every: Iterable[Factor], variables: Sequence[Any]) -> list[int]:
    """For each of some variables, the all-different factors that it belongs to, as bits."""
    groups = dict.fromkeys(variables, 0)
    bit = 1
    for factor in every:
        if isinstance(factor, AllDifferent):
            for variable in groups.keys() & {*factor.scope}:
                groups[variable] |= bit
            bit <<= 1
    return [groups[variable] for variable in variables]
