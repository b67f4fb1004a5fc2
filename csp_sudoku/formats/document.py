"""Puzzles as JSON documents: every grid, variable, candidate and constraint, exactly.

A document is self-contained and versioned; :func:`schema` describes it for editors and for other
programs. Only rules that hold Python functions cannot be written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from csp_encodings.watch import look
from csp_sudoku.cells import Cell, Place, Var
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import fields, strict_json
from csp_sudoku.formats.sources import as_puzzle
from csp_sudoku.formats.texts.shapes import Wanted, shown
from csp_sudoku.formats.texts.text import read_text
from csp_sudoku.grid import MAX_SIDE, MAX_VALUES, Grid, default_box, read_regions
from csp_sudoku.layers import WHOLE, layer_places
from csp_sudoku.puzzle import Puzzle

FORMAT = "csp-sudoku"
VERSION = 1

# Limits, so that a small document cannot cause hours of work.
_MAX_GRIDS = 50
_MAX_OFFSET = 9000
_MAX_SCOPES = 1_000_000

_TEXT = {"type": "string"}
_INTEGERS = {"type": "array", "items": {"type": "integer"}}
_PLACES = {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/place"}}, _TEXT]}

Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]
Offset = Annotated[int, Meta(ge=0, le=_MAX_OFFSET)]
# These are read by hand, so that an error message can name the path.
Regions = Annotated[
    Any, Meta(extra_json_schema={"anyOf": [_TEXT, {"type": "array", "items": _PLACES}]})
]
Named = Annotated[
    Any,
    Meta(
        extra_json_schema={
            "type": "object",
            "propertyNames": {"pattern": r"^[A-Za-z_][A-Za-z_0-9]*$"},
            "additionalProperties": _INTEGERS,
        }
    ),
]
Layers = Annotated[
    Any,
    Meta(
        extra_json_schema={
            "type": "object",
            "propertyNames": {"pattern": r"^[A-Za-z_][A-Za-z_0-9]*$"},
            "additionalProperties": {
                "type": "object",
                "properties": {"values": _INTEGERS, "on": _PLACES},
                "required": ["values"],
                "additionalProperties": False,
            },
        }
    ),
]
Givens = Annotated[
    Any,
    Meta(
        extra_json_schema={
            "anyOf": [
                _TEXT,
                {
                    "type": "object",
                    "propertyNames": {"$ref": "#/$defs/place"},
                    "additionalProperties": {"anyOf": [{"type": "integer"}, _INTEGERS]},
                },
            ]
        }
    ),
]
Constraints = Annotated[
    list[Any], Meta(extra_json_schema={"items": {"$ref": "#/$defs/constraint"}})
]


class GridDocument(Struct, forbid_unknown_fields=True):
    """A grid. Defaults: as many columns as rows, values from 1, the usual boxes."""

    rows: Side
    columns: Side | UnsetType = UNSET
    values: Annotated[list[int], Meta(min_length=1, max_length=MAX_VALUES)] | UnsetType = UNSET
    box: tuple[int, int] | UnsetType | None = UNSET
    regions: Regions | UnsetType = UNSET
    row_houses: bool = True
    column_houses: bool = True
    top: Offset = 0
    left: Offset = 0


class Document(Struct, forbid_unknown_fields=True):
    """A puzzle: its grids, named variables, layers, givens (or candidates), and constraints."""

    format: Annotated[str, Meta(extra_json_schema={"const": FORMAT})]
    version: Annotated[int, Meta(ge=1, le=VERSION)]
    grids: Annotated[list[GridDocument], Meta(min_length=1, max_length=_MAX_GRIDS)]
    named: Named = {}
    layers: Layers = {}
    givens: Givens = {}
    constraints: Constraints = []
    left_out: list[str] = []
    schema: str | UnsetType = msgspec.field(name="$schema", default=UNSET)


def read_document(text: str) -> Puzzle:
    """Read a puzzle from a JSON document.

    Examples
    --------
    >>> read_document('{"format": "csp-sudoku", "version": 1, "grids": [{"rows": 4}]}')
    <Puzzle 4×4, 0 givens, 0 constraints>
    """
    raw = strict_json.parse(text)
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise FormatError(f'not a puzzle document: its "format" must be "{FORMAT}"')
    version = raw.get("version")
    if type(version) is int and version > VERSION:
        raise FormatError(f"version: {shown(version)} is newer than {VERSION}, the newest known")
    try:
        document = msgspec.convert(raw, Document)
    except msgspec.ValidationError as error:
        path, reason = fields.complaint(error)
        raise FormatError(f"{path}: {reason}" if path else reason) from None
    grids = tuple(_read_grid(grid, f"grids[{i}]") for i, grid in enumerate(document.grids))
    shape = _read_layers(_read_named(Puzzle(grids), document.named), document.layers)
    constraints = list(_read_constraints(document.constraints, shape))
    for constraint in constraints:
        shape = fields.declared(constraint, shape)  # a layer that it brings may have givens
    puzzle = _read_givens(shape, document.givens)
    try:
        return replace(puzzle.add(*constraints), left_out=tuple(document.left_out))
    except CspSudokuError as error:
        raise FormatError(_complaint(puzzle, constraints, error)) from None


def write_json(puzzle: object) -> str:
    """Write a puzzle as a JSON document; reading it gives an equal puzzle.

    Examples
    --------
    >>> from csp_sudoku import AntiKnight, Puzzle
    >>> print(write_json(Puzzle.blank(4).with_givens({"R1C1": 1}).add(AntiKnight())))
    {
      "format": "csp-sudoku",
      "version": 1,
      "grids": [
        {"rows": 4, "columns": 4, "box": [2, 2]}
      ],
      "givens": {
        "R1C1": 1
      },
      "constraints": [
        {"type": "anti-knight"}
      ]
    }
    """
    text = "{\n" + ",\n".join(_parts(as_puzzle(puzzle))) + "\n}"
    strict_json.check_depth(text)
    return text


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a document, with every constraint known here, plug-ins too."""
    _, parts = msgspec.json.schema_components((Document,), ref_template="#/$defs/{name}")
    whole = parts.pop("Document")
    constraints = dict(fields.constraint_schemas())
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **whole,
        "title": f"{FORMAT} puzzle, version {VERSION}",
        "$defs": {
            **parts,
            "place": fields.PLACE_SCHEMA,
            "constraint": {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in constraints]},
            **constraints,
        },
    }


# Reading


def _read_grid(grid: GridDocument, path: str) -> Grid:
    columns = grid.rows if grid.columns is UNSET else grid.columns
    values = range(1, max(grid.rows, columns) + 1) if grid.values is UNSET else grid.values
    box = grid.box
    if box is UNSET:
        box = default_box(grid.rows, columns) if grid.regions is UNSET else None
    try:
        made = Grid(
            grid.rows,
            columns,
            tuple(values),
            box=box,
            row_houses=grid.row_houses,
            column_houses=grid.column_houses,
            top=grid.top,
            left=grid.left,
        )
        if grid.regions is UNSET:
            return made
        return replace(made, regions=_read_regions(grid.regions, f"{path}.regions", made))
    except FormatError:
        raise
    except CspSudokuError as error:
        raise FormatError(f"{path}: {error}") from None


def _read_regions(regions: Any, path: str, grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    if isinstance(regions, str):
        layout = read_regions(regions, grid.rows, grid.columns)
        return tuple(
            tuple(Cell(grid.top + row, grid.left + col) for row, col in region) for region in layout
        )
    if not isinstance(regions, list):
        raise FormatError(f"{path}: {shown(regions)} is neither a layout nor a list of regions")
    shape = Puzzle((grid,))
    found = [fields.read_places(item, f"{path}[{i}]", shape) for i, item in enumerate(regions)]
    return tuple(tuple(place for place in places if isinstance(place, Cell)) for places in found)


def _read_named(shape: Puzzle, named: Any) -> Puzzle:
    if not isinstance(named, dict):
        raise FormatError(f"named: {shown(named)} is not an object")
    listed = {
        name: fields.read_integers(values, f"named.{shown(name)[1:-1]}")
        for name, values in named.items()
    }
    try:
        return shape.with_all_named(listed.items())
    except CspSudokuError as error:
        raise FormatError(f"named: {error}") from None


def _read_layers(shape: Puzzle, written: Any) -> Puzzle:
    if not isinstance(written, dict):
        raise FormatError(f"layers: {shown(written)} is not an object")
    for name, layer in written.items():
        path = f"layers.{shown(name)[1:-1]}"
        if not isinstance(layer, dict) or not {"values"} <= {*layer} <= {"values", "on"}:
            raise FormatError(f'{path}: a layer is an object with "values", and perhaps "on"')
        on = layer.get("on", "cells")
        if not isinstance(on, str | list) or not all(isinstance(place, str) for place in on):
            raise FormatError(f"{path}.on: {shown(on)} is not a list of cells")
        try:
            listed = fields.read_integers(layer["values"], f"{path}.values")
            shape = shape.with_layer(name, listed, on)
        except FormatError:
            raise
        except CspSudokuError as error:
            raise FormatError(f"layers: {error}") from None
    return shape


def _read_givens(shape: Puzzle, givens: Any) -> Puzzle:
    pairs: dict[Place, tuple[int, ...]] = {}
    if isinstance(givens, str):
        entries = read_text(givens, Wanted.like(shape)).entries
        pairs = {p: e for p, e in zip(shape.cells, entries, strict=True) if e is not None}
    elif isinstance(givens, dict):
        for name, value in givens.items():
            path = f"givens.{shown(name)[1:-1]}"
            place = fields.read_place(name, path, shape)
            if place in pairs:
                raise FormatError(f"{path}: {place} is given twice")
            listed = value if isinstance(value, list) else [value]
            pairs[place] = fields.read_integers(listed, path)
    else:
        raise FormatError(f"givens: {shown(givens)} is neither a text nor an object")
    try:
        return shape.with_givens(pairs)
    except CspSudokuError as error:
        raise FormatError(f"givens: {error}") from None


def _read_constraints(constraints: list[Any], shape: Puzzle) -> Iterator[Constraint]:
    scopes = 0
    for i, item in enumerate(constraints):
        look()
        constraint = fields.read_constraint(item, f"constraints[{i}]", shape)
        shape = fields.declared(constraint, shape)
        # A constraint that has no scope here is refused later, when the puzzle is made.
        with suppress(CspSudokuError):
            scopes += len(constraint.scope(shape))
        if scopes > _MAX_SCOPES:
            raise FormatError(f"constraints[{i}]: the constraints name too many cells in all")
        yield constraint


def _complaint(puzzle: Puzzle, constraints: list[Constraint], error: CspSudokuError) -> str:
    """The error, with the constraint that causes it, which is found by trying each alone."""
    for i, constraint in enumerate(constraints):
        try:
            puzzle.add(constraint)
        except CspSudokuError as reason:
            return f"constraints[{i}]: {reason}"
    return f"constraints: {error}"


# Writing


def _parts(puzzle: Puzzle) -> Iterator[str]:
    """The members of the document, laid out for people."""
    yield f'  "format": "{FORMAT}"'
    yield f'  "version": {VERSION}'
    yield _list("grids", [_write_grid(g, f"grids[{i}]") for i, g in enumerate(puzzle.grids)])
    named = [{v.name: list(values)} for v, values in puzzle.named if type(v) is Var]
    if named:
        yield _object("named", named)
    if puzzle.layers:
        yield _object("layers", [{name: _write_layer(puzzle, name)} for name in puzzle.layers])
    if puzzle.candidates:
        rows = groupby(puzzle.candidates, key=lambda item: _row(item[0]))
        lines = [{str(p): v[0] if len(v) == 1 else list(v) for p, v in row} for _, row in rows]
        yield _object("givens", lines)
    if puzzle.constraints:
        written = [
            fields.write_constraint(constraint, f"constraints[{i}]")
            for i, constraint in enumerate(puzzle.constraints)
        ]
        yield _list("constraints", written)
    if puzzle.left_out:
        yield _list("left_out", list(puzzle.left_out))


def _write_grid(grid: Grid, path: str) -> dict[str, Any]:
    if max(grid.top, grid.left) > _MAX_OFFSET:
        raise FormatError(f"{path}: begins behind row or column {_MAX_OFFSET}")
    written: dict[str, Any] = {"rows": grid.rows, "columns": grid.columns}
    if grid.values != tuple(range(1, max(grid.rows, grid.columns) + 1)):
        written["values"] = list(grid.values)
    if grid.regions:
        written["regions"] = [[str(place) for place in region] for region in grid.regions]
    else:
        written["box"] = grid.box
    for name, usual in (("row_houses", True), ("column_houses", True), ("top", 0), ("left", 0)):
        if (held := getattr(grid, name)) != usual:
            written[name] = held
    return written


def _write_layer(puzzle: Puzzle, name: str) -> dict[str, Any]:
    places = puzzle.layers[name]
    values = {"values": list(puzzle.values_of(places[0]))}
    for on in WHOLE:
        if places == layer_places(name, puzzle.cells, on):
            return values if on == "cells" else {**values, "on": on}
    return {**values, "on": [str(place) for place in places]}


def _row(place: Place) -> int:
    return place.row if isinstance(place, Cell) else -1


def _list(name: str, items: Sequence[Any]) -> str:
    return f'  "{name}": [\n    ' + ",\n    ".join(map(json.dumps, items)) + "\n  ]"


def _object(name: str, lines: list[dict[str, Any]]) -> str:
    """An object with several members on a line."""
    return f'  "{name}": {{\n    ' + ",\n    ".join(json.dumps(x)[1:-1] for x in lines) + "\n  }"
