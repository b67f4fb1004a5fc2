"""Puzzles in words: complete, for people and language models, and readable back.

The sentences are for whoever solves the puzzle. What a program reads stands in braces, as the JSON
of a document: the shape of an unusual grid, and the fields of each rule.
"""

from __future__ import annotations

import json
import re
from itertools import takewhile
from typing import Any

from csp_sudoku.cells import Cell
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import strict_json
from csp_sudoku.formats.document import FORMAT, VERSION, read_document, write_json
from csp_sudoku.formats.reading import NO_HELP, Help, Reading
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.puzzle import Puzzle

_TITLE = re.compile(r"Sudoku puzzle, (\d+)×(\d+)\.(?: \(shape: (\{.*\})\))?")
_RULE = re.compile(r"- .* \(([\w-]+): (\{.*\})\)")
_GRID = "Grid, row by row; a dot is an empty cell:"
_CELLS = "Given: "


def describe(puzzle: object) -> str:
    """Return a puzzle in words: shape, rules and grid, compact and complete.

    :func:`csp_sudoku.read` reads it back as the same puzzle. Rules with Python functions cannot be
    written, and are refused.

    Examples
    --------
    >>> from csp_sudoku import Thermometer, read
    >>> puzzle = read("1... .... .... ...2").add(Thermometer("R2C2 R3C3"))
    >>> print(describe(puzzle))
    Sudoku puzzle, 4×4. Values: 1 2 3 4.
    No value occurs twice in a row, in a column or in a box of 2×2.
    - values increase along the thermometer R2C2 R3C3 (thermometer: {"cells":"R2C2 R3C3"})
    Grid, row by row; a dot is an empty cell:
    1 . . .
    . . . .
    . . . .
    . . . 2
    >>> read(describe(puzzle)) == puzzle
    True
    """
    asked = as_puzzle(puzzle)
    document: dict[str, Any] = json.loads(write_json(asked))
    rules = document.pop("constraints", [])
    document.pop("givens", None)
    grid = asked.grids[0]
    usual = json.loads(write_json(Puzzle.blank(grid.rows, grid.columns)))
    shape = "" if document == usual else f" (shape: {_compact(_without_head(document))})"
    lines = [f"Sudoku puzzle, {grid.size}.{shape} Values: {' '.join(map(str, grid.values))}."]
    lines.append(_houses(asked))
    for rule, fields in zip(asked.constraints, rules, strict=True):
        name = fields.pop("type")
        lines.append(f"- {rule.describe(asked)} ({name}: {_compact(_joined(fields))})")
    lines += _givens(asked)
    return "\n".join(line for line in lines if line)


def recognises(text: str) -> bool:
    """Whether a text is a description."""
    return _TITLE.match(text.lstrip()) is not None


def read_text(text: str, help_given: Help = NO_HELP) -> Reading:
    """Read a description back. Its sentences must say what the JSON in it says."""
    lines = [line.strip() for line in text.strip().splitlines()]
    title = _TITLE.match(lines[0])
    assert title is not None
    rows, columns = int(title[1]), int(title[2])
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    shape = strict_json.parse(title[3]) if title[3] else None
    if shape is None:
        shape = _without_head(json.loads(write_json(Puzzle.blank(rows, columns))))
    document |= shape
    document["constraints"] = []
    givens: dict[str, Any] = {}
    grid: list[str] | None = None
    for number, line in enumerate(lines[1:], 2):
        if grid is not None and line and not line.startswith(_CELLS):
            grid.append(line)
        elif line == _GRID:
            grid = []
        elif line.startswith(_CELLS):
            givens |= strict_json.parse(line.removeprefix(_CELLS))
        elif line.startswith("- "):
            rule = _RULE.fullmatch(line)
            if rule is None:
                raise FormatError(f"line {number}: a rule ends with its name and its fields")
            document["constraints"].append({"type": rule[1], **strict_json.parse(rule[2])})
    document["givens"] = givens | _read_grid(grid or [], rows, columns)
    puzzle = read_document(json.dumps(document))
    _check_sentences(lines, puzzle)
    return Reading(puzzle)


def _check_sentences(lines: list[str], puzzle: Puzzle) -> None:
    """Refuse a text that says something else than the description of the puzzle that was read."""
    said = [(number, " ".join(line.split())) for number, line in enumerate(lines, 1) if line]
    wanted = [" ".join(line.split()) for line in describe(puzzle).splitlines()]
    for i in range(max(len(said), len(wanted))):
        number, line = said[i] if i < len(said) else (len(lines), "nothing")
        own = wanted[i] if i < len(wanted) else "nothing"
        if line != own:
            same = takewhile(lambda pair: pair[0] == pair[1], zip(line, own, strict=False))
            start = line.rfind(" ", 0, len(list(same))) + 1
            raise FormatError(
                f"line {number}: {shown(line[start:])} stands where {shown(own[start:])} is needed"
            )


def _read_grid(lines: list[str], rows: int, columns: int) -> dict[str, int]:
    if not lines:
        return {}
    cells = [line.split() for line in lines]
    if len(cells) != rows or any(len(line) != columns for line in cells):
        raise FormatError(f"the grid must have {rows} rows of {columns} cells")
    found = {}
    for row, line in enumerate(cells):
        for column, entry in enumerate(line):
            if entry == ".":
                continue
            place = Cell(row, column)
            try:
                found[str(place)] = int(entry)
            except ValueError:
                raise FormatError(f"{place}: {entry!r} is no value") from None
    return found


def _houses(puzzle: Puzzle) -> str:
    if len(puzzle.grids) > 1:
        return "No value occurs twice in a row, in a column or in a box of one of its grids."
    grid = puzzle.grids[0]
    kinds = ["in a row"] * grid.row_houses + ["in a column"] * grid.column_houses
    if grid.regions:
        kinds.append("in a region of the shape")
    elif grid.box is not None:
        kinds.append(f"in a box of {grid.box[0]}×{grid.box[1]}")
    if not kinds:
        return ""
    listed = ", ".join(kinds[:-1])
    return f"No value occurs twice {listed}{' or ' * bool(listed)}{kinds[-1]}."


def _givens(puzzle: Puzzle) -> list[str]:
    """The givens as a grid; what a grid cannot show as JSON."""
    grid = puzzle.grids[0]
    whole = len(puzzle.grids) == 1 and not (grid.top or grid.left)
    rest = {str(place): [*values] for place, values in puzzle.candidates}
    lines = []
    if whole:
        lines = [_GRID]
        for row in range(grid.rows):
            entries = []
            for place in grid.row(row):
                value = puzzle.givens.get(place)
                entries.append("." if value is None else str(value))
                if value is not None:
                    del rest[str(place)]
            lines.append(" ".join(entries))
    if rest:
        values = {place: held[0] if len(held) == 1 else held for place, held in rest.items()}
        lines.append(_CELLS + _compact(values))
    return lines


def _without_head(document: dict[str, Any]) -> dict[str, Any]:
    return {name: held for name, held in document.items() if name not in ("format", "version")}


def _joined(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a rule, with cells as one text."""
    cells = fields.get("cells")
    if isinstance(cells, list) and all(isinstance(place, str) for place in cells):
        return {**fields, "cells": " ".join(cells)}
    return fields


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
