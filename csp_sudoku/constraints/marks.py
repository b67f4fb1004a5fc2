"""Marks of your own, on cells, edges and corners; and the rule that all of them are given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from csp_sudoku import pictures
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Composed, Constraint, in_grid
from csp_sudoku.constraints.custom import Predicate, Where, read_predicate
from csp_sudoku.constraints.fields import Places, converted, rule, some_places, text, word
from csp_sudoku.constraints.logic import Not, others_of, refuse_unsure_marks
from csp_sudoku.errors import ConstraintError
from csp_sudoku.language.predicates import Condition

if TYPE_CHECKING:
    from csp_sudoku.fuzzing.rules import RuleMaker
    from csp_sudoku.puzzle import Puzzle

# How many cells there are at each place for a mark.
_SIZES = {"cells": 1, "edges": 2, "corners": 4}


@rule(init=False)
class Mark(Where):
    """Mark of your own: a predicate accepts the values where the mark stands.

    It stands on a cell, on the edge between two cells or on the corner of four. The predicate is
    a function of their values in reading order, or a text with the letters a, b, c and d for them;
    files can hold a text. `text` is the name of the mark, and its symbol in pictures. With
    :func:`unmarked` all such marks are given.

    Examples
    --------
    >>> from csp_sudoku import Mark, Puzzle, count, unmarked
    >>> star = Mark("R1C1 R1C2", "a + b in [5, 10]", "★")
    >>> count(Puzzle.blank(4).add(star)).value
    96
    >>> count(Puzzle.blank(4).add(star, unmarked("★", "a + b in [5, 10]"))).value
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
        told = f": {self.predicate}" if self.is_told else ""
        return f"the values of {self.listing} fit the mark{f' {self.text}' * bool(self.text)}{told}"

    @property
    def is_told(self) -> bool:
        return isinstance(self.predicate, Condition)

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
            Mark("R1C1 R1C2", "a + b == 5 or abs(a - b) > 2", "s"),
            Mark("R2C2", _is_odd, "o"),
            Mark("R1C1 R1C2 R2C1 R2C2", "a + d == b + c", "c"),
        )


@rule
class Unmarked(Composed):
    """All marks are given: where no mark of this name stands, the predicate accepts nothing.

    It is about all ``cells``, all ``edges`` between two cells, or all ``corners`` of four. See
    :func:`unmarked`.
    """

    text: str = text()
    predicate: Predicate = converted(read_predicate)
    on: str = word(*_SIZES)
    name = "unmarked"

    def validate(self) -> None:
        """Require no more letters than there are cells at each place."""
        if isinstance(self.predicate, Condition) and self.predicate.arity > _SIZES[self.on]:
            raise ConstraintError(
                f"{self.label}: its predicate {self.predicate} is about {self.predicate.arity} "
                f"values, but there are {_SIZES[self.on]} at each of the {self.on}"
            )

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
        return f"{self.name} {_brief(self.text)}"

    def describe(self, puzzle: Puzzle) -> str:
        told = f": {self.predicate}" if self.is_told else ""
        return f"all marks {self.text} are given: no other of the {self.on} fits the mark{told}"

    @property
    def is_told(self) -> bool:
        return isinstance(self.predicate, Condition)

    @classmethod
    def draw(cls, maker: RuleMaker) -> dict[str, Any]:
        a, b = maker.rng.randint(2, 6), maker.rng.randint(1, 3)
        return {"text": "m", "predicate": f"a + b == {a} or abs(a - b) == {b}", "on": "edges"}

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Unmarked("s", "abs(a - b) > 2", "edges"),
            Unmarked("o", _is_one, "cells"),
            Unmarked("c", "a + b + c + d == 0", "corners"),
        )


def unmarked(text: str, predicate: Callable[..., object] | str, on: str | None = None) -> Unmarked:
    """All marks of this name are given: no place without one fits the predicate.

    By default the number of values that the predicate takes says where the marks stand: one on
    ``cells``, two on ``edges``, four on ``corners``.

    Examples
    --------
    >>> from csp_sudoku import Mark, Puzzle, count, unmarked
    >>> far = "abs(a - b) == 3"
    >>> puzzle = Puzzle.blank(4).add(unmarked("far", far))
    >>> marks = [Mark("R1C2 R1C3", far, "far"), Mark("R3C2 R3C3", far, "far")]
    >>> count(puzzle).value, count(puzzle.add(*marks)).value
    (8, 4)
    """
    try:
        on = on or _usual_places(predicate)
    except ConstraintError as error:
        raise ConstraintError(f"{Unmarked.name} {_brief(text)}: {error}") from None
    if on is None:
        raise ConstraintError(
            f"{Unmarked.name} {_brief(text)}: its predicate must take 1, 2 or 4 values, or name "
            f"one of {', '.join(_SIZES)} as on="
        )
    return Unmarked(text, predicate, on)


def _usual_places(predicate: Callable[..., object] | str) -> str | None:
    """Where marks stand, by the number of values of their predicate; None if that is unclear."""
    asked = read_predicate(predicate)
    try:
        if isinstance(asked, Condition):
            return next((on for on, size in _SIZES.items() if asked.arity <= size), None)
        number = len(inspect.signature(asked).parameters)
    except (TypeError, ValueError):
        return None
    return next((on for on, size in _SIZES.items() if number == size), None)


def _brief(text: object) -> str:
    """The name of a mark as an error shows it."""
    return str(text) if len(str(text)) <= 20 else f"{str(text)[:19]}…"


def _is_odd(a: int) -> bool:
    return a % 2 == 1


def _is_one(a: int) -> bool:
    return a == 1 and a > 1
