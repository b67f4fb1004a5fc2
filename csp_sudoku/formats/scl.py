"""SudokuPad documents: givens, regions and cages as data, all other rules as a picture."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from csp_sudoku import constraints as rules
from csp_sudoku.cells import Cell
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats import loose, strict_json
from csp_sudoku.formats.reading import Collector, Reading, blank, check_length, disjoint_groups
from csp_sudoku.formats.rules_text import unexplained
from csp_sudoku.formats.shapes import shown
from csp_sudoku.grid import Grid, check_size

_DRAWN = ("lines", "arrows", "underlays", "overlays")
_TOLD = re.compile(r"([^: ]+):\s*(.+)", re.DOTALL)
_SIGNS = re.compile(r"[0-9]")


def recognises(text: str) -> bool:
    """Whether a text is an object with cells, and with regions or a size of cells."""
    if not text.lstrip().startswith("{") or '"cells"' not in text:
        return False
    try:
        document = strict_json.parse(text, floats=True)
    except FormatError:
        return False
    return (
        isinstance(document, dict)
        and "cells" in document
        and ("regions" in document or "cellSize" in document)
    )


def read_text(text: str, *, lenient: bool = False) -> Reading:
    """Read a document."""
    return read_document(strict_json.parse(text, floats=True), lenient=lenient)


def read_document(document: object, *, lenient: bool = False) -> Reading:
    """Read a document that was parsed as JSON."""
    found = loose.mapping(document)
    told = _told(found)
    rows = _rows(found)
    regions = [_cells(region, "a region") for region in loose.listed(found.get("regions"))]
    shape = blank(
        len(rows),
        len(rows[0]),
        [region for region in regions if region],
        line_houses=str(told.get("norowcol")).lower() != "true",
    )
    collector = Collector(shape, lenient=lenient)
    labels = 0
    for number, cage in enumerate(loose.listed(found.get("cages")), 1):
        with collector.at(f"cage {number}"):
            labels += not _read_cage(collector, loose.mapping(cage))
    for name in loose.listed(found.get("global")):
        with collector.at(f"global {shown(name)}"):
            _read_global(collector, str(name), found)
    if drawn := _drawings(found, labels):
        # What is drawn is meant as a rule, and no document says which: no fault of this one.
        collector.left_out.append(f"{drawn} drawn; only the rules text says what they mean")
    puzzle = collector.puzzle(_givens(rows))
    text = loose.text(told.get("rules"))
    return Reading(
        puzzle,
        title=loose.text(told.get("title")),
        author=loose.text(told.get("author")),
        rules=text,
        solution=_solution(told.get("solution"), len(puzzle.cells)),
        notes=(*collector.notes, *unexplained(text, puzzle)),
    )


def _told(document: dict[str, Any]) -> dict[str, Any]:
    """What the document tells people: in cages without cells, and as metadata."""
    told: dict[str, Any] = {}
    for cage in loose.listed(document.get("cages")):
        if isinstance(cage, dict) and loose.is_empty(cage.get("cells")):
            found = _TOLD.match(loose.text(cage.get("value")))
            if found:
                before = f"{told[found[1]]}\n" if found[1] in told else ""
                told[found[1]] = before + found[2]
    if isinstance(metadata := document.get("metadata"), dict):
        for key, value in metadata.items():
            lines = value if isinstance(value, list) else [value]
            told[key] = value if value is True else "\n".join(map(loose.text, lines))
    return told


def _rows(document: dict[str, Any]) -> list[list[dict[str, Any]]]:
    rows = [loose.listed(row) for row in loose.listed(document.get("cells"))]
    check_size(len(rows), len(rows[0]) if rows else 0)
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise FormatError(f"row {number} has {len(row)} cells where {len(rows[0])} are needed")
    return [[{} if loose.is_empty(cell) else loose.mapping(cell) for cell in row] for row in rows]


def _givens(rows: list[list[dict[str, Any]]]) -> dict[Cell, list[int]]:
    givens = {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            try:
                value = loose.integer(cell.get("value"))
            except FormatError as error:
                raise FormatError(f"{Cell(r, c)}: {error}") from None
            if value is not None:
                givens[Cell(r, c)] = [value]
    return givens


def _cells(value: object, what: str) -> tuple[Cell, ...]:
    found = []
    items = loose.listed(value)
    check_length(items)
    for item in items:
        if not (isinstance(item, list) and len(item) == 2 and all(type(i) is int for i in item)):
            raise FormatError(
                f"{what}: {shown(item)} is not a cell; one is written as [row, column]"
            )
        found.append(Cell(*item))
    return tuple(found)


def _solution(stated: object, size: int) -> tuple[int | None, ...]:
    text = loose.text(stated).strip()
    if len(text) != size or not _SIGNS.search(text):
        return ()
    return tuple(int(sign) if _SIGNS.fullmatch(sign) else None for sign in text)


# Rules


def _read_cage(collector: Collector, cage: dict[str, Any]) -> bool:
    """Take a cage; False where it is a mere drawing with a label."""
    cells = _cells(cage.get("cells"), "its cells")
    if not cells or cage.get("type") == "rowcol":
        return True
    total = loose.integer(cage.get("sum"))
    if cage.get("unique") is True:
        collector.add(rules.KillerCage(cells, total))
    elif total is not None:
        collector.add(rules.Sum(cells, total))
    else:
        return bool(cage.get("hidden"))
    return True


_GLOBALS: dict[str, Callable[[Grid], list[Constraint]]] = {
    "antiking": lambda grid: [rules.AntiKing()],
    "antiknight": lambda grid: [rules.AntiKnight()],
    "antiratio": lambda grid: [rules.NegativeKropki(differences=())],
    "antixv": lambda grid: [rules.NegativeXV()],
    "disjoint": disjoint_groups,
    "nonconsecutive": lambda grid: [rules.Nonconsecutive()],
}
_FOR_UNMARKED = ("antiratio", "antixv", "nonconsecutive")


def _read_global(collector: Collector, name: str, document: dict[str, Any]) -> None:
    make = _GLOBALS.get(name)
    if make is None:
        raise FormatError("this rule is not known")
    if name in _FOR_UNMARKED and _marks_on_edges(document):
        raise FormatError("marks between cells are only drawn, so the unmarked pairs are not known")
    collector.add(*make(collector.shape.grids[0]))


def _marks_on_edges(document: dict[str, Any]) -> bool:
    """Whether something is drawn on the edge between two cells."""
    for key in ("underlays", "overlays"):
        for item in loose.listed(document.get(key)):
            center = item.get("center") if isinstance(item, dict) else None
            if isinstance(center, list) and len(center) == 2:
                whole = [isinstance(x, int | float) and float(x).is_integer() for x in center]
                if whole[0] != whole[1]:
                    return True
    return False


def _drawings(document: dict[str, Any], labels: int) -> str:
    counts = {key: len(loose.listed(document.get(key))) for key in _DRAWN}
    counts["labelled cages"] = labels
    drawn = [f"{count} {key if count > 1 else key[:-1]}" for key, count in counts.items() if count]
    return f"{', '.join(drawn)} {'is' if sum(counts.values()) == 1 else 'are'}" if drawn else ""
