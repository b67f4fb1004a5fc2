"""SudokuPad documents: givens, regions and cages as data, all other rules as a picture."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

from csp_sudoku.cells import Cell
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import fields, loose, strict_json, told
from csp_sudoku.formats.drawn import interpreted, scl_canvas
from csp_sudoku.formats.entries import COMMON, Flag, JsonSpelling
from csp_sudoku.formats.loose import Object
from csp_sudoku.formats.reading import NO_HELP, Collector, Help, Progress, Reading, blank
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.formats.sudokupad.telling import KEY, Telling, tell, without_drawings
from csp_sudoku.formats.tables import find_rows, only_grid, read_entry, rules_text, write_rule
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.forms import NotHeldError, SudokuPad
from csp_sudoku.grid import check_size
from csp_sudoku.puzzle import Puzzle

_SIGNS = re.compile(r"[0-9]")
_CELL_SIZE = 50
# Members of a document. What is told may stand at the top, in metadata, and in cages without cells.
_DATA = {"cells", "regions", "cages", "global", "metadata", "metaData"}
_DRAWN = {"lines", "arrows", "underlays", "overlays"}
_TOLD_AT_TOP = {"title", "author", "rules", "solution"}
_OF_CELLS = frozenset(
    "value given centremarks cornermarks pencilMarks colour colours color colors highlight".split()
)
_SILENT = {"id", "cellSize", "foglight", "foglink", "triggereffect", "settings", "videos"}


def recognises(text: str) -> bool:
    """Whether a text is an object with cells, and with regions or a size of cells."""
    keys = strict_json.keys_of(text, "cells")
    return "cells" in keys and not keys.isdisjoint(("regions", "cellSize"))


def read_text(text: str, help_given: Help = NO_HELP) -> Reading:
    """Read a document."""
    return read_document(strict_json.parse(text, floats=True), help_given)


def read_document(document: object, help_given: Help = NO_HELP) -> Reading:
    """Read a document that was parsed as JSON."""
    found = loose.mapping(document)
    said = _told(found)
    rows = _rows(found)
    shape = blank(
        len(rows),
        len(rows[0]),
        list(_regions(found)),
        line_houses=not loose.is_set(said.get("norowcol")),
    )
    collector = Collector(shape, help_given)
    spelling = _Spelling(shape)
    for name in loose.listed(found.get("global")):
        with collector.at(f"global {shown(name)}", str(name)):
            collector.add(*_global_rules(str(name), spelling))
    for where, name, value in _flags_of(found, said):
        with collector.at(f"{where}{name}", name):
            rules = list(_global_rules(name, spelling))
            if loose.is_set(value):
                collector.add(*(rule for rule in rules if rule not in collector.constraints))
    stated = list(_stated(said.get(KEY), collector))
    puzzle = collector.puzzle(_givens(rows))
    reading = Reading(
        puzzle,
        title=loose.text(said.get("title")),
        author=loose.text(said.get("author")),
        rules=loose.rules(said.get("rules")),
        solution=_solution(said.get("solution"), len(puzzle.cells)),
        progress=_progress(rows, puzzle),
    )
    canvas = scl_canvas(found, collector)
    with collector.at("drawing"):
        canvas = without_drawings(canvas, puzzle, stated)
    return interpreted(reading, collector, canvas, help_given)


def write_scl(puzzle: object, *, lenient: bool = False) -> str:
    """Write a puzzle as a SudokuPad document: every rule is drawn, and the rules text says it.

    The text of a reading is kept, if it says the rules as they are drawn now.

    Raises :class:`FormatError` with all that such a document cannot hold; `lenient` puts rules that
    it cannot hold into its rules text.

    Examples
    --------
    >>> read_text(write_scl(Puzzle.blank(4).with_givens({"R1C1": 2}))).puzzle
    <Puzzle 4×4, 1 given, 0 constraints>
    """
    reading = puzzle if isinstance(puzzle, Reading) else Reading(as_puzzle(puzzle))
    return json.dumps(
        _document_of(reading, lenient=lenient), ensure_ascii=False, separators=(",", ":")
    )


def _document_of(reading: Reading, *, lenient: bool) -> Object:
    puzzle = reading.puzzle
    grid = only_grid(puzzle, SudokuPad.format)
    if grid.values != tuple(range(1, max(grid.rows, grid.columns) + 1)):
        raise FormatError(
            f"SudokuPad holds the values 1 to {max(grid.rows, grid.columns)} in a {grid.size} grid"
        )
    if grid.row_houses != grid.column_houses:
        raise FormatError("SudokuPad cannot tell rows from columns: both are houses, or none")
    flags = _flags(puzzle)
    telling = tell(puzzle, list(flags))
    metadata: Object = {
        "title": reading.title,
        "author": reading.author,
        "rules": rules_text(
            replace(reading, rules=_text(reading, telling)),
            telling.missing,
            SudokuPad.format,
            lenient=lenient,
        ),
        "solution": _solution_text(reading),
        "norowcol": not grid.row_houses,
        KEY: telling.data,
    }
    return {
        "cellSize": _CELL_SIZE,
        "metadata": {key: value for key, value in metadata.items() if value},
        "cells": _cells_of(puzzle),
        "regions": [[list(cell) for cell in region] for region in grid.boxes],
        "global": list(flags.values()),
        **telling.items(),
    }


def _flags(puzzle: Puzzle) -> dict[Constraint, str]:
    """The rules that a document has a word for, and these words."""
    found: dict[Constraint, str] = {}
    spelling = _Spelling(puzzle)
    for rule in puzzle.constraints:
        with suppress(NotHeldError):
            [written] = write_rule(rule, spelling, (rule,))
            found[rule] = str(written.row.key)
    return found


def _text(reading: Reading, telling: Telling) -> str:
    """The rules text: the one that the puzzle has, if it says the rules as they are drawn now."""
    own, data = reading.rules, telling.sentences()
    if own and telling.is_understood(own):
        return "\n".join([own, *(line for line in data if line not in own.split("\n"))])
    return telling.text()


# What it tells people


def _told(document: Object) -> Object:
    """What the document tells people: in cages without cells, and as metadata."""
    top = {key: value for key, value in document.items() if key in _TOLD_AT_TOP}
    metadata = [loose.mapping(document.get(name) or {}) for name in ("metaData", "metadata")]
    return told.gathered(told.of_lines(_lines(document)), top, *metadata)


def _lines(document: Object) -> Iterator[tuple[str, str]]:
    """The texts of the cages without cells."""
    for cage in loose.listed(document.get("cages")):
        if isinstance(cage, dict) and loose.is_empty(cage.get("cells")):
            line = told.line_of(cage.get("value"))
            if line is not None:
                yield line


def _flags_of(document: Object, said: Object) -> Iterator[tuple[str, str, object]]:
    """Words for rules outside the list of them: where each stands, the word and its value."""
    for key, value in document.items():
        if key not in _DATA | _DRAWN | _TOLD_AT_TOP | _SILENT and not loose.is_empty(value):
            yield "", key, value
    for key, value in said.items():
        if key in ("norowcol", KEY):
            continue
        if find_rows(SudokuPad.format, key) or told.may_be_rules(key, value):
            yield "metadata ", key, value


def _solution(stated: object, size: int) -> tuple[int | None, ...]:
    text = loose.text(stated).strip()
    if len(text) != size or not _SIGNS.search(text):
        return ()
    return tuple(int(sign) if _SIGNS.fullmatch(sign) else None for sign in text)


def _solution_text(reading: Reading) -> str:
    """The stated solution, one sign a cell; nothing where a value has two digits."""
    signs = ["." if value is None else str(value) for value in reading.solution]
    return "".join(signs) if all(len(sign) == 1 for sign in signs) else ""


# The grid


def _rows(document: Object) -> list[list[Object]]:
    rows = [loose.listed(row) for row in loose.listed(document.get("cells"))]
    check_size(len(rows), len(rows[0]) if rows else 0)
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise FormatError(f"row {number} has {len(row)} cells where {len(rows[0])} are needed")
    return [[{} if loose.is_empty(cell) else loose.mapping(cell) for cell in row] for row in rows]


def _givens(rows: list[list[Object]]) -> dict[Cell, list[int]]:
    givens = {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            try:
                value = loose.given(cell, _OF_CELLS, usual=True)
            except FormatError as error:
                raise FormatError(f"{Cell(r, c)}: {error}") from None
            if value is not None:
                givens[Cell(r, c)] = [value]
    return givens


def _progress(rows: list[list[Object]], puzzle: Puzzle) -> Progress:
    """The digits that are entered but not given, and the centre marks."""
    return Progress.of(
        puzzle,
        (
            (
                Cell(r, c),
                cell.get("value") if cell.get("given") is False else None,
                loose.marks(cell.get("centremarks")),
            )
            for r, row in enumerate(rows)
            for c, cell in enumerate(row)
        ),
    )


def _cells_of(puzzle: Puzzle) -> list[list[Object]]:
    """The cells with their givens."""
    for place, values in puzzle.candidates:
        if len(values) != 1:
            raise FormatError(f"{place}: SudokuPad holds givens, but no lists of candidates")
    grid, givens = puzzle.grids[0], puzzle.givens
    return [
        [{"value": givens[place]} if place in givens else {} for place in grid.row(r)]
        for r in range(grid.rows)
    ]


def _regions(document: Object) -> Iterator[tuple[Cell, ...]]:
    for number, region in enumerate(loose.listed(document.get("regions")), 1):
        try:
            cells = tuple(map(_cell, loose.bounded(region)))
        except FormatError as error:
            raise FormatError(f"region {number}: {error}") from None
        if cells:
            yield cells


def _cell(value: object) -> Cell:
    if isinstance(value, list) and len(value) == 2 and all(type(i) is int for i in value):
        return Cell(*value)
    raise FormatError(f"{shown(value)} is not a cell; one is written as [row, column]")


# Rules


def _stated(data: object, collector: Collector) -> Iterator[Constraint]:
    """The rules that the document holds as data of our own."""
    for number, item in enumerate(loose.listed(data), 1):
        with collector.at(f"rule {number}", KEY):
            shape = collector.shape
            for rule in collector.constraints:
                shape = fields.declared(rule, shape)
            rule = fields.read_constraint(item, KEY, shape)
            collector.add(rule)
            yield rule


def _global_rules(name: str, spelling: _Spelling) -> Iterator[Constraint]:
    """The rules of the whole grid that a word stands for."""
    rows = find_rows(SudokuPad.format, name)
    found = [item for item in rows if item.row.shape in ("flag", "unmarked")]
    if not found:
        raise FormatError("this rule is not known")
    yield from read_entry(found, {}, spelling)


class _Spelling(JsonSpelling):
    """Cells are lists of a row and a column, counted from 0."""

    format = SudokuPad.format
    shapes: ClassVar = {**COMMON, "unmarked": Flag()}

    def cell(self, value: Any) -> Cell:
        return _cell(value)

    def spell_cell(self, cell: Cell) -> list[int]:
        return list(cell)
