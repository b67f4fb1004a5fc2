"""Layered diagrams under construction: explored forwards, merged backwards, numbered forwards.

A diagram in the making is a list of layers, a layer a list of states, and a state its *row*: for
each value of the alphabet the number of its head in the next layer, or -1 for none. To merge the
states of equal rows, from the last layer to the first, minimises it: what is acyclic needs only
one pass (Bryant 1986 for decision diagrams, Revuz 1992 for automata).
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from csp_encodings.errors import BudgetError, EncodingError
from csp_encodings.watch import look

__all__ = ["DEFAULT_BUDGET", "Budget", "Edge"]

Alphabets: TypeAlias = tuple[tuple[int, ...], ...]
Layer: TypeAlias = Sequence[Sequence[int]]


class Edge(NamedTuple):
    """All the values, ascending, that lead from one state to one state of the next layer."""

    tail: int
    values: tuple[int, ...]
    head: int


class Diagram(NamedTuple):
    """A canonical diagram, without its alphabets."""

    widths: tuple[int, ...]
    layers: tuple[tuple[Edge, ...], ...]


@dataclass(frozen=True, slots=True)
class Budget:
    """How large an automaton may grow while it is built.

    ``states`` and ``edges`` hold for all layers together, as they are built: those of a fold or an
    operation before minimisation, those of a table or a predicate, which are merged at once, after
    it. A state costs an edge for each value of its alphabet, also where the value turns out dead:
    this bounds the time as well as the memory. ``tuples`` bounds what is enumerated: the rows of a
    table, the product of the alphabets of a predicate.

    Examples
    --------
    >>> Budget(states=1_000)
    Budget(states=1000, edges=400000, tuples=1000000)
    """

    states: int = 100_000
    edges: int = 400_000
    tuples: int = 1_000_000


DEFAULT_BUDGET = Budget()


class Meter:
    """What a diagram under construction has used of its budget."""

    def __init__(self, budget: Budget, alphabets: Alphabets) -> None:
        self.budget = budget
        self.costs = [*map(len, alphabets), 0]
        self.states = 0
        self.edges = 0

    def room(self, position: int) -> int:
        """How many states the layer before this position may have."""
        states = self.budget.states - self.states
        cost = self.costs[position]
        return min(states, (self.budget.edges - self.edges) // cost) if cost else states

    def add(self, position: int, width: int) -> None:
        """Account for the layer before this position, or refuse it."""
        if width > self.room(position):
            raise BudgetError(
                f"after {position} of {len(self.costs) - 1} positions: {width:,} or more states in "
                f"this layer, besides {self.states:,} states and {self.edges:,} edges in others; "
                f"the budget is {self.budget.states:,} states and {self.budget.edges:,} edges: "
                "let the states remember less, split the constraint, or raise the budget"
            )
        self.states += width
        self.edges += width * self.costs[position]


class _Numbers(dict[Hashable, int]):
    """Numbers of states: who is asked for a new one gives it the next number."""

    def __missing__(self, state: Hashable) -> int:
        number = self[state] = len(self) - 1
        return number


def explore(
    alphabets: Alphabets,
    start: Hashable,
    successors: Callable[[Any, int], Iterable[Hashable]],
    budget: Budget,
) -> tuple[list[Layer], list[Any]]:
    """Breadth-first, the layers reached from a start state, and the states of the last layer.

    ``successors(state, position)`` gives a state for each value of the alphabet, or None.
    """
    meter = Meter(budget, alphabets)
    meter.add(0, 1)
    states: list[Any] = [start]
    layers: list[Layer] = []
    for position in range(len(alphabets)):
        room = meter.room(position + 1)
        numbers = _Numbers({None: -1})  # where there is no successor
        number_of = numbers.__getitem__
        layer = []
        for state in states:
            look()
            heads = successors(state, position)
            try:
                layer.append([*map(number_of, heads)])
            except TypeError as error:
                raise EncodingError(
                    f"position {position + 1}: states must be hashable (tuples, not lists): {error}"
                ) from error
            if len(numbers) - 1 > room:
                break
        meter.add(position + 1, len(numbers) - 1)
        layers.append(layer)
        states = list(numbers)[1:]
    return layers, states


def reduce(alphabets: Alphabets, layers: Sequence[Layer], accepting: Iterable[object]) -> Diagram:
    """The canonical diagram of layers; state 0 of the first one is the start."""
    classes = [0 if accepted else -1 for accepted in accepting]
    merged: list[Layer] = []
    for alphabet, layer in zip(reversed(alphabets), reversed(layers), strict=True):
        classes.append(-1)  # the class of head -1
        look()
        class_of = classes.__getitem__
        rows = no_rows(alphabet)
        classes = [rows.setdefault(tuple(map(class_of, row)), len(rows) - 1) for row in layer]
        merged.append(list(rows)[1:])
    return number(alphabets, merged[::-1], classes[0] if classes else -1)


def reduce_outcomes(alphabets: Alphabets, outcomes: list[int], budget: Budget) -> Diagram:
    """The canonical diagram of a truth table: 0 or -1 for each tuple, in lexicographic order."""
    meter = Meter(budget, alphabets)
    classes = outcomes
    merged: list[Layer] = []
    for position in reversed(range(len(alphabets))):
        look()
        rows = no_rows(alphabets[position])
        row_by_row = zip(*[iter(classes)] * len(alphabets[position]), strict=True)
        classes = [rows.setdefault(row, len(rows) - 1) for row in row_by_row]
        meter.add(position, len(rows) - 1)
        merged.append(list(rows)[1:])
    return number(alphabets, merged[::-1], classes[0] if classes else -1)


def reduce_words(
    alphabets: Alphabets, words: Collection[tuple[int, ...]], budget: Budget
) -> Diagram:
    """The canonical diagram of a set of tuples over the alphabets."""
    meter = Meter(budget, alphabets)
    # Sorted, words that share a prefix are neighbours; and stay so without their last values.
    prefixes = [(word, 0) for word in sorted(words)]
    merged: list[Layer] = []
    for position in reversed(range(len(alphabets))):
        room = meter.room(position)
        place = {value: i for i, value in enumerate(alphabets[position])}
        rows = no_rows(alphabets[position])
        shorter = []
        for prefix, group in groupby(prefixes, key=lambda item: item[0][:-1]):
            look()
            row = [-1] * len(place)
            for word, head in group:
                row[place[word[-1]]] = head
            shorter.append((prefix, rows.setdefault(tuple(row), len(rows) - 1)))
            if len(rows) - 1 > room:
                break
        meter.add(position, len(rows) - 1)
        merged.append(list(rows)[1:])
        prefixes = shorter
    return number(alphabets, merged[::-1], prefixes[0][1] if prefixes else -1)


def diagram_of_sets(alphabets: Alphabets, sets: Iterable[Iterable[int]]) -> Diagram:
    """The canonical diagram of the permutations of some sets; a state is the values used so far."""
    bit_of = {value: 1 << i for i, value in enumerate(alphabets[0])}
    masks = [sum([bit_of[value] for value in values]) for values in sets]
    bits = [*bit_of.values()]

    def successors(used: int, _: int) -> list[int | None]:
        open_bits = 0
        for mask in masks:
            if used & mask == used:
                open_bits |= mask
        open_bits &= ~used
        return [used | bit if bit & open_bits else None for bit in bits]

    layers, states = explore(alphabets, 0, successors, DEFAULT_BUDGET)
    return reduce(alphabets, layers, [True] * len(states))


def no_rows(alphabet: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """The classes of a layer before any is found: only the dead row, of class -1."""
    return {(-1,) * len(alphabet): -1}


def number(alphabets: Alphabets, layers: Sequence[Layer], start: int) -> Diagram:
    """Trim a merged diagram to what its start reaches, and number that breadth-first."""
    if start < 0:
        return Diagram((0,) * (len(alphabets) + 1), ((),) * len(alphabets))
    states = [start]
    widths = [1]
    numbered = []
    new = tuple.__new__  # what an edge is made by, at half the price
    for alphabet, layer in zip(alphabets, layers, strict=True):
        numbers: dict[int, int] = {}
        number_of = numbers.setdefault
        edges: list[Edge] = []
        singles = [(value,) for value in alphabet]
        look()
        for tail, state in enumerate(states):
            values_to: dict[int, tuple[int, ...]] = {}  # in the order of the smallest value
            for single, head in zip(singles, layer[state], strict=True):
                if head >= 0:
                    known = values_to.get(head)
                    values_to[head] = single if known is None else known + single
            edges += [
                new(Edge, (tail, values, number_of(head, len(numbers))))
                for head, values in values_to.items()
            ]
        numbered.append(tuple(edges))
        states = list(numbers)
        widths.append(len(states))
    return Diagram(tuple(widths), tuple(numbered))


def subset_step(
    step: Callable[[Any, int], Iterable[Hashable]], budget: Budget
) -> Callable[[frozenset[Hashable], int], frozenset[Hashable] | None]:
    """The deterministic step on sets of states that a nondeterministic step gives."""
    calls = 0

    def step_all(states: frozenset[Hashable], value: int) -> frozenset[Hashable] | None:
        nonlocal calls
        calls += len(states)
        if calls > budget.edges:
            raise BudgetError(
                f"more than {budget.edges:,} steps of a nondeterministic automaton, "
                f"{len(states):,} states at a time: use a fold, or raise the budget"
            )
        heads: set[Hashable] = set()
        for state in states:
            reached = step(state, value)
            try:
                heads.update(reached)
            except TypeError as error:
                raise EncodingError(
                    f"step({state!r}, {value}): expected an iterable of hashable states: {error}"
                ) from error
        return frozenset(heads) or None

    return step_all
