"""From f-puzzles documents to puzzles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from math import isqrt
from typing import Any, TypeAlias

from csp_sudoku import constraints as rules
from csp_sudoku.cells import Cell
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import loose
from csp_sudoku.formats.reading import Collector, Reading, blank, check_length, disjoint_groups
from csp_sudoku.formats.rules_text import unexplained
from csp_sudoku.formats.shapes import shown
from csp_sudoku.grid import Grid, check_size

Entry: TypeAlias = dict[str, Any]
Reader: TypeAlias = Callable[[Entry, Grid], Iterable[Constraint]]

DIRECTIONS = {"UL": "NW", "UR": "NE", "DL": "SW", "DR": "SE"}
STEPS = {"NW": (-1, -1), "NE": (-1, 1), "SW": (1, -1), "SE": (1, 1)}

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
    "metadata",
    "fogofwar",
    "foglight",
    "triggereffect",
}
_DRAWN = ("line", "rectangle", "circle", "text")
# These are no entries of their own: they lean on the dots and signs, and on each other.
_TOGETHER = ("negative", "nonconsecutive", "minimum", "maximum")
_DIGITAL_ROOT = re.compile(r"\s*DR\s*([0-9])\s*")
_SILENT_CAGE = re.compile(r"\s*DR\s*[0-9]|FOW|FOGLIGHT|[^: ]+:")
_SOLUTION_MARKS = (".", "", None, 0, "0", "?")


def read_document(document: object, *, lenient: bool = False) -> Reading:
    """Read a document that was parsed as JSON."""
    found = loose.mapping(document)
    rows = _grid(found)
    side = len(rows)
    shape = blank(side, side, _regions(rows))
    collector = Collector(shape, lenient=lenient)
    for key, value in found.items():
        if not (loose.is_empty(value) or key in _SILENT or key in _DRAWN or key in _TOGETHER):
            _read_key(collector, key, value)
    _read_extremes(collector, found)
    _read_negatives(collector, found)
    puzzle = collector.puzzle(dict(_givens(rows)))
    text = loose.text(found.get("ruleset"))
    notes = [*collector.notes, *_drawings(found), *unexplained(text, puzzle)]
    return Reading(
        puzzle,
        title=loose.text(found.get("title")),
        author=loose.text(found.get("author")),
        rules=text,
        solution=_solution(found, rows),
        notes=tuple(notes),
    )


# The grid


def _grid(document: Entry) -> list[list[Entry]]:
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


def _regions(rows: list[list[Entry]]) -> list[list[Cell]]:
    """The regions; a cell that names none belongs to its default box."""
    side = len(rows)
    height, width = default_box(side)
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


def default_box(side: int) -> tuple[int, int]:
    """The box of a grid, as square as possible; a single row where the side is prime.

    Examples
    --------
    >>> default_box(6), default_box(7)
    ((2, 3), (1, 7))
    """
    height = next(n for n in range(isqrt(side), 0, -1) if side % n == 0)
    return height, side // height


def _givens(rows: list[list[Entry]]) -> Iterator[tuple[Cell, list[int]]]:
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            try:
                value = loose.integer(cell.get("value"))
                marks = [loose.needed(mark) for mark in loose.listed(cell.get("givenPencilMarks"))]
            except FormatError as error:
                raise FormatError(f"{Cell(r, c)}: {error}") from None
            if cell.get("given") is True and value is not None:
                yield Cell(r, c), [value]
            elif marks:
                yield Cell(r, c), marks


def _solution(document: Entry, rows: list[list[Entry]]) -> tuple[int | None, ...]:
    """The stated solution; a player's full grid counts as one."""
    stated = document.get("solution")
    if isinstance(stated, str):
        stated = stated.split(",") if "," in stated else list(stated)
    if not isinstance(stated, list):
        stated = [cell.get("value") for row in rows for cell in row]
        if None in stated:
            return ()
    try:
        values = [None if mark in _SOLUTION_MARKS else loose.integer(mark) for mark in stated]
    except (FormatError, TypeError):
        return ()
    if len(values) != len(rows) ** 2 or set(values) == {None}:
        return ()
    return tuple(values)


# Constraints


def _read_key(collector: Collector, key: str, value: object) -> None:
    grid = collector.shape.grids[0]
    if key in _FLAGS:
        with collector.at(key):
            collector.add(*_FLAGS[key](grid))
        return
    reader = _ENTRIES.get(key)
    if reader is None:
        collector.refuse(f"{shown(key)[1:-1]}: this kind of constraint is not known")
        return
    if not isinstance(value, list):
        collector.refuse(f"{key}: {shown(value)} is not a list")
        return
    for number, entry in enumerate(value, 1):
        with collector.at(f"{key} {number}"):
            collector.add(*reader(loose.mapping(entry), grid))


def _read_extremes(collector: Collector, document: Entry) -> None:
    """Minima and maxima, which exempt each other: all of a kind, or none."""
    for key, make in (("minimum", rules.Minimum), ("maximum", rules.Maximum)):
        with collector.at(key):
            entries = loose.listed(document.get(key))
            check_length(entries)
            for entry in entries:
                collector.add(make(loose.cell(loose.mapping(entry).get("cell"))))


def _read_negatives(collector: Collector, document: Entry) -> None:
    """Rules for pairs without a mark."""
    with collector.at("negative"):
        negative = {str(name) for name in loose.listed(document.get("negative"))}
        for name in sorted(negative - {"ratio", "xv", "foglight"}):
            collector.refuse(f"negative: {shown(name)} is not known")
        marks = [c for c in collector.constraints if isinstance(c, rules.Difference | rules.Ratio)]
        ratios = sorted({c.ratio for c in marks if isinstance(c, rules.Ratio)}) or [2]
        consecutive = not loose.is_empty(document.get("nonconsecutive"))
        if consecutive and "ratio" not in negative and not marks:
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


def _check_marks(collector: Collector, *keys: str) -> None:
    """A mark that was left out would have exempted its pair."""
    for sentence in collector.left_out:
        if sentence.startswith(keys):
            raise FormatError("marks were left out, so the unmarked pairs are not known")


_FLAGS: dict[str, Callable[[Grid], list[Constraint]]] = {
    "diagonal+": lambda grid: [rules.Diagonals(falling=False)],
    "diagonal-": lambda grid: [rules.Diagonals(rising=False)],
    "antiknight": lambda grid: [rules.AntiKnight()],
    "antiking": lambda grid: [rules.AntiKing()],
    "disjointgroups": disjoint_groups,
}


def _lines(make: Callable[..., Constraint], least: int = 1) -> Reader:
    """Each line on its own; shorter ones say nothing."""

    def read(entry: Entry, grid: Grid) -> Iterator[Constraint]:
        for line in loose.listed(entry.get("lines")):
            cells = loose.cells(line)
            if len(cells) >= least:
                yield make(cells)

    return read


def _set(make: Callable[..., Constraint]) -> Reader:
    def read(entry: Entry, grid: Grid) -> Iterator[Constraint]:
        if cells := loose.cells(entry.get("cells")):
            yield make(cells)

    return read


def _single(make: Callable[..., Constraint]) -> Reader:
    return lambda entry, grid: [make(loose.cell(entry.get("cell")))]


def _whispers(difference: Callable[[int], int | None]) -> Reader:
    def read(entry: Entry, grid: Grid) -> Iterable[Constraint]:
        stated = loose.integer(entry.get("value"))
        least = difference(grid.rows) if stated is None else stated
        return _lines(lambda cells: rules.Whisper(cells, least))(entry, grid)

    return read


def _killer_cage(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    if cells := loose.cells(entry.get("cells")):
        yield rules.KillerCage(cells, loose.integer(entry.get("value")))


def _cage(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    """A drawing, unless its text is a digital root."""
    value = entry.get("value")
    if isinstance(value, str) and (found := _DIGITAL_ROOT.fullmatch(value)):
        yield rules.MultiSumCage(
            loose.cells(entry.get("cells")), digital_root_sums(int(found[1]), grid)
        )


def digital_root_sums(root: int, grid: Grid) -> tuple[int, ...]:
    """The sums of different cells that have a digital root."""
    return tuple(range(root, sum(grid.values) + 1, 9))


def _arrow(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    circle = loose.cells(entry.get("cells"))
    for line in loose.listed(entry.get("lines")):
        shaft = loose.cells(line)[1:]
        if circle and shaft:
            yield rules.Arrow(circle, shaft) if len(circle) == 1 else rules.PillArrow(circle, shaft)


def _little_killer(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    if not (total := loose.integer(entry.get("value"))):
        return
    start = loose.cell(entry.get("cell"))
    direction = DIRECTIONS.get(str(entry.get("direction")).upper())
    if direction is None:
        raise FormatError(f"its direction {shown(entry.get('direction'))} is not known")
    if not (0 <= start.row < grid.rows and 0 <= start.col < grid.columns):
        rows, columns = STEPS[direction]
        start = Cell(start.row + rows, start.col + columns)
    yield rules.LittleKiller(start, direction, total)


def _pair(make: Callable[..., Constraint], default: int) -> Reader:
    def read(entry: Entry, grid: Grid) -> Iterator[Constraint]:
        value = loose.integer(entry.get("value"))
        yield make(loose.cells(entry.get("cells")), default if value is None else value)

    return read


def _xv(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    sign = entry.get("value")
    if loose.is_empty(sign):
        return
    total = {"X": 10, "V": 5}.get(str(sign).upper())
    if total is None:
        raise FormatError(f"{shown(sign)} is neither X nor V")
    yield rules.PairSum(loose.cells(entry.get("cells")), total)


def _clone(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    cells, clones = loose.cells(entry.get("cells")), loose.cells(entry.get("cloneCells"))
    if len(cells) != len(clones):
        raise FormatError(f"{len(cells)} cells are cloned to {len(clones)}")
    pairs = [(a, b) for a, b in zip(cells, clones, strict=True) if a != b]
    if pairs:
        yield rules.Clone(tuple(zip(*pairs, strict=True)))


def _quadruple(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    if values := [loose.needed(value) for value in loose.listed(entry.get("values"))]:
        yield rules.Quadruple(loose.cells(entry.get("cells")), values)


def _side_of(entry: Entry, grid: Grid) -> tuple[str, bool]:
    """The line of an outside clue, and whether it is read from its end."""
    row, column = loose.cell(entry.get("cell"))
    if row in (-1, grid.rows) and 0 <= column < grid.columns:
        return f"C{column + 1}", row == grid.rows
    if column in (-1, grid.columns) and 0 <= row < grid.rows:
        return f"R{row + 1}", column == grid.columns
    raise FormatError(f"{shown(entry.get('cell'))} is not beside a row or a column")


def _outside(make: Callable[..., Constraint]) -> Reader:
    def read(entry: Entry, grid: Grid) -> Iterator[Constraint]:
        clue = loose.integer(entry.get("value"))
        if clue is not None:
            line, reverse = _side_of(entry, grid)
            yield make(line, clue, reverse=reverse)

    return read


def _sandwich(entry: Entry, grid: Grid) -> Iterator[Constraint]:
    clue = loose.integer(entry.get("value"))
    if clue is not None:
        yield rules.Sandwich(_side_of(entry, grid)[0], clue)


_ENTRIES: dict[str, Reader] = {
    "arrow": _arrow,
    "betweenline": _lines(rules.Between),
    "boxindexer": _set(rules.BoxIndexing),
    "cage": _cage,
    "clone": _clone,
    "columnindexer": _set(rules.ColumnIndexing),
    "difference": _pair(rules.Difference, 1),
    "doublearrow": _lines(rules.DoubleArrow, least=3),
    "dutchwhispers": _whispers(lambda side: (side + 1) // 2 - 1),
    "entropicline": _lines(rules.Entropic),
    "even": _single(rules.Even),
    "extraregion": _set(rules.AllDifferent),
    "germanwhispers": _whispers(lambda side: None),
    "killercage": _killer_cage,
    "littlekillersum": _little_killer,
    "lockout": _lines(rules.Lockout, least=2),
    "modularline": _lines(rules.Modular),
    "nabner": _lines(rules.Nabner),
    "odd": _single(rules.Odd),
    "palindrome": _lines(rules.Palindrome),
    "quadruple": _quadruple,
    "ratio": _pair(rules.Ratio, 2),
    "regionsumline": _lines(rules.RegionSum),
    "renban": _lines(rules.Renban),
    "rowindexer": _set(rules.RowIndexing),
    "sandwichsum": _sandwich,
    "skyscraper": _outside(rules.Skyscraper),
    "slowthermometer": _lines(rules.SlowThermometer),
    "thermometer": _lines(rules.Thermometer),
    "whispers": _whispers(lambda side: None),
    "xsum": _outside(rules.XSum),
    "xv": _xv,
    "zipperline": _lines(rules.Zipper),
}


# Drawings


def _drawings(document: Entry) -> Iterator[str]:
    """A note on drawings that picture no constraint of the document."""
    lines = _drawn_lines(document, [key for key in document if key in _ENTRIES])
    counts = []
    for kind in ("cage", *_DRAWN):
        entries = document.get(kind)
        drawn = [e for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []
        number = sum(not _pictures(entry, document, lines) for entry in drawn)
        counts += [f"{number} {kind}{'s' * (number > 1)}"] * (number > 0)
    if counts:
        yield f"drawn without a constraint: {', '.join(counts)}; the rules text may tell why"


def _pictures(entry: Entry, document: Entry, lines: set[frozenset[str]]) -> bool:
    """Whether a drawing is the picture of a constraint that is there, or says nothing at all."""
    if any(entry.get(flag) for flag in ("isNewConstraint", "fromRangskSolver", "isLLConstraint")):
        return True
    name, value = entry.get("fromConstraint"), str(entry.get("value"))
    key = re.sub(r"[\s-]", "", name).lower() if isinstance(name, str) else ""
    if not loose.is_empty(document.get(key)) or _SILENT_CAGE.match(value):
        return True
    own = _drawn_lines({"line": [entry]}, ["line"])
    return bool(own) and own <= lines


def _drawn_lines(document: Entry, keys: Iterable[str]) -> set[frozenset[str]]:
    found = set()
    for key in keys:
        entries = document.get(key)
        for entry in entries if isinstance(entries, list) else []:
            lines = entry.get("lines") if isinstance(entry, dict) else None
            for line in lines if isinstance(lines, list) else []:
                if isinstance(line, list):
                    found.add(frozenset(str(cell) for cell in line))
    return found
