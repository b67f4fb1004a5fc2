"""Marks of your own, on cells, edges and corners; and the rule that all of them are given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from csp_sudoku import pictures
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint, in_grid
from csp_sudoku.constraints.custom import Where, read_function
from csp_sudoku.constraints.fields import Places, converted, rule, some_places, text, word
from csp_sudoku.constraints.logic import Not, others_of, refuse_unsure_marks
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle

# How many cells there are at each place for a mark.
_SIZES = {"cells": 1, "edges": 2, "corners": 4}


@rule(init=False)
class Mark(Where):
    """Mark of your own: a predicate accepts the values where the mark stands.

    It stands on a cell, on the edge between two cells or on the corner of four. The predicate is
    given their values in reading order. `text` is the name of the mark, and its symbol in pictures.
    With :func:`unmarked` all such marks are given.

    Examples
    --------
    >>> from csp_sudoku import Mark, Puzzle, count, unmarked
    >>> def is_five_or_ten(a, b):
    ...     return a + b in (5, 10)
    >>> star = Mark("R1C1 R1C2", is_five_or_ten, "★")
    >>> count(Puzzle.blank(4).add(star)).value
    96
    >>> count(Puzzle.blank(4).add(star, unmarked("★", is_five_or_ten))).value
    0
    """

    cells: Places = some_places(most=4, distinct=True, on_grid=True)
    name = "mark"

    def validate(self) -> None:
        """Require a cell, two cells that touch, or four around a corner; put them in order."""
        places = sorted(in_grid(self.cells))
        (top, left), (bottom, right) = places[0], places[-1]
        block = [Cell(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)]
        if bottom - top > 1 or right - left > 1 or places != block:
            raise ConstraintError(
                f"{self.label}: needs a cell, two cells that share an edge, or the four cells "
                f"around a corner, not {self.listing}"
            )
        object.__setattr__(self, "cells", tuple(places))
        super().validate()

    def describe(self, puzzle: Puzzle) -> str:
        return f"the values of {self.listing} fit the mark{f' {self.text}' * bool(self.text)}"

    @property
    def is_told(self) -> bool:
        return False

    def picture(self, puzzle: Puzzle) -> Iterable[pictures.Mark]:
        places = in_grid(self.cells)
        if len(places) == 2:
            return [pictures.Dot(*places, self.text, "none" if self.text else "white")]
        if len(places) == 4:
            return [pictures.Corner(places, self.text)]
        return [pictures.Note(places[0], self.text or "•")]

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        places = maker.rng.choice(
            [*[(cell,) for cell in maker.puzzle.cells], *maker.puzzle.edges()]
        )
        return super().draw(maker) | {"cells": places, "text": "m"}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Mark("R1C1 R1C2", _five_or_apart, "s"),
            Mark("R2C2", _is_odd, "o"),
            Mark("R1C1 R1C2 R2C1 R2C2", _crosswise, "c"),
        )


@rule
class Unmarked(Constraint):
    """All marks are given: where no mark of this name stands, the predicate accepts nothing.

    It is about all ``cells``, all ``edges`` between two cells, or all ``corners`` of four. See
    :func:`unmarked`.
    """

    text: str = text()
    predicate: Callable[..., object] = converted(read_function)
    on: str = word(*_SIZES)
    name = "unmarked"

    def places(self, puzzle: Puzzle) -> list[tuple[Cell, ...]]:
        """The cells, edges or corners without such a mark, in reading order."""
        marked = {mark.cells for mark in others_of(self, puzzle, Mark)}
        found: dict[str, Iterable[tuple[Cell, ...]]] = {
            "cells": [(cell,) for cell in puzzle.cells],
            "edges": puzzle.edges(),
            "corners": puzzle.corners(),
        }
        return [place for place in found[self.on] if place not in marked]

    def expand(self, puzzle: Puzzle) -> tuple[Constraint, ...]:
        """One rule for each place without a mark."""
        return tuple([Not(Where(place, self.predicate)) for place in self.places(puzzle)])

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return puzzle.cells

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return all(part.holds(values, puzzle) for part in self.expand(puzzle))

    def lower(self, ctx: Lowering) -> None:
        """Lower each part."""
        for part in self.expand(ctx.puzzle):
            part.lower(ctx)

    def check(self, puzzle: Puzzle) -> None:
        """Require that it is known which places are marked, and marks of the right kind."""
        refuse_unsure_marks(self, puzzle)
        for mark in others_of(self, puzzle, Mark):
            if len(mark.cells) != _SIZES[self.on]:
                raise ConstraintError(
                    f"{self.label}: it is about {self.on}, but {mark.label} stands on "
                    f"{len(mark.cells)} cells"
                )

    @classmethod
    def reads(cls) -> tuple[type[Constraint], ...]:
        return (Mark,)

    def depends_on(self, other: Constraint) -> bool:
        return isinstance(other, Mark) and other.text == self.text

    @property
    def label(self) -> str:
        return f"{self.name} {self.text}"

    def describe(self, puzzle: Puzzle) -> str:
        return f"all marks {self.text} are given: no other of the {self.on} fits the mark"

    @property
    def is_told(self) -> bool:
        return False

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        a, b = maker.rng.randint(2, 6), maker.rng.randint(1, 3)
        return {"text": "m", "predicate": lambda x, y: x + y == a or abs(x - y) == b, "on": "edges"}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (Unmarked("s", _always_apart, "edges"), Unmarked("o", _is_one, "cells"))


def unmarked(text: str, predicate: Callable[..., object], on: str | None = None) -> Unmarked:
    """All marks of this name are given: no place without one fits the predicate.

    By default the number of values that the predicate takes says where the marks stand: one on
    ``cells``, two on ``edges``, four on ``corners``.

    Examples
    --------
    >>> from csp_sudoku import Mark, Puzzle, count, unmarked
    >>> def far(a, b):
    ...     return abs(a - b) == 3
    >>> puzzle = Puzzle.blank(4).add(unmarked("far", far))
    >>> marks = [Mark("R1C2 R1C3", far, "far"), Mark("R3C2 R3C3", far, "far")]
    >>> count(puzzle).value, count(puzzle.add(*marks)).value
    (8, 4)
    """
    if on is None:
        sizes = {size: place for place, size in _SIZES.items()}
        try:
            on = sizes.get(len(inspect.signature(predicate).parameters))
        except (TypeError, ValueError):
            on = None
    if on is None:
        raise ConstraintError(
            f"unmarked {text}: its predicate must take 1, 2 or 4 values, or name one of "
            f"{', '.join(_SIZES)} as on="
        )
    return Unmarked(text, predicate, on)


def _five_or_apart(a: int, b: int) -> bool:
    return a + b == 5 or abs(a - b) > 2


def _always_apart(a: int, b: int) -> bool:
    return abs(a - b) > 2


def _is_odd(a: int) -> bool:
    return a % 2 == 1


def _is_one(a: int) -> bool:
    return a == 1 and a > 1


def _crosswise(a: int, b: int, c: int, d: int) -> bool:
    return a + d == b + c
