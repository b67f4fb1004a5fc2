"""From puzzles to f-puzzles documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from csp_sudoku import constraints as rules
from csp_sudoku.cells import Cell, Place
from csp_sudoku.constraints.base import Constraint
from csp_sudoku.errors import FormatError
from csp_sudoku.formats.fpuzzles_reading import DIRECTIONS, STEPS, default_box, digital_root_sums
from csp_sudoku.formats.reading import Reading
from csp_sudoku.grid import Grid
from csp_sudoku.puzzle import Puzzle

# A key of the document, and an entry of its list, or True where it is no list.
Part: TypeAlias = tuple[str, Any]
Writer: TypeAlias = Callable[[Any, Puzzle], Iterator[Part]]

_DIRECTION_NAMES = {ours: theirs for theirs, ours in DIRECTIONS.items()}


def document_of(reading: Reading, *, lenient: bool = False) -> dict[str, Any]:
    """The document of a puzzle; what it cannot hold is refused, or else told in its rules text."""
    puzzle = reading.puzzle
    grid = _grid_of(puzzle)
    document: dict[str, Any] = {"size": grid.rows}
    for key in ("title", "author"):
        if held := getattr(reading, key):
            document[key] = held
    found, missing = _parts(puzzle)
    if missing and not lenient:
        raise FormatError(f"f-puzzles cannot hold this: {'; '.join(missing)}")
    if text := "\n".join(filter(None, [reading.rules, *missing])):
        document["ruleset"] = text
    document["grid"] = _rows(puzzle, grid)
    if reading.solution:
        document["solution"] = [value if value is not None else "." for value in reading.solution]
    for key, entry in found:
        if entry is True:
            document[key] = True
        else:
            document.setdefault(key, []).append(entry)
    return document


# The grid


def _grid_of(puzzle: Puzzle) -> Grid:
    if len(puzzle.grids) != 1:
        raise FormatError("f-puzzles holds one grid, not several that overlap")
    [grid] = puzzle.grids
    if grid.rows != grid.columns or (grid.top, grid.left) != (0, 0):
        raise FormatError(f"f-puzzles holds square grids that begin at R1C1, not {grid.size}")
    if grid.values != tuple(range(1, grid.rows + 1)):
        raise FormatError(f"f-puzzles holds the values 1 to {grid.rows} in a {grid.size} grid")
    if not (grid.row_houses and grid.column_houses):
        raise FormatError("f-puzzles has no grids whose rows or columns may repeat a value")
    if puzzle.named:
        raise FormatError(f"f-puzzles has no named variables such as {puzzle.named[0][0]}")
    for region in grid.boxes:
        if len(region) != grid.rows:
            raise FormatError(
                f"f-puzzles holds regions of {grid.rows} cells, not of {len(region)} as at "
                f"{region[0]}"
            )
    if len({place for region in grid.boxes for place in region}) < sum(map(len, grid.boxes)):
        raise FormatError("f-puzzles has no regions that overlap")
    return grid


def _rows(puzzle: Puzzle, grid: Grid) -> list[list[dict[str, Any]]]:
    regions = {place: number for number, region in enumerate(grid.boxes) for place in region}
    usual = grid.box == default_box(grid.rows)
    candidates = dict(puzzle.candidates)
    rows: list[list[dict[str, Any]]] = []
    for r in range(grid.rows):
        rows.append([])
        for place in grid.row(r):
            cell: dict[str, Any] = {} if usual else {"region": regions.get(place)}
            values = candidates.get(place)
            if values is not None and len(values) == 1:
                cell.update(value=values[0], given=True)
            elif values is not None:
                if not values:
                    raise FormatError(f"{place}: f-puzzles cannot hold that no value is possible")
                cell["givenPencilMarks"] = list(values)
            rows[-1].append(cell)
    return rows


# Constraints


class _CannotHold(Exception):  # noqa: N818 - an answer of a writer, never seen by callers
    """A constraint that the format has no words for."""


def _parts(puzzle: Puzzle) -> tuple[list[Part], list[str]]:
    """The parts of the document, and sentences for what it cannot hold."""
    found: list[Part] = []
    missing = list(puzzle.left_out)
    for constraint in _flat(puzzle.constraints):
        writer = _WRITERS.get(type(constraint))
        try:
            if writer is None:
                raise _CannotHold
            written = list(writer(constraint, puzzle))
        except _CannotHold:
            missing.append(f"{constraint.label} ({constraint.describe(puzzle)})")
        else:
            found += written
    return found, missing


def _flat(constraints: Sequence[Constraint]) -> Iterator[Constraint]:
    for constraint in constraints:
        if isinstance(constraint, rules.And):
            yield from _flat(constraint.parts)
        else:
            yield constraint


def _require(condition: bool) -> None:
    if not condition:
        raise _CannotHold


def _names(places: Sequence[Place]) -> list[str]:
    return [_name(place) for place in places]


def _name(place: Place) -> str:
    _require(isinstance(place, Cell))
    return str(place)


def _flag(*keys: str) -> Writer:
    def write(constraint: Any, puzzle: Puzzle) -> Iterator[Part]:
        yield from ((key, True) for key in keys)

    return write


def _line(key: str) -> Writer:
    def write(constraint: Any, puzzle: Puzzle) -> Iterator[Part]:
        yield key, {"lines": [_names(constraint.cells)]}

    return write


def _set(key: str) -> Writer:
    def write(constraint: Any, puzzle: Puzzle) -> Iterator[Part]:
        yield key, {"cells": _names(constraint.cells)}

    return write


def _each(key: str) -> Writer:
    def write(constraint: Any, puzzle: Puzzle) -> Iterator[Part]:
        yield from ((key, {"cell": name}) for name in _names(constraint.cells))

    return write


def _extreme(key: str) -> Writer:
    def write(constraint: Any, puzzle: Puzzle) -> Iterator[Part]:
        yield key, {"cell": _name(constraint.cell)}

    return write


def _diagonals(rule: rules.Diagonals, puzzle: Puzzle) -> Iterator[Part]:
    if rule.rising:
        yield "diagonal+", True
    if rule.falling:
        yield "diagonal-", True


def _windoku(rule: rules.Windoku, puzzle: Puzzle) -> Iterator[Part]:
    for window in rule.regions(puzzle.grids[0]):
        yield "extraregion", {"cells": _names(window)}


def _nonconsecutive(rule: rules.Nonconsecutive, puzzle: Puzzle) -> Iterator[Part]:
    # There a dot exempts its pair, here it does not.
    kinds = (rules.Difference, rules.Ratio)
    _require(not any(isinstance(c, kinds) for c in _flat(puzzle.constraints)))
    yield "nonconsecutive", True


def _negative_kropki(rule: rules.NegativeKropki, puzzle: Puzzle) -> Iterator[Part]:
    dots = [c for c in _flat(puzzle.constraints) if isinstance(c, rules.Ratio)]
    ratios = {dot.ratio for dot in dots} or {2}
    _require(rule.differences in ((), (1,)) and set(rule.ratios) in (set(), ratios))
    if rule.differences:
        yield "nonconsecutive", True
    if rule.ratios:
        yield "negative", "ratio"


def _negative_xv(rule: rules.NegativeXV, puzzle: Puzzle) -> Iterator[Part]:
    _require(set(rule.sums) == {5, 10})
    yield "negative", "xv"


def _killer_cage(rule: rules.KillerCage, puzzle: Puzzle) -> Iterator[Part]:
    entry: dict[str, Any] = {"cells": _names(rule.cells)}
    if rule.sum is not None:
        entry["value"] = str(rule.sum)
    yield "killercage", entry


def _multi_sum_cage(rule: rules.MultiSumCage, puzzle: Puzzle) -> Iterator[Part]:
    sums = set(rule.sums)
    root = next((n for n in range(1, 10) if sums == {*digital_root_sums(n, puzzle.grids[0])}), 0)
    _require(root > 0)
    yield "cage", {"cells": _names(rule.cells), "value": f"DR{root}"}


def _arrow(rule: rules.Arrow, puzzle: Puzzle) -> Iterator[Part]:
    circle, shaft = _name(rule.circle), _names(rule.shaft)
    yield "arrow", {"cells": [circle], "lines": [[circle, *shaft]]}


def _pill_arrow(rule: rules.PillArrow, puzzle: Puzzle) -> Iterator[Part]:
    pill, shaft = _names(rule.pill), _names(rule.shaft)
    # Some programs read the listed order, some the order on the page.
    _require(list(rule.pill) == sorted(p for p in rule.pill if isinstance(p, Cell)))
    yield "arrow", {"cells": pill, "lines": [[pill[-1], *shaft]]}


def _whisper(rule: rules.Whisper, puzzle: Puzzle) -> Iterator[Part]:
    entry: dict[str, Any] = {"lines": [_names(rule.cells)]}
    if rule.difference is not None:
        entry["value"] = str(rule.difference)
    yield "whispers", entry


def _lockout(rule: rules.Lockout, puzzle: Puzzle) -> Iterator[Part]:
    _require(rule.difference in (None, puzzle.grids[0].rows // 2))
    yield from _line("lockout")(rule, puzzle)


def _modular(rule: rules.Modular, puzzle: Puzzle) -> Iterator[Part]:
    _require(rule.modulus == 3)
    yield from _line("modularline")(rule, puzzle)


def _dot(key: str, field: str, usual: int) -> Writer:
    def write(constraint: Any, puzzle: Puzzle) -> Iterator[Part]:
        entry: dict[str, Any] = {"cells": _names(constraint.cells)}
        if (value := getattr(constraint, field)) != usual:
            entry["value"] = str(value)
        yield key, entry

    return write


def _pair_sum(rule: rules.PairSum, puzzle: Puzzle) -> Iterator[Part]:
    _require(rule.total in (5, 10))
    yield "xv", {"cells": _names(rule.cells), "value": "X" if rule.total == 10 else "V"}


def _groups(rule: rules.Clone, puzzle: Puzzle) -> Iterator[Part]:
    for one, other in zip(rule.groups, rule.groups[1:], strict=False):
        yield "clone", {"cells": _names(one), "cloneCells": _names(other)}


def _not_equal(rule: rules.NotEqual, puzzle: Puzzle) -> Iterator[Part]:
    # There a cell that is named twice counts once.
    _require(rule.cells[0] != rule.cells[1])
    yield from _set("extraregion")(rule, puzzle)


def _equal(rule: rules.Equal, puzzle: Puzzle) -> Iterator[Part]:
    for one, other in zip(rule.cells, rule.cells[1:], strict=False):
        yield "clone", {"cells": [_name(one)], "cloneCells": [_name(other)]}


def _quadruple(rule: rules.Quadruple, puzzle: Puzzle) -> Iterator[Part]:
    _require(len(rule.cells) == 4)
    yield "quadruple", {"cells": _names(rule.cells), "values": list(rule.values)}


def _little_killer(rule: rules.LittleKiller, puzzle: Puzzle) -> Iterator[Part]:
    _require(rule.sum != 0)
    rows, columns = STEPS[rule.direction]
    outside = Cell(rule.start.row - rows, rule.start.col - columns)
    yield (
        "littlekillersum",
        {
            "cell": str(rule.start if puzzle.has(outside) else outside),
            "direction": _DIRECTION_NAMES[rule.direction],
            "value": str(rule.sum),
            "cells": _names(rule.scope(puzzle)),
        },
    )


def _outside(key: str, field: str) -> Writer:
    def write(constraint: Any, puzzle: Puzzle) -> Iterator[Part]:
        index = int(constraint.line[1:]) - 1
        edge = puzzle.grids[0].rows if getattr(constraint, "reverse", False) else -1
        cell = Cell(index, edge) if constraint.line[0] == "R" else Cell(edge, index)
        yield key, {"cell": str(cell), "value": str(getattr(constraint, field))}

    return write


_WRITERS: dict[type[Constraint], Writer] = {
    rules.AllDifferent: _set("extraregion"),
    rules.AntiKing: _flag("antiking"),
    rules.AntiKnight: _flag("antiknight"),
    rules.Arrow: _arrow,
    rules.Between: _line("betweenline"),
    rules.BoxIndexing: _set("boxindexer"),
    rules.Clone: _groups,
    rules.ColumnIndexing: _set("columnindexer"),
    rules.Diagonals: _diagonals,
    rules.Difference: _dot("difference", "difference", 1),
    rules.DisjointGroups: _flag("disjointgroups"),
    rules.DoubleArrow: _line("doublearrow"),
    rules.Entropic: _line("entropicline"),
    rules.Equal: _equal,
    rules.Even: _each("even"),
    rules.KillerCage: _killer_cage,
    rules.LittleKiller: _little_killer,
    rules.Lockout: _lockout,
    rules.Maximum: _extreme("maximum"),
    rules.Minimum: _extreme("minimum"),
    rules.Modular: _modular,
    rules.MultiSumCage: _multi_sum_cage,
    rules.Nabner: _line("nabner"),
    rules.NegativeKropki: _negative_kropki,
    rules.NegativeXV: _negative_xv,
    rules.Nonconsecutive: _nonconsecutive,
    rules.NotEqual: _not_equal,
    rules.Odd: _each("odd"),
    rules.PairSum: _pair_sum,
    rules.Palindrome: _line("palindrome"),
    rules.PillArrow: _pill_arrow,
    rules.Quadruple: _quadruple,
    rules.Ratio: _dot("ratio", "ratio", 2),
    rules.RegionSum: _line("regionsumline"),
    rules.Renban: _line("renban"),
    rules.RowIndexing: _set("rowindexer"),
    rules.Sandwich: _outside("sandwichsum", "sum"),
    rules.Skyscraper: _outside("skyscraper", "count"),
    rules.SlowThermometer: _line("slowthermometer"),
    rules.Thermometer: _line("thermometer"),
    rules.Whisper: _whisper,
    rules.Windoku: _windoku,
    rules.XSum: _outside("xsum", "sum"),
    rules.Zipper: _line("zipperline"),
}
