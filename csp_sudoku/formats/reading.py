"""What reading the document of another program gives: a puzzle, and what else the document says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from csp_sudoku.cells import Cell
from csp_sudoku.constraints import AllDifferent, DisjointGroups
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.grid import Grid, check_size
from csp_sudoku.puzzle import Puzzle

# Far more than any puzzle has, so that a short document cannot ask for hours of work.
MAX_CONSTRAINTS = 10_000
MAX_PLACES = 200_000
# A rule may name a cell twice, but no rule names so many.
MAX_CELLS = 1_000


@dataclass(frozen=True)
class Reading:
    """A puzzle, and what its document tells people: ``puzzle.left_out`` says what it lacks.

    ``solution`` is the solution that the document states, None where it leaves a cell open; it is
    a claim, and part of no rule. ``notes`` are hints, such as rules that only the text tells.
    """

    puzzle: Puzzle
    title: str = ""
    author: str = ""
    rules: str = ""
    solution: tuple[int | None, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """The rules of the document that the puzzle does not have."""
        return self.puzzle.left_out


def check_length(items: Sequence[object], what: str = "cells") -> None:
    """Refuse a list that is longer than any puzzle needs."""
    if len(items) > MAX_CELLS:
        raise FormatError(f"{len(items):,} {what} are more than any rule has")


class Collector:
    """Gathers the rules of a document; what cannot be taken over is refused, or else listed."""

    def __init__(self, shape: Puzzle, *, lenient: bool = False) -> None:
        self.shape = shape
        self.lenient = lenient
        self.constraints: list[Constraint] = []
        self.left_out: list[str] = []
        self.notes: list[str] = []
        self._places = 0

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Read one entry: a complaint names it, and where that is wanted leaves it out as whole."""
        before = len(self.constraints)
        try:
            yield
        except _TooMuchError:
            raise
        except CspSudokuError as error:
            del self.constraints[before:]
            self.refuse(f"{place}: {error}")

    def refuse(self, sentence: str) -> None:
        """Something is not understood: an error, or an entry in the list of what is left out."""
        if not self.lenient:
            raise FormatError(sentence) from None
        self.left_out.append(sentence)

    def add(self, *constraints: Constraint) -> None:
        """Take a constraint that fits the puzzle."""
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
        return replace(found, left_out=tuple(self.left_out))


class _TooMuchError(FormatError):
    """A document asks for too much: no complaint about one entry, so it is never just listed."""


def blank(
    rows: int,
    columns: int,
    regions: Sequence[Sequence[Cell]],
    *,
    values: tuple[int, ...] | None = None,
    line_houses: bool = True,
) -> Puzzle:
    """A puzzle with these regions; where they are the boxes of a size, it has those boxes.

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


def disjoint_groups(grid: Grid) -> list[Constraint]:
    """Cells at the same position of different regions differ, also where those are irregular."""
    if grid.box:
        return [DisjointGroups()]
    if len(set(map(len, grid.boxes))) > 1:
        raise FormatError("disjoint groups need regions of one size")
    return [AllDifferent(group) for group in zip(*grid.boxes, strict=True)]


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
