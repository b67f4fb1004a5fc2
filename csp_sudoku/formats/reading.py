"""What the document of another program gives: a puzzle, and what else the document says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from csp_sudoku.cells import Cell
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.grid import Grid, check_size
from csp_sudoku.puzzle import Puzzle

# Far more than any puzzle has: a short document must not cause hours of work.
MAX_CONSTRAINTS = 10_000
MAX_PLACES = 200_000
# A rule may name a cell twice, but no rule has this many cells.
MAX_CELLS = 1_000


@dataclass(frozen=True)
class NotUnderstood:
    """Something in a source that no rule of the puzzle stands for.

    ``kind`` is what it is called there: a key, a type, or ``drawing``. ``where`` is the entry, if
    there is one, and ``text`` says what is wrong with it.
    """

    kind: str
    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}" if self.where else self.text


@dataclass(frozen=True)
class Reading:
    """A puzzle, and what its document says besides.

    ``solution`` is the solution that the document states, None where it leaves a cell open; it is
    a claim, and part of no rule. ``notes`` are hints, such as rules that only the text tells.
    ``missing`` is what the puzzle lacks; ``puzzle.left_out`` says the same in sentences.
    """

    puzzle: Puzzle
    title: str = ""
    author: str = ""
    rules: str = ""
    solution: tuple[int | None, ...] = ()
    notes: tuple[str, ...] = ()
    missing: tuple[NotUnderstood, ...] = ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """The rules of the document that the puzzle does not have."""
        return self.puzzle.left_out


def check_length(items: Sequence[object], what: str = "cells") -> None:
    """Refuse a list that is longer than any puzzle needs."""
    if len(items) > MAX_CELLS:
        raise FormatError(f"{len(items):,} {what}: no rule has more than {MAX_CELLS:,}")


class Collector:
    """Gathers the rules of a document. What is not understood is refused, or else listed."""

    def __init__(self, shape: Puzzle, *, lenient: bool = False) -> None:
        self.shape = shape
        self.constraints: list[Constraint] = []
        self.missing: list[NotUnderstood] = []
        self.notes: list[str] = []
        self._lenient = lenient
        self._places = 0

    @contextmanager
    def at(self, where: str, kind: str = "") -> Iterator[None]:
        """Read one entry. An error names it; a lenient reader then leaves out the whole entry."""
        before = len(self.constraints)
        try:
            yield
        except _TooMuchError:
            raise
        except CspSudokuError as error:
            del self.constraints[before:]
            self.refuse(kind or where, where, str(error))

    def refuse(self, kind: str, where: str, text: str) -> None:
        """Raise an error for something that is not understood; a lenient reader lists it."""
        if not self._lenient:
            raise FormatError(str(NotUnderstood(kind, where, text))) from None
        self.leave_out(kind, where, text)

    def leave_out(self, kind: str, where: str, text: str) -> None:
        """List something that is not understood, whether the reader is lenient or not."""
        self.missing.append(NotUnderstood(kind, where, text))

    def lacks(self, *kinds: str) -> bool:
        """Whether something of these kinds was left out."""
        return any(item.kind in kinds for item in self.missing)

    def add(self, *constraints: Constraint) -> None:
        """Take constraints that fit the puzzle."""
        for constraint in constraints:
            # Some rules look for themselves among the rules of the puzzle.
            puzzle = self.shape.add(constraint)
            self._places += len(constraint.scope(puzzle))
            if len(self.constraints) >= MAX_CONSTRAINTS or self._places > MAX_PLACES:
                raise _TooMuchError("more constraints than any puzzle has")
            self.constraints.append(constraint)

    def puzzle(self, givens: Mapping[Any, Iterable[int]]) -> Puzzle:
        """The puzzle with all that was gathered."""
        try:
            found = self.shape.with_givens(givens).add(*self.constraints)
        except FormatError:
            raise
        except CspSudokuError as error:
            raise FormatError(str(error)) from None
        return replace(found, left_out=tuple(map(str, self.missing)))


class _TooMuchError(FormatError):
    """A document asks for too much work. This ends the reading, also of a lenient reader."""


def blank(
    rows: int,
    columns: int,
    regions: Sequence[Sequence[Cell]],
    *,
    values: tuple[int, ...] | None = None,
    line_houses: bool = True,
) -> Puzzle:
    """A puzzle with these regions; regions that are boxes of one size become its boxes.

    Examples
    --------
    >>> halves = [[Cell(r, c) for r in (0, 1)] for c in (0, 1)]
    >>> blank(2, 2, halves).grids[0].box
    (2, 1)
    """
    check_size(rows, columns)
    values = tuple(range(1, max(rows, columns) + 1)) if values is None else values
    sorted_regions = tuple(tuple(sorted(region)) for region in regions)
    box = _box_of(rows, columns, sorted_regions)
    grid = Grid(
        rows,
        columns,
        values,
        box=box,
        regions=() if box else sorted_regions,
        row_houses=line_houses,
        column_houses=line_houses,
    )
    return Puzzle((grid,))


def _box_of(
    rows: int, columns: int, regions: tuple[tuple[Cell, ...], ...]
) -> tuple[int, int] | None:
    """The size of the boxes that these regions are, if they are boxes."""
    if not regions:
        return None
    first = min(regions)
    height, width = first[-1].row + 1, first[-1].col + 1
    if first[0] != (0, 0) or rows % height or columns % width:
        return None
    boxes = Grid(rows, columns, (1,), box=(height, width)).boxes
    return (height, width) if sorted(boxes) == sorted(regions) else None
