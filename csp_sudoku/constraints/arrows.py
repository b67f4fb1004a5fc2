"""Arrows: cells on a shaft that sum to what the circle says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from csp_sudoku.cells import CellsLike, Place, cells
from csp_sudoku.constraints.base import CellConstraint, Constraint, Values
from csp_sudoku.errors import ConstraintError

if TYPE_CHECKING:
    from csp_sudoku.lowering import Lowering
    from csp_sudoku.puzzle import Puzzle


@dataclass(frozen=True, init=False)
class _Arrow(Constraint):
    """One circle and a shaft."""

    circle: Place
    shaft: tuple[Place, ...]

    def __init__(self, circle: CellsLike, shaft: CellsLike, *more: CellsLike) -> None:
        circles, shafts = cells(circle), cells(shaft, *more)
        if len(circles) != 1:
            raise ConstraintError(f"{self.name}: its circle is one cell, not {len(circles)}")
        object.__setattr__(self, "circle", circles[0])
        object.__setattr__(self, "shaft", shafts)
        if not shafts:
            raise ConstraintError(f"{self.label}: its shaft has no cells")

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys((self.circle, *self.shaft)))

    @property
    def label(self) -> str:
        return f"{self.name} at {self.circle}"


@dataclass(frozen=True, init=False)
class Arrow(_Arrow):
    """The values on the shaft sum to the value in the circle; values may repeat.

    Examples
    --------
    >>> from csp_sudoku import Arrow, Puzzle, count
    >>> count(Puzzle.blank(4).add(Arrow("R1C1", "R1C2 R1C3"))).value
    48
    """

    name = "arrow"

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        return values[self.circle] == sum(values[place] for place in self.shaft)

    def lower(self, ctx: Lowering) -> None:
        """One linear factor, the circle first: an automaton then only knows what is left."""
        ctx.add_sum((self.circle, *self.shaft), 0, 0, (-1, *(1 for _ in self.shaft)))

    def objection(self, puzzle: Puzzle) -> str | None:
        """A shaft that cannot be as small as the circle's greatest value."""
        least, most = _reach(self.shaft, puzzle)[0], _reach((self.circle,), puzzle)[1]
        if least > most:
            return (
                f"{self.label}: {len(self.shaft)} cells sum to at least {least}, "
                f"more than the circle's {most}"
            )
        return None

    def describe(self, puzzle: Puzzle) -> str:
        shaft = " ".join(map(str, self.shaft))
        return f"the cells {shaft} of the arrow sum to its circle {self.circle}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            Arrow("R1C1", "R1C2 R2C2"),
            Arrow("R1C1", "R2C2"),
            Arrow("R1C1", "R2C2 R3C3 R2C2"),
            Arrow("R1C1", "R1C1 R1C2"),
        )


@dataclass(frozen=True, init=False)
class AverageArrow(_Arrow):
    """The value in the circle is the mean of the values on the shaft.

    Examples
    --------
    >>> from csp_sudoku import AverageArrow, Puzzle, count
    >>> count(Puzzle.blank(4).add(AverageArrow("R1C1", "R1C2 R1C3"))).value
    48
    """

    name = "average-arrow"

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        total = sum(values[place] for place in self.shaft)
        return total == len(self.shaft) * values[self.circle]

    def lower(self, ctx: Lowering) -> None:
        """One linear factor, the circle first: an automaton then only knows what is left."""
        ctx.add_sum((self.circle, *self.shaft), 0, 0, (-len(self.shaft), *(1 for _ in self.shaft)))

    def describe(self, puzzle: Puzzle) -> str:
        shaft = " ".join(map(str, self.shaft))
        return f"the circle {self.circle} is the mean of {shaft} on the arrow"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            AverageArrow("R1C1", "R1C2 R2C2 R3C3"),
            AverageArrow("R1C1", "R2C2"),
            AverageArrow("R1C1", "R1C1 R2C3"),
        )


@dataclass(frozen=True, init=False)
class PillArrow(Constraint):
    """The values on the shaft sum to the decimal number that the pill's two or three cells show.

    The pill is read in the order in which its cells are named, and every cell but the first
    holds a digit, 0 to 9.

    Examples
    --------
    >>> from csp_sudoku import PillArrow, Puzzle, count
    >>> count(Puzzle.blank(4).add(PillArrow("R1C1 R1C2", "R2C1-R2C4 R3C1"))).value
    36
    """

    pill: tuple[Place, ...]
    shaft: tuple[Place, ...]
    name = "pill-arrow"

    def __init__(self, pill: CellsLike, shaft: CellsLike, *more: CellsLike) -> None:
        object.__setattr__(self, "pill", cells(pill))
        object.__setattr__(self, "shaft", cells(shaft, *more))
        if len(self.pill) not in (2, 3):
            raise ConstraintError(f"{self.name}: its pill is 2 or 3 cells, not {len(self.pill)}")
        if not self.shaft:
            raise ConstraintError(f"{self.label}: its shaft has no cells")

    def scope(self, puzzle: Puzzle) -> tuple[Place, ...]:
        return tuple(dict.fromkeys((*self.pill, *self.shaft)))

    def holds(self, values: Values, puzzle: Puzzle) -> bool:
        number, *digits = (values[place] for place in self.pill)
        for digit in digits:
            if not 0 <= digit <= 9:
                return False
            number = 10 * number + digit
        return number == sum(values[place] for place in self.shaft)

    def lower(self, ctx: Lowering) -> None:
        """One linear factor, the greatest weights first: only what the shaft can reach is left."""
        for place in self.pill[1:]:
            if not set(ctx.domain(place)) <= set(range(10)):
                ctx.add_condition(place, range(10).__contains__)
        weights = (*(10**i for i in reversed(range(len(self.pill)))), *(-1 for _ in self.shaft))
        ctx.add_sum((*self.pill, *self.shaft), 0, 0, weights)

    def objection(self, puzzle: Puzzle) -> str | None:
        """Numbers that the shaft cannot reach."""
        reaches = [_reach((place,), puzzle) for place in self.pill]
        weights = [10**i for i in reversed(range(len(self.pill)))]
        least = sum(w * low for w, (low, _) in zip(weights, reaches, strict=True))
        most = _reach(self.shaft, puzzle)[1]
        if least > most:
            return (
                f"{self.label}: its pill shows at least {least}, more than the {most} that "
                f"{len(self.shaft)} cells sum to"
            )
        return None

    @property
    def label(self) -> str:
        return f"{self.name} at {self.pill[0]}"

    def describe(self, puzzle: Puzzle) -> str:
        pill, shaft = " ".join(map(str, self.pill)), " ".join(map(str, self.shaft))
        return f"the cells {shaft} of the arrow sum to the number in its pill {pill}"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            PillArrow("R1C1 R1C2", "R2C1 R2C4 R3C2 R4C3"),
            PillArrow("R1C1 R2C1 R3C1", "R1C2 R2C2"),
            PillArrow("R1C1 R1C2", "R1C2 R1C1 R2C1"),
        )


@dataclass(frozen=True, init=False)
class DoubleArrow(CellConstraint):
    """The two ends of the line sum to the same as the cells between them.

    Examples
    --------
    >>> from csp_sudoku import DoubleArrow, Puzzle, count
    >>> count(Puzzle.blank(4).add(DoubleArrow("R1C1 R1C2 R2C3 R2C4"))).value
    144
    """

    name = "double-arrow"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.cells) < 3:
            raise ConstraintError(
                f"{self.label}: needs two ends and a cell between, not {len(self.cells)} cells"
            )

    def accepts(self, values: tuple[int, ...]) -> bool:
        return values[0] + values[-1] == sum(values[1:-1])

    def lower(self, ctx: Lowering) -> None:
        """One linear factor, the ends first: an automaton then only knows what is left."""
        first, *between, last = self.cells
        ctx.add_sum((first, last, *between), 0, 0, (1, 1, *(-1 for _ in between)))

    def objection(self, puzzle: Puzzle) -> str | None:
        """Inner cells that cannot be as small as the ends at their greatest."""
        least = _reach(self.cells[1:-1], puzzle)[0]
        most = _reach((self.cells[0], self.cells[-1]), puzzle)[1]
        if least > most:
            return f"{self.label}: the cells between sum to at least {least}, its ends to {most}"
        return None

    def describe(self, puzzle: Puzzle) -> str:
        return f"the ends of {self.listing} sum to the same as the cells between"

    @classmethod
    def examples(cls) -> tuple[Constraint, ...]:
        return (
            DoubleArrow("R1C1 R1C2 R2C3 R2C4"),
            DoubleArrow("R1C1 R1C2 R2C3"),
            DoubleArrow("R1C1 R1C2 R3C3 R1C1"),
        )


def _reach(places: tuple[Place, ...], puzzle: Puzzle) -> tuple[int, int]:
    """The least and the greatest sum."""
    domains = [puzzle.values_of(place) or (0,) for place in places]
    return sum(domain[0] for domain in domains), sum(domain[-1] for domain in domains)
