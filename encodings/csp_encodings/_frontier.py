"""The automaton of connectivity: it reads the vertices of a graph in order.

The *frontier* is the vertices that were read and have a neighbour that was not. All that matters
about the past is which vertices of the frontier are connected through vertices that were read:
Knuth's Simpath (*The Art of Computer Programming*, volume 4A, section 7.1.4). The automaton is
small where the frontier is short, so a grid should be read along its shorter side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from csp_encodings.automaton import Automaton, Budget

# For an automaton that is finished, and within its own budget.
_FINISHED = Budget(states=1_000_000, edges=100_000_000)


class _State(NamedTuple):
    """What is known after some vertices were read."""

    parts: tuple[int, ...]
    """For each vertex of the frontier, the number of its part; 0 if it is in no class."""
    classes: tuple[int, ...]
    """The class of part 1, of part 2, and so on."""
    sizes: tuple[int, ...]
    """How many vertices each class has, if that is limited; -1 for a class that is complete."""


def frontier_automaton(
    alphabets: Sequence[tuple[int, ...]],
    edges: Sequence[tuple[int, int]],
    classes: Sequence[Sequence[int]],
    largest: int | None,
    budget: Budget,
) -> Automaton:
    """Return the automaton that accepts the values whose classes are connected.

    Examples
    --------
    >>> from csp_encodings.automaton import DEFAULT_BUDGET
    >>> path = frontier_automaton([(0, 1)] * 3, [(0, 1), (1, 2)], [(1,)], None, DEFAULT_BUDGET)
    >>> path.count(), path.accepts((1, 0, 1))
    (7, False)
    """
    # It reads the class of each value: values of one class lead to the same state.
    class_of = {value: number for number, values in enumerate(classes) for value in values}
    free = len(classes)
    groups: list[dict[int, list[int]]] = []
    for alphabet in alphabets:
        groups.append({})
        for value in alphabet:
            groups[-1].setdefault(class_of.get(value, free), []).append(value)
    front = _Front(len(alphabets), edges)

    def step(state: _State, number: int, position: int) -> _State | None:
        return _read(state, number if number < free else None, front, position, largest)

    found = Automaton.from_fold(
        [sorted(group) for group in groups],
        _State((), (), (0,) * len(classes)),
        step,
        lambda state: True,
        positional=True,
        budget=replace(budget, states=2 * budget.states),  # they have few edges
    )
    layers = [
        [(tail, [v for number in read for v in group[number]], head) for tail, read, head in layer]
        for group, layer in zip(groups, found.layers, strict=True)
    ]
    return Automaton.from_layers(alphabets, found.widths, layers, budget=_FINISHED)


class _Front:
    """For each vertex, as places in the frontier with the vertex itself at its end.

    `near` are its neighbours, `stays` the vertices that stay in the next frontier, `leaves` those
    that leave it.
    """

    def __init__(self, size: int, edges: Sequence[tuple[int, int]]) -> None:
        last = list(range(size))
        adjacent: list[set[int]] = [set() for _ in range(size)]
        for a, b in edges:
            adjacent[a].add(b)
            adjacent[b].add(a)
            last[a], last[b] = max(last[a], b), max(last[b], a)
        self.near: list[list[int]] = []
        self.stays: list[list[int]] = []
        self.leaves: list[list[int]] = []
        front: list[int] = []
        for i in range(size):
            front.append(i)
            self.near.append([place for place, j in enumerate(front) if j in adjacent[i]])
            self.stays.append([place for place, j in enumerate(front) if last[j] > i])
            self.leaves.append([place for place, j in enumerate(front) if last[j] <= i])
            front = [front[place] for place in self.stays[-1]]


def _read(
    state: _State, own: int | None, front: _Front, position: int, largest: int | None
) -> _State | None:
    """Read a vertex, with the number of its class if it has one."""
    parts, classes, sizes = [*state.parts, 0], list(state.classes), list(state.sizes)
    if own is not None:
        if sizes[own] < 0 or sizes[own] == largest:
            return None
        if largest is not None:
            sizes[own] += 1
        classes.append(own)
        parts[-1] = new = len(classes)
        touched = {parts[place] for place in front.near[position]}
        touched = {part for part in touched if part and classes[part - 1] == own}
        parts = [new if part in touched else part for part in parts]
    kept = [parts[place] for place in front.stays[position]]
    closed = {parts[place] for place in front.leaves[position]}.difference(kept, (0,))
    for part in closed:
        complete = classes[part - 1]
        if sizes[complete] < 0 or any(k and classes[k - 1] == complete for k in kept):
            return None
        sizes[complete] = -1
    # Number the parts in the order of the frontier: then equal situations are equal states.
    names = {0: 0}
    numbered = tuple([names.setdefault(part, len(names)) for part in kept])
    return _State(numbered, tuple([classes[part - 1] for part in [*names][1:]]), tuple(sizes))
