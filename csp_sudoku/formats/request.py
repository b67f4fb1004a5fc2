"""What a caller says about the puzzle to read: its grid, its rules, and how to take its source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Literal, TypedDict

from csp_encodings.store import kept
from csp_sudoku.cells import Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.reading import NO_HELP, Help, Reading, blank
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.formats.texts.frames import read_frame
from csp_sudoku.formats.texts.shapes import GridText, Wanted, shown
from csp_sudoku.integers import as_ints
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.solving.query import check_items

Size = int | tuple[int, int]
Box = tuple[int, int] | Literal["auto"] | None


class ReadingOptions(TypedDict, total=False):
    """The keyword arguments of :func:`csp_sudoku.read`, which explains them."""

    like: object
    size: Size | None
    box: Box
    values: Iterable[int] | None
    dialect: str | None
    lenient: bool
    download: bool
    explains: Iterable[str]
    reading: int | None


@dataclass(frozen=True)
class Request:
    """What the caller says about a puzzle."""

    wanted: Wanted
    like: Puzzle | None = None
    box: Box = "auto"
    help: Help = NO_HELP
    download: bool = False

    @classmethod
    def of(
        cls,
        rules: Iterable[Constraint] = (),
        *,
        like: object = None,
        size: Size | None = None,
        box: Box = "auto",
        values: Iterable[int] | None = None,
        dialect: str | None = None,
        lenient: bool = False,
        download: bool = False,
        explains: Iterable[str] = (),
        reading: int | None = None,
    ) -> Request:
        """Check the arguments of :func:`csp_sudoku.read`."""
        given = Help(lenient, check_items("rules", rules, "rules"), _listed(explains), reading)
        shape = None if like is None else as_puzzle(like)
        box = tuple(box) if isinstance(box, list) else box
        if box not in ("auto", None) and not (isinstance(box, tuple) and as_ints(box)):
            raise FormatError(f"box {shown(box)}: give (rows, columns), as (3, 3), or None")
        if shape is not None and (size, box, values) != (None, "auto", None):
            raise FormatError("like= brings the grid along: leave out size, box and values")
        wanted = _wanted(shape, size, values, dialect)
        if given.rules or shape is not None:
            wanted = replace(wanted, has_rules=True)
        return cls(wanted, shape, box, given, download)

    def with_rules(self, found: Reading) -> Reading:
        """What was read, with the rules of the caller that its reader has not added already."""
        known = found.puzzle.constraints
        new = [rule for rule in self.help.rules if rule not in known]
        return replace(found, puzzle=found.puzzle.add(*new))

    def for_file(self, source: object) -> Request:
        """The request for a file; SudoCue files are known only by their ending."""
        notes = isinstance(source, PathLike) and Path(fspath(source)).suffix.lower() == ".sdx"
        if not notes or self.wanted.dialect is not None:
            return self
        return replace(self, wanted=replace(self.wanted, dialect="sdx"))

    def puzzle(self, grid: GridText, text: str = "") -> Reading:
        """The puzzle of a grid; the frame in its text may draw the regions."""
        like = self.like
        if like is None:
            drawn = None
            if grid.regions is None and self.box == "auto":
                drawn = read_frame(text, grid.rows, grid.columns)
            box = None if grid.regions else self.box
            like = _blank(grid.rows, grid.columns, box, grid.values, grid.regions)
            if drawn is not None:
                like = blank(grid.rows, grid.columns, drawn, values=like.grids[0].values)
        return Reading(like.with_givens(entries(grid, like)))

    def refuse_shape(self) -> None:
        """Refuse arguments about the grid for a source that has its own grid."""
        if replace(self, help=NO_HELP, download=False) != Request(Wanted()):
            raise FormatError(
                "a document has its own grid: leave out like, size, box, values, dialect"
            )


def _listed(explains: Iterable[str]) -> tuple[str, ...]:
    """The beginnings of sentences; a single one need not be in a list."""
    if isinstance(explains, str):
        return (explains,)
    return check_items("explains", explains, "beginnings of sentences")


def _wanted(
    like: Puzzle | None, size: Size | None, values: Iterable[int] | None, dialect: str | None
) -> Wanted:
    """The grid that the caller wants."""
    if like is not None:
        return Wanted.like(like, dialect)
    known = None if values is None else Puzzle.blank(1, values=values).grids[0].values
    if size is None:
        return Wanted(values=known, dialect=dialect)
    # Making a blank grid refuses an impossible size.
    rows, columns = size if isinstance(size, tuple) and len(size) == 2 else (size, size)
    grid = Puzzle.blank(rows, columns, box=None).grids[0]
    return Wanted(grid.rows, grid.columns, len(grid.cells), known, dialect)


@kept(size=lambda puzzle: 500 * len(puzzle.cells))
def _blank(
    rows: int,
    columns: int,
    box: Box,
    values: tuple[int, ...] | None,
    regions: str | None,
) -> Puzzle:
    """A blank puzzle, shared by puzzles that are read one after the other."""
    return Puzzle.blank(rows, columns, box=box, values=values, regions=regions)


def entries(grid: GridText, puzzle: Puzzle) -> list[tuple[Place, tuple[int, ...]]]:
    """The filled cells of a grid, as cells of a puzzle."""
    return [
        (place, entry)
        for place, entry in zip(puzzle.cells, grid.entries, strict=True)
        if entry is not None
    ]
