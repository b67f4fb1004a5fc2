"""The contract of a constraint: its scope, its rule, its sentence, and perhaps its lowering."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from csp_sudoku.cells import CellsLike, Place, Var, cells
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle

Values = Mapping[Any, int]

# How many completions of a partly filled constraint are tried before it counts as open.
_COMPLETIONS = 5_000


class Constraint:
    """A rule of a puzzle. Subclasses are frozen dataclasses and define at least :meth:`holds`.

    ``holds`` is the rule itself and the only thing that the checker and the oracle trust. A class
    without its own :meth:`lower` is compiled from ``holds`` alone, by enumerating its scope.
    """

    #: The name in puzzle files and on the command line, such as ``killer-cage``.
    name: ClassVar[str]

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        """The variables it speaks of, each once. Known only within a puzzle."""
        raise ConstraintError(f"{type(self).__name__} does not say its scope")

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        """Whether the rule is kept, given a value for every variable of the scope."""
        raise ConstraintError(f"{type(self).__name__} does not say when it holds")

    def lower(self, ctx: Lowering) -> None:
        """Compile to factors; by default the reference lowering, built from `holds` alone."""
        ctx.add_reference(self)

    def declares(self, puzzle: Puzzle) -> Iterable[tuple[Var, tuple[int, ...]]]:
        """Named variables, with their values, that come into the puzzle with this rule."""
        return ()

    def expand(self, puzzle: Puzzle) -> tuple[Constraint, ...]:
        """The simpler rules that it stands for, if it is only a name for them; else itself.

        A rule is asked when its last variable is set: smaller ones can be asked earlier.
        """
        return (self,)

    def check(self, puzzle: Puzzle) -> None:
        """Refuse a constraint that does not fit its puzzle, with a sentence that says why."""
        for place in self.scope(puzzle):
            if not puzzle.has(place):
                raise ConstraintError(f"{self.label}: {puzzle.no_such_place(place)}")

    def objection(self, puzzle: Puzzle) -> str | None:
        """Why no grid at all can keep this rule, where that shows at a glance; else None.

        Such a puzzle is well formed and has no solution, but a person who typed it wants to know.
        """
        return None

    def describe(self, puzzle: Puzzle) -> str:
        """Say the rule to a person, with its place filled in."""
        return f"{self.label} holds"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        """The marks that a picture shows it with, from :mod:`csp_sudoku.pictures.marks`.

        A rule without any is written under the picture, as it describes itself.
        """
        return ()

    @property
    def label(self) -> str:
        """A short name with its place, for error messages and tables."""
        return self.name

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        """A few instances that fit a 4×4 grid: what the tests and the help show of this rule."""
        return ()

    def different(self, puzzle: Puzzle) -> Iterable[tuple[Place, ...]]:
        """Groups of places that this rule makes pairwise different; other rules rely on it.

        A rule that announces a group here must enforce it in its lowering by itself, without
        asking :meth:`Lowering.distinct`: otherwise two rules could each rely on the other.
        """
        return ()

    def clashes(self, values: Values, puzzle: Puzzle) -> Iterator[tuple[Place, ...]]:
        """Groups of filled places that already break the rule, whatever the rest will be.

        By default the filled part of the scope, where no completion of the open part holds. That is
        tried while the completions are few; beyond, the rule counts as open.
        """
        scope = self.scope(puzzle)
        filled = {place: values[place] for place in scope if place in values}
        missing = [place for place in scope if place not in values]
        domains = [puzzle.values_of(place) for place in missing]
        if prod(map(len, domains)) > _COMPLETIONS:
            return
        if not any(
            self.holds(filled | dict(zip(missing, completion, strict=True)), puzzle)
            for completion in product(*domains)
        ):
            yield tuple(filled)

    def __and__(self, other: Constraint) -> Constraint:
        from csp_sudoku.constraints.logic import And

        return And((self, other))

    def __or__(self, other: Constraint) -> Constraint:
        from csp_sudoku.constraints.logic import Or

        return Or((self, other))

    def __invert__(self) -> Constraint:
        from csp_sudoku.constraints.logic import Not

        return Not(self)


@dataclass(frozen=True, init=False)
class CellConstraint(Constraint):
    """The common case: a fixed list of cells. Define ``accepts(values)``, or else ``holds``.

    Cells are taken in any form and kept as a tuple. A subclass with more fields than the cells
    writes an ``__init__`` that hands them all to :meth:`_set`.
    """

    cells: tuple[Place, ...]

    def __init__(self, cells: CellsLike, *more: CellsLike) -> None:
        self._set(cells=(cells, *more))

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", cells(self.cells))
        if not self.cells:
            raise ConstraintError(f"{self.name}: no cells are named")

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        """The cells, each once."""
        return tuple(dict.fromkeys(self.cells))

    def accepts(self, values: tuple[int, ...]) -> bool:
        """Whether the values of the cells, in their order, keep the rule."""
        raise ConstraintError(f"{type(self).__name__} does not say what it accepts")

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        """Ask :meth:`accepts`."""
        return self.accepts(tuple(values[place] for place in self.cells))

    @property
    def label(self) -> str:
        return f"{self.name} at {self.cells[0]}"

    @property
    def listing(self) -> str:
        """The cells as people write them."""
        return " ".join(map(str, self.cells))


def clashing_pairs(values: Values, places: Iterable[Place]) -> Iterator[tuple[Place, ...]]:
    """Groups of two or more filled places that hold the same value."""
    holders: dict[int, list[Place]] = {}
    for place in places:
        if place in values:
            holders.setdefault(values[place], []).append(place)
    return (tuple(group) for group in holders.values() if len(group) > 1)


def all_values(places: Iterable[Place], puzzle: Puzzle) -> list[int]:
    """All values that the places may hold, ascending."""
    return sorted({value for place in places for value in puzzle.values_of(place)})


def check_int(
    label: str, what: str, value: object, *, least: int | None = None, optional: bool = False
) -> None:
    """Refuse a field that is not a whole number, or is less than it may be."""
    if optional and value is None:
        return
    if type(value) is not int:
        raise ConstraintError(f"{label}: its {what} must be a whole number, not {value!r}")
    if least is not None and value < least:
        raise ConstraintError(f"{label}: its {what} must be {least} or more, not {value}")


def read_ints(label: str, what: str, values: object) -> tuple[int, ...]:
    """A field of several whole numbers as a tuple; anything else is refused."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ConstraintError(f"{label}: its {what} must be a list of whole numbers")
    found = tuple(values)
    for value in found:
        if type(value) is not int:
            raise ConstraintError(f"{label}: its {what} must be whole numbers, not {value!r}")
    return found
