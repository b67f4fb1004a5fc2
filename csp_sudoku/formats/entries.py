"""The shapes of entries that are JSON objects: of f-puzzles, SudokuMaker and SudokuPad."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, ClassVar

from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import loose
from csp_sudoku.formats.loose import Object
from csp_sudoku.formats.tables import (
    Fields,
    Found,
    Shape,
    Spelling,
    read_entry,
    read_members,
    write_members,
)
from csp_sudoku.forms import Condition, NotHeldError, Row


class JsonSpelling(Spelling):
    """How a format of JSON documents spells cells."""

    #: Members of an entry that say nothing about the solution.
    silent: ClassVar[frozenset[str]] = frozenset()

    def fits(self, row: Row, entry: Object) -> bool:
        return all(self._is(entry.get(name), wanted) for name, wanted in row.when.items())

    def _is(self, value: object, wanted: object) -> bool:
        if isinstance(wanted, Condition):
            return wanted.matches(value, self)
        return type(value) is type(wanted) and value == wanted

    def integer(self, value: Any) -> int | None:
        return loose.integer(value)

    def integers(self, value: Any) -> list[int]:
        return [loose.needed(item) for item in loose.listed(value)]

    def cell(self, value: Any) -> Cell:
        """Read a cell."""
        raise NotImplementedError

    def cells(self, value: Any) -> tuple[Cell, ...]:
        """Read a list of cells."""
        return tuple(map(self.cell, loose.bounded(value)))

    def spell(self, place: Place) -> Any:
        """Write a cell. There are no other variables in these formats."""
        if not isinstance(place, Cell):
            raise NotHeldError("there are only cells, no named variables")
        return self.spell_cell(place)

    def spell_cell(self, cell: Cell) -> Any:
        """Write a cell of the grid."""
        raise NotImplementedError

    def spell_all(self, places: Iterable[Place]) -> list[Any]:
        """Write several cells."""
        return [self.spell(place) for place in places]

    def outer(self, entry: Object) -> Cell:
        """Read the cell around the grid in which a clue stands."""
        raise NotImplementedError

    def spell_outer(self, cell: Cell) -> Object:
        """Write the cell around the grid in which a clue stands."""
        raise NotImplementedError

    def is_inside(self, cell: Cell) -> bool:
        """Whether a cell lies in the grid."""
        return 0 <= cell.row < self.grid.rows and 0 <= cell.col < self.grid.columns


def read_object(
    rows: Iterable[Found], entry: object, spelling: JsonSpelling
) -> Iterator[Constraint]:
    """Read the rules that an entry stands for, as `read_entry` does; refuse unknown members."""
    watched = loose.Watched(loose.mapping(entry))
    yield from read_entry(rows, watched, spelling)
    watched.check_seen(spelling.silent)


class Flag:
    """Nothing but the key."""

    def read(self, row: Row, entry: Any, spelling: JsonSpelling) -> Iterator[Fields]:
        yield {}

    def write(self, row: Row, rule: Any, spelling: JsonSpelling) -> Iterator[Object]:
        yield write_members(row, rule, spelling)


class Cells:
    """One list of cells."""

    def read(self, row: Row, entry: Object, spelling: JsonSpelling) -> Iterator[Fields]:
        cells = spelling.cells(entry.get(row.at or "cells"))
        fields = read_members(row, entry, spelling)
        if entry and fields and not cells:
            raise FormatError("it has no cells")
        if (cell := _twice(cells)) is not None:
            raise FormatError(f"it has {cell} twice")
        if fields is not None and len(cells) >= row.least:
            yield {"cells": cells, **fields}

    def write(self, row: Row, rule: Any, spelling: JsonSpelling) -> Iterator[Object]:
        cells = spelling.spell_all(rule.cells)
        if (cell := _twice(rule.cells)) is not None:
            raise NotHeldError(f"there {cell} can be among its cells once")
        yield {row.at or "cells": cells, **write_members(row, rule, spelling)}


def _twice(places: Iterable[Place]) -> Place | None:
    """The first cell that is named twice."""
    return next((place for place, count in Counter(places).items() if count > 1), None)


class Lines:
    """A list of lines, each of which is a rule of its own."""

    def read(self, row: Row, entry: Object, spelling: JsonSpelling) -> Iterator[Fields]:
        lines = loose.listed(entry.get(row.at or "lines"))
        fields = read_members(row, entry, spelling)
        if fields is not None:
            for line in lines:
                cells = spelling.cells(line)
                if (cell := _staying(cells)) is not None:
                    raise FormatError(f"it goes from {cell} to {cell}")
                if len(cells) >= row.least:
                    yield {"cells": cells, **fields}

    def write(self, row: Row, rule: Any, spelling: JsonSpelling) -> Iterator[Object]:
        line = spelling.spell_all(rule.cells)
        if (cell := _staying(rule.cells)) is not None:
            raise NotHeldError(f"there a line does not go from {cell} to {cell}")
        yield {row.at or "lines": [line], **write_members(row, rule, spelling)}


def _staying(line: Iterable[Place]) -> Place | None:
    """The first cell of a line that follows itself."""
    return next((place for place, following in pairwise(line) if place == following), None)


class LineClue:
    """A clue for a row or a column, which may stand at either end."""

    def read(self, row: Row, entry: Object, spelling: JsonSpelling) -> Iterator[Fields]:
        outer = spelling.outer(entry)
        fields = read_members(row, entry, spelling)
        if fields is not None:
            line, _ = _side_of(outer, spelling)
            yield {"line": line, **fields}

    def write(self, row: Row, rule: Any, spelling: JsonSpelling) -> Iterator[Object]:
        outer = spelling.spell_outer(_beside(rule.line, False, spelling))
        yield {**outer, **write_members(row, rule, spelling)}


class SideClue:
    """A clue that reads its row or column from the side on which it stands."""

    def read(self, row: Row, entry: Object, spelling: JsonSpelling) -> Iterator[Fields]:
        outer = spelling.outer(entry)
        fields = read_members(row, entry, spelling)
        if fields is not None:
            line, reverse = _side_of(outer, spelling)
            yield {"line": line, "reverse": reverse, **fields}

    def write(self, row: Row, rule: Any, spelling: JsonSpelling) -> Iterator[Object]:
        outer = spelling.spell_outer(_beside(rule.line, rule.reverse, spelling))
        yield {**outer, **write_members(row, rule, spelling)}


def _side_of(cell: Cell, spelling: JsonSpelling) -> tuple[str, bool]:
    """The line beside which a cell lies, and whether it is the far end of the line."""
    rows, columns = spelling.grid.rows, spelling.grid.columns
    if cell.row in (-1, rows) and 0 <= cell.col < columns:
        return f"C{cell.col + 1}", cell.row == rows
    if cell.col in (-1, columns) and 0 <= cell.row < rows:
        return f"R{cell.row + 1}", cell.col == columns
    raise FormatError(f"its cell {cell} is not beside a row or a column")


def _beside(line: str, reverse: bool, spelling: JsonSpelling) -> Cell:
    """The cell at one end of a line, outside the grid."""
    index = int(line[1:]) - 1
    if line[0] == "R":
        return Cell(index, spelling.grid.columns if reverse else -1)
    return Cell(spelling.grid.rows if reverse else -1, index)


class Arrow:
    """A circle or a pill with shafts, each of which is an arrow of its own.

    The first cell of a shaft belongs to the circle. Some programs list the cells of a pill from
    its last digit on.
    """

    def __init__(self, circle: str, shafts: str, *, head: str, last_first: bool = False) -> None:
        self._circle = circle
        self._shafts = shafts
        self._head = head
        self._step = -1 if last_first else 1

    def read(self, row: Row, entry: Object, spelling: JsonSpelling) -> Iterator[Fields]:
        circle = spelling.cells(entry.get(self._circle))[:: self._step]
        for line in loose.listed(entry.get(self._shafts)):
            first, *shaft = spelling.cells(line) or (None,)
            if shaft:
                if first not in circle:
                    raise FormatError(f"its shaft begins at {first}, which is not in its circle")
                yield {self._head: circle, "shaft": tuple(shaft)}

    def write(self, row: Row, rule: Any, spelling: JsonSpelling) -> Iterator[Object]:
        held = getattr(rule, self._head)
        circle: Sequence[Place] = (held,) if self._head == "circle" else held
        shaft = [spelling.spell(circle[-1]), *spelling.spell_all(rule.shaft)]
        yield {self._circle: spelling.spell_all(circle[:: self._step]), self._shafts: [shaft]}


def arrows(circle: str, shafts: str, *, last_first: bool = False) -> dict[str, Shape]:
    """The shapes of arrows whose circle and shafts are in these members."""
    return {
        "arrow": Arrow(circle, shafts, head="circle"),
        "pill": Arrow(circle, shafts, head="pill", last_first=last_first),
    }


#: The shapes that mean the same in all of these formats.
COMMON: dict[str, Shape] = {
    "flag": Flag(),
    "cells": Cells(),
    "lines": Lines(),
    "line clue": LineClue(),
    "side clue": SideClue(),
}
