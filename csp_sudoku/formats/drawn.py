"""Pictures of other programs as canvases, and what the pictures and their text mean.

SudokuPad documents and the cosmetic layers of f-puzzles hold pictures. What these mean is in the
rules text; see :mod:`csp_sudoku.understanding`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import islice
from typing import Any

from csp_sudoku import pictures
from csp_sudoku.cells import Cell, Place
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import loose
from csp_sudoku.formats.loose import Object
from csp_sudoku.formats.reading import Collector, Help, Reading, check_length
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.understanding.canvas import Canvas, Outline, Point, Shape, Stroke
from csp_sudoku.understanding.choosing import Interpretation, interpret
from csp_sudoku.understanding.meaning import Meaning

_CELL = re.compile(r"[Rr](-?[0-9]{1,3})[Cc](-?[0-9]{1,3})")
# No picture has so many parts.
_MOST = 5_000
_LONGEST_QUOTE = 400
# So many rules show how a sentence was read.
_MOST_TOLD = 2


def interpreted(
    reading: Reading, collector: Collector, canvas: Canvas, help_given: Help
) -> Reading:
    """Add to a reading what its picture and its text mean; refuse what is not understood."""
    puzzle = reading.puzzle
    solution: dict[Place, int] = {
        place: value
        for place, value in zip(puzzle.cells, reading.solution, strict=False)
        if value is not None
    }
    found: Interpretation = interpret(
        replace(puzzle, left_out=()),
        canvas,
        without_sentences(reading.rules, puzzle),
        solution=solution if len(solution) == len(puzzle.cells) else None,
        rules=help_given.rules,
        explains=help_given.explains,
        reading=help_given.reading,
    )
    for figure in found.figures:
        collector.leave_out("drawing", "drawn", f"{_short(figure)}: no sentence says what it means")
    for sentence in found.sentences:
        collector.leave_out(
            "rules text", "said", f"{_short(repr(sentence.text))} is not understood"
        )
    for meaning in found.unsure:
        said = _short(repr(meaning.sentence.text))
        collector.leave_out("rules text", "said", f"{said} {_as_read(meaning, puzzle)}")
    if found.broken:
        collector.leave_out(
            "solution",
            "",
            f"the stated solution breaks a rule, as the rules text was read: {found.broken}",
        )
    if found.several and any(meaning.rules for meaning in found.meanings):
        collector.leave_out(
            "solution", "", "the stated solution is not the only one by the rules that were read"
        )
    collector.refuse_missing()
    left_out = tuple(map(str, collector.missing))
    return replace(
        reading,
        puzzle=replace(found.puzzle, left_out=left_out),
        missing=tuple(collector.missing),
        entries=tuple(collector.entries),
        meanings=found.meanings,
        confirmed=found.confirmed,
        notes=(*reading.notes, *(f"no rule: {s.text!r}" for s in found.flavour)),
    )


def _as_read(meaning: Meaning, puzzle: Puzzle) -> str:
    """How a sentence was read that is not worded as usual, and how to say that this is right."""
    rules = [rule.describe(puzzle) for rule in meaning.rules[:_MOST_TOLD]]
    name = f"a sentence about {meaning.kind.name}" if meaning.kind else "no rule"
    told = "; ".join(rules) or name
    more = " …" if len(meaning.rules) > _MOST_TOLD else ""
    return f"is not a usual wording; it may mean: {told}{more}. If all is right, choose reading 1"


def _short(thing: object) -> str:
    """What a message says of a thing that was drawn or said."""
    return textwrap.shorten(str(thing), _LONGEST_QUOTE, placeholder=" …")


def without_sentences(text: str, puzzle: Puzzle) -> str:
    """A rules text without the lines that are the sentences of rules of the puzzle."""
    told = {pictures.sentence(rule, puzzle).text for rule in puzzle.constraints}
    return "\n".join(line for line in text.split("\n") if line not in told)


def scl_canvas(document: Object, collector: Collector) -> Canvas:
    """The picture of a SudokuPad document."""
    strokes: list[Stroke] = []
    shapes: list[Shape] = []
    outlines: list[Outline] = []
    for kind, item in _objects(document, ("lines", "arrows"), collector):
        with kind:
            points = tuple(map(_point, _listed(item.get("wayPoints"))))
            if points:
                strokes.append(Stroke(points, _colour(item.get("color")), "headLength" in item))
    for kind, item in _objects(document, ("underlays", "overlays"), collector):
        with kind:
            shapes.append(_scl_shape(item))
    for kind, item in _objects(document, ("cages",), collector):
        if not loose.is_empty(item.get("cells")):
            with kind:
                outlines += _scl_outline(item, collector)
    return _canvas(collector, strokes, shapes, outlines)


def _scl_shape(item: Object) -> Shape:
    return Shape(
        _point(item.get("center")),
        _number(item.get("width")),
        _number(item.get("height")),
        bool(item.get("rounded")),
        _colour(item.get("backgroundColor")),
        _colour(item.get("borderColor")),
        _text(item.get("text")),
        _number(item.get("angle")),
    )


def _scl_outline(item: Object, collector: Collector) -> Iterator[Outline]:
    """The outline of a cage. A hidden one counts if it says more than the houses of the grid."""
    total, unique, text = item.get("sum"), item.get("unique"), _text(item.get("value"))
    is_hidden = bool(item.get("hidden"))
    if item.get("type") == "rowcol":
        is_hidden, unique = True, unique is not False
    if is_hidden and not (unique or total):
        return
    points = [_point(cell) for cell in _listed(item.get("cells"))]
    cells = _inside(tuple(Cell(*map(int, point)) for point in points), collector)
    if is_hidden and any({*cells} <= {*house.cells} for house in collector.shape.houses):
        return
    if unique is not True and (unique is not False or total is None):
        # A cage without a sum is often a mere drawing: that it is not unique then says nothing.
        unique = None
    # The sum stands in `value` as well as in `sum`; what a hidden cage says besides, nobody sees.
    yield Outline(
        cells,
        text if total is None and not is_hidden else _text(total),
        unique,
        _colour(item.get("outlineC")),
    )


def fpuzzles_canvas(entries: Iterator[tuple[str, Object]], collector: Collector) -> Canvas:
    """The picture of some cosmetic entries of an f-puzzles document, each with where it stands."""
    strokes: list[Stroke] = []
    shapes: list[Shape] = []
    outlines: list[Outline] = []
    for where, entry in islice(entries, _MOST):
        kind = where.partition(" ")[0]
        colour = _colour(entry.get("outlineC"))
        with collector.at(where, "drawing"):
            if kind == "line":
                for line in _listed(entry.get("lines")):
                    points = tuple(_centre([cell]) for cell in _listed(line))
                    if points:
                        strokes.append(Stroke(points, colour))
            elif kind == "cage":
                cells = _inside(tuple(map(_named_cell, _listed(entry.get("cells")))), collector)
                outlines.append(Outline(cells, _text(entry.get("value")), None, colour))
            else:
                shapes.append(
                    Shape(
                        _centre(_listed(entry.get("cells"))),
                        _number(entry.get("width")),
                        _number(entry.get("height")),
                        kind == "circle",
                        _colour(entry.get("baseC")),
                        colour,
                        _text(entry.get("value")),
                        _number(entry.get("angle")),
                    )
                )
    if next(entries, None) is not None:
        collector.leave_out("drawing", "drawn", f"more than {_MOST:,} things")
    return _canvas(collector, strokes, shapes, outlines)


def _canvas(
    collector: Collector, strokes: list[Stroke], shapes: list[Shape], outlines: list[Outline]
) -> Canvas:
    grid = collector.shape.grids[0]
    return Canvas(grid.rows, grid.columns, tuple(strokes), tuple(shapes), tuple(outlines))


def _objects(
    document: Object, keys: Iterable[str], collector: Collector
) -> Iterator[tuple[AbstractContextManager[None], Object]]:
    """The objects under these keys, each with a context that leaves it out if it is faulty."""
    for key in keys:
        items = loose.listed(document.get(key))
        if len(items) > _MOST:
            raise FormatError(f"{len(items):,} {key}: no picture has more than {_MOST:,}")
        for number, item in enumerate(items, 1):
            if isinstance(item, dict):
                yield collector.at(f"{key.removesuffix('s')} {number}", "drawing"), item


def _listed(value: object) -> list[Any]:
    items = loose.listed(value)
    check_length(items, "points")
    return items


def _inside(cells: tuple[Cell, ...], collector: Collector) -> tuple[Cell, ...]:
    grid = collector.shape.grids[0]
    for cell in cells:
        if not (0 <= cell.row < grid.rows and 0 <= cell.col < grid.columns):
            raise FormatError(f"{cell} is outside the {grid.size} grid")
    return cells


def _point(value: object) -> Point:
    if isinstance(value, list) and len(value) == 2:
        row, column = value
        return _number(row), _number(column)
    raise FormatError(f"{value!r} is not a point; one is written as [row, column]"[:200])


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    # A picture is at most as large as the largest grid, with a margin.
    return float(max(-100.0, min(200.0, value)))


def _text(value: object) -> str:
    """A text; a number counts as one."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()


def _colour(value: object) -> str:
    return value if isinstance(value, str) else ""


def _named_cell(name: object) -> Cell:
    """A cell by its name; those beside the grid have 0, or one more than the side."""
    found = _CELL.fullmatch(str(name).strip())
    if not found:
        raise FormatError(f"{str(name)[:40]!r} is not a cell")
    return Cell(int(found[1]) - 1, int(found[2]) - 1)


def _centre(names: list[Any]) -> Point:
    """The middle of some cells."""
    cells = [_named_cell(name) for name in names]
    if not cells:
        raise FormatError("a drawing without cells")
    row = sum(cell.row + 0.5 for cell in cells) / len(cells)
    return row, sum(cell.col + 0.5 for cell in cells) / len(cells)
