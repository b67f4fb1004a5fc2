"""SudokuMaker: documents whose constraints are numbered kinds, and the links that hold them.

The rules themselves say which number they have; see :mod:`csp_sudoku.forms`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, pairwise
from typing import Any, ClassVar, TypeAlias, TypeGuard
from urllib.parse import unquote

from csp_sudoku import constraints as rules
from csp_sudoku.cells import DIAGONALS, Cell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import loose, lzstring, strict_json
from csp_sudoku.formats.drawn import interpreted
from csp_sudoku.formats.entries import COMMON, JsonSpelling, arrows, read_object
from csp_sudoku.formats.links import clean, parameter
from csp_sudoku.formats.loose import Object
from csp_sudoku.formats.reading import NO_HELP, Collector, Help, Progress, Reading, blank
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.formats.tables import (
    Fields,
    Found,
    Written,
    built_in_rows,
    find_rows,
    only_grid,
    read_members,
    rules_text,
    write_members,
    write_rules,
)
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.forms import NotHeldError, Row, SudokuMaker
from csp_sudoku.grid import MAX_VALUES, Grid, check_size
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.understanding.canvas import Canvas

#: The constraints of a document with their kinds, those that are disabled left out.
Kinds: TypeAlias = list[tuple[Any, Object]]

LINK = "https://sudokumaker.app/?puzzle="

_LINK = re.compile(r"(https://)?(www\.)?sudokumaker\.app(/|\?|$)", re.IGNORECASE)
_VERSION = "1.5.0"
_VERSIONS = re.compile(r"1(\.|$)")
_LINES, _REGIONS, _CUSTOM = 0, 1, 1000
# Members of a puzzle and of a cell. Those of a cell that are not read are marks of a player.
_OF_PUZZLES = {"name", "author", "comment", "type", "size", "width", "height"}
_OF_PUZZLES |= {"minDigit", "maxDigit", "cells", "constraints"}
_OF_CELLS = {"given", "value", "candidates", "cornerPencilMarks", "colors"}
_DRAWN = {2000: "lines", 2001: "cages", 2002: "symbols"}
_NAMES = {_CUSTOM: "code of its own", 2003: "Sudoku rules for areas"}


def recognises(text: str) -> bool:
    """Whether a text is a SudokuMaker link or document."""
    text = clean(text)
    if not text.startswith("{"):
        return bool(_LINK.match(text))
    return strict_json.keys_of(text, "formatVersion") >= {"formatVersion", "puzzle"}


def read_text(text: str, help_given: Help = NO_HELP) -> Reading:
    """Read a link or a document.

    Examples
    --------
    >>> read_text('{"formatVersion": "1.5.0", "puzzle": {"size": 4}}').puzzle
    <Puzzle 4×4, 0 givens, 0 constraints>
    """
    text = clean(text)
    if not text.startswith("{"):
        payload = parameter(text, "puzzle")
        if payload is None:
            raise FormatError("this SudokuMaker link holds no puzzle; one with puzzle= does")
        packed = lzstring.with_pluses(unquote(payload), lzstring.URI)
        text = lzstring.decompress(f"{packed}$", lzstring.URI)
    return read_document(strict_json.parse(text, floats=True), help_given)


def read_document(document: object, help_given: Help = NO_HELP) -> Reading:
    """Read a document that was parsed as JSON."""
    whole = loose.mapping(document)
    for name in sorted(whole.keys() - {"formatVersion", "puzzle"}):
        raise FormatError(f"the member {shown(name)} is not known")
    version = whole.get("formatVersion")
    if not isinstance(version, str) or not _VERSIONS.match(version):
        raise FormatError(f"formatVersion: {shown(version)} is not known; {_VERSION} is")
    found = loose.mapping(whole.get("puzzle"))
    entries = [loose.mapping(entry) for entry in loose.listed(found.get("constraints"))]
    kinds = [(entry.get("type"), entry) for entry in entries if not _is_disabled(entry)]
    collector = Collector(_grid(found, kinds), help_given)
    for name in sorted(found.keys() - _OF_PUZZLES):
        collector.leave_out("member", "puzzle", f"its member {shown(name)} is not known")
    _read_constraints(collector, kinds)
    _Unmarked.read_all(kinds, collector)
    for what in dict.fromkeys(_DRAWN[kind] for kind, _ in kinds if _is_drawing(kind)):
        collector.leave_out("drawing", "drawn", f"{what}; only the rules text says what they mean")
    reading = Reading(
        collector.puzzle(_givens(found, collector.shape.grids[0])),
        title=loose.text(found.get("name")),
        author=loose.text(found.get("author")),
        rules=loose.rules(found.get("comment")),
        progress=_progress(found, collector.shape),
    )
    grid = collector.shape.grids[0]
    return interpreted(reading, collector, Canvas(grid.rows, grid.columns), help_given)


def _is_disabled(entry: Object) -> bool:
    found = entry.get("disabled")
    if not isinstance(found, bool | None):
        raise FormatError(f"disabled is true or false, not {shown(found)}")
    return bool(found)


def _is_drawing(kind: object) -> TypeGuard[int]:
    return type(kind) is int and kind in _DRAWN


def write_sudokumaker(puzzle: object, *, lenient: bool = False) -> str:
    """Write a puzzle as a SudokuMaker document; a reading is written with its title and text.

    Raises :class:`FormatError` with all that such a document cannot hold; `lenient` puts rules that
    it cannot hold as constraints into its rules text.

    Examples
    --------
    >>> read_text(write_sudokumaker(Puzzle.blank(4).with_givens({"R1C1": 2}))).puzzle
    <Puzzle 4×4, 1 given, 0 constraints>
    """
    reading = puzzle if isinstance(puzzle, Reading) else Reading(as_puzzle(puzzle))
    document = {"formatVersion": _VERSION, "puzzle": _puzzle_of(reading, lenient=lenient)}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def write_link(puzzle: object, *, lenient: bool = False) -> str:
    """Write a puzzle as a SudokuMaker link; see :func:`write_sudokumaker`.

    Examples
    --------
    >>> read_text(write_link(Puzzle.blank(6))).puzzle.grids[0].box
    (2, 3)
    """
    packed = lzstring.compress(write_sudokumaker(puzzle, lenient=lenient), lzstring.URI)
    return LINK + packed.replace("+", "%2B")


def _puzzle_of(reading: Reading, *, lenient: bool) -> Object:
    puzzle = reading.puzzle
    grid = only_grid(puzzle, SudokuMaker.format)
    if grid.values != tuple(range(grid.values[0], grid.values[-1] + 1)) or grid.values[0] < 0:
        raise FormatError("SudokuMaker holds values that are consecutive, and not negative")
    if grid.row_houses != grid.column_houses:
        raise FormatError("SudokuMaker cannot tell rows from columns: both are houses, or none")
    written, missing = write_rules(_Spelling(puzzle))
    told = {
        "name": reading.title,
        "author": reading.author,
        "comment": rules_text(reading, missing, SudokuMaker.format, lenient=lenient),
    }
    return {
        **{key: value for key, value in told.items() if value},
        "type": "sudoku" if grid.row_houses else "custom",
        "width": grid.columns,
        "height": grid.rows,
        "minDigit": grid.values[0],
        "maxDigit": grid.values[-1],
        "cells": _cells_of(puzzle),
        "constraints": [*_regions_of(grid), *map(_constraint_of, written)],
    }


# The grid


def _grid(puzzle: Object, kinds: Kinds) -> Puzzle:
    side = loose.integer(puzzle.get("size")) or 9
    width = loose.integer(puzzle.get("width")) or side
    height = loose.integer(puzzle.get("height")) or side
    check_size(height, width)
    first = loose.integer(puzzle.get("minDigit"))
    first = 1 if first is None else first
    last = loose.integer(puzzle.get("maxDigit"))
    last = first + max(width, height) - 1 if last is None else last
    if not 1 <= last - first + 1 <= MAX_VALUES:
        raise FormatError(f"digits from {first} to {last} make no Sudoku")
    kind = puzzle.get("type") or "sudoku"
    if kind not in ("sudoku", "custom"):
        raise FormatError(f"the type of the puzzle is sudoku or custom, not {shown(kind)}")
    codes = {code for code, _ in kinds if type(code) is int}
    return blank(
        height,
        width,
        _regions(kinds, width, height),
        values=tuple(range(first, last + 1)),
        line_houses=kind != "custom" or _LINES in codes,
    )


def _regions(kinds: Kinds, width: int, height: int) -> list[list[Cell]]:
    stated = [entry.get("regions") for kind, entry in kinds if kind == _REGIONS]
    numbers = loose.listed(stated[-1]) if stated else []
    if len(numbers) not in (0, width * height):
        raise FormatError(f"{len(numbers)} cells have a region where there are {width * height}")
    regions: dict[int, list[Cell]] = {}
    for index, number in enumerate(numbers):
        region = loose.needed(number)
        if region >= 0:
            regions.setdefault(region, []).append(Cell(*divmod(index, width)))
    return list(regions.values())


def _regions_of(grid: Grid) -> Iterator[Object]:
    """The constraint with the number of the region of each cell."""
    numbers = {place: number for number, region in enumerate(grid.boxes) for place in region}
    if len(numbers) < sum(map(len, grid.boxes)):
        raise FormatError("SudokuMaker has no regions that overlap")
    if numbers:
        yield {"type": _REGIONS, "regions": [numbers.get(place, -1) for place in grid.cells]}


def _givens(puzzle: Object, grid: Grid) -> dict[Cell, list[int]]:
    cells = loose.listed(puzzle.get("cells"))
    if cells and len(cells) != len(grid.cells):
        raise FormatError(f"{len(cells)} cells where a {grid.size} grid has {len(grid.cells)}")
    givens = {}
    for place, cell in zip(grid.cells, cells, strict=bool(cells)):
        try:
            value = loose.given(loose.mapping({} if cell is None else cell), _OF_CELLS)
        except FormatError as error:
            raise FormatError(f"{place}: {error}") from None
        if value is not None:
            givens[place] = [value]
    return givens


def _progress(puzzle: Object, shape: Puzzle) -> Progress:
    """The digits that are entered but not given, and the candidates, which are bits of a number."""
    cells = [cell if isinstance(cell, dict) else {} for cell in loose.listed(puzzle.get("cells"))]
    return Progress.of(
        shape,
        (
            (place, cell.get("value"), _digits(cell.get("candidates")))
            for place, cell in zip(shape.grids[0].cells, cells, strict=False)
            if cell.get("given") is not True
        ),
    )


def _digits(bits: object) -> list[int]:
    return [i for i in range(MAX_VALUES) if bits >> i & 1] if type(bits) is int else []


def _cells_of(puzzle: Puzzle) -> list[Object]:
    """The cells with their givens."""
    for place, values in puzzle.candidates:
        if len(values) != 1:
            raise FormatError(f"{place}: SudokuMaker holds givens, but no lists of candidates")
    givens = puzzle.givens
    return [
        {"given": True, "value": givens[place]} if place in givens else {} for place in puzzle.cells
    ]


# Constraints


def _read_constraints(collector: Collector, kinds: Kinds) -> None:
    spelling = _Spelling(collector.shape)
    for number, (kind, entry) in enumerate(kinds, 1):
        where = f"constraint {number}"
        if type(kind) is not int:
            collector.leave_out(str(kind), where, f"the kind {shown(kind)} is not known")
        elif kind in (_LINES, _REGIONS):
            with collector.at(f"{where} (kind {kind})", str(kind)):
                loose.Watched(entry).check_seen(spelling.silent | {"regions"})
        elif kind not in _DRAWN:
            rows = find_rows(SudokuMaker.format, kind)
            found = [item for item in rows if item.row.shape != "unmarked"]
            if not found:
                name = _NAMES.get(kind) or shown(kind)
                collector.leave_out(str(kind), where, f"the kind {name} is not known")
            with collector.at(f"{where} (kind {kind})", str(kind)):
                collector.add(*_read_constraint(found, entry, spelling))
    _check_extremes(collector)


def _read_constraint(
    found: list[Found], entry: Object, spelling: _Spelling
) -> Iterator[Constraint]:
    if not found:
        return
    if not (within := found[0].row.within):
        yield from read_object(found, entry, spelling)
        return
    outer = loose.Watched(entry)
    for item in loose.listed(outer.get(within)):
        yield from read_object(found, item, spelling)
    unmarked = _Unmarked.members if entry["type"] in _Unmarked.kinds else ()  # read later
    outer.check_seen((*spelling.silent, *unmarked))


def _constraint_of(written: Written) -> Object:
    row, entry = written
    if row.within:
        return {"type": row.key, row.within: [entry]}
    return {"type": row.key, **entry}


def _check_extremes(collector: Collector) -> None:
    """Minima and maxima exempt their own kind: where one was left out, all of its kind are."""
    rows = built_in_rows(SudokuMaker.format).values()
    for kind, row in chain.from_iterable(rows):
        if row.shape == "extreme" and collector.lacks(str(row.key)):
            others = [rule for rule in collector.constraints if not isinstance(rule, kind)]
            collector.constraints[:] = others


class _Each:
    """Cells, each of which is a rule of its own."""

    def __init__(self, field: str) -> None:
        self._field = field

    def read(self, row: Row, entry: Object, spelling: _Spelling) -> Iterator[Fields]:
        for cell in spelling.cells(entry.get("cells")):
            yield {self._field: cell}

    def write(self, row: Row, rule: Any, spelling: _Spelling) -> Iterator[Object]:
        held = getattr(rule, self._field)
        yield {"cells": spelling.spell_all([held] if isinstance(held, Cell) else held)}


class _Pair:
    """A clue on the edge between two cells.

    The edges are numbered row by row: first those to the left of each cell, then those below.
    """

    def read(self, row: Row, entry: Object, spelling: _Spelling) -> Iterator[Fields]:
        edge = loose.needed(entry.get("edge"))
        fields = read_members(row, entry, spelling)
        if fields is not None:
            line, column = divmod(edge, spelling.grid.columns)
            r, below = divmod(line, 2)
            first = Cell(r, column) if below else Cell(r, column - 1)
            second = Cell(r + 1, column) if below else Cell(r, column)
            yield {"cells": (first, second), **fields}

    def write(self, row: Row, rule: Any, spelling: _Spelling) -> Iterator[Object]:
        spelling.spell_all(rule.cells)
        first, second = sorted(rule.cells)
        step = (second.row - first.row, second.col - first.col)
        if step not in ((0, 1), (1, 0)):
            raise NotHeldError("there the two cells must touch")
        line, column = (2 * first.row + 1, first.col) if step[0] else (2 * first.row, second.col)
        edge = line * spelling.grid.columns + column
        yield {"edge": edge, **write_members(row, rule, spelling)}


class _Corner:
    """A clue at a corner where four cells meet; corners are numbered row by row."""

    def read(self, row: Row, entry: Object, spelling: _Spelling) -> Iterator[Fields]:
        corner = loose.needed(entry.get("corner"))
        fields = read_members(row, entry, spelling)
        if fields is not None:
            yield {"cells": self._around(corner, spelling.grid), **fields}

    def write(self, row: Row, rule: Any, spelling: _Spelling) -> Iterator[Object]:
        last = max(map(spelling.spell, rule.cells))
        r, c = divmod(last, spelling.grid.columns)
        corner = r * (spelling.grid.columns + 1) + c
        if set(rule.cells) != set(self._around(corner, spelling.grid)):
            raise NotHeldError("there the cells must be the four around a corner")
        yield {"corner": corner, **write_members(row, rule, spelling)}

    def _around(self, corner: int, grid: Grid) -> list[Cell]:
        r, c = divmod(corner, grid.columns + 1)
        return [Cell(row, column) for row in (r - 1, r) for column in (c - 1, c)]


class _Groups:
    """Groups of cells."""

    def read(self, row: Row, entry: Object, spelling: _Spelling) -> Iterator[Fields]:
        groups = [spelling.cells(group) for group in loose.listed(entry.get("groups"))]
        if len(groups) > 1:
            yield {"groups": groups}

    def write(self, row: Row, rule: Any, spelling: _Spelling) -> Iterator[Object]:
        yield {"groups": [spelling.spell_all(group) for group in rule.groups]}


class _DiagonalClue:
    """A clue outside the grid, and whether its diagonal rises (1) or falls (-1)."""

    def read(self, row: Row, entry: Object, spelling: _Spelling) -> Iterator[Fields]:
        outer, rising = spelling.outer(entry), entry.get("diagonal")
        fields = read_members(row, entry, spelling)
        if fields is None:
            return
        directions = {1: ("NE", "SW"), -1: ("SE", "NW")}.get(loose.needed(rising))
        if directions is None:
            raise FormatError(f"its diagonal is 1 or -1, not {shown(rising)}")
        starts = {
            way: Cell(outer.row + DIAGONALS[way][0], outer.col + DIAGONALS[way][1])
            for way in directions
        }
        entered = [(way, start) for way, start in starts.items() if spelling.is_inside(start)]
        if len(entered) != 1 or spelling.is_inside(outer):
            raise FormatError("its arrow does not point into the grid")
        [(direction, start)] = entered
        yield {"start": start, "direction": direction, **fields}

    def write(self, row: Row, rule: Any, spelling: _Spelling) -> Iterator[Object]:
        rows, columns = DIAGONALS[rule.direction]
        outer = Cell(rule.start.row - rows, rule.start.col - columns)
        if spelling.is_inside(outer):
            raise NotHeldError("there a diagonal must begin at the edge of the grid")
        rising = 1 if rule.direction in ("NE", "SW") else -1
        clue = write_members(row, rule, spelling)
        yield {**spelling.spell_outer(outer), "diagonal": rising, **clue}


class _Sequence:
    """Arithmetic sequences: of three successive cells, the middle one is the mean."""

    _fields: ClassVar[Fields] = {"total": 0, "coefficients": (1, -2, 1), "at_most": None}

    def read(self, row: Row, entry: Object, spelling: _Spelling) -> Iterator[Fields]:
        for line in loose.listed(entry.get("lines")):
            for (a, b), (_, c) in pairwise(pairwise(spelling.cells(line))):
                yield {"cells": (a, b, c), **self._fields}

    def write(self, row: Row, rule: Any, spelling: _Spelling) -> Iterator[Object]:
        if any(getattr(rule, field) != value for field, value in self._fields.items()):
            raise NotHeldError("there the only sum says that a cell is the mean of two others")
        yield {"lines": [spelling.spell_all(rule.cells)]}


class _RegionTotals:
    """Lines with the same sum in every region, however often they enter it."""

    def read(self, row: Row, entry: Object, spelling: _Spelling) -> Iterator[Fields]:
        region = self._regions(spelling.grid)
        for line in loose.listed(entry.get("lines")):
            inside = [cell for cell in spelling.cells(line) if cell in region]
            inside.sort(key=region.__getitem__)
            groups = [tuple(cells) for _, cells in groupby(inside, key=region.__getitem__)]
            if len(groups) > 1:
                yield {"groups": groups}

    def write(self, row: Row, rule: Any, spelling: _Spelling) -> Iterator[Object]:
        region = self._regions(spelling.grid)
        regions = [{region.get(place) for place in group} for group in rule.groups]
        if len(set().union(*regions)) < len(regions) or any(len(r) > 1 for r in regions):
            raise NotHeldError("there each group must lie in a region of its own")
        line = [place for group in rule.groups for place in group]
        yield {"lines": [spelling.spell_all(line)], **write_members(row, rule, spelling)}

    def _regions(self, grid: Grid) -> dict[Place, int]:
        return {place: number for number, box in enumerate(grid.boxes) for place in box}


class _Unmarked:
    """The values that pairs without a mark must not have, beside the marks of the same kind."""

    _difference, _ratio, _sum = 200, 201, 202
    kinds = (_difference, _ratio, _sum)
    #: Whether the dots of one kind exempt their pairs from the values of the other.
    _exempts: ClassVar = {
        _difference: ("overrideNegativeRatios", _ratio),
        _ratio: ("overrideNegativeDifferences", _difference),
    }
    members = ("negative", *(name for name, _ in _exempts.values()))

    @classmethod
    def read_all(cls, kinds: Kinds, collector: Collector) -> None:
        """Read them, after all marks."""
        with collector.at("negative"):
            values: dict[int, list[int]] = {kind: [] for kind in cls.kinds}
            marks = [(kind, entry) for kind, entry in kinds if type(kind) is int and kind in values]
            for kind, entry in marks:
                values[kind] += map(loose.needed, loose.listed(entry.get("negative")))
            if any(map(any, values.values())) and collector.lacks(*map(str, values)):
                raise FormatError("marks were left out, so the unmarked pairs are not known")
            for kind, entry in marks:
                name, other = cls._exempts.get(kind, ("", kind))
                if entry.get(name, True) is not True and values[other] and entry.get("clues"):
                    raise FormatError(f"{name} can only be true, not {shown(entry[name])}")
            if values[cls._difference] or values[cls._ratio]:
                differences, ratios = tuple(values[cls._difference]), tuple(values[cls._ratio])
                collector.add(rules.NegativeKropki(differences, ratios))
            if values[cls._sum]:
                collector.add(rules.NegativeXV(tuple(values[cls._sum])))

    def read(self, row: Row, entry: Object, spelling: _Spelling) -> Iterable[Fields]:
        return ()

    def write(self, row: Row, rule: Any, spelling: _Spelling) -> Iterator[Object]:
        if isinstance(rule, rules.NegativeXV):
            yield {"type": self._sum, "negative": list(rule.sums)}
        else:
            yield {"type": self._difference, "negative": list(rule.differences)}
            yield {"type": self._ratio, "negative": list(rule.ratios)}


class _Spelling(JsonSpelling):
    """Cells are numbered row by row, and so are the cells around the grid."""

    format = SudokuMaker.format
    silent = frozenset(("type", "name", "disabled", "style"))
    shapes: ClassVar = {
        **COMMON,
        **arrows("bulbCells", "arrows", last_first=True),
        "each": _Each("cells"),
        "extreme": _Each("cell"),
        "pair": _Pair(),
        "corner": _Corner(),
        "groups": _Groups(),
        "diagonal clue": _DiagonalClue(),
        "sequence": _Sequence(),
        "region totals": _RegionTotals(),
        "unmarked": _Unmarked(),
    }

    def cell(self, value: Any) -> Cell:
        number = loose.needed(value)
        if not 0 <= number < len(self.grid.cells):
            raise FormatError(f"{number} is the number of no cell")
        return self.grid.cells[number]

    def spell_cell(self, cell: Cell) -> int:
        return cell.row * self.grid.columns + cell.col

    def outer(self, entry: Object) -> Cell:
        row, column = divmod(loose.needed(entry.get("outerCell")), self.grid.columns + 2)
        return Cell(row - 1, column - 1)

    def spell_outer(self, cell: Cell) -> Object:
        return {"outerCell": (cell.row + 1) * (self.grid.columns + 2) + cell.col + 1}
