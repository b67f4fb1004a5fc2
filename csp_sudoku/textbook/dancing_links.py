"""Algorithm X with dancing links, on exact cover problems with colours (Algorithm C).

D. E. Knuth, *The Art of Computer Programming*, volume 4B, section 7.2.2.1. The matrix of the
problem is made of nodes: a row for every option, a column for every item. A node is linked to its
neighbours in all four directions, and an item is the header of its column. To take a node out of a
list, its neighbours are linked to each other. The node itself still knows them, and that is all
that is needed to put it back.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from csp_encodings.exact_cover import ExactCover
from csp_sudoku.textbook.events import (
    Backtracked,
    Chosen,
    Covered,
    Event,
    Nested,
    SolutionFound,
    Uncovered,
    flatten,
)

# The colour of a node whose item was purified to the same colour: nothing has to be done for it.
_PURIFIED = -1


@dataclass(frozen=True, slots=True)
class Option:
    """A row of the matrix: its number, its items with their colours, and what it says.

    `meaning` is a variable and its value, or None for a step of an automaton.
    """

    number: int
    items: tuple[tuple[str, int], ...]
    meaning: tuple[Any, int] | None

    def __str__(self) -> str:
        said = (f"{name}:{colour}" if colour else name for name, colour in self.items)
        return "{}={}".format(*self.meaning) if self.meaning else " ".join(said)


class Node:
    """Where an option has an item."""

    __slots__ = ("colour", "down", "item", "left", "option", "right", "up")
    item: Item
    option: Option

    def __init__(self, colour: int = 0) -> None:
        self.left = self.right = self.up = self.down = self
        self.colour = colour

    def link_left_of(self, other: Node) -> None:
        """Enter a row before another node."""
        self.left, self.right = other.left, other
        other.left.right = other.left = self

    def link_above(self, other: Node) -> None:
        """Enter a column above another node."""
        self.up, self.down = other.up, other
        other.up.down = other.up = self


class Item(Node):
    """The header of a column. The headers of the primary items are in a row with the root."""

    __slots__ = ("name", "preferred", "size")

    def __init__(self, name: str, *, preferred: bool = False) -> None:
        super().__init__()
        self.name = name
        self.preferred = preferred
        self.size = 0


def walk(start: Node, direction: str) -> Iterator[Any]:
    """The other nodes of a row (``"right"``, ``"left"``) or of a column (``"down"``, ``"up"``)."""
    node = getattr(start, direction)
    while node is not start:
        yield node
        node = getattr(node, direction)


def matrix(problem: ExactCover, restrict: Mapping[Any, Container[int]] | None = None) -> Item:
    """Link the nodes of a problem, and return the root of the list of primary items.

    `restrict` says for some variables which values they may take. Options with other values are
    left out.
    """
    root = Item("root")
    items = [Item(name, preferred=i < problem.preferred) for i, name in enumerate(problem.items)]
    for item in items[: problem.primary]:
        item.link_left_of(root)
    starts, members, colours = (
        array.tolist() for array in (problem.starts, problem.members, problem.colours)
    )
    for number, meaning in enumerate(problem.meanings):
        if restrict and meaning and meaning[1] not in restrict.get(meaning[0], (meaning[1],)):
            continue
        places = range(starts[number], starts[number + 1])
        named = tuple((items[members[k]].name, colours[k]) for k in places)
        option = Option(number, named, meaning)
        row: Node | None = None
        for k in places:
            node = Node(colours[k])
            node.item, node.option = items[members[k]], option
            node.item.size += 1
            node.link_above(node.item)
            if row:
                node.link_left_of(row)
            row = row or node
    return root


def hide(node: Node) -> None:
    """Take the other nodes of an option out of their columns."""
    for other in walk(node, "right"):
        if other.colour != _PURIFIED:
            other.up.down, other.down.up = other.down, other.up
            other.item.size -= 1


def unhide(node: Node) -> None:
    """Put them back, in the opposite order."""
    for other in walk(node, "left"):
        if other.colour != _PURIFIED:
            other.up.down = other.down.up = other
            other.item.size += 1


def cover(item: Item) -> None:
    """Take an item out of the list of items, and hide all its options."""
    item.left.right, item.right.left = item.right, item.left
    for node in walk(item, "down"):
        hide(node)


def uncover(item: Item) -> None:
    """Put it back."""
    for node in walk(item, "up"):
        unhide(node)
    item.left.right = item.right.left = item


def purify(item: Item, colour: int) -> None:
    """Hide the options that give an item another colour."""
    for node in walk(item, "down"):
        if node.colour == colour:
            node.colour = _PURIFIED
        else:
            hide(node)


def unpurify(item: Item, colour: int) -> None:
    """Put them back."""
    for node in walk(item, "up"):
        if node.colour == _PURIFIED:
            node.colour = colour
        else:
            unhide(node)


def commit(node: Node) -> Iterator[Event]:
    """Cover the item of a node of the chosen option, or leave it to the options of its colour."""
    if node.colour == 0:
        cover(node.item)
        yield Covered(node.item.name)
    elif node.colour != _PURIFIED:
        purify(node.item, node.colour)
        yield Covered(node.item.name, node.colour)


def uncommit(node: Node) -> Iterator[Event]:
    """Undo what :func:`commit` did."""
    if node.colour == 0:
        uncover(node.item)
        yield Uncovered(node.item.name)
    elif node.colour != _PURIFIED:
        unpurify(node.item, node.colour)
        yield Uncovered(node.item.name, node.colour)


def choose_item(root: Item) -> Item | None:
    """The primary item with the fewest options (MRV), or None if all are covered.

    Items of auxiliaries wait until the others are covered: the "sharp preference" of Knuth's
    exercise 10.
    """
    items = walk(root, "right")
    return min(items, key=lambda item: (not item.preferred, item.size), default=None)


def algorithm_x(
    problem: ExactCover, restrict: Mapping[Any, Container[int]] | None = None
) -> Iterator[Event]:
    """Find all exact covers, and tell every step on the way.

    Examples
    --------
    >>> from csp_encodings.exact_cover import encode
    >>> from csp_encodings.factors import AllDifferent
    >>> from csp_encodings.graph import graph_of
    >>> graph = graph_of({"x": (1,), "y": (1, 2)}, AllDifferent(("x", "y")))
    >>> for event in algorithm_x(encode(graph)):
    ...     print(event)
    ...     if isinstance(event, SolutionFound):
    ...         break
    cover x
    choose x=1 for x
    cover factor 0 has 1
    cover y
    choose y=2 for y
    cover factor 0 has 2
    solution x=1 y=2
    """
    root = matrix(problem, restrict)
    taken: list[int] = []

    def search(depth: int) -> Nested:
        item = choose_item(root)
        if item is None:
            yield SolutionFound(problem.decode(taken))
            return
        cover(item)
        yield Covered(item.name)
        for node in walk(item, "down"):
            yield Chosen(item.name, node.option, depth)
            for other in walk(node, "right"):
                yield from commit(other)
            taken.append(node.option.number)
            yield search(depth + 1)
            taken.pop()
            for other in walk(node, "left"):
                yield from uncommit(other)
        uncover(item)
        yield Uncovered(item.name)
        yield Backtracked(item.name, depth)

    return flatten(search(1))
