"""Constraint graph to exact cover with colours, the input of Knuth's Algorithm C.

An exact cover is a set of options such that every primary item is in exactly one of them, and every
secondary item in at most one or, if coloured, in options of one colour alone (D. E. Knuth, *The Art
of Computer Programming*, volume 4B, section 7.2.2.1). The covers of an encoded graph are its
solutions, one for one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, product
from math import prod
from typing import Any, TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from csp_encodings.automaton import DEFAULT_BUDGET, Automaton, Budget
from csp_encodings.connected_clauses import connected_pattern
from csp_encodings.factors import (
    AllDifferent,
    Connected,
    Domain,
    Factor,
    Regular,
    Variable,
    automaton_of,
)
from csp_encodings.graph import Assignment, FactorId, domains, each_factor, factors, variables
from csp_encodings.watch import look

IntArray: TypeAlias = NDArray[np.int32]
Table: TypeAlias = set[tuple[int, ...]]
Member: TypeAlias = tuple[int, int]  # an item and a colour

# Two variables of more pairs of values than this are joined by an automaton, not by a table.
_MAX_TABLE = 100_000

# The colours of a literal.
_TRUE, _FALSE = 1, 2

# How many options become numbers between two looks at the clock.
_AT_ONCE = 5_000

# The number of the first primary item that is not preferred, until it is known.
_DEFERRED = 1 << 30


@dataclass(frozen=True, slots=True, eq=False)
class ExactCover:
    """An exact cover problem with colours (XCC), and what its options mean.

    Attributes
    ----------
    items
        A readable name for each; the primary ones come first, and of these the preferred ones.
    preferred
        How many items are preferred: primary ones that speak of variables of a solution alone. The
        others, of auxiliaries, follow from them, and guessing at those would be endless.
    primary
        How many items are primary.
    starts
        Option ``o`` has the members ``starts[o]`` to ``starts[o + 1]``.
    members
        The items of the options, one option after the other.
    colours
        The colours of the members, from 1; 0 is none. Only secondary items have them.
    meanings
        The variable and the value that an option says, or None if it is a step of an automaton.
    options
        The way back: for every variable, auxiliaries included, the option that says a value.
    variables
        What a solution is made of: the variables of the graph without its auxiliaries.
    """

    items: tuple[str, ...]
    preferred: int
    primary: int
    starts: IntArray
    members: IntArray
    colours: IntArray
    meanings: tuple[tuple[Any, int] | None, ...]
    options: Mapping[Any, Mapping[int, int]]
    variables: tuple[Any, ...]

    def decode(self, options: Iterable[int]) -> Assignment:
        """The solution that a cover stands for.

        Parameters
        ----------
        options
            The numbers of the options of a cover, in any order.
        """
        said = (self.meanings[option] for option in options)
        values = dict(meaning for meaning in said if meaning)
        return {variable: values[variable] for variable in self.variables}


def encode(graph: nx.Graph, *, budget: Budget = DEFAULT_BUDGET) -> ExactCover:
    """Encode a constraint graph.

    Parameters
    ----------
    budget
        How large the automaton of a linear factor may grow.

    Examples
    --------
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of(dict.fromkeys("xy", range(2)), AllDifferent(("x", "y")))
    >>> cover = encode(graph)
    >>> cover.items, cover.primary
    (('x', 'y', 'factor 0 has 0', 'factor 0 has 1'), 4)
    >>> [list(map(int, option)) for option in np.split(cover.members, cover.starts[1:-1])]
    [[0, 2], [0, 3], [1, 2], [1, 3]]
    >>> cover.decode([1, 2])
    {'x': 1, 'y': 0}
    """
    support = _Support(graph, budget)
    support.narrow()
    encoder = _Encoder(support.domains, variables(graph))
    for node, factor in each_factor(graph, lambda: len(encoder.options) + len(encoder.secondary)):
        if isinstance(factor, AllDifferent):
            encoder.add_all_different(str(node), factor.scope)
        elif node in support.automata:
            alive = [support.domains[variable] for variable in factor.scope]
            encoder.add_automaton(str(node), factor.scope, support.automata[node].restrict(alive))
        elif isinstance(factor, Connected) and node not in support.tables:
            encoder.add_connected(str(node), factor)
        else:
            encoder.add_table(str(node), support.scopes[node], support.tables[node])
    return encoder.finish()


class _Support:
    """The domains of a graph, and what its factors accept.

    All-different and large connected factors are left out. For the others that is an automaton or,
    over at most two variables, a table: values that exclude each other need no options of their
    own, as the steps of a walk do.
    """

    def __init__(self, graph: nx.Graph, budget: Budget) -> None:
        self.domains = dict(domains(graph))
        self.scopes: dict[FactorId, tuple[Variable, ...]] = {}
        self.automata: dict[FactorId, Automaton] = {}
        self.tables: dict[FactorId, Table] = {}
        self.factors = factors(graph)
        for node, factor in self.factors.items():
            look()
            scope = tuple(dict.fromkeys(factor.scope))
            large = isinstance(factor, Connected) and len(scope) > 2
            if isinstance(factor, AllDifferent) or large:
                continue
            self.scopes[node] = scope
            rows = prod(len(self.domains[variable]) for variable in scope)
            if len(scope) <= 2 and rows <= _MAX_TABLE:
                self.tables[node] = _table(factor, scope, self.domains)
            elif isinstance(factor, Regular):
                self.automata[node] = factor.automaton
            else:
                self.automata[node] = automaton_of(factor, self.domains, budget)

    def narrow(self) -> None:
        """Delete values until each of them has a support in every factor.

        An option that is in no cover costs little by itself, but it misleads the choice of the item
        with the fewest options.
        """
        due = list(self.scopes)
        while due:
            smaller: set[Variable] = set()
            for node in due:
                look()
                for variable, values in self.supported(node):
                    if not values.issuperset(self.domains[variable]):
                        kept = [value for value in self.domains[variable] if value in values]
                        self.domains[variable] = tuple(kept)
                        smaller.add(variable)
            due = [node for node, scope in self.scopes.items() if not smaller.isdisjoint(scope)]

    def supported(self, node: FactorId) -> list[tuple[Variable, frozenset[int]]]:
        """For each place of a variable in a factor, the values that the factor accepts there."""
        if node in self.automata:
            scope = self.factors[node].scope
            columns = self.automata[node].filter([self.domains[variable] for variable in scope])
        else:
            scope = self.scopes[node]
            alive = [frozenset(self.domains[variable]) for variable in scope]
            rows = {
                row
                for row in self.tables[node]
                if all(value in values for value, values in zip(row, alive, strict=True))
            }
            columns = tuple(zip(*rows, strict=True)) or ((),) * len(scope)
        return list(zip(scope, map(frozenset, columns), strict=True))


def _table(factor: Factor, scope: tuple[Variable, ...], domain_of: dict[Any, Domain]) -> Table:
    """What a factor accepts, as values of its distinct variables."""
    places = [scope.index(variable) for variable in factor.scope]
    return {
        values
        for values in product(*[domain_of[variable] for variable in scope])
        if factor.accepts([values[place] for place in places])
    }


class _Encoder:
    def __init__(self, domain_of: dict[Any, Domain], shown: list[Any]) -> None:
        self.shown = dict.fromkeys(shown)
        self.preferred: list[str] = []
        self.deferred: list[str] = []
        self.secondary: list[str] = []
        # How many items there are of each kind is known at the end. Until then the deferred ones
        # are numbered from _DEFERRED and the secondary ones -1, -2, …
        self.options: list[list[Member]] = []
        self.meanings: list[tuple[Any, int] | None] = []
        self.numbers: dict[Any, dict[int, int]] = {}
        self.of: dict[Any, dict[int, list[Member]]] = {}
        self.value_items: dict[Any, int] = {}
        self.truth_items: dict[tuple[Any, int], int] = {}
        for variable, domain in domain_of.items():
            look()
            item = self.add_primary(str(variable), preferred=variable in self.shown)
            self.numbers[variable] = {}
            self.of[variable] = {}
            for value in domain:
                self.numbers[variable][value] = len(self.options)
                self.of[variable][value] = option = [(item, 0)]
                self.options.append(option)
                self.meanings.append((variable, value))

    def finish(self) -> ExactCover:
        starts = np.cumsum([0, *map(len, self.options)], dtype=np.int32)
        parts = [np.empty(0, np.int32)]
        for i in range(0, len(self.options), _AT_ONCE):
            look()
            some = self.options[i : i + _AT_ONCE]
            parts.append(np.fromiter(chain.from_iterable(chain.from_iterable(some)), np.int32))
        flat = np.concatenate(parts)
        look()
        members, colours = flat[::2].copy(), flat[1::2].copy()
        primary = len(self.preferred) + len(self.deferred)
        members[members >= _DEFERRED] += len(self.preferred) - _DEFERRED
        members[members < 0] = primary - 1 - members[members < 0]
        for array in (starts, members, colours):
            array.flags.writeable = False
        return ExactCover(
            (*self.preferred, *self.deferred, *self.secondary),
            len(self.preferred),
            primary,
            starts,
            members,
            colours,
            tuple(self.meanings),
            self.numbers,
            tuple(self.shown),
        )

    def add_primary(self, name: str, *, preferred: bool) -> int:
        if preferred:
            self.preferred.append(name)
            return len(self.preferred) - 1
        self.deferred.append(name)
        return _DEFERRED + len(self.deferred) - 1

    def add_secondary(self, name: str) -> int:
        self.secondary.append(name)
        return -len(self.secondary)

    def add_contradiction(self, label: str) -> None:
        self.add_primary(f"{label} cannot hold", preferred=True)

    def add_all_different(self, label: str, scope: tuple[Variable, ...]) -> None:
        places: dict[int, list[list[Member]]] = defaultdict(list)
        for variable in scope:
            for value, option in self.of[variable].items():
                places[value].append(option)
        # Said outright: the search would have to go through every way into the pigeonholes.
        if len(set(scope)) < len(scope) or len(places) < len(scope):
            self.add_contradiction(label)
            return
        permutation = len(places) == len(scope)
        preferred = self.shown.keys() >= set(scope)
        for value in sorted(places):
            if permutation:
                item = self.add_primary(f"{label} has {value}", preferred=preferred)
            elif len(places[value]) > 1:
                item = self.add_secondary(f"{label} has {value}")
            else:
                continue
            for option in places[value]:
                option.append((item, 0))

    def add_table(self, label: str, scope: tuple[Variable, ...], allowed: Table) -> None:
        """Add what at most two variables may be.

        Without variables the table is empty or has the empty row; with one its domain was narrowed
        to the table. With two, there is an item for each value of the second, shared by that value
        and by the values of the first that it cannot stand with: of these only one is ever chosen.
        """
        if not scope and not allowed:
            self.add_contradiction(label)
        if len(scope) < 2:
            return
        first, second = (self.of[variable] for variable in scope)
        for b, option in second.items():
            clashes = [other for a, other in first.items() if (a, b) not in allowed]
            if clashes:
                item = self.add_secondary(f"{label} {scope[1]}={b}")
                for member in (option, *clashes):
                    member.append((item, 0))

    def add_automaton(self, label: str, scope: tuple[Variable, ...], automaton: Automaton) -> None:
        """Add a walk through the layers, in which each step is an option.

        Where two layers meet, a secondary item is coloured by the state. A step from a layer of one
        state is decided by the value, so the options of the variable take it themselves.
        """
        preferred = self.shown.keys() >= set(scope)
        states = [
            self.add_secondary(f"{label} state {i}") if width > 1 else 0
            for i, width in enumerate(automaton.widths)
        ]
        for i, (variable, layer) in enumerate(zip(scope, automaton.layers, strict=True)):
            look()
            if not states[i]:
                for edge in layer if states[i + 1] else ():
                    for value in edge.values:
                        self.of[variable][value].append((states[i + 1], edge.head + 1))
                continue
            step = self.add_primary(f"{label} step {i}", preferred=preferred)
            value_item = self.value_item(variable)
            colour_of = {value: colour for colour, value in enumerate(self.of[variable], 1)}
            for edge in layer:
                for value in edge.values:
                    option = [(step, 0), (value_item, colour_of[value]), (states[i], edge.tail + 1)]
                    if states[i + 1]:
                        option.append((states[i + 1], edge.head + 1))
                    self.options.append(option)
                    self.meanings.append(None)

    def add_connected(self, label: str, factor: Connected) -> None:
        """Add its clauses. The options of a clause say which of its literals is the first true one.

        A literal is a secondary item with two colours.
        """
        own = tuple([tuple(self.of[variable]) for variable in factor.scope])
        found = connected_pattern(own, factor.edges, factor.classes, factor.largest)
        held = [(variable, value) for variable in factor.scope for value in self.of[variable]]
        used = {abs(literal) for clause in found.clauses for literal in clause}
        items = {i: self.truth_item(*held[i - 1]) for i in sorted(used) if i <= len(held)}
        number = len(held)
        for count, use in found.new:
            for i in range(1, count + 1):
                number += 1
                items[number] = self.add_secondary(f"{label} {use} {i}")
        for i, clause in enumerate(found.clauses, 1):
            step = self.add_primary(f"{label} clause {i}", preferred=False)
            signs = [(items[abs(literal)], _TRUE if literal > 0 else _FALSE) for literal in clause]
            for k, sign in enumerate(signs):
                before = [(item, _TRUE + _FALSE - colour) for item, colour in signs[:k]]
                self.options.append([(step, 0), *before, sign])
                self.meanings.append(None)

    def truth_item(self, variable: Variable, value: int) -> int:
        """The item that is coloured by whether the variable has a value."""
        if (variable, value) not in self.truth_items:
            item = self.truth_items[variable, value] = self.add_secondary(f"{variable}={value}")
            for other, option in self.of[variable].items():
                option.append((item, _TRUE if other == value else _FALSE))
        return self.truth_items[variable, value]

    def value_item(self, variable: Variable) -> int:
        """The item that a value of the variable gives its colour to."""
        if variable not in self.value_items:
            item = self.value_items[variable] = self.add_secondary(f"{variable} value")
            for colour, option in enumerate(self.of[variable].values(), 1):
                option.append((item, colour))
        return self.value_items[variable]
