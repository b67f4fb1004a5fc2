"""The events of the textbook algorithms: everything they do, in the order in which they do it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from csp_encodings.factors import Variable
from csp_encodings.graph import Assignment

if TYPE_CHECKING:
    from csp_sudoku.textbook.csp import AnyArc


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice: a value for a variable, or an option for an item.

    `depth` is the number of choices that stand, this one included.
    """

    place: Any
    choice: Any
    depth: int

    def __str__(self) -> str:
        return f"choose {self.choice} for {self.place}"


@dataclass(frozen=True, slots=True)
class Backtracked:
    """All choices for a variable or an item have been tried."""

    place: Any
    depth: int

    def __str__(self) -> str:
        return f"backtrack from {self.place}"


@dataclass(frozen=True, slots=True)
class Revised:
    """REVISE looks at an arc; the values that it removes follow.

    `queue` holds the arcs that wait for their turn at this moment. The algorithm goes on with it.
    """

    arc: AnyArc
    queue: Collection[AnyArc] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"revise {self.arc}"


@dataclass(frozen=True, slots=True)
class Removed:
    """A value without support is removed from the domain of a variable."""

    variable: Variable
    value: int
    arc: AnyArc

    def __str__(self) -> str:
        return f"remove {self.value} from {self.variable}"


@dataclass(frozen=True, slots=True)
class Covered:
    """An item leaves the matrix, with every option that is in the way.

    A coloured item stays for the options of its colour: Knuth calls that "purify".
    """

    item: str
    colour: int = 0

    def __str__(self) -> str:
        return f"purify {self.item} to {self.colour}" if self.colour else f"cover {self.item}"


@dataclass(frozen=True, slots=True)
class Uncovered:
    """What :class:`Covered` did is undone."""

    item: str
    colour: int = 0

    def __str__(self) -> str:
        return f"unpurify {self.item} from {self.colour}" if self.colour else f"uncover {self.item}"


@dataclass(frozen=True, slots=True)
class SolutionFound:
    """A solution was found."""

    assignment: Assignment

    def __str__(self) -> str:
        return "solution " + " ".join(f"{place}={x}" for place, x in self.assignment.items())


Event: TypeAlias = Chosen | Backtracked | Revised | Removed | Covered | Uncovered | SolutionFound
Nested: TypeAlias = "Iterator[Event | Nested]"


def flatten(nested: Nested) -> Iterator[Event]:
    """Run a recursive generator that yields the generator of each recursive call.

    ``yield from`` would do the same, but only as deep as Python's stack.

    Examples
    --------
    >>> def count(depth):
    ...     yield Chosen("x", depth, depth)
    ...     if depth < 10_000:
    ...         yield count(depth + 1)
    >>> sum(1 for _ in flatten(count(1)))
    10000
    """
    calls = [nested]
    while calls:
        for event in calls[-1]:
            if isinstance(event, Iterator):
                calls.append(event)
                break
            yield event
        else:
            calls.pop()
