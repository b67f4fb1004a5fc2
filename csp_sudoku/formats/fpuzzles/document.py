"""Documents of f-puzzles, read and written: the grid, the shapes of entries, and drawings.

The rules themselves say which key they have; see :mod:`csp_sudoku.forms`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, ClassVar

from csp_sudoku import constraints as rules
from csp_sudoku.cells import DIAGONALS, Cell
from csp_sudoku.checking.verify import keeps_rules
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.constraints.logic import leaves
from csp_sudoku.errors import CspSudokuError, FormatError
from csp_sudoku.formats import loose, told
from csp_sudoku.formats.drawn import STYLE, fpuzzles_canvas, interpreted
from csp_sudoku.formats.entries import COMMON, JsonSpelling, arrows, read_object
from csp_sudoku.formats.loose import Object
from csp_sudoku.formats.reading import (
    NO_HELP,
    Collector,
    Help,
    Progress,
    Reading,
    blank,
    check_length,
)
from csp_sudoku.formats.tables import (
    Fields,
    find_rows,
    only_grid,
    read_entry,
    read_members,
    rules_text,
    write_members,
    write_rules,
)
from csp_sudoku.formats.texts.shapes import shown
from csp_sudoku.forms import FPuzzles, NotHeldError, Row
from csp_sudoku.grid import Grid, check_size, default_box
from csp_sudoku.puzzle import Puzzle

# Keys that say nothing about the solution.
_SILENT = {
    "size",
    "grid",
    "title",
    "author",
    "ruleset",
    "solution",
    "successMessage",
    "highlightConflicts",
    "disabledlogic",
    "truecandidatesoptions",
    "fogofwar",
    "foglight",
    "triggereffect",
}
_DRAWN = ("line", "rectangle", "circle", "text")
_READ_ELSEWHERE = _SILENT.union(_DRAWN, ("metadata", "nonconsecutive", "negative"))
_OF_DRAWINGS = {"lines", "cells", "value", "angle"}
# Members that mark a drawing as the picture of a constraint.
_COPIES = ("isNewConstraint", "fromRangskSolver", "isLLConstraint")
# Members of a cell of the grid. Some are colours, and some a player has entered.
_OF_CELLS = {
    "value",
    "given",
    "region",
    "givenPencilMarks",
    "centerPencilMarks",
    "cornerPencilMarks",
    "c",
    "cArray",
    "highlight",
    "highlightArray",
}
_SILENT_CAGE = re.compile(r"\s*DR\s*[0-9]\s*|FOW|FOGLIGHT")
# What is written on a picture of a constraint, unless it is an ornament.
_SAYING = re.compile(r"[\w?<>=+/-]")
_NAMED = re.compile(r"[Rr][0-9]+[Cc][0-9]+")
_SOLUTION_MARKS = (".", "", None, 0, "0", "?")


def read_document(document: object, help_given: Help = NO_HELP) -> Reading:
    """Read a document that was parsed as JSON."""
    found = loose.mapping(document)
    rows = _grid(found)
    said = told.gathered(
        loose.mapping(found.get("metadata") or {}), told.of_lines(_told_cages(found).values())
    )
    collector = Collector(blank(len(rows), len(rows), _regions(rows)), help_given)
    spelling = _Spelling(collector.shape)
    for key, value in found.items():
        if not (loose.is_empty(value) or key in _READ_ELSEWHERE):
            _read_key(collector, key, value, spelling)
    _Unmarked.read_all(found, collector)
    for name in sorted(said):
        if told.may_be_rules(name, said[name]):
            collector.leave_out("told", "told", f"what it says of {shown(name)} is not known")
    puzzle = collector.puzzle(dict(_givens(rows)))
    reading = Reading(
        puzzle,
        title=loose.text(found.get("title")),
        author=loose.text(found.get("author")),
        rules=loose.rules([found.get("ruleset"), said.get("rules")]),
        solution=_solution(found, rows, puzzle),
        progress=_progress(rows, puzzle),
    )
    if "solution" not in found and reading.solution:
        # Every cell is filled without a mistake: this is the solution, and nobody needs a hint.
        reading = replace(reading, progress=Progress())
    canvas = fpuzzles_canvas(_drawings(found), collector)
    return interpreted(reading, collector, canvas, help_given)


def document_of(reading: Reading, *, lenient: bool = False) -> Object:
    """The document of a puzzle. What it cannot hold is refused, or else told in its rules text."""
    puzzle = reading.puzzle
    grid = _grid_of(puzzle)
    document: Object = {"size": grid.rows}
    for key in ("title", "author"):
        if held := getattr(reading, key):
            document[key] = held
    written, missing = write_rules(_Spelling(puzzle))
    if text := rules_text(reading, missing, FPuzzles.format, lenient=lenient):
        document["ruleset"] = text
    document["grid"] = _rows(puzzle, grid)
    if reading.solution:
        document["solution"] = ["." if value is None else value for value in reading.solution]
    for row, entry in written:
        if row.shape == "unmarked":
            _Unmarked.put(document, entry)
        elif row.shape == "flag":
            document[row.key] = True
        else:
            document.setdefault(row.key, []).append(entry)
    return document


# The grid


def _grid(document: Object) -> list[list[Object]]:
    rows = loose.listed(document.get("grid"))
    side = loose.integer(document.get("size")) or len(rows)
    check_size(side, side)
    if len(rows) != side:
        raise FormatError(f"grid: has {len(rows)} rows where the size is {side}")
    found = []
    for number, row in enumerate(rows, 1):
        cells = [{} if loose.is_empty(cell) else loose.mapping(cell) for cell in loose.listed(row)]
        if len(cells) != side:
            raise FormatError(f"grid: row {number} has {len(cells)} cells where {side} are needed")
        found.append(cells)
    return found


def _grid_of(puzzle: Puzzle) -> Grid:
    grid = only_grid(puzzle, FPuzzles.format)
    if grid.rows != grid.columns:
        raise FormatError(f"f-puzzles holds square grids, not {grid.size}")
    if grid.values != tuple(range(1, grid.rows + 1)):
        raise FormatError(f"f-puzzles holds the values 1 to {grid.rows} in a {grid.size} grid")
    if not (grid.row_houses and grid.column_houses):
        raise FormatError("f-puzzles has no grids whose rows or columns may repeat a value")
    for region in grid.boxes:
        if len(region) != grid.rows:
            raise FormatError(
                f"f-puzzles holds regions of {grid.rows} cells, not of {len(region)} as at "
                f"{region[0]}"
            )
    if len({place for region in grid.boxes for place in region}) < sum(map(len, grid.boxes)):
        raise FormatError("f-puzzles has no regions that overlap")
    return grid


def _regions(rows: list[list[Object]]) -> list[list[Cell]]:
    """The regions. A cell that names none belongs to its default box."""
    side = len(rows)
    height, width = _usual_box(side)
    regions: dict[int, list[Cell]] = {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            number = cell.get("region", r // height * height + c // width)
            if number is None:
                continue
            if type(number) is not int:
                raise FormatError(f"{Cell(r, c)}: its region {shown(number)} is not a number")
            regions.setdefault(number, []).append(Cell(r, c))
    for number, region in regions.items():
        if len(region) != side:
            raise FormatError(
                f"region {shown(number)} at {region[0]}: has {len(region)} cells where {side} "
                f"are needed"
            )
    return list(regions.values())


def _usual_box(side: int) -> tuple[int, int]:
    """The usual box of a grid; a whole row where the side is prime."""
    return default_box(side, side) or (1, side)


def _givens(rows: list[list[Object]]) -> Iterator[tuple[Cell, list[int]]]:
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            try:
                value = loose.given(cell, _OF_CELLS)
                candidates = [loose.needed(v) for v in loose.listed(cell.get("givenPencilMarks"))]
            except FormatError as error:
                raise FormatError(f"{Cell(r, c)}: {error}") from None
            if value is not None:
                yield Cell(r, c), [value]
            elif candidates:
                yield Cell(r, c), candidates


def _progress(rows: list[list[Object]], puzzle: Puzzle) -> Progress:
    """The digits and centre marks that a solver has entered."""
    return Progress.of(
        puzzle,
        (
            (Cell(r, c), cell.get("value"), loose.marks(cell.get("centerPencilMarks")))
            for r, row in enumerate(rows)
            for c, cell in enumerate(row)
            if cell.get("given") is not True
        ),
    )


def _rows(puzzle: Puzzle, grid: Grid) -> list[list[Object]]:
    """The cells with their regions and givens."""
    regions = {place: number for number, region in enumerate(grid.boxes) for place in region}
    usual = grid.box == _usual_box(grid.rows)
    candidates = dict(puzzle.candidates)
    rows: list[list[Object]] = []
    for r in range(grid.rows):
        rows.append([])
        for place in grid.row(r):
            cell: Object = {} if usual else {"region": regions.get(place)}
            values = candidates.get(place)
            if values is not None and len(values) == 1:
                cell.update(value=values[0], given=True)
            elif values is not None:
                if not values:
                    raise FormatError(f"{place}: f-puzzles cannot hold that no value is possible")
                cell["givenPencilMarks"] = list(values)
            rows[-1].append(cell)
    return rows


def _solution(document: Object, rows: list[list[Object]], puzzle: Puzzle) -> tuple[int | None, ...]:
    """The stated solution. A grid that a player has filled without a mistake counts as one."""
    stated = document.get("solution")
    if isinstance(stated, str):
        stated = stated.split(",") if "," in stated else list(stated)
    entered = [cell.get("value") for row in rows for cell in row]
    marks = stated if isinstance(stated, list) else entered
    try:
        values = [None if mark in _SOLUTION_MARKS else loose.integer(mark) for mark in marks]
    except (FormatError, TypeError):
        return ()
    if len(values) != len(rows) ** 2 or set(values) == {None}:
        return ()
    if marks is entered and not _keeps_rules(puzzle, values):
        return ()
    return tuple(values)


def _keeps_rules(puzzle: Puzzle, values: list[int | None]) -> bool:
    filled = {p: value for p, value in zip(puzzle.cells, values, strict=True) if value is not None}
    if len(filled) < len(values):
        return False
    try:
        return keeps_rules(puzzle, filled)
    except CspSudokuError:
        return False


# Entries


def _read_key(collector: Collector, key: str, value: object, spelling: _Spelling) -> None:
    found = find_rows(FPuzzles.format, key)
    if not found:
        name = shown(key)[1:-1]
        collector.leave_out(key, name, "this kind of constraint is not known")
    elif any(row.shape == "flag" for _, row in found):
        with collector.at(key):
            if loose.is_set(value):
                collector.add(*read_entry(found, {}, spelling))
    elif not isinstance(value, list):
        collector.leave_out(key, key, f"{shown(value)} is not a list")
    elif any(row.shape == "extreme" for _, row in found):
        with collector.at(key):
            check_length(value)
            for entry in value:
                collector.add(*read_object(found, entry, spelling))
    else:
        for number, entry in enumerate(value, 1):
            with collector.at(f"{key} {number}", key):
                collector.add(*read_object(found, entry, spelling))


class _Each:
    """One cell. A rule of several cells has an entry for each."""

    def read(self, row: Row, entry: Object, spelling: _Spelling) -> Iterator[Fields]:
        yield {"cells": spelling.cell(entry.get("cell"))}

    def write(self, row: Row, rule: Any, spelling: _Spelling) -> Iterator[Object]:
        yield from ({"cell": cell} for cell in spelling.spell_all(rule.cells))


class _Extreme:
    """One cell that is less or greater than its neighbours."""

    def read(self, row: Row, entry: Object, spelling: _Spelling) -> Iterator[Fields]:
        yield {"cell": spelling.cell(entry.get("cell"))}

    def write(self, row: Row, rule: Any, spelling: _Spelling) -> Iterator[Object]:
        yield {"cell": spelling.spell(rule.cell)}


class _DigitalRoot:
    """A cage whose text is a digital root, such as DR3. Other texts make it a drawing."""

    _text = re.compile(r"\s*DR\s*([0-9])\s*")

    def read(self, row: Row, entry: Object, spelling: _Spelling) -> Iterator[Fields]:
        cells, value = spelling.cells(entry.get("cells")), entry.get("value")
        if isinstance(value, str) and (found := self._text.fullmatch(value)):
            yield {"cells": cells, "sum": self._sums(int(found[1]), spelling.grid)}

    def write(self, row: Row, rule: Any, spelling: _Spelling) -> Iterator[Object]:
        for root in range(1, 10):
            if rule.unknown == self._sums(root, spelling.grid):
                yield {"cells": spelling.spell_all(rule.cells), "value": f"DR{root}"}
                return
        raise NotHeldError("there the sums must be all those of one digital root")

    def _sums(self, root: int, grid: Grid) -> tuple[int, ...]:
        """The sums of different cells that have this digital root."""
        return tuple(range(root, sum(grid.values) + 1, 9))


class _Clone:
    """Two groups of cells that are equal cell by cell."""

    def read(self, row: Row, entry: Object, spelling: _Spelling) -> Iterator[Fields]:
        cells, clones = (spelling.cells(entry.get(key)) for key in ("cells", "cloneCells"))
        if len(cells) != len(clones):
            raise FormatError(f"{len(cells)} cells are cloned to {len(clones)}")
        pairs = [(a, b) for a, b in zip(cells, clones, strict=True) if a != b]
        if pairs:
            yield {"groups": tuple(zip(*pairs, strict=True))}

    def write(self, row: Row, rule: Any, spelling: _Spelling) -> Iterator[Object]:
        for one, other in zip(rule.groups, rule.groups[1:], strict=False):
            yield {"cells": spelling.spell_all(one), "cloneCells": spelling.spell_all(other)}


class _DiagonalClue:
    """A clue outside the grid, or in the first cell, with the direction of its diagonal."""

    _directions: ClassVar = {"UL": "NW", "UR": "NE", "DL": "SW", "DR": "SE"}

    def read(self, row: Row, entry: Object, spelling: _Spelling) -> Iterator[Fields]:
        start, cells = spelling.cell(entry.get("cell")), spelling.cells(entry.get("cells"))
        direction = self._directions.get(str(entry.get("direction")).upper())
        fields = read_members(row, entry, spelling)
        if fields is None:
            return
        if direction is None:
            raise FormatError(f"its direction {shown(entry.get('direction'))} is not known")
        if not spelling.is_inside(start):
            rows, columns = DIAGONALS[direction]
            start = Cell(start.row + rows, start.col + columns)
        if cells and {*cells} != {*spelling.puzzle.ray(start, direction)}:
            raise FormatError("its cells are not those of its diagonal")
        yield {"start": start, "direction": direction, **fields}

    def write(self, row: Row, rule: Any, spelling: _Spelling) -> Iterator[Object]:
        rows, columns = DIAGONALS[rule.direction]
        outside = Cell(rule.start.row - rows, rule.start.col - columns)
        names = {ours: theirs for theirs, ours in self._directions.items()}
        yield {
            "cell": str(rule.start if spelling.is_inside(outside) else outside),
            "direction": names[rule.direction],
            **write_members(row, rule, spelling),
            "cells": spelling.spell_all(rule.scope(spelling.puzzle)),
        }


def _dots(puzzle: Puzzle) -> list[Constraint]:
    """Return the dots of a puzzle, but not those inside an ``or`` or a ``not``."""
    kinds = (rules.Difference, rules.Ratio)
    found = [leaf for c in puzzle.constraints for leaf, sure in leaves(c) if sure]
    return [leaf for leaf in found if isinstance(leaf, kinds)]


class _Unmarked:
    """Rules for the pairs without a dot or sign. The keys belong together: any dot exempts."""

    @staticmethod
    def read_all(document: Object, collector: Collector) -> None:
        """Read both keys, after all dots and signs."""
        with collector.at("negative"):
            negative = {str(name) for name in loose.listed(document.get("negative"))}
            for name in sorted(negative - {"ratio", "xv", "foglight"}):
                collector.leave_out("negative", "negative", f"{shown(name)} is not known")
            dots = [
                c for c in collector.constraints if isinstance(c, rules.Difference | rules.Ratio)
            ]
            ratios = sorted({c.ratio for c in dots if isinstance(c, rules.Ratio)}) or [2]
            consecutive = loose.is_set(document.get("nonconsecutive"))
            if consecutive and "ratio" not in negative and not dots:
                collector.add(rules.Nonconsecutive())
            elif consecutive or "ratio" in negative:
                _check_marks(collector, "difference", "ratio")
                collector.add(
                    rules.NegativeKropki(
                        differences=(1,) if consecutive else (),
                        ratios=tuple(ratios) if "ratio" in negative else (),
                    )
                )
            if "xv" in negative:
                _check_marks(collector, "xv")
                collector.add(rules.NegativeXV())

    def read(self, row: Row, entry: Any, spelling: _Spelling) -> Iterable[Fields]:
        return ()

    def write(self, row: Row, rule: Constraint, spelling: _Spelling) -> Iterator[str]:
        puzzle = spelling.puzzle
        match rule:
            case rules.NegativeXV():
                yield "xv"
            case rules.NegativeKropki():
                ratios = {dot.ratio for dot in _dots(puzzle) if isinstance(dot, rules.Ratio)} or {2}
                if rule.differences not in ((), (1,)):
                    raise NotHeldError("there the only difference can be 1")
                if set(rule.ratios) not in (set(), ratios):
                    raise NotHeldError("there the ratios are those of the dots")
                if rule.differences:
                    yield "nonconsecutive"
                if rule.ratios:
                    yield "ratio"
            case _:
                if _dots(puzzle):
                    raise NotHeldError("there a dot exempts its pair from it")
                yield "nonconsecutive"

    @staticmethod
    def put(document: Object, name: str) -> None:
        """Add what :meth:`write` gives to a document."""
        if name == "nonconsecutive":
            document[name] = True
        else:
            document.setdefault("negative", []).append(name)


def _check_marks(collector: Collector, *keys: str) -> None:
    """Refuse where a mark was left out: it would have exempted its pair."""
    if collector.lacks(*keys):
        raise FormatError("marks were left out, so the unmarked pairs are not known")


class _Spelling(JsonSpelling):
    """Cells are R1C1, and numbers are written as text."""

    format = FPuzzles.format
    silent = frozenset(
        ("outlineC", "fontC", "baseC", "width", "height", "size", "angle", "fromConstraint")
    ).union(_COPIES)
    shapes: ClassVar = {
        **COMMON,
        **arrows("cells", "lines"),
        "each": _Each(),
        "extreme": _Extreme(),
        "digital root": _DigitalRoot(),
        "groups": _Clone(),
        "diagonal clue": _DiagonalClue(),
        "unmarked": _Unmarked(),
    }

    def cell(self, value: Any) -> Cell:
        return loose.cell(value)

    def spell_cell(self, cell: Cell) -> str:
        return str(cell)

    def number(self, number: int) -> str:
        return str(number)

    def outer(self, entry: Object) -> Cell:
        return self.cell(entry.get("cell"))

    def spell_outer(self, cell: Cell) -> Object:
        return {"cell": str(cell)}


# Drawings


def _drawings(document: Object) -> Iterator[tuple[str, object]]:
    """The drawings that picture no constraint of the document, each with where it stands."""
    lines = set(_lines(document, [key for key in document if key not in _DRAWN]))
    told_cages = _told_cages(document)
    for kind in ("cage", *_DRAWN):
        for number, entry in enumerate(loose.listed(document.get(kind)), 1):
            if kind == "cage" and number in told_cages:
                continue
            if not (isinstance(entry, dict) and _pictures(entry, document, lines)):
                yield f"{kind} {number}", entry


def _told_cages(document: Object) -> dict[int, tuple[str, str]]:
    """The cages that tell people something, such as "rules: …": their numbers, and what."""
    cages = enumerate(loose.listed(document.get("cage")), 1)
    lines = {n: told.line_of(cage.get("value")) for n, cage in cages if isinstance(cage, dict)}
    return {number: line for number, line in lines.items() if line is not None}


def _pictures(entry: Object, document: Object, lines: set[frozenset[str]]) -> bool:
    """Whether a drawing is the picture of a constraint that is there, or says nothing at all."""
    names = [name for name, value in entry.items() if not loose.is_empty(value)]
    if not all(name in _OF_DRAWINGS or STYLE.search(name) for name in names):
        return False
    if not loose.is_empty(entry.get("lines")):
        own = set(_lines({"line": [entry]}, ["line"]))
        return bool(own) and own <= lines  # whatever it says of itself
    if any(entry.get(flag) for flag in _COPIES):
        return {*map(str, loose.listed(entry.get("cells")))} <= set().union(*lines)
    name, value = entry.get("fromConstraint"), str(entry.get("value"))
    key = re.sub(r"[\s-]", "", name).lower() if isinstance(name, str) else ""
    if bool(_SILENT_CAGE.fullmatch(value)):
        return True
    pictured = document.get(key)
    if loose.is_empty(pictured):
        return False
    cells = {*_NAMED.findall(str(entry.get("cells")))}
    held = {str(item.get("value")) for item in loose.listed(pictured) if isinstance(item, dict)}
    says_nothing = value in held or value == "None" or not _SAYING.search(value)
    return cells <= {*_NAMED.findall(str(pictured))} and says_nothing


def _lines(document: Object, keys: Iterable[str]) -> Iterator[frozenset[str]]:
    """The cells of each line under these keys."""
    for key in keys:
        entries = document.get(key)
        for entry in entries if isinstance(entries, list) else []:
            lines = entry.get("lines") if isinstance(entry, dict) else None
            for line in lines if isinstance(lines, list) else []:
                if isinstance(line, list):
                    yield frozenset(str(cell) for cell in line)
