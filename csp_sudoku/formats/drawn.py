"""Pictures of other programs as canvases, and what the pictures and their text mean.

SudokuPad documents and the cosmetic layers of f-puzzles hold pictures. What these mean is in the
rules text; see :mod:`csp_sudoku.understanding`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any, TypeAlias

from csp_sudoku import pictures
from csp_sudoku.cells import Cell, Place
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import loose, told
from csp_sudoku.formats.loose import Object
from csp_sudoku.formats.reading import Collector, Help, Reading, check_length
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.puzzle import Puzzle
from csp_sudoku.understanding.canvas import Canvas, Outline, Point, Shape, Stroke
from csp_sudoku.understanding.choosing import Interpretation, interpret
from csp_sudoku.understanding.meaning import Meaning

Part: TypeAlias = Stroke | Shape | Outline

_CELL = re.compile(r"[Rr](-?[0-9]{1,3})[Cc](-?[0-9]{1,3})")
_DECIMAL = re.compile(r"\s*-?[0-9]{1,9}(\.[0-9]{1,20})?\s*", re.ASCII)
# Members that say how a thing looks, beyond its form, its colours and its place.
STYLE = re.compile(
    r"colou?r|stroke|opacity|font|thickness|width|height|size|dash|fill|border|outline|shadow|radius"
    r"|highlight|line(cap|join)|^(class|style|target|layer|id)$|C$|(?i:isNewConstraint"
    r"|fromConstraint|fromRangskSolver|isLLConstraint)"
)
# Members that hide a thing if they are 0.
_VISIBLE = ("opacity", "thickness")
_MOST_NUMBER = 1e9
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
    name = f"the {meaning.kind.name} rule that is there" if meaning.kind else "no rule"
    told = "; ".join(rules) or name
    more = " …" if len(meaning.rules) > _MOST_TOLD else ""
    return (
        f"is not a usual wording; it may mean: {told}{more}. If all is right, choose reading 1 "
        "(--reading 1)"
    )


def _short(thing: object) -> str:
    """What a message says of a thing that was drawn or said."""
    return textwrap.shorten(str(thing), _LONGEST_QUOTE, placeholder=" …")


def without_sentences(text: str, puzzle: Puzzle) -> str:
    """A rules text without the lines that are the sentences of rules of the puzzle."""
    told = {pictures.sentence(rule, puzzle).text for rule in puzzle.constraints}
    return "\n".join(line for line in text.split("\n") if line not in told)


def scl_canvas(document: Object, collector: Collector) -> Canvas:
    """The picture of a SudokuPad document."""
    drawn = (_entries(document, key, collector, read) for key, read in _SCL_PARTS.items())
    return _canvas(collector, [*chain.from_iterable(drawn)])


def _scl_stroke(item: Object, collector: Collector) -> Iterator[Stroke]:
    points = tuple(map(_point, _listed(item.get("wayPoints"))))
    if not points:
        raise FormatError("it goes through no points")
    colour = _colour(item.get("color")) if _is_seen(item) else "#0000"
    yield Stroke(points, colour, "headLength" in item)
    item.get("headLength")


def _scl_shape(item: Object, collector: Collector) -> Iterator[Shape]:
    yield Shape(
        _point(item.get("center")),
        _number(item.get("width")),
        _number(item.get("height")),
        loose.is_set(item.get("rounded")),
        _colour(item.get("backgroundColor")),
        _colour(item.get("borderColor")),
        _text(item.get("text")),
        _angle(item.get("angle")),
    )


def _scl_outline(item: Object, collector: Collector) -> Iterator[Outline]:
    """The outline of a cage. A hidden one counts if it says more than the houses of the grid."""
    if loose.is_empty(item.get("cells")) and told.line_of(item.get("value")) is not None:
        return
    total, text = loose.integer(item.get("sum")), _text(item.get("value"))
    unique = _truth(item.get("unique"), "unique")
    is_hidden = bool(_truth(item.get("hidden"), "hidden"))
    if not loose.is_empty(kind := item.get("type")):
        if kind != "rowcol":
            raise FormatError(f"its type {shown(kind)} is not known")
        is_hidden, unique = True, unique is not False
    colour = _colour(item.get("outlineC"))
    if is_hidden and not (unique or total):
        return
    cells = _inside(tuple(map(_whole_cell, _listed(item.get("cells")))), collector)
    if not cells:
        if total or text not in ("", "0"):
            raise FormatError("it has no cells")
        return
    if is_hidden and _is_house(cells, total, collector.shape):
        return
    if not is_hidden and total is not None and text not in ("", str(total)):
        raise FormatError(f"its sum is {total}, and what is written there is {shown(text)}")
    if unique is not True and (unique is not False or total is None):
        # A cage without a sum is often a mere drawing: that it is not unique then says nothing.
        unique = None
    # The sum stands in `value` as well as in `sum`; what a hidden cage says besides, nobody sees.
    yield Outline(cells, text if total is None and not is_hidden else _text(total), unique, colour)


_SCL_PARTS: dict[str, Callable[[Object, Collector], Iterator[Part]]] = {
    "lines": _scl_stroke,
    "arrows": _scl_stroke,
    "underlays": _scl_shape,
    "overlays": _scl_shape,
    "cages": _scl_outline,
}


def _is_house(cells: tuple[Cell, ...], total: int | None, shape: Puzzle) -> bool:
    """Whether a cage of different values says no more than a house."""
    houses = [{*house.cells} for house in shape.houses]
    if total is None:
        return any({*cells} <= house for house in houses)
    values = shape.grids[0].values
    return {*cells} in houses and len({*cells}) == len(values) and total == sum(values)


def fpuzzles_canvas(entries: Iterator[tuple[str, object]], collector: Collector) -> Canvas:
    """The picture of some cosmetic entries of an f-puzzles document, each with where it stands."""
    drawn: list[Part] = []
    for where, entry in islice(entries, _MOST):
        with collector.at(where, "drawing"):
            drawn += _read(entry, partial(_fpuzzles_part, where.partition(" ")[0]), collector)
    if next(entries, None) is not None:
        collector.leave_out("drawing", "drawn", f"more than {_MOST:,} things")
    return _canvas(collector, drawn)


def _fpuzzles_part(kind: str, entry: Object, collector: Collector) -> Iterator[Part]:
    """What an entry of a kind draws."""
    colour = _colour(entry.get("outlineC"))
    if kind == "line":
        for line in _listed(entry.get("lines")):
            points = tuple(_centre([cell]) for cell in _listed(line))
            if points:
                yield Stroke(points, colour)
    elif kind == "cage":
        cells = _inside(tuple(map(_named_cell, _listed(entry.get("cells")))), collector)
        yield Outline(cells, _text(entry.get("value")), None, colour)
    else:
        yield Shape(
            _centre(_listed(entry.get("cells"))),
            _number(entry.get("width")),
            _number(entry.get("height")),
            kind == "circle",
            _colour(entry.get("baseC")),
            colour,
            _text(entry.get("value")),
            _angle(entry.get("angle")),
        )


def _canvas(collector: Collector, drawn: list[Part]) -> Canvas:
    grid = collector.shape.grids[0]
    return Canvas(
        grid.rows,
        grid.columns,
        tuple(part for part in drawn if isinstance(part, Stroke)),
        tuple(part for part in drawn if isinstance(part, Shape)),
        tuple(part for part in drawn if isinstance(part, Outline)),
    )


def _entries(
    document: Object,
    key: str,
    collector: Collector,
    read: Callable[[Object, Collector], Iterable[Part]],
) -> list[Part]:
    """What the entries under a key draw; a faulty one is left out, and listed."""
    items = loose.listed(document.get(key))
    if len(items) > _MOST:
        raise FormatError(f"{len(items):,} {key}: no picture has more than {_MOST:,}")
    drawn: list[Part] = []
    for number, item in enumerate(items, 1):
        if not loose.is_empty(item):
            with collector.at(f"{key.removesuffix('s')} {number}", "drawing"):
                drawn += _read(item, read, collector)
    return drawn


def _read(
    item: object, read: Callable[[Object, Collector], Iterable[Part]], collector: Collector
) -> list[Part]:
    """What an entry draws. Members that are neither read nor a matter of style are refused."""
    entry = loose.Watched(loose.mapping(item))
    drawn = list(read(entry, collector))
    entry.check_seen({*filter(STYLE.search, entry)})
    return drawn


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
    if isinstance(value, list) and len(value) == 2 and not any(map(loose.is_empty, value)):
        row, column = value
        return _number(row), _number(column)
    raise FormatError(f"{shown(value)} is not a point; one is written as [row, column]")


def _number(value: object) -> float:
    """A length, which may be a text; 0 for a missing one."""
    # A picture is at most as large as the largest grid, with a margin.
    return max(-100.0, min(200.0, _decimal(value)))


def _angle(value: object) -> float:
    """An angle from 0 to 360 degrees."""
    return _decimal(value) % 360.0


def _decimal(value: object) -> float:
    """A number, which may be a text; 0 for a missing one."""
    if loose.is_empty(value):
        return 0.0
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FormatError(f"{shown(value)} is not a number")
    if not abs(value) < _MOST_NUMBER:
        raise FormatError(f"{shown(value)} is too large")
    return float(value)


def _is_seen(item: Object) -> bool:
    """Whether something that is drawn can be seen."""
    return all(item.get(name) is None or _decimal(item.get(name)) > 0 for name in _VISIBLE)


def _truth(value: object, name: str) -> bool | None:
    if not isinstance(value, bool | None):
        raise FormatError(f"{name} is true or false, not {shown(value)}")
    return value


def _text(value: object) -> str:
    """A text; a number counts as one."""
    if loose.is_empty(value):
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise FormatError(f"{shown(value)} is not a text")
    return str(value).strip()


def _colour(value: object) -> str:
    if isinstance(value, str):
        return value
    if not loose.is_empty(value):
        raise FormatError(f"{shown(value)} is not a colour")
    return ""


def _whole_cell(value: object) -> Cell:
    """A cell as a row and a column, counted from 0."""
    if isinstance(value, list) and len(value) == 2 and all(type(number) is int for number in value):
        return Cell(*value)
    raise FormatError(f"{shown(value)} is not a cell; one is written as [row, column]")


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
