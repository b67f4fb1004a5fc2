"""The tree of a text: what was written, before a puzzle says which cells a group has."""

from __future__ import annotations

from dataclasses import dataclass, field

from csp_sudoku.cells import Place

#: What a part of a text is: a condition, a number, or a group. A group of numbers is 1, a group of
#: such groups (rows, pairs) is 2, and so on.
CONDITION, NUMBER, GROUP = -1, 0, 1


def kind_name(kind: int) -> str:
    """Return a kind in words.

    Examples
    --------
    >>> kind_name(CONDITION), kind_name(NUMBER), kind_name(GROUP + 1)
    ('a condition', 'a number', 'a group of groups')
    """
    names = {CONDITION: "a condition", NUMBER: "a number", GROUP: "a group"}
    return names.get(kind, "a group of groups")


@dataclass(frozen=True)
class Node:
    """A part of a text: where it begins, what it is, and how many parts stand in each other."""

    at: int
    kind: int
    depth: int = field(default=1, kw_only=True)


@dataclass(frozen=True)
class Number(Node):
    """A number that is written down."""

    value: int


@dataclass(frozen=True)
class PlaceName(Node):
    """A cell or a named variable."""

    place: Place


@dataclass(frozen=True)
class Bound(Node):
    """A name that a ``for`` gives to each item of a group."""

    name: str


@dataclass(frozen=True)
class Apply(Node):
    """An operator or a function and its operands.

    The `word` says which comparison or which neighbours are meant.
    """

    operator: str
    operands: tuple[Node, ...]
    word: str = ""


@dataclass(frozen=True)
class Loop:
    """One ``for``: ``for a, b in pairs(row 1)``."""

    names: tuple[str, ...]
    group: Node


@dataclass(frozen=True)
class Each(Node):
    """An item for every turn of some loops: ``a + b for a, b in pairs(row 1)``."""

    item: Node
    loops: tuple[Loop, ...]
