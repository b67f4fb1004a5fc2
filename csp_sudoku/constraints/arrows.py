"""Arrows: the cells on the shaft sum to the number in the circle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from csp_sudoku import pictures
from csp_sudoku.cells import Cell, CellsLike, Place, Var
from csp_sudoku.constraints.aspects import Dash, Look, Placing, tried_lines
from csp_sudoku.constraints.base import CellConstraint, Constraint, in_grid
from csp_sudoku.constraints.fields import OnePlace, Places, one_place, rule, some_places
from csp_sudoku.forms import FPuzzles, Iss, SingleCell, SudokuMaker
from csp_sudoku.understanding.phrases import Phrase

if TYPE_CHECKING:
    from csp_encodings.graph import Assignment
    from csp_sudoku.generating.easel import Easel
    from csp_sudoku.grid import Grid
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.pictures.marks import Mark
    from csp_sudoku.puzzle import Puzzle
    from csp_sudoku.understanding.figures import Figure
    from csp_sudoku.understanding.sentences import Sentence


@rule
class _Arrow(Constraint):
    """An arrow with one circle and a shaft."""

    circle: OnePlace = one_place()
    shaft: Places = some_places()

    def __init__(self, circle: CellsLike, shaft: CellsLike, *more: CellsLike) -> None:
        self._set(circle=circle, shaft=(shaft, *more) if more else shaft)

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys((self.circle, *self.shaft)))

    def uses(self, puzzle: Puzzle) -> Iterable[tuple[Var, tuple[int, ...]]]:
        """A circle outside the grid may have any sum of the shaft, or any mean of it."""
        if type(self.circle) is not Var or puzzle.has(self.circle):
            return []
        low, high = _reach(self.shaft, puzzle)
        return [(self.circle, tuple(range(min(low, 0), high + 1)))]

    @property
    def label(self) -> str:
        return f"{self.name} at {self.circle}"

    def _drawn(self, hue: str, dash: Dash) -> list[Mark]:
        circle, *shaft = in_grid((self.circle, *self.shaft))
        return [
            pictures.Shape(circle, "ring", hue),
            pictures.Arrow((circle, *shaft), hue, dash),
        ]

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """The circle of a drawn arrow is its head, its cells are the shaft."""
        return [cls(figure.heads[0], figure.cells) for figure in figures]


class Arrow(_Arrow):
    """Arrow: the values on the shaft sum to the value in the circle. Values may repeat.

    Examples
    --------
    >>> from csp_sudoku import Arrow, Puzzle, count
    >>> count(Puzzle.blank(4).add(Arrow("R1C1", "R1C2 R1C3"))).value
    48
    """

    name = "arrow"
    aliases = ("arrows",)
    saying = "Digits along a {colour}arrow sum to the digit in its circle."

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        return values[self.circle] == sum(values[place] for place in self.shaft)

    def lower(self, ctx: Lowering) -> None:
        """Add one linear factor, the circle first: an automaton then remembers only the rest."""
        ctx.add_sum((self.circle, *self.shaft), 0, 0, (-1, *(1 for _ in self.shaft)))

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a shaft whose sum is always greater than the circle."""
        least, most = _reach(self.shaft, puzzle)[0], _reach((self.circle,), puzzle)[1]
        if least > most:
            return (
                f"{self.label}: {len(self.shaft)} cells sum to at least {least}, but the circle is "
                f"at most {most}"
            )
        return None

    def describe(self, puzzle: Puzzle) -> str:
        if len(self.shaft) == 1:
            return f"the cell {self.shaft[0]} of the arrow equals its circle {self.circle}"
        shaft = " ".join(map(str, self.shaft))
        return f"the cells {shaft} of the arrow sum to its circle {self.circle}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return self._drawn("grey", ())

    placing = Placing(in_three_rows=2, drawn=True)

    @classmethod
    def propose(cls, easel: Easel) -> Constraint | None:
        """Draw a line; its first cell is the circle of as many others as have its sum."""
        cells = easel.line(easel.chance.randint(3, 4))
        for end in range(3, len(cells) + 1):
            if sum(map(easel.value, cells[1:end])) == easel.value(cells[0]):
                return cls(cells[0], cells[1:end])
        return None

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Arrow("R1C1", "R1C2 R2C2"),
            Arrow("R1C1", "R2C2"),
            Arrow("R1C1", "R2C2 R3C3 R2C2"),
            Arrow("R1C1", "R1C1 R1C2"),
        )

    formats = (
        FPuzzles("arrow", "arrow", when={"cells": SingleCell()}),
        SudokuMaker(408, "arrow", within="bulbsWithArrows", when={"bulbCells": SingleCell()}),
        Iss("Arrow", "arrow"),
    )

    phrases = (
        Phrase(
            "arrow",
            "sum arrow circle|bulb|base",
            may="line same base bulb circle",
            forms="circle",
        ),
        Phrase(
            "arrow",
            "sum arrow circle pill or",
            may="line same reading-order multi-digit",
            forms="circle",
        ),
    )


class AverageArrow(_Arrow):
    """Average arrow: the value in the circle is the mean of the values on the shaft.

    Examples
    --------
    >>> from csp_sudoku import AverageArrow, Puzzle, count
    >>> count(Puzzle.blank(4).add(AverageArrow("R1C1", "R1C2 R1C3"))).value
    48
    """

    name = "average-arrow"

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        total = sum(values[place] for place in self.shaft)
        return total == len(self.shaft) * values[self.circle]

    def lower(self, ctx: Lowering) -> None:
        """Add one linear factor, the circle first: an automaton then remembers only the rest."""
        ctx.add_sum((self.circle, *self.shaft), 0, 0, (-len(self.shaft), *(1 for _ in self.shaft)))

    def describe(self, puzzle: Puzzle) -> str:
        shaft = " ".join(map(str, self.shaft))
        return f"the circle {self.circle} of the arrow is the mean of {shaft}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        return [
            *self._drawn("teal", (0.14, 0.1)),
            *(pictures.Note(place, "⌀") for place in in_grid([self.circle])),
        ]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            AverageArrow("R1C1", "R1C2 R2C2 R3C3"),
            AverageArrow("R1C1", "R2C2"),
            AverageArrow("R1C1", "R1C1 R2C3"),
        )

    def restated(self, puzzle: Puzzle) -> Iterable[Constraint]:
        from csp_sudoku.constraints.cages import Sum

        weights = (-len(self.shaft), *(1 for _ in self.shaft))
        return [Sum((self.circle, *self.shaft), 0, weights)]

    phrases = (Phrase("arrow", "average arrow circle", may="line same", forms="circle"),)


@rule
class PillArrow(Constraint):
    """Pill arrow: the values on the shaft sum to the number in the pill of two or three cells.

    The cells of the pill are the digits of a decimal number, in the order of the list. All but the
    first hold 0 to 9.

    Examples
    --------
    >>> from csp_sudoku import PillArrow, Puzzle, count
    >>> count(Puzzle.blank(4).add(PillArrow("R1C1 R1C2", "R2C1-R2C4 R3C1"))).value
    36
    """

    pill: Places = some_places(least=2, most=3)
    shaft: Places = some_places()
    name = "pill-arrow"
    saying = "Digits along a {colour}arrow sum to the number in its pill."

    def __init__(self, pill: CellsLike, shaft: CellsLike, *more: CellsLike) -> None:
        self._set(pill=pill, shaft=(shaft, *more) if more else shaft)

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys((*self.pill, *self.shaft)))

    def holds(self, values: Assignment, puzzle: Puzzle) -> bool:
        number, *digits = (values[place] for place in self.pill)
        for digit in digits:
            if not 0 <= digit <= 9:
                return False
            number = 10 * number + digit
        return number == sum(values[place] for place in self.shaft)

    def lower(self, ctx: Lowering) -> None:
        """Add one linear factor, the pill first: then few sums are left for the shaft."""
        for place in self.pill[1:]:
            if not set(ctx.domain(place)) <= set(range(10)):
                ctx.add_condition(place, range(10).__contains__)
        weights = (*(10**i for i in reversed(range(len(self.pill)))), *(-1 for _ in self.shaft))
        ctx.add_sum((*self.pill, *self.shaft), 0, 0, weights)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to a pill whose number is always greater than the shaft."""
        reaches = [_reach((place,), puzzle) for place in self.pill]
        weights = [10**i for i in reversed(range(len(self.pill)))]
        least = sum(w * low for w, (low, _) in zip(weights, reaches, strict=True))
        most = _reach(self.shaft, puzzle)[1]
        if least > most:
            return (
                f"{self.label}: its pill is at least {least}, but {len(self.shaft)} cells sum to "
                f"at most {most}"
            )
        return None

    @property
    def label(self) -> str:
        return f"{self.name} at {self.pill[0]}"

    def describe(self, puzzle: Puzzle) -> str:
        pill, shaft = " ".join(map(str, self.pill)), " ".join(map(str, self.shaft))
        return f"the cells {shaft} of the arrow sum to the number in its pill {pill}"

    def picture(self, puzzle: Puzzle) -> Iterable[Mark]:
        pill, shaft = in_grid(self.pill), in_grid(self.shaft)
        # The arrow leaves the pill at the cell nearest to where it goes.
        near = min(pill, key=lambda c: (abs(c.row - shaft[0].row) + abs(c.col - shaft[0].col), c))
        return [pictures.Pill(pill), pictures.Arrow((near, *shaft))]

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            PillArrow("R1C1 R1C2", "R2C1 R2C4 R3C2 R4C3"),
            PillArrow("R1C1 R2C1 R3C1", "R1C2 R2C2"),
            PillArrow("R1C1 R1C2", "R1C2 R1C1 R2C1"),
        )

    formats = (
        FPuzzles(
            "arrow",
            "pill",
            requires=("a pill in reading order", lambda rule, _: _in_order(rule.pill)),
        ),
        SudokuMaker(408, "pill", within="bulbsWithArrows"),
        Iss("PillArrow", "pill"),
    )

    phrases = (
        Phrase(
            "arrow",
            "sum arrow pill|circle",
            may="line same base pill circle reading-order multi-digit",
            forms="pill",
        ),
        Phrase(
            "arrow",
            "sum arrow circle pill or",
            may="line same reading-order multi-digit",
            forms="pill",
        ),
    )

    @classmethod
    def from_figures(
        cls, figures: Sequence[Figure], sentence: Sentence, grid: Grid, **fields: int
    ) -> Iterable[Constraint]:
        """The pill of a drawn arrow is its head, its cells are the shaft."""
        return [cls(figure.heads, figure.cells) for figure in figures]


@rule(init=False)
class DoubleArrow(CellConstraint):
    """Double arrow: the two ends of the line have the same sum as the cells between them.

    If both ends are one cell, it counts twice.

    Examples
    --------
    >>> from csp_sudoku import DoubleArrow, Puzzle, count
    >>> count(Puzzle.blank(4).add(DoubleArrow("R1C1 R1C2 R2C3 R2C4"))).value
    144
    """

    cells: Places = some_places(least=3, needs="two ends and a cell between them")
    name = "double-arrow"
    saying = (
        "The digits in the end circles of a {colour}line sum to the same as those between them."
    )

    def accepts(self, values: tuple[int, ...]) -> bool:
        return values[0] + values[-1] == sum(values[1:-1])

    def lower(self, ctx: Lowering) -> None:
        """Add one linear factor, the ends first: an automaton then remembers only the rest."""
        first, *between, last = self.cells
        ctx.add_sum((first, last, *between), 0, 0, (1, 1, *(-1 for _ in between)))

    def objection(self, puzzle: Puzzle) -> str | None:
        """Object to inner cells whose sum is always greater than that of the ends."""
        least = _reach(self.cells[1:-1], puzzle)[0]
        most = _reach((self.cells[0], self.cells[-1]), puzzle)[1]
        if least > most:
            return (
                f"{self.label}: the cells between sum to at least {least}, but the ends to at most "
                f"{most}"
            )
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"the ends of the double arrow {self.listing} sum to the same as the cells between"

    look = Look("grey", 0.05, ends="ring")
    placing = tried_lines(longest=5)

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            DoubleArrow("R1C1 R1C2 R2C3 R2C4"),
            DoubleArrow("R1C1 R1C2 R2C3"),
            DoubleArrow("R1C1 R1C2 R3C3 R1C1"),
        )

    formats = (
        FPuzzles("doublearrow", "lines", least=3),
        SudokuMaker(409, "lines"),
        Iss("DoubleArrow", "cells"),
    )

    phrases = (
        Phrase(
            "line",
            "sum circle line|double-arrow",
            may="line end between double-arrow same",
            forms="circle",
        ),
    )


def _reach(places: tuple[Place, ...], puzzle: Puzzle) -> tuple[int, int]:
    """The least and the greatest sum."""
    domains = [puzzle.values_of(place) or (0,) for place in places]
    return sum(domain[0] for domain in domains), sum(domain[-1] for domain in domains)


def _in_order(places: tuple[Place, ...]) -> bool:
    cells = [place for place in places if isinstance(place, Cell)]
    return cells == sorted(cells)
