"""Walks over a canonical diagram: along one word, along all words, and layer by layer."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from csp_encodings._layers import Alphabets, Edge, Layer
from csp_encodings.watch import look

# Who only reads or checks a puzzle needs no arrays.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class EdgeTable(NamedTuple):
    """The edges of all layers as arrays; the states are numbered through, layer by layer.

    Attributes
    ----------
    first
        State ``s`` has the edges from ``first[s]`` up to ``first[s + 1]``.
    head
        The state that an edge leads to.
    label
        Which of the labels is that of an edge.
    labels
        The position that a label belongs to, and its values.
    """

    first: NDArray[np.int32]
    head: NDArray[np.int32]
    label: NDArray[np.int32]
    labels: tuple[tuple[int, tuple[int, ...]], ...]


def edge_table(widths: Sequence[int], layers: Sequence[Sequence[Edge]]) -> EdgeTable:
    """The edges as arrays."""
    import numpy as np

    counts = [0] * sum(widths)
    heads: list[int] = []
    used: list[int] = []
    labels: dict[tuple[int, tuple[int, ...]], int] = {}
    start = 0
    for position, (width, layer) in enumerate(zip(widths, layers, strict=False)):
        following = start + width
        for tail, values, head in layer:
            counts[start + tail] += 1
            heads.append(following + head)
            used.append(labels.setdefault((position, values), len(labels)))
        start = following
    return EdgeTable(
        np.cumsum([0, *counts], dtype=np.int32),
        np.array(heads, np.int32),
        np.array(used, np.int32),
        tuple(labels),
    )


def arrives(widths: Sequence[int], layers: Sequence[Sequence[Edge]], word: Sequence[int]) -> bool:
    """Whether a word leads from the start to the end."""
    if len(word) != len(layers) or not widths[0]:
        return False
    state = 0
    for value, layer in zip(word, layers, strict=True):
        own = slice(bisect_left(layer, (state,)), bisect_left(layer, (state + 1,)))
        for _, values, head in layer[own]:
            if value in values:
                state = head
                break
        else:
            return False
    return True


def words(widths: Sequence[int], layers: Sequence[Sequence[Edge]]) -> Iterator[tuple[int, ...]]:
    """All words that lead to the end, in lexicographic order."""
    if not layers:
        yield from [()] * widths[0]
        return
    moves: list[list[list[tuple[int, int]]]] = []
    for width, layer in zip(widths, layers, strict=False):
        moves.append([[] for _ in range(width)])
        for tail, values, head in layer:
            moves[-1][tail] += [(value, head) for value in values]
        for choices in moves[-1]:
            choices.sort()
    word = [0] * len(layers)
    path = [iter(choices) for choices in moves[0]]
    while path:
        move = next(path[-1], None)
        if move is None:
            path.pop()
            continue
        word[len(path) - 1], state = move
        if len(path) == len(word):
            yield tuple(word)
        else:
            path.append(iter(moves[len(path)][state]))


def paths(widths: Sequence[int], layers: Sequence[Sequence[Edge]]) -> list[int]:
    """How many words lead through these layers to each state after them."""
    counts = [1] * widths[0]
    for layer, width in zip(layers, widths[1:], strict=False):
        before, counts = counts, [0] * width
        for tail, values, head in layer:
            counts[head] += before[tail] * len(values)
    return counts


def supported(
    widths: Sequence[int], layers: Sequence[Sequence[Edge]], domains: Sequence[frozenset[int]]
) -> tuple[tuple[int, ...], ...]:
    """Of each domain, the values on a path from the start to the end within the domains."""
    reached = [set(range(widths[0]))]
    for layer, domain in zip(layers, domains, strict=True):
        look()
        before = reached[-1]
        reached.append(
            {e.head for e in layer if e.tail in before and not domain.isdisjoint(e.values)}
        )
    alive = reached.pop()
    supports: list[tuple[int, ...]] = []
    for layer, domain in zip(reversed(layers), reversed(domains), strict=True):
        look()
        before = reached.pop()
        after, alive = alive, set()
        found: set[int] = set()
        for tail, values, head in layer:
            if head in after and tail in before and (kept := domain.intersection(values)):
                found |= kept
                alive.add(tail)
        supports.append(tuple(sorted(found)))
    return tuple(reversed(supports))


def rows(
    alphabets: Alphabets,
    widths: Sequence[int],
    layers: Sequence[Sequence[Edge]],
    *,
    complete: bool = False,
) -> list[Layer]:
    """The rows of all states over smaller alphabets, and last in each layer that of a sink.

    Where there is no edge, a complete row leads to the next sink and any other to -1; as an index
    that is the last row, the sink again.
    """
    filled: list[Layer] = []
    for position, (alphabet, layer) in enumerate(zip(alphabets, layers, strict=True)):
        place = {value: i for i, value in enumerate(alphabet)}
        missing = widths[position + 1] if complete else -1
        filling = [[missing] * len(alphabet) for _ in range(widths[position] + 1)]
        for tail, values, head in layer:
            row = filling[tail]
            for value in values:
                if value in place:
                    row[place[value]] = head
        filled.append(filling)
    return filled
