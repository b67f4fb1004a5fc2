"""What the document of another program gives: a puzzle, and what else the document says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from csp_sudoku.cells import Cell
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.grid import Grid, check_size
from csp_sudoku.puzzle import Puzzle

if TYPE_CHECKING:
    from csp_sudoku.understanding.meaning import Meaning

# Far more than any puzzle has: a short document must not cause hours of work.
MAX_CONSTRAINTS = 10_000
MAX_PLACES = 200_000
# A rule may name a cell twice, but no rule has this many cells.
MAX_CELLS = 1_000
# An error lists all that is not understood in a puzzle, but not all of a damaged file.
MAX_LISTED = 200
_MOST_DRAWN = 5
# What a reader can do about it.
_NO_RULE = "If a sentence is no rule, give its first words: --explains TEXT (explains=[…]). "
_LENIENT = "To answer without what is not understood: --lenient (lenient=True)."


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


class Help(NamedTuple):
    """What the caller says about a document that is not understood by itself.

    Attributes
    ----------
    lenient
        Whether to leave out what is not understood. Otherwise it is an error.
    rules
        Rules that the caller adds.
    explains
        The beginnings of the sentences of the rules text that these rules stand for.
    reading
        Which reading to take, counted from 1, of a rules text that has several, or that is worded
        in an unusual way.
    """

    lenient: bool = False
    rules: tuple[Constraint, ...] = ()
    explains: tuple[str, ...] = ()
    reading: int | None = None


NO_HELP = Help()


@dataclass(frozen=True)
class Progress:
    """What a solver has entered into a puzzle. It is no part of the puzzle, and may be wrong.

    Attributes
    ----------
    values
        The digits that were entered, by cell.
    candidates
        The centre marks: the digits that are left for a cell, by cell.
    """

    values: Mapping[Cell, int] = field(default_factory=dict)
    candidates: Mapping[Cell, tuple[int, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.values or self.candidates)

    @classmethod
    def of(
        cls, puzzle: Puzzle, entered: Iterable[tuple[Cell, object, Iterable[object]]]
    ) -> Progress:
        """Gather the digit and the marks of each cell. What is no value of the grid is no entry."""
        known: dict[object, int] = {}
        for value in puzzle.grids[0].values:
            known[value] = known[str(value)] = value
        values, candidates = {}, {}
        for place, digit, marks in entered:
            if isinstance(digit, int | str) and digit in known:
                values[place] = known[digit]
            held = {known[mark] for mark in marks if isinstance(mark, int | str) and mark in known}
            if held:
                candidates[place] = tuple(sorted(held))
        return cls(values, candidates)


@dataclass(frozen=True)
class Reading:
    """A puzzle, and what its document says besides.

    Attributes
    ----------
    solution
        The solution that the document states, None where it leaves a cell open. It is a claim, and
        part of no rule; ``puzzle.stated`` has it, too.
    notes
        Remarks of the reader, such as sentences that are not about rules.
    missing
        What the puzzle lacks; ``puzzle.left_out`` says the same in sentences.
    meanings
        For a document with a drawing or a rules text: what each sentence means.
    confirmed
        What confirms these meanings, such as the stated solution; empty if nothing does.
    progress
        What a solver has entered; see :class:`Progress`.
    entries
        For a document that states rules as data: the name of each entry, and its rules.
    """

    puzzle: Puzzle
    title: str = ""
    author: str = ""
    rules: str = ""
    solution: tuple[int | None, ...] = ()
    notes: tuple[str, ...] = ()
    missing: tuple[NotUnderstood, ...] = ()
    meanings: tuple[Meaning, ...] = ()
    confirmed: str = ""
    progress: Progress = Progress()
    entries: tuple[tuple[str, tuple[Constraint, ...]], ...] = ()

    def __post_init__(self) -> None:
        cells = self.puzzle.cells
        if len(self.solution) == len(cells):
            stated = [(c, v) for c, v in zip(cells, self.solution, strict=True) if v is not None]
            object.__setattr__(self, "puzzle", replace(self.puzzle, stated=tuple(stated)))

    @property
    def started(self) -> Puzzle:
        """The puzzle with what a solver has entered, as if that were given.

        Examples
        --------
        >>> entered = Progress({Cell(0, 0): 1}, {Cell(0, 1): (2, 3)})
        >>> Reading(Puzzle.blank(4), progress=entered).started.candidates_of("R1C2")
        (2, 3)
        """
        marks = {place: (value,) for place, value in self.progress.values.items()}
        return self.puzzle.with_givens({**self.progress.candidates, **marks})

    @property
    def left_out(self) -> tuple[str, ...]:
        """The rules of the document that the puzzle does not have."""
        return self.puzzle.left_out


def check_length(items: Sequence[object], what: str = "cells") -> None:
    """Refuse a list that is longer than any puzzle needs."""
    if len(items) > MAX_CELLS:
        raise FormatError(f"{len(items):,} {what}: no rule has more than {MAX_CELLS:,}")


class Collector:
    """Gathers the rules of a document, and lists what is not understood."""

    def __init__(self, shape: Puzzle, help_given: Help = NO_HELP) -> None:
        self.shape = shape
        self.constraints: list[Constraint] = []
        self.missing: list[NotUnderstood] = []
        self.notes: list[str] = []
        self.entries: list[tuple[str, tuple[Constraint, ...]]] = []
        self._lenient = help_given.lenient
        self._places = 0

    def at(self, where: str, kind: str = "") -> _Entry:
        """Read one entry. If there is an error in it, the whole entry is left out, and listed."""
        return _Entry(self, where, kind)

    def leave_out(self, kind: str, where: str, text: str) -> None:
        """List something that is not understood."""
        self.missing.append(NotUnderstood(kind, where, text))

    def refuse_missing(self) -> None:
        """Raise one error that lists all that was not understood, unless the reader is lenient."""
        if self.missing and not self._lenient:
            drawn = [item for item in self.missing if item.kind == "drawing"]
            others = [item for item in self.missing if item.kind != "drawing"]
            listed = [*map(str, drawn[:_MOST_DRAWN])]
            if more := len(drawn) - len(listed):
                listed.append(f"and {more:,} more drawings")
            listed += map(str, others[:MAX_LISTED])
            if (more := len(others) - MAX_LISTED) > 0:
                listed.append(f"and {more:,} more")
            is_said = any(item.kind == "rules text" for item in others)
            raise FormatError(f"{'; '.join(listed)}. {_NO_RULE * is_said}{_LENIENT}")

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
        shape = replace(self.shape, left_out=tuple(map(str, self.missing)))
        try:
            return shape.with_givens(givens).add(*self.constraints)
        except FormatError:
            raise
        except CspSudokuError as error:
            raise FormatError(str(error)) from None


class _Entry:
    """A context manager: what is added to a collector inside belongs to one entry."""

    __slots__ = ("_before", "_collector", "_kind", "_where")

    def __init__(self, collector: Collector, where: str, kind: str) -> None:
        self._collector = collector
        self._where = where
        self._kind = kind
        self._before = len(collector.constraints)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        collector, before = self._collector, self._before
        if error is not None:
            if isinstance(error, _TooMuchError) or not isinstance(error, CspSudokuError):
                return False
            del collector.constraints[before:]
            collector.leave_out(self._kind or self._where, self._where, str(error))
        if added := tuple(collector.constraints[before:]):
            collector.entries.append((self._where, added))
        return True


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
