"""The clause pattern of an automaton, for every factor that has this automaton.

Edges and states are variables; clauses say what each needs and what needs it. Unit propagation on
these clauses is generalised arc consistency (Quimper & Walsh, "Global grammar constraints", CP
2006; Bacchus, "GAC via unit propagation", CP 2007).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import prod

from csp_encodings.automaton import Automaton, Edge
from csp_encodings.clauses import ClauseWriter, Pattern
from csp_encodings.store import kept
from csp_encodings.watch import look


@kept(size=lambda found: found.bytes)
def pattern(automaton: Automaton) -> Pattern:
    """Return the clauses of an automaton over its alphabets.

    Examples
    --------
    >>> rising = Automaton.from_predicate([range(1, 4)] * 2, lambda a, b: a < b)
    >>> list(pattern(rising).clauses)  # x=1, x=2 and x=3 are 1 to 3; y=1, y=2 and y=3 are 4 to 6
    [(-3,), (-4,), (-1, 5, 6), (-2, 6), (-5, 1), (-6, 1, 2)]
    >>> pattern(rising).new
    ()
    """
    return _Writer(automaton).finish()


class _Writer:
    def __init__(self, automaton: Automaton) -> None:
        self.clauses = ClauseWriter()
        self.new: list[tuple[int, str]] = []
        self.top = sum(map(len, automaton.alphabets))
        if prod(map(len, automaton.alphabets)) - automaton.count() == 1:
            self.refuse(automaton)
        elif automaton.widths[0]:
            self.add_layers(automaton)
        else:
            self.clauses.add(())

    def refuse(self, automaton: Automaton) -> None:
        """A single tuple that is not accepted is one clause, such as that of a known solution."""
        [refused] = (~automaton).tuples()
        first = 1
        clause = []
        for value, alphabet in zip(refused, automaton.alphabets, strict=True):
            clause.append(-(first + alphabet.index(value)))
            first += len(alphabet)
        self.clauses.add(clause)

    def finish(self) -> Pattern:
        return Pattern.of(self.clauses.finish(), self.new)

    def fresh(self, count: int, use: str) -> range:
        """Take unused numbers."""
        first = self.top + 1
        self.top += count
        if count:
            self.new.append((count, use))
        return range(first, first + count)

    def add_layers(self, automaton: Automaton) -> None:
        first = 1
        tails: list[int] = []  # the literals of the states; one state alone needs none
        for i, (alphabet, edges) in enumerate(
            zip(automaton.alphabets, automaton.layers, strict=True), 1
        ):
            look()
            values = {value: number for number, value in enumerate(alphabet, first)}
            first += len(alphabet)
            layer = _Layer(edges)
            self.clauses.add_units([-x for v, x in values.items() if v not in layer.carrying])
            heads: list[int] = []
            if len(edges) > 1:
                known = self.edge_literals(values, layer, tails, f"edge over position {i}")
                if automaton.widths[i] > 1:
                    heads = self.head_literals(layer, known, f"state after position {i}")
                self.add_layer(values, layer, known, tails, heads)
            tails = heads

    def edge_literals(
        self, values: dict[int, int], layer: _Layer, tails: list[int], use: str
    ) -> list[int]:
        """The literals of edges: new ones, but for those that are equivalent to a known one."""
        literals = [0] * len(layer.edges)
        if tails:
            for tail, leaving in layer.leaving.items():
                if len(leaving) == 1:
                    literals[leaving[0]] = tails[tail]
        for value, carrying in layer.carrying.items():
            if len(carrying) == 1 and len(layer.edges[carrying[0]].values) == 1:
                literals[carrying[0]] = values[value]
        unknown = iter(self.fresh(literals.count(0), use))
        return [literal or next(unknown) for literal in literals]

    def head_literals(self, layer: _Layer, edges: list[int], use: str) -> list[int]:
        """The literals of the states behind a layer; a state that one edge enters is that edge."""
        entering = [layer.entering[head] for head in range(len(layer.entering))]
        unknown = iter(self.fresh(sum([len(some) > 1 for some in entering]), use))
        return [edges[some[0]] if len(some) == 1 else next(unknown) for some in entering]

    def add_layer(
        self,
        values: dict[int, int],
        layer: _Layer,
        edges: list[int],
        tails: list[int],
        heads: list[int],
    ) -> None:
        """An edge implies its ends and one of its values; each of those implies an edge of it."""
        self.clauses.imply(edges, [[values[value] for value in e.values] for e in layer.edges])
        self.imply_an_edge(values, layer.carrying, edges)
        if tails:
            self.clauses.imply_each(edges, [tails[tail] for tail, _, _ in layer.edges])
            self.imply_an_edge(tails, layer.leaving, edges)
        if heads:
            self.clauses.imply_each(edges, [heads[head] for _, _, head in layer.edges])
            self.imply_an_edge(heads, layer.entering, edges)

    def imply_an_edge(
        self,
        literals: Mapping[int, int] | Sequence[int],
        numbers: dict[int, list[int]],
        edges: list[int],
    ) -> None:
        self.clauses.imply(
            [literals[key] for key in numbers],
            [[edges[number] for number in some] for some in numbers.values()],
        )


class _Layer:
    """The edges of a layer, and the numbers of those that carry a value, leave or enter a state."""

    def __init__(self, edges: tuple[Edge, ...]) -> None:
        self.edges = edges
        self.carrying: dict[int, list[int]] = defaultdict(list)
        self.leaving: dict[int, list[int]] = defaultdict(list)
        self.entering: dict[int, list[int]] = defaultdict(list)
        for number, (tail, carried, head) in enumerate(edges):
            for value in carried:
                self.carrying[value].append(number)
            self.leaving[tail].append(number)
            self.entering[head].append(number)
